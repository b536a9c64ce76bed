"""The page's numbers are Python's, to the last bit: every method, every model."""

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from panels import live, live_in_space
from panels.simulations.packing import packed_motion
from tests.helpers import NODE, free, needs_node
from tutlib import EquationsOfMotion, integrate
from tutlib.methods import METHODS, ButcherTableau
from tutlib.methods.commutator_free import CROUCH_GROSSMAN3
from tutlib.models import Model, Skeleton, chain, four_bar, pendulum, rigid_body, spherical_pendulum

HERE = Path(__file__).parent
pytestmark = [pytest.mark.slow, needs_node]

RALSTON = ButcherTableau("Ralston", c=[0, "2/3"], A=[[], ["2/3"]], b=["1/4", "3/4"])


def servo():
    (theta,), (tau,) = pendulum().equations.q, pendulum().equations.inputs
    kp, kd, ki = sm.symbols("k_p k_d k_i", real=True)
    z, t = me.dynamicsymbols("z"), me.dynamicsymbols._t
    goal = sm.sin(3 * t) / 2
    return pendulum().with_inputs(
        {tau: kp * (goal - theta) - kd * theta.diff() + ki * z},
        states={z: goal - theta},
        parameters={kp: 20.0, kd: 2.0, ki: 5.0},
    )


def bead():
    """A bead on a wheel: speeds that are no derivatives, a mass matrix that is not symmetric."""
    q1, q2, u1, u2 = me.dynamicsymbols("q1 q2 u1 u2")
    k = sm.Symbol("k", positive=True)
    equations = EquationsOfMotion(
        (q1, q2),
        (u1, u2),
        sm.Matrix([[2 + sm.cos(q1), q2], [k, 3]]),
        sm.Matrix([-k * q1 + sm.Max(u2, 0), -q2 - u1 * u2]),
        sm.Matrix([[sm.cos(q2), 0], [q1, 1]]),
    )
    skeleton = Skeleton(((sm.S.Zero, sm.S.Zero), (q1, q2)), ((0, 1),), (1,), (0,))
    return Model("bead", equations, (u1**2 + q2.diff() ** 2) / 2, k * q1**2 / 2, skeleton, {k: 1.5})


def linkage(damping=0):
    return four_bar().free().with_multipliers(damping)


def own_heun(f, t, x, h):
    """Take a step of a reader's own."""
    before = f(t, x)
    return x + h / 2 * (before + f(t + h, x + h * before))


MODELS = {
    "pendulum": free(pendulum()),
    "servo": servo(),
    "bead": bead(),
    "double pendulum": free(chain(2)),
    "five links": free(chain(5)),
}
WITH_LOOPS = MODELS | {"four-bar linkage": linkage(damping=3)}


def node(script, job):
    """Return what a script of this folder makes of a job."""
    done = subprocess.run(
        [NODE, str(HERE / script)],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def evaluate(widget, tasks):
    """Return what simulation.js makes of the tasks, with the program of the widget."""
    both = {"program": widget.program, "specification": widget.specification}
    return node("evaluate.mjs", {**both, "tasks": tasks})


def simulation(model, **options):
    start = np.zeros(len(model.equations.states))
    return live(model, start, "A mechanism moves.", **options)


@pytest.mark.parametrize("file", sorted(HERE.glob("*.test.mjs")), ids=lambda file: file.name)
def test_the_tests_in_javascript_pass(file):
    done = subprocess.run(
        [NODE, "--test", "--test-reporter=tap", str(file)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
    written = len(re.findall(r"\btest\(", file.read_text(encoding="utf-8")))
    assert int(re.search(r"# pass (\d+)", done.stdout)[1]) >= written > 0


@pytest.mark.parametrize("name", WITH_LOOPS)
def test_right_hand_sides_and_outputs_are_those_of_python(name):
    """Equal to the last bit: it is one program, run by two machines."""
    model = WITH_LOOPS[name]
    rng = np.random.default_rng(1)
    states = rng.uniform(-2, 2, (20, len(model.equations.states)))
    times = rng.uniform(0, 3, 20)
    tasks = [{"x": x.tolist(), "t": t} for x, t in zip(states, times)]
    results = evaluate(simulation(model), tasks)
    rhs = model.compile()
    for x, t, result in zip(states, times, results):
        np.testing.assert_array_equal(result["rates"][:-1], rhs(t, x))
    found = np.array([result["outputs"] for result in results])
    points = model.positions(times, states).reshape(len(states), -1)
    expected = np.concatenate([model.energies(times, states), points], axis=1)
    np.testing.assert_array_equal(found[:, : expected.shape[1]], expected)


def closed(model):
    """Return what `integrate` is told of a model's constraints."""
    return {"after_step": model.projection()} if model.constraints else {}


@pytest.mark.parametrize("name", WITH_LOOPS)
def test_two_thousand_steps_of_every_method_are_those_of_python(name):
    model = WITH_LOOPS[name]
    x = 0.3 * np.random.default_rng(4).uniform(-1, 1, len(model.equations.states))
    if model.constraints:
        x = model.consistent_state([0.2, 0.4, -2.6, 1, 0, 0], model.equations.q[:1])
    h, count = 2.0**-9, 2000  # all times are exact
    widget = live(model, x, "A mechanism moves.", methods=[*METHODS, RALSTON, own_heun])
    tasks = [
        {"x": x.tolist(), "h": h, "steps": count, "every": 500, "method": key}
        for key in widget.methods
    ]
    times = h * np.arange(count + 1)
    for key, result in zip(widget.methods, evaluate(widget, tasks)):
        method = {"Ralston": RALSTON, "own_heun": own_heun}.get(key, key)
        expected = integrate(model.compile(), times, x, method, **closed(model))
        np.testing.assert_array_equal(result["rows"], expected.x[500::500], err_msg=key)
        assert (result["taken"], result["t"]) == (count, times[-1])


class TestSimulation:
    """What simulation.js does by itself: it resets, begins anew, and keeps its books."""

    def task(self, *does, x=(2.0, 0.0), **options):
        (result,) = evaluate(simulation(MODELS["pendulum"]), [{"x": x, "does": does, **options}])
        return result

    def test_a_motion_that_blew_up_takes_no_step_before_a_reset(self):
        wild = [["setState", [2.0, 1e11]], ["setStepSize", 1.0], ["step", 100], ["step", 1]]
        assert self.task(*wild, steps=1, method="euler")["taken"] == 0
        assert self.task(*wild, ["reset"], steps=1, method="euler")["taken"] == 1

    def test_a_singular_mass_matrix_has_no_rates(self):
        assert self.task(["setParameters", [9.81, 0.0, 1.0]])["rates"] is False

    def test_what_a_motor_does_is_no_drift(self):
        x = [1.0, 0.0, 0.0]
        tasks = [{"x": x, "h": 2 / n, "steps": n} for n in (200, 400)]
        coarse, fine = (abs(r["drift"][0]) for r in evaluate(simulation(servo()), tasks))
        assert coarse < 1e-5
        assert fine < coarse / 10

    def test_a_throw_and_a_hold(self):
        held = self.task(["hold", 1, [3.0, 0.0]])["x"]
        assert held == pytest.approx([np.pi / 2, 0], abs=1e-6)
        thrown = self.task(["hold", 1, [3.0, 0.0]], ["throw", 1, [0.0, 2.0]])["x"]
        assert thrown[1] == pytest.approx(2, rel=2e-3)


def in_space(model, x, tasks, methods):
    """Return what simulation.js makes of the tasks, with the program of a frame in space."""
    tableaus = {m if isinstance(m, str) else m.name: m for m in methods}
    frame = live_in_space(
        model,
        x,
        "It moves.",
        methods=methods,
        method=next(iter(tableaus)),
        readouts={"first": (lambda t, x, **p: 2 * x[0] + t, "")},
    )
    (one,) = frame.simulations
    job = {"program": packed_motion(one.formulas.motion())}
    return node("evaluate.mjs", job | {"specification": one.specification, "tasks": tasks})


@pytest.mark.parametrize("name", ["rigid body", "spherical pendulum"])
def test_steps_on_curved_spaces_are_those_of_python(name):
    q = np.array([0.6, 0, -0.8])
    model, x0 = {
        "rigid body": (rigid_body(), [*np.eye(3).ravel(), 0.3, 5.0, 0.1]),
        "spherical pendulum": (spherical_pendulum(), [*q, *np.cross(q, [0.3, 2.0, -1.0])]),
    }[name]
    methods = ["euler", "heun", "kutta3", "rk4", "cf4", CROUCH_GROSSMAN3]
    names = [m if isinstance(m, str) else m.name for m in methods]
    tasks = [{"x": x0, "h": 2**-7, "steps": 1000, "every": 1000, "method": m} for m in names]
    times = 2**-7 * np.arange(1001)
    for method, result in zip(methods, in_space(model, x0, tasks, methods)):
        run = integrate(model.field, times, x0, method)
        np.testing.assert_array_equal(result["x"], run.x[-1])
        ends = model.energies(run.t[[0, -1]], run.x[[0, -1]])
        assert result["drift"][0] == pytest.approx(ends[1] - ends[0], abs=1e-14)
        points = model.positions(run.t[:1], run.x[:1]).ravel()
        np.testing.assert_allclose(
            result["outputs"], [ends[0], *points, 2 * x0[0]], rtol=1e-15, atol=1e-15
        )
