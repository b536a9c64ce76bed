"""The same bits everywhere: wasmtime and Node, for every model and every method.

Each loop is compiled once. Here both runtimes take the same thousands of steps, and the interpreted
step takes the first of them.
"""

import base64
import json
import subprocess
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from straightline import Machine
from tests.helpers import NODE, called_in_python, needs_node
from tutlib import Field
from tutlib.methods import CF4, DOP853, METHODS, RK4
from tutlib.methods.commutator_free import CROUCH_GROSSMAN3
from tutlib.methods.loops import Loop
from tutlib.methods.partitioned import verlet
from tutlib.methods.steps import Method, TableauStep
from tutlib.models import (
    chain,
    chain_recursion,
    double_pendulum,
    four_bar,
    pendulum,
    rigid_body,
    rolling_disc,
    servo_arm,
    spherical_pendulum,
)
from tutlib.models.quadrotors import two_quadrotors

pytestmark = pytest.mark.slow
STEPS, FIRST = 2000, 20
RUNNER = Path(__file__).parents[1] / "javascript" / "same_bits.mjs"


def at_rest(model, *angles):
    f = model.free().compile()
    return f, np.concatenate([angles, np.zeros(len(angles))]), None, 1e-3


def linkage():
    model = four_bar().free().with_multipliers(damping=5.0)
    keep = model.equations.q[:1]
    return model.compile(), model.consistent_state([0.6, 0.9, -1.2], keep), model.projection(), 1e-3


def disc():
    return rolling_disc().compile(), np.array([0, 0.3, 0, 0, 0, 0.1, -2, 0.3]), None, 1e-3


def in_space(model, start):
    return model.field, np.array(start), None, 5e-4


def flying():
    thrusts, moments = np.tile([0.0, 0.0, -9.0], (2, 1)), np.full((2, 3), 0.01)
    body = two_quadrotors()
    start = body.start([-2, 0, 0], [[0.6, 0, 0.8], [-0.6, 0, 0.8]])
    return in_space(body.model(lambda t, s: (thrusts, moments)), start)


def hanging(n):
    return np.concatenate([np.linspace(0.2, 1.5, n), np.zeros(n)])


MODELS = {
    "pendulum": lambda: at_rest(pendulum(), 2.0),
    "chain of 2": lambda: at_rest(chain(2, "relative"), 1.0, 0.5),
    "chain of 4": lambda: at_rest(chain(4), 1.0, 0.5, -0.5, 1.5),
    "double pendulum": lambda: at_rest(double_pendulum(), 1.0, 2.0),
    "servo arm": lambda: at_rest(servo_arm(), 0.5, 1.0),
    "recursion of 8": lambda: (chain_recursion(8), hanging(8), None, 1e-3),
    "four-bar": linkage,
    "rolling disc": disc,
    "rigid body": lambda: in_space(rigid_body(), [*np.eye(3).ravel(), 0.1, 2.0, 0.1]),
    "spherical pendulum": lambda: in_space(spherical_pendulum(), [0.6, 0, -0.8, 0.3, 0.2, 0.225]),
    "quadrotors": flying,
}
TABLEAUS = {n: m for n, m in METHODS.items() if not isinstance(m, Method)} | {"dop853": DOP853}
PARTITIONED = {n: m for n, m in METHODS.items() if isinstance(m, Method)}
ON_SPACES = {"rk4": RK4, "cf4": CF4, "crouch_grossman3": CROUCH_GROSSMAN3, "dop853": DOP853}
SPATIAL = ("rigid body", "spherical pendulum", "quadrotors")
WITHOUT_RATES = ("rolling disc", "four-bar")
#: Of all methods: equations within the loop, in a routine of its own, and with a step's projection.
WITH_ALL = ("pendulum", "recursion of 8", "four-bar")


def methods_of(model):
    if model in SPATIAL:
        return ON_SPACES
    tableaus = TABLEAUS if model in WITH_ALL else ("rk4", "dop853")
    return [*tableaus, *(() if model in WITHOUT_RATES else PARTITIONED)]


CASES = [(model, method) for model in MODELS for method in methods_of(model)]


@cache
def made(model):
    return MODELS[model]()


@cache
def loop_of(model, method):
    """Return a loop, the values of its parameters, its times and its start."""
    f, start, after, h = made(model)
    chosen = (TABLEAUS | PARTITIONED | ON_SPACES)[method]
    steps = chosen
    if not isinstance(chosen, Method):
        steps = TableauStep(chosen, f.space if model in SPATIAL else None)
    correction = (after.formula, len(after.values)) if after else ()
    values = [f.values, after.values if after else []]
    field = f.program(len(start))
    loop = Loop(field, f.coordinates, steps, len(start), len(f.values), *correction)
    if chosen is verlet:
        n = len(start) // 2
        start = np.concatenate([start[:n], start[:n] + h * h / 2 * f(0.0, start)[n:]])
    k = np.arange(STEPS + 1)
    return loop, np.concatenate(values), h * (k + np.sin(k) / 3), start  # uneven steps


@cache
def compiled(model, method):
    """Return a loop as a compiled program, and the values of its parameters."""
    loop, values, _, _ = loop_of(model, method)
    return Machine(loop.written()), values


def last_row(model, method, steps=STEPS):
    """Return how far a run came, and its last row as bytes."""
    loop, _, times, start = loop_of(model, method)
    program, values = compiled(model, method)
    found, k = program.instance(values), len(start)
    T, X = found.view("T"), found.view("X").reshape(-1, k)
    X[0], done = start, 0
    while done < steps:
        count = min(loop.rows, steps - done)
        T[: count + 1] = times[done : done + count + 1]
        taken = found.call("run", count)
        done, X[0] = done + taken, X[taken]
        if taken < count:
            break
    return done, X[0].tobytes().hex()


@cache
def in_node():
    """Return the same of all cases, by one run of Node."""
    jobs = []
    for case in CASES:
        loop, _, times, start = loop_of(*case)
        program, values = compiled(*case)
        code = base64.b64encode(program.code).decode()
        job = {"code": code, "layout": program.layout, "parameters": list(values)}
        jobs.append(job | {"times": list(times), "start": list(start), "rows": loop.rows})
    told = subprocess.run(
        [NODE, RUNNER], input=json.dumps(jobs), capture_output=True, text=True, check=True
    )
    return {case: (run["done"], run["last"]) for case, run in zip(CASES, json.loads(told.stdout))}


@needs_node
@pytest.mark.parametrize(("model", "method"), CASES)
def test_wasmtime_and_node(model, method):
    assert in_node()[model, method] == last_row(model, method)


@pytest.mark.parametrize(("model", "method"), CASES)
def test_the_interpreted_step_takes_the_same_steps(model, method):
    """To the last bit, except where NumPy's own sine is in play."""
    loop, _, times, x = loop_of(model, method)
    f, _, after, _ = made(model)
    f = Field(called_in_python(f), f.space, coordinates=f.coordinates)
    for t, following in pairwise(times[: FIRST + 1]):
        x = loop.method.advance(f, t, x, following - t)
        x = after(following, x) if after else x
    in_a_loop = np.frombuffer(bytes.fromhex(last_row(model, method, FIRST)[1]))
    if model in SPATIAL:
        np.testing.assert_allclose(x, in_a_loop, rtol=1e-13, atol=1e-13)
    else:
        assert x.tobytes() == in_a_loop.tobytes()
