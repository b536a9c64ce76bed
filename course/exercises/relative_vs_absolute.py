"""The exercises of chapter 3, relative or absolute angles."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import replace
from functools import cache, partial
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
        Misconception(
            lower.inv(),
            "That converts absolute angles to relative ones. Which direction is wanted here?",
        ),
        Misconception(
            lower.T, "Row i gives the angle of link i. Which joints rotate the first link?"
        ),
        Misconception(
            sm.Matrix([[1, 0, 0], [1, 1, 0], [0, 1, 1]]),
            "When the first joint rotates, the third link rotates as well.",
        ),
        Misconception(
            sm.eye(3),
            "That leaves the angles unchanged. From which link is the second relative angle "
            "measured?",
        ),
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
            "Both angles also move what hangs from the second link. Which mass is missing?",
        ),
        Misconception(
            (m_1 + m_2 + m_3) * l_1 * l_2 * sm.cos(theta_1 - theta_2),
            "The entry counts masses that both angles move. Does the second angle move the first "
            "mass?",
        ),
        Misconception(
            m_3 * l_1 * l_2 * sm.cos(theta_1 - theta_2),
            "Both angles move the second mass, too. Where is it in your entry?",
        ),
        Misconception(
            (m_2 + m_3) * l_1 * l_2 * sm.cos(theta_2),
            "That is a relative angle. Here both angles are measured from the vertical. What is "
            "the angle between the links?",
        ),
        Misconception(
            (m_2 + m_3) * l_1 * l_2 * sm.sin(theta_1 - theta_2),
            "If the links are parallel, both angles move the masses in the same direction. Is "
            "your entry largest there?",
        ),
        Misconception(
            (m_2 + m_3) * l_1 * l_2,
            "The entry depends on the angle between the links. When is it zero?",
        ),
    ),
    section="A chain of any length",
    lesson="Each entry depends on two angles only, and on the masses that both of them move.",
)


# ---- relative-vs-absolute-4: a motor in the last joint

# no two alike and none of them 1, so that each mistake shows
SIZES = {"l_1": 1.1, "l_2": 0.9, "l_3": 0.7, "m_1": 0.8, "m_2": 1.2, "m_3": 0.6}
alike = chain(3).free()
unloaded = replace(alike, parameters={p: SIZES.get(str(p), v) for p, v in alike.parameters.items()})


def driven_by(*forces: sm.Expr) -> Model:
    """Return three links with these generalized forces from a motor in the last joint."""
    eom = unloaded.equations
    torque = sm.Matrix(forces).subs(tau, 2 * sm.cos(2 * t))
    return replace(unloaded, equations=replace(eom, forcing=eom.forcing + torque))


last_motor = Exercise(
    name="relative-vs-absolute-4",
    answer=Expression(sm.Matrix([0, -tau, tau]), units=UNITS),
    misconceptions=(
        Misconception(
            sm.Matrix([0, 0, tau]),
            "Those are the forces in relative angles. On which link does the motor push back?",
        ),
        Misconception(
            sm.Matrix([-tau, 0, tau]),
            "The motor is mounted on the link before its joint. Which link is that?",
        ),
        Misconception(
            sm.Matrix([0, tau, tau]),
            "Every torque has an opposite one. Which sign does the reaction have?",
        ),
        Misconception(
            sm.Matrix([0, tau, -tau]),
            "Both signs are reversed. In which direction does a positive torque rotate the outer "
            "link?",
        ),
        Misconception(
            sm.Matrix([-tau, -tau, tau]),
            "The motor acts on two links only. Which ones?",
        ),
    ),
    section="Forces in both",
    lesson="With relative angles, there would be only one entry: each convention has its price.",
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
            "Your sum continues from the angles into the angular velocities. Where should it start "
            "again?",
        ),
        Misconception(
            angles_alone,
            "The angular velocities convert with the same matrix. Did you convert them?",
        ),
        Misconception(
            differences,
            "That converts from absolute to relative angles. Which direction is wanted here?",
        ),
    ),
    section="Two ways to measure an angle",
    lesson="The map is linear with a constant matrix, so angles and angular velocities convert "
    "alike.",
    forms=(summed_by_matrix,),
)


# ---- relative-vs-absolute-5: does stepping commute with the change of angles?

stepping = Choice(
    "a",
    {
        "a": "equal to rounding, whatever the step",
        "b": "equal only when the step is small",
        "c": "different, because the equations are different",
        "d": "stable in absolute angles, unstable in relative ones",
    },
)


@cache
def coarse_runs() -> tuple[Any, dict[str, Any]]:
    """Return times, and the angles of two links from a coarse run in each convention."""
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
    gap = np.abs(summed - runs["absolute"][:, 1]).max()
    ax.set_title(stepping.verdict(chosen) + f" ({gap:.0e} rad)", fontsize=12)
    legend_above(ax)
    return figure_as_html(
        ax.figure,
        "The second link's angle in degrees against time, with large steps in both conventions: "
        "the dots of the relative angles, summed, lie on the line of the absolute ones.",
    )


does_it_commute = Exercise(
    name="relative-vs-absolute-5",
    answer=stepping,
    misconceptions=(
        Misconception(
            "b",
            "Both runs have large errors when the step is large. But consider one step: what does "
            "the matrix do to a sum of state and slope?",
        ),
        Misconception(
            "c",
            "The equations look different but state the same law. Convert one step, term by term: "
            "what changes?",
        ),
        Misconception(
            "d",
            "Stability depends on the motion and the method. Can other coordinates for the same "
            "motion change it?",
        ),
    ),
    section="The published experiment",
    lesson="A constant matrix passes through every step, since it maps a sum of slopes to a sum.",
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
            "Your stop also acts below the limit. What is its energy there?",
        ),
        Misconception(
            k / 2 * sm.Max(0, theta_2 - beta) ** 2,
            "That limits the angle from the vertical. What is the angle between the links?",
        ),
        Misconception(
            k * beyond**2,
            "A factor is wrong. What is the energy of a spring?",
        ),
        Misconception(
            k * beyond,
            "That is the torque of the spring. What is its energy?",
        ),
        Misconception(
            k / 2 * sm.Max(0, theta_1 - theta_2 - beta) ** 2,
            "That stops the joint on the other side. Which sign does the bend have at this limit?",
        ),
        Misconception(
            k / 2 * sm.Max(0, sm.Abs(theta_2 - theta_1) - beta) ** 2,
            "That stops the joint on both sides. On which side is this stop?",
        ),
    ),
    section="Limits",
    lesson="With relative angles, the energy of the same stop depends on one angle only.",
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
        "a": "five times as many operations",
        "b": "twice as many operations, sines, and cosines",
        "c": "nearly twice as many operations, but no more sines and cosines",
        "d": "fewer operations",
    },
)


@cache
def operations(n: int, orientation: str) -> list[int]:
    """Return counts for n links: as derived, after CSE, in the program, and its sines."""
    eom = chain(n, orientation).free().equations
    everything = [*eom.mass_matrix, *eom.forcing]
    common, reduced = eliminate_common_subexpressions(everything)
    after = sm.count_ops([value for _, value in common]) + sm.count_ops(reduced)
    rhs = chain(n, orientation).free().compile()
    lines = trace(lambda x: rhs(0.0, x), 2 * n).source().splitlines()
    sines = sum("sin(" in line or "cos(" in line for line in lines)
    return [int(sm.count_ops(everything)), int(after), sum(" = " in z for z in lines), sines]


def bars(chosen: str) -> str:
    """Draw relative over absolute angles, by four counts that are the same on every computer."""
    heights = np.divide(operations(5, "relative"), operations(5, "absolute"))
    ax = new_axes("", "relative / absolute")
    ax.bar(range(4), heights, 0.6)
    ax.hlines(1, -0.4, 3.4, color="gray", lw=1.5)
    ax.set_xticks(range(4), ["text", "after\nCSE", "program", "its sines,\ncosines"])
    ax.set_title(what_remains.verdict(chosen), fontsize=12)
    derived, reduced, program, sines = heights
    return figure_as_html(
        ax.figure,
        "Relative over absolute angles for 5 links, as four bars. The text as derived has "
        f"{derived:.0f} times as many operations; after common-subexpression elimination (CSE) it "
        f"has {reduced:.1f} times as many, and the compiled program {program:.1f} times as many. "
        f"Its sines and cosines have the ratio {sines:.0f}.",
    )


compiled = Exercise(
    name="relative-vs-absolute-7",
    answer=what_remains,
    misconceptions=(
        Misconception(
            "a",
            "That would be true if every term were computed wherever it appears. What does the "
            "compiler do with a cosine that appears many times?",
        ),
        Misconception(
            "b",
            "The number of operations is nearly right. But of which angles does each program need "
            "the sine and the cosine?",
        ),
        Misconception(
            "d",
            "Its mass matrix has more terms. Over which links does each entry sum?",
        ),
    ),
    section="Counting operations",
    lesson="Most of the text repeats the same few terms. The sines and cosines, which take "
    "longest, are equally many, so expect the times to differ by less than the counts.",
    reveal=bars,
    curves={
        "": (
            "The text as derived has 5 times as many operations; after common-subexpression "
            "elimination (CSE) it has 1.3 times as many, and the compiled program 1.8 times as "
            "many. Its sines and cosines have the ratio 1.",
            lambda c: [round(y, 1) for y in c.y] == [5.0, 1.3, 1.8, 1.0],
        ),
    },
    facts=lambda: (
        "angles for 5 links",
        f"For {in_words(5)} links",
        f"*{in_words(round(operations(5, 'relative')[0] / operations(5, 'absolute')[0]))} times as "
        "long*",
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
    """Return the accelerations of links that all differ, also with common mistakes."""
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
    """Return random angles, angular velocities, and four properties of some links."""
    n = int(rng.integers(2, 6))
    return (*rng.normal(size=(2, n)), *rng.uniform(0.3, 1.0, (4, n)), float(rng.uniform(1, 12)))


def links_by_model(theta: Any, omega: Any, l: Any, d: Any, m: Any, inertia: Any, g: Any) -> Any:
    """Return accelerations from the derived equations."""
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
            "The path to the third center follows the first link and then the second. Whose length "
            "belongs in each column of your table of arms?",
        ),
        Misconception(
            partial(own_links, turning=0),
            "Your links are points. Where is the moment of inertia about the center?",
        ),
        Misconception(
            partial(own_links, sine=-1),
            "A sign is wrong. On which side of the equation is your centripetal term?",
        ),
        Misconception(
            partial(own_links, square=1),
            "Your centripetal term is linear in the angular velocity. Which power should it have?",
        ),
        Misconception(
            partial(own_links, hung=False),
            "Each angle also lifts the links beyond its own. Which weights act on the first angle?",
        ),
        Misconception(
            on_earth, "Your function always uses the Earth's gravity. Where is its argument g?"
        ),
    ),
    section="A chain of any length",
    lesson="You wrote these equations down without deriving them: they hold for any planar chain.",
    forms=(links_by_model,),
)


# ---- relative-vs-absolute-12: which part is wrong?

parts_of_suspect = Choice(
    "b",
    {
        "a": "the masses that two angles share",
        "b": "the table of arms",
        "c": "the mass matrix",
        "d": "the centripetal terms",
        "e": "the torques of the weights",
        "f": "nothing: it passes both tests",
    },
)


def by_either_table(chosen: str) -> str:
    """Draw the second link of a chain with a longer first link, for either table of arms."""
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
        "With the suspect's table of arms it swings differently than with the true table, from the "
        "start.",
    )


def begins_with_arm(arm: Any) -> Any:
    """Return whether a curve begins as the second link's does, with this arm to its joint [m]."""
    arms = np.array([[1.0, 0.0], [arm, 0.35]])
    weights = -9.81 * arms.sum(axis=0) * math.sin(0.5)
    second = np.linalg.solve(arms.T @ arms + np.diag([0.3, 0.05]), weights)[1]
    turned = math.degrees(second * 0.05**2 / 2)  # after 0.05 s
    return lambda c: math.isclose(c.y[5] - c.y[0], turned, rel_tol=0.03)


which_part = Exercise(
    name="relative-vs-absolute-12",
    answer=parts_of_suspect,
    misconceptions=(
        Misconception("a", "This line is right: mass times two arms, summed. Are the arms right?"),
        Misconception(
            "c", "This line is right, and the matrix is symmetric. What is it computed from?"
        ),
        Misconception(
            "d", "This line is right. With the opposite sign, would energy be conserved?"
        ),
        Misconception("e", "This line is right for the arms it uses. Are these the right arms?"),
        Misconception(
            "f",
            "The equations of any chain conserve energy. Are these the equations of this chain? "
            "Make one link long, and ask which centers it carries.",
        ),
    ),
    section="A chain of any length",
    lesson="All lines use one table of arms, so with a wrong table the program is right for "
    "another mechanism. That mechanism conserves energy, and equal links do not reveal the error.",
    reveal=by_either_table,
    curves={
        "the true table": ("differently than with the true table", begins_with_arm(2.0)),
        "the suspect's table": ("With the suspect's table of arms", begins_with_arm(0.7)),
    },
)


# ---- relative-vs-absolute-10: what a hand feels

m, l = sm.symbols("m l", positive=True)

felt = Exercise(
    name="relative-vs-absolute-10",
    answer=Expression(m / 4, named=(l,), units=UNITS),
    misconceptions=(
        Misconception(
            m,
            "You feel all of the mass along the rod. What does the rod do when you push across it?",
        ),
        Misconception(
            3 * m / 4, "That is the part of the mass that you do not feel. What remains?"
        ),
        Misconception(
            m / 3,
            "That is what you feel at one end when the other end is hinged. Is the other end "
            "fixed here?",
        ),
        Misconception(
            m / 2, "Is the acceleration of the center half of your hand's? Eliminate α to find out."
        ),
        Misconception(
            -2 * m, "A negative mass would run ahead of your hand. About which point is D?"
        ),
        Misconception(
            0 * m,
            "That holds for a point mass at the end of a string. What is the rod's moment of "
            "inertia?",
        ),
    ),
    section="The mass that a hand feels",
    lesson="Swing a broom by its end: it feels lighter than it is.",
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
            "That is the entry of the mass matrix, where the second mass is fixed to the joint. In "
            "which direction can it give way?",
        ),
        Misconception(
            l_1**2 * (m_1 + m_2 * sm.cos(theta_1 - theta_2) ** 2),
            "You feel a mass on a string along the string, not across it. In which pose do you "
            "not feel it at all?",
        ),
        Misconception(
            l_1**2 * m_1, "That leaves out the second link. In which poses do you feel its mass?"
        ),
        Misconception(
            l_1**2 * (m_1 + m_2 * sm.sin(theta_1 - theta_2)),
            "A power is wrong. The direction enters once in your push, and where else?",
        ),
        Misconception(
            m_1 + m_2 * sm.sin(theta_1 - theta_2) ** 2,
            "That is a mass, but D is a moment of inertia. Which factor is missing?",
        ),
    ),
    section="The mass that a hand feels",
    lesson="D₁ times m₂l₂² is the determinant of the mass matrix: the two factors are its pivots.",
)


# ---- relative-vs-absolute-13: how long may the chain be?


def longest_chains(budget: Any) -> Any:
    """Return how many links a chain may have, with and without a mass matrix."""

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
        Misconception([137, 24], "These are in the reverse order. Which number was asked first?"),
        Misconception(
            [25, 138],
            "These chains already need too many operations. Which are the longest that do not?",
        ),
        Misconception(
            [30, 137],
            "Your first number counts only solving the equations. How many operations does it take "
            "to fill the matrix?",
        ),
        Misconception(
            [30, 136],
            "Your first number counts only solving the equations, and your second assumes that all "
            "links cost the same. What do the first links cost?",
        ),
        Misconception(
            [24, 136],
            "Each link takes 66 operations more, but the first links take fewer. How many does "
            "the whole program take?",
        ),
    ),
    section="How the cost grows",
    lesson="For large budgets, the first number grows as the cube root of the budget, the second "
    "in proportion to it.",
    asked=(r"does (\d+) operations in a control step", longest_chains),
    facts=lambda: ("Each link takes 66 operations more",),
)


# ---- relative-vs-absolute-14: a chain that hangs from a slider


def slider(
    base: bool = True, push: str = "block", reaction: bool = True, down: int = 1, second: int = 1
) -> tuple[Any, dict[str, Any]]:
    """Return a chain of two points on a sliding block, also with common mistakes."""
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
    """Return a block and two points at any positions, and the rods that bind them."""
    s, a, b, c, e, F, torque = me.dynamicsymbols("s a b c e F_x tau")
    mass, mass_1, mass_2, l_1, l_2, weight = sm.symbols("m_0 m_1 m_2 l_1 l_2 g")
    T = (mass * s.diff() ** 2 + mass_1 * (a.diff() ** 2 + b.diff() ** 2)) / 2
    T += mass_2 * (c.diff() ** 2 + e.diff() ** 2) / 2
    V = weight * (mass_1 * b + mass_2 * e)
    bend = sm.atan2(c - a, b - e) - sm.atan2(a - s, -b)
    coordinates = [s, a, b, c, e]
    forces = {q: (F * s + torque * bend).diff(q) for q in coordinates}
    equations = EquationsOfMotion.from_lagrangian(T, V, coordinates, forces)
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
        Misconception(lambda: slider(base=False), "Where is the kinetic energy of the block?"),
        Misconception(
            lambda: slider(reaction=False),
            "The motor is mounted on the first link. Where is its reaction torque?",
        ),
        Misconception(
            lambda: slider(push="end"), "Your force acts on the free end. Where should it act?"
        ),
        Misconception(
            lambda: slider(down=-1),
            "Your weights pull upward. Which equilibrium should be stable?",
        ),
    ),
    section="Forces in both",
    lesson="Three degrees of freedom, one Lagrangian: whichever angles you chose, the motion is "
    "the same.",
    forms=(slider_of_three_points,),
)

# ---- relative-vs-absolute-6: a gymnast


def gymnast(
    center: Any = sm.S.Half,
    inertia: int = 1,
    reaction: bool = True,
    down: int = 1,
    turns: bool = True,
) -> tuple[Any, dict[str, Any]]:
    """Return three rods in a row with motors between them, also with common mistakes."""
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
    if reaction:  # on the previous rod
        forces = {theta_1: -shoulders, theta_2: shoulders - hips, theta_3: hips}
    equations = EquationsOfMotion.from_lagrangian(T, V, q, forces)
    return equations, {**outputs, "E": T + V}


def gymnast_by_ends() -> Any:
    """Return the ends of three rods at any positions, and the constraints on their lengths."""
    coordinates = me.dynamicsymbols("a b c d e f")
    g, *sizes = sm.symbols("g m_1 m_2 m_3 l_1 l_2 l_3")
    ends = [sm.zeros(2, 1), *(sm.Matrix(coordinates[i : i + 2]) for i in (0, 2, 4))]
    T, V, angles, rods = 0, 0, [], []
    for m, l, top, end in zip(sizes[:3], sizes[3:], ends, ends[1:]):
        v, w, rod = top.diff(t), end.diff(t), end - top
        T += m * (v.dot(v) + v.dot(w) + w.dot(w)) / 6  # of a uniform rod, by its ends
        V += m * g * (top[1] + end[1]) / 2
        angles.append(sm.atan2(rod[0], -rod[1]))
        rods.append(rod.dot(rod) - l**2)
    tau_2, tau_3 = me.dynamicsymbols("tau_2 tau_3")
    work = tau_2 * (angles[1] - angles[0]) + tau_3 * (angles[2] - angles[1])
    forces = {q: work.diff(q) for q in coordinates}
    equations = EquationsOfMotion.from_lagrangian(T, V, coordinates, forces)
    names = ["x_1", "y_1", "x_2", "y_2", "x_3", "y_3"]
    return ConstrainedEquations(equations, tuple(rods)), {
        **dict(zip(names, coordinates)),
        "E": T + V,
    }


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
            "Your gymnast is made of points. Where is the rotational energy about each center?",
        ),
        Misconception(
            lambda: gymnast(center=1),
            "Your masses are at the ends of the rods. Where is the center of a uniform rod?",
        ),
        Misconception(
            lambda: gymnast(inertia=4),
            "That moment of inertia is about the end of a rod. Which one belongs with the "
            "velocity of the center?",
        ),
        Misconception(
            lambda: gymnast(turns=False),
            "Each rod also rotates with the joints before it. What is its angular velocity if its "
            "own joint is locked?",
        ),
        Misconception(
            lambda: gymnast(reaction=False),
            "With absolute angles, a torque between two rods does work on the difference of their "
            "angles. On which rod does it react?",
        ),
        Misconception(
            lambda: gymnast(down=-1),
            "Your weights pull upward. Which way should a gymnast fall from the horizontal?",
        ),
    ),
    section="Forces in both",
    lesson="Motor torques are simplest in relative angles, and energies in absolute ones. A "
    "constant matrix takes you from one to the other.",
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
