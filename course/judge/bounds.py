"""Bounds given as inequalities, such as ``k > 2``, in answers that are numbers or expressions."""

from __future__ import annotations

from typing import Any, Literal

import sympy as sm

from course.judge.sentences import said
from tutlib.reading.names import UnreadableError

#: Side of the quantity that an inequality bounds: below (least) or above (most).
Bound = Literal["", "least", "most"]
_EXAMPLES = {"least": "x > 2", "most": "x < 2"}
_KINDS = sm.StrictLessThan | sm.LessThan | sm.StrictGreaterThan | sm.GreaterThan


def bounded(answer: Any, bound: Bound) -> Any:
    """Return the bound in ``k > 2``, if one is asked for; reject a bound of the other side."""
    if not bound or not isinstance(answer, _KINDS):
        return answer
    name, limit = (answer.gts, answer.lts) if bound == "least" else (answer.lts, answer.gts)
    if not name.is_Symbol:
        raise UnreadableError(said("bound", example=_EXAMPLES[bound]))
    return limit
