// Runs compiled loops for tests/tutlib/test_bits.py: reads a list of {code, layout, parameters, times,
// start, rows} from standard input and writes the last row of each, and how far it came.
const input = await new Promise((resolve) => {
  let all = "";
  process.stdin.on("data", (part) => (all += part)).on("end", () => resolve(all));
});
const hex = (values) => Buffer.from(new Float64Array(values).buffer).toString("hex");
const results = JSON.parse(input).map(({ code, layout, parameters, times, start, rows }) => {
  const module = new WebAssembly.Module(Buffer.from(code, "base64"));
  const { memory, prepare, run } = new WebAssembly.Instance(module).exports;
  const memoryOf = (name, length) => new Float64Array(memory.buffer, 8 * layout[name], length);
  memoryOf("p", parameters.length).set(parameters);
  prepare();
  const k = start.length;
  const [T, X] = [memoryOf("T", rows + 1), memoryOf("X", (rows + 1) * k)];
  X.set(start);
  let done = 0;
  while (done < times.length - 1) {
    const count = Math.min(rows, times.length - 1 - done);
    T.set(times.slice(done, done + count + 1));
    const taken = run(count);
    done += taken;
    X.copyWithin(0, taken * k, (taken + 1) * k);
    if (taken < count) break;
  }
  return { done, last: hex(X.slice(0, k)) };
});
process.stdout.write(JSON.stringify(results));
