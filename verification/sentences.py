"""Wording of numbers, states, and curves in the sentences of a verification."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from numpy.typing import ArrayLike

from straightline.aliases import Array
from tutlib.reading.names import label_of
from verification.results import Curves
from verification.subject import Subject

#: The relative tolerance between numbers that should be equal, up to rounding.
TOLERANCE = 1e-9
_POINTS = 41
#: The largest number of terms in which a difference is shown.
_TERMS = 3
_T = me.dynamicsymbols._t
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def close(actual: ArrayLike, expected: ArrayLike, scale: float) -> bool:
    """Whether numbers agree up to rounding, relative to a scale."""
    return bool(np.all(np.abs(np.subtract(actual, expected)) <= TOLERANCE * max(scale, 1e-300)))


def rounded(value: float) -> str:
    """Return a number as text with four digits."""
    return f"{value + 0.0:.4g}".replace("-", "\N{MINUS SIGN}")


def distinct_texts(first: float, second: float) -> tuple[str, str]:
    """Return two numbers as texts with enough digits to differ."""
    for digits in (4, 7, 12):
        texts = [f"{v:.{digits}g}".replace("-", "\N{MINUS SIGN}") for v in (first, second)]
        if texts[0] != texts[1]:
            break
    return texts[0], texts[1]


def expression_text(subject: Subject, expression: sm.Expr) -> str:
    """Return an expression as text, such as −c·θ̇ for a load."""
    eom = subject.equations
    states = sorted({*eom.states, *(q.diff(_T) for q in eom.q)}, key=lambda s: not s.is_Derivative)
    names = [(s, sm.Symbol(label_of(s))) for s in (*states, *subject.symbols)]
    text = re.sub(
        r"\*\*(\d+)", lambda power: power[1].translate(_RAISED), str(expression.subs(names))
    )
    return text.replace("**", "^").replace("*", "·").replace("-", "\N{MINUS SIGN}")


def difference_text(subject: Subject, expected: sm.Expr, actual: sm.Expr) -> str:
    """Return the few terms by which two expressions differ; empty if there are many."""
    difference = sm.expand(expected - actual)
    terms = sm.Add.make_args(difference)
    if len(terms) > _TERMS:
        difference = sm.expand(sm.expand_trig(difference))
        terms = sm.Add.make_args(difference)
    return expression_text(subject, difference) if 0 < len(terms) <= _TERMS else ""


def state_text(subject: Subject, x: Array) -> str:
    """Return a state as text, such as "at θ = 0.3, θ̇ = 1"."""
    pairs = zip(subject.equations.states, x)
    return "at " + ", ".join(f"{label_of(s)} = {rounded(float(v))}" for s, v in pairs)


def curves_between_states(
    subject: Subject,
    evaluate: Callable[[Array], Sequence[float] | Array],
    labels: Sequence[str],
    y: str,
) -> Curves | None:
    """Return numbers along the line between two drawn states; None if constraints forbid it."""
    if len(subject.states) < 2 or subject.loop:
        return None
    fractions = np.linspace(0, 1, _POINTS)
    start, end = subject.states[:2]
    values = np.array([evaluate(start + s * (end - start)) for s in fractions], dtype=float)
    lines = {label: (fractions, values[:, i]) for i, label in enumerate(labels)}
    return Curves("fraction of the way from one state to another", y, lines)
