"""Which digits of a number are known? The same run, many times, from starts that hardly differ.

Ask it of runs with a loose tolerance, of chaotic motions, and of singular poses.
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

#: More digits than that are not printed, even if they are known.
_DIGITS = 5


@dataclass(frozen=True)
class Spread:
    """The values of one run that was repeated; as text, the digits on which they agree.

    Parameters
    ----------
    values : array, shape (runs,)
        In the order of the runs; nan where one ended without a value.
    """

    values: Array

    @property
    def known(self) -> Array:
        """The values that are numbers, the smallest first."""
        return np.sort(self.values[np.isfinite(self.values)])

    @property
    def ended(self) -> int:
        """How many runs ended without a value."""
        return len(self.values) - len(self.known)

    def __str__(self) -> str:
        lost = f", {self.ended} of {len(self.values)} ended" if self.ended else ""
        if not len(self.known):
            return f"none{lost}"
        for digits in range(_DIGITS, 1, -1):
            low, high = (f"{float(f'{end:.{digits}g}'):g}" for end in self.known[[0, -1]])
            if low == high:
                return low + lost
        return f"{low} to {high}{lost}"


def spread_of(
    run: Callable[..., float],
    x0: ArrayLike,
    by: ArrayLike = 1e-14,
    *,
    runs: int = 60,
    seed: int = 1,
    **drawn: tuple[float, float],
) -> Spread:
    """Repeat a run from starts that hardly differ, and keep the number that each one gives.

    Parameters
    ----------
    run : function (x0, **drawn) -> float
        One run's number. A run that ends by a `SimulationError`, or in nan, has none.
    x0 : array, shape (k,)
        The start.
    by : float or array, shape (k,)
        Standard deviation of what is added to each state, in the state's unit.
    runs : int
        How many.
    seed : int
        Of the random numbers.
    **drawn : pair of float
        What else differs from run to run, drawn evenly between two bounds, such as
        ``h=(0.008, 0.012)`` [s].

    Returns
    -------
    Spread

    Raises
    ------
    TypeError
        If run is no function of a start and of what is drawn.
    ValueError
        If x0 or by is no array of numbers, by is negative, or bounds are no pair.
    """
    function(run, "run", "x0", [*drawn])
    start = real_array(x0, "x0", ("k",))
    widths = np.broadcast_to(real_array(np.ravel(by), "by", ("k",)), start.shape)
    if (widths < 0).any():
        raise ValueError(f"by is how far states are moved, and not negative; got {by!r}")
    bounds = {
        k: [real_number(v, k) for v in row(pair, k, 2, "low, high")] for k, pair in drawn.items()
    }
    rng, values = np.random.default_rng(seed), []
    for _ in range(whole_number(runs, "runs", least=1)):
        moved = start + widths * rng.normal(size=len(start))
        others = {name: rng.uniform(pair[0], pair[1]) for name, pair in bounds.items()}
        try:
            values.append(float(run(moved, **others)))
        except SimulationError:
            values.append(np.nan)
    return Spread(np.array(values))


def plot_spreads(xlabel: str, spreads: Mapping[str, Spread], bins: int = 40) -> Any:
    """Draw towers of equal values, a row for each spread: one tower is a number that is known.

    Parameters
    ----------
    xlabel : str
        What the values are, with the unit.
    spreads : mapping from label to Spread
    bins : int
        How many towers there is room for.

    Returns
    -------
    array of matplotlib Axes

    Raises
    ------
    TypeError
        If the spreads are no mapping, or one is none.
    ValueError
        If no run has a value.
    """
    by_label = mapping(spreads, "spreads", '{"coarse": spread_of(...)}')
    each = {str(k): instance(v, f"the spread of {k}", Spread) for k, v in by_label.items()}
    every = np.concatenate([np.empty(0), *(one.known for one in each.values())])
    if not len(every):
        raise ValueError("there is no value to show: no run has one")
    edges = np.linspace(every.min(), every.max() + 1e-9, whole_number(bins, "bins", least=1) + 1)
    axes = np.atleast_1d(
        new_axes("", "runs", nrows=len(each), sharex=True, figsize=(5.5, 0.6 + 1.2 * len(each)))
    )
    for ax, (label, one) in zip(axes, each.items()):
        ax.hist(one.known, edges, color="C0")
        ax.set_ylim(0, 1.05 * len(one.values))
        ax.set_title(text(label, "a label"), loc="left", fontsize=12)
        ax.set_title(str(one).replace("-", "−"), loc="right", fontsize=12)
    axes[-1].set_xlabel(xlabel)
    axes[-1].tick_params(axis="x", pad=9)  # away from "0" in the corner
    return axes
