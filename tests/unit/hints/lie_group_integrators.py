"""Mistakes of chapter 8 and their hints."""

import numpy as np
from scipy.spatial.transform import Rotation

from tests.unit.hints import names
from tutlib.spaces import lie

NAMES = names("h omega theta J_1 J_2 J_3")


def turn(w):
    return Rotation.from_rotvec(np.asarray(w, dtype=float)).as_matrix()


def cross(w):
    """Return the matrix of the product with w."""
    return np.cross(np.eye(3), w)


def axis_taken_for_a_unit_vector(w):
    angle, W = np.linalg.norm(w), cross(w)
    return np.eye(3) + np.sin(angle) * W + 2 * np.sin(angle / 2) ** 2 * W @ W


def to_the_middle(f, t, q, h):
    u = h / 2 * f(t, q)
    return turn(h * lie.SO3.dexp_inverse(u, f(t + h / 2, turn(u) @ q))) @ q


def plain_mean(f, t, q, h):
    first = f(t, q)
    second = f(t + h, turn(h * first) @ q)
    return turn(h / 2 * (first + second)) @ q


def sine_of(w):
    return (turn(w) - turn(w).T) / 2


def both(f, t, q, h, c=1):
    first = f(t, q)
    return first, lie.SO3.dexp_inverse(h * first, f(t + c * h, turn(h * first) @ q))


def at_the_start(f, t, q, h):
    return turn(h / 2 * np.add(*both(f, t, q, h, 0))) @ q


def off_the_sphere(f, t, q, h):
    first = np.cross(f(t, q), q)
    end = q + h * first
    return q + h / 2 * (first + np.cross(f(t + h, end), end))


def by_the_sum(f, t, q, h):
    return turn(h * np.add(*both(f, t, q, h))) @ q


def twice(f, t, q, h):
    first, second = both(f, t, q, h)
    return turn(h / 2 * second) @ turn(h / 2 * first) @ q


HINTS = {
    "lie-group-integrators-1": [
        ("1 + omega*h", "lengths add by Pythagoras"),
        ("1", "Where does the straight step end?"),
        ("1 + omega**2*h**2", "the square of the length"),
        ("omega*h", "the length of the step alone"),
    ],
    "lie-group-integrators-2": [
        (lambda w: cross(w) + np.eye(3), "the straight step"),
        (axis_taken_for_a_unit_vector, "That holds for an axis of length 1"),
        (lambda w: turn(w).T, "It turns the other way"),
        (lambda w: np.eye(3) + sine_of(w), "The term with the square of ŵ is missing"),
        (lambda w: 2 * (np.eye(3) + sine_of(w)) - turn(w), "about the third axis"),
        (lambda w: turn(w * np.pi / 180), "in radians already"),
    ],
    "lie-group-integrators-3": [
        (lambda q, w, a: [*w, *a], "it cannot be the angular acceleration itself"),
        (lambda q, w, a: [*w, *-np.cross(q, a)], "(q × ω̇) × q = ω̇, where q · ω̇ = 0"),
        (
            lambda q, w, a: [*np.cross(w, q), *np.cross(q, a)],
            "The first part is the angular velocity",
        ),
    ],
    "lie-group-integrators-4": [
        ("Rational(1, 12)", "One term more"),
        ("(60 - theta**2)/720", "The Bernoulli numbers change sign"),
        ("theta**2*(60 + theta**2)/720", "1 - θ/2 cot θ/2"),
        ("(20 - theta**2)/120", "the series of dexp"),
    ],
    "lie-group-integrators-5": [
        ("a", "Every move is an exponential"),
        ("c", "slopes from four places"),
        ("d", "A symmetric sum of slopes"),
    ],
    "lie-group-integrators-6": [
        ([[4, 4, 4], [4, 5, 0]], "nothing is to be carried back"),
        ([[4, 4, 3], [4, 6, 0]], "it leads to Y₂"),
        ([[4, 5, 3], [4, 5, 0]], "the identity costs nothing"),
    ],
    "lie-group-integrators-7": [
        ("omega**2*(J_1 - J_2)*(J_2 - J_3)/(J_1*J_3)", "the square of the rate"),
        ("omega*sqrt((J_1 - J_3)*(J_2 - J_3)/(J_1*J_2))", "another axis: the two small rates"),
        ("omega/J_2*sqrt((J_1 - J_2)*(J_2 - J_3))", "Divide each equation by its own moment"),
    ],
    "lie-group-integrators-8": [
        (lambda f, t, q, h: turn(h * f(t, q)) @ q, "Lie–Euler"),
        (to_the_middle, "the midpoint rule", "the mean of two slopes"),
        (at_the_start, "in time as well"),
        (off_the_sphere, "Heun's straight step"),
        (by_the_sum, "half of their sum"),
        (twice, "You move twice, by half of each slope"),
        (plain_mean, "The second slope belongs to another place"),
    ],
}
