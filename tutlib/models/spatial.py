"""Mechanisms whose states live on curved spaces: a field, an energy and points to draw.

The free rigid body and the spherical pendulum of chapter 8; chapter 9's quadrotors are one, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from tutlib.programs.arguments import entries, function, instance, real_array
from tutlib.programs.right_hand_side import Array
from tutlib.spaces.lie import hat
from tutlib.spaces.space import TangentSO3, TangentSphere
from tutlib.spaces.vector_field import VectorField


@dataclass(frozen=True)
class Lines:
    """What to draw through points in space.

    Parameters
    ----------
    lines : tuple of tuples of int
        Each a path through points, by index.
    bodies : tuple of int
        Points drawn as disks; the last one leaves a trace.
    pivots : tuple of int
        Points fixed to the ground.
    """

    lines: tuple[tuple[int, ...], ...]
    bodies: tuple[int, ...] = ()
    pivots: tuple[int, ...] = ()


def _nothing_wrong(parameters: Mapping[str, float]) -> str:
    return ""


@dataclass(frozen=True)
class SpatialModel:
    """A mechanism on a space, ready to simulate, to draw and to take to a page.

    Parameters
    ----------
    name : str
    field : VectorField
    energy : function (t, x, **parameters) -> number
        Kinetic and potential energy together [J].
    points : function (t, x, **parameters) -> array, shape (n, 3)
        Where things are [m].
    skeleton : Lines
    state_names : sequence of str
        Of the k entries of x.
    down : bool
        Whether the third axis points down; the pictures turn it round.
    follow : float
        How far [m] a film shows around the last body, which it then follows; 0 shows everything.
    refuse : function parameters -> str, optional
        What is wrong with values that no such mechanism has; empty if nothing is.

    Raises
    ------
    ValueError
        If no such mechanism has these values.
    """

    name: str
    field: VectorField
    energy: Callable[..., Any]
    points: Callable[..., Any]
    skeleton: Lines
    state_names: Sequence[str]
    down: bool = False
    follow: float = 0.0
    refuse: Callable[[Mapping[str, float]], str] = _nothing_wrong

    def __post_init__(self) -> None:
        values = instance(self.field, "field", VectorField).parameters
        for name in ("energy", "points"):
            function(getattr(self, name), name, "t, x, **parameters", values)
        instance(self.skeleton, "skeleton", Lines)
        function(self.refuse, "refuse", "parameters")
        if wrong := instance(self.refuse(values), "what refuse tells of parameters", str):
            raise ValueError(wrong)

    def with_parameters(self, values: Mapping[str, float]) -> SpatialModel:
        """Return the same model with other values; refuse a name that it does not have."""
        known = self.field.parameters
        given = instance(values, "values", Mapping, "give them by name")  # type: ignore[type-abstract]
        named = {str(name): value for name, value in given.items()}
        for name in named:
            if name not in known:
                offer = ", ".join(known) or "none"
                raise ValueError(f"no such parameter: {name}; there are {offer}")
        return replace(self, field=replace(self.field, parameters={**known, **named}))

    def energies(self, t: Array, x: Array) -> Array:
        """Return the energy [J] along a trajectory, shape (m,)."""
        return np.array([self.energy(*pair, **self.field.parameters) for pair in self._rows(t, x)])

    def _rows(self, t: Any, x: Any) -> list[tuple[float, Array]]:
        """Return the times and states of a trajectory of this model, one after another."""
        k = self.field.space.dimension
        times, states = real_array(t, "t", ("m",)), real_array(x, "x", ("m", k))
        if len(times) != len(states):
            raise ValueError(f"there are {len(times)} times, but x has {len(states)} rows")
        return list(zip(times.tolist(), states))

    def drawn(self, t: Any, x: Any, **parameters: Any) -> Any:
        """Return the points at one state with the third axis up, shape (n, 3)."""
        state = entries(x, "x", (self.field.space.dimension,))
        points = np.asarray(self.points(t, state, **parameters))
        return points * np.array([1.0, -1.0, -1.0]) if self.down else points

    def positions(self, t: Array, x: Array) -> Array:
        """Return the points [m] to draw along a trajectory, shape (m, n, 3)."""
        return np.array([self.drawn(*pair, **self.field.parameters) for pair in self._rows(t, x)])


# What a model is made of stands at the top of the file, so that models can be pickled.


def _turning_body(t: Any, x: Any, **p: Any) -> Any:
    moments, rate = np.array(list(p.values())), x[9:]
    spatial = x[:9].reshape(3, 3) @ rate
    return np.concatenate([spatial, np.cross(moments * rate, rate) / moments])


def _energy_of_turning(t: Any, x: Any, **p: Any) -> Any:
    return 0.5 * (np.array(list(p.values())) * x[9:] ** 2).sum()


def _turned(body: Array, t: Any, x: Any, **p: Any) -> Any:
    return body @ x[:9].reshape(3, 3).T


def _swinging(t: Any, x: Any, m: Any, l: Any, g: Any) -> Any:
    q, omega = x[:3], x[3:]
    turning = np.cross(q, np.array([0.0, 0.0, -1.0])) * g / l
    return np.concatenate([omega, hat(q) @ turning])


def _energy_of_swinging(t: Any, x: Any, m: Any, l: Any, g: Any) -> Any:
    return m * l**2 * (x[3:] ** 2).sum() / 2 + m * g * l * x[2]


def _rod(t: Any, x: Any, m: Any, l: Any, g: Any) -> Any:
    return np.array([[0.0, 0.0, 0.0], l * x[:3]])


def _no_body(parameters: Mapping[str, float]) -> str:
    moments = list(parameters.values())
    if not all(moment > 0 for moment in moments):
        return f"the inertia must be positive definite, three moments; got {moments}"
    if sum(moments) - 2 * max(moments) < -1e-12 * sum(moments):
        return f"no body has the moments {moments}: one exceeds the sum of the others"
    return ""


def _no_pendulum(parameters: Mapping[str, float]) -> str:
    for name, meaning in (("m", "mass"), ("l", "length")):
        if not parameters[name] > 0:
            return f"the {meaning} {name} must be positive; got {parameters[name]:g}"
    return ""


def rigid_body(inertia: Sequence[float] = (0.1, 0.2, 0.3)) -> SpatialModel:
    """Return a free rigid body on SO(3) x ℝ³: attitude R and body rate Ω.

    It is drawn as a box that has these moments of inertia, with a staff along its second axis.

    Parameters
    ----------
    inertia : three float
        Principal moments of inertia [kg·m²].

    Returns
    -------
    SpatialModel

    Raises
    ------
    ValueError
        If the inertia is not positive definite, or no body has it.
    """
    J = real_array(inertia, "the inertia")
    values = dict(zip(("J_1", "J_2", "J_3"), J.ravel().tolist()))
    if J.shape != (3,) or (wrong := _no_body(values)):
        three = f"the inertia must be positive definite, three moments; got {J.tolist()}"
        raise ValueError(three if J.shape != (3,) else wrong)
    squares = J.sum() - 2 * J  # of the half sides, up to a factor
    half = np.sqrt(np.maximum(squares, 0.0)) / np.sqrt(J.sum()) + 0.03
    corners = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) * half
    staff = np.array([[0, 0, 0], [0, half[1] + 0.5, 0]])
    edges = [(i, j) for i in range(8) for j in range(i) if bin(i ^ j).count("1") == 1]
    return SpatialModel(
        "free rigid body",
        VectorField(_turning_body, TangentSO3, values),
        _energy_of_turning,
        partial(_turned, np.vstack([corners, staff])),
        Lines((*edges, (8, 9)), (9,)),
        [*(f"R_{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)), "Omega_1", "Omega_2", "Omega_3"],
        refuse=_no_body,
    )


def spherical_pendulum(m: float = 1.0, l: float = 1.0, g: float = 9.81) -> SpatialModel:
    """Return a pendulum free to swing every way, on TS²: direction q and angular velocity ω.

    Parameters
    ----------
    m, l, g : float
        Mass [kg], length [m], gravity [m/s²]; the third axis points up.

    Returns
    -------
    SpatialModel

    Raises
    ------
    ValueError
        If the mass or the length is not positive.
    """
    return SpatialModel(
        "spherical pendulum",
        VectorField(_swinging, TangentSphere, {"m": m, "l": l, "g": g}),
        _energy_of_swinging,
        _rod,
        Lines(((0, 1),), (1,), (0,)),
        ["q_1", "q_2", "q_3", "omega_1", "omega_2", "omega_3"],
        refuse=_no_pendulum,
    )
