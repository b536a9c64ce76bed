"""Rooted trees, one for each order condition of a Runge-Kutta method.

Each stands for a derivative of the solution; chapter 4 shows the first of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

from straightline.arguments import shown, whole_number

#: A rooted tree is the tuple of the subtrees that hang on its root.
Tree = tuple[Any, ...]

#: There are a million rooted trees with eighteen nodes or fewer, and ever more beyond.
LARGEST_ORDER = 18


def rooted_trees(order: int) -> Iterator[Tree]:
    """Generate the rooted trees with ``order`` nodes: 1, 1, 2, 4, 9, 20, ... of them.

    References
    ----------
    :cite:p:`HairerNorsettWanner1993`, section II.2.
    """
    nodes = whole_number(order, "the order", least=1, most=LARGEST_ORDER)
    yield from _forests(nodes - 1, nodes - 1)


def _forests(nodes: int, largest: int) -> Iterator[Tree]:
    """Generate the sets of trees with so many nodes in all, none with more than ``largest``."""
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
        If it is no tuple.
    """
    if not isinstance(tree, tuple):
        raise TypeError(f"a rooted tree is the tuple of its subtrees; got {shown(tree)}")
    return 1 + sum(map(tree_order, tree))


def density(tree: Tree) -> int:
    """Return γ(tree): its number of nodes times the densities of its subtrees."""
    return tree_order(tree) * math.prod(map(density, tree))
