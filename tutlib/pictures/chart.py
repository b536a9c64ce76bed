"""A map of starts beside a live simulation: a click in it starts the motion from there.

Chapter 2 has one of flips, chapter 7 one of a controller's basin.
"""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Chart:
    """Colors over two states, for `live`.

    Parameters
    ----------
    values : array, shape (rows, columns)
        The first row is at the lower end of y. What is not finite is gray.
    x, y : (state, low, high)
        Which states the axes are, by symbol or name, and their ranges, in shown units, so degrees
        for an angle.
    description : str
        What the colors say, in a sentence.

    Raises
    ------
    ValueError
        If the values are not two-dimensional, a range is empty, or there is no description.
    """

    values: ArrayLike
    x: tuple[Any, float, float]
    y: tuple[Any, float, float]
    description: str

    def __post_init__(self) -> None:
        if np.ndim(self.values) != 2:
            raise ValueError(f"a chart needs rows and columns; got shape {np.shape(self.values)}")
        for name, low, high in (self.x, self.y):
            if not low < high:
                raise ValueError(f"the range of {name} needs low < high; got {low} and {high}")
        if not self.description.strip():
            raise ValueError("describe what the colors say: some readers do not see them")

    def image(self) -> str:
        """Return the colors as a PNG in a data address."""
        from matplotlib import colormaps
        from matplotlib.image import imsave

        values = np.asarray(self.values, dtype=float)
        finite = np.where(np.isfinite(values), values, np.nan)
        low, high = np.nanmin(finite), np.nanmax(finite)
        colors = colormaps["viridis"]((finite - low) / max(high - low, 1e-300))
        colors[np.isnan(finite)] = (0.55, 0.55, 0.55, 1.0)
        file = io.BytesIO()
        imsave(file, colors, format="png", origin="lower")
        return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
