"""One step of two quadrotors with a load, compiled whole, and the same step in plain NumPy."""

from itertools import pairwise

import numpy as np

from benchmarks.measure import best_times
from straightline.aliases import Array
from tutlib import integrate
from tutlib.methods import METHODS, step
from tutlib.models.quadrotors import LoadController, two_quadrotors

STEPS, PLAIN_STEPS, DURATION = 2000, 20, 5.0


def path(t: float) -> Array:
    """Return a parabola and its first four derivatives."""
    s = t - 2.5
    return np.array([[s, 0, s**2 - 7], [1, 0, 2 * s], [0, 0, 2], [0, 0, 0], [0, 0, 0]])


def compare(method: str = "rk4") -> dict[str, float]:
    """Return the time of a step [s], compiled and plain, and how far the results are apart."""
    body, a = two_quadrotors(), np.deg2rad(80)
    slant = np.array([[0.5, 0, np.sqrt(0.75)], [-0.5, 0, np.sqrt(0.75)]])
    control = LoadController(body, path, slant, np.array([0, -1.0, 0]))
    model = body.model(lambda t, s: (control(t, s), np.ones((2, 3))))
    start = body.start([-2, 0, 0], [[np.sin(a), 0, np.cos(a)], [-np.sin(a), 0, np.cos(a)]])
    t = np.linspace(0, DURATION, STEPS + 1)
    short, field = t[: PLAIN_STEPS + 1], model.field

    def compiled() -> Array:
        return integrate(field, t, start, method).x

    def plain() -> Array:
        rows = [start]
        for now, later in pairwise(short):
            rows.append(step(field, now, rows[-1], later - now, METHODS[method]))
        return np.array(rows)

    apart = float(np.abs(compiled()[: PLAIN_STEPS + 1] - plain()).max())
    compiled_time, plain_time = best_times(compiled, plain)
    return {"time": compiled_time / STEPS, "plain_time": plain_time / PLAIN_STEPS, "apart": apart}
