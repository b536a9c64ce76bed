// Judges answers for the tests in Python: reads {exercises, sentences, answers} from standard input.
// Each of the answers is [name, texts]: what is given in a row.
import { judged } from "../../course/boxes/judging.js";

const text = await new Promise((resolve) => {
  let all = "";
  process.stdin.on("data", (part) => (all += part)).on("end", () => resolve(all));
});
const { exercises, sentences, answers } = JSON.parse(text);
const found = answers.map(([name, texts]) => {
  let before = [];
  return texts.map((answer) => {
    const { verdict, message, stage = "", tried } = judged(exercises[name], answer, sentences, before);
    before = tried;
    return [verdict, message, stage];
  });
});
process.stdout.write(JSON.stringify(found));
