"""Equivalence by evaluation: rewrites are the same, changes are not, whatever they look like."""

import pytest
import sympy as sm
import sympy.physics.mechanics as me
from hypothesis import assume, given
from hypothesis import strategies as st

from course.judge.equivalence import (
    MOST_NODES,
    ROUNDED,
    Samples,
    proportional,
    refuse_huge,
    same,
)
from tests.javascript import corpus
from tutlib.reading import UnreadableError

pytestmark = pytest.mark.slow

t = me.dynamicsymbols._t
theta, phi = me.dynamicsymbols("theta phi")
m, l, g = sm.symbols("m l g", positive=True)
SYMBOLS = [m, l, g, theta, phi, theta.diff(t), theta.diff(t, 2)]
SAMPLES = Samples(SYMBOLS)

atoms = st.sampled_from(SYMBOLS)
numbers = st.integers(-5, 5).filter(bool).map(sm.Integer)
trigonometric = st.builds(
    lambda f, a, b: f(a - b), st.sampled_from([sm.sin, sm.cos]), atoms, atoms | st.just(sm.S.Zero)
)
terms = st.builds(lambda n, a, b, c: n * a * b * c, numbers, atoms, atoms, trigonometric | atoms)
expressions = st.lists(terms, min_size=1, max_size=4).map(lambda parts: sm.Add(*parts))


REWRITES = [*corpus.REWRITES, *(lambda e, f=f: e.rewrite(f) for f in (sm.cos, sm.exp, sm.tan))]


@given(expressions, st.lists(st.sampled_from(REWRITES), min_size=1, max_size=3))
def test_every_rewrite_is_the_same(expression, rewrites):
    other = expression
    for rewrite in rewrites:
        other = rewrite(other)
    assert same(SAMPLES.values(other), SAMPLES.values(expression))


@given(expressions, terms, st.sampled_from(REWRITES))
def test_no_change_is_the_same(expression, term, rewrite):
    """A millionth of any term that is not always 0 is enough."""
    assume(sm.expand(term, trig=True) != 0)
    changed = rewrite(expression + term / 10**6)
    assert not same(SAMPLES.values(changed), SAMPLES.values(expression))


@given(expressions, st.sampled_from([m, m * l**2, 1 / g, sm.Rational(-7, 3), sm.sqrt(l)]))
def test_an_equation_times_a_constant_is_the_same(expression, factor):
    assume(sm.expand(expression, trig=True) != 0)
    values = SAMPLES.values(expression)
    assert proportional(SAMPLES.values(sm.expand(factor * expression)), values)
    assert not proportional(SAMPLES.values(expression * sm.cos(theta)), values)
    assert not proportional(SAMPLES.values(0 * expression), values)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (sm.Abs(theta), theta),
        (theta, sm.Mod(theta, sm.pi)),
        (sm.asin(sm.sin(theta)), theta),
        (sm.sin(theta) + t, sm.sin(theta)),
        (sm.sin(theta), theta - theta**3 / 6 + theta**5 / 120),
        (sm.Piecewise((theta, theta > 0), (0, True)), theta),
    ],
)
def test_what_agrees_only_here_and_there_is_not_the_same(one, other):
    samples = Samples([theta, t])
    assert not same(samples.values(one), samples.values(other))


def test_a_sign_that_changes_with_an_angle_is_found():
    """Beyond 90°, a root of a square has the other sign."""
    angle = sm.Symbol("theta_0", real=True)
    cosine, root = sm.cos(angle), sm.sqrt(1 - sm.sin(angle) ** 2)
    samples = Samples([cosine])
    for sign in (1, -1):
        assert not same(samples.values(sign * root), samples.values(cosine))


def test_a_number_rounded_to_double_precision_is_accepted_and_no_other():
    third = SAMPLES.values(m * l / 3)
    assert same(SAMPLES.values(m * l * (1 / 3)), third, ROUNDED)
    assert not same(SAMPLES.values(m * l * 0.333333), third, ROUNDED)
    assert not same(SAMPLES.values(m * l * (1 / 3)), third)


def power(base, exponent):
    return sm.Pow(base, exponent, evaluate=False)


@pytest.mark.parametrize(
    "expression",
    [
        power(power(10, 8), power(10, power(10, 8))),
        sm.exp(sm.exp(sm.exp(sm.exp(theta)))),
        sm.factorial(10**9, evaluate=False),
        sm.Float("1e30000"),
    ],
)
def test_a_number_that_would_take_for_ever_is_refused_before_it_is_computed(expression):
    with pytest.raises(UnreadableError, match="more than 10000 digits"):
        refuse_huge(expression)


def test_numbers_of_usual_sizes_are_taken():
    for expression in (
        2**theta * sm.exp(-(theta**2)) * sm.Float("6.67e-11"),
        sm.Float(0.0) + sm.Rational(1, 3) ** 40,
        sm.exp(-sm.exp(theta)) * sm.factorial(20, evaluate=False),
        sm.Integer(10) ** -300 * theta,
        sm.oo * theta,
        sm.Add(*[theta**k for k in range(500)]),
    ):
        refuse_huge(expression)
    with pytest.raises(UnreadableError, match=str(MOST_NODES)):
        refuse_huge(sm.Add(*[theta**k for k in range(3000)]))
