"""The measured arm: constants and friction of a motor-driven arm, from recorded motion."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from scipy.special import ndtri

from course.capstones.estimates import Coverage, Estimates
from course.capstones.tasks import Capstone, Constant, Stage
from course.judge import Choice, Machine, Misconception
from straightline.aliases import Array
from tutlib import Field
from tutlib.identification import MotionFit, Recording, driven, fit_motion, simulate_along
from tutlib.mechanics import EquationsOfMotion
from tutlib.models import Angle, Body, Center, Length, Load, Model, Skeleton, Torque

CONSTANTS = (
    Constant("m", "mass of the arm", "kg", 1.87),
    Constant("a", "distance from the shaft to the center of mass of the arm", "m", 0.274),
    Constant("g", "gravity", "m/s²", 9.81, drawn=False),
    Constant("N", "motor revolutions per shaft revolution", "1", 9.0, drawn=False),
    Constant("n", "encoder counts per shaft revolution", "1", 2000.0, drawn=False),
    Constant("w", "width of a smooth step, if you need one", "rad/s", 0.05, drawn=False),
)
SECRETS = (
    Constant("J", "moment of inertia about the shaft, including the motor", "kg·m²", 0.213),
    Constant("k", "torque constant of the motor", "N·m/A", 0.114),
    Constant("R_1", "friction torque at 0.5 rad/s", "N·m", 0.552),
    Constant("R_2", "friction torque at 2 rad/s", "N·m", 0.786),
    Constant("z", "angle at which the encoder showed zero", "rad", 0.0387),
)
#: Angular velocities [rad/s] for which the prompt requests the friction torque.
_SPEEDS = (0.5, 2.0)

TASK = """\
An arm swings about a horizontal shaft. A motor drives the shaft through a gear: the motor torque is
`k` times the current `i`, and the motor makes `N` revolutions per revolution of the shaft. An
encoder on the shaft measures the angle in counts, positive counterclockwise. The encoder was zeroed
when the power was switched on. At that moment, the arm was at rest at a small angle `z` from
hanging straight down, where friction held it.

The arm was weighed and balanced on an edge, so its mass and its center of mass are known. Its
moment of inertia `J` about the shaft, which includes the rotor inertia reflected through the gear,
and the torque constant `k` are unknown, and so is the friction in the bearings and the gear. But
the motion was recorded twice, from rest: the files `fit` and `heldout` contain time stamps [s],
counts, and currents [A]. A positive current drives the arm counterclockwise. The time stamps and
the currents are noisy. Before each run, the power was switched off and on again.

What are the constants, how uncertain are they, and how well do you predict a run that you did not
fit?"""

theta, i, r = me.dynamicsymbols("theta i r")
m, a, g, N, J, k, n = symbols = sm.symbols("m a g N J k n", positive=True)
z = sm.Symbol("z", real=True)
_R = sm.symbols("R_1 R_2", positive=True)
_W = sm.Symbol("w", positive=True)


def model(
    geared: Any = N, lever: Any = a, lifted: Any = 1, rubbing: Any = 1, offset: Any = 0
) -> Model:
    """Return the arm in terms of its angle from hanging; the defaults are correct."""
    center = (a * sm.sin(theta), -a * sm.cos(theta))
    kinetic = J * theta.diff() ** 2 / 2
    potential = -lifted * m * g * lever * sm.cos(theta + offset)
    motor, friction = Load(geared * k * i, theta), Load(rubbing * r, theta)
    values = {c.name: c.value for c in (*CONSTANTS, *SECRETS)}
    used = (m, a, g, N, J, k, *([offset] if offset else []))
    return Model(
        name="measured arm",
        equations=EquationsOfMotion.from_lagrangian(
            kinetic, potential, [theta], {theta: motor.value + friction.value}
        ),
        kinetic_energy=kinetic,
        potential_energy=potential,
        skeleton=_skeleton(),
        parameters={symbol: values[symbol.name] for symbol in used},
        names={
            "theta": "angle of the arm",
            "i": "motor current",
            "r": "total friction torque on the arm",
            **{c.name: c.meaning for c in (*CONSTANTS, *SECRETS)},
        },
        units={
            "theta": "rad",
            "i": "A",
            "r": "N·m",
            **{c.name: c.unit for c in (*CONSTANTS, *SECRETS)},
        },
        bodies=(Body(m, center, J - m * a**2, theta),),
        loads=(motor, friction),
    )


def _skeleton() -> Skeleton:
    end, half = sm.Rational(8, 5) * a, (a * sm.sin(theta), -a * sm.cos(theta))
    tip = (end * sm.sin(theta), -end * sm.cos(theta))
    zero = (sm.S.Zero, sm.S.Zero)
    return Skeleton(
        points=(zero, tip, half),
        lines=((0, 1),),
        bodies=(2,),
        pivots=(0,),
        masses=(None,),
        names=("O", "", ""),
        marks=(
            Angle(theta, 0, (sm.S.Zero, -sm.S.One), 1),
            Center(m, 0, 1, sm.Rational(5, 8)),
            Length(a, 0, 2),
            Torque(i, 0),
        ),
        ceiling=True,
    )


def machine(zero: Any = z, per: Any = 2 * sm.pi, **wrong: Any) -> tuple[Model, dict[str, sm.Expr]]:
    """Return the machine with its outputs; the defaults are correct."""
    arm = model(**wrong)
    energy = arm.kinetic_energy + arm.potential_energy
    return arm, {"theta": theta, "c": n * (theta - zero) / per, "E": energy}


# ---- the files

#: Duration [s], amplitudes [A], and frequencies [Hz] of each run.
_RUNS = {
    "fit": (20.0, (1.4, 0.9, 0.6, 1.1, 2.4), (0.23, 0.51, 0.87, 1.31, 1.9)),
    "heldout": (12.0, (1.2, 0.8, 0.6, 1.5), (0.31, 0.67, 1.07, 1.6)),
}
#: Sampling period, time step of the simulation, and largest sampling jitter [s].
_PERIOD, _STEP, _JITTER = 0.005, 0.00025, 0.0004
#: Standard deviations of the time stamps [s] and of the measured current [A].
_STAMP, _CURRENT = 1e-4, 0.1


@lru_cache(maxsize=1)
def rubbed() -> Field:
    """Return the arm with friction in terms of the encoder angle, driven by a recorded current."""
    rate, (slow, fast) = theta.diff(), _SPEEDS
    slope = (_R[1] - _R[0]) / (fast - slow)
    torque = -slope * rate - (_R[0] - slope * slow) * sm.tanh(rate / _W)
    friction = {_R[0]: SECRETS[2].value, _R[1]: SECRETS[3].value, _W: CONSTANTS[5].value}
    return driven(model(offset=z).with_inputs({r: torque}, parameters=friction))


def zeros(values: Mapping[str, float]) -> dict[str, float]:
    """Return the angles [rad] at which the encoder was zeroed before each run."""
    return {"fit": values["z"], "heldout": -1.25 * values["z"]}


def moved(values: Mapping[str, float], times: Array, current: Array, zero: float) -> Array:
    """Return encoder angles [rad] at the given times, from rest at the encoder zero."""
    run = Recording(times, np.zeros((len(times), 1)), current[:, np.newaxis])
    angles: Array = simulate_along(_known(values, zero), run, [0.0, 0.0])[:, 0]
    return angles


def _known(values: Mapping[str, float], zero: float) -> Field:
    return rubbed().with_parameters({**{s: values[s] for s in rubbed().parameters}, "z": zero})


def _drawn(random: Random, count: int) -> Array:
    return np.array([random.random() for _ in range(count)])


def _driven(values: Mapping[str, float], run: str) -> tuple[Random, Array, Array]:
    """Return the random generator of a run, fine times [s], and true motor currents [A]."""
    random = Random(f"{run} {[*values.values()]}")  # the same on every computer
    duration, amplitudes, frequencies = _RUNS[run]
    t: Array = _STEP * np.arange(round((duration + 2 * _PERIOD) / _STEP), dtype=float)
    waves = np.sin(2 * np.pi * (np.outer(t, frequencies) + _drawn(random, len(frequencies))))
    current: Array = np.round(np.clip(t / 0.3, 0, 1) * (waves @ amplitudes), 6)
    return random, t, current


def measured(values: Mapping[str, float], run: str) -> str:
    """Return the text of a CSV file with time stamps, counts, and currents."""
    random, fine, current = _driven(values, run)
    angles = moved(values, fine, current, zeros(values)[run])
    t = np.arange(0, _RUNS[run][0] + _PERIOD / 2, _PERIOD)
    t[1:] += _JITTER * (2 * _drawn(random, len(t) - 1) - 1)
    counts = np.round(np.interp(t, fine, angles) * values["n"] / (2 * np.pi)) + 0.0  # not -0
    stamps = t + _STAMP * ndtri(_drawn(random, len(t)))
    noisy = np.interp(t, fine, current) + _CURRENT * ndtri(_drawn(random, len(t)))
    rows = [f"{s:.5f},{c:.0f},{one:.3f}" for s, c, one in zip(stamps - stamps[0], counts, noisy)]
    return "\n".join(["time_s,counts,current_A", *rows]) + "\n"


def files(values: Mapping[str, float]) -> dict[str, str]:
    """Return the texts of the files of both runs, by name."""
    return {run: measured(values, run) for run in _RUNS}


def read(values: Mapping[str, float], text: str) -> Recording:
    """Return the recording in a file: encoder angles and currents."""
    t, counts, current = np.array([line.split(",") for line in text.split()[1:]], float).T
    return Recording(t, 2 * np.pi / values["n"] * counts[:, np.newaxis], current[:, np.newaxis])


# ---- identification

#: The requested constants, in the order of the prompt.
_ASKED = ("J", "k", "R_1", "R_2", "z")
#: Number of standard errors by which an accepted estimate may be off. The least accurate of three
#: suitable methods, a simulation of the whole run, is off by up to six.
_WITHIN = 12.0


@lru_cache(maxsize=4)
def _fitted(values: tuple[tuple[str, float], ...]) -> MotionFit:
    known = dict(values)
    run = read(known, measured(known, "fit"))
    return fit_motion(_known(known, known["z"]), run, _ASKED)


def errors(values: Mapping[str, float]) -> dict[str, float]:
    """Return the standard errors of a fit to the file for these values."""
    return _fitted(tuple(values.items())).standard_errors(by_windows=True)


def _estimates(values: Mapping[str, float]) -> Estimates:
    truth = {name: values[name] for name in _ASKED}
    other = zeros(values)["heldout"]
    signs = (
        (
            lambda found: abs(found["z"]) > 0.5,
            "The encoder zero is a small angle. In which unit did you compute angles?",
        ),
        (
            lambda found: found["k"] > values["N"] / 2 * values["k"],
            "Your torque constant includes the gear. How much torque reaches the shaft per "
            "newton-meter of motor torque?",
        ),
        (
            lambda found: np.isclose(found["R_2"], 4 * found["R_1"], rtol=0.02),
            "Your friction is proportional to the angular velocity. Plot the residual torque "
            "against the angular velocity: what happens at zero velocity?",
        ),
        (
            lambda found: found["J"] < 0.9 * values["J"],
            "Your moment of inertia is far too small, which happens if the accelerations are "
            "noisy. How do you differentiate counts?",
        ),
        (
            lambda found: np.isclose(found["z"], other, atol=0.1 * values["z"]),
            "That is the zero of the run `heldout`, and each run has its own zero. Which run "
            "did you fit?",
        ),
        (
            lambda found: np.isclose(found["z"], -values["z"], atol=0.1 * values["z"]),
            "The magnitude of your zero is right. At which angle is the arm when the encoder "
            "shows zero?",
        ),
        (
            lambda found: abs(found["z"]) < 0.2 * values["z"],
            "Your arm hangs straight down when the encoder shows zero, but friction held it "
            "slightly to one side. What does a constant offset in the residual torque mean?",
        ),
        (
            lambda found: np.isclose(found["R_1"], found["R_2"], rtol=0.02),
            "Your friction does not depend on the velocity. What do your residuals show at high "
            "velocities?",
        ),
    )
    found = errors(values)
    return Estimates(truth, _WITHIN * np.array([found[name] for name in _ASKED]), signs)


# ---- a prediction

_LATER = (4.0, 6.0, 8.0, 10.0, 12.0)
#: Largest error of an accepted prediction [counts].
_MISSED = 10.0


def predicted(values: Mapping[str, float], zero: float | None = None) -> Array:
    """Return the encoder counts in the second run at the times `_LATER`."""
    _, t, current = _driven(values, "heldout")
    angles = moved(values, t, current, zeros(values)["heldout"] if zero is None else zero)
    counts: Array = np.interp(_LATER, t, angles) * values["n"] / (2 * np.pi)
    return counts


def _wrong_predictions(values: Mapping[str, float]) -> list[Misconception]:
    counts, per = predicted(values), 2 * np.pi / values["n"]
    viscous = {"R_1": values["R_2"] / 4}
    return [
        Misconception(
            predicted(values, values["z"]),
            "That is the motion with the zero of the other run. At which angle was the encoder "
            "zeroed before this run?",
        ),
        Misconception(
            predicted(values, 0.0),
            "Your encoder shows zero when the arm hangs straight down. Where did the arm rest when "
            "the power was switched on before this run?",
            also=[counts + zeros(values)["heldout"] / per],
        ),
        Misconception(
            counts * per,
            "Those are angles in radians. How many counts correspond to them?",
            also=[counts * per + zeros(values)["heldout"]],
        ),
        Misconception(
            predicted({**values, "k": values["k"] / values["N"]}),
            "Your arm hardly moves. Did you multiply the motor torque by the gear's ratio?",
        ),
        Misconception(
            predicted({**values, **viscous}),
            "Your arm swings too far, because its friction vanishes at low velocity. Which kind of "
            "friction does not?",
        ),
    ]


MEASURED_ARM = Capstone(
    name="measured-arm",
    title="Measured arm",
    task=TASK,
    constants=CONSTANTS,
    model=model,
    pose={"theta": 0.6},
    chapters=("02-double-pendulum", "12-measured-motion"),
    secrets=SECRETS,
    files=files,
    stages=(
        Stage(
            "What the files determine",
            "Suppose that nobody had weighed the arm, so that `m` were also unknown. Which "
            "constants could you determine from the files? (a) All of them. (b) All except the "
            "encoder zero. (c) The zero, but `J`, `m`, `k`, and the friction torques only up to a "
            "common factor. (d) Only the natural frequency, because the scale of the current is "
            "unknown. Give the letter.",
            lambda values: Choice(
                "c",
                {
                    "a": "all constants",
                    "b": "all constants except the zero",
                    "c": "the zero, and all others up to a common factor",
                    "d": "the natural frequency",
                },
            ),
            lambda values: [
                Misconception(
                    "a",
                    "Double the mass, the moment of inertia, every friction torque, and the torque "
                    "constant. Which measured number changes?",
                ),
                Misconception(
                    "b",
                    "Gravity pulls the arm toward hanging straight down. How does the motion "
                    "reveal what the encoder reads there?",
                ),
                Misconception(
                    "d",
                    "If you double the current, the arm moves differently. What does that tell you "
                    "about k divided by J?",
                ),
            ],
            "A second measurement, here of the weight, sets the scale of all torques.",
        ),
        Stage(
            "Equations of motion",
            "Model the arm in coordinates of your choice. Let the input `r` be the total friction "
            "torque on the arm [N·m], positive counterclockwise; the friction law comes later. "
            "Give your equations or your `Model` with its outputs: the angle `theta` of the arm "
            "[rad], counterclockwise from hanging; the encoder counts `c`, before rounding; and "
            'the energy `E` [J]: `answer = (model, {"theta": ..., "c": ..., "E": ...})`. The '
            "parameters are `m`, `a`, `g`, `N`, `n`, `J`, `k`, and `z`, and the inputs are `i` and "
            "`r`.",
            lambda values: Machine(
                machine,
                values={
                    **{symbol.name: values[symbol.name] for symbol in (*symbols, z)},
                    "i": 1.3,
                    "r": -0.4,
                },
                start={"theta": 0.9},
                units={"theta": "rad", "E": "J", "i": "A", "r": "N·m"},
                energies=["E"],
            ),
            lambda values: [
                Misconception(
                    lambda: machine(geared=1),
                    "Your motor acts on the shaft without a gear. What does the gear do to its "
                    "torque?",
                ),
                Misconception(
                    lambda: machine(geared=1 / N),
                    "The shaft rotates more slowly than the motor. Is its torque also smaller?",
                ),
                Misconception(
                    lambda: machine(lever=2 * a),
                    "Your weight acts at twice the right distance. Where is the center of mass?",
                ),
                Misconception(
                    lambda: machine(lifted=0), "Your arm has no weight. What pulls it back down?"
                ),
                Misconception(
                    lambda: machine(lifted=-1),
                    "The stable equilibrium of your arm is upright. In which position is the angle "
                    "zero?",
                ),
                Misconception(
                    lambda: machine(rubbing=-1),
                    "The friction torque r has the wrong sign. In which direction is it positive?",
                ),
                Misconception(
                    lambda: machine(zero=-z),
                    "What does your encoder show when the arm is at the angle z?",
                ),
                Misconception(
                    lambda: machine(zero=0),
                    "Your encoder shows zero when the arm hangs straight down. At which angle "
                    "should it show zero?",
                ),
                Misconception(
                    lambda: machine(per=360),
                    "Your conversion to counts expects an angle in degrees. In which unit is your "
                    "angle?",
                ),
            ],
            "The equations are linear in `J` and `k`, but not in the zero. The friction law is "
            "still open.",
        ),
        Stage(
            "The constants",
            "Identify the arm from the run `fit` only. Give `J` [kg·m²], `k` [N·m/A], the "
            "magnitude of the friction torque at 0.5 rad/s, `R_1`, and at 2 rad/s, `R_2` [N·m], "
            "and the zero `z` of this run [rad], as a list of five numbers. An answer is accepted "
            "if the noise can explain how far it is from the true values.",
            _estimates,
            lambda values: (),
            "The data determine the torque constant to within a fraction of a percent, and the "
            "friction to within about one percent. Which residuals revealed the friction law?",
        ),
        Stage(
            "How sure are you?",
            "Give an interval that contains `J` [kg·m²]: your estimate plus or minus three "
            "standard errors, as a list of two numbers.",
            lambda values: Coverage(values["J"], errors(values)["J"]),
            lambda values: (),
            "If you account for the correlation of the residuals, the interval is wider than the "
            "formula for independent residuals gives.",
        ),
        Stage(
            "A prediction",
            "Predict the run `heldout` from its currents. Of its counts, you may use only those of "
            "the first 3 s, to determine the zero of this run. What counts does the encoder show "
            "after 4 s, 6 s, 8 s, 10 s, and 12 s? Give the five numbers that your model computes; "
            "errors of up to 10 counts are accepted. Then compare them with the file in your "
            "report.",
            lambda values: Estimates(
                dict(zip(("c_4", "c_6", "c_8", "c_10", "c_12"), predicted(values))),
                np.full(len(_LATER), _MISSED),
            ),
            _wrong_predictions,
            "You fitted only the zero of this run, so its prediction is a fair test of your model.",
        ),
    ),
)
