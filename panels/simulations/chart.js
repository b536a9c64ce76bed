// Map of initial states: a click in it chooses one.
//
// `chart` is what panels/simulations/maps.py writes: images, and for both axes a state's index, label, unit,
// scale and range in shown units. `choose` gets the chosen start as { index: value }. `draw` gets the
// start and the parameters, one of which may select the map. A chart that the page can recompute has a
// `zoom`; zooming.js, where a page has it, puts the function for it into `further`.
import { arrows, newPicture, shown } from "../drawing/drawing.js";

const [LEFT, RIGHT, TOP, BOTTOM] = [58, 14, 8, 40];
export const further = { zoom: null };

export function makeChart(chart, choose) {
  const canvas = document.createElement("canvas");
  canvas.className = "chart";
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  const images = chart.images.map((address) => {
    const image = new Image();
    image.addEventListener("load", () => draw());
    image.src = address;
    return image;
  });
  let [start, parameters] = [[], []];
  let { x, y } = chart;
  const note = made("p", "note");

  const inside = () => {
    const { width, height } = canvas.getBoundingClientRect();
    return { width: width - LEFT - RIGHT, height: height - TOP - BOTTOM };
  };
  const values = () => [x, y].map(({ index, scale }) => start[index] * scale);

  function pick(across, up) {
    const within = (value, { low, high }) =>
      Math.min(Math.max(low, high), Math.max(Math.min(low, high), value));
    choose({
      [x.index]: within(across, x) / x.scale,
      [y.index]: within(up, y) / y.scale,
    });
  }

  function placeOf({ clientX, clientY }) {
    const { left, top } = canvas.getBoundingClientRect();
    const { width, height } = inside();
    return [
      x.low + ((clientX - left - LEFT) / width) * (x.high - x.low),
      y.high - ((clientY - top - TOP) / height) * (y.high - y.low),
    ];
  }
  const point = (event) => pick(...placeOf(event));

  const zoom = chart.zoom && further.zoom?.(chart, {
    canvas, placeOf, inside, chosen: values, stored: () => images[0], redraw: () => draw(),
    show: (window) => ([x, y] = window),
  });
  const element = made(
    "div", "chart-with-bar", canvas, ...(zoom?.elements ?? []), ...barOf(chart.bar), note);
  canvas.addEventListener("click", point);
  canvas.addEventListener("pointermove", (event) => {
    if (!zoom && event.pointerType === "mouse" && event.buttons === 1) point(event);
  });
  canvas.addEventListener("keydown", (event) => {
    const arrow = arrows[event.key];
    if (!arrow || event.ctrlKey || event.metaKey || event.altKey) return;
    const [across, up] = values();
    pick(
      across + (arrow[0] * (x.high - x.low)) / 100,
      up + (arrow[1] * (y.high - y.low)) / 100,
    );
    event.preventDefault();
    event.stopPropagation();
  });

  function draw(x0 = start, p = parameters) {
    [start, parameters] = [x0, p];
    zoom?.follow(x0, p);
    const image = images[nearest(chart.follows, p)];
    const sentence = zoom ? "" : noteFor(chart, p);
    if (note.textContent !== sentence) note.textContent = sentence;
    const { g, width: all, ink } = newPicture(canvas);
    if (!all || !image.complete || !image.naturalWidth) return;
    const { width, height } = inside();
    const computed = zoom?.picture();
    if (computed) {
      g.imageSmoothingEnabled = false;
      g.drawImage(computed, LEFT, TOP, width, height);
    } else placeStored(g, image, LEFT, TOP, width, height);
    const across = (value) => LEFT + ((value - x.low) / (x.high - x.low)) * width;
    const up = (value) => TOP + ((y.high - value) / (y.high - y.low)) * height;
    g.fillStyle = ink;
    g.font = "13px system-ui, sans-serif";
    drawEnds(g, [x, y], [across, up], { width, height });
    g.textAlign = "center";
    g.fillText(`${x.label} [${x.unit}]`, LEFT + width / 2, TOP + height + 34);
    g.save();
    g.translate(14, TOP + height / 2);
    g.rotate(-Math.PI / 2);
    g.fillText(`${y.label} [${y.unit}]`, 0, 0);
    g.restore();
    const corners = zoom?.frame()?.map(([one, other]) => [across(one), up(other)]);
    if (corners) drawFrame(g, ...corners);
    const [chosenX, chosenY] = values();
    const between = (value, { low, high }) => (value - low) * (value - high) <= 0;
    const seen = between(chosenX, x) && between(chosenY, y);
    if (!seen && !zoom) return;
    if (seen) drawChosen(g, across(chosenX), up(chosenY));
    const said = [x, y].map((axis, i) => `${axis.label} = ${shown(values()[i], 3)}${axis.unit}`);
    canvas.setAttribute("aria-label", `${chart.description} Chosen: ${said.join(", ")}. ` +
      `Choose with a click or the arrow keys.${zoom?.says() ?? ""}`);
  }

  // The map may get its size after everything else, so it redraws itself.
  const sized = new ResizeObserver(() => draw());
  sized.observe(canvas);
  const stop = () => {
    sized.disconnect();
    zoom?.stop();
  };
  return { element, draw, stop };
}

// Numbers at the ends and in the middle of both axes; long ones are rotated along the axis.
function drawEnds(g, axes, at, { width, height }) {
  const fractions = [0, 0.5, 1];
  const [below, beside] = axes.map((axis) =>
    fractions.map((part) => axis.low + part * (axis.high - axis.low)));
  const labels = beside.map((value) => onAxis(value, axes[1]));
  const short = labels.every(({ length }) => length < 5);
  fractions.forEach((_, i) => {
    g.textAlign = ["left", "center", "right"][i];
    if (short || i !== 1) g.fillText(onAxis(below[i], axes[0]), at[0](below[i]), TOP + height + 16);
    if (short) {
      g.textAlign = "right";
      g.fillText(labels[i], LEFT - 6, at[1](beside[i]) + [0, 4, 10][i]);
    } else if (i !== 1) {
      g.save();
      g.translate(LEFT - 8, at[1](beside[i]));
      g.rotate(-Math.PI / 2);
      g.fillText(labels[i], 0, 0);
      g.restore();
    }
  });
}

// A number with as many digits as its axis needs.
export function onAxis(value, { low, high }) {
  const digits = Math.ceil(2 - Math.log10(Math.abs(high - low)));
  if (digits < 1) return shown(value);
  const text = value.toFixed(Math.min(digits, 15));
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

// Two lines, one for dark and one for bright colors.
function drawTwice(g, widths, path) {
  for (const [color, width] of [["#000000", widths[0]], ["#ffffff", widths[1]]]) {
    Object.assign(g, { strokeStyle: color, lineWidth: 2 });
    g.beginPath();
    path(width);
    g.stroke();
  }
}

const drawChosen = (g, x, y) => drawTwice(g, [8, 6], (radius) => g.arc(x, y, radius, 0, 2 * Math.PI));

const drawFrame = (g, [x0, y0], [x1, y1]) => drawTwice(g, [1, -1], (by) => {
  const [left, right] = [Math.min(x0, x1) - by, Math.max(x0, x1) + by];
  const [top, bottom] = [Math.min(y0, y1) - by, Math.max(y0, y1) + by];
  g.rect(left, top, right - left, bottom - top);
});

// Stored map: its outermost rows and columns are centered on the ends of the axes, so half of each is
// cut off.
export function placeStored(g, image, left, top, width, height) {
  g.imageSmoothingEnabled = false;
  const { naturalWidth: columns, naturalHeight: rows } = image;
  const [cutX, cutY] = [columns, rows].map((count) => (count > 1 ? 0.5 : 0));
  g.drawImage(image, cutX, cutY, columns - 2 * cutX, rows - 2 * cutY, left, top, width, height);
}


function made(tag, name, ...children) {
  const element = document.createElement(tag);
  element.className = name;
  element.append(...children);
  return element;
}

// Legend of the colors: a bar from the smallest to the largest number, and the meaning of gray.
function barOf({ low, high, colors, gray, label, kinds, otherwise }) {
  const swatch = (color) => {
    const square = made("span", "swatch-of-map");
    square.style.background = color;
    return square;
  };
  const rows = kinds.map((kind, i) => made("div", "words", swatch(colors[i]), kind));
  if (!kinds.length && high > low) {
    const bar = made("span", "bar");
    bar.style.background = `linear-gradient(to right, ${colors.join(", ")})`;
    const ends = [low, high].map((value) => made("span", "end", shown(value, 3)));
    rows.push(made("div", "colors", ends[0], bar, ends[1]), made("div", "words", label));
  } else if (label) rows.push(made("div", "words", swatch(colors[0]), label));
  if (gray && otherwise) rows.push(made("div", "words", swatch(gray), otherwise));
  return rows;
}

// Index of the map whose value is nearest to that of the parameter.
function nearest(follows, p) {
  if (!follows) return 0;
  const away = follows.values.map((value) => Math.abs(value - (p[follows.index] ?? value)));
  return away.indexOf(Math.min(...away));
}

// Note on the values for which the map was drawn: it does not follow every slider.
function noteFor({ follows, drawn }, p) {
  const value = ({ label, unit, scale }, number) =>
    `${label.replace("_", "")} = ${shown(number * scale, 3)}${unit.startsWith("°") ? "" : " "}${unit}`.trim();
  const fixed = drawn.map((item) => value(item, item.value));
  if (follows) fixed.unshift(value(follows, follows.values[nearest(follows, p)]));
  if (!fixed.length) return "";
  const moved = drawn.filter(({ index, value: at }) => p[index] !== undefined && p[index] !== at);
  const but = moved.length ? ` Now ${moved.map((item) => value(item, p[item.index])).join(", ")}; the map does not show this change.`
    : drawn.length ? ` ${drawn.length > 1 ? "The sliders" : "The slider"} for ${drawn.length > 1 ? "these do" : `${drawn[0].label.replace("_", "")} does`} not change it.` : "";
  return `Drawn for ${fixed.join(", ")}.${but}`;
}
