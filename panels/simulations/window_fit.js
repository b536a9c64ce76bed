// Fit of a window of a measured motion as a least-squares problem, see least_squares.js: the unknowns are
// the parameters with sliders, and the state at the beginning of the window, which has no limits.

export function problemOf(motion, sliders, parameters, span) {
  const p = [...parameters];
  const state = motion.measuredState(span[0]);
  const edges = (end) => sliders.map((item) => item[end] / item.scale);
  const [low, high] = ["low", "high"].map(edges);
  return {
    count: (span[1] - span[0] + 1) * motion.n,
    start: [...sliders.map(({ index }) => p[index]), ...state],
    low: [...low, ...state.map(() => -Infinity)],
    high: [...high, ...state.map(() => Infinity)],
    sizes: [...low.map((value, i) => high[i] - value), ...state.map((value, i) => (i < motion.n ? 1 : Math.max(Math.abs(value), 1)))],
    residuals(theta, out) {
      sliders.forEach(({ index }, i) => (p[index] = theta[i]));
      motion.run(p, theta.slice(sliders.length), span);
      return motion.residuals(span, out);
    },
  };
}
