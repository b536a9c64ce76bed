"""A plate on three wires that rotates and rises: how a moment of inertia is measured."""

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
from tutlib.models import Body, Length, Load, Model, Skeleton

CONSTANTS = (
    Constant("R", "radius of the circle of the wires at the ceiling", "m", 0.21),
    Constant("r", "radius of the circle of the wires at the plate", "m", 0.17),
    Constant("l", "length of each wire", "m", 0.92),
    Constant("m", "mass of the plate", "kg", 1.6),
    Constant("J", "moment of inertia of the plate about the vertical", "kg·m²", 0.021),
    Constant("m_L", "mass of the body on the plate", "kg", 0.74),
    Constant("T_L", "measured period of small oscillations with it", "s", 1.9),
    Constant("g", "gravity", "m/s²", 9.81, drawn=False),
)

TASK = """\
A round plate hangs level on three wires of equal length. The wires are attached to the ceiling at
the corners of an equilateral triangle, at the distance `R` from its center, and to the plate in
the same way, at the distance `r`. They are light and always taut. The plate rotates about the
vertical axis through both centers, and because the wires then incline, it rises. A torque `tau`
about the vertical, positive counterclockwise as seen from above, may drive it.

This is how the moment of inertia of a body is measured: put the body on the plate, and time the
oscillations. How accurate is the result?"""

phi, tau = me.dynamicsymbols("phi tau")
R, r, l, m, J, g = symbols = sm.symbols("R r l m J g", positive=True)
_T = me.dynamicsymbols._t


def model(
    rises: Any = 1,
    spins: Any = 1,
    bent: Any = 1,
    lean: Any = R,
    lifted: Any = 1,
) -> Model:
    """Return the plate in terms of its angle, right unless something is given."""
    z = -sm.sqrt(l**2 - lean**2 - r**2 + 2 * lean * r * sm.cos(phi))
    rate = phi.diff()
    kinetic = (spins * J * rate**2 + rises * m * z.diff(_T) ** 2) / 2
    potential = lifted * m * g * z
    equations = EquationsOfMotion.from_lagrangian(kinetic, potential, [phi], {phi: tau})
    if not bent:
        still = equations.forcing.xreplace({rate: sm.S.Zero})
        equations = EquationsOfMotion((phi,), (rate,), equations.mass_matrix, still)
    return Model(
        name="trifilar pendulum",
        equations=equations,
        kinetic_energy=kinetic,
        potential_energy=potential,
        skeleton=_skeleton(z),
        parameters={s: c.value for s, c in zip(symbols, (*CONSTANTS[:5], CONSTANTS[7]))},
        names={"phi": "angle of the plate", **{c.name: c.meaning for c in CONSTANTS}},
        units={"phi": "rad", "tau": "N·m", **{c.name: c.unit for c in CONSTANTS}},
        bodies=(Body(m, (0, 0, z), (J / 2, J / 2, J), sm.rot_ccw_axis3(phi)),),
        loads=(Load(tau, phi),),
    )


def _skeleton(z: sm.Expr) -> Skeleton:
    """Draw it from the side and a little from below: the ceiling's corners, then the plate's."""

    def seen(radius: sm.Expr, angle: sm.Expr, height: sm.Expr) -> tuple[sm.Expr, sm.Expr]:
        return radius * sm.cos(angle), height - sm.Rational(3, 10) * radius * sm.sin(angle)

    third = [2 * sm.pi * k / 3 + sm.pi / 6 for k in range(3)]
    rim = [seen(r, phi + sm.pi * k / 12, z) for k in range(24)]
    points = [seen(R, one, sm.S.Zero) for one in third]
    points += [seen(r, phi + one, z) for one in third]
    wires = tuple((k, k + 3) for k in range(3))
    circle = (*range(6, 30), 6)
    return Skeleton(
        points=(*points, *rim, (sm.S.Zero, sm.S.Zero), (sm.S.Zero, z)),
        lines=(*wires, circle, (3, 4, 5, 3)),
        bodies=(3, 4, 5),
        pivots=(0, 1, 2),
        thin=(0, 1, 2, 3, 4),
        faint=(4,),
        masses=(None, None, None),
        names=(*[""] * 30, "O", "C"),
        marks=(Length(R, 30, 0), Length(r, 31, 5), Length(l, 0, 3)),
        ceiling=True,
    )


def machine(**wrong: Any) -> tuple[Model, dict[str, sm.Expr]]:
    """Return the machine with its outputs, right unless something is given."""
    plate = model(**wrong)
    z = plate.bodies[0].center[2]
    return plate, {"phi": phi, "z": z, "E": plate.kinetic_energy + plate.potential_energy}


# ---- positions and energies

_TURN, _RATE = np.deg2rad(50.0), 2.0


def rise(values: Mapping[str, float], **wrong: Any) -> list[float]:
    """Return how far the plate has risen [m], its velocity upward [m/s], and its energy [J]."""
    plate = model(**wrong)
    z = plate.bodies[0].center[2]
    asked = [z - z.xreplace({phi: sm.S.Zero}), z.diff(_T), plate.kinetic_energy]
    known = plate.with_parameters(_constants(values)).free()
    return [float(v) for v in known.compile_outputs(asked)(0.0, [_TURN, _RATE])]


def _constants(values: Mapping[str, float]) -> dict[str, float]:
    return {symbol.name: values[symbol.name] for symbol in symbols}


def _wrong_rises(values: Mapping[str, float]) -> list[Misconception]:
    height, speed, T = rise(values)
    return [
        Misconception(
            [height, -speed, T], "Does the plate rise or sink while its angle increases?"
        ),
        Misconception(
            [height, speed, rise(values, rises=0)[2]],
            "The plate rotates and also rises. Which part of the kinetic energy is missing?",
        ),
        Misconception(
            [values["R"] * values["r"] * _TURN**2 / (2 * values["l"]), speed, T],
            "That is the rise for small angles. What is the exact length of a wire at 50°?",
        ),
    ]


# ---- a run

_AMPLITUDE = np.pi / 3


def period(values: Mapping[str, float], amplitude: float = _AMPLITUDE, **wrong: Any) -> float:
    """Return the period [s] of oscillations of an amplitude [rad]."""
    f = model(**wrong).with_parameters(_constants(values)).free().compile()
    quarter = integrate_adaptive(
        f, [0.0, 20.0], [amplitude, 0.0], 1e-11, 1e-12, "dop853", until=lambda t, x: x[0]
    )
    return 4 * float(quarter.t[-1])


def small_period(values: Mapping[str, float], height: float | None = None) -> float:
    """Return the period [s] of small oscillations, by a formula."""
    v = values
    height = np.sqrt(v["l"] ** 2 - (v["R"] - v["r"]) ** 2) if height is None else height
    return float(2 * np.pi * np.sqrt(v["J"] * height / (v["m"] * v["g"] * v["R"] * v["r"])))


def _wrong_periods(values: Mapping[str, float]) -> list[Misconception]:
    T = period(values)
    return [
        Misconception(small_period(values), "That is the period for small angles. Is 60° small?"),
        Misconception(
            T / 2,
            "That is the time to the other side. When is the plate back?",
        ),
        Misconception(
            T / 4, "That is the time to the middle. How many such parts does a period have?"
        ),
    ]


# ---- a design


def moment(values: Mapping[str, float], added: float = 1.0) -> float:
    """Return the moment of inertia [kg·m²] of all on the plate, from the measured period."""
    v = values
    weight = (v["m"] + added * v["m_L"]) * v["g"]
    height = np.sqrt(v["l"] ** 2 - (v["R"] - v["r"]) ** 2)
    return float(weight * v["R"] * v["r"] * v["T_L"] ** 2 / (4 * np.pi**2 * height))


def _wrong_moments(values: Mapping[str, float]) -> list[Misconception]:
    return [
        Misconception(
            moment(values),
            "That is the moment of inertia of everything that rotates. How much of it belongs "
            "to the plate?",
        ),
        Misconception(
            moment(values, 0.0) - values["J"],
            "The body on the plate is lifted, too. Which mass hangs on the wires?",
        ),
        Misconception(
            moment(values) + values["J"],
            "The measurement includes the moment of inertia of the plate itself. Do you add or "
            "subtract it?",
        ),
    ]


TRIFILAR_PENDULUM = Capstone(
    name="trifilar-pendulum",
    title="Trifilar pendulum",
    task=TASK,
    constants=CONSTANTS,
    model=model,
    pose={"phi": 0.6},
    axes=("x", "z"),
    chapters=("06-holonomic-constraints", "07-linearization"),
    stages=(
        Stage(
            "Positions and energies",
            "The plate is at an angle of 50° from its position at rest and keeps rotating at 2 "
            "rad/s in the same direction. Give the height by which it has risen [m], the velocity "
            "at which it rises [m/s], and its kinetic energy [J], as a list of three numbers with "
            "four digits.",
            lambda values: NumberArray(np.array(rise(values)), digits=4),
            _wrong_rises,
            "The constant length of a wire is all of the kinematics.",
        ),
        Stage(
            "Equations of motion",
            "Model the plate in coordinates of your choice. Give your equations or your `Model` "
            "with its outputs: the angle `phi` [rad] from its position at rest, "
            "counterclockwise seen from above, the height `z` [m], with the ceiling at zero and "
            'up positive, and the energy `E` [J]: `answer = (model, {"phi": ..., "z": ..., "E": '
            "...})`. The parameters are `R`, `r`, `l`, `m`, `J`, and `g`, and the input is "
            "`tau`.",
            lambda values: Machine(
                machine,
                values={**_constants(values), "tau": 0.2},
                start={"phi": 0.7},
                rests={"hanging still": {"phi": 0.0}},
                units={"phi": "rad", "z": "m", "E": "J", "tau": "N·m"},
                energies=["E"],
            ),
            lambda values: [
                Misconception(
                    lambda: machine(rises=0),
                    "Your plate rises without inertia. Its center of mass has a velocity, too.",
                ),
                Misconception(
                    lambda: machine(spins=0), "Your plate rotates without inertia. Where is J?"
                ),
                Misconception(
                    lambda: machine(bent=0),
                    "Did you lose a term with the square of the angular velocity? Even at "
                    "constant angular velocity, the plate rises faster and faster.",
                ),
                Misconception(
                    lambda: machine(lifted=0),
                    "Gravity does not act on your plate. It has a weight.",
                ),
            ],
            "The inclined wires act as the spring.",
        ),
        Stage(
            "A run",
            "The plate alone is rotated by 60° and released from rest. How many seconds does a "
            "whole period take, back and forth? Give four digits.",
            lambda values: Number(period(values), "s", 4),
            _wrong_periods,
            "Compare it with the period of small oscillations: the difference is the error of a "
            "hasty measurement.",
        ),
        Stage(
            "A design",
            "A body of mass `m_L` lies on the plate, with its center of mass on the axis. Small "
            "oscillations now have the period `T_L`. What is the moment of inertia of the body "
            "itself about the vertical [kg·m²]? Give three digits.",
            lambda values: Number(moment(values) - values["J"], "kg·m²", 3),
            _wrong_moments,
            "Masses and lengths are known well. A relative error of the period counts twice, so "
            "time many oscillations.",
        ),
    ),
)
