// Measured motion and the motion that the program of measured_motion.py computes at the same times.
import { positionsOf } from "../drawing/packing.js";

// Samples of a recording: times `t`, angles `q`, their derivatives `u`, and torques, if there are any;
// all angles of a sample follow each other.
export async function samplesOf({ recording: { rows, start, ...packed } }) {
  const columns = {};
  for (const [name, column] of Object.entries(packed)) {
    columns[name] = inRows(await positionsOf(column, rows), rows);
  }
  let time = start;
  return { ...columns, t: columns.t.map((between) => (time += between)) };
}

// Columns that follow each other, as rows that do.
function inRows(columns, rows) {
  const count = columns.length / rows;
  return Float64Array.from(columns, (_, i) => columns[(i % count) * rows + Math.floor(i / count)]);
}

export class MeasuredMotion {
  constructor({ routines, arrays }, { t, q, u, torque }) {
    Object.assign(this, { routines, arrays, t, q, u, rows: t.length, n: q.length / t.length });
    this.states = 2 * this.n;
    arrays.T.set(t);
    if (torque) arrays.R.set(torque);
  }

  // Row of the first sample that is not before a time.
  rowAt(time) {
    let [low, high] = [0, this.rows - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.t[middle] < time - 1e-6) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // First and last row in a window of time.
  rowsIn([begin, end]) {
    const first = Math.min(this.rowAt(begin), this.rows - 2);
    const last = this.rowAt(end);
    return [first, Math.max(this.t[last] > end + 1e-6 ? last - 1 : last, first + 1)];
  }

  measuredState(row) {
    const { n } = this;
    return [...this.q.subarray(n * row, n * row + n), ...this.u.subarray(n * row, n * row + n)];
  }

  // Compute the motion of a window from a state, for given parameters.
  run(p, x, [first, last]) {
    const { arrays, routines, states } = this;
    arrays.p.set(p);
    routines.prepare();
    arrays.X.set(x, states * first);
    routines.run(first, last);
  }

  angle(row, joint) {
    return this.arrays.X[this.states * row + joint];
  }

  // Computed minus measured angles [rad] of the motion that was computed last, written into a list.
  residuals([first, last], out = new Float64Array((last - first + 1) * this.n)) {
    const { arrays: { X }, q, n, states } = this;
    let i = 0;
    for (let row = first; row <= last; row++) {
      for (let joint = 0; joint < n; joint++) out[i++] = X[states * row + joint] - q[n * row + joint];
    }
    return out;
  }

  // Points of the drawing [[x, y], ...] for a state.
  points(x) {
    const { arrays, routines } = this;
    arrays.at.set(x);
    routines.outputs();
    return Array.from({ length: arrays.out.length / 2 }, (_, i) => [...arrays.out.subarray(2 * i, 2 * i + 2)]);
  }

  // Measured and computed angles at a time, linear between samples.
  anglesAt(time, [first, last]) {
    const row = Math.min(Math.max(this.rowAt(time) - 1, first), last - 1);
    const part = Math.min(Math.max((time - this.t[row]) / (this.t[row + 1] - this.t[row]), 0), 1);
    const between = (list, width) => Array.from({ length: this.n }, (_, joint) =>
      (1 - part) * list[width * row + joint] + part * list[width * (row + 1) + joint]);
    return { measured: between(this.q, this.n), computed: between(this.arrays.X, this.states) };
  }
}

// Root mean square of a list.
export const rms = (list) => Math.sqrt(list.reduce((sum, value) => sum + value * value, 0) / list.length);
