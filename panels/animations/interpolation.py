"""The frames of a film: states between the computed ones, close enough that bodies stay rigid.

Positions are never interpolated from afar: states are, and the positions follow from them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from straightline.aliases import Array
from tutlib.methods.trajectory import Trajectory

#: What the player may be off between two frames, as a part of the picture's size.
OFF = 2e-4
#: How often the frames may be doubled where a motion is quick.
DOUBLINGS = 3


def states_at(trajectory: Trajectory, times: Array) -> Array:
    """Return the states between those of a trajectory, by a cubic spline through them.

    Parameters
    ----------
    trajectory : Trajectory
    times : array, shape (m,)
        Times [s]; before its first time and after its last one the state is held.

    Returns
    -------
    array, shape (m, k)

    Raises
    ------
    ValueError
        If its times do not increase, or a state is not finite.
    """
    from scipy.interpolate import CubicSpline

    t, x = np.asarray(trajectory.t, dtype=float), np.asarray(trajectory.x, dtype=float)
    if not (np.diff(t) > 0).all():
        place = int(np.argmin(np.diff(t) > 0))
        raise ValueError(
            f"the times of a film must increase; after t = {t[place]:g} comes {t[place + 1]:g}"
        )
    if not np.isfinite(x).all():
        place = int(np.argmin(np.isfinite(x).all(axis=1)))
        raise ValueError(
            f"the state at t = {t[place]:g} is not finite: show the motion up to there"
        )
    if len(t) == 1:
        return np.repeat(x, len(times), axis=0)
    return np.asarray(CubicSpline(t, x)(np.clip(times, t[0], t[-1])))


def rigid_frames(
    positions: Callable[[Array], Array], times: Array, size: float, most: int
) -> tuple[Array, Array]:
    """Return as many frames as the player needs, which puts a cubic through each four of them.

    Parameters
    ----------
    positions : function times -> array, shape (len(times), points, axes)
        Where things are [m].
    times : array, shape (m,)
        Equally spaced [s].
    size : float
        Of the picture [m]; if zero, that of all that is ever seen.
    most : int
        Of all frames.

    Returns
    -------
    times, positions : array
        The times given, or twice as many or more where things move too quickly for them.
    """
    frames = positions(times)
    size = size or float(np.ptp(frames.reshape(-1, frames.shape[-1]), axis=0).max(initial=0.0))
    for _ in range(DOUBLINGS):
        between = (times[1:] + times[:-1]) / 2
        true = positions(between)
        if 2 * len(times) > most or np.abs(_middles(frames) - true).max() <= OFF * size:
            break
        times, frames = _joined(times, between), _joined(frames, true)
    return times, frames


def _middles(frames: Array) -> Array:
    """Return what the player shows half-way between each two frames: see film.js."""
    padded = np.concatenate([_beyond(frames)[None], frames, _beyond(frames[::-1])[None]])
    return np.asarray((9 * (padded[1:-2] + padded[2:-1]) - padded[:-3] - padded[3:]) / 16)


def _beyond(frames: Array) -> Array:
    """Return what precedes frames, by the polynomial through the first four, or all of fewer."""
    weights = {2: (2, -1), 3: (3, -3, 1)}.get(len(frames), (4, -6, 4, -1))
    return np.asarray(sum(weight * frame for weight, frame in zip(weights, frames)))


def _joined(these: Array, between: Array) -> Array:
    joined = np.empty((len(these) + len(between), *these.shape[1:]))
    joined[::2], joined[1::2] = these, between
    return joined
