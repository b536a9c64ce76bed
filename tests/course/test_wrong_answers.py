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
    Number,
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


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Number("2"), "value must be a real number; got '2'"),
        (lambda: Choice("c", LETTERS), 'value must be "a" or "b"; got \'c\''),
        (lambda: Function(3.0, [(1.0,)]), r"value must be a function .*; got 3.0"),
        (lambda: Expression(a, where=(a < b, b < a)), "have no value at the points tested"),
        (lambda: Equation(a, ["b"]), "b is not an expression with a value"),
        (lambda: Exercise("n", Number, (), "s"), r"answer must be a kind of answer"),
        (lambda: Feedback("n", "maybe", "Well."), "verdict must be one of right, wrong, open"),
    ],
)
def test_what_makes_no_sense_is_told_when_it_is_made(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()
