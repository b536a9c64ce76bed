"""A slider-crank with a heavy rod: a loop, and the flywheel that makes it run evenly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from scipy.optimize import minimize_scalar

from course.capstones.tasks import Capstone, Constant, Stage
from course.judge import Machine, Misconception, Number, NumberArray
from tutlib.mechanics import EquationsOfMotion
from tutlib.methods import integrate_adaptive
from tutlib.models import Angle, Body, Center, Force, Length, Load, Model, Skeleton, Torque

CONSTANTS = (
    Constant("l_a", "length of the crank", "m", 0.31),
    Constant("l_b", "length of the rod", "m", 0.87),
    Constant("d", "distance from the crank's pin to the rod's center of mass", "m", 0.34),
    Constant("m_b", "mass of the rod", "kg", 1.3),
    Constant("J_b", "moment of inertia of the rod about its center", "kg·m²", 0.11),
    Constant("m_c", "mass of the slider", "kg", 2.1),
    Constant("J_a", "moment of inertia of the crank about its shaft", "kg·m²", 0.19),
    Constant("g", "gravity", "m/s²", 9.81, drawn=False),
)

TASK = """\
A crank rotates about a shaft that is fixed to the ground. A rod connects the crank's pin to a
slider, which moves without friction along a level rail through the shaft. Crank and rod have
mass: the crank is balanced, so its center of mass is on the shaft; the rod's center of mass lies
on the line between its pins. A motor on the ground drives the crank with the torque `tau`,
positive counterclockwise; a gas pushes the slider with the force `F`, positive to the right.
Gravity acts downward.

Engines, pumps, and presses work this way. How does this one move, and what makes it run evenly?"""

theta, tau, F = me.dynamicsymbols("theta tau F")
l_a, l_b, d, m_b, J_b, m_c, J_a, g = symbols = sm.symbols(
    "l_a l_b d m_b J_b m_c J_a g", positive=True
)
_T = me.dynamicsymbols._t
_reach = sm.sqrt(l_b**2 - l_a**2 * sm.sin(theta) ** 2)  # of the rod along the rail


def model(
    turning: Any = J_b,
    center: Any = d,
    lifted: Any = 1,
    carried: Any = 1,
    bent: Any = 1,
    turned: Any = tau,
) -> Model:
    """Return the machine by the crank's angle, right unless something is given."""
    pin = sm.Matrix([l_a * sm.cos(theta), l_a * sm.sin(theta)])
    slider = sm.Matrix([pin[0] + _reach, 0])
    middle = pin + center / l_b * (slider - pin)
    tilt = -sm.asin(pin[1] / l_b)
    rate = theta.diff()
    moved = sum(c.diff(_T) ** 2 for c in middle)
    kinetic = (
        J_a * rate**2
        + m_b * moved
        + turning * tilt.diff(_T) ** 2
        + carried * m_c * slider[0].diff(_T) ** 2
    ) / 2
    potential = lifted * m_b * g * middle[1]
    driving = {theta: turned + F * slider[0].diff(theta)}
    equations = EquationsOfMotion.from_lagrangian(kinetic, potential, [theta], driving)
    if not bent:
        still = equations.forcing.xreplace({rate: sm.S.Zero})
        equations = EquationsOfMotion((theta,), (rate,), equations.mass_matrix, still)
    return Model(
        name="slider-crank",
        equations=equations,
        kinetic_energy=kinetic,
        potential_energy=potential,
        skeleton=_skeleton(pin, slider, middle),
        parameters={s: c.value for s, c in zip(symbols, CONSTANTS)},
        names={"theta": "angle of the crank", **{c.name: c.meaning for c in CONSTANTS}},
        units={"theta": "rad", "tau": "N·m", "F": "N", **{c.name: c.unit for c in CONSTANTS}},
        bodies=(
            Body(0, (0, 0), J_a, theta),
            Body(m_b, tuple(middle), J_b, tilt),
            Body(m_c, tuple(slider)),
        ),
        loads=(Load(tau, theta), Load(F, slider[0])),
    )


def _skeleton(pin: sm.Matrix, slider: sm.Matrix, middle: sm.Matrix) -> Skeleton:
    zero, ground = (sm.S.Zero, sm.S.Zero), (l_b + l_a) * sm.Rational(11, 10)
    rail = ((l_b - l_a) * sm.Rational(9, 10), sm.S.Zero), (ground, sm.S.Zero)
    return Skeleton(
        points=(zero, tuple(pin), tuple(slider), tuple(middle), *rail),
        lines=((0, 1, 2), (4, 5)),
        bodies=(1, 2),
        pivots=(0,),
        thin=(1,),
        masses=(None, m_c),
        names=("O", "P_1", "P_2", "", "", ""),
        marks=(
            Angle(theta, 0, (sm.S.One, sm.S.Zero), 1),
            Length(l_a, 0, 1),
            Length(l_b, 1, 2),
            Center(m_b, 1, 2, d / l_b),
            Torque(tau, 0),
            Force(F, 2, (sm.S.One, sm.S.Zero)),
        ),
    )


def machine(**wrong: Any) -> tuple[Model, dict[str, sm.Expr]]:
    """Return the machine with its outputs, right unless something is given."""
    mechanism = model(**wrong)
    (x_1, y_1), (x_2, _) = mechanism.skeleton.points[1:3]
    energy = mechanism.kinetic_energy + mechanism.potential_energy
    return mechanism, {"x_1": x_1, "y_1": y_1, "x_2": x_2, "E": energy}


# ---- positions and energies

_ANGLE, _SPEED = np.deg2rad(40.0), 3.0


def places(values: Mapping[str, float], **wrong: Any) -> list[float]:
    """Return the slider's position [m] and velocity [m/s], and the kinetic energy [J]."""
    mechanism = model(**wrong)
    x_2 = mechanism.skeleton.points[2][0]
    known = mechanism.with_parameters(values).free()
    asked = [x_2, x_2.diff(_T), known.kinetic_energy]
    return [float(v) for v in known.compile_outputs(asked)(0.0, [_ANGLE, _SPEED])]


def _wrong_places(values: Mapping[str, float]) -> list[Misconception]:
    x, v, T = places(values)
    across = -values["l_a"] * np.sin(_ANGLE) * _SPEED
    return [
        Misconception(
            [x, -v, T], "Which direction is positive for the slider? x points to the right."
        ),
        Misconception(
            [x, across, T],
            "That is the velocity of the pin along the rail. What does the rotation of the rod "
            "add?",
        ),
        Misconception(
            [x, v, places(values, turning=0)[2]],
            "Part of the kinetic energy is missing. How fast does the rod rotate?",
        ),
        Misconception(
            [x, v, places(values, center=l_b / 2)[2]],
            "Where is the rod's center of mass? d is measured from the crank's pin.",
        ),
    ]


# ---- a run


def fall(values: Mapping[str, float], **wrong: Any) -> float:
    """Return the time [s] at which a crank that is released at 0 first hangs straight down."""
    f = model(**wrong).with_parameters(values).free().compile()
    down = integrate_adaptive(
        f, [0.0, 20.0], [0.0, 0.0], 1e-10, 1e-12, "dop853", until=lambda t, x: x[0] + np.pi / 2
    )
    return float(down.t[-1])


def _wrong_falls(values: Mapping[str, float]) -> list[Misconception]:
    turn = 2 * fall(values)
    return [
        Misconception(
            fall(values, turning=0), "Does the rotation of the rod itself contribute to the energy?"
        ),
        Misconception(
            fall(values, center=l_b - d),
            "Your rod's center of mass is at the distance d from the slider. From which pin is "
            "d measured?",
        ),
        Misconception(
            fall(values, bent=0),
            "Terms with the square of the angular velocity are missing. They are zero only at "
            "rest: where does one appear when you differentiate a velocity?",
        ),
        Misconception(turn, "That is the time to reach the left side. When is the crank halfway?"),
    ]


# ---- a design

_UNEVEN = 0.02


def inertia(values: Mapping[str, float]) -> Callable[[float], float]:
    """Return a function of the angle: the moment of inertia at the shaft [kg·m²]."""
    mechanism = model().with_parameters(values).free()
    evaluate = mechanism.compile_outputs([2 * mechanism.kinetic_energy])
    return lambda angle: float(evaluate(0.0, [angle, 1.0])[0])


def extremes(values: Mapping[str, float]) -> tuple[float, float]:
    """Return the least and the greatest value of that inertia over a revolution."""
    felt = inertia(values)
    return _least(felt), -_least(lambda angle: -felt(angle))


def _least(of: Callable[[float], float]) -> float:
    start = min(np.linspace(0, 2 * np.pi, 181), key=of)
    near = (start - 0.05, start + 0.05)
    return float(minimize_scalar(of, bounds=near, method="bounded", options={"xatol": 1e-9}).fun)


def flywheel(values: Mapping[str, float], ratio: float = (2 + _UNEVEN) / (2 - _UNEVEN)) -> float:
    """Return the moment of inertia [kg·m²] to add, for a ratio of greatest to least speed."""
    least, most = extremes(values)
    return (most - ratio**2 * least) / (ratio**2 - 1)


def _wrong_flywheels(values: Mapping[str, float]) -> list[Misconception]:
    J = flywheel(values)
    return [
        Misconception(
            flywheel(values, ((2 + _UNEVEN) / (2 - _UNEVEN)) ** 0.5),
            "Your ratio of speeds enters without its square. How does the energy depend on the "
            "speed?",
        ),
        Misconception(
            J + values["J_a"], "The crank already has its own inertia. How much must be added?"
        ),
        Misconception(
            flywheel(values, (1 + _UNEVEN) / (1 - _UNEVEN)),
            "Each of your speeds deviates by 2% from the average. By how much do the greatest and "
            "the least speed differ then?",
        ),
    ]


SLIDER_CRANK = Capstone(
    name="slider-crank",
    title="Slider-crank",
    task=TASK,
    constants=CONSTANTS,
    model=model,
    pose={"theta": 0.9},
    chapters=("05-kane", "06-holonomic-constraints"),
    stages=(
        Stage(
            "Positions and energies",
            "The crank is at 40°, measured counterclockwise from the rail to the right, and "
            "rotates counterclockwise at 3 rad/s. Give the position [m] of the slider, measured "
            "from the shaft, its velocity [m/s], both positive to the right, and the kinetic "
            "energy of the whole machine [J], as a list of three numbers with four digits.",
            lambda values: NumberArray(np.array(places(values)), digits=4),
            _wrong_places,
            "These three numbers contain all of the kinematics. Keep them as a test of your model.",
        ),
        Stage(
            "Equations of motion",
            "Model the machine in coordinates of your choice. Give your equations or your "
            "`Model` with its outputs: the position `x_1`, `y_1` of the pin and the position "
            "`x_2` of the slider [m], in axes from the shaft, x to the right and y up, and the "
            'energy `E` [J]: `answer = (model, {"x_1": ..., "y_1": ..., "x_2": ..., "E": '
            "...})`. The parameters are those in the table, and the inputs are `tau` and `F`.",
            lambda values: Machine(
                machine,
                values={**values, "tau": 1.5, "F": 4.0},
                start={"theta": 0.4},
                rests={
                    "with the crank straight down": {"theta": -np.pi / 2},
                    "with the crank straight up": {"theta": np.pi / 2},
                },
                units={"x_1": "m", "y_1": "m", "x_2": "m", "E": "J", "tau": "N·m", "F": "N"},
                energies=["E"],
            ),
            lambda values: [
                Misconception(
                    lambda: machine(turning=0),
                    "Your rod moves as if all its mass were at its center. It rotates as well.",
                ),
                Misconception(
                    lambda: machine(center=l_b - d),
                    "The center of mass of your rod is at the distance d from the slider. It "
                    "should be at the distance d from the crank's pin.",
                ),
                Misconception(
                    lambda: machine(lifted=0),
                    "Gravity does not act on your crank. Which parts that move up and down have "
                    "a weight?",
                ),
                Misconception(
                    lambda: machine(carried=0),
                    "Your slider has no mass. It has to be accelerated, too.",
                ),
                Misconception(
                    lambda: machine(bent=0),
                    "Did you lose a term with squares of speeds when you differentiated a "
                    "constraint or a velocity again?",
                ),
                Misconception(
                    lambda: machine(turned=tau * (1 + l_a * sm.cos(theta) / _reach)),
                    "Your torque acts between the crank and the rod. The motor is fixed to the "
                    "ground.",
                ),
            ],
            "In your coordinates, your model moves as the machine does.",
        ),
        Stage(
            "A run",
            "The motor and the gas are off. The crank is released from rest, level and pointing "
            "to the right. After how many seconds does it first hang straight down? Give four "
            "digits.",
            lambda values: Number(fall(values), "s", 4),
            _wrong_falls,
            "Because you found it as an event, not on a grid of times, it is as accurate as "
            "your method.",
        ),
        Stage(
            "A design",
            "At high speed, weight and friction hardly matter: leave them out, and let the "
            "machine coast. Its speed still varies within each revolution. What moment of "
            "inertia [kg·m²] must a flywheel on the shaft add so that the greatest and the "
            "least angular velocity of the crank differ by 2% of their average (half of their "
            "sum)? Give three digits.",
            lambda values: Number(flywheel(values), "kg·m²", 3),
            _wrong_flywheels,
            "No simulation was needed: the energy alone determines the ratio of the speeds.",
        ),
    ),
)
