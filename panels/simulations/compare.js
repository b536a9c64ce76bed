// Measured and computed motion on one clock, with a time window to drag, and a fit of the parameters.
//
// mount(root, spec, machines, samples, bridge) builds it inside an element. `spec` is what
// panels/simulations/compare.py writes, `machines` run its program (see machine.js), `samples` come from
// measured_motion.js, and `bridge` is the widget's model in a notebook with a kernel, or null. The
// window is the setting's x0: its beginning and end [s].
import { COMPUTED, drawAngles, drawResiduals } from "./comparison_charts.js";
import { connect } from "./connections.js";
import { button, element, slider, titled, toggle } from "./elements.js";
import { fitted } from "./least_squares.js";
import { MeasuredMotion, rms } from "./measured_motion.js";
import { measured } from "./numbers.js";
import { CONTROLS } from "./panel.js";
import { Setting } from "./setting.js";
import { dragWindow, drawOverview, moved } from "./time_window.js";
import { problemOf } from "./window_fit.js";
import {
  drawMechanism, followTheme, handOnSearch, newPicture, playWhenSeen, reportHeight, shown, viewOf,
} from "../drawing/drawing.js";

// Time per picture for a fit [ms], and width [px] from which two columns fit.
const [PATIENCE, WIDE] = [12, 640];
const inMrad = (value) => (Number.isFinite(value) ? `${shown(1e3 * value, 3)} mrad` : "not finite");
const listed = (words) => (words.length < 2 ? words.join("")
  : `${words.slice(0, -1).join(", ")}${words.length > 2 ? "," : ""} and ${words.at(-1)}`);

const around = ([left, bottom, right, top], points) => {
  const [x, y] = [0, 1].map((axis) => points.map((point) => point[axis]));
  return [Math.min(left, ...x), Math.min(bottom, ...y), Math.max(right, ...x), Math.max(top, ...y)];
};

export function mount(root, spec, [machine], samples, bridge = null) {
  const { sliders, angles } = spec;
  const motion = new MeasuredMotion(machine, samples);
  const times = [motion.t[0], motion.t[motion.rows - 1]];
  const setting = new Setting(spec);
  let [span, start, time] = [null, null, spec.x0[0]]; // rows of the window, initial state, clock
  let [playing, last, drawn] = [false, null, false];
  let { box } = spec; // the visible part of the plane, which grows if the computed motion leaves it

  // ---- the panel

  const picture = element("canvas", { class: "mechanism", role: "img", "aria-label": spec.description });
  const legend = element("div", { class: "caption" }, mark("measured"), mark("computed"));
  const playText = element("span", {}, CONTROLS.play.label);
  const press = (name, onclick) => button(CONTROLS[name].label, { onclick, keys: CONTROLS[name].key });
  const transport = element("div", { class: "controls transport" },
    button(playText, { onclick: () => clock.want(!playing), keys: CONTROLS.play.key, key: "", kind: "primary" }),
    press("step", step), press("reset", restart));
  const clockText = element("output", { class: "clock", "aria-live": "off" });
  const overview = element("canvas", { class: "overview", tabindex: "0", role: "application" });
  const angleChart = element("canvas", { class: "angles", role: "img" });
  const residualChart = element("canvas", { class: "residuals", role: "img" });
  angleChart.style.setProperty("--bands", motion.n);
  residualChart.style.setProperty("--bands", motion.n);
  const rmsText = element("output", { class: "rms", "aria-live": "off" });
  const message = element("p", { class: "verdict", role: "status" });
  const follows = toggle("Fit while dragging", { onchange: (on) => on && askForFit() });
  const fitting = element("div", { class: "controls fitting" },
    button("Fit this window", { onclick: askForFit, kind: "primary" }),
    button("Reset parameters", { onclick: resetParameters }), follows.row, message);
  const rows = sliders.map((item) => ({
    item,
    ...slider({
      ...item, heading: [element("span", { class: "label" }, ...titled(item))],
      oninput: (value) => change({ p: { [item.index]: value / item.scale } }),
    }),
  }));
  const head = element("header", { class: "head" },
    ...(spec.title ? [element("h2", {}, spec.title)] : []),
    ...(spec.hint ? [element("p", { class: "hint" }, spec.hint)] : []));
  root.classList.add("tutlib-panel", "bench", "comparison");
  root.replaceChildren(...(head.childElementCount ? [head] : []),
    element("div", { class: "stage" }, picture, legend, transport, clockText),
    element("div", { class: "charts" }, overview, angleChart, residualChart, rmsText),
    element("div", { class: "rest" }, fitting,
      element("div", { class: "sliders" }, ...rows.map(({ row }) => row))));
  if (bridge) root.querySelectorAll("*").forEach((e) => (e.dataset.lmSuppressShortcuts = "true"));

  // ---- the setting: all changes go through here

  function change(news, { quietly = false, from = null } = {}) {
    setting.merge(news);
    if (news.x0) setting.x0 = moved(setting.x0, "whole", 0, times);
    const before = span?.[0];
    span = motion.rowsIn(setting.x0);
    if (from || span[0] !== before) start = from ?? motion.measuredState(span[0]);
    motion.run(setting.p, start, span);
    time = Math.min(Math.max(time, setting.x0[0]), setting.x0[1]);
    for (const { item, show } of rows) {
      const value = setting.p[item.index] * item.scale;
      show(value, measured(shown(value), item.unit));
    }
    if (!quietly) connections.report();
    draw();
  }

  function setWindow(x0) {
    message.textContent = "";
    change({ x0: { ...x0 } });
    if (follows.checked) askForFit();
  }

  function resetParameters() {
    message.textContent = "";
    ({ box } = spec);
    change({ p: { ...setting.defaults.p } }, { from: motion.measuredState(span[0]) });
  }

  // ---- the fit: the parameters with sliders, and the state at the beginning of the window

  let [running, asked] = [null, false];

  function askForFit() {
    asked = true;
    if (!running) requestAnimationFrame(goOn);
  }

  // Compute on for a while; a slow fit takes several pictures.
  function goOn() {
    if (!running) {
      asked = false;
      running = { span, fit: fitted(problemOf(motion, sliders, setting.p, span), sliders.length) };
    }
    const deadline = performance.now() + PATIENCE;
    let found;
    do found = running.fit.next();
    while (!found.done && performance.now() < deadline);
    if (found.done) {
      const of = running.span;
      running = null;
      take(found.value, of);
    } else motion.run(setting.p, start, span);
    if (running || asked) requestAnimationFrame(goOn);
  }

  function take({ theta, rms: [before, after], held, atLimit, converged }, of) {
    if (!theta) {
      motion.run(setting.p, start, span);
      message.textContent = "No fit: with these parameters, the motion cannot be computed. Reset the parameters.";
      return;
    }
    const current = of[0] === span[0] && of[1] === span[1];
    const p = Object.fromEntries(sliders.map(({ index }, i) => [index, theta[i]]));
    change({ p }, { from: current ? theta.slice(sliders.length) : motion.measuredState(span[0]) });
    const names = (list) => listed(list.map((i) => sliders[i].meaning || sliders[i].label));
    message.textContent = [
      `${converged ? "Fitted" : "Not converged"}: RMS ${inMrad(before)} before, ${inMrad(after)} after.`,
      ...(held.length ? [`This window does not determine ${names(held)}; kept as before.`] : []),
      ...(atLimit.length ? [`At the limit of ${atLimit.length > 1 ? "their sliders" : "its slider"}: ${names(atLimit)}.`] : []),
    ].join(" ");
    message.classList.toggle("doubtful", !converged || held.length + atLimit.length > 0);
  }

  // ---- the clock

  function play(on) {
    [playing, last] = [on, null];
    playText.textContent = CONTROLS[on ? "pause" : "play"].label;
    if (on) requestAnimationFrame(tick);
    draw();
  }

  function tick(now) {
    if (!playing) return;
    const [begin, end] = setting.x0;
    if (last !== null) time += Math.min((now - last) / 1000, 0.1);
    if (time >= end) time = begin;
    last = now;
    draw();
    requestAnimationFrame(tick);
  }

  function step() {
    clock.want(false);
    const { t } = motion;
    const [first, end] = span;
    const row = motion.rowAt(time + 1e-5);
    time = t[row > end || row <= first ? Math.min(first + (row <= first), end) : row];
    draw();
  }

  function restart() {
    [time] = setting.x0;
    draw();
  }

  // ---- pictures and texts: drawn once per frame at most

  function draw() {
    if (drawn) return;
    drawn = true;
    queueMicrotask(() => {
      drawn = false;
      drawNow();
    });
  }

  function drawNow() {
    const window = setting.x0;
    const now = motion.anglesAt(time, span);
    drawPicture(now);
    drawOverview(overview, motion, window, time);
    drawAngles(angleChart, motion, angles, window, span, time);
    drawResiduals(residualChart, motion, angles, window, span, time);
    write(now, window);
  }

  function drawPicture({ measured: ghost, computed }) {
    const made = newPicture(picture);
    if (!made.width) return;
    const [behind, before] = [ghost, computed].map((q) => motion.points([...q, ...q.map(() => 0)]));
    const isFinite = before.flat().every(Number.isFinite);
    if (isFinite) box = around(box, before);
    const view = viewOf(box, made);
    drawMechanism(made, view, { ...spec.skeleton, ghost: true }, behind, 0);
    if (isFinite) drawMechanism(made, view, spec.skeleton, before, COMPUTED);
  }

  function write({ measured: ghost, computed }, [begin, end]) {
    const degrees = (angle) => (Number.isFinite(angle) ? `${((angle * 180) / Math.PI).toFixed(1)}°`.replace("-", "−") : "not finite");
    clockText.textContent = [`t = ${time.toFixed(2)} s`, ...angles.map((label, i) =>
      `${label} = ${degrees(ghost[i])} measured, ${degrees(computed[i])} computed`)].join(" · ");
    const said = `RMS residual ${inMrad(rms(motion.residuals(span)))}, ${begin.toFixed(2)}–${end.toFixed(2)} s`;
    if (said === rmsText.textContent) return;
    rmsText.textContent = said;
    angleChart.setAttribute("aria-label", `Measured and computed angles. ${said}.`);
    residualChart.setAttribute("aria-label", `Computed minus measured angles. ${said}.`);
    overview.setAttribute("aria-label", `Time window from ${begin.toFixed(2)} s to ${end.toFixed(2)} s of a ` +
      `recording from ${times[0].toFixed(2)} s to ${times[1].toFixed(2)} s. The left and right arrow keys move the window, ` +
      "the up and down arrow keys make it longer and shorter.");
  }

  const connections = connect(bridge, spec, setting, {
    change,
    act(text) {
      const { p, x0 } = setting.fromAddress(text);
      change({ p, ...(Object.keys(x0).length && { x0 }) });
      clock.want(true);
    },
    want: (on) => clock.want(on),
    linked: () => {},
    setState: (x0) => setWindow(x0),
    state: () => ({ time, x: [...setting.x0], playing }),
  });
  dragWindow(overview, times, () => setting.x0, setWindow);

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = { " ": () => clock.want(!playing), [CONTROLS.step.key]: step, [CONTROLS.reset.key]: restart }[event.key];
    if (!act || (event.key === " " && event.target.matches("button, [type=checkbox]"))) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  }
  const listener = bridge ? root : document;
  listener.addEventListener("keydown", onKey);
  change({}, { quietly: true });
  const clock = playWhenSeen(picture, play);
  const stopTheme = followTheme(root, draw);
  const fit = () => root.classList.toggle("wide", root.clientWidth >= WIDE);
  const sized = new ResizeObserver(() => {
    fit();
    draw();
  });
  for (const part of [root, picture, overview]) sized.observe(part);
  if (!bridge) {
    reportHeight(root);
    handOnSearch();
  }
  connections.begin();
  return {
    stop() {
      clock.stop();
      stopTheme();
      sized.disconnect();
      listener.removeEventListener("keydown", onKey);
      connections.stop();
    },
  };
}

// Sample of the measured or the computed motion in the charts and the picture.
function mark(kind) {
  const made = element("span", { class: "mark" });
  made.innerHTML = kind === "measured"
    ? '<svg width="26" height="10" aria-hidden="true"><g fill="var(--ink)"><circle cx="4" cy="5" r="2"/><circle cx="13" cy="5" r="2"/><circle cx="22" cy="5" r="2"/></g></svg>'
    : `<svg width="26" height="10" aria-hidden="true"><path d="M1 5H25" stroke="var(--series-${COMPUTED + 1})" stroke-width="3"/></svg>`;
  made.append(kind);
  return made;
}
