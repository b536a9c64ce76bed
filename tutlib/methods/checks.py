"""What an integrator refuses at once, in one sentence that says what came and what is needed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from tutlib.programs.follow import is_unknown
from tutlib.programs.right_hand_side import Array, Function
from tutlib.spaces.space import Space


def check_step_size(h: float) -> None:
    """Refuse a step that is not positive and finite."""
    if not is_unknown(h) and not (np.isfinite(h) and h > 0):
        raise ValueError(f"the step h must be positive and finite; got {h}")


def check_times(t: ArrayLike) -> Array:
    """Return the times as a fresh array of floats; refuse what does not increase."""
    times = np.array(t, dtype=float)
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


def check_state(x0: ArrayLike, space: Space | None = None) -> Array:
    """Return the initial state as a fresh array of floats; refuse what is no state."""
    given = np.asarray(x0)
    if given.dtype.kind not in "fiub":
        raise TypeError(f"x0 must hold real numbers; got dtype {given.dtype}")
    if given.ndim != 1 or len(given) == 0:
        raise ValueError(f"x0 must be a one-dimensional state, shape (k,); got shape {given.shape}")
    if space is not None and len(given) != space.dimension:
        raise ValueError(f"a state on {space.name} has {space.dimension} entries; got {len(given)}")
    if not np.isfinite(given).all():
        raise ValueError(f"every entry of x0 must be finite; got {given}")
    if space is not None and (wrong := space.refuse(given.astype(float))):
        raise ValueError(f"x0 is not on {space.name}: {wrong}")
    return given.astype(float)


def check_function(f: Function, t: float, x: Array, space: Space | None = None) -> Array:
    """Call f once, return its value, and refuse what no method could use."""
    slope = np.asarray(f(float(t), x.copy()))
    if slope.dtype.kind not in "fiub":
        raise TypeError(f"f must return real numbers; got dtype {slope.dtype}")
    if space is None and slope.shape != x.shape:
        raise ValueError(f"f must return one rate per state, shape {x.shape}; got {slope.shape}")
    return slope


def check_next_state(x: ArrayLike, k: int) -> Array:
    """Return what a step function gave as an array; refuse another shape."""
    state = np.asarray(x, dtype=float)
    if state.shape != (k,):
        raise ValueError(f"the step must return a state of shape ({k},); got {state.shape}")
    return state


def check_start(
    after_step: Callable[[float, Array], ArrayLike], t: float, x: Array, names: tuple[str, ...]
) -> None:
    """Refuse a start that what follows each step would move."""
    moved = check_next_state(after_step(float(t), x.copy()), len(x)) - x
    i = int(np.argmax(np.abs(moved)))
    if not abs(moved[i]) <= 1e-6 * (1 + abs(x[i])):
        name = f" ({names[i]})" if names else ""
        raise ValueError(
            f"the start is not consistent: after_step moves its state {i}{name} by {moved[i]:.3g}"
        )


def check_tolerances(rtol: float, atol: float) -> None:
    """Refuse tolerances that are negative, not finite, or below what rounding allows."""
    if not (0 <= rtol < 1 and 0 <= atol < np.inf and rtol + atol > 0):
        raise ValueError(f"tolerances must be positive; got rtol = {rtol}, atol = {atol}")
    if 0 < rtol < 1e-14:
        raise ValueError(f"rtol = {rtol} is below the rounding of the numbers themselves")
