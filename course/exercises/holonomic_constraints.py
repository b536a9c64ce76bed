"""The exercises of chapter 6, holonomic constraints."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

from course.exercises import UNITS
from course.judge import (
    Choice,
    Equation,
    Exercise,
    Expression,
    Function,
    Machine,
    Misconception,
    NumberArray,
)
from panels import figure_as_html
from tutlib.mechanics import ConstrainedEquations, EquationsOfMotion
from tutlib.models import four_bar
from tutlib.plots import plot_curves

q_1, q_2, q_3, u_1 = me.dynamicsymbols("q_1 q_2 q_3 u_1")
l_a, l_b, l_c, l_n = sm.symbols("l_a l_b l_c l_n", positive=True)
t, alpha, phi_0 = sm.symbols("t_s alpha phi_0", positive=True)


# ---- holonomic-constraints-1: closing the loop


def loop(angles: Any, end: Any) -> sm.Matrix:
    """Return the vector along three links with these angles, plus the end."""
    links = zip((l_a, l_b, l_c), angles)
    return sum((k * sm.Matrix([sm.cos(a), sm.sin(a)]) for k, a in links), sm.Matrix(end))


turned = (q_1, q_1 + q_2, q_1 + q_2 + q_3)

closing = Exercise(
    name="holonomic-constraints-1",
    answer=Equation(loop(turned, [-l_n, 0]), units=UNITS),
    misconceptions=(
        Misconception(
            loop((q_1, q_2, q_3), [-l_n, 0]),
            "Each coordinate is an angle from the previous link. What is the second link's angle "
            "from the x axis?",
        ),
        Misconception(
            loop(turned, [0, 0]),
            "That puts the end at the first joint. Where is the fourth joint?",
        ),
        Misconception(
            loop(turned, [l_n, 0]),
            "You added the position where the end belongs. Which sign must l_n have?",
        ),
        Misconception(
            loop(turned, [0, -l_n]),
            "Your fourth joint is on the y axis. On which axis does it belong?",
        ),
    ),
    section="A loop, cut open",
    lesson="Two equations for three coordinates: one degree of freedom is left.",
)


# ---- holonomic-constraints-2: the other assembly


OTHER = np.array([-39.65095, 151.38363])


def closed_by_other(crank: float) -> Any:
    """Return the other angles [deg] if the four-bar with this crank [deg] closes with them."""
    model = four_bar()
    angles = dict(zip(model.equations.q, np.radians([crank, *OTHER])))
    gaps = [float(c.subs(model.parameters).subs(angles)) for c in model.constraints]
    return OTHER if np.abs(gaps).max() < 1e-5 else 0 * OTHER


other_assembly = Exercise(
    name="holonomic-constraints-2",
    answer=NumberArray(OTHER, "degrees", digits=5),
    misconceptions=(
        Misconception(
            [6.575266, -151.383634],
            "That is the first assembly. Where is the joint P_3, if it lies on the other side of "
            "the line from P_4 to the crank's end?",
        ),
        Misconception(
            np.deg2rad([-39.65095, 151.38363]),
            "Those are radians. What are they in degrees?",
        ),
        Misconception(
            [-6.575266, 151.383634],
            "That is the mirror image in the x axis, which has a crank at -10°. In which line "
            "must you reflect the joint instead?",
        ),
        Misconception(
            [-39.65095, -208.61637],
            "The pose is right, but one angle is outside the range. What is it between -180° and "
            "180°?",
        ),
    ),
    section="Closing it",
    lesson="The links and the crank angle are the same, but no motion leads from one assembly to "
    "the other.",
    asked=(
        r"q_1 = (\d+)°\$, in degrees between -180° and 180°",
        closed_by_other,
    ),
)


# ---- holonomic-constraints-3: the determinant

determinant = Exercise(
    name="holonomic-constraints-3",
    answer=Expression(l_b * l_c * sm.sin(q_3), named=(q_1, q_2), units=UNITS),
    misconceptions=(
        Misconception(
            l_b * l_c * sm.cos(q_3),
            "With coupler and output link in line, their ends move in the same direction, so the "
            "determinant must vanish. Does yours?",
        ),
        Misconception(
            -l_b * l_c * sm.sin(q_3),
            "Only the sign is wrong. Are the rows x, y and the columns u_2, u_3, in these orders?",
        ),
        Misconception(
            l_b * l_c * sm.sin(q_2 + q_3),
            "That angle is not between coupler and output link. Which coordinate is?",
        ),
        Misconception(
            l_b * l_c * sm.sin(q_1 + q_2 + q_3),
            "That changes when the whole picture rotates, but an area does not. Which angle is "
            "between the two links?",
        ),
    ),
    section="Ten steps",
    lesson="It is the area of the parallelogram of coupler and output link: zero if they are in "
    "line.",
)


# ---- holonomic-constraints-4: the dependent speed


def second_speed(factor: Any) -> sm.Expr:
    return -u_1 * (1 + factor)


of_the_coupler = Exercise(
    name="holonomic-constraints-4",
    answer=Expression(
        second_speed(l_a * sm.sin(q_2 + q_3) / (l_b * sm.sin(q_3))), also=(q_1, l_c), units=UNITS
    ),
    misconceptions=(
        Misconception(
            -second_speed(l_a * sm.sin(q_2 + q_3) / (l_b * sm.sin(q_3))),
            "The sign is wrong. When the crank rotates forward, does the angle to the coupler "
            "grow?",
        ),
        Misconception(
            -u_1 * l_a * sm.sin(q_2 + q_3) / (l_b * sm.sin(q_3)),
            "That is the coupler's angular velocity from the x axis. What is the derivative of the "
            "angle between crank and coupler?",
        ),
        Misconception(
            u_1 * l_a * (l_b * sm.sin(q_2) + l_c * sm.sin(q_2 + q_3)) / (l_b * l_c * sm.sin(q_3)),
            "That is u_3, not u_2. In which direction must you dot the velocity, so that u_3 drops "
            "out?",
        ),
        Misconception(
            second_speed(l_a * sm.sin(q_2) / (l_b * sm.sin(q_3))),
            "The angle in the numerator is wrong. Which angle is between the last link and the "
            "crank?",
        ),
    ),
    section="Ten steps",
    lesson="The sine of q_3 is in the denominator: when coupler and output link are in line, the "
    "crank's speed does not determine theirs.",
)


# ---- holonomic-constraints-5: a copy

what_remains = Choice(
    "b",
    {
        "a": "it stays as small",
        "b": "it grows to centimeters, as without any correction",
        "c": "it becomes exactly zero",
        "d": "the run stops with an error",
    },
)


@cache
def gaps() -> dict[str, tuple[Any, Any]]:
    """Return times and gaps at the accepted steps, corrected in the solver's state and a copy."""
    model = four_bar()
    reduced = model.with_independent_speeds(model.equations.u[:1])
    begin = reduced.consistent_state([0.17, 0.35, -2.6], keep=model.equations.q[:1])
    f = reduced.compile()
    gap = sm.lambdify(model.equations.q, [c.subs(model.parameters) for c in model.constraints])

    def in_place(t: float, x: Any) -> Any:
        x[1:3] = fsolve(lambda r: gap(x[0], *r), x[1:3])
        return f(t, x)

    def copied(t: float, x: Any) -> Any:
        return in_place(t, x.copy())

    curves = {}
    for name, g in (("in place", in_place), ("a copy", copied)):
        run = solve_ivp(g, (0, 6), begin)
        largest = np.abs(gap(*run.y[:3])).max(axis=0)[1:]
        curves[name] = run.t[1:], np.maximum(largest, 1e-16)  # on a log axis 0 is nowhere
    return curves


def with_and_without(chosen: str) -> str:
    """Draw the gap at the accepted steps, corrected in the solver's state and in a copy."""
    ax = plot_curves("time [s]", "gap [m]", gaps(), what_remains.verdict(chosen), yscale="log")
    return figure_as_html(
        ax.figure,
        "Gap at the accepted steps against time, logarithmic: corrected in place it stays below a "
        "billionth of a meter, in a copy it grows to centimeters.",
    )


in_a_copy = Exercise(
    name="holonomic-constraints-5",
    answer=what_remains,
    misconceptions=(
        Misconception(
            "a",
            "The function corrects only its copy. What corrects the solver's own state?",
        ),
        Misconception(
            "c",
            "Only the derivatives become those of a closed linkage. Do they close an existing gap?",
        ),
        Misconception("d", "Every value that the solver gets is finite. What could stop the run?"),
    ),
    section="Correct it in each evaluation?",
    lesson="What closed the loop was a side effect: the function wrote into the solver's memory.",
    reveal=with_and_without,
    curves={
        "in place": (
            "in place it stays below a billionth of a meter",
            lambda c: max(c.y) < 1e-9,
        ),
        "a copy": ("in a copy it grows to centimeters", lambda c: 0.02 < max(c.y) < 0.1),
    },
    facts=lambda: ("below 10⁻⁹ m",),
)


# ---- holonomic-constraints-6: one correction


def corrected(position: Any, l: float) -> Any:
    position = np.asarray(position, dtype=float)
    gap = (position @ position - l**2) / 2
    return position - position * gap / (position @ position)


def along_the_gradient(position: Any, l: float) -> Any:
    position = np.asarray(position, dtype=float)
    return position - position * (position @ position - l**2) / 2


def to_the_circle(position: Any, l: float) -> Any:
    position = np.asarray(position, dtype=float)
    return position * l / np.sqrt(position @ position)


def only_down(position: Any, l: float) -> Any:
    position = np.asarray(position, dtype=float)
    return np.array([position[0], position[1] - (position @ position - l**2) / (2 * position[1])])


def twice(position: Any, l: float) -> Any:
    position = np.asarray(position, dtype=float)
    return position - position * (position @ position - l**2) / (position @ position)


def some_bob(rng: np.random.Generator) -> tuple[Any, float]:
    """Return a position and a length near its distance from the origin."""
    direction = rng.normal(size=2)
    length = float(rng.uniform(0.5, 5))
    position = direction / np.linalg.norm(direction) * length * rng.uniform(0.8, 1.2)
    return position, length


def by_least_squares(position: Any, l: Any) -> Any:
    gap = (np.dot(position, position) - l**2) / 2
    return position - np.linalg.lstsq(np.array([position]), [gap])[0]


newton_step = Exercise(
    name="holonomic-constraints-6",
    answer=Function(
        corrected,
        problems=(
            (np.array([0.0, -2.1]), 2.0),
            (np.array([1.5, -1.2]), 2.0),
            (np.array([-0.3, 0.5]), 0.6),
        ),
        draw=some_bob,
        one_size=True,
        laws=(
            (
                lambda f: bool(np.allclose(f(np.array([3.0, -4.0]), 5.0), [3.0, -4.0])),
                "A bob that is on the circle must stay where it is.",
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            along_the_gradient,
            "The direction is right, but not the length. By what must you divide, so that the gap "
            "closes to first order?",
        ),
        Misconception(
            to_the_circle,
            "That goes all the way to the circle. Where does one step of Newton's method end?",
        ),
        Misconception(
            only_down,
            "That keeps x, so it is not the shortest correction. Which vector is that along?",
        ),
        Misconception(
            twice,
            "Your correction is twice as long as needed. With its factor ½, what is the gradient "
            "of φ?",
        ),
    ),
    section="Put it back after each step",
    lesson="The remaining gap is proportional to the square of the previous one, so one step is "
    "enough.",
    forms=(by_least_squares,),
)


# ---- holonomic-constraints-7: Baumgarte's decay

decay = Exercise(
    name="holonomic-constraints-7",
    answer=Expression(
        phi_0 * (1 + alpha * t) * sm.exp(-alpha * t), means={sm.Symbol("t"): t}, units=UNITS
    ),
    misconceptions=(
        Misconception(
            phi_0 * sm.exp(-alpha * t),
            "That starts with the speed -α φ₀, not at rest. What is the second solution for a "
            "double root?",
        ),
        Misconception(
            phi_0 * sm.exp(-2 * alpha * t),
            "That does not satisfy the equation. Insert exp(s t): what are the roots of "
            "s² + 2αs + α² = 0?",
        ),
        Misconception(
            phi_0 * (1 - alpha * t) * sm.exp(-alpha * t),
            "Its derivative at t = 0 is -2α φ₀, not zero. Which sign makes it start at rest?",
        ),
        Misconception(
            phi_0 * sm.cos(alpha * t),
            "That is the solution without the middle term. What does that term do?",
        ),
        Misconception(
            phi_0 * alpha * t * sm.exp(-alpha * t),
            "That is zero at t = 0. Which solution starts at φ₀?",
        ),
    ),
    section="Baumgarte's stabilization",
    lesson="Large α closes fast, but makes the equations stiff: keep α h well below one.",
)


# ---- holonomic-constraints-8: algebraic states

positions = Exercise(
    name="holonomic-constraints-8",
    answer=NumberArray(np.array([1.0, 2.0])),
    misconceptions=(
        Misconception(
            [2, 3],
            "Those are indices of rows, not of states. Index 3 is u_1, whose derivative is in the "
            "last row: which states have no derivative in any row?",
        ),
        Misconception(
            [2, 1],
            "The indices are right, but not their order. Which is the smaller one?",
        ),
        Misconception(
            [0, 1],
            "The derivative of q_1 is in the first row, so index 0 is not algebraic. Did you count "
            "from 0?",
        ),
        Misconception(
            [1, 3],
            "The derivative of u_1 is in the last row, so that state is not algebraic. Which other "
            "state has no derivative?",
        ),
    ),
    section="Let a solver keep it: IDA",
    lesson="These are indices in the state, not rows of the residual, even where the two agree.",
    facts=lambda: ("Index 3 is u_1",),
)


# ---- holonomic-constraints-9: a slider-crank, from scratch

theta, tau = me.dynamicsymbols("theta tau")
m_1, m_2, g = sm.symbols("m_1 m_2 g", positive=True)
sloped = sm.sqrt(l_b**2 - l_a**2 * sm.sin(theta) ** 2)  # how far the rod reaches along the rail


def slider_crank(
    turned: Any = tau, mass: Any = m_2, gravity: Any = g, carried: Any = sloped, bent: bool = True
) -> tuple[EquationsOfMotion, dict[str, sm.Expr]]:
    """Return a crank, a rod and a slider, and their outputs, right unless something is given."""
    rate, time = theta.diff(), me.dynamicsymbols._t
    along = (l_a * sm.cos(theta) + carried).diff(time)
    inertia = m_1 * l_a**2 + mass * (along / rate).expand() ** 2
    height = l_a * sm.sin(theta)
    potential = m_1 * gravity * height
    centrifugal = inertia.diff(theta) * rate**2 / 2 if bent else 0
    forcing = turned - potential.diff(theta) - centrifugal
    equations = EquationsOfMotion((theta,), (rate,), sm.Matrix([inertia]), sm.Matrix([forcing]))
    outputs = {"x_1": l_a * sm.cos(theta), "y_1": height, "x_2": l_a * sm.cos(theta) + sloped}
    return equations, {**outputs, "E": inertia * rate**2 / 2 + potential}


def pin_and_slider() -> Any:
    """Return the pin and the slider in coordinates of their own, with two constraints."""
    x_1, y_1, x_2, motor = me.dynamicsymbols("x_1 y_1 x_2 tau")
    length_a, length_b, pin, slider = sm.symbols("l_a l_b m_1 m_2")
    T = (pin * (x_1.diff() ** 2 + y_1.diff() ** 2) + slider * x_2.diff() ** 2) / 2
    V = pin * g * y_1
    forces = {x_1: -motor * y_1 / length_a**2, y_1: motor * x_1 / length_a**2}
    equations = EquationsOfMotion.from_lagrangian(T, V, [x_1, y_1, x_2], forces)
    bound = [x_1**2 + y_1**2 - length_a**2, (x_2 - x_1) ** 2 + y_1**2 - length_b**2]
    outputs = {"x_1": x_1, "y_1": y_1, "x_2": x_2, "E": T + V}
    return ConstrainedEquations(equations, tuple(bound)), outputs


from_scratch = Exercise(
    name="holonomic-constraints-9",
    answer=Machine(
        slider_crank,
        values={"l_a": 0.6, "l_b": 1.7, "m_1": 0.8, "m_2": 1.9, "g": 9.81, "tau": 1.5},
        start={"theta": 0.4},
        rests={
            "with the crank straight down": {"theta": -np.pi / 2},
            "with the crank straight up": {"theta": np.pi / 2},
        },
        units={"x_1": "m", "y_1": "m", "x_2": "m", "E": "J", "tau": "N·m"},
        energies=["E"],
    ),
    misconceptions=(
        Misconception(
            lambda: slider_crank(mass=0),
            "Your slider has no inertia. What is its kinetic energy?",
        ),
        Misconception(
            lambda: slider_crank(carried=0),
            "Your slider moves along the rail exactly as the pin does. What does the rod's "
            "rotation add?",
        ),
        Misconception(
            lambda: slider_crank(bent=False),
            "A term with squares of speeds is missing. What does the second derivative of the "
            "constraint contain besides accelerations?",
        ),
        Misconception(
            lambda: slider_crank(turned=tau * (1 + l_a * sm.cos(theta) / sloped)),
            "Your torque acts between crank and rod. Between which bodies does the motor act?",
        ),
        Misconception(
            lambda: slider_crank(gravity=-g),
            "Your crank falls upward. In which direction does the pin's weight act, if y is up?",
        ),
        Misconception(
            lambda: slider_crank(gravity=0),
            "Nothing pulls your crank down. Which body has a weight that does work?",
        ),
    ),
    section="Machines of your own",
    lesson="With or without multipliers, a loop has one motion.",
    forms=(pin_and_slider,),
)


# ---- holonomic-constraints-10: a residual that keeps both


def rows_of_bob(x: Any, rates: Any, push: float = 1.0, pull: float = 1.0, down: float = 1.0) -> Any:
    """Return the rows for a bob of 1 kg on a circle of 2 m, right unless something is given."""
    position, speed, (force, correction) = np.split(np.asarray(x, dtype=float), [2, 4])
    moved, changed, _ = np.split(np.asarray(rates, dtype=float), [2, 4])
    return np.array(
        [
            *(moved - speed - push * correction * position),
            *(changed + down * np.array([0, 9.81]) - pull * force * position),
            (position @ position - 4) / 2,
            position @ speed,
        ]
    )


def residual(x: Any, rates: Any) -> Any:
    return rows_of_bob(x, rates)


def some_rows(rng: np.random.Generator) -> tuple[Any, Any]:
    """Return a state and rates, both at random."""
    return rng.normal(size=6), rng.normal(size=6)


def bob_by_matrices(x: Any, rates: Any) -> Any:
    """Return the residual of a bob with its gradient as a row."""
    q, u, G = x[:2], x[2:4], x[None, :2]
    first = rates[:2] - u - G.T @ x[5:]
    second = rates[2:4] - [0, -9.81] - G.T @ x[4:5]
    return np.concatenate([first, second, [(q @ q - 4) / 2], G @ u])


both_kept = Exercise(
    name="holonomic-constraints-10",
    answer=Function(
        residual,
        problems=(
            (np.array([0.0, -2.0, 0.0, 0.0, 0.0, 0.0]), np.zeros(6)),
            (np.array([1.0, 0.5, 2.0, -3.0, 0.7, 0.3]), np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])),
        ),
        draw=some_rows,
        one_size=True,
    ),
    misconceptions=(
        Misconception(
            lambda x, rates: rows_of_bob(x, rates, push=0.0),
            "Your rows do not contain μ. To which of the six does it belong?",
        ),
        Misconception(
            lambda x, rates: rows_of_bob(x, rates, push=-1.0),
            "The sign of μ is wrong. On which side of its equation is it in the text?",
        ),
        Misconception(
            lambda x, rates: rows_of_bob(x, rates, pull=-1.0),
            "The sign of λ is wrong. On which side of its equation is it in the text?",
        ),
        Misconception(
            lambda x, rates: rows_of_bob(x, rates, down=-1.0),
            "Your bob falls upward. Is your residual the left side minus the right?",
        ),
        Misconception(
            lambda x, rates: rows_of_bob(x, rates, push=2.0, pull=2.0),
            "Your gradient is twice as long as needed. What is it, with the factor ½ of φ?",
        ),
        Misconception(
            lambda x, rates: np.append(residual(x, rates)[:4], residual(x, rates)[[5, 4]]),
            "The last two rows are in the wrong order. Which comes first, φ or its derivative?",
        ),
    ),
    section="Both at once: stabilized index 2",
    lesson="Positions and velocities each have their own multiplier, which keeps them consistent.",
    forms=(bob_by_matrices,),
)


# ---- holonomic-constraints-11: the torque of a motor that turns evenly


def closed_angles(crank: float) -> Any:
    """Return the three angles [rad] of the linkage, its last joint closed, for one of the crank."""
    pin, pivot = 0.8 * np.array([np.cos(crank), np.sin(crank)]), np.array([2.0, 0.0])
    base = pivot - pin
    far = np.hypot(*base)
    reach = (2.0**2 - 1.0**2 + far**2) / (2 * far)
    aside = np.sqrt(2.0**2 - reach**2) * np.array([-base[1], base[0]]) / far
    joint = pin + reach * base / far + aside
    first, second = joint - pin, pivot - joint
    coupler, output = (np.arctan2(link[1], link[0]) for link in (first, second))
    return np.array([crank, coupler - crank, output - coupler])


def torque_of_motor(
    angles: Any, speed: float, weights: Any = (1.0, 1.0), change: float = 1.0, sign: float = 1.0
) -> float:
    """Return the torque for a constant crank speed [N·m], right unless something is given."""
    q, (crank, _, output) = np.asarray(angles, dtype=float), np.cumsum(angles)
    ratio = 0.8 * np.sin(q[1]) / np.sin(q[2])
    second = -speed * (1 + 0.8 * np.sin(q[1] + q[2]) / (2.0 * np.sin(q[2])))
    third = (ratio - 1) * speed - second
    turns = np.cos(q[1]) * second * np.sin(q[2]) - np.sin(q[1]) * np.cos(q[2]) * third
    inertia = ratio * 0.8 * turns / np.sin(q[2]) ** 2 * speed
    lifted = 0.8 * weights[0] * np.cos(crank) - weights[1] * ratio * np.cos(output)
    return float(sign * (change * inertia + 9.81 * lifted))


def motor_torque(angles: Any, speed: float) -> float:
    return torque_of_motor(angles, speed)


def some_turn(rng: np.random.Generator) -> tuple[Any, float]:
    """Return a pose of the closed linkage and a speed of its crank."""
    return closed_angles(rng.uniform(-3, 3)), float(rng.uniform(-4, 4))


def torque_by_power(angles: Any, speed: float) -> float:
    """Return it by the power of the weights and of the kinetic energy, differentiated in steps."""

    def ratio(q: Any) -> Any:
        return 0.8 * np.sin(q[1]) / np.sin(q[2])

    q, step = np.asarray(angles), 1e-20
    rates = np.array([1.0, -1 - 0.8 * np.sin(q[1] + q[2]) / (2 * np.sin(q[2])), 0.0])
    rates[2] = ratio(q) - rates[0] - rates[1]
    slope = np.imag(ratio(q + 1j * step * rates)) / step
    rising = 0.8 * np.cos(q[0]) - ratio(q) * np.cos(np.sum(q))
    return float(ratio(q) * slope * speed**2 + 9.81 * rising)


even_turn = Exercise(
    name="holonomic-constraints-11",
    answer=Function(
        motor_torque,
        problems=(
            (closed_angles(0.5), 0.0),
            (closed_angles(2.0), 3.0),
            (closed_angles(-1.0), -2.0),
        ),
        draw=some_turn,
        one_size=True,
    ),
    misconceptions=(
        Misconception(
            lambda angles, speed: torque_of_motor(angles, speed, sign=-1.0),
            "That is the torque of the linkage on the motor. What is that of the motor on the "
            "crank?",
        ),
        Misconception(
            lambda angles, speed: torque_of_motor(angles, speed, change=0.0),
            "That only holds the weights. At a constant crank speed, is the output link's speed "
            "constant, too?",
        ),
        Misconception(
            lambda angles, speed: torque_of_motor(angles, speed, weights=(0.0, 0.0)),
            "That only accelerates the output link. What lifts the weights?",
        ),
        Misconception(
            lambda angles, speed: torque_of_motor(angles, speed, weights=(1.0, 0.0)),
            "You have the weight of only one particle. Which other particle has a weight?",
        ),
        Misconception(
            lambda angles, speed: torque_of_motor(angles, speed, change=-1.0),
            "The weights are right, but not the inertia force. What is its sign in step 9?",
        ),
    ),
    section="Ten steps",
    lesson="A torque does work on the crank alone, so it adds to F_1 as it is.",
    forms=(torque_by_power,),
    facts=lambda: (
        "0.8 m, 2 m, 1 m, and 2 m, particles of 1 kg",
        "in step 9",
    ),
)


# ---- holonomic-constraints-12: which corrections are wrong

wrong_corrections = Exercise(
    name="holonomic-constraints-12",
    answer=NumberArray(np.array([0.0, 1.0, 0.0])),
    misconceptions=(
        Misconception(
            [0, 1, 1],
            "The last one closes the loop. What has happened to the array that you passed to it?",
        ),
        Misconception(
            [1, 1, 0],
            "The first one has the right direction, but the wrong length. Does it close the loop "
            "when you call it repeatedly?",
        ),
        Misconception(
            [0, 0, 0],
            "The second one moves only two coordinates, so its correction is longer. But does it "
            "close the loop?",
        ),
        Misconception(
            [1, 0, 1],
            "You marked the wrong ones. Which number means right?",
        ),
    ),
    section="Put it back after each step",
    lesson="A correction closes any loop quickly, and leaves its argument unchanged.",
)


# ---- holonomic-constraints-13: a coupler that draws a line


def cranks_and_coupler(ground: Any, height: Any) -> Any:
    """Return the lengths of a crossed linkage whose coupler's middle is at one height three times.

    Where one crank is upright it carries the coupler's upper end, and the other crank, which is as
    long, reaches the lower one.
    """
    crank = (ground**2 / height + 4 * height) / 4
    return [crank, 2 * (crank - height)]


straight_line = Exercise(
    name="holonomic-constraints-13",
    answer=NumberArray(np.array([2.5, 1.0]), "m", digits=3),
    misconceptions=(
        Misconception(
            [np.sqrt(16.25), 5.0],
            "All three positions are met, but your coupler is longer than the ground. Is there "
            "another solution?",
        ),
        Misconception(
            [1.0, 2.5],
            "The lengths are right, but not their order. Which comes first in the list?",
        ),
        Misconception(
            [2.5, 0.5],
            "The cranks are right. Is your second number the whole coupler, or half of it?",
        ),
        Misconception(
            [np.sqrt(4.25), 1.0],
            "The coupler is right. In the middle its ends are crossed: which end belongs to which "
            "crank?",
        ),
    ),
    section="A coupler that draws a line",
    lesson="Chebyshev found this linkage: nearly a straight line, without a straight guide.",
    asked=(
        r"ground of (\d) m.*height of (\d) m.*0\$ m, (\d) m and 2 m",
        lambda ground, height, middle: cranks_and_coupler(ground, height),
    ),
)


# ---- holonomic-constraints-14: coupled wheels, from scratch

m, l_w = sm.symbols("m l_n", positive=True)


def coupled_wheels(
    carried: Any = 1, lifted: Any = 1, tilting: Any = 0, motors: Any = 1, gravity: Any = g
) -> tuple[EquationsOfMotion, dict[str, sm.Expr]]:
    """Return two cranks and their rod, and outputs, right unless something is given."""
    rate, height = theta.diff(), l_a * sm.sin(theta)
    inertia = (m_1 + m_2 + carried * m) * l_a**2 + tilting * m * l_w**2 / 12
    potential = (m_1 + m_2 + lifted * m) * gravity * height
    T = inertia * rate**2 / 2
    equations = EquationsOfMotion.from_lagrangian(T, potential, [theta], {theta: motors * tau})
    outputs = {"x_1": l_a * sm.cos(theta), "y_1": height}
    outputs |= {"x_2": l_w + l_a * sm.cos(theta), "y_2": height, "E": T + potential}
    return equations, outputs


def rod_by_its_middle() -> Any:
    """Return coupled wheels in terms of the position of the rod's middle, on a circle."""
    x, y, motor = me.dynamicsymbols("x y tau")
    l_a, l_n, rod, pin, other = sm.symbols("l_a l_n m m_1 m_2")
    whole, square = rod + pin + other, x.diff() ** 2 + y.diff() ** 2
    T, V = whole * square / 2, whole * g * y
    pushes = {x: -motor * y / l_a**2, y: motor * (x - l_n / 2) / l_a**2}
    free = EquationsOfMotion.from_lagrangian(T, V, [x, y], pushes)
    loop = ConstrainedEquations(free, ((x - l_n / 2) ** 2 + y**2 - l_a**2,))
    pins = {"x_1": x - l_n / 2, "y_1": y, "x_2": x + l_n / 2, "y_2": y}
    return loop, {**pins, "E": T + V}


through_the_line = Exercise(
    name="holonomic-constraints-14",
    answer=Machine(
        coupled_wheels,
        values={"l_a": 0.7, "l_n": 1.9, "m_1": 0.8, "m_2": 1.3, "m": 2.1, "g": 9.81, "tau": 1.5},
        start={"theta": 0.9},
        rests={
            "with both cranks straight down": {"theta": -np.pi / 2},
            "with both cranks straight up": {"theta": np.pi / 2},
        },
        units={"x_1": "m", "y_1": "m", "x_2": "m", "y_2": "m", "E": "J", "tau": "N·m"},
        energies=["E"],
    ),
    misconceptions=(
        Misconception(
            lambda: coupled_wheels(carried=0),
            "Your rod has a weight but no inertia. What is its kinetic energy?",
        ),
        Misconception(
            lambda: coupled_wheels(lifted=0),
            "Your rod has inertia but no weight. What is its potential energy?",
        ),
        Misconception(
            lambda: coupled_wheels(tilting=1),
            "Your rod rotates with the cranks. How do its points move, if it stays level?",
        ),
        Misconception(
            lambda: coupled_wheels(motors=2),
            "Your motor does its work twice. How many of the cranks have a motor?",
        ),
        Misconception(
            lambda: coupled_wheels(gravity=-g),
            "Your cranks fall upward. In which direction do the weights act, if y is up?",
        ),
    ),
    section="Machines of your own",
    lesson="One crank angle describes the pose on both sides of the flat one, so it passes "
    "unharmed.",
    forms=(rod_by_its_middle,),
)


# ---- holonomic-constraints-15: the last line of RATTLE


def fitting_velocity(position: Any, velocity: Any, share: float = 1.0, by: float = 2.0) -> Any:
    """Return the velocity without its component along the rod, unless something else is given."""
    q, u = np.asarray(position, dtype=float), np.asarray(velocity, dtype=float)
    return u - share * q * (q @ u) / np.linalg.norm(q) ** by


def last_kick(position: Any, velocity: Any) -> Any:
    return fitting_velocity(position, velocity)


def kick_by_least_squares(position: Any, velocity: Any) -> Any:
    gradient = np.array([position], dtype=float)
    return velocity - np.linalg.lstsq(gradient, gradient @ velocity)[0]


def some_flight(rng: np.random.Generator) -> tuple[Any, Any]:
    """Return a position and a velocity."""
    return rng.normal(size=2) + np.array([2.0, 0.0]), rng.normal(size=2)


velocity_kick = Exercise(
    name="holonomic-constraints-15",
    answer=Function(
        last_kick,
        problems=(
            (np.array([0.0, -2.0]), np.array([3.0, 1.0])),
            (np.array([1.2, -1.6]), np.array([0.5, 0.7])),
            (np.array([-0.3, 0.4]), np.array([-1.0, 2.0])),
        ),
        draw=some_flight,
        one_size=True,
        laws=(
            (
                lambda f: bool(
                    np.allclose(f(np.array([3.0, 4.0]), np.array([4.0, -3.0])), [4, -3])
                ),
                "A velocity perpendicular to the rod already fits. Why does yours change it?",
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            lambda position, velocity: fitting_velocity(position, velocity, by=0.0),
            "The direction is right, but not the length. How long is the position vector, by which "
            "you multiply twice?",
        ),
        Misconception(
            lambda position, velocity: fitting_velocity(position, velocity, by=1.0),
            "You divided by the length only once. How often does the position appear as a "
            "direction?",
        ),
        Misconception(
            lambda position, velocity: np.asarray(velocity) - last_kick(position, velocity),
            "That is the component along the rod, which the kick must remove. What remains?",
        ),
        Misconception(
            lambda position, velocity: fitting_velocity(position, velocity, share=-1.0),
            "The component along the rod has doubled. What is the sign of the kick?",
        ),
        Misconception(
            lambda position, velocity: fitting_velocity(position, velocity, share=2.0),
            "That reflects the velocity. How much of the component along the rod must go?",
        ),
    ),
    section="A step that keeps both",
    lesson="This is one linear equation for one force; the linkage has three for three forces.",
    forms=(kick_by_least_squares,),
)


EXERCISES = (
    closing,
    other_assembly,
    determinant,
    of_the_coupler,
    even_turn,
    in_a_copy,
    newton_step,
    wrong_corrections,
    decay,
    velocity_kick,
    positions,
    both_kept,
    through_the_line,
    from_scratch,
    straight_line,
)
