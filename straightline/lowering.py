"""From a program to what can be printed: sines written out, parameters' work prepared, places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from straightline.assignments import CONDITIONS, SOURCES
from straightline.passes import needed, of_parameters, pairs, written_out
from straightline.routines import (
    Assign,
    Comparison,
    Program,
    Repeat,
    Routine,
    SetWhole,
    When,
    statements,
)


@dataclass(frozen=True, eq=False)
class Lowered:
    """A program that is ready to be printed.

    Parameters
    ----------
    program : Program
        Its nodes are operations of the machine alone.
    routines : sequence of Routine
        Those of the program, and ``prepare``.
    prepared : dict
        From the places that depend on parameters alone to their numbers in the array
        ``prepared``.
    layout : dict
        Where each array begins, in floats; the end of all under the empty name.
    """

    program: Program
    routines: Sequence[Routine]
    prepared: dict[int, int]
    layout: dict[str, int]

    def known(self, routine: Routine) -> dict[int, int]:
        """Return where a routine finds what is prepared: place -> number of a float."""
        start = self.layout["prepared"]
        if routine.name == "prepare":
            return {}
        return {place: start + number for place, number in self.prepared.items()}


def lower(program: Program, in_pairs: bool) -> Lowered:
    """Write out sines and cosines, find what can be prepared, and give every array a place.

    Parameters
    ----------
    program : Program
    in_pairs : bool
        Whether two angles share their operations, side by side.

    Returns
    -------
    Lowered
    """
    for name, count in program.assignments.imported.items():
        program.imported(name, count)
    for system, name in program.assignments.systems.items():
        if name not in program.outputs:
            system.write(program, name)
    routines = [_without_sines(program, routine, in_pairs) for routine in program.routines]
    prepared: dict[int, int] = {}
    calls = dict.fromkeys(program.outputs, 1)
    for roots in (_roots(s) for routine in routines for s in statements(routine.body)):
        for place in _to_prepare(program, roots):
            prepared.setdefault(place, len(prepared))
        order = needed(program.assignments.nodes, roots, prepared)
        for name in calls:
            count = sum(program.assignments.nodes[i][:2] == ("call", name) for i in order)
            calls[name] = max(calls[name], count)
    places = [("memory", "prepared", ("constant", 0), i) for i in range(len(prepared))]
    prepare = Routine(program, "prepare", (), False)
    prepare.body.append(Assign(places, list(prepared)))
    lengths = program.arrays | {"prepared": len(prepared)}
    lengths |= {f"{name} gives": program.outputs[name] * count for name, count in calls.items()}
    return Lowered(program, [*routines, prepare], prepared, _layout(lengths))


def _layout(lengths: dict[str, int]) -> dict[str, int]:
    layout, end = {}, 8
    for name, length in lengths.items():
        layout[name] = end
        end += length + length % 2  # two floats side by side begin at an even place
    return {**layout, "": end}


def _without_sines(program: Program, routine: Routine, in_pairs: bool) -> Routine:
    copy = Routine(program, routine.name, routine.arguments, routine.result)
    copy.wholes, copy.numbers = routine.wholes, routine.numbers

    def places(roots: Sequence[int], lanes: int = 1) -> list[int]:
        return written_out(program.assignments, roots, in_pairs and lanes == 1)

    def changed(statement: object) -> object:
        if isinstance(statement, Assign):
            return replace(statement, roots=places(statement.roots, statement.lanes))
        if isinstance(statement, SetWhole) and isinstance(statement.value, int):
            return replace(statement, value=places([statement.value])[0])
        if not isinstance(statement, Repeat | When):
            return statement
        asked = statement.test
        test = asked if isinstance(asked, Comparison) else places([asked], statement.lanes)[0]
        fields: dict[str, Any] = {"body": [changed(s) for s in statement.body]}
        if isinstance(statement, When):
            fields["otherwise"] = [changed(s) for s in statement.otherwise]
        return replace(statement, test=test, **fields)

    copy.body = [changed(statement) for statement in routine.body]
    return copy


def _roots(statement: object) -> list[int]:
    if isinstance(statement, Assign):
        return statement.roots
    if isinstance(statement, SetWhole) and isinstance(statement.value, int):
        return [statement.value]
    if isinstance(statement, Repeat | When) and not isinstance(statement.test, Comparison):
        return [statement.test]
    return []


def _to_prepare(program: Program, roots: Sequence[int]) -> Iterator[int]:
    """Generate the places, of parameters alone, that everything else is made of."""
    nodes = program.assignments.nodes
    order = needed(nodes, roots)
    together = pairs(nodes, order)
    fixed = {
        place
        for place in of_parameters(nodes, order)
        if nodes[place][0] not in CONDITIONS and place not in together
    }
    for place in needed(nodes, roots, fixed):
        if place in fixed and nodes[place][0] not in SOURCES:
            yield place
