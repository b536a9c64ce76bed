"""The exercises of chapter 12, measured motion."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.optimize import brentq

from course.judge import Choice, Exercise, Misconception, Number, NumberArray
from panels import figure_as_html
from tutlib.plots import plot_curves

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
    """Plot the amplitudes that each kind of friction leaves, from the same first period on."""
    periods = np.arange(11)
    curves = {law: (periods, amplitudes_after(law, periods)) for law in ("viscous", "dry", "drag")}
    verdict = friction_laws.verdict(chosen)
    ax = plot_curves("number of periods", "amplitude [rad]", curves, verdict)
    return figure_as_html(
        ax.figure,
        "Amplitude against the number of periods, for three kinds of friction that take the same "
        "from the first swing: with dry friction, a straight line reaches zero after 10 periods; "
        "with viscous friction, each amplitude is the same share of the one before; with drag, "
        "the reciprocal of the amplitude grows in equal steps.",
    )


friction = Exercise(
    name="measured-motion-1",
    answer=friction_laws,
    misconceptions=(
        Misconception(
            "a",
            "Viscous friction takes the same share of each amplitude. Which share is lost from 100 "
            "to 90 mrad, and which from 70 to 60 mrad?",
        ),
        Misconception(
            "c",
            "Drag grows with the square of the velocity, so it takes the most from large swings. "
            "Do the losses become smaller here?",
        ),
        Misconception(
            "d",
            "Both kinds take less from a smaller swing, and so does their sum. How does the loss "
            "change here?",
        ),
    ),
    section="Three kinds of friction before any fit",
    lesson="Dry friction does not depend on the velocity, so each period takes the same, until the "
    "pendulum sticks.",
    reveal=three_decays,
    curves={
        "viscous": (
            "each amplitude is the same share of the one before",
            lambda c: np.allclose(c.y[1:] / c.y[:-1], c.y[1] / c.y[0]),
        ),
        "dry": (
            "a straight line reaches zero after 10 periods",
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
    """Return the velocity of one count per interval, and that of one count per jitter."""
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
            "You exchanged the two times. Which of them is between neighboring samples?",
        ),
        Misconception(
            resolved(4096, 0.002, 20e-6),
            "Your first velocity is that of a count in two intervals. How far apart are "
            "neighboring samples?",
        ),
        Misconception(
            resolved(4096, 0.001, 0.001),
            "Your second velocity is the first one again. How long does a count take when the "
            "noise of the time stamps is as large as a count?",
        ),
        Misconception(
            resolved(4096, 0.001, 40e-6),
            "Your second velocity belongs to half a count. By which angle is a sample off if its "
            "time stamp is off by one standard deviation?",
        ),
    ),
    section="What the sensor measures",
    lesson="With twice as many samples per second, the first velocity doubles. Differences become "
    "worse, not better, if you sample faster.",
    asked=(
        r"has (\d+) counts per revolution, and it is read every (\d+) ms.* deviation of (\d+) µs",
        lambda counts, interval, jitter: [
            brentq(lambda u: u * interval / 1000 - math.tau / counts, 0, 1e3),
            brentq(lambda u: u * jitter / 1e6 - math.tau / counts, 0, 1e3),
        ],
    ),
)


# ---- measured-motion-14: the inertia of a wheel that swings


def about_axle(m: float = 2.02, l: float = 0.293, T: float = 1.481, g: float = 9.81) -> float:
    """Return the moment of inertia about the axle of a wheel that hangs on its rim."""
    return m * g * l * (T / (2 * math.pi)) ** 2 - m * l**2


def with_period(m: float, l: float, T: float, g: float) -> float:
    """Return the moment of inertia with which a compound pendulum has a given period."""
    return float(
        brentq(lambda inertia: math.sqrt((inertia + m * l**2) / (m * g * l)) - T / math.tau, 0, 10)
    )


wheel = Exercise(
    name="measured-motion-14",
    answer=Number(about_axle(), "kg·m²"),
    misconceptions=(
        Misconception(
            about_axle() + 2.02 * 0.293**2,
            "That is the moment of inertia about the point of the rim on which the wheel hangs. "
            "How much smaller is it about a parallel axis through the center?",
        ),
        Misconception(
            about_axle() + 2 * 2.02 * 0.293**2,
            "You added m l². About which of the two parallel axes is the moment of inertia larger?",
        ),
        Misconception(
            2.02 * 0.293**2,
            "That is a hoop with this mass and this radius, whatever its period. What does the "
            "period say about a wheel whose mass is not all in the rim?",
        ),
        Misconception(
            about_axle(T=2 * math.pi * 1.481),
            "You used T itself where 1/ω belongs. How many radians does one period have?",
        ),
        Misconception(
            about_axle(T=1.481 / 2),
            "Half the period makes it negative, and no moment of inertia is. Is the period the "
            "time from one side to the other, or there and back?",
        ),
    ),
    section="Two pendulums",
    lesson="It is the difference of two numbers, 0.323 and 0.173. So an error of the period by 1% "
    "would change it by more than 4%.",
    asked=(
        r"mass of (\d\.\d+) kg.*, ([\d.]+) m from its center,.*period of ([\d.]+) s.*= ([\d.]+) m/",
        with_period,
    ),
    facts=lambda: (
        f"two numbers, {about_axle() + 2.02 * 0.293**2:.3f} and {2.02 * 0.293**2:.3f}",
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
#: What was measured of the rear wheel, and its standard deviations.
REAR = {"m": 3.11, "l": 0.29325, "T": 1.36109, "g": 9.81}
SPREAD = {"m": 0.02, "l": 0.001, "T": 0.000004, "g": 0.01}


def uncertainty(improved: str = "", factor: float = 1.0) -> float:
    """Return the standard deviation of the wheel's inertia, with one instrument improved."""
    moved = []
    for name, spread in SPREAD.items():
        step = spread / (factor if name == improved else 1)
        ends = [about_axle(**REAR | {name: REAR[name] + sign * step}) for sign in (1, -1)]
        moved.append((ends[0] - ends[1]) / 2)
    return math.hypot(*moved)


def improved_instruments(chosen: str) -> str:
    """Plot the wheel's uncertainty against the improvement of each instrument."""
    labels = {"stopwatch": "T", "ruler": "l", "scale": "m", "value of g": "g"}
    factors = np.linspace(1, 10, 46)
    curves = {
        label: (factors, np.array([uncertainty(name, factor) for factor in factors]))
        for label, name in labels.items()
    }
    ax = plot_curves(
        "± before / ± after", "± of the inertia [kg·m²]", curves, better.verdict(chosen), marker=""
    )
    ax.set_ylim(0)
    return figure_as_html(
        ax.figure,
        "The ± of the inertia against the improvement of one instrument, ± before / ± after: from "
        f"{uncertainty():.5f} kg·m², a scale that is ten times better takes it to "
        f"{uncertainty('m', 10):.5f}, a ruler to {uncertainty('l', 10):.5f}, and the value of g to "
        f"{uncertainty('g', 10):.5f}. A better stopwatch leaves it as it is.",
    )


instrument = Exercise(
    name="measured-motion-15",
    answer=better,
    misconceptions=(
        Misconception(
            "a",
            "Squaring only doubles a relative error. How large is the relative error of this "
            "period, compared with that of the mass?",
        ),
        Misconception(
            "b",
            "Both terms grow with the distance, but one of them is subtracted. What is the "
            "derivative of their difference with respect to l?",
        ),
        Misconception(
            "d",
            "Gravity drives the swing, but its value is known to 0.1%. How large are the relative "
            "errors of the others?",
        ),
    ),
    section="Where the uncertainty comes from",
    lesson="The mass is a factor of both terms, so its relative error, 0.6%, is that of the moment "
    "of inertia. With a scale ten times better, half of the ± remains.",
    reveal=improved_instruments,
    curves={
        "stopwatch": (
            "A better stopwatch leaves it as it is",
            lambda c: np.allclose(c.y, c.y[0], rtol=1e-4),
        ),
        "ruler": ("a ruler to 0.00107", lambda c: round(c.y[-1], 5) == 0.00107),
        "scale": (
            "from 0.00114 kg·m², a scale that is ten times better takes it to 0.00059",
            lambda c: (round(c.y[0], 5), round(c.y[-1], 5)) == (0.00114, 0.00059),
        ),
        "value of g": (
            "and the value of g to 0.00106",
            lambda c: round(c.y[-1], 5) == 0.00106,
        ),
    },
    facts=lambda: (
        f"m = {REAR['m']} ± {SPREAD['m']} kg, l = {REAR['l']} ± {SPREAD['l']} m",
        f"T = {REAR['T']} ± {SPREAD['T']:.6f} s, and g = {REAR['g']} ± {SPREAD['g']} m/s²",
        f"its relative error, {100 * SPREAD['m'] / REAR['m']:.1f}%",
        f"its value is known to {100 * SPREAD['g'] / REAR['g']:.1f}%",
        "half of the ± remains" if round(uncertainty("m", 10) / uncertainty(), 1) == 0.5 else "?",
    ),
)


EXERCISES = (friction, encoder, wheel, instrument)
