// Window on the time axis of a recording: it is dragged whole or by its edges, or moved with the arrow
// keys.
import { newPicture } from "../drawing/drawing.js";

// Shortest window, and the grid of its edges [s]; margins and the height of the numbers [px].
const [SHORTEST, GRID] = [0.2, 0.01];
const [LEFT, RIGHT, AXIS] = [16, 16, 18];
const rounded = (time) => Math.round(time / GRID) * GRID;

// Part of a window from `left` to `right` [px] that a pointer at `x` takes hold of. A finger reaches
// farther than a mouse; the inner half of a window always moves it whole.
export function partAt(x, [left, right], reach) {
  const inner = Math.min(reach / 2, (right - left) / 4);
  if (x > left - reach && x < left + inner) return "begin";
  if (x > right - inner && x < right + reach) return "end";
  return "whole";
}

// Window of which a part has been moved by a time, inside of [low, high].
export function moved([begin, end], part, by, [low, high]) {
  const within = (value, least, most) => Number(rounded(Math.min(Math.max(value, least), most)).toFixed(2));
  if (part === "begin") return [within(begin + by, low, end - SHORTEST), end];
  if (part === "end") return [begin, within(end + by, begin + SHORTEST, high)];
  const length = Math.min(end - begin, high - low);
  const first = within(begin + by, low, high - length);
  return [first, Number((first + length).toFixed(6))];
}

// Move the window by pointer and keys. `times` are the ends of the recording, `window()` returns the
// window, and `change(window)` sets it.
export function dragWindow(canvas, times, window, change) {
  let held = null;
  const [low, high] = times;
  const width = () => canvas.getBoundingClientRect().width - LEFT - RIGHT;
  const pixel = ({ clientX }) => clientX - canvas.getBoundingClientRect().left;
  const across = (time) => LEFT + ((time - low) / (high - low)) * width();
  const partOf = (event) =>
    partAt(pixel(event), window().map(across), event.pointerType === "mouse" ? 10 : 26);

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    const [part, x] = [partOf(event), pixel(event)];
    try {
      canvas.setPointerCapture(event.pointerId);
    } catch { /* a pointer that is gone already */ }
    const [left, right] = window().map(across);
    held = { part, x, from: [...window()] };
    if (part !== "whole" || (x >= left && x <= right)) return;
    held.from = moved(held.from, "whole", ((x - (left + right) / 2) / width()) * (high - low), times);
    change(held.from);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) {
      canvas.style.cursor = partOf(event) === "whole" ? "grab" : "ew-resize";
      return;
    }
    change(moved(held.from, held.part, ((pixel(event) - held.x) / width()) * (high - low), times));
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => (held = null));
  canvas.addEventListener("keydown", (event) => {
    const [begin, end] = window();
    const step = event.shiftKey ? 1 : 0.1;
    const move = {
      ArrowLeft: ["whole", -step], ArrowRight: ["whole", step],
      ArrowUp: ["end", step], ArrowDown: ["end", -step],
      PageUp: ["whole", end - begin], PageDown: ["whole", begin - end],
      Home: ["whole", low - begin], End: ["whole", high - end],
    }[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    change(moved([begin, end], ...move, times));
    event.preventDefault();
    event.stopPropagation();
  });
}

// Times that are marked on an axis: multiples of 1, 2, or 5 times a power of ten.
export function ticks(low, high, most) {
  const least = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) * power;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return Array.from({ length: count }, (_, i) =>
    [(first + i) * step, ((first + i) * step).toFixed(digits)]);
}

// Draw the whole recording, the window, and a cursor at the present time.
export function drawOverview(canvas, { t, q, n, rows }, window, time) {
  const { g, width: all, height: whole, ink, color } = newPicture(canvas);
  if (!all) return;
  const [width, height] = [all - LEFT - RIGHT, whole - AXIS];
  const [low, high] = [t[0], t[rows - 1]];
  const across = (at) => LEFT + ((at - low) / (high - low)) * width;
  Object.assign(g, { strokeStyle: ink, fillStyle: ink, lineWidth: 1, lineJoin: "round", globalAlpha: 0.75 });
  for (let joint = 0; joint < n; joint++) {
    let [least, most] = [Infinity, -Infinity];
    for (let row = 0; row < rows; row++) {
      least = Math.min(least, q[n * row + joint]);
      most = Math.max(most, q[n * row + joint]);
    }
    const [top, room] = [(height * joint) / n + 4, height / n - 8];
    g.beginPath();
    for (let row = 0; row < rows; row++) {
      g.lineTo(across(t[row]), top + room * (1 - (q[n * row + joint] - least) / (most - least || 1)));
    }
    g.stroke();
  }
  const [left, right] = window.map(across);
  Object.assign(g, { fillStyle: color("paper"), globalAlpha: 0.72 });
  g.fillRect(0, 0, left, height);
  g.fillRect(right, 0, all - right, height);
  g.globalAlpha = 1;
  g.strokeStyle = color("focus");
  g.lineWidth = 2;
  g.strokeRect(left, 1, right - left, height - 2);
  drawCursor(g, across(time), 0, height, color);
  for (const edge of [left, right]) drawGrip(g, edge, height / 2, color);
  drawTimes(g, ticks(low, high, width / 50), across, height, { ink, width: all });
}

function drawGrip(g, x, y, color) {
  Object.assign(g, { fillStyle: color("focus"), strokeStyle: color("paper"), lineWidth: 1.5 });
  g.beginPath();
  g.roundRect(x - 6, y - 14, 12, 28, 4);
  g.fill();
  g.beginPath();
  for (const by of [-2, 2]) {
    g.moveTo(x + by, y - 6);
    g.lineTo(x + by, y + 6);
  }
  g.stroke();
}

export function drawCursor(g, x, top, bottom, color) {
  Object.assign(g, { strokeStyle: color("series-3"), lineWidth: 1.5, globalAlpha: 1 });
  g.beginPath();
  g.moveTo(x, top);
  g.lineTo(x, bottom);
  g.stroke();
}

// Numbers of a time axis, the last one with the unit.
export function drawTimes(g, marks, across, height, { ink, width }) {
  Object.assign(g, { fillStyle: ink, globalAlpha: 1, font: "12px system-ui, sans-serif", textBaseline: "top" });
  marks.forEach(([time, text], i) => {
    const said = i === marks.length - 1 ? `${text} s` : text;
    const half = g.measureText(said).width / 2;
    g.textAlign = "center";
    g.fillText(said, Math.min(Math.max(across(time), half), width - half), height + 4);
  });
}
