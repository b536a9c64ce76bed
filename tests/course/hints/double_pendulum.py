"""Mistakes of chapter 2 and their hints."""

import math

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from tests.course.hints import names
from tutlib.mechanics import ConstrainedEquations, EquationsOfMotion

NAMES = names("m_1 m_2 l_1 l_2 g", "theta_1 theta_2 tau_1 tau_2 F_x F_y")
SQUARES = "(l_1*theta_1_dot)**2/2 + (l_2*theta_2_dot)**2/2"
PRODUCT = "l_1*l_2*theta_1_dot*theta_2_dot"
RELATIVE = (
    "m_2*((l_1*theta_1_dot)**2/2 + l_2**2*(theta_1_dot + theta_2_dot)**2/2"
    " + l_1*l_2*theta_1_dot*(theta_1_dot + theta_2_dot)*cos(theta_2))"
)


def second(
    swing="-l_1*theta_1_dot**2*sin(theta_1 - theta_2)",
    weight="g*sin(theta_2)",
    carried="l_1*cos(theta_1 - theta_2)*theta_1_ddot",
):
    """Return what must be zero, divided by m_2 l_2."""
    return f"l_2*theta_2_ddot + {carried} + {swing} + {weight}"


def turning(k):
    return f"l_{k}*(F_x*cos(theta_{k}) + F_y*sin(theta_{k}))"


def bend(x, y):
    return math.pi - math.acos(max(1 - (x**2 + y**2) / 2, -1))


def shoulder(x, y):
    angle = math.atan2(x, -y) - bend(x, y) / 2
    return (angle + math.pi) % (2 * math.pi) - math.pi


def by_plain_arctangent(x, y):
    wrong = shoulder(x, y) + math.pi * (y > 0)
    return (wrong + math.pi) % (2 * math.pi) - math.pi, bend(x, y)


def bent_to_the_other_side(x, y):
    angle = math.atan2(x, -y) + bend(x, y) / 2
    return (angle + math.pi) % (2 * math.pi) - math.pi, -bend(x, y)


def ring(carried=1, twice=0, weighs=1, hangs=1):
    """Return a ring and a mass at any place, the wire and the rod that hold them."""
    a, b, X, Y = me.dynamicsymbols("a b X Y")
    m_0, m, l, g, beta = sm.symbols("m_0 m l g beta")
    ring_square = a.diff() ** 2 + b.diff() ** 2
    mass_square = sum((z.diff() - (1 - carried) * w.diff()) ** 2 for z, w in ((X, a), (Y, b)))
    T = ((m_0 + twice * m) * ring_square + m * mass_square) / 2
    V = weighs * m_0 * g * b + hangs * m * g * Y
    equations = EquationsOfMotion.from_lagrangian(T, V, [a, b, X, Y])
    held = [a * sm.sin(beta) + b * sm.cos(beta), (X - a) ** 2 + (Y - b) ** 2 - l**2]
    outputs = {"x_r": a, "y_r": b, "x_p": X, "y_p": Y, "E": T + V}
    return ConstrainedEquations(equations, held), outputs


def counterweight(inertia=1, coriolis=2, centrifugal=1, side=1):
    """Return two masses on a string by torques and forces, the angle from the x axis."""
    rho, phi = me.dynamicsymbols("rho phi")
    m_1, m_2, c, g = sm.symbols("m_1 m_2 c g")
    v, w = rho.diff(), phi.diff()
    outward = centrifugal * m_2 * rho * w**2 - m_2 * g * sm.sin(phi) - side * m_1 * g
    across = -coriolis * v * w - g * sm.cos(phi)
    M = sm.diag(inertia * m_1 + m_2, rho)
    equations = EquationsOfMotion((rho, phi), (v, w), M, sm.Matrix([outward, across]))
    x, y, height = rho * sm.cos(phi), rho * sm.sin(phi), side * (rho - c)
    E = (inertia * m_1 * v**2 + m_2 * (v**2 + (rho * w) ** 2)) / 2 + g * (m_1 * height + m_2 * y)
    return equations, {"x_2": x, "y_2": y, "y_1": height, "E": E}


SLOW, FAST = (math.sqrt((2 + sign * math.sqrt(2)) * 9.81) for sign in (-1, 1))

HINTS = {
    "double-pendulum-1": [
        (f"m_2*({SQUARES})", "Energies of the two motions do not add up"),
        ("m_2*(l_2*theta_2_dot)**2/2", "hinge moves too"),
        (f"m_2*({SQUARES} + {PRODUCT}*cos(theta_1 + theta_2))", "parallel, at any angle"),
        (f"m_2*({SQUARES} + {PRODUCT}*sin(theta_1 - theta_2))", "Let both rods be parallel: then"),
        (f"m_2*({SQUARES} + {PRODUCT}*cos(theta_1 - theta_2)/2)", "product of both parts twice"),
        (RELATIVE, "the second angle from the first rod"),
    ],
    "double-pendulum-2": [
        (second("l_1*theta_1_dot**2*sin(theta_1 - theta_2)"), "It drags the second one along"),
        (second("0"), "the square of a rate is missing"),
        (second("(-l_1)*theta_2_dot**2*sin(theta_1 - theta_2)"), "Which rate is squared?"),
        (second(weight="g*sin(theta_2)*(m_1 + m_2)/m_2"), "The first mass does not weigh"),
        (second(weight="g*sin(theta_1)"), "by the second rod's own angle"),
        (second(carried="0"), "angular acceleration is missing"),
        (second(weight="(-g)*sin(theta_2)"), "it moves up. Check the sign of gravity"),
        (
            second("l_1*(theta_1_dot*theta_2_dot - theta_1_dot**2)*sin(theta_1 - theta_2)"),
            "A product of both rates is left over", "It appears twice on the way",
        ),
    ],
    "double-pendulum-3": [
        ("m_2*(l_1*l_2)**2*(m_1 + m_2)", "the product of the diagonal alone"),
        (
            "(l_1*l_2)**2*((m_1 + m_2)*m_2 + (m_2*cos(theta_1 - theta_2))**2)",
            "The product of the other diagonal is subtracted",
        ),
        (
            "(l_1*l_2)**2*((m_1 + m_2)*m_2 - m_2**2*cos(theta_1 - theta_2))",
            "stands there twice: it is squared",
        ),
        ("(l_1*l_2)**2*m_2*(m_1 + m_2*cos(theta_1 - theta_2)**2)", "cos² + sin² = 1"),
        ("l_1*l_2*m_2*(m_1 + m_2*sin(theta_1 - theta_2)**2)", "a mass times a length squared"),
    ],
    "double-pendulum-4": [
        ("[tau_1, tau_2]", "for relative angles"),
        ("[tau_1 + tau_2, tau_2]", "To every torque there is an opposite one"),
        ("[tau_1, tau_2 - tau_1]", "does not touch the second rod"),
        ("[-tau_2, tau_2]", "The first motor is missing"),
        ("[tau_1 - tau_2, -tau_2]", "turns the second rod toward positive angles"),
    ],
    "double-pendulum-5": [
        (f"[0, {turning(2)}]", "when the first rod alone turns"),
        (
            "[l_1*(F_x*sin(theta_1) - F_y*cos(theta_1)),"
            " l_2*(F_x*sin(theta_2) - F_y*cos(theta_2))]",
            "the part of the force along the rods",
        ),
        (f"[{turning(1)}/l_1, {turning(2)}/l_2]", "a torque is a force times a length"),
        ("[l_1*F_x*cos(theta_1), l_2*F_x*cos(theta_2)]", "The upward part of the force"),
        (f"[{turning(1)} + {turning(2)}, {turning(2)}]", "relative angles"),
    ],
    "double-pendulum-6": [
        ((2 - math.sqrt(2)) * 9.81, "an eigenvalue"),
        (FAST, "the fast mode"),
        (9.81**0.5, "one pendulum of 1 m"),
        ((9.81 / 2) ** 0.5, "one pendulum of 2 m"),
        (SLOW / math.tau, "swings per second"),
    ],
    "double-pendulum-7": [
        ("a", "in proportion to time"),
        ("c", "How many doublings more are a factor of a million?"),
        ("d", "the rounding of a computer's numbers"),
    ],
    "double-pendulum-8": [
        (by_plain_arctangent, "right below the hinge, and not above"),
        (
            lambda x, y: (math.atan2(x, -y) - bend(x, y) / 2, bend(x, y)),
            "not between -π and π",
        ),
        (bent_to_the_other_side, "bent to the other side"),
        (
            lambda x, y: [shoulder(x, y), shoulder(x, y) + bend(x, y)],
            "Your second angle is from the vertical",
        ),
        (
            lambda x, y: [shoulder(x, y) - math.pi / 2, bend(x, y)],
            "Your first angle is from the horizontal",
        ),
        (lambda x, y: np.array([shoulder(x, y), bend(x, y)]) * 180 / np.pi, "in degrees"),
        (lambda x, y: [math.atan2(x, -y), bend(x, y)], "You point the first rod at the goal"),
    ],
    "double-pendulum-9": [
        ("a", "lost one of its two factors"),
        ("c", "The lever of the weight is the first length"),
        ("d", "count the lengths that each term has left"),
    ],
    "double-pendulum-10": [
        ("a", "a mass that is not 1 kg", "A spring of the same stiffness"),
        ("b", "what turns the mass when the spring gets longer", "the turning loses in two ways"),
        ("c", "Which part of the weight stretches the spring"),
        ("d", "take gravity away and let it go round"),
        ("f", "Which lever has the weight"),
    ],
    "double-pendulum-11": [
        (lambda: ring(carried=0), "The ring carries the mass along"),
        (lambda: ring(twice=1), "The mass counts twice"),
        (lambda: ring(weighs=0), "The ring has a weight of its own"),
        (lambda: ring(hangs=0), "who brings it back to the bottom?"),
    ],
    "double-pendulum-12": [
        (lambda: counterweight(inertia=0), "where is its kinetic energy?"),
        (lambda: counterweight(coriolis=1), "the turning slows down"),
        (lambda: counterweight(centrifugal=0), "even without its weight"),
        (lambda: counterweight(side=-1), "The string keeps its length"),
    ],
    "double-pendulum-13": [
        ([424, 357], "in the other order"),
        ([6.24, 7.41], "asked for each radian"),
        ([357, 955], "by how much must the first link turn?"),
        ([134, 424], "carries the second link, too"),
        ([534, 424], "the elbow is bent"),
        ([448, 424], "in the middle of a link"),
    ],
}  # fmt: skip
