"""Mistakes of chapter 4 and their hints."""

import numpy as np

from tests.unit.hints import names

NAMES = names("h omega p x v x_0 v_0 a_0 tolerance error")
ENERGY = "(v**2 + (omega*x)**2)/2"
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


HINTS = {
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
