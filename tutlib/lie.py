"""Rotations and rigid motions without coordinates: SO(3) and SE(3), and their algebras.

Exponential, logarithm, adjoint, and the differential of the exponential with its inverse, accurate
to rounding from no angle at all to nearly a full turn. Chapter 8 derives them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tutlib.right_hand_side import Array

# Below this angle [rad] differences of nearly equal numbers give way to power series.
_SMALL = 1.0
_TERMS = 12


def _factorial_series(first: int) -> list[float]:
    """Return the coefficients of Σ (-1)^k θ^2k / (2k + first)! in powers of θ²."""
    return [(-1) ** k / math.factorial(2 * k + first) for k in range(_TERMS)]


def _bernoulli_series() -> list[float]:
    """Return the coefficients |B_2k| / (2k)! of (1 - θ/2 cot θ/2) / θ² in powers of θ²."""
    bernoulli = [Fraction(1)]
    for n in range(1, 2 * _TERMS + 3):
        total = sum((math.comb(n + 1, k) * b for k, b in enumerate(bernoulli)), Fraction(0))
        bernoulli.append(-total / (n + 1))
    return [float(abs(bernoulli[2 * k]) / math.factorial(2 * k)) for k in range(1, _TERMS + 2)]


def _slope_series(coefficients: list[float]) -> list[float]:
    """Return the coefficients of the derivative of Σ c_k θ^2k, divided by θ."""
    return [2 * k * value for k, value in enumerate(coefficients)][1:]


_B, _C, _D = _factorial_series(2), _factorial_series(3), _bernoulli_series()
_B_SLOPE, _C_SLOPE, _D_SLOPE = map(_slope_series, (_B, _C, _D))


def _series(coefficients: list[float], square: float) -> float:
    total = 0.0
    for coefficient in reversed(coefficients):
        total = total * square + coefficient
    return total


def _exponential_coefficients(angle: float) -> tuple[float, float, float]:
    """Return sin θ / θ, b = (1 - cos θ) / θ² and c = (θ - sin θ) / θ³."""
    half = math.sin(angle / 2)
    a = math.sin(angle) / angle if angle else 1.0
    b = 2 * (half / angle) ** 2 if angle else 0.5
    c = _series(_C, angle**2) if angle < _SMALL else (angle - math.sin(angle)) / angle**3
    return a, b, c


def _exponential_slopes(angle: float) -> tuple[float, float]:
    """Return b'(θ) / θ and c'(θ) / θ."""
    if angle < _SMALL:
        return _series(_B_SLOPE, angle**2), _series(_C_SLOPE, angle**2)
    sin, cos = math.sin(angle), math.cos(angle)
    b = (angle * sin - 2 * (1 - cos)) / angle**4
    return b, (3 * sin - angle * (2 + cos)) / angle**5


def _inverse_coefficients(angle: float) -> tuple[float, float]:
    """Return d = (1 - θ/2 cot θ/2) / θ² and d'(θ) / θ."""
    if angle < _SMALL:
        return _series(_D, angle**2), _series(_D_SLOPE, angle**2)
    cotangent = 1 / math.tan(angle / 2)
    d = (1 - angle / 2 * cotangent) / angle**2
    slope = -2 / angle**4 + cotangent / (2 * angle**3)
    return d, slope + 1 / (2 * angle * math.sin(angle / 2)) ** 2


def hat(w: Array) -> Array:
    """Return the matrix ŵ with ŵ a = w × a, shape (3, 3).

    Parameters
    ----------
    w : array, shape (3,)

    Returns
    -------
    array, shape (3, 3)
    """
    x, y, z = w
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def vee(W: Array) -> Array:
    """Return w of a skew-symmetric matrix ŵ, shape (3,); of any other, that of its skew part.

    Parameters
    ----------
    W : array, shape (3, 3)

    Returns
    -------
    array, shape (3,)
    """
    return np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2


def _angle(w: Array) -> float:
    return math.sqrt(w[0] ** 2 + w[1] ** 2 + w[2] ** 2)


def _exp_rotation(w: Array) -> Array:
    a, b, _ = _exponential_coefficients(_angle(w))
    W = hat(w)
    return np.eye(3) + a * W + b * W @ W


def _log_rotation(matrix: Array) -> Array:
    """By the quaternion, from its largest component: accurate near half a turn, too."""
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
    _, b, c = _exponential_coefficients(_angle(w))
    turned = np.cross(w, v)
    return np.asarray(v + b * turned + c * np.cross(w, turned))


def _dexp_inverse_rotation(w: Array, v: Array) -> Array:
    d, _ = _inverse_coefficients(_angle(w))
    turned = np.cross(w, v)
    return np.asarray(v - turned / 2 + d * np.cross(w, turned))


def _exp_motion(xi: Array) -> Array:
    moved = np.eye(4)
    moved[:3, :3] = _exp_rotation(xi[:3])
    moved[:3, 3] = _dexp_rotation(xi[:3], xi[3:])
    return moved


def _log_motion(matrix: Array) -> Array:
    w = _log_rotation(matrix[:3, :3])
    return np.concatenate([w, _dexp_inverse_rotation(w, matrix[:3, 3])])


def _Ad_motion(matrix: Array) -> Array:
    rotation, zero = matrix[:3, :3], np.zeros((3, 3))
    return np.block([[rotation, zero], [hat(matrix[:3, 3]) @ rotation, rotation]])


def _ad_motion(xi: Array) -> Array:
    W, V = hat(xi[:3]), hat(xi[3:])
    return np.block([[W, np.zeros((3, 3))], [V, W]])


def _differentiated(xi: Array, a: Array, first: float, second: float, slopes: Array) -> Array:
    """Apply the derivative of first ŵ + second ŵ² in the direction of the translation to a."""
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
    _, b, c = _exponential_coefficients(angle)
    slopes = np.array(_exponential_slopes(angle))
    first = _dexp_rotation(xi[:3], eta[:3])
    mixed = _differentiated(xi, eta[:3], b, c, slopes)
    return np.concatenate([first, mixed + _dexp_rotation(xi[:3], eta[3:])])


def _dexp_inverse_motion(xi: Array, eta: Array) -> Array:
    d, slope = _inverse_coefficients(_angle(xi[:3]))
    first = _dexp_inverse_rotation(xi[:3], eta[:3])
    mixed = _differentiated(xi, eta[:3], -0.5, d, np.array([0.0, slope]))
    return np.concatenate([first, mixed + _dexp_inverse_rotation(xi[:3], eta[3:])])


@dataclass(frozen=True)
class LieGroup:
    """A group of matrices, and the maps between it and its algebra; elements left, spatial.

    Parameters
    ----------
    name : str
    dimension : int
        Of the algebra; its elements are arrays of shape (dimension,).
    exp : function ξ -> matrix
    log : function matrix -> ξ
        With the rotation angle between 0 and π.
    Ad : function matrix -> matrix on the algebra
    ad : function ξ -> matrix on the algebra
        ad_ξ η is the commutator of both.
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


#: Rotations of space: 3 x 3 matrices, angular velocities w [rad].
SO3 = LieGroup(
    "SO(3)",
    3,
    _exp_rotation,
    _log_rotation,
    lambda rotation: rotation,
    hat,
    _dexp_rotation,
    _dexp_inverse_rotation,
)
#: Rigid motions of space: 4 x 4 matrices, ξ = (w, v) with the rotation first.
SE3 = LieGroup(
    "SE(3)",
    6,
    _exp_motion,
    _log_motion,
    _Ad_motion,
    _ad_motion,
    _dexp_motion,
    _dexp_inverse_motion,
)
