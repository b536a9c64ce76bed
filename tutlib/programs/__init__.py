"""Formulas as programs: one list of single assignments, what writes it, prints it and runs it.

What stands here knows neither mechanics nor methods: both halves of the course meet in it.
"""

from tutlib.programs.assignments import Assignments, Condition, Unknown, where
from tutlib.programs.follow import NotFollowedWarning, follow
from tutlib.programs.followed import followed_source
from tutlib.programs.implicit import ImplicitEquations
from tutlib.programs.machine import CompiledProgram, Machine, SlowWarning
from tutlib.programs.names import identifiers, label_of, plain_name, state_name
from tutlib.programs.projection import Projection
from tutlib.programs.readable import eliminate_common_subexpressions, readable_source
from tutlib.programs.right_hand_side import Array, Function, RightHandSide
from tutlib.programs.routines import Program

__all__ = [
    "Array",
    "Assignments",
    "CompiledProgram",
    "Condition",
    "Function",
    "ImplicitEquations",
    "Machine",
    "NotFollowedWarning",
    "Program",
    "Projection",
    "RightHandSide",
    "SlowWarning",
    "Unknown",
    "eliminate_common_subexpressions",
    "follow",
    "followed_source",
    "identifiers",
    "label_of",
    "plain_name",
    "readable_source",
    "state_name",
    "where",
]
