"""The groups SO(3) and SE(3) of rotations and rigid motions, and their Lie algebras.

Exponential, logarithm, adjoint, and the differential of the exponential with its inverse, accurate
to rounding for angles from zero to nearly 2π. Chapter 8 derives them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from straightline.aliases import Array
from straightline.arguments import entries, real_array
from straightline.assignments import Number
from straightline.numpy_protocol import is_unknown
from straightline.operations import is_known
from tutlib.spaces.coefficients import (
    exp_a,
    exp_b,
    exp_b_slope,
    exp_c,
    exp_c_slope,
    inverse_d,
    inverse_d_slope,
)

#: Largest error of orthogonality that a group's maps accept, because solutions drift.
_NEARLY = 1e-5


def _inverse_d(angle: Number) -> Number:
    """Return d of dexp⁻¹; reject a full revolution."""
    if is_known(angle) and angle >= 2 * math.pi:
        raise ValueError(
            f"dexp⁻¹ exists for rotations of less than 2π; got {angle:.6g} rad: take a smaller step"
        )
    return inverse_d(angle)


def numbers_of(value: object, name: str, shape: tuple[int, ...]) -> Array:
    """Return an array of finite real numbers, or an array with traced unknowns.

    Parameters
    ----------
    value : array_like
    name : str
        Its name in messages.
    shape : tuple of int

    Raises
    ------
    TypeError
        If an entry is neither a real number nor an unknown.
    ValueError
        If the shape differs, or an entry is not finite.
    """
    array = entries(value, name, shape)
    return array if is_unknown(array) else real_array(array, name)


def hat(w: Array) -> Array:
    """Return the matrix ŵ with ŵ a = w × a, shape (3, 3).

    Parameters
    ----------
    w : array, shape (3,)

    Returns
    -------
    array, shape (3, 3)
    """
    x, y, z = entries(w, "w", (3,))
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def vee(W: Array) -> Array:
    """Return w of a skew-symmetric matrix ŵ, or of the skew part of any matrix, shape (3,).

    Parameters
    ----------
    W : array, shape (3, 3)

    Returns
    -------
    array, shape (3,)
    """
    W = entries(W, "W", (3, 3))
    return np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2


def _angle(w: Array) -> Number:
    angle: Number = np.sqrt(w[0] ** 2 + w[1] ** 2 + w[2] ** 2)
    return angle


def no_rotation(matrix: Array, tolerance: float) -> str:
    """Return what is wrong with a matrix that is not a rotation; empty if it is one.

    Parameters
    ----------
    matrix : array, shape (3, 3)
    tolerance : float
        Largest difference between RᵀR and 1.

    Returns
    -------
    str
    """
    defect = np.abs(matrix.T @ matrix - np.eye(3)).max()
    if not defect < tolerance:
        return f"the matrix is not a rotation: RᵀR differs from 1 by {defect:.2g}"
    return "" if np.linalg.det(matrix) > 0 else "the matrix is not a rotation: it is a reflection"


def exp_rotation(w: Array) -> Array:
    """Return the rotation by the angle ``|w|`` about the axis w, for numbers or unknowns.

    Parameters
    ----------
    w : array, shape (3,)

    Returns
    -------
    array, shape (3, 3)
    """
    angle, W = _angle(w), hat(w)
    a, b = exp_a(angle), exp_b(angle)
    return np.asarray(np.eye(3) + a * W + b * W @ W)


def _log_rotation(matrix: Array) -> Array:
    """Return w by the quaternion's largest component, which is accurate near half a revolution."""
    T, trace = matrix, np.trace(matrix)
    largest = int(np.argmax([*np.diag(T), trace]))
    if largest == 3:
        vector, scalar = 2 * vee(T), 1 + trace
    else:
        vector = T[largest] + T[:, largest]
        vector[largest] = 1 + 2 * T[largest, largest] - trace
        scalar = 2 * vee(T)[largest]
    length = _angle(vector)
    if length == 0:
        return np.zeros(3)
    sign = -1.0 if scalar < 0 else 1.0
    return np.asarray(sign * 2 * math.atan2(length, abs(scalar)) / length * vector)


def _dexp_rotation(w: Array, v: Array) -> Array:
    angle, turned = _angle(w), np.cross(w, v)
    b, c = exp_b(angle), exp_c(angle)
    return np.asarray(v + b * turned + c * np.cross(w, turned))


def dexp_inverse_rotation(w: Array, v: Array) -> Array:
    """Return dexp⁻¹ of SO(3) at w, applied to v, for numbers or unknowns.

    Parameters
    ----------
    w, v : array, shape (3,)

    Returns
    -------
    array, shape (3,)
    """
    d, turned = _inverse_d(_angle(w)), np.cross(w, v)
    return np.asarray(v - turned / 2 + d * np.cross(w, turned))


def exp_motion(xi: Array) -> Array:
    """Return the rigid motion along a screw, for numbers or unknowns.

    Parameters
    ----------
    xi : array, shape (6,)

    Returns
    -------
    array, shape (4, 4)
    """
    upper = np.column_stack([exp_rotation(xi[:3]), _dexp_rotation(xi[:3], xi[3:])])
    return np.vstack([upper, [[0.0, 0.0, 0.0, 1.0]]])


def _log_motion(matrix: Array) -> Array:
    w = _log_rotation(matrix[:3, :3])
    return np.concatenate([w, dexp_inverse_rotation(w, matrix[:3, 3])])


def _Ad_rotation(matrix: Array) -> Array:
    return matrix


def _Ad_motion(matrix: Array) -> Array:
    rotation, zero = matrix[:3, :3], np.zeros((3, 3))
    return np.block([[rotation, zero], [hat(matrix[:3, 3]) @ rotation, rotation]])


def _ad_motion(xi: Array) -> Array:
    W, V = hat(xi[:3]), hat(xi[3:])
    return np.block([[W, np.zeros((3, 3))], [V, W]])


def _differentiated(
    xi: Array, a: Array, first: Number, second: Number, slopes: Sequence[Number]
) -> Array:
    """Return the derivative of first ŵ + second ŵ² in the direction v, applied to a."""
    w, v = xi[:3], xi[3:]
    turned = np.cross(w, a)
    along = w @ v
    return np.asarray(
        first * np.cross(v, a)
        + second * (np.cross(w, np.cross(v, a)) + np.cross(v, turned))
        + along * (slopes[0] * turned + slopes[1] * np.cross(w, turned))
    )


def _dexp_motion(xi: Array, eta: Array) -> Array:
    angle = _angle(xi[:3])
    b, c = exp_b(angle), exp_c(angle)
    slopes = exp_b_slope(angle), exp_c_slope(angle)
    first = _dexp_rotation(xi[:3], eta[:3])
    mixed = _differentiated(xi, eta[:3], b, c, slopes)
    return np.concatenate([first, mixed + _dexp_rotation(xi[:3], eta[3:])])


def dexp_inverse_motion(xi: Array, eta: Array) -> Array:
    """Return dexp⁻¹ of SE(3) at ξ, applied to η, for numbers or unknowns.

    Parameters
    ----------
    xi, eta : array, shape (6,)

    Returns
    -------
    array, shape (6,)
    """
    angle = _angle(xi[:3])
    d, slope = _inverse_d(angle), inverse_d_slope(angle)
    first = dexp_inverse_rotation(xi[:3], eta[:3])
    mixed = _differentiated(xi, eta[:3], -0.5, d, [0.0, slope])
    return np.concatenate([first, mixed + dexp_inverse_rotation(xi[:3], eta[3:])])


@dataclass(frozen=True)
class _Checked:
    """Map of a group that rejects matrices outside the group and invalid algebra elements."""

    function: Callable[..., Array]
    algebra: int
    matrix: int = 0

    def __call__(self, *values: Array) -> Array:
        """Return the map's value, for numbers or unknowns."""
        if self.matrix:
            return self.function(self._element(values[0]))
        return self.function(*(self._read(value, (self.algebra,)) for value in values))

    def _read(self, value: object, shape: tuple[int, ...]) -> Array:
        name = "the matrix" if self.matrix else "an element of the algebra"
        return numbers_of(value, name, shape)

    def _element(self, value: object) -> Array:
        matrix = self._read(value, (self.matrix, self.matrix))
        if matrix.dtype != object:
            wrong = no_rotation(matrix[:3, :3], _NEARLY)
            if not wrong and not np.allclose(matrix[3:], np.eye(self.matrix)[3:]):
                wrong = f"the matrix is not a rigid motion: its last row is {matrix[3].tolist()}"
            if wrong:
                raise ValueError(wrong)
        return matrix


@dataclass(frozen=True)
class LieGroup:
    """Matrix group with the maps between it and its algebra, left-trivialized and spatial.

    Parameters
    ----------
    name : str
    dimension : int
        Dimension of the algebra; its elements are arrays of shape (dimension,).
    exp : function ξ -> matrix
    log : function matrix -> ξ
        With the rotation angle between 0 and π.
    Ad : function matrix -> matrix on the algebra
    ad : function ξ -> matrix on the algebra
        ad_ξ η is the commutator of ξ and η.
    dexp : function (ξ, η) -> η
        d/dt exp(ξ) = dexp_ξ(ξ̇) exp(ξ).
    dexp_inverse : function (ξ, η) -> η
        Its inverse; it exists for rotation angles below 2π.

    References
    ----------
    :cite:p:`IserlesEtAl2000`, section 2 and appendix B.
    """

    name: str
    dimension: int
    exp: Callable[[Array], Array]
    log: Callable[[Array], Array]
    Ad: Callable[[Array], Array]
    ad: Callable[[Array], Array]
    dexp: Callable[[Array, Array], Array]
    dexp_inverse: Callable[[Array, Array], Array]

    def __repr__(self) -> str:
        return f"LieGroup({self.name})"


#: Group of rotations in space: 3 x 3 matrices; the algebra holds rotation vectors w [rad].
SO3 = LieGroup(
    "SO(3)",
    3,
    _Checked(exp_rotation, 3),
    _Checked(_log_rotation, 3, 3),
    _Checked(_Ad_rotation, 3, 3),
    hat,
    _Checked(_dexp_rotation, 3),
    _Checked(dexp_inverse_rotation, 3),
)
#: Group of rigid motions in space: 4 x 4 matrices; ξ = (w, v) has the rotation first.
SE3 = LieGroup(
    "SE(3)",
    6,
    _Checked(exp_motion, 6),
    _Checked(_log_motion, 6, 4),
    _Checked(_Ad_motion, 6, 4),
    _Checked(_ad_motion, 6),
    _Checked(_dexp_motion, 6),
    _Checked(dexp_inverse_motion, 6),
)
