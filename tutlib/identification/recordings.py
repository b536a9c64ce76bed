"""Recordings of measured motion: time stamps, joint angles, and torques.

Chapter 12 compares them with computed motions. The folder `data` holds the recordings with their
licenses; the names tell which ones models are fitted to, and which ones only test them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, sosfiltfilt

from straightline.aliases import Array
from straightline.arguments import path_of, real_array, real_number

#: Folder of the recordings.
DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, eq=False)
class Recording:
    """A measured motion.

    Parameters
    ----------
    t : array, shape (m,)
        Time stamps [s], increasing; they need not be equally spaced.
    q : array, shape (m, n)
        Joint angles [rad], each relative to the preceding link, zero when hanging.
    torque : array, shape (m, n), optional
        Torques of the motors [N·m]; zero unless given.
    name : str
        Its name.

    Raises
    ------
    TypeError
        If an array contains anything but real numbers.
    ValueError
        If a shape is wrong, or the times do not increase.
    """

    t: Array
    q: Array
    torque: Array = None  # type: ignore[assignment]
    name: str = ""

    def __post_init__(self) -> None:
        t, q = real_array(self.t, "t", ("m",)), real_array(self.q, "q", (len(self.t), "n"))
        torque = np.zeros_like(q) if self.torque is None else self.torque
        if len(t) < 2 or not (np.diff(t) > 0).all():
            raise ValueError("t must be at least two times that increase")
        object.__setattr__(self, "t", t)
        object.__setattr__(self, "q", q)
        object.__setattr__(self, "torque", real_array(torque, "torque", q.shape))

    def between(self, start: float, end: float) -> Recording:
        """Return the part from one time [s] to another.

        Raises
        ------
        ValueError
            If it contains fewer than two samples.
        """
        inside = (self.t >= start) & (self.t <= end)
        if inside.sum() < 2:
            raise ValueError(
                f"the recording lasts from {self.t[0]:g} s to {self.t[-1]:g} s: there are not two "
                f"samples from {start:g} s to {end:g} s"
            )
        return self._rows(inside)

    def every(self, count: int) -> Recording:
        """Return every ``count``-th sample."""
        return self._rows(slice(None, None, count))

    def _rows(self, rows: slice | NDArray[np.bool_]) -> Recording:
        return replace(self, t=self.t[rows], q=self.q[rows], torque=self.torque[rows])

    def smoothed(self, cutoff: float) -> Recording:
        """Return equally spaced samples, low-passed without delay, with torques treated alike.

        Parameters
        ----------
        cutoff : float
            Frequency at which a Butterworth filter of order two, run forward and backward, halves
            an oscillation [Hz].

        Raises
        ------
        ValueError
            If the cutoff is not between zero and half the sampling frequency.
        """
        t, rate = self._even_times, 1 / self._spacing
        if not 0 < real_number(cutoff, "cutoff") < rate / 2:
            raise ValueError(
                f"the cutoff must lie between 0 and {rate / 2:g} Hz, half the sampling frequency; "
                f"got {cutoff:g} Hz"
            )
        filtered = butter(2, cutoff, fs=rate, output="sos")
        columns = np.hstack([self.q, self.torque]).T
        even = np.array([np.interp(t, self.t, column) for column in columns])
        q, torque = np.split(sosfiltfilt(filtered, even).T, 2, axis=1)
        return replace(self, t=t, q=q, torque=torque)

    def speeds(self, cutoff: float) -> Array:
        """Return angular velocities [rad/s], shape (m, n): differences of smoothed angles.

        Parameters
        ----------
        cutoff : float
            As for `smoothed` [Hz].
        """
        smooth = self.smoothed(cutoff)
        rates = np.gradient(smooth.q, self._spacing, axis=0)
        return np.array([np.interp(self.t, smooth.t, column) for column in rates.T]).T

    @cached_property
    def _spacing(self) -> float:
        return float(np.median(np.diff(self.t)))

    @cached_property
    def _even_times(self) -> Array:
        return np.arange(self.t[0], self.t[-1], self._spacing)


def read_recording(path: object) -> Recording:
    """Read a recording from a CSV file of either of two forms.

    The columns are ``time_s``, absolute angles ``phi1_rad``, … of a free pendulum; or ``time_s``,
    relative angles ``q1_rad``, …, angular velocities, which are ignored, and torques ``tau1_Nm``, …
    Samples that repeat a time stamp are dropped.

    Parameters
    ----------
    path : path or str
        A file ``.csv``, or ``.csv.gz``.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If its columns are others.
    """
    file = path_of(path, "path", "motion.csv")
    table = np.genfromtxt(file, delimiter=",", names=True)
    names = table.dtype.names or ()
    joints = [name for name in names if name.startswith(("q", "phi"))]
    if "time_s" not in names or not joints:
        raise ValueError(
            f"{file.name} needs a column time_s and columns q1_rad, … or phi1_rad, …; its columns "
            f"are {', '.join(names)}"
        )
    kept = np.diff(table["time_s"], prepend=-np.inf) > 0
    q = np.array([table[name][kept] for name in joints]).T
    torques = [table[name][kept] for name in names if name.startswith("tau")]
    if joints[0].startswith("phi"):
        q = np.diff(q, axis=1, prepend=0)  # absolute angles
    torque = np.array(torques).T if torques else np.zeros_like(q)
    return Recording(table["time_s"][kept], q, torque, file.name.partition(".")[0])


def recording(name: str) -> Recording:
    """Return a recording of the course.

    Parameters
    ----------
    name : str
        Such as ``"free-double-heldout"``.

    Raises
    ------
    ValueError
        If there is none of this name.
    """
    files = {file.name.partition(".")[0]: file for file in DATA.glob("*-*.csv.gz")}
    names = sorted(name for name in files if not name.startswith("bicycle"))
    if name not in names:
        raise ValueError(f"the recordings are {', '.join(names)}; got {name!r}")
    return read_recording(files[name])
