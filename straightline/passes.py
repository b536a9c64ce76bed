"""What is done to a list of assignments before it is printed: dead ones dropped, work shared.

Sines and cosines are written out two angles at a time; what depends on parameters alone is found,
so that it can be computed once; and what only one arm of a ``where`` needs waits there.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any

from straightline.angles import quarter_turns, sine_and_cosine
from straightline.assignments import CONDITIONS, SOURCES, Assignments, Node, Number, Unknown

#: An arm of a select: its place in the list, and 2 for the first arm or 3 for the second.
Arm = tuple[int, int]
#: The arms around a node, the outermost first.
Region = tuple[Arm, ...]

#: Fewer operations than these are not worth a branch.
WORTH_A_BRANCH = 8


def arguments(node: Node) -> tuple[int, ...]:
    """Return the places of a node's arguments."""
    operation = node[0]
    if operation in SOURCES or operation == "pair constant":
        return ()
    if operation == "call":
        return node[2:]
    return node[1:2] if operation in ("result", "lane") else node[1:]


def needed(nodes: Sequence[Node], roots: Iterable[int], known: Container[int] = ()) -> list[int]:
    """Return the places that roots depend on, in order, not going beyond what is known."""
    live: set[int] = set()
    waiting = list(roots)
    while waiting:
        place = waiting.pop()
        if place not in live:
            live.add(place)
            if place not in known:
                waiting.extend(arguments(nodes[place]))
    return sorted(live)


def of_parameters(nodes: Sequence[Node], order: Sequence[int]) -> set[int]:
    """Return the places that depend on constants and the parameters ``p`` alone."""
    places: set[int] = set()
    for place in order:
        node = nodes[place]
        if node[0] in SOURCES:
            fixed = node[0] == "constant" or node[:2] == ("input", "p")
        else:
            fixed = node[0] not in ("call", "result") and all(a in places for a in arguments(node))
            fixed = fixed or node[0] == "pair constant"
        if fixed:
            places.add(place)
    return places


def pairs(nodes: Sequence[Node], order: Sequence[int]) -> set[int]:
    """Return the places that are two numbers side by side."""
    places: set[int] = set()
    for place in order:
        node = nodes[place]
        if node[0] in ("pack", "pair constant") or (
            node[0] not in ("lane", "call") and any(a in places for a in arguments(node))
        ):
            places.add(place)
    return places


def conditions(nodes: Sequence[Node], place: int) -> bool:
    """Tell whether a place holds true or false."""
    return nodes[place][0] in CONDITIONS


def regions(
    nodes: Sequence[Node], order: Sequence[int], roots: Iterable[int], together: Container[int]
) -> dict[int, Region]:
    """Say in which arm of which select each node may wait; () is outside of all.

    A node that only one arm needs is computed there: a costly ``where`` becomes a branch.

    Parameters
    ----------
    nodes : sequence of Node
    order : sequence of int
        Places, in order.
    roots : iterable of int
    together : container of int
        Selects of pairs, whose arms are both computed.
    """
    region: dict[int, Region] = dict.fromkeys(roots, ())
    for place in reversed(order):
        here, node = region.get(place, ()), nodes[place]
        branches = node[0] == "select" and place not in together
        for number, argument in enumerate(arguments(node), 1):
            use = (*here, (place, number)) if branches and number > 1 else here
            before = region.get(argument)
            region[argument] = use if before is None else _shared(before, use)
    return _without_cheap_arms(nodes, order, region)


def _shared(one: Region, other: Region) -> Region:
    """Return the arms that are around both."""
    common = 0
    while common < min(len(one), len(other)) and one[common] == other[common]:
        common += 1
    return one[:common]


def _without_cheap_arms(
    nodes: Sequence[Node], order: Sequence[int], region: dict[int, Region]
) -> dict[int, Region]:
    """Move nodes out of arms that hold too little to be worth a branch."""
    weight: dict[Region, int] = {}
    for place in order:
        here = region.get(place, ())
        if here and nodes[place][0] not in SOURCES:
            for depth in range(1, len(here) + 1):
                weight[here[:depth]] = weight.get(here[:depth], 0) + 1

    def shortened(here: Region) -> Region:
        for depth in range(1, len(here) + 1):
            if weight.get(here[:depth], 0) < WORTH_A_BRANCH:
                return here[: depth - 1]
        return here

    return {place: shortened(here) for place, here in region.items()}


class _Pair(Assignments):
    """The same list for numbers side by side: a constant is both of them."""

    def __init__(self, assignments: Assignments) -> None:
        self.nodes, self._places = assignments.nodes, assignments._places

    def place(self, value: Any) -> int:
        """Return the place of an unknown, or of a known number for both lanes."""
        if hasattr(value, "place"):
            return int(value.place)
        return self.node("pair constant", float(value).hex())


def written_out(assignments: Assignments, roots: Sequence[int], in_pairs: bool) -> list[int]:
    """Return the roots with their sines and cosines written out, two angles at a time or one.

    Parameters
    ----------
    assignments : Assignments
        Receives the new nodes.
    roots : sequence of int
    in_pairs : bool
        Whether two angles that do not wait for one another share their operations.
    """

    def write(group: Sequence[Unknown]) -> list[Any]:
        turns = [quarter_turns(angle) for angle in group]
        if len(group) == 1:
            return [sine_and_cosine(*turns[0])]
        packed = [_pack(assignments, [turn[i] for turn in turns]) for i in (0, 1)]
        both: Any = sine_and_cosine(*packed)
        return [[assignments.unknown("lane", one.place, lane) for one in both] for lane in (0, 1)]

    return with_sines(assignments, roots, 2 if in_pairs else 1, write)


def with_sines(
    assignments: Assignments,
    roots: Sequence[int],
    most: int,
    write: Callable[[Sequence[Unknown]], Sequence[Iterable[Unknown]]],
) -> list[int]:
    """Return the roots with something else in place of their sines and cosines.

    Parameters
    ----------
    assignments : Assignments
        Receives the new nodes.
    roots : sequence of int
    most : int
        So many angles, none of which waits for another, are written together.
    write : function angles -> a sine and a cosine for each
    """
    nodes, new = assignments.nodes, dict[int, int]()
    for _, waiting in sorted(_angles_by_depth(nodes, needed(nodes, roots)).items()):
        for group in (waiting[i : i + most] for i in range(0, len(waiting), most)):
            angles = [Unknown(assignments, _renewed(assignments, a, new)) for a in group]
            for angle, both in zip(group, write(angles)):
                for name, value in zip(("sine", "cosine"), both):
                    new[assignments.node(name, angle)] = value.place
    return [_renewed(assignments, root, new) for root in roots] if new else list(roots)


def _pack(assignments: Assignments, values: Sequence[Number]) -> Unknown:
    both = _Pair(assignments)
    return both.unknown("pack", *(assignments.place(value) for value in values))


def _angles_by_depth(nodes: Sequence[Node], order: Sequence[int]) -> dict[int, list[int]]:
    """Return the angles, grouped by how many sines of sines they hold, each once."""
    depth: dict[int, int] = {}
    angles: dict[int, dict[int, None]] = {}
    for place in order:
        node = nodes[place]
        below = max((depth[a] for a in arguments(node)), default=0)
        depth[place] = below
        if node[0] in ("sine", "cosine"):
            depth[place] = below + 1
            angles.setdefault(below, {})[node[1]] = None
    return {level: list(group) for level, group in angles.items()}


def _renewed(assignments: Assignments, root: int, new: dict[int, int]) -> int:
    """Return the place of a root with new nodes in place of those that they stand for."""
    nodes, stack = assignments.nodes, [root]
    while stack:
        place = stack[-1]
        node = nodes[place]
        missing = [] if place in new else [a for a in arguments(node) if a not in new]
        if missing:
            stack += missing
            continue
        stack.pop()
        if place in new:
            continue
        if all(new[a] == a for a in arguments(node)):
            new[place] = place
        elif node[0] in ("result", "lane"):
            new[place] = assignments.node(node[0], new[node[1]], node[2])
        else:
            kept = node[:2] if node[0] == "call" else node[:1]
            new[place] = assignments.node(*kept, *(new[a] for a in arguments(node)))
    return new[root]
