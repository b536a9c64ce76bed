"""Formulas as programs: one list of single assignments, what writes it, prints it and runs it.

What stands here knows neither mechanics nor methods: both halves of the course meet in it. What
writes and runs programs is the package's own, and stays in its modules.
"""

from tutlib.programs.after_step import Projection
from tutlib.programs.assignments import where
from tutlib.programs.compiled import Compiled, compiled
from tutlib.programs.follow import CannotFollowError, follow
from tutlib.programs.followed import followed_source, operation_count
from tutlib.programs.machine import SlowWarning
from tutlib.programs.readable import eliminate_common_subexpressions, readable_source
from tutlib.programs.right_hand_side import Array, Function, ImplicitEquations, RightHandSide
from tutlib.reading.names import identifiers, label_of, plain_name, state_name

__all__ = [
    "Array",
    "CannotFollowError",
    "Compiled",
    "Function",
    "ImplicitEquations",
    "Projection",
    "RightHandSide",
    "SlowWarning",
    "compiled",
    "eliminate_common_subexpressions",
    "follow",
    "followed_source",
    "identifiers",
    "label_of",
    "operation_count",
    "plain_name",
    "readable_source",
    "state_name",
    "where",
]
