"""Measured order of convergence: the slope of the error against the step size on log-log axes.

Chapter 1 uses it once; chapter 4 measures every method with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import real_array, real_number, several, whole_number
from tutlib.aliases import Function
from tutlib.methods.integration import AnyMethod, integrate
from tutlib.reading.motions import increasing_times, initial_state
from tutlib.spaces.space import Space


@dataclass(frozen=True)
class Convergence:
    """Errors of one method for several step sizes, and the observed order.

    Parameters
    ----------
    h : array, shape (n,)
        Step sizes [s].
    error : array, shape (n,)
        Largest error of any state at the end time.
    order : float
        Slope of log(error) against log(h).
    """

    h: Array
    error: Array
    order: float

    def __post_init__(self) -> None:
        h = real_array(self.h, "h", ("n",))
        object.__setattr__(self, "h", h)
        object.__setattr__(self, "error", real_array(self.error, "error", h.shape, finite=False))
        object.__setattr__(self, "order", real_number(self.order, "order"))


def observed_order(
    f: Function,
    span: tuple[float, float],
    x0: ArrayLike,
    method: AnyMethod,
    exact: ArrayLike,
    steps: Sequence[int] = (100, 200, 400, 800),
    space: Space | None = None,
) -> Convergence:
    """Integrate with increasing numbers of steps and fit the order of convergence.

    Parameters
    ----------
    f : function (t, x) -> array
    span : (float, float)
        Initial and final time [s].
    x0 : array, shape (k,)
        Initial state.
    method : str, ButcherTableau or step function
        As for `integrate`.
    exact : array, shape (k,)
        The exact state at the final time.
    steps : sequence of int
        Numbers of steps, at least two different ones.
    space : Space, optional
        State space, as for `integrate`.

    Returns
    -------
    Convergence

    Raises
    ------
    ValueError
        If there are fewer than two step counts, ``exact`` is not a state, or an error is zero, so
        that no slope exists.

    References
    ----------
    :cite:p:`HairerNorsettWanner1993`, section II.3.
    """
    counts = several(steps, "steps", lambda n: whole_number(n, "a number of steps", least=1))
    if len(set(counts)) < 2:
        raise ValueError(f"an order needs at least two numbers of steps; got {counts}")
    limits = increasing_times(span)
    if len(limits) != 2:
        raise ValueError(f"span must be (initial time, final time); got {len(limits)} entries")
    start = initial_state(x0)
    end = real_array(exact, "exact", start.shape)
    ends = [
        integrate(f, np.linspace(limits[0], limits[1], n + 1), start, method, space).x[-1]
        for n in counts
    ]
    error = np.abs(np.array(ends) - end).max(axis=1)
    if not error.all():
        raise ValueError("an error is zero: there is no slope to fit; choose another problem")
    h = (limits[1] - limits[0]) / np.array(counts, dtype=float)
    order = float(np.polyfit(np.log(h), np.log(error), 1)[0])
    return Convergence(h, error, order)


def energy_error(energy: ArrayLike) -> Array:
    """Return the change of the energy, relative to its initial value.

    Parameters
    ----------
    energy : array, shape (m,)
        Total energy [J] along a trajectory.

    Returns
    -------
    array, shape (m,)
        Dimensionless.

    Raises
    ------
    ValueError
        If ``energy`` is not one total for each time, or the initial energy is zero, so that there
        is no value to compare with.
    """
    values = real_array(energy, "energy")
    if values.ndim == 2 and values.shape[1] == 2:
        raise ValueError(
            f"energy must be one total for each time, shape (m,); got shape {values.shape}: if "
            "these are kinetic and potential energies, pass energies.sum(axis=1)"
        )
    if values.ndim != 1 or len(values) == 0:
        raise ValueError(
            f"energy must be one total for each time, shape (m,); got shape {values.shape}"
        )
    if values[0] == 0:
        raise ValueError("the initial energy is zero: shift the zero of the potential energy")
    return np.asarray((values - values[0]) / abs(values[0]))
