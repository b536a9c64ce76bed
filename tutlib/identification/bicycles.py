"""Quantities of bicycles, measured and published, and a fork that swings, for chapter 12."""

from __future__ import annotations

import csv
import gzip

import numpy as np

from straightline.aliases import Array
from tutlib.identification.recordings import DATA

#: Values of quantities by their symbols, and their standard deviations.
Quantities = tuple[dict[str, float], dict[str, float]]


def measured_bicycle(name: str) -> Quantities:
    """Return the measured quantities of a bicycle whose parts were weighed and swung as pendulums.

    Parameters
    ----------
    name : str
        Such as ``"Browser"``.

    Returns
    -------
    values, deviations : dict from str to float
        Each quantity by its symbol, and its standard deviation, in kg, m, s, and rad: the
        average if it was read several times. Counted quantities have the deviation zero.

    Raises
    ------
    ValueError
        If there is no such bicycle.

    References
    ----------
    :cite:p:`MooreEtAl2010`.
    """
    return _quantities("bicycle-swings", name)


def published_bicycle(name: str) -> Quantities:
    """Return the parameters of the Whipple model that were published for a bicycle.

    Parameters
    ----------
    name : str
        Such as ``"Browser"``.

    Returns
    -------
    values, deviations : dict from str to float
        Each parameter by its symbol, and its standard deviation, in kg, m, s, and rad.

    Raises
    ------
    ValueError
        If there is no such bicycle.

    References
    ----------
    :cite:p:`Moore2012`.
    """
    return _quantities("bicycle-published", name)


def swinging_fork() -> tuple[Array, Array]:
    """Return the recording of a rate gyroscope on a fork that swings as a pendulum.

    Returns
    -------
    t, voltage : array, shape (m,)
        Times [s], and the sensor's voltage [V]: a linear function of the angular velocity.
    """
    t, voltage = np.loadtxt(DATA / "bicycle-gyro-fork.csv.gz", delimiter=",", skiprows=1).T
    return t, voltage


def _quantities(table: str, name: str) -> Quantities:
    with gzip.open(DATA / f"{table}.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = sorted({row["bicycle"] for row in rows})
    if name not in names:
        raise ValueError(f"the bicycles are {', '.join(names)}; got {name!r}")
    readings: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row["bicycle"] == name:
            unit = np.pi / 180 if row.get("unit") == "deg" else 1.0
            reading = unit * float(row["value"]), unit * float(row["std"] or 0)
            readings.setdefault(row["symbol"], []).append(reading)
    values = {symbol: float(np.mean([v for v, _ in each])) for symbol, each in readings.items()}
    deviations = {
        symbol: float(np.linalg.norm([deviation for _, deviation in each])) / len(each)
        for symbol, each in readings.items()
    }
    return values, deviations
