// Drawing primitives of all moving pictures: the view, mechanisms, labels, the theme.
import LOOK from "../../tutlib/plots/look.json" with { type: "json" };

// The directions of the arrow keys, x to the right and y up.
export const arrows = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
};
export { LOOK };
export const dashes = LOOK.dashes;

// The colors of each canvas, read once for each theme. Reading them in every frame, or resizing the
// canvas, would cost more time than drawing.
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

// Begin a new picture: fit the canvas to its size on the screen, and return the theme's colors; those
// of look.json by `color(role)`.
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

// Map meters to pixels so that the box [left, bottom, right, top] fits, with equal scales of x and y.
export function viewOf([left, bottom, right, top], { width, height }) {
  const scale = Math.min(width / (right - left), height / (top - bottom));
  const [x0, y0] = [(width - scale * (right - left)) / 2, (height - scale * (top - bottom)) / 2];
  return {
    scale,
    map: ([x, y]) => [x0 + scale * (x - left), height - y0 - scale * (y - bottom)],
    unmap: ([px, py]) => [left + (px - x0) / scale, bottom + (height - y0 - py) / scale],
  };
}

// Draw a mechanism's links, wheels, joints, and masses at `points`, the index-th of the picture.
// `skeleton` comes from skeleton_data in panels/drawing/frames.py; a ghost is drawn pale.
export function drawMechanism(picture, view, skeleton, points, index) {
  const pen = penOf(picture, index, skeleton.ghost);
  const { bodies, pivots, thin = [], faint = [], joints = [], wheels = [], radii = [] } = skeleton;
  const at = points.map(view.map);
  const links = skeleton.lines.filter((_, i) => !thin.includes(i))
    .flatMap((line) => line.slice(1).map((k, i) => [at[line[i]], at[k]]));
  pen.size = sizeOfLinks(links) / LOOK.widths.link;
  for (const k of pivots) drawSupport(pen, at[k], skeleton.ceiling);
  for (const [center, rim] of wheels) drawWheel(pen, at[center], at[rim]);
  const gray = { ...pen, color: pen.ground, thin: LOOK.widths.dimension, dash: [] };
  for (const i of thin) {
    drawThinLine(faint.includes(i) ? gray : pen, skeleton.lines[i].map((k) => at[k]));
  }
  for (const [from, to] of links) drawLink(pen, from, to);
  const { pin, point, mass } = LOOK.radii;
  for (const k of [...pivots, ...joints]) drawDisk(pen, at[k], pin * pen.size, pen.paper, pen.ink);
  bodies.forEach((k, i) => {
    const radius = radii[i] === undefined ? mass : radii[i];
    if (radius !== null) drawMass(pen, at[k], radius);
    else if (!joints.includes(k)) drawDisk(pen, at[k], point * pen.size, pen.color, pen.color);
  });
}

function penOf({ g, color = () => "white", colors, ink }, index, ghost = false) {
  const paper = color("paper");
  const mix = (one, part) => `color-mix(in srgb, ${one} ${Math.round(100 * part)}%, ${paper})`;
  const seen = (one) => (ghost ? mix(one, LOOK.tints.ghost) : one);
  const hue = colors[index % colors.length];
  const tinted = (part) => mix(hue, ghost ? part * LOOK.tints.ghost : part);
  const { edge, thin } = LOOK.widths;
  return {
    g, paper, tinted, edge, thin, color: seen(hue), ink: seen(ink), ground: seen(color("ground")),
    dash: dashes[index % dashes.length],
  };
}

// The width of links: that of look.json, but less if the shortest link is short.
function sizeOfLinks(links) {
  const shortest = Math.min(...links.map(([[x0, y0], [x1, y1]]) => Math.hypot(x1 - x0, y1 - y0)));
  return Math.min(LOOK.widths.link, Math.max(LOOK.widths.least, 0.3 * shortest));
}

// Draw a bar with round ends, its outline in the dashes of its mechanism.
function drawLink({ g, color, tinted, edge, dash, size }, [x0, y0], [x1, y1]) {
  const radius = (LOOK.widths.link * size - edge) / 2;
  const way = Math.atan2(y1 - y0, x1 - x0);
  g.beginPath();
  g.arc(x0, y0, radius, way + Math.PI / 2, way + 1.5 * Math.PI);
  g.arc(x1, y1, radius, way - Math.PI / 2, way + Math.PI / 2);
  g.closePath();
  Object.assign(g, { fillStyle: tinted(LOOK.tints.link), strokeStyle: color, lineWidth: edge });
  g.setLineDash(dash);
  g.fill();
  g.stroke();
  g.setLineDash([]);
}

function drawThinLine({ g, color, thin, dash }, path) {
  Object.assign(g, { strokeStyle: color, lineWidth: thin });
  g.setLineDash(dash);
  g.beginPath();
  path.forEach((point) => g.lineTo(...point));
  g.stroke();
  g.setLineDash([]);
}

function drawDisk({ g, edge }, [x, y], radius, fillStyle, strokeStyle) {
  Object.assign(g, { fillStyle, strokeStyle, lineWidth: edge });
  g.beginPath();
  g.arc(x, y, radius, 0, 2 * Math.PI);
  g.fill();
  g.stroke();
}

// Draw a ball with a highlight.
function drawMass(pen, [x, y], radius) {
  const { g, color, tinted, edge } = pen;
  drawDisk(pen, [x, y], radius - edge / 2, tinted(LOOK.tints.mass), color);
  Object.assign(g, { fillStyle: "white", globalAlpha: LOOK.tints.light });
  g.beginPath();
  g.arc(x - 0.3 * radius, y - 0.3 * radius, 0.3 * radius, 0, 2 * Math.PI);
  g.fill();
  g.globalAlpha = 1;
}

// Draw the bracket of a pivot, and the ground below it or the ceiling above it.
function drawSupport({ g, ground, paper, edge, size }, [x, y], ceiling) {
  g.save();
  g.translate(x, y);
  g.scale(size, ceiling ? -size : size);
  Object.assign(g, { strokeStyle: ground, fillStyle: paper, lineWidth: edge, lineJoin: "round" });
  g.fill(glyphOf("ground"));
  g.stroke(glyphOf("ground"));
  g.stroke(glyphOf("hatching"));
  g.restore();
}

function drawWheel(pen, [x, y], [rimX, rimY]) {
  const { g, color, tinted, thin } = pen;
  const [radius, turn] = [Math.hypot(rimX - x, rimY - y), Math.atan2(rimY - y, rimX - x)];
  drawDisk(pen, [x, y], radius, tinted(LOOK.tints.wheel), color);
  Object.assign(g, { strokeStyle: color, lineWidth: thin });
  g.beginPath();
  for (let i = 0; i < 6; i++) {
    const way = turn + (i * Math.PI) / 3;
    g.moveTo(x, y);
    g.lineTo(x + radius * Math.cos(way), y + radius * Math.sin(way));
  }
  g.stroke();
}

const glyphs = {};
function glyphOf(name) {
  return (glyphs[name] ??= new Path2D(LOOK.glyphs[name]));
}

// Draw thin lines that do not belong to the mechanism, such as lines to its goal.
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

// Draw the recent path of a point, oldest part first; it fades toward that end.
export function drawTrace({ g, colors }, view, path, index) {
  const at = path.map(view.map);
  const pieces = Math.min(24, at.length - 1);
  const cut = (i) => Math.round((i * (at.length - 1)) / pieces);
  g.strokeStyle = colors[index % colors.length];
  g.lineJoin = "round";
  g.setLineDash([]);
  for (let i = 0; i < pieces; i++) {
    const part = (i + 1) / pieces;
    g.globalAlpha = LOOK.tints.trace * part;
    g.lineWidth = LOOK.widths.trace * (0.4 + 0.6 * part);
    g.beginPath();
    at.slice(cut(i), cut(i + 1) + 1).forEach((point) => g.lineTo(...point));
    g.stroke();
  }
  g.globalAlpha = 1;
}

// Length of a scale [m]: the power of ten that is at most half the larger side of the box.
export const scaleOf = ([left, bottom, right, top]) =>
  10 ** Math.floor(Math.log10(Math.max(right - left, top - bottom) / 2));

export function drawScale({ g, height, ink }, view, box) {
  const length = scaleOf(box);
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
    g.lineWidth = LOOK.widths.legend;
    g.beginPath();
    g.moveTo(12, 18 + 22 * i);
    g.lineTo(48, 18 + 22 * i);
    g.stroke();
    g.fillStyle = ink;
    g.fillText(label, 56, 23 + 22 * i);
  });
  g.setLineDash([]);
}

// A number as text, with a true minus sign, and no more digits than needed.
export function shown(value, digits = 4) {
  if (!Number.isFinite(value)) return "not finite";
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-3 || size >= 1e6)
    ? value.toExponential(1)
    : String(Number(value.toPrecision(digits)));
  return text.replaceAll("-", "−");
}

// Draw lines through [x, y] pairs in a small picture of their own; it shows the ranges, fitted to the
// lines, beside the names of the axes.
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

// Read the colors again after the theme has changed.
export function forgetColors() {
  themes += 1;
}

// Follow the dark or light theme: that of the surrounding page (the book answers the question), else of
// JupyterLab or the system. Returns a function that stops following.
export function followTheme(root, redraw) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const surroundings = () => {
    const lab = document.body.dataset.jpThemeLight;
    return lab ? (lab === "true" ? "light" : "dark") : dark.matches ? "dark" : "light";
  };
  const set = (theme) => {
    root.dataset.theme = theme;
    forgetColors();
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

// Forward Ctrl+K from a frame to the book's search. Only the book sends a theme to a frame; elsewhere
// the key keeps its usual meaning.
export function handOnSearch() {
  const tell = (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    parent.postMessage("search", "*");
  };
  addEventListener("message", ({ data }) => data?.theme && addEventListener("keydown", tell));
}

// Report the height of the content to the surrounding page, so that the frame fits it.
export function reportHeight(root) {
  if (parent === window) return;
  const tell = () => parent.postMessage({ height: Math.ceil(root.getBoundingClientRect().height) }, "*");
  new ResizeObserver(tell).observe(root);
}

// Call `play(on)` when the element is visible and motion is wanted: by the reader who has pressed a
// button, else by the system's setting; never automatically unless `atOnce`. Returns {want, stop}.
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
