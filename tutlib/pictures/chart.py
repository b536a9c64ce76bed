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

from tutlib.pictures.frames import check_description
from tutlib.programs.arguments import real_array, real_number, shown


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
        values = real_array(self.values, "the values of a chart", finite=False)
        if values.ndim != 2 or not values.size:
            raise ValueError(f"a chart needs rows and columns; got shape {values.shape}")
        for side, axis in (("x", self.x), ("y", self.y)):
            if not isinstance(axis, tuple | list) or len(axis) != 3:
                raise TypeError(f"{side} of a chart is (state, low, high); got {shown(axis)}")
            name, low, high = axis
            low, high = (real_number(v, f"an end of the range of {name}") for v in (low, high))
            if not low < high:
                raise ValueError(f"the range of {name} needs low < high; got {low:g} and {high:g}")
        check_description(self.description, "what the colors say: some readers do not see them")

    def image(self) -> str:
        """Return the colors as a PNG in a data address."""
        from matplotlib import colormaps
        from matplotlib.image import imsave

        values = np.asarray(self.values, dtype=float)
        finite = np.where(np.isfinite(values), values, np.nan)
        known = finite[np.isfinite(finite)]
        low, high = (known.min(), known.max()) if known.size else (0.0, 0.0)
        colors = colormaps["viridis"]((finite - low) / max(high - low, 1e-300))
        colors[np.isnan(finite)] = (0.55, 0.55, 0.55, 1.0)
        file = io.BytesIO()
        imsave(file, colors, format="png", origin="lower")
        return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
