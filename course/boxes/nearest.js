// The known name that is meant by one that is not known, as Python's difflib finds it.

// How many letters two words share: the longest common part, and so on to its left and right.
function matching(one, other) {
  let [size, i, j] = [0, 0, 0];
  for (let a = 0; a < one.length; a++) {
    for (let b = 0; b < other.length; b++) {
      let k = 0;
      while (a + k < one.length && b + k < other.length && one[a + k] === other[b + k]) k += 1;
      if (k > size) [size, i, j] = [k, a, b];
    }
  }
  if (!size) return 0;
  return size + matching(one.slice(0, i), other.slice(0, j))
    + matching(one.slice(i + size), other.slice(j + size));
}

const alike = (one, other) => (2 * matching(one, other)) / (one.length + other.length);
const numberIn = (name) => name.replace(/\D/g, "");

// How a rate is called without a dot above it: thetadot_1, theta_d, dtheta_dt, ddtheta, d2theta_dt2.
const RATES = [
  /^(?<name>.+?)_?(?<ds>d*)dot(?<number>_?\d*)$/, /^(?<name>.+?)_?(?<ds>d?)d(?<number>_?\d*)$/,
  /^(?<ds>d?)d_?(?<name>.+?)(?<number>)(?:_?dt)?$/, /^(?<ds>d)2_?(?<name>.+?)(?<number>)_?dt2$/,
];

// Return what a name may be the rate of, without underscores, and of which order.
export function rates(text) {
  const matches = RATES.map((pattern) => pattern.exec(text)?.groups).filter(Boolean);
  return matches.map(({ name, ds, number }) => [`${name}${number}`.replaceAll("_", ""), ds.length + 1]);
}

// Return the nearest known name, such as tau_1 for tau1; nothing if there is none.
export function nearest(name, known) {
  if (known.includes(name) || name.length > 40) return "";
  if (known.some((one) => rates(name).some(([stem]) => stem === one.replaceAll("_", "")))) return "";
  const plain = name.replaceAll("_", "");
  let best = ["", 0.75];
  for (const one of known) {
    if (numberIn(one) !== numberIn(name)) continue;
    const share = alike(one.replaceAll("_", ""), plain);
    if (share > best[1] || (share === best[1] && one.replaceAll("_", "") > best[0])) best = [one, share];
  }
  return best[0];
}
