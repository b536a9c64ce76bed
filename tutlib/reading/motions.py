"""Readers of the arguments of integrators: times, states, tolerances.

Integrators check their arguments here before the first step.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import function, instance, real_array, real_number, several


def initial_value_problem(
    f: Callable[..., object], t: ArrayLike, x0: ArrayLike
) -> tuple[Array, Array]:
    """Return times and initial state of x' = f(t, x), x(t₀) = x₀; reject invalid problems.

    Parameters
    ----------
    f : function (t, x) -> array
    t : array, shape (m,)
    x0 : array, shape (k,)

    Raises
    ------
    TypeError, ValueError
        As for `increasing_times` and `initial_state`, or if f is not a function of t and x.
    """
    times, start = increasing_times(t), initial_state(x0)
    function(f, "f", "t, x")
    return times, start


def increasing_times(t: ArrayLike) -> Array:
    """Return times as a new array of floats; reject times that do not increase."""
    times = np.array(real_array(t, "t", finite=False))
    if times.ndim != 1 or len(times) == 0:
        raise ValueError(f"t must be a one-dimensional array of times; got shape {times.shape}")
    if not np.isfinite(times).all():
        raise ValueError(f"every time must be finite; t[{np.argmin(np.isfinite(times))}] is not")
    bad = np.flatnonzero(np.diff(times) <= 0)
    if len(bad):
        i = int(bad[0]) + 1
        raise ValueError(
            f"the times must increase: t[{i}] = {times[i]:g} follows t[{i - 1}] = {times[i - 1]:g}"
        )
    return times


def initial_state(x0: object) -> Array:
    """Return an initial state as a new array of floats; reject other shapes and values."""
    start = np.array(real_array(x0, "x0", finite=False))
    if start.ndim != 1 or len(start) == 0:
        raise ValueError(f"x0 must be a one-dimensional state, shape (k,); got shape {start.shape}")
    if not np.isfinite(start).all():
        raise ValueError(f"every entry of x0 must be finite; got {start}")
    return start


def states_in_time(
    t: ArrayLike, x: ArrayLike, names: tuple[str, ...]
) -> tuple[Array, Array, tuple[str, ...]]:
    """Return times, a state for each, and names of its entries; reject arguments that do not fit.

    Parameters
    ----------
    t : array, shape (m,)
    x : array, shape (m, k)
    names : tuple of k str, or of none

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or shape.
    """
    times = real_array(t, "t", ("m",), finite=False)
    states = real_array(x, "x", (len(times), "k"), finite=False)
    words = tuple(several(names, "names", lambda name: instance(name, "a name", str)))
    if not len(times):
        raise ValueError("a trajectory needs at least one time; t is empty")
    if len(words) not in (0, states.shape[1]):
        raise ValueError(f"{states.shape[1]} states need as many names, or none; got {words}")
    return times, states, words


def tolerances(rtol: object, atol: object, states: int) -> tuple[float, float | Array]:
    """Return tolerances; reject values that are negative, not finite, or below rounding.

    Parameters
    ----------
    rtol : float
    atol : float or array, shape (states,)
    states : int
    """
    relative = real_number(rtol, "rtol", "zero or positive")
    absolute: float | Array
    if np.ndim(atol) == 0:  # type: ignore[arg-type]
        absolute = least = real_number(atol, "atol", "zero or positive")
    else:
        absolute = real_array(atol, "atol, a number or one for each state,", (states,)).copy()
        least = float(absolute.min())
        if least < 0:
            raise ValueError(f"every atol must be zero or positive; got {atol}")
    if relative >= 1 or relative + least == 0:
        raise ValueError(
            f"tolerances must be positive, and rtol below 1; got rtol = {rtol}, atol = {atol}"
        )
    if 0 < relative < 1e-14:
        raise ValueError(
            f"rtol = {rtol} is below the rounding error of floats: choose at least 1e-14"
        )
    return relative, absolute


def parts_between(t: Array, *breaks: ArrayLike) -> list[tuple[float, float, float]]:
    """Return the parts of a time span between breaks: beginning, end, and the time at the end.

    At a break, the right-hand side may have its old or its new value. Therefore a part ends a few
    rounding errors before its break, and the next part begins a few after it.

    Parameters
    ----------
    t : array, shape (m,)
        Increasing times of the trajectory.
    breaks : arrays, shape (n,)
        Times of the breaks, in any order; those outside the span are ignored.

    Raises
    ------
    TypeError, ValueError
        If the breaks are not finite times in one dimension.
    """
    given = [np.atleast_1d(real_array(some, "breaks")) for some in breaks]
    if any(some.ndim > 1 for some in given):
        raise ValueError("breaks must be a one-dimensional array of times")
    stops = np.unique(np.concatenate(given))
    first, last = float(t[0]), float(t[-1])
    gap = 4 * np.spacing(max(abs(first), abs(last)))
    stops = stops[np.diff(stops, prepend=-np.inf) > 4 * gap]  # rounding alone makes two of one
    inner = stops[(stops > first + 4 * gap) & (stops < last - 4 * gap)]
    edges = np.array([first, *inner, last])
    jumps = np.array([np.abs(stops - edge).min(initial=np.inf) <= 4 * gap for edge in edges]) * gap
    begins, ends = (edges + jumps)[:-1], (edges - jumps)[1:]
    return list(zip(begins.tolist(), ends.tolist(), edges[1:].tolist()))
