// Machines that run a program in the page: the same bytes that Python runs.
//
// `program` comes from panels/simulations/packing.py: the bytes as text, and {name: [start, count]} of
// the arrays and their parts.

import { bytesOf } from "../drawing/packing.js";

// Explain on the page why nothing moves: a server may forbid WebAssembly.
function sayWhy(error) {
  const wanted = "Nothing moves here: the Content-Security-Policy of the server must allow 'wasm-unsafe-eval'.";
  if (error instanceof WebAssembly.CompileError) document.querySelector("main.tutlib-panel")?.prepend(wanted);
  throw error;
}

// One machine with its own memory for each motion of a simulation. A motion may have its own program.
// `answer(name, numbers)` evaluates the functions that the program imports.
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
