"""Commutator-free methods for manifolds: several exponentials in a row.

A row of a Butcher tableau is split into successive flows, and the sum of their weights equals the
row. Chapter 8 compares them with Runge-Kutta-Munthe-Kaas methods.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from straightline.aliases import Array, Kind
from straightline.arguments import instance, shown
from tutlib.methods.tableaus import ButcherTableau, Number, exact, no_row


def _sequence(name: str, value: Iterable[Kind]) -> list[Kind]:
    if no_row(value):
        raise ValueError(f"{name}: stages and result must be rows of weights; got {shown(value)}")
    return list(value)


def _rows(name: str, rows: Iterable[Iterable[Number]]) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(map(exact, _sequence(name, row))) for row in _sequence(name, rows))


@dataclass(frozen=True)
class CommutatorFreeTableau:
    """An explicit commutator-free method, with a row of weights for each flow of each stage.

    Parameters
    ----------
    name : str
    stages : sequence of stages, each a sequence of rows
        A row holds the weights of the slopes computed so far, as fractions; its flow is applied
        after the flows of the preceding rows. The first stage has no rows.
    result : sequence of rows

    Raises
    ------
    ValueError
        If a weight is not a number, a row has more weights than there are slopes, the first stage
        has a row, or the weights of the result do not sum to 1.

    References
    ----------
    :cite:p:`CelledoniMarthinsenOwren2003`.
    """

    name: str
    stages: Any
    result: Any
    #: Flows are applied one after another; no slope is carried back.
    carries_back = False

    def __post_init__(self) -> None:
        instance(self.name, "the name", str)
        stages = tuple(_rows(self.name, rows) for rows in _sequence(self.name, self.stages))
        object.__setattr__(self, "stages", stages)
        object.__setattr__(self, "result", _rows(self.name, self.result))
        for i, rows in enumerate([*self.stages, self.result]):
            longest = max((len(row) for row in rows), default=0)
            if longest > i:
                raise ValueError(
                    f"{self.name}: stage {i + 1} has a row of {longest} weights, but only {i} "
                    "slopes are known at that stage"
                )
        total = sum((weight for row in self.result for weight in row), Fraction(0))
        if abs(total - 1) > 1e-12:
            raise ValueError(f"{self.name}: the weights of the result must sum to 1; got {total}")

    def __repr__(self) -> str:
        return f"CommutatorFreeTableau({self.name})"

    @cached_property
    def flows(self) -> list[list[Array]]:
        """The rows of all stages, followed by those of the result, as arrays."""
        every = [*self.stages, self.result]
        return [[np.array([float(w) for w in row]) for row in rows] for rows in every]

    @cached_property
    def c(self) -> Array:
        """The nodes: the times of the stages, as fractions of the step."""
        return np.array([sum(row.sum() for row in rows) for rows in self.flows[:-1]], dtype=float)

    @cached_property
    def summed(self) -> ButcherTableau:
        """The Butcher tableau to which this method reduces on ℝⁿ."""
        n = len(self.stages)

        def total(rows: Sequence[Sequence[Fraction]]) -> list[Fraction]:
            padded = [[*row] + [Fraction(0)] * (n - len(row)) for row in rows]
            return [sum(column, Fraction(0)) for column in zip(*padded)] or [Fraction(0)] * n

        A = [total(rows) for rows in self.stages]
        return ButcherTableau(
            f"{self.name} on R^n",
            c=[sum(row) for row in A],
            A=[row[:i] for i, row in enumerate(A)],
            b=total(self.result),
        )


#: Order 1: exp(h K₁).
LIE_EULER = CommutatorFreeTableau("Lie-Euler", [[]], [[1]])
#: Order 2, by Crouch and Grossman: the midpoint rule.
CROUCH_GROSSMAN2 = CommutatorFreeTableau("Crouch-Grossman 2", [[], [["1/2"]]], [[0, 1]])
#: Order 3, by Crouch and Grossman.
CROUCH_GROSSMAN3 = CommutatorFreeTableau(
    "Crouch-Grossman 3",
    [[], [["3/4"]], [["119/216"], [0, "17/108"]]],
    [["13/51"], [0, "-2/3"], [0, 0, "24/17"]],
)
#: Order 4, by Celledoni, Marthinsen and Owren.
CF4 = CommutatorFreeTableau(
    "CF4",
    [[], [["1/2"]], [[0, "1/2"]], [["1/2"], ["-1/2", 0, 1]]],
    [["1/4", "1/6", "1/6", "-1/12"], ["-1/12", "1/6", "1/6", "1/4"]],
)
