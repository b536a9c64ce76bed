// Present moment of a live simulation as part of an address: a copied link continues from there, to the
// last bit.
//
// Numbers are joined by underscores, motions by stars:
// - time=1.5, state=0.1_-2*0.1_-2.5: a single time is the time of all motions;
// - begun=0.2*: the numbers that a method carries from step to step, where it does;
// - books=0.5_1.2_0_0.1_0: initial energy, energy in play, work since, worst drift, and the level
//   within which it wavers;
// - view=-1_-1_2_1: the visible box [m], if a motion has widened it; camera=0.5_0.3;
// - speed=0.25; paused=1.

export const MOMENT = ["time", "state", "begun", "books", "view", "camera", "speed", "paused"];

const written = (x) => x.map((value) => (Object.is(value, -0) ? "-0" : value)).join("_");
const finite = (lists) => lists.flat().every(Number.isFinite);

// Numbers of a text, or null if one of them is not a number.
function numbersOf(text) {
  const numbers = text.split("_").map((part) => (part === "" ? NaN : Number(part)));
  return numbers.every(Number.isFinite) ? numbers : null;
}

// Lists of numbers, one of a given length for each motion, or null; with `some`, a list may be empty.
function listsOf(text, lengths, some = false) {
  const lists = text.split("*").map((part) => (some && part === "" ? [] : numbersOf(part)));
  const fits = (list, i) => list && (list.length === lengths[i] || (some && !list.length));
  return lists.length === lengths.length && lists.every(fits) ? lists : null;
}

// Pairs of name and text for a moment; `motions` holds {time, state, begun, books} of each motion.
export function momentPairs({ motions, view, camera, speed = 1, paused }) {
  const pairs = [];
  const add = (name, lists) => {
    if (finite(lists)) pairs.push([name, lists.map(written).join("*")]);
  };
  const [states, begun, books] = ["state", "begun", "books"]
    .map((name) => motions.map((motion) => motion[name] ?? []));
  if (finite(states)) {
    const times = motions.map(({ time }) => [time]);
    add("time", new Set(times.flat()).size > 1 ? times : [times[0]]);
    add("state", states);
    if (begun.flat().length) add("begun", begun);
    if (books.flat().length) add("books", books);
  }
  if (view) add("view", [view]);
  if (camera) add("camera", [camera]);
  if (speed !== 1) add("speed", [[speed]]);
  if (paused) add("paused", [[1]]);
  return pairs;
}

// Moment in a text, as changes {motions, view, camera, speed, paused}, each only if it fits the
// simulation.
export function momentOf(text, { runs, size }) {
  const pairs = new URLSearchParams(text);
  const sizes = runs.map((run) => run.size ?? size);
  const read = (name, lengths, some) => listsOf(pairs.get(name) ?? "", lengths, some);
  const times = read("time", sizes.map(() => 1)) ?? read("time", [1]);
  const states = read("state", sizes.map(({ states: count }) => count));
  const begun = read("begun", sizes.map(({ coordinates }) => coordinates), true);
  const books = read("books", sizes.map(() => 5));
  const news = {};
  if (times && states) {
    news.motions = states.map((state, i) => ({
      time: (times[i] ?? times[0])[0], state,
      ...(begun?.[i].length && { begun: begun[i] }), ...(books && { books: books[i] }),
    }));
  }
  const [[view], [camera], [speed]] = [["view", 4], ["camera", 2], ["speed", 1]]
    .map(([name, length]) => read(name, [length]) ?? []);
  if (view && view[0] < view[2] && view[1] < view[3]) news.view = view;
  if (camera) news.camera = camera;
  if (speed?.[0] > 0) [news.speed] = speed;
  if (pairs.get("paused") === "1") news.paused = true;
  return news;
}
