"""Curves of rotations, and the differential of exp by exp itself: for chapter 8."""

import numpy as np
import sympy as sm
from scipy.linalg import expm, expm_frechet

from tests.notebooks.arithmetic import hat
from tutlib.spaces import lie

TURN, OTHER = np.array([0.7, -0.4, 1.1]), np.array([0.2, 0.9, -0.5])
DIRECTION = np.array([2.0, -1.0, 2.0]) / 3


def in_symbols():
    """Return a curve in the algebra with exp and its differential, by their closed forms."""
    t = sm.Symbol("t")
    sigma = sm.Matrix([t, t**2 - 1, 1 - t / 2])
    theta, W = sm.sqrt(sigma.dot(sigma)), sm.Matrix(hat(list(sigma)))
    half = (1 - sm.cos(theta)) / theta**2
    exp = sm.eye(3) + sm.sin(theta) / theta * W + half * W**2
    dexp = sm.eye(3) + half * W + (theta - sm.sin(theta)) / theta**3 * W**2
    return {
        r"\sigma": sigma,
        r"\exp": lambda w: np.array(exp.tolist()),
        "t": t,
        r"\operatorname{dexp}_\sigma": lambda v: hat(list(dexp * sm.Matrix(list(v)))),
    }


class Curve(np.ndarray):
    """A curve in the algebra that passes TURN with the velocity OTHER, and starts at zero."""

    def __new__(cls):
        return TURN.view(cls)

    def __call__(self, t):
        return t * (TURN + (t - 1) * (OTHER - TURN))


def in_four(w, v):
    """Return an element of se(3) as a matrix."""
    four = np.zeros((4, 4))
    four[:3, :3], four[:3, 3] = hat(w), v
    return four


def rotation(w):
    return expm(hat(np.asarray(w, dtype=float)))


def dexp(u):
    """Return how exp responds to its argument, as a matrix: by differentiating exp itself."""
    slopes = [expm_frechet(hat(u), hat(e), compute_expm=False) for e in np.eye(3)]
    return np.column_stack([lie.vee(slope @ expm(-hat(u))) for slope in slopes])


def package_dexp(u):
    return np.linalg.inv(np.column_stack([lie.SO3.dexp_inverse(u, e) for e in np.eye(3)]))
