// Machines that run a program in the page: the same bytes that Python runs.
//
// `program` is what panels/simulations/packing.py writes: the bytes as text, and where each array is.

import { bytesOf } from "../drawing/packing.js";

// Say on a page that nothing can move there, and why: a server may forbid it.
function sayWhy(error) {
  const wanted = "Nothing moves here: the Content-Security-Policy of the server must allow 'wasm-unsafe-eval'.";
  if (error instanceof WebAssembly.CompileError) document.querySelector("main.tutlib-panel")?.prepend(wanted);
  throw error;
}

// One machine for each motion of a simulation, with a memory of its own. A motion may bring along a
// program of its own. `answer(name, numbers)` gives what the program takes from outside.
export async function machines(program, { runs }, answer = () => NaN) {
  const compiled = new Map();
  const compile = async ({ bytes }) => WebAssembly.compile(await bytesOf(bytes)).catch(sayWhy);
  return Promise.all(runs.map(async (run) => {
    const code = run.program ?? program;
    if (!compiled.has(code)) compiled.set(code, compile(code));
    let floats = null;
    const outside = Object.fromEntries(Object.entries(code.outside ?? {}).map(
      ([name, [first, length]]) =>
        [name, (out) => (floats[out] = answer(name, floats.subarray(first, first + length)))]));
    const { memory, ...routines } =
      (await WebAssembly.instantiate(await compiled.get(code), { outside })).exports;
    floats = new Float64Array(memory.buffer);
    const arrays = Object.entries(code.layout).map(([name, [first, length]]) =>
      [name, new Float64Array(memory.buffer, 8 * first, length)]);
    return { routines, arrays: Object.fromEntries(arrays) };
  }));
}
