"""Every exercise of every chapter: its answer in any form, its misconceptions, and no wrong one.

FORMS holds, for each exercise, at least three further forms of the right answer.
"""

import importlib
import math
import pkgutil
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import nbformat
import numpy as np
import pytest
import scipy.integrate
import scipy.linalg
import scipy.stats
import sympy as sm
import sympy.physics.mechanics as me
from scipy.linalg import expm
from scipy.optimize import root
from scipy.spatial.transform import Rotation

import course.exercises
from course import check
from course.desk import course_notebooks
from course.judge import Array, Choice, Equation, Expression, Function, Number
from tests.course.hints.double_pendulum import counterweight as string_and_weight
from tests.course.hints.double_pendulum import ring as ring_and_rod
from tests.course.hints.holonomic_constraints import by_the_crank_alone
from tests.course.hints.holonomic_constraints import rows as bob_rows
from tests.course.hints.holonomic_constraints import slider_crank as crank_and_rod
from tests.course.hints.holonomic_constraints import torque as even_torque
from tests.course.hints.holonomic_constraints import wheels as coupled_pin
from tests.course.hints.kane import cart as cart_and_rod
from tests.course.hints.kane import sleigh as sleigh_the_other_way
from tests.course.hints.linearization import arm as arm_from_upright
from tests.course.hints.pendulum import carousel as turned_arm
from tests.course.hints.pendulum import gains as gains_for_100
from tests.course.hints.pendulum import metronome
from tests.course.hints.relative_vs_absolute import by_links as links_one_by_one
from tests.course.hints.relative_vs_absolute import slider as block_and_rods
from tests.course.hints.your_own_machine import drum as drum_from_the_level
from tutlib.mechanics import ConstrainedEquations, EquationsOfMotion
from tutlib.methods import EULER, KUTTA3, RK4, ButcherTableau, step
from tutlib.models import chain, chain_recursion
from tutlib.reading.names import leaves
from tutlib.spaces import SE3, SO3, Sphere, TangentSphere, hat

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = {
    module.name: importlib.import_module(f"course.exercises.{module.name}")
    for module in pkgutil.iter_modules(course.exercises.__path__)
}
EXERCISES = {e.name: e for chapter in CHAPTERS.values() for e in chapter.EXERCISES}
WITHOUT_PICTURES = {name: replace(e, reveal=None) for name, e in EXERCISES.items()}
MISTAKES = [(e.name, k) for e in EXERCISES.values() for k in range(len(e.misconceptions))]
SYMBOLIC = [name for name, e in EXERCISES.items() if isinstance(e.answer, Expression)]
NUMERIC = [name for name, e in EXERCISES.items() if isinstance(e.answer, Number | Array)]

# A reader's own symbols: the same names, no assumptions.
t = sm.Symbol("t")
theta, tau = (sm.Function(name)(t) for name in ("theta", "tau"))
m, l, g, m_L, b, kp, kd, theta_d = sm.symbols("m l g m_L b k_p k_d theta_d")
omega, alpha = theta.diff(t), theta.diff(t, 2)
loaded = (m / 3 + m_L) * l**2 * alpha + (m / 2 + m_L) * g * l * sm.sin(theta)
q1, q2, tau1, tau2, Fx, Fy = (
    sm.Function(name)(t) for name in ("theta_1", "theta_2", "tau_1", "tau_2", "F_x", "F_y")
)
m1, m2, m3, l1, l2, k, beta = sm.symbols("m_1 m_2 m_3 l_1 l_2 k beta")
(w1, w2), (a1, a2) = ([q.diff(t, order) for q in (q1, q2)] for order in (1, 2))


def metronome_by_two_places():
    """Return two masses at any places, and the rod through the hinge that holds them."""
    x, y, X, Y, torque = me.dynamicsymbols("x y X Y tau")
    T = (m1 * (x.diff() ** 2 + y.diff() ** 2) + m2 * (X.diff() ** 2 + Y.diff() ** 2)) / 2
    V = g * (m1 * y + m2 * Y)
    pushes = {x: -torque * y / l1**2, y: torque * x / l1**2}
    free = EquationsOfMotion.from_lagrangian(T, V, [x, y, X, Y], pushes)
    rod = [x**2 + y**2 - l1**2, X + l2 / l1 * x, Y + l2 / l1 * y]
    return ConstrainedEquations(free, rod), {"x_1": x, "y_1": y, "x_2": X, "y_2": Y, "E": T + V}


def metronome_by_sympy():
    """Return a metronome by SymPy's class, the angle from straight up, twice as large."""
    q, torque = me.dynamicsymbols("q tau")
    x, y = -sm.sin(q / 2), sm.cos(q / 2)
    T = (m1 * l1**2 + m2 * l2**2) * q.diff() ** 2 / 8
    V = g * (m2 * l2 - m1 * l1) * y
    N = me.ReferenceFrame("N")
    turned = N.orientnew("A", "Axis", [q / 2, N.z])
    method = me.LagrangesMethod(T - V, [q], forcelist=[(turned, torque * N.z)], frame=N)
    method.form_lagranges_equations()
    outputs = {"x_1": -l1 * x, "y_1": -l1 * y, "x_2": l2 * x, "y_2": l2 * y, "E": T + V}
    return method, outputs


def arc_on_a_carousel():
    """Return an arm on a carousel by the length of its arc."""
    s = me.dynamicsymbols("s")
    T = m * (s.diff() ** 2 + (sm.Symbol("Omega") * l * sm.sin(s / l)) ** 2) / 2
    V = m * g * l * (1 - sm.cos(s / l))
    equations = EquationsOfMotion.from_lagrangian(T, V, [s])
    return equations, {"r": l * sm.sin(s / l), "y": -l * sm.cos(s / l)}


def carousel_seen_from_outside():
    """Return an arm on a carousel by its place in space, whose velocity is squared."""
    q, Omega = me.dynamicsymbols("q"), sm.Symbol("Omega")
    r, y = l * sm.cos(q), l * sm.sin(q)
    place = sm.Matrix([r * sm.cos(Omega * t), y, r * sm.sin(Omega * t)])
    T = m * sm.simplify(place.diff(t).dot(place.diff(t))) / 2
    return EquationsOfMotion.from_lagrangian(T, m * g * y, [q]), {"r": r, "y": y}


def ring_from_the_wire(times=1):
    """Return a ring on a wire, in axes along the wire and across, so many times from across."""
    s, q = me.dynamicsymbols("s q")
    m_0, slope = sm.symbols("m_0 beta")
    along, across = s + l * sm.sin(times * q), -l * sm.cos(times * q)
    T = (m_0 * s.diff() ** 2 + m * (along.diff(t) ** 2 + across.diff(t) ** 2)) / 2
    ring, mass = (
        (u * sm.cos(slope) + v * sm.sin(slope), -u * sm.sin(slope) + v * sm.cos(slope))
        for u, v in ((s, 0), (along, across))
    )
    V = m_0 * g * ring[1] + m * g * mass[1]
    outputs = dict(zip(("x_r", "y_r", "x_p", "y_p", "E"), (*ring, *mass, T + V + 3 * m * g * l)))
    return EquationsOfMotion.from_lagrangian(T, V, [s, q]), outputs


def two_masses_and_a_string():
    """Return two masses at any places, and the string that holds them."""
    x, y, h = me.dynamicsymbols("x y h")
    T = (m1 * h.diff() ** 2 + m2 * (x.diff() ** 2 + y.diff() ** 2)) / 2
    V = g * (m1 * h + m2 * y)
    string = sm.sqrt(x**2 + y**2) - h - sm.Symbol("c")
    loop = ConstrainedEquations(EquationsOfMotion.from_lagrangian(T, V, [x, y, h]), [string])
    return loop, {"x_2": x, "y_2": y, "y_1": h, "E": T + V}


def double_of_the_length():
    """Return a swinging counterweight by twice the length of its string."""
    z, q = me.dynamicsymbols("z q")
    x, y, h = z / 2 * sm.sin(q), -z / 2 * sm.cos(q), z / 2 - sm.Symbol("c")
    T = (m1 * h.diff(t) ** 2 + m2 * (x.diff(t) ** 2 + y.diff(t) ** 2)) / 2
    V = g * (m1 * h + m2 * y)
    return EquationsOfMotion.from_lagrangian(T, V, [z, q]), {
        "x_2": x, "y_2": y, "y_1": h, "E": T + V,
    }  # fmt: skip


def reach_by_law_of_cosines(x, y):
    distance = math.hypot(x, y)
    corner = math.acos(min(distance / 2, 1))  # between the first link and the way to the goal
    shoulder = math.atan2(x, -y) - corner
    return [(shoulder + math.pi) % (2 * math.pi) - math.pi, 2 * corner]


def reach_by_complex_numbers(x, y):
    goal = complex(-y, x)
    bend = 2 * np.arccos(np.clip(abs(goal) / 2, -1, 1))
    return np.array([np.angle(goal / (1 + np.exp(1j * bend))), bend])


def reach_by_half_angle(x, y):
    r2 = x**2 + y**2
    bend = 2 * np.arctan2(np.sqrt(max(4 - r2, 0)), np.sqrt(r2))
    shoulder = np.arctan2(x, -y) - bend / 2
    return np.arctan2(np.sin(shoulder), np.cos(shoulder)), bend


def summed_by_hand(x):
    n = len(x) // 2
    return [sum(x[: i + 1]) for i in range(n)] + [sum(x[n : n + i + 1]) for i in range(n)]


def summed_by_matrix(x):
    return np.kron(np.eye(2), np.tril(np.ones((len(x) // 2,) * 2))) @ x


def summed_by_rows(x):
    return np.cumsum(np.reshape(x, (2, -1)), axis=1).ravel()


def links_by_model(theta, omega, l, d, m, inertia):
    """Return accelerations by the equations that are derived."""
    values = {"l": l, "d": d, "m": m, "In": inertia}
    known = {f"{name}_{k}": v for name, every in values.items() for k, v in enumerate(every, 1)}
    links = chain(len(theta)).free().with_parameters(known)
    return links.compile()(0.0, np.concatenate([theta, omega]))[len(theta) :]


def links_by_recursion(theta, omega, l, d, m, inertia):
    """Return accelerations without a mass matrix."""
    values = {"l": l, "d": d, "m": m, "In": inertia}
    known = {f"{name}_{k}": v for name, every in values.items() for k, v in enumerate(every, 1)}
    rhs = chain_recursion(len(theta), values=known)
    return rhs(0.0, np.concatenate([theta, omega]))[len(theta) :]


def slider_with_energy_from_below():
    equations, outputs = block_and_rods()
    return equations, {**outputs, "E": outputs["E"] + 7}


def slider_of_three_points():
    """Return a block and two points at any places, and the rods that bind them."""
    s, a, b, c, e, F, torque = me.dynamicsymbols("s a b c e F_x tau")
    mass, mass_1, mass_2, l_1, l_2, weight = sm.symbols("m_0 m_1 m_2 l_1 l_2 g")
    T = (mass * s.diff() ** 2 + mass_1 * (a.diff() ** 2 + b.diff() ** 2)) / 2
    T += mass_2 * (c.diff() ** 2 + e.diff() ** 2) / 2
    V = weight * (mass_1 * b + mass_2 * e)
    bend = sm.atan2(c - a, b - e) - sm.atan2(a - s, -b)
    places = [s, a, b, c, e]
    forces = {q: (F * s + torque * bend).diff(q) for q in places}
    equations = EquationsOfMotion.from_lagrangian(T, V, places, forces)
    rods = [(a - s) ** 2 + b**2 - l_1**2, (c - a) ** 2 + (e - b) ** 2 - l_2**2]
    outputs = {"x_0": s, "x_1": a, "y_1": b, "x_2": c, "y_2": e, "E": T + V}
    return ConstrainedEquations(equations, rods), outputs


def gymnast_by_chain(orientation="absolute"):
    """Return three links of the course, as uniform rods that hang freely."""
    rods = chain(3, orientation)
    kept = {str(s): s for s in rods.parameters}
    uniform = {kept[f"d_{i}"]: sm.S.Half for i in (1, 2, 3)}
    uniform |= {kept[f"In_{i}"]: kept[f"m_{i}"] * kept[f"l_{i}"] ** 2 / 12 for i in (1, 2, 3)}
    uniform |= {kept["X_0"]: 0, kept["Y_0"]: 0} if "X_0" in kept else {}
    eom = rods.with_inputs({"F_x": 0, "F_y": 0, "tau_1": 0}).equations
    ends = {f"{z}_{i}": p for i in (1, 2, 3) for z, p in zip("xy", rods.skeleton.points[i])}
    outputs = {**ends, "E": rods.kinetic_energy + rods.potential_energy}
    equations = EquationsOfMotion(
        eom.q, eom.u, eom.mass_matrix.subs(uniform), eom.forcing.subs(uniform)
    )
    return equations, {name: sm.sympify(e).subs(uniform) for name, e in outputs.items()}


def gymnast_in_relative_angles():
    return gymnast_by_chain("relative")


def gymnast_by_ends():
    """Return the ends of three rods at any places, and what keeps their lengths."""
    places = me.dynamicsymbols("a b c d e f")
    g, *sizes = sm.symbols("g m_1 m_2 m_3 l_1 l_2 l_3")
    ends = [sm.zeros(2, 1), *(sm.Matrix(places[i : i + 2]) for i in (0, 2, 4))]
    T, V, angles, rods = 0, 0, [], []
    for m, l, top, end in zip(sizes[:3], sizes[3:], ends, ends[1:]):
        v, w, rod = top.diff(t), end.diff(t), end - top
        T += m * (v.dot(v) + v.dot(w) + w.dot(w)) / 6  # of a uniform rod, by its ends
        V += m * g * (top[1] + end[1]) / 2
        angles.append(sm.atan2(rod[0], -rod[1]))
        rods.append(rod.dot(rod) - l**2)
    tau_2, tau_3 = me.dynamicsymbols("tau_2 tau_3")
    work = tau_2 * (angles[1] - angles[0]) + tau_3 * (angles[2] - angles[1])
    forces = {q: work.diff(q) for q in places}
    equations = EquationsOfMotion.from_lagrangian(T, V, places, forces)
    names = ["x_1", "y_1", "x_2", "y_2", "x_3", "y_3"]
    return ConstrainedEquations(equations, rods), {**dict(zip(names, places)), "E": T + V}


def sleigh_by_its_center():
    """Return a sleigh by the place of its center, with twice the speed of its blade as a speed."""
    X, Y, phi, s, w, F = me.dynamicsymbols("X Y phi s w F")
    m, J, a = sm.symbols("m J a")
    equations = EquationsOfMotion(
        [X, Y, phi],
        [s, w],
        sm.diag(m / 2, J + m * a**2),
        sm.Matrix([F + m * a * w**2, -m * a * s * w / 2]),
        sm.Matrix([
            [sm.cos(phi) / 2, -a * sm.sin(phi)], [sm.sin(phi) / 2, a * sm.cos(phi)], [0, 1],
        ]),
    )  # fmt: skip
    place = {"x_b": X - a * sm.cos(phi), "y_b": Y - a * sm.sin(phi), "phi": phi}
    return equations, place | {"E": m * s**2 / 8 + (J + m * a**2) * w**2 / 2}


def sleigh_by_bodies():
    """Return a sleigh by its bodies' velocities, with the heading counted from the y axis."""
    X, Y, turned, v, w, F = me.dynamicsymbols("X Y turned v w F")
    m, J, a = sm.symbols("m J a")
    N, B, O = me.ReferenceFrame("N"), me.ReferenceFrame("B"), me.Point("O")
    B.orient_axis(N, turned, N.z)
    B.set_ang_vel(N, w * N.z)
    O.set_vel(N, v * B.y)
    G = O.locatenew("G", a * B.y)
    G.v2pt_theory(O, N, B)
    body = me.RigidBody("sleigh", G, B, m, (me.inertia(B, 0, 0, J), G))
    equations = EquationsOfMotion.from_bodies(
        [body], [X, Y, turned], N, [(O, F * B.y)], u=[v, w],
        kinematic_matrix=sm.Matrix([[-sm.sin(turned), 0], [sm.cos(turned), 0], [0, 1]]),
    )  # fmt: skip
    place = {"x_b": X, "y_b": Y, "phi": turned + sm.pi / 2}
    return equations, place | {"E": body.kinetic_energy(N)}


def euler_by_hand(f, t, x, h):
    return [value + h * rate for value, rate in zip(x, f(t, x))]


def euler_by_tableau(f, t, x, h):
    return step(f, t, x, h, EULER)


def euler_in_a_copy(f, t, x, h):
    x = np.array(x)
    x += h * np.asarray(f(t, x))
    return x


def rk4_in_a_loop(f, t, x, h):
    total, k = 0 * x, 0 * x
    for weight, c in ((1, 0), (2, 0.5), (2, 0.5), (1, 1)):
        k = np.asarray(f(t + c * h, x + c * h * k))
        total = total + weight * k
    return x + h * total / 6


def rk4_as_a_list(f, t, x, h):
    k1 = f(t, x)
    k2 = f(t + h / 2, np.array([a + h * k / 2 for a, k in zip(x, k1)]))
    k3 = f(t + h / 2, np.array([a + h * k / 2 for a, k in zip(x, k2)]))
    k4 = f(t + h, np.array([a + h * k for a, k in zip(x, k3)]))
    return [a + h * (b + 2 * c + 2 * d + e) / 6 for a, b, c, d, e in zip(x, k1, k2, k3, k4)]


def rk4_by_tableau(f, t, x, h):
    return step(f, t, x, h, RK4)


w, h, v, x0, v0, a0, tol, err, p, xx = sm.symbols("omega h v x_0 v_0 a_0 tolerance error p x")
th, speed = me.dynamicsymbols("theta u")
th1, th2, yaw, lean = me.dynamicsymbols("theta_1 theta_2 q_1 q_2")
xt, yt, vx, vy = me.dynamicsymbols("x y v_x v_y")
km, kl, kg, km2, kl1, kl2 = sm.symbols("m l g m_2 l_1 l_2", positive=True)
kr, tilt = sm.Symbol("r", positive=True), me.dynamicsymbols("q_2")
spun = me.dynamicsymbols("u_1:4")


def cart_by_vectors():
    """Return a cart with a pendulum by SymPy's class, the angle from straight up."""
    q, v, turn, F = me.dynamicsymbols("q v w F")
    s, (mass_c, mass_p) = me.dynamicsymbols("s"), sm.symbols("M m")
    N, A, C = me.ReferenceFrame("N"), me.ReferenceFrame("A"), me.Point("C")
    A.orient_axis(N, q, N.z)
    A.set_ang_vel(N, turn * N.z)
    C.set_vel(N, v * N.x)
    P = C.locatenew("P", l * A.y)
    P.v2pt_theory(C, N, A)
    method = me.KanesMethod(N, [s, q], [v, turn], kd_eqs=[s.diff() - v, q.diff() - turn])
    bodies = [me.Particle("C", C, mass_c), me.Particle("P", P, mass_p)]
    method.kanes_equations(bodies, [(C, F * N.x), (P, -mass_p * g * N.y)])
    energy = sum(body.kinetic_energy(N) for body in bodies) + mass_p * g * l * sm.cos(q)
    places = {"x_c": s, "x_p": s - l * sm.sin(q), "y_p": l * sm.cos(q)}
    return method, {**places, "E": energy}


def cart_of_two_speeds():
    """Return a cart and a bob at places of their own, by the speeds of the cart and the bob."""
    loop, outputs = cart_and_rod()
    return loop.with_independent_speeds(loop.equations.u[:2]), outputs


KANE = {
    "kane-1": [
        -2 * km * kg * kl * sm.sin(th / 2) * sm.cos(th / 2),
        km * kg * kl * sm.sin(-th),
        -km * kg * kl * sm.cos(th - sm.pi / 2),
    ],
    "kane-2": [kg * sm.sin(-th), -(kg * km * sm.sin(th)) / km, kg * sm.cos(th + sm.pi / 2)],
    "kane-3": [
        -(km * kl**2 / 4 + km * kl**2 / 12) * speed.diff(),
        -km * (kl / 2) ** 2 * speed.diff() * sm.Rational(4, 3),
        -sm.Rational(1, 3) * km * kl * kl * sm.Derivative(speed, me.dynamicsymbols._t),
    ],
    "kane-4": ["C", "c.", "(c)"],
    "kane-5": [
        km * kl * speed**2 + km * kg * sm.cos(th),
        km * kg * sm.sin(th + sm.pi / 2) + km / kl * (kl * speed) ** 2,
        km * (kg * (1 - 2 * sm.sin(th / 2) ** 2) + kl * speed * speed),
    ],
    "kane-6": [
        km2 * kl1 * kl2 * sm.cos(th2 - th1),
        km2 * kl1 * kl2 * (sm.cos(th1) * sm.cos(th2) + sm.sin(th1) * sm.sin(th2)),
        km2 * kl1 * kl2 * (1 - 2 * sm.sin((th1 - th2) / 2) ** 2),
    ],
    "kane-7": [
        sm.cos(-lean) * yaw.diff(),
        yaw.diff() * sm.sin(lean + sm.pi / 2),
        yaw.diff() * (2 * sm.cos(lean / 2) ** 2 - 1),
    ],
    "kane-8": [
        vx**2 + vy**2 + xt * vx.diff() + yt * vy.diff(),
        (xt * vx + yt * vy).diff().subs({xt.diff(): vx, yt.diff(): vy}),
        (vx + vy) ** 2 - 2 * vx * vy + xt * vx.diff() + yt * vy.diff(),
    ],
    "kane-9": [cart_by_vectors, cart_and_rod, cart_of_two_speeds],
    "kane-10": [
        sm.tan(tilt) * spun[0] * spun[2] - 2 * spun[0] * spun[1],
        spun[0] * (spun[2] * sm.sin(tilt) / sm.cos(tilt) - spun[1] - spun[1]),
        -spun[0] * (2 * spun[1] - spun[2] * sm.tan(tilt)),
    ],
    "kane-11": [
        km * kg - km * kr * (spun[0].diff() * sm.sin(tilt) + sm.cos(tilt) * spun[0] ** 2),
        km * (kg - kr * (sm.sin(tilt) * spun[0]).diff().subs(tilt.diff(), spun[0])),
        km * (kg - kr * spun[0].diff() * sm.sin(tilt)) - km * kr * spun[0] ** 2 * sm.cos(tilt),
    ],
    "kane-12": [24.6, 24.64, sm.Rational(2464, 100)],
    "kane-13": ["E", " e.", "(e)"],
    "kane-14": [sleigh_the_other_way, sleigh_by_its_center, sleigh_by_bodies],
}


def radially(place, l):
    x, y = place
    factor = (x**2 + y**2 + l**2) / (2 * (x**2 + y**2))
    return [x * factor, y * factor]


def by_least_squares(place, l):
    gap = (np.dot(place, place) - l**2) / 2
    return place - np.linalg.lstsq(np.array([place]), [gap])[0]


def by_pseudoinverse(place, l):
    gap = (np.dot(place, place) - l**2) / 2
    return place - np.linalg.pinv(np.array([place]))[:, 0] * gap


def pin_and_slider():
    """Return the crank's pin and the slider at places of their own, and what binds them."""
    x_1, y_1, x_2, motor = me.dynamicsymbols("x_1 y_1 x_2 tau")
    length_a, length_b, pin, slider = sm.symbols("l_a l_b m_1 m_2")
    T = (pin * (x_1.diff() ** 2 + y_1.diff() ** 2) + slider * x_2.diff() ** 2) / 2
    V = pin * g * y_1
    forces = {x_1: -motor * y_1 / length_a**2, y_1: motor * x_1 / length_a**2}
    equations = EquationsOfMotion.from_lagrangian(T, V, [x_1, y_1, x_2], forces)
    bound = [x_1**2 + y_1**2 - length_a**2, (x_2 - x_1) ** 2 + y_1**2 - length_b**2]
    outputs = {"x_1": x_1, "y_1": y_1, "x_2": x_2, "E": T + V}
    return ConstrainedEquations(equations, bound), outputs


def bob_by_matrices(x, rates):
    """Return the residual of a bob with its gradient as a row."""
    q, u, G = x[:2], x[2:4], x[None, :2]
    first = rates[:2] - u - G.T @ x[5:]
    second = rates[2:4] - [0, -9.81] - G.T @ x[4:5]
    return np.concatenate([first, second, [(q @ q - 4) / 2], G @ u])


def torque_by_virtual_work(q, speed):
    """Return the torque by the places of the particles, differentiated twice along the motion."""
    angle = sm.Symbol("a", real=True)
    pin = sm.Matrix([sm.cos(angle), sm.sin(angle)]) * sm.Rational(4, 5)
    way = sm.Matrix([2, 0]) - pin
    far = sm.sqrt(way.dot(way))
    reach, side = (3 + far**2) / (2 * far), int(np.sign(-np.sin(q[2])))
    joint = pin + reach / far * way
    joint += side * sm.sqrt(4 - reach**2) / far * sm.Matrix([-way[1], way[0]])
    power = sum(
        r.diff(angle).dot(r.diff(angle, 2) * speed**2 + sm.Matrix([0, sm.Float("9.81")]))
        for r in (pin, joint)
    )
    return float(power.subs(angle, q[0]))


def rod_by_its_middle():
    """Return coupled wheels by the place of the rod's middle, on a circle."""
    x, y, motor = me.dynamicsymbols("x y tau")
    l_a, l_n, rod, pin, other = sm.symbols("l_a l_n m m_1 m_2")
    whole, square = rod + pin + other, x.diff() ** 2 + y.diff() ** 2
    T, V = whole * square / 2, whole * g * y
    pushes = {x: -motor * y / l_a**2, y: motor * (x - l_n / 2) / l_a**2}
    free = EquationsOfMotion.from_lagrangian(T, V, [x, y], pushes)
    loop = ConstrainedEquations(free, [(x - l_n / 2) ** 2 + y**2 - l_a**2])
    pins = {"x_1": x - l_n / 2, "y_1": y, "x_2": x + l_n / 2, "y_2": y}
    return loop, {**pins, "E": T + V}


def wheel_by_its_arc():
    """Return coupled wheels by twice the angle of a crank from straight down."""
    q, motor = me.dynamicsymbols("q tau")
    l_a, l_n, rod, pin, other = sm.symbols("l_a l_n m m_1 m_2")
    x, y = l_a * sm.sin(q / 2), -l_a * sm.cos(q / 2)
    T = (rod + pin + other) * l_a**2 * q.diff() ** 2 / 8
    V = (rod + pin + other) * g * y
    equations = EquationsOfMotion.from_lagrangian(T, V, [q], {q: motor / 2})
    return equations, {"x_1": x, "y_1": y, "x_2": x + l_n, "y_2": y, "E": T + V}


j1, j2, j3, uu1 = me.dynamicsymbols("q_1 q_2 q_3 u_1")
ln, lc, lb, la = sm.symbols("l_n l_c l_b l_a", positive=True)
ts, al, p0 = sm.symbols("t_s alpha phi_0", positive=True)
chain_x = la * sm.cos(j1) + lb * sm.cos(j1 + j2) + lc * sm.cos(j1 + j2 + j3) - ln
chain_y = la * sm.sin(j1) + lb * sm.sin(j1 + j2) + lc * sm.sin(j1 + j2 + j3)
LINKAGE = {
    "holonomic-constraints-1": [
        [chain_x, chain_y],
        sm.Matrix([sm.expand(chain_x, trig=True), sm.expand(chain_y, trig=True)]),
        np.array([chain_x, chain_y]),
    ],
    "holonomic-constraints-2": [
        [-39.65095, 151.38363],
        np.array([-39.6509516, 151.3836336]),
        sm.Matrix([sm.Float("-39.650952"), sm.Float("151.383634")]).flat(),
    ],
    "holonomic-constraints-3": [
        lc * sm.sin(j3) * lb,
        lb * lc * (sm.sin(j1 + j3) * sm.cos(j1) - sm.cos(j1 + j3) * sm.sin(j1)),
        -lb * lc * sm.sin(-j3),
    ],
    "holonomic-constraints-4": [
        -uu1 - uu1 * la * sm.sin(j2 + j3) / (lb * sm.sin(j3)),
        -uu1 * (lb * sm.sin(j3) + la * sm.sin(j2 + j3)) / (lb * sm.sin(j3)),
        -uu1 * (1 + la / lb * (sm.sin(j2) / sm.tan(j3) + sm.cos(j2))),
    ],
    "holonomic-constraints-5": ["B", "b.", "(b)"],
    "holonomic-constraints-6": [radially, by_least_squares, by_pseudoinverse],
    "holonomic-constraints-7": [
        p0 * sm.exp(-al * ts) + p0 * al * ts * sm.exp(-al * ts),
        p0 * (1 + al * ts) / sm.exp(al * ts),
        (p0 + al * p0 * ts) * sm.exp(-ts * al),
    ],
    "holonomic-constraints-8": [[1, 2], (1, 2), np.array([1, 2])],
    "holonomic-constraints-9": [crank_and_rod, by_the_crank_alone, pin_and_slider],
    "holonomic-constraints-10": [bob_rows, bob_by_matrices, lambda x, v: tuple(bob_rows(x, v))],
    "holonomic-constraints-11": [
        even_torque,
        torque_by_virtual_work,
        lambda q, u: np.float64(even_torque(q, u)),
    ],
    "holonomic-constraints-12": [
        [1, 0, 0, 1, 0],
        (True, False, False, True, False),
        np.array([1, 0, 0, 1, 0]),
    ],
    "holonomic-constraints-13": [[2.5, 1], np.array([2.501, 1.0]), [sm.Rational(5, 2), sm.S.One]],
    "holonomic-constraints-14": [coupled_pin, rod_by_its_middle, wheel_by_its_arc],
}
gl, ll, mm, MM, rr, dd, vv, ww = sm.symbols("g l m M r delta v w", positive=True)
t0 = sm.Symbol("theta_0", real=True)


def by_scipy(A, B, Q, R):
    P = scipy.linalg.solve_continuous_are(A, B, Q, R)
    return np.linalg.inv(R) @ B.T @ P


def by_hamiltonian(A, B, Q, R):
    n = len(A)
    H = np.block([[A, -B @ np.linalg.solve(R, B.T)], [-Q, -A.T]])
    values, vectors = np.linalg.eig(H)
    stable = vectors[:, values.real < 0]
    P = np.real(stable[n:] @ np.linalg.inv(stable[:n]))
    return np.linalg.solve(R, B.T @ P)


def by_newton(A, B, Q, R):
    K = by_hamiltonian(A, B, Q, R)
    closed = A - B @ K
    P = scipy.linalg.solve_continuous_lyapunov(closed.T, -(Q + K.T @ R @ K))
    return np.linalg.solve(R, B.T @ P)


def by_null_space(J, C, independent):
    N = scipy.linalg.null_space(C)
    return (J @ N @ np.linalg.inv(N[independent]))[independent]


def by_elimination(J, C, independent):
    dependent = np.setdiff1d(np.arange(len(J)), independent)
    follow = np.linalg.solve(C[:, dependent], C[:, independent])
    return J[np.ix_(independent, independent)] - J[np.ix_(independent, dependent)] @ follow


def by_bordering(J, C, independent):
    k = len(independent)
    square = np.vstack([np.eye(len(J))[independent], C])
    D = np.linalg.inv(square)[:, :k]
    return np.array([J[i] @ D for i in independent])


def arm_in_space():
    """By the places alone: the first angle counted from the y axis, energies as they come."""
    a, b, tau = me.dynamicsymbols("a b tau")
    l_1, l_2, m_1, m_2, g = sm.symbols("l_1 l_2 m_1 m_2 g", positive=True)
    t = me.dynamicsymbols._t
    out = sm.Matrix([-sm.sin(a), sm.cos(a), 0])
    across = sm.Matrix([-sm.cos(a), -sm.sin(a), 0])
    first = l_1 * out
    second = first + l_2 * (sm.sin(b) * across - sm.Matrix([0, 0, sm.cos(b)]))
    speeds = [sm.simplify(p.diff(t).dot(p.diff(t))) for p in (first, second)]
    T, V = (m_1 * speeds[0] + m_2 * speeds[1]) / 2, m_2 * g * second[2]
    places = dict(zip(("x_1", "y_1", "x_2", "y_2", "z_2"), (*first[:2], *second)))
    equations = EquationsOfMotion.from_lagrangian(T, V, [a, b], {a: tau})
    return equations, places | {"E": T + V}


def arm_by_parts():
    """With the mass matrix written down, and the energy counted from elsewhere."""
    a, b, tau = me.dynamicsymbols("a b tau")
    l_1, l_2, m_1, m_2, g = sm.symbols("l_1 l_2 m_1 m_2 g", positive=True)
    u, w, s, c = a.diff(), b.diff(), sm.sin(b), sm.cos(b)
    both = m_2 * l_1 * l_2 * c
    M = sm.Matrix([[(m_1 + m_2) * l_1**2 + m_2 * (l_2 * s) ** 2, both], [both, m_2 * l_2**2]])
    turned = 2 * m_2 * l_2**2 * s * c * u * w
    F = sm.Matrix([
        tau - turned + m_2 * l_1 * l_2 * s * w**2,
        m_2 * l_2**2 * s * c * u**2 - m_2 * g * l_2 * s,
    ])  # fmt: skip
    E = (sm.Matrix([[u, w]]) * M * sm.Matrix([u, w]))[0] / 2 - m_2 * g * l_2 * c + 7
    x, y = l_1 * sm.cos(a), l_1 * sm.sin(a)
    places = {"x_1": x, "y_1": y, "z_2": -l_2 * c, "E": E}
    places |= {"x_2": x - l_2 * s * sm.sin(a), "y_2": y + l_2 * s * sm.cos(a)}
    return EquationsOfMotion([a, b], [u, w], M, F), places


SMALL = {
    "linearization-1": [
        sm.diff(-gl / ll * sm.sin(t0), t0),
        -gl / ll * sm.sin(t0 + sm.pi / 2),
        gl / ll * (2 * sm.sin(t0 / 2) ** 2 - 1),
    ],
    "linearization-2": [(gl / ll) ** 0.5, gl / sm.sqrt(gl * ll), 1 / sm.sqrt(ll / gl)],
    "linearization-3": ["B", "b.", "(b)"],
    "linearization-4": [
        0.5 * ll * dd**2,
        sm.series(ll * (1 - sm.cos(dd)), dd, 0, 4).removeO(),
        (dd / 2) * dd * ll,
    ],
    "linearization-5": [1.7863, 2 * math.pi / 3.51737, sm.Float(1.786)],
    "linearization-6": [sm.sqrt(gl * rr) / 2, (gl * rr / 4) ** 0.5, rr * sm.sqrt(gl / rr) / 2],
    "linearization-7": [
        [0, 0, 1 / MM, -1 / MM / ll],
        sm.Matrix([0, 0, ll, -1]) / (MM * ll),
        np.array([0, 0, MM**-1, -((MM * ll) ** -1)]),
    ],
    "linearization-8": [by_scipy, by_hamiltonian, by_newton],
    "linearization-9": ["B", "b.", "(b)"],
    "linearization-10": [by_null_space, by_elimination, by_bordering],
    "linearization-11": [(gl / vv) * (ww / vv), gl * ww * vv**-2, sm.sqrt(gl * ww) ** 2 / vv**2],
    "linearization-12": ["B", "b.", "(b)"],
    "linearization-13": [
        lambda torque: [0, 1, 0, 0.1, 0.04 / torque**2],
        lambda torque: np.array([0.002, 65, 0.5, 7.4, 1.76 / torque**2]) * torque,
        lambda torque: (
            0.033 * torque**2,
            99 * torque**2,
            0.02 * torque**2,
            17.6 * torque**2,
            4.28,
        ),
    ],
    "linearization-14": [arm_from_upright, arm_in_space, arm_by_parts],
}


def rodrigues_in_parts(w):
    """Along the axis, across it, and around it."""
    angle = np.linalg.norm(w)
    axis = w / angle if angle else np.array([1.0, 0, 0])
    along = np.outer(axis, axis)
    return along + math.cos(angle) * (np.eye(3) - along) + math.sin(angle) * hat(axis)


def by_quaternion(w):
    return Rotation.from_rotvec(w).as_matrix()


def element_by_parts(q, rate, rate_dot):
    return [*rate, *(hat(q) @ rate_dot)]


def element_with_more(q, rate, rate_dot):
    return np.hstack((rate, -np.cross(rate_dot, q)))


def kutta_by_matrices(f, t, q, h):
    first = h * f(t, q)
    second = h * f(t + h / 2, scipy.linalg.expm(hat(first / 2)) @ q)
    second = SO3.dexp_inverse(first / 2, second)
    end = 2 * second - first
    third = SO3.dexp_inverse(end, h * f(t + h, scipy.linalg.expm(hat(end)) @ q))
    return scipy.linalg.expm(hat((first + 4 * second + third) / 6)) @ q


def kutta_by_rotations(f, t, q, h):
    first = f(t, q)
    second = SO3.dexp_inverse(h / 2 * first, f(t + h / 2, by_quaternion(h / 2 * first) @ q))
    end = -h * first + 2 * h * second
    third = SO3.dexp_inverse(end, f(t + h, by_quaternion(end) @ q))
    return by_quaternion(h * (first / 6 + second * 2 / 3 + third / 6)) @ q


def kutta_by_the_step(f, t, q, h):
    return step(f, t, q, h, KUTTA3, Sphere)


def quaternion_rate_in_parts(z, w):
    return np.array([-w @ z[1:], *(z[0] * w + np.cross(w, z[1:]))]) / 2


def quaternion_rate_by_a_matrix(z, w):
    top = np.concatenate([[0.0], -w])
    return np.vstack([top, np.column_stack([w, hat(w)])]) @ z / 2


def quaternion_rate_by_scipy(z, w):
    def quaternion(h):
        turned = Rotation.from_rotvec(h * w) * Rotation.from_quat([*z[1:], z[0]])
        found = turned.as_quat()
        return np.array([found[3], *found[:3]]) * np.sign(found[3] * z[0] or 1)

    return (8 * (quaternion(1e-4) - quaternion(-1e-4)) - quaternion(2e-4) + quaternion(-2e-4)) / (
        12e-4
    )


def rkmk4_by_the_step(f, t, x, h):
    return step(f, t, x, h, "rk4", TangentSphere)


def rkmk4_in_lines(f, t, x, h):
    back = SE3.dexp_inverse
    first = h * f(t, x)
    second = back(first / 2, h * f(t + h / 2, on_the_bundle(first / 2, x)))
    third = back(second / 2, h * f(t + h / 2, on_the_bundle(second / 2, x)))
    fourth = back(third, h * f(t + h, on_the_bundle(third, x)))
    return on_the_bundle((first + 2 * second + 2 * third + fourth) / 6, x)


def on_the_bundle(mu, x):
    screw = np.zeros((4, 4))
    screw[:3, :3], screw[:3, 3] = hat(mu[:3]), mu[3:]
    moved = scipy.linalg.expm(screw)
    q = moved[:3, :3] @ x[:3]
    return np.concatenate([q, moved[:3, :3] @ x[3:] + hat(moved[:3, 3]) @ q])


def rkmk4_from_a_table(f, t, x, h):
    slopes = []
    for row in ([], [1 / 2], [0, 1 / 2], [0, 0, 1]):
        u = h * sum((w * k for w, k in zip(row, slopes)), np.zeros(6))
        slopes.append(SE3.dexp_inverse(u, f(t + h * sum(row), TangentSphere.flow(u, x))))
    return TangentSphere.flow(h * (np.array([1, 2, 2, 1]) / 6) @ slopes, x)


h_, om, th = sm.symbols("h omega theta", positive=True)
I1, I2, I3 = sm.symbols("J_1 J_2 J_3", positive=True)
CURVED = {
    "lie-group-integrators-1": [
        (1 + h_**2 * om**2) ** 0.5,
        h_ * sm.sqrt(om**2 + h_**-2),
        sm.Abs(1 + sm.I * h_ * om),
    ],
    "lie-group-integrators-2": [rodrigues_in_parts, by_quaternion, lambda w: expm(hat(w))],
    "lie-group-integrators-4": [
        (60 + th**2) / 720,
        sm.Rational(1, 12) * (1 + th**2 / 60),
        th**2 / sm.factorial(6) + sm.Rational(2, 24),
    ],
    "lie-group-integrators-5": ["B", "b.", "(b)"],
    "lie-group-integrators-3": [
        element_by_parts,
        element_with_more,
        lambda q, w, a: np.r_[w, np.cross(q, a)],
    ],
    "lie-group-integrators-6": [
        np.array([[4, 4, 3], [4, 5, 0]]),
        ((4, 4, 3), (4, 5, 0)),
        sm.Matrix([[4, 4, 3], [4, 5, 0]]),
    ],
    "lie-group-integrators-7": [
        sm.sqrt(om**2 * (I2 - I1) / I1 * (I3 - I2) / I3),
        om * sm.sqrt((I1 - I2) * (I2 - I3) / (I1 * I3)),
        om * ((I2 / I1 - 1) * (1 - I2 / I3)) ** 0.5,
    ],
    "lie-group-integrators-8": [kutta_by_matrices, kutta_by_rotations, kutta_by_the_step],
    "lie-group-integrators-9": [
        quaternion_rate_in_parts,
        quaternion_rate_by_a_matrix,
        quaternion_rate_by_scipy,
    ],
    "lie-group-integrators-10": [[0, 0, 0.01], (0, 0, 0.1**2), np.array([0.0, 0.0, 1e-2])],
    "lie-group-integrators-11": [-1 / 12, -0.0833, sm.Rational(-1, 12)],
    "lie-group-integrators-12": [0.285, 0.2847, sm.Float("0.28470")],
    "lie-group-integrators-13": [rkmk4_by_the_step, rkmk4_in_lines, rkmk4_from_a_table],
}


def matrix_by_columns(load, mass, q):
    return (mass[:, None] * q).T @ q + np.diag(np.full(3, load))


def matrix_by_sums(load, mass, q):
    M = load * np.eye(3)
    for m, d in zip(mass, q):
        M = M + m * d[:, None] * d
    return M


def matrix_by_hats(load, mass, q):
    return sum((m * (np.eye(3) + hat(d) @ hat(d)) for m, d in zip(mass, q)), load * np.eye(3))


def frame_by_hats(u, heading):
    third = hat(-u / np.linalg.norm(u))
    first, second = -third @ third @ heading, third @ heading
    columns = [first / np.linalg.norm(first), second / np.linalg.norm(second)]
    return np.array([*columns, -u / np.linalg.norm(u)]).T


def frame_by_projection(u, heading):
    b3 = -u / np.linalg.norm(u)
    b1 = heading - b3 * (b3 @ heading)
    b1 = b1 / np.linalg.norm(b1)
    return np.column_stack((b1, np.cross(b3, b1), b3))


def frame_by_gram_schmidt(u, heading):
    Q, R = np.linalg.qr(np.column_stack([-u, heading]))
    Q = Q * np.sign(np.diag(R))
    return np.column_stack([Q[:, 1], np.cross(Q[:, 0], Q[:, 1]), Q[:, 0]])


def trapezoid_for_the_state(f, J, t, x, h):
    new = x
    for _ in range(30):
        missed = new - x - h / 2 * (f(t, x) + f(t + h, new))
        new = new - np.linalg.solve(np.eye(len(x)) - h / 2 * J(t + h, new), missed)
    return new


def trapezoid_by_root(f, J, t, x, h):
    return root(
        lambda new: new - x - h / 2 * (f(t, x) + f(t + h, new)),
        x,
        jac=lambda new: np.eye(len(x)) - h / 2 * J(t + h, new),
        options={"xtol": 1e-14},
    ).x


def trapezoid_of_corrections(f, J, t, x, h):
    half = x + h / 2 * f(t, x)
    new, change = half, np.ones(len(x))
    for _ in range(50):
        if np.abs(change).max() < 1e-15:
            break
        change = np.linalg.inv(np.eye(len(x)) - h / 2 * J(t + h, new)) @ (
            half + h / 2 * f(t + h, new) - new
        )
        new = new + change
    return new


def twice_halfway(f, t, x, h):
    k = f(t, x)
    for _ in range(2):
        k = f(t + h / 2, x + h / 2 * k)
    return x + h * k


REACHING = ButcherTableau("own", c=[0, 1, "1/2"], A=[[], [1], ["1/4", "1/4"]], b=[0, 0, 1])


def three_by_tableau(f, t, x, h):
    return step(f, t, x, h, REACHING)


def three_that_share(f, t, x, h):
    k_1 = f(t, x)
    k_2 = f(t + h / 4, x + h / 4 * k_1)
    return x + h * f(t + h / 2, x + h * (k_2 - k_1 / 2))


def keep_up_by_sums(q, omega, mass, length, load, total):
    return mass * (length * sum(w**2 for w in omega) + sum(q * total) / load)


def keep_up_by_crosses(q, omega, mass, length, load, total):
    back = -np.cross(omega, np.cross(omega, q))
    return mass * q @ (length * back + total / load)


def keep_up_by_acceleration(q, omega, mass, length, load, total):
    return mass * (np.linalg.norm(omega) ** 2 * length + np.inner(total / load, q))


def given_by_cases(force, third, most):
    upward = -np.dot(force, third)
    if upward <= 0:
        return np.zeros(3)
    return -third * min(upward, most)


def given_by_where(force, third, most):
    part = force @ third
    return np.where(part < 0, np.maximum(part, -most), 0) * third


def given_by_median(force, third, most):
    return third * np.median([-most, force @ third, 0.0])


def drone_symbols():
    m, m_1, l, J, g = sm.symbols("m m_1 l J g")
    return m, m_1, l, J, g, *me.dynamicsymbols("f tau phi")


def drone_equations(T, V, q, x, y):
    *_, f, tau, tilt = drone_symbols()
    of = [sm.Matrix([x, y]).diff(each) for each in q]
    work = [b * sm.cos(tilt) - a * sm.sin(tilt) for a, b in of]
    forces = {each: f * part + (tau if each == tilt else 0) for each, part in zip(q, work)}
    return EquationsOfMotion.from_lagrangian(T, V, q, forces)


def drone_in(q, x, y, a, b):
    """Return a drone at x, y with its load at a, b, in some coordinates."""
    m, m_1, _, J, g, _, _, tilt = drone_symbols()
    now = me.dynamicsymbols._t
    squares = [u.diff(now) ** 2 + v.diff(now) ** 2 for u, v in ((x, y), (a, b))]
    T = (m * squares[0] + m_1 * squares[1] + J * tilt.diff() ** 2) / 2
    V = m * g * (y + 3) + m_1 * g * b
    outputs = {"x_d": x, "y_d": y, "x_l": a, "y_l": b, "phi": tilt, "E": T + V}
    return drone_equations(T, V, q, x, y), outputs


def drone_by_places():
    """The link's angle counted from straight up, clockwise."""
    l, tilt = drone_symbols()[2], drone_symbols()[-1]
    X, Y, beta = me.dynamicsymbols("X Y beta")
    return drone_in([X, Y, beta, tilt], X, Y, X + l * sm.sin(beta), Y + l * sm.cos(beta))


def drone_by_velocities():
    """The link's angle counted from the drone."""
    l, tilt = drone_symbols()[2], drone_symbols()[-1]
    X, Y, beta = me.dynamicsymbols("X Y beta")
    angle = tilt + beta
    return drone_in([X, Y, tilt, beta], X, Y, X + l * sm.sin(angle), Y - l * sm.cos(angle))


def drone_by_the_load():
    """The load's place, and the drone's from there."""
    l, tilt = drone_symbols()[2], drone_symbols()[-1]
    X, Y, beta = me.dynamicsymbols("X Y beta")
    return drone_in([X, Y, tilt, beta], X - l * sm.sin(beta), Y + l * sm.cos(beta), X, Y)


rough, better = sm.symbols("coarse fine", positive=True)
ph = sm.Symbol("phi", real=True)
CARRYING = {
    "quadrotors-1": [np.array([13, 42, 30]), (13, 42, 30), sm.Matrix([13, 42, 30]).flat()],
    "quadrotors-2": ["B", "b.", "(b)"],
    "quadrotors-3": [
        2.5612,
        0.2 * 9.81 / math.cos(math.radians(40)),
        1.962 / sm.cos(2 * sm.pi / 9),
    ],
    "quadrotors-4": [matrix_by_columns, matrix_by_sums, matrix_by_hats],
    "quadrotors-5": ["C", "c.", "(c)"],
    "quadrotors-6": [6.894, math.degrees(math.atan(0.2 / 0.955 / 3**0.5)), sm.Float(6.89)],
    "quadrotors-7": [frame_by_hats, frame_by_projection, frame_by_gram_schmidt],
    "quadrotors-8": [
        2 * sm.sin(ph / 2) ** 2,
        sm.Rational(1, 2) * (3 - (1 + 2 * sm.cos(ph))),
        sm.Float(1) + sm.cos(ph + sm.pi),
    ],
    "quadrotors-9": [keep_up_by_sums, keep_up_by_crosses, keep_up_by_acceleration],
    "quadrotors-10": ["D", "d.", "(d)"],
    "quadrotors-11": [
        [1.0756, 1.346],
        np.array([math.sqrt(1.8 * math.sin(math.radians(40))), 0.6 / 0.44577]),
        (sm.sqrt(sm.Rational(9, 5) * sm.sin(2 * sm.pi / 9)), 1.346),
    ],
    "quadrotors-12": [given_by_cases, given_by_where, given_by_median],
    "quadrotors-13": [1.09, sm.Rational(981, 900), 9.81 / 9],
    "quadrotors-14": [3.394, sm.Float(3.39384), np.float64(3.3938)],
    "quadrotors-15": [drone_by_places, drone_by_velocities, drone_by_the_load],
}

# A crane, of which the rope's length is a coordinate.
place, rope = (sm.Function(name)(t) for name in ("x", "l"))
M_t = sm.Symbol("M")
pace, winding = place.diff(t), rope.diff(t)
back = pace.diff(t) * sm.cos(theta) + 2 * g * sm.sin(theta / 2) * sm.cos(theta / 2)


def unpaid_by_trapezoids(times, energy, power):
    missing = [energy[i] - energy[0] - np.trapezoid(power[: i + 1], times[: i + 1])
               for i in range(len(times))]  # fmt: skip
    return max(map(abs, missing))


def unpaid_by_scipy(times, energy, power):
    paid = scipy.integrate.cumulative_trapezoid(power, times, initial=0)
    return np.linalg.norm(energy - energy[0] - paid, np.inf)


def unpaid_in_a_loop(times, energy, power):
    work, worst = 0.0, 0.0
    for i in range(1, len(times)):
        work += (times[i] - times[i - 1]) * (power[i] + power[i - 1]) / 2
        worst = max(worst, abs(energy[i] - energy[0] - work))
    return worst


def one_swing(M, m, l, g):
    return 2 * math.pi / math.sqrt(g / l * (1 + m / M))


def pushed_by_speed(distance, time, M, m, l, g):
    push = one_swing(M, m, l, g)
    speed = distance / (time - push)
    return [speed * (M + m) / push, push, time - 2 * push]


def pushed_by_momentum(distance, time, M, m, l, g):
    """Both masses have the mean speed of the way, but for one push."""
    push = one_swing(M, m, l, g)
    momentum = (M + m) * distance / (time - push)
    return momentum / push, push, time - 2 * push


def pushed_and_early(distance, time, M, m, l, g):
    """A second before the end."""
    return pushed_by_speed(distance, time - 1, M, m, l, g)


def drum_by_the_free_length():
    """By the length of rope that is free, the energy counted from elsewhere."""
    s = me.dynamicsymbols("s")
    radius, free = sm.symbols("r l_0", positive=True)
    turned = (s - free) / radius
    T = m * (s * s.diff() / radius) ** 2 / 2
    x = radius * sm.cos(turned) + s * sm.sin(turned)
    y = radius * sm.sin(turned) - s * sm.cos(turned)
    equations = EquationsOfMotion.from_lagrangian(T, m * g * y, [s])
    return equations, {"x": x, "y": y, "E": T + m * g * y + 3}


def drum_by_newton():
    """Across the rope: L θ̈ = -r θ̇² - g sin θ."""
    q = me.dynamicsymbols("q")
    radius, free = sm.symbols("r l_0", positive=True)
    L, w = free + radius * q, q.diff()
    law = sm.Matrix([-radius * w**2 - g * sm.sin(q)])
    x = radius * sm.cos(q) + L * sm.sin(q)
    y = radius * sm.sin(q) - L * sm.cos(q)
    E = m * (L * w) ** 2 / 2 + m * g * y
    return EquationsOfMotion([q], [w], sm.Matrix([L]), law), {"x": x, "y": y, "E": E}


CRANE = {
    "your-own-machine-1": [
        m / 2 * ((place + rope * sm.sin(theta)).diff(t) ** 2
                 + (rope * sm.cos(theta)).diff(t) ** 2),
        m * (pace**2 + winding**2 + (rope * omega) ** 2) / 2
        + m * pace * (winding * sm.sin(theta) + rope * omega * sm.cos(theta)),
        0.5 * m * ((winding + pace * sm.sin(theta)) ** 2
                   + (rope * omega + pace * sm.cos(theta)) ** 2),
    ],
    "your-own-machine-2": [
        -(2 * winding * omega + back) / rope,
        -(rope**2).diff(t) * omega / rope**2 - back / rope,
        sm.expand(-2 * winding * omega / rope - back / rope, trig=True),
    ],
    "your-own-machine-3": ["C", "c.", "(c)"],
    "your-own-machine-4": ["D", "d.", "(d)"],
    "your-own-machine-5": [unpaid_by_trapezoids, unpaid_by_scipy, unpaid_in_a_loop],
    "your-own-machine-6": [11.3, 4 * sm.sqrt(8), 4 * 4**0.75],
    "your-own-machine-7": [
        sm.sqrt(g / l * (1 + m / M_t)),
        (g * (M_t + m) / M_t / l) ** 0.5,
        sm.sqrt(g / l + m * g / (M_t * l)),
    ],
    "your-own-machine-8": [pushed_by_speed, pushed_by_momentum, pushed_and_early],
    "your-own-machine-9": [
        drum_from_the_level, drum_by_the_free_length, drum_by_newton,
    ],
    "your-own-machine-10": [
        np.array([[5.0, 1, 8, 3, 10, 5, 7, 4, 6, 2, 9, 5]]),
        (5, 1, 8, 3, 10, 5, 7, 4, 6, 2, 9, 5),
        sm.Matrix([5, 1, 8, 3, 10, 5, 7, 4, 6, 2, 9, 5]),
    ],
}  # fmt: skip


def slope_by_normal_equations(eps, shares):
    A = np.stack([np.log10(eps), np.ones(len(eps))], axis=1)
    return np.linalg.solve(A.T @ A, A.T @ np.log10(shares))[0]


def slope_by_covariance(eps, shares):
    spread = np.cov(np.log(eps), np.log(shares))
    return spread[0, 1] / spread[0, 0]


def slope_by_scipy(eps, shares):
    return scipy.stats.linregress(np.log2(eps), np.log2(shares)).slope


def runs_one_by_one(q, confidence):
    count = 1
    while 1 - q**count < confidence:
        count += 1
    return count


def runs_by_a_base(q, confidence):
    return math.ceil(math.log(1 - confidence, q))


def runs_by_powers(q, confidence):
    return int(np.argmax(1 - q ** np.arange(2000) >= confidence))


def joined_by_moments(n_a, mean_a, sum_a, n_b, mean_b, sum_b):
    """Both sums of squares about zero, and back."""
    n = n_a + n_b
    mean = (n_a * mean_a + n_b * mean_b) / n
    squares = sum_a + n_a * mean_a**2 + sum_b + n_b * mean_b**2
    return n, mean, squares - n * mean**2


def joined_about_the_mean(n_a, mean_a, sum_a, n_b, mean_b, sum_b):
    n = n_a + n_b
    mean = mean_a * (n_a / n) + mean_b * (n_b / n)
    return [n, mean, sum_a + n_a * (mean_a - mean) ** 2 + sum_b + n_b * (mean_b - mean) ** 2]


def joined_the_other_way(n_a, mean_a, sum_a, n_b, mean_b, sum_b):
    apart = mean_a - mean_b
    share = n_a / (n_a + n_b)
    return np.array([n_a + n_b, mean_b + share * apart, sum_a + sum_b + share * n_b * apart**2])


shrinking, turn_rate = sm.symbols("d omega", positive=True)
MANY = {
    "many-pendulums-1": ["A", "a.", "(a)"],
    "many-pendulums-2": [72, 72.0, sm.Integer(8) * 9],
    "many-pendulums-3": [slope_by_normal_equations, slope_by_covariance, slope_by_scipy],
    "many-pendulums-4": [167, 10 ** (20 / 9), sm.Integer(10) ** sm.Rational(20, 9)],
    "many-pendulums-5": ["C", "c.", "(c)"],
    "many-pendulums-6": [
        (sm.pi - sm.atan(turn_rate / shrinking)) / turn_rate,
        sm.atan2(turn_rate, -shrinking) / turn_rate,
        sm.acos(-shrinking / sm.sqrt(shrinking**2 + turn_rate**2)) / turn_rate,
    ],
    "many-pendulums-7": [1900, 1900.0, sm.Rational(19, 400) * 40000],
    "many-pendulums-8": [runs_one_by_one, runs_by_a_base, runs_by_powers],
    "many-pendulums-9": ["B", "b.", "(b)"],
    "many-pendulums-10": [joined_by_moments, joined_about_the_mean, joined_the_other_way],
    "many-pendulums-11": [0.0111, 100 / 8991, sm.Rational(100, 8991)],
}
FORMS = {
    "integrators-1": [
        sm.Abs(1 + sm.I * w * h),
        (1 + (w * h) ** 2) ** 0.5,
        h * sm.sqrt(w**2 + 1 / h**2),
    ],
    "integrators-2": [
        (v**2 + w**2 * xx**2 - h * w**2 * xx * v) / 2,
        v**2 / 2 + w**2 * xx / 2 * (xx - h * v),
        0.5 * (v - h * w**2 * xx / 2) ** 2 + 0.5 * w**2 * xx**2 * (1 - (h * w) ** 2 / 4),
    ],
    "integrators-3": [
        x0 + h * (v0 + h / 2 * a0),
        sm.expand((2 * x0 + 2 * h * v0 + h**2 * a0) / 2),
        x0 + v0 * h + 0.5 * a0 * h**2,
    ],
    "integrators-4": [rk4_in_a_loop, rk4_as_a_list, rk4_by_tableau],
    "integrators-5": [[0.25, 0.75], np.array([1, 3]) / 4, (sm.Rational(1, 4), sm.Rational(3, 4))],
    "integrators-6": [0.4515, math.sqrt(8 * 0.25 / 9.81), 2 * sm.sqrt(2) / sm.sqrt(39.24)],
    "integrators-7": ["B", "b.", "(b)"],
    "integrators-9": [trapezoid_for_the_state, trapezoid_by_root, trapezoid_of_corrections],
    "integrators-10": [twice_halfway, three_by_tableau, three_that_share],
    "integrators-11": [681, 681.08, sm.Float(681.1)],
    "integrators-12": [[4, 2], np.array([4, 2]), (4, 2)],
    "integrators-13": ["B", "b.", "(b)"],
    "integrators-14": [
        (rough - better) / (2**p - 1),
        (better - rough) / (1 - 2**p),
        better - (2**p * better - rough) / (2**p - 1),
    ],
    "integrators-8": [
        h * sm.exp(sm.log(tol / err) / (p + 1)),
        h / (err / tol) ** (1 / (1 + p)),
        h * tol ** (1 / (p + 1)) * err ** (-1 / (p + 1)),
    ],
    **KANE,
    **LINKAGE,
    **SMALL,
    **CURVED,
    **CARRYING,
    **CRANE,
    **MANY,
    "pendulum-1": [
        m * (l * omega**2 + g * sm.cos(theta)),
        m * l * omega**2 + m * g * (1 - 2 * sm.sin(theta / 2) ** 2),
        (m**2 * l**2 * omega**2 + m**2 * g * l * sm.sin(theta + sm.pi / 2)) / (m * l),
        1.0 * m * g * sm.cos(-theta) + 0.5 * m * l * 2 * omega**2,
    ],
    "pendulum-2": [
        sm.Eq(loaded, tau),
        sm.Eq(alpha, (tau - (m / 2 + m_L) * g * l * sm.sin(theta)) / ((m / 3 + m_L) * l**2)),
        sm.expand(6 * (tau - loaded) / l),
        sm.Eq(0.5 * m * g * l * sm.sin(theta), tau - m_L * g * l * sm.sin(theta)
              - (m * l**2 / 12 + m * (l / 2) ** 2 + m_L * l**2) * alpha),
    ],
    "pendulum-3": [euler_by_hand, euler_by_tableau, euler_in_a_copy],
    "pendulum-4": ["B", " b", "(b)"],
    "pendulum-5": [4.95, math.sqrt(24.525), sm.sqrt(sm.Rational(981, 40)), np.float64(4.95227)],
    "pendulum-6": [
        [[0, 1], [g / l, -b / m / l**2]],
        np.array([[0, 1], [g / l, -b / (m * l**2)]]),
        sm.Matrix([[0, 1], [m * g * l, -b]]).applyfunc(sm.sympify)
        .multiply_elementwise(sm.Matrix([[1, 1], [1 / (m * l**2)] * 2])),
    ],
    "pendulum-7": [
        m * g * l * sm.sin(theta) / 2 - kp * (theta - theta_d) - kd * omega,
        sm.expand(kp * (theta_d - theta) - kd * omega + m * g * l * sm.sin(theta) / 2),
        kp * theta_d - kp * theta - kd * omega + m * g * l * sm.sin(theta / 2) * sm.cos(theta / 2),
    ],
    "double-pendulum-1": [
        m2 / 2 * ((l1 * w1 * sm.cos(q1) + l2 * w2 * sm.cos(q2)) ** 2
                  + (l1 * w1 * sm.sin(q1) + l2 * w2 * sm.sin(q2)) ** 2),
        sm.expand(m2 / 2 * (l1**2 * w1**2 + l2**2 * w2**2)
                  + m2 * l1 * l2 * w1 * w2 * sm.cos(q1 - q2), trig=True),
        0.5 * m2 * ((l1 * w1 + l2 * w2) ** 2 - 4 * l1 * l2 * w1 * w2 * sm.sin((q1 - q2) / 2) ** 2),
    ],
    "double-pendulum-2": [
        sm.Eq(l2 * a2 + l1 * sm.cos(q1 - q2) * a1, l1 * w1**2 * sm.sin(q1 - q2) - g * sm.sin(q2)),
        sm.Eq(a2, l1 / l2 * (w1**2 * sm.sin(q1 - q2) - sm.cos(q1 - q2) * a1) - g / l2 * sm.sin(q2)),
        sm.expand(3.0 * m2 * l2 * (l2 * a2 + l1 * sm.cos(q2 - q1) * a1
                  + l1 * w1**2 * sm.sin(q2 - q1) + g * sm.sin(q2)), trig=True),
    ],
    "double-pendulum-3": [
        (m1 + m2) * l1**2 * m2 * l2**2 - (m2 * l1 * l2 * sm.cos(q1 - q2)) ** 2,
        m2 * l1**2 * l2**2 * (m1 + m2 / 2 * (1 - sm.cos(2 * q1 - 2 * q2))),
        sm.expand(m2 * (l1 * l2) ** 2 * (m1 + m2 * sm.sin(q2 - q1) ** 2), trig=True),
    ],
    "double-pendulum-4": [
        [tau1 - tau2, tau2],
        sm.Matrix([[1, -1], [0, 1]]) * sm.Matrix([tau1, tau2]),
        np.array([tau1 - tau2, tau2]),
    ],
    "double-pendulum-5": [
        [l1 * (Fx * sm.cos(q1) + Fy * sm.sin(q1)), l2 * (Fx * sm.cos(q2) + Fy * sm.sin(q2))],
        sm.Matrix([[l1 * sm.cos(q1), l1 * sm.sin(q1)], [l2 * sm.cos(q2), l2 * sm.sin(q2)]])
        * sm.Matrix([Fx, Fy]),
        sm.Matrix([l1 * Fx * sm.sin(q1 + sm.pi / 2) + Fy * l1 * sm.sin(q1),
                   l2 * Fx * sm.cos(-q2) - Fy * l2 * sm.sin(-q2)]),
    ],
    "double-pendulum-6": [2.397, 2.4, sm.sqrt((2 - sm.sqrt(2)) * 9.81)],
    "double-pendulum-7": ["B", "b.", "(b)"],
    "double-pendulum-8": [reach_by_law_of_cosines, reach_by_complex_numbers, reach_by_half_angle],
    "double-pendulum-9": ["B", "b.", "(b)"],
    "double-pendulum-10": ["E", "e.", "(e)"],
    "double-pendulum-11": [ring_and_rod, ring_from_the_wire, lambda: ring_from_the_wire(-2)],
    "double-pendulum-12": [string_and_weight, two_masses_and_a_string, double_of_the_length],
    "double-pendulum-13": [(357, 424), sm.Matrix([357.5, 424.4]), np.array([[357.49], [424.41]])],
    "relative-vs-absolute-1": [
        np.tril(np.ones((3, 3), dtype=int)),
        [[1, 0, 0], [1, 1, 0], [1.0, 1.0, 1.0]],
        sm.Matrix([[1, 0, 0], [-1, 1, 0], [0, -1, 1]]).inv(),
    ],
    "relative-vs-absolute-2": [summed_by_hand, summed_by_matrix, summed_by_rows],
    "relative-vs-absolute-3": [
        m2 * l1 * l2 * sm.cos(q2 - q1) + m3 * l2 * l1 * sm.cos(q1 - q2),
        (m2 + m3) * l1 * l2 * (sm.cos(q1) * sm.cos(q2) + sm.sin(q1) * sm.sin(q2)),
        (m2 + m3) * l1 * l2 * (1 - 2 * sm.sin((q1 - q2) / 2) ** 2),
    ],
    "relative-vs-absolute-4": [
        [0, -tau, tau],
        sm.Matrix([[0], [-tau], [tau]]),
        np.array([0, -tau, tau]),
    ],
    "relative-vs-absolute-5": ["A", "(a)", " a"],
    "relative-vs-absolute-6": [gymnast_by_chain, gymnast_in_relative_angles, gymnast_by_ends],
    "relative-vs-absolute-7": ["C", "c.", "(c)"],
    "relative-vs-absolute-9": [links_one_by_one(), links_by_model, links_by_recursion],
    "relative-vs-absolute-10": [m / 4, sm.Rational(1, 4) * m, m - 0.75 * m],
    "relative-vs-absolute-11": [
        m1 * l1**2 + m2 * l1**2 * (1 - sm.cos(q1 - q2) ** 2),
        l1**2 * (m1 + m2 / 2 - m2 / 2 * sm.cos(2 * q1 - 2 * q2)),
        sm.expand(l1**2 * (m1 + m2 * sm.sin(q2 - q1) ** 2)),
    ],
    "relative-vs-absolute-12": ["B", " b.", "(b)"],
    "relative-vs-absolute-13": [[24, 137], np.array([24.0, 137.0]), sm.Matrix([24, 137])],
    "relative-vs-absolute-14": [
        block_and_rods, slider_with_energy_from_below, slider_of_three_points,
    ],
    "relative-vs-absolute-8": [
        sm.Piecewise((k * (q2 - q1 - beta) ** 2 / 2, q2 - q1 > beta), (0, True)),
        k / 2 * (q2 - q1 - beta) ** 2 * sm.Heaviside(q2 - q1 - beta),
        k / 8 * (q2 - q1 - beta + sm.Abs(q2 - q1 - beta)) ** 2,
        0.5 * k * sm.Max(q2 - q1 - beta, 0) ** 2,
    ],
    "pendulum-9": [(4, 2, 3), np.array([4.0, 2.0, 3.0]), sm.Matrix([4, 2, 3])],
    "pendulum-10": ["C", " c.", "(c)"],
    "pendulum-11": [gains_for_100(), (79.6, 29.8), np.array([[79.58], [29.83]])],
    "pendulum-12": [metronome, metronome_by_two_places, metronome_by_sympy],
    "pendulum-13": [turned_arm, arc_on_a_carousel, carousel_seen_from_outside],
    "pendulum-8": [0.106, 0.1066, sm.Rational(8, 75), 2 * 80 / 1500],
}  # fmt: skip


def said(name, answer, show=False):
    """Return what is said of an answer; the pictures are in `test_exercise_pictures`."""
    return check(WITHOUT_PICTURES[name], answer, show)


def test_every_exercise_is_numbered_in_its_chapter():
    for name, chapter in CHAPTERS.items():
        numbers = sorted(int(e.name.rpartition("-")[2]) for e in chapter.EXERCISES)
        assert numbers == list(range(1, len(numbers) + 1))
        assert {e.name.rpartition("-")[0] for e in chapter.EXERCISES} <= {name.replace("_", "-")}


@pytest.mark.parametrize("name", EXERCISES)
def test_the_solution_is_right(name):
    feedback = check(name, EXERCISES[name].answer.value)
    assert feedback, feedback
    assert EXERCISES[name].lesson in feedback.message


@pytest.mark.parametrize("name", EXERCISES)
def test_further_forms_of_it_are_right(name):
    assert len(FORMS[name]) >= 3
    for form in FORMS[name]:
        assert said(name, form), form


@pytest.mark.parametrize(("name", "number"), MISTAKES)
def test_a_misconception_gets_its_own_hint(name, number):
    exercise = EXERCISES[name]
    mistake = exercise.misconceptions[number]
    feedback = said(name, mistake.answer)
    assert not feedback
    assert feedback.message == f"Not yet. {mistake.hint}"
    assert feedback.stage == "misconception"


@pytest.mark.parametrize("name", EXERCISES)
def test_hints_differ_and_are_at_least_three(name):
    hints = [mistake.hint for mistake in EXERCISES[name].misconceptions]
    assert len(set(hints)) == len(hints) >= 3
    for hint in hints:
        assert re.search(r"[.?]$", hint)
        assert len(hint) < 250


@pytest.mark.parametrize("name", NUMERIC)
def test_no_hint_tells_the_number(name):
    answer = EXERCISES[name].answer
    for mistake in EXERCISES[name].misconceptions:
        for number in re.findall(r"\d+\.?\d*", mistake.hint):
            everywhere = np.full(np.shape(answer.value), float(number))
            assert not answer.same(everywhere, answer.value)


@cache
def headings():
    return {
        line.strip("# \n")
        for path in course_notebooks(ROOT)
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "markdown"
        for line in cell.source.splitlines()
        if line.startswith("#")
    }


@pytest.mark.parametrize("name", EXERCISES)
def test_the_section_to_read_again_exists(name):
    assert EXERCISES[name].section in headings()


def entries(value):
    return list(value) if isinstance(value, sm.MatrixBase) else [value]


def rebuilt(value, changed):
    return type(value)(*value.shape, changed) if isinstance(value, sm.MatrixBase) else changed[0]


def one_term_changed(value):
    """Yield the answer with one term of one entry reversed, dropped, or off by a millionth."""
    for k, entry in enumerate(entries(value)):
        terms = sm.Add.make_args(sm.expand(entry))
        for term in filter(None, terms):
            for factor in (-1, 0, sm.Rational(1000001, 1000000), 1.000001):
                changed = entries(value)
                changed[k] = entry + (factor - 1) * term
                yield rebuilt(value, changed)


def names_exchanged(value):
    symbols = sorted(value.free_symbols - {me.dynamicsymbols._t}, key=str)
    for k, one in enumerate(symbols):
        for other in symbols[k + 1 :]:
            yield value.subs({one: other, other: one}, simultaneous=True)


def now_and_then():
    """Yield what is 0 at t = 0 only, or at one angle only."""
    time, angle = me.dynamicsymbols._t, me.dynamicsymbols("theta")
    yield from (time, sm.sin(time), angle, 1 - sm.cos(angle), sm.sin(angle - 1))


def equal_now_and_then(value):
    for extra in now_and_then():
        yield rebuilt(value, [entry + extra for entry in entries(value)])


WRONG_TYPES = [
    "m", b"m", True, None, ..., object(), {}, lambda: 0, print, float("nan"), sm.nan, sm.zoo, sm.oo,
    [], [[1]], [1, 2, 3], np.zeros((1, 3)), np.zeros((2, 2, 2)), sm.zeros(3, 1),
    sm.Add(*[sm.sin(k * theta) for k in range(1, 1000)]), 10**4000, 1 + 1j, 0, -1, 1e-6,
]  # fmt: skip


@pytest.mark.parametrize("name", EXERCISES)
def test_wrong_types_and_shapes_are_not_accepted(name):
    for answer in WRONG_TYPES:
        assert not said(name, answer)


@pytest.mark.parametrize("name", SYMBOLIC)
@pytest.mark.parametrize("change", [one_term_changed, equal_now_and_then])
def test_a_slightly_wrong_expression_is_not_accepted(name, change):
    for answer in change(EXERCISES[name].answer.value):
        assert not said(name, answer), answer


@pytest.mark.parametrize("name", SYMBOLIC)
def test_only_an_equation_of_motion_may_be_multiplied_and_only_by_its_own_coordinates(name):
    kind = EXERCISES[name].answer
    given = {leaf for leaf in kind.samples.moving if leaf not in kind.samples.varying}
    for extra in now_and_then():
        answer = rebuilt(kind.value, [entry * (1 + extra) for entry in entries(kind.value)])
        assert bool(said(name, answer)) == (set(leaves(extra).values()) <= given), answer


@pytest.mark.parametrize("name", SYMBOLIC)
def test_exchanged_symbols_are_accepted_only_where_nothing_changes(name):
    kind = EXERCISES[name].answer
    for answer in names_exchanged(kind.value):
        difference = sm.expand(answer - kind.value)
        assert bool(said(name, answer)) == (difference == 0 * difference)


WITH_ANGLE = [
    name for name in SYMBOLIC if EXERCISES[name].answer.value.has(me.dynamicsymbols("theta"))
]


@pytest.mark.parametrize("name", WITH_ANGLE)
def test_a_plain_symbol_for_a_function_of_time_has_a_hint_of_its_own(name):
    value, angle = EXERCISES[name].answer.value, me.dynamicsymbols("theta")
    plain = value.subs(angle.diff(), 0).subs(angle, sm.Symbol("theta"))
    assert "plain symbol" in said(name, plain).message


@pytest.mark.parametrize("name", NUMERIC)
def test_a_number_outside_of_its_tolerance_is_not_accepted(name):
    kind = EXERCISES[name].answer
    value = np.asarray(kind.value, dtype=float)
    for factor in (1 + 1.1 * kind.tolerance, 1 - 1.1 * kind.tolerance, 0, 2, 0.5, np.nan):
        assert not said(name, (factor * value).tolist())
    assert bool(said(name, (-value).tolist())) == getattr(kind, "either_sign", False)


def perturbed(function, **how):
    """Return the function with something off by a millionth."""

    def other(f, t, x, h):
        wrong = function(f, t, x, h)
        return wrong * (1 + how.get("all", 0)) + how.get("h", 0) * h + how.get("t", 0) * t

    return other


@pytest.mark.parametrize(
    "how", [{"all": 1e-6}, {"h": 1e-6}, {"t": 1e-6}, {"all": -2}], ids=lambda how: next(iter(how))
)
def test_a_slightly_wrong_step_is_not_accepted(how):
    assert not said("pendulum-3", perturbed(EXERCISES["pendulum-3"].answer.value, **how))


def test_an_arm_must_stretch_out():
    def fails_at_full_stretch(x, y):
        swing = np.arccos((x**2 + y**2 - 2) / 2)
        lead = np.arctan2(np.sin(swing), 1 + np.cos(swing))
        shoulder = np.arctan2(x, -y) - lead
        return np.array([np.arctan2(np.sin(shoulder), np.cos(shoulder)), swing])

    feedback = said("double-pendulum-8", fails_at_full_stretch)
    assert "not at full stretch" in feedback.message


@pytest.mark.parametrize("name", [n for n, e in EXERCISES.items() if e.show])
def test_every_wrong_answer_that_can_move_does(name):
    """All that were listed as frequent run beside the true one, and so does the solution."""
    exercise = EXERCISES[name]
    assert "<iframe" in said(name, exercise.answer.value, show=True).picture
    for mistake in exercise.misconceptions:
        feedback = said(name, mistake.answer, show=True)
        assert "<iframe" in feedback.picture or "Nothing moves" in feedback.message


@pytest.mark.parametrize("name", EXERCISES)
def test_every_kind_that_moves_can_be_shown(name):
    """Equations of motion, torques, forces: chapter by chapter, at least these have a motion."""
    exercise = EXERCISES[name]
    if isinstance(exercise.answer, Equation):
        rates = exercise.answer.value.atoms(sm.Derivative)
        assert bool(exercise.show) == any(rate.derivative_count == 2 for rate in rates)
    if isinstance(exercise.answer, Choice):
        assert exercise.reveal is not None
    assert not (isinstance(exercise.answer, Function) and exercise.show)
