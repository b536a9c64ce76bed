"""The exercises of chapter 9, two quadrotors and a load."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

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
from tutlib import EquationsOfMotion
from tutlib.methods import integrate
from tutlib.models.quadrotors import LoadController, two_quadrotors
from tutlib.plots import new_axes, plot_curves
from tutlib.spaces import hat, with_derivatives

phi = sm.Symbol("phi", real=True)


# ---- quadrotors-16: four thrusts


def mixed(total: Any, arm: Any, drag: Any, *moment: Any) -> Any:
    """Return the thrusts at the front, right, back, and left [N], sums of each one's reasons."""
    roll, pitch, yaw = moment[0] / (2 * arm), moment[1] / (2 * arm), moment[2] / (4 * drag)
    quarter = total / 4
    return np.array(
        [quarter + pitch - yaw, quarter - roll + yaw, quarter - pitch - yaw, quarter + roll + yaw]
    )


def thrusts_by_matrix(arm: Any, drag: Any, total: Any, *moment: Any) -> Any:
    """Return the thrusts, from the matrix of arms and drags."""
    matrix = [[1, 1, 1, 1], [0, -arm, 0, arm], [arm, 0, -arm, 0], [-drag, drag, -drag, drag]]
    return np.linalg.solve(matrix, [total, *moment])


four_thrusts = Exercise(
    name="quadrotors-16",
    answer=NumberArray(mixed(8, 0.25, 0.02, 0.4, 0, 0.06), "newtons", 3),
    misconceptions=(
        Misconception(
            mixed(8, 0.25, 0.02, -0.4, 0, 0.06),
            "The yaw is right, but the vehicle rolls the wrong way. Which of the two rotors on the "
            "sides makes the first component of the moment positive?",
        ),
        Misconception(
            mixed(8, 0.25, 0.02, 0.4, 0, -0.06),
            "The roll is right, but the vehicle yaws the wrong way. Which two drag moments make "
            "the third component of the moment positive?",
        ),
        Misconception(
            mixed(8, 0.125, 0.02, 0.4, 0, 0.06),
            "Your roll moment is twice as large as it should be. How many rotors contribute to it?",
        ),
        Misconception(
            mixed(8, 0.25, 0.01, 0.4, 0, 0.06),
            "Your yaw moment is twice as large as it should be. How many drag moments contribute "
            "to it?",
        ),
        Misconception(
            mixed(8, 0.25, 0.005, 0.4, 0, 0.06),
            "Your yaw moment is four times as large as it should be. How many drag moments "
            "contribute to it?",
        ),
        Misconception(
            mixed(8, 0.25, 0.02, 0, 0.4, 0.06),
            "Your vehicle pitches instead of rolling. About which axis is the first component of "
            "the moment?",
        ),
        Misconception(
            mixed(8, 0.25, 0.02, 0.4, 0, 0),
            "The roll is right, but there is no yaw. Which rotors must give more, so that the "
            "drag moments do not cancel?",
        ),
        Misconception(
            mixed(8, 0.25, 0.02, 0, 0, 0.06),
            "The yaw is right, but there is no roll. By how much must left and right differ?",
        ),
        Misconception(
            mixed(0, 0.25, 0.02, 0.4, 0, 0.06),
            "That gives the moment, but no total thrust. What does each rotor give for the 8 N?",
        ),
        Misconception(
            mixed(32, 0.25, 0.02, 0.4, 0, 0.06),
            "Those thrusts add up to 32 N. How do four rotors share 8 N?",
        ),
    ),
    section="Mix four thrusts",
    lesson="Roll and pitch have the arm of a rotor, 25 cm. Yaw has an effective arm of 2 cm.",
    asked=(
        r"= ([\d.]+) m and .* = ([\d.]+) m needs the thrust (\d+) N and the moment "
        r"\(([\d.]+), ([\d.]+), ([\d.]+)\) N·m",
        thrusts_by_matrix,
    ),
    facts=lambda: (
        "the arm of a rotor, 25 cm",
        "an effective arm of 2 cm",
        f"Those thrusts add up to {mixed(32, 0.25, 0.02, 0.4, 0, 0.06).sum():.0f} N",
        "for the 8 N",
        "share 8 N",
    ),
)


# ---- quadrotors-17: a dead rotor

dead_rotor = Exercise(
    name="quadrotors-17",
    answer=Choice(
        "c",
        {
            "a": "no, it must fall",
            "b": "yes, and it can also keep its heading",
            "c": "yes, but it spins faster and faster about the vertical",
            "d": "yes, but it drifts to the right",
        },
    ),
    misconceptions=(
        Misconception(
            "a",
            "Two opposite rotors can carry the weight. With which two do the first and "
            "second components of the moment vanish?",
        ),
        Misconception(
            "b",
            "To stay level, the vehicle needs no roll moment, so the left rotor must stop, too. Do "
            "the drag moments of the other two still cancel?",
        ),
        Misconception(
            "d",
            "If the vehicle is level, its thrust is vertical. Which force would push it to the "
            "right?",
        ),
    ),
    section="Mix four thrusts",
    lesson="Three rotors leave you the thrust and two components of the moment, but not yaw. In "
    "reality, the spin grows until the body's own drag balances that of the rotors.",
)


# ---- quadrotors-18: how hard to push while braking

braking = Exercise(
    name="quadrotors-18",
    answer=Number(0.755 * math.hypot(5, 9.81), "newtons"),
    misconceptions=(
        Misconception(
            0.755 * 9.81,
            "That only supports the weight. What is the other component of the thrust?",
        ),
        Misconception(
            0.755 * 5,
            "That only brakes. What is the other component of the thrust?",
        ),
        Misconception(
            0.755 * (5 + 9.81),
            "You added the magnitudes. How do perpendicular components add up?",
        ),
        Misconception(
            0.755 * 9.81 * math.cos(math.atan2(5, 9.81)),
            "You multiplied by the cosine. If the vertical component of the thrust equals the "
            "weight, must the thrust be smaller or larger than the weight?",
        ),
        Misconception(
            math.hypot(5, 9.81),
            "That is an acceleration, in m/s². Which force gives it to the vehicle?",
        ),
        Misconception(
            0.755 * math.hypot(5, 10),
            "You rounded $g$. Which value does the prompt give?",
        ),
    ),
    section="To move sideways, lean",
    lesson="The thrust leans by 27.0°, and it is 12% larger than the weight.",
    asked=(
        r"vehicle of ([\d.]+) kg .* brakes at (\d+) m/s²; \$g = ([\d.]+)\$ m/s²",
        lambda mass, braking, g: mass * g / math.cos(math.atan(braking / g)),
    ),
    facts=lambda: (
        f"leans by {math.degrees(math.atan2(5, 9.81)):.1f}°",
        f"{100 * (math.hypot(5, 9.81) / 9.81 - 1):.0f}% larger than the weight",
    ),
)


# ---- quadrotors-1: counting

counting = Exercise(
    name="quadrotors-1",
    answer=NumberArray([13, 42, 30]),
    misconceptions=(
        Misconception(
            [13, 26, 26],
            "Those are the counts for independent coordinates. How many numbers does a stored "
            "rotation matrix have?",
        ),
        Misconception(
            [13, 42, 26],
            "A pair (q, ω) has four dimensions. But which group moves it, and what is its "
            "dimension?",
        ),
        Misconception(
            [15, 42, 30],
            "A unit vector has three components, but how many degrees of freedom?",
        ),
    ),
    section="The space they live on",
    lesson="42 stored numbers, 30 in the algebra, 13 degrees of freedom: redundant, but without "
    "singularities.",
    facts=lambda: (
        f"{6 + 2 * (3 + 3) + 2 * (9 + 3)} stored numbers, {6 + 2 * 6 + 2 * 6} in the algebra, "
        f"{3 + 2 * 2 + 2 * 3} degrees of freedom",
    ),
)


# ---- quadrotors-2: which way is down

falling = Choice(
    "b",
    {
        "a": "it falls to −4.9 m",
        "b": "it grows to 4.9 m",
        "c": "it stays, because the thrust balances gravity",
        "d": "the links swing it back and forth",
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
        Misconception(
            "a",
            "The load falls. But the potential energy is -m g e₃·y: which sign of y₃ makes it low?",
        ),
        Misconception("c", "The thrust is cut, so it balances nothing. Which force is left?"),
        Misconception(
            "d", "All bodies fall with the same acceleration. What would a link have to pull on?"
        ),
    ),
    section="Down is positive",
    lesson="The third axis points along gravity, although one sentence of the source says the "
    "opposite.",
    reveal=free_fall,
    curves={
        "": (
            "it grows as a parabola to 4.9 m in one second",
            lambda c: np.allclose(c.y, 9.81 / 2 * c.x**2, atol=1e-6) and c.x[-1] == 1,
        )
    },
)


# ---- quadrotors-3: hover

tension = Exercise(
    name="quadrotors-3",
    answer=Number(0.4 * 9.81 / (2 * np.cos(np.radians(40))), "newtons"),
    misconceptions=(
        Misconception(
            0.4 * 9.81 / 2,
            "That would be right for vertical links. Which part of each tension lifts it?",
        ),
        Misconception(
            0.4 * 10 / (2 * np.cos(np.radians(40))),
            "You rounded the weight of the load. Which $g$ does this chapter use?",
        ),
        Misconception(
            0.4 * 9.81 / np.cos(np.radians(40)),
            "That is twice the tension. How many links share the load?",
        ),
        Misconception(
            0.4 * 9.81 / (2 * np.sin(np.radians(40))),
            "You took the sine. Is the angle of 40° measured from the vertical or from the "
            "horizontal?",
        ),
        Misconception(
            0.4 * 9.81, "That is the whole weight of the load. How do the two links share it?"
        ),
        Misconception(
            0.4 * 9.81 / 2 * np.cos(np.radians(40)),
            "You multiplied by the cosine. The vertical component of each tension is half the "
            "weight, "
            "so must the tension be smaller or larger?",
        ),
    ),
    section="Newton, with tensions",
    lesson="Slanted links pull harder: 31% more than vertical ones.",
    asked=(
        r"load, ([\d.]+) kg, .* two links, each (\d+)°",
        lambda load, slant: load * 9.81 / 2 / math.cos(math.radians(slant)),
    ),
    facts=lambda: (f"{100 * (1 / np.cos(np.radians(40)) - 1):.0f}% more than vertical ones",),
)


# ---- quadrotors-4: the matrix


DIRECTIONS = np.array([[0.6, 0, 0.8], [0, 0, 1.0]])


def load_diagonal(load: float = 0.4, mass: Any = (0.5, 1.2), squares: Any = None) -> Any:
    """Return the diagonal of m_y + Σ mᵢ qᵢ qᵢᵀ [kg], from the squares of the directions."""
    return load + np.asarray(mass) @ (DIRECTIONS**2 if squares is None else squares)


def diagonal_by_hats(load: Any, mass_1: Any, x: Any, y: Any, z: Any, mass_2: Any, *q_2: Any) -> Any:
    """Return the diagonal from the matrices of cross products: q qᵀ = 1 + q̂² for a unit vector."""
    ends = ((mass_1, np.array([x, y, z])), (mass_2, np.array(q_2)))
    return np.diag(load * np.eye(3) + sum(m * (np.eye(3) + hat(q) @ hat(q)) for m, q in ends))


matrix = Exercise(
    name="quadrotors-4",
    answer=NumberArray(load_diagonal(), "kilograms", 3),
    misconceptions=(
        Misconception(
            load_diagonal(squares=np.ones((2, 3))),
            "You added the vehicles in every direction. In which direction does the link make a "
            "vehicle follow the load?",
        ),
        Misconception(
            load_diagonal(squares=-(DIRECTIONS**2)),
            "You subtracted the vehicles. With the tension on the left of the equation, which sign "
            "does its first term have?",
        ),
        Misconception(
            load_diagonal(mass=(1, 1)),
            "The masses of the vehicles are missing. How heavy is the vehicle at each link?",
        ),
        Misconception(
            load_diagonal(load=0),
            "The load is missing. Which term was on the left before you inserted the tensions?",
        ),
        Misconception(
            load_diagonal(squares=1 - DIRECTIONS**2),
            "Your vehicles follow perpendicular to their links. In which direction can a link "
            "pull?",
        ),
        Misconception(
            load_diagonal(load=0.8),
            "You counted the load twice. How many loads are there?",
        ),
        Misconception(
            load_diagonal(mass=(0.5, 0)),
            "That is the first vehicle alone. What does the second one add?",
        ),
        Misconception(
            load_diagonal(squares=DIRECTIONS),
            "You multiplied by q once: that is the component of the acceleration along the link. "
            "In which direction does the tension that it causes act?",
        ),
    ),
    section="Newton, with tensions",
    lesson="Along a link you push the load and a vehicle; perpendicular to it, the load alone.",
    asked=(
        r"load's mass is ([\d.]+) kg\.\s+Vehicle 1 has ([\d.]+) kg and the link direction "
        r"\(([\d.]+), ([\d.]+), ([\d.]+)\)\.\s+Vehicle 2 has ([\d.]+) kg and the link direction "
        r"\(([\d.]+), ([\d.]+), ([\d.]+)\)",
        diagonal_by_hats,
    ),
)


# ---- quadrotors-5: tumbling vehicles

tumbling = Choice(
    "c",
    {
        "a": "it is lost after half a second",
        "b": "it follows the path at a distance",
        "c": "it follows the path as if nothing had happened",
        "d": "it follows the path only while the vehicles are upright",
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
    t, distance_of = np.linspace(0, 5, 101), {}
    for label, moment in (("moments of 1 N·m", 1.0), ("no moments", 0.0)):
        moments = np.full((2, 3), moment)

        def tumbling_on(t: float, s: Any, moments: Any = moments) -> Any:
            return control(t, s), moments

        run = integrate(body.vector_field(tumbling_on), t, x0, space=body.space)
        away = [np.linalg.norm(x[:3] - path(now)[0]) for now, x in zip(t, run.x)]
        distance_of[label] = np.array(away)
    return t, distance_of


def with_and_without(chosen: str) -> str:
    """Draw the load's distance from its path, with and without moments."""
    t, distance_of = distances()
    curves = {label: (t, away) for label, away in distance_of.items()}
    quantity, verdict = "distance from the path [m]", tumbling.verdict(chosen)
    ax = plot_curves("time [s]", quantity, curves, verdict, yscale="log", marker="")
    away = distance_of["no moments"]
    return figure_as_html(
        ax.figure,
        "The load's distance from the path against time, logarithmic: with moments of 1 N·m and "
        f"with no moments the curves are equal. It grows to {away.max():.0f} m, then falls to "
        f"{1000 * away[-1]:.2f} mm.",
    )


def comes_near(c: Any) -> Any:
    """Return whether a load reaches its path as the description says."""
    ends = math.isclose(c.y[0], math.hypot(0.5, 0.75)) and round(c.y.max()) == 3
    return ends and round(1000 * c.y[-1], 2) == 0.05


free_thrust = Exercise(
    name="quadrotors-5",
    answer=tumbling,
    misconceptions=(
        Misconception("a", "The load is not lost. Do the attitudes appear in its equations?"),
        Misconception(
            "b",
            "The vehicles do not push the load aside. Do the attitudes appear in its equations?",
        ),
        Misconception(
            "d",
            "Upright or not, the forces act. In which axes are they given, those of the world or "
            "of a "
            "vehicle?",
        ),
    ),
    section="The published run",
    lesson="If a thrust may point in any direction, the vehicles tumble, and the load does not "
    "notice.",
    reveal=with_and_without,
    curves={
        "moments of 1 N·m": ("It grows to 3 m, then falls to 0.05 mm", comes_near),
        "no moments": ("with no moments the curves are equal", comes_near),
    },
)


# ---- quadrotors-6: tilt


def lean(slant: Any, vehicle: Any, load: Any) -> Any:
    sideways = load / 2 * math.tan(math.radians(slant))
    return math.degrees(math.atan2(sideways, vehicle + load / 2))


lean_angle = Exercise(
    name="quadrotors-6",
    answer=Number(
        float(np.rad2deg(np.arctan2(0.2 * 9.81 * np.tan(np.pi / 6), (0.755 + 0.2) * 9.81))),
        "degrees",
    ),
    misconceptions=(
        Misconception(
            30.0,
            "That is the slant of the link. But the vehicle has weight, too: which two forces "
            "must the "
            "thrust balance?",
        ),
        Misconception(
            float(np.rad2deg(np.arctan2(0.4 * 9.81 * np.tan(np.pi / 6), (0.755 + 0.4) * 9.81))),
            "You put the whole load on each vehicle. How many vehicles share it?",
        ),
        Misconception(
            float(np.rad2deg(np.arctan2(0.2 * 9.81 * np.tan(np.pi / 6), 0.755 * 9.81))),
            "You left out that the link also pulls down. What is its vertical component?",
        ),
    ),
    section="An axis that must lean",
    lesson="Each thrust is 9.44 N and leans outward, because the links pull the vehicles together.",
    asked=(
        r"links at (\d+)° from the vertical, vehicles of ([\d.]+) kg each and a load of "
        r"([\d.]+) kg",
        lean,
    ),
    facts=lambda: (
        f"Each thrust is {np.hypot((0.755 + 0.2) * 9.81, 0.2 * 9.81 * np.tan(np.pi / 6)):.2f} N",
    ),
)


# ---- quadrotors-7: the commanded frame


def frame_for(u: Any, heading: Any) -> Any:
    """Return R_c, its third axis opposite to u, its first axis close to the heading."""
    third = -u / np.linalg.norm(u)
    second = np.cross(third, heading)
    second = second / np.linalg.norm(second)
    return np.column_stack([np.cross(second, third), second, third])


def some_thrust(rng: np.random.Generator) -> tuple[Any, Any]:
    """Return a force, and a heading nearly perpendicular to it."""
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


def frame_by_gram_schmidt(u: Any, heading: Any) -> Any:
    Q, R = np.linalg.qr(np.column_stack([-u, heading]))
    Q = Q * np.sign(np.diag(R))
    return np.column_stack([Q[:, 1], np.cross(Q[:, 0], Q[:, 1]), Q[:, 0]])


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
            "Your third axis has the direction of u. In which direction does the thrust act, "
            "along the "
            "third axis or opposite to it?",
        ),
        Misconception(
            lambda u, heading: frame_for(u, -heading),
            "Your first axis points away from b₁. In which order did you multiply to get the "
            "second?",
        ),
        Misconception(
            lambda u, heading: frame_for(u, heading).T,
            "Your rows are the axes. What must the columns be?",
        ),
        Misconception(
            heading_as_it_is,
            "Your first axis is the heading itself. Is it perpendicular to the third?",
        ),
        Misconception(
            lambda u, heading: frame_for(u, heading) * [1, -1, 1],
            "Your axes are left-handed. In which order must you multiply to get the second one?",
        ),
        Misconception(
            not_of_unit_length,
            "Your columns are not unit vectors. How long is the cross product of two unit vectors "
            "that are not perpendicular?",
        ),
        Misconception(
            lambda u, heading: frame_for(u, heading)[:, [2, 1, 0]],
            "Those are the right axes in another order. Which of them is opposite to the thrust?",
        ),
    ),
    section="An axis that must lean",
    lesson="If u is zero or parallel to the heading, there is no such frame.",
    forms=(frame_by_gram_schmidt,),
)


# ---- quadrotors-8: the error of an attitude

attitude_error = Exercise(
    name="quadrotors-8",
    answer=Expression(1 - sm.cos(phi)),
    misconceptions=(
        Misconception(
            2 * (1 - sm.cos(phi)),
            "That is twice the right answer. Which factor does Ψ have before the trace?",
        ),
        Misconception(sm.sin(phi), "That is the length of e_R. Does Ψ vanish at 180°?"),
        Misconception(
            phi**2 / 2,
            "That is right only for small angles. What is the trace of a rotation through any "
            "angle?",
        ),
    ),
    section="The moment",
    lesson="Ψ grows from 0 to 2 at 180°, where the moment vanishes, as for an upright pendulum.",
    facts=lambda: (
        f"from {1 - np.cos(0):.0f} to {1 - np.cos(np.pi):.0f} at 180°",
        "Does Ψ vanish at 180°?",
    ),
)


# ---- quadrotors-9: what a vehicle needs along its link

mass, length, omega, m_y, share = sm.symbols("m L omega m_y S")
CIRCLE, FOLLOW = mass * length * omega**2, mass / m_y * share

along_link = Exercise(
    name="quadrotors-9",
    answer=Expression(CIRCLE + FOLLOW),
    misconceptions=(
        Misconception(
            CIRCLE,
            "That keeps the vehicle on its circle about the load. But the load is accelerated, "
            "too: "
            "what does the vehicle need to follow it?",
        ),
        Misconception(
            FOLLOW,
            "That makes the vehicle follow the load. But the link rotates, too: what does the "
            "vehicle need to move on a circle about the load?",
        ),
        Misconception(
            CIRCLE - FOLLOW,
            "The sign of the second term is wrong. To follow the load, must the vehicle be pushed "
            "with the load's acceleration, or against it?",
        ),
        Misconception(
            FOLLOW - CIRCLE,
            "The sign of the centripetal term is wrong. Does q point toward the center of the "
            "vehicle's circle, or away from it?",
        ),
        Misconception(
            CIRCLE + mass * share,
            "The shares are forces, not accelerations. What is the acceleration of the load?",
        ),
        Misconception(
            CIRCLE + share,
            "With the sum of the shares, you would push as hard as for the load. How large is the "
            "force that gives the vehicle the same acceleration?",
        ),
        Misconception(
            CIRCLE + FOLLOW + share,
            "The question is what the vehicle needs in addition. Is the share part of that?",
        ),
        Misconception(
            mass * length * omega + FOLLOW,
            "Your centripetal term is not a force. How must it depend on the angular velocity?",
        ),
    ),
    section="The shares",
    lesson="A force for the load, one for the circle, one to keep up: each has its reason.",
)


# ---- quadrotors-10: one of six controllers

controllers = Choice("d", {letter: f"controller {letter}" for letter in "abcdef"})


INERTIA = np.array([0.0820, 0.0845, 0.1377])  # kg·m²
#: Angular velocity [rad/s] and angular acceleration [rad/s²] of a target, in its axes.
TURNING, SPEEDING_UP = np.array([4.0, -6.0, 8.0]), np.array([60.0, 10.0, -20.0])
AXIS = np.array([1.0, 1.0, 0.0]) / math.sqrt(2)
#: Factors of the four parts of a moment: spring, gyroscopic term, feedforward, wrong damper.
PARTS = {
    "a": (2, 1, 1, 0),
    "b": (1, 1, 1, 1),
    "c": (1, -1, 1, 0),
    "d": (1, 1, 1, 0),
    "e": (1, 1, 0, 0),
    "f": (-1, 1, 1, 0),
}


def parts_of_moment(angle: float) -> Any:
    """Return the first components of the parts [N·m], for a body that moves like its target.

    The body is rotated from the target by an angle [rad] about a fixed axis.
    """
    K = hat(AXIS)
    to_body = np.eye(3) - math.sin(angle) * K + (1 - math.cos(angle)) * K @ K
    rate = to_body @ TURNING
    spring = -18 / 0.9**2 * math.sin(angle) * AXIS
    gyroscopic = np.cross(rate, INERTIA * rate)
    feedforward = INERTIA * (to_body @ SPEEDING_UP)
    return np.array([spring, gyroscopic, feedforward, -3 / 0.9 * (rate - TURNING)])[:, 0]


def moments_of_all(chosen: str) -> str:
    """Draw the moments of all controllers on a body that moves like its target, at an angle."""
    angles = np.linspace(0, 180, 91)
    parts = np.array([parts_of_moment(a) for a in np.radians(angles)])
    curves = {f"controller {k}": (angles, parts @ factors) for k, factors in PARTS.items()}
    across, verdict = "angle off the target [deg]", controllers.verdict(chosen)
    ax = plot_curves(across, "moment [N·m]", curves, verdict, marker="")
    return figure_as_html(
        ax.figure,
        "The moment about the first axis against the angle off the target, for a body with exactly "
        "the target's angular velocity, so the damper must give nothing. Only d is right: a has "
        "twice the spring, b has a damper all the same, c has the wrong gyroscopic sign, e lacks "
        "the feedforward, and f has the wrong sign of the spring.",
    )


def differs_by(factors: Any) -> Any:
    """Return a check that a curve is the right moment plus these multiples of its parts."""

    def law(c: Any) -> bool:
        parts = np.array([parts_of_moment(a) for a in np.radians(c.x)])
        return np.allclose(c.y - parts[:, :3].sum(axis=1), parts @ factors)

    return law


one_controller = Exercise(
    name="quadrotors-10",
    answer=controllers,
    misconceptions=(
        Misconception(
            "a",
            "This spring is too stiff. At rest, off a still target by a known angle about a known "
            "axis, how is the moment related to the sine of the angle?",
        ),
        Misconception(
            "b",
            "This damper subtracts components along different axes. Hold the body at a fixed angle "
            "off a rotating target, with exactly the target's angular velocity. What must the "
            "damper give?",
        ),
        Misconception(
            "c",
            "This moment has a wrong sign. On a still target, let the body rotate about an axis "
            "that is not principal: does the moment cancel the gyroscopic term of Euler's "
            "equations, or double it?",
        ),
        Misconception(
            "e",
            "This controller waits for an error. If the target speeds up, which moment does a body "
            "without any error need?",
        ),
        Misconception(
            "f",
            "This spring has the wrong sign. Off a still target by a small angle, does its moment "
            "rotate the body back, or farther away?",
        ),
    ),
    section="Which controller is right?",
    lesson="A check that repeats the code sees nothing. Compare with a moment that you know.",
    reveal=moments_of_all,
    curves={
        "controller a": ("a has twice the spring", differs_by((1, 0, 0, 0))),
        "controller b": ("b has a damper all the same", differs_by((0, 0, 0, 1))),
        "controller c": ("c has the wrong gyroscopic sign", differs_by((0, -2, 0, 0))),
        "controller d": ("Only d is right", differs_by((0, 0, 0, 0))),
        "controller e": ("e lacks the feedforward", differs_by((0, 0, -1, 0))),
        "controller f": ("f has the wrong sign of the spring", differs_by((-2, 0, 0, 0))),
    },
)


# ---- quadrotors-11: how quick an attitude controller may and must be

#: Time from 40° to 2° of a vehicle with 0.082 kg·m², for ε = 1 [s].
BACK = 0.44577


def quickness(sine: float = float(np.sin(np.radians(40))), back: float = BACK) -> Any:
    """Return the smallest and the largest ε, for 10 N·m and 0.6 s."""
    return np.array([np.sqrt(18 * sine / 10), 0.6 / back])


def bounds_of_quickness(
    angle: Any, inertia: Any, spring: Any, damper: Any, most: Any, time: Any, near: Any
) -> Any:
    """Return the smallest ε from the moment, and the largest from SciPy's motion back."""
    from scipy.integrate import solve_ivp

    turned = math.radians(angle)
    swing = solve_ivp(
        lambda t, x: [x[1], -(spring * math.sin(x[0]) + damper * x[1]) / inertia],
        (0, 3),
        [turned, 0],
        rtol=1e-10,
        atol=1e-12,
        dense_output=True,
    )
    t = np.linspace(0, 3, 300001)
    late = t[np.abs(swing.sol(t)[0]) > math.radians(near)][-1]
    return [math.sqrt(spring * math.sin(turned) / most), time / late]


quick_enough = Exercise(
    name="quadrotors-11",
    answer=NumberArray(quickness(), "", 3, bound="between"),
    misconceptions=(
        Misconception(
            quickness()[::-1], "Those are the bounds in reverse order. Which of them is smaller?"
        ),
        Misconception(
            quickness(float(np.radians(40))),
            "The largest is right. But you used the angle: how is the length of e_R related to it?",
        ),
        Misconception(
            quickness(2 * float(np.sin(np.radians(40)))),
            "The largest is right. But your e_R is twice as long as it should be. Which factor "
            "does its "
            "definition have?",
        ),
        Misconception(
            np.array([quickness()[0] ** 2, quickness()[1]]),
            "The largest is right. But that is ε². By which power of ε is the spring divided?",
        ),
        Misconception(
            np.array([quickness()[0], 0.6 * 0.9 / BACK]),
            "The smallest is right. But you scaled from ε = 0.9. For which ε did you run the "
            "motion?",
        ),
    ),
    section="How fast should it be?",
    lesson="The largest moment bounds ε from below, and a deadline from above. In between, you can "
    "choose.",
    facts=lambda: ("you scaled from ε = 0.9",),
    asked=(
        r"by (\d+)° about .* is ([\d.]+) kg·m².* are (\d+) and (\d+) as .*"
        r"than (\d+) N·m, and after ([\d.]+) s .*within (\d+)°",
        bounds_of_quickness,
    ),
)


# ---- quadrotors-12: what rotors give

THIRD = np.array([0, 0.6, 0.8])
DESIRED = np.array([[1.0, 2, -9], [1, 2, -30], [0, 1, 5]])  # N


def thrusts(low: float = 0, high: float = 20, forces: Any = DESIRED, axis: Any = THIRD) -> Any:
    """Return the components opposite to the axis, limited [N]."""
    return np.clip(-forces @ axis, low, high)


def thrusts_of_prompt(*numbers: float) -> Any:
    """Return the thrusts for a third axis, a limit, and three forces, one after another."""
    axis, most, forces = numbers[:3], numbers[3], np.reshape(numbers[4:], (3, 3))
    return [sorted((0, -sum(f * a for f, a in zip(force, axis)), most))[1] for force in forces]


given_thrust = Exercise(
    name="quadrotors-12",
    answer=NumberArray(thrusts(), "newtons", 3),
    misconceptions=(
        Misconception(
            thrusts(-math.inf, math.inf),
            "Those are the components opposite to the axis. Can rotors exert all of them?",
        ),
        Misconception(
            thrusts(-math.inf),
            "The last thrust is negative. Can rotors push along their third axis?",
        ),
        Misconception(
            np.abs(thrusts(-20)),
            "The magnitude hides the direction. In which of the three cases would the rotors have "
            "to push along their third axis?",
        ),
        Misconception(
            thrusts(0, math.inf),
            "There is no negative thrust: right. But how large can a thrust be?",
        ),
        Misconception(
            thrusts(forces=-DESIRED),
            "The thrust acts opposite to the third axis, not along it. Which sign does the "
            "component need?",
        ),
        Misconception(
            np.minimum(np.linalg.norm(DESIRED, axis=1), 20),
            "Those are the magnitudes of the forces. Which component of a force can the rotors "
            "exert?",
        ),
        Misconception(
            thrusts(axis=[0, 0, 1]),
            "Those are the vertical components. Is the third axis vertical?",
        ),
    ),
    section="With rotors that have limits",
    lesson="A limit is part of the model: what it cuts off, no controller gets.",
    asked=(
        r"third axis is \(([\d.]+), ([\d.]+), ([\d.]+)\), .* (\d+) N.\s+What .* "
        r"first \((\d+), (\d+), (-\d+)\) N, then \((\d+), (\d+), (-\d+)\) N, and last "
        r"\((\d+), (\d+), (\d+)\) N",
        thrusts_of_prompt,
    ),
)


# ---- quadrotors-13: cables instead of links

slack = Exercise(
    name="quadrotors-13",
    answer=Number(9.81 / 9, "meters", 3, bound="most"),
    misconceptions=(
        Misconception(10 / 9, "That is with a rounded $g$. Which value does the prompt give?"),
        Misconception(
            math.sqrt(9.81 / 9),
            "You took a square root. How does the force depend on the distance?",
        ),
        Misconception(9.81 / 5, "The gain 5 acts on the velocity. Does anything move yet?"),
        Misconception(
            0.4 * 9.81 / 9,
            "You multiplied by the load's mass. It is a factor of the whole force F, so does it "
            "matter where F vanishes?",
        ),
        Misconception(
            9.81 / 9 * np.cos(np.pi / 6),
            "You included the slant. But if F vanishes, which shares are left?",
        ),
        Misconception(
            2 * 9.81 / 9,
            "At that distance, F is as large as the load's weight and points down. Where does it "
            "vanish?",
        ),
        Misconception(
            9.81 / 12,
            "The gain 12 belongs to the controller of the earlier pages. Which gain does the "
            "prompt give?",
        ),
    ),
    section="Steer it yourself",
    lesson="A link can push where a cable goes slack: on cables, no load comes down faster than in "
    "free fall.",
    asked=(
        r"gain on the load's error\s+is (\d+) here, and \$g = ([\d.]+)\$ m/s²",
        lambda gain, g: g / gain,
    ),
    facts=lambda: ("The gain 5 acts on the velocity", "The gain 12 belongs to the controller"),
)


# ---- quadrotors-14: a heavy load for three


def heaviest(lean: float = float(np.tan(np.pi / 6)), vehicles: int = 3, mass: float = 0.8) -> float:
    """Return the load [kg] for which each thrust is 20 N."""
    a, b, c = 1 + lean**2, 2 * mass, mass**2 - (20 / 9.81) ** 2
    return float(vehicles * (-b + np.sqrt(b**2 - 4 * a * c)) / (2 * a))


def heaviest_load(mass: Any, slant: Any, most: Any, g: Any) -> Any:
    """Return the load of three vehicles, by bisection."""
    low, high = 0.0, 9.0
    for _ in range(60):
        load = (low + high) / 2
        part = load / 3 * g
        thrust = math.hypot(part + mass * g, part * math.tan(math.radians(slant)))
        low, high = (load, high) if thrust < most else (low, load)
    return low


heavy = Exercise(
    name="quadrotors-14",
    answer=Number(heaviest(), "kilograms", 3, bound="most"),
    misconceptions=(
        Misconception(
            heaviest(lean=0.0),
            "That would be right for vertical links. Which component does a slanted link add?",
        ),
        Misconception(
            heaviest(mass=0.0),
            "You left out the weight of the vehicles. What else must a thrust hold up?",
        ),
        Misconception(heaviest() / 3, "That is the share of one vehicle. How many are there?"),
        Misconception(
            heaviest(vehicles=2), "That would be right for two vehicles. How many are there?"
        ),
        Misconception(
            3 * (20 * np.cos(np.pi / 6) / 9.81 - 0.8),
            "You put the thrust along the link. How large are its vertical and its horizontal "
            "components?",
        ),
    ),
    section="And three?",
    lesson="A horizontal component lifts nothing: steeper links carry more, but leave less room.",
    asked=(
        r"vehicles of ([\d.]+) kg .* (\d+)° from .*than (\d+) N; \$g = ([\d.]+)\$ m/s²",
        heaviest_load,
    ),
)


# ---- quadrotors-15: a drone in a plane, from scratch

m, m_1, l, J, g = sm.symbols("m m_1 l J g", positive=True)
x, y, tilt, theta, f, tau = me.dynamicsymbols("x y phi theta f tau")

UPWARD = -f * sm.sin(tilt), f * sm.cos(tilt)  # of the drone: of length f


def drone(
    push: Any = UPWARD,
    back: Any = 0,
    load: Any = m_1,
    carried: Any = 1,
    gravity: Any = g,
) -> tuple[EquationsOfMotion, dict[str, sm.Expr]]:
    """Return a drone with a load on a link, and its outputs, right unless something is given."""
    x_l, y_l = x + l * sm.sin(theta), y - l * sm.cos(theta)
    swing = l * theta.diff() * sm.cos(theta), l * theta.diff() * sm.sin(theta)
    of_load = [carried * rate + swung for rate, swung in zip((x.diff(), y.diff()), swing)]
    kinetic = m * (x.diff() ** 2 + y.diff() ** 2) / 2 + J * tilt.diff() ** 2 / 2
    kinetic += m_1 * (of_load[0] ** 2 + of_load[1] ** 2) / 2
    potential = g * m * y + gravity * load * y_l
    forces = {x: push[0], y: push[1], tilt: tau, theta: back}
    outputs = {"x_d": x, "y_d": y, "x_l": x_l, "y_l": y_l, "phi": tilt, "E": kinetic + potential}
    coordinates = [x, y, tilt, theta]
    return EquationsOfMotion.from_lagrangian(kinetic, potential, coordinates, forces), outputs


def drone_by_the_load() -> Any:
    """Return a drone in terms of its load's position and the link's angle."""
    X, Y, beta, phi, f, tau = me.dynamicsymbols("X Y beta phi f tau")
    m, m_1, l, J, g = sm.symbols("m m_1 l J g")
    now = me.dynamicsymbols._t
    x, y = X - l * sm.sin(beta), Y + l * sm.cos(beta)
    T = m * (x.diff(now) ** 2 + y.diff(now) ** 2) + m_1 * (X.diff() ** 2 + Y.diff() ** 2)
    T, V = (T + J * phi.diff() ** 2) / 2, m * g * (y + 3) + m_1 * g * Y
    push = {q: f * (y.diff(q) * sm.cos(phi) - x.diff(q) * sm.sin(phi)) for q in (X, Y, beta)}
    equations = EquationsOfMotion.from_lagrangian(T, V, [X, Y, beta, phi], {**push, phi: tau})
    return equations, {"x_d": x, "y_d": y, "x_l": X, "y_l": Y, "phi": phi, "E": T + V}


drone_from_scratch = Exercise(
    name="quadrotors-15",
    answer=Machine(
        drone,
        values={"m": 0.8, "m_1": 0.5, "l": 1.3, "J": 0.09, "g": 9.81, "f": 14.0, "tau": 0.05},
        start={"phi": 0.3, "theta": 0.5},
        units={
            "x_d": "m",
            "y_d": "m",
            "x_l": "m",
            "y_l": "m",
            "phi": "rad",
            "E": "J",
            "f": "N",
            "tau": "N·m",
        },
        energies=["E"],
        duration=2.0,
    ),
    misconceptions=(
        Misconception(
            lambda: drone(push=(0, f)),
            "Your thrust always points up. How does it lean when the drone is tilted?",
        ),
        Misconception(
            lambda: drone(push=(f * sm.sin(tilt), f * sm.cos(tilt))),
            "Your thrust leans to the wrong side. When the drone is tilted counterclockwise, to "
            "which side does its upward axis lean?",
        ),
        Misconception(
            lambda: drone(back=-tau),
            "Your moment also acts on the link. If the joint has no friction, can it transmit a "
            "moment?",
        ),
        Misconception(
            lambda: drone(carried=0),
            "Your load swings about a fixed point. How does the drone's velocity enter the load's "
            "velocity?",
        ),
        Misconception(
            lambda: drone(load=0),
            "Your load has no weight. Which term is missing in the potential energy?",
        ),
    ),
    section="From scratch",
    lesson="Four degrees of freedom and two inputs: to move sideways, the drone must first lean.",
    forms=(drone_by_the_load,),
)


EXERCISES = (
    four_thrusts,
    dead_rotor,
    braking,
    counting,
    down,
    tension,
    matrix,
    along_link,
    free_thrust,
    lean_angle,
    commanded,
    attitude_error,
    one_controller,
    given_thrust,
    quick_enough,
    slack,
    heavy,
    drone_from_scratch,
)
