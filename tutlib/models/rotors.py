"""What rotors give of what a controller asks: chapter 9 flies quadrotors with it.

A rotor pushes one way only, and neither thrust nor moments are without a limit.
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
    """A control of quadrotors, as their rotors can carry it out.

    The thrust of each vehicle acts against its third axis; it is what of the force asked for lies
    along that axis, from 0 to its limit. Each component of a moment is cut at its limit.

    Parameters
    ----------
    control : function (t, State, **parameters) -> (forces, moments)
        As for `Quadrotors.model`.
    thrust : float
        The largest of one vehicle [N]; where it is compiled, it may be a parameter.
    moment : float
        The largest about each axis of a vehicle [N·m]; likewise.

    Raises
    ------
    TypeError
        If the control is no function.
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
        """Return forces along the body axes, and moments: both of shape (n, 3)."""
        forces, moments = self.control(t, s, **parameters)
        third = s.attitudes[:, :, 2]
        thrusts = _between(0.0, -(forces * third).sum(axis=1), self.thrust)
        return -thrusts[:, None] * third, _between(-self.moment, moments, self.moment)


def _between(least: float, values: Array, most: float) -> Array:
    """Return each of some known or unknown numbers, cut where it is outside of the limits."""
    cut = [minimum(maximum(value, least), most) for value in np.ravel(values)]
    return np.array(cut).reshape(np.shape(values))
