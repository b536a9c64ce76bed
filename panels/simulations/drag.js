// Dragging a body with mouse, pen, or finger.

// `nearest(pixel, reach)` returns the point of the drawing within reach, or null; `target(pixel)` the
// position in meters; `hold(point, position)` moves the body there, `release(point, velocity)` lets go
// of it, thrown if there is a velocity [m/s], else at rest. Returns a function that says whether a body
// is held.
export function takeHold(canvas, { nearest, target, hold, release }) {
  let held = null;
  const pixel = ({ clientX, clientY }) => {
    const { left, top } = canvas.getBoundingClientRect();
    return [clientX - left, clientY - top];
  };

  function move(event) {
    const now = performance.now();
    const place = target(pixel(event));
    held.samples = [...held.samples.filter((sample) => now - sample.now < 100), { now, place }];
    hold(held.point, place);
  }

  canvas.addEventListener("pointerdown", (event) => {
    const point = nearest(pixel(event), event.pointerType === "touch" ? 48 : 32);
    if (point === null) return;
    try {
      canvas.setPointerCapture(event.pointerId);
    } catch { /* a pointer that is gone already */ }
    held = { point, samples: [] };
    move(event);
  });
  canvas.addEventListener("pointermove", (event) => held && move(event));

  function end() {
    if (!held) return;
    const now = performance.now();
    const recent = held.samples.filter((sample) => now - sample.now < 100);
    const { point } = held;
    held = null;
    if (recent.length < 2) return release(point, null);
    const [from, to] = [recent[0], recent.at(-1)];
    const seconds = Math.max((to.now - from.now) / 1000, 0.01);
    release(point, [0, 1].map((i) => (to.place[i] - from.place[i]) / seconds));
  }
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, end);

  // A finger on a body drags it; anywhere else it scrolls the page.
  canvas.addEventListener("touchstart", (event) => {
    if (nearest(pixel(event.touches[0]), 48) !== null) event.preventDefault();
  }, { passive: false });

  return () => held !== null;
}
