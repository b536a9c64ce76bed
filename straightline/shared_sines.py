"""Sines and cosines as a shared routine, which makes a program smaller.

A page contains its programs, so their size matters there; locally the routine would only be slower.
The operations, and therefore the bits, are the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from straightline.aliases import Array
from straightline.angles import cosine, sine
from straightline.assignments import Number, Numbers, Unknown
from straightline.passes import with_sines_replaced
from straightline.routines import Assign, Program, Repeat, When, WholeComparison, statements


def share_sines(program: Program) -> None:
    """Make every routine of a program call a shared routine for sines and cosines of two angles.

    Parameters
    ----------
    program : Program
        Its routines are changed.
    """
    routines = list(program.routines)
    call = program.function("sines", _sines_of_two, 1)

    def write(angles: Sequence[Unknown]) -> list[Array]:
        values = call(angles[0], angles[-1:])
        return [values[:2], values[2:]][: len(angles)]

    def replaced(roots: Sequence[int]) -> list[int]:
        return with_sines_replaced(program.assignments, roots, 2, write)

    for statement in (s for routine in routines for s in statements(routine.body)):
        if isinstance(statement, Assign):
            statement.roots = replaced(statement.roots)
        elif isinstance(statement, Repeat | When) and not isinstance(
            statement.test, WholeComparison
        ):
            (statement.test,) = replaced([statement.test])


def _sines_of_two(a: Number, rest: Numbers) -> list[Number]:
    """Return sine and cosine of two angles."""
    return [f(angle) for angle in (a, rest[0]) for f in (sine, cosine)]
