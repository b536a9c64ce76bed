"""One list of assignments, many printers: they must say the same."""

import keyword

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from tutlib import EquationsOfMotion
from tutlib.programs import eliminate_common_subexpressions, identifiers, state_name

q, w = me.dynamicsymbols("q w")
a, b = sm.symbols("a b")
LEAVES = [q, q.diff(), w, w.diff(), a, b, me.dynamicsymbols._t, sm.Rational(1, 3), sm.Integer(2)]


def expressions():
    """Return a strategy for smooth expressions of states, parameters and time."""
    return st.recursive(
        st.sampled_from(LEAVES),
        lambda inner: st.one_of(
            st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
            st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
            inner.map(sm.sin),
            inner.map(sm.cos),
            inner.map(lambda e: e**2),
            inner.map(lambda e: sm.exp(-(e**2))),
            inner.map(lambda e: sm.sqrt(1 + e**2)),
        ),
        max_leaves=8,
    )


def two_speeds(f1, f2, coupling=sm.S.Zero):
    """Return M u' = F with a positive definite M, whatever the coupling is."""
    c = coupling / sm.sqrt(1 + coupling**2)
    return EquationsOfMotion(
        [q, w], [q.diff(), w.diff()], sm.Matrix([[2, c], [c, 1]]), sm.Matrix([f1, f2])
    )


@given(expressions(), expressions(), expressions())
@settings(max_examples=60)
def test_python_and_numpy_agree(f1, f2, coupling):
    eom = two_speeds(f1, f2, coupling)
    values = {p: v for p, v in {a: 0.7, b: -1.3}.items() if p in eom.parameters}
    python, vector = (eom.compile(values, backend) for backend in ("python", "numpy"))
    for x in np.random.default_rng(2).normal(size=(3, 4)):
        np.testing.assert_allclose(python(0.4, x), vector(0.4, x), rtol=1e-12, atol=1e-12)


SAMPLES = [
    sm.sin(q) * sm.cos(w) + a * q.diff() ** 2,
    sm.exp(-a * q**2) / (1 + w**2),
    sm.Piecewise((q, q > 0), (-2 * q, True)) + sm.Max(w, 0) - sm.Min(w, q),
    sm.Abs(q) + sm.sign(w) + sm.atan2(q, w),
    sm.sqrt(1 + q**2) * sm.tan(w / 3) + sm.log(2 + sm.sin(q)) + sm.pi,
    sm.Heaviside(q - w, sm.S.Half) * b,
    (q + a) ** 7 + sm.tanh(w) + sm.acos(sm.sin(q) / 2),
]


@pytest.mark.parametrize("f", SAMPLES, ids=str)
def test_all_back_ends_agree(f, rng):
    eom = two_speeds(f, f * q, sm.sin(q))
    values = {p: v for p, v in {a: 0.7, b: -1.3}.items() if p in eom.parameters}
    functions = [eom.compile(values, backend) for backend in ("python", "numpy", "numba", "auto")]
    for x in rng.normal(size=(20, 4)):
        first, *others = (f(0.4, x) for f in functions)
        for other in others:
            np.testing.assert_allclose(first, other, rtol=1e-12, atol=1e-12)


def test_a_matrix_that_is_not_symmetric_is_solved_with_pivots(rng):
    M = sm.Matrix([[0, 1 + q**2], [3, w]])
    eom = EquationsOfMotion([q, w], [q.diff(), w.diff()], M, sm.Matrix([a, w]))
    functions = [eom.compile({a: 2.0}, backend) for backend in ("python", "numpy", "numba")]
    for x in rng.normal(size=(10, 4)):
        known = np.linalg.solve([[0, 1 + x[0] ** 2], [3, x[1]]], [2.0, x[1]])
        for f in functions:
            np.testing.assert_allclose(f(0, x)[2:], known, rtol=1e-12)


@pytest.mark.parametrize("name", ["lambda", "x", "p", "M", "F", "c0", "math", "in", "dx", "1a"])
def test_any_name_of_a_symbol_compiles(name):
    """The integral of the rates is known: every name stands for 2."""
    eom = two_speeds(sm.Symbol(name) * q, sm.Symbol(name) * sm.sin(q) + sm.sin(q) ** 2)
    for backend in ("python", "numpy"):
        rate = eom.compile({name: 2.0}, backend)(0.0, [1.0, 0.0, 0.0, 0.0])
        known = [0.0, 0.0, 1.0, 2 * np.sin(1) + np.sin(1) ** 2]
        np.testing.assert_allclose(rate, known, rtol=1e-14)


@given(st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=6, unique=True))
def test_identifiers_are_valid_and_distinct(names):
    given_names = identifiers([sm.Symbol(name) for name in names])
    printed = [str(symbol) for symbol in given_names.values()]
    assert len(set(printed)) == len(given_names)
    assert all(name.isidentifier() and not keyword.iskeyword(name) for name in printed)


def test_names_of_states_are_latex():
    assert [state_name(s) for s in (me.dynamicsymbols("theta1"), q.diff())] == [
        r"\theta_{1}",
        r"\dot{q}",
    ]


def test_what_is_no_real_number_is_refused():
    with pytest.raises(ValueError, match="not a real number"):
        two_speeds(sm.I * q, sm.S.Zero).compile({})


def test_common_parts_are_computed_once():
    s = sm.sin(q + w)
    assignments, reduced = eliminate_common_subexpressions([s**2 + s, s * a])
    assert sum(value.has(sm.sin) for _, value in assignments) == 1
    assert not any(expression.has(sm.sin) for expression in reduced)
    back = [e.subs(list(reversed(assignments))) for e in reduced]
    assert back == [s**2 + s, s * a]


@pytest.mark.parametrize("backend", ["python", "numpy", "numba"])
def test_the_source_can_be_read_and_names_the_states(free_pendulum, backend):
    source = free_pendulum.compile(backend).source
    assert "x = [theta, theta_dot], p = [g, l, m]" in source
    assert "sin(theta)" in source or "sine(theta)" in source
    compile(source, "source", "exec")


def test_numpy_takes_many_states_at_once(free_pendulum, rng):
    rhs = free_pendulum.compile("numpy")
    states = rng.normal(size=(2, 7))
    together = rhs(0.0, states)
    for state, rate in zip(states.T, together.T):
        np.testing.assert_allclose(rhs(0.0, state), rate, rtol=1e-15)


@pytest.mark.parametrize("backend", ["auto", "python", "numpy", "numba"])
def test_scipy_takes_the_function_as_it_is(free_pendulum, backend):
    from tutlib.models.pendulum import exact_motion

    rhs = free_pendulum.compile(backend)
    solution = solve_ivp(rhs, (0, 5), [1.0, 0.0], method="DOP853", rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(solution.y[:, -1], exact_motion(5.0, 1.0), atol=1e-10)
