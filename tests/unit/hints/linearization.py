"""Mistakes of chapter 7 and their hints."""

import math

import numpy as np
from scipy.linalg import solve_continuous_are

from tests.unit.hints import names

NAMES = names("g l m M r delta theta_0")
SWING = 3.5173667  # rad/s


def riccati(A, B, Q, R):
    return solve_continuous_are(A, B, Q, R)


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
        ("sqrt(g/(r*3))", "the spin, in rad/s"),
        ("sqrt(r*g)", "look at the factor of u₂² once more"),
        ("r*g/3", "That is its square"),
        ("sqrt(r*g*3)", "Solve 3 u₂² = g/r"),
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
    ],
}
