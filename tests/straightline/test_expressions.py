"""SymPy expressions as formulas: each as exact as fifty digits say, or refused by its name."""

import operator

import mpmath
import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from straightline import from_sympy
from straightline.evaluator import Evaluator
from straightline.expressions import evaluate

t = me.dynamicsymbols._t
q, w = me.dynamicsymbols("q w", real=True)
a, b = sm.symbols("a b", real=True)
LEAVES = [q, q.diff(), w, w.diff(), a, b, t, sm.Rational(1, 3), sm.Integer(2)]
STATES = (q, w, q.diff(), w.diff())
POINTS = np.array(
    [
        [0.3, 1.7, -0.4, 2.0],
        [-1.2, 0.8, 3.0, -0.1],
        [-0.5, -2.3, 0.7, 0.6],
        [0.9, -0.6, -1.5, -2.5],
        [2.5, 2.5, 0.0, 1.0],
    ]
)
VALUES = {a: 0.7, b: -1.3}


def along(expressions, points=POINTS):
    """Return a program's numbers, shape (points, expressions), at t = 0.4."""
    formula = from_sympy(expressions, (me.dynamicsymbols._t, STATES, VALUES))
    return Evaluator(formula, len(STATES), list(VALUES.values()))(0.4, np.asarray(points, float))


def exact(expression, point):
    """Return the number that fifty digits give."""
    symbols = [t, *STATES, *VALUES]
    plain = [sm.Dummy(f"v{i}", real=True) for i in range(len(symbols))]
    renamed = expression.xreplace(dict(zip(symbols, plain)))
    with mpmath.workdps(50):
        function = sm.lambdify(plain, renamed, "mpmath")
        return function(*map(mpmath.mpf, [0.4, *map(float, point), *VALUES.values()]))


EXPRESSIONS = [
    sm.Piecewise((q, q > 0), (-2 * q, True)),
    sm.Piecewise((1, q > 2), (q**2, (q > 0) & (w < 1)), (sm.sin(w), q < -1), (w * q, True)),
    sm.Max(w, 0, q) - sm.Min(w, q, a),
    sm.Abs(q) * sm.sign(w) + sm.Abs(w - q),
    sm.floor(2 * q) + sm.ceiling(4 * w) - sm.floor(-q),
    sm.Mod(q, sm.Rational(3, 4)) + sm.Mod(w, -2) + sm.Mod(3 * q, a),
    sm.Heaviside(q - w, sm.S.Half) * b + sm.Heaviside(w, 0),
    sm.cbrt(q**2 + 1) + sm.real_root(q, 3) + sm.real_root(w, 5),
    sm.root(1 + w**2, 5) + sm.root(2 + sm.cos(q), 7),
    sm.atan2(q, w) + sm.atan2(w, -1) + sm.atan2(0, q),
    sm.sinh(q) - sm.cosh(w) * sm.tanh(q - w),
    sm.sec(q) + sm.cot(w) - sm.csc(q * w) + sm.sinc(w),
    (1 + q**2) ** sm.Rational(3, 2) + (2 + w**2) ** sm.Rational(-5, 4) + q**-3 + w**7,
    (1 + q**2) ** w + 2**q + sm.exp(1) ** w + (q**2) ** a,
    sm.sqrt(1 + q**2) * sm.tan(w / 3) + sm.log(2 + sm.sin(q)) + sm.pi + sm.E,
    sm.acos(sm.sin(q) / 2) + sm.asin(sm.cos(w) / 3) - sm.atan(q * w),
    sm.exp(-a * q**2) / (1 + w**2) / (2 - sm.cos(t)),
    sm.sin(q) * sm.cos(w) + a * q.diff() ** 2 - w.diff() * sm.sin(q.diff()),
    sm.GoldenRatio * q + sm.EulerGamma + sm.Catalan * sm.S(3) / 7 + sm.Float("0.1"),
    sm.Piecewise((q, sm.Ne(q, w) & sm.Eq(sm.floor(w), 2)), (w, ~((q < w) | (q > 2))), (a, True)),
    sm.Piecewise((1, sm.Or(sm.And(q > 0, w > 0), sm.And(q <= 0, w < 0))), (2, True)),
    sm.Piecewise((1, sm.ITE(q > 0, w > 0, q < -1)), (2, True)),
]


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_against_fifty_digits(expression):
    compiled = along([expression])[:, 0]
    expected = np.array([float(mpmath.re(exact(expression, point))) for point in POINTS])
    np.testing.assert_allclose(compiled, expected, rtol=2e-15, atol=2e-15)
    known = [
        evaluate([expression], {t: 0.4, **dict(zip(STATES, point.tolist())), **VALUES})[0]
        for point in POINTS
    ]
    np.testing.assert_array_equal(compiled, np.array(known, dtype=float))


def test_conditions_at_their_edges():
    expressions = [
        sm.Piecewise((1, q < w), (0, True)),
        sm.Piecewise((1, q <= w), (0, True)),
        sm.Piecewise((1, q > w), (0, True)),
        sm.Piecewise((1, q >= w), (0, True)),
        sm.Piecewise((1, sm.Eq(q, w)), (0, True)),
        sm.Piecewise((1, sm.Ne(q, w)), (0, True)),
        sm.Piecewise((1, sm.Xor(q > 0, w > 0).to_nnf()), (0, True)),
        sm.Heaviside(q),
        sm.sign(q),
    ]
    points = [[x, y, 0, 0] for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0)]
    for row, (x, y, *_) in zip(along(expressions, points), points):
        either = (x > 0) != (y > 0)
        asked = [x < y, x <= y, x > y, x >= y, x == y, x != y, either]
        assert row.tolist() == [*map(float, asked), (np.sign(x) + 1) / 2, np.sign(x)]


def test_without_a_default_it_is_nan_elsewhere():
    gap = sm.Piecewise((q, q < 0), (w, q > 1))
    points = [[-1, 5, 0, 0], [0.5, 5, 0, 0], [2, 5, 0, 0]]
    found = along([gap, gap + 1, sm.sin(gap)], points)
    np.testing.assert_array_equal(found[:, 0], [-1, np.nan, 5])
    np.testing.assert_array_equal(np.isnan(found).all(axis=1), [False, True, False])


COMPLEX = {
    sm.cbrt(q): -8,
    q ** sm.Rational(3, 4): -1,
    sm.sqrt(q): -1,
    sm.log(q): -1,
    sm.acos(q): 2,
    1 / sm.sqrt(q): -4,
}


@pytest.mark.parametrize("expression", COMPLEX, ids=str)
def test_what_is_complex_is_nan(expression):
    point = [[COMPLEX[expression], 1.0, 0.0, 0.0]]
    found = along([expression, expression * 0 + w], point)
    assert np.isnan(found[0, 0])
    assert found[0, 1] == 1.0
    assert np.isnan(evaluate([expression], {q: float(point[0][0]), a: 0.7})[0])


def test_symbols_are_real_though_sympy_is_not_told():
    z = me.dynamicsymbols("z")
    parts = [sm.real_root(z, 3), sm.re(z) + sm.im(z), sm.conjugate(z) * z]
    root, itself, square = evaluate(parts, {z: -8.0})
    assert (root, itself, square) == (pytest.approx(-2, rel=4e-16), -8.0, 64.0)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (sm.gamma(w) + 1, r"cannot compute gamma\(w\(t\)\): gamma is not supported"),
        (sm.I * q, "cannot compute .*I.*: it is not a real number"),
        (sm.Symbol("c") * q, "there is no value for c"),
        (q.diff(t, 2), "cannot compute Derivative.*: Derivative is not supported"),
    ],
    ids=str,
)
def test_what_cannot_be_computed_is_refused_by_name(expression, message):
    with pytest.raises(ValueError, match=message):
        along([expression])
    with pytest.raises(ValueError, match=message):
        evaluate([expression], {t: 0.4, q: 1.0, w: 2.0, a: 0.7, b: -1.3})


UNARY = [
    sm.sin,
    sm.cos,
    sm.atan,
    lambda e: e**2,
    lambda e: sm.exp(-(e**2)),
    lambda e: sm.sqrt(1 + e**2),
    lambda e: sm.log(2 + sm.cos(e)),
]


def either(one, other):
    """Return one of two expressions, unless SymPy asks for the period of a condition for ever."""
    try:
        return sm.Piecewise((one, other > 0), (other, True))
    except RecursionError:
        reject()


BINARY = [
    operator.add,
    operator.mul,
    lambda one, other: sm.Max(one, other) - sm.Abs(one),
    either,
]


def applied(inner):
    """Return a strategy for functions of expressions."""
    of_one = st.builds(lambda f, e: f(e), st.sampled_from(UNARY), inner)
    return of_one | st.builds(lambda f, a, b: f(a, b), st.sampled_from(BINARY), inner, inner)


@given(
    st.recursive(st.sampled_from(LEAVES), applied, max_leaves=8),
    st.lists(st.floats(-3, 3), min_size=4, max_size=4),
)
@settings(max_examples=settings().max_examples // 4)  # each is compiled anew
def test_random_expressions(expression, point):
    assume(
        all(
            abs(exact(part, point)) < 30
            for part in sm.preorder_traversal(expression)
            if not part.is_Boolean and not part.is_Relational and not isinstance(part, sm.Tuple)
        )
    )
    compiled = along([expression], [point])[0, 0]
    assert compiled == pytest.approx(float(exact(expression, point)), rel=1e-12, abs=1e-12)
