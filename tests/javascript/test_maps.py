"""The map that a page computes: the numbers of `ensemble`, to the last bit."""

import numpy as np
import pytest

from panels import Chart, EndTimes, live
from tests.helpers import free, needs_node
from tests.javascript.test_javascript import node
from tutlib import compiled
from tutlib.methods import ensemble
from tutlib.models import double_pendulum

pytestmark = [pytest.mark.slow, needs_node]

MODEL = free(double_pendulum())
LIMITS = [np.pi, np.pi, np.inf, np.inf]
START = np.array([0.0, 0.0, 0.3, -0.2])
STEPS, H = 300, 0.01


@compiled
def lowest(t, x):
    """Return a number that is zero where the first rod hangs down."""
    return np.sin(x[0] / 2)


def data(zoom):
    """Return what the page knows of a map."""
    degrees = np.linspace(-180, 180, 5)
    starts = np.repeat(START[None], 25, axis=0)
    starts[:, :2] = np.deg2rad(np.stack(np.meshgrid(degrees, degrees), axis=-1).reshape(-1, 2))
    options = {"method": zoom.method, "until": zoom.until}
    t = ensemble(MODEL.compile(), starts, zoom.t_end, zoom.h, zoom.limits, **options).t
    widget = live(
        MODEL,
        START,
        "It moves.",
        chart=Chart(
            np.where(t < zoom.t_end, t, np.inf).reshape(5, 5),
            ("theta_1", -180, 180),
            ("theta_2", -180, 180),
            "When it flips.",
            zoom=zoom,
        ),
    )
    return widget.specification["chart"]


def a_job(chart, p=None):
    """Return a job for a window of a map: that of chapter 2's fine dust."""
    values = [chart["zoom"]["p"][place] for place in chart["zoom"]["parameters"]]
    return {
        "job": 0,
        "x": {"index": 0, "scale": chart["x"]["scale"], "low": 100.0, "high": 130.0},
        "y": {"index": 1, "scale": chart["y"]["scale"], "low": 20.0, "high": 60.0},
        "width": 40,
        "height": 24,
        "base": START.tolist(),
        "p": values if p is None else p,
        "grain": 16,
        "number": 0,
        "of": 1,
        "pixels": 40 * 24,
    }


def map_of(chart, job):
    """Return the times that the page computes, by row and column."""
    told = {name: chart["zoom"][name] for name in ("program", "h", "steps", "limits")}
    times = np.full((job["height"], job["width"]), np.nan)
    for report in node("end_times.mjs", {"told": told, "jobs": [job]}):
        given = [np.inf if time is None else time for time in report["times"]]
        assert np.isnan(times[report["rows"], report["columns"]]).all()  # each is computed once
        times[report["rows"], report["columns"]] = given
    return times


def expected(job, model=MODEL, **options):
    """Return Python's times for the same starts."""
    part_x, part_y = ((np.arange(job[size]) + 0.5) / job[size] for size in ("width", "height"))
    x, y = job["x"], job["y"]
    across = (x["low"] + part_x * (x["high"] - x["low"])) / x["scale"]
    up = (y["high"] - part_y * (y["high"] - y["low"])) / y["scale"]
    starts = np.repeat(START[None], across.size * up.size, axis=0)
    starts[:, 0], starts[:, 1] = np.tile(across, up.size), np.repeat(up, across.size)
    t = ensemble(model.compile(), starts, STEPS * H, H, LIMITS, **options).t
    return np.where(t < STEPS * H, t, np.inf).reshape(up.size, across.size)


@pytest.mark.parametrize("options", [{}, {"method": "heun", "until": lowest}], ids=["rk4", "event"])
def test_the_times_are_those_of_python_to_the_last_bit(options):
    chart = data(EndTimes(STEPS * H, H, LIMITS, **options))
    job = a_job(chart)
    times = map_of(chart, job)
    np.testing.assert_array_equal(times, expected(job, **options))
    assert 0.05 < np.isfinite(times).mean() < 0.95 or options.get("until")
    assert len(np.unique(times)) > 30


def test_the_map_follows_parameters():
    chart = data(EndTimes(STEPS * H, H, LIMITS))
    (l_2,) = [symbol for symbol in MODEL.parameters if symbol.name == "l_2"]
    longer = MODEL.with_parameters({l_2: 1.4})
    job = a_job(chart, p=longer.compile().values.tolist())
    times = map_of(chart, job)
    np.testing.assert_array_equal(times, expected(job, longer))
    assert (times != expected(job)).any()
