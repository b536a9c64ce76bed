// Zoom of a map of initial states: workers compute it again for the visible window, first in coarse
// blocks and then in finer ones.
//
// A frame drawn with mouse or pen, a wheel, two fingers, buttons, and keys choose the window. With the
// default setting, the whole map is the picture that came with the page.
import { arrows } from "../drawing/drawing.js";
import { further, placeStored } from "./chart.js";
import { button, element } from "./elements.js";
import { WorkerPool } from "./workers.js";
import { Patchwork, shadesOf } from "./patchwork.js";
import {
  cornerOf, framed, isWhole, partOf, shifted, widened, windowInWords,
} from "./windows.js";

// Width of the first blocks [px]; factor of a button; distance a mouse moves before it draws a frame [px].
const [COARSEST, CLOSER, A_FRAME] = [16, 0.5, 6];
// Gray of panels/simulations/chart.py, for a stored map without any gray.
const GRAY = "#8c8c8c";
const HELP = "To zoom in, draw a rectangle on the map, press +, or spread two fingers. The page then " +
  "recomputes that part at a finer and finer resolution.";
const counted = (number) => number.toLocaleString("en-US");

// Zoom of a chart. chart.js provides `canvas`; `placeOf(event)`, a position in the map; `inside()`, its
// size [px]; `chosen()`, the position of the chosen start; `stored()`, the image that came with the page;
// `show(window)`, which announces another window; and `redraw()`.
function makeZoom(chart, { canvas, placeOf, inside, chosen, stored, show, redraw }) {
  const whole = [chart.x, chart.y];
  const shade = shadesOf(chart.bar, chart.bar.gray || GRAY);
  const drawn = document.createElement("canvas");
  const note = element("p", { class: "note window" });
  const done = element("p", { class: "hidden-words", role: "status" });
  let [window, patchwork, fresh, count, waits] = [whole, null, false, 0, false];
  let [x0, p, drag, fingers, frame, wasFrame] = [chart.zoom.x0, chart.zoom.p, null, new Map(), null, false];
  const workers = new WorkerPool(chart.zoom, hear, giveUp);

  // ---- the picture

  // The stored map as a patchwork.
  function storedPatchwork(width, height) {
    const copy = new Patchwork(width, height);
    const image = stored();
    if (!image.naturalWidth) return copy;
    [drawn.width, drawn.height] = [width, height];
    const g = drawn.getContext("2d", { willReadFrequently: true });
    placeStored(g, image, 0, 0, width, height);
    copy.colors.set(new Uint32Array(g.getImageData(0, 0, width, height).data.buffer));
    copy.grains.fill(Math.max(width / image.naturalWidth, height / image.naturalHeight));
    return copy;
  }

  function hear({ grain, columns, rows, times }) {
    times.forEach((time, i) => patchwork.put(columns[i], rows[i], grain, shade(time)));
    count += times.length;
    fresh = true;
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      tell();
      redraw();
    });
  }

  // The map as a canvas, or null if it is the stored one.
  function picture() {
    if (!patchwork) return null;
    if (fresh) {
      const { width, height, colors } = patchwork;
      [drawn.width, drawn.height, fresh] = [width, height, false];
      const data = new ImageData(new Uint8ClampedArray(colors.buffer), width, height);
      drawn.getContext("2d", { willReadFrequently: true }).putImageData(data, 0, 0);
    }
    return drawn;
  }

  const asStored = () => String(p) === String(chart.zoom.p)
    && x0.every((value, i) => value === chart.zoom.x0[i] || i === chart.x.index || i === chart.y.index);

  function compute() {
    count = 0;
    if (isWhole(window, whole) && asStored()) {
      patchwork = null;
      workers.stop();
    } else {
      const { width, height } = patchwork;
      workers.begin({
        x: plain(window[0]), y: plain(window[1]), width, height, base: [...x0],
        p: chart.zoom.parameters.map((i) => p[i]), grain: patchwork.coarsest(COARSEST),
      });
    }
    tell();
  }

  const plain = ({ index, low, high, scale }) => ({ index, low, high, scale });

  function tell() {
    const all = patchwork ? patchwork.width * patchwork.height : 0;
    const seen = () => windowInWords(window);
    note.textContent = !patchwork ? HELP : count < all
      ? `${seen()}: ${counted(count)} of ${counted(all)} initial states are computed.`
      : `${seen()}: ${counted(all)} initial states, all computed by this page.`;
    done.textContent = patchwork && count === all ? note.textContent : "";
    for (const [made, useless] of [[wider, isWhole(window, whole)], [back, isWhole(window, whole)]]) {
      made.setAttribute("aria-disabled", useless);
    }
  }

  function giveUp() {
    workers.stop();
    [window, patchwork] = [whole, null];
    show(whole);
    note.textContent = "This browser does not allow background computations, so the map cannot be refined.";
    for (const made of [closer, wider, back]) made.hidden = true;
    redraw();
  }

  // ---- the window

  // Show another window; return whether it differs.
  function look(next) {
    if (isWhole(next, window)) return false;
    const { width, height } = inside();
    const [across, down] = [width, height].map((size) => Math.max(Math.round(size), 1));
    const before = patchwork ?? storedPatchwork(across, down);
    patchwork = before.seenThrough(partOf(next, window), across, down);
    [window, fresh] = [next, true];
    compute();
    show(window);
    redraw();
    return true;
  }

  // Zoom around the chosen start, if it is visible.
  function step(factor) {
    const place = chosen();
    const seen = window.every(({ low, high }, i) => low <= place[i] && place[i] <= high);
    const around = seen ? place : window.map(({ low, high }) => (low + high) / 2);
    return look(widened(window, whole, around, factor));
  }

  const closer = button("+", { onclick: () => step(CLOSER) });
  const wider = button("−", { onclick: () => step(1 / CLOSER) });
  const back = button("Whole map", { onclick: () => look(whole) });
  closer.setAttribute("aria-label", "zoom in");
  wider.setAttribute("aria-label", "zoom out");

  // Compute the map again if the sliders have changed.
  function follow(start, parameters) {
    const same = String(parameters) === String(p) && start.every((value, i) =>
      value === x0[i] || i === chart.x.index || i === chart.y.index);
    [x0, p] = [[...start], [...parameters]];
    const { width, height } = inside();
    if (same || !(width > 0 && height > 0)) return;
    patchwork ??= storedPatchwork(Math.round(width), Math.round(height));
    patchwork.grains.fill(Infinity);
    compute();
  }

  // ---- gestures

  const pixel = ({ clientX, clientY }) => [clientX, clientY];
  const between = (first, second) => first.map((value, i) => (value + second[i]) / 2);
  const apart = ([[x0, y0], [x1, y1]]) => Math.max(Math.hypot(x0 - x1, y0 - y1), 1);

  function pinch() {
    const now = [...fingers.values()];
    const { width, height } = inside();
    const { from, at, place } = drag;
    const [was, is] = [between(...at), between(...now)];
    const wide = widened(from, whole, place, apart(at) / apart(now));
    look(shifted(wide, whole, [(was[0] - is[0]) / width, (is[1] - was[1]) / height]));
  }

  canvas.addEventListener("pointerdown", (event) => {
    wasFrame = false;
    if (event.pointerType === "touch") {
      fingers.set(event.pointerId, pixel(event));
      if (fingers.size !== 2) return;
      const at = [...fingers.values()];
      const [clientX, clientY] = between(...at);
      drag = { from: window, at, place: placeOf({ clientX, clientY }) };
    } else if (event.button === 0) {
      drag = { begins: placeOf(event), at: [pixel(event)] };
      canvas.setPointerCapture(event.pointerId);
    }
  });

  canvas.addEventListener("pointermove", (event) => {
    if (fingers.has(event.pointerId)) {
      fingers.set(event.pointerId, pixel(event));
      if (fingers.size === 2 && drag?.from) pinch();
    } else if (drag?.begins) {
      if (!frame && apart([drag.at[0], pixel(event)]) < A_FRAME) return;
      frame = [drag.begins, cornerOf(window, drag.begins, placeOf(event))];
      redraw();
    }
  });

  function end(event) {
    fingers.delete(event.pointerId);
    const chosenFrame = event.type === "pointerup" && frame;
    wasFrame = Boolean(frame);
    [drag, frame] = [null, null];
    if (chosenFrame) look(framed(window, whole, ...chosenFrame));
    else if (wasFrame) redraw();
  }
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, end);
  // Drawing a frame does not choose a start.
  canvas.addEventListener("click", (event) => wasFrame && event.stopImmediatePropagation());

  for (const name of ["touchstart", "touchmove"]) {
    canvas.addEventListener(name, (event) => {
      if (event.touches.length > 1 && event.cancelable) event.preventDefault();
    }, { passive: false });
  }

  // The wheel scrolls the page unless the map has the focus, or with Ctrl, which a pinch on a pad sends.
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && document.activeElement !== canvas) return;
    const lines = event.deltaMode === 0 ? 1 : 16;
    const far = Math.min(Math.max(event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.003), -1), 1);
    if (look(widened(window, whole, placeOf(event), Math.exp(far)))) event.preventDefault();
  }, { passive: false });

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = event.target === canvas && event.shiftKey && arrows[event.key];
    if (event.key === "+" || event.key === "=") step(CLOSER);
    else if (event.key === "-" || event.key === "−") step(1 / CLOSER);
    else if (event.key === "Home") look(whole);
    else if (event.key === "Escape" && frame) [drag, frame] = [null, null];
    else if (way) look(shifted(window, whole, way.map((part) => part / 8)));
    else return;
    redraw();
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  const row = element("div", { class: "zooming", role: "group", "aria-label": "zoom" }, closer, wider, back);
  for (const heard of [canvas, row]) heard.addEventListener("keydown", onKey);
  canvas.classList.add("zooms");
  tell();
  return {
    elements: [row, note, done], picture, follow, frame: () => frame, stop: () => workers.stop(),
    says: () => ` Zoom with the keys + and −, move with Shift and the arrow keys, see all with Home.${
      patchwork ? ` Seen: ${windowInWords(window)}.` : ""}`,
  };
}

further.zoom = makeZoom;
