"""Mechanisms whose states live on curved spaces: a vector field, an energy, and points to draw.

The free rigid body and the spherical pendulum of chapter 8; `Quadrotors.model` creates those of
chapter 9.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as _field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import entries, function, instance, real_array
from straightline.assignments import Number
from straightline.compiled_function import Compiled, compiled
from straightline.formulas import Formula
from tutlib.fields import Field
from tutlib.models.lines import Face, Lines, Name, SpaceArrow
from tutlib.models.symbol_meanings import Meanings, numbered, read_meanings
from tutlib.spaces.lie import hat
from tutlib.spaces.space import R, Space, TangentSO3, TangentSphere

#: Rows of a trajectory from which quantities along it are compiled.
WORTH_COMPILING = 64


def _nothing_wrong(parameters: Mapping[str, float]) -> str:
    return ""


@dataclass(frozen=True)
class SpatialModel(Meanings):
    """Mechanism on a space, ready to simulate, to draw, and to put on a page.

    Parameters
    ----------
    name : str
    field : Field
    energy : function (t, x, **parameters) -> number
        Total energy, kinetic and potential [J].
    points : function (t, x, **parameters) -> array, shape (n, 3)
        Points to draw [m].
    skeleton : Lines
    state_names : sequence of str
        Names of the k entries of x.
    down : bool
        Whether the third axis points down; pictures are then flipped.
    follow : float
        Distance [m] shown around the last body, which the animation follows; 0 shows everything.
    refuse : function parameters -> str, optional
        Function that returns what is wrong with values of the parameters; empty if nothing is.
    names : mapping from str to str, optional
        Meanings of parameters and states in words.

    Raises
    ------
    ValueError
        If `refuse` rejects the values.
    """

    name: str
    field: Field
    energy: Callable[..., Any]
    points: Callable[..., Any]
    skeleton: Lines
    state_names: Sequence[str]
    down: bool = False
    follow: float = 0.0
    refuse: Callable[[Mapping[str, float]], str] = _nothing_wrong
    names: Mapping[str, str] = _field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", read_meanings(self.names))
        values = instance(self.field, "field", Field).parameters
        for name in ("energy", "points"):
            function(getattr(self, name), name, "t, x, **parameters", values)
        instance(self.skeleton, "skeleton", Lines)
        function(self.refuse, "refuse", "parameters")
        if wrong := instance(self.refuse(values), "the value of refuse", str):
            raise ValueError(wrong)

    @property
    def space(self) -> Space:
        """The space on which the state moves."""
        return self.field.space or R(len(self.state_names))

    def with_parameters(self, values: Mapping[str, float]) -> SpatialModel:
        """Return the same model with other values; reject an unknown name."""
        known = self.field.parameters
        checked = instance(values, "values", Mapping, "pass them by name")  # type: ignore[type-abstract]
        named = {str(name): value for name, value in checked.items()}
        for name in named:
            if name not in known:
                offer = ", ".join(known) or "none"
                raise ValueError(f"no such parameter: {name}; the parameters are {offer}")
        return replace(self, field=replace(self.field, parameters={**known, **named}))

    def energies(self, t: Array, x: Array) -> Array:
        """Return the energy [J] along a trajectory, shape (m,)."""
        return np.array([self.energy(*pair, **self.field.parameters) for pair in self._rows(t, x)])

    def _rows(self, t: object, x: object) -> list[tuple[float, Array]]:
        """Return the times and states of a trajectory of this model, row by row."""
        k = self.space.dimension
        times, states = real_array(t, "t", ("m",)), real_array(x, "x", ("m", k))
        if len(times) != len(states):
            raise ValueError(f"there are {len(times)} times, but x has {len(states)} rows")
        return list(zip(times.tolist(), states))

    def drawn(self, t: Number, x: ArrayLike, **parameters: Number) -> Array:
        """Return the points at one state with the third axis up, shape (n, 3)."""
        state = entries(x, "x", (self.space.dimension,))
        return self.upright(self.points(t, state, **parameters))

    def upright(self, points: Array) -> Array:
        """Return points of the model's axes, shape (..., 3), with the third axis up."""
        positions = entries(points, "the points", ("...", 3))
        return positions * np.array([1.0, -1.0, -1.0]) if self.down else positions

    def places(self, point: Callable[..., Array], t: Array, x: Array) -> Array:
        """Return the positions of a point along a trajectory, with the third axis up.

        Parameters
        ----------
        point : function (t, x, **parameters) -> array, shape (3,)
            In the model's axes [m].
        t : array, shape (m,)
        x : array, shape (m, k)

        Returns
        -------
        array, shape (m, 3)
        """
        positions = self.along(function(point, "the point", "t, x, **parameters"), t, x)
        return np.asarray(
            self.upright(real_array(positions, "the positions of a point", (len(t), 3)))
        )

    def nearest(self, x: Array) -> Array:
        """Return states, shape (m, k), projected onto the space."""
        states = real_array(x, "x", ("m", self.space.dimension))
        return np.array([self.space.nearest(state) for state in states])

    def positions(self, t: Array, x: Array) -> Array:
        """Return the points [m] to draw along a trajectory, shape (m, n, 3)."""
        return self.along(self.drawn, t, x).reshape(len(t), -1, 3)

    def along(self, quantity: Callable[..., ArrayLike], t: ArrayLike, x: ArrayLike) -> Array:
        """Return ``quantity(t, x, **parameters)`` along a trajectory.

        A function marked with ``@compiled`` runs compiled for long trajectories.

        Parameters
        ----------
        quantity : function ``(t, x, **parameters)`` -> array
            Such as the forces of a control.
        t : array, shape (m,)
        x : array, shape (m, k)

        Returns
        -------
        array, shape (m, n)
            One row per time, with the entries of the quantity in order.

        Raises
        ------
        TypeError
            If the quantity is not such a function.
        """
        rows, values = self._rows(t, x), self.field.parameters
        function(quantity, "quantity", "t, x, **parameters", values)
        asked = self.points if quantity == self.drawn else quantity
        if len(rows) >= WORTH_COMPILING and isinstance(asked, Compiled):
            lengths = (None, self.space.dimension, len(values))
            return Formula(quantity, lengths, tuple(values)).evaluator(self.field.values)(t, x)
        return np.array([np.ravel(quantity(*pair, **values)) for pair in rows])


# The functions of a model are defined at module level, so that models can be pickled.


@compiled
def _turning_body(t: float, x: Array, **p: float) -> Array:
    moments, rate = np.array(list(p.values())), x[9:]
    spatial = x[:9].reshape(3, 3) @ rate
    return np.concatenate([spatial, np.cross(moments * rate, rate) / moments])


def _energy_of_turning(t: float, x: Array, **p: Number) -> Number:
    energy: Number = 0.5 * (np.array(list(p.values())) * x[9:] ** 2).sum()
    return energy


def _turned(body: Array, t: float, x: Array, **p: float) -> Array:
    return body @ x[:9].reshape(3, 3).T


@compiled
def _swinging(t: float, x: Array, m: float, l: float, g: float) -> Array:
    q, omega = x[:3], x[3:]
    turning = np.cross(q, np.array([0.0, 0.0, -1.0])) * g / l
    return np.concatenate([omega, hat(q) @ turning])


def _energy_of_swinging(t: float, x: Array, m: Number, l: Number, g: Number) -> Number:
    energy: Number = m * l**2 * (x[3:] ** 2).sum() / 2 + m * g * l * x[2]
    return energy


@compiled
def _rod(t: float, x: Array, m: float, l: float, g: float) -> Array:
    return np.array([[0.0, 0.0, 0.0], l * x[:3]])


def _no_body(parameters: Mapping[str, float]) -> str:
    moments = list(parameters.values())
    if not all(moment > 0 for moment in moments):
        return f"the inertia must be positive definite, three moments; got {moments}"
    if sum(moments) - 2 * max(moments) < -1e-12 * sum(moments):
        return f"no body has the moments of inertia {moments}: one exceeds the sum of the others"
    return ""


def _no_pendulum(parameters: Mapping[str, float]) -> str:
    for name, meaning in (("m", "mass"), ("l", "length")):
        if not parameters[name] > 0:
            return f"the {meaning} {name} must be positive; got {parameters[name]:g}"
    return ""


_NAMES_OF_BODY = {
    name: f"{what} about {numbered(i, 'axis')}"
    for i in (1, 2, 3)
    for name, what in ((f"J_{i}", "moment of inertia"), (f"Omega_{i}", "angular velocity"))
}
# Corners 4 a + 2 b + c of a box, at the ends a, b, c of its axes: for each axis, the face on its
# positive side and the paler face on its negative side. The staff is the second axis.
_SIDES = (
    ((4, 6, 7, 5), (0, 1, 3, 2)),
    ((2, 3, 7, 6), (0, 4, 5, 1)),
    ((1, 5, 7, 3), (0, 2, 6, 4)),
)
_BOX = Lines(
    lines=((8, 9),),
    bodies=(9,),
    groups=(2,),
    faces=tuple(
        Face(corners, axis + 1, tint)
        for axis, sides in enumerate(_SIDES)
        for corners, tint in zip(sides, (0.75, 0.3))
    ),
    arrows=(SpaceArrow(10, 11, "series-2"), SpaceArrow(12, 13, "series-4")),
    names=(
        Name("b_1", 11, 14, "series-2"),
        Name("b_2", 9, 14, "series-3"),
        Name("b_3", 13, 14, "series-4"),
    ),
)


def rigid_body(inertia: Sequence[float] = (0.1, 0.2, 0.3)) -> SpatialModel:
    """Return a free rigid body on SO(3) x ℝ³: attitude R and body rate Ω.

    It is drawn as a box with these moments of inertia and a staff along the second axis. Each pair
    of opposite faces has the color of the body axis through them.

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
    J = real_array(inertia, "the inertia", (3,))
    values = dict(zip(("J_1", "J_2", "J_3"), J.tolist()))
    if wrong := _no_body(values):
        raise ValueError(wrong)
    squares = J.sum() - 2 * J  # of the half edges, up to a factor
    half = np.sqrt(np.maximum(squares, 0.0)) / np.sqrt(J.sum()) + 0.03
    corners = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) * half
    staff = np.array([[0, half[1], 0], [0, half[1] + 0.5, 0]])
    axes = [[half[0], 0, 0], [half[0] + 0.3, 0, 0], [0, 0, half[2]], [0, 0, half[2] + 0.3]]
    return SpatialModel(
        "free rigid body",
        Field(_turning_body, TangentSO3, values),
        _energy_of_turning,
        compiled(partial(_turned, np.vstack([corners, staff, axes, np.zeros(3)]))),
        _BOX,
        [*(f"R_{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)), "Omega_1", "Omega_2", "Omega_3"],
        refuse=_no_body,
        names=_NAMES_OF_BODY,
    )


def spherical_pendulum(m: float = 1.0, l: float = 1.0, g: float = 9.81) -> SpatialModel:
    """Return a pendulum free to swing in every direction, on TS²: direction q, angular velocity ω.

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
        Field(_swinging, TangentSphere, {"m": m, "l": l, "g": g}),
        _energy_of_swinging,
        _rod,
        Lines(((0, 1),), (1,), (0,)),
        ["q_1", "q_2", "q_3", "omega_1", "omega_2", "omega_3"],
        refuse=_no_pendulum,
        names={"m": "mass", "l": "length of the rod", "g": "gravity"},
    )
