"""Maps of initial states next to a live simulation: a click in a map starts the motion there.

Chapter 2 has a map of flips, chapter 7 a controller's basin of attraction, and chapter 9 a map of
failures.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from panels.drawing.frames import check_description
from straightline.aliases import Array
from straightline.arguments import function, instance, real_array, real_number, row
from tutlib.methods.checks import check_step_size
from tutlib.methods.ensemble_problem import check_limits, number_of_steps
from tutlib.methods.steps import Tableau, find_tableau

_GRAY = (0.55, 0.55, 0.55, 1.0)
#: Index of gray in an image's palette, behind its colors; number of shades of the bar.
_GRAY_INDEX, _SHADES = 255, 33


@dataclass(frozen=True)
class EndTimes:
    """Zoom of a `Chart`: the page recomputes the time at which each motion ends.

    The numbers are ``ensemble(f, starts, t_end, h, limits, method, until=until).t`` [s], where f
    and its parameters are those of the live simulation. A motion that is not over by ``t_end`` is
    gray.

    Parameters
    ----------
    t_end : float
        Final time [s], a multiple of h.
    h : float
        Step size [s].
    limits : array, shape (k,), optional
        A motion ends when the magnitude of a state exceeds its limit; ``inf`` for no limit.
    until : function (t, x) -> float, optional
        A motion ends where this function passes through zero.
    method : str or tableau
        An explicit Runge-Kutta method.

    Raises
    ------
    TypeError
        If an argument has a wrong type.
    ValueError
        If the times or the limits are invalid, or the method is not explicit.
    """

    t_end: float
    h: float
    limits: ArrayLike | None = None
    until: Callable[[float, Array], ArrayLike] | None = None
    method: str | Tableau = "rk4"

    def __post_init__(self) -> None:
        number_of_steps(self.t_end, check_step_size(self.h))
        find_tableau(self.method, "a map")
        if self.until is not None:
            function(self.until, "until", "t, x")
        if self.limits is not None:
            check_limits(self.limits, real_array(self.limits, "limits", ("k",), finite=False).size)


@dataclass(frozen=True)
class Chart:
    """A color map over two initial states, for `live` and `live_in_space`.

    Parameters
    ----------
    values : array, shape (rows, columns), or (maps, rows, columns) if it follows a parameter
        Values to color. Rows run from the lower to the upper end of y, and columns from the left to
        the right end of x. Values that are not finite are gray.
    x, y : (state, first, last)
        The state on each axis, by symbol or name, and its values at the left or lower end and at
        the other end, in displayed units, such as degrees for an angle. The last value may be the
        smaller one.
    description : str
        The meaning of the colors, in a sentence, for screen readers.
    label : str
        The quantity and its unit, such as ``"time to flip [s]"``, for the color bar.
    otherwise : str
        The meaning of gray, such as ``"not within 10 s"``.
    follows : (parameter, values), optional
        A parameter of the model and the values [SI units] for which the maps were computed; the map
        of the nearest value is shown. A chart without ``follows`` lists the values for which it
        was computed, if they have sliders.
    kinds : sequence of str, optional
        Names of the values 0, 1, 2, …, one for each color, instead of a color bar.
    zoom : EndTimes, optional
        The computation of the values, which lets readers zoom in: the page then recomputes the map
        for the visible window and the current settings of the sliders.

    Raises
    ------
    TypeError
        If an argument has a wrong type.
    ValueError
        If the values have a wrong shape or an unknown kind, a range is empty, or there is no
        description.
    """

    values: ArrayLike
    x: tuple[Any, float, float]
    y: tuple[Any, float, float]
    description: str
    label: str = ""
    otherwise: str = ""
    follows: tuple[Any, Sequence[float]] | None = None
    kinds: Sequence[str] = ()
    zoom: EndTimes | None = None

    def __post_init__(self) -> None:
        values = real_array(self.values, "the values of a chart", finite=False)
        if self.follows is None and (values.ndim != 2 or not values.size):
            raise ValueError(f"a chart needs rows and columns; got shape {values.shape}")
        if self.follows is not None:
            self._check_follows(values)
        for side, axis in (("x", self.x), ("y", self.y)):
            name, *ends = row(axis, f"{side} of a chart", 3, "state, first, last")
            first, last = (real_number(v, f"an end of the range of {name}") for v in ends)
            if first == last:
                raise ValueError(f"the range of {name} is empty: it begins and ends at {first:g}")
        if self.kinds and not np.isin(values[np.isfinite(values)], range(len(self.kinds))).all():
            raise ValueError(f"the values of a chart with kinds are 0 to {len(self.kinds) - 1}")
        check_description(
            self.description, "the meaning of the colors, for readers who do not see them"
        )
        for name in ("label", "otherwise"):
            instance(getattr(self, name), f"{name} of a chart", str)
        if self.zoom is not None:
            instance(self.zoom, "zoom of a chart", EndTimes)
            if self.follows is not None:
                raise ValueError("a chart with zoom follows every parameter: leave out follows")

    def _check_follows(self, values: Array) -> None:
        name, numbers = row(self.follows, "follows of a chart", 2, "parameter, values")
        count = len(real_array(numbers, f"the values of {name} that a chart follows", ("n",)))
        if values.ndim != 3 or len(values) != count or not values.size:
            raise ValueError(
                f"a chart that follows {count} values of {name} needs as many maps of rows and "
                f"columns; got shape {values.shape}"
            )

    def images(self) -> list[str]:
        """Return each map as a PNG in a data URL."""
        from PIL import Image  # Matplotlib's own

        values = np.asarray(self.values, dtype=float)
        low, high = self._span()
        shades = np.vstack([_colors(np.linspace(0, 1, _GRAY_INDEX)), [_GRAY]])[:, :3]
        addresses = []
        for plane in values.reshape(-1, *values.shape[-2:]):
            finite = np.isfinite(plane)
            shares = np.where(finite, plane - low, 0.0) / max(high - low, 1e-300)
            indices = np.where(finite, np.rint((_GRAY_INDEX - 1) * shares), _GRAY_INDEX)
            image = Image.fromarray(indices[::-1].astype(np.uint8))
            image.putpalette(np.rint(255 * shades).astype(np.uint8).tobytes())
            file = io.BytesIO()
            image.save(file, format="png", optimize=True)
            address = base64.b64encode(file.getvalue()).decode()
            addresses.append(f"data:image/png;base64,{address}")
        return addresses

    def _span(self) -> tuple[float, float]:
        """Return the smallest and the largest number."""
        if self.kinds:
            return 0.0, len(self.kinds) - 1.0
        values = np.asarray(self.values, dtype=float)
        finite = values[np.isfinite(values)]
        return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)

    def bar(self) -> dict[str, object]:
        """Return the legend of the colors.

        Returns
        -------
        dict
            ``low`` and ``high`` are the ends, ``colors`` those from one to the other, ``gray``
            the other one, or an empty text where nothing can have it; ``label`` or ``kinds``, and
            ``otherwise``, are the words for them.
        """
        values = np.asarray(self.values, dtype=float)
        low, high = self._span()
        shades = _colors(np.linspace(0, 1, len(self.kinds) or (_SHADES if high > low else 1)))
        gray = "" if np.isfinite(values).all() and not self.zoom else _as_hex(_GRAY)
        return {
            "low": low,
            "high": high,
            "colors": [_as_hex(shade) for shade in shades],
            "gray": gray,
            "label": self.label,
            "kinds": list(self.kinds),
            "otherwise": self.otherwise,
        }


def _colors(shares: Array) -> Array:
    """Return red, green, blue and opacity, from 0 to 1, of numbers from 0 to 1."""
    from matplotlib import colormaps

    return np.array(colormaps["viridis"](shares))


def _as_hex(color: Array | tuple[float, ...]) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in tuple(color)[:3])
