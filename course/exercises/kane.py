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
            "Displaced to the right, the weight turns the rod back: look at the sign of the dot "
            "product.",
        ),
        Misconception(
            -m * g * sm.sin(theta),
            "That is the force along the path. The partial velocity has the length l.",
        ),
        Misconception(
            -m * g * l * sm.cos(theta),
            "Hanging still, the weight does not turn the rod. Does yours?",
        ),
        Misconception(
            -m * g * l,
            "Only the part of the weight along the partial velocity counts: take the dot product.",
        ),
        Misconception(
            -m * g * l * u * sm.sin(theta),
            "That is the power. The partial velocity is what stands in front of u.",
        ),
    ),
    section="The pendulum, step by step",
    lesson="It is the torque of the weight about the pivot: force times arm, without a free body.",
)


# ---- kane-2: with another speed

slower = Exercise(
    name="kane-2",
    answer=Expression(-g * sm.sin(theta), named=(l, m), units=UNITS),
    misconceptions=(
        Misconception(
            -g / l * sm.sin(theta),
            "That is the angular acceleration. Now u is the speed along the path.",
        ),
        Misconception(
            -g * l * sm.sin(theta),
            "Work the partial velocity out again: the velocity is u times which vector?",
        ),
        Misconception(
            g * sm.sin(theta),
            "The sign: to the right of the pivot the bob is pulled back.",
        ),
        Misconception(
            -m * g * sm.sin(theta),
            "Divide by what stands before the derivative of u: the mass.",
        ),
    ),
    section="Another speed for the same motion",
    lesson="Another scale, the same motion: the choice of speeds changes the equations, not the "
    "physics.",
)


# ---- kane-3: a rod

rod = Exercise(
    name="kane-3",
    answer=Expression(-m * l**2 / 3 * u.diff(t), units=UNITS),
    misconceptions=(
        Misconception(
            -m * l**2 / 4 * u.diff(t),
            "That is the part of the center of mass. The rod also turns: add the inertia torque "
            "-I α times the partial angular velocity.",
        ),
        Misconception(
            -m * l**2 / 12 * u.diff(t),
            "That is the part of the turning. The center of mass moves as well.",
        ),
        Misconception(
            m * l**2 / 3 * u.diff(t),
            "The inertia force points against the acceleration.",
        ),
        Misconception(
            -m * l**2 * u.diff(t),
            "That is for all the mass at the end.",
        ),
    ),
    section="Another speed for the same motion",
    lesson="¼ from moving and 1/12 from turning: the parallel-axis theorem, found without it.",
    facts=lambda: (f"¼ from moving and {sm.Rational(1, 3) - sm.Rational(1, 4)} from turning",),
)


# ---- kane-4: the hinge

of_the_hinge = Choice(
    "c",
    {
        "a": "it adds the tension times l",
        "b": "it adds the tension times cos θ",
        "c": "nothing, for the pivot's partial velocity is zero",
        "d": "nothing, for the force of the hinge is zero",
    },
)


@cache
def pull_while_swinging() -> tuple[Any, Any]:
    """Return times, and the force of the hinge along the rod: 1 kg on 1 m, released level."""
    run = integrate(pendulum().free().compile(), np.linspace(0, 5, 501), [np.pi / 2, 0.0])
    return run.t, run.x[:, 1] ** 2 + 9.81 * np.cos(run.x[:, 0])


def force_of_the_hinge(chosen: str) -> str:
    """Draw the force of the hinge along the rod while the pendulum swings."""
    times, pull = pull_while_swinging()
    quantity, verdict = "force of the hinge [N]", of_the_hinge.verdict(chosen)
    ax = plot_curves("time [s]", quantity, {"": (times, pull)}, verdict, marker="")
    return figure_as_html(
        ax.figure,
        "Force of the hinge along the rod against time, for 1 kg released at 90 degrees: between "
        f"nothing at the turning points and {pull.max():.1f} N, three times the weight, at the "
        "lowest point.",
    )


hinge = Exercise(
    name="kane-4",
    answer=of_the_hinge,
    misconceptions=(
        Misconception("a", "The tension acts at right angles to every motion that u allows."),
        Misconception(
            "b", "The force of the hinge acts at the pivot. How fast does that point move?"
        ),
        Misconception(
            "d",
            "At times it is three times the weight, see the figure, and yet it does not count.",
        ),
    ),
    section="Forces that drop out, and how to see them all the same",
    lesson="A large force that does no work: that is why Kane never has to know it.",
    reveal=force_of_the_hinge,
    curves={
        "": (
            "between nothing at the turning points and 29.4 N, three times the weight",
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
            "So it would be at rest. The bob goes around a circle: add what bends its path.",
        ),
        Misconception(
            m * (g * sm.cos(theta) - l * u**2),
            "At the lowest point the rod must carry the weight *and* bend the path upward.",
        ),
        Misconception(
            m * (u**2 / l + g * sm.cos(theta)),
            "u is the angular velocity: the acceleration toward the pivot is l u².",
        ),
        Misconception(
            m * (l * u**2 + g),
            "Only the part of the weight along the rod pulls at it.",
        ),
        Misconception(m * l * u**2, "That bends the path. Along the rod there is weight as well."),
    ),
    section="Forces that drop out, and how to see them all the same",
    lesson="One more speed, zero for ever, one more equation: that of the force you ask for.",
)


# ---- kane-6: the double pendulum's coupling

coupling = Exercise(
    name="kane-6",
    answer=Expression(m_2 * l_1 * l_2 * sm.cos(theta_1 - theta_2), units=UNITS),
    misconceptions=(
        Misconception(
            m_2 * l_1 * l_2,
            "The two partial velocities make an angle with each other: take their dot product.",
        ),
        Misconception(
            m_2 * l_1 * l_2 * sm.sin(theta_1 - theta_2),
            "Parallel rods have parallel partial velocities: then the product is largest.",
        ),
        Misconception(
            m_2 * l_1 * l_2 * sm.cos(theta_2),
            "You took the second angle from the first rod: here both are from the vertical.",
        ),
        Misconception(
            2 * m_2 * l_1 * l_2 * sm.cos(theta_1 - theta_2),
            "M is symmetric: each of its two corners holds the product once.",
        ),
        Misconception(sm.Integer(0), "The second bob moves with both speeds, so they are coupled."),
    ),
    section="Three roads to the double pendulum",
    lesson="M holds the dot products of partial velocities, weighted with masses.",
)


# ---- kane-7: a speed that is no rate

third_speed = Exercise(
    name="kane-7",
    answer=Expression(
        q_1.diff(t) * sm.cos(q_2), named=(q_1, q_2.diff(t), q_3, q_3.diff(t)), units=UNITS
    ),
    misconceptions=(
        Misconception(
            q_1.diff(t),
            "Upright, yes. Leaning, the vertical is no longer along the steepest radius.",
        ),
        Misconception(
            q_1.diff(t) * sm.sin(q_2),
            "That is the vertical's part along the axle. Let the disc stand upright and turn.",
        ),
        Misconception(
            q_3.diff(t) + q_1.diff(t) * sm.sin(q_2), "That is the part along the axle, u_2."
        ),
        Misconception(q_2.diff(t), "That is the part along the heading, u_1."),
        Misconception(
            q_1.diff(t) * sm.cos(q_2) + q_3.diff(t),
            "The spin is about the axle, and that is at right angles to every radius.",
        ),
    ),
    section="A disc that rolls",
    lesson="No coordinate has this as its derivative: u_3 is a speed, and nothing but a speed.",
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
            "Product rule: the coordinates change as well, with the speeds v_x and v_y.",
        ),
        Misconception(
            v_x * v_x.diff(t) + v_y * v_y.diff(t),
            "That says that the speed stays constant. Differentiate x v_x + y v_y.",
        ),
        Misconception(
            x * v_x.diff(t) + y * v_y.diff(t) + 2 * v_x**2 + 2 * v_y**2,
            "Each product gives the square of its speed once.",
        ),
        Misconception(
            x * v_x + y * v_y, "That is the velocity constraint. Differentiate it once more."
        ),
    ),
    section="Too many coordinates",
    lesson="The squares are the centripetal acceleration, times l: no constraint without them.",
)


# ---- kane-9: a cart with a pendulum, from scratch

M = sm.Symbol("M", positive=True)
s, F = me.dynamicsymbols("s F")


def cart(
    pushed: Any = F, turned: Any = 0, mass: Any = M, carried: Any = 1, gravity: Any = g
) -> tuple[EquationsOfMotion, dict[str, sm.Expr]]:
    """Return a cart with a pendulum and its outputs, right unless something is given."""
    rates = carried * s.diff() + l * sm.cos(theta) * theta.diff(), l * sm.sin(theta) * theta.diff()
    kinetic = (mass * s.diff() ** 2 + m * (rates[0] ** 2 + rates[1] ** 2)) / 2
    height = -l * sm.cos(theta)
    potential = m * gravity * height
    forces = {s: pushed, theta: turned}
    outputs = {"x_c": s, "x_p": s + l * sm.sin(theta), "y_p": height, "E": kinetic + potential}
    return EquationsOfMotion.from_lagrangian(kinetic, potential, [s, theta], forces), outputs


def cart_by_vectors() -> Any:
    """Return a cart with a pendulum by SymPy's class, the angle from straight up."""
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
    places = {"x_c": s, "x_p": s - l * sm.sin(q), "y_p": l * sm.cos(q)}
    return method, {**places, "E": energy}


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
            "Nothing pushes your cart: F belongs among the loads, at the cart's point.",
        ),
        Misconception(
            lambda: cart(turned=F * l * sm.cos(theta)),
            "Your F pulls at the bob. It pushes the cart, and turns no rod.",
        ),
        Misconception(
            lambda: cart(carried=0),
            "The cart carries the pivot along: the bob's velocity is that of the pivot plus that "
            "around it.",
        ),
        Misconception(
            lambda: cart(mass=M + m),
            "The bob's mass is counted again with the cart's. The velocity of the bob has the "
            "cart's in it already.",
        ),
        Misconception(
            lambda: cart(gravity=-g),
            "It falls up from where it should hang: which way does the weight point, if y is up?",
        ),
        Misconception(
            lambda: cart(gravity=0),
            "Nothing brings your bob back when it is moved aside: its weight is a load, too.",
        ),
    ),
    section="A machine of your own",
    lesson="In your coordinates as in others, it does what the machine does. That is what counts.",
    forms=(cart_by_vectors,),
)


# ---- kane-10: the disc's third equation

third_row = Exercise(
    name="kane-10",
    answer=Expression(u_1 * (u_3 * sm.tan(q_2) - 2 * u_2), units=UNITS),
    misconceptions=(
        Misconception(
            u_1 * (2 * u_2 - u_3 * sm.tan(q_2)),
            "The rate of the angular momentum is zero, so its two parts are opposite: look at the "
            "sign again.",
        ),
        Misconception(
            u_1 * (u_3 * sm.tan(q_2) - u_2),
            "About the axle the moment of inertia is twice that about a diameter.",
        ),
        Misconception(
            -2 * u_1 * u_2,
            "You turned the components with the heading alone. The frame L has a part along the "
            "axle as well.",
        ),
        Misconception(
            -u_1 * u_2,
            "You let the axes turn with the disc's own angular velocity. They turn with the frame "
            "L, which does not spin.",
        ),
        Misconception(
            sm.Integer(0),
            "The axes turn, and the angular momentum has parts along the other two: there is a "
            "cross product.",
        ),
    ),
    section="A disc that rolls",
    lesson="No force and no weight, for this speed moves no center: angular momentum alone.",
    facts=lambda: (
        f"the moment of inertia is {['', '', 'twice'][round((1 / 2) / (1 / 4))]} that about",
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
            "So it would be if the center kept its height. While the lean changes, it does not.",
        ),
        Misconception(
            m * (g - r * u_1.diff(t) * sm.sin(q_2)),
            "Differentiate the height twice: the sine of the lean changes as well.",
        ),
        Misconception(
            m * (g + r * (u_1.diff(t) * sm.sin(q_2) + u_1**2 * sm.cos(q_2))),
            "A center that falls faster and faster needs less force from below than one that "
            "rests.",
        ),
        Misconception(
            m * g * sm.cos(q_2),
            "The table pushes straight up, not along the disc. And what of the acceleration?",
        ),
        Misconception(
            m * (g + r * (u_1.diff(t) * sm.cos(q_2) - u_1**2 * sm.sin(q_2))),
            "The center is at the height r cos q_2: you differentiated r sin q_2.",
        ),
    ),
    section="A disc that rolls",
    lesson="It dropped out of three equations, and one speed that does not happen brings it back.",
)


# ---- kane-12: as fast as the table holds

RADIUS, AROUND, GRIP = 0.5, 2.0, 0.3


def circling(slope: float = 1.5, lever: float = 1.25, inward: float = 1.0) -> float:
    """Return the lean [deg] of a round at the limit of grip, right unless something is given.

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
    """Return the lean [deg] at which a disc's own model rolls around at the limit of grip."""
    from scipy.optimize import brentq

    equations = rolling_disc()
    rates = equations.with_parameters({"r": radius}).compile()

    def off(lean: Any) -> Any:
        yaw = math.sqrt(grip * 9.81 / (around - radius * math.sin(lean)))
        spin = yaw * around / radius - yaw * math.sin(lean)
        return rates(0.0, [0, lean, 0, 0, 0, 0, spin, -yaw * math.cos(lean)])[5]

    return math.degrees(float(brentq(off, 0.05, 1.2)))


def leans_more() -> float:
    """Return by how much more it leans than a sledge, as a share."""
    return lean_of_disc(0.4, 3.0, 0.3) / math.degrees(math.atan(0.3)) - 1


grip = Exercise(
    name="kane-12",
    answer=Number(circling(), "degrees", digits=3),
    misconceptions=(
        Misconception(
            circling(slope=1.0, lever=1.0),
            "So a sledge would lean. The disc carries its angular momentum around as well: put "
            "both speeds into the equation for the lean.",
        ),
        Misconception(
            circling(inward=0.0),
            "The center is not above the contact: it leans inward, and its circle is smaller.",
        ),
        Misconception(
            circling(lever=-0.25),
            "You took the spin alone for the angular velocity along the axle. The yaw has a part "
            "there, too, and it is against the spin.",
        ),
        Misconception(90.0 - circling(), "That is how far from level the disc is."),
    ),
    section="A disc that rolls",
    lesson="It leans half as much again as a sledge would: the table must turn its spin as well.",
    asked=(r"radius of ([\d.]+) m, .*a radius of (\d+) m\..* of ([\d.]+) times", lean_of_disc),
    facts=lambda: (f"leans {['as much', 'half'][round(2 * leans_more())]} as much again as",),
)


# ---- kane-13: a program that has put the constraint in too soon

bugs = Choice(
    "e",
    {
        "a": "the blade does not hold: its equation is missing",
        "b": "the constraint is differentiated as if the heading stayed",
        "c": "the row of the dependent speed is not added to the other",
        "d": "there is friction along the blade",
        "e": "the constraint is put into the energy before Lagrange differentiates it",
        "f": "the center of mass is not at the blade, but ahead of it",
    },
)
_MASS, _MOMENT = 60.0, 1.5


def suspect(heading: float, speed: float, turning: float) -> tuple[float, float]:
    """Return how a skate on level ice speeds up, by a program that has a bug.

    Parameters
    ----------
    heading : float
        From the x axis, counter-clockwise [rad].
    speed : float
        Along the blade [m/s].
    turning : float
        Rate of the heading [rad/s].

    Returns
    -------
    (float, float)
        The rates of the speed [m/s²] and of the turning [rad/s²].
    """
    slope = math.tan(heading)
    return 0.0 - speed * turning * slope, _MASS / _MOMENT * speed**2 * slope


def two_skates(chosen: str) -> str:
    """Draw the paths of a skate on level ice: by the program, and as it glides."""
    times = np.linspace(0, 2, 201)
    curves = {}

    def by_program(_: float, x: Any) -> Any:
        return np.array(
            [x[3] * math.cos(x[2]), x[3] * math.sin(x[2]), x[4], *suspect(x[2], x[3], x[4])]
        )

    def gliding(_: float, x: Any) -> Any:
        return np.array([x[3] * math.cos(x[2]), x[3] * math.sin(x[2]), x[4], 0.0, 0.0])

    for label, rates in {"the program": by_program, "a skate": gliding}.items():
        run = integrate(rates, times, [0.0, 0.0, math.radians(-10), 1.0, 0.0])
        curves[label] = run.x[:, 0], run.x[:, 1]
    ax = plot_curves("x [m]", "y [m]", curves, bugs.verdict(chosen), marker="")
    return figure_as_html(
        ax.figure,
        "Path on level ice, y against x, of a skate that starts straight: a skate goes on "
        "straight; by the program its way bends, although nobody turns it.",
    )


find_the_bug = Exercise(
    name="kane-13",
    answer=bugs,
    misconceptions=(
        Misconception(
            "a",
            "Without the blade nothing would act on it at all. What would then turn the skate in "
            "the second row?",
        ),
        Misconception(
            "b",
            "That changes how the velocity turns, not the heading itself. Look at the rate of "
            "turning in the second row.",
        ),
        Misconception(
            "c",
            "Then the skate would still turn evenly. Look at the last row: how does its turning "
            "change?",
        ),
        Misconception("d", "Friction takes energy. Is any lost, by the column of the power?"),
        Misconception(
            "f",
            "Then a skate that turns on the spot would be thrown forward. Look at the third row.",
        ),
    ),
    section="Too many speeds: a skate",
    lesson="Energy is kept, the constraint is kept, and the motion is wrong. Kane's method takes "
    "the dot product first, and puts the constraint into what is left.",
    reveal=two_skates,
    curves={
        "the program": (
            "by the program its way bends",
            lambda c: np.ptp(np.diff(c.y) / np.diff(c.x)) > 0.1,
        ),
        "a skate": (
            "a skate goes on straight",
            lambda c: np.allclose(c.y, c.x * math.tan(math.radians(-10)), atol=1e-9),
        ),
    },
)


# ---- kane-14: Chaplygin's sleigh, from scratch

v, omega, phi = me.dynamicsymbols("v omega phi")
J, a = sm.symbols("J a", positive=True)


def sleigh(
    pushed: Any = F, ahead: Any = a, moment: Any = J, bends: Any = 1, turns: Any = 1
) -> tuple[EquationsOfMotion, dict[str, sm.Expr]]:
    """Return a sleigh with a blade and its outputs, right unless something is given."""
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


def sledge_without_blade() -> tuple[EquationsOfMotion, dict[str, sm.Expr]]:
    """Return the same sleigh, free to slide sideways."""
    center = sm.Matrix([x + a * sm.cos(phi), y + a * sm.sin(phi)])
    velocity = center.diff(t)
    energy = m * velocity.dot(velocity) / 2 + J * phi.diff(t) ** 2 / 2
    forces = {x: F * sm.cos(phi), y: F * sm.sin(phi)}
    equations = EquationsOfMotion.from_lagrangian(energy, 0, [x, y, phi], forces)
    return equations, {"x_b": x, "y_b": y, "phi": phi, "E": energy}


def sleigh_by_bodies() -> Any:
    """Return a sleigh by its bodies' velocities, with the heading counted from the y axis."""
    X, Y, turned, v, w, F = me.dynamicsymbols("X Y turned v w F")
    m, J, a = sm.symbols("m J a")
    N, B, O = me.ReferenceFrame("N"), me.ReferenceFrame("B"), me.Point("O")
    B.orient_axis(N, turned, N.z)
    B.set_ang_vel(N, w * N.z)
    O.set_vel(N, v * B.y)
    G = O.locatenew("G", a * B.y)
    G.v2pt_theory(O, N, B)
    body = me.RigidBody("sleigh", G, B, m, (me.inertia(B, 0, 0, J), G))
    equations = EquationsOfMotion.from_bodies(
        [body],
        [X, Y, turned],
        N,
        [(O, F * B.y)],
        u=[v, w],
        kinematic_matrix=sm.Matrix([[-sm.sin(turned), 0], [sm.cos(turned), 0], [0, 1]]),
    )
    place = {"x_b": X, "y_b": Y, "phi": turned + sm.pi / 2}
    return equations, place | {"E": body.kinetic_energy(N)}


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
            "Turning and gliding do not know of each other in your sleigh. So it is if the energy "
            "is differentiated by v and omega as if they were rates of coordinates: the center of "
            "mass goes around the blade, and that must show.",
        ),
        Misconception(
            lambda: sleigh(ahead=-a),
            "Your center of mass is behind the blade. It is asked for ahead of it, where the "
            "sleigh is going.",
        ),
        Misconception(
            lambda: sleigh(moment=J - m * a**2),
            "J is the moment about the center of mass. The blade is not there: what does the "
            "center's own velocity add?",
        ),
        Misconception(
            lambda: sleigh(pushed=0),
            "Nothing pushes your sleigh: F belongs among the loads, at the blade.",
        ),
        Misconception(
            lambda: sleigh(pushed=F * sm.cos(phi)),
            "Your F always points along the x axis. It pushes along the blade, wherever that "
            "points.",
        ),
        Misconception(
            sledge_without_blade,
            "Your sleigh slides sideways. The blade allows no velocity across it: one speed fewer.",
        ),
    ),
    section="A machine of your own",
    lesson="A speed fewer than coordinates, and no multiplier: the blade's force dropped out.",
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
    find_the_bug,
    from_scratch,
    sleigh_from_scratch,
)
