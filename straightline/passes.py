"""Passes over a list of assignments before it is printed or compiled.

They find dead assignments, write out sines and cosines two angles at a time, find what depends on
parameters alone, and move what only one branch of a ``where`` needs into that branch.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any

from straightline.angles import quarter_turns, sine_and_cosine
from straightline.assignments import CONDITIONS, SOURCES, Assignments, Node, Number, Unknown

#: A branch of a select: its index in the list, and 2 for the first branch or 3 for the second.
Branch = tuple[int, int]
#: The branches around a node, outermost first.
Region = tuple[Branch, ...]

#: The smallest number of operations in a branch.
WORTH_A_BRANCH = 8


def arguments(node: Node) -> tuple[int, ...]:
    """Return the indices of a node's arguments."""
    operation = node[0]
    if operation in SOURCES or operation == "pair constant":
        return ()
    if operation == "call":
        return node[2:]
    return node[1:2] if operation in ("result", "lane") else node[1:]


def dependencies(
    nodes: Sequence[Node], roots: Iterable[int], known: Container[int] = ()
) -> list[int]:
    """Return the indices of nodes that roots depend on, in order, stopping at known ones."""
    live: set[int] = set()
    waiting = list(roots)
    while waiting:
        index = waiting.pop()
        if index not in live:
            live.add(index)
            if index not in known:
                waiting.extend(arguments(nodes[index]))
    return sorted(live)


def parameter_only(nodes: Sequence[Node], order: Sequence[int]) -> set[int]:
    """Return the indices of nodes that depend on constants and the parameters ``p`` alone."""
    indices: set[int] = set()
    for index in order:
        node = nodes[index]
        if node[0] in SOURCES:
            is_fixed = node[0] == "constant" or node[:2] == ("input", "p")
        else:
            is_fixed = node[0] not in ("call", "result") and all(
                a in indices for a in arguments(node)
            )
            is_fixed = is_fixed or node[0] == "pair constant"
        if is_fixed:
            indices.add(index)
    return indices


def paired_nodes(nodes: Sequence[Node], order: Sequence[int]) -> set[int]:
    """Return the indices of nodes that are pairs of numbers."""
    indices: set[int] = set()
    for index in order:
        node = nodes[index]
        if node[0] in ("pack", "pair constant") or (
            node[0] not in ("lane", "call") and any(a in indices for a in arguments(node))
        ):
            indices.add(index)
    return indices


def conditions(nodes: Sequence[Node], index: int) -> bool:
    """Whether a node is a condition."""
    return nodes[index][0] in CONDITIONS


def branch_regions(
    nodes: Sequence[Node], order: Sequence[int], roots: Iterable[int], paired: Container[int]
) -> dict[int, Region]:
    """Return the branch of a select in which each node may be computed; () is outside of all.

    A node that only one branch needs is computed there, so that a costly ``where`` is an ``if``.

    Parameters
    ----------
    nodes : sequence of Node
    order : sequence of int
        Indices, in order.
    roots : iterable of int
    paired : container of int
        Selects of pairs, which compute both branches.
    """
    region: dict[int, Region] = dict.fromkeys(roots, ())
    for index in reversed(order):
        current, node = region.get(index, ()), nodes[index]
        branches = node[0] == "select" and index not in paired
        for argument_number, argument in enumerate(arguments(node), 1):
            use = (
                (*current, (index, argument_number))
                if branches and argument_number > 1
                else current
            )
            previous = region.get(argument)
            region[argument] = use if previous is None else _common_region(previous, use)
    return _without_cheap_branches(nodes, order, region)


def _common_region(first: Region, second: Region) -> Region:
    """Return the common outer branches of two regions."""
    common = 0
    while common < min(len(first), len(second)) and first[common] == second[common]:
        common += 1
    return first[:common]


def _without_cheap_branches(
    nodes: Sequence[Node], order: Sequence[int], region: dict[int, Region]
) -> dict[int, Region]:
    """Move nodes out of branches with few operations."""
    weight: dict[Region, int] = {}
    for index in order:
        own = region.get(index, ())
        if own and nodes[index][0] not in SOURCES:
            for depth in range(1, len(own) + 1):
                weight[own[:depth]] = weight.get(own[:depth], 0) + 1

    def shortened(own: Region) -> Region:
        for depth in range(1, len(own) + 1):
            if weight.get(own[:depth], 0) < WORTH_A_BRANCH:
                return own[: depth - 1]
        return own

    return {index: shortened(own) for index, own in region.items()}


class _PairAssignments(Assignments):
    """The same list for pairs of numbers, in which a constant is a pair of equal ones."""

    def __init__(self, assignments: Assignments) -> None:
        self.nodes, self._indices = assignments.nodes, assignments._indices

    def index_of(self, value: Any) -> int:
        """Return the index of an unknown, or of a known number in both lanes."""
        if hasattr(value, "node_index"):
            return int(value.node_index)
        return self.node("pair constant", float(value).hex())


def with_sines_written_out(
    assignments: Assignments, roots: Sequence[int], in_pairs: bool
) -> list[int]:
    """Return the roots with their sines and cosines written out, for one or two angles at a time.

    Parameters
    ----------
    assignments : Assignments
        Receives the new nodes.
    roots : sequence of int
    in_pairs : bool
        Whether two independent angles share their operations.
    """

    def write(group: Sequence[Unknown]) -> list[Any]:
        reduced = [quarter_turns(angle) for angle in group]
        if len(group) == 1:
            return [sine_and_cosine(*reduced[0])]
        packed = [_pack(assignments, [turn[i] for turn in reduced]) for i in (0, 1)]
        pairs: Any = sine_and_cosine(*packed)
        return [
            [assignments.unknown("lane", pair.node_index, lane) for pair in pairs]
            for lane in (0, 1)
        ]

    return with_sines_replaced(assignments, roots, 2 if in_pairs else 1, write)


def with_sines_replaced(
    assignments: Assignments,
    roots: Sequence[int],
    most: int,
    write: Callable[[Sequence[Unknown]], Sequence[Iterable[Unknown]]],
) -> list[int]:
    """Return the roots with their sines and cosines replaced.

    Parameters
    ----------
    assignments : Assignments
        Receives the new nodes.
    roots : sequence of int
    most : int
        The number of independent angles that are replaced together.
    write : function angles -> a sine and a cosine for each
    """
    nodes, new = assignments.nodes, dict[int, int]()
    for _, waiting in sorted(_angles_by_depth(nodes, dependencies(nodes, roots)).items()):
        for group in (waiting[i : i + most] for i in range(0, len(waiting), most)):
            angles = [Unknown(assignments, _rewritten(assignments, a, new)) for a in group]
            for angle, values in zip(group, write(angles)):
                for name, value in zip(("sine", "cosine"), values):
                    new[assignments.node(name, angle)] = value.node_index
    return [_rewritten(assignments, root, new) for root in roots] if new else list(roots)


def _pack(assignments: Assignments, values: Sequence[Number]) -> Unknown:
    """Return two numbers as a pair."""
    pair_assignments = _PairAssignments(assignments)
    return pair_assignments.unknown("pack", *(assignments.index_of(value) for value in values))


def _angles_by_depth(nodes: Sequence[Node], order: Sequence[int]) -> dict[int, list[int]]:
    """Return the angles without duplicates, grouped by their depth of nested sines."""
    depth: dict[int, int] = {}
    angles: dict[int, dict[int, None]] = {}
    for index in order:
        node = nodes[index]
        inner = max((depth[a] for a in arguments(node)), default=0)
        depth[index] = inner
        if node[0] in ("sine", "cosine"):
            depth[index] = inner + 1
            angles.setdefault(inner, {})[node[1]] = None
    return {level: list(group) for level, group in angles.items()}


def _rewritten(assignments: Assignments, root: int, new: dict[int, int]) -> int:
    """Return the index of a root after replacing nodes."""
    nodes, stack = assignments.nodes, [root]
    while stack:
        index = stack[-1]
        node = nodes[index]
        missing = [] if index in new else [a for a in arguments(node) if a not in new]
        if missing:
            stack += missing
            continue
        stack.pop()
        if index in new:
            continue
        if all(new[a] == a for a in arguments(node)):
            new[index] = index
        elif node[0] in ("result", "lane"):
            new[index] = assignments.node(node[0], new[node[1]], node[2])
        else:
            kept = node[:2] if node[0] == "call" else node[:1]
            new[index] = assignments.node(*kept, *(new[a] for a in arguments(node)))
    return new[root]
