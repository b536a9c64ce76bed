"""Space of the states of a differential equation, with the two maps that an integrator needs.

On ℝⁿ a step is an addition. On the curved spaces of chapter 8 it is a group action, and the same
integrator runs there unchanged.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from straightline.aliases import Array
from straightline.arguments import function, instance, real_array, whole_number
from tutlib.spaces import lie

Map = Callable[[Array, Array], Array]

_PLAIN = str.maketrans("", "", "()")
#: Largest error of an initial state that counts as on its space.
ON_IT = 1e-8


def _nothing_wrong(x: Array) -> str:
    return ""


def _identity(x: Array) -> Array:
    return x


@dataclass(frozen=True, init=False)
class Space:
    """Space of states, with its two maps on flat arrays.

    The methods check their arguments. An integrator calls ``maps``, the functions without checks,
    for speed.

    Parameters
    ----------
    name : str
    dimension : int
        Length of a state.
    flow : function (ξ, x) -> x
        Action of the algebra element ξ on the state x: exp(ξ)·x.
    dexp_inverse : function (u, v) -> v
        The inverse differential of the exponential at u, applied to v.
    algebra : int
        Length of an algebra element; that of a state unless given.
    refuse : function x -> str, optional
        Function that returns what is wrong with an initial state; empty if it is on the space.
    nearest : function x -> x, optional
        Projection of a state near the space, such as an average of two states, onto the space.

    References
    ----------
    :cite:p:`MuntheKaas1999`.
    """

    name: str
    dimension: int
    maps: tuple[Map, Map]
    algebra: int
    refusal: Callable[[Array], str]
    nearest: Callable[[Array], Array]

    def __init__(
        self,
        name: str,
        dimension: int,
        flow: Map,
        dexp_inverse: Map,
        algebra: int = 0,
        refuse: Callable[[Array], str] = _nothing_wrong,
        nearest: Callable[[Array], Array] = _identity,
    ) -> None:
        length = whole_number(dimension, "the dimension", least=1)
        maps = function(flow, "flow", "ξ, x"), function(dexp_inverse, "dexp_inverse", "u, v")
        fields = {
            "name": instance(name, "the name", str),
            "dimension": length,
            "maps": maps,
            "algebra": whole_number(algebra, "the algebra's dimension", least=0) or length,
            "refusal": function(refuse, "refuse", "x"),
            "nearest": function(nearest, "nearest", "x"),
        }
        for field, value in fields.items():
            object.__setattr__(self, field, value)

    def flow(self, xi: Array, x: Array) -> Array:
        """Return exp(ξ)·x, the state x after the action of ξ, for numbers or unknowns.

        Parameters
        ----------
        xi : array, shape (algebra,)
        x : array, shape (dimension,)

        Returns
        -------
        array, shape (dimension,)
        """
        moved = lie.numbers_of(x, "x", (self.dimension,))
        return self.maps[0](lie.numbers_of(xi, "xi", (self.algebra,)), moved)

    def dexp_inverse(self, u: Array, v: Array) -> Array:
        """Return the inverse differential of the exponential at u, applied to v.

        Parameters
        ----------
        u, v : array, shape (algebra,)

        Returns
        -------
        array, shape (algebra,)
        """
        shape = (self.algebra,)
        return self.maps[1](lie.numbers_of(u, "u", shape), lie.numbers_of(v, "v", shape))

    def refuse_slope(self, shape: tuple[int, ...]) -> None:
        """Reject the value of a field whose shape is not that of the algebra.

        Parameters
        ----------
        shape : tuple of int

        Raises
        ------
        ValueError
        """
        if shape == (self.algebra,):
            return
        if self.maps[0] is _shifted:
            raise ValueError(
                f"f must return one derivative per state, shape ({self.algebra},); got shape "
                f"{shape}"
            )
        raise ValueError(
            f"on {self.name}, f must return an element of the algebra, shape ({self.algebra},); "
            f"got shape {shape}"
        )

    def refuse(self, x: Array) -> str:
        """Return what is wrong with a state that is not on the space; empty if it is.

        Parameters
        ----------
        x : array, shape (dimension,)

        Returns
        -------
        str
        """
        return self.refusal(real_array(x, "x", (self.dimension,)))

    def __repr__(self) -> str:
        return f"Space({self.name})"


def read_space(space: object) -> Space:
    """Return a space; suggest one if the argument is similar to a space.

    Parameters
    ----------
    space : Space

    Raises
    ------
    TypeError
        If it is not a space.
    """
    if isinstance(space, lie.LieGroup):
        raise TypeError(
            f"the space must be a Space; lie.{space.name.translate(_PLAIN)} is the group of "
            "matrices: use SO3 of tutlib.spaces for attitudes, or another space of states"
        )
    if space is R:
        raise TypeError("the space must be a Space; R is a function: write R(n) for ℝⁿ")
    hint = "use one of tutlib.spaces, such as R(3), SO3, or Sphere"
    return instance(space, "the space", Space, hint)


def refuse_slope(shape: tuple[int, ...], space: Space) -> None:
    """Reject a value of a vector field that is not an element of the space's algebra.

    Parameters
    ----------
    shape : tuple of int
        Shape of the value.
    space : Space

    Raises
    ------
    ValueError
        If the shape differs.
    """
    if shape == (space.algebra,):
        return
    if space.maps[0] is _shifted:
        raise ValueError(
            f"f must return one derivative per state, shape ({space.algebra},); got shape {shape}"
        )
    raise ValueError(
        f"on {space.name}, f must return an element of the algebra, shape ({space.algebra},); "
        f"got shape {shape}"
    )


def refuse_start(x: Array, space: Space | None) -> None:
    """Reject an initial state that is not on a space; None stands for ℝᵏ.

    Parameters
    ----------
    x : array, shape (k,)
    space : Space or None

    Raises
    ------
    ValueError
        With advice to use `Space.nearest` if the state is near the space.
    """
    if space is None:
        return
    if len(x) != space.dimension:
        raise ValueError(f"a state on {space.name} has {space.dimension} entries; got {len(x)}")
    if wrong := space.refuse(x):
        with np.errstate(all="ignore"):
            distance = np.abs(space.nearest(x.copy()) - x).max()
        advice = f"; use {space.name}'s nearest(x0)" if 0 < distance < 0.5 else ""
        raise ValueError(f"x0 is not on {space.name}: {wrong}{advice}")


def _shifted(xi: Array, x: Array) -> Array:
    return x + xi


def _unchanged(u: Array, v: Array) -> Array:
    return v


def R(n: int) -> Space:
    """Return ℝⁿ, where exp(ξ)·x = x + ξ and the correction is the identity.

    Parameters
    ----------
    n : int
        Dimension, at least 1.

    Returns
    -------
    Space

    Raises
    ------
    ValueError
        If n < 1.
    """
    return _flat(whole_number(n, "the dimension", least=1))


@functools.lru_cache(maxsize=64)
def _flat(n: int) -> Space:
    return Space(f"R^{n}", n, flow=_shifted, dexp_inverse=_unchanged)


def _no_rotation(x: Array) -> str:
    return lie.no_rotation(x.reshape(3, 3), ON_IT)


def _no_direction(q: Array) -> str:
    length = float(np.linalg.norm(q))
    return "" if abs(length - 1) < ON_IT else f"q is not on the sphere: its length is {length:.6g}"


def _not_tangent(x: Array) -> str:
    along = float(x[:3] @ x[3:])
    if wrong := _no_direction(x[:3]):
        return wrong
    small = ON_IT * float(np.linalg.norm(x[3:]))
    return "" if abs(along) <= small else f"ω is not tangent to the sphere at q: q·ω = {along:.3g}"


def _nearest_rotation(x: Array) -> Array:
    """Return the rotation nearest to a matrix, from its singular vectors."""
    left, _, right = np.linalg.svd(x.reshape(3, 3))
    left[:, 2] *= np.sign(np.linalg.det(left @ right))
    return np.asarray((left @ right).ravel())


def _nearest_direction(q: Array) -> Array:
    return np.asarray(q / np.linalg.norm(q))


def _nearest_tangent(x: Array) -> Array:
    q, omega = _nearest_direction(x[:3]), x[3:]
    return np.concatenate([q, omega - (q @ omega) * q])


def _rotated(xi: Array, x: Array) -> Array:
    return np.asarray((lie.exp_rotation(xi) @ x.reshape(3, -1)).ravel())


def _on_tangent_sphere(xi: Array, x: Array) -> Array:
    motion = lie.exp_motion(xi)
    q = motion[:3, :3] @ x[:3]
    return np.concatenate([q, motion[:3, :3] @ x[3:] + np.cross(motion[:3, 3], q)])


#: Attitudes: R row by row, shape (9,), on which spatial angular velocities act.
SO3 = Space("SO(3)", 9, _rotated, lie.dexp_inverse_rotation, 3, _no_rotation, _nearest_rotation)
#: Directions q of length 1, shape (3,), on which SO(3) acts.
Sphere = Space("S^2", 3, _rotated, lie.dexp_inverse_rotation, 3, _no_direction, _nearest_direction)
#: Directions and angular velocities (q, ω) with q·ω = 0, shape (6,), on which SE(3) acts:
#: (A, a) maps (q, ω) to (A q, A ω + a x A q).
TangentSphere = Space(
    "TS^2", 6, _on_tangent_sphere, lie.dexp_inverse_motion, 6, _not_tangent, _nearest_tangent
)


@dataclass(frozen=True)
class _Slices:
    """Functions of several spaces, each applied to its slices of the arguments."""

    functions: tuple[Callable[..., Any], ...]
    lengths: tuple[tuple[int, ...], ...]
    #: For each function, the lengths of its slices, one for each argument.

    def each(self, *arrays: Array) -> list[Any]:
        """Return the value of each function for its slices."""
        ends = np.cumsum(self.lengths, axis=0)
        starts = ends - self.lengths
        return [
            function(*(array[a:b] for array, a, b in zip(arrays, start, end)))
            for function, start, end in zip(self.functions, starts, ends)
        ]

    def __call__(self, *arrays: Array) -> Array:
        return np.concatenate(self.each(*arrays))


@dataclass(frozen=True)
class _FirstComplaint:
    """First complaint of a space about its slice of a state."""

    refusals: _Slices

    def __call__(self, x: Array) -> str:
        return next(filter(None, self.refusals.each(x)), "")


def Product(*spaces: Space) -> Space:
    """Return the product of spaces: states are concatenated, and each factor acts on its own.

    Parameters
    ----------
    *spaces : Space

    Returns
    -------
    Space

    Raises
    ------
    ValueError
        If no space is given.
    """
    if not spaces:
        raise ValueError("a product needs at least one space")
    spaces = tuple(map(read_space, spaces))
    k, n = tuple(s.dimension for s in spaces), tuple(s.algebra for s in spaces)
    flow = _Slices(tuple(s.maps[0] for s in spaces), tuple(zip(n, k)))
    dexp_inverse = _Slices(tuple(s.maps[1] for s in spaces), tuple(zip(n, n)))
    refuse = _FirstComplaint(_Slices(tuple(s.refusal for s in spaces), tuple((m,) for m in k)))
    nearest = _Slices(tuple(s.nearest for s in spaces), tuple((m,) for m in k))
    name = " x ".join(space.name for space in spaces)
    return Space(name, sum(k), flow, dexp_inverse, sum(n), refuse, nearest)


_BOTH = Product(SO3, R(3))
#: Attitude and body rate, shape (12,), on which SO(3) x ℝ³ acts: the rate changes by addition.
TangentSO3 = Space("TSO(3)", 12, *_BOTH.maps, 6, _BOTH.refusal, _BOTH.nearest)
