// Unpacking of what panels/drawing/packing.py has packed: bytes as text, and positions.

export async function bytesOf(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

// Positions [m]: all frames of one coordinate, then all frames of the next coordinate.
export async function positionsOf({ bytes, step }, frames) {
  const unpacked = new Uint8Array(await bytesOf(bytes));
  const count = unpacked.length / 4;
  const positions = new Float32Array(count);
  let [place, change] = [0, 0];
  for (let i = 0; i < count; i++) {
    if (i % frames === 0) [place, change] = [0, 0];
    const folded = unpacked[i] + (unpacked[i + count] << 8) + (unpacked[i + 2 * count] << 16)
      + unpacked[i + 3 * count] * 2 ** 24;
    change += folded % 2 ? -(folded + 1) / 2 : folded / 2;
    place += change;
    positions[i] = place * step;
  }
  return positions;
}
