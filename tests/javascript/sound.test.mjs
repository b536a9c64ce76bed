// What is heard of a motion: the tone of a place, the click of a turn, the roughness of a drift.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Sound, pitch, placeOf, roughness, turns } from "../../panels/simulations/sound.js";

const near = (found, wanted) => assert.ok(Math.abs(found - wanted) < 1e-9, `${found}, not ${wanted}`);

test("straight down is the middle, a half turn an octave, the other way down", () => {
  near(pitch(placeOf(0, 0, [])), 392);
  near(pitch(placeOf(Math.PI * 0.999999999999, 0, [])), 784);
  near(pitch(placeOf(-Math.PI / 2, 0, [])), 392 / Math.sqrt(2));
});

test("a whole turn changes nothing", () => {
  near(placeOf(0.3 + 6 * Math.PI, 0, []), placeOf(0.3, 0, []));
});

test("without an angle the place in the picture is heard, and no more than an octave", () => {
  assert.equal(placeOf(null, 3, [1, 0, 5, 2]), 0);
  assert.equal(placeOf(null, 4, [1, 0, 5, 2]), 0.5);
  assert.equal(placeOf(null, 99, [1, 0, 5, 2]), 1);
});

test("a drift of a thousandth of the swing is smooth, one as large as the swing is rough", () => {
  assert.equal(roughness(0), 0);
  assert.equal(roughness(-1e-4), 0);
  near(Math.round(1e6 * roughness(0.0316227766)) / 1e6, 0.5);
  near(Math.round(1e6 * roughness(-1)) / 1e6, 1);
  assert.equal(roughness(50), 1);
  assert.equal(roughness(NaN), 1);
});

test("a turn is where the speed changes its sign, not where an angle goes over the top", () => {
  assert.equal(turns([0.1, 0.2, 0.15]), true);
  assert.equal(turns([0.1, 0.2, 0.3]), false);
  assert.equal(turns([0.9, 0.99, -0.95]), false);
  assert.equal(turns([0.1, 0.1 + 1e-9, 0.1]), false, "at rest");
  assert.equal(turns([0.1, 0.2]), false);
});

// A context that writes down what it is asked to sound.
class Recorder {
  static made = [];
  constructor() {
    Object.assign(this, { currentTime: 0, destination: "ears", tones: [], closed: false });
    Recorder.made.push(this);
  }
  createOscillator() {
    const tone = { frequency: {}, start: (at) => (tone.at = at), stop: (at) => (tone.end = at) };
    tone.connect = (to) => (tone.to = to);
    this.tones.push(tone);
    return tone;
  }
  createGain() {
    const gain = { setValueAtTime() {}, linearRampToValueAtTime() {} };
    return { gain, connect: (to) => (gain.to = to) };
  }
  close() {
    this.closed = true;
  }
}

// The tones of a motion of so many pictures, sixty a second.
function heard(motionsAt, pictures) {
  globalThis.AudioContext = Recorder;
  const sound = new Sound();
  sound.hear(motionsAt(0));
  assert.equal(Recorder.made.length, 0, "nothing is made unasked");
  sound.switch();
  const [context] = Recorder.made.splice(0);
  for (let k = 0; k < pictures; k++) {
    context.currentTime = k / 60;
    sound.hear(motionsAt(k / 60));
  }
  sound.switch();
  assert.deepEqual([sound.on, context.closed], [false, true]);
  return context.tones;
}

const clicks = (tones) => tones.filter(({ type, frequency }) => type === "square" && frequency.value > 1000);

test("a swing of a second turns twice in it, and sounds seven or eight times", () => {
  const tones = heard((t) => [{ place: 0.3 * Math.sin(2 * Math.PI * t), part: 0 }], 60);
  assert.equal(clicks(tones).length, 2);
  assert.deepEqual(clicks(tones).map(({ at }) => Math.round(10 * at) / 10), [0.3, 0.8]);
  const voice = tones.filter(({ type }) => type === "triangle");
  assert.ok([7, 8].includes(voice.length), `${voice.length} tones`);
  for (const { frequency, at } of voice) near(frequency.value, pitch(0.3 * Math.sin(2 * Math.PI * at)));
  assert.ok(voice.every(({ at, end }) => Math.abs(end - at - 0.1) < 1e-9), "they are short");
});

test("a second motion has a voice of its own, and a drift trembles", () => {
  const tones = heard(() => [{ place: 0, part: 0 }, { place: 0.5, part: 1 }], 60);
  const kinds = new Set(tones.map(({ type, frequency }) => `${type} ${Math.round(frequency.value)}`));
  assert.deepEqual(kinds, new Set(["triangle 392", "sine 554", "square 35"]));
  assert.equal(clicks(tones).length, 0);
});
