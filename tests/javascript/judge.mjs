// Judges answers for the tests in Python: reads {exercises, sentences, answers} from standard input.
import { judged } from "../../tutlib/page/judging.js";

const text = await new Promise((resolve) => {
  let all = "";
  process.stdin.on("data", (part) => (all += part)).on("end", () => resolve(all));
});
const { exercises, sentences, answers } = JSON.parse(text);
const found = answers.map(([name, answer]) => {
  const { verdict, message } = judged(exercises[name], answer, sentences);
  return [verdict, message];
});
process.stdout.write(JSON.stringify(found));
