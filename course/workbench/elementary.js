// Sine and cosine by the operations of straightline/angles.py, so that a motion in the page has the
// bits of the same motion in Python.

const NEAR = 4e5; // largest angle that the three constants reduce accurately [rad]
const TURNS = 0.6366197723675814; // 2/π
const PARTS = [1.5707963267923333, 2.5633441515839558e-12, 1.0562999066987428e-23]; // π/2

// The nearest integer; ties go to the even one, as in WebAssembly and Python.
function nearest(x) {
  const shift = x < 0 ? -6755399441055744 : 6755399441055744; // 1.5 · 2⁵²
  return (x + shift) - shift;
}

// Sine or cosine: `quarter` is 0 or 1.
function wave(angle, quarter) {
  if (!(Math.abs(angle) < NEAR)) return quarter ? Math.cos(angle) : Math.sin(angle);
  const k = nearest(angle * TURNS);
  const r = ((angle - k * PARTS[0]) - k * PARTS[1]) - k * PARTS[2];
  const z = r * r, z2 = z * z, z4 = z2 * z2;
  const turns = k + quarter;
  const sign = Math.floor(0.5 * turns) % 2 === 0 ? 1 : -1;
  if (turns % 2 === 0) {
    return sign * (r + r * z * ((-1.66666666666666324348e-01 + 8.33333333332248946124e-03 * z)
      + z2 * (-1.98412698298579493134e-04 + 2.75573137070700676789e-06 * z)
      + z4 * (-2.50507602534068634195e-08 + 1.58969099521155010221e-10 * z)));
  }
  const half = 0.5 * z, leading = 1 - half, error = (1 - leading) - half;
  return sign * (leading + (error
    + z2 * ((4.16666666666666019037e-02 - 1.38888888888741095749e-03 * z)
      + z2 * (2.48015872894767294178e-05 - 2.75573143513906633035e-07 * z)
      + z4 * (2.08757232129817482790e-09 - 1.13596475577881948265e-11 * z))));
}

export const sine = (angle) => wave(angle, 0);
export const cosine = (angle) => wave(angle, 1);
