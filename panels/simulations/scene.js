// Picture of a live simulation: all motions on one canvas, ghosts behind, arrows in front.
import { ArrowScale, arrowMark, drawArrows, readArrows, sizeOf } from "./arrows.js";
import {
  LOOK, drawGuides, drawMechanism, drawTrace, newPicture, shown, viewOf,
} from "../drawing/drawing.js";

// View of motions in the plane: projection of points, visible box, and surroundings. space.js has the
// view of motions in space.
export const inThePlane = () => ({ flat: (points) => points, box: null, surroundings: () => {} });

export class Scene {
  constructor(spec, runs, setting, { canvas, scale, arrowLegend }, look) {
    Object.assign(this, { spec, runs, setting, canvas, scale, arrowLegend, look });
    this.box = [...spec.box];
    this.scales = new Map((spec.arrows ?? []).map(({ unit }) => [unit, new ArrowScale()]));
    this.groups = (spec.arrows ?? []).map((group) => ({ group, scale: this.scales.get(group.unit) }));
  }

  view(picture) {
    return viewOf(this.box, picture);
  }

  draw(playing) {
    const picture = newPicture(this.canvas);
    if (!picture.width) return;
    const { look, runs, spec, setting } = this;
    const states = runs.map((run) => run.now(playing));
    const points = runs.map((run, i) => run.simulation.points(states[i]));
    const drawn = points.map((places) => look.flat(places));
    this.fit(drawn, points);
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
    this.drawArrows(picture, view, states, points);
    this.tellScale(view);
  }

  // Widen the picture for points that leave it.
  fit(drawn, points) {
    if (this.look.box) {
      this.box = this.look.box(points[0]);
      return;
    }
    for (const [x, y] of drawn.flat()) {
      if (!Number.isFinite(x + y)) continue;
      const [left, bottom, right, top] = this.box;
      this.box = [Math.min(left, x), Math.min(bottom, y), Math.max(right, x), Math.max(top, y)];
    }
  }

  // The visible box, or null if it is the initial one.
  widened() {
    const wider = !this.look.box && this.box.some((edge, i) => edge !== this.spec.box[i]);
    return wider ? this.box : null;
  }

  // Draw the arrows after the scales have seen all of them, since arrows of one unit share a scale.
  drawArrows(picture, view, states, points) {
    const seen = [];
    for (const { group, scale } of this.groups) {
      if (!this.setting[group.name]) continue;
      this.runs.forEach((run, i) => {
        const each = run.size.arrows?.[group.name];
        if (!each || run.ghost) return;
        const out = run.simulation.outputs(states[i]);
        const arrows = readArrows(each, out, points[i]);
        arrows.forEach((arrow) => scale.see(sizeOf(arrow)));
        seen.push({ group, scale, arrows });
      });
    }
    for (const { group, scale, arrows } of seen) {
      if (scale.unit) drawArrows(picture, view, arrows, scale.unit, group.role, this.look.flat);
    }
  }

  // Reset the scales of the arrows.
  begin() {
    this.scales.forEach((scale) => scale.begin());
  }

  // Write the scale of lengths and those of the arrows below the picture.
  tellScale(view) {
    const meters = 10 ** Math.floor(Math.log10((this.box[2] - this.box[0]) / 2));
    const pixels = Math.round(meters * view.scale);
    if (pixels !== this.pixels) {
      showScale(this.scale, `${meters} m`, pixels);
      this.pixels = pixels;
    }
    const shownGroups = this.groups.filter(({ group, scale }) => this.setting[group.name] && scale.unit);
    const text = shownGroups.map(({ group, scale }) => `${group.name} ${scale.unit.value}`).join();
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
