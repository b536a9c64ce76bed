// What runs a program in the page: the same bytes that Python runs.
//
// `program` is what tutlib/page/packing.py writes: the bytes as text, and where each array is.

const bytesOf = async (text) => {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
};

// One machine for each motion of a simulation, with a memory of its own.
export async function machines({ bytes, layout }, { runs }) {
  const module = await WebAssembly.compile(await bytesOf(bytes));
  return Promise.all(runs.map(async () => {
    const { memory, ...routines } = (await WebAssembly.instantiate(module)).exports;
    const arrays = Object.entries(layout).map(([name, [first, length]]) =>
      [name, new Float64Array(memory.buffer, 8 * first, length)]);
    return { routines, arrays: Object.fromEntries(arrays) };
  }));
}
