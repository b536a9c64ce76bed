"""Mistakes of chapter 10 and their hints."""

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from tests.course.hints import names
from tutlib.mechanics import EquationsOfMotion

NAMES = names("M m g", "x l theta")
FREE = names("M m g l")


def work(times, power):
    means = (np.asarray(power)[:-1] + np.asarray(power)[1:]) / 2
    return np.r_[0, np.cumsum(means * np.diff(times))]


def swing_of(M, m, l, g):
    return 2 * np.pi / np.sqrt((M + m) / M * g / l)


def planned(distance, time, mass, push):
    return distance / (time - push) * mass / push, push, time - 2 * push


def drum(wound=1, weight=1, slips=0):
    """Return a mass on a rope around a drum, by the angle from the level."""
    beta = me.dynamicsymbols("beta")
    m, g, r, free = sm.symbols("m g r l_0", positive=True)
    turned = beta + sm.pi / 2
    rest = free + wound * r * turned
    x, y = (r * sm.cos(turned) + rest * sm.sin(turned), r * sm.sin(turned) - rest * sm.cos(turned))
    t = me.dynamicsymbols._t
    v_x, v_y = x.diff(t) + slips * r * sm.cos(turned) * beta.diff(t), y.diff(t)
    v_y += slips * r * sm.sin(turned) * beta.diff(t)
    T, V = m * (v_x**2 + v_y**2) / 2, weight * m * g * y
    return EquationsOfMotion.from_lagrangian(T, V, [beta]), {"x": x, "y": y, "E": T + V}


HINTS = {
    "your-own-machine-1": [
        (
            "m/2*((x_dot + l*theta_dot*cos(theta))**2 + (l*theta_dot*sin(theta))**2)",
            "Your rope keeps its length",
        ),
        ("m/2*(l_dot**2 + l**2*theta_dot**2)", "Your trolley stands still"),
        ("m*x_dot**2/2 + m*l_dot**2/2 + m*l**2*theta_dot**2/2", "not at right angles"),
        (
            "m*((x_dot + l_dot*sin(theta) + l*theta_dot*cos(theta))**2"
            " + (l_dot*cos(theta) - l*theta_dot*sin(theta))**2)",
            "That is twice the energy",
            "where is the ½?",
        ),
    ],
    "your-own-machine-2": [
        (
            "-(g*sin(theta) + l_dot*theta_dot + x_ddot*cos(theta))/l",
            "the square of l gives a factor",
        ),
        ("-g/l*sin(theta) - x_ddot/l*cos(theta)", "l is a function of time"),
        ("(x_ddot*cos(theta) - g*sin(theta) - 2*l_dot*theta_dot)/l", "the load must stay behind"),
        ("-g/l*sin(theta) - 2*l_dot*theta_dot/l", "does not move the load"),
        (
            "(g*sin(theta) - 2*l_dot*theta_dot - x_ddot*cos(theta))/l",
            "gravity must pull the load back",
        ),
        ("-2*l_dot*theta_dot - x_ddot*cos(theta) - g*sin(theta)", "divide by its length"),
    ],
    "your-own-machine-3": [
        ("a", "A term is missing, no more"),
        ("b", "keep that energy, be it right or wrong"),
        ("d", "every method solves them well"),
    ],
    "your-own-machine-4": [
        ("a", "Without inputs a winch does nothing"),
        ("b", "the mass matrix would not be symmetric"),
        ("c", "a Coriolis term is zero"),
        ("e", "A centrifugal force is zero"),
        ("f", "it acts in another row"),
    ],
    "your-own-machine-5": [
        (
            lambda times, energy, power: np.abs(energy[-1] - energy[0] - work(times, power)[-1]),
            "at the end alone",
        ),
        (
            lambda times, energy, power: max(abs(energy - work(times, power))),
            "The energy has a value at the start",
        ),
        (
            lambda times, energy, power: max(
                abs(energy - energy[0] - work((times[1] - times[0]) * np.arange(len(times)), power))
            ),
            "not all alike",
        ),
        (
            lambda times, energy, power: np.max(energy - energy[0] - work(times, power)),
            "Energy that is lost counts",
        ),
    ],
    "your-own-machine-6": [
        (8.0, "it is E/ω that stays"),
        (4.0, "The angle does not stay"),
        (16.0, "as far to the side as before"),
        (64.0, "as if nothing pulled the load back"),
        (4 * 4**0.25, "which power of l"),
    ],
    "your-own-machine-7": [
        ("(g/l)**(1/2)", "under a trolley that is held"),
        ("sqrt(M*g/l/(M + m))", "about a point nearer to the load"),
        ("g*(m + M)/l/M", "That is its square"),
        ("sqrt(g/l*(1 + M/m))", "is as good as held"),
    ],
    "your-own-machine-8": [
        (
            lambda distance, time, M, m, l, g: planned(
                distance, time, m + M, 2 * np.pi / np.sqrt(g / l)
            ),
            "one swing under a trolley that is held",
        ),
        (
            lambda distance, time, M, m, l, g: planned(
                distance, time, m + M, swing_of(M, m, l, g) / 2
            ),
            "After half a swing",
        ),
        (
            lambda distance, time, M, m, l, g: planned(distance, time, M, swing_of(M, m, l, g)),
            "the force moves the load, too",
        ),
        (
            lambda distance, time, M, m, l, g: [
                distance * (m + M) / (time - swing_of(M, m, l, g) / 2) / swing_of(M, m, l, g),
                *planned(distance, time, M, swing_of(M, m, l, g))[1:],
            ],
            "on average half as fast",
        ),
    ],
    "your-own-machine-9": [
        (lambda: drum(wound=0), "keeps its free length"),
        (lambda: drum(wound=-1), "how much of the rim does it still touch"),
        (lambda: drum(slips=1), "no part of the rope slips"),
        (lambda: drum(weight=-1), "Your load hangs upward"),
    ],
    "your-own-machine-10": [
        (np.array([4, 0, 7, 2, 9, 4, 6, 3, 5, 1, 8, 4]), "The list counts them as people do"),
        ([3, 1, 8, 3, 10, 5, 7, 4, 6, 2, 9, 3], "Which rung does not use the energies"),
        ([5.0, 1, 8, 3, 10, 5, 7, 3, 6, 2, 9, 5], "at right angles to the velocity"),
        (np.array([[5, 1, 5, 3, 10, 5, 7, 4, 6, 2, 9, 5]]), "if the fraction becomes small"),
        ([5, 1, 8, 3, 10, 5, 5, 4, 6, 2, 9, 5], "no bodies are known"),
    ],
}
