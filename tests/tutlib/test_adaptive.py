"""Adaptive steps: as exact as asked, no matter how they are evaluated, and honest when stuck."""

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from scipy.integrate import DOP853 as SciPyDOP853
from scipy.integrate import RK45, solve_ivp

from tests.helpers import called_in_python, free, interrupt_at_look
from tutlib import EquationsOfMotion, Field, compiled
from tutlib.methods import (
    DOP853,
    DORMAND_PRINCE,
    RK4,
    ButcherTableau,
    Interrupted,
    SimulationError,
    integrate_adaptive,
)
from tutlib.models import double_pendulum, pendulum
from tutlib.spaces import TangentSO3

pytestmark = pytest.mark.slow

PAIRS = [DORMAND_PRINCE, DOP853]
START = [1.0, 0.5, 0.0, 0.0]


def circle(t, x):
    return np.array([x[1], -x[0]])


def spinning(t):
    return np.column_stack([np.cos(t), -np.sin(t)])


@pytest.fixture(scope="module")
def double():
    f = free(double_pendulum()).compile()
    return {"compiled": f, "in Python": called_in_python(f)}


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_the_error_is_proportional_to_the_tolerance(pair):
    errors = []
    for tolerance in 10.0 ** -np.arange(3, 13):
        end = integrate_adaptive(circle, (0, 40), [1, 0], tolerance, tolerance, pair).x[-1]
        errors.append(np.abs(end - spinning(np.array([40.0]))).max() / tolerance)
    assert max(errors) < 10 * min(errors)


def assert_same_in_python(f, times, start, tolerance, *more):
    """Assert that a motion ends alike whether or not f runs compiled, within the tolerance."""
    fast, plain = (
        integrate_adaptive(g, times, start, tolerance, tolerance, *more)
        for g in (f, called_in_python(f))
    )
    np.testing.assert_allclose(fast.x[-1], plain.x[-1], rtol=0, atol=tolerance)


TIMES = {"steps": (0, 5), "dense": np.linspace(0, 5, 3001)}


@pytest.mark.parametrize("times", TIMES.values(), ids=TIMES)
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
@pytest.mark.parametrize("tolerance", [1e-4, 1e-12])
def test_compiled_and_python_agree(double, pair, tolerance, times):
    assert_same_in_python(double["compiled"], times, START, tolerance, pair)


@pytest.mark.parametrize("times", TIMES.values(), ids=TIMES)
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_an_event_is_met(double, pair, times):
    ends = [
        integrate_adaptive(f, times, START, 1e-9, 1e-9, pair, until=lambda t, x: x[1] + 0.2)
        for f in double.values()
    ]
    assert 0 < ends[0].t[-1] < 5
    assert abs(ends[0].x[-1, 1] + 0.2) < 1e-9
    np.testing.assert_allclose(ends[0].t[-1], ends[1].t[-1], rtol=1e-11)


@pytest.mark.parametrize("rows", [3, 41])
def test_an_event_at_a_requested_time_is_one_row(rows):
    """Throws that land at the middle of the requested times, up to rounding on either side."""
    for v in np.linspace(1, 5, 11):
        land = 2 * v / 9.81
        motion = integrate_adaptive(
            lambda t, x: [x[1], -9.81],
            np.linspace(0, 2 * land, rows),
            [0.0, v],
            until=lambda t, x: x[0],
        )
        np.testing.assert_allclose(motion.t, np.linspace(0, land, rows // 2 + 1), atol=1e-12)
        assert abs(motion.x[-1, 0]) < 1e-12


def test_on_a_curved_space_they_agree_as_well():
    start = np.concatenate([np.eye(3).ravel(), [0.3, -0.2, 0.5]])
    fast, plain = (
        integrate_adaptive(Field(f, TangentSO3, {"mass": 2.0}), (0, 4), start, 1e-9, 1e-9, DOP853)
        for f in (compiled(tumbling), tumbling)
    )
    assert len(fast) == len(plain)
    # NumPy's own sines and products are in play in Python
    np.testing.assert_allclose(fast.t, plain.t, atol=1e-9)
    np.testing.assert_allclose(fast.x, plain.x, atol=1e-9)
    R = fast.x[-1, :9].reshape(3, 3)
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-13)


def tumbling(t, x, mass):
    w = x[9:]
    return np.array([*w, w[1] * w[2] / mass, -w[2] * w[0], w[0] * w[1] / mass])


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_dense_output_is_as_good_as_the_steps(double, pair):
    f, times = double["compiled"], np.linspace(0, 5, 301)
    found = integrate_adaptive(f, times, START, 1e-9, 1e-9, pair)
    exact = solve_ivp(f, (0, 5), START, method="DOP853", rtol=1e-13, atol=1e-13, t_eval=times)
    np.testing.assert_array_equal(found.t, times)
    np.testing.assert_allclose(found.x, exact.y.T, atol=2e-7)


@pytest.mark.parametrize(
    ("pair", "solver", "errors"),
    [(DORMAND_PRINCE, RK45, [-RK45.E]), (DOP853, SciPyDOP853, [SciPyDOP853.E5, SciPyDOP853.E3])],
    ids=["RK45", "DOP853"],
)
def test_its_numbers_are_those_of_scipy(pair, solver, errors):
    n, mine = solver.n_stages, pair.pair
    np.testing.assert_allclose(mine.A[:n, : solver.A.shape[1]], solver.A, rtol=0, atol=1e-15)
    np.testing.assert_allclose(mine.b[:n], solver.B, rtol=0, atol=1e-15)
    np.testing.assert_allclose(mine.E, errors, rtol=0, atol=1e-15)


@pytest.mark.parametrize(("pair", "solver"), [(DOP853, SciPyDOP853), (DORMAND_PRINCE, RK45)])
@pytest.mark.parametrize("start", [[1.0, 0.0], [0.0, 0.1], [2.0, -30.0]])
def test_the_first_step_is_about_that_of_scipy(pair, solver, start):
    def swinging(t, x):
        return np.array([x[1], -9.81 * np.sin(x[0]) + np.cos(t)])

    taken = integrate_adaptive(swinging, (0, 10), start, 1e-6, 1e-9, pair).t[1]
    theirs = solver(swinging, 0, np.array(start), 10, rtol=1e-6, atol=1e-9).h_abs
    assert 1 / 5 < taken / theirs < 5  # which depends on the unit of time


def test_an_error_at_the_trial_point_of_the_first_step_keeps_the_start():
    def short(t, x):
        if t > 0.0:
            raise ValueError("the record ends")
        return [1.0]

    with pytest.raises(SimulationError, match="the record ends") as stopped:
        integrate_adaptive(short, (0, 1), [1.0])
    np.testing.assert_array_equal(stopped.value.trajectory.x, [[1.0]])


def test_a_motion_that_escapes_in_finite_time_is_kept_up_to_there():
    with pytest.raises(SimulationError, match="meets the tolerance") as caught:
        integrate_adaptive(lambda t, x: x**2, (0, 2), [1.0], 1e-8, 1e-8)
    motion = caught.value.trajectory
    assert motion.t[-1] == pytest.approx(1, abs=1e-6)
    np.testing.assert_allclose(motion.x[:20, 0], 1 / (1 - motion.t[:20]), rtol=1e-5)


def test_a_stiff_problem_is_not_tried_for_ever(monkeypatch):
    monkeypatch.setattr("tutlib.methods.adaptive.LARGEST_NUMBER_OF_STEPS", 200)
    with pytest.raises(SimulationError, match=r"is it stiff\? For stiff .* use IDA"):
        integrate_adaptive(lambda t, x: -1e6 * (x - np.cos(t)), (0, 1), [0.0], 1e-6, 1e-6)


NO_DENSE = ButcherTableau("Heun-Euler", [0, 1], [[], [1]], ["1/2", "1/2"], embedded=[[1, 0]])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rtol": -1}, "rtol must be zero or positive and finite; got -1"),
        ({"rtol": 0, "atol": 0}, "tolerances must be positive"),
        ({"rtol": 1e-16}, "below the rounding"),
        ({"method": RK4}, "embedded weights"),
        ({"method": "LSODA"}, r"unknown method 'LSODA'; .* use IDA: integrate_dae\(Implicit"),
        ({"t": (1, 0)}, "must increase"),
        ({"t": (0, 0.5, 1), "method": NO_DENSE}, "no dense output"),
    ],
)
def test_what_makes_no_sense_is_named(change, message):
    usual = {"f": circle, "t": (0, 1), "x0": [1, 0]}
    with pytest.raises(ValueError, match=message):
        integrate_adaptive(**(usual | change))


def test_a_pair_of_ones_own_works():
    end = integrate_adaptive(circle, (0, 1), [1, 0], 1e-6, 1e-6, NO_DENSE).x[-1]
    np.testing.assert_allclose(end, spinning(np.array([1.0]))[0], atol=1e-4)
    assert_same_in_python(free(pendulum()).compile(), (0, 1), [1, 0], 1e-6, NO_DENSE)


def test_a_singular_mass_matrix_is_named_when_it_is_met_and_refused_at_the_start():
    q = me.dynamicsymbols("q")
    f = EquationsOfMotion([q], [q.diff()], sm.Matrix([[q]]), sm.Matrix([-1])).compile({})
    with pytest.raises(SimulationError) as caught:
        integrate_adaptive(f, (0, 10), [1.0, 0.0], 1e-9, 1e-9)
    motion = caught.value.trajectory
    assert 0 < motion.x[-1, 0] < 1e-3
    assert np.isfinite(motion.x).all()
    with pytest.raises(ValueError, match="singular at t = 0"):
        integrate_adaptive(f, (0, 10), [0.0, 0.0])


@pytest.mark.parametrize("begins", [0.0, 0.5])
def test_an_event_without_value_is_not_passed_over_in_silence(begins):
    def event(t, x):
        return 1.0 if t < begins else np.nan

    with pytest.raises(SimulationError, match=r"until\(t, x\) is nan at t = .*must be") as caught:
        integrate_adaptive(circle, (0, 1), [1.0, 0.0], 1e-9, 1e-9, until=event)
    motion = caught.value.trajectory
    assert (motion.t <= begins).all()
    np.testing.assert_allclose(motion.x, spinning(motion.t), atol=1e-8)


@pytest.mark.parametrize("kind", ["compiled", "in Python"])
def test_ctrl_c_keeps_the_motion(double, kind, monkeypatch):
    monkeypatch.setattr("tutlib.methods.adaptive.LARGEST_NUMBER_OF_STEPS", 10**9)
    interrupt_at_look(monkeypatch, 26)
    with pytest.raises(Interrupted) as caught:
        integrate_adaptive(double[kind], (0, 1e9), START, 1e-9, 1e-9)
    motion = caught.value.trajectory
    assert len(motion) > 10
    assert (np.diff(motion.t) > 0).all()
    other = integrate_adaptive(double["compiled"], (0, 5), START, 1e-9, 1e-9)
    count = min(len(motion), len(other)) - 1  # the last step goes exactly to the end
    np.testing.assert_allclose(motion.x[:count], other.x[:count], rtol=1e-9)


@pytest.mark.parametrize("pair", [DORMAND_PRINCE, DOP853], ids=lambda pair: pair.name)
@pytest.mark.parametrize("on", [np.greater, np.greater_equal])
@pytest.mark.parametrize("run", [lambda f: f, compiled], ids=["plain", "compiled"])
def test_a_step_ends_at_a_break_and_reads_f_on_its_own_side(pair, on, run):
    edges = [50.0, 50.2, 70.0]

    def pushed(t, x):
        first = np.where(on(t, 50.0), 1.0, 0.0) - np.where(on(t, 50.2), 1.0, 0.0)
        return np.array([x[1], first - np.where(on(t, 70.0), 0.25, 0.0)])

    def exact(t):
        ramps = [np.maximum(t - edge, 0) for edge in edges]
        force = [1.0, -1.0, -0.25]
        return np.transpose(
            [
                sum(a * r**2 / 2 for a, r in zip(force, ramps)),
                sum(a * r for a, r in zip(force, ramps)),
            ]
        )

    for t in ((0, 100), np.linspace(0, 100, 41), [0, 50, 50.2, 70, 100]):
        # an edge in vain, one beyond the end, and no order
        motion = integrate_adaptive(
            run(pushed), t, [0.0, 0.0], method=pair, breaks=[*edges[::-1], 10, 200]
        )
        np.testing.assert_allclose(motion.x, exact(motion.t), atol=1e-9)
        assert (np.diff(motion.t) > 0).all()
        if len(t) == 2:
            assert {*edges} <= {*motion.t.tolist()}


@pytest.mark.parametrize("run", [lambda f: f, compiled], ids=["plain", "compiled"])
def test_each_state_has_its_own_tolerance(run):
    def motion(size, atol):
        def f(t, x):
            return np.array([x[1] / size, -size * np.sin(x[0])])

        return integrate_adaptive(run(f), (0, 10), [1.0, 0.0], 0.0, atol)

    large, small = motion(1e6, [1e-6, 1.0]), motion(1.0, 1e-6)
    np.testing.assert_allclose(large.t, small.t, rtol=1e-9)
    np.testing.assert_allclose(large.x, small.x * [1, 1e6], atol=1e-6)
    with pytest.raises(ValueError, match=r"atol, .* must have shape \(2,\)"):
        motion(1.0, [1e-6, 1e-6, 1e-6])
    with pytest.raises(ValueError, match="every atol must be zero or positive"):
        motion(1.0, [1e-6, -1.0])
