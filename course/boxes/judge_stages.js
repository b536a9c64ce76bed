// Messages about a wrong answer at the first and at later tries, as in course/judge/stages.py. A
// finding is [stage, sentence].
import RULES from "../judge/rules.json" with { type: "json" };
export const MOST_TRIES = RULES["most tries"];

export const NO_CLUE = "no clue";

// Return {message, section}: the section, if the message says to read it again.
export function response([first, ...others], tries, section, said) {
  const more = others.filter(([stage]) => stage !== NO_CLUE);
  const chosen = [first, ...more].slice(0, tries > 1 ? 2 : 1);
  const sentences = chosen.map(([, sentence]) => sentence);
  const counts = first[0] !== "reading";
  const where = section && (first[0] === NO_CLUE || (counts && tries > chosen.length));
  if (where) sentences.push(said("where", { section }));
  if (section && counts && tries >= MOST_TRIES) sentences.push(said("solution"));
  return { message: said(counts ? "wrong" : "unread", { explanation: sentences.join(" ") }), section: where ? section : "" };
}
