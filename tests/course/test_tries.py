"""What a wrong answer is told at the first try and at later ones, and what counts as a try."""

import re

import pytest
import sympy as sm
import sympy.physics.mechanics as me

from course import check
from course.judge import (
    Equation,
    Exercise,
    Expression,
    Function,
    Misconception,
    Number,
    NumberArray,
    forget_tries,
)

theta, tau = me.dynamicsymbols("theta tau")
m, l, g = sm.symbols("m l g", positive=True)
rate = theta.diff()
RIGHT = m * l * rate**2 + m * g * sm.cos(theta)
WHERE, OPEN = "Read again: “Pulls”.", "If there is a folded solution below, open it now."
HINT = "Does it hang at rest?"
PULL = Exercise(
    "trial-9", Expression(RIGHT), (Misconception(m * g * sm.cos(theta), HINT),), "Pulls", "So."
)


def said(*answers, exercise=PULL):
    """Return what each of several answers in a row is told, without what all begin with."""
    messages = (check(exercise, answer).message for answer in answers)
    return [re.sub("^(Not yet.|This cannot be judged yet:) ", "", message) for message in messages]


def first(kind, wrong):
    """Return the first sentence about a wrong answer."""
    return next(kind.findings(kind.read(wrong))).sentence


def test_a_first_try_is_told_one_thing_a_second_two_and_a_third_where_to_look():
    wrong = m * l * rate**2 - m * g * sm.cos(theta)
    sign = "Only the sign of one term is wrong."
    term = "If g were 0, it would be right. Look at the terms with g."
    assert said(wrong) == [sign]
    forget_tries()
    told = said(2 * RIGHT, wrong, m * g)
    assert told[0] == "Only a constant factor is wrong."
    assert told[1] == f"{sign} {term}"
    assert told[2].endswith(f"{WHERE} {OPEN}")
    assert told[2].count(". ") == 3


def test_a_misconception_has_its_hint_first_and_then_what_is_found():
    assert said(m * g * sm.cos(theta)) == [HINT]
    forget_tries()
    limit = "Try a special case: with g = 0 yours vanishes, but it must not."
    assert said(m, m * g * sm.cos(theta))[1] == f"{HINT} {limit}"


def test_the_same_wrong_answer_again_is_no_new_try():
    same = sm.expand(2 * RIGHT * (1 + m)) - 2 * m * RIGHT
    once, again, expanded = said(2 * RIGHT, 2 * RIGHT, same)
    assert once == again == expanded
    assert said(3 * RIGHT, 2 * RIGHT)[1].endswith(WHERE)  # the second try, also of the first answer


def test_what_cannot_be_read_is_no_try_and_a_right_answer_begins_anew():
    for unread in ("m", sm.Symbol("zeta"), m > 0, [m, l]):
        feedback = check(PULL, unread)
        assert feedback.stage == "reading"
        assert WHERE not in feedback.message
    assert check(PULL, ...).verdict == "open"
    assert said(2 * RIGHT) == ["Only a constant factor is wrong."]
    said(3 * RIGHT)
    assert check(PULL, RIGHT)
    assert said(2 * RIGHT) == ["Only a constant factor is wrong."]


def of(answer):
    return Exercise("trial-9", answer, (), "Pulls")


def test_numbers():
    small, factor = "It is too small.", "It is off by more than a factor of ten."
    for answers, told in (
        (
            [1.0, 3.0, 90.0],
            [
                f"{small} {WHERE}",
                f"It is too large. It is off by less than a factor of two. {WHERE}",
                f"It is too large. {factor} {WHERE} {OPEN}",
            ],
        ),
        ([-2.0, 0.0], ["Only the sign is wrong.", f"{small} {WHERE}"]),
        ([0.001, 0.1], [f"{small} {WHERE}", f"{small} {factor} {WHERE}"]),
    ):
        assert said(*answers, exercise=of(Number(2.0))) == told
        forget_tries()


def test_arrays_and_matrices():
    told = said([1, 2, 4], [1, -2, 4], [-1, -2, -3], exercise=of(NumberArray([1.0, 2.0, 3.0])))
    assert told[0] == "Look at the third number. It is too large."
    assert told[1].startswith(
        "Look at the second number and the third number. Start with the second number. Only"
    )
    assert told[2].startswith("Only the overall sign is wrong.")
    matrix = of(Expression(sm.Matrix([m * l, g + l])))
    told = said([m * l, g - l], [m, l], [2 * m * l, l], exercise=matrix)
    assert told[0] == "Look at the second number. Only the sign of one term is wrong."
    assert told[1] == (
        "Look at the first number and the second number. Start with the first number. "
        "Try a special case: with l = 0 it must vanish, but yours does not."
    )
    assert "Start with the first number. Only a constant factor is wrong." in told[2]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (m * l * rate**2 + m * g * sm.sin(theta), "One sine should be a cosine"),
        (m * l * rate**2 + m * g, "Nothing in it depends on θ"),
        (m * l * rate**2 + m * g * sm.cos(theta) / 7, "If g were 0, it would be right"),
        (2 * m * l * rate**2 + m * g * sm.cos(theta), "Only a constant factor of one term"),
        (m * l * rate**2, "with l = 0 yours vanishes, but it must not"),
        (l * rate**2 + g * sm.cos(theta), "with m = 0 it must vanish, but yours does not"),
        (m * l * rate + m * g * sm.cos(theta), "Only one power or root"),
    ],
)
def test_what_is_found_first(answer, told):
    assert told in first(PULL.answer, answer)


def test_an_equation_must_hold_at_rest_if_the_right_one_does():
    balance = m * l**2 * theta.diff().diff() + m * g * l * sm.sin(theta) - tau
    kind, moved = Equation(balance), Equation(balance - m * g * l)
    told = (
        "Try a special case: with θ = 0, θ̈ = 0 and τ = 0 the equation must hold, but yours does "
        "not."
    )
    wrong = balance + sm.expand(m * g * l * (sm.cos(theta) - sm.sin(theta)))
    assert first(kind, wrong) == told
    # where the right one does not hold there either, or the wrong one does, or has no value there
    for own, answer in ((moved, wrong), (kind, balance * tau), (kind, wrong / theta)):
        assert all(told != sentence for _, sentence in own.findings(own.read(answer)))


def test_functions_are_told_a_problem_then_a_law_then_another_problem():
    law = (lambda f: f(3.0) > 0, "It should grow.")
    grows = Function(lambda x: 2 * x, ((1.0,), (2.0,)), laws=(law,))
    exercise = Exercise("trial-9", grows, (Misconception(lambda x: x, "Once is half."),), "Pulls")
    one, two = (f"For x = {x} yours returns {{}}; the right value is {2 * x}." for x in (1, 2))
    assert said(lambda x: -x, lambda x: -2 * x, exercise=exercise) == [
        one.format(-1),
        f"{one.format(-2)} It should grow.",
    ]
    forget_tries()
    assert said(lambda x: x, exercise=exercise) == ["Once is half."]
    assert said(lambda x: x**3, exercise=exercise) == [f"{one.format(1)} {two.format(8)}"]
    forget_tries()
    # what is right of all problems, and breaks a law
    assert said(lambda x: 2 * x if x < 3 else -x, exercise=exercise) == ["It should grow."]


@pytest.mark.parametrize(
    ("answer", "wrong"), [(Number(0.4515, "s"), 2.83), (NumberArray([0.4515, 1.0]), [2.83, 1.0])]
)
def test_after_a_known_wrong_number_no_accidental_factor_is_reported(answer, wrong):
    """2.83 is nearly 2π times 0.4515, but it is another quantity."""
    exercise = Exercise("trial-8", answer, (Misconception(wrong, HINT),), "Pulls", "So.")
    other = 7.0 if isinstance(answer, Number) else [7.0, 1.0]
    forget_tries()
    assert said(other, wrong, exercise=exercise)[1] == f"{HINT} {WHERE}"
