"""Which joints hold a machine's bodies together, read off how they move about one state.

A body that turns about a point of another hangs on a hinge there, one that goes straight on it is
on a slide. Nobody has to say so: places and axes as functions of the coordinates do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from straightline.aliases import Array
from verification.differentiation import slope_and_bend
from verification.newton import axis_of
from verification.sentences import NEAR
from verification.subject import INSTANT, Subject


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint of one degree of freedom, where it is in one state.

    Parameters
    ----------
    kind : {"hinge", "slide"}
    axis : array, shape (3,)
        A unit vector in world axes.
    anchor : array, shape (3,)
        A point of a hinge's axis [m].
    """

    kind: str
    axis: Array
    anchor: Array


@dataclass(frozen=True, eq=False)
class Hung:
    """How a body is held.

    Parameters
    ----------
    parent : int
        The body that holds it; −1 is the ground.
    joints : tuple of Joint
        From the parent on.
    free : bool
        Whether these joints let it go anywhere.
    """

    parent: int
    joints: tuple[Joint, ...]
    free: bool = False


@dataclass(frozen=True, eq=False)
class Along:
    """Places and axes of all bodies, and how they change along one coordinate.

    Parameters
    ----------
    value, slope, bend : array, shape (b, 4, 3)
        The center, and below it the rows of the matrix whose columns are the axes; the first and
        second derivative.
    """

    value: Array
    slope: Array
    bend: Array


def along_coordinates(subject: Subject, x: Array) -> list[Along]:
    """Return how all bodies move along each coordinate alone."""
    count = len(subject.bodies)
    formulas = subject.formulas([e for body in subject.bodies for e in (*body.place, *body.axes)])
    value = formulas.floats(INSTANT, x, subject.numbers).reshape(count, 4, 3)
    motions = []
    for way in np.eye(len(x))[: len(subject.equations.q)]:
        derivatives = slope_and_bend(formulas, INSTANT, x, way, subject.numbers)
        motions.append(Along(value, *(part.reshape(count, 4, 3) for part in derivatives)))
    return motions


def hangings(ways: list[Along], rigid: list[bool], c: int) -> Iterator[Hung]:
    """Yield how body c may be held: by joints if it can, the order of joints open; else free.

    Parameters
    ----------
    ways : list of Along
    rigid : list of bool
        Whether a body has moments of inertia: where a particle points to is not asked.
    c : int
        It is held by the ground, or by a body before it.
    """
    parent = min(range(-1, c), key=lambda p: _freedom(ways, rigid, p, c))
    moves = [_relative(way, rigid, parent, c) for way in ways]
    twists = [twist for twist, _ in moves]
    chosen: list[int] = []
    for i in range(len(moves)):
        if _rank([twists[j] for j in (*chosen, i)], _size(twists)) > len(chosen):
            chosen.append(i)
    joints = [_joint(ways[i].value[c, 0], *moves[i], rigid[c]) for i in chosen]
    ordered = sorted((joint for joint in joints if joint), key=lambda joint: joint.kind)
    if len(ordered) == len(joints) <= 3:
        for order in permutations(ordered):
            yield Hung(parent, order)
    yield Hung(-1, tuple(_free(ways[0].value[c, 0], rigid[c])), free=True)


def _freedom(ways: list[Along], rigid: list[bool], p: int, c: int) -> tuple[int, int, int]:
    """Return in how many ways a body moves on another, and how many coordinates move it."""
    twists = [_relative(way, rigid, p, c)[0] for way in ways]
    size = _size(twists)
    return _rank(twists, size), sum(_rank([one], size) for one in twists), -p


def _size(twists: list[Array]) -> float:
    return max(float(np.linalg.norm(twist)) for twist in twists)


def _rank(twists: list[Array], size: float) -> int:
    return int(np.linalg.matrix_rank(np.array(twists), tol=NEAR * size)) if size else 0


def _relative(way: Along, rigid: list[bool], p: int, c: int) -> tuple[Array, Array]:
    """Return the twist of body c as body p sees it, in world axes; and the center's bend."""
    place, speed, bend = (part[c, 0] for part in (way.value, way.slope, way.bend))
    spin = axis_of(way.slope[c, 1:] @ way.value[c, 1:].T)
    if p >= 0:
        place, speed, bend = (
            mine - part[p, 0]
            for mine, part in zip((place, speed, bend), (way.value, way.slope, way.bend))
        )
        if rigid[p]:
            R, R_dot, R_bend = (part[p, 1:] for part in (way.value, way.slope, way.bend))
            bend = bend + R @ (R_bend.T @ place + 2 * R_dot.T @ speed)
            speed = speed + R @ R_dot.T @ place
            spin = spin - axis_of(R_dot @ R.T)
    return (np.concatenate([speed, spin]) if rigid[c] else speed), bend


def _joint(place: Array, twist: Array, bend: Array, rigid: bool) -> Joint | None:
    """Return the joint that moves a body so, if there is one."""
    speed, spin = twist[:3], twist[3:]
    size = float(np.linalg.norm(speed))
    if rigid and (turn := float(np.linalg.norm(spin))) > NEAR * size:
        if abs(speed @ spin) > NEAR * size * turn:
            return None  # a screw
        return Joint("hinge", spin / turn, place + np.cross(spin, speed) / turn**2)
    ahead = speed / size
    inward = bend - (bend @ ahead) * ahead
    curved = float(np.linalg.norm(inward))
    if curved <= NEAR * size:
        return Joint("slide", ahead, place)
    if rigid:
        return None
    axis = np.cross(ahead, inward) / curved
    return Joint("hinge", axis, place + inward * (size / curved) ** 2)


def _free(place: Array, rigid: bool) -> Iterator[Joint]:
    """Yield joints by which a body goes anywhere."""
    for kind in ("slide", "hinge") if rigid else ("slide",):
        for axis in np.eye(3):
            yield Joint(kind, axis, place)
