"""The triple pendulum: identify it from a recording, and beat its published model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from course.capstones.estimates import Predictor
from course.capstones.tasks import Capstone, Constant, Stage
from course.judge import Choice, Machine, Misconception, Number, NumberArray
from straightline.aliases import Array
from tutlib import Field
from tutlib.identification import prediction_errors, recording
from tutlib.models import Angle, Body, Center, Length, Load, Model, Skeleton


def _constant(name: str, meaning: str, unit: str, value: float) -> Constant:
    return Constant(name, meaning, unit, value, drawn=False)


CONSTANTS = (
    _constant("m_1", "mass of the first link", "kg", 0.258171998),
    _constant("m_2", "mass of the second link", "kg", 0.279427783),
    _constant("m_3", "mass of the third link", "kg", 0.118624232),
    _constant("a_1", "distance from joint 1 to the center of mass", "m", 0.159999928),
    _constant("a_2", "distance from joint 2 to the center of mass", "m", 0.202939213),
    _constant("a_3", "distance from joint 3 to the center of mass", "m", 0.183708742),
    _constant("L_1", "distance from joint 1 to joint 2", "m", 0.172799737),
    _constant("L_2", "distance from joint 2 to joint 3", "m", 0.2287),
    _constant("I_1", "moment of inertia of link 1 about its center", "kg·m²", 1.00043469e-4),
    _constant("I_2", "moment of inertia of link 2 about its center", "kg·m²", 3.14159516e-4),
    _constant("I_3", "moment of inertia of link 3 about its center", "kg·m²", 1.68739037e-4),
    _constant("k_1", "viscous friction of joint 1", "N·m·s/rad", 1.47709548e-3),
    _constant("k_2", "viscous friction of joint 2", "N·m·s/rad", 2.59576628e-4),
    _constant("k_3", "viscous friction of joint 3", "N·m·s/rad", 1e-5),
    _constant("g", "gravity", "m/s²", 9.80834),
)
#: Constants fitted to the first recording in windows of 1 s, with dry friction in two joints and
#: encoder zeros; the masses, a_1, and g are held fixed. With k_2 and f_3, whose fitted values are
#: negative, the residual is smaller, but the predictions are worse.
FITTED = {
    "I_1": 2.7892e-5,
    "I_2": 3.566e-4,
    "I_3": 2.1697e-4,
    "a_2": 0.20355,
    "a_3": 0.18082,
    "L_1": 0.17215,
    "L_2": 0.23155,
    "k_1": 2.0972e-4,
    "k_2": 0.0,
    "k_3": 8.3579e-5,
    "f_1": 5.2776e-4,
    "f_2": 5.1279e-4,
    "z_1": -4.6954e-4,
    "z_2": 7.3459e-4,
    "z_3": -5.9802e-4,
}

TASK = """\
Three links hang from a fixed joint, one below the other, and swing freely in a vertical plane. Each
joint has viscous friction, which opposes the relative angular velocity of the two bodies that the
joint connects. This machine exists: Kaheman et al. measured its angles 250 times per second,
published the recording, and fitted the constants in the table to it. All variants have the same
numbers.

The course contains two parts of the recording, with each angle relative to the preceding link:
`recording("free-triple-fit")` and `recording("free-triple-heldout")`, from `tutlib.identification`.
Fit only the first part. How well do the published constants predict the second part? Identify the
machine yourself, improve the predictions, and describe what your residuals still show."""

q = me.dynamicsymbols("theta_1:4")
m, a, I = (sm.symbols(f"{letter}_1:4", positive=True) for letter in "maI")
k = sm.symbols("k_1:4", real=True)  # fitted values may be negative
L, g = sm.symbols("L_1:3", positive=True), sm.Symbol("g", positive=True)
symbols = (*m, *a, *L, *I, *k, g)
_DRY, _ZEROS = sm.symbols("f_1:4", real=True), sm.symbols("z_1:4", real=True)
_T = me.dynamicsymbols._t
#: Width of the step of dry friction [rad/s].
_WIDTH = sm.Rational(1, 20)


def model(
    absolute: bool = False,
    center: Any = 1,
    length: Any = 1,
    spinning: Any = 1,
    lifted: Any = 1,
    rubbing: Any = 1,
    further: bool = False,
) -> Model:
    """Return the pendulum in terms of its relative angles; the defaults are correct.

    With ``further``, the joints also have dry friction, and the encoders have zeros.
    """
    angles = [angle - int(further) * zero for angle, zero in zip(q, _ZEROS)]
    absolute_angles = [sum(angles[: i + 1], sm.S.Zero) for i in range(3)]
    along = [sm.Matrix([sm.sin(angle), -sm.cos(angle)]) for angle in absolute_angles]
    joints = [sm.zeros(2, 1), length * L[0] * along[0]]
    joints.append(joints[1] + length * L[1] * along[1])
    centers = [joint + center * a[i] * along[i] for i, joint in enumerate(joints)]
    rates = [angle.diff(_T) for angle in absolute_angles]
    kinetic = sum(
        m[i] * centers[i].diff(_T).dot(centers[i].diff(_T)) + spinning * I[i] * rates[i] ** 2
        for i in range(3)
    )
    rubbed = [(rates[i] if absolute else q[i].diff(_T)) for i in range(3)]
    loads = [
        Load(
            -rubbing * k[i] * rubbed[i] - int(further) * _DRY[i] * sm.tanh(rubbed[i] / _WIDTH),
            absolute_angles[i] if absolute else q[i],
        )
        for i in range(3)
    ]
    values = dict(zip(symbols, _in_order()))
    return Model.of(
        kinetic / 2,
        lifted * g * sum(m[i] * centers[i][1] for i in range(3)),
        q,
        values | (dict.fromkeys((*_DRY, *_ZEROS), 0.0) if further else {}),
        [Body(m[i], tuple(centers[i]), I[i], absolute_angles[i]) for i in range(3)],
        loads,
        name="triple pendulum",
        skeleton=_skeleton(joints, centers, along),
        names={f"theta_{i}": f"angle of link {i}" for i in (1, 2, 3)}
        | {c.name: c.meaning for c in CONSTANTS},
        units={f"theta_{i}": "rad" for i in (1, 2, 3)}
        | {c.name: c.unit for c in CONSTANTS}
        | ({f"f_{i}": "N·m" for i in (1, 2, 3)} if further else {})
        | ({f"z_{i}": "rad" for i in (1, 2, 3)} if further else {}),
    )


def _in_order() -> list[float]:
    values = {c.name: c.value for c in CONSTANTS}
    return [values[symbol.name] for symbol in symbols]


def _skeleton(
    joints: Sequence[sm.Matrix], centers: Sequence[sm.Matrix], along: Sequence[sm.Matrix]
) -> Skeleton:
    tip = joints[2] + sm.Rational(5, 4) * a[2] * along[2]
    points = [*joints, tip, *centers]
    down = (sm.S.Zero, -sm.S.One)
    return Skeleton(
        points=tuple(tuple(point) for point in points),
        lines=((0, 1), (1, 2), (2, 3)),
        bodies=(4, 5, 6),
        pivots=(0,),
        joints=(1, 2),
        masses=(None, None, None),
        names=("O", *[""] * 6),
        marks=(
            Angle(q[0], 0, down, 1),
            Angle(q[1], 1, tuple(along[0]), 2),
            Angle(q[2], 2, tuple(along[1]), 3),
            Length(L[0], 0, 1),
            Length(L[1], 1, 2),
            Center(m[0], 0, 1, a[0] / L[0]),
            Center(m[1], 1, 2, a[1] / L[1]),
            Center(m[2], 2, 3, sm.Rational(4, 5)),
        ),
        ceiling=True,
    )


def machine(**wrong: Any) -> tuple[Model, dict[str, sm.Expr]]:
    """Return the machine with its outputs; the defaults are correct."""
    pendulum = model(**wrong)
    energy = pendulum.kinetic_energy + pendulum.potential_energy
    return pendulum, {**{angle.func.__name__: angle for angle in q}, "E": energy}


# ---- predictions

_AFTER = 1.0


@lru_cache(maxsize=2)
def compiled(further: bool = False) -> Field:
    """Return the compiled pendulum with the published constants."""
    return model(further=further).compile()


def fitted() -> Field:
    """Return the pendulum with dry friction and encoder zeros, fitted to the first recording."""
    return compiled(further=True).with_parameters(FITTED)


def missed(f: Field, after: float = _AFTER, absolute: bool = False) -> Array:
    """Return the root-mean-square errors [rad] of predictions of the second recording."""
    errors = prediction_errors(f, recording("free-triple-heldout"), after)
    together = np.cumsum(errors, axis=1) if absolute else errors
    rms: Array = np.sqrt(np.mean(together**2, axis=0))
    return rms


def _published(after: float = _AFTER, absolute: bool = False) -> Array:
    """Return the prediction errors of the published constants [mrad]."""
    return 1e3 * missed(compiled(), after, absolute)


def _wrong_errors(values: Mapping[str, float]) -> list[Misconception]:
    still = compiled().with_parameters(dict.fromkeys(("k_1", "k_2", "k_3"), 0.0))
    return [
        Misconception(
            _published(absolute=True),
            "Those are errors of absolute angles. From which link is each recorded angle measured?",
        ),
        Misconception(
            _published(0.5),
            "Your predictions are too short. How far ahead must each of them reach?",
        ),
        Misconception(
            1e3 * missed(still),
            "Your joints have no friction. Which values do k_1 to k_3 have in the table?",
        ),
        Misconception(_published() / 1e3, "Those are radians. How many milliradians are they?"),
    ]


TRIPLE_PENDULUM = Capstone(
    name="triple-pendulum",
    title="Triple pendulum",
    task=TASK,
    constants=CONSTANTS,
    model=model,
    pose={"theta_1": 0.5, "theta_2": -0.3, "theta_3": 0.7},
    chapters=("03-relative-vs-absolute", "12-measured-motion"),
    stages=(
        Stage(
            "What the recording determines",
            "The table has 15 constants. How many independent combinations of them can you "
            "determine from the angles of a free motion? Include those with friction coefficients.",
            lambda values: Number(10, digits=None),
            lambda values: [
                Misconception(
                    15,
                    "Several constants appear only in combinations. Which ones determine the "
                    "moment of inertia of a link about its joint?",
                ),
                Misconception(
                    11,
                    "Double all masses, moments of inertia, and friction coefficients. Which angle "
                    "changes?",
                ),
                Misconception(
                    7,
                    "The motion also depends on the friction. How many friction coefficients are "
                    "there?",
                ),
                Misconception(
                    12,
                    "The inertias that couple two links are not independent of the gravity "
                    "torques. What is the ratio of the two?",
                    also=[13],
                ),
            ],
            "A single pendulum has 2 such combinations, a double one 6: each further link adds 4.",
        ),
        Stage(
            "Equations of motion",
            "Model the pendulum in coordinates of your choice. Give your equations or your `Model` "
            "with its outputs: the angles `theta_1`, `theta_2`, `theta_3` [rad], counterclockwise, "
            "the first from hanging and the others from the preceding link, and the energy "
            '`E` [J]: `answer = (model, {"theta_1": ..., "theta_2": ..., "theta_3": ..., "E": '
            "...})`. The parameters are those in the table.",
            lambda values: Machine(
                machine,
                values=values,
                start={"theta_1": 0.6, "theta_2": -0.4, "theta_3": 0.8},
                units={**{f"theta_{i}": "rad" for i in (1, 2, 3)}, "E": "J"},
                energies=["E"],
                duration=1.0,
            ),
            lambda values: [
                Misconception(
                    lambda: machine(absolute=True),
                    "Your friction opposes the absolute angular velocity of each link. Between "
                    "which two bodies does the friction of a joint act?",
                ),
                Misconception(
                    lambda: machine(rubbing=0),
                    "Your joints have no friction. How must the energy change during the motion?",
                ),
                Misconception(
                    lambda: machine(spinning=0),
                    "You modeled the links as point masses. Where do their moments of inertia "
                    "appear?",
                ),
                Misconception(
                    lambda: machine(lifted=0), "Your links have no weight. What pulls them down?"
                ),
                Misconception(
                    lambda: machine(lifted=-1),
                    "The stable equilibrium of your pendulum is upright. In which position are the "
                    "angles zero?",
                ),
            ],
            "With these equations and the published constants, you can reproduce the published "
            "results.",
        ),
        Stage(
            "What a fit must hold fixed",
            "Suppose that a fit varies 12 constants: the moments of inertia of the links about "
            "their joints, the first moments of mass, `L_1`, `L_2`, the friction coefficients, and "
            "`g`. Two of them must be held fixed. Which two? (a) `g` and one of the first moments. "
            "(b) `L_1` and `L_2`. (c) `g` and `L_1`. (d) Any two. Give the letter.",
            lambda values: Choice(
                "a",
                {
                    "a": "g and a first moment of mass",
                    "b": "both lengths",
                    "c": "g and a length",
                    "d": "any two",
                },
            ),
            lambda values: [
                Misconception(
                    "b",
                    "The lengths do not change if all masses double. What sets the scale of the "
                    "masses in your fit?",
                ),
                Misconception(
                    "c",
                    "With g held fixed, the motion determines the lengths. What sets the scale of "
                    "the masses?",
                ),
                Misconception(
                    "d",
                    "Hold both lengths fixed, and double all moments of inertia, first moments, "
                    "and friction coefficients. Does the motion change?",
                ),
            ],
            "A value that you hold fixed is a choice, not a result: do not report an error for it.",
        ),
        Stage(
            "The published model",
            "Predict `free-triple-heldout` with the constants in the table: `prediction_errors(f, "
            "recording, 1.0)`, with its other arguments at their defaults, gives the errors after "
            "1 s. What is the root-mean-square error of each of the three relative angles, in "
            "mrad? Give a list of three numbers with three digits.",
            lambda values: NumberArray(_published(), digits=3),
            _wrong_errors,
            "The published model is good: its errors are about 1% of the angles. Can you beat it?",
        ),
        Stage(
            "Your own model",
            "Fit your own model to `free-triple-fit` only. It may have additional constants. Give "
            "the fitted equations, compiled in relative angles, such as `fit.fields[0]`. They are "
            "accepted if, for all three angles, their root-mean-square errors after 1 s in "
            "`free-triple-heldout` are at least 1% smaller than those of the published constants.",
            lambda values: Predictor(
                fitted(), recording("free-triple-heldout"), _AFTER, 0.99 * missed(compiled())
            ),
            lambda values: [
                Misconception(
                    compiled(),
                    "Your model predicts no better than the published constants. Which residuals "
                    "of the published model show a pattern?",
                ),
                Misconception(
                    compiled().with_parameters(dict.fromkeys(("k_1", "k_2", "k_3"), 0.0)),
                    "Your pendulum has no friction. Which kind of friction do its residuals show?",
                ),
            ],
            "A model fitted to both recordings would also pass. Only your report can show that you "
            "fitted just the first. What do the residuals still show?",
        ),
    ),
)
