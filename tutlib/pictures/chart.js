// A picture of what becomes of every start: a click in it chooses one.
//
// `chart` is what tutlib/page/maps.py writes: images, and for both axes a state's index, label, unit,
// scale and range in shown units. `choose` hears the chosen start as { index: value }. `draw` is told
// the start, and the parameters, one of which the chart may follow.
import { arrows, newPicture, shown } from "./drawing.js";

const [LEFT, RIGHT, TOP, BOTTOM] = [58, 14, 8, 40];

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
  const { x, y } = chart;
  const note = made("p", "note");
  const element = made("div", "chart-with-bar", canvas, ...barOf(chart.bar), note);

  const inside = () => {
    const { width, height } = canvas.getBoundingClientRect();
    return { width: width - LEFT - RIGHT, height: height - TOP - BOTTOM };
  };
  const values = () => [x, y].map(({ index, scale }) => start[index] * scale);

  function pick(across, up) {
    const within = (value, { low, high }) => Math.min(high, Math.max(low, value));
    choose({
      [x.index]: within(across, x) / x.scale,
      [y.index]: within(up, y) / y.scale,
    });
  }

  function point(event) {
    const { left, top } = canvas.getBoundingClientRect();
    const { width, height } = inside();
    pick(
      x.low + ((event.clientX - left - LEFT) / width) * (x.high - x.low),
      y.high - ((event.clientY - top - TOP) / height) * (y.high - y.low),
    );
  }

  canvas.addEventListener("click", point);
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse" && event.buttons === 1) point(event);
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
    const image = images[nearest(chart.follows, p)];
    const told = noteFor(chart, p);
    if (note.textContent !== told) note.textContent = told;
    const { g, width: all, ink } = newPicture(canvas);
    if (!all || !image.complete || !image.naturalWidth) return;
    const { width, height } = inside();
    g.imageSmoothingEnabled = false;
    g.drawImage(image, LEFT, TOP, width, height);
    const across = (value) => LEFT + ((value - x.low) / (x.high - x.low)) * width;
    const up = (value) => TOP + ((y.high - value) / (y.high - y.low)) * height;
    g.fillStyle = ink;
    g.font = "13px system-ui, sans-serif";
    for (const part of [0, 0.5, 1]) {
      const [at, beside] = [x, y].map(({ low, high }) => low + part * (high - low));
      g.textAlign = ["left", "center", "right"][2 * part];
      g.fillText(shown(at), across(at), TOP + height + 16);
      g.textAlign = "right";
      g.fillText(shown(beside), LEFT - 6, up(beside) + [0, 4, 10][2 * part]);
    }
    g.textAlign = "center";
    g.fillText(`${x.label} [${x.unit}]`, LEFT + width / 2, TOP + height + 34);
    g.save();
    g.translate(14, TOP + height / 2);
    g.rotate(-Math.PI / 2);
    g.fillText(`${y.label} [${y.unit}]`, 0, 0);
    g.restore();
    const [chosenX, chosenY] = values();
    if (chosenX < x.low || chosenX > x.high || chosenY < y.low || chosenY > y.high) return;
    for (const [color, radius] of [["#000000", 8], ["#ffffff", 6]]) {
      g.strokeStyle = color;
      g.lineWidth = 2;
      g.beginPath();
      g.arc(across(chosenX), up(chosenY), radius, 0, 2 * Math.PI);
      g.stroke();
    }
    const said = [x, y].map((axis, i) => `${axis.label} = ${shown(values()[i], 3)}${axis.unit}`);
    canvas.setAttribute("aria-label",
      `${chart.description} Chosen: ${said.join(", ")}. Choose by a click or with the arrow keys.`);
  }

  return { element, draw };
}

function made(tag, name, ...children) {
  const found = document.createElement(tag);
  found.className = name;
  found.append(...children);
  return found;
}

// What the colors say: a bar from the least to the largest number, and what is gray.
function barOf({ low, high, colors, gray, label, otherwise }) {
  const swatch = (color) => {
    const found = made("span", "swatch-of-map");
    found.style.background = color;
    return found;
  };
  const parts = [];
  if (high > low) {
    const bar = made("span", "bar");
    bar.style.background = `linear-gradient(to right, ${colors.join(", ")})`;
    const ends = [low, high].map((value) => made("span", "end", shown(value, 3)));
    parts.push(made("div", "colors", ends[0], bar, ends[1]), made("div", "words", label));
  } else if (label) parts.push(made("div", "words", swatch(colors[0]), label));
  if (gray && otherwise) parts.push(made("div", "words", swatch(gray), otherwise));
  return parts;
}

// The number of the map whose value is next to that of the parameter.
function nearest(follows, p) {
  if (!follows) return 0;
  const away = follows.values.map((value) => Math.abs(value - (p[follows.index] ?? value)));
  return away.indexOf(Math.min(...away));
}

// What the map is for: it does not follow every slider.
function noteFor({ follows, drawn }, p) {
  const value = ({ label, unit, scale }, number) =>
    `${label.replace("_", "")} = ${shown(number * scale, 3)}${unit.startsWith("°") ? "" : " "}${unit}`.trim();
  const fixed = drawn.map((item) => value(item, item.value));
  if (follows) fixed.unshift(value(follows, follows.values[nearest(follows, p)]));
  if (!fixed.length) return "";
  const moved = drawn.filter(({ index, value: at }) => p[index] !== undefined && p[index] !== at);
  const but = moved.length ? ` Now ${moved.map((item) => value(item, p[item.index])).join(", ")}: the map does not show it.`
    : drawn.length ? ` ${drawn.length > 1 ? "The sliders" : "The slider"} for ${drawn.length > 1 ? "these do" : `${drawn[0].label.replace("_", "")} does`} not change it.` : "";
  return `Drawn for ${fixed.join(", ")}.${but}`;
}
