"""Chapter 7."""

import numpy as np
import sympy as sm
from scipy.linalg import schur, solve_continuous_are
from scipy.optimize import brentq
from scipy.special import j0, jn_zeros

from tests.notebooks.formulas import named
from tests.notebooks.meanings import At, Each
from tutlib.mechanics import linearize
from tutlib.models import chain, pendulum


def displayed(nb):
    return {
        ("tangent", 0): tangent(),
        ("arm-sketch-after", 0): rusty(),
        ("friction", 0): [honey(sign) for sign in (1, -1)],
        "normal-modes": normal_mode(nb),
        "normal-modes-after": driven(nb),
        "naive-hand": on_a_circle(nb),
        ("eliminate", 0): along_a_circle(),
        "disc-moments": wobbling(nb),
        ("disc-moments", 2): steering_disc(nb),
        "steered-hand": steered(nb),
        "bicycle": weaving_bicycle(nb),
        ("lqr", 0): [{}, two_motors(nb)],
        **dict.fromkeys(("lqr", "hamilton"), best_way(nb)),
        "provable": best_way(nb) | {"K": nb.K},
    }


def rusty():
    """Return the pendulum with friction in its hinge."""
    arm, b = pendulum(), sm.Symbol("b")
    theta, tau = arm.equations.q[0], arm.equations.inputs[0]
    moving = arm.with_inputs({tau: -b * theta.diff()}, parameters={b: 1.0}).equations
    sizes = {str(symbol): symbol for symbol in arm.parameters}
    return {**sizes, "b": b, r"\theta": theta, r"\ddot\theta": moving.accelerations()[0]}


def honey(sign):
    """Return the eigenvalues of a pendulum with much friction."""
    sizes = {"m": 1.3, "l": 0.7, "g": 9.81, "b": 20.0}
    arm = rusty()
    rate = arm[r"\theta"].diff()
    acceleration = arm[r"\ddot\theta"].subs({arm[name]: size for name, size in sizes.items()})
    slopes = [
        float(acceleration.diff(y).subs({rate: 0}).subs({arm[r"\theta"]: 0}))
        for y in (arm[r"\theta"], rate)
    ]
    roots = np.sort(np.linalg.eigvals([[0, 1], slopes]).real)
    return sizes | {"s": roots[1 if sign > 0 else 0], r"\pm": sign}


def normal_mode(nb):
    """Return the fast mode of the hanging double pendulum, at one time."""
    v, omega = nb.V[:, 1], nb.omegas[1]
    moving = {r"\delta q": 0.3 * v, r"\delta\ddot q": -0.3 * omega**2 * v}
    return {"M": nb.M_rest, "K": nb.K_rest, "v": v, r"\omega": omega} | moving


def driven(nb):
    """Return the hanging double pendulum at one time, driven at 3 rad/s."""
    Omega, t = 3.0, 0.2
    largest = np.linalg.solve(nb.K_rest - Omega**2 * nb.M_rest, nb.F_1)
    modes = {"v_k": Each(lambda k: nb.V[:, k]), r"\omega_k": Each(lambda k: nb.omegas[k])}
    drive = {"F": nb.F_1, r"\Omega": Omega, "t": t, r"\sum_k": (0, 1)}
    return modes | drive | {r"\delta q": largest * np.cos(Omega * t)}


def on_a_circle(nb):
    """Return a bob that swings on a rod, by its angle."""
    q, g, l = sm.Function("q")(nb.t), 9.81, 1.3
    x, y = l * sm.sin(q), -l * sm.cos(q)
    turning = {q.diff(nb.t, 2): -g / l * sm.sin(q)}
    pull = (x.diff(nb.t, 2) / x).subs(turning)
    moving = {r"\ddot x": pull * x, r"\ddot y": y.diff(nb.t, 2).subs(turning)}
    return moving | {"x": x, "y": y, "g": g, r"\lambda": pull}


def along_a_circle():
    """Return a small change of a bob on a rod at 0.7 rad, its y dependent."""
    x, y = np.sin(0.7), -np.cos(0.7)
    return {
        "C_i": np.diag([2 * x, 2 * x]),
        "C_d": np.diag([2 * y, 2 * y]),
        r"\delta x_i": np.array([1.0, 0.3]) * np.cos(0.7),
        r"\delta x_d": np.array([1.0, 0.3]) * np.sin(0.7),
    }


def wobbling(nb):
    """Return the disc that rolls upright, with the rates that its equations give."""
    sizes = {name: nb.in_disc[name] for name in "mrg"}
    square = sizes["m"] * sizes["r"] ** 2
    states = sm.symbols("q_2 u_1 u_3")
    rates = sm.Matrix(nb.wobble) * sm.Matrix(states)
    inertia = {"I_a": square / 2, "I_d": square / 4}
    turning = {r"\dot u_1": rates[1], r"\dot u_3": rates[2], "u_2": nb.u_2}
    return sizes | {str(state): state for state in states} | inertia | turning


def steering_disc(nb):
    """Return how it turns and leans from a straight start: u_3 is c times the lean."""
    q_2, u_1 = sm.symbols("q_2 u_1")
    c = sm.simplify(sm.Matrix(nb.wobble)[2, 1])  # of u_1 in the rate of u_3
    turned = sm.Matrix(nb.wobble) * sm.Matrix([q_2, u_1, c * q_2])
    return {"u_3": c * q_2, r"\ddot q_2": turned[1]}


def steered(nb):
    lean = nb.phi.diff(nb.t, 2)
    names = {name: getattr(nb, name) for name in "lgvwd"}
    angles = {r"\phi": nb.phi, r"\delta": nb.delta_b}
    return names | angles | {r"\ddot\phi": sm.solve(nb.first_order, lean)[0]}


def best_way(nb):
    """Return the balanced double pendulum, a little off, and what Hamilton's matrix says of it."""
    A, B, R = nb.A_top, nb.B_top, np.array(nb.R_top)
    large = np.block([[A, -B @ np.linalg.inv(R) @ B.T], [-nb.Q, -A.T]])
    dying = schur(large, sort="lhp")[1][:, :4]
    small = np.array([0.1, -0.05, 0.2, 0.3])
    found = {"A": A, "B": B, "R": R, "X": dying[:4], "Y": dying[4:]}
    rates = (A - B @ nb.K) @ small
    moving = {r"\delta x": small, r"\tau": -nb.K @ small, r"\delta\dot x": rates}
    cost = {"V": small @ nb.P @ small, r"\dot V": 2 * small @ nb.P @ rates}
    costate = {"y": nb.P @ small, r"\dot y": nb.P @ rates}
    return named(nb, "P Q") | found | moving | costate | cost


def two_motors(nb):
    """Return a machine with two inputs on its best way: its state and its inputs are columns."""
    B, R = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, -2.0], [-1.0, 3.0]]), np.diag([0.5, 2.0])
    P = solve_continuous_are(nb.A_top, B, nb.Q, R)
    small = np.array([[0.1], [-0.05], [0.2], [0.3]])
    torques = -np.linalg.solve(R, B.T @ P @ small)
    return {"A": nb.A_top, "B": B, "Q": nb.Q, "R": R, "P": P, r"\delta x": small, r"\tau": torques}


def mode(nb):
    """Return the motion that the film shows of a chain's second mode."""
    links = chain(3).free()
    root, shape = linearize(links.equations, np.zeros(6), links.parameters).modes()[1]
    moved, size = nb.function("chain-animation-1-numbers", "mode_motion"), np.abs(shape[:3]).max()
    bent = {r"\delta x": lambda t: moved(root, shape, size, np.array([t]))[0]}
    return bent | {"v": shape, "s": complex(root), "t": 0.7}


def rope(k):
    """Return the k-th way a rope of 1.7 m swings: its upper end stands still."""
    zero, L = jn_zeros(0, k)[-1], 1.7

    def upper_end(omega):
        return j0(2 * omega * np.sqrt(L / 9.81))

    guess = zero / 2 * np.sqrt(9.81 / L)
    found = brentq(upper_end, 0.9 * guess, 1.1 * guess, xtol=1e-14)
    return {r"\omega_k": found, "j_k": zero, "g": 9.81, "L": L}


def tangent():
    """Return the pendulum near a trim point, where the motor holds its weight."""
    arm, weight = pendulum(), 9.81 * np.sin(0.6)
    eom, trimmed, held = arm.equations, np.array([0.6, 0.0]), [weight]
    linear = linearize(eom, trimmed, arm.parameters, inputs={eom.inputs[0]: weight})
    small, push = np.array([2e-6, -3e-6]), np.array([1e-6])
    state, torque = trimmed + small, weight + push[0]
    moved = arm.with_inputs({eom.inputs[0]: torque}).compile()(0.0, state)
    rates = sm.Matrix([*eom.u, *eom.accelerations()]).subs(arm.parameters)
    changes = {r"\delta\dot x": moved, r"\delta x": small, r"\delta r": push}
    there = {"x": At(eom.states, trimmed), "r": At(eom.inputs, held), "f": rates}
    return changes | there | {"x^*": state, "r^*": [torque], "A": linear.A, "B": linear.B}


def weaving_bicycle(nb):
    """Return a motion of the bicycle at 2 m/s, by an eigenvalue as it was published."""
    v, s = 2.0, -8.67387984831735
    stiffness = 9.81 * nb.K_0 + v**2 * nb.K_2
    shape = np.linalg.svd(nb.M_b * s**2 + v * nb.C_1 * s + stiffness)[2][-1] * 1e-4
    moving = {"q": shape, r"\dot q": s * shape, r"\ddot q": s**2 * shape}
    return named(nb, "C_1 K_0 K_2") | moving | {"M": nb.M_b, "g": 9.81, "v": v}
