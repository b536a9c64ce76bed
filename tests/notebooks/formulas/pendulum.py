"""Chapter 1."""

from functools import cache

import numpy as np
import sympy as sm
from scipy.optimize import brentq

from tests.notebooks.formulas import named
from tests.notebooks.meanings import case
from tutlib.models import pendulum
from tutlib.models.pendulum import exact_period


def shared(nb):
    gains = {"k_p": nb.kp, "k_d": nb.kd, "k_i": nb.ki}
    own = named(nb, r"\theta \theta_d \tau \kappa m l g T V L")
    return own | gains | {"I": nb.m * nb.l**2}


def displayed(nb):
    rate, arm = nb.theta.diff(), {"m": 2.0, "l": 2.0, "g": 9.81}
    near_goal = nb.by_hand.subs(nb.tau, nb.pd_torque)
    stiffness = -near_goal.diff(nb.theta).subs(nb.theta, nb.theta_d)
    natural = sm.sqrt(stiffness)
    return {
        ("state", 0): {"x": pendulum().equations.states},
        ("arrow-words", 0): {r"\boldsymbol r": nb.position, r"\boldsymbol p": nb.p},
        **dict.fromkeys(("product-rule", "second-step", "third-step"), on_a_spiral(nb)),
        ("lagrange", 0): {r"\tau": nb.balance + nb.tau},
        ("assembled", 0): {r"\ddot\theta": nb.acceleration},
        ("projection", 0): on_a_spiral(nb),
        ("small", 0): {**arm, "T_0": exact_period(1e-6, l=2.0)},
        ("phase-words", 0): {r"\dot\theta": rate_to_reach_the_top(nb)},
        ("upright", 0): {r"\ddot\delta": nb.near_top, r"\delta": nb.delta},
        ("servo-linear", 0): near_its_goal(nb),
        ("natural-words", 0): swinging(nb),
        ("natural-words", 1): {
            r"\omega_n": natural,
            r"\zeta": -near_goal.diff(rate) / (2 * natural),
        },
        "overshoot-words": swinging(nb),
        ("settles", 0): {
            "W": nb.W,
            r"\dot W": nb.W_dot,
            r"\ddot\theta": nb.settling,
            "e": nb.theta_d - nb.theta,
        },
        ("steady", 0): {**arm, "k_p": 1500, r"\theta_d": nb.goal, "e": nb.error_pd},
        "dc-words": {**motor(nb), "U": 48.0},
        "integral-roots-words": at_the_border(nb),
        ("integral-roots-words", 0): with_memory(nb, 0.5),
        ("integral-roots-words", 1): [
            case(with_memory(nb, ki), holds=with_memory(nb, ki)[r"\text{fastest}"] < 0)
            for ki in (-1.0, -0.1, 0.1, 0.5, 6.0, 10.9, 11.0, 20.0)
        ],
        ("sampled-edge-words", 0): [
            case({r"\lambda_1": one, r"\lambda_2": other}, holds=max(abs(one), abs(other)) < 1)
            for one, other in PAIRS
        ],
        ("sampled-why", 0): brakes(nb),
        ("weak", 0): {r"\tau": nb.pump, "k_E": nb.k_E, "E": nb.E},
    }


def on_a_spiral(nb):
    """Return a mass on another path, whose kinetic energy depends on the angle as well."""
    place = nb.theta * nb.position
    moving = nb.m * place.diff(nb.t).dot(place.diff(nb.t)) / 2
    return {r"\boldsymbol r": place, r"\boldsymbol p": place.diff(nb.theta), "T": moving}


def motor(nb):
    """Return a motor at 48 V that turns at 2.5 rad/s, by its torque-speed line."""
    rate = nb.theta.diff()
    torque = float(nb.top_torque.subs(rate, 2.5))
    known = {nb.U: 48, rate: 2.5, nb.k_m: 8, nb.R_m: sm.Rational(96, 25)}
    current = float(nb.current.subs(known))
    return {"k_m": 8.0, "R_m": 3.84, "i": current, r"\tau": torque, r"\dot\theta": 2.5}


def near_its_goal(nb):
    """Return the error's acceleration, to first order about the goal."""
    error, rate = sm.Function("e")(nb.t), nb.theta.diff()
    commanded = nb.by_hand.subs(nb.tau, nb.pd_torque)
    at_goal = {rate: 0, nb.theta: nb.theta_d}
    slopes = [commanded.diff(state).subs(at_goal) for state in (nb.theta, rate)]
    accelerating = commanded.subs(at_goal) - slopes[0] * error - slopes[1] * error.diff()
    return {"e": error, r"\ddot e": -accelerating}


#: Eigenvalues of sampled maps: real ones on either side of 1 and -1, and complex pairs.
PAIRS = [
    *[(a, b) for a in (-1.4, -0.9, 0.2, 0.95, 1.3) for b in (-1.2, -0.5, 0.8, 1.1)],
    *[(r * np.exp(1j * angle), r * np.exp(-1j * angle)) for r in (0.9, 1.1) for angle in (0.4, 2)],
]


@cache
def slopes_at_goal(nb):
    change = nb.by_hand.subs(nb.tau, nb.pd_torque + nb.ki * nb.z)
    states = [nb.theta, nb.theta.diff(), nb.z]
    slopes = sm.Matrix([states[1], change, nb.theta_d - nb.theta]).jacobian(states)
    return slopes.subs(nb.theta, nb.theta_d)


@cache
def rates_near_goal(nb, ki):
    """Return values of a servo with an integral, and the rates of its motion near the goal."""
    values = {"m": 1.3, "l": 0.8, "g": 1.7, "k_p": 3.0, "k_d": 2.0, r"\theta_d": 0.5, "k_i": ki}
    known = dict(zip((nb.m, nb.l, nb.g, nb.kp, nb.kd, nb.theta_d, nb.ki), values.values()))
    stiffness = 3.0 + 1.3 * 1.7 * 0.8 * np.cos(0.5)
    rates = np.linalg.eigvals(np.array(slopes_at_goal(nb).subs(known), dtype=float))
    return values | {"I": 1.3 * 0.8**2, r"\kappa": stiffness}, rates


def with_memory(nb, ki):
    """Return a servo with an integral near its goal, and its slow and its fastest rate."""
    values, rates = rates_near_goal(nb, ki)
    slow = rates[np.abs(rates.imag) < 1e-12][0].real
    return values | {"s": slow, r"\text{fastest}": rates.real.max()}


def swinging(nb):
    """Return a servo without an integral near its goal, and the rate of its swing."""
    values, rates = rates_near_goal(nb, 0.0)
    root = rates[rates.imag > 0][0]
    known = {r"\omega_n": abs(root), r"\zeta": -root.real / abs(root)}
    half_swing = np.exp(root.real * np.pi / root.imag)
    return values | known | {"s": complex(root), r"\text{overshoot}": half_swing}


def at_the_border(nb):
    """Return a servo whose integral is as strong as it may be, and its swing that lasts."""
    ki = brentq(lambda ki: rates_near_goal(nb, ki)[1].real.max(), 1, 30, xtol=1e-14)
    values, rates = rates_near_goal(nb, ki)
    (root,) = rates[rates.imag > 0]
    return values | {"s": 1j * root.imag, r"\omega": root.imag}


def rate_to_reach_the_top(nb):
    rate = sm.Symbol("rate", positive=True)
    needed = nb.T.subs(nb.theta.diff(), rate) - nb.V.subs(nb.theta, sm.pi)
    return sm.solve(needed, rate)[0]


def brakes(nb):
    """Return brakes on either side of the bounds."""
    return [
        case({"k_p": 1500, "k_d": kd, "h": 0.05, "I": 8}, holds=is_stable(nb, kd))
        for kd in (30, 37, 38, 80, 300, 319, 321, 400)
    ]


def is_stable(nb, kd, kp=1500, h=0.05, inertia=8):
    values = dict(zip((nb.kp_, nb.kd_, nb.h_, nb.I_), (kp, kd, h, inertia)))
    step = np.array(nb.discrete.subs(values), dtype=float)
    return bool(np.abs(np.linalg.eigvals(step)).max() < 1)
