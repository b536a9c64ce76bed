"""Lowering of programs: sines written out, shared work prepared, and addresses of arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from straightline.assignments import CONDITIONS, SOURCES
from straightline.passes import dependencies, paired_nodes, parameter_only, with_sines_written_out
from straightline.routines import (
    Assign,
    Program,
    Repeat,
    Routine,
    SetWhole,
    When,
    WholeComparison,
    statements,
)


@dataclass(frozen=True, eq=False)
class Lowered:
    """A program that is ready to be compiled.

    Parameters
    ----------
    program : Program
        Its nodes are machine operations only.
    routines : sequence of Routine
        Those of the program, and ``prepare``.
    prepared : dict
        From the indices of nodes that depend on parameters alone to their positions in the array
        ``prepared``.
    layout : dict
        The start of each array, in floats; the total length under the empty name.
    """

    program: Program
    routines: Sequence[Routine]
    prepared: dict[int, int]
    layout: dict[str, int]

    def prepared_in(self, routine: Routine) -> dict[int, int]:
        """Return the addresses of prepared values in a routine, by the indices of nodes."""
        start = self.layout["prepared"]
        if routine.name == "prepare":
            return {}
        return {index: start + number for index, number in self.prepared.items()}


def lower(program: Program) -> Lowered:
    """Write out sines and cosines, find what can be prepared, and assign addresses to arrays.

    Parameters
    ----------
    program : Program

    Returns
    -------
    Lowered
    """
    for name, count in program.assignments.imported.items():
        program.imported(name, count)
    for system, name in program.assignments.systems.items():
        if name not in program.outputs:
            system.write(program, name)
    routines = [_without_sines(program, routine) for routine in program.routines]
    prepared: dict[int, int] = {}
    calls = dict.fromkeys(program.outputs, 1)
    for roots in (_roots(s) for routine in routines for s in statements(routine.body)):
        for index in _to_prepare(program, roots):
            prepared.setdefault(index, len(prepared))
        order = dependencies(program.assignments.nodes, roots, prepared)
        for name in calls:
            count = sum(program.assignments.nodes[i][:2] == ("call", name) for i in order)
            calls[name] = max(calls[name], count)
    targets = [("memory", "prepared", ("constant", 0), i) for i in range(len(prepared))]
    prepare = Routine(program, "prepare", (), False)
    prepare.body.append(Assign(targets, list(prepared)))
    lengths = program.arrays | {"prepared": len(prepared)}
    lengths |= {f"{name} gives": program.outputs[name] * count for name, count in calls.items()}
    return Lowered(program, [*routines, prepare], prepared, _layout(lengths))


def _layout(lengths: dict[str, int]) -> dict[str, int]:
    """Return the start of each array, and the total length."""
    layout, end = {}, 8
    for name, length in lengths.items():
        layout[name] = end
        end += length + length % 2  # pairs of floats begin at even addresses
    return {**layout, "": end}


def _without_sines(program: Program, routine: Routine) -> Routine:
    """Return a copy of a routine with sines and cosines written out."""
    copy = Routine(program, routine.name, routine.arguments, routine.result)
    copy.wholes, copy.numbers = routine.wholes, routine.numbers

    def written_out(roots: Sequence[int], lanes: int = 1) -> list[int]:
        return with_sines_written_out(program.assignments, roots, in_pairs=lanes == 1)

    def rewritten(statement: object) -> object:
        if isinstance(statement, Assign):
            return replace(statement, roots=written_out(statement.roots, statement.lanes))
        if isinstance(statement, SetWhole) and isinstance(statement.value, int):
            return replace(statement, value=written_out([statement.value])[0])
        if not isinstance(statement, Repeat | When):
            return statement
        condition = statement.test
        test = (
            condition
            if isinstance(condition, WholeComparison)
            else written_out([condition], statement.lanes)[0]
        )
        fields: dict[str, Any] = {"body": [rewritten(s) for s in statement.body]}
        if isinstance(statement, When):
            fields["otherwise"] = [rewritten(s) for s in statement.otherwise]
        return replace(statement, test=test, **fields)

    copy.body = [rewritten(statement) for statement in routine.body]
    return copy


def _roots(statement: object) -> list[int]:
    """Return the nodes that a statement evaluates."""
    if isinstance(statement, Assign):
        return statement.roots
    if isinstance(statement, SetWhole) and isinstance(statement.value, int):
        return [statement.value]
    if isinstance(statement, Repeat | When) and not isinstance(statement.test, WholeComparison):
        return [statement.test]
    return []


def _to_prepare(program: Program, roots: Sequence[int]) -> Iterator[int]:
    """Yield the indices of parameter-only nodes that other nodes depend on."""
    nodes = program.assignments.nodes
    order = dependencies(nodes, roots)
    paired = paired_nodes(nodes, order)
    constant = {
        index
        for index in parameter_only(nodes, order)
        if nodes[index][0] not in CONDITIONS and index not in paired
    }
    for index in dependencies(nodes, roots, constant):
        if index in constant and nodes[index][0] not in SOURCES:
            yield index
