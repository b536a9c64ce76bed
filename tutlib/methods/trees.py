"""Rooted trees, one for each order condition of a Runge-Kutta method.

Each tree represents a derivative of the solution; chapter 4 shows the first trees.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

from straightline.arguments import shown, whole_number

#: A rooted tree is the tuple of the subtrees of its root.
Tree = tuple[Any, ...]

#: There are about a million rooted trees with up to eighteen nodes.
LARGEST_ORDER = 18


def rooted_trees(order: int) -> Iterator[Tree]:
    """Generate the rooted trees with ``order`` nodes; their numbers are 1, 1, 2, 4, 9, 20, ...

    References
    ----------
    :cite:p:`HairerNorsettWanner1993`, section II.2.
    """
    nodes = whole_number(order, "the order", least=1, most=LARGEST_ORDER)
    yield from _forests(nodes - 1, nodes - 1)


def _forests(nodes: int, largest: int) -> Iterator[Tree]:
    """Generate the sets of trees with a given total of nodes, at most ``largest`` in each."""
    if nodes == 0:
        yield ()
    for size in range(min(nodes, largest), 0, -1):
        for count in range(1, nodes // size + 1):
            for trees in combinations_with_replacement(list(rooted_trees(size)), count):
                for rest in _forests(nodes - size * count, size - 1):
                    yield trees + rest


def tree_order(tree: Tree) -> int:
    """Return the number of nodes of a rooted tree.

    Raises
    ------
    TypeError
        If it is not a tuple.
    """
    if not isinstance(tree, tuple):
        raise TypeError(f"a rooted tree is the tuple of its subtrees; got {shown(tree)}")
    return 1 + sum(map(tree_order, tree))


def density(tree: Tree) -> int:
    """Return γ(tree): its number of nodes times the densities of its subtrees."""
    return tree_order(tree) * math.prod(map(density, tree))
