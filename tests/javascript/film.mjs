// Asks the player's films where their points are: reads {data, axes, times, trace} from standard
// input; prints the points of each motion at each time, and how its last body comes from the first
// time to the last one in steps of a hundredth.
import { Film } from "../../panels/animations/film.js";
import { positionsOf } from "../../panels/drawing/packing.js";

const text = await new Promise((resolve) => {
  let all = "";
  process.stdin.on("data", (part) => (all += part)).on("end", () => resolve(all));
});
const { data, axes, times } = JSON.parse(text);
const found = [];
for (const motion of data.motions) {
  const film = new Film(await positionsOf(motion, data.frames), data, axes);
  const body = data.skeleton.bodies.at(-1);
  found.push({
    points: times.map((time) => film.pointsAt(time)),
    path: film.path(body, times[0], times.at(-1), 0.01),
  });
}
process.stdout.write(JSON.stringify(found));
