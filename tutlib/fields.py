"""The right-hand side of x' = f(t, x), and what a compiled one carries with it.

This is the narrow waist of the course: the symbolic half makes such functions, the integrators
take them, and neither half knows the other. Met first in chapter 1, for one swinging
arm.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import function, instance, read_only, real_array, real_number, shown
from straightline.evaluator import Evaluator, Formula
from straightline.numpy_protocol import is_unknown
from tutlib.dependence import Dependence


@dataclass(frozen=True, eq=False)
class RightHandSide:
    """f(t, x) of x' = f(t, x), made from equations of motion: call it like any function.

    Parameters
    ----------
    formula : function (t, x, p) -> sequence of k numbers
        The rates, of known or unknown numbers. Its ``linear_system(t, x, p)``, where it has one,
        returns M row by row, F, and the other rates.
    state_names : tuple of str
        LaTeX names of the k entries of x = [q..., u..., auxiliary states...].
    coordinates, speeds : int
        How many of the states are coordinates q and speeds u.
    parameter_names : tuple of str
        Names of the parameters, in the order of p.
    parameter_values : array, shape (number of parameters,)
        Their values, in SI units.
    multipliers : int
        How many of the speeds, the last ones, are impulses of constraint forces.
    invariants : function (t, x) -> array, optional
        What is zero in every motion that these equations are meant for: the constraints.
    dependence : Dependence, optional
        How the speeds that are no states follow from those that are.
    """

    formula: Formula
    state_names: tuple[str, ...]
    coordinates: int
    speeds: int
    parameter_names: tuple[str, ...]
    parameter_values: Array
    multipliers: int = 0
    invariants: Callable[[Any, Any], Any] | None = None
    dependence: Dependence | None = None

    def __post_init__(self) -> None:
        if self.invariants is not None:
            function(self.invariants, "invariants", "t, x")
        if self.dependence is not None:
            instance(self.dependence, "dependence", Dependence, "or None")
        object.__setattr__(self, "parameter_values", read_only(self.parameter_values))

    def __call__(self, t: float, x: Sequence[float] | ArrayLike) -> Array:
        """Return dx/dt as a fresh array.

        Parameters
        ----------
        t : float
            Time [s].
        x : sequence of float, shape (k,)
            State.

        Returns
        -------
        array, shape (k,)

        Raises
        ------
        TypeError
            If t or x is no real number.
        ValueError
            If x has the wrong shape, or the mass matrix is singular at this state, or the
            dependent speeds do not follow there.
        """
        if is_unknown(x) or is_unknown(t):
            return np.array(self.formula(t, x, self.parameter_values), dtype=object)
        state = real_array(x, "x", finite=False)
        k = len(self.state_names)
        if state.shape != (k,):
            raise ValueError(
                f"x must have shape ({k},), one entry for each of "
                f"{', '.join(self.state_names)}; got shape {state.shape}"
            )
        derivative = self._evaluate(t, state)
        if not np.isfinite(derivative).all():
            if (suited := self.suited(t, state)) is not self:
                return suited(t, state)
            self._refuse_singular_mass_matrix(float(t), state)
        return derivative

    def suited(self, t: float, x: Array) -> RightHandSide:
        """Return these equations, or with redundant constraints where some are so at a state.

        Then those multipliers are found whose norm is least.
        """
        state, time = (
            real_array(x, "x", (len(self.state_names),), finite=False),
            real_number(t, "t"),
        )
        if not (self.multipliers and hasattr(self.formula, "with_redundant")):
            return self
        ways = (self, self._with_redundant)
        return next((f for f in ways if np.isfinite(f._evaluate(time, state)).all()), self)

    @cached_property
    def _with_redundant(self) -> RightHandSide:
        formula: Any = self.formula
        return replace(self, formula=formula.with_redundant())

    def __getstate__(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    @cached_property
    def _evaluate(self) -> Evaluator:
        return Evaluator(self.formula, len(self.state_names), self.parameter_values)

    @property
    def source(self) -> str:
        """The equations as a Python function to read: common parts named, then M u' = F."""
        from tutlib.mechanics.equation_source import readable_source
        from tutlib.mechanics.solved_equations import SolvedEquations

        if isinstance(self.formula, SolvedEquations):
            return readable_source(self.formula)
        return str(self.formula.__doc__)

    def mass_matrix(self, t: float, x: ArrayLike) -> Array:
        """Return M at one state, shape (number of speeds, number of speeds).

        Raises
        ------
        TypeError
            If t or x is no real number.
        ValueError
            If x has the wrong shape, or this f never makes a mass matrix, as a recursion.
        """
        linear_system: Any = getattr(self.formula, "linear_system", None)
        if linear_system is None:
            raise ValueError(
                f"this f has no mass matrix: {type(self.formula).__name__} finds the rates without "
                "one; compile the equations of motion of the same machine"
            )
        state = real_array(x, "x", (len(self.state_names),), finite=False)
        M = linear_system(real_number(t, "t"), state.tolist(), self.parameter_values.tolist())[0]
        return np.array(M, dtype=float).reshape(self.speeds, self.speeds)

    def singular_direction(self, t: float, x: ArrayLike) -> tuple[str, float] | None:
        """Name the speed without inertia and give M's condition number; None if M is regular.

        There is none either where f never makes a mass matrix, or M is not finite.
        """
        if not hasattr(self.formula, "linear_system"):
            return None
        M = self.mass_matrix(t, x)
        if not np.isfinite(M).all():
            return None
        scale = np.sqrt(np.abs(np.diag(M)))
        scale = np.where(scale > 0, scale, 1.0)
        _, values, vectors = np.linalg.svd(M / np.outer(scale, scale))
        if values[-1] > 1e-13 * values[0]:
            return None
        shares = np.abs(vectors[-1])
        last_of_the_largest = np.flatnonzero(shares > (1 - 1e-9) * shares.max())[-1]
        index = self.coordinates + int(last_of_the_largest)
        condition = math.inf if values[-1] == 0 else float(values[0] / values[-1])
        return self.state_names[index], condition

    def _refuse_singular_mass_matrix(self, t: float, x: Array) -> None:
        if not np.isfinite(x).all():
            return
        if self.dependence is not None:
            self.dependence.refuse_singular(t, x)
        if singular := self.singular_direction(t, x):
            raise ValueError(
                f"the mass matrix is singular at t = {t:g} (condition number {singular[1]:.1e}): "
                f"{self.blame(singular[0])} at x = {x.tolist()}"
            )
        if hasattr(self.formula, "slopes"):
            raise ValueError(
                f"the forces of constraints are not found at t = {t:g}, x = {x.tolist()}: other "
                "forces depend on them so strongly that none fits, or several do; make friction "
                "weaker, or the parts less rigid"
            )

    def blame(self, speed: str) -> str:
        """Say what is wrong with a mass matrix that is singular in the direction of a speed."""
        if not isinstance(speed, str) or speed not in self.state_names:
            raise ValueError(
                f"no such speed: {shown(speed)}; there are {', '.join(self.state_names)}"
            )
        number = self.state_names.index(speed) - self.coordinates - self.speeds + self.multipliers
        if number < 0:
            return f"the speed {speed} has no inertia of its own"
        return (
            f"the gradient of constraint {number + 1} is a combination of the others', so the "
            "configuration is singular or a constraint redundant,"
        )


def first_rates(f: RightHandSide, t: float, x: Array) -> tuple[RightHandSide, Array]:
    """Return equations as they suit a start, and the rates there; t and x are read already.

    Parameters
    ----------
    f : RightHandSide
    t : float
    x : array, shape (k,)

    Raises
    ------
    ValueError
        As for a call.
    """
    if x.shape == (len(f.state_names),):
        rates = f._evaluate.one(t, x)
        if np.isfinite(rates).all():
            return f, rates
    rates = f(t, x)
    return f.suited(t, x), rates


@dataclass(frozen=True, eq=False)
class ImplicitEquations:
    """F(t, x, ẋ) = 0 of index 1: what a mechanism with constraints gives, and what IDA integrates.

    Chapter 6 writes such a residual by hand for the four-bar linkage.

    Parameters
    ----------
    residual : function (t, x, ẋ) -> array of shape (k,)
        Zero along a motion.
    rates : function (t, x) -> array of shape (k,)
        The ẋ that belongs to a consistent state.
    algebraic : tuple of int
        Positions in x (not rows of the residual) of the states whose rates are in no row.
    names : tuple of str
        LaTeX names of the k states, if they have any.
    """

    residual: Callable[[float, Array, Array], Array]
    rates: Callable[[float, Array], ArrayLike]
    algebraic: tuple[int, ...]
    names: tuple[str, ...] = ()
