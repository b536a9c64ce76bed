// Worker of the page: one task at a time, with a first answer as soon as there is one.
import { done } from "./task.js";

globalThis.onmessage = ({ data: { id, ...task } }) => {
  const answer = done(task, (first) => postMessage({ id, first }));
  postMessage({ id, answer });
};
