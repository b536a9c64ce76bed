"""Plots of residuals against the quantity that may cause them.

Chapter 12 finds dry friction and the zeros of encoders with them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.arguments import real_array, whole_number


def plot_residuals(
    ax: Any, cause: ArrayLike, residuals: ArrayLike, bins: int = 30, label: str = ""
) -> None:
    """Plot the medians of residuals in bins of equal counts, and the interquartile range as a band.

    Noise averages out in a bin, and what remains depends on the cause: a step at zero speed is dry
    friction, a slope is viscous friction, and a constant is an offset.

    Parameters
    ----------
    ax : Axes
    cause, residuals : array, shape (m,)
        The quantity on the horizontal axis, and the residuals.
    bins : int
        Number of bins.
    label : str
        Label of the line.

    Raises
    ------
    ValueError
        If the arrays differ in length, or are shorter than the number of bins.
    """
    horizontal = real_array(cause, "cause", ("m",))
    vertical = real_array(residuals, "residuals", horizontal.shape)
    count = whole_number(bins, "bins", 1, len(horizontal))
    order = np.array_split(np.argsort(horizontal), count)
    middle = [np.median(horizontal[rows]) for rows in order]
    low, median, high = np.transpose(
        [np.percentile(vertical[rows], (25, 50, 75)) for rows in order]
    )
    (line,) = ax.plot(middle, median, label=label, marker="")
    ax.fill_between(middle, low, high, color=line.get_color(), alpha=0.25, lw=0)
