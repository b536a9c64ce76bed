"""Mistakes of chapter 5 and their hints."""

import sympy as sm
import sympy.physics.mechanics as me

from tests.course.hints import names
from tutlib.mechanics import ConstrainedEquations, EquationsOfMotion

NAMES = names("m l g r m_2 l_1 l_2", "theta u theta_1 theta_2 q_1 q_2 q_3 x y v_x v_y u_1 u_2 u_3")
BOTH = "x*v_x_dot + y*v_y_dot"


def cart(pushed=True, speed=1, extra=0, weight=1):
    """Return a cart and a bob at any place, and the rod that binds them: Cartesian coordinates."""
    X, a, b, F = me.dynamicsymbols("X a b F")
    M, m, l, g = sm.symbols("M m l g")
    to_the_right = a.diff() - (1 - speed) * X.diff()
    T = ((M + extra * m) * X.diff() ** 2 + m * (to_the_right**2 + b.diff() ** 2)) / 2
    forces = {X: F} if pushed else {}
    equations = EquationsOfMotion.from_lagrangian(T, weight * m * g * b, [X, a, b], forces)
    loop = ConstrainedEquations(equations, [(a - X) ** 2 + b**2 - l**2])
    return loop, {"x_c": X, "x_p": a, "y_p": b, "E": T + m * g * b}


def pulled_at_the_bob():
    """Return the same in an angle from the rail, with the force at the bob."""
    X, phi, F = me.dynamicsymbols("X phi F")
    time = me.dynamicsymbols._t
    M, m, l, g = sm.symbols("M m l g")
    a, b = X + l * sm.cos(phi), l * sm.sin(phi)
    T = (M * X.diff() ** 2 + m * (a.diff(time) ** 2 + b.diff(time) ** 2)) / 2
    forces = {X: F, phi: -F * l * sm.sin(phi)}
    equations = EquationsOfMotion.from_lagrangian(T, m * g * b, [X, phi], forces)
    return equations, {"x_c": X, "x_p": a, "y_p": b, "E": T + m * g * b}


def sleigh(ahead=1, moment=1, push=1, thrown=1, swerved=1, along=True):
    """Return a sleigh with its two equations the other way around."""
    X, Y, phi, w, n, F = me.dynamicsymbols("X Y phi w n F")
    m, J, a = sm.symbols("m J a")
    arm, at_center = ahead * a, J + (moment - 1) * m * a**2
    force = push * F * (1 if along else sm.cos(phi))
    equations = EquationsOfMotion(
        [X, Y, phi],
        [n, w],
        sm.Matrix([[0, at_center + m * arm**2], [m, 0]]),
        sm.Matrix([-swerved * m * arm * n * w, force + thrown * m * arm * w**2]),
        sm.Matrix([[sm.cos(phi), 0], [sm.sin(phi), 0], [0, 1]]),
    )
    energy = (m * n**2 + (at_center + m * arm**2) * w**2) / 2
    return equations, {"x_b": X, "y_b": Y, "phi": phi, "E": energy}


def sliding():
    """Return the sleigh without its blade, by the place of its center."""
    X, Y, phi, F = me.dynamicsymbols("X Y phi F")
    m, J, a = sm.symbols("m J a")
    T = m * (X.diff() ** 2 + Y.diff() ** 2) / 2 + J * phi.diff() ** 2 / 2
    pushes = {X: F * sm.cos(phi), Y: F * sm.sin(phi)}
    free = EquationsOfMotion.from_lagrangian(T, 0, [X, Y, phi], pushes)
    return free, {"x_b": X - a * sm.cos(phi), "y_b": Y - a * sm.sin(phi), "phi": phi, "E": T}


HINTS = {
    "kane-1": [
        ("g*m*l*sin(theta)", "turns the rod back"),
        ("-g*m*sin(theta)", "The partial velocity has the length l"),
        ("-g*m*l*cos(theta)", "Hanging still"),
        ("-g*m*l", "Only the part of the weight along the partial velocity"),
        ("-g*m*l*sin(theta)*u", "That is the power"),
    ],
    "kane-2": [
        ("-sin(theta)*g/l", "That is the angular acceleration"),
        ("-sin(theta)*g*l", "the velocity is u times which vector?"),
        ("sin(theta)*g", "the bob is pulled back"),
        ("-sin(theta)*g*m", "Divide by what stands before the derivative of u"),
    ],
    "kane-3": [
        ("-m*(l/2)**2*u_dot", "The rod also turns"),
        ("-m*l**2*u_dot/12", "The center of mass moves as well"),
        ("m*l**2*u_dot/3", "points against the acceleration"),
        ("-m*l**2*u_dot", "all the mass at the end"),
    ],
    "kane-4": [
        ("a", "at right angles to every motion"),
        ("b", "acts at the pivot"),
        ("d", "three times the weight, see the figure"),
    ],
    "kane-5": [
        ("g*m*cos(theta)", "So it would be at rest"),
        ("g*m*cos(theta) - m*l*u**2", "bend the path upward"),
        ("g*m*cos(theta) + m*u**2/l", "u is the angular velocity"),
        ("g*m + m*l*u**2", "Only the part of the weight along the rod"),
        ("m*l*u**2", "Along the rod there is weight as well"),
    ],
    "kane-6": [
        ("m_2*l_2*l_1", "make an angle with each other"),
        ("m_2*l_2*l_1*sin(theta_1 - theta_2)", "Parallel rods"),
        ("m_2*l_2*l_1*cos(theta_2)", "You took the second angle from the first rod"),
        ("2*m_2*l_2*l_1*cos(theta_2 - theta_1)", "each of its two corners", "once"),
        ("0", "moves with both speeds"),
    ],
    "kane-7": [
        ("q_1_dot", "Upright, yes"),
        ("q_1_dot*sin(q_2)", "the vertical's part along the axle"),
        ("q_1_dot*sin(q_2) + q_3_dot", "the part along the axle, u_2"),
        ("q_2_dot", "the part along the heading, u_1"),
        ("q_1_dot*cos(q_2) + q_3_dot", "The spin is about the axle"),
    ],
    "kane-8": [
        (BOTH, "Product rule"),
        ("v_x*v_x_dot + v_y*v_y_dot", "the speed stays constant"),
        (f"{BOTH} + 2*(v_x**2 + v_y**2)", "the square of its speed once"),
        ("x*v_x + y*v_y", "the velocity constraint"),
    ],
    "kane-9": [
        (lambda: cart(pushed=False), "Nothing pushes your cart"),
        (pulled_at_the_bob, "Your F pulls at the bob"),
        (lambda: cart(speed=0), "that of the pivot plus that around it"),
        (lambda: cart(extra=1), "counted again with the cart's"),
        (lambda: cart(weight=-1), "falls up from where it should hang"),
        (lambda: cart(weight=0), "Nothing brings your bob back"),
    ],
    "kane-10": [
        ("2*u_1*u_2 - u_1*u_3*tan(q_2)", "look at the sign again"),
        ("u_1*u_3*tan(q_2) - u_1*u_2", "twice that about a diameter"),
        ("-2*u_2*u_1", "turned the components with the heading alone"),
        ("-u_2*u_1", "which does not spin"),
        ("0", "there is a cross product"),
    ],
    "kane-11": [
        ("g*m", "kept its height"),
        ("g*m - m*r*sin(q_2)*u_1_dot", "the sine of the lean changes as well"),
        ("g*m + m*r*(sin(q_2)*u_1_dot + cos(q_2)*u_1**2)", "needs less force from below"),
        ("g*m*cos(q_2)", "straight up, not along the disc"),
        ("g*m + m*r*(cos(q_2)*u_1_dot - sin(q_2)*u_1**2)", "you differentiated r sin q_2"),
    ],
    "kane-12": [
        (16.7, "So a sledge would lean"),
        (22.5, "it leans inward, and its circle is smaller"),
        (27.4, "spin alone for the angular velocity along the axle"),
        (65.4, "from level"),
    ],
    "kane-13": [
        ("a", "What would then turn the skate"),
        ("b", "not the heading itself"),
        ("c", "the skate would still turn evenly"),
        ("d", "Friction takes energy"),
        ("f", "turns on the spot would be thrown forward"),
    ],
    "kane-14": [
        (lambda: sleigh(thrown=0, swerved=0), "do not know of each other"),
        (lambda: sleigh(ahead=-1), "behind the blade"),
        (lambda: sleigh(moment=0), "J is the moment about the center of mass"),
        (lambda: sleigh(push=0), "Nothing pushes your sleigh"),
        (lambda: sleigh(along=False), "always points along the x axis"),
        (sliding, "Your sleigh slides sideways"),
    ],
}
