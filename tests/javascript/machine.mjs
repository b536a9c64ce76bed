// Runs modules as a browser does, for the tests in Python: reads jobs from standard input, each
//   {bytes, layout, write, calls, read}
// with the module's bytes in base64, from names of arrays to [first float, length], to the numbers
// that are written there, calls [name, whole numbers...], and names of arrays to read in the end.
// Prints for each job {results, arrays}: each float as the 16 hexadecimal digits of its bits.
const text = await new Promise((resolve) => {
  let all = "";
  process.stdin.on("data", (part) => (all += part)).on("end", () => resolve(all));
});

async function run({ bytes, layout, write = {}, calls = [], read = [] }) {
  const { instance } = await WebAssembly.instantiate(Buffer.from(bytes, "base64"));
  const { memory, ...routines } = instance.exports;
  const place = ([first, length], Kind) => new Kind(memory.buffer, 8 * first, length);
  for (const [name, values] of Object.entries(write)) place(layout[name], Float64Array).set(values);
  const results = calls.map(([name, ...wholes]) => routines[name](...wholes) ?? null);
  const bits = (name) => Array.from(place(layout[name], BigUint64Array), (value) =>
    value.toString(16).padStart(16, "0"));
  return { results, arrays: Object.fromEntries(read.map((name) => [name, bits(name)])) };
}

const done = [];
for (const job of JSON.parse(text)) done.push(await run(job));
process.stdout.write(JSON.stringify(done));
