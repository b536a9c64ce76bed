"""Diagnosis of equations of motion that cannot be solved at a state: the reason, and a remedy.

A compiled field of a mechanism carries such a diagnosis, and integrators query it.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import real_array, real_number, shown
from tutlib.fields import Field, OpenLoopWarning, SingularPoseWarning
from tutlib.mechanics.dependence import Dependence
from tutlib.mechanics.equation_source import readable_source
from tutlib.mechanics.solved_equations import SolvedEquations

#: Largest constraint violation of an initial state that counts as rounding, in natural units.
_OPEN = 1e-6


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """Information on equations of motion, for checks and messages.

    Parameters
    ----------
    speeds : int
        Number of speeds u among the states; they follow the coordinates.
    multipliers : int
        Number of speeds, at the end of u, that are impulses of constraint forces.
    invariants : function (t, x) -> array, optional
        The constraints, which are zero in every valid motion.
    dependence : Dependence, optional
        The dependent speeds, which are not states, in terms of the independent ones.
    labels : tuple of str
        The names of all states, for messages.
    units : tuple of float
        Natural scales of the invariants.
    """

    speeds: int
    multipliers: int = 0
    invariants: Callable[[Any, Any], Any] | None = None
    dependence: Dependence | None = None
    labels: tuple[str, ...] = ()
    units: tuple[float, ...] = ()

    def suited(self, f: Field, t: float, x: Array) -> Field:
        """Return the field; for redundant constraints, that with multipliers of smallest norm."""
        if not (self.multipliers and hasattr(f.formula, "with_redundant")):
            return f
        return first_finite(f, t, x)

    def explain(self, f: Field, t: float, x: Array) -> None:
        """Raise the reason why dx/dt is not finite, if it is known.

        Raises
        ------
        ValueError
        """
        if self.dependence is not None:
            self.dependence.refuse_singular(t, x)
        if singular := singular_direction(f, t, x):
            raise ValueError(
                f"the mass matrix is singular at t = {t:g} (condition number {singular[1]:.1e}): "
                f"{blame(f, singular[0])} at x = {x.tolist()}"
            )
        if hasattr(f.formula, "slopes"):
            raise ValueError(
                f"the constraint forces cannot be found at t = {t:g}, x = {x.tolist()}: other "
                "forces depend on them so strongly that there is no solution, or several; reduce "
                "friction, or make the parts less rigid"
            )

    def check_start(self, f: Field, t: float, x: Array) -> None:
        """Warn of an open loop; reject dependent speeds that are not determined.

        Raises
        ------
        ValueError

        Warns
        -----
        OpenLoopWarning
        """
        if self.invariants is not None:
            _warn_if_open(np.abs(self.invariants(t, x)), np.array(self.units or 1.0))
        if self.dependence is not None:
            self.dependence.refuse_singular(t, x)

    def check_motion(self, t: Array, x: Array) -> tuple[int, str] | None:
        """Return the last row before the dependent speeds are not determined, and the reason.

        Warns
        -----
        SingularPoseWarning
        """
        dependence = self.dependence
        if dependence is None:
            return None
        if not dependence.independent and (row := dependence.nearly_singular(t, x)) is not None:
            warnings.warn(
                f"the trajectory passes a nearly singular pose at t = {t[row]:g}: damping of "
                "constraints may change the energy there; use a projection after each step instead",
                SingularPoseWarning,
                stacklevel=4,
            )
        last = dependence.last_before(t, x)
        return None if last is None else (last, dependence.blame(float(t[last]), x[last]))

    def source(self, f: Field) -> str:
        """Return readable source of the equations, a Python function."""
        if isinstance(f.formula, SolvedEquations):
            return readable_source(f.formula)
        return str(f.formula.__doc__)


def mass_matrix(f: Field, t: float, x: ArrayLike) -> Array:
    """Compute M of compiled equations at a state, shape (number of speeds, number of speeds).

    Parameters
    ----------
    f : Field
        Compiled equations of motion.
    t : float
        Time [s].
    x : array, shape (k,)
        State.

    Raises
    ------
    TypeError
        If t or x does not consist of real numbers.
    ValueError
        If x has the wrong shape, or f is computed without a mass matrix, as by a recursion.
    """
    linear_system: Any = getattr(f.formula, "linear_system", None)
    if linear_system is None:
        raise ValueError(
            f"this f has no mass matrix: {type(f.formula).__name__} computes dx/dt without one; "
            "compile the equations of motion of the same mechanism"
        )
    state = real_array(x, "x", (len(f.names),), finite=False)
    M = linear_system(real_number(t, "t"), state.tolist(), f.values.tolist())[0]
    n = math.isqrt(len(M))
    return np.array(M, dtype=float).reshape(n, n)


def singular_direction(f: Field, t: float, x: ArrayLike) -> tuple[str, float] | None:
    """Return the speed without inertia and M's condition number; None if M is regular.

    Return None also if f is computed without a mass matrix, or M is not finite.
    """
    if not hasattr(f.formula, "linear_system"):
        return None
    M = mass_matrix(f, t, x)
    if not np.isfinite(M).all():
        return None
    scale = np.sqrt(np.abs(np.diag(M)))
    massless = scale == 0
    scale[massless] = np.inf
    # constraint gradients, one of which may be zero up to rounding
    scale[massless] = np.linalg.norm(M[massless] / scale, axis=1).max(initial=0.0) or 1.0
    _, values, vectors = np.linalg.svd(M / np.outer(scale, scale))
    if values[-1] > 1e-13 * values[0]:
        return None
    shares = np.abs(vectors[-1])
    last_of_the_largest = np.flatnonzero(shares > (1 - 1e-9) * shares.max())[-1]
    index = (f.coordinates or 0) + int(last_of_the_largest)
    condition = math.inf if values[-1] == 0 else float(values[0] / values[-1])
    return f.names[index], condition


def blame(f: Field, speed: str) -> str:
    """Explain why a mass matrix is singular in the direction of a speed.

    Raises
    ------
    ValueError
        If there is no such speed.
    """
    if not isinstance(speed, str) or speed not in f.names:
        raise ValueError(f"no such speed: {shown(speed)}; the states are {', '.join(f.names)}")
    known: Any = f.mechanism
    first = (f.coordinates or 0) + known.speeds - known.multipliers
    index = f.names.index(speed)
    number = index - first
    if number < 0:
        label = known.labels[index] if known.labels else speed
        return f"the speed {label} has no inertia of its own"
    return (
        f"the gradient of constraint {number + 1} is a combination of the others', so the "
        "configuration is singular or a constraint redundant,"
    )


def first_finite(f: Field, t: float, x: Array) -> Field:
    """Return a field, or its form for redundant constraints where only that form is finite."""
    if f not in _redundant:
        formula: Any = f.formula
        _redundant[f] = replace(f, formula=formula.with_redundant())
    fields = (each for each in (f, _redundant[f]) if np.isfinite(each.evaluate(t, x)).all())
    return next(fields, f)


_redundant: WeakKeyDictionary[Field, Field] = WeakKeyDictionary()


def _warn_if_open(gaps: Array, units: Array) -> None:
    worst = int(np.argmax(gaps / units))
    if (gaps > _OPEN * units).any():
        warnings.warn(
            "the initial state violates the constraints: among the constraints and their time "
            f"derivatives, entry {worst + 1} is {gaps[worst]:.3g}, not 0, and the equations "
            "preserve this error; use an initial state from consistent_state",
            OpenLoopWarning,
            stacklevel=5,
        )
