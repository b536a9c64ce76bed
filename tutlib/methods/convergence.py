"""Order of convergence, measured: the slope of the error against the step on log-log axes.

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
    """Errors of one method over several step sizes, and the order that they show.

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
    """Integrate with ever more steps and fit the order of convergence.

    Parameters
    ----------
    f : function (t, x) -> array
    span : (float, float)
        Start and end time [s].
    x0 : array, shape (k,)
    method : str, ButcherTableau or step function
        As for `integrate`.
    exact : array, shape (k,)
        The true state at the end.
    steps : sequence of int
        Numbers of steps, at least two different ones.
    space : Space, optional

    Returns
    -------
    Convergence

    Raises
    ------
    ValueError
        If there are fewer than two step counts, ``exact`` is no state, or an error is zero, so
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
        raise ValueError(f"span must be the start and the end, two times; got {len(limits)}")
    start = initial_state(x0)
    end = real_array(exact, "exact", start.shape)
    ends = [
        integrate(f, np.linspace(limits[0], limits[1], n + 1), start, method, space).x[-1]
        for n in counts
    ]
    error = np.abs(np.array(ends) - end).max(axis=1)
    if not error.all():
        raise ValueError("an error is zero: there is no slope to fit; take another problem")
    h = (limits[1] - limits[0]) / np.array(counts, dtype=float)
    order = float(np.polyfit(np.log(h), np.log(error), 1)[0])
    return Convergence(h, error, order)


def energy_error(energy: ArrayLike) -> Array:
    """Return the change of the energy since the start, relative to its starting value.

    Parameters
    ----------
    energy : array, shape (m,)
        Total energy [J] along a trajectory.

    Returns
    -------
    array, shape (m,)
        Without unit.

    Raises
    ------
    ValueError
        If it is no total for each time, or the starting energy is zero: there is nothing to
        compare with.
    """
    values = real_array(energy, "energy")
    if values.ndim == 2 and values.shape[1] == 2:
        raise ValueError(
            f"energy must be one total for each time, shape (m,); got {values.shape}, kinetic and "
            "potential energy: add them, as in energies.sum(axis=1)"
        )
    if values.ndim != 1 or len(values) == 0:
        raise ValueError(f"energy must have shape (m,), one total a time; got {values.shape}")
    if values[0] == 0:
        raise ValueError("the starting energy is zero: shift the zero of the potential energy")
    return np.asarray((values - values[0]) / abs(values[0]))
