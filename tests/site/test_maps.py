"""A map that is zoomed by a frame: its numbers are Python's."""

import re

import numpy as np

from panels import Chart, EndTimes, live
from tests.helpers import free
from tutlib.methods import ensemble
from tutlib.models import pendulum

from .panel import Panel

LEFT, RIGHT, TOP, BOTTOM = 58, 14, 8, 40  # the margins of chart.js
T_END, H, LIMITS = 1.0, 0.05, [np.pi, np.inf]
START = [0.5, 1.0]
# What workers are asked, and what they tell.
LISTEN = """() => {
  Object.assign(window, { asked: [], told: [] });
  window.Worker = class extends Worker {
    constructor(address) {
      super(address);
      this.addEventListener("message", ({ data }) => {
        told.push(data);
        window.onceTold?.();
        window.onceTold = null;
      });
    }
    postMessage(data) {
      if (data.job) asked.push(data);
      super.postMessage(data);
    }
  };
}"""
DONE = """() => {
  const job = asked.at(-1)?.job;
  const found = told.filter((report) => report.job === job);
  return job && found.reduce((sum, { times }) => sum + times.length, 0) >= asked.at(-1).width ** 2;
}"""
# Rows, columns and times that are told, the bytes of them: a list of so many would take seconds.
TOLD = """(job) => {
  const reports = told.filter((report) => report.job === job);
  const bytes = new Uint8Array(Float64Array.from(reports.flatMap(({ columns, rows, times }) =>
    [...times].flatMap((time, i) => [rows[i], columns[i], time]))).buffer);
  return bytes.reduce((text, byte) => text + byte.toString(16).padStart(2, "0"), "");
}"""
GRAY = """(e) => {
  const { width, height } = e;
  const side = width - 72;
  const { data } = e.getContext("2d").getImageData(58, 8, side, side);
  return Array.from({ length: side * side }, (_, i) =>
    [0, 1, 2].every((k) => data[4 * i + k] === 0x8c));
}"""


def flips(model, starts):
    t = ensemble(model.compile(), starts, T_END, H, LIMITS).t
    return np.where(t < T_END, t, np.inf)


def rotations():
    """Return a pendulum with a map of when it goes over the top: it is cheap, and has both."""
    model = free(pendulum())
    angles, rates = np.deg2rad(np.meshgrid(np.linspace(-180, 180, 25), np.linspace(-720, 720, 25)))
    starts = np.stack([angles, rates], axis=-1).reshape(-1, 2)
    chart = Chart(
        flips(model, starts).reshape(25, 25),
        ("theta", -180, 180),
        ("theta_dot", -720, 720),
        "When the pendulum first goes over the top: the sooner, the faster it was.",
        label="time to the first turn [s]",
        otherwise="no turn within 1 s",
        zoom=EndTimes(T_END, H, LIMITS),
    )
    sliders = {"theta": (-180, 180, "deg"), "l": (0.5, 2, "m")}
    return live(
        model,
        START,
        "A pendulum swings.",
        chart=chart,
        sliders=sliders,
        name="turns",
        height=1500,
        title="When does it turn over?",
    )


class Map:
    """The map of a panel, and what a reader does with it."""

    def __init__(self, page):
        self.page, self.panel = page, Panel(page, "turns", plays=False)
        self.inside, self.frame = self.panel.inside, self.panel.frame
        self.canvas = self.frame.locator("canvas.chart")
        self.canvas.scroll_into_view_if_needed()
        self.inside.evaluate(LISTEN)

    def at(self, across, up):
        """Return the pixel of a place that is given by parts of the map's width and height."""
        box = self.canvas.bounding_box()
        width, height = box["width"] - LEFT - RIGHT, box["height"] - TOP - BOTTOM
        return box["x"] + LEFT + across * width, box["y"] + TOP + (1 - up) * height

    def draw(self, one, other):
        """Draw a frame with the mouse."""
        self.page.mouse.move(*self.at(*one))
        self.page.mouse.down()
        self.page.mouse.move(*self.at(*np.mean([one, other], axis=0)))
        self.page.mouse.move(*self.at(*other))
        self.page.mouse.up()

    def words(self):
        return self.frame.locator(".window").inner_text()

    def window(self):
        """Return the ends of both axes that are said to be seen."""
        told = self.words().replace("−", "-")
        ends = re.findall(r"from (-?[\d.]+)\S* to (-?[\d.]+)", told)
        return np.array(ends, dtype=float)

    def done(self):
        """Wait until the map is computed, and drawn."""
        self.inside.wait_for_function(DONE)
        self.panel.run(0.1)

    def asked(self):
        return self.inside.evaluate("asked.at(-1)")

    def times(self):
        """Return what the workers have told, by row and column."""
        job = self.asked()
        found = np.full((job["height"], job["width"]), np.nan)
        rows, columns, times = self.reports(job["job"])
        found[rows.astype(int), columns.astype(int)] = times
        return found

    def reports(self, job):
        """Return rows, columns and times of what was told of a job."""
        content = bytes.fromhex(self.inside.evaluate(TOLD, job))
        return np.frombuffer(content, dtype=np.float64).reshape(-1, 3).T


def python_times(job, model):
    """Return the times of the starts of a job, by row and column."""
    x, y, width, height = (job[name] for name in ("x", "y", "width", "height"))
    across = (x["low"] + (np.arange(width) + 0.5) / width * (x["high"] - x["low"])) / x["scale"]
    up = (y["high"] - (np.arange(height) + 0.5) / height * (y["high"] - y["low"])) / y["scale"]
    starts = np.stack([np.tile(across, height), np.repeat(up, width)], axis=-1)
    return flips(model, starts).reshape(height, width)


def test_a_frame_is_computed_and_shown_to_the_last_bit(show):
    small = {"width": 560, "reduced_motion": "reduce"}  # a map has as many starts as pixels
    seen = Map(show(rotations(), **small))
    assert "draw a rectangle" in seen.words()
    seen.draw((0.5, 0.52), (0.8, 0.82))
    np.testing.assert_allclose(seen.window(), [[0, 108], [28.8, 460.8]], atol=5)
    seen.done()
    job, times = seen.asked(), seen.times()
    expected = python_times(job, free(pendulum()))
    np.testing.assert_array_equal(times, expected)
    assert 0.2 < np.isfinite(times).mean() < 0.8
    gray = np.reshape(seen.canvas.evaluate(GRAY), times.shape)
    x, y = (job[axis] for axis in "xy")
    column = (np.rad2deg(START[0]) - x["low"]) / (x["high"] - x["low"]) * job["width"]
    row = (y["high"] - np.rad2deg(START[1])) / (y["high"] - y["low"]) * job["height"]
    rows, columns = np.indices(times.shape)
    beside = np.hypot(rows - row, columns - column) > 12  # the mark of the start lies over the map
    np.testing.assert_array_equal(gray[beside], np.isinf(expected)[beside])
    count = f"{times.size:,} initial states, all computed by this page."
    assert seen.words().endswith(count)
    assert seen.frame.get_by_role("status").filter(has_text=count).count() == 1
    assert "Seen: θ from " in seen.canvas.get_attribute("aria-label")
