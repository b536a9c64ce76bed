"""Right machines of many kinds, each written once: energies, loads, bodies, what binds it, units.

Rules in `tests.slips.planter` go wrong in them, and `tests.slips.variants` writes them otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import sympy as sm
import sympy.physics.mechanics as me

from course.capstones import double_cart, slider_crank, tethered_drone, trifilar_pendulum
from tutlib import EquationsOfMotion, models
from tutlib.models import Body, Load, Model, Skeleton

t = me.dynamicsymbols._t
m, m_1, m_2, M, l, l_1, l_2, r, k, J, J_1, J_2, h = sm.symbols(
    "m m_1 m_2 M l l_1 l_2 r k J J_1 J_2 h", positive=True
)
c = sm.Symbol("c", nonnegative=True)
g, Omega = sm.symbols("g Omega", real=True)
x, y, theta, phi = me.dynamicsymbols("x y theta phi")
x_1, x_2, q_1, q_2 = me.dynamicsymbols("x_1 x_2 q_1 q_2")
F, tau, tau_1, tau_2 = me.dynamicsymbols("F tau tau_1 tau_2")
#: Numbers and units by the first letters of a name.
USUAL = {
    "m": (1.3, "kg"),
    "M": (2.1, "kg"),
    "l": (0.9, "m"),
    "r": (0.4, "m"),
    "h": (0.6, "m"),
    "k": (14.0, "N/m"),
    "J": (0.3, "kg·m²"),
    "c": (0.7, "N·s/m"),
    "g": (9.81, "m/s²"),
    "x": (0, "m"),
    "y": (0, "m"),
    "theta": (0, "rad"),
    "phi": (0, "rad"),
    "q": (0, "rad"),
    "F": (0, "N"),
    "tau": (0, "N·m"),
    "Omega": (1.1, "rad/s"),
    "alpha": (0.5, "rad"),
    "n": (3.2, "1"),
}
RIGHT: dict[str, Callable[[], Model]] = {}


def right(make: Callable[[], Model]) -> Callable[[], Model]:
    """List a machine by its name."""
    RIGHT[make.__name__.replace("_", " ")] = make
    return make


def forces_of(q: Sequence[Any], loads: Sequence[Load]) -> dict[Any, Any]:
    """Return the generalized forces of loads."""
    return {one: sm.Add(*(load.value * load.along.diff(one) for load in loads)) for one in q}


def machine(
    name: str,
    T: Any,
    V: Any,
    q: Sequence[Any],
    bodies: Sequence[Body] = (),
    loads: Sequence[Load] = (),
    constraints: Sequence[Any] = (),
    values: Any = None,
    units: Any = None,
) -> Model:
    """Return a model whose equations are Lagrange's, with usual numbers and units."""
    equations = EquationsOfMotion.from_lagrangian(T, V, q, forces_of(q, loads))
    parts = [T, V, *constraints, *(e for b in bodies for e in (b.mass, *b.center, *b.moments))]
    parts = [sm.sympify(e) for e in (*parts, *(load.value for load in loads))]
    symbols = sorted(set().union(*(e.free_symbols for e in parts)) - {t}, key=str)
    names = [*map(str, symbols), *(one.func.__name__ for one in (*q, *equations.inputs))]
    kinds = {one: next(kind for kind in (one, one.split("_")[0]) if kind in USUAL) for one in names}
    sizes = {one: USUAL[kinds[str(one)]][0] * (1 + 0.17 * i) for i, one in enumerate(symbols)}
    numbers = sizes | {one: 9.81 for one in symbols if one == g}
    return Model(
        name,
        equations,
        T,
        V,
        Skeleton((), ()),
        numbers | (values or {}),
        tuple(constraints),
        bodies=tuple(bodies),
        loads=tuple(loads),
        units={one: USUAL[kinds[one]][1] for one in names} | (units or {}),
    )


def moving(mass: Any, place: Sequence[Any], inertia: Any = 0, turned: Any = 0) -> Any:
    """Return the kinetic energy of a body in the plane, or of a particle."""
    v = sm.Matrix(place).diff(t)
    return (
        mass * sm.trigsimp(sm.expand(v.dot(v))) / 2 + inertia * sm.sympify(turned).diff(t) ** 2 / 2
    )


def hung(length: Any, angle: Any, base: Sequence[Any] = (0, 0)) -> tuple[Any, Any]:
    """Return a place below another, at an angle from the vertical."""
    return base[0] + length * sm.sin(angle), base[1] - length * sm.cos(angle)


def of_bodies(
    name: str, q: Sequence[Any], bodies: Sequence[Body], springs: Any = 0, **more: Any
) -> Model:
    """Return a machine of bodies in the plane with weight."""
    T = sm.Add(*(moving(b.mass, b.center, b.inertia, b.turned) for b in bodies))
    V = sm.Add(springs, *(b.mass * g * b.center[1] for b in bodies))
    return machine(name, T, V, q, bodies, **more)


OF_TURNING = {"c": "N·m·s", "k": "N·m"}


@right
def rod_on_a_hinge() -> Model:
    return of_bodies(
        "rod", [theta], [Body(m, hung(l / 2, theta), J, theta)], loads=[Load(tau, theta)]
    )


@right
def double_pendulum_of_points() -> Model:
    elbow = hung(l_1, q_1)
    return of_bodies(
        "double pendulum", [q_1, q_2], [Body(m_1, elbow), Body(m_2, hung(l_2, q_2, elbow))]
    )


@right
def arm_in_absolute_angles() -> Model:
    elbow = hung(l_1, q_1)
    bodies = [
        Body(m_1, hung(l_1 / 2, q_1), J_1, q_1),
        Body(m_2, hung(l_2 / 2, q_2, elbow), J_2, q_2),
    ]
    loads = [Load(tau_1, q_1), Load(tau_2, q_2 - q_1)]
    return of_bodies(
        "arm", [q_1, q_2], bodies, k * (q_2 - q_1) ** 2 / 2, loads=loads, units=OF_TURNING
    )


@right
def cart_and_pendulum() -> Model:
    bodies = [Body(M, (x, 0)), Body(m, hung(l, theta, (x, 0)))]
    return of_bodies("cart and pendulum", [x, theta], bodies, loads=[Load(F - c * x.diff(t), x)])


@right
def two_wagons() -> Model:
    bodies = [Body(m_1, (x_1, 0)), Body(m_2, (x_2, 0))]
    loads = [Load(-c * (x_2 - x_1).diff(t), x_2 - x_1), Load(F, x_1)]
    return of_bodies("two wagons", [x_1, x_2], bodies, k * (x_2 - x_1 - l) ** 2 / 2, loads=loads)


@right
def pendulum_of_changing_length() -> Model:
    return of_bodies("drawn rope", [theta], [Body(m, hung(l + h * sm.sin(Omega * t), theta))])


@right
def motor_with_a_gear() -> Model:
    """Its ratio is called n, and its arm is lifted."""
    n = sm.Symbol("n", positive=True)
    bodies = [Body(m, hung(l, theta), J_1, theta), Body(M, (-r, 0), J_2, -n * theta)]
    return of_bodies("motor with a gear", [theta], bodies, loads=[Load(tau, -n * theta)])


@right
def drone_in_the_plane() -> Model:
    F_1, F_2 = me.dynamicsymbols("F_1 F_2")
    up = -sm.sin(theta), sm.cos(theta)
    equations = {x: up[0] * (F_1 + F_2), y: up[1] * (F_1 + F_2), theta: l * (F_2 - F_1)}
    T, V = moving(m, (x, y), J, theta), m * g * y
    model = machine("drone", T, V, [x, y, theta], [Body(m, (x, y), J, theta)])
    rate = up[0] * x.diff(t) + up[1] * y.diff(t)
    return replace(
        model,
        equations=EquationsOfMotion.from_lagrangian(T, V, [x, y, theta], equations),
        loads=(Load(F_1, rate=rate - l * theta.diff(t)), Load(F_2, rate=rate + l * theta.diff(t))),
        units={**model.units, "F_1": "N", "F_2": "N", "l": "m"},
        parameters={**model.parameters, l: 0.2},
    )


@right
def planet() -> Model:
    mu = sm.Symbol("mu", positive=True)
    T, V = moving(m, (x, y)), -m * mu / sm.sqrt(x**2 + y**2)
    return machine("planet", T, V.subs(mu, k), [x, y], [Body(m, (x, y))], units={"k": "m³/s²"})


@right
def pendulum_in_space() -> Model:
    place = (l * sm.sin(theta) * sm.cos(phi), l * sm.sin(theta) * sm.sin(phi), -l * sm.cos(theta))
    T = m * l**2 * (theta.diff(t) ** 2 + (sm.sin(theta) * phi.diff(t)) ** 2) / 2
    return machine("pendulum in space", T, m * g * place[2], [theta, phi], [Body(m, place)])


@right
def satellite_by_a_quaternion() -> Model:
    """Its torque is about an axis of its own."""
    e, w, J_3 = (
        sm.Matrix(me.dynamicsymbols("e_0:4")),
        me.dynamicsymbols("omega_1:4"),
        sm.Symbol("J_3", positive=True),
    )
    a, b, d, f = e
    R = sm.Matrix(
        [
            [a**2 + b**2 - d**2 - f**2, 2 * (b * d - a * f), 2 * (b * f + a * d)],
            [2 * (b * d + a * f), a**2 - b**2 + d**2 - f**2, 2 * (d * f - a * b)],
            [2 * (b * f - a * d), 2 * (d * f + a * b), a**2 - b**2 - d**2 + f**2],
        ]
    )
    N = sm.Matrix([[-b, -d, -f], [a, -f, d], [f, a, -b], [-d, b, a]]) / 2
    gyro = sm.Matrix(
        [(J_2 - J_3) * w[1] * w[2], (J_3 - J_1) * w[2] * w[0], (J_1 - J_2) * w[0] * w[1]]
    )
    equations = EquationsOfMotion(
        list(e), list(w), sm.diag(J_1, J_2, J_3), gyro + sm.Matrix([tau, 0, 0]), kinematic_matrix=N
    )
    T = (J_1 * w[0] ** 2 + J_2 * w[1] ** 2 + J_3 * w[2] ** 2) / 2
    values, units = {m: 1.0, J_1: 0.5, J_2: 0.7, J_3: 0.9}, {f"J_{i}": "kg·m²" for i in (1, 2, 3)}
    units |= {f"omega_{i}": "rad/s" for i in (1, 2, 3)} | {f"e_{i}": "1" for i in range(4)}
    return Model(
        "satellite",
        equations,
        T,
        0,
        Skeleton((), ()),
        values,
        units={**units, "m": "kg", "tau": "N·m"},
        bodies=(Body(m, (0, 0, 0), [J_1, J_2, J_3], R),),
        loads=(Load(tau, rate=w[0]),),
    )


@right
def ellipse_held_by_a_constraint() -> Model:
    T, V = moving(m, (x, y)), m * g * y
    held = x**2 / l**2 + y**2 / h**2 - 1
    return machine("bead on an ellipse", T, V, [x, y], [Body(m, (x, y))], constraints=[held])


@right
def rocket() -> Model:
    fuel, v_e, b = (
        me.dynamicsymbols("m"),
        sm.Symbol("v_e", positive=True),
        sm.Symbol("b", positive=True),
    )
    equations = EquationsOfMotion(
        [y], [y.diff(t)], [[fuel]], [b * v_e - fuel * g], auxiliary={fuel: -b}
    )
    return Model(
        "rocket",
        equations,
        fuel * y.diff(t) ** 2 / 2,
        fuel * g * y,
        Skeleton((), ()),
        {g: 9.81, v_e: 2000.0, b: 0.01},
        bodies=(Body(fuel, (0, y)),),
        loads=(Load(b * v_e, y),),
        units={"y": "m", "m": "kg", "g": "m/s²", "v_e": "m/s", "b": "kg/s"},
    )


#: Machines that stand already: the course's models and those of capstones.
STANDING: dict[str, Callable[[], Any]] = {
    "model of chapter 1": models.pendulum,
    "model of chapter 2": models.double_pendulum,
    "servo arm": models.servo_arm,
    "balanced pendubot": models.balanced_pendubot,
    "chain of three, relative": lambda: models.chain(3, "relative"),
    "four-bar linkage": models.four_bar,
    "crane": models.crane,
    "rolling disc": models.rolling_disc,
    "double cart": double_cart.model,
    "slider-crank": slider_crank.model,
    "tethered drone": tethered_drone.model,
    "trifilar pendulum": trifilar_pendulum.model,
}
EVERY = {**RIGHT, **STANDING}
