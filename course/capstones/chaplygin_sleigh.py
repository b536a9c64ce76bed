"""A sleigh on a blade that a wheel drives: a velocity constraint, and a stroke to choose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from scipy.optimize import brentq

from course.capstones.tasks import Capstone, Constant, Stage
from course.judge import Machine, Misconception, Number, NumberArray
from tutlib.mechanics import EquationsOfMotion
from tutlib.methods import integrate_adaptive
from tutlib.models import Angle, Body, Length, Load, Model, Skeleton, Torque

CONSTANTS = (
    Constant("m", "mass of the sleigh, without the wheel", "kg", 1.7),
    Constant(
        "J", "moment of inertia of the sleigh about its center, without the wheel", "kg·m²", 0.36
    ),
    Constant("a", "distance from the blade to the center of mass", "m", 0.42),
    Constant("m_w", "mass of the wheel", "kg", 0.8),
    Constant("J_w", "moment of inertia of the wheel about its axle", "kg·m²", 0.13),
    Constant("b", "drag coefficient of the blade", "N·s/m", 0.55),
)

TASK = """\
A sleigh glides on a level table, on two smooth legs and a blade. The blade cuts into the table,
so it moves only in the direction of its edge, never sideways. The sleigh's center of mass is at
the distance `a` ahead of the blade. There, a wheel rotates about a vertical axle, on which its
center of mass lies. A motor on the sleigh drives the wheel with the torque `tau`, positive
counterclockwise. The drag on the blade is `b` times its velocity, in the opposite direction.

No wheel touches the ground, and yet the sleigh swims: a torque back and forth drives it forward.
Why, and how hard must the motor work?"""

x, y, phi, psi, v, omega, w, tau = me.dynamicsymbols("x y phi psi v omega w tau")
m, J, a, m_w, J_w = sm.symbols("m J a m_w J_w", positive=True)
b = sm.Symbol("b", nonnegative=True)
symbols = (m, J, a, m_w, J_w, b)


def model(
    ahead: Any = a,
    moment: Any = J,
    bends: Any = 1,
    turns: Any = 1,
    reacts: Any = 1,
    dragged: Any = 1,
    wheel: Any = m_w,
    coupled: Any = 1,
) -> Model:
    """Return the sleigh with the blade's velocity as a speed, right unless something is given."""
    whole, about = m + wheel, moment + (m + wheel) * ahead**2
    spun = coupled * J_w
    equations = EquationsOfMotion(
        (x, y, phi, psi),
        (v, omega, w),
        sm.Matrix([[whole, 0, 0], [0, about + spun, spun], [0, spun, J_w]]),
        sm.Matrix(
            [
                bends * whole * ahead * omega**2 - dragged * b * v,
                -turns * whole * ahead * v * omega + (1 - reacts) * tau,
                tau,
            ]
        ),
        sm.Matrix([[sm.cos(phi), 0, 0], [sm.sin(phi), 0, 0], [0, 1, 0], [0, 0, 1]]),
    )
    energy = (whole * v**2 + about * omega**2 + J_w * (coupled * omega + w) ** 2) / 2
    center = x + ahead * sm.cos(phi), y + ahead * sm.sin(phi)
    return Model(
        name="Chaplygin sleigh",
        equations=equations,
        kinetic_energy=energy,
        potential_energy=sm.S.Zero,
        skeleton=_skeleton(),
        parameters={s: c.value for s, c in zip(symbols, CONSTANTS)},
        names={
            "x": "position of the blade to the right",
            "y": "position of the blade upward",
            "phi": "heading",
            "psi": "angle of the wheel relative to the sleigh",
            "v": "velocity of the blade in its own direction",
            "omega": "rate of the heading",
            "w": "angular velocity of the wheel relative to the sleigh",
            "tau": "torque of the motor",
            **{c.name: c.meaning for c in CONSTANTS},
        },
        units={
            "x": "m",
            "y": "m",
            "phi": "rad",
            "psi": "rad",
            "v": "m/s",
            "omega": "rad/s",
            "w": "rad/s",
            "tau": "N·m",
            **{c.name: c.unit for c in CONSTANTS},
        },
        bodies=(Body(m, center, J, phi), Body(m_w, center, J_w, phi + psi)),
        loads=(
            Load(tau, psi),
            Load(-b * v * sm.cos(phi), x),
            Load(-b * v * sm.sin(phi), y),
        ),
    )


def _skeleton() -> Skeleton:
    along, across = sm.Matrix([sm.cos(phi), sm.sin(phi)]), sm.Matrix([-sm.sin(phi), sm.cos(phi)])
    blade = sm.Matrix([x, y])
    center, arm = blade + a * along, a * sm.Rational(2, 5)
    spoke = center + arm * sm.Matrix([sm.cos(phi + psi), sm.sin(phi + psi)])
    nose = blade + a * sm.Rational(8, 5) * along
    edge = [blade + s * a * sm.Rational(3, 10) * along for s in (-1, 1)]
    legs = [
        blade + a * along * sm.Rational(6, 5) + s * a * sm.Rational(7, 10) * across for s in (-1, 1)
    ]
    back = [blade + s * a * sm.Rational(1, 2) * across for s in (-1, 1)]
    points = [blade, center, nose, spoke, *edge, *legs, *back]
    outline = (8, 6, 2, 7, 9, 8)
    return Skeleton(
        points=tuple(tuple(point) for point in points),
        lines=(outline, (4, 5), (0, 1)),
        bodies=(1, 0),
        thin=(0, 2),
        faint=(2,),
        wheels=((1, 3),),
        masses=(None, None),
        names=("B", "C", "", "", "", "", "", "", "", ""),
        marks=(
            Angle(phi, 0, (sm.S.One, sm.S.Zero), 1),
            Length(a, 0, 1),
            Torque(tau, 1),
        ),
    )


def machine(**wrong: Any) -> tuple[Any, dict[str, sm.Expr]]:
    """Return the machine with its outputs, right unless something is given."""
    sleigh = model(**wrong)
    return sleigh, {"x_b": x, "y_b": y, "phi": phi, "psi": psi, "E": sleigh.kinetic_energy}


# ---- places and energies

_HEADING, _VELOCITIES = np.deg2rad(30.0), (0.8, -1.2, 5.0)


def motion_of_center(values: Mapping[str, float], **wrong: Any) -> list[float]:
    """Return the velocity of the center of mass along x and y [m/s], and the energy [J]."""
    sleigh = model(**wrong)
    center = sm.Matrix(sleigh.bodies[0].center)
    velocity = sleigh.equations.in_states(center.diff(me.dynamicsymbols._t))
    known = sleigh.with_parameters(values).free()
    state = [0.0, 0.0, _HEADING, 0.0, *_VELOCITIES]
    evaluate = known.compile_outputs([*velocity, known.kinetic_energy])
    return [float(value) for value in evaluate(0.0, state)]


def _wrong_motions(values: Mapping[str, float]) -> list[Misconception]:
    first, second, T = motion_of_center(values)
    v = _VELOCITIES[0]
    blade = [v * np.cos(_HEADING), v * np.sin(_HEADING)]
    return [
        Misconception(
            [*blade, T],
            "That is the velocity of the blade. How does the center of mass move around the blade?",
        ),
        Misconception(
            [*motion_of_center(values, ahead=-a)[:2], T],
            "Your center of mass is behind the blade. In which direction is a measured?",
        ),
        Misconception(
            [first, second, motion_of_center(values, coupled=0)[2]],
            "How fast does the wheel rotate relative to the ground, if the sleigh that carries "
            "it rotates as well?",
        ),
        Misconception(
            [first, second, motion_of_center(values, wheel=0)[2]],
            "The wheel has a mass, too, and it moves with the center of mass.",
        ),
    ]


# ---- a run

_THROWN = (-1.2, 0.2)


def turned_round(values: Mapping[str, float], about: float = 0.0, drag: float = 0.0) -> float:
    """Return the time [s] at which a sleigh that is thrown backward stands still.

    Its velocity is c tanh(k t), with k = a M c / I, where I is the moment about the blade.
    """
    whole = values["m"] + values["m_w"]
    inertia = values["J"] + about + whole * values["a"] ** 2
    speed, rate = _THROWN
    c = np.sqrt(speed**2 + inertia * rate**2 / whole)
    return float(np.arctanh(-speed / c) * inertia / (values["a"] * whole * c))


def _wrong_turns(values: Mapping[str, float]) -> list[Misconception]:
    without = {**values, "m_w": 0.0}
    return [
        Misconception(
            turned_round(values, values["J_w"]),
            "Your wheel rotates with the sleigh, as if it were fixed to it. What torque would "
            "make it rotate?",
        ),
        Misconception(turned_round(without), "Which mass does the wheel add to the sleigh?"),
        Misconception(
            turned_round(values, -(values["m"] + values["m_w"]) * values["a"] ** 2),
            "J is the moment of inertia about the center of mass, but the sleigh rotates about "
            "the blade.",
        ),
    ]


# ---- a design

_PERIOD, _STROKES, _WANTED = 2.0, 40, 0.5


def cruise(values: Mapping[str, float], amplitude: float, **wrong: Any) -> float:
    """Return the average velocity [m/s] of the last of many strokes, begun at rest."""
    A, time = sm.Symbol("A"), me.dynamicsymbols._t
    stroke = {tau: A * sm.cos(2 * sm.pi * time / _PERIOD)}
    known = model(**wrong).with_parameters(values).with_inputs(stroke, parameters={A: amplitude})
    end = _PERIOD * _STROKES
    times = np.array([0.0, *np.linspace(end - _PERIOD, end, 65)])
    run = integrate_adaptive(known.compile(), times, np.zeros(7), 1e-8, 1e-10, "dop853")
    return float(np.mean(run.x[1:-1, 4]))


def amplitude(values: Mapping[str, float], **wrong: Any) -> float:
    """Return the torque's amplitude [N·m] for the velocity that is wanted."""
    guess = by_hand(values)
    return float(
        brentq(lambda A: cruise(values, A, **wrong) - _WANTED, guess / 2, 2 * guess, xtol=1e-5)
    )


def by_hand(values: Mapping[str, float]) -> float:
    """Return that amplitude for small strokes: b v = M a times the average of ω²."""
    whole = values["m"] + values["m_w"]
    inertia = values["J"] + whole * values["a"] ** 2
    mean = values["b"] * _WANTED / (whole * values["a"])
    return float(np.sqrt(2 * mean) * inertia * 2 * np.pi / _PERIOD)


def _wrong_amplitudes(values: Mapping[str, float]) -> list[Misconception]:
    return [
        Misconception(
            by_hand(values),
            "That is the formula for small strokes. How large is the angle of yours?",
        ),
        Misconception(
            by_hand(values) * np.sqrt(2) / 2,
            "The forward force is proportional to the average of a square, and the average of a "
            "squared sine is one half. Where is that factor?",
        ),
        Misconception(
            by_hand({**values, "J": values["J"] + values["J_w"]}),
            "Your motor rotates sleigh and wheel together. It should rotate one relative to the "
            "other.",
        ),
        Misconception(
            by_hand({**values, "J": values["J"] - values["m"] * values["a"] ** 2}),
            "J is about the center of mass, but the sleigh rotates about its blade. What does the "
            "distance a add?",
        ),
    ]


CHAPLYGIN_SLEIGH = Capstone(
    name="chaplygin-sleigh",
    title="Chaplygin sleigh",
    task=TASK,
    constants=CONSTANTS,
    model=model,
    pose={"phi": 0.5, "psi": 0.7},
    chapters=("05-kane",),
    stages=(
        Stage(
            "Positions and energies",
            "The sleigh points 30° counterclockwise from the x axis. Its blade glides forward "
            "at 0.8 m/s, the sleigh rotates clockwise at 1.2 rad/s, and the wheel rotates "
            "counterclockwise relative to the sleigh at 5 rad/s. Give the velocity of the "
            "center of mass along x and along y [m/s], and the total kinetic energy [J], as a "
            "list of three numbers with four digits.",
            lambda values: NumberArray(np.array(motion_of_center(values)), digits=4),
            _wrong_motions,
            "The blade moves only in its own direction; the center of mass also moves sideways. "
            "These numbers contain both.",
        ),
        Stage(
            "Equations of motion",
            "Model the sleigh in coordinates and speeds of your choice. Give your equations or "
            "your `Model` with its outputs: the position `x_b`, `y_b` of the blade [m], the "
            "heading `phi` [rad], counterclockwise from the x axis, the angle `psi` [rad] of "
            "the wheel relative to the sleigh, and the energy `E` [J]: `answer = (model, "
            '{"x_b": ..., "y_b": ..., "phi": ..., "psi": ..., "E": ...})`. The parameters are '
            "those in the table, and the input is `tau`, positive if it rotates the wheel "
            "counterclockwise.",
            lambda values: Machine(
                machine,
                values={**values, "tau": 0.6},
                start={"phi": 0.5, "psi": 0.2, "v": 1.0, "omega": 1.5, "w": -2.0},
                units={"x_b": "m", "y_b": "m", "phi": "rad", "psi": "rad", "E": "J", "tau": "N·m"},
            ),
            lambda values: [
                Misconception(
                    lambda: machine(bends=0, turns=0),
                    "In your sleigh, rotating and gliding are independent. The center of mass "
                    "moves around the blade, which couples them.",
                ),
                Misconception(
                    lambda: machine(ahead=-a),
                    "Your center of mass is behind the blade. In which direction is a measured?",
                ),
                Misconception(
                    lambda: machine(reacts=0),
                    "Your motor has no reaction. The torque that rotates the wheel in one "
                    "direction rotates the sleigh in the other.",
                ),
                Misconception(
                    lambda: machine(coupled=0),
                    "The energy of your wheel contains its angular velocity relative to the "
                    "sleigh. What is its angular velocity relative to the ground?",
                ),
                Misconception(
                    lambda: machine(moment=J - (m + m_w) * a**2),
                    "J is the moment of inertia about the center of mass, which is not at the "
                    "blade. What does the velocity of the center of mass add?",
                ),
                Misconception(lambda: machine(wheel=0), "Your wheel rotates but has no mass."),
                Misconception(
                    lambda: machine(dragged=0),
                    "Nothing slows your blade down. The drag b is a load, too.",
                ),
            ],
            "There is one speed fewer than coordinates and no multiplier: the force on the "
            "blade dropped out.",
        ),
        Stage(
            "A run",
            "There is no drag, `b` = 0, and the motor is disconnected, so that the wheel "
            "rotates freely. The sleigh is thrown backward: the velocity of the blade is −1.2 "
            "m/s in the direction of the heading, and the sleigh rotates counterclockwise at "
            "0.2 rad/s. It turns around by itself and moves forward. After how many seconds is "
            "the velocity of the blade zero for an instant? Give four digits.",
            lambda values: Number(turned_round(values), "s", 4),
            _wrong_turns,
            "There is a closed formula, from the energy alone: a hyperbolic tangent. Did you "
            "find it?",
        ),
        Stage(
            "A design",
            "The drag is back. Starting from rest, the torque of the motor oscillates as A "
            "cos(π t), with t in seconds, so that a stroke takes 2 s. How large must A [N·m] be "
            "so that, after many strokes, the velocity of the blade in its own direction is 0.5 "
            "m/s, averaged over a stroke? Give three digits.",
            lambda values: Number(amplitude(values), "N·m", 3),
            _wrong_amplitudes,
            "For small strokes, the forward force is proportional to A². How far is that "
            "formula from your result?",
        ),
    ),
)
