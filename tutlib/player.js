// Plays computed motions: positions of points, sampled at equal times, drawn as a mechanism.
//
// `data` is what tutlib/animation.py writes: {duration, frames, box, lines, bodies, pivots,
// motions: [{label, positions}]}, with positions as base64 of Float32 [frame][point][x, y] in
// meters, y up. Nothing here integrates: it interpolates, draws, and keeps true time.
const data = JSON.parse(document.getElementById("data").textContent);
const canvas = document.querySelector("canvas");
const button = document.querySelector("button");
const slider = document.querySelector("input");
const speed = document.querySelector("select");
const readout = document.querySelector("output");
const dashes = [[], [9, 5], [9, 4, 2, 4], [2, 5], [12, 4, 2, 4, 2, 4]];
const decode = (text) =>
  new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
const motions = data.motions.map((m) => ({ label: m.label, positions: decode(m.positions) }));
const points = motions[0].positions.length / data.frames / 2;
let time = 0;
let playing = false;
let last = null;

// The points of one motion at a time, between the two nearest frames.
function pointsAt(motion, t) {
  const position = (t / data.duration) * (data.frames - 1);
  const frame = Math.min(Math.floor(position), data.frames - 2);
  const part = position - frame;
  const at = (k) => motion.positions[frame * points * 2 + k];
  const next = (k) => motion.positions[(frame + 1) * points * 2 + k];
  const value = (k) => at(k) + part * (next(k) - at(k));
  return Array.from({ length: points }, (_, i) => [value(2 * i), value(2 * i + 1)]);
}

// World meters to canvas pixels: the box fits, x and y at the same scale.
function viewOf(width, height) {
  const [left, bottom, right, top] = data.box;
  const scale = Math.min(width / (right - left), height / (top - bottom));
  const offset = [(width - scale * (right - left)) / 2, (height - scale * (top - bottom)) / 2];
  const map = ([x, y]) => [offset[0] + scale * (x - left), height - offset[1] - scale * (y - bottom)];
  return { scale, map };
}

function drawMechanism(g, view, motion, index, colors, ink) {
  const at = pointsAt(motion, time).map(view.map);
  g.strokeStyle = g.fillStyle = colors[index % colors.length];
  g.lineWidth = 4;
  g.setLineDash(dashes[index % dashes.length]);
  for (const line of data.lines) {
    g.beginPath();
    line.forEach((k) => g.lineTo(...at[k]));
    g.stroke();
  }
  g.setLineDash([]);
  for (const k of data.bodies) {
    g.beginPath();
    g.arc(...at[k], 10, 0, 2 * Math.PI);
    g.fill();
  }
  g.fillStyle = ink;
  for (const k of data.pivots) {
    const [x, y] = at[k];
    g.fillRect(x - 6, y - 6, 12, 12);
  }
}

function drawTrace(g, view, motion, color) {
  const body = data.bodies.at(-1);
  if (body === undefined || time === 0) return;
  g.strokeStyle = color;
  g.globalAlpha = 0.35;
  g.lineWidth = 2;
  g.beginPath();
  for (let t = Math.max(0, time - 1.5); t < time; t += 1 / 60) {
    g.lineTo(...view.map(pointsAt(motion, t)[body]));
  }
  g.stroke();
  g.globalAlpha = 1;
}

function drawScaleAndLabels(g, view, width, height, colors, ink) {
  const length = 10 ** Math.floor(Math.log10((data.box[2] - data.box[0]) / 2));
  g.fillStyle = g.strokeStyle = ink;
  g.font = "14px system-ui, sans-serif";
  g.lineWidth = 2;
  g.beginPath();
  g.moveTo(12, height - 12);
  g.lineTo(12 + length * view.scale, height - 12);
  g.stroke();
  g.fillText(`${length} m`, 12, height - 20);
  if (motions.length > 1 || motions[0].label) {
    motions.forEach((motion, i) => {
      g.strokeStyle = g.fillStyle = colors[i % colors.length];
      g.setLineDash(dashes[i % dashes.length]);
      g.lineWidth = 4;
      g.beginPath();
      g.moveTo(12, 18 + 22 * i);
      g.lineTo(48, 18 + 22 * i);
      g.stroke();
      g.setLineDash([]);
      g.fillStyle = ink;
      g.fillText(motion.label, 56, 23 + 22 * i);
    });
  }
}

function draw() {
  const { width, height } = canvas.getBoundingClientRect();
  const ratio = window.devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const g = canvas.getContext("2d");
  g.scale(ratio, ratio);
  const style = getComputedStyle(document.documentElement);
  const colors = style.getPropertyValue("--colors").split(" ").filter(Boolean);
  const ink = style.getPropertyValue("--ink");
  const view = viewOf(width, height);
  motions.forEach((m, i) => drawTrace(g, view, m, colors[i % colors.length]));
  motions.forEach((m, i) => drawMechanism(g, view, m, i, colors, ink));
  drawScaleAndLabels(g, view, width, height, colors, ink);
  const shown = `${time.toFixed(2)} s`;
  readout.textContent = `t = ${shown} of ${data.duration.toFixed(0)} s`;
  slider.value = time;
  slider.setAttribute("aria-valuetext", shown);
}

function tick(now) {
  if (!playing) return;
  if (last !== null) time += Math.min((now - last) / 1000, 0.1) * Number(speed.value);
  last = now;
  if (time >= data.duration) time = 0;
  draw();
  requestAnimationFrame(tick);
}

function play(on) {
  if (on === playing) return;
  playing = on;
  last = null;
  button.textContent = on ? "Pause" : "Play";
  if (on) requestAnimationFrame(tick);
}

let wanted = !matchMedia("(prefers-reduced-motion: reduce)").matches;
button.addEventListener("click", () => play((wanted = !playing)));
slider.addEventListener("input", () => {
  play((wanted = false));
  time = Number(slider.value);
  draw();
});
slider.max = data.duration;

// Dark or light: as the page around says (the book answers the question), else as the system does.
const dark = matchMedia("(prefers-color-scheme: dark)");
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  draw();
}
setTheme(dark.matches ? "dark" : "light");
dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));
addEventListener("message", ({ data: message }) => {
  if (["dark", "light"].includes(message?.theme)) setTheme(message.theme);
});
parent.postMessage("which theme?", "*");

new ResizeObserver(draw).observe(canvas);
new IntersectionObserver(([entry]) => play(wanted && entry.isIntersecting)).observe(canvas);
