"""Mistakes of chapter 4 and their hints."""

import numpy as np

from tests.course.hints import names

NAMES = names("h omega p x v x_0 v_0 a_0 tolerance error coarse fine")
ENERGY = "(v**2 + (omega*x)**2)/2"
SERVO = lambda limit: ((limit / 0.05) ** 2 + 9.81) / (limit / 0.5 - 1)  # noqa: E731
SWING = np.sqrt(9.81 / 0.25)


def stages(f, t, x, h, times=(0, 0.5, 0.5, 1), weights=(1 / 6, 1 / 3, 1 / 3, 1 / 6), reach=None):
    """Take a step of four stages like RK4's, at other times or with other weights or reaches."""
    total, k = 0, 0 * x
    for c, share, weight in zip(times, reach or (0, 0.5, 0.5, 1), weights):
        k = np.asarray(f(t + c * h, x + share * h * k))
        total = total + weight * k
    return x + h * total


def frozen_time(f, t, x, h):
    return stages(f, t, x, h, (0, 0, 0, 0), np.divide([1, 2, 2, 1], 6))


def third_along_the_first(f, t, x, h):
    k1, k3 = f(t, x), f(t + h / 2, x + h / 2 * f(t, x))
    return x + h / 6 * (k1 + 4 * k3 + f(t + h, x + h * k3))


def last_along_the_second(f, t, x, h):
    k1 = f(t, x)
    k2 = f(t + h / 2, x + h / 2 * k1)
    k3 = f(t + h / 2, x + h / 2 * k2)
    return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + f(t + h, x + h * k2))


def without_the_step_inside(f, t, x, h):
    k1 = f(t, x)
    k2 = f(t + h / 2, x + 0.5 * k1)
    k3 = f(t + h / 2, x + 0.5 * k2)
    return x + h * (k1 / 6 + k2 / 3 + k3 / 3 + f(t + h, x + k3) / 6)


def equally_weighted(f, t, x, h):
    return stages(f, t, x, h, (0, 0.5, 0.5, 1), (0.25,) * 4)


def mean_of_both_ends(f, t, x, h):
    return x + h * (f(t, x) + f(t + h, x + h * f(t, x))) / 2


def implicit_by_state(f, J, t, x, h, place=1.0, rounds=30):
    """Solve for the end of a step whose one slope stands at a place of it."""
    new = x
    for _ in range(rounds):
        there = x + place * (new - x)
        missed = new - x - h * f(t + place * h, there)
        matrix = np.eye(len(x)) - place * h * J(t + place * h, there)
        new = new - np.linalg.solve(matrix, missed)
    return new


def heun_with_a_jacobian(f, J, t, x, h):
    return mean_of_both_ends(f, t, x, h)


def one_round(f, J, t, x, h):
    k = f(t, x)
    missed = k - f(t + h, x + h * k)
    k_end = k - np.linalg.solve(np.eye(len(x)) - h / 2 * J(t + h, x + h * k), missed)
    return x + h / 2 * (k + k_end)


def looks_at_eulers_end(f, J, t, x, h):
    end = implicit_by_state(f, J, t, x, h)
    return x + h / 2 * (f(t, x) + (end - x) / h)


def in_turns(*shares):
    def method(f, t, x, h):
        k = f(t, x)
        for share in shares:
            k = f(t + share * h, x + share * h * k)
        return x + h * k

    return method


def kutta(f, t, x, h):
    k1 = f(t, x)
    k2 = f(t + h / 2, x + h / 2 * k1)
    return x + h / 6 * (k1 + 4 * k2 + f(t + h, x + h * (2 * k2 - k1)))


HINTS = {
    "integrators-9": [
        (implicit_by_state, "implicit Euler: all weight"),
        (
            lambda f, J, t, x, h: implicit_by_state(f, J, t, x, h, 0.5),
            "the implicit midpoint method: one slope, halfway",
        ),
        (heun_with_a_jacobian, "Heun's method: its second slope"),
        (one_round, "One round of Newton's iteration"),
        (looks_at_eulers_end, "where implicit Euler would end"),
    ],
    "integrators-10": [
        (kutta, "order three, more than is asked for"),
        (in_turns(0.5), "With two stages there is no z³"),
        (stages, "That takes four stages"),
        (in_turns(0.25, 0.5), "is 1/8", "the term with y⁴"),
        (in_turns(1.0, 0.5), "is 1/2", "not as far as it can be"),
    ],
    "integrators-11": [
        (SERVO(8**0.5), "the border on the imaginary axis"),
        (SERVO(2.0), "for Euler's method"),
        (10 * 2.785294 / 0.05, "all damping for the fast root"),
        (2.785294 / 0.05, "That is the fast root"),
    ],
    "integrators-12": [
        ([2, 4], "First velocity Verlet, then RK4"),
        ([4, 1], "look at the whole hour"),
        ([3, 1], "the last numbers with which it fails"),
        ([4, 8], "Asked for are steps"),
        ([8, 8], "one evaluation too many for each step"),
    ],
    "integrators-13": [
        ("a", "Σ b c", "the order would be one"),
        ("c", "the one with 1/24", "The order would be three"),
        ("d", "the free swing would show order four"),
        ("e", "cubic polynomial", "not Simpson's"),
    ],
    "integrators-14": [
        ("(fine - coarse)/(2**p - 1)", "with the other sign"),
        ("(coarse - fine)/2**p", "The fine one is wrong, too"),
        ("coarse - fine", "Which part of it is the fine one's"),
        ("2**p*(coarse - fine)/(2**p - 1)", "the error of the coarse result"),
        ("(coarse - fine)/(2**(p + 1) - 1)", "one power more"),
    ],
    "integrators-1": [
        ("1 + (omega*h)**2", "the factor of the energy"),
        ("1 + omega*h", "the number 1 + iωh"),
        ("sqrt(1 - (omega*h)**2)", "leads outward, never inward"),
        ("1", "would keep the amplitude"),
    ],
    "integrators-2": [
        (ENERGY, "the true energy", "one step from x = 0"),
        (f"{ENERGY} + h*x*v*omega**2/2", "the other order keeps"),
        (f"{ENERGY} - h*x*v*omega/2", "not those of v²"),
        (f"{ENERGY} - h*x*v*omega**2", "compare the coefficients of x v"),
    ],
    "integrators-3": [
        ("x_0 + v_0*h", "wrong by h² a/2, once"),
        ("x_0", "stood still in the first step"),
        ("x_0 + v_0*h + a_0*h**2", "one factor missing"),
        ("x_0 - v_0*h + a_0*h**2/2", "one step *before* the start"),
    ],
    "integrators-4": [
        (frozen_time, "does not depend on time itself"),
        (equally_weighted, "Simpson's rule"),
        (third_along_the_first, "Your third stage goes along the first slope"),
        (last_along_the_second, "Your last stage goes along the second slope"),
        (
            lambda f, t, x, h: stages(f, t, x, h, reach=(0, 0.5, 0.5, 0.5)),
            "Your last stage stops in the middle",
        ),
        (
            lambda f, t, x, h: stages(f, t, x, h, times=(0, 0.5, 0.5, 0.5)),
            "at the time of its middle",
        ),
        (
            lambda f, t, x, h: stages(f, t, x, h, reach=(0, 1, 1, 1)),
            "in the state as well",
        ),
        (
            lambda f, t, x, h: stages(f, t, x, h, weights=(1, 2, 2, 1)),
            "divide by the sum of the weights",
        ),
        (
            lambda f, t, x, h: stages(f, t, x, h, weights=np.divide([1, 1, 2, 2], 6)),
            "The last stage counts as much as the first",
        ),
        (lambda f, t, x, h: stages(f, t, x, h) - x, "the change over the step"),
        (without_the_step_inside, "multiply each slope by its share of h"),
        (mean_of_both_ends, "Heun's method, of order 2"),
        (
            lambda f, t, x, h: x + h * f(t + h / 2, x + h / 2 * f(t, x)),
            "the midpoint method: two of the four stages",
        ),
        (lambda f, t, x, h: x + h * f(t, x), "Euler's method: one of the four stages"),
    ],
    "integrators-5": [
        ([3 / 4, 1 / 4], "Σ b c = 1/2: the later stage must count more"),
        ([1 / 2, 1 / 2], "Heun's weights, with his second stage at c = 1."),
        ([0, 1], "the midpoint method, with its stage at c = 1/2"),
        ([1 / 3, 2 / 3], "They sum to 1. Now look at Σ b c = 1/2"),
    ],
    "integrators-6": [
        (2 / SWING, "semi-implicit Euler and of Verlet"),
        (2.7853 / SWING, "the border on the real axis"),
        (8**0.5, "That is ωh"),
        (8**0.5 / SWING**2, "You divided by ω²"),
        (8**0.5 * SWING, "The shorter the pendulum, the faster"),
    ],
    "integrators-7": [
        ("a", "Small is not zero"),
        ("c", "Euler's way", "above or below one"),
        ("d", "treat speeds and coordinates in turns"),
    ],
    "integrators-8": [
        ("h*(tolerance/error)**(1/p)", "falls with one power more"),
        ("h*(error/tolerance)**(1/(1 + p))", "a larger step after a larger error"),
        ("tolerance/error*h", "in proportion to h"),
        (
            "h*(tolerance/error)**(1 + p)",
            "error · (new/h)^(p+1) = tolerance",
            "a root, not a power",
        ),
    ],
}
