// Nonlinear least squares with limits: the Levenberg-Marquardt method. Its steps bend along curved valleys,
// which are those of parameters that nearly compensate each other: see Transtrum and Sethna,
// arXiv:1201.5885.
//
// A problem is {residuals(theta, out), count, start, low, high, sizes}: the function writes `count`
// residuals, `sizes` are typical magnitudes of the unknowns, and `asked` of them, the first ones, are
// those of which the fit says whether the residuals determine them; the others have no limits.

// Relative step of the differences; relative decrease of the sum of squares that ends the iteration;
// the largest damping, and the largest number of iterations.
const [DIFFERENCE, DONE, STIFFEST, MOST] = [1e-6, 1e-10, 1e10, 60];
// Part of a range within which an unknown is at the limit.
const NEAR = 1e-5;
// Part of a step from which its acceleration is computed, and the largest bend of a step.
const [PART, MOST_BENT] = [0.1, 0.4];
// Smallest pivot of a normal matrix with a unit diagonal that is not singular.
const SINGULAR = 1e-11;
// An unknown is determined if this many standard errors fit between its limits.
const ERRORS = 4;

const squares = (r) => {
  let sum = 0;
  for (const value of r) sum += value * value;
  return Number.isFinite(sum) ? sum : Infinity;
};

function dot(u, v) {
  let sum = 0;
  for (let k = 0; k < u.length; k++) sum += u[k] * v[k];
  return sum;
}

// Fit that keeps what the residuals do not determine at its start. It yields whenever it has computed
// residuals a few times, and returns {theta, rms: [before, after], held, atLimit, converged}: `held` and `atLimit` are lists of
// unknowns. If no motion can be computed at the start, `theta` is null.
function* fitted(problem, asked) {
  const held = new Set();
  for (;;) {
    const found = yield* minimized(problem, held, asked);
    if (found.failed) return { ...found, theta: null, held: [], atLimit: [] };
    const doubtful = found.singular ?? undetermined(problem, found, asked);
    if (doubtful === null) {
      const { low, high } = problem;
      const atLimit = found.theta.flatMap((value, i) =>
        !held.has(i) && Math.min(value - low[i], high[i] - value) < NEAR * (high[i] - low[i]) ? [i] : []);
      return { ...found, held: [...held].sort((a, b) => a - b), atLimit };
    }
    held.add(doubtful);
  }
}

// Minimum of the sum of squares with some unknowns held at the start.
function* minimized({ residuals, count, start, low, high, sizes }, held, asked) {
  const limited = (theta) => theta.map((value, i) => Math.min(Math.max(value, low[i]), high[i]));
  const free = start.map((_, i) => i).filter((i) => !held.has(i));
  let theta = limited(start);
  let r = residuals(theta, new Float64Array(count));
  let trial = new Float64Array(count);
  let sum = squares(r);
  const before = Math.sqrt(sum / count);
  if (sum === Infinity) return { failed: true, rms: [before, before] };
  let [damping, converged, normal] = [1e-3, false, null];
  const columns = free.map(() => new Float64Array(count));
  for (let iteration = 0; iteration < MOST && !converged; iteration++) {
    normal = yield* normalEquations(residuals, theta, r, free, columns, sizes, high, trial);
    if (iteration === 0) {
      const { singular } = factored(normal, free, asked);
      if (singular !== null) return { singular };
    }
    // an unknown at a limit stays there while the sum of squares decreases beyond it
    const moving = free.map((i, a) => a).filter((a) => {
      const i = free[a];
      return !(theta[i] <= low[i] && normal.gradient[a] > 0) && !(theta[i] >= high[i] && normal.gradient[a] < 0);
    });
    // half the acceleration of the step along the valley, if it is smaller than the step
    const bendOf = (step, residualsAfter) => {
      const moved = residualsAfter(PART);
      const second = new Float64Array(count);
      for (let k = 0; k < count; k++) {
        const slope = moving.reduce((sum, a, i) => sum + columns[a][k] * step[i], 0);
        second[k] = (2 / PART) * ((moved[k] - r[k]) / PART - slope);
      }
      const gradient = columns.map((column) => dot(column, second));
      const bend = solved({ ...normal, gradient }, moving, damping).map((value) => value / 2);
      const size = (list) => Math.hypot(...list.map((value, i) => value / sizes[free[moving[i]]]));
      return size(bend) < MOST_BENT * size(step) ? bend : step.map(() => 0);
    };
    for (;;) {
      const step = solved(normal, moving, damping);
      const decrease = step && -moving.reduce((total, a, k) => total + normal.gradient[a] * step[k], 0);
      converged = step !== null && decrease < DONE * sum;
      if (converged) break;
      const after = (change) => {
        const next = [...theta];
        moving.forEach((a, k) => (next[free[a]] += change[k]));
        return limited(next);
      };
      const bend = step && bendOf(step, (part) => residuals(after(step.map((v) => part * v)), trial));
      const tried = step && after(step.map((v, k) => v + bend[k]));
      const reached = step ? squares(residuals(tried, trial)) : Infinity;
      if (reached < sum) {
        converged = sum - reached < DONE * sum;
        [theta, r, trial, sum] = [tried, trial, r, reached];
        damping = Math.max(damping / 10, 1e-12);
        break;
      }
      damping *= 4;
      if (damping > STIFFEST) {
        converged = true;
        break;
      }
      yield;
    }
  }
  normal = yield* normalEquations(residuals, theta, r, free, columns, sizes, high, trial);
  return { theta, rms: [before, Math.sqrt(sum / count)], converged, normal, free };
}

// Matrix JᵀJ and gradient Jᵀr of the free unknowns, from differences in the direction of the limits'
// inside.
function* normalEquations(residuals, theta, r, free, columns, sizes, high, trial) {
  for (const [a, i] of free.entries()) {
    const h = DIFFERENCE * sizes[i] * (theta[i] + DIFFERENCE * sizes[i] > high[i] ? -1 : 1);
    const moved = residuals(theta.map((value, j) => (j === i ? value + h : value)), trial);
    const column = columns[a];
    for (let k = 0; k < column.length; k++) column[k] = (moved[k] - r[k]) / h;
    yield;
  }
  const matrix = columns.map((u, a) => columns.map((v, b) => (b <= a ? dot(u, v) : 0)));
  matrix.forEach((row, a) => row.forEach((_, b) => (row[b] = b <= a ? row[b] : matrix[b][a])));
  return { matrix, gradient: columns.map((u) => dot(u, r)) };
}

// Step of the damped normal equations, or null if they have no solution.
function solved({ matrix, gradient }, moving, damping) {
  const scales = moving.map((a) => Math.sqrt(matrix[a][a]) || 1);
  const scaled = moving.map((a, i) => moving.map((b, k) =>
    matrix[a][b] / (scales[i] * scales[k]) + (i === k ? damping : 0)));
  const factor = cholesky(scaled, 0);
  if (!factor.every((row) => row)) return null;
  return solveWith(factor, moving.map((a, i) => -gradient[a] / scales[i])).map((value, i) => value / scales[i]);
}

// Lower triangular factor; the row of an unknown that depends on those before it is null.
function cholesky(matrix, least) {
  const factor = [];
  matrix.forEach((row, i) => {
    const made = new Float64Array(matrix.length);
    for (let j = 0; j < i; j++) {
      if (!factor[j]) continue;
      let sum = row[j];
      for (let k = 0; k < j; k++) sum -= made[k] * factor[j][k];
      made[j] = sum / factor[j][j];
    }
    const pivot = row[i] - made.reduce((sum, value) => sum + value * value, 0);
    made[i] = Math.sqrt(pivot);
    factor.push(pivot > least ? made : null);
  });
  return factor;
}

function solveWith(factor, right) {
  const x = [...right];
  for (let i = 0; i < x.length; i++) {
    for (let k = 0; k < i; k++) x[i] -= factor[i][k] * x[k];
    x[i] /= factor[i][i];
  }
  for (let i = x.length - 1; i >= 0; i--) {
    for (let k = i + 1; k < x.length; k++) x[i] -= factor[k][i] * x[k];
    x[i] /= factor[i][i];
  }
  return x;
}

// Factor of the normal matrix with a unit diagonal, and an asked unknown that makes it singular, or null.
function factored({ matrix }, free, asked) {
  // those that are not asked come first, so that what depends on them is an asked one
  const order = free.map((_, a) => a).sort((a, b) => (free[a] < asked) - (free[b] < asked));
  const scales = order.map((a) => Math.sqrt(matrix[a][a]) || 1);
  const scaled = order.map((a, i) => order.map((b, k) => matrix[a][b] / (scales[i] * scales[k])));
  const factor = cholesky(scaled, SINGULAR);
  const last = order.findLast((a, i) => !factor[i] && free[a] < asked);
  return { factor, order, scales, singular: free[last] ?? null };
}

// The asked unknown that the residuals determine least, or null if they determine all.
function undetermined({ low, high, count }, { rms, normal, free }, asked) {
  const { factor, order, scales, singular } = factored(normal, free, asked);
  if (singular !== null || !factor.every((row) => row)) return singular;
  const noise = rms[1] * Math.sqrt(count / Math.max(count - free.length, 1));
  let [worst, most] = [null, 1];
  order.forEach((a, i) => {
    if (free[a] >= asked) return;
    const inverse = solveWith(factor, order.map((_, k) => Number(k === i)))[i];
    const error = (noise * Math.sqrt(inverse)) / scales[i];
    const part = (ERRORS * error) / (high[free[a]] - low[free[a]]);
    if (part > most) [worst, most] = [free[a], part];
  });
  return worst;
}

export { fitted };
