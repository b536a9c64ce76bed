"""Numbers, places and curves as the sentences of a verification tell them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from numpy.typing import ArrayLike

from straightline.aliases import Array
from tutlib.reading.names import label_of
from verification.results import Curves
from verification.subject import Subject

#: Two numbers that should be one agree so well, relative to the largest beside them.
NEAR = 1e-9
_LINE = 41
_T = me.dynamicsymbols._t


def near(one: ArrayLike, other: ArrayLike, size: float) -> bool:
    """Whether two numbers agree, as far as rounding lets them."""
    return bool(np.all(np.abs(np.subtract(one, other)) <= NEAR * max(size, 1e-300)))


def rounded(value: float) -> str:
    """Return a number for people."""
    return f"{value + 0.0:.4g}".replace("-", "\N{MINUS SIGN}")


def capital(sentence: str) -> str:
    """Return a sentence with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


def both(one: float, other: float) -> tuple[str, str]:
    """Return two numbers with as many digits as tell them apart."""
    for digits in (4, 7, 12):
        texts = [f"{v:.{digits}g}".replace("-", "\N{MINUS SIGN}") for v in (one, other)]
        if texts[0] != texts[1]:
            break
    return texts[0], texts[1]


def formula(subject: Subject, expression: sm.Expr) -> str:
    """Return an expression for people, such as −c·θ̇ for a load."""
    eom = subject.equations
    states = sorted({*eom.states, *(q.diff(_T) for q in eom.q)}, key=lambda s: not s.is_Derivative)
    text = str(expression.subs([(s, sm.Symbol(label_of(s))) for s in states]))
    return text.replace("**2", "²").replace("*", "·").replace("-", "\N{MINUS SIGN}")


def at(subject: Subject, x: Array) -> str:
    """Return where a state is, for people."""
    pairs = zip(subject.equations.states, x)
    return "at " + ", ".join(f"{label_of(s)} = {rounded(float(v))}" for s, v in pairs)


def between(
    subject: Subject,
    find: Callable[[Array], Sequence[float] | Array],
    labels: Sequence[str],
    y: str,
) -> Curves | None:
    """Return numbers on the straight way from one drawn state to another, where it is free."""
    if len(subject.states) < 2 or subject.loop:
        return None
    share = np.linspace(0, 1, _LINE)
    start, end = subject.states[:2]
    values = np.array([find(start + s * (end - start)) for s in share], dtype=float)
    lines = {label: (share, values[:, i]) for i, label in enumerate(labels)}
    return Curves("on the way from one state to another", y, lines)
