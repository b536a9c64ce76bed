"""Kinds of answers: what each says of a wrong one, and that nothing breaks it.

That what is right is so in other forms, too, is in `test_chapter_exercises`.
"""

import math

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from course.judge import Choice, Equation, Expression, Function, Number, NumberArray
from tutlib.reading import UnreadableError

t = me.dynamicsymbols._t
theta, tau = me.dynamicsymbols("theta tau")
m, l, g = sm.symbols("m l g", positive=True)
PENDULUM = m * l**2 * theta.diff(t, 2) + m * g * l * sm.sin(theta) - tau


def accepts(kind, answer):
    return kind.same(kind.read(answer), kind.read(kind.value))


def told(kind, answer):
    """Return what is said of a wrong answer, read or not."""
    try:
        reading = kind.read(answer)
    except UnreadableError as error:
        return str(error)
    assert not kind.same(reading, kind.read(kind.value))
    return next(kind.findings(reading)).sentence


RATES = {
    1: ["thetadot", "theta_dot", "dtheta", "d_theta", "thetad", "theta_d", "dtheta_dt", "dthetadt"],
    2: ["thetaddot", "theta_ddot", "ddtheta", "thetadd", "theta_dd", "d2theta_dt2", "d2thetadt2"],
}


class TestRates:
    """A rate that is written as a name of its own is that rate, and no other name for the angle."""

    kind = Expression(l * theta.diff(t, 2) + theta.diff(t) ** 2 * sm.cos(theta))

    @pytest.mark.parametrize(("first", "second"), [*zip(RATES[1], RATES[2] + RATES[2][:1])])
    def test_it_is_read(self, first, second):
        one, other = sm.symbols([first, second])
        for angle in (theta, sm.Symbol("theta")):
            assert accepts(self.kind, l * other + one**2 * sm.cos(angle)), (one, other)

    def test_numbers_stay_with_their_names(self):
        q_1, q_2 = me.dynamicsymbols("q_1 q_2")
        kind = Expression(q_1.diff(t) + 2 * q_2.diff(t) + q_1 * q_2)
        for one, other in [("q1d", "qd2"), ("qdot1", "q_2dot"), ("dq1", "dq_2_dt")]:
            answer = sm.Symbol(one) + 2 * sm.Symbol(other) + q_1 * q_2
            assert accepts(kind, answer), (one, other)


class TestExpression:
    kind = Expression(m * g * l * (1 - sm.cos(theta)))

    @pytest.mark.parametrize(
        ("answer", "part"),
        [
            (0.99999 * m * g * l * (1 - sm.cos(theta)), "rounded"),
            (m * g * l * (1 - sm.cos(theta)) / sm.Mul(0, l, evaluate=False), "not an expression"),
            (m * g * l * sm.log(-l) * (1 - sm.cos(theta)), "no real value"),
            (m * g * l * (1 - sm.cos(theta)) * tau, "τ does not belong here"),
            (m * g * l * (1 - sm.cos(sm.Symbol("theta"))), "plain symbol"),
            ("m*g*l", "without quotes"),
            (True, "is a comparison, True. Give the expression itself"),
            (0, "It is 0 for all values of the symbols"),
            (sm.Eq(m * g * l * (1 - sm.cos(theta)), 0), "it need not be 0"),
            (
                sm.Integral(sm.sin(sm.sin(sm.Symbol("l"))), sm.Symbol("l")),
                "has no value, such as an integral",
            ),
            (sm.Add(*[theta**k for k in range(3000)]), "far shorter"),
        ],
    )
    def test_a_wrong_one_is_told_where(self, answer, part):
        assert part in told(self.kind, answer)


class TestMatrix:
    value = sm.Matrix([[m + l, m * sm.cos(theta)], [m * sm.cos(theta), g]])
    kind = Expression(value)

    @pytest.mark.parametrize(
        ("answer", "part"),
        [
            (
                [[g, m * sm.cos(theta)], [m * sm.cos(theta), m + l]],
                "row 1, column 1 and row 2, column 2",
            ),
            ([[m + l, m], [l, m]], "row 1, column 2, row 2, column 1 and row 2, column 2"),
            (
                [m + l, m, m, g],
                "The answer has two rows of two expressions; yours has four expressions",
            ),
            (np.zeros((2, 2, 2)), "not an expression in symbols"),
            (m, "yours has one expression"),
        ],
    )
    def test_a_wrong_one_is_told_where(self, answer, part):
        assert part in told(self.kind, answer)


class TestEquation:
    kind = Equation(PENDULUM)

    @pytest.mark.parametrize(
        ("answer", "part"),
        [
            (PENDULUM * sm.cos(theta.diff(t, 2)), "If θ̈ were 0"),
            (PENDULUM * tau, "term by term"),
            (PENDULUM + m * g * l * sm.sin(theta) / 7, "If g were 0"),
            (PENDULUM + tau, "depends on τ"),
            (0 * PENDULUM, "0 = 0"),
        ],
    )
    def test_a_wrong_one_is_told_where(self, answer, part):
        assert part in told(self.kind, answer)


class TestNumber:
    kind = Number(-37.319, "N·m")

    @pytest.mark.parametrize(
        ("answer", "part"),
        [
            (37.319, "sign"),
            (-30, "too small"),
            (np.rad2deg(-37.319), "degrees"),
            (float("nan"), "lost"),
            ((2, 397), r"In Python, 2,397 is 2 numbers. Write 2.397 with a point or 2397 without"),
            ("-37.319", "without quotes"),
            (True, "evaluated the comparison"),
            (1j, "an imaginary part"),
            (10**400, "real number"),
            (m * 2, "m has no value"),
        ],
    )
    def test_a_wrong_one_is_told_how(self, answer, part):
        assert part in told(self.kind, answer)


class TestArray:
    kind = NumberArray([[0.0, 1.0], [-4.905, 0.0]], "SI units")

    @pytest.mark.parametrize(
        ("answer", "part"),
        [
            ([[0, 1], [4.905, 0]], "Look at row 2, column 1."),
            ([[1, 2], [3, 4]], "No entry"),
            ([0, 1, -4.905, 0], "The answer has two rows of two numbers; yours has four numbers"),
            ([[0, np.nan], [1, 2]], "row 1, column 2 is not a finite"),
            ("zeros", "without quotes"),
        ],
    )
    def test_a_wrong_one_is_told_where(self, answer, part):
        assert part in told(self.kind, answer)


class TestDigits:
    @pytest.mark.parametrize(
        ("kind", "answer", "part"),
        [
            (Number(45, digits=None), 44.8, "a whole number"),
            (Number(45, digits=None), 44, "too small"),
            (Number(0.10667, "s"), 0.1073, "close. Give three digits, and round only at the end"),
            (Number(0.10667, "s"), 0.11, "close, but rounding alone does not"),
            (Number(0.10667, "s"), 106.67, "factor of 1000. Check the units"),
            (Number(0.10667, "s"), 6.4, "off by a factor of 60"),
            (Number(0.10667, "s"), 0.6702, "off by a factor of 2π"),
            (Number(0.4, "kg"), 3.924, "off by a factor of 9.81"),
            (Number(0.10667, "s"), 9.375, "reciprocal"),
            (Number(0.10667, "s"), 0.4, "It is too large."),
            (NumberArray([-39.65095, 151.38363], digits=5), [-39.655, 151.388], "five digits"),
            (NumberArray([-39.65095, 151.38363], digits=5), [-39.655, 151.388], "the first number"),
            (NumberArray([79.6123, 29.8211], digits=3), [29.8, 79.6], "in another order"),
        ],
    )
    def test_what_is_missing_is_told(self, kind, answer, part):
        assert part in told(kind, answer)

    @pytest.mark.parametrize(
        ("kind", "answer"),
        [
            (Number(45, digits=None), 45 * (1 + 1e-15)),
            (Number(1.78634, "s"), 1.79),
            (Number(3.1321, either_sign=True), -3.13),
            (Number(3.0), np.complex128(3.0)),
            (NumberArray([-39.65095, 151.38363], digits=5), [-39.651, 151.38]),
            (NumberArray([1.0, 0.0]), [1, 1e-17]),
            (NumberArray([0.25, 0.75]), sm.Matrix([[sm.Rational(1, 4), sm.Rational(3, 4)]])),
            (NumberArray([1.0, 2.0]), [[1], [2]]),
        ],
    )
    def test_what_is_right_to_its_digits_is_right(self, kind, answer):
        assert accepts(kind, answer)

    def test_three_digits_are_right_rounded_or_cut_off(self):
        for value in np.linspace(1, 10, 1001)[:-1]:
            kind = Number(value)
            assert accepts(kind, round(value, 2))
            assert accepts(kind, math.floor(value * 100 + 1e-9) / 100)
            assert not accepts(kind, value * 1.0051)

    def test_of_a_bound_nothing_beyond_is_right(self):
        kind = Number(8 / 75, "s", at_most=True)
        for right in (0.106, 0.1066, 0.10666, 8 / 75, sm.Rational(8, 75), 0.1062):
            assert accepts(kind, right)
        for wrong in (0.107, 0.1067, 0.10667, 0.1061, 0.105, -0.106):
            assert not accepts(kind, wrong)
        assert "close, but exceeds the bound" in told(kind, 0.107)
        assert "rounding alone does not explain" in told(kind, 0.105)
        assert kind.same(0.0534, 8 / 150)  # a mistake, rounded up


class TestChoice:
    kind = Choice("b", {"a": "faster", "b": "slower"})

    @pytest.mark.parametrize("answer", ["c", "", 1, None, ["b"], m, "slower", np.nan])
    def test_anything_else_is_answered_with_the_options(self, answer):
        assert told(self.kind, answer) == 'Choose "a" or "b".'


class TestFunction:
    problems = ((2.0, np.array([1.0, 2.0])), (3.0, np.array([0.5])))
    kind = Function(
        lambda a, x: a * x,
        problems,
        laws=((lambda f: f(1.0, np.array([7.0]))[0] == 7.0, "One times x is x."),),
    )

    def test_a_law_must_hold_too_and_does_not_tell_apart_what_breaks_it(self):
        def near(a, x):
            return a * x + (a == 1.0)

        def far(a, x):
            return a * x + 2 * (a == 1.0)

        def raises(a, x):
            return a * x if a > 1 else 1 / 0

        for wrong in (near, far, raises):
            assert told(self.kind, wrong) == "One times x is x."
        one, other = self.kind.read(near), self.kind.read(far)
        assert self.kind.same(one, other)
        assert self.kind.same(other, one)

    def in_place(a, x):
        x *= a
        return x

    def stops_the_kernel(a, x):
        raise SystemExit

    def calls_itself(a, x):
        return TestFunction.calls_itself(a, x)

    @pytest.mark.parametrize(
        ("answer", "part"),
        [
            (in_place, "changes its argument"),
            (stops_the_kernel, "raised SystemExit"),
            (calls_itself, "RecursionError"),
            (lambda a, x: None, "returns None"),
            (lambda a, x: a * x[:1], "For a = 2 and x = [1, 2] your function returned shape (1,)"),
            (lambda a, x: a * x + 5j, "complex numbers"),
            (lambda a, x: a * x * np.nan, "yours returns [nan, nan]; the right value is [2, 4]"),
            (
                lambda a, x: a * x + (a > 2) * 1e-6,
                "For a = 3 and x = [0.5] yours returns [1.500001]; the right value is [1.5].",
            ),
            (int, "function itself"),
        ],
    )
    def test_a_wrong_one_is_told_how(self, answer, part):
        assert part in told(self.kind, answer)
        assert self.kind.problems[0][1].tolist() == [1.0, 2.0]  # whatever the reader did


@pytest.mark.parametrize("kind", [Number(1.0), NumberArray([1.0])])
def test_a_huge_power_is_refused_before_it_is_computed(kind):
    huge = sm.Pow(10, sm.Pow(10, 8, evaluate=False), evaluate=False)
    given = huge if isinstance(kind, Number) else sm.Matrix([huge])
    with pytest.raises(UnreadableError, match="more than 10000 digits"):
        kind.read(given)
    with pytest.raises(UnreadableError, match="must be a"):
        kind.read(10**400 if isinstance(kind, Number) else [10**400])
