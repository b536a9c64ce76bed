"""Frames of an animation, interpolated from a trajectory so that bodies stay rigid.

States are interpolated, and positions are computed from them; the player interpolates positions
only between close frames.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from straightline.aliases import Array
from tutlib.methods.trajectory import Trajectory

#: The largest error of the player's interpolation, relative to the picture's size.
TOLERANCE = 2e-4
#: The number of times that the frames of a fast motion may be doubled.
DOUBLINGS = 3


#: Rows closer than this fraction of the average step are one row: between them, a spline would
#: amplify rounding errors.
CLOSE = 1e-9


def states_at(trajectory: Trajectory, times: Array, wrapped: Sequence[int] = ()) -> Array:
    """Return states between those of a trajectory, by cubic splines from event to event.

    Parameters
    ----------
    trajectory : Trajectory
        Where a time is there twice, or an event changes the state, the state jumps.
    times : array, shape (m,)
        Times [s]; before the first time and after the last one the state is constant. At a jump the
        state is the one after it.
    wrapped : sequence of int
        Columns with angles [rad] that jump by a revolution: they take the shorter direction.

    Returns
    -------
    array, shape (m, k)

    Raises
    ------
    ValueError
        If the times of the trajectory decrease, or a state is not finite.
    """
    t, x = np.asarray(trajectory.t, dtype=float), np.asarray(trajectory.x, dtype=float)
    if not (np.diff(t) >= 0).all():
        index = int(np.argmin(np.diff(t) >= 0))
        raise ValueError(
            f"the times of a trajectory must increase; after t = {t[index]:g} comes "
            f"{t[index + 1]:g}"
        )
    if not np.isfinite(x).all():
        index = int(np.argmin(np.isfinite(x).all(axis=1)))
        raise ValueError(
            f"the state at t = {t[index]:g} is not finite: show the motion up to there"
        )
    t, x = _with_jumps(t, x, trajectory.events)
    x[:, wrapped] = np.unwrap(x[:, wrapped], axis=0)
    close, states = CLOSE * np.ptp(t) / len(t), np.empty((len(times), x.shape[1]))
    jumps = 1 + np.flatnonzero(np.diff(t) == 0)
    for piece, some in zip(np.split(t, jumps), np.split(x, jumps)):
        here = slice(None) if piece[0] == t[0] else times >= piece[0]
        states[here] = _spline(piece, some, times[here], close)
    return states


def _with_jumps(t: Array, x: Array, events: Sequence[Any]) -> tuple[Array, Array]:
    """Return times and states with two rows wherever an event has changed the state."""
    x = x.copy()
    for event in events:
        first, end = np.searchsorted(t, event.t), np.searchsorted(t, event.t, side="right")
        if end - first > 1:
            x[end - 1] = event.after
        elif not np.array_equal(event.before, event.after):
            rows = [event.before] if end > first else [event.before, event.after]
            t = np.insert(t, first, len(rows) * [event.t])
            x = np.insert(x, first, rows, axis=0)
    return t, x


def _spline(t: Array, x: Array, times: Array, close: float) -> Array:
    """Return states between rows without a jump, rows that rounding alone keeps apart being one."""
    from scipy.interpolate import CubicSpline

    apart = np.diff(t, prepend=-np.inf) > close
    t, x = t[apart], x[apart]
    if len(t) == 1:
        return np.repeat(x, len(times), axis=0)
    return np.asarray(CubicSpline(t, x)(np.clip(times, t[0], t[-1])))


def rigid_frames(
    positions: Callable[[Array], Array], times: Array, size: float, most: int
) -> tuple[Array, Array]:
    """Return frames that are close enough for the player's cubic interpolation.

    Parameters
    ----------
    positions : function times -> array, shape (len(times), points, axes)
        Positions of points [m].
    times : array, shape (m,)
        Equally spaced [s].
    size : float
        Of the picture [m]; if zero, that of all positions.
    most : int
        The largest number of frames.

    Returns
    -------
    times, positions : array
        The given times, or two, four, or eight times as many if the motion is fast.
    """
    frames = positions(times)
    size = size or float(np.ptp(frames.reshape(-1, frames.shape[-1]), axis=0).max(initial=0.0))
    for _ in range(DOUBLINGS):
        between = (times[1:] + times[:-1]) / 2
        exact = positions(between)
        if 2 * len(times) > most or np.abs(_middles(frames) - exact).max() <= TOLERANCE * size:
            break
        times, frames = _interleaved(times, between), _interleaved(frames, exact)
    return times, frames


def _middles(frames: Array) -> Array:
    """Return what the player shows halfway between frames: see film.js."""
    padded = np.concatenate(
        [_extrapolated(frames)[None], frames, _extrapolated(frames[::-1])[None]]
    )
    return np.asarray((9 * (padded[1:-2] + padded[2:-1]) - padded[:-3] - padded[3:]) / 16)


def _extrapolated(frames: Array) -> Array:
    """Return the extrapolated frame before the first, by a polynomial through up to four frames."""
    weights = {2: (2, -1), 3: (3, -3, 1)}.get(len(frames), (4, -6, 4, -1))
    return np.asarray(sum(weight * frame for weight, frame in zip(weights, frames)))


def _interleaved(frames: Array, between: Array) -> Array:
    """Return frames with others between them."""
    joined = np.empty((len(frames) + len(between), *frames.shape[1:]))
    joined[::2], joined[1::2] = frames, between
    return joined
