// Interpolation of a computed motion: the position of each point at any time.

// `positions` holds all frames of one coordinate after the other (see packing.js), with `axes`
// coordinates per point. Between two frames a point moves along a Catmull-Rom cubic, so that a rotating
// bar keeps its length.
export class Film {
  constructor(positions, { frames, duration }, axes) {
    Object.assign(this, { positions, frames, duration, axes });
    this.count = positions.length / frames / axes;
  }

  coordinate(number, frame, part) {
    const [first, last] = [number * this.frames, this.frames - 1];
    const at = (k) => this.positions[first + k];
    // Before the first frame and after the last, the polynomial through the nearest frames.
    const weights = { 1: [2, -1], 2: [3, -3, 1] }[last] ?? [4, -6, 4, -1];
    const beyond = (end, inward) =>
      weights.reduce((sum, weight, k) => sum + weight * at(end + k * inward), 0);
    const [a, b] = [at(frame), at(frame + 1)];
    const before = frame > 0 ? at(frame - 1) : beyond(0, 1);
    const after = frame + 1 < last ? at(frame + 2) : beyond(last, -1);
    const [slope, other] = [(b - before) / 2, (after - a) / 2];
    return a + part * (slope + part * (3 * (b - a) - 2 * slope - other
      + part * (2 * (a - b) + slope + other)));
  }

  // The position of a point at a time [s]: [x, y], or [x, y, z].
  pointAt(point, time) {
    const position = (time / this.duration) * (this.frames - 1);
    const frame = Math.max(0, Math.min(Math.floor(position), this.frames - 2));
    return Array.from({ length: this.axes }, (_, axis) =>
      this.coordinate(this.axes * point + axis, frame, position - frame));
  }

  pointsAt(time) {
    return Array.from({ length: this.count }, (_, point) => this.pointAt(point, time));
  }

  // The path of a point between two times, with a given time step.
  path(point, from, to, step) {
    const steps = Math.max(1, Math.ceil((to - from) / step));
    return Array.from({ length: steps + 1 }, (_, i) =>
      this.pointAt(point, from + (i / steps) * (to - from)));
  }
}
