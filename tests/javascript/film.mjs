// Asks the player's films where their points are: reads {data, axes, times} from standard input;
// prints the points of each motion at each time.
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
  found.push(times.map((time) => film.pointsAt(time)));
}
process.stdout.write(JSON.stringify(found));
