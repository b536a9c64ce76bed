// Picture that is refined: each pixel has a color and a grain, the width of its block in pixels. Coarser
// blocks never replace finer ones.

export class Patchwork {
  constructor(width, height) {
    const count = width * height;
    const colors = new Uint32Array(count);
    Object.assign(this, { width, height, colors, grains: new Float32Array(count).fill(Infinity) });
  }

  // Color the block around a pixel; the last block of a row or column extends to the edge.
  put(column, row, grain, color) {
    const { width, height, colors, grains } = this;
    const ends = (at, size) => [
      Math.max(at - (grain >> 1), 0), at + grain >= size ? size : at + grain - (grain >> 1),
    ];
    const [[left, right], [top, bottom]] = [ends(column, width), ends(row, height)];
    for (let j = top; j < bottom; j++) {
      for (let i = j * width + left; i < j * width + right; i++) {
        if (grain > grains[i]) continue;
        colors[i] = color;
        grains[i] = grain;
      }
    }
  }

  // A part of this picture as another picture; the part is [left, top, width, height] as fractions of
  // this picture.
  seenThrough([left, top, across, down], width, height) {
    const picture = new Patchwork(width, height);
    const larger = Math.max(width / (across * this.width), height / (down * this.height));
    for (let row = 0; row < height; row++) {
      const above = Math.floor((top + ((row + 0.5) / height) * down) * this.height);
      if (above < 0 || above >= this.height) continue;
      for (let column = 0; column < width; column++) {
        const before = Math.floor((left + ((column + 0.5) / width) * across) * this.width);
        if (before < 0 || before >= this.width) continue;
        const [to, from] = [row * width + column, above * this.width + before];
        picture.colors[to] = this.colors[from];
        picture.grains[to] = this.grains[from] * larger;
      }
    }
    return picture;
  }

  // Width of the coarsest blocks here as a power of two, at most `most`.
  coarsest(most) {
    const worst = this.grains.reduce((a, b) => Math.max(a, b), 1);
    return worst >= most ? most : 2 ** Math.floor(Math.log2(worst));
  }
}

// Function from a time to a color of a canvas; `bar` comes from Chart.bar of panels/simulations/chart.py,
// and `gray` is the color of infinity.
export function shadesOf({ low, high, colors }, gray) {
  const channels = (color) => [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16));
  const number = ([red, green, blue]) => (0xff << 24 | blue << 16 | green << 8 | red) >>> 0;
  const stops = colors.map(channels);
  const other = number(channels(gray));
  return (time) => {
    if (!Number.isFinite(time)) return other;
    const part = high > low ? Math.min(Math.max((time - low) / (high - low), 0), 1) : 0;
    const place = part * (stops.length - 1);
    const i = Math.min(Math.floor(place), Math.max(stops.length - 2, 0));
    const next = stops[i + 1] ?? stops[i];
    return number(stops[i].map((from, k) => Math.round(from + (place - i) * (next[k] - from))));
  };
}
