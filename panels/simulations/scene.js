// Picture of a live simulation: all motions on one canvas, ghosts behind, arrows in front.
import { ArrowScale, arrowMark, drawArrows, readArrows, sizeOf, tipsOf } from "./arrows.js";
import {
  LOOK, drawGuides, drawMechanism, drawTrace, newPicture, scaleOf, shown, viewOf,
} from "../drawing/drawing.js";

// Number of times that the picture is widened for masses and arrows. Their sizes in pixels do not change,
// so in a wider picture they reach farther in meters, each time by less.
const ROUNDS = 6;

// The smallest box that contains a box and points, which may be not finite.
const around = (box, points) => points.filter(([x, y]) => Number.isFinite(x + y)).reduce(
  ([left, bottom, right, top], [x, y]) =>
    [Math.min(left, x), Math.min(bottom, y), Math.max(right, x), Math.max(top, y)], box);

// View of motions in the plane: projection of points, visible box, and surroundings. space.js has the
// view of motions in space.
export const inThePlane = () => ({ flat: (points) => points, box: null, surroundings: () => {} });

export class Scene {
  constructor(spec, runs, setting, { canvas, scale, arrowLegend }, look) {
    Object.assign(this, { spec, runs, setting, canvas, scale, arrowLegend, look });
    this.lookAt(spec.box);
    this.scales = new Map((spec.arrows ?? []).map(({ unit }) => [unit, new ArrowScale()]));
    this.groups = (spec.arrows ?? []).map((group) => ({ group, scale: this.scales.get(group.unit) }));
  }

  // Set the visible box; `room` is this box with room for masses and arrows, which depends on the canvas.
  lookAt(box) {
    this.box = [...box];
    this.room = [...box];
  }

  view(picture) {
    return viewOf(this.room, picture);
  }

  draw(playing) {
    const picture = newPicture(this.canvas);
    if (!picture.width) return;
    const { look, runs, spec, setting } = this;
    const states = runs.map((run) => run.now(playing));
    const points = runs.map((run, i) => run.simulation.points(states[i]));
    const drawn = points.map((places) => look.flat(places));
    this.fit(drawn, points);
    const arrows = this.arrowsOf(states, points);
    this.makeRoom(picture, drawn, arrows);
    const view = this.view(picture);
    look.surroundings(picture, view);
    const inOrder = runs.map((run, i) => i).sort((a, b) => !!runs[b].ghost - !!runs[a].ghost);
    for (const i of setting.trace ? inOrder : []) {
      if (!runs[i].ghost) drawTrace(picture, view, look.flat(runs[i].trace), i);
    }
    drawGuides(picture, view, spec.guides, drawn[0]);
    for (const i of inOrder) {
      const { ghost } = runs[i];
      const skeleton = { ...spec.skeleton, radii: runs[i].radii(states[i], LOOK.radii), ghost };
      if (look.mechanism) look.mechanism(picture, view, skeleton, points[i], i);
      else drawMechanism(picture, view, skeleton, drawn[i], i);
    }
    for (const { group, scale, each } of arrows) {
      drawArrows(picture, view, each, scale.unit, group.role, look.flat);
    }
    this.tellScale(view);
  }

  // Widen the picture for points that leave it.
  fit(drawn, points) {
    this.box = this.look.box ? this.look.box(points[0]) : around(this.box, drawn.flat());
  }

  // Widen the picture for masses and arrows that leave it. In the plane it becomes narrower again only
  // when the size of the canvas or the choice of arrows changes.
  makeRoom(picture, drawn, arrows) {
    const { width, height } = picture;
    const chosen = this.groups.filter(({ group }) => this.setting[group.name]).map(({ group }) => group.name);
    const fitted = [width, height, ...chosen].join();
    const [left, bottom, right, top] = this.box;
    const before = !this.look.box && fitted === this.fitted ? this.room : this.box;
    this.room = around(before, [[left, bottom], [right, top]]);
    this.fitted = fitted;
    this.scales.forEach((scale) => scale.fitTo(height));
    if (this.look.box) return;
    const masses = drawn.flatMap((points) => (this.spec.skeleton?.bodies ?? []).map((k) => points[k]));
    const far = LOOK.radii.mass;
    for (let round = 0; round < ROUNDS; round++) {
      const view = this.view(picture);
      const corners = masses.map(view.map).flatMap(([x, y]) => [[x - far, y - far], [x + far, y + far]]);
      const tips = arrows.flatMap(({ scale, each }) =>
        each.flatMap((arrow) => tipsOf(arrow, view, scale.unit, this.look.flat)));
      const outside = [...corners, ...tips].filter(([x, y]) => x < 0 || x > width || y < 0 || y > height);
      if (!outside.length) return;
      this.room = around(this.room, outside.map(view.unmap));
    }
  }

  // The visible box, or null if it is the initial one.
  widened() {
    const wider = !this.look.box && this.box.some((edge, i) => edge !== this.spec.box[i]);
    return wider ? this.box : null;
  }

  // The arrows that are shown, {group, scale, each}, after the scales have seen all of them, since arrows
  // of one unit share a scale.
  arrowsOf(states, points) {
    const arrows = this.groups.filter(({ group }) => this.setting[group.name]).flatMap(({ group, scale }) =>
      this.runs.flatMap((run, i) => {
        const described = run.size.arrows?.[group.name];
        if (!described || run.ghost) return [];
        const each = readArrows(described, run.simulation.outputs(states[i]), points[i]);
        each.forEach((arrow) => scale.see(sizeOf(arrow)));
        return [{ group, scale, each }];
      }));
    return arrows.filter(({ scale }) => scale.unit);
  }

  // Reset the scales of the arrows.
  begin() {
    this.scales.forEach((scale) => scale.begin());
  }

  // Write the scale of lengths and those of the arrows below the picture.
  tellScale(view) {
    const meters = scaleOf(this.room);
    const pixels = Math.round(meters * view.scale);
    if (pixels !== this.pixels) {
      showScale(this.scale, `${meters} m`, pixels);
      this.pixels = pixels;
    }
    const shownGroups = this.groups.filter(({ group, scale }) => this.setting[group.name] && scale.unit);
    const text = shownGroups.map(({ group, scale }) => `${group.name} ${scale.unit.value} ${scale.unit.pixels}`).join();
    if (text === this.legend) return;
    this.legend = text;
    this.arrowLegend.replaceChildren(...[...this.scales].flatMap(([unit, scale]) => {
      const groups = shownGroups.filter((each) => each.scale === scale).map(({ group }) => group);
      return groups.length ? [keyOf(groups, unit, scale.unit)] : [];
    }));
  }
}

const part = (kind = "") => Object.assign(document.createElement("span"), { className: kind });

function showScale(at, text, pixels) {
  at.textContent = text;
  at.style.setProperty("--length", `${pixels}px`);
}

// Legend of the arrows of one unit, and their scale; directions have no unit, and need no scale.
function keyOf(groups, unit, { value, pixels }) {
  const key = part();
  for (const { role, label } of groups) {
    const item = part();
    item.innerHTML = arrowMark(role);
    item.append(label);
    key.append(item);
  }
  if (unit) {
    const scale = part("scale");
    showScale(scale, `${shown(value / 2)} ${unit}`, pixels / 2);
    key.append(scale);
  }
  return key;
}
