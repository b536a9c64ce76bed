"""Sines and cosines as one routine that a whole program calls: fewer bytes where bytes count.

A page holds its programs; here they would only be slower. The operations, and so the bits, are
those that are written out elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from straightline.aliases import Array
from straightline.angles import cosine, sine
from straightline.assignments import Number, Numbers, Unknown
from straightline.passes import with_sines
from straightline.routines import Assign, Comparison, Program, Repeat, When, statements


def share_sines(program: Program) -> None:
    """Let every routine of a program call one that gives sines and cosines, of two angles at once.

    Parameters
    ----------
    program : Program
        Its routines are changed.
    """
    routines = list(program.routines)
    call = program.function("sines", _of_two, 1)

    def write(angles: Sequence[Unknown]) -> list[Array]:
        values = call(angles[0], angles[-1:])
        return [values[:2], values[2:]][: len(angles)]

    def changed(roots: Sequence[int]) -> list[int]:
        return with_sines(program.assignments, roots, 2, write)

    for statement in (s for routine in routines for s in statements(routine.body)):
        if isinstance(statement, Assign):
            statement.roots = changed(statement.roots)
        elif isinstance(statement, Repeat | When) and not isinstance(statement.test, Comparison):
            (statement.test,) = changed([statement.test])


def _of_two(a: Number, rest: Numbers) -> list[Number]:
    return [f(angle) for angle in (a, rest[0]) for f in (sine, cosine)]
