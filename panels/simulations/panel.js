// Panel of a live simulation: its layout, and how the controls show the setting.
//
// The picture, strip, buttons, and main control come first and fit on one screen of a phone; the rest
// folds. With a map, the picture, the main control, and the map come first, since the map may follow it;
// with bars, the main control is directly below the picture.
import DATA from "./controls.json" with { type: "json" };
import { arrowMark } from "./arrows.js";
import { ROW } from "./bars.js";
import { button, element, keyMark, slider, subscripted, titled, toggle } from "./elements.js";
import { measured } from "./numbers.js";
import { isSetTo } from "./presets.js";
import { Sound } from "./sound.js";
import { METHOD } from "./strip.js";
import { dashes, shown } from "../drawing/drawing.js";

// Labels of the buttons and boxes, and their keys.
export const CONTROLS = DATA.controls;
const SPEEDS = [[0.1, "⅒ ×"], [0.25, "¼ ×"], [0.5, "½ ×"], [1, "1 ×"], [2, "2 ×"]];
// Width [px] from which two columns fit and nothing needs to fold.
const WIDE = 640;

// Sample of a motion's line in the picture and in the strip.
function swatch(index, ghost) {
  const made = element("span", { class: "swatch", "aria-hidden": "true" });
  const dash = dashes[index % dashes.length].join(" ");
  made.innerHTML = `<svg width="26" height="10"><path d="M1 5H25" stroke="var(--series-${index % 5 + 1})"` +
    ` stroke-width="4" stroke-dasharray="${dash}" opacity="${ghost ? 0.55 : 1}"/></svg>`;
  return made;
}

// Build the panel inside `root`. `acts` are the actions of the controls; see live.js. Returns the parts
// that change, and `show(setting)`.
export function buildPanel(root, spec, acts, map = null) {
  const { methods, sliders, switches, choice } = spec;
  const holdable = spec.size.holdable !== false;
  const howToHold = holdable ? " Drag a body, or move it with the arrow keys." : "";
  const canvas = element("canvas", {
    class: "mechanism", tabindex: "0", role: "application",
    "aria-label": `${spec.description}${howToHold} Press i for a description of the motion.`,
  });
  const message = element("p", { class: "message", role: "status" });
  const said = element("p", { class: "said hidden-words", role: "status", "aria-live": "polite" });
  const clock = element("output", { class: "clock", "aria-live": "off" });
  const phase = element("canvas", { class: "phase", role: "img", "aria-label": "phase portrait" });

  // ---- what is visible at first

  const presets = (spec.presets ?? []).map((preset) => ({
    preset, made: button(preset.label, { onclick: () => acts.preset(preset), kind: "preset" }),
  }));
  const press = (name, onclick, options = {}) =>
    button(CONTROLS[name].label, { onclick, keys: CONTROLS[name].key, ...options });
  const playText = element("span", {}, CONTROLS.play.label);
  const transport = element("div", { class: `controls transport${holdable ? "" : " few"}` },
    button(playText, { onclick: acts.play, keys: CONTROLS.play.key, key: "", kind: "primary" }),
    press("reset", acts.reset),
    press("defaults", acts.defaults),
    press("step", acts.step),
    ...(holdable ? [
      press("pushLeft", () => acts.push(-1)),
      press("pushRight", () => acts.push(1)),
    ] : []));
  const ledger = ledgerOf(spec);
  const scale = element("span", { class: "scale", "aria-hidden": "true" });
  const arrowLegend = element("span", { class: "arrows" });
  const turning = element("span", { class: "turning" }, "Slide sideways to rotate the view; slide up or down to scroll.");
  const caption = element("div", { class: "caption" }, scale, arrowLegend,
    ...(spec.size.axes === 3 ? [turning] : []));

  // ---- controls, the main one first

  const rows = sliders.map((item) => ({
    item,
    ...slider({
      ...item, heading: [element("span", { class: "label" }, ...titled(item)), ...item.keys.map(keyMark)],
      oninput: (value) => acts.change({ [item.target]: { [item.index]: value / item.scale } }),
    }),
  }));
  const steps = [...new Set([...DATA.stepSizes, spec.h])].sort((a, b) => a - b);
  const step = slider({
    heading: [CONTROLS.stepSize.label], low: 0, high: steps.length - 1, step: 1,
    oninput: (value) => acts.change({ h: steps[value] }),
  });
  step.row.hidden = spec.runs.every((run) => run.h);
  const method = choose(CONTROLS.method.label, methods.map(({ name, label }, i) =>
    [name, i < 10 ? `${label} (${i})` : label]), (name) => acts.change({ method: name }));
  method.row.hidden = spec.runs.every((run) => run.method);
  const speed = choose(CONTROLS.speed.label, SPEEDS, (value) => acts.speed(Number(value)), 1);
  const length = choice && slider({
    heading: [choice.name], low: 0, high: choice.count - 1, step: 1, value: choice.index,
    oninput: choice.pick, kind: "choice",
  });
  length?.show(choice.index, choice.label);
  const named = { h: step.row, method: method.row };
  const main = length?.row ?? named[spec.main] ?? rows[spec.main ?? 0]?.row ?? method.row;
  const foremost = element("div", { class: "main" }, main);
  const home = map ? "map" : ledger.bars ? "stage" : "rest";
  const mainIn = (part) => (part === home ? [foremost] : []);
  const folded = [...rows.map(({ row }) => row), method.row, step.row, speed.row]
    .filter((row) => row !== main);

  const boxes = {
    switches: switches.map((item) => toggle(item.label, {
      key: item.key, onchange: (on) => acts.change({ p: { [item.index]: on ? 1 : 0 } }),
    })),
    trace: toggle(CONTROLS.trace.label, {
      key: CONTROLS.trace.key, onchange: (trace) => acts.change({ trace }),
    }),
    portrait: toggle(CONTROLS.portrait.label, {
      key: CONTROLS.portrait.key, onchange: (portrait) => acts.change({ portrait }),
    }),
    arrows: (spec.arrows ?? []).map(({ name, label, role }) => {
      const mark = element("span", { class: "mark" });
      mark.innerHTML = arrowMark(role, 22);
      return toggle(label, { before: [mark], onchange: (on) => acts.change({ [name]: on }) });
    }),
  };
  const shownBoxes = [...boxes.switches, boxes.trace,
    ...(spec.states[0].hidden ? [] : [boxes.portrait]), ...boxes.arrows];

  const sound = press("listen", acts.listen);
  sound.setAttribute("aria-pressed", "false");
  sound.hidden = !Sound.possible;
  const heard = element("div", { class: "controls" }, press("say", acts.say), sound);

  const wide = () => root.clientWidth >= WIDE;
  root.classList.toggle("wide", wide());
  const more = element("details", { class: "more", open: wide() || root.dataset.more === "open" },
    element("summary", {}, CONTROLS.more.label),
    element("div", { class: "sliders" }, ...folded),
    element("div", { class: "toggles" }, ...shownBoxes.map((box) => box.row)),
    heard,
    ...letters(spec.states));
  more.addEventListener("toggle", () => (root.dataset.more = more.open ? "open" : ""));
  // A frame may have no width when it is made: it unfolds when it becomes wide, unless a reader has
  // folded it.
  const fit = () => {
    root.classList.toggle("wide", wide());
    if (wide() && root.dataset.more === undefined) more.open = true;
  };

  const code = element("textarea", { readonly: true, rows: "8", "aria-label": "Python code" });
  const link = press("copyLink", acts.copyLink);
  link.hidden = true; // until the page sends its address
  const copying = element("details", { class: "code", hidden: !spec.python },
    element("summary", {}, CONTROLS.code.label), code,
    element("div", { class: "controls" }, press("copy", acts.copy)));

  const head = element("header", { class: "head" },
    ...(spec.title ? [element("h2", {}, spec.title)] : []),
    ...(spec.hint ? [element("p", { class: "hint" }, spec.hint)] : []),
    ...(presets.length ? [element("div", { class: "presets", role: "group", "aria-label": "presets" },
      ...presets.map(({ made }) => made))] : []));
  root.classList.add("tutlib-panel", "bench");
  root.classList.toggle("mapped", Boolean(map));
  root.replaceChildren(...(head.childElementCount ? [head] : []),
    element("div", { class: "stage" }, canvas, caption, message, said, ...mainIn("stage")),
    ...(map ? [element("div", { class: "map" }, ...mainIn("map"), map)] : []),
    element("div", { class: "books", hidden: !ledger.shown }, ledger.name, ledger.list, ledger.strip,
      ...(ledger.bars ? [ledger.bars] : []), ledger.loop, ledger.gaps),
    transport,
    element("div", { class: "rest" }, ...mainIn("rest"), phase, clock),
    more, element("div", { class: "share" }, link, copying));

  function show(setting) {
    for (const { item, show: tell } of rows) {
      const value = setting[item.target][item.index] * item.scale;
      tell(value, measured(shown(near(value, item)), item.unit));
    }
    switches.forEach((item, i) => (boxes.switches[i].checked = setting.p[item.index] !== 0));
    method.input.value = setting.method;
    let nearest = steps.indexOf(setting.h);
    if (nearest < 0) nearest = steps.findIndex((h) => h >= setting.h);
    step.show(nearest < 0 ? steps.length - 1 : nearest, `${shown(setting.h)} s`);
    boxes.trace.checked = setting.trace;
    boxes.portrait.checked = setting.portrait;
    (spec.arrows ?? []).forEach(({ name }, i) => (boxes.arrows[i].checked = setting[name]));
    phase.hidden = !setting.portrait;
    for (const { preset, made } of presets) {
      made.setAttribute("aria-pressed", isSetTo(preset, setting));
    }
    if (spec.python) code.value = setting.toPython();
  }

  return {
    canvas, message, said, sound, clock, phase, ledger, scale, arrowLegend, playText, rows, boxes, code, link, show, fit,
    speed: speed.input,
  };
}

// Meanings of the letters in readouts and plots.
function letters(states) {
  const named = states.filter(({ meaning, hidden }) => meaning && !hidden);
  if (!named.length) return [];
  return [element("dl", { class: "letters" }, ...named.flatMap(({ label, meaning }) =>
    [element("dt", {}, ...subscripted(label)), element("dd", {}, meaning)]))];
}

// Zero for a slider's value that is only a rounding error.
const near = (value, { low, high }) =>
  Math.abs(value) < 1e-9 * Math.max(Math.abs(low), Math.abs(high)) ? 0 : value;

function choose(name, options, onpick, value) {
  const input = element("select", { onchange: () => onpick(input.value) },
    ...options.map(([option, text]) =>
      element("option", { value: option, selected: option === value }, text)));
  const row = element("label", { class: "slider pick" },
    element("span", { class: "name" }, name), input);
  return { input, row };
}

// Energy of each motion: legend and texts, strip, and residual of the loops. Bars replace the strip.
function ledgerOf(spec) {
  const bars = spec.bars?.length ? element("canvas", { class: "bars", role: "img" }) : null;
  bars?.style.setProperty("height", `${spec.bars.length * ROW}px`);
  const kept = spec.conserved !== false && !bars;
  const several = spec.runs.length > 1 || spec.runs[0].label;
  const texts = spec.runs.map(() =>
    element("output", { class: "drift", "aria-live": "off", hidden: !kept }));
  const list = element("ul", { class: several ? "legend" : "legend one", hidden: !kept && !several },
    ...spec.runs.map(({ label, ghost }, i) => element("li", {},
      ...(several ? [swatch(i, ghost), element("span", { class: "who" }, label)] : []), texts[i])));
  const name = element("p", { class: "name", hidden: !kept || !several },
    `${(spec.measure ?? METHOD).label}, as a part of the swing`);
  const strip = element("canvas", {
    class: "strip", role: "img", "aria-label": "energy", hidden: !kept,
  });
  const loops = "constraints" in spec.size.outputs;
  const loop = element("output", { class: "loop", "aria-live": "off", hidden: !loops });
  const gaps = element("canvas", {
    class: "strip gaps", role: "img", "aria-label": "gap of the loop", hidden: !loops,
  });
  return { name, list, texts, strip, bars, loop, gaps, kept, loops, shown: kept || bars || several || loops };
}
