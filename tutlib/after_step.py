"""What corrects a state after each step, compiled: chapter 6's projection is called through it.

Its formula stands in `mechanics`. `integrate` calls it after each step, or compiles it into the
step, or into each evaluation of the equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import instance, read_only, real_array, real_number
from straightline.assignments import Numbers, Number
from straightline.evaluator import Evaluator, Formula
from tutlib.fields import RightHandSide


@dataclass(frozen=True)
class Corrected:
    """A formula that is evaluated at a corrected copy of the state.

    Parameters
    ----------
    formula, correction : function (t, x, p) -> sequence
    of_formula, of_correction : tuple of int
        Where their parameters are among all of them.
    """

    formula: Any
    correction: Formula
    of_formula: tuple[int, ...]
    of_correction: tuple[int, ...]

    def __call__(self, t: Number, x: Numbers, p: Numbers) -> Sequence[Number]:
        """Return what the formula makes of the corrected state."""
        rates: Sequence[Number] = self.formula(*self._corrected(t, x, p))
        return rates

    def linear_system(self, t: Number, x: Numbers, p: Numbers) -> tuple[Sequence[Number], ...]:
        """Return M, F and the other rates there."""
        system: tuple[Sequence[Number], ...] = self.formula.linear_system(*self._corrected(t, x, p))
        return system

    def _corrected(self, t: Number, x: Numbers, p: Numbers) -> tuple[Number, Numbers, list[Number]]:
        there = self.correction(t, x, [p[i] for i in self.of_correction])
        return t, there, [p[i] for i in self.of_formula]


@dataclass(frozen=True, eq=False)
class Projection:
    """One Newton correction of the coordinates, then the speeds: call it as x = project(t, x).

    Parameters
    ----------
    formula : function (t, x, p) -> sequence of k numbers
        The corrected state.
    parameter_names : tuple of str
        Names of the parameters, in the order of p.
    parameter_values : array
        Their values, in SI units.
    """

    formula: Formula
    parameter_names: tuple[str, ...]
    parameter_values: Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameter_values", read_only(self.parameter_values))

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def __call__(self, t: float, x: ArrayLike) -> Array:
        """Return a corrected copy of a state.

        Parameters
        ----------
        t : float
            Time [s].
        x : array, shape (k,)
            State. It is left as it is.

        Returns
        -------
        array, shape (k,)

        Raises
        ------
        ValueError
            If the constraints' gradients depend on one another at this state.
        """
        before = real_array(x, "x", ("k",), finite=False)
        corrected = self._evaluate(len(before))(real_number(t, "t"), before)
        if np.isfinite(corrected).all() or not np.isfinite(before).all():
            return corrected
        if (suited := self.suited(t, before)) is not self:
            return suited(t, before)
        raise ValueError(
            f"the configuration is singular at t = {t:g}: the constraints' "
            "gradients depend on one another, so that no correction exists at "
            f"x = {before.tolist()}"
        )

    def suited(self, t: float, x: Array) -> Projection:
        """Return this, or where the constraints depend on one another, what takes that in view."""
        state, time = real_array(x, "x", ("k",), finite=False), real_number(t, "t")
        if not hasattr(self.formula, "with_redundant"):
            return self
        ways = (self, self._with_redundant)
        regular = (way for way in ways if np.isfinite(way._evaluate(len(state))(time, state)).all())
        return next(regular, self)

    @cached_property
    def _with_redundant(self) -> Projection:
        formula: Any = self.formula
        return replace(self, formula=formula.with_redundant())

    def within(self, f: RightHandSide) -> RightHandSide:
        """Return f(t, c(t, x)), where c is this correction: equations that see a corrected state.

        The state itself is not corrected: what f is given stays as it is.

        Parameters
        ----------
        f : RightHandSide

        Returns
        -------
        RightHandSide

        Raises
        ------
        TypeError
            If f is none.
        """
        instance(f, "f", RightHandSide, "model.compile() makes one")
        of_f = f.parameter_names
        every = (*of_f, *(name for name in self.parameter_names if name not in of_f))
        values = dict(zip(self.parameter_names, self.parameter_values))
        values |= dict(zip(of_f, f.parameter_values))
        places = tuple(map(every.index, self.parameter_names))
        return replace(
            f,
            formula=Corrected(f.formula, self.formula, tuple(range(len(of_f))), places),
            parameter_names=every,
            parameter_values=np.array([values[name] for name in every]),
        )

    def __getstate__(self) -> dict[str, Number]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def _evaluators(self) -> dict[int, Evaluator]:
        return {}

    def _evaluate(self, states: int) -> Evaluator:
        made = self._evaluators
        if states not in made:
            made[states] = Evaluator(self.formula, states, self.parameter_values)
        return made[states]
