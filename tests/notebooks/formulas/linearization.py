"""Chapter 7."""

import numpy as np
import sympy as sm
from scipy.optimize import brentq
from scipy.special import j0, jn_zeros

from tests.notebooks.meanings import At
from tutlib import EquationsOfMotion
from tutlib.mechanics import linearize
from tutlib.models import chain, double_pendulum, pendulum


def shared(nb):
    return {}


def displayed(nb):
    return {("tangent", 0): tangent(), ("bicycle", 0): weaving_bicycle(nb)}


def inline(nb):
    arm, near = pendulum().free(), tangent()
    hanging = linearize(arm.equations, [0, 0], {"m": 1.0, "l": 2.0, "g": 9.81})
    (root, shape), *_ = hanging.modes()
    root = complex(root)
    sizes = {"g": 9.81, "l": 2.0}
    circle = {"x": 1.3 * np.sin(0.7), "y": -1.3 * np.cos(0.7), "l": 1.3}
    shift, cart = np.array([0.3, -0.8]), nb.said("cart-check", "[x_cart, tilt_bob]")
    kept = nb.N @ np.linalg.solve(nb.N[nb.independent_rows], shift)
    return {
        r"x = x^* + \delta x": {
            "x^*": near["x"].numbers,
            "x": near["x^*"],
            r"\delta x": near[r"\delta x"],
        },
        r"r = r^* + \delta r": {
            "r^*": near["r"].numbers,
            "r": near["r^*"],
            r"\delta r": near[r"\delta r"],
        },
        r"x = [\theta, \dot\theta]": {"x": arm.equations.states, r"\theta": arm.equations.q[0]},
        r"A v = s v": {"A": hanging.A, "v": shape, "s": root},
        r"s^2 = -g/l": sizes | {"s": root},
        r"s = \pm\mathrm i\sqrt{g/l}": [
            sizes | {"s": sign * 1j * abs(root), r"\pm": sign} for sign in (1, -1)
        ],
        r"x^2 + y^2 = l^2": circle,
        r"\omega = \sqrt{g/l}": {
            r"\omega": sm.sqrt(-nb.A_right[1, 0]),
            "g": nb.g_up,
            "l": nb.l_rod,
        },
        r"C = \partial[\varphi, \dot\varphi]/\partial x": constraint_slopes(nb),
        r"C\,\delta x = 0": {"C": nb.C, r"\delta x": kept},
        r"\delta x = D\,\delta x_i": {r"\delta x": kept, "D": nb.D, r"\delta x_i": shift},
        r"2x\,\delta x + 2y\,\delta y = 0": {
            **circle,
            r"\delta x": 0.3 * np.cos(0.7),
            r"\delta y": 0.3 * np.sin(0.7),
        },
        r"\delta x(t) = \operatorname{Re}\,v\,e^{st}": mode(nb),
        r"\omega_k = \tfrac12 j_k\sqrt{g/L}": [rope(k) for k in (1, 2, 3)],
        r"q = [x, \theta]": {"q": cart, "x": nb.x_cart, r"\theta": nb.tilt_bob},
        r"x = [q, \dot q]": {"x": cart_states(nb, cart), "q": cart},
        r"\tau = -K\,\delta x": {
            r"\tau": nb.law.subs(nb.tau_max, 1e6),
            "K": nb.K,
            r"\delta x": nb.away,
        },
        r"K = R^{-1} B^\mathsf{T} P": {"K": nb.K, "R": nb.price, "P": nb.P, "B": at_top(nb)},
    }


def terms(nb):
    cost, push, state = np.diag([1.0, 2.0]), np.diag([3.0, 4.0]), np.array([0.3, -0.8])
    paid = state @ cost @ state + 3.0 * 0.7**2 + 4.0 * 0.2**2
    return {
        r"s\,(s^2 + \tfrac45(3u_2^2 - g/r))": {
            "s": nb.s,
            "u_2": nb.u_2,
            "g": nb.in_disc["g"],
            "r": nb.in_disc["r"],
            "=": nb.polynomial,
        },
        r"\int \delta x^\mathsf{T} Q\,\delta x + r^\mathsf{T} R\,r\;\mathrm dt": {
            r"\delta x": state,
            "Q": cost,
            "R": push,
            "r": np.array([0.7, 0.2]),
            "=": paid * nb.t,
        },
    }


def constraint_slopes(nb):
    """Return the constraint of the hanging bob and its rate, for a rod of 1 m."""
    states = [nb.x, nb.y, nb.x.diff(nb.t), nb.y.diff(nb.t)]
    phi = nb.x**2 + nb.y**2 - 1
    here = At(states, [0.0, -1.0, 0.0, 0.0])
    return {"C": nb.C, r"\varphi": phi, r"\dot\varphi": phi.diff(nb.t), "x": here}


def mode(nb):
    """Return the motion that the film shows of a chain's second mode."""
    links = chain(3).free()
    root, shape = linearize(links.equations, np.zeros(6), links.parameters).modes()[1]
    moved, size = nb.function("chain-animation", "mode_motion"), np.abs(shape[:3]).max()
    return {
        r"\delta x": lambda t: moved(root, shape, size, np.array([t]))[0],
        "v": shape,
        "s": complex(root),
        "t": 0.7,
    }


def rope(k):
    """Return the k-th way a rope of 1.7 m swings: its upper end stands still."""
    zero, L = jn_zeros(0, k)[-1], 1.7

    def upper_end(omega):
        return j0(2 * omega * np.sqrt(L / 9.81))

    guess = zero / 2 * np.sqrt(9.81 / L)
    found = brentq(upper_end, 0.9 * guess, 1.1 * guess, xtol=1e-14)
    return {r"\omega_k": found, "j_k": zero, "g": 9.81, "L": L}


def cart_states(nb, cart):
    """Return the states in two columns: coordinates, and their rates."""
    nothing = sm.Integer(0)
    wagon = EquationsOfMotion.from_lagrangian(nb.T_cart, nothing, cart)
    return np.reshape(np.array(wagon.states, dtype=object), (2, 2)).T


def at_top(nb):
    """Return B of a double pendulum on its head, with a motor at its lower hinge."""
    rods = double_pendulum()
    others = {r: 0 for r in rods.equations.inputs if str(r) != "tau_1(t)"}
    return linearize(rods.with_inputs(others).equations, nb.top, rods.parameters).B


def tangent():
    """Return the pendulum near a trim point, where the motor holds its weight."""
    arm, weight = pendulum(), 9.81 * np.sin(0.6)
    eom, trimmed, held = arm.equations, np.array([0.6, 0.0]), [weight]
    linear = linearize(eom, trimmed, arm.parameters, inputs={eom.inputs[0]: weight})
    small, push = np.array([2e-6, -3e-6]), np.array([1e-6])
    state, torque = trimmed + small, weight + push[0]
    moved = arm.with_inputs({eom.inputs[0]: torque}).compile()(0.0, state)
    rates = sm.Matrix([*eom.u, *eom.accelerations()]).subs(arm.parameters)
    return {
        "x^*": state,
        "r^*": [torque],
        r"\delta\dot x": moved,
        r"\delta x": small,
        r"\delta r": push,
        "A": linear.A,
        "B": linear.B,
        "f": rates,
        "x": At(eom.states, trimmed),
        "r": At(eom.inputs, held),
    }


def weaving_bicycle(nb):
    """Return a motion of the bicycle at 2 m/s, by an eigenvalue as it was published."""
    v, s = 2.0, -8.67387984831735
    stiffness = nb.g_0 * nb.K_0 + v**2 * nb.K_2
    shape = np.linalg.svd(nb.M_b * s**2 + v * nb.C_1 * s + stiffness)[2][-1] * 1e-4
    return {
        "M": nb.M_b,
        "C_1": nb.C_1,
        "K_0": nb.K_0,
        "K_2": nb.K_2,
        "g": nb.g_0,
        "v": v,
        "q": shape,
        r"\dot q": s * shape,
        r"\ddot q": s**2 * shape,
    }
