// Sound of a motion: short tones whose pitch rises with the first angle, a click at each turning point, a
// second voice for the second motion, rough where energy drifts. Nothing is created before a reader
// switches the sound on.

// Interval between tones, duration of a tone, and of a click [s].
const [APART, TONE, CLICK] = [0.13, 0.1, 0.015];
const [MIDDLE, LOUD, ROUGHLY] = [392, 0.14, 35]; // Hz, of 1, Hz
// Oscillator of a click, and waveforms of the two voices.
const [TURN, VOICES] = [{ type: "square", frequency: 1600 }, ["triangle", "sine"]];

const within = (value, least, most) => Math.min(Math.max(value, least), most);

// Position of a motion between −1 and 1, where half a revolution to the right is 1. Without an angle, it
// is the horizontal position of a body in the picture.
export function placeOf(angle, across, [left, , right]) {
  if (angle !== null) return angle / Math.PI - 2 * Math.round(angle / (2 * Math.PI));
  return within((2 * across - left - right) / (right - left), -1, 1);
}

// Frequency [Hz], at most an octave up or down.
export const pitch = (place) => MIDDLE * 2 ** place;

// Roughness from 0, for a drift up to a thousandth of the swing, to 1, for a drift as large as the swing.
export const roughness = (part) =>
  (Number.isFinite(part) ? within(1 + Math.log10(Math.abs(part) + 1e-9) / 3, 0, 1) : 1);

// Whether a motion reverses in its last three positions. A jump is an angle that passes the top, and a
// tiny change is rest.
export function turns([first, second, third]) {
  const [before, after] = [second - first, third - second];
  const far = Math.abs(after - before);
  return before * after < 0 && far > 1e-6 && far < 1;
}

export class Sound {
  context = null;

  static get possible() {
    return Boolean(globalThis.AudioContext);
  }

  get on() {
    return this.context !== null;
  }

  // Switch it on or off; browsers allow it only in response to a reader.
  switch() {
    if (this.on) this.context.close();
    this.context = this.on ? null : new AudioContext();
    Object.assign(this, { next: 0, past: [] });
  }

  // Play at most two motions, [{place, part}]; called for each frame.
  hear(motions) {
    if (!this.on) return;
    const now = this.context.currentTime;
    const [{ place: there }] = motions;
    if (there !== this.past.at(-1)) {
      this.past = [...this.past.slice(-2), there];
      if (turns(this.past)) this.sound({ ...TURN, begin: now, seconds: CLICK, loud: LOUD, rough: 0 });
    }
    if (now < this.next) return;
    this.next = now + APART;
    motions.forEach(({ place, part }, i) => this.sound({
      type: VOICES[i], frequency: pitch(place), begin: now + i * APART / 2, seconds: TONE,
      loud: LOUD / (i + 1), rough: roughness(part),
    }));
  }

  // Play one tone that fades in and out; roughness modulates it.
  sound({ type, frequency, begin, seconds, loud, rough }) {
    const { context } = this;
    const end = begin + seconds;
    const source = (settings) => {
      const made = context.createOscillator();
      made.type = settings.type;
      made.frequency.value = settings.frequency;
      made.start(begin);
      made.stop(end);
      return made;
    };
    const gain = context.createGain();
    gain.gain.setValueAtTime(0, begin);
    gain.gain.linearRampToValueAtTime(loud, begin + 0.1 * seconds);
    gain.gain.linearRampToValueAtTime(0, end);
    source({ type, frequency }).connect(gain);
    gain.connect(context.destination);
    if (!rough) return;
    const depth = context.createGain();
    depth.gain.value = 0.5 * loud * rough;
    source({ type: "square", frequency: ROUGHLY }).connect(depth);
    depth.connect(gain.gain);
  }
}
