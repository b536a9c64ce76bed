"""The exercises of chapter 5, Kane's method."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from course.exercises import UNITS
from course.judge import (
    Choice,
    Equation,
    Exercise,
    Expression,
    Machine,
    Misconception,
    Number,
)
from panels import figure_as_html
from tutlib.mechanics import EquationsOfMotion
from tutlib.methods import integrate
from tutlib.models import pendulum, rolling_disc
from tutlib.plots import plot_curves

t = me.dynamicsymbols._t
theta, u = me.dynamicsymbols("theta u")
m, l, g = sm.symbols("m l g", positive=True)
m_2, l_1, l_2 = sm.symbols("m_2 l_1 l_2", positive=True)
theta_1, theta_2 = me.dynamicsymbols("theta_1 theta_2")
q_1, q_2, q_3 = me.dynamicsymbols("q_1:4")
x, y, v_x, v_y = me.dynamicsymbols("x y v_x v_y")
u_1, u_2, u_3 = me.dynamicsymbols("u_1:4")
r = sm.Symbol("r", positive=True)


# ---- kane-1: the active force

active_force = Exercise(
    name="kane-1",
    answer=Expression(-m * g * l * sm.sin(theta), also=(u,), units=UNITS),
    misconceptions=(
        Misconception(
            m * g * l * sm.sin(theta),
            "If the rod is displaced to the right, the weight pulls it back. What is the sign of "
            "the dot product?",
        ),
        Misconception(
            -m * g * sm.sin(theta),
            "That is the force along the path. What is the length of the partial velocity?",
        ),
        Misconception(
            -m * g * l * sm.cos(theta),
            "When the rod hangs straight down, its weight has no torque. Does yours?",
        ),
        Misconception(
            -m * g * l,
            "You took the whole weight. What is its dot product with the partial velocity?",
        ),
        Misconception(
            -m * g * l * u * sm.sin(theta),
            "That is the power. Which vector multiplies u in the velocity?",
        ),
    ),
    section="The pendulum, step by step",
    lesson="It is the torque of the weight about the pivot, without a free-body diagram.",
)


# ---- kane-2: with another speed

slower = Exercise(
    name="kane-2",
    answer=Expression(-g * sm.sin(theta), named=(l, m), units=UNITS),
    misconceptions=(
        Misconception(
            -g / l * sm.sin(theta),
            "That is the angular acceleration. How is the speed along the path related to it?",
        ),
        Misconception(
            -g * l * sm.sin(theta),
            "The partial velocity is wrong: the velocity is u times which vector?",
        ),
        Misconception(
            g * sm.sin(theta),
            "The sign is wrong. To the right of the pivot, which way does the bob accelerate?",
        ),
        Misconception(
            -m * g * sm.sin(theta),
            "That is the force. Which factor does the derivative of u have in the equation?",
        ),
    ),
    section="Another speed for the same motion",
    lesson="The choice of speeds changes the equations, not the motion.",
)


# ---- kane-3: a rod

rod = Exercise(
    name="kane-3",
    answer=Expression(-m * l**2 / 3 * u.diff(t), units=UNITS),
    misconceptions=(
        Misconception(
            -m * l**2 / 4 * u.diff(t),
            "That is only the motion of the center of mass. The rod also rotates: what is the "
            "inertia torque, times the partial angular velocity?",
        ),
        Misconception(
            -m * l**2 / 12 * u.diff(t),
            "That is only the rotation. How does the center of mass move?",
        ),
        Misconception(
            m * l**2 / 3 * u.diff(t),
            "The sign is wrong. In which direction does an inertia force act?",
        ),
        Misconception(
            -m * l**2 * u.diff(t),
            "That is for all the mass at the end. How far from the pivot is the center of mass?",
        ),
    ),
    section="Another speed for the same motion",
    lesson="It is ¼ from translation and 1/12 from rotation, as the parallel-axis theorem says.",
    facts=lambda: (
        f"¼ from translation and {sm.Rational(1, 3) - sm.Rational(1, 4)} from rotation",
    ),
)


# ---- kane-4: the hinge

of_the_hinge = Choice(
    "c",
    {
        "a": "the tension times l",
        "b": "the tension times cos θ",
        "c": "nothing, because the pivot's partial velocity is zero",
        "d": "nothing, because the hinge force is zero",
    },
)


@cache
def pull_while_swinging() -> tuple[Any, Any]:
    """Return times and the hinge force along the rod: 1 kg on 1 m, released from horizontal."""
    run = integrate(pendulum().free().compile(), np.linspace(0, 5, 501), [np.pi / 2, 0.0])
    return run.t, run.x[:, 1] ** 2 + 9.81 * np.cos(run.x[:, 0])


def force_of_the_hinge(chosen: str) -> str:
    """Draw the hinge force along the rod while the pendulum swings."""
    times, pull = pull_while_swinging()
    quantity, verdict = "hinge force along the rod [N]", of_the_hinge.verdict(chosen)
    ax = plot_curves("time [s]", quantity, {"": (times, pull)}, verdict, marker="")
    return figure_as_html(
        ax.figure,
        "Hinge force along the rod against time, for 1 kg released at 90 degrees: between zero "
        f"at the turning points and {pull.max():.1f} N, three times the weight, at the lowest "
        "point.",
    )


hinge = Exercise(
    name="kane-4",
    answer=of_the_hinge,
    misconceptions=(
        Misconception(
            "a",
            "The hinge force acts at the pivot, and has no lever arm there. How fast does that "
            "point move?",
        ),
        Misconception(
            "b", "The hinge force acts at the pivot, not at the bob. How fast does the pivot move?"
        ),
        Misconception(
            "d",
            "In the figure, it reaches three times the weight. Why does it not contribute anyway?",
        ),
    ),
    section="Forces that drop out, and how to recover them",
    lesson="The force can be large, but the pivot does not move, so the force does not contribute.",
    reveal=force_of_the_hinge,
    curves={
        "": (
            "between zero at the turning points and 29.4 N, three times the weight",
            lambda c: abs(c.y.max() - 3 * 9.81) < 0.01 and 0 <= c.y.min() + 1e-6 < 0.01,
        )
    },
    facts=lambda: ("for 1 kg released at 90 degrees",),
)


# ---- kane-5: tension by an auxiliary speed

tension = Exercise(
    name="kane-5",
    answer=Expression(m * (l * u**2 + g * sm.cos(theta)), units=UNITS),
    misconceptions=(
        Misconception(
            m * g * sm.cos(theta),
            "That is the tension at rest. Which force keeps the moving bob on its circle?",
        ),
        Misconception(
            m * (g * sm.cos(theta) - l * u**2),
            "A sign is wrong. At the lowest point, does motion increase or decrease the tension?",
        ),
        Misconception(
            m * (u**2 / l + g * sm.cos(theta)),
            "Here u is the angular velocity. What is the acceleration toward the pivot?",
        ),
        Misconception(
            m * (l * u**2 + g),
            "You took the whole weight. What is its component along the rod?",
        ),
        Misconception(
            m * l * u**2,
            "That is the centripetal force alone. What is the component of the weight?",
        ),
    ),
    section="Forces that drop out, and how to recover them",
    lesson="An auxiliary speed is always zero, but it adds an equation for the force you need.",
)


# ---- kane-6: the double pendulum's coupling

coupling = Exercise(
    name="kane-6",
    answer=Expression(m_2 * l_1 * l_2 * sm.cos(theta_1 - theta_2), units=UNITS),
    misconceptions=(
        Misconception(
            m_2 * l_1 * l_2,
            "The two partial velocities are not parallel. What is their dot product?",
        ),
        Misconception(
            m_2 * l_1 * l_2 * sm.sin(theta_1 - theta_2),
            "If the rods are parallel, so are the partial velocities. When is the product largest?",
        ),
        Misconception(
            m_2 * l_1 * l_2 * sm.cos(theta_2),
            "You measured the second angle from the first rod. From where is it measured here?",
        ),
        Misconception(
            2 * m_2 * l_1 * l_2 * sm.cos(theta_1 - theta_2),
            "M is symmetric. How many times does the product appear in each corner?",
        ),
        Misconception(
            sm.Integer(0),
            "Both speeds move the second bob. What is the dot product of its partial velocities?",
        ),
    ),
    section="Three roads to the double pendulum",
    lesson="M contains the dot products of the partial velocities, weighted by the masses.",
)


# ---- kane-7: a speed that is not a derivative

third_speed = Exercise(
    name="kane-7",
    answer=Expression(
        q_1.diff(t) * sm.cos(q_2), named=(q_1, q_2.diff(t), q_3, q_3.diff(t)), units=UNITS
    ),
    misconceptions=(
        Misconception(
            q_1.diff(t),
            "That is right for an upright disk. When it leans, what is the component of the "
            "vertical along L_z?",
        ),
        Misconception(
            q_1.diff(t) * sm.sin(q_2),
            "That is the component of the yaw along the axle. What is it along L_z?",
        ),
        Misconception(
            q_3.diff(t) + q_1.diff(t) * sm.sin(q_2),
            "That is the component along the axle, u_2. Which axis belongs to u_3?",
        ),
        Misconception(
            q_2.diff(t),
            "That is the component along the heading, u_1. Which axis belongs to u_3?",
        ),
        Misconception(
            q_1.diff(t) * sm.cos(q_2) + q_3.diff(t),
            "The spin is about the axle. What is the angle between the axle and L_z?",
        ),
    ),
    section="A disk that rolls",
    lesson="u_3 is not the derivative of any coordinate: it is a quasi-velocity.",
)


# ---- kane-8: the acceleration constraint

once_more = Exercise(
    name="kane-8",
    answer=Equation(
        x * v_x.diff(t) + y * v_y.diff(t) + v_x**2 + v_y**2,
        means={
            x.diff(t): v_x,
            x.diff(t, 2): v_x.diff(t),
            y.diff(t): v_y,
            y.diff(t, 2): v_y.diff(t),
        },
        units=UNITS,
    ),
    misconceptions=(
        Misconception(
            x * v_x.diff(t) + y * v_y.diff(t),
            "The product rule has a second term: how fast do x and y themselves change?",
        ),
        Misconception(
            v_x * v_x.diff(t) + v_y * v_y.diff(t),
            "That says that the speed is constant. What is the derivative of x v_x + y v_y?",
        ),
        Misconception(
            x * v_x.diff(t) + y * v_y.diff(t) + 2 * v_x**2 + 2 * v_y**2,
            "The factor 2 is too much. How many squares does the derivative of x v_x contain?",
        ),
        Misconception(
            x * v_x + y * v_y, "That is the velocity constraint itself. What is its derivative?"
        ),
    ),
    section="Too many coordinates",
    lesson="The two squares are l times the centripetal acceleration.",
)


# ---- kane-9: a cart with a pendulum, from scratch

M = sm.Symbol("M", positive=True)
s, F = me.dynamicsymbols("s F")


def cart(
    pushed: Any = F, turned: Any = 0, mass: Any = M, carried: Any = 1, gravity: Any = g
) -> tuple[EquationsOfMotion, dict[str, sm.Expr]]:
    """Return a cart with a pendulum and its outputs; arguments introduce mistakes."""
    rates = carried * s.diff() + l * sm.cos(theta) * theta.diff(), l * sm.sin(theta) * theta.diff()
    kinetic = (mass * s.diff() ** 2 + m * (rates[0] ** 2 + rates[1] ** 2)) / 2
    height = -l * sm.cos(theta)
    potential = m * gravity * height
    forces = {s: pushed, theta: turned}
    outputs = {"x_c": s, "x_p": s + l * sm.sin(theta), "y_p": height, "E": kinetic + potential}
    return EquationsOfMotion.from_lagrangian(kinetic, potential, [s, theta], forces), outputs


def cart_by_vectors() -> Any:
    """Return a cart with a pendulum from SymPy's class, its angle measured from upright."""
    q, v, turn, F = me.dynamicsymbols("q v w F")
    s, (mass_c, mass_p) = me.dynamicsymbols("s"), sm.symbols("M m")
    N, A, C = me.ReferenceFrame("N"), me.ReferenceFrame("A"), me.Point("C")
    A.orient_axis(N, q, N.z)
    A.set_ang_vel(N, turn * N.z)
    C.set_vel(N, v * N.x)
    P = C.locatenew("P", l * A.y)
    P.v2pt_theory(C, N, A)
    method = me.KanesMethod(N, [s, q], [v, turn], kd_eqs=[s.diff() - v, q.diff() - turn])
    bodies = [me.Particle("C", C, mass_c), me.Particle("P", P, mass_p)]
    method.kanes_equations(bodies, [(C, F * N.x), (P, -mass_p * g * N.y)])
    energy = sum(body.kinetic_energy(N) for body in bodies) + mass_p * g * l * sm.cos(q)
    positions = {"x_c": s, "x_p": s - l * sm.sin(q), "y_p": l * sm.cos(q)}
    return method, {**positions, "E": energy}


from_scratch = Exercise(
    name="kane-9",
    answer=Machine(
        cart,
        values={"M": 2.0, "m": 0.7, "l": 1.3, "g": 9.81, "F": 4.0},
        start={"theta": 1.0},
        rests={"hanging still": {"theta": 0.0}, "upright": {"theta": np.pi}},
        units={"x_c": "m", "x_p": "m", "y_p": "m", "E": "J", "F": "N"},
        energies=["E"],
    ),
    misconceptions=(
        Misconception(
            lambda: cart(pushed=0),
            "Nothing pushes your cart. Is F among the loads, at the cart's point?",
        ),
        Misconception(
            lambda: cart(turned=F * l * sm.cos(theta)),
            "Your F acts on the rod as well. At which point does it act?",
        ),
        Misconception(
            lambda: cart(carried=0),
            "Your bob does not move with the cart. What is its velocity when the rod does not "
            "rotate?",
        ),
        Misconception(
            lambda: cart(mass=M + m),
            "You counted the bob's mass twice. The bob's velocity already includes the cart's, so "
            "which mass belongs to the cart alone?",
        ),
        Misconception(
            lambda: cart(gravity=-g),
            "Your bob falls upward. If y points up, in which direction does the weight act?",
        ),
        Misconception(
            lambda: cart(gravity=0),
            "Nothing pulls your bob back when it is displaced. Is its weight among the loads?",
        ),
    ),
    section="A machine of your own",
    lesson="Your equations are right in your own coordinates: only the motion is compared.",
    forms=(cart_by_vectors,),
)


# ---- kane-10: the disc's third equation

third_row = Exercise(
    name="kane-10",
    answer=Expression(u_1 * (u_3 * sm.tan(q_2) - 2 * u_2), units=UNITS),
    misconceptions=(
        Misconception(
            u_1 * (2 * u_2 - u_3 * sm.tan(q_2)),
            "The sign is wrong. The derivative of the angular momentum along L_z is zero. What is "
            "the derivative of u_3 then?",
        ),
        Misconception(
            u_1 * (u_3 * sm.tan(q_2) - u_2),
            "About the axle, the moment of inertia is twice the moment about a diameter. Where "
            "does it enter?",
        ),
        Misconception(
            -2 * u_1 * u_2,
            "You left out a component of the frame's angular velocity. What is it along the axle?",
        ),
        Misconception(
            -u_1 * u_2,
            "You let the axes rotate with the disk. Does the frame L spin?",
        ),
        Misconception(
            sm.Integer(0),
            "The axes rotate, so there is a cross product. Which components of the angular "
            "momentum enter it?",
        ),
    ),
    section="A disk that rolls",
    lesson="This speed does not move the center, so only the angular momentum matters.",
    facts=lambda: (
        f"the moment of inertia is {['', '', 'twice'][round((1 / 2) / (1 / 4))]} the moment about",
    ),
)


# ---- kane-11: the force of the table

table = Exercise(
    name="kane-11",
    answer=Expression(
        m * (g - r * (u_1.diff(t) * sm.sin(q_2) + u_1**2 * sm.cos(q_2))),
        named=(u_2, u_3),
        units=UNITS,
    ),
    misconceptions=(
        Misconception(
            m * g,
            "That holds if the center stays at its height. How does the height depend on the lean?",
        ),
        Misconception(
            m * (g - r * u_1.diff(t) * sm.sin(q_2)),
            "A term is missing. When you differentiate the height twice, how does sin q_2 change?",
        ),
        Misconception(
            m * (g + r * (u_1.diff(t) * sm.sin(q_2) + u_1**2 * sm.cos(q_2))),
            "The sign is wrong. If the center accelerates downward, is the force larger or smaller "
            "than the weight?",
        ),
        Misconception(
            m * g * sm.cos(q_2),
            "That has no acceleration in it. What is the vertical acceleration of the center?",
        ),
        Misconception(
            m * (g + r * (u_1.diff(t) * sm.cos(q_2) - u_1**2 * sm.sin(q_2))),
            "You differentiated r sin q_2. At which height is the center?",
        ),
    ),
    section="A disk that rolls",
    lesson="The force dropped out of all three equations; an auxiliary speed brings it back.",
)


# ---- kane-12: as fast as the table holds

RADIUS, AROUND, GRIP = 0.5, 2.0, 0.3


def circling(slope: float = 1.5, lever: float = 1.25, inward: float = 1.0) -> float:
    """Return the lean [deg] in a circle at the limit of grip; arguments introduce mistakes.

    It solves tan(lean) (R - inward r sin lean) = grip (slope R - lever r sin lean) by bisection.
    """

    def tips(lean: float) -> float:
        reach = AROUND - inward * RADIUS * math.sin(lean)
        return math.tan(lean) * reach - GRIP * (slope * AROUND - lever * RADIUS * math.sin(lean))

    low, high = 0.0, 1.4
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if tips(middle) > 0 else (middle, high)
    return math.degrees(low)


def lean_of_disc(radius: float, around: float, grip: float) -> float:
    """Return the lean [deg] at which the model of a disk circles at the limit of grip."""
    from scipy.optimize import brentq

    equations = rolling_disc()
    rates = equations.with_parameters({"r": radius}).compile()

    def off(lean: Any) -> Any:
        yaw = math.sqrt(grip * 9.81 / (around - radius * math.sin(lean)))
        spin = yaw * around / radius - yaw * math.sin(lean)
        return rates(0.0, [0, lean, 0, 0, 0, 0, spin, -yaw * math.cos(lean)])[5]

    return math.degrees(float(brentq(off, 0.05, 1.2)))


def leans_more() -> float:
    """Return how much more a disk leans than a sled does, as a fraction."""
    return lean_of_disc(0.4, 3.0, 0.3) / math.degrees(math.atan(0.3)) - 1


grip = Exercise(
    name="kane-12",
    answer=Number(circling(), "degrees", digits=3),
    misconceptions=(
        Misconception(
            circling(slope=1.0, lever=1.0),
            "That is the lean of a sled. The disk also has angular momentum: what does the "
            "first equation say about both speeds?",
        ),
        Misconception(
            circling(inward=0.0),
            "The center is not above the contact, because the disk leans inward. What is the "
            "radius of its circle?",
        ),
        Misconception(
            circling(lever=-0.25),
            "You took the spin as the whole angular velocity along the axle. Which component of "
            "the yaw opposes it?",
        ),
        Misconception(
            90.0 - circling(),
            "That is the angle from horizontal. From where is the lean measured?",
        ),
    ),
    section="A disk that rolls",
    lesson="It leans half as much again as a sled would: its spin must change direction, too.",
    asked=(r"radius of ([\d.]+) m, .*a radius of (\d+) m\..* exceed ([\d.]+) times", lean_of_disc),
    facts=lambda: (f"leans {['as much', 'half'][round(2 * leans_more())]} as much again as",),
)


# ---- kane-13: a program that inserts the constraint too soon

bugs = Choice(
    "e",
    {
        "a": "the equation of the blade is missing",
        "b": "the constraint is differentiated as if the heading were constant",
        "c": "the equation of the dependent speed is not added to the other",
        "d": "there is friction along the blade",
        "e": "the constraint is inserted into the energy before Lagrange differentiates it",
        "f": "the center of mass is ahead of the blade, not at it",
    },
)
_MASS, _MOMENT = 60.0, 1.5


def suspect(heading: float, speed: float, turning: float) -> tuple[float, float]:
    """Return the accelerations of a skate on level ice, from a program with a bug.

    Parameters
    ----------
    heading : float
        From the x axis, counterclockwise [rad].
    speed : float
        Along the blade [m/s].
    turning : float
        Angular velocity [rad/s].

    Returns
    -------
    (float, float)
        The derivatives of the speed [m/s²] and of the angular velocity [rad/s²].
    """
    slope = math.tan(heading)
    return 0.0 - speed * turning * slope, _MASS / _MOMENT * speed**2 * slope


def two_skates(chosen: str) -> str:
    """Draw the path of a skate on level ice according to the program, and the true path."""
    times = np.linspace(0, 2, 201)
    curves = {}

    def by_program(_: float, x: Any) -> Any:
        return np.array(
            [x[3] * math.cos(x[2]), x[3] * math.sin(x[2]), x[4], *suspect(x[2], x[3], x[4])]
        )

    def gliding(_: float, x: Any) -> Any:
        return np.array([x[3] * math.cos(x[2]), x[3] * math.sin(x[2]), x[4], 0.0, 0.0])

    for label, rates in {"program": by_program, "true motion": gliding}.items():
        run = integrate(rates, times, [0.0, 0.0, math.radians(-10), 1.0, 0.0])
        curves[label] = run.x[:, 0], run.x[:, 1]
    ax = plot_curves("x [m]", "y [m]", curves, bugs.verdict(chosen), marker="")
    return figure_as_html(
        ax.figure,
        "Path on level ice, y against x, of a skate that starts without rotation: the true path "
        "is a straight line; the path of the program bends, although nothing turns the skate.",
    )


find_the_bug = Exercise(
    name="kane-13",
    answer=bugs,
    misconceptions=(
        Misconception(
            "a",
            "Without the blade, no force would act on the skate. What would then turn it in the "
            "second row?",
        ),
        Misconception(
            "b",
            "That would change how the velocity rotates, not the heading. Why is there an angular "
            "acceleration in the second row?",
        ),
        Misconception(
            "c",
            "Then the angular velocity would still be constant. What is its derivative in the last "
            "row?",
        ),
        Misconception("d", "Friction dissipates energy. What does the power column say?"),
        Misconception(
            "f",
            "Then a skate rotating on the spot would accelerate. What does the third row say?",
        ),
    ),
    section="Too many speeds: a skate",
    lesson="Energy and constraint are both satisfied, and the motion is still wrong. Kane's method "
    "takes the dot product first, and inserts the constraint afterward.",
    reveal=two_skates,
    curves={
        "program": (
            "the path of the program bends",
            lambda c: np.ptp(np.diff(c.y) / np.diff(c.x)) > 0.1,
        ),
        "true motion": (
            "the true path is a straight line",
            lambda c: np.allclose(c.y, c.x * math.tan(math.radians(-10)), atol=1e-9),
        ),
    },
)


# ---- kane-15: the largest force of the blade

beta = sm.Symbol("beta", positive=True)

largest_force = Exercise(
    name="kane-15",
    answer=Expression(3 * m * g * sm.sin(beta), units=UNITS),
    misconceptions=(
        Misconception(
            m * g * sm.sin(beta),
            "That is the force at the start, at rest. How fast is the skate at the lowest point?",
        ),
        Misconception(
            2 * m * g * sm.sin(beta),
            "That only bends the path. Which component of the weight does the blade also hold?",
        ),
        Misconception(
            3 * m * g,
            "That would be on a vertical wall. Which component of the weight acts along the slope?",
        ),
        Misconception(
            -3 * m * g * sm.sin(beta),
            "That is the component along the normal of the blade. What is its magnitude?",
        ),
    ),
    section="Too many speeds: a skate",
    lesson="It does not depend on the angular velocity: with less of it, the skate slides farther.",
)


# ---- kane-14: Chaplygin's sleigh, from scratch

v, omega, phi = me.dynamicsymbols("v omega phi")
J, a = sm.symbols("J a", positive=True)


def sleigh(
    pushed: Any = F, ahead: Any = a, moment: Any = J, bends: Any = 1, turns: Any = 1
) -> tuple[EquationsOfMotion, dict[str, sm.Expr]]:
    """Return a sleigh with a blade and its outputs; arguments introduce mistakes."""
    about_blade = moment + m * ahead**2
    equations = EquationsOfMotion(
        (x, y, phi),
        (v, omega),
        sm.diag(m, about_blade),
        sm.Matrix([pushed + bends * m * ahead * omega**2, -turns * m * ahead * v * omega]),
        sm.Matrix([[sm.cos(phi), 0], [sm.sin(phi), 0], [0, 1]]),
    )
    energy = m * v**2 / 2 + about_blade * omega**2 / 2
    return equations, {"x_b": x, "y_b": y, "phi": phi, "E": energy}


def sleigh_without_blade() -> tuple[EquationsOfMotion, dict[str, sm.Expr]]:
    """Return the same sleigh without the constraint, so that it slides sideways."""
    center = sm.Matrix([x + a * sm.cos(phi), y + a * sm.sin(phi)])
    velocity = center.diff(t)
    energy = m * velocity.dot(velocity) / 2 + J * phi.diff(t) ** 2 / 2
    forces = {x: F * sm.cos(phi), y: F * sm.sin(phi)}
    equations = EquationsOfMotion.from_lagrangian(energy, 0, [x, y, phi], forces)
    return equations, {"x_b": x, "y_b": y, "phi": phi, "E": energy}


def sleigh_by_bodies() -> Any:
    """Return a sleigh from its body, with the heading measured from the y axis."""
    X, Y, angle, v, w, F = me.dynamicsymbols("X Y angle v w F")
    m, J, a = sm.symbols("m J a")
    N, B, O = me.ReferenceFrame("N"), me.ReferenceFrame("B"), me.Point("O")
    B.orient_axis(N, angle, N.z)
    B.set_ang_vel(N, w * N.z)
    O.set_vel(N, v * B.y)
    G = O.locatenew("G", a * B.y)
    G.v2pt_theory(O, N, B)
    body = me.RigidBody("sleigh", G, B, m, (me.inertia(B, 0, 0, J), G))
    equations = EquationsOfMotion.from_bodies(
        [body],
        [X, Y, angle],
        N,
        [(O, F * B.y)],
        u=[v, w],
        kinematic_matrix=sm.Matrix([[-sm.sin(angle), 0], [sm.cos(angle), 0], [0, 1]]),
    )
    pose = {"x_b": X, "y_b": Y, "phi": angle + sm.pi / 2}
    return equations, pose | {"E": body.kinetic_energy(N)}


sleigh_from_scratch = Exercise(
    name="kane-14",
    answer=Machine(
        sleigh,
        values={"m": 1.7, "J": 0.6, "a": 0.4, "F": 2.3},
        start={"phi": 0.5, "v": 1.0, "omega": 1.5},
        units={"x_b": "m", "y_b": "m", "phi": "rad", "E": "J", "F": "N"},
        energies=["E"],
    ),
    misconceptions=(
        Misconception(
            lambda: sleigh(bends=0, turns=0),
            "In your sleigh, v and omega are not coupled. That happens if you use v as the "
            "derivative of a coordinate in Lagrange's equations. How does the center of mass "
            "accelerate while the sleigh rotates?",
        ),
        Misconception(
            lambda: sleigh(ahead=-a),
            "Your center of mass is behind the blade. In which direction is ahead?",
        ),
        Misconception(
            lambda: sleigh(moment=J - m * a**2),
            "J is the moment about the center of mass, not about the blade. What does the "
            "center's own velocity add?",
        ),
        Misconception(
            lambda: sleigh(pushed=0),
            "Nothing pushes your sleigh. Is F among the loads, at the blade?",
        ),
        Misconception(
            lambda: sleigh(pushed=F * sm.cos(phi)),
            "Your F always points along the x axis. What is the direction of the blade?",
        ),
        Misconception(
            sleigh_without_blade,
            "Your sleigh slides sideways. How many speeds remain if the blade allows no velocity "
            "across it?",
        ),
    ),
    section="A machine of your own",
    lesson="One speed fewer than coordinates, and no multiplier: the blade's force drops out.",
    forms=(sleigh_by_bodies,),
)


EXERCISES = (
    active_force,
    slower,
    rod,
    hinge,
    tension,
    coupling,
    third_speed,
    third_row,
    table,
    grip,
    once_more,
    largest_force,
    find_the_bug,
    from_scratch,
    sleigh_from_scratch,
)
