"""One quadrotor with four rotors, its state on ℝ⁶ x TSO(3) (the opening page of chapter 9).

The third axis points down, as for `Quadrotors`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import entries, function, real_array, real_number
from straightline.assignments import Number
from straightline.compiled_function import compiled
from tutlib.fields import Field
from tutlib.models.lines import Lines, Ring, SpaceArrow
from tutlib.models.quadrotors import DOWN, ROTOR
from tutlib.models.spatial import SpatialModel
from tutlib.spaces.space import Product, R, Space, TangentSO3

#: Length of a rotor thrust's arrow per newton [m/N].
PER_NEWTON = 0.12
#: Directions of the arms in body axes: front, right, back, left.
ARMS = np.array([[1.0, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]])
#: Signs of the drag moments about the third axis: front and back rotate alike, right and left, too.
DRAG = np.array([-1.0, 1, -1, 1])


@dataclass(frozen=True)
class VehicleState:
    """Components of the flat state of one quadrotor.

    Parameters
    ----------
    y, v : array, shape (3,)
        Position [m] and velocity [m/s] of its center of mass.
    attitude : array, shape (3, 3)
    rate : array, shape (3,)
        Angular velocity in body axes [rad/s].
    """

    y: Array
    v: Array
    attitude: Array
    rate: Array


@dataclass(frozen=True)
class Quadrotor:
    """Rigid body with a rotor at the end of each of four arms: front, right, back, and left.

    Parameters
    ----------
    mass : float
        [kg].
    inertia : array, shape (3,)
        Principal moments of inertia [kg·m²].
    arm : float
        Distance of each rotor from the center of mass [m].
    drag : float
        Drag moment of a rotor per thrust [m].
    g : float
        Gravity [m/s²].

    Raises
    ------
    ValueError
        If the mass, a moment of inertia, the arm, or the drag is not positive.

    References
    ----------
    :cite:p:`LeeLeokMcClamroch2010`.
    """

    mass: float
    inertia: Array
    arm: float
    drag: float
    g: float = 9.81

    def __post_init__(self) -> None:
        inertia = np.array(real_array(self.inertia, "inertia", (3,)))
        if not (inertia > 0).all():
            raise ValueError(f"inertia must be positive; got {inertia.tolist()}")
        object.__setattr__(self, "inertia", inertia)
        for name in ("mass", "arm", "drag"):
            object.__setattr__(self, name, real_number(getattr(self, name), name, "positive"))
        object.__setattr__(self, "g", real_number(self.g, "g"))

    @property
    def mixing(self) -> Array:
        """Matrix from the rotors' thrusts to the total thrust and the moment, shape (4, 4)."""
        moments = np.cross(self.arm * ARMS, -DOWN) + np.outer(self.drag * DRAG, DOWN)
        return np.vstack([np.ones(4), moments.T])

    @property
    def space(self) -> Space:
        """The space of the states, ℝ⁶ x TSO(3)."""
        return Product(R(6), TangentSO3)

    def state(self, x: Array) -> VehicleState:
        """Return the components of a flat state."""
        x = entries(x, "x", (18,))
        return VehicleState(x[:3], x[3:6], x[6:15].reshape(3, 3), x[15:])

    def start(self, y: ArrayLike, attitude: ArrayLike | None = None) -> Array:
        """Return the flat state at rest.

        Parameters
        ----------
        y : array, shape (3,)
            Position [m].
        attitude : array, shape (3, 3), optional
            Level unless given.

        Returns
        -------
        array, shape (18,)
        """
        turned = np.eye(3) if attitude is None else real_array(attitude, "attitude", (3, 3))
        still = np.zeros(3)
        return np.concatenate([real_array(y, "y", (3,)), still, np.ravel(turned), still])

    def vector_field(self, control: Callable[..., Array]) -> Callable[[float, Array], Array]:
        """Return f(t, x) on the space, under a control.

        Parameters
        ----------
        control : function (t, VehicleState, **parameters) -> array, shape (4,)
            Thrusts of the rotors [N].

        Returns
        -------
        function
            Its value is an element of the Lie algebra: (v, v̇) and (R Ω, Ω̇), one after another.
        """
        return partial(self._rates, function(control, "control", "t, VehicleState, **parameters"))

    def _rates(
        self, control: Callable[..., Array], t: float, x: Array, **parameters: float
    ) -> Array:
        s = self.state(x)
        total = self.mixing @ control(t, s, **parameters)
        v_dot = self.g * DOWN - total[0] / self.mass * s.attitude[:, 2]
        rate_dot = (total[1:] - np.cross(s.rate, self.inertia * s.rate)) / self.inertia
        return np.concatenate([s.v, v_dot, s.attitude @ s.rate, rate_dot])

    def model(
        self, control: Callable[..., Array], parameters: Mapping[str, float] | None = None
    ) -> SpatialModel:
        """Return the field under a control, ready to simulate and to draw.

        Parameters
        ----------
        control : function (t, VehicleState, **parameters) -> array, shape (4,)
            As for `vector_field`.
        parameters : mapping from str to float, optional
            Further parameters of the control, such as a goal.

        Returns
        -------
        SpatialModel
        """
        return SpatialModel(
            "a quadrotor",
            Field(compiled(self.vector_field(control)), self.space, parameters or {}),
            self._energy_at,
            compiled(partial(self._points, control)),
            _DRAWN,
            ["y_1", "y_2", "y_3", *(f"x_{i}" for i in range(3, 18))],
            down=True,
            follow=5 * self.arm,
            names={"y_1": "along e₁", "y_2": "along e₂", "y_3": "along e₃"},
        )

    def _energy_at(self, t: float, x: Array, **parameters: float) -> Number:
        return self.energy(x)

    def energy(self, x: Array) -> Number:
        """Return the total energy [J], kinetic and potential, at a flat state."""
        s = self.state(x)
        twice: Number = self.mass * s.v @ s.v + (self.inertia * s.rate**2).sum()
        height: Number = s.y[2]
        return twice / 2 - self.mass * self.g * height

    def _points(
        self, control: Callable[..., Array], t: float, x: Array, **parameters: Number
    ) -> Array:
        s = self.state(x)
        tips = s.y + self.arm * ARMS @ s.attitude.T
        thrusts = np.asarray(control(t, s, **parameters))
        ends = tips - PER_NEWTON * thrusts[:, None] * s.attitude[:, 2]
        return np.concatenate([[s.y], tips, ends])


#: Arms, the colored one from front to back; rotors, the front one filled; and the four thrusts.
_DRAWN = Lines(
    ((0, 1), (0, 3), (2, 0, 4)),
    bodies=(0,),
    groups=(1, 1, 0),
    rings=tuple(Ring(tip, (0, 1, 2), ROTOR, 1, tip == 1) for tip in range(1, 5)),
    arrows=tuple(SpaceArrow(tip, tip + 4, "force") for tip in range(1, 5)),
)


def one_quadrotor() -> Quadrotor:
    """Return one vehicle of `two_quadrotors`, with arms of 0.25 m.

    Returns
    -------
    Quadrotor
    """
    return Quadrotor(0.755, np.array([0.0820, 0.0845, 0.1377]), arm=0.25, drag=0.02)
