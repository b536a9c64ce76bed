"""Where machines are compared, what they do there, and what is said where they are stuck.

Exercises that ask for a whole machine use it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from straightline.aliases import Array

_ROUNDING = 1e-12


def amount(value: float, unit: str = "", per: str = "", digits: int = 3) -> str:
    """Return a number with its unit, such as −0.3 m/s² for ``per="/s²"``."""
    number = f"{value if abs(value) > _ROUNDING else 0.0:.{digits}g}".replace("-", "−")
    return f"{number} {unit or ('1' if per else '')}{per}".strip()


class StuckError(ValueError):
    """Raised with a sentence where a mechanism cannot follow, and the outputs that are nearest."""

    def __init__(self, message: str, nearest: Array, singular: bool = False) -> None:
        super().__init__(message)
        self.nearest, self.singular = nearest, singular


@dataclass(frozen=True, eq=False)
class Probe:
    """A state, told by outputs, in which mechanisms are compared.

    Parameters
    ----------
    where : str
        Where it is, such as ``"hanging still"`` or ``"at x = 0.3 m"``.
    values : dict from name to float
        Of the parameters and the inputs.
    t : float
        Time [s].
    x : array
        The state in which the reference is there: coordinates and speeds.
    places, rates : array, shape (number of places,)
        The outputs that depend on coordinates alone, and how fast they change.
    tangent : array, shape (number of places, degrees of freedom)
        Rates that they can have there.
    rest : bool
        Whether the reference stays there.
    """

    where: str
    values: Mapping[str, float]
    t: float
    x: Array
    places: Array
    rates: Array
    tangent: Array
    rest: bool = False

    @property
    def begun(self) -> str:
        """How a sentence about it begins."""
        return f"{self.where[:1].upper()}{self.where[1:]},"

    @property
    def still(self) -> bool:
        """Whether nothing moves."""
        return not self.rates.any()


@dataclass(frozen=True, eq=False)
class Response:
    """What a mechanism does in the state of a probe.

    Parameters
    ----------
    x : array
        Its own coordinates and speeds there.
    accelerations : array, shape (number of places,)
    others : array, shape (number of other outputs,)
    """

    x: Array
    accelerations: Array
    others: Array
