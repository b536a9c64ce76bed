// Workers that compute a map in the background while the page keeps moving.
import { bytesOf } from "../drawing/packing.js";
import { computeEndTimes } from "./end_times.js";

// One core remains for the page.
const MOST_WORKERS = 4;
const coresToSpare = () =>
  Math.max(1, Math.min(MOST_WORKERS, (navigator.hardwareConcurrency || 2) - 1));

// Workers of a map. `zoom` comes from panels/simulations/zooms.py; `onReport` gets the reports of the
// present job, and `failed` is called if the browser allows no workers.
export class WorkerPool {
  constructor(zoom, onReport, failed) {
    Object.assign(this, { zoom, onReport, failed, job: 0, workers: null });
  }

  async hire() {
    const { program: { bytes, layout }, h, steps, limits } = this.zoom;
    const settings = { bytes: await bytesOf(bytes), layout, h, steps, limits };
    const address = URL.createObjectURL(
      new Blob([`(${computeEndTimes})(self)`], { type: "text/javascript" }));
    return Array.from({ length: coresToSpare() }, () => {
      const worker = new Worker(address);
      worker.onmessage = ({ data }) => data.job === this.job && this.onReport(data);
      worker.onerror = () => this.failed();
      worker.postMessage(settings);
      return worker;
    });
  }

  // Abandon the present map and compute another one.
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

  // Abandon the present map and end the workers.
  async stop() {
    this.job += 1;
    const workers = await this.workers?.catch(() => []);
    workers?.forEach((worker) => worker.terminate());
    this.workers = null;
  }
}
