// Live simulation: sliders, a mechanism to drag, and the energy strip.
//
// mount(root, spec, machines, bridge) builds one inside an element. `spec` is what
// panels/simulations/live.py writes; `machines` run its program, one for each motion (see machine.js);
// `bridge` is the widget's model in a notebook with a kernel, or null on a page without one. Returns
// {stop, again}: `again` restarts with the present setting after the functions that the page provides
// have changed.
import { drawBars } from "./bars.js";
import { listenToKeys } from "./keys.js";
import { measured, steady } from "./numbers.js";
import { connect, toClipboard } from "./connections.js";
import { CONTROLS, buildPanel } from "./panel.js";
import { newsOf, presetOf } from "./presets.js";
import { Run } from "./runs.js";
import { Scene, inThePlane } from "./scene.js";
import { Setting } from "./setting.js";
import { Sound, placeOf } from "./sound.js";
import { METHOD, drawGaps, drawStrip, gapInWords, inShort, inWords } from "./strip.js";
import { takeHold } from "./drag.js";
import { inSentences } from "./sentences.js";
import { makeChart } from "./chart.js";
import {
  drawCurves, followTheme, handOnSearch, newPicture, playWhenSeen, reportHeight, shown,
} from "../drawing/drawing.js";

// Intervals between updates of the texts and of the strips while it plays [ms].
const [TEXTS, STRIPS] = [100, 50];

export function mount(root, spec, machines, bridge = null, seen = inThePlane) {
  const { size, skeleton, methods, measure = METHOD } = spec;
  const body = skeleton.traced ?? skeleton.bodies.at(-1) ?? skeleton.lines.at(-1)?.at(-1) ?? 0;
  const setting = new Setting(spec);
  if (spec.choice) spec.choice.setting = setting;
  const runs = spec.runs.map((described, i) => new Run(described, machines[i], spec, setting));
  const mainRun = runs.find((run) => !run.ghost) ?? runs[0]; // whose values are written
  const first = mainRun.simulation;
  const sizes = spec.readouts.map(() => 0);
  const bars = (spec.bars ?? []).map(({ readout: i, role }) => ({ ...spec.readouts[i], role, i }));
  const sound = new Sound();
  let [playing, last, rate, speed, written, stripped] = [false, null, 0, 1, 0, 0];

  const acts = {
    change,
    reset,
    step: singleStep,
    push,
    copy,
    copyLink,
    say,
    listen,
    play: () => motion.want(!playing),
    speed: (value) => (speed = value),
    defaults: () => change(setting.defaults),
    preset(preset) {
      change(newsOf(preset, setting));
      motion.want(true);
    },
  };
  const chart = spec.chart && makeChart(spec.chart, (x0) => {
    change({ x0 });
    motion.want(true);
  });
  const panel = buildPanel(root, spec, acts, chart?.element);
  const { canvas, message, clock, phase, ledger, playText, code } = panel;
  const look = seen(spec, canvas, () => playing || draw());
  const scene = new Scene(spec, runs, setting, panel, look);
  // JupyterLab has its own keys, and "d" twice deletes a cell, so they are suppressed here. JupyterLab
  // looks at the element that has the focus.
  if (bridge) root.querySelectorAll("*").forEach((e) => (e.dataset.lmSuppressShortcuts = "true"));

  // ---- changes of the setting: all go through here, from the panel, the keys, Python, the address

  function change(news, { quietly = false } = {}) {
    setting.merge(news);
    for (const run of runs) run.follow(news, setting);
    if (news.x0) reset();
    news.motions?.forEach((motion, i) => runs[i].goOn(motion));
    if (news.view) scene.lookAt(news.view);
    if (news.camera) look.turnTo?.(news.camera);
    if (news.speed) panel.speed.value = speed = news.speed;
    if (news.paused) motion.want(false);
    panel.show(setting);
    if (!quietly) connections.report();
    draw();
  }

  // A link in the text: change the setting and play on.
  function act(text) {
    const preset = presetOf(text, spec.presets);
    if (preset) change(newsOf(preset, setting), { quietly: true });
    const news = setting.fromAddress(text);
    for (const name of ["p", "x0"]) if (!Object.keys(news[name]).length) delete news[name];
    const wild = runs.some((run) => run.simulation.failed || run.isDown());
    change(news);
    if (wild) reset();
    message.textContent = "";
    motion.want(true);
  }

  async function copy() {
    code.select();
    await toClipboard(code.value);
    message.textContent = "Copied.";
  }

  async function copyLink() {
    await toClipboard(connections.link({
      motions: runs.map((run) => run.moment()), view: scene.widened(), camera: look.camera?.(), speed,
      paused: !playing,
    }));
    message.textContent = "Link copied. It opens this page at this moment of the motion.";
  }

  // The present motion in words, for the live region of screen readers.
  function say() {
    const readouts = spec.readouts.map(({ label }, i) => `${label} ${readout(i)}`);
    const text = inSentences(runs, mainRun, readouts, playing);
    panel.said.textContent = panel.said.textContent === text ? `${text}\u00a0` : text; // a repeated text is read again
  }

  function listen() {
    sound.switch();
    panel.sound.setAttribute("aria-pressed", sound.on);
  }

  // Sound of the first two motions, the main one first.
  function hear() {
    const voices = [mainRun, ...runs.filter((run) => run !== mainRun)].slice(0, 2);
    const angle = size.axes === 2 && spec.states[0].scale !== 1;
    sound.hear(voices.map(({ simulation, books }) => {
      const [[across]] = look.flat([simulation.points()[body]]);
      return { place: placeOf(angle ? simulation.x[0] : null, across, scene.box), part: measure.error ? books.part : 0 };
    }));
  }

  // ---- the motion

  function again() {
    const wild = runs.some((run) => run.simulation.failed);
    change({ p: setting.p, x0: setting.x0, view: spec.box }, { quietly: true });
    if (wild) motion.want(true);
  }

  function reset() {
    for (const run of runs) run.reset();
    scene.begin();
    sizes.fill(0);
    message.textContent = "";
    draw();
    connections.tell(true);
  }

  function complain(run) {
    const { method, h, t } = run.simulation;
    motion.want(false);
    const start = run.label ? `${run.label}: the` : "The";
    if (run.isDown()) message.textContent = `Fell after ${t.toFixed(1)} s.`;
    else message.textContent = run.simulation.hasRates()
      ? `${start} motion blew up at t = ${shown(t)} s. ${methods[method].label} with h = ` +
        `${shown(h)} s is not accurate enough: choose a smaller step or another integrator, then ${CONTROLS.reset.label}.`
      : `${start} motion cannot be simulated with these values: at t = ${shown(t)} s M u' = F has ` +
        `no finite solution. Change the values, then ${CONTROLS.reset.label}.`;
  }

  function singleStep() {
    motion.want(false);
    const wild = runs.filter((run) => !run.single());
    runs.forEach((run) => run.record(body));
    wild.forEach(complain);
    draw();
    connections.tell(true);
  }

  function tick(now) {
    if (!playing) return;
    if (last !== null) {
      const elapsed = Math.min((now - last) / 1000, 0.1);
      if (elapsed > 0) rate += 0.1 * (1 / elapsed - rate);
      if (!held()) {
        const deadline = performance.now() + 12;
        const wild = runs.filter((run) => !run.advance(elapsed * speed, deadline));
        runs.forEach((run) => run.record(body));
        wild.forEach(complain);
      }
    }
    last = now;
    if (!playing) return; // a motion that blew up has stopped
    scene.draw(true);
    if (sound.on) hear();
    if (now - stripped >= STRIPS) {
      stripped = now;
      drawRecords();
    }
    if (now - written >= TEXTS) {
      written = now;
      write();
    }
    connections.tell(false);
    requestAnimationFrame(tick);
  }

  function play(on) {
    if (on === playing) return;
    if (on && mainRun.isDown()) reset();
    playText.textContent = CONTROLS[on ? "pause" : "play"].label;
    playing = on;
    last = null;
    rate = 60;
    if (on) requestAnimationFrame(tick);
    else draw();
    connections.tell(true);
  }

  function push(direction) {
    for (const run of runs) run.push(body, [direction * spec.push, 0]);
    if (!playing) draw();
  }

  // ---- dragging

  const view = () => scene.view(canvas.getBoundingClientRect());
  function nearest(pixel, reach) {
    if (size.holdable === false) return null;
    const { map } = view();
    const distances = runs.flatMap((run) => {
      const points = run.simulation.points();
      return (skeleton.bodies.length ? skeleton.bodies : [body]).map((k) => {
        const [x, y] = map(points[k]);
        return { point: k, distance: Math.hypot(x - pixel[0], y - pixel[1]) };
      });
    });
    const best = distances.reduce((a, b) => (b.distance < a.distance ? b : a));
    return best.distance < reach ? best.point : null;
  }

  function hold(point, target) {
    for (const run of runs) run.hold(point, target);
    message.textContent = "";
    if (!playing) draw();
  }

  function release(point, velocity) {
    if (velocity) for (const run of runs) run.throw(point, velocity);
    connections.tell(true);
    draw();
  }

  const held = takeHold(canvas, { nearest, target: (pixel) => view().unmap(pixel), hold, release });

  // Move the body by fractions of the picture's width.
  function move([right, up]) {
    motion.want(false);
    const width = scene.box[2] - scene.box[0];
    const [x, y] = first.points()[body];
    hold(body, [x + width * right, y + width * up]);
  }

  // ---- pictures and texts

  function draw() {
    chart?.draw(setting.x0, setting.p);
    scene.draw(playing && !held());
    drawRecords();
    write();
  }

  function drawRecords() {
    if (ledger.kept) drawStrip(ledger.strip, runs);
    if (ledger.bars) {
      const now = bars.map((bar) => ({ ...bar, value: seenReadout(bar.i) }));
      drawBars(ledger.bars, now, Math.max(...bars.map(({ i }) => sizes[i])));
    }
    if (ledger.loops) drawGaps(ledger.gaps, runs);
    if (!setting.portrait) return;
    const [x, y] = [0, size.coordinates].map((i) => spec.states[i])
      .map(({ meaning, label, unit }) => `${meaning} ${label} [${unit}]`.trim());
    drawCurves(newPicture(phase), runs.map(({ portrait }) => portrait), { x, y });
  }

  // The states of a motion.
  function valuesOf(x) {
    return spec.states.flatMap(({ label, unit, scale, hidden }, i) => {
      if (hidden) return [];
      const number = (x[i] * scale).toFixed(scale === 1 ? 3 : 1)
        .replace(/^-(0\.0+)$/, "$1").replace("-", "−");
      return [`${label} = ${measured(number, unit)}`];
    });
  }

  // Value of a readout; its largest magnitude so far is kept.
  function seenReadout(i) {
    const value = first.readout(i);
    if (Number.isFinite(value)) sizes[i] = Math.max(sizes[i], Math.abs(value));
    return value;
  }

  function readout(i) {
    const { unit } = spec.readouts[i];
    const value = seenReadout(i);
    const size = Math.max(sizes[i], leastSize(unit));
    const number = steady(value, unit === "°" ? Math.min(size, 99) : size); // a decimal, as for states
    return measured(number, unit);
  }

  function write() {
    const values = valuesOf(first.x);
    const readouts = spec.readouts.map(({ label }, i) => `${label} = ${readout(i)}`);
    const drawn = bars.map(({ i }) => readouts[i]);
    ledger.bars?.setAttribute("aria-label", drawn.join("; "));
    const frames = playing ? `${Math.round(rate)} frames/s` : "paused";
    const whose = runs.length > 1 ? [mainRun.label] : [];
    const time = `t = ${first.t.toFixed(2)} s`;
    const others = readouts.filter((text) => !drawn.includes(text));
    const lines = [[...whose, time, ...values, ...others, frames]];
    // in a model with its own start, the same letters have another meaning
    for (const { label, start, size: runSize, simulation } of runs) {
      if (simulation === first) continue;
      if (start && runSize.states === size.states) lines.push([label, ...valuesOf(simulation.x)]);
    }
    clock.textContent = lines.map((line) => line.join(" · ")).join("\n");
    writeBooks();
  }

  // Smallest magnitude by which a readout is rounded: lengths are compared with the picture.
  function leastSize(unit) {
    return unit === "m" ? (scene.box[2] - scene.box[0]) / 10 : 1;
  }

  function writeBooks() {
    const words = runs.map(({ books, label }) => (label ? inShort : inWords)(books, measure));
    ledger.texts.forEach((text, i) => {
      text.textContent = words[i];
      text.classList.toggle("wild", measure.error && Math.abs(runs[i].books.part) > 0.1);
    });
    const said = runs.map(({ label }, i) => (label ? `${label} ${words[i]}` : words[i]));
    ledger.strip.setAttribute("aria-label", runs[0].label ? `${measure.label}: ${said.join("; ")}` : said[0]);
    if (!ledger.loops) return;
    ledger.loop.textContent = gapInWords(Math.max(...runs.map(({ simulation }) => simulation.gap())));
    ledger.gaps.setAttribute("aria-label", ledger.loop.textContent);
  }

  const connections = connect(bridge, spec, setting, {
    change,
    act,
    want: (on) => motion.want(on),
    linked: () => (panel.link.hidden = false),
    setState(x) {
      for (const run of runs) run.setState(x);
      draw();
    },
    state: () => ({ time: first.t, x: Array.from(first.x), playing }),
  });
  const stopKeys = listenToKeys(bridge || spec.inPage ? root : document, spec, panel, setting, acts, move);
  panel.show(setting);
  const motion = playWhenSeen(canvas, play);
  const stopTheme = followTheme(root, draw);
  const sized = new ResizeObserver(() => {
    panel.fit();
    if (!playing) draw();
  });
  for (const part of [root, canvas]) sized.observe(part);
  if (!bridge && !spec.inPage) {
    reportHeight(root);
    handOnSearch();
  }
  connections.begin();
  function stop() {
    motion.stop();
    stopTheme();
    sized.disconnect();
    stopKeys();
    connections.stop();
    chart?.stop();
    if (sound.on) sound.switch();
  }
  return { stop, again };
}
