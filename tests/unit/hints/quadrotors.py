"""Mistakes of chapter 9 and their hints."""

import math

import numpy as np

from tests.unit.hints import names

NAMES = names("phi")
SLANT = math.pi / 6
STEEP = math.radians(40)
WEIGHT = 0.4 * 9.81  # of the load [N]


def lean(load):
    """Return the lean [deg] of a thrust that carries its vehicle and this weight [N] by a link."""
    return math.degrees(math.atan(load * math.tan(SLANT) / (0.755 * 9.81 + load)))


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
}
