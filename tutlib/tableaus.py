"""Runge-Kutta methods as data: each is its Butcher tableau, in exact fractions.

The same tableau drives a step on ℝⁿ (chapters 1 and 4) and on a manifold (chapter 8).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any

Number = int | float | str | Fraction
#: A rooted tree is the tuple of the subtrees that hang on its root.
Tree = tuple[Any, ...]


def _exact(value: Number) -> Fraction:
    try:
        number = Fraction(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"a coefficient must be a number or a fraction; got {value!r}") from error
    near = number.limit_denominator(10**6)  # 1/6 as a float is meant as the fraction
    return near if abs(near - number) < Fraction(1, 10**15) else number


@dataclass(frozen=True)
class ButcherTableau:
    """The coefficients of a Runge-Kutta method, laid out like the printed tableau.

    Parameters
    ----------
    name : str
    c : sequence of s numbers
        Stage times, as fractions of the step.
    A : s rows of numbers
        Stage weights; an explicit method may leave out the zeros on and above the diagonal.
    b : sequence of s numbers
        Weights of the step.

    Raises
    ------
    ValueError
        If a coefficient is not a number, the sizes differ, the b do not sum to 1, or a row of A
        does not sum to its c.

    References
    ----------
    :cite:p:`HairerNorsettWanner1993`, section II.1; :cite:p:`Butcher2016`, chapter 3.
    """

    name: str
    c: tuple[Fraction, ...]
    A: tuple[tuple[Fraction, ...], ...]
    b: tuple[Fraction, ...]

    def __init__(
        self,
        name: str,
        c: Sequence[Number],
        A: Sequence[Sequence[Number]],
        b: Sequence[Number],
    ) -> None:
        s = len(b)
        if len(c) != s or len(A) != s or any(len(row) > s for row in A):
            raise ValueError(
                f"{name}: b has {s} entries, so c needs {s} and A {s} rows of at most {s}; "
                f"got {len(c)} and rows of {[len(row) for row in A]}"
            )
        rows = [tuple(map(_exact, row)) + (Fraction(0),) * (s - len(row)) for row in A]
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "c", tuple(map(_exact, c)))
        object.__setattr__(self, "A", tuple(rows))
        object.__setattr__(self, "b", tuple(map(_exact, b)))
        if abs(float(sum(self.b)) - 1) > 1e-12:
            raise ValueError(f"{name}: the weights b must sum to 1; they sum to {sum(self.b)}")
        for i, (row, node) in enumerate(zip(self.A, self.c), start=1):
            if abs(sum(row) - node) > 1e-12:
                raise ValueError(f"{name}: row {i} of A sums to {sum(row)}, but c is {node} there")

    @property
    def stages(self) -> int:
        """The number of stages s, which is not the order."""
        return len(self.b)

    @property
    def is_explicit(self) -> bool:
        """Whether each stage uses only earlier ones."""
        return not any(any(row[i:]) for i, row in enumerate(self.A))

    @cached_property
    def order(self) -> int:
        """The order of convergence, from the order conditions of all rooted trees up to six."""
        for p in range(1, 7):
            for tree in rooted_trees(p):
                if abs(self.elementary_weight(tree) - Fraction(1, density(tree))) > 1e-12:
                    return p - 1
        return 6

    def elementary_weight(self, tree: Tree) -> Fraction:
        """Return the left side of a tree's order condition, Σ bᵢ (...): it must equal 1/γ."""
        stage = self._stage_weights(tree)
        return sum((b * w for b, w in zip(self.b, stage)), Fraction(0))

    def _stage_weights(self, tree: Tree) -> list[Fraction]:
        product = [Fraction(1)] * self.stages
        for subtree in tree:
            inner = self._stage_weights(subtree)
            sums = [sum((a * w for a, w in zip(row, inner)), Fraction(0)) for row in self.A]
            product = [p * s for p, s in zip(product, sums)]
        return product

    def _repr_latex_(self) -> str:
        def latex(value: Fraction) -> str:
            sign, value = ("-" if value < 0 else ""), abs(value)
            top, bottom = value.numerator, value.denominator
            return f"{sign}{top}" if bottom == 1 else rf"{sign}\tfrac{{{top}}}{{{bottom}}}"

        def cells(row: Sequence[Fraction], length: int) -> str:
            return " & ".join([latex(a) for a in row[:length]] + [""] * (self.stages - length))

        explicit = self.is_explicit
        rows = [
            f"{latex(c)} & {cells(row, i if explicit else self.stages)}"
            for i, (c, row) in enumerate(zip(self.c, self.A))
        ]
        weights = f" & {cells(self.b, self.stages)}"
        columns = "c|" + "c" * self.stages
        body = r" \\ ".join(rows) + r" \\ \hline " + weights
        return rf"$\displaystyle\begin{{array}}{{{columns}}} {body} \end{{array}}$"


def rooted_trees(order: int) -> Iterator[Tree]:
    """Generate the rooted trees with ``order`` nodes: 1, 1, 2, 4, 9, 20, ... of them.

    References
    ----------
    :cite:p:`HairerNorsettWanner1993`, section II.2.
    """
    yield from _forests(order - 1, order - 1)


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
    """Return the number of nodes of a rooted tree."""
    return 1 + sum(map(tree_order, tree))


def density(tree: Tree) -> int:
    """Return γ(tree): its number of nodes times the densities of its subtrees."""
    return tree_order(tree) * math.prod(map(density, tree))


EULER = ButcherTableau("Euler", c=[0], A=[[]], b=[1])

MIDPOINT = ButcherTableau(
    "midpoint",
    c=[0, "1/2"],
    A=[[], ["1/2"]],
    b=[0, 1],
)

HEUN = ButcherTableau(
    "Heun",
    c=[0, 1],
    A=[[], [1]],
    b=["1/2", "1/2"],
)

KUTTA3 = ButcherTableau(
    "Kutta, order 3",
    c=[0, "1/2", 1],
    A=[[], ["1/2"], [-1, 2]],
    b=["1/6", "2/3", "1/6"],
)

RK4 = ButcherTableau(
    "classical Runge-Kutta",
    c=[0, "1/2", "1/2", 1],
    A=[[], ["1/2"], [0, "1/2"], [0, 0, 1]],
    b=["1/6", "1/3", "1/3", "1/6"],
)
