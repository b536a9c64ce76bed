"""Limits of rotors, applied to the thrusts and moments of a controller (chapter 9).

A rotor pushes in one direction only, and both its thrust and its moments are limited.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from straightline.aliases import Array
from straightline.arguments import function, real_number
from straightline.numpy_protocol import is_unknown
from straightline.operations import maximum, minimum
from tutlib.models.quadrotors import Control, State


@dataclass(frozen=True)
class Rotors:
    """Control law of quadrotors, limited to what their rotors can exert.

    The thrust of each vehicle acts opposite to its third axis: it is the component of the desired
    force along that axis, limited to between 0 and ``thrust``. Each component of a moment is
    limited, too.

    Parameters
    ----------
    control : function (t, State, **parameters) -> (forces, moments)
        As for `Quadrotors.model`.
    thrust : float
        Largest thrust of one vehicle [N]; it may be a parameter in compiled functions.
    moment : float
        Largest moment about each axis of a vehicle [N·m]; likewise.

    Raises
    ------
    TypeError
        If the control is not a function.
    ValueError
        If a limit is not positive.

    References
    ----------
    :cite:p:`LeeSreenathKumar2013`, section II, for the direction of the thrust.
    """

    control: Control
    thrust: float
    moment: float

    def __post_init__(self) -> None:
        function(self.control, "control", "t, State, **parameters")
        for name in ("thrust", "moment"):
            if not is_unknown(value := getattr(self, name)):
                value = real_number(value, f"the largest {name}", "positive")
                object.__setattr__(self, name, value)

    def __call__(self, t: float, s: State, **parameters: float) -> tuple[Array, Array]:
        """Return forces along the body axes, and moments, both of shape (n, 3)."""
        forces, moments = self.control(t, s, **parameters)
        third = s.attitudes[:, :, 2]
        thrusts = _between(0.0, -(forces * third).sum(axis=1), self.thrust)
        return -thrusts[:, None] * third, _between(-self.moment, moments, self.moment)


def _between(least: float, values: Array, most: float) -> Array:
    """Return numbers, or traced unknowns, limited to an interval."""
    cut = [minimum(maximum(value, least), most) for value in np.ravel(values)]
    return np.array(cut).reshape(np.shape(values))
