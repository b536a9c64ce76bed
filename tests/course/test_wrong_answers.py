"""Kinds of answers and exercises that make no sense, and text that is never run."""

import numpy as np
import pytest
import sympy as sm

from course import check
from course.judge import (
    Choice,
    Equation,
    Exercise,
    Expression,
    Feedback,
    Function,
    Misconception,
    Number,
    NumberArray,
)

a, b = sm.symbols("a b")
LETTERS = {"a": "it falls", "b": "it stays"}


@pytest.mark.parametrize("value", [a, sm.Matrix([[a]])])
def test_text_in_an_answer_is_never_run(value, tmp_path):
    there = tmp_path / "it ran"
    x = f"__import__('pathlib').Path({str(there)!r}).write_text('x')"
    for exercise in (Exercise("n", kind(value), (), "Section") for kind in (Expression, Equation)):
        for given in (
            x,
            [x],
            [[x]],
            (x,),
            [[(x,)]],
            {x},
            {x: 1},
            [{x: x}],
            [[1], [x, 2]],
            np.array(x),
            np.array([[x]]),
            np.array([[x]], object),
            [[{x}]],
        ):
            assert not check(exercise, given)
    assert not there.exists()


def test_a_verdict_on_a_choice():
    kind = Choice("a", LETTERS)
    assert kind.verdict("a") == "You said: it falls:\nthat is what happens"
    assert kind.verdict("b") == "You said: it stays:\nlook again"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Number("2"), "value must be a real number; got '2'"),
        (lambda: Number(2.0, "m", -1), "digits must be at least 1; got -1"),
        (lambda: Number(2.0, at_most="no"), "at_most must be True or False; got 'no'"),
        (lambda: NumberArray([[1.0], [1.0, 2.0]]), "value has rows of different lengths"),
        (lambda: Choice("c", LETTERS), 'value must be "a" or "b"; got \'c\''),
        (lambda: Choice("a", {}), "options must be a mapping from letter to text, .*; got {}"),
        (lambda: Choice("a", {"a": 1}), "options must be a mapping from letter to text"),
        (lambda: Function(3.0, [(1.0,)]), r"value must be a function .*; got 3.0"),
        (lambda: Function(abs, [1.0]), "a problem must be a tuple; got 1.0"),
        (lambda: Function(abs, [(1.0,)], [("hint", abs)]), r"a law must be \(function, hint\)"),
        (lambda: Function(abs, [(1.0,)], draw=3), "draw must be a function"),
        (lambda: Function(abs, [(1.0,)], effect=3), "effect must be a function"),
        (lambda: Expression(a, where=(a,)), "a condition must be a Rel"),
        (lambda: Expression(a, where=(a < b, b < a)), "have no value at the points tried"),
        (lambda: Expression(a, 3.0), "also must be a sequence; got 3.0"),
        (lambda: Equation(a, ["b"]), "b is no expression with a value"),
        (lambda: Misconception(3.0, 4.0), "hint must be a str; got 4.0"),
        (lambda: Exercise("n", Number, (), "s"), r"answer must be a kind of answer"),
        (lambda: Exercise("n", Number(1.0), (3,), "s"), "a misconception must be a Misconception"),
        (lambda: Exercise("n", Number(1.0), (), "s", reveal=3), "reveal must be a function"),
        (lambda: Feedback("n", "maybe", "Well."), "verdict must be one of right, wrong, open"),
    ],
)
def test_what_makes_no_sense_is_told_when_it_is_made(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()
