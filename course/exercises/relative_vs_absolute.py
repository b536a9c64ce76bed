"""The exercises of chapter 3, relative or absolute angles."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import replace
from functools import cache, partial
from time import perf_counter
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from course.boxes import side_by_side
from course.exercises import UNITS, in_words
from course.judge import (
    Choice,
    Exercise,
    Expression,
    Function,
    Machine,
    Misconception,
    NumberArray,
)
from panels import figure_as_html
from straightline import trace
from tutlib.mechanics import (
    ConstrainedEquations,
    EquationsOfMotion,
    eliminate_common_subexpressions,
)
from tutlib.methods import integrate
from tutlib.models import Model, chain, chain_recursion
from tutlib.plots import legend_above, new_axes, plot_curves

t = me.dynamicsymbols._t
theta_1, theta_2, theta_3 = q = me.dynamicsymbols("theta_1 theta_2 theta_3")
omega_1, omega_2, omega_3 = (angle.diff(t) for angle in q)
tau = me.dynamicsymbols("tau")
l_1, l_2, l_3, m_1, m_2, m_3 = sm.symbols("l_1 l_2 l_3 m_1 m_2 m_3", positive=True)
k, beta = sm.symbols("k beta", positive=True)


# ---- relative-vs-absolute-1: from one to the other

lower = sm.Matrix([[1, 0, 0], [1, 1, 0], [1, 1, 1]])

from_relative = Exercise(
    name="relative-vs-absolute-1",
    answer=Expression(lower),
    misconceptions=(
        Misconception(lower.inv(), "That takes absolute angles to relative ones."),
        Misconception(lower.T, "Which links does the first joint turn? A row is one link's angle."),
        Misconception(
            sm.Matrix([[1, 0, 0], [1, 1, 0], [0, 1, 1]]),
            "When the first joint turns, the third link turns as well.",
        ),
        Misconception(sm.eye(3), "That says that nothing changes."),
    ),
    section="Two ways to measure an angle",
    lesson="Each link's angle is the sum of all joint angles from the base up to it.",
    facts=lambda: ("the 3 × 3 matrix",),
)


# ---- relative-vs-absolute-3: an entry of the mass matrix

couples = Exercise(
    name="relative-vs-absolute-3",
    answer=Expression(
        (m_2 + m_3) * l_1 * l_2 * sm.cos(theta_1 - theta_2), named=(m_1, l_3, theta_3), units=UNITS
    ),
    misconceptions=(
        Misconception(
            m_2 * l_1 * l_2 * sm.cos(theta_1 - theta_2),
            "What hangs from the second link is carried along by both as well.",
        ),
        Misconception(
            (m_1 + m_2 + m_3) * l_1 * l_2 * sm.cos(theta_1 - theta_2),
            "The second angle does not move the first mass.",
        ),
        Misconception(
            m_3 * l_1 * l_2 * sm.cos(theta_1 - theta_2),
            "The second mass is moved by both angles, too.",
        ),
        Misconception(
            (m_2 + m_3) * l_1 * l_2 * sm.cos(theta_2),
            "That is with relative angles. Here both are from the vertical.",
        ),
        Misconception(
            (m_2 + m_3) * l_1 * l_2 * sm.sin(theta_1 - theta_2),
            "Let both links be parallel: then they move the masses the same way. Is yours largest "
            "there?",
        ),
        Misconception(
            (m_2 + m_3) * l_1 * l_2,
            "It depends on how both links stand to each other.",
        ),
    ),
    section="A chain of any length",
    lesson="Each entry knows two angles only, and the mass that both of them move.",
)


# ---- relative-vs-absolute-4: a motor in the last joint

# no two alike and none of them 1, so that each mistake shows
SIZES = {"l_1": 1.1, "l_2": 0.9, "l_3": 0.7, "m_1": 0.8, "m_2": 1.2, "m_3": 0.6}
alike = chain(3).free()
unloaded = replace(alike, parameters={p: SIZES.get(str(p), v) for p, v in alike.parameters.items()})


def driven_by(*forces: sm.Expr) -> Model:
    """Return three links with these generalized forces of a motor in the last joint."""
    eom = unloaded.equations
    torque = sm.Matrix(forces).subs(tau, 2 * sm.cos(2 * t))
    return replace(unloaded, equations=replace(eom, forcing=eom.forcing + torque))


last_motor = Exercise(
    name="relative-vs-absolute-4",
    answer=Expression(sm.Matrix([0, -tau, tau]), units=UNITS),
    misconceptions=(
        Misconception(
            sm.Matrix([0, 0, tau]),
            "That is with relative angles, and the mistake of the published notebook. What does "
            "the motor push against?",
        ),
        Misconception(
            sm.Matrix([-tau, 0, tau]),
            "The motor stands on the link before it, and not on the first one.",
        ),
        Misconception(
            sm.Matrix([0, tau, tau]),
            "To every torque there is an opposite one.",
        ),
        Misconception(
            sm.Matrix([0, tau, -tau]),
            "A positive torque turns the outer link toward positive angles.",
        ),
        Misconception(
            sm.Matrix([-tau, -tau, tau]),
            "The motor touches two links only.",
        ),
    ),
    section="Forces in both",
    lesson="With relative angles it would have been one entry: each convention has its price.",
    show=side_by_side(
        driven_by,
        [0.3, 0.0, -0.3, 0.0, 0.0, 0.0],
        "Two chains of three links with a motor in the last joint: one by the true forces, one by "
        "yours.",
        name="relative_vs_absolute_4",
    ),
)


# ---- relative-vs-absolute-2: states from one to the other


def absolute_state(x: Any) -> Any:
    half = len(x) // 2
    return np.concatenate([np.cumsum(x[:half]), np.cumsum(x[half:])])


def angles_alone(x: Any) -> Any:
    half = len(x) // 2
    return np.concatenate([np.cumsum(x[:half]), x[half:]])


def differences(x: Any) -> Any:
    half = len(x) // 2
    return np.concatenate([np.diff(x[:half], prepend=0), np.diff(x[half:], prepend=0)])


def summed_by_matrix(x: Any) -> Any:
    return np.kron(np.eye(2), np.tril(np.ones((len(x) // 2,) * 2))) @ x


translate = Exercise(
    name="relative-vs-absolute-2",
    answer=Function(
        absolute_state,
        problems=(
            (np.array([0.3, -1.0]),),
            (np.array([0.5, 0.2, -1.0, 0.4]),),
            (np.array([0.1, 0.2, 0.3, -1.0, 0.5, 2.0]),),
            (np.linspace(-1, 1, 12),),
        ),
        draw=lambda rng: (rng.normal(size=2 * int(rng.integers(1, 10))),),
    ),
    misconceptions=(
        Misconception(
            np.cumsum,
            "Your sum runs on from the angles into the rates.",
        ),
        Misconception(
            angles_alone,
            "The rates change with the angles: the same matrix takes both.",
        ),
        Misconception(
            differences,
            "That is the way back, from absolute to relative.",
        ),
    ),
    section="Two ways to measure an angle",
    lesson="The map is linear, and its matrix constant: angles and rates go the same way.",
    forms=(summed_by_matrix,),
)


# ---- relative-vs-absolute-5: does stepping commute with the change of angles?

stepping = Choice(
    "a",
    {
        "a": "equal to rounding, whatever the step",
        "b": "equal only when the step is small",
        "c": "different, because the equations are different",
        "d": "equal for absolute angles, unstable for relative ones",
    },
)


@cache
def coarse_runs() -> tuple[Any, dict[str, Any]]:
    """Return times, and the angles of two links by a coarse run in each convention."""
    times = np.linspace(0, 1, 41)
    runs = {}
    for orientation, start in (("absolute", [1.0, 0.4]), ("relative", [1.0, -0.6])):
        rhs = chain(2, orientation).free().compile()
        run = integrate(rhs, times, [*start, 0, 0], method="semi_implicit_euler")
        runs[orientation] = run.x[:, :2]
    return times, runs


def both_runs(chosen: str) -> str:
    """Draw two coarse runs, one in each convention, and their difference."""
    times, runs = coarse_runs()
    ax = new_axes("time [s]", "second link [deg]")
    ax.plot(times, np.degrees(runs["absolute"][:, 1]), label="absolute")
    summed = np.cumsum(runs["relative"], axis=1)[:, 1]
    ax.plot(times, np.degrees(summed), "o", ms=5, label="relative, summed")
    away = np.abs(summed - runs["absolute"][:, 1]).max()
    ax.set_title(stepping.verdict(chosen) + f" ({away:.0e} rad)", fontsize=12)
    legend_above(ax)
    return figure_as_html(
        ax.figure,
        "The second link's angle in degrees against time, stepped coarsely in both conventions: "
        "the dots of the relative angles, summed, lie on the line of the absolute ones.",
    )


does_it_commute = Exercise(
    name="relative-vs-absolute-5",
    answer=stepping,
    misconceptions=(
        Misconception(
            "b",
            "Both runs have errors, and large ones with a large step. But think of one step: what "
            "does the matrix do to a sum of state and slope?",
        ),
        Misconception(
            "c",
            "The equations are one law in two languages. Translate one step, word by word.",
        ),
        Misconception(
            "d",
            "Stability belongs to the motion and the method. Can a change of names cause it?",
        ),
    ),
    section="The published experiment",
    lesson="A constant matrix passes through every step: a sum of slopes goes over into a sum.",
    reveal=both_runs,
    curves={
        "absolute": ("the line of the absolute ones", lambda c: not c.dotted),
        "relative, summed": ("the dots of the relative angles, summed", lambda c: c.dotted),
    },
)


# ---- relative-vs-absolute-8: a joint limit

over = theta_2 - theta_1 - beta
beyond = sm.Max(0, over)

stop = Exercise(
    name="relative-vs-absolute-8",
    answer=Expression(k / 2 * beyond**2, units=UNITS),
    misconceptions=(
        Misconception(
            k / 2 * over**2,
            "Your stop pulls as well: far from the limit it should do nothing.",
        ),
        Misconception(
            k / 2 * sm.Max(0, theta_2 - beta) ** 2,
            "That limits the angle from the vertical. The joint knows the angle between the links.",
        ),
        Misconception(
            k * beyond**2,
            "The energy of a spring has a factor of one half.",
        ),
        Misconception(
            k * beyond,
            "That is the torque of the spring. Asked for is its energy.",
        ),
        Misconception(
            k / 2 * sm.Max(0, theta_1 - theta_2 - beta) ** 2,
            "That is the limit on the other side.",
        ),
        Misconception(
            k / 2 * sm.Max(0, sm.Abs(theta_2 - theta_1) - beta) ** 2,
            "That stops the joint on both sides. This stop is on one side alone.",
        ),
    ),
    section="Limits",
    lesson="With relative angles the same stop is an expression of one angle alone.",
    forms=(
        sm.Piecewise((k * over**2 / 2, over > 0), (0, True)),
        k / 2 * over**2 * sm.Heaviside(over),
        k / 8 * (over + sm.Abs(over)) ** 2,
    ),
)


# ---- relative-vs-absolute-7: what remains of the difference?

what_remains = Choice(
    "c",
    {
        "a": "five times as long: the text is five times as long",
        "b": "twice as long",
        "c": "about as long, within a third",
        "d": "less time, for its mass matrix has fewer terms",
    },
)


@cache
def operations(n: int, orientation: str) -> tuple[int, int]:
    """Return how many operations the equations of n links hold, as derived and with cse."""
    eom = chain(n, orientation).free().equations
    everything = [*eom.mass_matrix, *eom.forcing]
    common, reduced = eliminate_common_subexpressions(everything)
    after = sm.count_ops([value for _, value in common]) + sm.count_ops(reduced)
    return int(sm.count_ops(everything)), int(after)


def lines_of_program(n: int, orientation: str) -> int:
    """Return how many operations a compiled step of n links takes."""
    rhs = chain(n, orientation).free().compile()
    return trace(lambda x: rhs(0.0, x), 2 * n).source().count(" = ")


@cache
def times_as_much(n: int = 5) -> tuple[float, float, float]:
    """Return relative over absolute angles: as derived, with common parts once, in a program."""
    more, less = np.array([operations(n, kind) for kind in ("relative", "absolute")])
    programs = [lines_of_program(n, kind) for kind in ("relative", "absolute")]
    derived, reduced = more / less
    return float(derived), float(reduced), programs[0] / programs[1]


def times_as_long(n: int = 5, rounds: int = 21) -> Any:
    """Return how many times as long relative angles take: the quartiles of rounds in turns."""
    times, bend = np.arange(1001) * 1e-4, np.full(n, 0.2)
    starts = {"absolute": np.cumsum(bend), "relative": bend}
    rhs = {kind: chain(n, kind).free().compile() for kind in starts}
    state = {kind: np.concatenate([angles, np.zeros(n)]) for kind, angles in starts.items()}
    ratios = []
    for turn in range(rounds + 1):  # the first one compiles
        seconds = {}
        for kind in sorted(rhs, reverse=turn % 2 == 1):
            begin = perf_counter()
            integrate(rhs[kind], times, state[kind])
            seconds[kind] = perf_counter() - begin
        ratios.append(seconds["relative"] / seconds["absolute"])
    return np.quantile(ratios[1:], [0.25, 0.5, 0.75])


def bars(chosen: str) -> str:
    """Draw how many times as much relative angles take: of text, of operations and of time."""
    low, middle, high = times_as_long()
    heights = [*times_as_much(), middle]
    ax = new_axes("", "relative / absolute")
    ax.bar(range(4), heights, 0.6)
    ax.vlines(3, low, high, color="C1", lw=4)
    ax.hlines(1, -0.4, 3.4, color="gray", lw=1.5)
    ax.set_xticks(range(4), ["text", "common\nparts once", "program\nof a step", "time"])
    ax.set_title(what_remains.verdict(chosen), fontsize=12)
    derived, reduced, program = times_as_much()
    return figure_as_html(
        ax.figure,
        "Relative over absolute angles for 5 links, as four bars. The text as derived is "
        f"{derived:.0f} times as long; with common parts computed once it has {reduced:.1f} times "
        f"as many operations, and the program of a step {program:.1f} times as many. The last bar "
        "is the time of a step, measured now in rounds, with the middle half of them as a mark.",
    )


compiled = Exercise(
    name="relative-vs-absolute-7",
    answer=what_remains,
    misconceptions=(
        Misconception(
            "a",
            "So it would be if every term were computed where it stands. What does a compiler do "
            "with a cosine that stands there many times?",
        ),
        Misconception(
            "b",
            "In operations the program is nearly that. But which of them take the time, and does "
            "one program have more of those?",
        ),
        Misconception(
            "d",
            "Its mass matrix has more terms, not fewer: each entry sums over all links beyond.",
        ),
    ),
    section="Counting operations",
    lesson="Most of the text is the same few parts, over and over; and of what is left, the sines "
    "take most of the time. Both programs have as many of them.",
    reveal=bars,
    curves={
        "": (
            "The text as derived is 5 times as long; with common parts computed once it has 1.3 "
            "times as many operations, and the program of a step 1.8 times as many",
            lambda c: [round(y, 1) for y in c.y[:3]] == [5.0, 1.3, 1.8],
        ),
    },
    facts=lambda: (
        "angles for 5 links",
        f"For {in_words(5)} links",
        f"*{in_words(operations(5, 'relative')[0] / operations(5, 'absolute')[0])} times as long*",
    ),
)

# ---- relative-vs-absolute-9: links that are all different


def own_links(
    theta: Any,
    omega: Any,
    l: Any,
    d: Any,
    m: Any,
    inertia: Any,
    g: Any,
    by_row: bool = False,
    turning: float = 1,
    sine: float = 1,
    square: int = 2,
    hung: bool = True,
) -> Any:
    """Return the accelerations of links that are all different; and what mistakes would give."""
    lengths = np.tile(l, (len(l), 1))
    arm = np.tril(lengths.T if by_row else lengths, -1) + np.diag(d * l)
    shared = arm.T @ np.diag(m) @ arm
    apart = theta[:, None] - theta
    weighed = m @ arm if hung else m * d * l
    forcing = -sine * shared * np.sin(apart) @ omega**square - g * weighed * np.sin(theta)
    return np.linalg.solve(shared * np.cos(apart) + turning * np.diag(inertia), forcing)


def own_chain(theta: Any, omega: Any, l: Any, d: Any, m: Any, inertia: Any, g: Any) -> Any:
    return own_links(theta, omega, l, d, m, inertia, g)


def on_earth(theta: Any, omega: Any, l: Any, d: Any, m: Any, inertia: Any, g: Any) -> Any:
    return own_links(theta, omega, l, d, m, inertia, 9.81)


def drawn_chain(rng: np.random.Generator) -> tuple[Any, ...]:
    """Return angles, rates and four properties of some links, no two alike."""
    n = int(rng.integers(2, 6))
    return (*rng.normal(size=(2, n)), *rng.uniform(0.3, 1.0, (4, n)), float(rng.uniform(1, 12)))


def links_by_model(theta: Any, omega: Any, l: Any, d: Any, m: Any, inertia: Any, g: Any) -> Any:
    """Return accelerations by the equations that are derived."""
    values = {"l": l, "d": d, "m": m, "In": inertia}
    known = {f"{name}_{k}": v for name, every in values.items() for k, v in enumerate(every, 1)}
    links = chain(len(theta)).free().with_parameters(known | {"g": g})
    return links.compile()(0.0, np.concatenate([theta, omega]))[len(theta) :]


write_it = Exercise(
    name="relative-vs-absolute-9",
    answer=Function(
        own_chain,
        problems=(
            (*(np.array([z]) for z in (0.5, 1.0, 1.2, 0.5, 2.0, 0.1)), 9.81),
            (
                *np.array(
                    [[0.5, -0.3], [1.0, 2.0], [1.2, 0.7], [0.5, 0.4], [2.0, 0.8], [0.1, 0.05]]
                ),
                1.62,
            ),
            (
                *np.array([[0.5, -0.3, 2.0, -1.0, 0.1], [1.0, -2.0, 0.5, -3.0, 1.0]]),
                *np.array([[1.2, 0.7, 0.3, 0.9, 0.5], [0.5, 0.4, 0.6, 0.3, 0.5]]),
                *np.array([[2.0, 0.8, 1.0, 0.4, 1.5], [0.1, 0.05, 0.02, 0.2, 0.03]]),
                9.81,
            ),
        ),
        draw=drawn_chain,
    ),
    misconceptions=(
        Misconception(
            partial(own_links, by_row=True),
            "On the way to the third center you go along the first link and the second, each with "
            "its own length: a column of arms belongs to one angle.",
        ),
        Misconception(
            partial(own_links, turning=0),
            "Your links are points. A rod turns about its center as well.",
        ),
        Misconception(
            partial(own_links, sine=-1),
            "On which side of the equation do the squares of the rates stand? F is the other one.",
        ),
        Misconception(
            partial(own_links, square=1),
            "A center is pulled toward the joint by the square of the rate.",
        ),
        Misconception(
            partial(own_links, hung=False),
            "Gravity pulls by all that an angle lifts, and not by its own link alone.",
        ),
        Misconception(
            on_earth, "That holds on Earth alone. Elsewhere `g` is another number: use it."
        ),
    ),
    section="A chain of any length",
    lesson="Nothing was derived, only written down: it holds for chains of any links.",
    forms=(links_by_model,),
)


# ---- relative-vs-absolute-12: which part is wrong?

parts_of_suspect = Choice(
    "b",
    {
        "a": "the masses that two angles share",
        "b": "the table of arms",
        "c": "the mass matrix",
        "d": "the terms with squares of rates",
        "e": "the torques of the weights",
        "f": "nothing: both tests are passed",
    },
)


def by_either_table(chosen: str) -> str:
    """Draw the second link of a chain whose first one is longer, by either table of arms."""
    times = np.linspace(0, 2, 201)
    l, d, m, inertia = np.array([[2.0, 0.7], [0.5, 0.5], [1.0, 1.0], [0.3, 0.05]])
    curves = {}
    for label, by_row in (("the true table", False), ("the suspect's table", True)):

        def rates(t: float, x: Any, by_row: bool = by_row) -> Any:
            acceleration = own_links(x[:2], x[2:], l, d, m, inertia, 9.81, by_row=by_row)
            return np.concatenate([x[2:], acceleration])

        run = integrate(rates, times, [0.5, 0.5, 0.0, 0.0])
        curves[label] = times, np.degrees(run.x[:, 1])
    verdict = parts_of_suspect.verdict(chosen)
    ax = plot_curves("time [s]", "second link [deg]", curves, verdict)
    return figure_as_html(
        ax.figure,
        "The second link's angle in degrees against time, where the first link is the longer one. "
        "By the suspect's table of arms it swings otherwise than by the true one, from the start.",
    )


def sets_out_with(way: Any) -> Any:
    """Return whether a curve begins as the second link's does, with this way to its joint [m]."""
    arms = np.array([[1.0, 0.0], [way, 0.35]])
    weights = -9.81 * arms.sum(axis=0) * math.sin(0.5)
    second = np.linalg.solve(arms.T @ arms + np.diag([0.3, 0.05]), weights)[1]
    turned = math.degrees(second * 0.05**2 / 2)  # after 0.05 s
    return lambda c: math.isclose(c.y[5] - c.y[0], turned, rel_tol=0.03)


which_part = Exercise(
    name="relative-vs-absolute-12",
    answer=parts_of_suspect,
    misconceptions=(
        Misconception("a", "This is right: mass times two arms, summed. Are the arms those?"),
        Misconception("c", "This is right, and it is symmetric. What is it made of?"),
        Misconception("d", "This is right: with another sign there the energy would change."),
        Misconception("e", "This is right for the arms that it is given. Are these the arms?"),
        Misconception(
            "f",
            "Energy is conserved by the equations of any chain. Is it this chain? Make one link "
            "long, and ask which centers it carries.",
        ),
    ),
    section="A chain of any length",
    lesson="All lines use one table of arms, so a wrong table is a right program for another "
    "machine: it conserves its energy, and links that are all alike never show it.",
    reveal=by_either_table,
    curves={
        "the true table": ("otherwise than by the true one", sets_out_with(2.0)),
        "the suspect's table": ("By the suspect's table of arms", sets_out_with(0.7)),
    },
)


# ---- relative-vs-absolute-10: what a hand feels

m, l = sm.symbols("m l", positive=True)

felt = Exercise(
    name="relative-vs-absolute-10",
    answer=Expression(m / 4, named=(l,), units=UNITS),
    misconceptions=(
        Misconception(m, "That much you feel along the rod. Across it, the rod gives way."),
        Misconception(3 * m / 4, "So much of the mass is what you do not feel."),
        Misconception(
            m / 3,
            "That is the other question: what you feel at one end while the other is on a hinge.",
        ),
        Misconception(
            m / 2, "The center does not move by half of what your hand moves. Eliminate."
        ),
        Misconception(-2 * m, "Then it would run ahead of your hand. About which point is D?"),
        Misconception(
            0 * m, "A point at the end of a string gives way wholly. A rod is not a point."
        ),
    ),
    section="The mass that a hand feels",
    lesson="Swing a broom by its end: it is lighter than it is.",
)


# ---- relative-vs-absolute-11: one step of the recursion

inward = Exercise(
    name="relative-vs-absolute-11",
    answer=Expression(
        l_1**2 * (m_1 + m_2 * sm.sin(theta_1 - theta_2) ** 2),
        named=(l_2, omega_1, omega_2),
        units=UNITS,
    ),
    misconceptions=(
        Misconception(
            l_1**2 * (m_1 + m_2),
            "That is the entry of the mass matrix: as if the second mass sat at the joint. It can "
            "give way.",
        ),
        Misconception(
            l_1**2 * (m_1 + m_2 * sm.cos(theta_1 - theta_2) ** 2),
            "A mass on a string is felt along the string, not across it. In which pose do you feel "
            "nothing of it?",
        ),
        Misconception(l_1**2 * m_1, "That is without the second link."),
        Misconception(
            l_1**2 * (m_1 + m_2 * sm.sin(theta_1 - theta_2)),
            "The direction enters twice: once as you push, once as it resists.",
        ),
        Misconception(
            m_1 + m_2 * sm.sin(theta_1 - theta_2) ** 2,
            "That is a mass. D is an inertia.",
        ),
    ),
    section="The mass that a hand feels",
    lesson="Times m₂l₂² it is the determinant of the mass matrix: elimination finds its pivots.",
)


# ---- relative-vs-absolute-13: how long may the chain be?


def longest_chains(budget: Any) -> Any:
    """Return how many links a chain may have, by the programs with and without a mass matrix."""

    def length(rhs: Any, n: Any) -> Any:
        return trace(lambda x: rhs(0.0, x), 2 * n).source().count(" = ")

    counts = [length(chain(n).free().compile(), n) for n in range(4, 10)]
    cubic = np.polynomial.Polynomial.fit(range(4, 10), counts, 3)
    dense = max(n for n in range(4, 99) if cubic(n) <= budget)
    assert length(chain(dense).free().compile(), dense) <= budget
    long = range(100, 160)
    return [dense, 99 + bisect_right(long, budget, key=lambda n: length(chain_recursion(n), n))]


budget = Exercise(
    name="relative-vs-absolute-13",
    answer=NumberArray([24, 137]),
    misconceptions=(
        Misconception([137, 24], "First with the mass matrix, then by recursion."),
        Misconception([25, 138], "These are the first that take too long."),
        Misconception(
            [30, 137],
            "That counts the solving alone. Filling the matrix takes operations, too.",
        ),
        Misconception(
            [30, 136],
            "That counts the solving alone, and each link of the recursion alike; the first ones "
            "take fewer.",
        ),
        Misconception(
            [24, 136],
            "Each link takes 66 operations more, but the first ones take fewer: count the whole "
            "program.",
        ),
    ),
    section="How it grows",
    lesson="The one grows with the cube root of the budget, and the other with the budget itself.",
    asked=(r"does (\d+) operations in a control step", longest_chains),
    facts=lambda: ("Each link takes 66 operations more",),
)


# ---- relative-vs-absolute-14: a chain that hangs from a slider


def slider(
    base: bool = True, push: str = "block", reaction: bool = True, down: int = 1, second: int = 1
) -> tuple[Any, dict[str, Any]]:
    """Return a chain of two points on a block that slides; and what mistakes would give."""
    x_0, F_x = me.dynamicsymbols("x_0 F_x")
    block, g = sm.symbols("m_0 g", positive=True)
    u = x_0.diff(t)
    ends = [sm.Matrix([x_0 + l_1 * sm.sin(theta_1), -l_1 * sm.cos(theta_1)])]
    ends.append(ends[0] + second * l_2 * sm.Matrix([sm.sin(theta_2), -sm.cos(theta_2)]))
    moving = [m_i * end.diff(t).dot(end.diff(t)) / 2 for m_i, end in zip((m_1, m_2), ends)]
    T = sm.Add(*moving) + (block * u**2 / 2 if base else 0)
    V = down * g * sm.Add(*(m_i * end[1] for m_i, end in zip((m_1, m_2), ends)))
    pushed = ends[1][0] if push == "end" else x_0
    motor = tau * ((theta_2 - theta_1) if reaction else theta_2)
    forces = {z: F_x * pushed.diff(z) + motor.diff(z) for z in (x_0, theta_1, theta_2)}
    equations = EquationsOfMotion.from_lagrangian(T, V, [x_0, theta_1, theta_2], forces)
    names = ["x_1", "y_1", "x_2", "y_2"]
    return equations, {"x_0": x_0, **dict(zip(names, [*ends[0], *ends[1]])), "E": T + V}


def slider_of_three_points() -> Any:
    """Return a block and two points at any places, and the rods that bind them."""
    s, a, b, c, e, F, torque = me.dynamicsymbols("s a b c e F_x tau")
    mass, mass_1, mass_2, l_1, l_2, weight = sm.symbols("m_0 m_1 m_2 l_1 l_2 g")
    T = (mass * s.diff() ** 2 + mass_1 * (a.diff() ** 2 + b.diff() ** 2)) / 2
    T += mass_2 * (c.diff() ** 2 + e.diff() ** 2) / 2
    V = weight * (mass_1 * b + mass_2 * e)
    bend = sm.atan2(c - a, b - e) - sm.atan2(a - s, -b)
    places = [s, a, b, c, e]
    forces = {q: (F * s + torque * bend).diff(q) for q in places}
    equations = EquationsOfMotion.from_lagrangian(T, V, places, forces)
    rods = [(a - s) ** 2 + b**2 - l_1**2, (c - a) ** 2 + (e - b) ** 2 - l_2**2]
    outputs = {"x_0": s, "x_1": a, "y_1": b, "x_2": c, "y_2": e, "E": T + V}
    return ConstrainedEquations(equations, tuple(rods)), outputs


hanging = Exercise(
    name="relative-vs-absolute-14",
    answer=Machine(
        value=slider,
        values={
            "m_0": 1.7,
            "m_1": 0.9,
            "m_2": 0.6,
            "l_1": 1.2,
            "l_2": 0.8,
            "g": 9.81,
            "F_x": 3.0,
            "tau": 0.7,
        },
        start={"theta_1": 0.6, "theta_2": -0.4},
        rests={"hanging still": {}, "folded up": {"theta_2": np.pi}},
        units={
            "x_0": "m",
            "x_1": "m",
            "y_1": "m",
            "x_2": "m",
            "y_2": "m",
            "E": "J",
            "F_x": "N",
            "tau": "N·m",
        },
        energies=("E",),
    ),
    misconceptions=(
        Misconception(
            lambda: slider(base=False), "Does your block have a mass? It moves, so it counts."
        ),
        Misconception(
            lambda: slider(reaction=False),
            "What does the motor push against? It stands on the first link.",
        ),
        Misconception(
            lambda: slider(push="end"), "The force is on the block, and not on the free end."
        ),
        Misconception(
            lambda: slider(down=-1),
            "Your weights pull upward: in which place of rest do small swings come back?",
        ),
    ),
    section="Forces in both",
    lesson="Three freedoms, one Lagrangian: whichever angles you chose, the motion is the same.",
    forms=(slider_of_three_points,),
)

# ---- relative-vs-absolute-6: a gymnast


def gymnast(
    center: Any = sm.S.Half,
    inertia: int = 1,
    stands: bool = True,
    down: int = 1,
    turns: bool = True,
) -> tuple[Any, dict[str, Any]]:
    """Return three rods that hang in a row, with motors between; and what mistakes would give."""
    g, torques = sm.Symbol("g", positive=True), me.dynamicsymbols("tau_2 tau_3")
    joint, T, V, outputs = sm.zeros(2, 1), sm.S.Zero, sm.S.Zero, dict[str, Any]()
    for i, (angle, m_i, l_i) in enumerate(zip(q, (m_1, m_2, m_3), (l_1, l_2, l_3))):
        rod = l_i * sm.Matrix([sm.sin(angle), -sm.cos(angle)])
        v = (joint + center * rod).diff(t)
        spin = angle.diff(t) - (0 if turns or not i else q[i - 1].diff(t))
        T += m_i * (v.dot(v) + inertia * l_i**2 / 12 * spin**2) / 2
        V += down * m_i * g * (joint + center * rod)[1]
        joint += rod
        outputs |= {f"x_{i + 1}": joint[0], f"y_{i + 1}": joint[1]}
    shoulders, hips = torques
    forces = {theta_2: shoulders, theta_3: hips}
    if stands:  # on the rod before
        forces = {theta_1: -shoulders, theta_2: shoulders - hips, theta_3: hips}
    equations = EquationsOfMotion.from_lagrangian(T, V, q, forces)
    return equations, {**outputs, "E": T + V}


def gymnast_by_ends() -> Any:
    """Return the ends of three rods at any places, and what keeps their lengths."""
    places = me.dynamicsymbols("a b c d e f")
    g, *sizes = sm.symbols("g m_1 m_2 m_3 l_1 l_2 l_3")
    ends = [sm.zeros(2, 1), *(sm.Matrix(places[i : i + 2]) for i in (0, 2, 4))]
    T, V, angles, rods = 0, 0, [], []
    for m, l, top, end in zip(sizes[:3], sizes[3:], ends, ends[1:]):
        v, w, rod = top.diff(t), end.diff(t), end - top
        T += m * (v.dot(v) + v.dot(w) + w.dot(w)) / 6  # of a uniform rod, by its ends
        V += m * g * (top[1] + end[1]) / 2
        angles.append(sm.atan2(rod[0], -rod[1]))
        rods.append(rod.dot(rod) - l**2)
    tau_2, tau_3 = me.dynamicsymbols("tau_2 tau_3")
    work = tau_2 * (angles[1] - angles[0]) + tau_3 * (angles[2] - angles[1])
    forces = {q: work.diff(q) for q in places}
    equations = EquationsOfMotion.from_lagrangian(T, V, places, forces)
    names = ["x_1", "y_1", "x_2", "y_2", "x_3", "y_3"]
    return ConstrainedEquations(equations, tuple(rods)), {**dict(zip(names, places)), "E": T + V}


gymnast_from_scratch = Exercise(
    name="relative-vs-absolute-6",
    answer=Machine(
        value=gymnast,
        values={
            "m_1": 7.0,
            "m_2": 31.0,
            "m_3": 22.0,
            "l_1": 0.8,
            "l_2": 0.5,
            "l_3": 0.9,
            "g": 9.81,
            "tau_2": 40.0,
            "tau_3": 25.0,
        },
        start={"theta_1": 0.6, "theta_2": 0.8, "theta_3": 0.3},
        rests={
            "hanging still": {},
            "in a handstand": {"theta_1": np.pi, "theta_2": np.pi, "theta_3": np.pi},
        },
        units={
            "x_1": "m",
            "y_1": "m",
            "x_2": "m",
            "y_2": "m",
            "x_3": "m",
            "y_3": "m",
            "E": "J",
            "tau_2": "N·m",
            "tau_3": "N·m",
        },
        energies=("E",),
        duration=1.5,
    ),
    misconceptions=(
        Misconception(
            lambda: gymnast(inertia=0),
            "Your gymnast is made of points. A rod turns about its center as well.",
        ),
        Misconception(
            lambda: gymnast(center=1),
            "Where is the center of a uniform rod? Yours weigh at their ends.",
        ),
        Misconception(
            lambda: gymnast(inertia=4),
            "That moment of inertia is about the end of a rod. Beside the motion of the center, "
            "the energy needs the turning about the center alone.",
        ),
        Misconception(
            lambda: gymnast(turns=False),
            "A rod turns with all joints before it: how fast does it turn in the world, if its own "
            "joint holds still?",
        ),
        Misconception(
            lambda: gymnast(stands=False),
            "What do the muscles push against? With absolute angles, a torque between two rods "
            "does work on the difference of their angles.",
        ),
        Misconception(
            lambda: gymnast(down=-1),
            "Your weights pull upward: hold the gymnast level and let go.",
        ),
    ),
    section="Forces in both",
    lesson="Motors speak for relative angles, and the energies for absolute ones: you may change "
    "from one to the other by a matrix, whenever you like.",
    forms=(gymnast_by_ends,),
)

EXERCISES = (
    from_relative,
    translate,
    couples,
    write_it,
    which_part,
    last_motor,
    hanging,
    does_it_commute,
    compiled,
    felt,
    inward,
    budget,
    stop,
    gymnast_from_scratch,
)
