"""Mistakes of chapter 1 and their hints."""

import math

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from tests.course.hints import names
from tutlib.mechanics import ConstrainedEquations, EquationsOfMotion

NAMES = names("m l g m_L b k_p k_d theta_d", "theta tau")


def loaded(inertia="m/3 + m_L", weight="(m/2 + m_L)*sin(theta)", torque="tau"):
    return f"({inertia})*l**2*theta_ddot - {torque} + ({weight})*g*l"


def servo(carried="m*g*l*sin(theta)/2", spring="k_p*(theta_d - theta)", brake="-k_d*theta_dot"):
    return f"{spring} + {brake} + {carried}"


def new_rates_first(f, t, x, h):
    angle, rate = x[: len(x) // 2], x[len(x) // 2 :]
    rate = rate + h * f(t, x)[len(x) // 2 :]
    angle = angle + h * f(t, np.hstack([angle, rate]))[: len(x) // 2]
    return np.hstack([angle, rate])


def by_the_middle(f, t, x, h):
    middle = x + f(t, x) * h / 2
    return x + f(t + h / 2, middle) * h


def metronome(turning=(1, 1), weighing=(1, 1), torque=1, both=0):
    """Return a metronome by the angle of its lower mass from the x axis, the energy shifted."""
    q, tau = me.dynamicsymbols("q tau")
    m_1, m_2, l_1, l_2, g = sm.symbols("m_1 m_2 l_1 l_2 g")
    far = l_2 + both * l_1
    inertia = turning[0] * m_1 * l_1**2 + turning[1] * m_2 * far**2
    T = inertia * q.diff() ** 2 / 2
    V = g * (weighing[0] * m_1 * l_1 - weighing[1] * m_2 * l_2) * sm.sin(q) + m_1 * g * l_1
    low, high = ((length * sm.cos(q), length * sm.sin(q)) for length in (l_1, -l_2))
    outputs = dict(zip(("x_1", "y_1", "x_2", "y_2", "E"), (*low, *high, T + V)))
    return EquationsOfMotion.from_lagrangian(T, V, [q], {q: torque * tau}), outputs


def carousel(carried=1, outward=0, falls=1):
    """Return a mass at any place of a plane that turns, and the rod that holds it."""
    r, h = me.dynamicsymbols("r h")
    m, l, g, Omega = sm.symbols("m l g Omega")
    T = m * (r.diff() ** 2 + h.diff() ** 2) / 2
    thrown = {r: m * Omega**2 * (carried * r + outward * l)}
    free = EquationsOfMotion.from_lagrangian(T, falls * m * g * h, [r, h], thrown)
    return ConstrainedEquations(free, [r**2 + h**2 - l**2]), {"r": r, "y": h}


def damped(overshoot):
    """Return the damping ratio of an overshoot, by bisection."""
    low, high = 0.0, 1.0
    while high - low > 1e-15 and (middle := (low + high) / 2) not in (low, high):
        more = math.exp(-math.pi * middle / math.sqrt(1 - middle**2)) > overshoot
        low, high = (middle, high) if more else (low, middle)
    return low


def gains(way=0.4 * math.pi, ratio=None, inertia=8.0, half=1.0, gravity=0.0):
    """Return stiffness and brake for a motor of 100 N·m."""
    stiff = 100 / way
    ratio = damped(0.1) if ratio is None else ratio
    return [stiff, half * 2 * ratio * math.sqrt(inertia * (stiff + gravity))]


RATE = 9.81 / 0.8  # g / l of the short arm
LONG = 9.81 / 2  # of the arm of 2 m

HINTS = {
    "pendulum-1": [
        ("m*g*cos(theta)", "as if the mass were at rest"),
        (
            "m*l*theta_dot**2 - m*g*cos(theta)",
            "your rod would push the mass down",
            "gravity's sign",
        ),
        ("m*l*theta_dot**2 + m*g*sin(theta)", "your rod would carry nothing"),
        ("m*l*theta_dot**2 + m*g", "Only the part of the weight along the rod", "level"),
        ("m*(l*theta_dot)**2 + m*g*cos(theta)", "one of your terms is an energy"),
        ("m*theta_dot**2 + m*g*cos(theta)", "not a rate squared alone"),
        ("m*l*theta_ddot + m*g*cos(theta)", "The angular acceleration speeds the mass up"),
    ],
    "pendulum-2": [
        (loaded(inertia="m/12 + m_L"), "about its center"),
        (loaded("m + m_L", "(m + m_L)*sin(theta)"), "a point mass at the end, for the rod as well"),
        (loaded(weight="(m + m_L)*sin(theta)"), "acts at its center of mass"),
        (loaded(inertia="m + m_L"), "The lever arm of the rod's weight is right"),
        (loaded(weight="-(m/2 + m_L)*sin(theta)"), "it moves up", "sign of gravity"),
        (loaded(weight="(m/2 + m_L)*cos(theta)"), "hang at rest", "which line is the angle"),
        (loaded(torque="(-tau)"), "A positive torque should turn"),
        (loaded(torque="0"), "The motor is missing"),
        (loaded(inertia="m/3"), "has weight in your equation, but no inertia"),
        (loaded(weight="m/2*sin(theta)"), "has inertia in your equation, but no weight"),
        (loaded(weight="(m/2 + m_L)*theta"), "small angles only"),
    ],
    "pendulum-3": [
        (lambda f, t, x, h: f(t, x) + x, "a rate", "Over a step of h seconds"),
        (lambda f, t, x, h: f(t, x) * h, "That is the change"),
        (lambda f, t, x, h: x + f(t, x) * -h, "goes back in time"),
        (lambda f, t, x, h: x + f(t + h, x) * h, "at the start of the step, and so at time t"),
        (new_rates_first, "with the new rate", "(chapter 4)"),
        (by_the_middle, "the middle of the step", "(chapter 4)"),
    ],
    "pendulum-4": [
        ("a", "keep time at any amplitude"),
        ("c", "gravity pulls harder on the way", "at 90°"),
        ("d", "It is faster at the bottom"),
    ],
    "pendulum-5": [
        (math.sqrt(4 * RATE), "the rate at the bottom: how high"),
        (math.sqrt(4 * LONG), "the rate at the bottom, and of the longer arm"),
        (math.sqrt(2 * LONG), "for the arm of 2 m"),
        (math.sqrt(RATE), "Kinetic energy has a factor of one half"),
        (math.sqrt(2 * RATE) * 0.8, "the speed of the mass, in m/s"),
        (math.sqrt(2 * RATE) * 180 / math.pi, "degrees per second"),
    ],
    "pendulum-6": [
        ("[[0, 1], [-g/l, -b/m/l**2]]", "the arm near the bottom"),
        ("[[0, 1], [g/l, -b]]", "Friction is a torque"),
        ("[[0, 1], [g/l, b/m/l**2]]", "Your friction pushes"),
        ("[[0, 1], [g/l, 0]]", "Friction is missing"),
        ("[[0, g/l], [1, -b/m/l**2]]", "Rows and columns are exchanged"),
        ("[[g/l, -b/m/l**2], [0, 1]]", "The rows are exchanged"),
    ],
    "pendulum-7": [
        (servo("m*g*l*sin(theta)"), "a point mass at the end of the arm"),
        (servo("(-m*g*l*sin(theta)/2)"), "pulls along with gravity"),
        (servo("m*g*l*sin(theta_d)/2"), "carries the arm at the goal only"),
        (servo("m*g*l*cos(theta)/2"), "it needs no help there"),
        (servo("0"), "the PD torque alone"),
        (servo(brake="k_d*theta_dot"), "Your brake pushes"),
        (servo(spring="k_p*(theta - theta_d)"), "Your spring pushes away"),
    ],
    "pendulum-8": [
        (2 * 8 / 80, "the brake gets too strong"),
        (80 / 1500, "A factor of two is lost"),
        (2 * 15 / 1500, "the old brake, 15 N·m·s/rad. Here it is 80"),
        (0.05, "the servo is stable, but you may decide more rarely"),
        (1500 / (2 * 80), "Upside down"),
    ],
    "pendulum-9": [
        ([4, 5, 6], "Those are the joints", "the third machine each close a loop"),
        ((5, 5, 6), "Those are the links"),
        ([4, 4, 5], "Each loop took one freedom away"),
        (np.array([4, 3, 4]), "Each loop took two freedoms away", "The two halves"),
        ([3, 2, 3], "what runs along the rail"),
        ([5, 2, 3], "A prismatic joint leaves one translation free"),
    ],
    "pendulum-10": [
        ("a", "without gravity no weight acts at all", "third row"),
        ("b", "torque over acceleration is the inertia", "0.9 kg·m²"),
        ("d", "the rod would turn more slowly", "the third row: does it?"),
        ("e", "In the fourth row nothing acts but friction"),
        ("f", "nine times the second"),
    ],
    "pendulum-11": [
        (gains(way=72), "counts the error in degrees"),
        (gains(way=0.9 * math.pi), "This one hangs: how far"),
        (gains(half=0.5), "A factor of two is lost in the brake"),
        (gains(ratio=0.1), "the overshoot for the damping ratio"),
        (gains(ratio=0.7), "A damping ratio of 0.7 overshoots by less"),
        (gains(inertia=4.0), "the square of the length"),
        (gains(gravity=39.24 * math.cos(0.4 * math.pi)), "gravity adds nothing to it"),
    ],
    "pendulum-12": [
        (lambda: metronome(weighing=(1, -1)), "pulls the rod back to the bottom"),
        (lambda: metronome(weighing=(1, 0)), "has inertia, but no weight"),
        (lambda: metronome(turning=(1, 0)), "has weight, but no inertia"),
        (lambda: metronome((1, 0), (1, 0)), "There are two masses", "from both energies"),
        (lambda: metronome(both=1), "not about the lower mass"),
        (lambda: metronome(turning=(1, -1)), "kinetic energies add up"),
        (lambda: metronome(torque=0), "The motor is missing"),
        (lambda: metronome(torque=-1), "A positive torque should turn"),
    ],
    "pendulum-13": [
        (lambda: carousel(0, 0), "does not know that it is carried around"),
        (lambda: carousel(-1, 0), "pressed to the axis"),
        (lambda: carousel(0, 1), "even when it hangs on the axis"),
        (lambda: carousel(0.5, 0), "a factor of one half too much"),
        (lambda: carousel(1, 0, -1), "falls upward"),
    ],
}
