// Workers that compute a map in the background while the page keeps moving.
import { bytesOf } from "../drawing/packing.js";
import { computeFates } from "./end_times.js";

// One core is left to the page.
const MOST_WORKERS = 4;
const coresToSpare = () =>
  Math.max(1, Math.min(MOST_WORKERS, (navigator.hardwareConcurrency || 2) - 1));

// `zoom` is what panels/simulations/zooms.py writes; `onReport` hears what computeFates tells of the
// present job, `failed` is called where the browser lets no worker work.
export class Crew {
  constructor(zoom, onReport, failed) {
    Object.assign(this, { zoom, onReport, failed, job: 0, workers: null });
  }

  async hire() {
    const { program: { bytes, layout }, h, steps, limits } = this.zoom;
    const settings = { bytes: await bytesOf(bytes), layout, h, steps, limits };
    const address = URL.createObjectURL(
      new Blob([`(${computeFates})(self)`], { type: "text/javascript" }));
    return Array.from({ length: coresToSpare() }, () => {
      const worker = new Worker(address);
      worker.onmessage = ({ data }) => data.job === this.job && this.onReport(data);
      worker.onerror = () => this.failed();
      worker.postMessage(settings);
      return worker;
    });
  }

  // End what is going on, and compute another map.
  async begin(task) {
    const job = this.job += 1;
    try {
      const workers = await (this.workers ??= this.hire());
      if (job !== this.job) return;
      workers.forEach((worker, number) =>
        worker.postMessage({ ...task, job, number, of: workers.length }));
    } catch {
      this.failed();
    }
  }

  // Of no interest any more: the map is known, or another one comes.
  async stop() {
    this.job += 1;
    const workers = await this.workers?.catch(() => []);
    workers?.forEach((worker) => worker.terminate());
    this.workers = null;
  }
}
