"""Curves of rotations, and the differential of exp by exp itself: for chapter 8."""

import numpy as np
from scipy.linalg import expm, expm_frechet

from tests.notebooks.arithmetic import hat
from tutlib.spaces import lie

TURN, OTHER = np.array([0.7, -0.4, 1.1]), np.array([0.2, 0.9, -0.5])
DIRECTION = np.array([2.0, -1.0, 2.0]) / 3


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
