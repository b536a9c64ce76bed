"""Chapter 7."""

import numpy as np
import sympy as sm
from scipy.linalg import schur, solve_continuous_are
from scipy.optimize import brentq
from scipy.special import j0, jn_zeros

from tests.notebooks.formulas import in_numbers, named
from tests.notebooks.meanings import At
from tutlib import EquationsOfMotion
from tutlib.mechanics import linearize
from tutlib.models import bicycle, chain, double_pendulum, pendulum


def displayed(nb):
    return {
        ("tangent", 0): tangent(),
        ("arm-sketch-after", 0): rusty(),
        ("friction", 0): [honey(sign) for sign in (1, -1)],
        "eigenvalues": hanging(),
        "naive-hand": on_a_circle(nb),
        ("eliminate", 0): along_a_circle(),
        **dict.fromkeys(("disc-moments", "disc-eigen"), wobbling(nb)),
        ("disc-moments", 2): steering_disc(nb),
        "steered-hand": steered(nb),
        "bicycle": weaving_bicycle(nb),
        ("lqr", 0): [{}, two_motors(nb)],
        **dict.fromkeys(("lqr", "hamilton"), best_way(nb)),
        "provable": best_way(nb) | {"K": nb.K},
    }


def inline(nb):
    arm, near = pendulum().free(), tangent()
    s, c, hanging_up = np.sin(0.7), np.cos(0.7), {"g": nb.g_up, "l": nb.l_rod}
    circle = {"x": 1.3 * s, "y": -1.3 * c, "l": 1.3}
    shift, cart = np.array([0.3, -0.8]), nb.said("cart-check", "[x_cart, tilt_bob]")
    kept = nb.N @ np.linalg.solve(nb.N[nb.independent_rows], shift)
    return {
        **{
            rf"{z} = {z}^* + \delta {z}": {
                f"{z}^*": near[z].numbers,
                z: near[f"{z}^*"],
                rf"\delta {z}": near[rf"\delta {z}"],
            }
            for z in "xr"
        },
        r"x = [\theta, \dot\theta]": {"x": arm.equations.states, r"\theta": arm.equations.q[0]},
        r"s = \pm\mathrm i\sqrt{g/l}": [
            {"s": sign * 1j * abs(hanging()["s"]), r"\pm": sign} for sign in (1, -1)
        ],
        r"x^2 + y^2 = l^2": circle,
        r"\omega = \sqrt{g/l}": hanging_up | {r"\omega": sm.sqrt(-nb.A_right[1, 0])},
        r"C = \partial[\varphi, \dot\varphi]/\partial x": constraint_slopes(nb),
        r"M\dot u = F": in_numbers(chain(2), [0.7, -1.1, 0.4, 1.3]),
        r"M\,\delta\dot u = \delta F - \delta M\,\dot u": both_sides(),
        r"I_d\,u_3 = -I_a\,u_2 q_2": steering_disc(nb),
        r"q = (\phi, \delta)": steered(nb) | {"q": bicycle().equations.q},
        r"\delta x = D\,\delta x_i": {r"\delta x": kept, "D": nb.D, r"\delta x_i": shift},
        r"2x\,\delta x + 2y\,\delta y = 0": circle | {r"\delta x": 0.3 * c, r"\delta y": 0.3 * s},
        r"\delta x(t) = \operatorname{Re}\,v\,e^{st}": mode(nb),
        r"\omega_k = \tfrac12 j_k\sqrt{g/L}": [rope(k) for k in (1, 2, 3)],
        r"q = [x, \theta]": {"q": cart, "x": nb.x_cart, r"\theta": nb.tilt_bob},
        r"x = [q, \dot q]": {"x": cart_states(nb, cart), "q": cart},
        r"\tau = -K\,\delta x": named(nb, "K")
        | {r"\tau": nb.law.subs({nb.tau_max: 1e6, **dict(zip(nb.gains, nb.K[0]))})}
        | {r"\delta x": nb.away},
        r"K = R^{-1} B^\mathsf{T} P": {"K": nb.K, "R": nb.price, "P": nb.P, "B": at_top(nb)},
    }


def terms(nb):
    cost, push, state = np.diag([1.0, 2.0]), np.diag([3.0, 4.0]), np.array([0.3, -0.8])
    paid = state @ cost @ state + 3.0 * 0.7**2 + 4.0 * 0.2**2
    return {
        r"s\,(s^2 + \tfrac45(3u_2^2 - g/r))": {"s": nb.s, "=": nb.polynomial},
        r"\int \delta x^\mathsf{T} Q\,\delta x + r^\mathsf{T} R\,r\;\mathrm dt": {
            r"\delta x": state,
            "Q": cost,
            "r": np.array([0.7, 0.2]),
            "R": push,
            "=": paid * nb.t,
        },
        r"l - l\cos\theta": {"l": 1.3, r"\theta": 0.7, "=": 1.3 * height(0.7)},
        r"J N - N a": {"J": nb.J_numbers, "N": nb.N, "a": 3 * nb.small, "=": -2 * nb.N @ nb.small},
        r"v\,(v\,\delta + d\,\dot\delta)/w": {"=": nb.swerve},
    }


def hanging():
    """Return one mode of a pendulum that hangs."""
    sizes = {"m": 1.0, "l": 2.0, "g": 9.81}
    linear = linearize(pendulum().free().equations, [0, 0], sizes)
    (root, shape), *_ = linear.modes()
    return sizes | {"A": linear.A, "v": shape, "s": complex(root)}


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


def both_sides():
    p = sm.Symbol("p")
    M, F = sm.Matrix([[2 + p**2, p], [p, 3]]), sm.Matrix([sm.sin(p), 2 + p])
    rate = M.inv() * F
    changes = {r"\delta\dot u": rate.diff(p), r"\delta F": F.diff(p), r"\delta M": M.diff(p)}
    return changes | {"M": M, r"\dot u": rate}


def height(angle):
    """Return how much higher a pendulum of 1 m is than at rest, by its energy."""
    arm = pendulum()
    weight = sm.Mul(*(symbol for symbol in arm.parameters if str(symbol) in "mg"))
    place = {arm.equations.q[0]: angle, **arm.parameters}
    return float((arm.potential_energy / weight).subs(place))


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
    moved, size = nb.function("chain-animation-1", "mode_motion"), np.abs(shape[:3]).max()
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
