"""Reliable digits of a number: the same run repeated from slightly different initial states.

It helps with loose tolerances, chaotic motions, and singular poses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import (
    function,
    instance,
    mapping,
    real_array,
    real_number,
    row,
    text,
    whole_number,
)
from tutlib.methods.trajectory import SimulationError
from tutlib.plots.plotting import new_axes

#: The largest number of digits printed.
_DIGITS = 5


@dataclass(frozen=True)
class Spread:
    """The values of a repeated run; as text, the digits on which they agree.

    Parameters
    ----------
    values : array, shape (runs,)
        In the order of the runs; nan where a run ended without a value.
    """

    values: Array

    @property
    def known(self) -> Array:
        """The finite values, in increasing order."""
        return np.sort(self.values[np.isfinite(self.values)])

    @property
    def ended(self) -> int:
        """The number of runs that ended without a value."""
        return len(self.values) - len(self.known)

    def __str__(self) -> str:
        ended_text = f", {self.ended} of {len(self.values)} ended" if self.ended else ""
        if not len(self.known):
            return f"none{ended_text}"
        for digits in range(_DIGITS, 1, -1):
            low, high = (f"{float(f'{end:.{digits}g}'):g}" for end in self.known[[0, -1]])
            if low == high:
                return low + ended_text
        return f"{low} to {high}{ended_text}"


def spread_of(
    run: Callable[..., float],
    x0: ArrayLike,
    by: ArrayLike = 1e-14,
    *,
    runs: int = 60,
    seed: int = 1,
    **drawn: tuple[float, float],
) -> Spread:
    """Repeat a run from slightly different initial states, and keep the number that each returns.

    Parameters
    ----------
    run : function (x0, **drawn) -> float
        Function that computes the number of one run. A run that raises a `SimulationError` or
        returns nan has no value.
    x0 : array, shape (k,)
        The initial state.
    by : float or array, shape (k,)
        Standard deviation of the perturbation of each state, in the state's unit.
    runs : int
        The number of runs.
    seed : int
        Seed of the random numbers.
    **drawn : pair of float
        Bounds of further quantities that are drawn uniformly for each run, such as
        ``h=(0.008, 0.012)`` [s].

    Returns
    -------
    Spread

    Raises
    ------
    TypeError
        If run is not a function of an initial state and of the drawn quantities.
    ValueError
        If x0 or by is not an array of numbers, by is negative, or bounds are not a pair.
    """
    function(run, "run", "x0", [*drawn])
    start = real_array(x0, "x0", ("k",))
    widths = np.broadcast_to(real_array(np.ravel(by), "by", ("k",)), start.shape)
    if (widths < 0).any():
        raise ValueError(f"by must be zero or positive, a perturbation of the states; got {by!r}")
    bounds = {
        k: [real_number(v, k) for v in row(pair, k, 2, "low, high")] for k, pair in drawn.items()
    }
    rng, values = np.random.default_rng(seed), []
    for _ in range(whole_number(runs, "runs", least=1)):
        perturbed = start + widths * rng.normal(size=len(start))
        arguments = {name: rng.uniform(pair[0], pair[1]) for name, pair in bounds.items()}
        try:
            values.append(float(run(perturbed, **arguments)))
        except SimulationError:
            values.append(np.nan)
    return Spread(np.array(values))


def plot_spreads(xlabel: str, spreads: Mapping[str, Spread], bins: int = 40) -> Any:
    """Draw a histogram for each spread; a reliable number is a single tower.

    Parameters
    ----------
    xlabel : str
        The quantity, with its unit.
    spreads : mapping from label to Spread
    bins : int
        The number of bins.

    Returns
    -------
    array of matplotlib Axes

    Raises
    ------
    TypeError
        If the spreads are not a mapping, or one is not a `Spread`.
    ValueError
        If no run has a value.
    """
    by_label = mapping(spreads, "spreads", '{"coarse": spread_of(...)}')
    checked = {str(k): instance(v, f"the spread of {k}", Spread) for k, v in by_label.items()}
    values = np.concatenate([np.empty(0), *(spread.known for spread in checked.values())])
    if not len(values):
        raise ValueError("there is no value to show: no run has one")
    edges = np.linspace(values.min(), values.max() + 1e-9, whole_number(bins, "bins", least=1) + 1)
    axes = np.atleast_1d(
        new_axes(
            "", "runs", nrows=len(checked), sharex=True, figsize=(5.5, 0.6 + 1.2 * len(checked))
        )
    )
    for ax, (label, spread) in zip(axes, checked.items()):
        ax.hist(spread.known, edges)
        ax.set_ylim(0, 1.05 * len(spread.values))
        ax.set_title(text(label, "a label"), loc="left", fontsize=12)
        ax.set_title(str(spread).replace("-", "−"), loc="right", fontsize=12)
    axes[-1].set_xlabel(xlabel)
    axes[-1].tick_params(axis="x", pad=9)  # away from "0" in the corner
    return axes
