"""Units of answers with symbols: how they are read, and what is said where they do not fit."""

from fractions import Fraction

import pytest
import sympy as sm
import sympy.physics.mechanics as me

from course.exercises import UNITS
from course.judge import Equation, Expression
from tests.course.test_chapter_exercises import EXERCISES
from tutlib.units import unit_of, unit_text

t = me.dynamicsymbols._t
theta, tau = me.dynamicsymbols("theta tau")
m, l, g, M = sm.symbols("m l g M", positive=True)
omega = theta.diff()
PULL = Expression(m * l * omega**2 + m * g * sm.cos(theta), also=(M, theta.diff(t, 2)), units=UNITS)


@pytest.mark.parametrize(
    ("text", "powers"),
    [
        ("1", (0, 0, 0)),
        ("rad", (0, 0, 0)),
        ("m/s²", (0, 1, -2)),
        ("N·m·s/rad", (1, 2, -1)),
        ("1/s", (0, 0, -1)),
        ("m³", (0, 3, 0)),
        ("N/(m/s)", (1, 0, -1)),
        ("N/m^1.5", (1, Fraction(-1, 2), -2)),
        ("W/A²", (1, 2, -3, -2)),
        ("N-m", (1, 2, -2)),
        ("N × m", (1, 2, -2)),
        ("kg.m2", (1, 2, 0)),
        ("m s-2", (0, 1, -2)),
        ("V/\N{OHM SIGN}", (0, 0, 0, 1)),
        ("F*V", (0, 0, 1, 1)),
    ],
)
def test_a_unit_is_read(text, powers):
    assert unit_of(text) == (*powers, *[0] * (4 - len(powers)))


@pytest.mark.parametrize(
    "text", ["", "meter", "mm", "m^", "(m", "N·", "m/s/", "N-", "m1.5", "9.81 m/s2"]
)
def test_what_is_no_unit_is_refused(text):
    with pytest.raises(ValueError, match="a unit is made of kg, m, s"):
        unit_of(text)


@pytest.mark.parametrize(
    ("unit", "told"),
    [
        ((0, 0, -1), "1/s"),
        ((1, -2, -1), "kg/(m²·s)"),
        ((0, 0.5, -1), "m^(1/2)/s"),
    ],
)
def test_a_unit_is_told(unit, told):
    assert unit_text((*(Fraction(int(p * 2), 2) for p in unit), Fraction(0))) == told


ADDED = "Check the units: it adds {} and {}."
INSIDE = (
    "Check the units: the argument of a sine, an exponential, or a power has the unit {}, but only "
    "pure numbers and angles are possible there."
)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (m * l**2 * omega**2 + m * g * sm.cos(theta), ADDED.format("N", "N·m (J)")),
        (m * g * sm.cos(l), INSIDE.format("m")),
        (m * g * sm.Abs(g - l), ADDED.format("m", "m/s²")),
        (m * g * l, "Check the units: your answer is in N·m (J), but it should be in N."),
        (m * sm.sqrt(g * l), "Check the units: your answer is in kg·m/s, but it should be in N."),
        (sm.sqrt(m), "Check the units: your answer is in kg^(1/2), but it should be in N."),
    ],
)
def test_what_does_not_fit_is_told_with_both_units(answer, told):
    found = list(PULL.findings(PULL.read(answer)))
    assert [f.sentence for f in found if f.stage == "units"] == [told]
    assert found[0].sentence == told  # before all that is found by its values


@pytest.mark.parametrize(
    "answer",
    [
        m * l * omega**2 - m * g * sm.cos(theta),
        2 * m * g + M * l * theta.diff(t, 2),
        m * g * sm.exp(theta) * sm.pi / 3,
        m * 9.81 * sm.cos(theta) + m * l * omega**2,  # 9.81 may be one of m/s²
        m * g * sm.sign(l - 2 * l**2 / (l + l)) + m * g,
        sm.sqrt(m**2 * g**2 + m**2 * l**2 * omega**4),
    ],
)
def test_where_units_fit_nothing_is_said_of_them(answer):
    assert all(stage != "units" for stage, _ in PULL.findings(PULL.read(answer)))


def test_terms_of_an_equation_fit_and_its_whole_may_be_anything():
    balance = m * l**2 * theta.diff(t, 2) + m * g * l * sm.sin(theta) - tau
    kind = Equation(balance, units=UNITS)
    wrong = balance + m * g
    told = "Check the units: it adds N and N·m (J)."
    assert next(kind.findings(kind.read(wrong))).sentence == told
    assert next(kind.findings(kind.read(sm.Eq(balance, m * g)))).sentence == told
    other = sm.expand((balance + tau) / l)
    assert all(stage != "units" for stage, _ in kind.findings(kind.read(other)))


def test_entries_have_units_of_their_own():
    b = sm.Symbol("b", positive=True)
    A = sm.Matrix([[0, 1], [g / l, -b / (m * l**2)]])
    kind = Expression(A, units=UNITS)
    changed = A.as_mutable()
    changed[1, 1] = -b
    told = (
        "Look at row 2, column 2. Check the units: your answer is in N·m·s, but it should be "
        "in 1/s."
    )
    assert next(kind.findings(kind.read(changed))).sentence == told


@pytest.mark.parametrize(
    ("value", "units", "error", "told"),
    [
        (m * l * sm.cos(theta), {"m": "kg"}, ValueError, "name each symbol; l, theta have none"),
        (m + l, {"m": "kg", "l": "m"}, ValueError, "the right answer: Check the units: it adds"),
    ],
)
def test_units_that_do_not_fit_the_exercise_are_refused(value, units, error, told):
    with pytest.raises(error, match=told):
        Expression(value, units=units)


def test_a_hint_that_speaks_of_units_answers_a_mistake_in_them():
    for name, exercise in EXERCISES.items():
        kind = exercise.answer
        told = any("Check the units" in mistake.hint for mistake in exercise.misconceptions)
        if told and isinstance(kind, Expression) and kind.dimensions:
            for reading, hint in exercise.known:
                stages = [stage for stage, _ in kind.findings(reading)]
                assert "Check the units" not in hint or "units" in stages, f"{name}: {hint}"
