// The known name that is closest to an unknown one, as found by Python's difflib.

// The number of letters that two words share: the longest common substring, then recursively on
// both sides.
function matching(a, b) {
  let [size, i, j] = [0, 0, 0];
  for (let m = 0; m < a.length; m++) {
    for (let n = 0; n < b.length; n++) {
      let k = 0;
      while (m + k < a.length && n + k < b.length && a[m + k] === b[n + k]) k += 1;
      if (k > size) [size, i, j] = [k, m, n];
    }
  }
  if (!size) return 0;
  return size + matching(a.slice(0, i), b.slice(0, j))
    + matching(a.slice(i + size), b.slice(j + size));
}

const alike = (a, b) => (2 * matching(a, b)) / (a.length + b.length);
const numberIn = (name) => name.replace(/\D/g, "");

// Spellings of derivatives without a dot: thetadot_1, theta_d, dtheta_dt, ddtheta, d2theta_dt2.
const RATES = [
  /^(?<name>.+?)_?(?<ds>d*)dot(?<number>_?\d*)$/, /^(?<name>.+?)_?(?<ds>d?)d(?<number>_?\d*)$/,
  /^(?<ds>d?)d_?(?<name>.+?)(?<number>)(?:_?dt)?$/, /^(?<ds>d)2_?(?<name>.+?)(?<number>)_?dt2$/,
];

// Return the names, without underscores, that a text may be the derivative of, and its order.
export function rates(text) {
  const matches = RATES.map((pattern) => pattern.exec(text)?.groups).filter(Boolean);
  return matches.map(({ name, ds, number }) => [`${name}${number}`.replaceAll("_", ""), ds.length + 1]);
}

// Return the closest known name, such as tau_1 for tau1; empty if there is none.
export function nearest(name, candidates) {
  if (candidates.includes(name) || name.length > 40) return "";
  if (candidates.some((text) => rates(name).some(([stem]) => stem === text.replaceAll("_", "")))) return "";
  const plain = name.replaceAll("_", "");
  let best = ["", 0.75];
  for (const text of candidates) {
    if (numberIn(text) !== numberIn(name)) continue;
    const share = alike(text.replaceAll("_", ""), plain);
    if (share > best[1] || (share === best[1] && text.replaceAll("_", "") > best[0])) best = [text, share];
  }
  return best[0];
}
