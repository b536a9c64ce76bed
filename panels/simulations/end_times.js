// End times of motions from many initial states: the work of a map's worker, with the program that
// `ensemble` runs in Python.
//
// The function is sent to the worker as text, so it can use nothing outside itself. The worker receives
// {bytes, layout, h, steps, limits} once, and then jobs, each of which replaces the job before:
//   {job, x, y, width, height, base, p, grain, number, of}
// with the axes x and y as {index, low, high, scale}, the size of the map in pixels, a base state of
// which each start changes two entries, and parameters. Starts are at the centers of pixels. One start
// is computed for each block of `grain` pixels, then for blocks half as wide, and so on; of each block
// size this worker takes every `of`-th row, from row `number`. It reports {job, grain, columns, rows,
// times}, with infinity for motions that did not end.
export function computeEndTimes(scope) {
  // Minimum number of starts per report, rounds between looks at the clock, and milliseconds between
  // looks at the messages; reports come about as often.
  const [FEWEST, ROUNDS, PATIENCE] = [128, 256, 10];
  let [program, machine, task, waiting, atOnce, began] = [null, null, null, false, FEWEST, 0];
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = goOn;

  scope.onmessage = ({ data }) => {
    if (data.bytes) {
      program = data;
      machine = machineOf(data);
      return;
    }
    machine.arrays.p.set(data.p);
    machine.prepare();
    task = { ...data, pixels: pixelsOf(data), block: null };
    wait();
  };

  function wait() {
    if (waiting) return;
    waiting = true;
    port2.postMessage(0);
  }

  function machineOf({ bytes, layout, h, steps, limits }) {
    const { memory, prepare, run } =
      new WebAssembly.Instance(new WebAssembly.Module(bytes), {}).exports;
    const arrays = Object.fromEntries(Object.entries(layout).map(([name, [first, length]]) =>
      [name, new Float64Array(memory.buffer, 8 * first, length)]));
    arrays.h[0] = h;
    arrays.most[0] = steps;
    arrays.limits.set(limits);
    return { arrays, prepare, run };
  }

  // All pixels in the order of computation, from the largest blocks to the smallest.
  function* pixelsOf({ width, height, grain: first, number, of }) {
    for (let grain = first; grain >= 1; grain /= 2) {
      for (let row = number * grain; row < height; row += of * grain) {
        const known = grain < first && row % (2 * grain) === 0;
        for (let column = known ? grain : 0; column < width; column += known ? 2 * grain : grain) {
          yield { grain, column, row };
        }
      }
    }
  }

  // Queue the next starts in the machine: every lane is idle and takes one.
  function begin() {
    const { x, y, width, height, base, held } = task;
    const next = held ? { value: held } : task.pixels.next();
    task.held = null;
    if (next.done) return false;
    const block = [next.value];
    while (block.length < atOnce) {
      const { value, done } = task.pixels.next();
      if (done) break;
      if (value.grain !== block[0].grain) {
        task.held = value;
        break;
      }
      block.push(value);
    }
    const { arrays } = machine;
    block.forEach(({ column, row }, i) => {
      const start = arrays.starts.subarray(i * base.length, (i + 1) * base.length);
      start.set(base);
      start[x.index] = (x.low + ((column + 0.5) / width) * (x.high - x.low)) / x.scale;
      start[y.index] = (y.high - ((row + 0.5) / height) * (y.high - y.low)) / y.scale;
    });
    arrays.taken.fill(NaN);
    [arrays.count[0], arrays.next[0], arrays.busy[0]] = [block.length, 0, 0];
    arrays.start.fill(-1);
    arrays.steps.fill(arrays.most[0]);
    task.block = block;
    began = performance.now();
    return true;
  }

  function report() {
    const { job, block } = task;
    const times = Float64Array.from(block, (_, i) => {
      const taken = machine.arrays.taken[i];
      return taken < program.steps ? taken * program.h : Infinity;
    });
    const [columns, rows] = ["column", "row"].map((name) => Int32Array.from(block, (at) => at[name]));
    task.block = null;
    const more = performance.now() - began < PATIENCE ? 2 * atOnce : atOnce / 2;
    atOnce = Math.min(Math.max(Math.round(more), FEWEST), machine.arrays.taken.length);
    scope.postMessage({ job, grain: block[0].grain, columns, rows, times });
  }

  function goOn() {
    waiting = false;
    if (!task.block && !begin()) return;
    const deadline = performance.now() + PATIENCE;
    do machine.run(ROUNDS); while (machine.arrays.busy[0] > 0 && performance.now() < deadline);
    if (!(machine.arrays.busy[0] > 0)) report();
    wait();
  }
}
