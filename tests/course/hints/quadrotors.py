"""Mistakes of chapter 9 and their hints."""

import math

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from tests.course.hints import names
from tutlib import EquationsOfMotion

NAMES = names("phi")
SLANT = math.pi / 6
STEEP = math.radians(40)
WEIGHT = 0.4 * 9.81  # of the load [N]


def lean(load):
    """Return the lean [deg] of a thrust that carries its vehicle and this weight [N] by a link."""
    return math.degrees(math.atan(load * math.tan(SLANT) / (0.755 * 9.81 + load)))


EARLIEST = math.sqrt(1.8 * math.sin(STEEP))
LATEST = 0.6 / 0.44577
TILT, HANGS, TAU, THRUST = me.dynamicsymbols("phi theta tau f")


def heaviest():
    """Return the load [kg] of three vehicles, by halving."""
    low, high = 0.0, 9.0
    for _ in range(60):
        load = (low + high) / 2
        part = load / 3 * 9.81
        enough = math.hypot(part + 0.8 * 9.81, part * math.tan(SLANT)) < 20
        low, high = (load, high) if enough else (low, load)
    return low


UPWARD = -sm.sin(TILT), sm.cos(TILT)


def planar(thrust=UPWARD, reaction=0, along=1, weight=1):
    """Return a drone with a load in a plane, by the load's angle."""
    m, m_1, l, J, g = sm.symbols("m m_1 l J g")
    x, y = me.dynamicsymbols("x y")
    of_load = along * x.diff() + l * sm.cos(HANGS) * HANGS.diff()
    up_of_load = along * y.diff() + l * sm.sin(HANGS) * HANGS.diff()
    T = m * (x.diff() ** 2 + y.diff() ** 2) + J * TILT.diff() ** 2
    T = (T + m_1 * (of_load**2 + up_of_load**2)) / 2
    y_l = y - l * sm.cos(HANGS)
    V = m * g * y + weight * m_1 * g * y_l
    pushed = {x: thrust[0] * THRUST, y: thrust[1] * THRUST, TILT: TAU, HANGS: reaction}
    equations = EquationsOfMotion.from_lagrangian(T, V, [x, y, TILT, HANGS], pushed)
    outputs = {"x_d": x, "y_d": y, "x_l": x + l * sm.sin(HANGS), "y_l": y_l, "phi": TILT}
    return equations, {**outputs, "E": T + V}


def frame(u, heading):
    down = -u / np.linalg.norm(u)
    ahead = heading - down * (down @ heading)
    ahead = ahead / np.linalg.norm(ahead)
    return np.array([ahead, np.cross(down, ahead), down]).T


def unscaled(u, heading):
    down = -u / np.linalg.norm(u)
    return np.array([heading - down * (down @ heading), np.cross(down, heading), down]).T


HINTS = {
    "quadrotors-1": [
        ([13, 26, 26], "in coordinates of your own"),
        ([13, 42, 26], "has six dimensions, not four"),
        ([15, 42, 30], "free in two ways, not in three"),
    ],
    "quadrotors-2": [
        ("a", "The potential energy is -m g e₃·y"),
        ("c", "The thrust is cut"),
        ("d", "no link pulls"),
    ],
    "quadrotors-3": [
        (WEIGHT / 2, "links straight down"),
        (WEIGHT / math.cos(STEEP), "There are two links"),
        (WEIGHT / 2 / math.sin(STEEP), "40° are counted from the vertical"),
        (WEIGHT, "the whole weight of the load"),
        (WEIGHT / 2 * math.cos(STEEP), "Only a part of each tension is vertical"),
    ],
    "quadrotors-4": [
        (lambda load, mass, q: (load + sum(mass)) * np.eye(3), "only along its link"),
        (
            lambda load, mass, q: load * np.eye(3) - q.T @ np.diag(mass) @ q,
            "they do not take any away",
        ),
        (lambda load, mass, q: load * np.eye(3) + q.T @ q, "Each with its own mass"),
        (lambda load, mass, q: q.T @ np.diag(mass) @ q, "The load is missing"),
        (
            lambda load, mass, q: (load + sum(mass)) * np.eye(3) - q.T @ np.diag(mass) @ q,
            "along across its link",
        ),
        (
            lambda load, mass, q: load * len(q) * np.eye(3) + q.T @ np.diag(mass) @ q,
            "There is one load",
        ),
        (
            lambda load, mass, q: load * np.eye(3) + mass[0] * np.outer(q[0], q[0]),
            "the first vehicle alone",
        ),
        (lambda load, mass, q: load + q.T @ np.diag(mass) @ q, "to every entry of the matrix"),
    ],
    "quadrotors-5": [
        ("a", "Where do the attitudes stand"),
        ("b", "At which distance?"),
        ("d", "The force is given in world axes"),
    ],
    "quadrotors-6": [
        (math.degrees(SLANT), "the vehicle has weight, too"),
        (lean(WEIGHT), "the whole load on each"),
        (
            math.degrees(math.atan(WEIGHT / 2 * math.tan(SLANT) / (0.755 * 9.81))),
            "its vertical part adds to the weight",
        ),
    ],
    "quadrotors-7": [
        (lambda u, heading: frame(-u, heading), "Thrust acts against the third axis"),
        (lambda u, heading: frame(u, -heading), "The first axis points away from b₁"),
        (lambda u, heading: frame(u, heading).T, "you have them as rows"),
        (
            lambda u, heading: np.array([heading, *frame(u, heading).T[1:]]).T,
            "the heading itself",
            "at right angles to the third",
        ),
        (
            lambda u, heading: frame(u, heading) @ np.diag([1, -1, 1]),
            "those of a left hand",
            "for the second one",
        ),
        (unscaled, "divide it by its length"),
        (lambda u, heading: frame(u, heading)[:, ::-1], "in another order: the third one"),
    ],
    "quadrotors-8": [
        ("2 - 2*cos(phi)", "That is the trace"),
        ("sin(phi)", "the length of e_R"),
        ("phi**2/2", "So it begins, near zero"),
    ],
    "quadrotors-9": [
        (lambda q, w, m, L, load, total: m * L * np.dot(w, w), "the load itself is accelerated"),
        (lambda q, w, m, L, load, total: m * np.dot(q, total) / load, "that goes round the load"),
        (
            lambda q, w, m, L, load, total: m * L * np.dot(w, w) - m * np.dot(q, total) / load,
            "Which way must a vehicle be pushed",
        ),
        (
            lambda q, w, m, L, load, total: m * np.dot(q, total) / load - m * L * np.dot(w, w),
            "toward the center of its circle",
        ),
        (
            lambda q, w, m, L, load, total: m * L * np.dot(w, w) + m * np.dot(q, total),
            "The shares are forces",
        ),
    ],
    "quadrotors-10": [
        ("a", "this one is too stiff"),
        ("b", "in different axes"),
        ("c", "that is no principal axis"),
        ("e", "Let the target speed up"),
        ("f", "turn it back, or further away"),
    ],
    "quadrotors-11": [
        ([LATEST, EARLIEST], "in the other order"),
        ([math.sqrt(1.8 * STEEP), LATEST], "the sine of the angle"),
        ([EARLIEST * math.sqrt(2), LATEST], "a ½ is missing"),
        ([EARLIEST**2, LATEST], "by ε²"),
        ([EARLIEST, 0.9 * LATEST], "is 0.9 the unit"),
    ],
    "quadrotors-12": [
        (lambda u, third, most: np.outer(third, third) @ u, "more than the rotors have"),
        (
            lambda u, third, most: max(min(u @ third, most), -most) * third,
            "cannot pull along their third axis",
        ),
        (lambda u, third, most: min(u @ third, 0.0) * third, "there is a largest thrust"),
        (lambda u, third, most: max(min(u @ third, most), 0.0) * third, "against the third axis"),
        (
            lambda u, third, most: -min(math.sqrt(u @ u), most) * third,
            "not the whole of its length",
        ),
        (
            lambda u, third, most: u / max(1.0, math.sqrt(u @ u) / most),
            "does not lie along the axis",
        ),
    ],
    "quadrotors-13": [
        (9.81 / 5, "acts on the velocity"),
        (WEIGHT / 9, "and cancels"),
        (9.81 / 9 * math.cos(SLANT), "All shares vanish together"),
        (9.81 / 4.5, "as large as the load's weight"),
    ],
    "quadrotors-14": [
        (3 * (20 / 9.81 - 0.8), "links straight down"),
        (60 / 9.81 * math.cos(SLANT), "The vehicles have weight"),
        (heaviest() / 3, "the part of one vehicle"),
        (heaviest() / 3 * 2, "with two vehicles"),
        (3 * (20 * math.cos(SLANT) / 9.81 - 0.8), "its upward and its sideways part"),
    ],
    "quadrotors-15": [
        (lambda: planar(thrust=(0, 1)), "Your thrust always points up"),
        (lambda: planar(thrust=(sm.sin(TILT), sm.cos(TILT))), "leans to the other side"),
        (lambda: planar(reaction=-TAU), "acts back on the link"),
        (lambda: planar(along=0), "carries the upper end of the link along"),
        (lambda: planar(weight=0), "The load has weight, too"),
    ],
}
