"""Butcher tableaus of Runge-Kutta methods, in exact fractions.

The same tableau drives a step on ℝⁿ (chapter 4) and on a manifold (chapter 8). An embedded pair has
two rows of weights, whose difference estimates the error of the step.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from straightline.aliases import Array
from straightline.arguments import instance, shown
from tutlib.methods.trees import Tree, density, rooted_trees, tree_order

Number = int | float | str | Fraction


def exact(value: Number) -> Fraction:
    """Return a coefficient as a fraction; for a float, the simple fraction that it represents.

    Parameters
    ----------
    value : int, float, Fraction or str such as "1/6"

    Raises
    ------
    ValueError
        If it is not a finite number.
    """
    if isinstance(value, np.generic):
        value = value.item()  # NumPy integers overflow in fractions
    try:
        if isinstance(value, bool):
            raise TypeError
        number = Fraction(value)
    except (TypeError, ValueError, ArithmeticError) as error:
        came = shown(value)
        raise ValueError(f"a coefficient must be a number or a fraction; got {came}") from error
    if not isinstance(value, float) or number.denominator < 10**6:
        return number
    near = number.limit_denominator(10**6)  # the float 1/6 represents the fraction
    return near if abs(near - number) < Fraction(1, 10**15) else number


def no_row(value: object) -> bool:
    """Return whether a value is not a sequence, and therefore not a row of a tableau."""
    if isinstance(value, np.ndarray):
        return value.ndim == 0
    return isinstance(value, str | bytes) or not isinstance(value, Sequence)


def _exact_row(row: Sequence[Number], length: int) -> tuple[Fraction, ...]:
    if no_row(row):
        raise ValueError(f"coefficients must be a row of numbers; got {shown(row)}")
    return tuple(map(exact, row)) + (Fraction(0),) * (length - len(row))


@dataclass(frozen=True)
class DenseOutput:
    """Dense output within a step: x + h Σ bᵢ(θ) kᵢ at t + θ h, from all stages and further ones.

    Parameters
    ----------
    P : rows of numbers, one for each stage and each further stage
        bᵢ(θ) = P[i][0] θ + P[i][1] θ² + ...
    c, A : sequences
        Nodes and weights of the further stages, as in a tableau.

    Raises
    ------
    ValueError
        If a coefficient is not a number.

    References
    ----------
    :cite:p:`HairerNorsettWanner1993`, section II.6.
    """

    P: Any
    c: Any = ()
    A: Any = ()

    def __post_init__(self) -> None:
        for name in ("P", "A"):
            rows = getattr(self, name)
            if no_row(rows):
                raise ValueError(f"{name} must hold rows of numbers; got {shown(rows)}")
            object.__setattr__(self, name, tuple(_exact_row(row, 0) for row in rows))
        object.__setattr__(self, "c", _exact_row(self.c, 0))

    def refuse(self, b: Sequence[Fraction]) -> str:
        """Describe what does not match a step with weights b; return "" if all matches.

        Parameters
        ----------
        b : sequence of s numbers

        Returns
        -------
        str
        """
        b = _exact_row(b, 0)
        s, further = len(b), len(self.c)
        if len(self.A) != further or any(len(row) > s + i for i, row in enumerate(self.A)):
            return (
                f"its {further} further stages need {further} rows of at most {s}, {s + 1}, ... "
                f"weights; got rows of {[len(row) for row in self.A]}"
            )
        for i, (row, node) in enumerate(zip(self.A, self.c), start=1):
            if abs(sum(row) - node) > 1e-12:
                return f"row {i} of A sums to {sum(row)}, but c is {node} there"
        if len(self.P) > s + further:
            return f"P has {len(self.P)} rows, but there are {s + further} slopes"
        ends = [sum(row, Fraction(0)) for row in self.P]
        for i, (end, weight) in enumerate(zip_longest(ends, b, fillvalue=Fraction(0)), start=1):
            if self.P and abs(end - weight) > 1e-12:
                return f"row {i} of P ends at {end}, but b is {weight} there"
        return ""


@dataclass(frozen=True)
class Pair:
    """The numbers of a tableau as arrays; E holds the error weights, b minus embedded weights."""

    c: Array
    A: Array
    b: Array
    E: Array
    reuses: bool
    further_c: Array
    further_A: Array
    P: Array


def _refuse_sizes(
    name: str,
    c: Sequence[object],
    A: Sequence[Sequence[object]],
    b: Sequence[object],
    embedded: object,
) -> int:
    """Reject parts of a tableau with inconsistent lengths; return the number of stages."""
    for part, value in {"c": c, "A": A, "b": b, "embedded": embedded}.items():
        if no_row(value):
            raise ValueError(f"{name}: {part} must be a row of numbers; got {shown(value)}")
    s = len(b)
    if any(map(no_row, A)):
        raise ValueError(f"{name}: A must hold rows of numbers; got {shown(A)}")
    if len(c) != s or len(A) != s or any(len(row) > s for row in A):
        raise ValueError(
            f"{name}: b has {s} entries, so c needs {s} and A {s} rows of at most {s}; "
            f"got {len(c)} and rows of {[len(row) for row in A]}"
        )
    return s


@dataclass(frozen=True)
class ButcherTableau:
    """The coefficients of a Runge-Kutta method, laid out like the printed tableau.

    Parameters
    ----------
    name : str
    c : sequence of s numbers
        Nodes: stage times, as fractions of the step.
    A : s rows of numbers
        Stage weights; an explicit method may leave out the zeros on and above the diagonal.
    b : sequence of s numbers
        Weights of the step.
    embedded : sequence of rows of s numbers, optional
        Weights of lower order, for an estimate of the error: one row, or two as in DOP853.
    dense : DenseOutput, optional

    Raises
    ------
    ValueError
        If a coefficient is not a number, the lengths are inconsistent, b does not sum to 1, or a
        row of A does not sum to its entry of c.

    References
    ----------
    :cite:p:`HairerNorsettWanner1993`, section II.1; :cite:p:`Butcher2016`, chapter 3.
    """

    name: str
    c: tuple[Fraction, ...]
    A: tuple[tuple[Fraction, ...], ...]
    b: tuple[Fraction, ...]
    embedded: tuple[tuple[Fraction, ...], ...]
    dense: DenseOutput | None
    #: On a curved space, dexp⁻¹ transports its slopes back to the beginning of the step.
    carries_back = True

    def __init__(
        self,
        name: str,
        c: Sequence[Number],
        A: Sequence[Sequence[Number]],
        b: Sequence[Number],
        embedded: Sequence[Sequence[Number]] = (),
        dense: DenseOutput | None = None,
    ) -> None:
        s = _refuse_sizes(instance(name, "the name", str), c, A, b, embedded)
        fields = {
            "name": name,
            "c": _exact_row(c, s),
            "A": tuple(_exact_row(row, s) for row in A),
            "b": _exact_row(b, s),
            "embedded": tuple(_exact_row(row, s) for row in embedded),
            "dense": dense if dense is None else instance(dense, "dense", DenseOutput),
        }
        for field, value in fields.items():
            object.__setattr__(self, field, value)
        self._refuse_sums()

    def _refuse_sums(self) -> None:
        name, s, dense = self.name, self.stages, self.dense
        for weights in (self.b, *self.embedded):
            if len(weights) != s or abs(float(sum(weights)) - 1) > 1e-12:
                raise ValueError(
                    f"{name}: the weights b must sum to 1; they sum to {sum(weights)}"
                    if len(weights) == s
                    else f"{name}: b has {s} entries, an embedded row {len(weights)}"
                )
        if self.b in self.embedded:
            raise ValueError(
                f"{name}: the embedded weights are b itself, so that every error would seem zero"
            )
        if dense is not None and (wrong := dense.refuse(self.b)):
            raise ValueError(f"{name}: the dense output does not fit: {wrong}")
        for i, (row, node) in enumerate(zip(self.A, self.c), start=1):
            if abs(sum(row) - node) > 1e-12:
                raise ValueError(f"{name}: row {i} of A sums to {sum(row)}, but c is {node} there")

    def __hash__(self) -> int:
        return hash((self.name, self.stages))  # hashing all fractions would take longer than a step

    @property
    def stages(self) -> int:
        """The number of stages s (in general not the order)."""
        return len(self.b)

    @property
    def is_explicit(self) -> bool:
        """Whether each stage uses only earlier ones."""
        return not any(any(row[i:]) for i, row in enumerate(self.A))

    @cached_property
    def pair(self) -> Pair:
        """The numbers as arrays, for the integrators.

        Raises
        ------
        ValueError
            If the tableau is implicit.
        """
        if not self.is_explicit:
            raise ValueError(
                f"{self.name} is implicit: its stages are solutions of equations; use an explicit "
                "tableau"
            )
        c, A, b, embedded = (
            np.array(part, dtype=float) for part in (self.c, self.A, self.b, self.embedded)
        )
        dense = self.dense or DenseOutput(())
        further = [_exact_row(row, self.stages + len(dense.c)) for row in dense.A]
        return Pair(
            *(c, A, b, b - embedded.reshape(-1, self.stages)),
            reuses=self.first_same_as_last,
            further_c=np.array(dense.c, dtype=float),
            further_A=np.array(further, dtype=float).reshape(
                len(further), self.stages + len(further)
            ),
            P=np.array([_exact_row(row, len(row)) for row in dense.P], dtype=float, ndmin=2),
        )

    @property
    def first_same_as_last(self) -> bool:
        """Whether the last stage is the first stage of the next step (FSAL)."""
        return self.c[-1] == 1 and self.A[-1] == self.b

    @cached_property
    def order(self) -> int:
        """The order of convergence, from the order conditions of rooted trees up to order eight."""
        return self._order_of(self.b)

    @cached_property
    def error_order(self) -> int:
        """The power of h in the leading term of the error estimate; 0 if there is no estimate.

        It is the embedded order plus one. Two estimates of orders p > q are combined into an
        estimate with the power 2(p + 1) - (q + 1).
        """
        orders = sorted(map(self._order_of, self.embedded))
        return 2 * orders[-1] - orders[0] + 1 if orders else 0

    def _order_of(self, weights: Sequence[Fraction]) -> int:
        for p in range(1, 9):
            for tree in rooted_trees(p):
                weight = self.elementary_weight(tree, weights)
                if abs(weight - Fraction(1, density(tree))) > 1e-12:
                    return p - 1
        return 8

    def elementary_weight(self, tree: Tree, weights: Sequence[Fraction] | None = None) -> Fraction:
        """Compute the left side of a tree's order condition, Σ bᵢ (...), which must equal 1/γ.

        Parameters
        ----------
        tree : tuple
            A rooted tree, as generated by `rooted_trees`.
        weights : sequence of s numbers, optional
            The default is b.

        Raises
        ------
        TypeError, ValueError
            If it is not a tree, or the number of weights differs from the number of stages.
        """
        tree_order(tree)  # rejects anything but a tree
        row = self.b if weights is None else _exact_row(weights, 0)
        if len(row) != self.stages:
            raise ValueError(f"{self.name} has {self.stages} stages; got {len(row)} weights")
        stage = self._stage_weights(tree)
        return sum((b * w for b, w in zip(row, stage)), Fraction(0))

    def _stage_weights(self, tree: Tree) -> list[Fraction]:
        product = [Fraction(1)] * self.stages
        for subtree in tree:
            inner = self._stage_weights(subtree)
            sums = [sum((a * w for a, w in zip(row, inner) if a), Fraction(0)) for row in self.A]
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


#: Order 1: the slope at the beginning, for the whole step.
EULER = ButcherTableau("Euler", c=[0], A=[[]], b=[1])

#: Order 2: the slope in the middle of the step.
MIDPOINT = ButcherTableau(
    "midpoint",
    c=[0, "1/2"],
    A=[[], ["1/2"]],
    b=[0, 1],
)

#: Order 2: the average of the slopes at the beginning and at the end.
HEUN = ButcherTableau(
    "Heun",
    c=[0, 1],
    A=[[], [1]],
    b=["1/2", "1/2"],
)

#: Order 3, by Kutta: the weights of Simpson's rule.
KUTTA3 = ButcherTableau(
    "Kutta, order 3",
    c=[0, "1/2", 1],
    A=[[], ["1/2"], [-1, 2]],
    b=["1/6", "2/3", "1/6"],
)

#: Order 4: the classical Runge-Kutta method.
RK4 = ButcherTableau(
    "classical Runge-Kutta",
    c=[0, "1/2", "1/2", 1],
    A=[[], ["1/2"], [0, "1/2"], [0, 0, 1]],
    b=["1/6", "1/3", "1/3", "1/6"],
)


def _from_file(name: str, file: str) -> ButcherTableau:
    data = json.loads(Path(__file__).with_name(file).read_text("utf-8"))
    coefficients = {key: data[key] for key in ("c", "A", "b", "embedded")}
    return ButcherTableau(name, **coefficients, dense=DenseOutput(**data["dense"]))


#: :cite:p:`DormandPrince1980`, with the dense output of :cite:p:`HairerNorsettWanner1993`.
DORMAND_PRINCE = _from_file("Dormand-Prince 5(4)", "dormand_prince.json")

#: Order 8, with estimates of orders 5 and 3 (:cite:p:`HairerNorsettWanner1993`, section II.10).
DOP853 = _from_file("DOP853 8(5,3)", "dop853.json")
