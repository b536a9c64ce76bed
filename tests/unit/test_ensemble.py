"""Many starts at once are the same motions as one by one."""

import math

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from tests.helpers import free
from tutlib import EquationsOfMotion, integrate
from tutlib.methods import ButcherTableau, ensemble
from tutlib.models import chain, double_pendulum, pendulum, servo_arm
from tutlib.programs.kernels import lanes_source
from tutlib.programs.linear_solve import solve_symmetric

pytestmark = pytest.mark.slow

TIME = me.dynamicsymbols._t


def alone(f, start, t_end, h, method="rk4"):
    return integrate(f, np.linspace(0, t_end, round(t_end / h) + 1), start, method).x


def starts(model, count, seed=0, size=2.0):
    k = len(model.equations.states)
    return np.random.default_rng(seed).uniform(-size, size, (count, k))


@pytest.mark.parametrize("count", [1, 31, 32, 33, 70])
def test_any_number_of_starts(count):
    model = free(pendulum())
    f, x0 = model.compile(), starts(model, count)
    found = ensemble(f, x0, 1.0, 0.01)
    for start, last in zip(x0, found.x):
        np.testing.assert_allclose(last, alone(f, start, 1.0, 0.01)[-1], rtol=1e-12, atol=1e-13)
    assert (found.t == 1.0).all()


@pytest.mark.parametrize(
    "model",
    [free(double_pendulum()), free(chain(3)), free(chain(3, "relative")), servo_arm()],
    ids=lambda model: model.name,
)
@pytest.mark.parametrize("method", ["rk4", "euler", "kutta3"])
def test_every_model_and_method(model, method):
    f, x0 = model.compile(), starts(model, 40, size=1.0)
    found = ensemble(f, x0, 0.2, 0.002, method=method)
    for start, last in zip(x0[:10], found.x):
        expected = alone(f, start, 0.2, 0.002, method)[-1]
        np.testing.assert_allclose(last, expected, rtol=1e-10, atol=1e-11)


def test_time_is_that_of_each_motion():
    """Lanes take up new starts at different moments, and each has a clock of its own."""
    model = pendulum().with_inputs({"tau": 2 * sm.sin(3 * TIME)})
    f, x0 = model.compile(), starts(model, 80)
    limits = [1.2, np.inf]
    x0[:, 0] /= 2
    found = ensemble(f, x0, 2.0, 0.01, limits)
    assert 0.1 < (found.t < 2.0).mean() < 0.9
    for start, t, last in zip(x0, found.t, found.x):
        path = alone(f, start, 2.0, 0.01)
        np.testing.assert_allclose(last, path[round(t / 0.01)], rtol=1e-10, atol=1e-11)


def test_a_motion_is_over_at_its_limit():
    model = free(double_pendulum())
    f, x0 = model.compile(), starts(model, 200)
    x0[:, 2:] = 0
    limits = np.array([np.pi, np.pi, np.inf, np.inf])
    found = ensemble(f, x0, 3.0, 0.01, limits)
    assert 0.05 < (found.t < 3.0).mean() < 0.95
    for start, t in list(zip(x0, found.t))[:40]:
        path = alone(f, start, 3.0, 0.01)
        beyond = (np.abs(path) > limits).any(axis=1)[1:]
        first = np.argmax(beyond) + 1 if beyond.any() else 300
        assert t == pytest.approx(0.01 * first, abs=1e-12)


def test_a_motion_that_is_lost_ends_and_the_others_go_on():
    q = me.dynamicsymbols("q")
    grows = EquationsOfMotion([q], [q.diff()], sm.Matrix([1]), sm.Matrix([q**3]))
    found = ensemble(grows.compile({}), [[0.1, 0.0], [50.0, 50.0], [0.2, 0.0]], 1.0, 0.01)
    assert np.isfinite(found.x[[0, 2]]).all()
    assert found.t[1] < 1.0
    assert (found.t[[0, 2]] == 1.0).all()


def test_the_number_of_threads_changes_nothing():
    model = free(double_pendulum())
    f, x0 = model.compile(), starts(model, 9000)
    one, two = (ensemble(f, x0, 0.1, 0.01, workers=w) for w in (1, 2))
    np.testing.assert_array_equal(one.x, two.x)


def test_the_starts_are_left_alone():
    model = free(pendulum())
    x0 = starts(model, 5)
    before = x0.copy()
    ensemble(model.compile(), x0, 0.1, 0.01)
    np.testing.assert_array_equal(x0, before)


def test_sine_and_cosine_are_good_to_rounding():
    from tutlib.programs.trigonometry import cosine, sine

    rng = np.random.default_rng(0)
    spread = [rng.uniform(-size, size, 500) for size in (1e-3, 1, 10, 1e3, 1e6)]
    angles = np.concatenate([*spread, np.pi / 4 * np.arange(-4000, 4001), [0.0, 1e-300]])
    for mine, theirs in ((sine, np.sin), (cosine, np.cos)):
        found = np.array([mine(a) for a in angles])
        np.testing.assert_allclose(found, theirs(angles), rtol=0, atol=4.5e-16)


def test_an_angle_too_large_for_a_sine_has_none():
    from tutlib.programs.trigonometry import cosine, sine

    for angle in (1e15, -1e300, np.inf, np.nan):
        assert np.isnan(sine(angle))
        assert np.isnan(cosine(angle))


@pytest.mark.parametrize(
    "name", ["M0", "F0", "D0", "R0", "L1_0", "c0", "sine", "lane", "work", "abs"]
)
def test_a_parameter_may_be_called_like_a_number_of_the_compilers(name):
    q = me.dynamicsymbols("q_1 q_2")
    k = sm.Symbol(name)
    M = sm.Matrix([[2, sm.cos(q[0])], [sm.cos(q[0]), 3]])
    eom = EquationsOfMotion(q, [c.diff() for c in q], M, -k * sm.Matrix(q).applyfunc(sm.sin))
    x = np.array([0.3, 0.5, 0.1, 0.2])
    expected = eom.compile({k: 1.7})(0.0, x)
    np.testing.assert_allclose(eom.compile({k: 1.7}, "numba")(0.0, x), expected, rtol=1e-14)
    found = ensemble(eom.compile({k: 1.7}), [x], 1e-3, 1e-3, method="euler").x[0]
    np.testing.assert_allclose(found, x + 1e-3 * expected, rtol=1e-14)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 6])
def test_the_written_out_solve_is_the_solve(n):
    from tutlib.programs.kernels import _written_out_solve

    rng = np.random.default_rng(n)
    A = rng.normal(size=(n, n))
    M, F = A @ A.T + np.eye(n), rng.normal(size=n)
    names = (
        {"math": math}
        | {f"_M{i}": v for i, v in enumerate(M.ravel())}
        | {f"_F{i}": v for i, v in enumerate(F)}
    )
    exec("\n".join(_written_out_solve(n)), names)
    flat, u = M.ravel().copy(), F.copy()
    solve_symmetric(flat, u)
    np.testing.assert_allclose([names[f"_F{i}"] for i in range(n)], u, rtol=1e-12)
    np.testing.assert_allclose(u, np.linalg.solve(M, F), rtol=1e-11)


IMPLICIT = ButcherTableau("implicit midpoint", c=["1/2"], A=[["1/2"]], b=[1])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"starts": np.zeros(2)}, "shape \\(N, 2\\)"),
        ({"starts": np.zeros((3, 4))}, "shape \\(N, 2\\)"),
        ({"starts": [[0, 1], [0, np.nan]]}, "row 1 is"),
        ({"h": 0.0}, "step h must be positive"),
        ({"h": -0.1}, "step h must be positive"),
        ({"t_end": 0.015}, "multiple of h"),
        ({"t_end": np.inf}, "multiple of h"),
        ({"t_end": -1.0}, "multiple of h"),
        ({"limits": [1.0]}, "a limit for each"),
        ({"method": "verlet"}, "explicit Runge-Kutta"),
        ({"method": "rk5"}, "explicit Runge-Kutta"),
        ({"method": IMPLICIT}, "explicit Runge-Kutta"),
        ({"f": lambda t, x: x}, "compiled equations"),
    ],
)
def test_what_makes_no_sense_is_named(change, message):
    f = free(pendulum()).compile()
    usual = {"f": f, "starts": np.zeros((3, 2)), "t_end": 1.0, "h": 0.01}
    with pytest.raises(ValueError, match=message):
        ensemble(**(usual | change))


def test_a_mass_matrix_that_is_not_symmetric_is_refused():
    q = me.dynamicsymbols("q_1 q_2")
    u = [c.diff() for c in q]
    skew = EquationsOfMotion(q, u, sm.Matrix([[2, 1], [0, 2]]), sm.Matrix(q))
    with pytest.raises(ValueError, match="symmetric mass matrix"):
        lanes_source(skew.compile({}).scalar_source)
