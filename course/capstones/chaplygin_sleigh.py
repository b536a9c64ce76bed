"""A sleigh on a blade that a wheel makes swim: a velocity constraint, and a stroke to choose."""

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
    Constant("b", "drag along the blade, per speed", "N·s/m", 0.55),
)

TASK = """\
A sleigh glides on a level table, on two smooth legs and a blade. The blade cuts into the table:
it glides along its edge and never across. Ahead of it, by `a`, is the sleigh's center of mass,
and there stands the axle of a wheel that turns in a level plane; the wheel's center of mass is on
its axle. A motor on the sleigh turns the wheel with the torque `tau`, counter-clockwise. Drag on
the blade is `b` times its velocity, against it.

No wheel touches the ground, and still it swims: a torque to and fro drives it ahead. Why, and how
hard must the motor work?"""

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
            "x": "place of the blade to the right",
            "y": "place of the blade to the top",
            "phi": "heading",
            "psi": "turn of the wheel against the sleigh",
            "v": "velocity of the blade along itself",
            "omega": "rate of the heading",
            "w": "rate of the wheel against the sleigh",
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
    """Return the center's velocity to the right and to the top [m/s], and the energy [J]."""
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
        Misconception([*blade, T], "That is the blade's velocity. The center goes around it, too."),
        Misconception(
            [*motion_of_center(values, ahead=-a)[:2], T],
            "Your center of mass is behind the blade: it is ahead of it.",
        ),
        Misconception(
            [first, second, motion_of_center(values, coupled=0)[2]],
            "How fast does the wheel turn against the ground, if it stands on what turns?",
        ),
        Misconception(
            [first, second, motion_of_center(values, wheel=0)[2]],
            "The wheel has a mass, too, and moves with the center.",
        ),
    ]


# ---- a run

_THROWN = (-1.2, 0.2)


def turned_round(values: Mapping[str, float], about: float = 0.0, drag: float = 0.0) -> float:
    """Return when [s] a sleigh that is thrown backward stands, before it goes ahead.

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
            "Your wheel turns with the sleigh, as if it were fixed. Who would turn it?",
        ),
        Misconception(turned_round(without), "The wheel's mass is carried along, too."),
        Misconception(
            turned_round(values, -(values["m"] + values["m_w"]) * values["a"] ** 2),
            "J is the moment about the center of mass, and it turns about the blade.",
        ),
    ]


# ---- a design

_PERIOD, _STROKES, _WANTED = 2.0, 40, 0.5


def cruise(values: Mapping[str, float], amplitude: float, **wrong: Any) -> float:
    """Return the mean velocity [m/s] of the last of many strokes, begun at rest."""
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
    """Return that amplitude for small strokes: b v = M a times the mean of ω²."""
    whole = values["m"] + values["m_w"]
    inertia = values["J"] + whole * values["a"] ** 2
    mean = values["b"] * _WANTED / (whole * values["a"])
    return float(np.sqrt(2 * mean) * inertia * 2 * np.pi / _PERIOD)


def _wrong_amplitudes(values: Mapping[str, float]) -> list[Misconception]:
    return [
        Misconception(
            by_hand(values),
            "That is near, and the formula for small strokes. Yours are not that small.",
        ),
        Misconception(
            by_hand(values) * np.sqrt(2) / 2,
            "The force ahead goes with the mean of a square, and the mean of a squared sine is a "
            "half.",
        ),
        Misconception(
            by_hand({**values, "J": values["J"] + values["J_w"]}),
            "Your motor turns sleigh and wheel together. It turns one against the other.",
        ),
        Misconception(
            by_hand({**values, "J": values["J"] - values["m"] * values["a"] ** 2}),
            "J is about the center of mass, and the sleigh turns about its blade.",
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
            "Places and energies",
            "The sleigh points 30° counter-clockwise from the x axis. Its blade glides ahead with "
            "0.8 m/s, it turns clockwise with 1.2 rad/s, and the wheel turns against it with "
            "5 rad/s counter-clockwise. Give the velocity of the center of mass along x and along "
            "y [m/s], and the kinetic energy of all [J], as a list of three numbers with four "
            "digits.",
            lambda values: NumberArray(np.array(motion_of_center(values)), digits=4),
            _wrong_motions,
            "The blade knows one speed, the center another direction: all of it is in these.",
        ),
        Stage(
            "Equations of motion",
            "Model it, in coordinates and speeds of your choice. Give your equations or your "
            "`Model` with its outputs: the blade's place `x_b`, `y_b` [m], the heading `phi` [rad] "
            "counter-clockwise from the x axis, the wheel's turn `psi` [rad] against the sleigh, "
            'and the energy `E` [J]: `answer = (model, {"x_b": ..., "y_b": ..., "phi": ..., '
            '"psi": ..., "E": ...})`. The parameters are those of the table, the input is `tau`, '
            "positive if it turns the wheel counter-clockwise.",
            lambda values: Machine(
                machine,
                values={**values, "tau": 0.6},
                start={"phi": 0.5, "psi": 0.2, "v": 1.0, "omega": 1.5, "w": -2.0},
                units={"x_b": "m", "y_b": "m", "phi": "rad", "psi": "rad", "E": "J", "tau": "N·m"},
            ),
            lambda values: [
                Misconception(
                    lambda: machine(bends=0, turns=0),
                    "Turning and gliding do not know of each other in your sleigh: the center of "
                    "mass goes around the blade, and that must show.",
                ),
                Misconception(
                    lambda: machine(ahead=-a),
                    "Your center of mass is behind the blade. It is ahead of it.",
                ),
                Misconception(
                    lambda: machine(reacts=0),
                    "Your motor pushes against nothing: what turns the wheel one way turns the "
                    "sleigh the other way.",
                ),
                Misconception(
                    lambda: machine(coupled=0),
                    "Your wheel's energy has its rate against the sleigh. Against the ground it "
                    "turns faster, or more slowly.",
                ),
                Misconception(
                    lambda: machine(moment=J - (m + m_w) * a**2),
                    "J is the moment about the center of mass. The blade is not there: what does "
                    "the center's own velocity add?",
                ),
                Misconception(lambda: machine(wheel=0), "Your wheel turns, and weighs nothing."),
                Misconception(
                    lambda: machine(dragged=0), "Nothing slows your blade: b is a load, too."
                ),
            ],
            "A speed fewer than coordinates, and no multiplier: the blade's force dropped out.",
        ),
        Stage(
            "A run",
            "Without drag, `b` = 0, and with the motor disconnected, so that the wheel turns "
            "freely, the sleigh is thrown backward: the blade's velocity is −1.2 m/s along the "
            "heading, and it turns counter-clockwise with 0.2 rad/s. It turns round by itself, and "
            "goes ahead. After how many seconds does the blade stand still for an instant? Give "
            "four digits.",
            lambda values: Number(turned_round(values), "s", 4),
            _wrong_turns,
            "There is a closed formula, by energy alone: a hyperbolic tangent. Did you find it?",
        ),
        Stage(
            "A design",
            "Drag is on again. From rest the motor's torque goes to and fro, A cos(π t), with t in "
            "seconds: a stroke takes 2 s. How large must A [N·m] be, so that after many strokes "
            "the blade's velocity along itself is 0.5 m/s, in the mean over a stroke? Give three "
            "digits.",
            lambda values: Number(amplitude(values), "N·m", 3),
            _wrong_amplitudes,
            "For small strokes the force ahead goes with A². How far is that formula from yours?",
        ),
    ),
)
