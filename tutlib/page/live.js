// A live simulation: sliders, a mechanism to take hold of, and the books of its energy.
//
// mount(root, spec, machines, bridge) builds one inside an element. `spec` is what
// tutlib/page/live.py writes; `machines` run its program, one for each motion (see machine.js);
// `bridge` is the widget's model in a notebook with a kernel, or null on a page without one.
import { Simulation } from "./simulation.js";
import { Setting } from "./setting.js";
import { takeHold } from "./hold.js";
import { makeChart } from "../pictures/chart.js";
import {
  arrows, drawCurves, drawGuides, drawLegend, drawMechanism, drawScale, drawTrace, followTheme, newPicture,
  playWhenSeen, reportHeight, shown, viewOf,
} from "../pictures/drawing.js";

// Steps between two looks at the clock.
const AT_ONCE = 16;
const STEP_SIZES = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const measured = (number, unit) => `${number}${unit.startsWith("°") ? "" : " "}${unit}`.trim();

// θ_d with its d below the line
function subscripted(label) {
  const [base, ...below] = label.split("_");
  return below.length ? [base, element("sub", {}, below.join("_"))] : [base];
}

// How motions in the plane are seen; space.js has the same for motions in space: how points become
// flat, what box is seen, what is drawn around.
const inThePlane = () => ({ flat: (points) => points, box: null, surroundings: () => {} });

export function mount(root, spec, machines, bridge = null, seen = inThePlane) {
  const { size, skeleton, methods, sliders, switches } = spec;
  const holdable = size.holdable !== false;
  const body = skeleton.bodies.at(-1) ?? skeleton.lines.at(-1)?.at(-1) ?? 0;
  const setting = new Setting(spec);
  const numberOf = (name) => Math.max(methods.findIndex((method) => method.name === name), 0);
  const runs = spec.runs.map((run) => ({ ...run, owed: 0, trace: [], drift: [], portrait: [] }));
  const own = (run, list, changes = {}) => list.map((value, i) => changes[i] ?? value);
  runs.forEach((run, i) => {
    run.simulation = new Simulation(machines[i], spec, {
      x0: own(run, setting.x0, run.state),
      p: own(run, setting.p, run.parameters),
      method: numberOf(run.method ?? setting.method),
      h: run.h ?? setting.h,
    });
  });
  const first = runs[0].simulation;
  let [playing, last, box, rate] = [false, null, [...spec.box], 0];
  let speed = 1;

  // ---- the parts of the panel

  const canvas = element("canvas", {
    class: "mechanism", tabindex: "0", role: "application",
    "aria-label": holdable
      ? `${spec.description} Drag a body, or move it with the arrow keys.` : spec.description,
  });
  const look = seen(spec, canvas, () => playing || drawMotion());
  const books = spec.conserved !== false;
  const strip = element("canvas", {
    class: "strip", role: "img", "aria-label": "energy drift", hidden: !books,
  });
  const phase = element("canvas", { class: "phase", role: "img", "aria-label": "phase portrait" });
  const chart = spec.chart && makeChart(spec.chart, (x0) => {
    change({ x0 });
    motion.want(true);
  });
  const clock = element("output", { class: "clock", "aria-live": "off" });
  const driftText = element("output", { class: "drift", "aria-live": "off", hidden: !books });
  const message = element("p", { class: "message", role: "status" });
  const code = element("textarea", { readonly: true, rows: "8", "aria-label": "Python code" });
  const key = (name) => element("kbd", { "aria-hidden": "true" }, name);
  const button = (label, name, action, keys) => element(
    "button", { type: "button", onclick: action, "aria-keyshortcuts": keys }, label,
    ...(name ? [" ", key(name)] : []),
  );
  const playText = element("span", {}, "Play");
  const buttons = {
    play: button(playText, "space", () => motion.want(!playing), "Space"),
    step: button("Step", "s", singleStep, "s"),
    reset: button("Reset", "r", reset, "r"),
    ...(holdable && {
      left: button("◀ push", "a", () => push(-1), "a"),
      right: button("push ▶", "d", () => push(1), "d"),
    }),
  };
  const speedChoice = element(
    "select", { onchange: () => (speed = Number(speedChoice.value)) },
    ...[[0.1, "⅒ ×"], [0.25, "¼ ×"], [0.5, "½ ×"], [1, "1 ×"], [2, "2 ×"]].map(([value, text]) =>
      element("option", { value, selected: value === 1 }, text)),
  );
  const methodChoice = element(
    "select", { onchange: () => change({ method: methodChoice.value }) },
    ...methods.map(({ name, label }, i) => element("option", { value: name }, i < 10 ? `${label} (${i})` : label)),
  );
  const steps = [...new Set([...STEP_SIZES, spec.h])].sort((a, b) => a - b);
  const stepText = element("output");
  const stepSlider = element("input", {
    type: "range", min: 0, max: steps.length - 1, step: 1,
    oninput: () => change({ h: steps[Number(stepSlider.value)] }),
  });
  const toggle = (text, keyName, onchange) => {
    const box = element("input", { type: "checkbox", onchange: () => onchange(box.checked) });
    box.label = element("label", { class: "toggle" }, box, text, ...(keyName ? [key(keyName)] : []));
    return box;
  };
  const traceBox = toggle("trace", "t", (trace) => change({ trace }));
  const portraitBox = toggle("phase portrait", "p", (portrait) => change({ portrait }));
  const switchBoxes = switches.map((item) =>
    toggle(item.label, item.key, (on) => change({ p: { [item.index]: on ? 1 : 0 } })));
  const sliderRows = sliders.map((item) => {
    const text = element("output");
    const input = element("input", {
      type: "range", min: item.low, max: item.high, step: item.step,
      oninput: () => {
        const value = Number(input.value) / item.scale;
        change({ [item.target]: { [item.index]: value } });
      },
    });
    const heading = element("span", {}, ...subscripted(item.label), " ", ...item.keys.map(key));
    return { item, input, text, row: element("label", { class: "slider" }, heading, input, text) };
  });

  const { choice } = spec;
  const choiceRow = choice && element(
    "label", { class: "slider choice" }, element("span", {}, choice.name),
    element("input", {
      type: "range", min: 0, max: choice.count - 1, step: 1, value: choice.index,
      "aria-valuetext": choice.label, oninput: (event) => choice.pick(Number(event.target.value)),
    }),
    element("output", {}, choice.label),
  );

  root.classList.add("tutlib-panel");
  root.replaceChildren(
    canvas,
    message,
    element("div", { class: "controls" }, ...Object.values(buttons),
      element("label", {}, "speed ", speedChoice)),
    element("div", { class: "controls" }, ...switchBoxes.map((box) => box.label),
      traceBox.label, ...(spec.states[0].hidden ? [] : [portraitBox.label])),
    clock,
    element("div", { class: "sliders" }, ...(choice ? [choiceRow] : []), ...sliderRows.map(({ row }) => row),
      element("label", { class: "slider", hidden: runs.every((run) => run.method) },
        element("span", {}, "integrator ", key(`0–${Math.min(methods.length, 10) - 1}`)), methodChoice),
      element("label", { class: "slider", hidden: runs.every((run) => run.h) },
        element("span", {}, "step size h"), stepSlider,
        stepText)),
    driftText,
    strip,
    phase,
    ...(chart ? [chart.canvas] : []),
    element("details", { hidden: !spec.python },
      element("summary", {}, "Copy as Python"), code,
      element("div", { class: "controls" }, button("Copy", "", copy),
        button("Default settings", "", () => change(setting.defaults)))),
  );
  // JupyterLab has keys of its own, and "d" twice deletes a cell: not while one plays here. It asks
  // the element that has the focus.
  if (bridge) root.querySelectorAll("*").forEach((e) => (e.dataset.lmSuppressShortcuts = "true"));

  // ---- changes of the setting: all go through here, from the panel, the keys, Python, the address

  function change(news, { quietly = false } = {}) {
    setting.merge(news);
    for (const run of runs) {
      const { simulation } = run;
      if (news.p) simulation.setParameters(own(run, setting.p, run.parameters));
      if (news.h && !run.h) simulation.setStepSize(setting.h);
      if (news.method && !run.method) simulation.setMethod(numberOf(setting.method));
      if (news.x0) simulation.x0 = Float64Array.from(own(run, setting.x0, run.state));
      if (news.p || news.h || news.method) run.drift = [];
    }
    if (news.x0) reset();
    showSetting();
    if (!quietly) report();
    draw();
  }

  function showSetting() {
    for (const { item, input, text } of sliderRows) {
      const value = setting[item.target][item.index] * item.scale;
      input.value = value;
      text.textContent = measured(shown(value), item.unit);
      input.setAttribute("aria-valuetext", text.textContent);
    }
    switches.forEach((item, i) => (switchBoxes[i].checked = setting.p[item.index] !== 0));
    methodChoice.value = setting.method;
    let nearest = steps.indexOf(setting.h);
    if (nearest < 0) nearest = steps.findIndex((h) => h >= setting.h);
    stepSlider.value = nearest < 0 ? steps.length - 1 : nearest;
    stepText.textContent = `${shown(setting.h)} s`;
    stepSlider.setAttribute("aria-valuetext", stepText.textContent);
    traceBox.checked = setting.trace;
    portraitBox.checked = setting.portrait;
    phase.hidden = !setting.portrait;
    if (spec.python) code.value = setting.toPython();
  }

  async function copy() {
    code.select();
    try {
      await navigator.clipboard.writeText(code.value);
    } catch {
      document.execCommand("copy"); // frames without the right to the clipboard
    }
    message.textContent = "Copied.";
  }

  // ---- the motion

  function restartTraces(run) {
    Object.assign(run, { trace: [], drift: [], portrait: [], owed: 0 });
  }

  function reset() {
    for (const run of runs) {
      run.simulation.reset();
      restartTraces(run);
    }
    message.textContent = "";
    draw();
    tellPython(true);
  }

  function complain(run) {
    const { method, h, t } = run.simulation;
    motion.want(false);
    const start = run.label ? `${run.label}: the` : "The";
    message.textContent = run.simulation.hasRates()
      ? `${start} motion blew up at t = ${shown(t)} s. ${methods[method].label} with h = ` +
        `${shown(h)} s cannot follow it: choose a smaller step or another integrator, then Reset.`
      : `${start} motion cannot be simulated with these values: at t = ${shown(t)} s M u' = F has ` +
        "no solution that is finite. Change them, then Reset.";
  }

  function record(run) {
    const { simulation } = run;
    const keep = (list, item, most) => {
      list.push(item);
      if (list.length > most) list.shift();
    };
    keep(run.trace, simulation.points()[body], 240);
    keep(run.drift, [simulation.t, simulation.drift()[0]], 600);
    keep(run.portrait, [0, size.coordinates].map((i) => simulation.x[i] * spec.states[i].scale), 1500);
  }

  // Take the steps that `seconds` of this motion are made of; a page must never freeze for them.
  function advance(run, seconds, deadline) {
    const { simulation } = run;
    run.owed += seconds;
    while (run.owed >= simulation.h) {
      const count = Math.min(Math.floor(run.owed / simulation.h), AT_ONCE);
      if (simulation.step(count) < count) return complain(run);
      run.owed -= count * simulation.h;
      if (run.owed >= simulation.h && performance.now() > deadline) run.owed = 0;
    }
  }

  function singleStep() {
    motion.want(false);
    for (const run of runs) {
      run.owed = 0;
      if (!run.simulation.step()) complain(run);
      record(run);
    }
    draw();
    tellPython(true);
  }

  function tick(now) {
    if (!playing) return;
    if (last !== null) {
      const elapsed = Math.min((now - last) / 1000, 0.1);
      if (elapsed > 0) rate += 0.1 * (1 / elapsed - rate);
      if (!held()) {
        const deadline = performance.now() + 12;
        for (const run of runs) advance(run, elapsed * speed, deadline);
        runs.forEach(record);
      }
    }
    last = now;
    drawMotion();
    tellPython(false);
    requestAnimationFrame(tick);
  }

  function play(on) {
    playText.textContent = on ? "Pause" : "Play";
    if (on === playing) return;
    playing = on;
    last = null;
    rate = 60;
    if (on) requestAnimationFrame(tick);
    else draw();
    tellPython(true);
  }

  function push(direction) {
    for (const run of runs) {
      run.simulation.push(body, [direction * spec.push, 0]);
      run.drift = [];
    }
    if (!playing) draw();
  }

  // ---- taking hold

  const view = () => viewOf(box, canvas.getBoundingClientRect());
  function nearest(pixel, reach) {
    if (!holdable) return null;
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
    for (const run of runs) {
      run.simulation.hold(point, target);
      restartTraces(run);
    }
    message.textContent = "";
    draw();
  }

  function release(point, velocity) {
    if (velocity) for (const run of runs) run.simulation.throw(point, velocity);
    tellPython(true);
    draw();
  }

  const held = takeHold(canvas, { nearest, target: (pixel) => view().unmap(pixel), hold, release });

  // ---- keys

  function nudge({ item, input }, direction) {
    const step = Math.max(Number(input.step), (item.high - item.low) / 40);
    const now = setting[item.target][item.index] * item.scale;
    const value = Math.min(item.high, Math.max(item.low, now + direction * step));
    change({ [item.target]: { [item.index]: value / item.scale } });
  }

  function flip(box) {
    box.checked = !box.checked;
    box.dispatchEvent(new Event("change"));
  }

  const actions = {
    s: singleStep, r: reset, ...(holdable && { a: () => push(-1), d: () => push(1) }),
    t: () => flip(traceBox), ...(!spec.states[0].hidden && { p: () => flip(portraitBox) }),
  };
  methods.slice(0, 10).forEach(({ name }, i) => (actions[i] = () => change({ method: name })));
  switches.forEach((item, i) => item.key && (actions[item.key] = () => flip(switchBoxes[i])));
  sliderRows.forEach((row) => {
    const [down, up] = row.item.keys;
    if (down) Object.assign(actions, { [down]: () => nudge(row, -1), [up]: () => nudge(row, 1) });
  });

  function onKey(event) {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target === code) return;
    const arrow = holdable && target === canvas && arrows[event.key];
    if (arrow) {
      motion.want(false);
      const reach = (box[2] - box[0]) / 40;
      const [x, y] = first.points()[body];
      hold(body, [x + reach * arrow[0], y + reach * arrow[1]]);
    } else if (event.key === " " && !target.matches("button, summary, select, [type=checkbox]")) {
      motion.want(!playing);
    } else if (actions[event.key] && !target.matches("select")) {
      actions[event.key]();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
  const listener = bridge ? root : document;
  listener.addEventListener("keydown", onKey);

  // ---- pictures and texts

  function draw() {
    chart?.draw(setting.x0);
    drawMotion();
  }

  function drawMotion() {
    const picture = newPicture(canvas);
    if (!picture.width) return;
    const drawn = runs.map(({ simulation, owed }) => {
      const part = held() ? 1 : Math.min(owed / simulation.h, 1);
      const { previous, x } = simulation;
      const between = (value, i) => previous[i] + part * (value - previous[i]);
      return look.flat(simulation.points(playing ? x.map(between) : x));
    });
    if (look.box) box = look.box();
    else for (const [x, y] of drawn.flat()) {
      if (!Number.isFinite(x + y)) continue;
      box = [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)];
    }
    const window_ = viewOf(box, picture);
    look.surroundings(picture, window_);
    if (setting.trace) {
      runs.forEach((run, i) => drawTrace(picture, window_, look.flat(run.trace), i));
    }
    drawGuides(picture, window_, spec.guides, drawn[0]);
    drawn.forEach((points, i) => drawMechanism(picture, window_, skeleton, points, i));
    drawScale(picture, window_, box);
    drawLegend(picture, runs.map(({ label }) => label));
    drawCurves(newPicture(strip), runs.map(({ drift }) => drift),
      { x: "time [s]", y: "energy drift [J]", zero: true });
    if (setting.portrait) {
      const [x, y] = [0, size.coordinates].map((i) => `${spec.states[i].label} [${spec.states[i].unit}]`);
      drawCurves(newPicture(phase), runs.map(({ portrait }) => portrait), { x, y });
    }
    write();
  }

  function write() {
    const values = spec.states.flatMap(({ label, unit, scale, hidden }, i) => {
      if (hidden) return [];
      const number = (first.x[i] * scale).toFixed(scale === 1 ? 3 : 1)
        .replace(/^-(0\.0+)$/, "$1").replace("-", "−");
      return [`${label} = ${measured(number, unit)}`];
    });
    const readouts = spec.readouts.map(({ label, unit }, i) =>
      `${label} = ${measured(shown(first.readout(i)), unit)}`);
    const frames = playing ? `${Math.round(rate)} frames/s` : "paused";
    const whose = runs.length > 1 ? [runs[0].label] : [];
    const time = `t = ${first.t.toFixed(2)} s`;
    clock.textContent = [...whose, time, ...values, ...readouts, frames].join(" · ");
    driftText.textContent = "energy drift " + runs.map((run) => {
      const [joules, relative] = run.simulation.drift();
      const name = run.label ? `${run.label} ` : "";
      return `${name}${shown(joules, 2)} J (${shown(100 * relative, 2)} %)`;
    }).join(" · ");
    strip.setAttribute("aria-label", driftText.textContent);
  }

  // ---- the world outside: Python, and the page's address

  let told = 0;
  let telling = false;
  function tellPython(now) {
    if (!bridge || telling) return;
    if (!now && performance.now() - told < 100) return; // a kernel is not a film
    told = performance.now();
    telling = true;
    const state = Array.from(first.x.subarray(0, size.states));
    bridge.set("_reported", { count: bridge.get("_assigned").count, time: first.t, state });
    bridge.set("running", playing);
    bridge.save_changes();
    telling = false;
  }

  function report() {
    if (parent !== window && !bridge) {
      parent.postMessage({ simulation: spec.name, setting: setting.toAddress() }, "*");
    }
    if (!bridge || telling) return;
    telling = true;
    const values = spec.parameters.map(({ name }, i) => [name, setting.p[i]]);
    bridge.set("parameters", Object.fromEntries(values));
    bridge.set("method", setting.method);
    bridge.set("step_size", setting.h);
    bridge.save_changes();
    telling = false;
  }

  const byIndex = (values) =>
    Object.fromEntries(spec.parameters.map(({ name }, i) => [i, values[name]]));
  const heard = [];
  function listen(name, action) {
    const handler = () => telling || action(bridge.get(name));
    bridge.on(`change:${name}`, handler);
    heard.push(() => bridge.off(`change:${name}`, handler));
  }
  if (bridge) {
    listen("parameters", (values) => change({ p: byIndex(values) }, { quietly: true }));
    listen("_assigned", ({ state }) => {
      for (const run of runs) {
        run.simulation.setState(state);
        restartTraces(run);
      }
      draw();
      tellPython(true);
    });
    listen("method", (method) => change({ method }, { quietly: true }));
    listen("step_size", (h) => change({ h }, { quietly: true }));
    listen("running", (on) => motion.want(on));
  }
  const hearSetting = ({ data }) => {
    if (data?.simulation === spec.name && typeof data.setting === "string") {
      change(setting.fromAddress(data.setting), { quietly: true });
    }
  };
  addEventListener("message", hearSetting);

  showSetting();
  const motion = playWhenSeen(canvas, play);
  const stopTheme = followTheme(root, draw);
  const sized = new ResizeObserver(draw);
  sized.observe(canvas);
  if (!bridge) reportHeight(root);
  if (parent !== window && !bridge) parent.postMessage({ simulation: spec.name, ask: "setting" }, "*");
  if (bridge) {
    const p = byIndex(bridge.get("parameters"));
    change({ p, method: bridge.get("method"), h: bridge.get("step_size") }, { quietly: true });
  }
  return () => {
    motion.stop();
    stopTheme();
    sized.disconnect();
    heard.forEach((stop) => stop());
    listener.removeEventListener("keydown", onKey);
    removeEventListener("message", hearSetting);
  };
}
