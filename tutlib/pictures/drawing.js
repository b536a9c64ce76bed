// What every moving picture of the course shares: the view, the mechanism, the theme.
import LOOK from "./look.json" with { type: "json" };

// Which way the arrow keys point, x to the right and y up.
export const arrows = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
};
export { LOOK };
export const { dashes } = LOOK;

// Colors are read once for each theme, and a canvas is made anew only where its size has changed:
// either would cost more than what is drawn.
const papers = new WeakMap();
let themes = 0;

function paperOf(canvas) {
  const known = papers.get(canvas);
  if (known?.themes === themes) return known;
  const style = getComputedStyle(canvas);
  const read = {};
  const color = (role) => (read[role] ??= style.getPropertyValue(`--${role}`).trim());
  const made = { themes, color, colors: color("colors").split(/\s+/), ink: color("ink") };
  papers.set(canvas, made);
  return made;
}

// Begin a new picture: fit the canvas to its place on the screen, know the theme's colors, each of
// look.json by `color(role)`.
export function newPicture(canvas) {
  const { width, height } = canvas.getBoundingClientRect();
  const ratio = window.devicePixelRatio || 1;
  const [across, down] = [width, height].map((size) => Math.round(size * ratio));
  const g = canvas.getContext("2d");
  if (canvas.width !== across || canvas.height !== down || !g.reset) {
    [canvas.width, canvas.height] = [across, down];
  } else g.reset();
  g.scale(ratio, ratio);
  const { color, colors, ink } = paperOf(canvas);
  return { g, width, height, color, colors, ink };
}

// World meters to pixels: the box [left, bottom, right, top] fits, x and y at the same scale.
export function viewOf([left, bottom, right, top], { width, height }) {
  const scale = Math.min(width / (right - left), height / (top - bottom));
  const [x0, y0] = [(width - scale * (right - left)) / 2, (height - scale * (top - bottom)) / 2];
  return {
    scale,
    map: ([x, y]) => [x0 + scale * (x - left), height - y0 - scale * (y - bottom)],
    unmap: ([px, py]) => [left + (px - x0) / scale, bottom + (height - y0 - py) / scale],
  };
}

// Lines, disks and pivots through `points`, the index-th mechanism of the picture.
export function drawMechanism({ g, colors, ink }, view, skeleton, points, index) {
  const at = points.map(view.map);
  g.strokeStyle = g.fillStyle = colors[index % colors.length];
  g.lineWidth = 4;
  g.setLineDash(dashes[index % dashes.length]);
  for (const line of skeleton.lines) {
    g.beginPath();
    line.forEach((k) => g.lineTo(...at[k]));
    g.stroke();
  }
  g.setLineDash([]);
  for (const k of skeleton.bodies) {
    g.beginPath();
    g.arc(...at[k], 10, 0, 2 * Math.PI);
    g.fill();
  }
  g.fillStyle = ink;
  for (const k of skeleton.pivots) g.fillRect(at[k][0] - 6, at[k][1] - 6, 12, 12);
}

// Thin lines that are no part of the mechanism, such as to where it should go.
export function drawGuides({ g, ink }, view, paths, points) {
  g.strokeStyle = ink;
  g.globalAlpha = 0.6;
  g.lineWidth = 1.5;
  g.setLineDash([3, 4]);
  for (const path of paths) {
    g.beginPath();
    path.forEach((k) => g.lineTo(...view.map(points[k])));
    g.stroke();
  }
  g.setLineDash([]);
  g.globalAlpha = 1;
}

// The path that a point has left behind.
export function drawTrace({ g, colors }, view, path, index) {
  g.strokeStyle = colors[index % colors.length];
  g.globalAlpha = 0.35;
  g.lineWidth = 2;
  g.setLineDash([]);
  g.beginPath();
  path.forEach((point) => g.lineTo(...view.map(point)));
  g.stroke();
  g.globalAlpha = 1;
}

export function drawScale({ g, height, ink }, view, box) {
  const length = 10 ** Math.floor(Math.log10((box[2] - box[0]) / 2));
  g.fillStyle = g.strokeStyle = ink;
  g.font = "14px system-ui, sans-serif";
  g.lineWidth = 2;
  g.setLineDash([]);
  g.beginPath();
  g.moveTo(12, height - 12);
  g.lineTo(12 + length * view.scale, height - 12);
  g.stroke();
  g.fillText(`${length} m`, 12, height - 20);
}

export function drawLegend({ g, colors, ink }, labels) {
  if (labels.length === 1 && !labels[0]) return;
  g.font = "14px system-ui, sans-serif";
  labels.forEach((label, i) => {
    g.strokeStyle = colors[i % colors.length];
    g.setLineDash(dashes[i % dashes.length]);
    g.lineWidth = 4;
    g.beginPath();
    g.moveTo(12, 18 + 22 * i);
    g.lineTo(48, 18 + 22 * i);
    g.stroke();
    g.fillStyle = ink;
    g.fillText(label, 56, 23 + 22 * i);
  });
  g.setLineDash([]);
}

// A number as one reads it, with a minus sign, never longer than needed.
export function shown(value, digits = 4) {
  if (!Number.isFinite(value)) return "not finite";
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-3 || size >= 1e6)
    ? value.toExponential(1)
    : String(Number(value.toPrecision(digits)));
  return text.replaceAll("-", "−");
}

// Lines through [x, y] pairs in a small picture of their own, its ranges fitted to them and told
// beside the names of the axes.
export function drawCurves(picture, curves, { x, y, zero = false }) {
  const { g, width, height, colors, ink } = picture;
  const all = curves.flat().filter((p) => p.every(Number.isFinite));
  if (all.length < 2) return;
  const range = (i, least) => {
    const values = all.map((p) => p[i]);
    let [low, high] = [Math.min(...values), Math.max(...values)];
    if (i === 1 && zero) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
    if (high - low < least) [low, high] = [(low + high - least) / 2, (low + high + least) / 2];
    return [low, high];
  };
  const [[x0, x1], [y0, y1]] = [range(0, 1e-9), range(1, 1e-15)];
  const map = ([a, b]) => [
    6 + ((a - x0) / (x1 - x0)) * (width - 12),
    height - 18 - ((b - y0) / (y1 - y0)) * (height - 36),
  ];
  g.lineWidth = 1;
  g.strokeStyle = ink;
  g.globalAlpha = 0.4;
  g.beginPath();
  if (zero) [[x0, 0], [x1, 0]].forEach((p) => g.lineTo(...map(p)));
  g.stroke();
  g.globalAlpha = 1;
  g.lineWidth = 2;
  curves.forEach((curve, i) => {
    g.strokeStyle = colors[i % colors.length];
    g.setLineDash(dashes[i % dashes.length]);
    g.beginPath();
    curve.forEach((p) => g.lineTo(...map(p)));
    g.stroke();
  });
  g.setLineDash([]);
  g.fillStyle = ink;
  g.font = "12px system-ui, sans-serif";
  g.fillText(`${y}: ${shown(y0, 2)} … ${shown(y1, 2)}`, 6, 13);
  g.textAlign = "right";
  g.fillText(`${x}: ${shown(x0, 3)} … ${shown(x1, 3)}`, width - 6, height - 4);
  const end = curves[0].at(-1);
  if (end && !zero) {
    g.fillStyle = colors[0];
    g.beginPath();
    g.arc(...map(end), 4, 0, 2 * Math.PI);
    g.fill();
  }
}

// Dark or light: as the page around says (the book answers the question), else as JupyterLab or
// the system does. Returns a function that stops following.
export function followTheme(root, redraw) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const surroundings = () => {
    const lab = document.body.dataset.jpThemeLight;
    return lab ? (lab === "true" ? "light" : "dark") : dark.matches ? "dark" : "light";
  };
  const set = (theme) => {
    root.dataset.theme = theme;
    themes += 1;
    redraw();
  };
  const system = () => set(surroundings());
  const hear = ({ data }) => ["dark", "light"].includes(data?.theme) && set(data.theme);
  const lab = new MutationObserver(system);
  lab.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  dark.addEventListener("change", system);
  addEventListener("message", hear);
  system();
  if (parent !== window) parent.postMessage("which theme?", "*");
  return () => {
    lab.disconnect();
    dark.removeEventListener("change", system);
    removeEventListener("message", hear);
  };
}

// Tell the page around how tall the content is, so that the frame has room for it.
export function reportHeight(root) {
  if (parent === window) return;
  const tell = () => parent.postMessage({ height: Math.ceil(root.scrollHeight) }, "*");
  new ResizeObserver(tell).observe(root);
}

// Run `play(on)` only where it is seen and wanted: by the reader who has pressed a button, else by
// the system's setting; never by itself unless `atOnce`. Returns {want, stop}.
export function playWhenSeen(element, play, { atOnce = true } = {}) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let [wanted, chosen, seen] = [atOnce && !calm.matches, false, false];
  const follow = () => {
    if (chosen) return;
    wanted = atOnce && !calm.matches;
    play(wanted && seen);
  };
  calm.addEventListener("change", follow);
  const observer = new IntersectionObserver((entries) => {
    seen = entries.at(-1).isIntersecting; // several changes may come at once
    play(wanted && seen);
  });
  observer.observe(element);
  return {
    want: (on) => {
      [wanted, chosen] = [on, true];
      play(on);
    },
    stop: () => {
      observer.disconnect();
      calm.removeEventListener("change", follow);
      play(false);
    },
  };
}
