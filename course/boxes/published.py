"""Data of an exercise for its page: values at sample points and hints, without the solution's text.

The page judges by the same numbers as `check`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import sympy as sm

from course.judge.answers import Choice, Number, NumberArray
from course.judge.equations import Equation
from course.judge.equivalence import is_real
from course.judge.exercise import Exercise
from course.judge.generic_mistakes import Mistake
from course.judge.symbolic_answers import Expression, Reading
from tutlib.reading.names import label_of, leaf_name, state_name
from tutlib.units import Unit, Units

#: Significant digits of a value in a page, which computes with sixteen.
DIGITS = 13
#: Significant digits of the values of a generic mistake.
COARSE = 9
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
        "few": [samples.points.index(point) for point in samples.few],
        "entries": [_entry(kind, right, k) for k in range(len(right.expressions))],
        "misconceptions": misconceptions,
    }


def _name(name: str, leaf: sm.Expr) -> dict[str, Any]:
    return {
        "name": name,
        "label": label_of(leaf),
        "latex": state_name(leaf),
        "changes": not leaf.is_Symbol,
    }


def _entry(kind: Expression, right: Reading, k: int) -> dict[str, Any]:
    """Return the values of an entry at the points of the comparison, and its mistakes."""
    entry: dict[str, Any] = {
        "values": _rounded(right.values[k]),
        "needs": kind.needs(k),
        "mistakes": _mistakes(kind.mistakes(k)),
    }
    if kind.dimensions:
        entry["unit"] = _plain_unit(Units(kind.dimensions).read(right.expressions[k]))
    return entry


def _mistakes(rows: Sequence[Mistake]) -> list[list[Any]]:
    """Return mistakes as [stage, sentence, names set to 0, differs, values, more values, ...]."""
    same_but_values = groupby(rows, lambda row: (row.stage, row.sentence, row.zero, row.differs))
    return [
        [stage, sentence, zero, int(differs), *(_rounded(row.values, COARSE) for row in group)]
        for (stage, sentence, zero, differs), group in same_but_values
    ]


def _plain_unit(unit: Unit | None) -> list[float] | None:
    if unit is None:
        return None
    powers = unit[:3]  # no answer is electrical, and the page knows kilogram, meter, and second
    return [int(power) if power.denominator == 1 else float(power) for power in powers]


def _rounded(values: Iterable[Any], digits: int = DIGITS) -> list[Any]:
    """Return numbers with the digits that a page needs; a complex number is a pair."""
    return [
        _digits(value.real, digits)
        if is_real(value)
        else [_digits(value.real, digits), _digits(value.imag, digits)]
        for value in values
    ]


def _digits(value: Any, digits: int) -> float | None:
    """Return a number without trailing digits; None if it is not finite."""
    if not math.isfinite(value):
        return None
    if abs(value) < NOTHING:
        return 0
    number = float(f"{float(value):.{digits}g}")
    return int(number) if number.is_integer() and abs(number) < 2**53 else number
