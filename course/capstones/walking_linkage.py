"""A leg that a crank makes walk: Chebyshev's linkage, its loop closed, and a step made flat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from scipy.optimize import brentq

from course.capstones.tasks import Capstone, Constant, Stage
from course.judge import Machine, Misconception, Number, NumberArray
from tutlib.mechanics import EquationsOfMotion
from tutlib.methods import integrate_adaptive
from tutlib.models import Angle, Body, Force, Length, Load, Model, Skeleton, Torque

CONSTANTS = (
    Constant("l_a", "length of the crank", "m", 0.062),
    Constant("l_b", "length of the rocker (the coupler is twice as long)", "m", 0.151),
    Constant("l_n", "distance of the rocker's pivot from the shaft", "m", 0.128),
    Constant("h", "length of the leg", "m", 0.39),
    Constant("m_b", "mass of the coupler", "kg", 0.24),
    Constant("m_c", "mass of the rocker", "kg", 0.17),
    Constant("m_f", "mass of leg and foot", "kg", 0.33),
    Constant("J_a", "moment of inertia of crank and motor about the shaft", "kg·m²", 0.0041),
    Constant("g", "gravity", "m/s²", 9.81, drawn=False),
    Constant("tau_0", "torque of the motor at standstill", "N·m", 1.4),
    Constant("omega_0", "speed at which the motor has no torque", "rad/s", 23.0),
    Constant("v", "required walking speed", "m/s", 0.44),
)

TASK = """\
A crank of length `l_a` rotates about a shaft. Its pin carries one end of a straight coupler. The
middle of the coupler is connected to a rocker, whose pivot is at the height of the shaft, at the
distance `l_n` to the right. The rocker is as long as each half of the coupler, `l_b`. The other
end of the coupler is above, and from there the leg hangs straight down, with the foot at its end:
a second, equal linkage keeps the leg vertical, so that it moves without rotating. Coupler and
rocker are uniform thin rods, and the crank is balanced. A motor drives the crank with the torque
`tau`, positive counterclockwise; the ground pushes the foot with the forces `F_x`, to the right,
and `F_y`, upward. Gravity acts downward.

Shaft and pivot are on a body that a stand holds in place, as on a bench. Neglect the second
linkage, the other legs, which alternate with this one, and the impact of a foot on the ground.
Chebyshev built such a machine. Does it walk without nodding?"""

theta, tau, F_x, F_y = me.dynamicsymbols("theta tau F_x F_y")
l_a, l_b, l_n, h, m_b, m_c, m_f, J_a, g = symbols = sm.symbols(
    "l_a l_b l_n h m_b m_c m_f J_a g", positive=True
)
_T = me.dynamicsymbols._t


def _joints(side: Any = 1) -> tuple[sm.Matrix, sm.Matrix, sm.Matrix]:
    """Return the crank's pin, the coupler's middle and its other end.

    Pin, pivot and end lie on a circle about the middle, with the coupler as its diameter: by Thales
    the angle at the pivot is a right one.
    """
    pin = l_a * sm.Matrix([sm.cos(theta), sm.sin(theta)])
    pivot = sm.Matrix([l_n, 0])
    near = l_n**2 + l_a**2 - 2 * l_n * l_a * sm.cos(theta)  # from pin to pivot, squared
    across = sm.Matrix([pin[1], l_n - pin[0]])
    end = pivot + side * sm.sqrt(4 * l_b**2 / near - 1) * across
    return pin, (pin + end) / 2, end


def model(
    side: Any = 1,
    turning: Any = 1,
    rocking: Any = 1,
    carried: Any = 1,
    lifted: Any = 1,
    bent: Any = 1,
    pushed: Any = 1,
    turned: Any = tau,
) -> Model:
    """Return the machine by the crank's angle, right unless something is given."""
    pin, middle, end = _joints(side)
    foot, rate = end - sm.Matrix([0, h]), theta.diff()
    rocker = (sm.Matrix([l_n, 0]) + middle) / 2

    def squared(way: sm.Matrix) -> sm.Expr:
        return way.diff(_T).dot(way.diff(_T))

    # A rod that turns about its end has a third of m l², one about its middle a twelfth.
    kinetic = (
        J_a * rate**2
        + m_b * squared(middle)
        + turning * m_b * squared(end - pin) / 12
        + rocking * m_c * squared(middle) / 3
        + carried * m_f * squared(foot)
    ) / 2
    potential = g * (m_b * middle[1] + m_c * rocker[1] + lifted * m_f * foot[1])
    driving = turned + F_x * foot[0].diff(theta) + pushed * F_y * foot[1].diff(theta)
    equations = EquationsOfMotion.from_lagrangian(kinetic, potential, [theta], {theta: driving})
    if not bent:
        still = equations.forcing.xreplace({rate: sm.S.Zero})
        equations = EquationsOfMotion((theta,), (rate,), equations.mass_matrix, still)
    return Model(
        name="walking linkage",
        equations=equations,
        kinetic_energy=kinetic,
        potential_energy=potential,
        skeleton=_skeleton(pin, middle, end, foot),
        parameters={s: c.value for s, c in zip(symbols, CONSTANTS)},
        names={"theta": "angle of the crank", **{c.name: c.meaning for c in CONSTANTS}},
        units={
            "theta": "rad",
            "tau": "N·m",
            "F_x": "N",
            "F_y": "N",
            **{c.name: c.unit for c in CONSTANTS},
        },
        bodies=(
            Body(0, (0, 0), J_a, theta),
            Body(m_b, tuple(middle), m_b * l_b**2 / 3, _tilt(end - pin)),
            Body(m_c, tuple(rocker), m_c * l_b**2 / 12, _tilt(middle - rocker)),
            Body(m_f, tuple(foot)),
        ),
        loads=(Load(tau, theta), Load(F_x, foot[0]), Load(F_y, foot[1])),
    )


def _tilt(way: sm.Matrix) -> sm.Expr:
    return sm.atan2(way[1], way[0])


def _skeleton(pin: sm.Matrix, middle: sm.Matrix, end: sm.Matrix, foot: sm.Matrix) -> Skeleton:
    zero = sm.S.Zero
    return Skeleton(
        points=((zero, zero), tuple(pin), tuple(middle), tuple(end), tuple(foot), (l_n, zero)),
        lines=((0, 1), (1, 2, 3), (5, 2), (3, 4)),
        bodies=(1, 2, 3, 4),
        pivots=(0, 5),
        masses=(None, None, None, None),
        names=("O", "P_1", "P_2", "P_3", "P_f", "Q"),
        marks=(
            Angle(theta, 0, (sm.S.One, zero), 1),
            Length(l_a, 0, 1),
            Length(l_b, 5, 2),
            Length(l_n, 0, 5),
            Length(h, 3, 4),
            Torque(tau, 0),
            Force(F_x, 4, (sm.S.One, zero)),
            Force(F_y, 4, (zero, sm.S.One)),
        ),
    )


def machine(**wrong: Any) -> tuple[Model, dict[str, sm.Expr]]:
    """Return the machine with its outputs, right unless something is given."""
    linkage = model(**wrong)
    (x_1, y_1), (x_f, y_f) = linkage.skeleton.points[1], linkage.skeleton.points[4]
    energy = linkage.kinetic_energy + linkage.potential_energy
    return linkage, {"x_1": x_1, "y_1": y_1, "x_f": x_f, "y_f": y_f, "E": energy}


_UNITS = {
    **dict.fromkeys(("x_1", "y_1", "x_f", "y_f"), "m"),
    **dict.fromkeys(("F_x", "F_y"), "N"),
    "tau": "N·m",
    "E": "J",
}


def _constants(values: Mapping[str, float]) -> dict[str, float]:
    return {symbol.name: values[symbol.name] for symbol in symbols}


# ---- positions and energies

_ANGLE, _SPEED = np.deg2rad(40.0), 3.0


def places(values: Mapping[str, float], **wrong: Any) -> list[float]:
    """Return the position of the foot [m], to the right and up, and the kinetic energy [J]."""
    linkage = model(**wrong)
    known = linkage.with_parameters(_constants(values)).free()
    evaluate = known.compile_outputs([*linkage.skeleton.points[4], known.kinetic_energy])
    return [float(number) for number in evaluate(0.0, [_ANGLE, _SPEED])]


def _wrong_places(values: Mapping[str, float]) -> list[Misconception]:
    x, y, T = places(values)
    return [
        Misconception(
            places(values, side=-1),
            "The loop can be closed in two ways. In yours, the end of the coupler is below the "
            "pivots.",
        ),
        Misconception([x, y + values["h"], T], "That is the top of the leg. Where is the foot?"),
        Misconception(
            [x, y, places(values, turning=0)[2]],
            "Part of the kinetic energy is missing. How fast does the coupler rotate?",
        ),
        Misconception(
            [x, y, places(values, turning=sm.Rational(1, 4))[2]],
            "How long is the coupler to which that moment of inertia belongs? It has two halves.",
        ),
    ]


# ---- a run


def first_turn(values: Mapping[str, float], even: bool = False, **wrong: Any) -> float:
    """Return the time [s] of the first revolution of the crank, from rest at 180°.

    The motor's torque falls with the speed, unless it is even.
    """
    tau_0, omega_0 = sm.symbols("tau_0 omega_0")
    share = 1 if even else 1 - theta.diff() / omega_0
    motor = {tau: tau_0 * share, F_x: 0, F_y: 0}
    limits = {tau_0: values["tau_0"], **({} if even else {omega_0: values["omega_0"]})}
    known = model(**wrong).with_parameters(_constants(values)).with_inputs(motor, parameters=limits)
    run = integrate_adaptive(
        known.compile(),
        [0.0, 20.0],
        [np.pi, 0.0],
        1e-10,
        1e-12,
        "dop853",
        until=lambda t, x: x[0] - 3 * np.pi,
    )
    return float(run.t[-1])


def _wrong_turns(values: Mapping[str, float]) -> list[Misconception]:
    return [
        Misconception(
            first_turn(values, even=True),
            "Your motor has the same torque at high speed as at standstill.",
        ),
        Misconception(
            first_turn(values, bent=0),
            "Terms with the square of the angular velocity are missing. The inertia of the leg, "
            "as seen from the crank, depends on the angle.",
        ),
        Misconception(
            first_turn(values, turning=0),
            "Your coupler moves as if all its mass were at its middle. It rotates as well.",
        ),
        Misconception(first_turn(values, rocking=0), "Your rocker has no inertia. It has a mass."),
    ]


# ---- a design

_BEGIN, _MIDDLE, _END = np.pi / 2, np.pi, 3 * np.pi / 2  # of a step


def of_foot(values: Mapping[str, float]) -> Callable[[float, float], list[float]]:
    """Return a function of the angle and l_b: the position of the foot [m], right and up."""
    foot = _joints()[2] - sm.Matrix([0, h])
    known = {s: values[s.name] for s in (l_a, l_n, h)}
    evaluate = sm.lambdify((theta, l_b), [one.xreplace(known) for one in foot])
    return lambda angle, half: [float(number) for number in evaluate(angle, half)]


def level_leg(values: Mapping[str, float]) -> float:
    """Return l_b [m] for a foot that is as high in the middle of its step as at both ends."""
    foot = of_foot(values)

    def rise(half: float) -> float:
        return foot(_MIDDLE, half)[1] - foot(_BEGIN, half)[1]

    shortest = (values["l_a"] + values["l_n"]) / 2  # so that it reaches all around
    return float(brentq(rise, 1.001 * shortest, 4 * shortest, xtol=1e-14))


def design(values: Mapping[str, float]) -> list[float]:
    """Return that length [m], and the angular velocity of the crank [rad/s] at that speed."""
    half = level_leg(values)
    return [half, cadence(values, half)]


def cadence(values: Mapping[str, float], half: float) -> float:
    """Return the angular velocity of the crank [rad/s]: half a revolution is a step."""
    foot = of_foot(values)
    stride = foot(_BEGIN, half)[0] - foot(_END, half)[0]
    return float(np.pi * values["v"] / stride)


def _wrong_designs(values: Mapping[str, float]) -> list[Misconception]:
    half, rate = design(values)
    return [
        Misconception(
            [half, cadence(values, values["l_b"])],
            "That is the speed for the original leg. With your `l_b`, the steps are different.",
        ),
        Misconception(
            [half, 2 * rate],
            "Your foot never leaves the ground. For which part of a revolution is it there?",
        ),
        Misconception(
            [half, values["v"] / values["l_a"]],
            "That is the speed of the crank's pin. The stride of the foot is longer than that "
            "of the pin.",
        ),
        Misconception(
            [2 * half, rate], "That is the length of the whole coupler. Which part of it is `l_b`?"
        ),
    ]


WALKING_LINKAGE = Capstone(
    name="walking-linkage",
    title="Walking linkage",
    task=TASK,
    constants=CONSTANTS,
    model=model,
    pose={"theta": 2.2},
    chapters=("05-kane", "06-holonomic-constraints"),
    stages=(
        Stage(
            "Positions and energies",
            "The crank is at 40°, measured counterclockwise from the direction to the right, "
            "and rotates counterclockwise at 3 rad/s. Give the position of the foot [m], "
            "measured from the shaft, first to the right and then up, and the kinetic energy of "
            "the whole machine [J], as a list of three numbers with four digits.",
            lambda values: NumberArray(np.array(places(values)), digits=4),
            _wrong_places,
            "You chose the right one of two ways to close the loop. Everything else follows "
            "from it.",
        ),
        Stage(
            "Equations of motion",
            "Model the machine in coordinates of your choice. Give your equations or your "
            "`Model` with its outputs: the position `x_1`, `y_1` of the pin and the position "
            "`x_f`, `y_f` of the foot [m], in axes from the shaft, x to the right and y up, and "
            'the energy `E` [J]: `answer = (model, {"x_1": ..., "y_1": ..., "x_f": ..., "y_f": '
            '..., "E": ...})`. The parameters are `l_a`, `l_b`, `l_n`, `h`, `m_b`, `m_c`, '
            "`m_f`, `J_a`, and `g`, and the inputs are `tau`, `F_x`, and `F_y`.",
            lambda values: Machine(
                machine,
                values={**_constants(values), "tau": 0.5, "F_x": 1.7, "F_y": 2.6},
                start={"theta": 0.8},
                units=_UNITS,
                energies=["E"],
                duration=1.0,
            ),
            lambda values: [
                Misconception(
                    lambda: machine(turning=0),
                    "Your coupler moves as if all its mass were at its middle. It rotates as well.",
                ),
                Misconception(
                    lambda: machine(turning=sm.Rational(1, 4)),
                    "Your coupler has the moment of inertia of one of its halves.",
                ),
                Misconception(
                    lambda: machine(rocking=0),
                    "Your rocker has no inertia. It has a mass.",
                ),
                Misconception(
                    lambda: machine(lifted=0),
                    "Your foot has inertia but no weight.",
                ),
                Misconception(
                    lambda: machine(carried=0),
                    "Your foot has a weight but no inertia. It has to be accelerated, too.",
                ),
                Misconception(
                    lambda: machine(bent=0),
                    "Did you lose a term with squares of speeds when you differentiated the "
                    "loop again?",
                ),
                Misconception(
                    lambda: machine(pushed=0),
                    "Your ground pushes only sideways. What does `F_y` do work on?",
                ),
            ],
            "The loop is closed, and one number determines the position of every part.",
        ),
        Stage(
            "A run",
            "The foot is in the air, and the crank points to the left, at rest. The motor is "
            "switched on. Its torque decreases with the speed of the crank, from `tau_0` at "
            "standstill to zero at `omega_0`: `tau_0` (1 − θ̇/`omega_0`). After how many "
            "seconds has the crank completed one revolution? Give four digits.",
            lambda values: Number(first_turn(values), "s", 4),
            _wrong_turns,
            "Look at the speed within the revolution: the inertia of the leg, as seen from the "
            "crank, varies with the angle.",
        ),
        Stage(
            "A design",
            "While the crank rotates from 90° to 270°, the foot is on the ground and carries "
            "the body to the right. Choose another `l_b`, for both halves of the coupler and "
            "for the rocker, so that the foot is as high in the middle of this step, at 180°, "
            "as at its two ends. Then let the crank rotate at constant speed: how fast must it "
            "rotate so that the body walks at `v`, averaged over the step? Give `l_b` [m] and "
            "the angular velocity of the crank [rad/s], as a list of two numbers with three "
            "digits.",
            lambda values: NumberArray(np.array(design(values)), digits=3),
            _wrong_designs,
            "Chebyshev's own proportions are 2 to 4 to 5. How much does the body still nod?",
        ),
    ),
)
