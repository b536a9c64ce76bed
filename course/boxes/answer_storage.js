// Storage of a reader's answers, in this browser only, and as a file.
import RULES from "../judge/rules.json" with { type: "json" };
const SHARED = "equations-in-motion-answers"; // formerly for all sites of a host; still read
// Several sites may have the same host: answers are stored per folder of a site.
const script = globalThis.document?.currentScript?.src; // in _static/answers
const STORE = script ? `${SHARED} ${new URL("../..", script).pathname}` : SHARED;
const COURSE = "Equations in Motion";
const VERSION = 1;
const MOST_TRIES = RULES["most tries"];
const MOST_LETTERS = 4000;
const VERDICTS = ["right", "wrong", "unread"];
const ROOM = 500; // characters that a further answer needs
let failed = false; // whether the last answer could not be stored

// Whether these are valid tries: different wrong answers, whose number determines the next message.
const soundTries = (tried) => Array.isArray(tried) && tried.length <= MOST_TRIES
  && tried.every((text) => typeof text === "string" && text.length <= MOST_LETTERS);

// Only entries as an answer box writes them: a name such as kane-3, a text, a verdict, and tries.
function sound(stored) {
  const entries = Object.entries(stored ?? {}).filter(([name, answer]) =>
    /^[a-z-]+-\d+$/.test(name) && typeof answer?.text === "string" && VERDICTS.includes(answer.verdict));
  return Object.fromEntries(entries.map(([name, { text, verdict, tried, of }]) => [name, {
    text, verdict,
    ...(soundTries(tried) && tried.length && { tried }), ...(/^[0-9a-f]{8}$/.test(of) && { of }),
  }]));
}

// Answers in which a right answer to an exercise that has changed since counts as wrong.
export const asOfNow = (answers, hashes) => Object.fromEntries(Object.entries(answers).map(([name, answer]) =>
  [name, answer.of && name in hashes && answer.of !== hashes[name] ? { ...answer, verdict: "wrong" } : answer]));

// Both merged: new answers replace current ones, but a wrong answer never replaces a right one.
export function merged(current, added) {
  const better = Object.entries(added).filter(([name, { verdict }]) =>
    verdict === "right" || current[name]?.verdict !== "right");
  return { ...current, ...Object.fromEntries(better) };
}

export const storage = {
  // Why nothing is stored: "none" if this browser is configured so, "full" if what all sites of this
  // host may store is used up, or if the last answer was not stored; empty if there is no trouble.
  trouble() {
    try {
      localStorage.setItem(`${STORE}-tried`, failed ? "" : "x".repeat(ROOM));
      localStorage.removeItem(`${STORE}-tried`);
      return failed ? "full" : "";
    } catch (error) {
      return error.name === "QuotaExceededError" ? "full" : "none";
    }
  },
  all() {
    try {
      return sound(JSON.parse(localStorage.getItem(STORE) ?? localStorage.getItem(SHARED)));
    } catch {
      return {};
    }
  },
  add: (answers) => storage.put(merged(storage.all(), answers)),
  // Store answers; return whether that worked. Judging works without storage.
  put(answers) {
    try {
      localStorage.setItem(STORE, JSON.stringify({ ...storage.all(), ...answers }));
      failed = false;
    } catch {
      failed = true;
    }
    return !failed;
  },
  forget: () => [STORE, SHARED].forEach((name) => localStorage.removeItem(name)),
};

export const asFile = (answers) =>
  `${JSON.stringify({ course: COURSE, version: VERSION, answers }, null, 1)}\n`;

// Return the answers in a file as {answers}, or a {sentence} that says why there are none.
export function fromFile(text) {
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    content = null;
  }
  const ours = content?.course === COURSE && Number.isInteger(content.version);
  if (!ours || !content.answers || typeof content.answers !== "object") {
    return { sentence: "This file contains no answers of this course. Choose a file that was saved from these pages." };
  }
  if (content.version > VERSION) {
    return { sentence: "This file was saved by a newer version of the course. Load it there." };
  }
  return { answers: sound(content.answers) };
}

// For each chapter with an answer: the numbers of exercises answered, right, and in total.
export function counted(answers, chapters) {
  const counts = Object.entries(chapters).map(([chapter, all]) => {
    const names = all.filter(Boolean);
    const answered = names.filter((name) => Object.hasOwn(answers, name));
    const right = answered.filter((name) => answers[name].verdict === "right").length;
    return { chapter, answered: answered.length, right, all: names.length };
  });
  return counts.filter(({ answered }) => answered);
}
