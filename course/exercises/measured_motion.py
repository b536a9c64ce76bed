"""The exercises of chapter 12, "Is it true?"."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from scipy.optimize import brentq

from course.exercises import UNITS
from course.judge import (
    Choice,
    Exercise,
    Expression,
    Function,
    Misconception,
    Number,
    NumberArray,
)
from panels import figure_as_html
from tutlib.methods import integrate
from tutlib.models import measured_double_pendulum, measured_pendulum
from tutlib.plots import plot_curves

t = me.dynamicsymbols._t
theta_1, theta_2 = me.dynamicsymbols("theta_1 theta_2")
u_1, u_2, v_1, v_2 = sm.symbols("u_1 u_2 v_1 v_2", real=True)

# ---- measured-motion-1: which friction?

friction_laws = Choice(
    "b",
    {
        "a": "viscous friction",
        "b": "dry friction",
        "c": "drag",
        "d": "viscous friction and drag together",
    },
)


def amplitudes_after(law: str, periods: Any) -> Any:
    """Return amplitudes [rad] that fall from 0.1 rad to 0.09 rad in the first period."""
    first, second = 0.1, 0.09
    falling = {
        "viscous": first * (second / first) ** periods,
        "dry": first - (first - second) * periods,
        "drag": 1 / (1 / first + (1 / second - 1 / first) * periods),
    }
    return falling[law]


def three_decays(chosen: str) -> str:
    """Plot the amplitudes for each kind of friction, with the same loss in the first period."""
    periods = np.arange(11.0)
    curves = {law: (periods, amplitudes_after(law, periods)) for law in ("viscous", "dry", "drag")}
    verdict = friction_laws.verdict(chosen)
    ax = plot_curves("number of periods", "amplitude [rad]", curves, verdict)
    return figure_as_html(
        ax.figure,
        "Amplitude against the number of periods, for three kinds of friction with the same loss "
        "in the first period: with dry friction, the amplitude falls along a straight line and "
        "reaches zero after 10 periods; with viscous friction, each amplitude is the same fraction "
        "of the previous one; with drag, the reciprocal of the amplitude grows in equal steps.",
    )


friction = Exercise(
    name="measured-motion-1",
    answer=friction_laws,
    misconceptions=(
        Misconception(
            "a",
            "With viscous friction, the amplitude falls by the same fraction in every period. What "
            "fraction is lost from 100 to 90 mrad, and what fraction from 70 to 60 mrad?",
        ),
        Misconception(
            "c",
            "Drag grows with the square of the velocity, so the loss is much larger at large "
            "amplitudes. Does the loss decrease with the amplitude here?",
        ),
        Misconception(
            "d",
            "Both kinds cause a smaller loss at a smaller amplitude, and so does their sum. How "
            "does the loss change here?",
        ),
    ),
    section="Three kinds of friction, without a fit",
    lesson="The magnitude of dry friction does not depend on the velocity, so the amplitude drops "
    "by the same amount every period until the pendulum sticks.",
    reveal=three_decays,
    curves={
        "viscous": (
            "each amplitude is the same fraction of the previous one",
            lambda c: np.allclose(c.y[1:] / c.y[:-1], c.y[1] / c.y[0]),
        ),
        "dry": (
            "falls along a straight line and reaches zero after 10 periods",
            lambda c: np.allclose(np.diff(c.y, 2), 0) and abs(c.y[c.x == 10][0]) < 1e-12,
        ),
        "drag": (
            "the reciprocal of the amplitude grows in equal steps",
            lambda c: c.y.all() and np.allclose(np.diff(1 / np.maximum(c.y, 1e-9), 2), 0),
        ),
    },
    facts=lambda: (
        "{:.0f}, {:.0f}, {:.0f}, {:.0f}, and {:.0f} mrad".format(
            *(1000 * amplitudes_after("dry", np.arange(5)))
        ),
    ),
)


# ---- measured-motion-2: what an encoder resolves


def resolved(counts: float, interval: float, jitter: float, turn: float = math.tau) -> Any:
    """Return the velocities of one count per sampling interval and of one count per jitter."""
    return turn / counts / np.array([interval, jitter])


encoder = Exercise(
    name="measured-motion-2",
    answer=NumberArray(resolved(4096, 0.001, 20e-6), "rad/s", 3),
    misconceptions=(
        Misconception(
            resolved(4096, 0.001, 20e-6, turn=1.0),
            "These velocities are in revolutions per second. How many radians is one revolution?",
        ),
        Misconception(
            resolved(4096, 0.001, 20e-6, turn=360.0),
            "These velocities are in degrees per second. How many radians is one count?",
        ),
        Misconception(
            resolved(4096, 20e-6, 0.001),
            "You swapped the two times. Which of them is the sampling interval?",
        ),
        Misconception(
            resolved(4096, 0.002, 20e-6),
            "Your first velocity is one count per two sampling intervals. How far apart in time "
            "are consecutive samples?",
        ),
        Misconception(
            resolved(4096, 0.001, 0.001),
            "Your second velocity is the same as the first. How long does the joint take to move "
            "by one count if a time-stamp error causes an angle error of one count?",
        ),
        Misconception(
            resolved(4096, 0.001, 40e-6),
            "At your second velocity, the angle error is only half a count. How large is the angle "
            "error if a time stamp is off by one standard deviation?",
        ),
    ),
    section="What the sensor measures",
    lesson="At twice the sampling rate, the first velocity doubles. If you sample faster, finite "
    "differences become worse, not better.",
    asked=(
        r"has (\d+) counts per revolution and is read every (\d+) ms.* deviation of (\d+) µs",
        lambda counts, interval, jitter: [
            brentq(lambda u: u * interval / 1000 - math.tau / counts, 0, 1e3),
            brentq(lambda u: u * jitter / 1e6 - math.tau / counts, 0, 1e3),
        ],
    ),
)


# ---- measured-motion-3: a column of the regressor


def coupling(double: int = 2, first: int = 2, second: int = 1, own: int = 0) -> sm.Expr:
    """Return the coefficient of J_c in the equation of the first joint, or a wrong one."""
    velocities = first * u_1 * u_2 + second * u_2**2 + own * u_1**2
    return (double * v_1 + v_2) * sm.cos(theta_2) - velocities * sm.sin(theta_2)


column = Exercise(
    name="measured-motion-3",
    answer=Expression(
        coupling(),
        means={
            theta_1.diff(t): u_1,
            theta_2.diff(t): u_2,
            theta_1.diff(t, 2): v_1,
            theta_2.diff(t, 2): v_2,
        },
        units=UNITS | {"v_1": "rad/s²", "v_2": "rad/s²"},
    ),
    misconceptions=(
        Misconception(
            coupling(first=0, second=0),
            "Those are only the terms with accelerations. But cos θ₂ depends on time, too. Which "
            "terms does its time derivative add?",
        ),
        Misconception(
            v_1 * sm.cos(theta_2) + u_1**2 * sm.sin(theta_2),
            "That function multiplies J_c in the equation of the second joint. Which generalized "
            "momentum belongs to the first joint?",
        ),
        Misconception(
            coupling(double=1, first=1),
            "You lost a factor in the terms with u₁ and v₁. What is the derivative of u₁² with "
            "respect to u₁?",
        ),
        Misconception(
            coupling(first=-2, second=-1),
            "The sign of the terms with velocities is wrong. What is the time derivative of "
            "cos θ₂?",
        ),
        Misconception(
            coupling(first=0),
            "A product of two velocities is missing. The time derivative of cos θ₂ contains u₂. "
            "Which velocities is it multiplied by?",
        ),
        Misconception(
            coupling(second=0),
            "The square of a velocity is missing. In the momentum, which two velocities appear in "
            "the factor of cos θ₂?",
        ),
        Misconception(
            2 * u_1 * sm.cos(theta_2) + u_2 * sm.cos(theta_2),
            "That is the generalized momentum, divided by J_c. Which operation does Lagrange's "
            "equation apply to it?",
        ),
        Misconception(
            coupling(own=2, first=3),
            "You differentiated the cosine as if it depended on the sum of both angles. On which "
            "angle does it depend?",
        ),
    ),
    section="Linear in the constants",
    lesson="The function is the time derivative of the term of ∂T/∂u₁ that contains J_c, divided "
    "by J_c. Each column of the regressor, multiplied by its constant, contributes to the torques.",
)


# ---- measured-motion-4: a friend's weak form

friends_mistake = Choice(
    "c",
    {
        "a": "the minus sign from integrating by parts is missing",
        "b": "the bump does not vanish at its ends",
        "c": "the derivative of the bump is taken with respect to x instead of t",
        "d": "the torques are smoothed, but the angles are not",
        "e": "the velocities are in degrees per second",
    },
)


@cache
def arm_with_motor() -> tuple[Any, ...]:
    """Return times, velocities, angles, and torques of an arm with J = 0.08 and b = 0.05."""
    times = np.arange(0, 20, 0.002)
    waves = ((0.8, 2.1, 0.0), (0.5, 5.3, 1.0))

    def motion(order: int) -> Any:
        turned = order * np.pi / 2
        return sum(a * w**order * np.sin(w * times + p + turned) for a, w, p in waves)

    torque = 0.08 * motion(2) + 0.05 * motion(1) + 9.81 * 0.2 * np.sin(motion(0))
    return times, motion(1), motion(0), torque


def weak_inertia(width: float, mistake: str = "") -> float:
    """Return the moment of inertia from a weak form, which may contain a mistake."""
    times, speeds, angles, torques = arm_with_motor()
    half, rows = width / 2, []
    for center in np.arange(half, times[-1] - half, half / 2):
        inside = slice(*np.searchsorted(times, [center - half, center + half]))
        x = (times[inside] - center) / half
        bump, slope = (1 - x**2) ** 4, -8 * x * (1 - x**2) ** 3 / half
        if mistake == "ends":
            bump, slope = 1 - x**2 / 2, -x / half
        slope = slope * {"sign": -1, "slope": half}.get(mistake, 1)
        gravity = 9.81 * np.sin(angles[inside])
        columns = [-slope @ speeds[inside], bump @ speeds[inside], bump @ gravity]
        rows.append([*columns, bump @ torques[inside]])
    table = np.array(rows)
    return float(np.linalg.lstsq(table[:, :3], table[:, 3], rcond=None)[0][0])


def inertia_by_width(chosen: str) -> str:
    """Plot the moment of inertia against the width of the bumps, also for three mistakes."""
    widths = np.linspace(0.2, 1.2, 21)
    names = {
        "correct": "",
        "sign missing": "sign",
        "not zero at the ends": "ends",
        "derivative in x": "slope",
    }
    curves = {
        label: (widths, np.array([weak_inertia(width, mistake) for width in widths]))
        for label, mistake in names.items()
    }
    quantity, verdict = "moment of inertia [kg·m²]", friends_mistake.verdict(chosen)
    ax = plot_curves("width of the bumps [s]", quantity, curves, verdict, marker="")
    return figure_as_html(
        ax.figure,
        "Moment of inertia against the width of the bumps: the correct weak form gives 0.08 kg·m² "
        "at any width; with the sign missing, it gives −0.08 kg·m². If the bump is not zero at its "
        "ends, the result decreases from 0.2 kg·m² along a curve. With the derivative with respect "
        "to x, the result is inversely proportional to the width.",
    )


weak_bug = Exercise(
    name="measured-motion-4",
    answer=friends_mistake,
    misconceptions=(
        Misconception(
            "a",
            "Then the column of J would have the wrong sign, and nothing else would change. What "
            "is the sign of J in the table?",
        ),
        Misconception(
            "b",
            "Then the boundary terms, which contain the momentum, would be missing. Would b and s₁ "
            "still be right, and would J be exactly proportional to some power of the width?",
        ),
        Misconception(
            "d",
            "Smoothing only the torques reduces their fast components, and therefore all three "
            "constants. Which constants are wrong in the table?",
        ),
        Misconception(
            "e",
            "Then two columns of the regressor would be too large. Which constant besides J would "
            "be wrong?",
        ),
    ),
    section="Integrate by parts",
    lesson="The derivative with respect to t is the derivative with respect to x, divided by half "
    "the width. To detect such a bug, you do not need the true constants: check whether the result "
    "depends on the width when it should not.",
    reveal=inertia_by_width,
    curves={
        "correct": (
            "the correct weak form gives 0.08 kg·m² at any width",
            lambda c: np.allclose(c.y, 0.08, rtol=1e-3),
        ),
        "sign missing": (
            "with the sign missing, it gives −0.08 kg·m²",
            lambda c: np.allclose(c.y, -0.08, rtol=1e-3),
        ),
        "not zero at the ends": (
            "the result decreases from 0.2 kg·m² along a curve",
            lambda c: (
                round(c.y[0], 1) == 0.2 and (np.diff(c.y) < 0).all() and np.ptp(c.y * c.x) > 0.01
            ),
        ),
        "derivative in x": (
            "the result is inversely proportional to the width",
            lambda c: np.allclose(c.y * c.x, c.y[0] * c.x[0], rtol=1e-3),
        ),
    },
)


# ---- measured-motion-5: a weak form of your own

#: Standard deviation of a measured angle [rad], and the accepted relative errors of k and b.
ANGLE_NOISE, ACCEPTED = 0.005, (0.05, 0.25)


def weak_form(times: Any, angles: Any) -> Any:
    """Return k and b from half-second bumps and two integrations by parts."""
    half, p, rows = 0.25, 4, []
    for center in np.arange(times[0] + half, times[-1] - half, half / 2):
        inside = np.abs(times - center) < half
        s, q = (times[inside] - center) / half, angles[inside]
        bump, slope = (1 - s**2) ** p, -2 * p * s * (1 - s**2) ** (p - 1) / half
        bend = -2 * p * (1 - s**2) ** (p - 2) * (1 - (2 * p - 1) * s**2) / half**2
        rows.append([-bump @ np.sin(q), slope @ q, bend @ q])
    table = np.array(rows)
    return np.linalg.lstsq(table[:, :2], table[:, 2], rcond=None)[0]


def by_accelerations(times: Any, angles: Any) -> Any:
    rates = np.gradient(angles, times)
    columns = np.column_stack([-np.sin(angles), -rates])
    return np.linalg.lstsq(columns, np.gradient(rates, times), rcond=None)[0]


def small_angles(times: Any, angles: Any) -> Any:
    rates, half, rows = np.gradient(angles, times), 0.25, []
    for center in np.arange(times[0] + half, times[-1] - half, half / 2):
        inside = np.abs(times - center) < half
        phase = np.pi * (times[inside] - center) / half
        bump, slope = 1 + np.cos(phase), -np.sin(phase) * np.pi / half
        u = rates[inside]
        rows.append([-bump @ angles[inside], -bump @ u, -slope @ u])
    table = np.array(rows)
    return np.linalg.lstsq(table[:, :2], table[:, 2], rcond=None)[0]


def compared(found: Any, times: Any, angles: Any) -> Any:
    """Return k and b relative to the correct values, rounded to the accepted errors."""
    steps = 2 * np.array(ACCEPTED)
    multiples = np.clip(np.asarray(found) / weak_form(times, angles), -3, 3)
    return np.round(multiples / steps) * steps + 0.0


def a_swing(rng: np.random.Generator, seconds: float = 0.0) -> tuple[Any, Any]:
    """Return times and noisy angles of a pendulum with viscous friction."""
    stiffness, friction = rng.uniform(20, 90), rng.uniform(0.4, 1.2)
    constants = {"omega_0": math.sqrt(stiffness), "b": friction}
    times = np.arange(0, seconds or rng.uniform(5, 9), 0.002)
    f = measured_pendulum().compile().with_parameters(constants)
    swing = integrate(f, times, [rng.uniform(1.8, 2.5), 0.0])
    return times, swing.x[:, 0] + ANGLE_NOISE * rng.normal(size=len(times))


def by_one_integration(times: Any, angles: Any) -> Any:
    """Return k and b from wide cosine bumps, with velocities from finite differences."""
    rates, half, rows = np.gradient(angles, times), 0.4, []
    for center in np.arange(times[0] + half, times[-1] - half, half):
        inside = np.abs(times - center) < half
        phase = np.pi * (times[inside] - center) / half
        bump, slope = 1 + np.cos(phase), -np.sin(phase) * np.pi / half
        u = rates[inside]
        rows.append([-bump @ np.sin(angles[inside]), -bump @ u, -slope @ u])
    table = np.array(rows)
    return np.linalg.lstsq(table[:, :2], table[:, 2], rcond=None)[0]


own_weak_form = Exercise(
    name="measured-motion-5",
    answer=Function(
        weak_form,
        problems=tuple(a_swing(np.random.default_rng(seed), 6.0 + seed) for seed in (1, 2)),
        draw=a_swing,
        effect=compared,
        in_words=lambda effect: (
            f"your k is about {effect[0]:.1f} times the correct value, and your b is about "
            f"{effect[1]:.1f} times the correct value"
        ),
    ),
    misconceptions=(
        Misconception(
            by_accelerations,
            "You differentiated noisy angles twice. To which function can you move the derivatives "
            "instead?",
        ),
        Misconception(
            lambda times, angles: -weak_form(times, angles),
            "Both signs are wrong. How does each integration by parts change the sign, and on "
            "which side of the equation are k and b?",
        ),
        Misconception(
            lambda times, angles: weak_form(times, angles) * [1, -1],
            "The sign of b is wrong. How many times did you integrate its term by parts, and how "
            "does each integration change the sign?",
            also=(lambda times, angles: by_one_integration(times, angles) * [1, -1],),
        ),
        Misconception(
            lambda times, angles: weak_form(times, angles)[::-1],
            "You returned the two constants in reverse order. Which column of your matrix belongs "
            "to k?",
            also=(lambda times, angles: by_one_integration(times, angles)[::-1],),
        ),
        Misconception(
            small_angles,
            "You replaced sin q with q. How large are the angles here?",
        ),
        Misconception(
            lambda times, angles: weak_form(times, angles) * [0.04, 0.2],
            "Both constants are too small, as if time were measured in another unit. Is each "
            "derivative of your bump taken with respect to t?",
        ),
    ),
    section="Integrate by parts",
    lesson="If you integrate by parts twice, both derivatives act on the bump, and the noisy "
    "angles are never differentiated. With a column for each candidate term, the same code can "
    "also help you find the terms of an unknown equation.",
    forms=(by_one_integration,),
    facts=lambda: (
        f"errors of about {1000 * ANGLE_NOISE:.0f} mrad",
        "k within {:.0f}% and b within {:.0f}%".format(*(100 * np.array(ACCEPTED))),
    ),
)


# ---- measured-motion-6: a locked joint

locked_constants = Choice(
    "b",
    {
        "a": "all six: J_1, J_c, s_1, s_2, b_1, and f_1",
        "b": "J_1 + 2 J_c, s_1 + s_2, b_1, and f_1",
        "c": "J_1, s_1, b_1, and f_1, because the second joint does not move",
        "d": "only ratios, because all constants can be multiplied by the same factor",
    },
)
#: Values of J_1, J_c, s_1, and s_2. The first two sets have the same sums.
LOCKED = {
    "first set": (0.086, 0.030, 0.175, 0.146),
    "same sums": (0.106, 0.020, 0.221, 0.100),
    "different sum": (0.106, 0.030, 0.175, 0.146),
}


@cache
def locked_motion(J_1: float, J_c: float, s_1: float, s_2: float) -> Any:
    """Return times and angles [deg] of the driven first joint, with the second joint locked."""

    def f(time: float, x: Any) -> Any:
        torque = 1.5 * np.sin(5 * time) - 0.2 * np.tanh(x[1] / 0.1)
        gravity = 9.81 * (s_1 * np.sin(x[0]) + s_2 * np.sin(x[0]))
        return np.array([x[1], (torque - gravity) / (J_1 + 2 * J_c)])

    times = np.linspace(0, 4, 2001)
    return times, np.degrees(integrate(f, times, [0.0, 0.0]).x[:, 0])


def locked_motions(chosen: str) -> str:
    """Plot the angle of the first joint for three sets of constants."""
    curves = {label: locked_motion(*values) for label, values in LOCKED.items()}
    verdict = locked_constants.verdict(chosen)
    ax = plot_curves("time [s]", "angle of joint 1 [deg]", curves, verdict, marker="")
    return figure_as_html(
        ax.figure,
        "Angle of joint 1 against time, for the same torque: with the first set and with other "
        "constants that have the same sums, the two motions are the same. With a different sum of "
        "the inertias, the motion differs by more than 10 degrees.",
    )


def as_in_the_first_set(c: Any) -> Any:
    return np.allclose(c.y, locked_motion(*LOCKED["first set"])[1], atol=1e-6)


locked = Exercise(
    name="measured-motion-6",
    answer=locked_constants,
    misconceptions=(
        Misconception(
            "a",
            "With θ₂ = 0 and u₂ = v₂ = 0, two of the six columns are proportional to each other, "
            "and two more are equal. Can least squares distinguish their constants?",
        ),
        Misconception(
            "c",
            "The second link does not move relative to the first, but it moves with it. Are the "
            "columns of J_c and s₂ zero?",
        ),
        Misconception(
            "d",
            "That is true of a free pendulum. Which term of the equation contains no unknown "
            "constant here?",
        ),
    ),
    section="What a motion cannot determine",
    lesson="With the joint locked, the robot is a single pendulum with one inertia and one first "
    "moment. Only four of the six columns are linearly independent.",
    reveal=locked_motions,
    curves={
        "first set": ("with the first set", as_in_the_first_set),
        "same sums": ("other constants that have the same sums", as_in_the_first_set),
        "different sum": (
            "With a different sum of the inertias, the motion differs by more than 10 degrees",
            lambda c: np.abs(c.y - locked_motion(*LOCKED["first set"])[1]).max() > 10,
        ),
    },
)


# ---- measured-motion-7: a fit that gets stuck

remedies = Choice(
    "c",
    {
        "a": "allow more iterations",
        "b": "compare every sample instead of every second one",
        "c": "fit half-second windows first, and start the long-window fit from the result",
        "d": "add a second recording",
    },
)


@cache
def separations() -> dict[str, tuple[Any, Any]]:
    """Return times and largest angle differences so far, for two errors in J_1.

    The initial state is that of the recording that the page fits.
    """
    f, times = measured_double_pendulum().compile(), np.linspace(0, 10, 2501)
    start = [-0.526, 0.926, 8.10, -10.02]
    motion, curves = integrate(f, times, start).x[:, :2], {}
    for percent in (5, 10):
        inertia = (1 + percent / 100) * f.parameters["J_1"]
        changed = integrate(f.with_parameters({"J_1": inertia}), times, start)
        apart = np.abs(changed.x[:, :2] - motion).max(axis=1)
        curves[f"J₁ off by {percent}%"] = times[1:], np.maximum.accumulate(apart)[1:]
    return curves


def separated(chosen: str) -> str:
    """Plot the largest angle difference so far, for two errors in J_1."""
    quantity, verdict = "largest difference so far [rad]", remedies.verdict(chosen)
    ax = plot_curves("time [s]", quantity, separations(), verdict, yscale="log", marker="")
    return figure_as_html(
        ax.figure,
        "Largest difference so far in the angles against time, for two errors in J₁: after a "
        "quarter of a second, it is 0.06 rad with J₁ off by 5%, and 0.10 rad with J₁ off by 10%. "
        "After 8 seconds, both differences are about 3 rad.",
    )


def apart_after(c: Any, time: float) -> float:
    return float(np.interp(time, c.x, c.y))


sticking = Exercise(
    name="measured-motion-7",
    answer=remedies,
    misconceptions=(
        Misconception(
            "a",
            "On the plateau, no small step reduces the residual much, no matter how many "
            "iterations you allow. What would give the solver a slope to follow?",
        ),
        Misconception(
            "b",
            "More samples in the same windows reduce the effect of noise. Is noise the reason for "
            "such a large residual?",
        ),
        Misconception(
            "d",
            "More windows of the same length have the same kind of plateau. What determines how "
            "far from the minimum the slope extends?",
        ),
    ),
    section="How long can a window be?",
    lesson="In short windows, a larger error in a constant causes a larger error in the angles, so "
    "there is a slope to follow. Once the constants are nearly right, longer windows can refine "
    "them.",
    reveal=separated,
    curves={
        "J₁ off by 5%": (
            "it is 0.06 rad with J₁ off by 5%",
            lambda c: round(apart_after(c, 0.25), 2) == 0.06,
        ),
        "J₁ off by 10%": (
            "0.10 rad with J₁ off by 10%. After 8 seconds, both differences are about 3 rad",
            lambda c: (
                round(apart_after(c, 0.25), 2) == 0.10
                and all(round(y[np.argmin(np.abs(x - 8))]) == 3 for x, y in separations().values())
            ),
        ),
    },
)


# ---- measured-motion-8: standard errors


def standard_errors(J: Any, r: Any) -> Any:
    """Return the standard errors of a least-squares fit."""
    variance = r @ r / (len(r) - J.shape[1])
    return np.sqrt(variance * np.diag(np.linalg.inv(J.T @ J)))


def by_pseudoinverse(J: Any, r: Any) -> Any:
    """Return the standard errors from the pseudoinverse of the Jacobian."""
    deviation = math.sqrt((np.asarray(r) ** 2).sum() / (J.shape[0] - J.shape[1]))
    return deviation * np.linalg.norm(np.linalg.pinv(J), axis=1)


def without_the_others(J: Any, r: Any) -> Any:
    return np.sqrt(r @ r / (len(r) - J.shape[1]) / np.diag(J.T @ J))


def of_all_residuals(J: Any, r: Any) -> Any:
    return standard_errors(J, r) * math.sqrt((len(r) - J.shape[1]) / len(r))


def without_noise(J: Any, r: Any) -> Any:
    return np.sqrt(np.diag(np.linalg.inv(J.T @ J)))


def some_fit(rng: np.random.Generator) -> tuple[Any, Any]:
    """Return a Jacobian with correlated columns and random residuals."""
    m, p = int(rng.integers(8, 20)), int(rng.integers(2, 5))
    J = rng.normal(size=(m, p)) + rng.normal(size=(m, 1))
    return J, rng.uniform(0.5, 3) * rng.normal(size=m)


intervals = Exercise(
    name="measured-motion-8",
    answer=Function(
        standard_errors,
        problems=(
            (np.array([[1.0], [2.0], [2.0]]), np.array([0.4, -0.1, -0.1])),
            (
                np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0], [1.0, 3.0]]),
                np.array([0.1, -0.3, 0.3, -0.1]),
            ),
            (
                np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1.0, 2.0, 4.0], [1.0, 3.0, 9.0]]),
                np.array([0.1, -0.3, 0.3, -0.1]),
            ),
        ),
        draw=some_fit,
    ),
    misconceptions=(
        Misconception(
            lambda J, r: standard_errors(J, r) ** 2,
            "Those are variances. How do you compute standard errors from them?",
        ),
        Misconception(
            without_the_others,
            "You inverted only the diagonal, as if all other unknowns were known. What happens to "
            "the error of an unknown if a change in another one has nearly the same effect?",
        ),
        Misconception(
            of_all_residuals,
            "Your standard errors are slightly too small, especially if there are few residuals. "
            "By what number do you divide the sum of squares?",
        ),
        Misconception(
            without_noise,
            "Your standard errors are correct only if the residuals have a standard deviation of "
            "one. How large are the residuals?",
        ),
        Misconception(
            lambda J, r: 1.96 * standard_errors(J, r),
            "Those are the half-widths of 95% confidence intervals. How large is one standard "
            "error?",
        ),
    ),
    section="How uncertain are the constants?",
    lesson="A standard error is large if the residuals are large, if they hardly depend on the "
    "unknown, or if changes in other unknowns have nearly the same effect.",
    forms=(by_pseudoinverse,),
    facts=lambda: (
        f"half-widths of {100 * math.erf(1.96 / math.sqrt(2)):.0f}% confidence intervals",
    ),
)


# ---- measured-motion-9: two zeros

g, s_1, s_2, f_1 = sm.symbols("g s_1 s_2 f_1", positive=True)
held = f_1 / (g * (s_1 + s_2))

two_zeros = Exercise(
    name="measured-motion-9",
    answer=Expression(
        2 * sm.asin(held),
        where=(f_1 < g * s_1,),
        units=UNITS | {"f_1": "N·m", "s_1": "kg·m", "s_2": "kg·m"},
        bound="most",
    ),
    misconceptions=(
        Misconception(
            sm.asin(held),
            "That is the largest angle from the vertical at which friction can hold the arm. On "
            "which side of the vertical can the arm come to rest in each run?",
        ),
        Misconception(
            2 * held,
            "You replaced the sine with its argument, which is nearly right if friction is weak. "
            "Which equation holds for any angle?",
        ),
        Misconception(
            held,
            "That is the sine of the largest angle on one side. Which function gives the angle, "
            "and on which side can the arm come to rest in each run?",
        ),
        Misconception(
            2 * sm.asin(f_1 / (g * s_1)),
            "The second link hangs from the first, so it also contributes to the gravity torque. "
            "Which first moment is missing?",
        ),
        Misconception(
            2 * sm.acos(held),
            "Without friction, your zeros would be 180° apart. From which line is the angle "
            "measured?",
        ),
        Misconception(
            2 * sm.atan(held),
            "An arctangent gives the slope at which a block begins to slide. Is the gravity torque "
            "proportional to the sine of the angle or to its tangent?",
        ),
    ),
    section="Constants that differ from run to run",
    lesson="Let the arm come to rest from both sides, and define the midpoint as zero. This takes "
    "a minute and saves two unknown constants in each recording.",
    forms=(2 * sm.atan(held / sm.sqrt(1 - held**2)), sm.acos(1 - 2 * held**2)),
    facts=lambda: (f"would be {np.degrees(2 * math.acos(0)):.0f}° apart",),
)


# ---- measured-motion-10: where to stop

stops = Choice(
    "b",
    {
        "a": "at “viscous”, which has the fewest constants",
        "b": "at “+ dry”",
        "c": "at “+ drag”, because no coefficient is negative up to that row",
        "d": "at “+ cubic”, which has the smallest residual",
    },
)


@cache
def friction_ladder() -> tuple[Any, Any]:
    """Return the errors [N·m] of four friction models, on the fitted and the held-out data."""
    rng = np.random.default_rng(0)

    def measured(fastest: float) -> tuple[Any, Any]:
        u = rng.uniform(0.3, fastest, 24) * rng.choice([-1, 1], 24)
        return u, 0.2 * np.sign(u) + 0.03 * u + 0.03 * rng.normal(size=24)

    (u, torque), (faster, unseen) = measured(4), measured(6)
    errors = []
    for count in range(1, 5):
        columns, ahead = (
            np.column_stack([w, np.sign(w), w * np.abs(w), w**3])[:, :count] for w in (u, faster)
        )
        found = np.linalg.lstsq(columns, torque, rcond=None)[0]
        both = columns @ found - torque, ahead @ found - unseen
        errors.append([np.sqrt(np.mean(e**2)) for e in both])
    own, held_out = np.transpose(errors)
    return own, held_out


def own_and_held_out(chosen: str) -> str:
    """Plot both errors against the number of constants."""
    own, held_out = friction_ladder()
    count = np.arange(1.0, 5.0)
    curves = {"fit": (count, own), "held out": (count, held_out)}
    ax = plot_curves("number of constants", "error [N·m]", curves, stops.verdict(chosen))
    ax.set(xticks=count, ylim=(0, None))
    return figure_as_html(
        ax.figure,
        "Error against the number of constants: the error of the fit falls with each constant, but "
        "hardly after the second one; the error on the held-out data is smallest with two "
        "constants and grows with each additional one.",
    )


when_to_stop = Exercise(
    name="measured-motion-10",
    answer=stops,
    misconceptions=(
        Misconception(
            "a",
            "A model with few constants is good only if it is accurate enough. What does the next "
            "constant do to both errors?",
        ),
        Misconception(
            "c",
            "A negative coefficient is a warning, but not the only one. How did the drag term "
            "change the held-out error?",
        ),
        Misconception(
            "d",
            "Adding a term never increases the error of the fit. Which two numbers in this row are "
            "warnings?",
        ),
    ),
    section="Constants that differ from run to run",
    lesson="Up to this row, both errors fall by more than half. After it, the model fits noise: "
    "the residual falls by only a few percent, and the predictions get worse.",
    reveal=own_and_held_out,
    curves={
        "fit": (
            "the error of the fit falls with each constant, but hardly after the second one",
            lambda c: (np.diff(c.y) < 0).all() and c.y[3] > 0.9 * c.y[1],
        ),
        "held out": (
            "the error on the held-out data is smallest with two constants and grows with each "
            "additional one",
            lambda c: np.argmin(c.y) == 1 and (np.diff(c.y[1:]) > 0).all(),
        ),
    },
)


# ---- measured-motion-11: four residuals

causes = Choice(
    "c",
    {
        "a": "P a delay, Q dry friction, R drag, S a zero",
        "b": "P a zero, Q drag, R dry friction, S a delay",
        "c": "P a zero, Q dry friction, R a delay, S drag",
        "d": "P a zero, Q dry friction, R drag, S a delay",
    },
)


@cache
def four_residuals() -> dict[str, tuple[Any, Any]]:
    """Return median residuals against median velocities, for each of the four causes."""
    times, inertia, weight = np.arange(0, 60, 0.02), 0.08, 2.0
    waves = ((0.4, 1.1, 0.0), (0.35, 1.9, 1.0), (0.3, 2.7, 2.0))

    def motion(order: int) -> Any:
        turned = order * np.pi / 2
        return sum(a * w**order * np.sin(w * times + p + turned) for a, w, p in waves)

    q, u = motion(0), motion(1)
    left = {
        "zero": weight * (np.sin(q + 0.07) - np.sin(q)),
        "dry friction": 0.15 * np.tanh(u / 0.1),
        "delay": 0.05 * (inertia * motion(3) + weight * np.cos(q) * u),
        "drag": 0.05 * u * np.abs(u),
    }
    rows = np.array_split(np.argsort(u), 30)

    def medians(values: Any) -> Any:
        return np.array([np.median(values[k]) for k in rows])

    return {cause: (medians(u), medians(residual)) for cause, residual in left.items()}


def residuals_by_cause(chosen: str) -> str:
    """Plot the median residuals of the four causes in one figure."""
    quantity, verdict = "residual [N·m]", causes.verdict(chosen)
    ax = plot_curves("angular velocity [rad/s]", quantity, four_residuals(), verdict, marker="")
    return figure_as_html(
        ax.figure,
        "Residual against angular velocity, for four causes: a zero gives a nearly constant "
        "residual; dry friction gives a step; a delay gives nearly a straight line; drag gives a "
        "curve that is flat at zero and steep at both ends.",
    )


shapes = Exercise(
    name="measured-motion-11",
    answer=causes,
    misconceptions=(
        Misconception(
            "a",
            "P is nearly the same for both directions of rotation. Which of the causes has an "
            "effect even when the arm is at rest?",
        ),
        Misconception(
            "b",
            "Q changes sign with the velocity but hardly depends on its magnitude. Which kind of "
            "friction behaves this way?",
        ),
        Misconception(
            "d",
            "R is nearly a straight line, and S is flat at zero velocity. To which power of the "
            "velocity is drag proportional?",
        ),
    ),
    section="A delay that the data do not show",
    lesson="The gravity torque changes at a rate proportional to the velocity, so a delayed torque "
    "looks like viscous friction. Before you conclude that there is a delay, ask what else has the "
    "same shape.",
    reveal=residuals_by_cause,
    curves={
        "zero": (
            "a zero gives a nearly constant residual",
            lambda c: c.y.min() > 0.1 and np.ptp(c.y) < 0.03,
        ),
        "dry friction": (
            "dry friction gives a step",
            lambda c: np.allclose(c.y[np.abs(c.x) > 0.25] ** 2, 0.15**2, rtol=0.03),
        ),
        "delay": (
            "a delay gives nearly a straight line",
            lambda c: 0 < np.abs(c.y - c.x * (c.y[-1] / c.x[-1])).max() < 0.02 < np.ptp(c.y),
        ),
        "drag": (
            "drag gives a curve that is flat at zero and steep at both ends",
            lambda c: np.allclose(c.y, 0.05 * c.x * np.abs(c.x), atol=2e-3),
        ),
    },
)


# ---- measured-motion-12: two sensors

P, R_1, R_2 = sm.symbols("P R_1 R_2", positive=True)


def corrected(variance: Any, noise: Any) -> Any:
    """Return the variance of the estimate after a measurement."""
    return (1 - variance / (variance + noise)) * variance


two_sensors = Exercise(
    name="measured-motion-12",
    answer=Expression(1 / (1 / P + 1 / R_1 + 1 / R_2)),
    misconceptions=(
        Misconception(
            1 / P + 1 / R_1 + 1 / R_2,
            "Each sensor increases your result, but a measurement must reduce the variance. What "
            "is the unit of your result if P is in rad²?",
        ),
        Misconception(
            corrected(P, R_1),
            "That is the variance after the first sensor alone. Which variance does the correction "
            "for the second sensor start from?",
        ),
        Misconception(
            corrected(P, R_2),
            "That is the variance after the second sensor alone. What did the first sensor change?",
        ),
        Misconception(
            (1 - P / (P + R_1)) * (1 - P / (P + R_2)) * P,
            "You computed both gains from P. What is the variance of the estimate when the second "
            "sensor is read?",
        ),
        Misconception(
            corrected(P, (R_1 + R_2) / 2),
            "You replaced both sensors with one of average variance, so a second, equally good "
            "sensor would not help at all. What should happen to the variance in that case?",
        ),
        Misconception(
            corrected(P, R_1 + R_2),
            "You added the noise variances, so the second sensor makes the estimate worse. What "
            "must the result be if the second sensor is useless, with a very large variance?",
        ),
        Misconception(
            P * R_1 * R_2 / (P + R_1 + R_2),
            "Check the unit: a product of three variances divided by a sum of variances is not a "
            "variance. What is the variance after the first sensor alone?",
        ),
    ),
    section="Two normal distributions",
    lesson="The reciprocals of the variances add, so it does not matter which sensor is read first "
    "or whether both are read at once.",
    forms=(corrected(corrected(P, R_2), R_1),),
)


# ---- measured-motion-13: what innovations reveal

assumptions = Choice(
    "a",
    {
        "a": "the first assumes too small a Q, the third too small an R",
        "b": "the first assumes too small an R, the third too small a Q",
        "c": "both assume too small a Q; in the third, it is much too small",
        "d": "both assume too small an R; in the third, it is much too small",
    },
)


@cache
def innovations(of_Q: float, of_R: float, samples: int = 20_000) -> tuple[float, float]:
    """Return the average NIS of a filter and the correlation of its neighboring innovations.

    The state is a scalar random walk with steps of variance 1, measured with noise of variance 4.
    The filter assumes these two variances, each multiplied by the given factor.
    """
    rng = np.random.default_rng(1)
    moved = rng.normal(size=samples).cumsum()
    measured = moved + 2 * rng.normal(size=samples)
    guess, variance, squares, off = 0.0, 4.0, 0.0, []
    for y in measured:
        variance += of_Q
        expected = variance + 4 * of_R
        off.append(y - guess)
        squares += off[-1] ** 2 / expected
        guess += variance / expected * off[-1]
        variance *= 4 * of_R / expected
    return squares / samples, float(np.corrcoef(off[1:], off[:-1])[0, 1])


def correlations(chosen: str) -> str:
    """Plot the correlation of neighboring innovations against the factors of Q and of R."""
    factors = np.geomspace(0.1, 10, 9)
    curves = {
        "Q": (factors, np.array([innovations(factor, 1)[1] for factor in factors])),
        "R": (factors, np.array([innovations(1, factor)[1] for factor in factors])),
    }
    verdict = assumptions.verdict(chosen)
    ax = plot_curves(
        "assumed variance / true variance [1]", "correlation [1]", curves, verdict, xscale="log"
    )
    return figure_as_html(
        ax.figure,
        "Correlation of neighboring innovations against the ratio of the assumed variance to the "
        "true variance: it falls from 0.34 to −0.29 as the assumed Q increases, rises from −0.29 "
        "to 0.34 as the assumed R increases, and is zero where both are correct.",
    )


filter_table = Exercise(
    name="measured-motion-13",
    answer=assumptions,
    misconceptions=(
        Misconception(
            "b",
            "If a filter underestimates the noise of its sensor, it follows each error, and the "
            "next measurement pulls it back. What is the sign of the correlation then?",
        ),
        Misconception(
            "c",
            "If Q is too small, the filter lags, so its innovations keep the same sign for a "
            "while. Do the innovations of the third filter do that?",
        ),
        Misconception(
            "d",
            "If R is too small, the filter jumps to each measurement, so the next innovation tends "
            "to have the opposite sign. Do the innovations of the first filter do that?",
        ),
    ),
    section="Is the filter consistent?",
    lesson="Both NIS averages are too large. The sign of the correlation shows which assumption is "
    "at fault: a gain that is too small makes the filter lag (positive), and a gain that is too "
    "large makes it follow the noise (negative).",
    reveal=correlations,
    curves={
        "Q": (
            "it falls from 0.34 to −0.29 as the assumed Q increases",
            lambda c: (round(c.y[0], 2), round(c.y[-1], 2)) == (0.34, -0.29),
        ),
        "R": (
            "rises from −0.29 to 0.34 as the assumed R increases",
            lambda c: (round(c.y[0], 2), round(c.y[-1], 2)) == (-0.29, 0.34),
        ),
    },
)


# ---- measured-motion-14: a wheel on a nail


def about_axle(m: float = 2.02, l: float = 0.293, T: float = 1.481, g: float = 9.81) -> float:
    """Return the moment of inertia about its axle of a wheel that hangs by its rim."""
    return m * g * l * (T / (2 * math.pi)) ** 2 - m * l**2


def with_period(m: float, l: float, T: float, g: float) -> float:
    """Return the central moment of inertia of a compound pendulum with a given period."""
    return float(
        brentq(lambda inertia: math.sqrt((inertia + m * l**2) / (m * g * l)) - T / math.tau, 0, 10)
    )


wheel = Exercise(
    name="measured-motion-14",
    answer=Number(about_axle(), "kg·m²"),
    misconceptions=(
        Misconception(
            about_axle() + 2.02 * 0.293**2,
            "That is the moment of inertia about the nail. How much smaller is it about a parallel "
            "axis through the center?",
        ),
        Misconception(
            about_axle() + 2 * 2.02 * 0.293**2,
            "You added m l². About which of the two parallel axes is the moment of inertia larger?",
        ),
        Misconception(
            2.02 * 0.293**2,
            "That is the moment of inertia of a hoop with this mass and radius, whatever its "
            "period. What does the period tell you if not all of the mass is in the rim?",
        ),
        Misconception(
            about_axle(T=2 * math.pi * 1.481),
            "You used T instead of 1/ω. How many radians correspond to one period?",
        ),
        Misconception(
            about_axle(T=1.481 / 2),
            "With half the period, the result is negative, but a moment of inertia never is. Is "
            "the period the time from one side to the other, or there and back?",
        ),
    ),
    section="Two pendulums",
    lesson="The result is the difference of two larger numbers, 0.323 and 0.173, so a 1% error in "
    "the period would change it by more than 4%.",
    asked=(
        r"mass of (\d\.\d+) kg.*, ([\d.]+) m from its center,.*period of ([\d.]+) s.*= ([\d.]+) m/",
        with_period,
    ),
    facts=lambda: (
        f"two larger numbers, {about_axle() + 2.02 * 0.293**2:.3f} and {2.02 * 0.293**2:.3f}",
        f"by more than {math.floor(100 * (about_axle(T=1.01 * 1.481) / about_axle() - 1))}%",
    ),
)


# ---- measured-motion-15: which instrument to improve

better = Choice(
    "c",
    {
        "a": "the period T, with a better stopwatch",
        "b": "the distance l, with a better ruler",
        "c": "the mass m, with a better scale",
        "d": "the value of g",
    },
)
#: Measured quantities of the rear wheel, and their standard deviations.
REAR = {"m": 3.11, "l": 0.29325, "T": 1.36109, "g": 9.81}
SPREAD = {"m": 0.02, "l": 0.001, "T": 0.000004, "g": 0.01}


def uncertainty(improved: str = "", factor: float = 1.0) -> float:
    """Return the standard deviation of the moment of inertia, with one better instrument."""
    moved = []
    for name, spread in SPREAD.items():
        step = spread / (factor if name == improved else 1)
        ends = [about_axle(**REAR | {name: REAR[name] + sign * step}) for sign in (1, -1)]
        moved.append((ends[0] - ends[1]) / 2)
    return math.hypot(*moved)


def improved_instruments(chosen: str) -> str:
    """Plot the standard deviation of the moment of inertia as each instrument improves."""
    labels = {"stopwatch": "T", "ruler": "l", "scale": "m", "value of g": "g"}
    factors = np.linspace(1, 10, 46)
    curves = {
        label: (factors, np.array([uncertainty(name, factor) for factor in factors]))
        for label, name in labels.items()
    }
    quantity, verdict = "standard deviation [kg·m²]", better.verdict(chosen)
    ax = plot_curves("improvement factor [1]", quantity, curves, verdict, marker="")
    ax.set_ylim(0)
    return figure_as_html(
        ax.figure,
        "Standard deviation of the moment of inertia against the improvement factor of one "
        f"instrument: ten times the accuracy reduces it from {uncertainty():.5f} kg·m² to "
        f"{uncertainty('m', 10):.5f} for the scale, to {uncertainty('l', 10):.5f} for the ruler, "
        f"and to {uncertainty('g', 10):.5f} for the value of g. A better stopwatch has practically "
        "no effect.",
    )


instrument = Exercise(
    name="measured-motion-15",
    answer=better,
    misconceptions=(
        Misconception(
            "a",
            "Squaring the period only doubles its relative error. How large is this relative error "
            "compared with that of the mass?",
        ),
        Misconception(
            "b",
            "Both terms increase with the distance, but one is subtracted from the other. What is "
            "the derivative of their difference with respect to l?",
        ),
        Misconception(
            "d",
            "The period depends on gravity, but the value of g is known to within 0.1%. How large "
            "are the relative errors of the other quantities?",
        ),
    ),
    section="Where the uncertainty comes from",
    lesson="Both terms are proportional to the mass, so its relative error, 0.6%, carries over to "
    "the moment of inertia. With a scale ten times as accurate, half of the standard deviation "
    "remains.",
    reveal=improved_instruments,
    curves={
        "stopwatch": (
            "A better stopwatch has practically no effect",
            lambda c: np.allclose(c.y, c.y[0], rtol=1e-4),
        ),
        "ruler": ("to 0.00107 for the ruler", lambda c: round(c.y[-1], 5) == 0.00107),
        "scale": (
            "from 0.00114 kg·m² to 0.00059 for the scale",
            lambda c: (round(c.y[0], 5), round(c.y[-1], 5)) == (0.00114, 0.00059),
        ),
        "value of g": (
            "to 0.00106 for the value of g",
            lambda c: round(c.y[-1], 5) == 0.00106,
        ),
    },
    facts=lambda: (
        f"m = {REAR['m']} ± {SPREAD['m']} kg, l = {REAR['l']} ± {SPREAD['l']} m",
        f"T = {REAR['T']} ± {SPREAD['T']:.6f} s, and g = {REAR['g']} ± {SPREAD['g']} m/s²",
        f"its relative error, {100 * SPREAD['m'] / REAR['m']:.1f}%",
        f"value of g is known to within {100 * SPREAD['g'] / REAR['g']:.1f}%",
        "half of the standard deviation remains"
        if round(uncertainty("m", 10) / uncertainty(), 1) == 0.5
        else "?",
    ),
)


EXERCISES = (
    friction,
    encoder,
    column,
    weak_bug,
    own_weak_form,
    locked,
    sticking,
    intervals,
    two_zeros,
    when_to_stop,
    shapes,
    two_sensors,
    filter_table,
    wheel,
    instrument,
)
