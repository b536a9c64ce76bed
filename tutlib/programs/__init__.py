"""Formulas as programs: one list of single assignments, what writes it, prints it and runs it.

What stands here knows neither mechanics nor methods: both halves of the course meet in it.
"""

from tutlib.programs.codegen import (
    eliminate_common_subexpressions,
    identifiers,
    label_of,
    plain_name,
    state_name,
)
from tutlib.programs.projection import Projection
from tutlib.programs.right_hand_side import Array, Function, RightHandSide

__all__ = [
    "Array",
    "Function",
    "Projection",
    "RightHandSide",
    "eliminate_common_subexpressions",
    "identifiers",
    "label_of",
    "plain_name",
    "state_name",
]
