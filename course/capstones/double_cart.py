"""Two carts, a spring and a damper between them, a pendulum on one: the best spring and damper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from course.capstones.tasks import Capstone, Constant, Stage
from course.judge import Machine, Misconception, Number, NumberArray
from tutlib.mechanics import EquationsOfMotion
from tutlib.methods import integrate_adaptive
from tutlib.models import Angle, Body, Force, Length, Load, Model, Skeleton

CONSTANTS = (
    Constant("m_1", "mass of the left cart", "kg", 1.9),
    Constant("m_2", "mass of the right cart", "kg", 0.7),
    Constant("m_p", "mass of the pendulum", "kg", 0.8),
    Constant("J_p", "moment of inertia of the pendulum about its center", "kg·m²", 0.039),
    Constant("a", "distance from its pin to its center of mass", "m", 0.41),
    Constant("s_0", "distance between the carts when the spring is relaxed", "m", 0.93),
    Constant("k", "stiffness of the spring", "N/m", 26.0),
    Constant("c", "damping of the damper", "N·s/m", 1.7),
    Constant("g", "gravity", "m/s²", 9.81, drawn=False),
)

TASK = """\
Two carts roll on a level rail without friction. A light spring of stiffness `k` and, parallel to
it, a light damper with the coefficient `c` connect them; the spring is relaxed when the middles
of the carts are `s_0` apart. A pendulum hangs from a frictionless pin at the middle of the right
cart, and may rotate all the way around. A force `F` acts on the left cart, positive to the right.
Gravity acts downward.

Machines on their mounts and containers on railroad cars are systems of this kind: each part
shakes the others. Which spring and which damper bring the whole system to rest soonest?"""

x_1, x_2, theta, F = me.dynamicsymbols("x_1 x_2 theta F")
m_1, m_2, m_p, J_p, a, s_0, k = sm.symbols("m_1 m_2 m_p J_p a s_0 k", positive=True)
c, g = sm.Symbol("c", nonnegative=True), sm.Symbol("g", positive=True)
symbols = (m_1, m_2, m_p, J_p, a, s_0, k, c, g)
_T = me.dynamicsymbols._t


def model(
    turning: Any = J_p,
    hung: Any = x_2,
    relaxed: Any = s_0,
    held: Any = 1,
    grounded: Any = 0,
    damped: Any = 1,
    pushed: Any = x_1,
    lifted: Any = 1,
    bent: Any = 1,
) -> Model:
    """Return the system in terms of both positions and the angle, right unless given."""
    center = sm.Matrix([hung + a * sm.sin(theta), -a * sm.cos(theta)])
    moved = sum(one.diff(_T) ** 2 for one in center)
    kinetic = (
        m_1 * x_1.diff() ** 2 + m_2 * x_2.diff() ** 2 + m_p * moved + turning * theta.diff() ** 2
    ) / 2
    weight, stretch = lifted * m_p * g * center[1], x_2 - x_1 - relaxed
    braked = damped * c * (x_2 - (1 - grounded) * x_1).diff(_T)
    loads = {
        x_1: held * (k * stretch + (1 - grounded) * braked) - grounded * c * x_1.diff(),
        x_2: -k * stretch - braked,
        theta: 0,
    }
    loads[pushed] += F
    coordinates = [x_1, x_2, theta]
    equations = EquationsOfMotion.from_lagrangian(kinetic, weight, coordinates, loads)
    if not bent:
        lost = m_p * a * sm.sin(theta) * theta.diff() ** 2
        forcing = equations.forcing - sm.Matrix([0, lost, 0])
        equations = EquationsOfMotion(equations.q, equations.u, equations.mass_matrix, forcing)
    return Model(
        name="double cart",
        equations=equations,
        kinetic_energy=kinetic,
        potential_energy=weight + k * stretch**2 / 2,
        skeleton=_skeleton(),
        parameters={s: one.value for s, one in zip(symbols, CONSTANTS)},
        names={
            "x_1": "position of the left cart",
            "x_2": "position of the right cart",
            "theta": "angle of the pendulum",
            "F": "force on the left cart",
            **{one.name: one.meaning for one in CONSTANTS},
        },
        units={
            "x_1": "m",
            "x_2": "m",
            "theta": "rad",
            "F": "N",
            **{one.name: one.unit for one in CONSTANTS},
        },
        bodies=(Body(m_1, (x_1, 0)), Body(m_2, (x_2, 0)), Body(m_p, tuple(center), J_p, theta)),
        loads=(Load(F, x_1), Load(-c * (x_2 - x_1).diff(_T), x_2 - x_1)),
    )


def _skeleton() -> Skeleton:
    def at(x: Any, y: Any) -> tuple[sm.Expr, sm.Expr]:  # sizes are parts of a distance
        return sm.sympify(x), s_0 * sm.Rational(y, 100)

    half = s_0 * sm.Rational(22, 100)
    left, right, part = x_1 + half, x_2 - half, half / 4
    gap, middle = right - left, (left + right) / 2
    boxes = [
        at(x + side * half, y)
        for x in (x_1, x_2)
        for side, y in ((-1, 16), (1, 16), (1, -16), (-1, -16))
    ]
    heights = (8, 8, 13, 3, 13, 3, 13, 3, 13, 8, 8)
    spring = [at(left + gap * sm.Rational(n, 10), y) for n, y in enumerate(heights)]
    cylinder = [at(middle + side * part, y) for side, y in ((-1, -2), (1, -2), (1, -14), (-1, -14))]
    rods = [
        at(left, -8),
        at(middle, -8),
        at(middle, -4),
        at(middle, -12),
        at(middle + part, -8),
        at(right, -8),
    ]
    wheels = [
        at(x + side * half / 2, y) for x in (x_1, x_2) for side in (-1, 1) for y in (-22, -16)
    ]
    rail = [at(0, -28), at(s_0 * sm.Rational(9, 4), -28)]
    hanging = [(x_2 + s * a * sm.sin(theta), -s * a * sm.cos(theta)) for s in (1, 2)]
    points = [
        at(x_1, 0),
        at(x_2, 0),
        *hanging,
        *boxes,
        *spring,
        *cylinder,
        *rods,
        *wheels,
        *rail,
        at(0, 0),
    ]
    return Skeleton(
        points=tuple(points),
        lines=(
            (1, 3),
            (4, 5, 6, 7, 4),
            (8, 9, 10, 11, 8),
            tuple(range(12, 23)),
            (23, 24, 25, 26),
            (27, 28),
            (29, 30),
            (31, 32),
            (41, 42),
        ),
        bodies=(0, 1, 2),
        joints=(1,),
        thin=(1, 2, 3, 4, 5, 6, 7, 8),
        faint=(8,),
        wheels=((33, 34), (35, 36), (37, 38), (39, 40)),
        masses=(m_1, m_2, m_p),
        names=("", "P", "C", *[""] * 40, "O"),
        marks=(
            Angle(theta, 1, (sm.S.Zero, sm.S.NegativeOne), 3),
            Length(a, 1, 2),
            Length(x_1, 43, 0),
            Length(x_2, 43, 1),
            Force(F, 4, (sm.S.One, sm.S.Zero)),
        ),
    )


def machine(**wrong: Any) -> tuple[Model, dict[str, sm.Expr]]:
    """Return the machine with its outputs, right unless something is given."""
    carts = model(**wrong)
    energy = carts.kinetic_energy + carts.potential_energy
    return carts, {"x_1": x_1, "x_2": x_2, "theta": theta, "E": energy}


# ---- places and energies

_STRETCH, _ANGLE, _RATES = 0.07, np.deg2rad(35.0), (0.4, -0.3, 2.5)


def moving(values: Mapping[str, float], **wrong: Any) -> list[float]:
    """Return the momentum [N·s], the kinetic energy [J] and the force on the left cart [N]."""
    carts = model(**wrong)
    momentum = sum(body.mass * body.center[0].diff(_T) for body in carts.bodies)
    pull = k * (x_2 - x_1 - s_0) + c * (x_2 - x_1).diff(_T)
    known = carts.with_parameters(values).free()
    state = [0.0, values["s_0"] + _STRETCH, _ANGLE, *_RATES]
    evaluate = known.compile_outputs([momentum, carts.kinetic_energy, pull])
    return [float(value) for value in evaluate(0.0, state)]


def _wrong_movings(values: Mapping[str, float]) -> list[Misconception]:
    momentum, T, pull = moving(values)
    first, second, turning = _RATES
    hung = values["m_p"] * values["a"] * turning
    return [
        Misconception(
            [momentum - hung * np.cos(_ANGLE), T, pull],
            "The pendulum swings, so its center of mass does not have the velocity of the cart.",
        ),
        Misconception(
            [momentum + hung * (1 - np.cos(_ANGLE)), T, pull],
            "Only one component of the pendulum's velocity relative to its cart is along the rail.",
        ),
        Misconception(
            [momentum, moving(values, turning=sm.S.Zero)[1], pull],
            "Part of the kinetic energy is missing: the pendulum rotates as well.",
        ),
        Misconception(
            [momentum, T, values["k"] * _STRETCH],
            "The spring and the damper act in parallel. How fast do the carts approach each other?",
        ),
        Misconception(
            [momentum, T, values["k"] * _STRETCH - values["c"] * (second - first)],
            "The spring is stretched while the carts approach each other. Do spring and damper "
            "pull in the same direction?",
        ),
    ]


# ---- a run


def other_side(values: Mapping[str, float], **wrong: Any) -> float:
    """Return the angle [rad] on the other side of a pendulum that is released level, at rest."""
    f = model(**wrong).with_parameters(values).free().compile()
    precision = 1e-11, 1e-12, "dop853"
    level = [0.0, values["s_0"], np.pi / 2, 0.0, 0.0, 0.0]
    down = integrate_adaptive(f, [0.0, 9.0], level, *precision, until=lambda t, x: x[2])
    back = integrate_adaptive(f, [0.0, 9.0], down.x[-1], *precision, until=lambda t, x: x[5])
    return -float(back.x[-1, 2])


def _wrong_sides(values: Mapping[str, float]) -> list[Misconception]:
    return [
        Misconception(
            other_side(values, damped=0),
            "Your machine loses no energy. The damper dissipates energy while the carts move.",
        ),
        Misconception(
            float(np.pi / 2), "That is the swing on a fixed pin. Here the cart can move."
        ),
        Misconception(
            other_side(values, turning=sm.S.Zero),
            "Your pendulum swings as if all its mass were at its center. It rotates as well.",
        ),
        Misconception(
            other_side(values, hung=x_1),
            "Your pendulum hangs from the left cart. On which cart is its pin?",
        ),
        Misconception(
            other_side(values, bent=0),
            "A force with the square of an angular velocity is missing. Which force does a "
            "pendulum exert on its pin while it swings?",
        ),
    ]


# ---- a design


def best(values: Mapping[str, float]) -> list[float]:
    """Return the stiffness [N/m] and the damping [N·s/m] with which motions decay soonest.

    Without momentum two coordinates are left, stretch and angle. Their s⁴ + A c s³ + (A k + B) s² +
    C c s + C k is a square, (s² + p s + q)², if q = C / A, k = q / A, p² = B − q and c = 2 p / A.
    """
    v = values
    whole, hung = v["m_1"] + v["m_2"] + v["m_p"], v["m_p"] * v["a"]
    reduced, coupled = v["m_1"] * (v["m_2"] + v["m_p"]) / whole, v["m_1"] * hung / whole
    inertia = v["J_p"] + hung * v["a"] - hung**2 / whole
    moment, both = hung * v["g"], reduced * inertia - coupled**2
    A, B, C = inertia / both, reduced * moment / both, moment / both
    return [C / A**2, float(2 * np.sqrt(B - C / A) / A)]


def _wrong_bests(values: Mapping[str, float]) -> list[Misconception]:
    stiffness, damping = best(values)
    reduced = 1 / (1 / values["m_1"] + 1 / (values["m_2"] + values["m_p"]))
    return [
        Misconception(
            [stiffness, damping / 2],
            "At the optimum, the polynomial is a square, with a double product. Where is the "
            "factor of two?",
        ),
        Misconception(
            [stiffness, float(2 * np.sqrt(stiffness * reduced))],
            "That damps the carts critically as if the pendulum did not swing. The pendulum "
            "keeps swinging and hardly moves them.",
        ),
        Misconception(
            best({**values, "m_1": 1e12}),
            "Your left cart is fixed. It can roll, and the total momentum is conserved.",
        ),
        Misconception(
            best({**values, "J_p": 0.0}),
            "All the mass of your pendulum is at its center. Where is J_p?",
        ),
    ]


DOUBLE_CART = Capstone(
    name="double-cart",
    title="Double cart",
    task=TASK,
    constants=CONSTANTS,
    model=model,
    pose={"x_1": 0.75, "x_2": 1.85, "theta": 0.6},
    chapters=("02-double-pendulum", "07-linearization"),
    stages=(
        Stage(
            "Positions and energies",
            "The left cart rolls to the right at 0.4 m/s, the right cart to the left at 0.3 "
            "m/s. The spring is stretched by 7 cm. The pendulum is at 35°, measured "
            "counterclockwise from hanging down, and rotates counterclockwise at 2.5 rad/s. "
            "Give the total momentum along the rail, positive to the right [N·s], the total "
            "kinetic energy [J], and the force of the spring and the damper together on the "
            "left cart, positive to the right [N], as a list of three numbers with four digits.",
            lambda values: NumberArray(np.array(moving(values)), digits=4),
            _wrong_movings,
            "Without the force F, the momentum is constant: a test for your simulations.",
        ),
        Stage(
            "Equations of motion",
            "Model the system in coordinates of your choice. Give your equations or your "
            "`Model` with its outputs: the positions `x_1`, `x_2` of the middles of the carts "
            "[m], to the right from a mark on the rail, the angle `theta` of the pendulum "
            "[rad], counterclockwise from hanging down, and the energy `E` [J]: `answer = "
            '(model, {"x_1": ..., "x_2": ..., "theta": ..., "E": ...})`. The parameters are '
            "those in the table, and the input is `F`.",
            lambda values: Machine(
                machine,
                values={**values, "F": 3.0},
                start={"x_1": 0.1, "x_2": 1.2, "theta": 0.8},
                rests={"hanging still with the spring relaxed": {"x_2": values["s_0"]}},
                units={"x_1": "m", "x_2": "m", "theta": "rad", "E": "J", "F": "N"},
                energies=["E"],
            ),
            lambda values: [
                Misconception(
                    lambda: machine(relaxed=sm.S.Zero),
                    "Your spring is relaxed when the carts meet. What is its relaxed length?",
                ),
                Misconception(
                    lambda: machine(hung=x_1),
                    "Your pendulum hangs from the left cart. On which cart is its pin?",
                ),
                Misconception(
                    lambda: machine(held=0),
                    "Your spring and damper act only on the right cart. Where is the reaction?",
                ),
                Misconception(
                    lambda: machine(grounded=1),
                    "Your damper acts between each cart and the rail. It should act between the "
                    "carts.",
                ),
                Misconception(
                    lambda: machine(damped=0),
                    "Your carts are not damped. The damper c is a load, too.",
                ),
                Misconception(
                    lambda: machine(pushed=x_2),
                    "Your force acts on the right cart. Where should it act?",
                ),
                Misconception(
                    lambda: machine(turning=sm.S.Zero),
                    "Your pendulum swings as if all its mass were at its center. It rotates as "
                    "well.",
                ),
                Misconception(
                    lambda: machine(lifted=0),
                    "Gravity does not act on your pendulum. It has a weight.",
                ),
                Misconception(
                    lambda: machine(bent=0),
                    "The force of the swinging pendulum on its pin is missing. It is "
                    "proportional to the square of the angular velocity.",
                ),
            ],
            "Forces between two parts come in pairs, so they drop out of the motion of the "
            "whole system.",
        ),
        Stage(
            "A run",
            "Everything is at rest and the spring is relaxed, but the pendulum is held level, "
            "to the right. It is released, with `F` = 0. It swings down, up on the other side, "
            "and back. At what angle from hanging down [rad], as a positive number, does it "
            "reverse for the first time? Give four digits.",
            lambda values: Number(other_side(values), "rad", 4),
            _wrong_sides,
            "The lost potential energy is in the carts, in the spring, and in the heat of the "
            "damper.",
        ),
        Stage(
            "A design",
            "You may choose another spring and another damper. With `F` = 0 and zero total "
            "momentum, small motions should come to rest as quickly as possible: of all "
            "eigenvalues of the motions of stretch and angle, the one that decays most slowly "
            "should decay as fast as possible. Give `k` [N/m] and `c` [N·s/m], as a list of two "
            "numbers with three digits.",
            lambda values: NumberArray(np.array(best(values)), digits=3),
            _wrong_bests,
            "At the optimum, all eigenvalues coincide in pairs, so the optimum is sharp. Try "
            "how much 1% more damping costs.",
        ),
    ),
)
