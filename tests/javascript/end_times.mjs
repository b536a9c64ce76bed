// Runs what a worker of a map computes, for test_maps.py: reads {told, jobs} from standard
// input, where `told` has its bytes as packed text. Each job is given when the one before is done.
// Prints all reports, infinity as null.
import { computeEndTimes } from "../../panels/simulations/end_times.js";
import { bytesOf } from "../../panels/drawing/packing.js";

const text = await new Promise((resolve) => {
  let all = "";
  process.stdin.on("data", (part) => (all += part)).on("end", () => resolve(all));
});
const { told: { program, ...told }, jobs } = JSON.parse(text);

const reports = [];
let left = 0;
const scope = {
  postMessage({ job, grain, columns, rows, times }) {
    reports.push({ job, grain, columns: [...columns], rows: [...rows], times: [...times] });
    if (job === current.job) left -= times.length;
    if (!left) next();
  },
};
let current = null;

function next() {
  if (!jobs.length) {
    process.stdout.write(JSON.stringify(reports), () => process.exit());
    return;
  }
  current = jobs.shift();
  left = current.pixels;
  scope.onmessage({ data: current });
}

computeEndTimes(scope);
scope.onmessage({ data: { ...told, layout: program.layout, bytes: await bytesOf(program.bytes) } });
next();
