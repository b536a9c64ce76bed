"""The exercises of chapter 9, two quadrotors and a load."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sm

from tutlib.exercises import Array, Choice, Exercise, Expression, Function, Misconception, Number
from tutlib.methods import integrate
from tutlib.models.quadrotors import LoadController, two_quadrotors
from tutlib.pictures import figure_as_html, legend_above, new_axes
from tutlib.spaces import with_derivatives

phi = sm.Symbol("phi", real=True)


# ---- quadrotors-1: counting

counting = Exercise(
    name="quadrotors-1",
    answer=Array([13, 42, 30]),
    misconceptions=(
        Misconception(
            [13, 26, 26],
            "That would be in coordinates of your own. Count the numbers that are stored: a "
            "rotation has nine.",
        ),
        Misconception(
            [13, 42, 26],
            "The group that moves a pair (q, ω) has six dimensions, not four.",
        ),
        Misconception(
            [15, 42, 30],
            "A direction of unit length is free in two ways, not in three.",
        ),
    ),
    section="The space they live on",
    lesson="42 numbers, 30 in the algebra, 13 ways to move: redundant, and without a bad place.",
)


# ---- quadrotors-2: which way is down

falling = Choice(
    "b",
    {
        "a": "it falls to -4.9 m",
        "b": "it grows to 4.9 m",
        "c": "it stays: gravity is in the thrust",
        "d": "the links swing it to and fro",
    },
)


@cache
def heights() -> tuple[Any, Any]:
    """Return times, and the third coordinate of the load without thrust."""
    body = two_quadrotors()
    a = np.deg2rad(30)
    x0 = body.start([0, 0, 0], [[np.sin(a), 0, np.cos(a)], [-np.sin(a), 0, np.cos(a)]])
    zero = np.zeros((2, 3))
    t = np.linspace(0, 1, 51)
    run = integrate(body.vector_field(lambda t, s: (zero, zero)), t, x0, space=body.space)
    return t, run.x[:, 2]


def free_fall(chosen: str) -> str:
    """Draw the third coordinate of the load without thrust."""
    t, height = heights()
    ax = new_axes("time [s]", "third coordinate of the load [m]")
    ax.plot(t, height, marker="")
    ax.set_title(falling.verdict(chosen), fontsize=12)
    return figure_as_html(
        ax.figure,
        f"The third coordinate of the load against time: it grows as a parabola to "
        f"{height[-1]:.1f} m in one second.",
    )


down = Exercise(
    name="quadrotors-2",
    answer=falling,
    misconceptions=(
        Misconception("a", "The potential energy is -m g e₃·y: where is it low?"),
        Misconception("c", "The thrust is cut. What is left is gravity."),
        Misconception("d", "All parts fall alike, so no link pulls."),
    ),
    section="Down is positive",
    lesson="The third axis points along gravity. One sentence of the source says the opposite.",
    reveal=free_fall,
)


# ---- quadrotors-3: hover

tension = Exercise(
    name="quadrotors-3",
    answer=Number(0.4 * 9.81 / (2 * np.cos(np.radians(40))), "newtons"),
    misconceptions=(
        Misconception(0.4 * 9.81 / 2, "That would be with links straight down."),
        Misconception(0.4 * 9.81 / np.cos(np.radians(40)), "There are two links."),
        Misconception(
            0.4 * 9.81 / (2 * np.sin(np.radians(40))), "40° are counted from the vertical."
        ),
        Misconception(
            0.4 * 9.81, "That is the whole weight of the load: how many links share it, and how?"
        ),
        Misconception(
            0.4 * 9.81 / 2 * np.cos(np.radians(40)),
            "Only a part of each tension is vertical: so must the tension be smaller than half of "
            "the weight, or larger?",
        ),
    ),
    section="Newton, with tensions",
    lesson="Slanted links pull harder: 31 % more than straight ones.",
)


# ---- quadrotors-4: the matrix


def load_matrix(load: float, mass: Any, q: Any) -> Any:
    """Return m_y + Σ mᵢ qᵢ qᵢᵀ."""
    return load * np.eye(3) + sum(m * np.outer(d, d) for m, d in zip(mass, q))


def directions(rng: Any, count: int) -> Any:
    """Return unit vectors, from a random generator or its seed."""
    q = np.random.default_rng(rng).normal(size=(count, 3))
    return q / np.linalg.norm(q, axis=1)[:, None]


def some_vehicles(rng: np.random.Generator) -> tuple[Any, ...]:
    """Return a load, and masses and directions of some vehicles."""
    count = int(rng.integers(1, 7))
    return float(rng.uniform(0.2, 2)), rng.uniform(0.2, 2, count), directions(rng, count)


matrix = Exercise(
    name="quadrotors-4",
    answer=Function(
        load_matrix,
        problems=(
            (0.4, np.array([0.755, 0.755]), directions(1, 2)),
            (1.0, np.array([0.5, 1.5, 2.0]), directions(2, 3)),
        ),
        draw=some_vehicles,
    ),
    misconceptions=(
        Misconception(
            lambda load, mass, q: load_matrix(load + sum(mass), 0 * mass, q),
            "The load does not carry a vehicle along everywhere: only along its link.",
        ),
        Misconception(
            lambda load, mass, q: (
                load * np.eye(3) - sum(m * np.outer(d, d) for m, d in zip(mass, q))
            ),
            "Vehicles add inertia, they do not take any away.",
        ),
        Misconception(
            lambda load, mass, q: load * np.eye(3) + sum(np.outer(d, d) for d in q),
            "Each with its own mass.",
        ),
        Misconception(
            lambda load, mass, q: load_matrix(0.0, mass, q),
            "The load is missing: it has the same inertia in every direction.",
        ),
        Misconception(
            lambda load, mass, q: load_matrix(load + sum(mass), -mass, q),
            "That carries each vehicle along across its link. Along it the link pulls.",
        ),
        Misconception(
            lambda load, mass, q: load_matrix(load * len(mass), mass, q),
            "There is one load, whatever the number of vehicles.",
        ),
        Misconception(
            lambda load, mass, q: load_matrix(load, mass[:1], q[:1]),
            "That is the first vehicle alone. Add up all of them.",
        ),
        Misconception(
            lambda load, mass, q: load * np.ones((3, 3)) + load_matrix(0.0, mass, q),
            "You added the load to every entry of the matrix. A number times which matrix is it?",
        ),
    ),
    section="Newton, with tensions",
    lesson="Along a link you push load and vehicle; across it, the load alone.",
)


# ---- quadrotors-5: tumbling vehicles

tumbling = Choice(
    "c",
    {
        "a": "it is lost after half a second",
        "b": "it follows the path at a distance",
        "c": "it follows the path as if nothing were",
        "d": "it follows only while they stand upright",
    },
)


@cache
def distances() -> tuple[Any, dict[str, Any]]:
    """Return times, and the load's distance from its path with and without moments."""
    body, a = two_quadrotors(), np.deg2rad(80)
    slant = np.array([[0.5, 0, np.sqrt(0.75)], [-0.5, 0, np.sqrt(0.75)]])
    path = with_derivatives(lambda t: [t - 2.5, 0.0, (t - 2.5) ** 2 - 7])
    control = LoadController(body, path, slant, np.array([0, -1.0, 0]))
    x0 = body.start([-2, 0, 0], [[np.sin(a), 0, np.cos(a)], [-np.sin(a), 0, np.cos(a)]])
    t, found = np.linspace(0, 5, 101), {}
    for label, moment in (("moments of 1 N·m", 1.0), ("no moments", 0.0)):
        moments = np.full((2, 3), moment)

        def tumbling_on(t: float, s: Any, moments: Any = moments) -> Any:
            return control(t, s), moments

        run = integrate(body.vector_field(tumbling_on), t, x0, space=body.space)
        away = [np.linalg.norm(x[:3] - path(now)[0]) for now, x in zip(t, run.x)]
        found[label] = np.array(away)
    return t, found


def with_and_without(chosen: str) -> str:
    """Draw the load's distance from its path, with and without moments."""
    t, found = distances()
    ax = new_axes("time [s]", "distance from the path [m]")
    for label, away in found.items():
        ax.semilogy(t, away, marker="", label=label)
    ax.set_title(tumbling.verdict(chosen), fontsize=12)
    legend_above(ax)
    away = found["no moments"]
    return figure_as_html(
        ax.figure,
        "The load's distance from the path against time, logarithmic: with moments of 1 N·m and "
        f"with no moments the curves are equal. It grows to {away.max():.0f} m, then falls to "
        f"{1000 * away[-1]:.2f} mm.",
    )


free_thrust = Exercise(
    name="quadrotors-5",
    answer=tumbling,
    misconceptions=(
        Misconception("a", "Where do the attitudes stand in the equations of the load?"),
        Misconception("b", "At which distance? No attitude stands in the equations of the load."),
        Misconception("d", "The force is given in world axes: it does not ask who stands upright."),
    ),
    section="The run of the source",
    lesson="A thrust that points anywhere at once: the vehicles tumble, and nobody notices.",
    reveal=with_and_without,
)


# ---- quadrotors-6: tilt

tilt = Exercise(
    name="quadrotors-6",
    answer=Number(
        float(np.rad2deg(np.arctan2(0.2 * 9.81 * np.tan(np.pi / 6), (0.755 + 0.2) * 9.81))),
        "degrees",
    ),
    misconceptions=(
        Misconception(30.0, "The link pulls at that slant, but the vehicle has weight, too."),
        Misconception(
            float(np.rad2deg(np.arctan2(0.4 * 9.81 * np.tan(np.pi / 6), (0.755 + 0.4) * 9.81))),
            "That is with the whole load on each.",
        ),
        Misconception(
            float(np.rad2deg(np.arctan2(0.2 * 9.81 * np.tan(np.pi / 6), 0.755 * 9.81))),
            "The link pulls down, too: its vertical part adds to the weight.",
        ),
    ),
    section="Thrust has a direction",
    lesson="Each thrust is 9.44 N, tilted outward: the links would pull them together.",
)


# ---- quadrotors-7: the commanded frame


def frame_for(u: Any, heading: Any) -> Any:
    """Return R_c, third axis against u, first axis near to the heading."""
    third = -u / np.linalg.norm(u)
    second = np.cross(third, heading)
    second = second / np.linalg.norm(second)
    return np.column_stack([np.cross(second, third), second, third])


def some_thrust(rng: np.random.Generator) -> tuple[Any, Any]:
    """Return a force, and a heading across it."""
    u = rng.normal(size=3) * 5
    heading = np.cross(u, rng.normal(size=3)) + 0.2 * u
    return u, heading / np.linalg.norm(heading)


def heading_as_it_is(u: Any, heading: Any) -> Any:
    R = frame_for(u, heading)
    return np.column_stack([heading, R[:, 1], R[:, 2]])


def not_of_unit_length(u: Any, heading: Any) -> Any:
    third = -u / np.linalg.norm(u)
    second = np.cross(third, heading)
    return np.column_stack([np.cross(second, third), second, third])


west = np.array([-1.0, 0.0, 0.0])
commanded = Exercise(
    name="quadrotors-7",
    answer=Function(
        frame_for,
        problems=(
            (np.array([0.0, 0.0, -9.4]), west),
            (np.array([1.1, -0.4, -9.0]), west),
            (np.array([3.0, 2.0, -1.0]), np.array([0.0, 1.0, 0.0])),
        ),
        draw=some_thrust,
        one_size=True,
    ),
    misconceptions=(
        Misconception(
            lambda u, heading: frame_for(-u, heading),
            "Thrust acts against the third axis: b₃ = -u/|u|.",
        ),
        Misconception(
            lambda u, heading: frame_for(u, -heading), "The first axis points away from b₁."
        ),
        Misconception(
            lambda u, heading: frame_for(u, heading).T,
            "Its columns are the axes: you have them as rows.",
        ),
        Misconception(
            heading_as_it_is,
            "Your first axis is the heading itself. It must be at right angles to the third.",
        ),
        Misconception(
            lambda u, heading: frame_for(u, heading) * [1, -1, 1],
            "Your axes are those of a left hand: take the product for the second one the other way "
            "around.",
        ),
        Misconception(
            not_of_unit_length,
            "A product of vectors that are not at right angles is shorter than both: divide it by "
            "its length.",
        ),
        Misconception(
            lambda u, heading: frame_for(u, heading)[:, [2, 1, 0]],
            "The right axes in another order: the third one carries the thrust.",
        ),
    ),
    section="Thrust has a direction",
    lesson="Where u is parallel to the heading, or zero, there is no such frame.",
)


# ---- quadrotors-8: the error of an attitude

attitude_error = Exercise(
    name="quadrotors-8",
    answer=Expression(1 - sm.cos(phi)),
    misconceptions=(
        Misconception(2 * (1 - sm.cos(phi)), "That is the trace. Half of it is asked for."),
        Misconception(sm.sin(phi), "That is the length of e_R. It vanishes at half a turn, too."),
        Misconception(phi**2 / 2, "So it begins, near zero. And at half a turn?"),
    ),
    section="Thrust has a direction",
    lesson="From 0 to 2 at half a turn: there the moment vanishes, as for a pendulum upright.",
)


EXERCISES = (
    counting,
    down,
    tension,
    matrix,
    free_thrust,
    tilt,
    commanded,
    attitude_error,
)
