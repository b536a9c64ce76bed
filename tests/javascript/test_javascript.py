"""The page's numbers against Python's: right-hand sides, outputs, every method, every model."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from tests.helpers import free
from tutlib import EquationsOfMotion, integrate, live
from tutlib.methods import CROUCH_GROSSMAN3, METHODS, ButcherTableau
from tutlib.models import (
    Model,
    Skeleton,
    chain,
    four_bar,
    pendulum,
    rigid_body,
    spherical_pendulum,
)
from tutlib.models.quadrotors import AttitudeController, LoadController, two_quadrotors
from tutlib.page import live_space
from tutlib.spaces import coefficients, with_derivatives
from tutlib.spaces.lie import SO3

HERE = Path(__file__).parent
NODE = shutil.which("node")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(NODE is None, reason="no Node.js: install the package nodejs"),
]

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
    return four_bar().with_multipliers(damping)


MODELS = {
    "pendulum": free(pendulum()),
    "servo": servo(),
    "bead": bead(),
    "one link": free(chain(1)),
    "double pendulum": free(chain(2)),
    "double pendulum, relative": free(chain(2, "relative")),
    "five links": free(chain(5)),
    "eight links": free(chain(8)),
}
WITH_LOOPS = MODELS | {"four-bar linkage": linkage(damping=3)}


def evaluate(widget, tasks):
    """Return what numerics.js makes of the tasks, with the equations of the widget."""
    text = widget._esm
    job = {
        "equations": re.search(r"const equations = (\{\n.*?\n\});\n", text, re.DOTALL)[1],
        "specification": json.loads(re.search(r"const specification = (.*);\n", text)[1]),
        "tasks": tasks,
    }
    done = subprocess.run(
        [NODE, str(HERE / "evaluate.mjs")],
        input=json.dumps(job), capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def simulation(model, **options):
    start = np.zeros(len(model.equations.states))
    return live(model, start, "A mechanism moves.", **options)


@pytest.mark.parametrize(
    ("file", "tests"),
    [("numerics.test.mjs", 26), ("setting.test.mjs", 4), ("drawing.test.mjs", 10)],
)
def test_the_tests_in_javascript_pass(file, tests):
    done = subprocess.run(
        [NODE, "--test", str(HERE / file)],
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"# pass (\d+)", done.stdout)[1]) == tests


@pytest.mark.parametrize("name", WITH_LOOPS)
def test_right_hand_sides_agree(name):
    model = WITH_LOOPS[name]
    rng = np.random.default_rng(1)
    states = rng.uniform(-2, 2, (50, len(model.equations.states)))
    times = rng.uniform(0, 3, 50)
    results = evaluate(
        simulation(model), [{"x": x.tolist(), "t": t} for x, t in zip(states, times)]
    )
    rhs = model.compile("numpy")
    for x, t, result in zip(states, times, results):
        expected = rhs(t, x)
        scale = np.abs(expected).max()
        np.testing.assert_allclose(result["rates"][:-1], expected, rtol=0, atol=1e-12 * scale)


@pytest.mark.parametrize("name", WITH_LOOPS)
def test_energies_and_points_agree(name):
    model = WITH_LOOPS[name]
    states = np.random.default_rng(2).uniform(-2, 2, (20, len(model.equations.states)))
    results = evaluate(simulation(model), [{"x": x.tolist(), "t": 0.3} for x in states])
    found = np.array([result["outputs"] for result in results])
    t = np.full(len(states), 0.3)
    expected = np.concatenate(
        [model.energies(t, states), model.positions(t, states).reshape(len(states), -1)], axis=1
    )
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", WITH_LOOPS)
def test_the_rate_of_energy_is_its_derivative_along_the_motion(name):
    model = WITH_LOOPS[name]
    x = np.random.default_rng(3).uniform(-1, 1, len(model.equations.states))
    (result,) = evaluate(simulation(model), [{"x": x.tolist(), "t": 0.2}])
    d = 1e-5
    near = x + d * np.outer([-1, 1], model.compile()(0.2, x))
    before, after = model.energies(np.array([0.2 - d, 0.2 + d]), near).sum(axis=1)
    assert result["rates"][-1] == pytest.approx((after - before) / (2 * d), rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("name", MODELS)
def test_a_thousand_steps_of_rk4_agree(name):
    model = MODELS[name]
    x = np.random.default_rng(4).uniform(-1, 1, len(model.equations.states))
    task = {"x": x.tolist(), "h": 0.001, "steps": 1000, "every": 100}
    (result,) = evaluate(simulation(model), [task])
    expected = integrate(model.compile(), np.linspace(0, 1, 1001), x).x[100::100]
    np.testing.assert_allclose(result["rows"], expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("method", ["rk4", "euler"])
def test_a_closed_loop_is_closed_after_each_step_as_python_does_it(method):
    model = linkage()
    x = model.consistent_state([0.2, 0.4, -2.6, 1, 0, 0], model.equations.q[:1]).tolist()
    task = {"x": x, "h": 0.01, "steps": 300, "every": 30, "method": method}
    (result,) = evaluate(live(model, x, "A linkage moves."), [task])
    run = integrate(
        model.compile(), np.linspace(0, 3, 301), x, method, after_step=model.projection()
    )
    np.testing.assert_allclose(result["rows"], run.x[30::30], rtol=0, atol=1e-9)


FLAT = [name for name in METHODS if name != "cf4"]  # on a flat space it is rk4


@pytest.mark.parametrize("method", [*FLAT, RALSTON], ids=str)
def test_every_method_takes_the_steps_that_python_takes(method):
    model = MODELS["double pendulum"]
    x = [1.0, -0.5, 0.3, 0.2]
    key = method if isinstance(method, str) else method.name
    widget = simulation(model, methods=[method], method=key)
    task = {"x": x, "h": 0.01, "steps": 200, "method": key}
    (result,) = evaluate(widget, [task])
    expected = integrate(model.compile(), np.linspace(0, 2, 201), x, method=method)
    np.testing.assert_allclose(result["rows"], expected.x[1:], rtol=0, atol=1e-11)


@pytest.mark.parametrize("name", ["pendulum", "double pendulum", "servo"])
def test_drift_vanishes_with_the_step(name):
    """The books balance, motors and moving goals included: what is left is the method's error."""
    model = MODELS[name]
    x = [1.0] + [0.0] * (len(model.equations.states) - 1)
    tasks = [{"x": x, "h": 2 / n, "steps": n} for n in (200, 400)]
    coarse, fine = (abs(r["drift"][0]) for r in evaluate(simulation(model), tasks))
    assert coarse < 1e-5
    assert fine < coarse / 10


def steps_on_a_space(model, tasks):
    """Return what space.js makes of the tasks, with the equations that Python printed."""
    t, start = np.zeros(1), np.array([tasks[0]["x"]])
    size = {
        "states": model.field.space.dimension, "algebra": model.field.space.algebra,
        "points": model.positions(t, start).shape[1], "readouts": 1,
    }  # fmt: skip
    printed = live_space.equations(model, {"first": (lambda t, x, **p: 2 * x[0] + t, "")})
    done = subprocess.run(
        [NODE, str(HERE / "evaluate_space.mjs")],
        input=json.dumps({"equations": printed, "size": size, "tasks": tasks}),
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", ["rigid body", "spherical pendulum"])
def test_steps_on_curved_spaces_agree(name):
    q = np.array([0.6, 0, -0.8])
    model, x0 = {
        "rigid body": (rigid_body(), [*np.eye(3).ravel(), 0.3, 5.0, 0.1]),
        "spherical pendulum": (spherical_pendulum(), [*q, *np.cross(q, [0.3, 2.0, -1.0])]),
    }[name]
    methods = ["euler", "heun", "kutta3", "rk4", "cf4", CROUCH_GROSSMAN3]
    tasks = [
        {"x": x0, "p": model.field.values.tolist(), "h": 0.01, "steps": 200,
         "method": live_space._method(m)} for m in methods
    ]  # fmt: skip
    for method, result in zip(methods, steps_on_a_space(model, tasks)):
        run = integrate(model.field, np.linspace(0, 2, 201), x0, method)
        np.testing.assert_allclose(result["x"], run.x[-1], rtol=0, atol=1e-12)
        ends = model.energies(run.t[[0, -1]], run.x[[0, -1]])
        assert result["drift"][0] == pytest.approx(ends[1] - ends[0], abs=1e-12)
        points = model.positions(run.t[:1], run.x[:1]).ravel()
        expected = [ends[0], *points, 2 * x0[0]]
        np.testing.assert_allclose(result["outputs"], expected, rtol=0, atol=1e-14)


def steered():
    """Two quadrotors with both controllers and a goal that is set, at rest."""
    pair, third = two_quadrotors(), np.array([0, 0, -np.pi / 2])
    slant = np.array([[0.5, 0, np.sqrt(0.75)], [-0.5, 0, np.sqrt(0.75)]])

    def to_goal(t, s, e_1, up):
        goal = with_derivatives(lambda t: [e_1, 0.0, -up])
        carry = LoadController(pair, goal, slant, np.array([0, -1.0, 0]), (4.0, 4.0, 16.0, 5.0))
        return AttitudeController(pair, carry, np.array([1.0, 0, 0]))(t, s)

    start = pair.start([0, 0, -1.0], slant @ SO3.exp(third).T)
    return pair.model(to_goal, {"e_1": 0.8, "up": 1.5}), start


def test_quadrotors_that_are_steered_fly_alike():
    """Thousands of steps of the two controllers, printed for the page."""
    model, x0 = steered()
    task = {"x": x0.tolist(), "p": model.field.values.tolist(), "h": 0.01, "steps": 100,
            "method": live_space._method("rk4")}  # fmt: skip
    (result,) = steps_on_a_space(model, [task])
    run = integrate(model.field, np.linspace(0, 1, 101), x0)
    np.testing.assert_allclose(result["x"], run.x[-1], rtol=0, atol=1e-11)
    assert abs(run.x[-1, 0]) > 0.1


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-6, 0.3, 0.99, 1.01, 3.0, 6.2])
def test_the_functions_of_an_angle_agree(angle):
    """By the two maps of TS², which need all of them."""
    script = (
        "import {coefficientFunctions as make} from './tutlib/page/space.js';"
        "const [series, angle] = JSON.parse(process.argv[1]);"
        "const f = make(series);"
        "const names = ['exp_a','exp_b','exp_c','inverse_d','inverse_d_slope'];"
        "console.log(JSON.stringify(names.map((n) => f[n](angle))));"
    )
    names = ("B_SLOPE", "C", "C_SLOPE", "D", "D_SLOPE")
    series = {"small": coefficients.SMALL} | {n: getattr(coefficients, n) for n in names}
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", script, json.dumps([series, angle])],
        capture_output=True, text=True, check=True, cwd=HERE.parents[1],
    )  # fmt: skip
    functions = ("exp_a", "exp_b", "exp_c", "inverse_d", "inverse_d_slope")
    expected = [getattr(coefficients, name)(angle) for name in functions]
    np.testing.assert_allclose(json.loads(done.stdout), expected, rtol=1e-13)
