"""The exercises of chapter 1, the pendulum."""

from __future__ import annotations

import math
from dataclasses import replace
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
from tutlib.methods import EULER, integrate, step
from tutlib.models import Center, Model, Skeleton, pendulum
from tutlib.models.pendulum import exact_motion, exact_period
from tutlib.plots import legend_above, new_axes, plot_curves

arm = pendulum()
t = me.dynamicsymbols._t
(theta,), (tau,) = arm.equations.q, arm.equations.inputs
g, l, m = arm.equations.parameters
load = sm.Symbol("m_L", positive=True)
kp, kd, theta_d = sm.symbols("k_p k_d theta_d", real=True)
b = sm.Symbol("b", positive=True)
omega, alpha = theta.diff(t), theta.diff(t, 2)
sine, cosine = sm.sin(theta), sm.cos(theta)


# ---- pendulum-1: the tension in the rod


def held_by(pull: sm.Expr) -> Model:
    """Return a free mass in x and y; only this pull can keep it on its circle.

    In the pull, l is the current distance from the hinge. With the constant l, a distance that is
    too long by a rounding error grows exponentially: after ten seconds, even the right motion
    leaves its circle.
    """
    x, y = me.dynamicsymbols("x y")
    distance = sm.sqrt(x**2 + y**2)
    turning = (x * y.diff() - y * x.diff()) / distance**2
    force = pull.xreplace({omega: turning, l: distance}).xreplace({theta: sm.atan2(x, -y)})
    toward_hinge = -sm.Matrix([x, y]) / distance
    return Model(
        name="mass on a rod",
        equations=EquationsOfMotion(
            (x, y),
            (x.diff(), y.diff()),
            m * sm.eye(2),
            force * toward_hinge - sm.Matrix([0, m * g]),
        ),
        kinetic_energy=m * (x.diff() ** 2 + y.diff() ** 2) / 2,
        potential_energy=m * g * (y + l),
        skeleton=Skeleton(
            ((sm.S.Zero, sm.S.Zero), (x, y)), ((0, 1),), (1,), (0,), masses=(m,), ceiling=True
        ),
        parameters={m: 2.0, l: 1.25, g: 9.81},  # unlike, so that each mistake shows
    )


pull_of_the_rod = Exercise(
    name="pendulum-1",
    answer=Expression(m * l * omega**2 + m * g * cosine, also=(alpha,), units=UNITS),
    misconceptions=(
        Misconception(
            m * g * cosine,
            "That balances the weight alone, as if the mass were at rest. It moves on a circle: "
            "which acceleration points toward the hinge?",
        ),
        Misconception(
            m * l * omega**2 - m * g * cosine,
            "Let the arm hang at rest: your rod would push the mass down. What is the sign of "
            "gravity's term?",
        ),
        Misconception(
            m * l * omega**2 + m * g * sine,
            "You used the sine instead of the cosine: at rest at the bottom, your rod would carry "
            "nothing. Which component of the weight points along the rod?",
        ),
        Misconception(
            m * g * sine,
            "The sine gives the weight's component along the circle. Which component points along "
            "the rod, and which acceleration points toward the hinge?",
        ),
        Misconception(
            m * l * omega**2 - m * g * sine,
            "You used the sine instead of the cosine, with a wrong sign: at rest at the bottom, "
            "your rod would carry nothing. Which component of the weight points along the rod?",
        ),
        Misconception(
            m * l * omega**2 + m * g,
            "Only the component of the weight along the rod pulls on it. Hold the arm level, at "
            "rest: how much does the rod carry then?",
        ),
        Misconception(
            m * l**2 * omega**2 + m * g * cosine,
            "One of your terms is an energy, not a force. Which one has one length too many?",
        ),
        Misconception(
            m * omega**2 + m * g * cosine,
            "The square of an angular velocity is not an acceleration. Which length is missing?",
        ),
        Misconception(
            m * l * alpha + m * g * cosine,
            "The angular acceleration changes the speed along the circle. Which acceleration "
            "points toward the hinge, even at constant speed?",
        ),
    ),
    section="Newton's way, along one arrow",
    lesson="At the bottom of a swing from level, the rod carries three times the weight.",
    show=side_by_side(
        held_by,
        [1.0, -0.75, 0.0, 0.0],
        "Two masses, each pulled toward the hinge: one stays on its circle, the other may not.",
        units={"x": "m", "y": "m", "x_dot": "m/s", "y_dot": "m/s"},
        name="pendulum_1",
        h=0.005,
    ),
    facts=lambda: (f"carries {in_words((2 * 9.81 + 9.81) / 9.81)} times the weight",),
)


# ---- pendulum-2: a rod with a load


def moved_by(balance: sm.Expr) -> Model:
    """Return the arm whose equation of motion sets this expression to zero."""
    inertia, forcing = solved_for(balance.subs(tau, 3 * sm.cos(2 * t)), [alpha])
    equations = EquationsOfMotion((theta,), (omega,), inertia, sm.Matrix([forcing]))
    return Model(
        name="rod with a load",
        equations=equations,
        kinetic_energy=(m / 3 + load) * l**2 * omega**2 / 2,
        potential_energy=(m / 2 + load) * g * l * (1 - cosine),
        skeleton=replace(
            arm.skeleton,
            masses=(load,),
            marks=(*arm.skeleton.marks, Center(m, 0, 1, sm.S.Half)),
        ),
        parameters={m: 0.9, load: 0.4, l: 1.5, g: 9.81},
    )


def balance(inertia: Any, weight: Any, torque: Any = tau) -> sm.Expr:
    """Return the expression that is zero, from the coefficients of l² θ̈ and of g l."""
    return inertia * l**2 * alpha + weight * g * l - torque


rod_with_a_load = Exercise(
    name="pendulum-2",
    answer=Equation(balance(m / 3 + load, (m / 2 + load) * sine), also=(omega,), units=UNITS),
    misconceptions=(
        Misconception(
            balance(m / 12 + load, (m / 2 + load) * sine),
            "You took the rod's inertia about its center, but the arm rotates about its end. How "
            "large is the inertia there?",
        ),
        Misconception(
            balance(m + load, (m + load) * sine),
            "You put all of the rod's mass at its end. How is it really distributed?",
        ),
        Misconception(
            balance(m / 3 + load, (m + load) * sine),
            "The rod's weight acts at its center of mass. How far is that from the hinge?",
        ),
        Misconception(
            balance(m + load, (m / 2 + load) * sine),
            "The lever arm of the rod's weight is right, but its inertia is that of a point mass "
            "at the end. How large is a rod's?",
        ),
        Misconception(
            balance(m / 3 + load, -(m / 2 + load) * sine),
            "Release the arm a little to the right of the bottom, without a motor: by your "
            "equation, it moves up. What is the sign of gravity's term?",
        ),
        Misconception(
            balance(m / 3 + load, (m / 2 + load) * cosine),
            "Let the arm hang at rest: by your equation, gravity moves it. From which line is the "
            "angle measured?",
        ),
        Misconception(
            balance(m / 3 + load, (m / 2 + load) * sine, -tau),
            "A positive torque should accelerate the arm toward positive angles. Which sign does "
            "it need?",
        ),
        Misconception(
            balance(m / 3 + load, (m / 2 + load) * sine, 0),
            "The motor is missing. Which term does it add?",
        ),
        Misconception(
            balance(m / 3, (m / 2 + load) * sine),
            "The load has weight in your equation, but no inertia. Which term is missing?",
        ),
        Misconception(
            balance(m / 3 + load, m / 2 * sine),
            "The load has inertia in your equation, but no weight. Which term is missing?",
        ),
        Misconception(
            balance(m / 3 + load, (m / 2 + load) * theta),
            "That holds for small angles only. Which function of the angle gives gravity's torque?",
        ),
    ),
    section="A rod is not a point",
    lesson="Inertias add up, and so do weights times lever arms, but the rod counts with different "
    "factors in the two sums.",
    show=side_by_side(
        moved_by,
        [1.2, 0.0],
        "Two loaded rods with a motor that pushes back and forth, released from the same angle: "
        "one by the true equation, one by yours.",
        name="pendulum_2",
    ),
)


# ---- pendulum-3: Euler's step


def spring(t: float, x: Any) -> Any:
    """[x[1], -4 x[0]]."""
    return np.array([x[1], -4.0 * x[0]])


def growth(t: float, x: Any) -> Any:
    """[cos(3 t) - x[0] / 2]."""
    return np.array([np.cos(3 * t) - 0.5 * x[0]])


def fading(t: float, x: Any) -> Any:
    """-x / 2."""
    return -x / 2


def top(t: float, x: Any) -> Any:
    """[x[1] x[2], -2 x[0] x[2], x[0] x[1] / 2]."""
    return np.array([x[1] * x[2], -2 * x[0] * x[2], 0.5 * x[0] * x[1]])


def euler_step(f: Any, t: float, x: Any, h: float) -> Any:
    return x + h * f(t, x)


def is_of_order_one(step: Any) -> bool:
    errors = []
    for count in (100, 200):
        x = np.array([1.0, 0.0])
        for k in range(count):
            x = np.asarray(step(spring, k / count, x, 1 / count), float)
        errors.append(np.abs(x - [math.cos(2), -2 * math.sin(2)]).max())
    return abs(math.log2(errors[0] / errors[1]) - 1) < 0.05


def some_field(rng: np.random.Generator) -> tuple[Any, ...]:
    """Return a random right-hand side, a time, a state, and a step."""
    count = int(rng.integers(1, 7))
    A = rng.normal(size=(count, count))

    def f(t: float, x: Any) -> Any:
        """cos(t) A x, with a random matrix A."""
        return np.cos(t) * (A @ x)

    return f, float(rng.uniform(0, 2)), rng.normal(size=count), float(rng.uniform(0.05, 0.5))


def with_new_rates(f: Any, t: float, x: Any, h: float) -> Any:
    half = len(x) // 2
    rates = x[half:] + h * f(t, x)[half:]
    return np.concatenate([x[:half] + h * f(t, np.concatenate([x[:half], rates]))[:half], rates])


a_step_of_your_own = Exercise(
    name="pendulum-3",
    answer=Function(
        euler_step,
        problems=(
            (spring, 0.0, np.array([1.0, 0.5]), 0.1),
            (growth, 0.7, np.array([2.0]), 0.2),
            (top, 0.0, np.array([1.0, -0.4, 2.0]), 0.05),
            (spring, 1.0, np.array([0.3, -2.0]), 0.5),
            (fading, 0.2, np.array([0.5, -1.5, 2.0, 0.1, -0.2, 3.0]), 0.4),
        ),
        draw=some_field,
        laws=(
            (
                is_of_order_one,
                "Halving the step should halve the error. With your function, it does not.",
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            lambda f, t, x, h: x + f(t, x),
            "f returns time derivatives. How much does the state change in a step of h seconds?",
        ),
        Misconception(
            lambda f, t, x, h: h * f(t, x),
            "That is only the change of the state. What must you add it to?",
        ),
        Misconception(
            lambda f, t, x, h: x - h * f(t, x),
            "Your step goes back in time. Which sign is wrong?",
        ),
        Misconception(
            lambda f, t, x, h: x + h * f(t + h, x),
            "Euler takes the derivatives at the start of the step. Which time is that?",
        ),
        Misconception(
            with_new_rates,
            "You move the angle with the new angular velocity. That is semi-implicit Euler, a good "
            "method (chapter 4), but Euler takes all derivatives at the start. Which state gives "
            "them?",
        ),
        Misconception(
            lambda f, t, x, h: x + h * f(t + h / 2, x + h / 2 * f(t, x)),
            "You evaluate f in the middle of the step, which is a better method (chapter 4). How "
            "often does Euler call f?",
        ),
    ),
    section="Ten lines that look right",
    lesson="Your step takes any f and any number of states, so you can pass it to integrate as its "
    "method.",
    forms=(lambda f, t, x, h: step(f, t, x, h, EULER),),
)


# ---- pendulum-4: predict the period


periods = Choice(
    "b",
    {
        "a": "the same time",
        "b": "about a fifth longer",
        "c": "about twice as long",
        "d": "a shorter time",
    },
)


def two_swings(chosen: str) -> str:
    """Draw a small and a large oscillation, each divided by its amplitude."""
    times = np.linspace(0, 6, 601)
    ax = new_axes("time [s]", "angle / amplitude")
    for degrees in (5, 90):
        amplitude = math.radians(degrees)
        swing = exact_motion(times, amplitude, l=2.0)[:, 0] / amplitude
        ax.plot(times, swing, label=f"amplitude {degrees}°")
    for degrees, mark in ((5, "o"), (90, "s")):
        ax.plot(exact_period(math.radians(degrees), l=2.0), 1, mark, ms=10, label=None)
    ax.set_title(periods.verdict(chosen), fontsize=12)
    legend_above(ax)
    small, large = (exact_period(math.radians(degrees), l=2.0) for degrees in (5, 90))
    return figure_as_html(
        ax.figure,
        "Two oscillations of a 2 meter arm against time, each angle divided by its amplitude. The "
        f"one of amplitude 5° is back after {small:.2f} seconds, the one of amplitude 90° after "
        f"{large:.2f} seconds.",
    )


def period(degrees: float, length: float = 2.0) -> float:
    """Return the period [s] from the complete elliptic integral."""
    from scipy.special import ellipk

    return 4 * math.sqrt(length / 9.81) * float(ellipk(math.sin(math.radians(degrees) / 2) ** 2))


def is_back(c: Any, degrees: float) -> bool:
    """Return whether an oscillation is back after its period, and not before."""
    back = abs(np.interp(period(degrees), c.x, c.y) - 1) < 1e-4
    return bool(back and c.y.max() < 1 + 1e-9)


how_long_at_90_degrees = Exercise(
    name="pendulum-4",
    answer=periods,
    misconceptions=(
        Misconception(
            "a",
            "That a pendulum keeps time at any amplitude is a famous half-truth. It holds where "
            "the sine nearly equals the angle: is that so at 90°?",
        ),
        Misconception(
            "c",
            "The path is longer, but gravity's torque is larger, too. Compare the sine and the "
            "angle at 90°: is the torque larger or smaller than a spring's?",
        ),
        Misconception(
            "d",
            "The arm is faster at the bottom, but its path is longer, too. What matters is how the "
            "torque grows: does the sine grow faster than its angle, or more slowly?",
        ),
    ),
    section="A yardstick: the exact motion",
    lesson="At 90°, gravity's torque is weaker than a spring's would be, so the period is 18% "
    "longer.",
    reveal=two_swings,
    curves={
        "amplitude 5°": ("amplitude 5° is back after 2.84 seconds", lambda c: is_back(c, 5)),
        "amplitude 90°": ("amplitude 90° after 3.35 seconds", lambda c: is_back(c, 90)),
    },
    facts=lambda: (
        f"is {100 * (period(90) / period(1e-3) - 1):.0f}% longer",
        "Is 90° small? An arm swings out to 90° instead of 5°",
    ),
)


# ---- pendulum-5: over the top, from level

launched_from_level = Exercise(
    name="pendulum-5",
    answer=Number(math.sqrt(2 * 9.81 / 0.8), "rad/s", either_sign=True),
    misconceptions=(
        Misconception(
            2 * math.sqrt(9.81 / 0.8),
            "That is the angular velocity needed at the bottom. How high does this arm start?",
        ),
        Misconception(
            math.sqrt(2 * 10 / 0.8),
            "That is not right to three digits. Did you round the result, or take "
            "g = 10 instead of 9.81?",
        ),
        Misconception(
            2 * math.sqrt(9.81 / 2),
            "That is for the longer arm, and from the bottom. Where does this one start, and how "
            "long is it?",
        ),
        Misconception(
            math.sqrt(2 * 9.81 / 2),
            "That is for the arm of 2 m. How long is this one?",
        ),
        Misconception(
            math.sqrt(9.81 / 0.8),
            "Kinetic energy has a factor of one half. Did you lose it?",
        ),
        Misconception(
            math.sqrt(2 * 9.81 * 0.8),
            "That is the speed of the mass, in m/s. How large is its angular velocity?",
        ),
        Misconception(
            math.degrees(math.sqrt(2 * 9.81 / 0.8)),
            "That is in degrees per second. How many radians is it?",
        ),
    ),
    section="All motions in one picture",
    lesson="You may launch it downward or upward: energy has no direction.",
    facts=lambda: (f"g = 10 instead of {9.81}", "the arm of 2 m"),
    asked=(r"a shorter arm, of ([\d.]+) m", lambda l: math.sqrt(2 * 9.81 / l)),
)


# ---- pendulum-6: the matrix near the top

A = sm.Matrix([[0, 1], [g / l, -b / (m * l**2)]])

near_the_top = Exercise(
    name="pendulum-6",
    answer=Expression(A, units=UNITS),
    misconceptions=(
        Misconception(
            sm.Matrix([[0, 1], [-g / l, A[1, 1]]]),
            "That is for the bottom, where gravity pulls the arm back. In which direction does it "
            "pull near the top?",
        ),
        Misconception(
            sm.Matrix([[0, 1], [g / l, -b]]),
            "Friction is a torque. What turns a torque into an angular acceleration?",
        ),
        Misconception(
            sm.Matrix([[0, 1], [g / l, -A[1, 1]]]),
            "With your sign, friction speeds up the arm. Which sign makes it oppose the angular "
            "velocity?",
        ),
        Misconception(
            sm.Matrix([[0, 1], [g / l, 0]]),
            "Friction is missing. Which entry relates the angular velocity to the angular "
            "acceleration?",
        ),
        Misconception(
            A.T,
            "You exchanged rows and columns. Which derivative does each row give?",
        ),
        Misconception(
            sm.Matrix([[A[1, 0], A[1, 1]], [0, 1]]),
            "You exchanged the rows. Which state comes first?",
        ),
    ),
    section="All motions in one picture",
    lesson="Friction slows the fall but cannot prevent it: one eigenvalue stays positive.",
)


# ---- pendulum-7: carry the rod


def commanded(torque: sm.Expr) -> Model:
    """Return a uniform rod with this torque at its hinge."""
    kinetic = m * l**2 / 3 * omega**2 / 2
    potential = m * g * l / 2 * (1 - cosine)
    return Model(
        name="commanded rod",
        equations=EquationsOfMotion.from_lagrangian(kinetic, potential, [theta], {theta: torque}),
        kinetic_energy=kinetic,
        potential_energy=potential,
        skeleton=replace(
            arm.skeleton,
            masses=(None,),
            marks=(*arm.skeleton.marks, Center(m, 0, 1, sm.S.Half)),
        ),
        parameters={m: 2.5, l: 2.0, g: 9.81, kp: 60.0, kd: 15.0, theta_d: -math.pi / 2.5},
    )


servo = kp * (theta_d - theta) - kd * omega
weight = m * g * l / 2 * sine

carry_the_rod = Exercise(
    name="pendulum-7",
    answer=Expression(servo + weight, units=UNITS),
    misconceptions=(
        Misconception(
            servo + m * g * l * sine,
            "That balances a point mass at the end of the arm. Where does the rod's weight act?",
        ),
        Misconception(
            servo - weight,
            "Your motor pushes along with gravity, but it should cancel gravity's torque. Which "
            "sign does that take?",
            also=(kp * (theta_d - theta) - kd * omega - m * g * l * sine / 2,),
        ),
        Misconception(
            servo + m * g * l / 2 * sm.sin(theta_d),
            "That balances the weight only at the goal. What is gravity's torque on the way there?",
        ),
        Misconception(
            servo + m * g * l / 2 * cosine,
            "Let the rod hang: it needs no torque there, but your motor pushes. From which line is "
            "the angle measured?",
        ),
        Misconception(
            servo,
            "That is the PD torque alone, which stops short of the goal. What balances the weight?",
        ),
        Misconception(
            kp * (theta_d - theta) + kd * omega + weight,
            "Your damping pushes: its torque has the sign of the angular velocity. Which sign "
            "should it have?",
        ),
        Misconception(
            kp * (theta - theta_d) - kd * omega + weight,
            "Your spring pushes away from the goal. What is the sign of the error?",
        ),
    ),
    section="Almost there is not there",
    lesson="What remains is a weightless rod with a spring and a damper, so it stops at the goal.",
    show=side_by_side(
        commanded,
        [math.pi / 2, 0.0],
        "Two rods sent to 72 degrees left of the bottom: one by the true torque, one by yours.",
        guides=[[(0, 0), (1.2 * l * sm.sin(theta_d), -1.2 * l * sm.cos(theta_d))]],
        name="pendulum_7",
    ),
    facts=lambda: (f"Two rods sent to {180 / 2.5:.0f} degrees left of the bottom",),
)


# ---- pendulum-8: how rarely may a servo decide?

how_rarely = Exercise(
    name="pendulum-8",
    answer=Number(2 * 80 / 1500, "seconds", at_most=True, bound="most"),
    misconceptions=(
        Misconception(
            2 * 8 / 80,
            "There the damping becomes too strong, but both bounds must hold. Which bound do you "
            "reach first?",
        ),
        Misconception(
            80 / 1500,
            "The servo is stable, but this is only half the longest time. What is the lower bound "
            "on the damping?",
        ),
        Misconception(
            2 * 15 / 1500,
            "That is for the old damping, 15 N·m·s/rad. Here it is 80. What does that change?",
        ),
        Misconception(
            0.05,
            "That is stable, but it is not the longest time. Which bound do you reach first?",
        ),
        Misconception(
            0.1,
            "The servo is still stable with that time. Which bound does it reach soon after?",
        ),
        Misconception(
            1500 / 80 / 2,
            "That is the reciprocal. Which unit does your number have?",
        ),
    ),
    section="The same gains, and the arm goes wild",
    lesson="That is about five times as long as with the old damping.",
    asked=(
        r"k_d = (\d+)\$, with \$k_p = (\d+)\$ and \$I = (\d+)",
        lambda kd, kp, inertia: min(2 * kd / kp, 2 * inertia / kd),
    ),
    facts=lambda: (f"about {in_words(80 / 15)} times as long", "the old damping, 15 N·m·s/rad"),
)

# ---- pendulum-9: how many degrees of freedom

CRANE, FIVE_BAR, TWO_ARMS = 1 + 3, 5 - 3, 6 - 3  # joints, minus three per loop

count_the_freedoms = Exercise(
    name="pendulum-9",
    answer=NumberArray([CRANE, FIVE_BAR, TWO_ARMS]),
    misconceptions=(
        Misconception(
            [4, 5, 6],
            "Those are the joints. The second and the third mechanism each close a loop: how many "
            "degrees of freedom does closing it remove?",
        ),
        Misconception(
            [5, 5, 6],
            "Those are the links, including the base. Joints give degrees of freedom, and loops "
            "remove some. How many joints are there?",
        ),
        Misconception(
            [4, 4, 5],
            "In your count, each loop removes one degree of freedom. Two ends that are joined in "
            "the plane must meet at a point and at the same angle: how many conditions is that?",
        ),
        Misconception(
            [4, 3, 4],
            "In your count, each loop removes two degrees of freedom. The halves of a cut link "
            "must meet at a point, and at the same angle, too: how many conditions is that?",
        ),
        Misconception(
            [3, 2, 3],
            "The crane can do more: what moves along the rail?",
        ),
        Misconception(
            [5, 2, 3],
            "The crane's trolley has a prismatic joint. How many translations does it allow?",
        ),
        Misconception(
            [4, 2, 6],
            "Look at the third mechanism: up one arm, along the bar, down the other arm, and back "
            "along the ground. How many degrees of freedom does this loop remove?",
        ),
        Misconception(
            [4, 2, 0],
            "The third mechanism has a single loop: ground, arm, bar, arm. How many degrees of "
            "freedom does one loop remove?",
        ),
        Misconception(
            [4, 2, 1],
            "In the third mechanism, each hand also rotates on the bar. How many orange dots are "
            "at the ends of the bar?",
        ),
    ),
    section="Links, joints, degrees of freedom",
    lesson="That is how many numbers describe the configuration of each mechanism, and how many "
    "motors it takes to hold it.",
)


# ---- pendulum-10: find the bug

bugs = Choice(
    "c",
    {
        "a": "the rod's weight acts at its end",
        "b": "the load has no inertia",
        "c": "the rod's inertia is taken about its center",
        "d": "all of the rod's mass is at its end",
        "e": "friction has the wrong sign",
        "f": "the angle is used in place of its sine",
    },
)


def suspect(angle: float, rate: float = 0.0, torque: float = 0.0, g: float = 9.81) -> float:
    """Return the angular acceleration of a loaded rod by a program that has a bug.

    Parameters
    ----------
    angle, rate : float
        In radians, and radians per second.
    torque : float
        Of the motor [N·m].
    g : float
        Gravity [m/s²].
    """
    m, m_L, l, b = 0.9, 0.4, 1.5, 0.5
    weight = (m / 2 + m_L) * g * l * math.sin(angle)
    return (torque - weight - b * rate) / ((m / 12 + m_L) * l**2)


def two_falls(chosen: str) -> str:
    """Draw the loaded rod, released level: by the program, and by its equation without a bug."""
    times = np.linspace(0, 3, 301)
    mended = (0.9 / 12 + 0.4) / (0.9 / 3 + 0.4)
    curves = {}
    for label, share in {"the program": 1.0, "without its bug": mended}.items():

        def falling(t: float, x: Any, share: float = share) -> Any:
            return np.array([x[1], share * suspect(x[0], x[1])])

        run = integrate(falling, times, [math.pi / 2, 0.0])
        curves[label] = times, np.rad2deg(run.x[:, 0])
    ax = plot_curves("time [s]", "angle of the arm [deg]", curves, bugs.verdict(chosen))
    return figure_as_html(
        ax.figure,
        "Angle of the arm against time: the rod with its load, released level. In the program it "
        "reaches the bottom too soon and oscillates too fast; without the bug it takes longer.",
    )


def falls(c: Any, rod: float) -> bool:
    """Return whether a curve falls from level as a rod with this inertia [l²] and its load does."""
    from scipy.integrate import solve_ivp

    l, friction = 1.5, 0.5
    inertia, weight = (rod + 0.4) * l**2, (0.9 / 2 + 0.4) * 9.81 * l

    def fall(t: Any, x: Any) -> Any:
        return [x[1], -(weight * math.sin(x[0]) + friction * x[1]) / inertia]

    def at_bottom(t: Any, x: Any) -> Any:
        return x[0]

    end = solve_ivp(fall, (0, 3), [math.pi / 2, 0], events=at_bottom, rtol=1e-9).t_events[0][0]
    return bool(abs(c.x[np.argmax(c.y < 0)] - end) < 0.011)


find_the_bug = Exercise(
    name="pendulum-10",
    answer=bugs,
    misconceptions=(
        Misconception(
            "a",
            "That would make the level arm accelerate too much as well, but without gravity no "
            "weight acts at all. Is the third row right?",
        ),
        Misconception(
            "b",
            "In the third row, torque over acceleration is the inertia. The load alone has 0.9 "
            "kg·m²: is the value that you find smaller?",
        ),
        Misconception(
            "d",
            "Then the rod would accelerate less than it should. Does it, in the third row?",
        ),
        Misconception(
            "e",
            "In the fourth row, only friction acts. Does the arm speed up?",
        ),
        Misconception(
            "f",
            "Then the first row would be nine times the second, as the angles are. Is it?",
        ),
    ),
    section="A rod is not a point",
    lesson="Without gravity, the torque alone measures the inertia. Switch off all effects but "
    "one, and each row tests one term.",
    reveal=two_falls,
    curves={
        "the program": (
            "In the program it reaches the bottom too soon",
            lambda c: falls(c, 0.9 / 12),
        ),
        "without its bug": ("without the bug it takes longer", lambda c: falls(c, 0.9 / 3)),
    },
    facts=lambda: (
        f"of these {in_words(len(bugs.options))} suspects",
        f"The load alone has {0.4 * 1.5**2:g} kg·m²",
    ),
)


# ---- pendulum-11: gains for a motor

STEP, MOST, INERTIA = math.pi / 2.5, 100.0, 8.0
KP = MOST / STEP


def brake(overshoot: float, stiffness: float, inertia: float = INERTIA) -> float:
    """Return the damping gain with which a spring and a damper overshoot by this ratio."""
    damping_ratio = -math.log(overshoot) / math.hypot(math.pi, math.log(overshoot))
    return 2 * damping_ratio * math.sqrt(inertia * stiffness)


def brake_for(overshoot: Any, stiffness: Any, inertia: Any) -> Any:
    """Return a stiffness and the damping gain whose eigenvalues give this overshoot."""
    decay = -math.log(overshoot) / math.pi  # of the roots: real over imaginary part
    turn = math.sqrt(stiffness / inertia / (1 + decay**2))
    return [stiffness, 2 * inertia * decay * turn]


gains_for_a_motor = Exercise(
    name="pendulum-11",
    answer=NumberArray([KP, brake(0.1, KP)], digits=3),
    misconceptions=(
        Misconception(
            [MOST / 72, brake(0.1, MOST / 72)],
            "Your gain takes the error in degrees. Which unit does the controller use?",
        ),
        Misconception(
            [MOST / (0.9 * math.pi), brake(0.1, MOST / (0.9 * math.pi))],
            "That is for an arm that starts level. This arm hangs: how far does it have to go?",
        ),
        Misconception(
            [KP, brake(0.1, KP) / 2],
            "The stiffness is right, but the damping is too small by a factor of two. What is the "
            "formula for the damping ratio?",
        ),
        Misconception(
            [KP, 2 * 0.1 * math.sqrt(INERTIA * KP)],
            "The stiffness is right. You used the overshoot as the damping ratio. How does the "
            "overshoot depend on this ratio?",
        ),
        Misconception(
            [KP, 2 * 0.7 * math.sqrt(INERTIA * KP)],
            "The stiffness is right. A damping ratio of 0.7 overshoots by less than allowed. What "
            "is the smallest damping that is enough?",
        ),
        Misconception(
            [KP, 2 * math.sqrt(INERTIA * KP)],
            "The stiffness is right. Your damping allows no overshoot at all, but 10% is allowed. "
            "What is the smallest damping that is enough?",
        ),
        Misconception(
            [KP, brake(0.1, KP, 4.0)],
            "The stiffness is right. The damping depends on the moment of inertia: to which power "
            "does the length appear in it?",
        ),
        Misconception(
            [KP, brake(0.1, KP + 39.24 * math.cos(STEP))],
            "The stiffness is right. For the damping, you added gravity's term to it. With the "
            "weight compensated, what is left of that term?",
        ),
    ),
    section="How fast, and how strongly damped?",
    lesson="The limit sets the stiffness, and the stiffness sets the damping.",
    asked=(
        r"(\d+) kg at the end of (\d+) m, .*to go to −(\d+)°\. .*give (\d+) N·m.*by (\d+)%",
        lambda mass, length, way, most, share: brake_for(
            share / 100, most / math.radians(way), mass * length**2
        ),
    ),
    facts=lambda: ("A damping ratio of 0.7 overshoots by less",),
)


# ---- pendulum-12: a metronome

m_1, m_2, l_1, l_2 = sm.symbols("m_1 m_2 l_1 l_2", positive=True)


def metronome(
    inertia: Any = m_1 * l_1**2 + m_2 * l_2**2,
    weights: Any = m_1 * l_1 - m_2 * l_2,
    torque: Any = tau,
) -> tuple[EquationsOfMotion, dict[str, Any]]:
    """Return a metronome with this inertia and this sum of masses times lever arms."""
    T, V = inertia * omega**2 / 2, -weights * g * cosine
    outputs = {
        "x_1": l_1 * sine,
        "y_1": -l_1 * cosine,
        "x_2": -l_2 * sine,
        "y_2": l_2 * cosine,
        "E": T + V,
    }
    return EquationsOfMotion.from_lagrangian(T, V, [theta], {theta: torque}), outputs


def metronome_by_two_places() -> Any:
    """Return two masses at any positions, and the rod through the hinge that holds them."""
    x, y, X, Y, torque = me.dynamicsymbols("x y X Y tau")
    m_1, m_2, l_1, l_2, g = sm.symbols("m_1 m_2 l_1 l_2 g")
    T = (m_1 * (x.diff() ** 2 + y.diff() ** 2) + m_2 * (X.diff() ** 2 + Y.diff() ** 2)) / 2
    V = g * (m_1 * y + m_2 * Y)
    pushes = {x: -torque * y / l_1**2, y: torque * x / l_1**2}
    free = EquationsOfMotion.from_lagrangian(T, V, [x, y, X, Y], pushes)
    rod = (x**2 + y**2 - l_1**2, X + l_2 / l_1 * x, Y + l_2 / l_1 * y)
    return ConstrainedEquations(free, rod), {"x_1": x, "y_1": y, "x_2": X, "y_2": Y, "E": T + V}


a_metronome = Exercise(
    name="pendulum-12",
    answer=Machine(
        metronome,
        values={"m_1": 1.3, "m_2": 0.4, "l_1": 0.6, "l_2": 1.1, "g": 9.81, "tau": 0.8},
        start={"theta": 0.9},
        rests={"hanging still": {"theta": 0}, "upside down": {"theta": math.pi}},
        units={"x_1": "m", "y_1": "m", "x_2": "m", "y_2": "m", "E": "J", "tau": "N·m"},
        energies=["E"],
    ),
    misconceptions=(
        Misconception(
            lambda: metronome(weights=m_1 * l_1 + m_2 * l_2),
            "Your upper mass pulls the rod back to equilibrium. It is above the hinge: how does "
            "its height change when the rod leans?",
        ),
        Misconception(
            lambda: metronome(weights=m_1 * l_1),
            "Your upper mass has inertia, but no weight. Is it in the potential energy?",
        ),
        Misconception(
            lambda: metronome(inertia=m_1 * l_1**2),
            "Your upper mass has weight, but no inertia. Is it in the kinetic energy?",
        ),
        Misconception(
            lambda: metronome(m_1 * l_1**2, m_1 * l_1),
            "One of the two masses is missing from both energies. Which one?",
        ),
        Misconception(
            lambda: metronome(inertia=m_1 * l_1**2 + m_2 * (l_1 + l_2) ** 2),
            "The upper mass rotates about the hinge, not about the lower mass. How far away is it?",
        ),
        Misconception(
            lambda: metronome(inertia=m_1 * l_1**2 - m_2 * l_2**2),
            "Kinetic energies add up, whichever side of the hinge a mass is on. Which sign does "
            "yours have?",
        ),
        Misconception(
            lambda: metronome(torque=0),
            "The motor is missing. Where does its torque enter?",
        ),
        Misconception(
            lambda: metronome(torque=-tau),
            "A positive torque should rotate the rod counterclockwise, whichever direction your "
            "coordinate has. What is its sign?",
        ),
    ),
    section="The arm again, by the recipe",
    lesson="The closer the two weights are to balance, the slower it beats. That is why a "
    "metronome has a sliding mass.",
    forms=(metronome_by_two_places,),
)


# ---- pendulum-13: an arm on a carousel

Omega = sm.Symbol("Omega", real=True)


def carousel(around: Any = l * sine, gravity: Any = -m * g * l * cosine) -> Any:
    """Return an arm rotated about the vertical axis, at this distance from it."""
    T = m * ((l * omega) ** 2 + (Omega * around) ** 2) / 2
    equations = EquationsOfMotion.from_lagrangian(T, gravity, [theta])
    return equations, {"r": l * sine, "y": -l * cosine}


def by_centrifugal_force(force: Any) -> Any:
    """Return the arm with this force on its mass, away from the axis."""
    T, V = m * (l * omega) ** 2 / 2, -m * g * l * cosine
    torques = {theta: force * l * cosine}
    equations = EquationsOfMotion.from_lagrangian(T, V, [theta], torques)
    return equations, {"r": l * sine, "y": -l * cosine}


BALANCE = math.acos(9.81 / (1.2 * 4.0**2))


def carousel_seen_from_outside() -> Any:
    """Return an arm on a carousel, by squaring the velocity of its position in space."""
    q, Omega = me.dynamicsymbols("q"), sm.Symbol("Omega")
    r, y = l * sm.cos(q), l * sm.sin(q)
    place = sm.Matrix([r * sm.cos(Omega * t), y, r * sm.sin(Omega * t)])
    T = m * sm.simplify(place.diff(t).dot(place.diff(t))) / 2
    return EquationsOfMotion.from_lagrangian(T, m * g * y, [q]), {"r": r, "y": y}


on_a_carousel = Exercise(
    name="pendulum-13",
    answer=Machine(
        carousel,
        values={"m": 0.7, "l": 1.2, "g": 9.81, "Omega": 4.0},
        start={"theta": 0.5},
        rests={
            "hanging still": {"theta": 0},
            "upright": {"theta": math.pi},
            "out where it balances": {"theta": BALANCE},
        },
        units={"r": "m", "y": "m"},
    ),
    misconceptions=(
        Misconception(
            lambda: carousel(around=0),
            "Your arm is not carried around. How fast does the mass move in the direction of the "
            "rotation?",
        ),
        Misconception(
            lambda: carousel(around=l * cosine),
            "When the axle rotates fast, your arm is pressed against it, but a carousel lifts its "
            "seats. How far from the axle is the mass when it hangs, and are all signs right?",
        ),
        Misconception(
            lambda: by_centrifugal_force(m * Omega**2 * l),
            "Your arm is thrown outward even when it hangs along the axle. What is the centrifugal "
            "force there?",
        ),
        Misconception(
            lambda: by_centrifugal_force(m * Omega**2 * l * sine / 2),
            "Your arm balances at the wrong angle. Is there a factor of one half too many?",
        ),
        Misconception(
            lambda: carousel(gravity=m * g * l * cosine),
            "Let it rotate slowly: your arm falls upward. What is the sign of the potential "
            "energy?",
        ),
    ),
    section="Lagrange's way, the same by energies",
    lesson="You need no centrifugal force, because it follows from the kinetic energy. Watt's "
    "governor, the servo of a steam engine, is this arm.",
    forms=(carousel_seen_from_outside,),
)

# ---- pendulum-14: as fast as any servo can

WAY = math.radians(162)


def shortest(inertia: float, way: float, most: float) -> float:
    """Return the time with full torque forward for half of the angle, and backward for the rest."""
    return 2 * math.sqrt(inertia * way / most)


as_fast_as_any = Exercise(
    name="pendulum-14",
    answer=Number(shortest(INERTIA, WAY, MOST), "seconds"),
    misconceptions=(
        Misconception(
            math.sqrt(2 * INERTIA * WAY / MOST),
            "Then the arm arrives at full speed, but it must be at rest at the end. When must it "
            "begin to brake?",
        ),
        Misconception(
            math.sqrt(INERTIA * WAY / MOST),
            "That is the time to the middle. How long does the arm then take to brake?",
        ),
        Misconception(
            2 * math.sqrt(2 * INERTIA * WAY / MOST),
            "You used the whole angle for each half. How far does the arm rotate before it brakes?",
        ),
        Misconception(
            shortest(INERTIA, 162, MOST),
            "You entered the angle in degrees. Which unit does torque over inertia have?",
        ),
    ),
    section="A command and its limit",
    lesson="Full torque forward for half of the angle, and full torque back for the other half: no "
    "controller is faster than this bang-bang control.",
    asked=(
        r"(\d+) kg at the end of (\d+) m, lies .* rotate by (\d+)°.* gives (\d+) N·m",
        lambda mass, length, way, most: shortest(mass * length**2, math.radians(way), most),
    ),
)

EXERCISES = (  # in the order of the chapter
    count_the_freedoms,
    pull_of_the_rod,
    rod_with_a_load,
    a_step_of_your_own,
    how_long_at_90_degrees,
    launched_from_level,
    near_the_top,
    carry_the_rod,
    gains_for_a_motor,
    as_fast_as_any,
    how_rarely,
    find_the_bug,
    a_metronome,
    on_a_carousel,
)
