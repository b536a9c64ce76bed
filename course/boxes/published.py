"""Data of an exercise for its page: values at sample points and hints, without the solution's text.

The page judges by the same numbers as `check`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import sympy as sm

from course.judge.answers import Choice, Number, NumberArray
from course.judge.equations import Equation
from course.judge.equivalence import is_real, vanishes
from course.judge.exercise import Exercise
from course.judge.symbolic_answers import Expression, Reading
from tutlib.reading.names import label_of, leaf_name, leaves, state_name
from tutlib.units import Unit, Units

#: Significant digits of a value in a page, which computes with sixteen.
DIGITS = 13
#: Magnitude below which a value computed with fifty digits counts as zero.
NOTHING = 1e-40


def published(exercise: Exercise) -> dict[str, Any]:
    """Return the data that a page needs to judge an exercise, for JSON.

    Parameters
    ----------
    exercise : Exercise

    Returns
    -------
    dict
        ``name``, ``section``, ``lesson``, and ``kind``; ``misconceptions``, each with its ``hint``;
        and the data to compare with. An exercise of kind ``"function"`` has no more data, because
        only Python can run its answer.
    """
    kind = exercise.answer
    record: dict[str, Any] = {
        "name": exercise.name,
        "section": exercise.section,
        "lesson": exercise.lesson,
    }
    if isinstance(kind, Expression):
        return record | _with_symbols(kind, exercise)
    if not isinstance(kind, Number | NumberArray | Choice):
        return record | {"kind": "function"}
    misconceptions = [{"value": _plain(wrong), "hint": hint} for wrong, hint in exercise.known]
    record |= {"value": _plain(exercise.right), "misconceptions": misconceptions}
    if isinstance(kind, Choice):
        pictures = list(kind.options) if exercise.reveal is not None else []
        return record | {"kind": "choice", "options": dict(kind.options), "pictures": pictures}
    record |= {"unit": kind.unit, "digits": kind.digits, "bound": kind.bound}
    if isinstance(kind, NumberArray):
        return record | {"kind": "array"}
    return record | {"kind": "number", "eitherSign": kind.either_sign, "atMost": kind.at_most}


def _plain(value: Any) -> Any:
    return value if isinstance(value, str) else np.asarray(value).tolist()


def _with_symbols(kind: Expression, exercise: Exercise) -> dict[str, Any]:
    samples, right = kind.samples, exercise.right
    points = {name: [float(p[name]) for p in samples.points] for name in samples.leaf_by_name}
    misconceptions = [
        {"values": [_rounded(v) for v in wrong.values], "hint": hint}
        for wrong, hint in exercise.known
    ]
    units = {name: _plain_unit(unit) for name, unit in kind.dimensions.items()}
    return {
        "kind": "equation" if isinstance(kind, Equation) else "expression",
        "bound": kind.bound,
        "shape": getattr(kind.value, "shape", None),
        "names": [_name(name, leaf) for name, leaf in samples.leaf_by_name.items()],
        "means": {leaf_name(symbol): leaf_name(meaning) for symbol, meaning in kind.means.items()},
        "expected": kind.expected,
        "units": units or None,
        "points": points,
        "entries": [_entry(kind, right, k) for k in range(len(right.expressions))],
        "misconceptions": misconceptions,
    }


def _name(name: str, leaf: sm.Expr) -> dict[str, Any]:
    return {
        "name": name,
        "label": label_of(leaf),
        "latex": state_name(leaf),
        "changes": not leaf.is_Symbol,
        "whole": bool(leaf.is_integer),
    }


def _entry(kind: Expression, right: Reading, k: int) -> dict[str, Any]:
    """Return the values of an entry at the points of the comparison, and of the hints."""
    samples, expression = kind.samples, right.expressions[k]
    names = samples.leaf_by_name
    vanishing = {n: _rounded(samples.values(expression, samples.vanishing(n))) for n in names}
    entry: dict[str, Any] = {
        "values": _rounded(right.values[k]),
        "needs": kind.needs(right, k),
        "leaves": sorted(set(leaves(expression).values())),
        "vanishing": vanishing,
    }
    if kind.dimensions:
        entry["unit"] = _plain_unit(Units(kind.dimensions).read(expression))
    if not isinstance(kind, Equation):
        shifted = {n: _rounded(samples.values(expression, samples.shifted(n))) for n in names}
        return entry | {"shifted": shifted}
    without = {
        anchor: {name: _both_vanish(kind, expression, anchor, name) for name in names}
        for anchor in samples.moving
    }
    rest = samples.values(expression, samples.resting())
    return entry | {"without": without, "rests": vanishes(rest, right.values[k])}


def _both_vanish(kind: Equation, expression: sm.Expr, anchor: str, name: str) -> list[Any]:
    points = [{**point, anchor: 0 * point[anchor]} for point in kind.samples.vanishing(name)]
    return _rounded(kind.samples.values(expression, points))


def _plain_unit(unit: Unit | None) -> list[float] | None:
    if unit is None:
        return None
    powers = unit[:3]  # no answer is electrical, and the page knows kilogram, meter, and second
    return [int(power) if power.denominator == 1 else float(power) for power in powers]


def _rounded(values: Iterable[Any]) -> list[Any]:
    """Return numbers with the digits that a page needs; a complex number is a pair."""
    return [
        _digits(value.real) if is_real(value) else [_digits(value.real), _digits(value.imag)]
        for value in values
    ]


def _digits(value: Any) -> float | None:
    """Return a number without trailing digits; None if it is not finite."""
    if not math.isfinite(value):
        return None
    if abs(value) < NOTHING:
        return 0
    number = float(f"{float(value):.{DIGITS}g}")
    return int(number) if number.is_integer() and abs(number) < 2**53 else number
