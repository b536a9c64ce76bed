"""Motions in the workbench are those of `integrate`: the same sines, methods, and equations."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
import sympy.physics.mechanics as me
from sympy import cos, symbols

from course.workbench.workbench import methods
from straightline.angles import cosine, sine
from tests.helpers import NODE, needs_node
from tutlib import EquationsOfMotion, integrate

HERE = Path(__file__).parent
pytestmark = [pytest.mark.slow, needs_node]
ANGLES = np.random.default_rng(3).uniform(-300, 300, 400)
STEP, STEPS = 0.01, 300
START = [1.0, 1.5, 0.2, -0.1]


@pytest.fixture(scope="module")
def page():
    task = {
        "angles": ANGLES.tolist(),
        "fields": {
            "coordinates": "a, b",
            "T": "½ m l² (2 ȧ² + ḃ² + 2 ȧ ḃ cos(a − b))",
            "V": "−m g l (2 cos a + cos b)",
            "parameters": "m = 1.2, l = 0.8, g = 9.81",
        },
        "x0": START,
        "h": STEP,
        "steps": STEPS,
        "methods": methods(),
    }
    command = [NODE, HERE / "motions.mjs"]
    done = subprocess.run(
        command, input=json.dumps(task), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_sines_have_the_bits_of_python(page):
    assert page["sines"] == [[sine(angle), cosine(angle)] for angle in ANGLES.tolist()]


def test_motions_are_those_of_integrate(page):
    a, b = me.dynamicsymbols("a b")
    m, l, g = symbols("m l g", positive=True)
    A, B = a.diff(), b.diff()
    T = m * l**2 * (2 * A**2 + B**2 + 2 * A * B * cos(a - b)) / 2
    V = -m * g * l * (2 * cos(a) + cos(b))
    rhs = EquationsOfMotion.from_lagrangian(T, V, [a, b]).compile({m: 1.2, l: 0.8, g: 9.81})
    times = np.arange(STEPS + 1) * STEP
    for method, x in zip(methods(), page["motions"]):
        expected = integrate(rhs, times, START, method=method["name"]).x[-1]
        # rounding errors grow along a chaotic motion, but not far in three seconds
        np.testing.assert_allclose(x, expected, rtol=0, atol=1e-9, err_msg=method["name"])
