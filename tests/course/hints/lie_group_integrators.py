"""Mistakes of chapter 8 and their hints."""

import numpy as np
from scipy.spatial.transform import Rotation

from tests.course.hints import names
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


def sine_of(w):
    return (turn(w) - turn(w).T) / 2


def kutta(f, t, q, h, c=1, carry=lie.SO3.dexp_inverse):
    """Take a step of Kutta's method, with nodes and a way to carry back that may be wrong."""
    first = f(t, q)
    middle = h / 2 * first
    second = carry(middle, f(t + c * h / 2, turn(middle) @ q))
    end = h * (2 * second - first)
    third = carry(end, f(t + c * h, turn(end) @ q))
    return turn(h / 6 * (first + 4 * second + third)) @ q


def with_two_slopes(f, t, q, h):
    first = f(t, q)
    second = lie.SO3.dexp_inverse(h * first, f(t + h, turn(h * first) @ q))
    return turn(h / 2 * (first + second)) @ q


def off_the_sphere(f, t, q, h):
    first = np.cross(f(t, q), q)
    place = q + h / 2 * first
    second = np.cross(f(t + h / 2, place), place)
    end = q + h * (2 * second - first)
    return q + h / 6 * (first + 4 * second + np.cross(f(t + h, end), end))


def by_the_left(z, w):
    """Return half of w times z, by matrices of SciPy's turns."""
    rate = w * z[0] + np.cross(w, z[1:])
    return np.array([-w @ z[1:], *rate]) / 2


def by_the_right(z, w):
    return np.array([-w @ z[1:], *(w * z[0] - np.cross(w, z[1:]))]) / 2


def moved(mu, x):
    """Return the state on TS² that a rigid motion moves."""
    A, a = turn(mu[:3]), lie.SE3.exp(mu)[:3, 3]
    return np.concatenate([A @ x[:3], A @ x[3:] + np.cross(a, A @ x[:3])])


def four_stages(f, t, x, h, carry=lie.SE3.dexp_inverse, c=1):
    first = f(t, x)
    slopes, u = [first], h / 2 * first
    for part in (1 / 2, 1):
        slopes.append(carry(u, f(t + c * h / 2, moved(u, x))))
        u = part * h * slopes[-1]
    slopes.append(carry(u, f(t + c * h, moved(u, x))))
    mean = np.array([1, 2, 2, 1]) @ slopes / 6
    return moved(h * mean, x)


def each_half(u, v):
    return np.hstack([lie.SO3.dexp_inverse(u[:3], part) for part in (v[:3], v[3:])])


def cf4(f, t, x, h):
    k_1 = h * f(t, x)
    second = moved(k_1 / 2, x)
    k_2 = h * f(t + h / 2, second)
    k_3 = h * f(t + h / 2, moved(k_2 / 2, x))
    k_4 = h * f(t + h, moved(k_3 - k_1 / 2, second))
    half = moved((3 * k_1 + 2 * k_2 + 2 * k_3 - k_4) / 12, x)
    return moved((-k_1 + 2 * k_2 + 2 * k_3 + 3 * k_4) / 12, half)


def moment(s):
    """Return the larger moment in the middle for which a growth is s [1/s], at 5 rad/s."""
    # (J - 0.1)(0.3 - J) = 0.03 (s/5)²
    return max(np.roots([-1, 0.4, -0.03 - 0.03 * (s / 5) ** 2]).real)


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
        ("d", "so one power of h is gained"),
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
        (with_two_slopes, "That is Heun's method"),
        (lambda f, t, q, h: kutta(f, t, q, h, 0), "in time as well"),
        (off_the_sphere, "Kutta's straight step"),
        (lambda f, t, q, h: kutta(f, t, q, h, 1, lambda u, v: v), "belong to other places"),
        (
            lambda f, t, q, h: kutta(f, t, q, h, 1, lambda u, v: lie.SO3.dexp_inverse(-u, v)),
            "The bracket has the other sign",
        ),
    ],
    "lie-group-integrators-9": [
        (lambda z, w: 2 * by_the_left(z, w), "half is lost", "half of the angle"),
        (by_the_right, "for an axis of the body"),
        (lambda z, w: -by_the_left(z, w), "It turns the other way", "z = (1, 0, 0, 0)"),
    ],
    "lie-group-integrators-10": [
        ([0, 0, 0.1**2 / 2], "by how much one of the two products"),
        ([0, 0, -(0.1**2)], "e₁ × e₂ is e₃"),
        ([0, 0, 0], "if rotations commuted"),
    ],
    "lie-group-integrators-11": [
        # off by (weight + 1/2) / (1/2) times what a missing bracket is off by
        (-1 / 2 + 1 / 2, "a ratio of +1"),
        (-1 / 2 + 2 / 2, "twice as much", "a ratio of +2"),
        (-1 / 2, "That is the right one"),
        (0.8333 / 2, "By so much is it off"),
        (-1 / 2 - 0.8333 / 2, "Off to the other side"),
        (-1 / 2 - 1 / 2, "With the ½ lost", "a ratio of −1"),
    ],
    "lie-group-integrators-12": [
        (0.4 - moment(np.log(100) / 3), "it lies below 0.2 kg·m²"),
        (moment(np.log10(100) / 3), "the decimal logarithm"),
        (0.3, "That stops it altogether"),
    ],
    "lie-group-integrators-13": [
        (lambda f, t, x, h: four_stages(f, t, x, h, lambda u, v: v), "added as they are"),
        (lambda f, t, x, h: four_stages(f, t, x, h, each_half), "as for rotations: dexp"),
        (lambda f, t, x, h: four_stages(f, t, x, h, lie.SE3.dexp), "it carries a slope away"),
        (lambda f, t, x, h: four_stages(f, t, x, h, c=0), "in time, too"),
        (cf4, "That is CF4"),
    ],
}
