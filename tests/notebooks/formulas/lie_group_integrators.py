"""Chapter 8."""

import math

import numpy as np
import sympy as sm
from scipy.linalg import expm, expm_frechet
from scipy.special import bernoulli

from tests.notebooks.arithmetic import hat
from tests.notebooks.formulas.rotations import (
    DIRECTION,
    OTHER,
    TURN,
    Curve,
    dexp,
    in_four,
    package_dexp,
    rotation,
)
from tutlib.methods import CF4, step
from tutlib.models import rigid_body, spherical_pendulum
from tutlib.spaces import Sphere, coefficients, lie

SIZE = 0.4


def displayed(nb):
    moved_along = along_a_curve()
    return {
        "exp": vectors(),
        ("exp", 0): [{}, {r"\exp": lambda matrix: lie.SO3.exp(lie.vee(matrix))}],
        ("slopes", 0): moved_along
        | {r"\dot\sigma": OTHER, r"\operatorname{dexp}_\sigma": dexp(TURN), "f": turning},
        ("quaternion-rate-words", 0): quaternion_rate(),
        "bracket": two_series(),
        ("bracket", 2): two_turns(),
        ("motion-exp", 0): screw(),
        ("dexp", 0): along_the_way(),
        ("dexp", 1): {
            r"\sigma": hat(TURN),
            r"\dot\sigma": hat(OTHER),
            "[": commutator,
            r"\operatorname{dexp}_\sigma": lambda v: hat(dexp(TURN) @ lie.vee(v)),
            r"\dots": rest_of_dexp(3),
        },
        ("closed", 0): [
            {
                "u": TURN,
                "v": OTHER,
                r"\theta": np.linalg.norm(TURN),
                r"\operatorname{dexp}_u": differential,
                "d": coefficients.inverse_d,
            }
            for differential in (dexp(TURN), package_dexp(TURN))
        ],
        ("free", 0): free_step(),
        ("body", 0): euler_equations(),
        ("closed", 1): {r"\theta": 0.8, "i": sm.I},
        ("sphere", 0): swinging(),
        ("rigid", 0): carried_back_by_a_motion(),
    }


def vectors():
    R, length = lie.SO3.exp(TURN), np.linalg.norm(TURN)
    return {"a": OTHER, "b": TURN, "w": TURN, r"\theta": length, "R": R, "q": DIRECTION}


def along_a_curve():
    return {r"\sigma": Curve(), r"\exp": rotation, "y_0": DIRECTION}


def commutator(a, b):
    return a @ b - b @ a


def quaternion_matrix(z):
    """Return the matrix of what a quaternion does to another one from the left."""
    z = np.asarray(z, dtype=float)
    left = z[0] * np.eye(4)
    left[0, 1:], left[1:, 0] = -z[1:], z[1:]
    left[1:, 1:] += hat(z[1:])
    return left


def quaternion_rate():
    """Return how the quaternion of a turning body changes: SciPy's, of a matrix exponential."""
    half = quaternion_matrix([0, *OTHER]) / 2
    z = quaternion_matrix([0.5, -0.5, 0.1, 0.7])
    change = expm_frechet(np.zeros((4, 4)), half)[1]
    return {"z": z, r"\Omega": 2 * half, r"\dot z": z @ change}


def cubic(matrices):
    """Return the terms of third order and more of a product of truncated exponentials."""
    a, b = matrices
    return (a @ b @ b + a @ a @ b) / 2 + a @ a @ b @ b / 4


def two_series():
    a, b = hat(TURN), hat(OTHER)
    return {"a": a, "b": b, r"\dots": cubic((a, b))}


def two_turns():
    a, b = hat(TURN) / 2, hat(OTHER) / 3
    log = lie.SO3.log(expm(a) @ expm(b))
    cross = np.cross(TURN, OTHER) / 6
    rest = hat(log - TURN / 2 - OTHER / 3 - cross / 2)
    return {"a": a, "b": b, "[": commutator, r"\dots": rest, r"\exp": expm}


def rest_of_dexp(first):
    """Return the series of dexp from a term on: adᵏ / (k + 1)! of each."""
    powers = [np.linalg.matrix_power(hat(TURN), k) / math.factorial(k + 1) for k in range(40)]
    return hat(sum(power @ OTHER for power in powers[first:]))


def along_the_way():
    """Return D, the exponential along the way and its rate, as expressions in the place s."""
    s, length = sm.Symbol("s"), np.linalg.norm(TURN)
    W, rate = hat(TURN), hat(OTHER)
    turned = np.eye(3) + sm.sin(s * length) / length * W
    turned = turned + (1 - sm.cos(s * length)) / length**2 * (W @ W)
    ad = (1 - sm.cos(s * length)) / length**2 * hat(TURN)
    ad = ad + (s * length - sm.sin(s * length)) / length**3 * (W @ W)
    D = hat(s * OTHER + ad @ OTHER)
    return {
        r"\sigma": W,
        r"\dot\sigma": rate,
        "s": s,
        "D": D,
        "[": commutator,
        "G": turned,
        r"\dot G": D @ turned,
    }


def screw():
    """Return the shift of a screw after a time of one, by SciPy's exponential."""
    w, v = TURN, OTHER
    terms = [np.linalg.matrix_power(hat(w), k) @ v / math.factorial(k + 1) for k in range(3, 30)]
    shift, length = expm(in_four(w, v))[:3, 3], np.linalg.norm(w)
    return {"a": shift, "w": w, "v": v, r"\theta": length, r"\dots": sum(terms)}


def moving(A, a):
    return np.block([[A, np.reshape(a, (3, 1))], [np.zeros((1, 3)), np.ones((1, 1))]])


def bracket_of_motions(part):
    """Return two elements of se(3), and a part of their commutator as matrices."""
    w, v, a, b = TURN, OTHER, np.array([0.4, 1.0, -0.7]), np.array([0.2, 0.6, -0.1])
    both = commutator(in_four(w, v), in_four(a, b))
    found = np.concatenate([lie.vee(both[:3, :3]), both[:3, 3]])[part]
    return {"w": w, "v": v, "a": a, "b": b, "=": found}


def carried_back_by_a_motion():
    """Return both halves of dexp⁻¹ of se(3), by the series of brackets: B_k / k! adᵏ."""
    names = bracket_of_motions(slice(6))
    w, v, a, b = (names[letter] for letter in "wvab")
    ad = np.block([[hat(w), np.zeros((3, 3))], [hat(v), hat(w)]])
    powers = [np.linalg.matrix_power(ad, k) / math.factorial(k) for k in range(40)]
    halves = np.split(sum(B * power @ [*a, *b] for B, power in zip(bernoulli(39), powers)), 2)
    angle = np.linalg.norm(w)
    d, c = coefficients.inverse_d(angle), coefficients.inverse_d_slope(angle)
    letters = {"w": w, "v": v, "a": a, "b": b, "c": c, "d": d}
    return letters | {r"\alpha": halves[0], r"\beta": halves[1]}


def turning_field(t, y):
    return np.array([np.sin(y[0]), y[1] * y[2] + 0.4, 1 - y[0] ** 2])


def turning(y):
    """Return the angular velocity with which the curve moves, where it moves y."""
    if not np.allclose(y, rotation(TURN) @ DIRECTION):
        raise ValueError("the curve does not pass here")
    return dexp(TURN) @ OTHER


def free_step():
    """Return what a step of CF4 asks for, and where it ends."""
    stages, slopes = [], []

    def watched(t, y):
        stages.append(np.array(y))
        slopes.append(turning_field(t, y))
        return slopes[-1]

    y_1 = step(watched, 0.3, DIRECTION, SIZE, CF4, Sphere)
    k = [SIZE * slope for slope in slopes]
    half = lie.SO3.exp(sum(w * slope for w, slope in zip(CF4.flows[-1][0], k))) @ DIRECTION
    inside = {f"Y_{i}": stages[i - 1] for i in (2, 3, 4)}
    slopes_of_it = {f"k_{i + 1}": hat(slope) for i, slope in enumerate(k)}
    return inside | slopes_of_it | {"y_0": DIRECTION, "y_{1/2}": half, "y_1": y_1}


def euler_equations():
    moments, rates = [0.1, 0.2, 0.3], [0.7, -1.3, 2.1]
    change = rigid_body(moments).field(0.0, np.concatenate([np.eye(3).ravel(), rates]))[3:]
    letters = (("J", moments), (r"\Omega", rates), (r"\dot\Omega", change))
    return {f"{name}_{i}": values[i - 1] for name, values in letters for i in (1, 2, 3)}


def swinging():
    """Return how a spherical pendulum moves: by the generator of its element of se(3)."""
    q, omega, l = DIRECTION, np.cross(DIRECTION, OTHER), 0.7
    mu = spherical_pendulum(l=l).field(0.0, np.concatenate([q, omega]))
    slopes = np.cross(mu[:3], q), np.cross(mu[:3], omega) + np.cross(mu[3:], q)
    moving = {"q": q, r"\omega": omega, r"\dot q": slopes[0], r"\dot\omega": slopes[1]}
    return moving | {"g": 9.81, "l": l, "e_3": np.array([0.0, 0, 1])}
