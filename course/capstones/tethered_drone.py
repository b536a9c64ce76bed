"""A drone on a taut tether: it balances, its tether goes slack, and gains hold it where it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from scipy.signal import place_poles

from course.capstones.tasks import Capstone, Constant, Stage
from course.judge import Machine, Misconception, Number, NumberArray
from tutlib.mechanics import EquationsOfMotion, linearize
from tutlib.methods import integrate_adaptive
from tutlib.models import Angle, Body, Force, Length, Load, Model, Skeleton

CONSTANTS = (
    Constant("l", "length of the tether", "m", 1.9),
    Constant("h", "distance from the hook to the center of mass", "m", 0.27),
    Constant("b", "distance from the center of mass to the axis of a rotor", "m", 0.44),
    Constant("m", "mass of the drone", "kg", 1.4),
    Constant("J", "moment of inertia of the drone about its center", "kg·m²", 0.082),
    Constant("g", "gravity", "m/s²", 9.81, drawn=False),
)

TASK = """\
A drone flies in a vertical plane, on a tether from the ground to a hook under the drone. The hook
is below the center of mass, at the distance `h` along the drone's axis. Two rotors, at the
distance `b` on either side of the center of mass, push along that axis, away from the hook: the
left one with the thrust `F_1`, the right one with `F_2`. The thrusts therefore rotate with the
drone.

The tether is light, straight, and of fixed length: while it is taut, treat it as a light rod with
pins at both ends. Neglect its mass and sag, the drag of the air, and the time that a rotor takes
to speed up. How far must a drone lean to pull on its tether, when does the tether go slack, and
which controller keeps the drone in its position?"""

theta, phi, F_1, F_2 = me.dynamicsymbols("theta phi F_1 F_2")
l, h, b, m, J, g = symbols = sm.symbols("l h b m J g", positive=True)
_T = me.dynamicsymbols._t


def model(
    lever: Any = h,
    arm: Any = b,
    turning: Any = J,
    upright: Any = 0,
    lifted: Any = 1,
    bent: Any = 1,
    against: Any = 0,
) -> Model:
    """Return the drone in terms of the angles of tether and drone, right unless given."""
    axis = sm.Matrix([-sm.sin(phi), sm.cos(phi)])
    center = l * sm.Matrix([sm.cos(theta), sm.sin(theta)]) + lever * axis
    moved = sum(c.diff(_T) ** 2 for c in center)
    kinetic = (m * moved + turning * (phi - against * theta).diff(_T) ** 2) / 2
    potential = lifted * m * g * center[1]
    push = (F_1 + F_2) * ((1 - upright) * axis + upright * sm.Matrix([0, 1]))
    couple = arm * (F_2 - F_1)
    loads = {q: push.dot(center.diff(q)) + couple * phi.diff(q) for q in (theta, phi)}
    equations = EquationsOfMotion.from_lagrangian(kinetic, potential, [theta, phi], loads)
    if not bent:
        still = equations.forcing.xreplace(dict.fromkeys(equations.u, sm.S.Zero))
        equations = EquationsOfMotion(equations.q, equations.u, equations.mass_matrix, still)
    return Model(
        name="tethered drone",
        equations=equations,
        kinetic_energy=kinetic,
        potential_energy=potential,
        skeleton=_skeleton(axis),
        parameters={s: c.value for s, c in zip(symbols, CONSTANTS)},
        names={
            "theta": "angle of the tether",
            "phi": "pitch of the drone",
            "F_1": "thrust of the left rotor",
            "F_2": "thrust of the right rotor",
            **{c.name: c.meaning for c in CONSTANTS},
        },
        units={
            "theta": "rad",
            "phi": "rad",
            "F_1": "N",
            "F_2": "N",
            **{c.name: c.unit for c in CONSTANTS},
        },
        bodies=(Body(m, tuple(center), J, phi),),
        loads=(Load(push[0], center[0]), Load(push[1], center[1]), Load(couple, phi)),
    )


def _skeleton(axis: sm.Matrix) -> Skeleton:
    hook = l * sm.Matrix([sm.cos(theta), sm.sin(theta)])
    center, along = hook + h * axis, sm.Matrix([sm.cos(phi), sm.sin(phi)])
    rotors = [center + side * b * along for side in (-1, 1)]
    hubs = [rotor + b * sm.Rational(1, 6) * axis for rotor in rotors]
    blades = [hub + side * b * sm.Rational(1, 2) * along for hub in hubs for side in (-1, 1)]
    points = [sm.zeros(2, 1), hook, center, *rotors, *hubs, *blades]
    return Skeleton(
        points=tuple(tuple(point) for point in points),
        lines=((0, 1), (1, 2), (3, 4), (3, 5), (4, 6), (7, 8), (9, 10)),
        bodies=(2,),
        pivots=(0,),
        joints=(1,),
        thin=(0, 1, 3, 4, 5, 6),
        names=("O", "P", "C", *[""] * 8),
        marks=(
            Angle(theta, 0, (sm.S.One, sm.S.Zero), 1),
            Angle(phi, 2, (sm.S.One, sm.S.Zero), 4),
            Length(l, 0, 1),
            Length(h, 1, 2),
            Length(b, 3, 2),
            Force(F_1, 5, tuple(axis)),
            Force(F_2, 6, tuple(axis)),
        ),
    )


def machine(**wrong: Any) -> tuple[Model, dict[str, sm.Expr]]:
    """Return the machine with its outputs, right unless something is given."""
    drone = model(**wrong)
    x, y = drone.bodies[0].center
    return drone, {"x": x, "y": y, "phi": phi, "E": drone.kinetic_energy + drone.potential_energy}


# ---- at rest

_ANGLE, _PULL = np.deg2rad(50.0), 6.0


def balance(values: Mapping[str, float], pull: float = _PULL, angle: float = _ANGLE) -> list[float]:
    """Return the pitch [rad] and both thrusts [N] of a drone that hovers on its taut tether."""
    sideways, up = pull * np.cos(angle), pull * np.sin(angle) + values["m"] * values["g"]
    pitch, whole = -np.arctan2(sideways, up), np.hypot(sideways, up)
    couple = values["h"] * pull * np.cos(angle - pitch) / values["b"]
    return [float(pitch), float(whole - couple) / 2, float(whole + couple) / 2]


def _wrong_balances(values: Mapping[str, float]) -> list[Misconception]:
    pitch, one, two = balance(values)
    lean = -np.arctan2(_PULL * np.cos(_ANGLE), values["m"] * values["g"])
    return [
        Misconception(
            [-pitch, one, two],
            "The pitch is positive counterclockwise. To which side must the drone lean to pull "
            "on the tether?",
        ),
        Misconception(
            [pitch, two, one],
            "Take moments about the center of mass. In which direction does the tether rotate "
            "the drone?",
        ),
        Misconception(
            [pitch, (one + two) / 2, (one + two) / 2],
            "With equal thrusts, a moment remains, because the line of the tether does not pass "
            "through the center of mass.",
        ),
        Misconception(balance(values, -_PULL), "Your tether pushes. It can only pull."),
        Misconception(
            [lean, one, two], "The tether pulls sideways and down. What balances that force?"
        ),
    ]


# ---- a run

_LEFT, _RIGHT = 5.0, 13.0
_TERMS = ("thrust", "weight", "round", "pitching")


def pull(
    values: Mapping[str, float], x: Any, rates: Any, whole: float, included: Sequence[str] = _TERMS
) -> float:
    """Return the force of the tether [N], by Newton's law along it, or some parts of that."""
    v, (angle, pitch, round_, pitching) = values, x
    lean, faster = angle - pitch, rates[3]
    terms = {
        "thrust": whole * np.sin(lean),
        "weight": -v["m"] * v["g"] * np.sin(angle),
        "round": v["m"] * v["l"] * round_**2,
        "pitching": v["m"] * v["h"] * (faster * np.cos(lean) + pitching**2 * np.sin(lean)),
    }
    return float(sum(terms[part] for part in included))


def slack(values: Mapping[str, float], included: Sequence[str] = _TERMS, **wrong: Any) -> float:
    """Return the time [s] at which the tether goes slack, if two thrusts tip the drone over."""
    known = model(**wrong).with_parameters(values).with_inputs({F_1: _LEFT, F_2: _RIGHT})
    f, above = known.compile(), [np.pi / 2, 0.0, 0.0, 0.0]
    run = integrate_adaptive(
        f,
        [0.0, 2.0],
        above,
        1e-11,
        1e-12,
        "dop853",
        until=lambda t, x: pull(values, x, f(t, x), _LEFT + _RIGHT, included),
    )
    return float(run.t[-1])


def _wrong_slacks(values: Mapping[str, float]) -> list[Misconception]:
    return [
        Misconception(
            slack(values, ("thrust", "weight")),
            "You balanced the forces as if nothing moved. What is the acceleration of the "
            "drone's center of mass?",
        ),
        Misconception(
            slack(values, ("thrust", "weight", "round")),
            "The center of mass is not at the hook. What is its acceleration while the drone "
            "pitches?",
        ),
        Misconception(
            slack(values, lever=sm.S.Zero),
            "Your tether is attached at the center of mass, so it exerts no moment. Where is "
            "the hook?",
        ),
        Misconception(
            slack(values, bent=0),
            "Terms with squares of angular velocities are missing in your equations. The drone "
            "pitches fast.",
        ),
    ]


# ---- a design

_EXPONENTS = (-1.5 + 1.5j, -1.5 - 1.5j, -6 + 3j, -6 - 3j)


def gains(values: Mapping[str, float], pulled: float = _PULL, angle: float = _ANGLE) -> list[float]:
    """Return the gains of both angles [N/rad] and of their derivatives [N·s/rad], in that order.

    The right rotor gains what the left one loses.
    """
    pitch, one, two = balance(values, pulled, angle)
    near = linearize(
        model().equations, [angle, pitch, 0.0, 0.0], values, inputs={F_1: one, F_2: two}
    )
    turning = near.B @ [{F_1: -1.0, F_2: 1.0}[thrust] for thrust in near.inputs]
    placed = place_poles(near.A, turning[:, None], _EXPONENTS)
    return [float(gain) for gain in placed.gain_matrix[0]]


def _wrong_gains(values: Mapping[str, float]) -> list[Misconception]:
    right = gains(values)
    one, two, first, second = right
    return [
        Misconception(
            [2 * gain for gain in right],
            "One rotor gains u and the other loses u, so the moment is 2 b u.",
        ),
        Misconception(
            [-gain for gain in right],
            "Your controller pushes the drone away. What sign does u have in the task?",
        ),
        Misconception(
            [one, first, two, second],
            "The state lists both angles first, then both angular velocities. In which "
            "order are your gains?",
        ),
        Misconception(
            gains(values, angle=np.pi / 2),
            "That stabilizes the drone straight above its hook. Linearize where it hovers.",
        ),
        Misconception(
            gains(values, 1e-9),
            "That is for a slack tether. The tension exerts a moment on the drone, too.",
        ),
    ]


TETHERED_DRONE = Capstone(
    name="tethered-drone",
    title="Tethered drone",
    task=TASK,
    constants=CONSTANTS,
    model=model,
    pose={"theta": 1.85, "phi": 0.65},
    chapters=("02-double-pendulum", "07-linearization"),
    stages=(
        Stage(
            "Forces at rest",
            "The drone hovers at rest. Its tether rises at 50° from the level ground to the "
            "right and pulls at the hook with 6 N. Give the pitch [rad], counterclockwise from "
            "level, and the thrusts `F_1` and `F_2` [N], as a list of three numbers with four "
            "digits.",
            lambda values: NumberArray(np.array(balance(values)), digits=4),
            _wrong_balances,
            "Three forces and a moment are enough; no equation of motion was needed. Keep the "
            "result as a test of yours.",
        ),
        Stage(
            "Equations of motion",
            "Model the drone in coordinates of your choice. Give your equations or your `Model` "
            "with its outputs: the position `x`, `y` of the drone's center of mass [m], in axes "
            "from the foot of the tether, x to the right and y up, the pitch `phi` [rad], "
            'counterclockwise from level, and the energy `E` [J]: `answer = (model, {"x": ..., '
            '"y": ..., "phi": ..., "E": ...})`. The parameters are those in the table, and the '
            "inputs are `F_1` and `F_2`.",
            lambda values: Machine(
                machine,
                values={**values, "F_1": 9.0, "F_2": 10.0},
                start={"theta": 1.0, "phi": -0.2},
                units={"x": "m", "y": "m", "phi": "rad", "E": "J", "F_1": "N", "F_2": "N"},
                energies=["E"],
                duration=1.5,
            ),
            lambda values: [
                Misconception(
                    lambda: machine(lever=sm.S.Zero),
                    "Your tether ends at the center of mass. It should end at the hook, below "
                    "the center of mass.",
                ),
                Misconception(
                    lambda: machine(lever=-h),
                    "Your hook is above the center of mass. It should be on the side of the "
                    "ground.",
                ),
                Misconception(
                    lambda: machine(upright=1),
                    "Your thrust stays vertical while the drone leans. It should rotate with "
                    "the drone.",
                ),
                Misconception(
                    lambda: machine(arm=-b),
                    "Which rotor is the left one? The right one rotates the drone "
                    "counterclockwise.",
                ),
                Misconception(
                    lambda: machine(lifted=0),
                    "Your drone has no weight: with the rotors off, it would stay in the air.",
                ),
                Misconception(
                    lambda: machine(turning=sm.S.Zero),
                    "Your drone is a point mass. Where is J?",
                ),
                Misconception(
                    lambda: machine(against=1),
                    "J belongs to the angular velocity of the drone relative to the ground, not "
                    "relative to the tether.",
                ),
                Misconception(
                    lambda: machine(bent=0),
                    "Terms with squares of angular velocities are missing. What is the "
                    "acceleration of a point on a circle at constant speed?",
                ),
            ],
            "It is an inverted double pendulum with a follower force, in your coordinates, too.",
        ),
        Stage(
            "A run",
            "The drone hovers level and at rest, straight above the foot of the tether. Then "
            "its controller fails: from now on, the thrusts are `F_1` = 5 N and `F_2` = 13 N. "
            "After how many seconds does the tension vanish, so that the tether goes slack? "
            "Give four digits.",
            lambda values: Number(slack(values), "s", 4),
            _wrong_slacks,
            "Your equations have no symbol for this force. A multiplier or Newton's law "
            "determines it.",
        ),
        Stage(
            "A design",
            "Keep the drone where it hovered in the first task. Let the right thrust be larger "
            "by u than there and the left one smaller by u, with u = −(k_1 δθ + k_2 δφ + d_1 "
            "δθ̇ + d_2 δφ̇), where δθ and δφ are the angles of tether and drone from there, "
            "counterclockwise. Give the gains k_1, k_2 [N/rad], d_1, and d_2 [N·s/rad], as a "
            "list in this order, for which small deviations have the eigenvalues −1.5 ± 1.5 i "
            "and −6 ± 3 i per second. Give three digits.",
            lambda values: NumberArray(np.array(gains(values)), digits=3),
            _wrong_gains,
            "One input stabilizes two angles, and u first moves the tether in the wrong "
            "direction. Did you see it?",
        ),
    ),
)
