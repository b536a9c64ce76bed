"""Mistakes of chapter 7 and their hints."""

import math

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from scipy.linalg import solve_continuous_are

from tests.course.hints import names
from tutlib.mechanics import EquationsOfMotion

NAMES = names("g l m M r v w delta theta_0")
SWING = 3.5173667  # rad/s


def riccati(A, B, Q, R):
    return solve_continuous_are(A, B, Q, R)


def following(C, kept, sign=-1):
    """Return all changes by those of the states that are kept."""
    n = C.shape[1]
    rest = sorted(set(range(n)) - set(kept))
    every = np.zeros((n, len(kept)))
    every[kept], every[rest] = np.eye(len(kept)), sign * np.linalg.inv(C[:, rest]) @ C[:, kept]
    return every


def at_right_angles(C):
    return np.eye(C.shape[1]) - C.T @ np.linalg.solve(C @ C.T, C)


def arm(of_swing=1, of_both=1, first=1, weight=1, first_torque=1, second_torque=0):
    """Return Furuta's pendulum, its rod counted from upright."""
    a, b, tau = me.dynamicsymbols("phi beta tau")
    l_1, l_2, m_1, m_2, g = sm.symbols("l_1 l_2 m_1 m_2 g", positive=True)
    u, w, swung = a.diff(), b.diff(), -l_2 * sm.sin(b)
    inner = (first * m_1 + m_2) * (l_1 * u) ** 2 + of_swing * m_2 * (swung * u) ** 2
    both = 2 * of_both * m_2 * l_1 * u * swung.diff(me.dynamicsymbols._t)
    T = (inner + m_2 * (l_2 * w) ** 2 + both) / 2
    V = weight * m_2 * g * l_2 * sm.cos(b)
    torques = {a: first_torque * tau, b: second_torque * tau}
    c, s = sm.cos(a), sm.sin(a)
    places = {
        "x_1": l_1 * c,
        "y_1": l_1 * s,
        "x_2": l_1 * c - swung * s,
        "y_2": l_1 * s + swung * c,
        "z_2": l_2 * sm.cos(b),
        "E": T + V,
    }
    return EquationsOfMotion.from_lagrangian(T, V, [a, b], torques), places


HINTS = {
    "linearization-1": [
        ("-sin(theta_0)*g/l", "the angular acceleration itself"),
        ("cos(theta_0)*g/l", "about the hanging position a displacement is pulled back"),
        ("-g/l", "the slope at the hanging position"),
        ("-l*g*cos(theta_0)", "a rate squared is asked for"),
    ],
    "linearization-2": [
        ("-(g/l)**(1/2)", "the other one: the way to come to rest"),
        ("sqrt(-g/l)", "So it is hanging"),
        ("g/l", "That is its square"),
        ("(l/g)**(1/2)", "That is a time", "1 over a time"),
    ],
    "linearization-3": [
        ("a", "A matrix of size four has four"),
        ("c", "neither grows exponentially nor decays"),
        ("d", "one way to swing, not two"),
    ],
    "linearization-4": [
        ("l - l*cos(delta)", "That is exact"),
        ("delta*l", "how far it goes to the side"),
        ("delta**2*l", "has a factor ½ there"),
        ("0", "So says the linear model"),
    ],
    "linearization-5": [
        (SWING, "That is ω. A full swing takes 2π/ω"),
        (SWING**-1, "That is 1/ω. A full swing takes 2π/ω"),
        (SWING / math.tau, "swings per second"),
        (math.pi / SWING, "half a swing"),
    ],
    "linearization-6": [
        ("sqrt(g/r)/2", "the spin, in rad/s"),
        ("sqrt(r*g/3)", "That is a disc's"),
        ("(r*g/2)**(1/2)", "Its center follows a curve, too"),
        ("r*g/4", "That is its square"),
        ("sqrt(r*g/2)/2", "half of its moment of inertia about the axle"),
    ],
    "linearization-7": [
        ("[0, 0, 1/M, 1/M/l]", "Which way does it turn?"),
        ("[0, 0, 1/(m + M), -1/(m*l + M*l)]", "need not carry the bob along"),
        ("[1/M, -1/M/l, 0, 0]", "those are the last two states"),
        ("[0, 0, 1/M, 0]", "the mass matrix couples them"),
    ],
    "linearization-8": [
        (lambda A, B, Q, R: np.linalg.inv(R) @ B.T @ Q, "Q is the cost of this moment"),
        (
            lambda A, B, Q, R: -np.linalg.inv(R) @ B.T @ riccati(A, B, Q, R),
            "With τ = -K δx the minus is outside",
        ),
        (lambda A, B, Q, R: B.T @ riccati(A, B, Q, R), "the price of the input"),
        (
            lambda A, B, Q, R: -np.linalg.inv(R) @ B.T @ riccati(-A, B, Q, R),
            "You took the eigenvectors that grow",
        ),
    ],
    "linearization-9": [
        ("a", "at rest there is none to resist"),
        ("c", "need an imaginary part"),
        ("d", "out of a fall as well"),
    ],
    "linearization-10": [
        (lambda J, C, kept: J[kept][:, kept], "as if they stood still"),
        (lambda J, C, kept: (J @ following(C, kept, 1))[kept], "there is a minus"),
        (
            lambda J, C, kept: (at_right_angles(C) @ J @ at_right_angles(C))[kept][:, kept],
            "a projection at right angles",
        ),
    ],
    "linearization-11": [
        ("w*g/v", "k has none"),
        ("v**2/g/w", "who rides faster needs less"),
        ("sqrt(w*g)/v", "there is no root"),
        ("g/v/v", "The wheelbase is lost"),
    ],
    "linearization-12": [
        ("a", "Then it would swing"),
        ("c", "would not accelerate the cart at all"),
        ("d", "Look at the second number of a push"),
        ("e", "What is its slope at rest?"),
        ("f", "by a factor of 57"),
    ],
    "linearization-13": [
        (lambda torque: [1, 1, 0.1, 0.1, 0.01], "It is quick enough"),
        (lambda torque: np.array([1, 1, 10, 10, 0.01]), "It is wide enough"),
        (lambda torque: [0, 0, 2, 0, 0.0002], "neither quick nor wide"),
        (lambda torque: [0.06, 200, 0.04, 36, 0.02], "right for our machine alone"),
    ],
    "linearization-14": [
        (lambda: arm(of_swing=0), "carried around with the arm"),
        (lambda: arm(of_both=0), "turns without swinging the rod"),
        (lambda: arm(of_both=-1), "the rod should stay behind"),
        (lambda: arm(first=0), "has no inertia"),
        (lambda: arm(second_torque=-1), "against the ground, and not against the rod"),
        (lambda: arm(first_torque=0), "The motor is missing"),
        (lambda: arm(weight=-1), "Your rod hangs upward"),
    ],
}
