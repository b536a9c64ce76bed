// What a reader answered, kept in this browser alone; and the same as a file.
import RULES from "../judge/rules.json" with { type: "json" };
const SHARED = "equations-in-motion-answers"; // by all sites of a host, once: it is still read
// Two terms may have their sites on one host: what is kept belongs to the folder of one site.
const script = globalThis.document?.currentScript?.src; // in _static/answers
const STORE = script ? `${SHARED} ${new URL("../..", script).pathname}` : SHARED;
const COURSE = "Equations in Motion";
const VERSION = 1;
const MOST_TRIES = RULES["most tries"];
const MOST_LETTERS = 4000;
const VERDICTS = ["right", "wrong", "unread"];

// The different wrong answers so far: the next one is told more.
const soundTries = (tried) => Array.isArray(tried) && tried.length <= MOST_TRIES
  && tried.every((one) => typeof one === "string" && one.length <= MOST_LETTERS);

// Only what an answer box has written: a name such as kane-3, a text, a verdict, and tries.
function sound(stored) {
  const entries = Object.entries(stored ?? {}).filter(([name, one]) =>
    /^[a-z-]+-\d+$/.test(name) && typeof one?.text === "string" && VERDICTS.includes(one.verdict));
  return Object.fromEntries(entries.map(([name, { text, verdict, tried, of }]) => [name, {
    text, verdict,
    ...(soundTries(tried) && tried.length && { tried }), ...(/^[0-9a-f]{8}$/.test(of) && { of }),
  }]));
}

// What was right of an exercise that has changed since is not right any more, before it is asked again.
export const asOfNow = (answers, hashes) => Object.fromEntries(Object.entries(answers).map(([name, one]) =>
  [name, one.of && name in hashes && one.of !== hashes[name] ? { ...one, verdict: "wrong" } : one]));

// Both together: what is new is taken, but never a wrong answer for a right one.
export function merged(current, other) {
  const better = Object.entries(other).filter(([name, { verdict }]) =>
    verdict === "right" || current[name]?.verdict !== "right");
  return { ...current, ...Object.fromEntries(better) };
}

export const kept = {
  // Whether this browser keeps anything: some are told not to.
  works() {
    try {
      localStorage.setItem(`${STORE}-tried`, "");
      localStorage.removeItem(`${STORE}-tried`);
      return true;
    } catch {
      return false;
    }
  },
  all() {
    try {
      return sound(JSON.parse(localStorage.getItem(STORE) ?? localStorage.getItem(SHARED)));
    } catch {
      return {};
    }
  },
  add: (answers) => kept.put(merged(kept.all(), answers)),
  put(answers) {
    try {
      localStorage.setItem(STORE, JSON.stringify({ ...kept.all(), ...answers }));
    } catch {
      // a browser that keeps nothing still judges
    }
  },
  forget: () => [STORE, SHARED].forEach((name) => localStorage.removeItem(name)),
};

export const asFile = (answers) =>
  `${JSON.stringify({ course: COURSE, version: VERSION, answers }, null, 1)}\n`;

// Return the answers of a file, or a sentence that says why there are none: {answers} or {sentence}.
export function fromFile(text) {
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    content = null;
  }
  const ours = content?.course === COURSE && Number.isInteger(content.version);
  if (!ours || !content.answers || typeof content.answers !== "object") {
    return { sentence: "This file holds no answers of this course: choose one that was saved on these pages." };
  }
  if (content.version > VERSION) {
    return { sentence: "This file was saved by a later version of the course: load it there." };
  }
  return { answers: sound(content.answers) };
}

// Of each chapter that has any answer: how many of its exercises are right, and how many there are.
export function counted(answers, chapters) {
  const counts = Object.entries(chapters).map(([chapter, all]) => {
    const names = all.filter(Boolean);
    const answered = names.filter((name) => Object.hasOwn(answers, name));
    const right = answered.filter((name) => answers[name].verdict === "right").length;
    return { chapter, answered: answered.length, right, all: names.length };
  });
  return counts.filter(({ answered }) => answered);
}
