"""States in which machines are compared, their responses there, and errors if they are stuck.

Used by exercises that ask for a whole machine.
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
    """Mechanism cannot reach a state or its rates; has the nearest possible outputs."""

    def __init__(self, message: str, nearest: Array, singular: bool = False) -> None:
        super().__init__(message)
        self.nearest, self.singular = nearest, singular


@dataclass(frozen=True, eq=False)
class Probe:
    """State, given by outputs, in which mechanisms are compared.

    Parameters
    ----------
    where : str
        Description of the state, such as ``"hanging still"`` or ``"at x = 0.3 m"``.
    values : dict from name to float
        Values of the parameters and the inputs.
    t : float
        Time [s].
    x : array
        State of the reference there: coordinates and speeds.
    positions, rates : array, shape (number of positions,)
        Outputs that depend on coordinates only, and their time derivatives.
    tangent : array, shape (number of positions, degrees of freedom)
        Basis of the rates that are possible there.
    rest : bool
        Whether the reference stays there.
    """

    where: str
    values: Mapping[str, float]
    t: float
    x: Array
    positions: Array
    rates: Array
    tangent: Array
    rest: bool = False

    @property
    def begun(self) -> str:
        """Beginning of a sentence about it."""
        return f"{self.where[:1].upper()}{self.where[1:]},"

    @property
    def still(self) -> bool:
        """Whether nothing moves."""
        return not self.rates.any()


@dataclass(frozen=True, eq=False)
class Response:
    """Behavior of a mechanism in the state of a probe.

    Parameters
    ----------
    x : array
        Its own coordinates and speeds.
    accelerations : array, shape (number of positions,)
    others : array, shape (number of other outputs,)
    """

    x: Array
    accelerations: Array
    others: Array
