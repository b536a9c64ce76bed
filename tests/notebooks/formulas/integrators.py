"""Chapter 4."""

import math

import numpy as np
from scipy.optimize import brentq

from tests.notebooks.formulas import indexed
from tests.notebooks.meanings import MovingNumber
from tutlib.methods import (
    DORMAND_PRINCE,
    EULER,
    RK4,
    ButcherTableau,
    integrate,
    integrate_adaptive,
    stability_function,
    step,
)
from tutlib.methods.partitioned import semi_implicit_euler, velocity_verlet

SIZE, NOW = 0.3, 0.7


def shared(nb):
    return {"h": SIZE, "t": NOW, "f": rate}


def displayed(nb):
    known = MovingNumber(motion, motion(NOW))
    quartic = np.polynomial.Polynomial([-1, 3, -2, 1, 0.5])
    x, v, a, a_dot, rest = (quartic.deriv(k)(NOW) for k in range(5))
    start = {"x_n": 0.4, "t_n": NOW}
    q, v_semi = semi_implicit_euler(swing, 0.0, [0.4, 0.9], SIZE)
    a_n, (q_new, v_new) = acceleration(0.4), velocity_verlet(swing, 0.0, [0.4, 0.9], SIZE)
    points = integrate(swing, SIZE * np.arange(3), [0.4, 0.9], "verlet").x[:, 0]
    newest = {"a": acceleration} | dict(zip(("x_{n-1}", "x_n", "x_{n+1}"), points))
    now = {"x_n": 0.4, "v_n": 0.9}
    half_kicked = 0.9 + SIZE / 2 * a_n
    after = {"x_{n+1}": q_new, "v_{n+1}": v_new, "v_{n+1/2}": half_kicked}
    series = {"x": MovingNumber(quartic, x), "v": v, "a": a, r"\dot a": a_dot}
    series |= {r"\dots": rest * SIZE**4 / 24}
    rk4, slopes, _ = recorded(RK4)
    return {
        ("problem", 0): {r"\dot x": math.cos(NOW), "x": known, "t_0": 0.2, "x_0": motion(0.2)},
        ("problem", 1): {"x": known},
        ("euler-words", 0): start | {"x_{n+1}": step(rate, NOW, [0.4], SIZE, EULER)[0]},
        ("speeds-first", 0): now | {"a": acceleration, "x_{n+1}": q, "v_{n+1}": v_semi},
        "verlet": newest,
        ("verlet", 2): [series | {r"\pm": sign} for sign in (1, -1)],
        ("kept-meaning", 0): {"E_h": kept(0.4, 0.9), "v": 0.9, "x": 0.4, r"\omega": 1.3},
        ("newton-words", 0): newton(),
        ("velocity-verlet", 0): now | after | {"a_n": a_n, "a_{n+1}": acceleration(q_new)},
        **{("order-two", k): of_two_stages(w) for k, w in enumerate(("truth", "stage", "step"))},
        ("implicit", 0): {"x": 0.4, "k": slope_at(1), "x_{n+1}": 0.4 + SIZE * slope_at(1)},
        ("implicit", 1): multiplies(ButcherTableau("implicit Euler", [1], [[1]], [1])),
        ("implicit", 2): multiplies(ButcherTableau("implicit midpoint", ["1/2"], [["1/2"]], [1])),
        ("four", 0): {"x": 0.4} | {f"k_{i + 1}": k for i, k in enumerate(slopes)},
        ("four", 1): {"x_n": 0.4, "x_{n+1}": rk4} | {f"k_{i + 1}": k for i, k in enumerate(slopes)},
        ("tableau", 0): [stage(i) for i in range(6)],
    }


def kept(x, v, omega=1.3, size=SIZE):
    """Return what a step keeps that moves the speed first."""
    return v**2 / 2 + omega**2 * x**2 / 2 - size * omega**2 * x * v / 2


def newton():
    """Return a guessed slope, and the change that makes it right where the rates are a line."""
    k, right = 0.7, slope_at(1)
    ahead = 0.4 + SIZE * k
    J = (rate(NOW + SIZE, ahead + 1) - rate(NOW + SIZE, ahead)) / 1.0
    return {"I": 1.0, "J": J, "k": k, r"\delta k": right - k, "f": rate(NOW + SIZE, ahead)}


def of_two_stages(what):
    """Return the meanings of a series by hand; what it leaves out is computed, too."""
    x, a, b_1, b_2, f = 0.4, 2 / 3, 0.4, 0.7, acceleration(0.4)
    f_x = -math.cos(x) - 0.4 * x
    after = integrate_adaptive(lambda t, x: acceleration(x), (0, SIZE), [x], 1e-13, 1e-13).x[-1, 0]
    there = acceleration(x + a * SIZE * f)
    whole = {"truth": after, "stage": there, "step": x + SIZE * (b_1 * f + b_2 * there)}[what]
    known = {
        "truth": x + SIZE * f + SIZE**2 / 2 * f_x * f,
        "stage": f + a * SIZE * f_x * f,
        "step": x + (b_1 + b_2) * SIZE * f + b_2 * a * SIZE**2 * f_x * f,
    }[what]
    moves = MovingNumber(lambda t: after if t > NOW else x, x)
    own = {"f_x": f_x, "a": a, "b_1": b_1, "b_2": b_2, "x_{n+1}": whole, r"\dots": whole - known}
    return own | {"x": moves if what == "truth" else x, "f": MovingNumber(acceleration, f)}


def slope_at(part):
    """Return the slope that stands so far along its own step."""
    return brentq(lambda k: k - rate(NOW + part * SIZE, 0.4 + part * SIZE * k), -5, 5, xtol=1e-15)


def multiplies(tableau):
    return {"R": lambda z: complex(stability_function(tableau, complex(z))), "z": -0.7 + 1.3j}


def motion(t):
    """A motion, and below the rate that makes it."""
    return 2 + math.sin(t)


def rate(t, x):
    return math.cos(t) + 0.5 * (float(np.ravel(x)[0]) - motion(t))


def acceleration(x):
    return -np.sin(x) - 0.2 * x**2


def swing(t, x):
    return np.array([x[1], acceleration(x[0])])


def recorded(tableau):
    """Return the end of a step, the slopes that it asked for, and where."""
    slopes, stages = [], []

    def watched(t, x):
        stages.append((t, x[0]))
        slopes.append(rate(t, x))
        return np.array([slopes[-1]])

    return step(watched, NOW, [0.4], SIZE, tableau)[0], slopes, stages


def stage(i):
    """Return the meanings at stage i of a step by Dormand and Prince."""
    pair = DORMAND_PRINCE
    end, slopes, _ = recorded(pair)
    known = {"k_i": slopes, "k_j": slopes, "a_{ij}": pair.A, "b_i": pair.b}
    sums = {r"\sum_{j<i}": range(i), r"\sum_i": range(len(slopes))}
    return indexed(known) | sums | {"i": i, "x": 0.4, "x_n": 0.4, "x_{n+1}": end, "c_i": pair.c[i]}
