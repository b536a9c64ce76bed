"""f(t, x) as the steps call it: a reader's function as it is written, its value read each time.

A step combines slopes; that each is a fresh array of floats of the right length is seen to here.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from straightline.aliases import Array
from straightline.arguments import shown
from straightline.compiled_function import Compiled
from straightline.numpy_protocol import is_unknown
from tutlib.aliases import Function
from tutlib.spaces.space import Space, refuse_slope
from tutlib.spaces.vector_field import VectorField

#: f(t, x), whose values are arrays that nobody else holds.
Rate = Callable[..., Array]
_FLOAT = np.dtype(float)


def as_written(f: Function) -> Callable[..., Any]:
    """Return the function that a reader has written, with values for what it takes by name."""
    words: dict[str, float] = {}
    while isinstance(f, VectorField | Compiled):
        words, f = dict(f.parameters) | words, f.function
    return partial(f, **words) if words else f


def rate_of(f: Function, space: Space, first: Array | None = None, numbers: bool = False) -> Rate:
    """Return f as a step calls it.

    Parameters
    ----------
    f : function (t, x) -> array
    space : Space
        Whose algebra its values are in.
    first : array, optional
        The value of its first call, if that has been made already.
    numbers : bool
        Whether it takes the entries of the state one by one, and gives a list.

    Raises
    ------
    TypeError, ValueError
        When it is called, if its value is no slope on the space.
    """
    call, shape = as_written(f), (space.algebra,)

    def rate(t: float, x: Array) -> Array:
        nonlocal first
        if first is not None:
            value, first = first, None
            return value
        value = call(t, x.copy())
        if type(value) is np.ndarray and value.dtype is _FLOAT and value.shape == shape:
            return value.copy()
        return read_slope(value, space)

    def rates(t: float, *x: float) -> Any:
        nonlocal first
        value = call(t, np.array(x)) if first is None else first
        first = None
        if type(value) is np.ndarray and value.dtype is _FLOAT and value.shape == shape:
            return value.tolist()
        return read_slope(value, space).tolist()

    if numbers:
        return rates
    rate.coordinates = getattr(f, "coordinates", None)  # type: ignore[attr-defined]
    return rate


def fresh_slope(value: object, algebra: int) -> Array | None:
    """Return a value as a fresh array, if it is so many floats; what else it is, is read later."""
    with suppress(ValueError):  # of rows of different lengths
        slope = np.array(value)
        if slope.dtype == _FLOAT and slope.shape == (algebra,):
            return slope
    return None


def read_slope(value: object, space: Space) -> Array:
    """Return the value of f as a slope, of known or unknown numbers; refuse what is none.

    A number is one where one entry is enough.
    """
    if (slope := fresh_slope(value, space.algebra)) is not None:
        return slope
    slope = np.array(value, dtype=object) if is_unknown(value) else _read(value)
    slope = slope.reshape(1) if slope.shape == () and space.algebra == 1 else slope
    refuse_slope(slope.shape, space)
    return slope


def _read(value: object) -> Array:
    try:
        slope = np.array(value)
    except ValueError:
        raise ValueError(f"f must return one rate per state; got {shown(value)}") from None
    if slope.dtype.kind not in "fiub":
        came = "None: is a return missing?" if value is None else shown(value)
        raise TypeError(f"f must return real numbers; got dtype {slope.dtype}: {came}")
    return slope.astype(float)
