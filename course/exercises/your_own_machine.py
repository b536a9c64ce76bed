"""The exercises of chapter 10, your own machine."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from course.exercises import UNITS
from course.judge import (
    Choice,
    Exercise,
    Expression,
    Function,
    Machine,
    Misconception,
    Number,
    NumberArray,
)
from panels import figure_as_html
from tutlib.mechanics import EquationsOfMotion
from tutlib.methods import integrate
from tutlib.models import Model, crane
from tutlib.plots import plot_curves

t = me.dynamicsymbols._t
_crane = crane()
x, rope, theta = _crane.equations.q
F, H = _crane.equations.inputs
M, m, m_w, b, g = _crane.parameters
trolley, winding, omega = (q.diff(t) for q in (x, rope, theta))
sine, cosine = sm.sin(theta), sm.cos(theta)
#: Here the rope is a coordinate: a function of time.
CRANE_UNITS = {**UNITS, "l": "m", "m_w": "kg", "b": "N·s/m", "F": "N", "H": "N"}


# ---- your-own-machine-1: the load's energy


def load_energy(along: Any = winding, mixed: Any = 1, carried: Any = 1) -> sm.Expr:
    """Return the energy of a load whose velocity has components along and across the rope."""
    across = rope * omega
    both = 2 * carried * trolley * (along * sine + across * cosine)
    return m * (carried * trolley**2 + along**2 + mixed * across**2 + both) / 2


energy_of_load = Exercise(
    name="your-own-machine-1",
    answer=Expression(load_energy(), also=(x,), units=CRANE_UNITS),
    misconceptions=(
        Misconception(
            load_energy(along=0),
            "In your answer the rope keeps its length, but a winch changes it. Which component of "
            "the velocity does that add?",
        ),
        Misconception(
            load_energy(carried=0),
            "In your answer the trolley stands still. What does its velocity add to that of the "
            "load?",
        ),
        Misconception(
            m * (trolley**2 + winding**2 + (rope * omega) ** 2) / 2,
            "You left out the products of the trolley's velocity with the others. What are its "
            "components along the rope and across it?",
        ),
        Misconception(2 * load_energy(), "That is twice the energy. Where is the factor ½?"),
    ),
    section="From positions to energies",
    lesson="Differentiate the position, and square the velocity: no rule about moving frames is "
    "needed.",
)


# ---- your-own-machine-2: the acceleration of the swing


def swing_law(coriolis: Any = 2, pulled: Any = 1, falls: Any = 1) -> sm.Expr:
    """Return the angular acceleration of a load that swings on a rope of changing length."""
    pull = coriolis * winding * omega + pulled * trolley.diff(t) * cosine + falls * g * sine
    return -pull / rope


swing = Exercise(
    name="your-own-machine-2",
    answer=Expression(swing_law(), named=(m,), also=(trolley, winding.diff(t)), units=CRANE_UNITS),
    misconceptions=(
        Misconception(
            swing_law(coriolis=1),
            "Differentiate m l² θ̇ by the product rule. Which factor comes from the square of l?",
        ),
        Misconception(
            swing_law(coriolis=0),
            "You differentiated as if the rope kept its length. Is l not a function of time?",
        ),
        Misconception(
            swing_law(pulled=-1),
            "Accelerate the trolley to the right: the load stays behind. Which sign does θ̈ have, "
            "if θ is counterclockwise?",
        ),
        Misconception(
            swing_law(pulled=0),
            "In your equation the trolley does not move the load. Which acceleration is missing?",
        ),
        Misconception(
            swing_law(falls=-1),
            "At a small angle gravity must pull the load back. Does it, with your sign?",
        ),
        Misconception(
            rope * swing_law(),
            "That is the acceleration across the rope [m/s²]. What is the angular acceleration?",
        ),
    ),
    section="From energies to equations",
    lesson="No mass appears: for a given motion of the trolley, a heavy load swings like a "
    "light one.",
)


# ---- your-own-machine-3: which rung?

rungs = Choice(
    "c",
    {
        "a": "units",
        "b": "energy and power",
        "c": "Newton's laws",
        "d": "order of a method",
    },
)


def without_rope_rate() -> Model:
    """Return a crane whose kinetic energy lacks the product of ẋ and l̇."""
    model = crane()
    T = model.kinetic_energy - m * trolley * winding * sine
    forces = {x: F - b * trolley, rope: -H}
    equations = EquationsOfMotion.from_lagrangian(
        T, model.potential_energy, [x, rope, theta], forces
    )
    return replace(model, equations=equations, kinetic_energy=T)


def whole_weight() -> Model:
    """Return a crane whose rope feels the whole weight at every angle."""
    model = crane()
    eom = model.equations
    added = sm.Matrix([0, m * g * (1 - cosine), 0])
    return model.with_equations(replace(eom, forcing=eom.forcing + added))


@cache
def beside_the_right_one(wrong: Any, seconds: float) -> tuple[Any, Any, Any]:
    """Return times and the motions of the right crane and a wrong one from one initial state."""
    times = np.linspace(0, seconds, 301)
    motions = []
    for model in (crane(), wrong()):
        let_go = model.with_inputs({F: 0, H: m * g})
        motions.append(integrate(let_go.compile(), times, [0, 6, np.deg2rad(40), 0, 0, 0]).x)
    right, mistaken = motions
    return times, right, mistaken


def trolley_positions(chosen: str) -> str:
    """Draw the positions of the trolleys of both cranes."""
    times, right, wrong = beside_the_right_one(without_rope_rate, 3.0)
    curves = {"right": (times, right[:, 0]), "wrong": (times, wrong[:, 0])}
    quantity, verdict = "distance of the trolley [m]", rungs.verdict(chosen)
    ax = plot_curves("time [s]", quantity, curves, verdict, marker="")
    return figure_as_html(
        ax.figure,
        "Distance of the trolley from its start against time, from a swing of 40 degrees: the "
        "correct trolley is nearly back after two seconds, the wrong one is still far away.",
    )


which_rung = Exercise(
    name="your-own-machine-3",
    answer=rungs,
    misconceptions=(
        Misconception("a", "A term is missing. Can a missing term make the units of a sum differ?"),
        Misconception(
            "b",
            "Equations derived from an energy by Lagrange conserve that energy, right or wrong. "
            "Which rung compares the energy with something else?",
        ),
        Misconception(
            "d", "The wrong equations are smooth. Why would a method solve them less accurately?"
        ),
    ),
    section="A museum of wrong cranes",
    lesson="Everything that follows from a wrong energy is consistent. Only the positions of the "
    "bodies, which do not depend on it, show the mistake.",
    reveal=trolley_positions,
    curves={
        "right": (
            "the correct trolley is nearly back after two seconds",
            lambda c: np.interp(2, c.x, c.y) < 2,
        ),
        "wrong": (
            "the wrong one is still far away",
            lambda c: np.interp(2, c.x, c.y) > 4,
        ),
    },
    facts=lambda: ("from a swing of 40 degrees",),
)


# ---- your-own-machine-4: a friend's crane

slips = Choice(
    "d",
    {
        "a": "the winch pushes the rope out where it should pull",
        "b": "the load does not pull on the trolley",
        "c": "the swing's Coriolis term has lost its 2",
        "d": "the rope feels the whole weight at every angle, not its component along the rope",
        "e": "the centrifugal force on the rope is missing",
        "f": "the trolley's friction has the wrong sign",
    },
)


def lengths_of_ropes(chosen: str) -> str:
    """Draw the ropes of both cranes."""
    times, right, wrong = beside_the_right_one(whole_weight, 3.0)
    curves = {"right": (times, right[:, 1]), "the friend's": (times, wrong[:, 1])}
    quantity, verdict = "length of the rope [m]", slips.verdict(chosen)
    ax = plot_curves("time [s]", quantity, curves, verdict, marker="")
    return figure_as_html(
        ax.figure,
        "Length of the rope against time, from a swing of 40 degrees: the correct rope is 8 m long "
        "in the end, the friend's 11 m.",
    )


friend = Exercise(
    name="your-own-machine-4",
    answer=slips,
    misconceptions=(
        Misconception(
            "a", "Then the missing term would contain the force H of the winch. Does it?"
        ),
        Misconception("b", "Then the mass matrix would not be symmetric. Which equation is wrong?"),
        Misconception("c", "A Coriolis term contains two velocities. Does the missing term?"),
        Misconception("e", "A centrifugal force contains a velocity. Does the missing term?"),
        Misconception(
            "f",
            "Friction contains a velocity. Does the missing term, and is it in the equation of x?",
        ),
    ),
    section="A museum of wrong cranes",
    lesson="The equation tells you where to look, and the term tells you which line of the "
    "derivation to read again.",
    reveal=lengths_of_ropes,
    curves={
        "right": (
            "from a swing of 40 degrees: the correct rope is 8 m long in the end",
            lambda c: round(c.y[-1]) == 8,
        ),
        "the friend's": ("the friend's 11 m", lambda c: round(c.y[-1]) == 11),
    },
)


# ---- your-own-machine-5: build a rung


def unpaid(times: Any, energy: Any, power: Any) -> Any:
    """Return the largest difference between the energy gained and the work done."""
    steps = np.diff(times)
    work = np.concatenate([[0.0], np.cumsum(steps * (power[1:] + power[:-1]) / 2)])
    return np.abs(energy - energy[0] - work).max()


def at_the_end(times: Any, energy: Any, power: Any) -> Any:
    return abs(energy[-1] - energy[0] - np.trapezoid(power, times))


def without_start(times: Any, energy: Any, power: Any) -> Any:
    steps = np.diff(times)
    work = np.concatenate([[0.0], np.cumsum(steps * (power[1:] + power[:-1]) / 2)])
    return np.abs(energy - work).max()


def even_steps(times: Any, energy: Any, power: Any) -> Any:
    h = times[1] - times[0]
    work = np.concatenate([[0.0], np.cumsum(h * (power[1:] + power[:-1]) / 2)])
    return np.abs(energy - energy[0] - work).max()


def signed(times: Any, energy: Any, power: Any) -> Any:
    steps = np.diff(times)
    work = np.concatenate([[0.0], np.cumsum(steps * (power[1:] + power[:-1]) / 2)])
    return (energy - energy[0] - work).max()


def lost_alone(times: Any, energy: Any, power: Any) -> Any:
    steps = np.diff(times)
    work = np.concatenate([[0.0], np.cumsum(steps * (power[1:] + power[:-1]) / 2)])
    return (work - (energy - energy[0])).max()


def a_record(rng: np.random.Generator) -> tuple[Any, ...]:
    """Return times, energies, and powers that disagree, most of all in the middle of the run."""
    times = np.cumsum(rng.uniform(0.1, 0.5, 9))
    middle = rng.choice([-4, 4]) * np.exp(-((np.arange(9) - 4) ** 2)) + rng.normal(size=9) / 9
    return times, 5 + middle, rng.normal(size=9) / 9


_TIMES = np.array([0.0, 0.1, 0.3, 0.6, 1.0])


def unpaid_by_scipy(times: Any, energy: Any, power: Any) -> Any:
    from scipy.integrate import cumulative_trapezoid

    paid = cumulative_trapezoid(power, times, initial=0)
    return np.linalg.norm(energy - energy[0] - paid, np.inf)


rung = Exercise(
    name="your-own-machine-5",
    answer=Function(
        unpaid,
        problems=(
            (
                _TIMES,
                np.array([3.0, 1.0, -2.0, 1.0, 2.5]),
                np.array([0.0, 1.0, 1.0, -2.0, 0.5]),
            ),
            (_TIMES + 2, np.array([7.0, 6.0, 1.0, 6.5, 7.0]), np.array([2.0, 0, 0, 1, 3])),
            (_TIMES**2, np.array([0.0, 5.0, 4.0, 4.0, 0.0]), np.array([0.0, -1, 0, 2, 1])),
        ),
        draw=a_record,
    ),
    misconceptions=(
        Misconception(
            at_the_end,
            "You compare only at the end. Can a difference during the run have vanished by then?",
        ),
        Misconception(
            without_start,
            "The work equals the change of the energy. Which energy did you compare with it?",
        ),
        Misconception(even_steps, "You used one step throughout. Are all time steps equal?"),
        Misconception(
            signed,
            "Energy that is lost counts as much as energy that is gained. Where is the absolute "
            "value?",
        ),
        Misconception(
            lost_alone,
            "Energy that appears counts as much as energy that disappears. Where is the absolute "
            "value?",
        ),
    ),
    section="A museum of wrong cranes",
    lesson="The function does not depend on the crane, so you can check any machine with it.",
    forms=(unpaid_by_scipy,),
)


# ---- your-own-machine-6: what the winch does to a swing


def amplitude(power: float, start: float = 4.0) -> float:
    """Return the swing [deg] when the rope of 12 m is slowly wound up to 3 m."""
    return float(start * (12 / 3) ** power)


pumped = Exercise(
    name="your-own-machine-6",
    answer=Number(amplitude(0.75), "degrees"),
    misconceptions=(
        Misconception(
            amplitude(0.5),
            "The energy is not constant, but E/ω is. How does E depend on l and the amplitude?",
        ),
        Misconception(
            amplitude(0),
            "The amplitude changes, because the winch does work on the swing. Which ratio stays "
            "constant?",
        ),
        Misconception(
            amplitude(1),
            "Then the load would swing as far to the side as before. Is E/ω constant with your "
            "answer?",
        ),
        Misconception(
            amplitude(2),
            "You kept l² θ₀ constant, as if no gravity pulled the load back. Is E/ω constant with "
            "your answer?",
        ),
        Misconception(
            amplitude(0.25),
            "E is proportional to l θ₀², and ω to 1/√l. Which power of l is θ₀² proportional to, "
            "and which is θ₀?",
        ),
    ),
    section="What the winch does to a swing",
    lesson="Hoisting widens a swing, so a crane operator stops it while the load hangs low.",
    asked=(
        r"by (\d+)° on (\d+) m of rope, .*up to (\d+) m",
        lambda angle, long, short: angle * (long / short) ** 0.75,
    ),
)


# ---- your-own-machine-7: how fast a load swings under a free trolley

l = sm.Symbol("l", positive=True)

frequency = Exercise(
    name="your-own-machine-7",
    answer=Expression(sm.sqrt((M + m) * g / (M * l)), units=UNITS),
    misconceptions=(
        Misconception(
            sm.sqrt(g / l),
            "That is the frequency under a trolley at rest. How does the load move a free one?",
        ),
        Misconception(
            sm.sqrt(M * g / ((M + m) * l)),
            "A free trolley gives way, so the rope rotates about a point closer to the load. Is "
            "the frequency then lower or higher?",
        ),
        Misconception(
            (M + m) * g / (M * l), "That is the square of the frequency. Where is the root?"
        ),
        Misconception(
            sm.sqrt((M + m) * g / (m * l)),
            "A very heavy trolley hardly moves. Does your frequency become that of a pendulum?",
        ),
    ),
    section="Small motions",
    lesson="The heavier the load is compared with the trolley, the higher the frequency: here the "
    "load swings twice as fast as under a trolley at rest.",
    facts=lambda: (f"swings {['', '', 'twice'][round(math.sqrt((1200 + 4000) / 1200))]} as fast",),
)


# ---- your-own-machine-11: a shaped command on a longer rope


def swing_left(longer: float, power: float = -0.5) -> float:
    """Return the fraction of the swing after two half steps, on a rope that is longer."""
    return float(np.abs(np.cos(np.pi / 2 * longer**power)))


shaper = Exercise(
    name="your-own-machine-11",
    answer=Number(swing_left(1.2), either_sign=True),
    misconceptions=(
        Misconception(
            swing_left(1.2, power=0.5),
            "On a longer rope, the frequency is lower. By which factor is the phase difference of "
            "the two half steps smaller than π?",
        ),
        Misconception(
            swing_left(1.2, power=-1),
            "Your frequency is proportional to 1/l. How does the period of a pendulum depend on l?",
        ),
        Misconception(
            float(np.sin(np.pi / 2 / np.sqrt(1.2))),
            "With no error in the length, nothing would be left. What does your formula give then?",
        ),
        Misconception(
            2 * swing_left(1.2),
            "Two full steps would leave that. What part of the swing does each half step excite?",
        ),
        Misconception(
            float(1 - 1 / np.sqrt(1.2)),
            "That is the relative error of the frequency. Add two oscillations of half the "
            "amplitude: what is their phase difference?",
        ),
    ),
    section="Shape the command",
    lesson="The shaper depends on the period alone, so it is only as good as your value for the "
    "length of the rope.",
    asked=(r"rope is (\d+)% longer", lambda percent: swing_left(1 + percent / 100)),
)


# ---- your-own-machine-8: without a sensor

#: How far off [m], and how wide a swing [deg] is good enough.
WITHIN, CALM = 0.05, 0.5


def pushes(distance: Any, time: Any, M: Any, m: Any, l: Any, g: Any) -> Any:
    return _pushes(distance, time, M + m, 2 * np.pi * np.sqrt(M * l / ((M + m) * g)))


def _pushes(distance: Any, time: Any, mass: Any, period: Any, share: float = 1.0) -> Any:
    push = share * period
    return np.array([distance * mass / (push * (time - push)), push, time - 2 * push])


def of_a_held_trolley(distance: Any, time: Any, M: Any, m: Any, l: Any, g: Any) -> Any:
    return _pushes(distance, time, M + m, 2 * np.pi * np.sqrt(l / g))


def half_a_swing(distance: Any, time: Any, M: Any, m: Any, l: Any, g: Any) -> Any:
    return _pushes(distance, time, M + m, 2 * np.pi * np.sqrt(M * l / ((M + m) * g)), 0.5)


def trolley_alone(distance: Any, time: Any, M: Any, m: Any, l: Any, g: Any) -> Any:
    return _pushes(distance, time, M, 2 * np.pi * np.sqrt(M * l / ((M + m) * g)))


def brake_forgotten(distance: Any, time: Any, M: Any, m: Any, l: Any, g: Any) -> Any:
    push = 2 * np.pi * np.sqrt(M * l / ((M + m) * g))
    return np.array([distance * (M + m) / (push * (time - push / 2)), push, time - 2 * push])


def after_pushes(plan: Any, distance: Any, time: Any, M: Any, m: Any, l: Any, g: Any) -> Any:
    """Return the distance from the goal [m], the swing [deg], and the delay [s], rounded."""
    force, push, coast = np.asarray(plan, dtype=float)
    if not (push > 0 and coast >= 0 and push + coast < 60):
        return np.array([np.inf] * 3)
    state, swings = np.zeros(4), np.zeros(1)
    rest = 2 * np.pi * np.sqrt(l / g)
    for pull, lasts in ((force, push), (0.0, coast), (-force, push), (0.0, rest)):

        def f(t: float, z: Any, pull: float = pull) -> Any:
            s, c = np.sin(z[1]), np.cos(z[1])
            forward = (pull + m * s * (l * z[3] ** 2 + g * c)) / (M + m * s**2)
            return np.array([z[2], z[3], forward, -(forward * c + g * s) / l])

        if lasts > 0:
            run = integrate(f, np.linspace(0, lasts, 121), state).x
            state, swings = run[-1], np.abs(run[:, 1])
            if lasts == push and pull < 0:
                off = abs(state[0] + l * np.sin(state[1]) - distance)
    late = 2 * push + coast - time
    effect = np.array([off, np.degrees(swings.max()), late])
    return np.maximum(np.round(effect, 3), [WITHIN, CALM, 0.01])


def off_late_and_swinging(effect: Any) -> str:
    off, swing, late = effect
    if not np.isfinite(off):
        return "a push must last longer than 0 s, and rolling at least 0 s"
    return (
        f"with yours it ends {off:.2g} m from the goal, swings by {swing:.2g}°, and is "
        f"{late:.2g} s late; "
        f"{WITHIN:g} m, {CALM:g}° and 0.01 s are allowed"
    )


def a_way(rng: np.random.Generator) -> tuple[float, ...]:
    """Return a distance, a time, two masses, a rope and gravity."""
    rope_length = float(rng.uniform(4, 8))
    masses = float(rng.uniform(1000, 2000)), float(rng.uniform(1500, 4000))
    weight = float(rng.uniform(6, 12))
    return (float(rng.uniform(4, 7)), float(rng.uniform(14, 18)), *masses, rope_length, weight)


plan = Exercise(
    name="your-own-machine-8",
    answer=Function(
        pushes,
        problems=((6.0, 15.0, 1200.0, 4000.0, 6.0, 9.81), (4.0, 11.0, 1500.0, 1500.0, 3.0, 3.71)),
        draw=a_way,
        effect=after_pushes,
        in_words=off_late_and_swinging,
    ),
    misconceptions=(
        Misconception(
            of_a_held_trolley,
            "It still swings, because you used the period under a trolley at rest. What is the "
            "period under a free trolley?",
        ),
        Misconception(
            half_a_swing,
            "After half a period, the rope leans back the most. When does the load hang straight "
            "down again?",
        ),
        Misconception(
            trolley_alone,
            "It stops at the wrong position. Which masses does the force accelerate?",
        ),
        Misconception(
            brake_forgotten,
            "It stops too early. What is the average velocity while it accelerates, and while it "
            "decelerates?",
        ),
    ),
    section="Without a sensor",
    lesson="The load swings during each push, but hangs still under the trolley when it ends. The "
    "plan cannot correct a gust or a wrong mass: for that, you need a sensor.",
    forms=(lambda distance, time, *machine: pushes(distance, time - 1, *machine),),
    facts=lambda: (
        f"{100 * WITHIN:.0f} cm off",
        f"swing by {['', 'half a degree'][round(2 * CALM)]}",
    ),
)


# ---- your-own-machine-9: a rope on a drum

l_0, r = sm.symbols("l_0 r", positive=True)


def drum(
    wound: Any = 1, weight: Any = 1, carried: Any = 0
) -> tuple[EquationsOfMotion, dict[str, Any]]:
    """Return a load on a rope that winds itself around a fixed drum."""
    out = sm.Matrix([cosine, sine])
    down = sm.Matrix([sine, -cosine])
    free = l_0 + wound * r * theta
    place = r * out + free * down
    speed = place.diff(t) + carried * omega * r * out
    T, V = m * speed.dot(speed) / 2, weight * m * g * place[1]
    places = {"x": place[0], "y": place[1]}
    return EquationsOfMotion.from_lagrangian(T, V, [theta]), {**places, "E": T + V}


def drum_by_newton() -> Any:
    """Across the rope: L θ̈ = -r θ̇² - g sin θ."""
    q = me.dynamicsymbols("q")
    radius, free = sm.symbols("r l_0", positive=True)
    L, w = free + radius * q, q.diff()
    law = sm.Matrix([-radius * w**2 - g * sm.sin(q)])
    x = radius * sm.cos(q) + L * sm.sin(q)
    y = radius * sm.sin(q) - L * sm.cos(q)
    E = m * (L * w) ** 2 / 2 + m * g * y
    return EquationsOfMotion((q,), (w,), sm.Matrix([L]), law), {"x": x, "y": y, "E": E}


on_a_drum = Exercise(
    name="your-own-machine-9",
    answer=Machine(
        drum,
        values={"m": 1.3, "l_0": 1.7, "r": 0.4, "g": 9.81},
        start={"theta": 0.6},
        rests={"hanging still": {"theta": 0}},
        units={"x": "m", "y": "m", "E": "J"},
        energies=["E"],
        spread=0.5,
    ),
    misconceptions=(
        Misconception(
            lambda: drum(wound=0),
            "Your rope keeps its free length. How much of it winds onto or off the drum when the "
            "angle changes by θ?",
        ),
        Misconception(
            lambda: drum(wound=-1),
            "Your rope gets shorter as the load swings away from the drum. How much of the rim "
            "does it touch then?",
        ),
        Misconception(
            lambda: drum(carried=1),
            "The point where the rope leaves the drum moves along the rim, but the rope does not "
            "slip there. What is the derivative of the load's position?",
        ),
        Misconception(
            lambda: drum(weight=-1), "Your gravity points upward. Which sign does V have?"
        ),
    ),
    section="Now yours",
    lesson="It has one degree of freedom: a pendulum whose length depends on its angle, as in the "
    "clocks of Huygens.",
    forms=(drum_by_newton,),
)


# ---- your-own-machine-10: twelve wrong machines

#: The first rung to fail, counted from 1, in the order of the museum's page.
FIRST = (4, 1, 5, 3, 8, 4, 4, 4, 6, 2, 7, 4)


def first_but(**others: int) -> list[int]:
    """Return the right rungs, with other ones for machines such as ``m_8``."""
    return [others.get(f"m_{k}", rung) for k, rung in enumerate(FIRST, 1)]


#: What each rung asks, in the words of its hint.
ASKED = {
    3: "energy and power asks whether the energy of this model changes by the work of its loads",
    4: "Newton's laws asks whether the forces on each body give its acceleration",
    7: "small motions asks whether a run near rest agrees with the linearization",
}


#: Names of machines whose rung is often mistaken, as in the prompt.
SHORT = {
    1: "the lost ½",
    4: "the elbow's motor",
    5: "the held torque",
    9: "the forgotten Ġu",
    10: "the parallel axis",
    11: "what stands still",
    12: "gravity upward",
}


def single_mistake(machine: int, rung: int) -> Misconception:
    """Return the hint for one machine with a wrong rung: what that rung asks."""
    return Misconception(
        first_but(**{f"m_{machine}": rung}),
        f"Look at {SHORT[machine]}: {ASKED[rung]}. Does this mistake violate that, and does every "
        "rung before it pass?",
    )


def first_rungs(first: Any) -> Any:
    """Return which rungs fail first according to the museum, in the order of its page."""
    from verification import MUSEUM

    page = Path(__file__).parents[2].joinpath("book/museum.md").read_text(encoding="utf-8")
    shown = [MUSEUM[int(k)] for k in re.findall(r"^exhibited\(MUSEUM\[(\d+)\]\)", page, re.M)]
    rungs = list(dict.fromkeys(exhibit.rung for exhibit in MUSEUM))
    return [first + rungs.index(exhibit.rung) for exhibit in shown]


twelve = Exercise(
    name="your-own-machine-10",
    answer=NumberArray(FIRST),
    misconceptions=(
        Misconception(
            [rung - 1 for rung in FIRST],
            "You count the rungs from 0, as Python does. What number does units have?",
        ),
        Misconception(
            first_but(m_1=3, m_12=3),
            "Equations that follow from an energy conserve that energy, even if it is too large or "
            "has the wrong sign. Which rung compares the energies with the bodies?",
        ),
        *(
            single_mistake(machine, rung)
            for machine, rung in (
                (1, 3),
                (12, 3),
                (4, 4),
                (5, 3),
                (5, 7),
                (9, 4),
                (10, 4),
                (11, 3),
            )
        ),
        Misconception(
            first_but(m_8=3),
            "The Coriolis force is always perpendicular to the velocity. Does it do any work?",
        ),
        Misconception(
            first_but(m_3=4),
            "The list of loads contains the same mistake as the equations, so the forces on each "
            "body agree with its motion. What must hold for the forces between two bodies?",
        ),
        Misconception(
            first_but(m_7=2),
            "M follows from this T, and it is symmetric and positive. Which rung compares T with "
            "the bodies?",
        ),
    ),
    section="The ladder",
    lesson="Each rung catches some mistake that no earlier rung catches.",
    asked=(r"count from (\d+): units", first_rungs),
)


EXERCISES = (
    energy_of_load,
    swing,
    which_rung,
    friend,
    rung,
    pumped,
    frequency,
    shaper,
    plan,
    on_a_drum,
    twelve,
)
