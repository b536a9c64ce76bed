"""Sines and cosines as one routine that a whole program calls: fewer bytes where bytes count.

A page holds its programs; here they would only be slower. The operations, and so the bits, are
those that are written out elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tutlib.programs import functions
from tutlib.programs.assignments import Unknown
from tutlib.programs.passes import angles_by_depth, needed, renewed
from tutlib.programs.routines import Assign, Comparison, Program, Repeat, When, statements


def share_sines(program: Program) -> None:
    """Let every routine of a program call one that gives sines and cosines, of two angles at once.

    Parameters
    ----------
    program : Program
        Its routines are changed.
    """
    routines = list(program.routines)
    call = program.function("sines", _of_two, 1)
    for routine in routines:
        for statement in statements(routine.body):
            if isinstance(statement, Assign):
                statement.roots = _with_calls(program, statement.roots, call)
            elif isinstance(statement, Repeat | When) and not isinstance(
                statement.test, Comparison
            ):
                (statement.test,) = _with_calls(program, [statement.test], call)


def _of_two(a: Any, rest: Any) -> list[Any]:
    return [f(angle) for angle in (a, rest[0]) for f in (functions.sine, functions.cosine)]


def _with_calls(
    program: Program, roots: Sequence[int], call: Callable[[Any, Any], Any]
) -> list[int]:
    assignments = program.assignments
    nodes = assignments.nodes
    angles = angles_by_depth(nodes, needed(nodes, roots))
    new: dict[int, int] = {}
    for depth in sorted(angles):
        waiting = angles[depth]
        for pair in (waiting[i : i + 2] for i in range(0, len(waiting), 2)):
            first, *second = [Unknown(assignments, renewed(assignments, a, new)) for a in pair]
            results = list(call(first, second or [first]))
            for angle in pair:
                for name in ("sine", "cosine"):
                    new[assignments.node(name, angle)] = results.pop(0).place
    return [renewed(assignments, root, new) for root in roots]
