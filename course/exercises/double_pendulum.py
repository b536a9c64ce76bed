"""The exercises of chapter 2, the double pendulum."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from course.boxes import side_by_side, solved_for
from course.exercises import UNITS, in_words
from course.judge import (
    Choice,
    Equation,
    Exercise,
    Expression,
    Function,
    Machine,
    Misconception,
    Number,
    NumberArray,
)
from panels import figure_as_html
from tutlib.mechanics import ConstrainedEquations, EquationsOfMotion
from tutlib.methods import integrate
from tutlib.models import Model, double_pendulum
from tutlib.plots import plot_curves

arms = double_pendulum()
t = me.dynamicsymbols._t
q = theta_1, theta_2 = arms.equations.q
omega_1, omega_2 = arms.equations.u
alpha_1, alpha_2 = (angle.diff(t, 2) for angle in q)
F_x, F_y, tau_1, tau_2 = arms.equations.inputs
g, l_1, l_2, m_1, m_2 = arms.equations.parameters
difference = theta_1 - theta_2
free = arms.free()
START = [2.0, 2.5, 0.0, 0.0]
# all different and none of them 1, so that every mistake shows
unlike = replace(free, parameters={**free.parameters, l_1: 1.2, l_2: 0.8, m_1: 0.7, m_2: 1.5})


# ---- double-pendulum-1: the energy of the second mass


def moved_by_energy(second: sm.Expr) -> Model:
    """Return the double pendulum whose second mass has this kinetic energy."""
    first = m_1 * l_1**2 * omega_1**2 / 2
    equations = EquationsOfMotion.from_lagrangian(first + second, free.potential_energy, q)
    return replace(unlike, equations=equations)


def energy_of_second(coupling: Any) -> sm.Expr:
    """Return ½ m v² with this coupling, the product of both velocities without 2 l₁ l₂."""
    squares = l_1**2 * omega_1**2 + l_2**2 * omega_2**2
    return m_2 / 2 * (squares + 2 * l_1 * l_2 * coupling)


turned = omega_1 + omega_2

carried_along = Exercise(
    name="double-pendulum-1",
    answer=Expression(energy_of_second(omega_1 * omega_2 * sm.cos(difference)), units=UNITS),
    misconceptions=(
        Misconception(
            energy_of_second(0),
            "You added the energies of the two motions. Velocities add, as vectors: what is the "
            "square of their sum?",
        ),
        Misconception(
            m_2 / 2 * l_2**2 * omega_2**2,
            "The hinge of the second rod is missing. It moves, too: how does it carry the mass "
            "along?",
        ),
        Misconception(
            energy_of_second(omega_1 * omega_2 * sm.cos(theta_1 + theta_2)),
            "Try two parallel rods at any angle: then the speeds must add up. Do yours?",
        ),
        Misconception(
            energy_of_second(omega_1 * omega_2 * sm.sin(difference)),
            "Try two parallel rods: then the speeds must add up. Do yours?",
        ),
        Misconception(
            energy_of_second(-omega_1 * omega_2 * sm.cos(difference)),
            "Try two parallel rods that rotate in the same direction: then the speeds must add "
            "up. Do yours?",
        ),
        Misconception(
            energy_of_second(omega_1 * omega_2),
            "The speeds add up only while both rods are parallel. What happens at other angles, "
            "where velocities add as vectors?",
        ),
        Misconception(
            energy_of_second(omega_1 * omega_2 * sm.cos(difference) / 2),
            "How many times does the product of both terms appear in the square of a sum?",
        ),
        Misconception(
            m_2
            / 2
            * (
                l_1**2 * omega_1**2
                + l_2**2 * turned**2
                + 2 * l_1 * l_2 * omega_1 * turned * sm.cos(theta_2)
            ),
            "You measured the second angle from the first rod. What changes if both are measured "
            "from the vertical?",
        ),
    ),
    section="Two masses, two energies",
    lesson="The product of both angular velocities couples the rods.",
    show=side_by_side(
        moved_by_energy,
        START,
        "Two double pendulums: one by the true energy, one by yours.",
        name="double_pendulum_1",
    ),
)


# ---- double-pendulum-2: the second equation


def moved_by_equation(balance: sm.Expr) -> Model:
    """Return the double pendulum whose second equation sets this expression to zero."""
    row, forcing = solved_for(balance, [alpha_1, alpha_2])
    eom = free.equations
    rows = sm.Matrix.vstack(sm.Matrix(eom.mass_matrix.row(0)), row)
    forcing = sm.Matrix([eom.forcing[0], forcing])
    return replace(unlike, equations=replace(eom, mass_matrix=rows, forcing=forcing))


parallel = sm.cos(difference)


def second_equation(centrifugal: Any, weight: Any, coupling: Any = parallel) -> sm.Expr:
    """Return the left side, from the factors of m₂ l₁ l₂, m₂ g l₂, and m₂ l₁ l₂ θ̈₁."""
    inertia = m_2 * l_2**2 * alpha_2 + m_2 * l_1 * l_2 * coupling * alpha_1
    return inertia + m_2 * l_1 * l_2 * centrifugal + m_2 * g * l_2 * weight


swing = -sm.sin(difference) * omega_1**2
hang = sm.sin(theta_2)

second_rod = Exercise(
    name="double-pendulum-2",
    answer=Equation(second_equation(swing, hang), named=(omega_2, m_1), units=UNITS),
    misconceptions=(
        Misconception(
            second_equation(-swing, hang),
            "Check the sign of the centrifugal term: when the first rod rotates fast, the second "
            "must swing into line with it. Does yours?",
        ),
        Misconception(
            second_equation(0, hang),
            "A term with the square of an angular velocity is missing. What is the time derivative "
            "of the coupling in T, which depends on the angles?",
        ),
        Misconception(
            second_equation(-sm.sin(difference) * omega_2**2, hang),
            "You squared the wrong angular velocity. The motion of its hinge swings the second rod "
            "outward: which rod moves that hinge?",
        ),
        Misconception(
            second_equation(swing, (1 + m_1 / m_2) * hang),
            "The weight of the first mass does not act on the second rod. Which weight does?",
        ),
        Misconception(
            second_equation(swing, sm.sin(theta_1)),
            "The torque of gravity on the second rod has the wrong angle. Which angle determines "
            "its lever arm?",
        ),
        Misconception(
            second_equation(swing, hang, 0),
            "The angular acceleration of the first rod is missing. How does it move the hinge of "
            "the second?",
        ),
        Misconception(
            second_equation(swing, -hang),
            "By your equation, the second rod, released a little to the right of the bottom, "
            "moves up. Which sign is wrong?",
        ),
        Misconception(
            second_equation(-sm.sin(difference) * (omega_1**2 - omega_1 * omega_2), hang),
            "A product of both angular velocities is left over. Where else in the derivation does "
            "it appear, so that it cancels?",
        ),
    ),
    section="Lagrange, four terms at a time",
    lesson="With absolute angles, no product of the two angular velocities remains.",
    show=side_by_side(
        moved_by_equation,
        START,
        "Two double pendulums: one by the true second equation, one by yours.",
        name="double_pendulum_2",
    ),
)


# ---- double-pendulum-3: is the mass matrix ever singular?

volume = m_2 * l_1**2 * l_2**2

never_singular = Exercise(
    name="double-pendulum-3",
    answer=Expression(volume * (m_1 + m_2 * sm.sin(difference) ** 2), units=UNITS),
    misconceptions=(
        Misconception(
            volume * (m_1 + m_2),
            "That is the product of the diagonal entries alone. What is subtracted from it?",
        ),
        Misconception(
            volume * (m_1 + m_2 + m_2 * sm.cos(difference) ** 2),
            "You added the product of the other two entries. Which sign does it have in a "
            "determinant?",
        ),
        Misconception(
            volume * (m_1 + m_2 - m_2 * sm.cos(difference)),
            "Both entries off the diagonal are equal. What is their product?",
        ),
        Misconception(
            volume * (m_1 + m_2 * sm.cos(difference) ** 2),
            "Check the last step with cos² + sin² = 1: which of the two squares remains?",
        ),
        Misconception(
            m_2 * l_1 * l_2 * (m_1 + m_2 * sm.sin(difference) ** 2),
            "Check the units: each entry of M is a mass times a length squared. What is their "
            "product?",
        ),
    ),
    section="Lagrange, four terms at a time",
    lesson="It is positive at every angle if both masses are: M is never singular.",
)


# ---- double-pendulum-9: a line of a slide

slide_line = Choice(
    "b",
    {
        "a": "in the term with the first rod's acceleration",
        "b": "in the parentheses, with the motion of the second rod",
        "c": "in the weight of both masses",
        "d": "nowhere",
    },
)


swung_out = m_2 * l_1 * l_2 * sm.sin(difference) * omega_2**2


@cache
def energies_by_line() -> tuple[Any, dict[str, Any]]:
    """Return times, and the energy by our first equation and by the line of the slide [J]."""
    rods = free.with_parameters({l_1: 1.5})
    eom, times = rods.equations, np.linspace(0, 5, 5001)
    M, F = eom.mass_matrix.as_mutable(), eom.forcing.as_mutable()
    M[0, 1], F[0] = l_1 * M[0, 1], F[0] + (1 - l_1) * swung_out  # m_2 l_1 l_2 after the division
    line = replace(rods, equations=replace(eom, mass_matrix=M, forcing=F))
    runs = {"our equation": rods, "the line of the slide": line}
    energies = {}
    for name, model in runs.items():
        x = integrate(model.compile(), times, START).x
        energies[name] = rods.energies(times, x).sum(axis=1)
    return times, energies


def two_energies(chosen: str) -> str:
    """Draw the energy of a run by the line, and of one by our equation."""
    times, energies = energies_by_line()
    curves = {name: (times[::10], energy[::10]) for name, energy in energies.items()}
    ax = plot_curves("time [s]", "energy [J]", curves, slide_line.verdict(chosen))
    return figure_as_html(
        ax.figure,
        "The energy of a double pendulum whose first rod is not 1 m long, against time: by "
        "our equation it is constant; by the line of the slide it rises and falls.",
    )


line_of_a_slide = Exercise(
    name="double-pendulum-9",
    answer=slide_line,
    misconceptions=(
        Misconception(
            "a",
            "In this term, the square of the length lost one of its two factors, as it must. "
            "Which term kept all of its factors?",
        ),
        Misconception(
            "c",
            "The lever arm of this weight is the first length, which is gone after the division, "
            "as it must be. Which term kept it?",
        ),
        Misconception(
            "d",
            "There is a difference. Divide our equation term by term: how many lengths does each "
            "term have left?",
        ),
    ),
    section="Lagrange, four terms at a time",
    lesson="The terms in parentheses were not divided.",
    reveal=two_energies,
    curves={
        "our equation": ("by our equation it is constant", lambda c: np.ptp(c.y) < 1e-3),
        "the line of the slide": (
            "by the line of the slide it rises and falls",
            lambda c: np.ptp(c.y) > 10,
        ),
    },
)


# ---- double-pendulum-4: what two motors do


def driven_by(first: sm.Expr, second: sm.Expr) -> Model:
    """Return the double pendulum with these generalized forces of its motors."""
    eom = free.equations
    motors = {tau_1: 5 * sm.sin(3 * t), tau_2: 3 * sm.cos(2 * t)}
    forces = sm.Matrix([first, second]).subs(motors)
    return replace(unlike, equations=replace(eom, forcing=eom.forcing + forces))


two_motors = Exercise(
    name="double-pendulum-4",
    answer=Expression(sm.Matrix([tau_1 - tau_2, tau_2]), units=UNITS),
    misconceptions=(
        Misconception(
            sm.Matrix([tau_1, tau_2]),
            "That is right for relative angles. What does the elbow motor push against?",
        ),
        Misconception(
            sm.Matrix([tau_1 + tau_2, tau_2]),
            "Every torque has an equal and opposite one. In which direction does the elbow motor "
            "drive the first rod?",
        ),
        Misconception(
            sm.Matrix([tau_1, tau_2 - tau_1]),
            "The first motor is fixed to the ground, and does not touch the second rod. Which rod "
            "takes the reaction of the second motor?",
        ),
        Misconception(
            sm.Matrix([-tau_2, tau_2]),
            "The first motor is missing. Which angle does it drive?",
        ),
        Misconception(
            sm.Matrix([tau_1 - tau_2, -tau_2]),
            "The second generalized force has the wrong sign. Does a positive torque at the elbow "
            "increase or decrease the second angle?",
        ),
    ),
    section="What the motors do",
    lesson="The elbow motor pushes off from the first rod.",
    show=side_by_side(
        driven_by,
        [0.5, 0.0, 0.0, 0.0],
        "Two double pendulums with a motor at the base and one in the elbow: one by the true "
        "forces, one by yours.",
        name="double_pendulum_4",
    ),
)


# ---- double-pendulum-5: a force at the end

across = [F_x * sm.cos(angle) + F_y * sm.sin(angle) for angle in q]
along = [F_x * sm.sin(angle) - F_y * sm.cos(angle) for angle in q]
down = [F_x * sm.cos(angle) - F_y * sm.sin(angle) for angle in q]

pull_at_the_end = Exercise(
    name="double-pendulum-5",
    answer=Expression(sm.Matrix([l_1 * across[0], l_2 * across[1]]), units=UNITS),
    misconceptions=(
        Misconception(
            sm.Matrix([0, l_2 * across[1]]),
            "The first generalized force is not zero. How does the end move when the first rod "
            "alone rotates?",
        ),
        Misconception(
            sm.Matrix([l_1 * along[0], l_2 * along[1]]),
            "That is the component of the force along each rod. Which component rotates the rod?",
        ),
        Misconception(
            sm.Matrix(across),
            "Check the units: a torque is a force times a length. Which lengths are missing?",
        ),
        Misconception(
            sm.Matrix([F_x, F_y]),
            "That is the force itself. How much work does it do when one angle alone changes?",
        ),
        Misconception(
            sm.Matrix([l_1 * F_x * sm.cos(theta_1), l_2 * F_x * sm.cos(theta_2)]),
            "The upward component of the force is missing. What does it do to a rod that is not "
            "vertical?",
        ),
        Misconception(
            sm.Matrix([l_1 * down[0], l_2 * down[1]]),
            "Check the sign of the upward component: if a rod points to the right and the force "
            "pulls up, does its angle increase or decrease?",
        ),
        Misconception(
            sm.Matrix([l_1 * across[0] + l_2 * across[1], l_2 * across[1]]),
            "That is right for relative angles, where the first one rotates both rods. What moves "
            "here when the first angle alone changes?",
        ),
    ),
    section="What the motors do",
    lesson="Each column of the Jacobian is the displacement of the end per unit of one angle.",
)


# ---- double-pendulum-11: a ring on a wire, from scratch

slid, r, angle = me.dynamicsymbols("s r theta")
m, l, c, m_0, beta = sm.symbols("m l c m_0 beta", positive=True)


def ring(carried: Any = 1, ring_mass: Any = m_0, weighed: Any = m_0, weight: Any = m) -> Any:
    """Return a ring on a wire with a pendulum, and its outputs; the options are mistakes."""
    x_r, y_r = slid * sm.cos(beta), -slid * sm.sin(beta)
    x, y = l * sm.sin(angle), -l * sm.cos(angle)
    along = slid.diff(t) * l * angle.diff(t) * sm.cos(angle + beta)
    squares = slid.diff(t) ** 2 + 2 * carried * along + l**2 * angle.diff(t) ** 2
    if carried == 0:
        squares -= slid.diff(t) ** 2
    T = ring_mass * slid.diff(t) ** 2 / 2 + m * squares / 2
    V = weighed * g * y_r + weight * g * (y_r + y)
    equations = EquationsOfMotion.from_lagrangian(T, V, [slid, angle])
    return equations, {"x_r": x_r, "y_r": y_r, "x_p": x_r + x, "y_p": y_r + y, "E": T + V}


def ring_from_the_wire(times: Any = 1) -> Any:
    """Return a ring on a wire, in axes along and across it; ``times`` scales the angle."""
    s, q = me.dynamicsymbols("s q")
    m_0, slope = sm.symbols("m_0 beta")
    along, across = s + l * sm.sin(times * q), -l * sm.cos(times * q)
    T = (m_0 * s.diff() ** 2 + m * (along.diff(t) ** 2 + across.diff(t) ** 2)) / 2
    ring, mass = (
        (u * sm.cos(slope) + v * sm.sin(slope), -u * sm.sin(slope) + v * sm.cos(slope))
        for u, v in ((s, 0), (along, across))
    )
    V = m_0 * g * ring[1] + m * g * mass[1]
    outputs = dict(zip(("x_r", "y_r", "x_p", "y_p", "E"), (*ring, *mass, T + V + 3 * m * g * l)))
    return EquationsOfMotion.from_lagrangian(T, V, [s, q]), outputs


ring_from_scratch = Exercise(
    name="double-pendulum-11",
    answer=Machine(
        value=ring,
        values={"m_0": 2.0, "m": 0.7, "l": 1.3, "beta": 0.4, "g": 9.81},
        start={"s": 0.5, "theta": 1.0},
        units={"x_r": "m", "y_r": "m", "x_p": "m", "y_p": "m", "E": "J"},
        energies=["E"],
        duration=2.0,
    ),
    misconceptions=(
        Misconception(
            lambda: ring(carried=0),
            "The ring carries the mass along. What is the derivative of the position of the mass "
            "in the world frame?",
        ),
        Misconception(
            lambda: ring(ring_mass=m_0 + m),
            "The mass counts twice, since it has its own kinetic energy. Which mass belongs in "
            "that of the ring?",
        ),
        Misconception(
            lambda: ring(weighed=0),
            "The weight of the ring is missing. How far down does the ring move as it slides?",
        ),
        Misconception(
            lambda: ring(weight=0),
            "The weight of the mass is missing. Hold the ring, and release the mass: what brings "
            "it back to the bottom?",
        ),
    ),
    section="What the motors do",
    lesson="Positions, velocities, energies: the recipe is the same for every machine.",
    forms=(ring_from_the_wire,),
)


# ---- double-pendulum-6: the slow mode

slow = math.sqrt((2 - math.sqrt(2)) * 9.81)

slow_mode = Exercise(
    name="double-pendulum-6",
    answer=Number(slow, "rad/s"),
    misconceptions=(
        Misconception(
            slow**2, "That is an eigenvalue of M⁻¹K. How does the frequency follow from it?"
        ),
        Misconception(
            math.sqrt((2 - math.sqrt(2)) * 10),
            "You seem to have rounded g. Which value is given?",
        ),
        Misconception(
            math.sqrt((2 + math.sqrt(2)) * 9.81),
            "That is the fast mode, in which the rods lean to opposite sides. Which eigenvalue "
            "belongs to the slow one?",
        ),
        Misconception(
            math.sqrt(9.81),
            "That is a single pendulum of 1 m. Does the lower mass make it faster or slower?",
        ),
        Misconception(
            math.sqrt(9.81 / 2),
            "That is a single pendulum of 2 m. Where is the other mass?",
        ),
        Misconception(
            slow / (2 * math.pi),
            "That is the number of oscillations per second. How many radians per second is it?",
        ),
    ),
    section="Limits, small swings, energy",
    lesson="Its frequency lies between those of single pendulums of 1 m and of 2 m, as it must.",
    asked=(
        r"are (\d+) m long.*g = ([\d.]+)\\,",
        lambda l, g: math.sqrt((2 - math.sqrt(2)) * g / l),
    ),
    facts=lambda: (
        f"pendulums of {math.floor(9.81 / slow**2)} m and of {math.ceil(9.81 / slow**2)} m",
    ),
)


# ---- double-pendulum-10: one of six models

suspects = Choice("e", {letter: f"model {letter}" for letter in "abcdef"})


@cache
def stretched_on_a_circle() -> tuple[Any, dict[str, Any]]:
    """Return times, and the stretch of the spring by two models, without gravity [m]."""
    stretch, angle = coordinates = me.dynamicsymbols("e theta")
    spin, times = angle.diff(t), np.linspace(0, 3, 1501)
    mass, stiffness, length, at_start = 2.0, 90.0, 0.8, [0.2, 0.0, 0.0, 3.0]
    back = -stiffness / mass * stretch
    turned = stretch.diff(t) * spin / (length + stretch)
    models = {
        "model d": (back, -turned),
        "model e": (back + (length + stretch) * spin**2, -2 * turned),
    }
    stretch_of = {}
    for name, accelerations in models.items():
        rates = (stretch.diff(t), spin)
        eom = EquationsOfMotion(coordinates, rates, sm.eye(2), sm.Matrix(accelerations))
        stretch_of[name] = integrate(eom.compile({}), times, at_start).x[:, 0]
    return times, stretch_of


def on_a_circle(chosen: str) -> str:
    """Draw the test that distinguishes the last two models."""
    times, stretch_of = stretched_on_a_circle()
    curves = {name: (times[::5], stretch[::5]) for name, stretch in stretch_of.items()}
    ax = plot_curves("time [s]", "stretch [m]", curves, suspects.verdict(chosen))
    return figure_as_html(
        ax.figure,
        "The stretch of the spring against time, without gravity, for a mass that moves in "
        "a circle: by model e it stays stretched by 0.2 m; by model d it oscillates, as if "
        "nothing rotated.",
    )


one_of_six = Exercise(
    name="double-pendulum-10",
    answer=suspects,
    misconceptions=(
        Misconception(
            "a",
            "Run it with a mass that is not 1 kg: its energy is not constant. What are the units "
            "of each term?",
        ),
        Misconception(
            "b",
            "Its energy is not constant. Without gravity, the angular momentum is: what does that "
            "require when the spring gets longer?",
        ),
        Misconception(
            "c",
            "Its energy is not constant. Which component of the weight stretches the spring when "
            "it hangs at an angle?",
        ),
        Misconception(
            "d",
            "Its energy is constant. But without gravity, when the mass moves in a circle, what "
            "stretches the spring in this model?",
        ),
        Misconception(
            "f",
            "Its energy is not constant. What is the lever arm of the weight when the spring is "
            "stretched?",
        ),
    ),
    section="Limits, small swings, energy",
    lesson="One test is not enough: one wrong model conserves energy, and all but one have the "
    "right units.",
    reveal=on_a_circle,
    curves={
        "model d": ("by model d it oscillates", lambda c: c.y.min() < -0.1),
        "model e": (
            "by model e it stays stretched by 0.2 m",
            lambda c: np.allclose(c.y, 0.2, atol=1e-9),
        ),
    },
    facts=lambda: (
        # a spring of 90 N/m and 0.8 m turns 2 kg with 3 rad/s: k e = m (l + e) ω²
        f"stays stretched by {2 * 0.8 * 3**2 / (90 - 2 * 3**2):g} m",
    ),
)


# ---- double-pendulum-12: a swinging counterweight, from scratch


def counterweight(
    lifted: Any = m_1, turned: Any = 2, outward: Any = 1, side: Any = 1
) -> tuple[EquationsOfMotion, dict[str, Any]]:
    """Return a swinging counterweight and its outputs; the options are mistakes."""
    rate, spin = r.diff(t), angle.diff(t)
    x, y, height = r * sm.sin(angle), -r * sm.cos(angle), side * (r - c)
    T = lifted * rate**2 / 2 + m_2 * (rate**2 + r**2 * spin**2) / 2
    V = m_1 * g * height + m_2 * g * y
    pull = outward * m_2 * r * spin**2 + m_2 * g * sm.cos(angle) - side * m_1 * g
    swing = -turned * m_2 * r * rate * spin - m_2 * g * r * sm.sin(angle)
    inertias = sm.diag(lifted + m_2, m_2 * r**2)
    equations = EquationsOfMotion((r, angle), (rate, spin), inertias, sm.Matrix([pull, swing]))
    return equations, {"x_2": x, "y_2": y, "y_1": height, "E": T + V}


def two_masses_and_a_string() -> Any:
    """Return two free masses, and the string as a constraint."""
    x, y, h = me.dynamicsymbols("x y h")
    m_1, m_2, g = sm.symbols("m_1 m_2 g")
    T = (m_1 * h.diff() ** 2 + m_2 * (x.diff() ** 2 + y.diff() ** 2)) / 2
    V = g * (m_1 * h + m_2 * y)
    string = sm.sqrt(x**2 + y**2) - h - sm.Symbol("c")
    loop = ConstrainedEquations(EquationsOfMotion.from_lagrangian(T, V, [x, y, h]), (string,))
    return loop, {"x_2": x, "y_2": y, "y_1": h, "E": T + V}


counterweight_from_scratch = Exercise(
    name="double-pendulum-12",
    answer=Machine(
        value=counterweight,
        values={"m_1": 2.6, "m_2": 1.7, "c": 3.1, "g": 9.81},
        start={"r": 1.4, "theta": 1.1},
        units={"x_2": "m", "y_2": "m", "y_1": "m", "E": "J"},
        energies=["E"],
        duration=1.0,
        spread=0.4,
    ),
    misconceptions=(
        Misconception(
            lambda: counterweight(lifted=0),
            "The counterweight moves as fast as the string. Where is its kinetic energy?",
        ),
        Misconception(
            lambda: counterweight(turned=1),
            "The term with both velocities has the wrong factor. As with the spring, how does the "
            "angular momentum change while the string gets longer?",
        ),
        Misconception(
            lambda: counterweight(outward=0),
            "The swinging mass pulls on the string even without its weight. How does this pull "
            "depend on its angular velocity?",
        ),
        Misconception(
            lambda: counterweight(side=-1),
            "The string keeps its length. When one side gets longer, where does the other mass go?",
        ),
    ),
    section="Is it right?",
    lesson="Only the length of the string connects the two masses.",
    forms=(two_masses_and_a_string,),
)


# ---- double-pendulum-7: how far can you see?

horizon = Choice(
    "b",
    {
        "a": "a million times as long",
        "b": "two to three times as long",
        "c": "no longer at all",
        "d": "forever",
    },
)


@cache
def distances() -> tuple[Any, dict[float, Any]]:
    """Return times, and the distances of two arms for two initial differences."""
    times = np.linspace(0, 20, 10001)
    f = free.compile()
    path = integrate(f, times, START).x
    apart = {}
    for offset in (1e-6, 1e-12):
        other = integrate(f, times, np.add(START, [0, offset, 0, 0])).x
        apart[offset] = np.linalg.norm(other - path, axis=1)
    return times, apart


def two_horizons(chosen: str) -> str:
    """Draw the distance of two arms, and when it reaches a tenth."""
    times, apart = distances()
    curves = {
        f"{offset:.0e} rad apart at the start": (times[::10], distance[::10])
        for offset, distance in apart.items()
    }
    quantity, verdict = "distance of the states", horizon.verdict(chosen)
    ax = plot_curves("time [s]", quantity, curves, verdict, yscale="log")
    ax.axhline(0.1, color="gray", lw=1)
    sooner, later = (times[np.argmax(distance > 0.1)] for distance in apart.values())
    return figure_as_html(
        ax.figure,
        "The distance of the states of two double pendulums against time, on a logarithmic axis: "
        f"1e-06 rad apart at the start, they are a tenth apart after {sooner:.0f} seconds; 1e-12 "
        f"rad apart at the start, after {later:.0f} seconds.",
    )


def starts_at_and_is_a_tenth_after(first: Any, seconds: Any) -> Any:
    def law(c: Any) -> Any:
        return math.isclose(c.y[0], first, rel_tol=1e-3) and (
            abs(c.x[np.argmax(c.y > 0.1)] - seconds) < 0.5
        )

    return law


def tenths() -> Any:
    """Return when the distance is a tenth, for both initial differences [s]."""
    times, apart = distances()
    return [times[np.argmax(distance > 0.1)] for distance in apart.values()]


how_far = Exercise(
    name="double-pendulum-7",
    answer=horizon,
    misconceptions=(
        Misconception(
            "a",
            "That would be right if differences grew in proportion to time. How does the time "
            "change if they grow by a factor per second?",
        ),
        Misconception(
            "c",
            "A smaller difference must grow further. How many more doublings make a factor of a "
            "million?",
        ),
        Misconception(
            "d",
            "Every difference grows, however small, even one from rounding. How long does a "
            "factor of a million take?",
        ),
    ),
    section="How fast?",
    lesson="A million times better knowledge buys eleven more seconds.",
    reveal=two_horizons,
    curves={
        "1e-06 rad apart at the start": (
            "1e-06 rad apart at the start, they are a tenth apart after 7 seconds",
            starts_at_and_is_a_tenth_after(1e-6, 7),
        ),
        "1e-12 rad apart at the start": (
            "1e-12 rad apart at the start, after 18 seconds",
            starts_at_and_is_a_tenth_after(1e-12, 18),
        ),
    },
    facts=lambda: (
        f"A million times better knowledge buys {in_words(tenths()[1] - tenths()[0])} more",
        "to a millionth of a radian, and your prediction is good for "
        f"{in_words(tenths()[0])} seconds",
    ),
)


# ---- double-pendulum-8: where to put the joints


def joint_angles(x: float, y: float) -> Any:
    elbow = math.acos(max(-1.0, min(1.0, (x * x + y * y - 2) / 2)))  # rounding may pass 1
    shoulder = math.atan2(x, -y) - math.atan2(math.sin(elbow), 1 + math.cos(elbow))
    return np.array([math.remainder(shoulder, 2 * math.pi), elbow])


def reaches(solve: Any) -> bool:
    """Tell whether the arm's end reaches points in all directions."""
    for x, y in TARGETS:
        shoulder, elbow = solve(x, y)
        end = math.sin(shoulder) + math.sin(shoulder + elbow)
        height = -math.cos(shoulder) - math.cos(shoulder + elbow)
        if math.hypot(end - x, height - y) > 1e-9:
            return False
    return True


TARGETS = ((1.2, -0.5), (0.4, 1.1), (-0.9, -1.0), (-1.3, 0.6), (0.0, -1.9), (-0.2, 0.5))


def somewhere(rng: np.random.Generator) -> tuple[float, float]:
    """Return a point in reach."""
    distance, angle = rng.uniform(0.3, 1.9), rng.uniform(-math.pi, math.pi)
    return float(distance * math.cos(angle)), float(distance * math.sin(angle))


def stretches(solve: Any) -> bool:
    """Whether the arm reaches as far as it can, in every direction."""
    for angle in np.linspace(-3, 3, 61):
        shoulder, elbow = solve(2 * math.sin(angle), -2 * math.cos(angle))
        if not abs(shoulder + elbow / 2 - angle) < 1e-6 or not abs(elbow) < 1e-6:
            return False
    return True


def with_plain_arctangent(x: float, y: float) -> Any:
    angles = joint_angles(x, y)
    if y > 0:  # atan cannot tell a direction from its opposite
        angles[0] = math.remainder(angles[0] - math.pi, 2 * math.pi)
    return angles


def unwrapped(x: float, y: float) -> Any:
    elbow = joint_angles(x, y)[1]
    return np.array([math.atan2(x, -y) - elbow / 2, elbow])


def with_other_elbow(x: float, y: float) -> Any:
    shoulder, elbow = joint_angles(x, y)
    return np.array([math.remainder(shoulder + elbow, 2 * math.pi), -elbow])


def reach_by_complex_numbers(x: Any, y: Any) -> Any:
    goal = complex(-y, x)
    bend = 2 * np.arccos(np.clip(abs(goal) / 2, -1, 1))
    return np.array([np.angle(goal / (1 + np.exp(1j * bend))), bend])


where_to_put_the_joints = Exercise(
    name="double-pendulum-8",
    answer=Function(
        joint_angles,
        problems=TARGETS,
        laws=(
            (reaches, "The end of the arm is not at the given point."),
            (
                stretches,
                "This is right within reach, but fails at full stretch: there, rounding makes the "
                "cosine slightly larger than 1. np.clip limits it.",
            ),
        ),
        draw=somewhere,
    ),
    misconceptions=(
        Misconception(
            with_plain_arctangent,
            "This is right below the hinge, but not above, because an arctangent cannot "
            "distinguish opposite directions. Which function takes both coordinates?",
        ),
        Misconception(
            unwrapped,
            "The end is at the right point, but for some points the first angle is not between -π "
            "and π. When must you add or subtract a full revolution?",
        ),
        Misconception(
            with_other_elbow,
            "The end is at the right point, but the elbow is bent to the other side. Which sign "
            "must the second angle have?",
        ),
        Misconception(
            lambda x, y: np.cumsum(joint_angles(x, y)),
            "You measured the second angle from the vertical. What is the angle between the links?",
        ),
        Misconception(
            lambda x, y: joint_angles(x, y) - [math.pi / 2, 0],
            "You measured the first angle from the horizontal. What is it from hanging straight "
            "down?",
        ),
        Misconception(
            lambda x, y: np.degrees(joint_angles(x, y)),
            "These angles are in degrees. What are they in radians?",
        ),
        Misconception(
            lambda x, y: np.array([math.atan2(x, -y), joint_angles(x, y)[1]]),
            "You pointed the first link at the goal. Where must it point when the elbow is bent?",
        ),
    ),
    section="Two links, two servos",
    lesson="Now you can send the arm's end to a given point.",
    forms=(reach_by_complex_numbers,),
)

# ---- double-pendulum-13: bounds for a spring


def bounds(weight: float, turn: float = 162.0) -> Any:
    """Return the softest and the stiffest spring [N·m/rad], for a torque of weight at the goal."""
    return np.array([weight / math.radians(2), 1200 / math.radians(turn)])


def weight_at_goal(lower: float = 1.0, bend: float = 90.0) -> float:
    """Return the shoulder torque of the weight [N·m], with this share of the lower link."""
    upper, forearm = (math.sin(math.radians(angle)) for angle in (72.0, 72.0 - bend))
    return 9.81 * (upper / 2 + lower * (upper + forearm / 2))


def spring_bounds(start: Any, low: Any, bend: Any, most: Any, off: Any) -> Any:
    """Return the softest spring, by the work of the weight near the goal, and the stiffest."""

    def height(shoulder: Any) -> Any:
        upper, lower = -math.cos(shoulder), -math.cos(shoulder + math.radians(bend))
        return upper / 2 + upper + lower / 2

    goal, near = -math.radians(low), 1e-6
    torque = 9.81 * (height(goal - near) - height(goal + near)) / (2 * near)
    return [torque / math.radians(off), most / math.radians(start + low)]


spring_in_bounds = Exercise(
    name="double-pendulum-13",
    answer=NumberArray(bounds(weight_at_goal()), "N·m/rad", 3, bound="between"),
    misconceptions=(
        Misconception(
            bounds(weight_at_goal())[::-1],
            "Those are the bounds, in reverse order. Which spring is softer?",
        ),
        Misconception(
            np.radians(bounds(weight_at_goal())),
            "These stiffnesses are per degree. What are they per radian?",
        ),
        Misconception(
            bounds(weight_at_goal(), 72.0),
            "The softest spring is right. But the arm does not start hanging: by how much must the "
            "first link rotate?",
        ),
        Misconception(
            bounds(weight_at_goal(0.0)),
            "The stiffest spring is right. But the first motor also carries the second link: what "
            "is the lever arm of its weight?",
        ),
        Misconception(
            bounds(weight_at_goal(bend=0.0)),
            "The stiffest spring is right. But at the goal, the elbow is bent: where is the second "
            "link's center of mass?",
        ),
        Misconception(
            bounds(9.81 * (math.sin(math.radians(72)) * 2 - math.sin(math.radians(18)))),
            "The stiffest spring is right. But where on a link does its weight act?",
        ),
    ),
    section="Two links, two servos",
    lesson="The weight sets the lower bound, and the motor's limit the upper one.",
    asked=(
        r"by (\d+)° and 0°.* −(\d+)° and (\d+)°.*than (\d+) N·m.*by (\d+)°.*1 m.*1 kg.*9\.81",
        spring_bounds,
    ),
)

EXERCISES = (
    carried_along,
    second_rod,
    never_singular,
    line_of_a_slide,
    two_motors,
    pull_at_the_end,
    slow_mode,
    one_of_six,
    how_far,
    where_to_put_the_joints,
    spring_in_bounds,
    ring_from_scratch,
    counterweight_from_scratch,
)
