"""Joints of a machine, detected from how its bodies move about one state.

A body that rotates about a point of another has a hinge there; one that moves along a line has a
slide. Positions and axes as functions of the coordinates suffice to detect them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from straightline.aliases import Array
from verification.differentiation import directional_derivatives
from verification.newton import axial_vectors
from verification.sentences import TOLERANCE
from verification.subject import INSTANT, Subject


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint with one degree of freedom, in one state.

    Parameters
    ----------
    kind : {"hinge", "slide"}
    axis : array, shape (3,)
        A unit vector in world axes.
    anchor : array, shape (3,)
        A point on a hinge's axis [m].
    """

    kind: str
    axis: Array
    anchor: Array


@dataclass(frozen=True, eq=False)
class Mounting:
    """The parent of a body and the joints between them.

    Parameters
    ----------
    parent : int
        Index of the body that carries it; −1 is the ground.
    joints : tuple of Joint
        In order, from the parent outward.
    free : bool
        Whether the joints allow any motion.
    """

    parent: int
    joints: tuple[Joint, ...]
    free: bool = False


@dataclass(frozen=True, eq=False)
class CoordinateMotion:
    """Poses of all bodies and their derivatives with respect to one coordinate.

    Parameters
    ----------
    value, slope, second : array, shape (b, 4, 3)
        The center, and below it the rows of the matrix whose columns are the axes; the first and
        second derivative.
    """

    value: Array
    slope: Array
    second: Array


def coordinate_motions(subject: Subject, x: Array) -> list[CoordinateMotion]:
    """Return how all bodies move with each coordinate alone."""
    count = len(subject.bodies)
    formulas = subject.formulas([e for body in subject.bodies for e in (*body.place, *body.axes)])
    value = formulas.floats(INSTANT, x, subject.numbers).reshape(count, 4, 3)
    motions = []
    for direction in np.eye(len(x))[: len(subject.equations.q)]:
        derivatives = directional_derivatives(formulas, INSTANT, x, direction, subject.numbers)
        motions.append(
            CoordinateMotion(value, *(part.reshape(count, 4, 3) for part in derivatives))
        )
    return motions


def possible_mountings(
    motions: list[CoordinateMotion], rigid: list[bool], c: int
) -> Iterator[Mounting]:
    """Yield possible mountings of body c: by joints, in any order, if it has some; else free.

    Parameters
    ----------
    motions : list of CoordinateMotion
    rigid : list of bool
        Whether each body has moments of inertia. The orientation of a particle does not matter.
    c : int
        Index of the body; its parent is the ground or a body before it.
    """
    parent = min(range(-1, c), key=lambda p: _relative_freedom(motions, rigid, p, c))
    relative = [_relative_motion(motion, rigid, parent, c) for motion in motions]
    twists = [twist for twist, _ in relative]
    chosen: list[int] = []
    for i in range(len(relative)):
        if _rank([twists[j] for j in (*chosen, i)], _magnitude(twists)) > len(chosen):
            chosen.append(i)
    joints = [_joint(motions[i].value[c, 0], *relative[i], rigid[c]) for i in chosen]
    ordered = sorted((joint for joint in joints if joint), key=lambda joint: joint.kind)
    if len(ordered) == len(joints) <= 3:
        for order in permutations(ordered):
            yield Mounting(parent, order)
    yield Mounting(-1, tuple(_free_joints(motions[0].value[c, 0], rigid[c])), free=True)


def _relative_freedom(
    motions: list[CoordinateMotion], rigid: list[bool], p: int, c: int
) -> tuple[int, int, int]:
    """Return the relative degrees of freedom, and the number of coordinates that move the body."""
    twists = [_relative_motion(motion, rigid, p, c)[0] for motion in motions]
    magnitude = _magnitude(twists)
    return _rank(twists, magnitude), sum(_rank([twist], magnitude) for twist in twists), -p


def _magnitude(twists: list[Array]) -> float:
    """Return the largest magnitude of some twists."""
    return max(float(np.linalg.norm(twist)) for twist in twists)


def _rank(twists: list[Array], magnitude: float) -> int:
    """Return the number of independent twists."""
    return (
        int(np.linalg.matrix_rank(np.array(twists), tol=TOLERANCE * magnitude)) if magnitude else 0
    )


def _relative_motion(
    motion: CoordinateMotion, rigid: list[bool], p: int, c: int
) -> tuple[Array, Array]:
    """Return the twist of body c relative to body p, in world axes, and the acceleration."""
    position, velocity, acceleration = (
        part[c, 0] for part in (motion.value, motion.slope, motion.second)
    )
    spin = axial_vectors(motion.slope[c, 1:] @ motion.value[c, 1:].T)
    if p >= 0:
        position, velocity, acceleration = (
            own - part[p, 0]
            for own, part in zip(
                (position, velocity, acceleration), (motion.value, motion.slope, motion.second)
            )
        )
        if rigid[p]:
            R, R_dot, R_second = (
                part[p, 1:] for part in (motion.value, motion.slope, motion.second)
            )
            acceleration = acceleration + R @ (R_second.T @ position + 2 * R_dot.T @ velocity)
            velocity = velocity + R @ R_dot.T @ position
            spin = spin - axial_vectors(R_dot @ R.T)
    return (np.concatenate([velocity, spin]) if rigid[c] else velocity), acceleration


def _joint(position: Array, twist: Array, acceleration: Array, rigid: bool) -> Joint | None:
    """Return the joint that produces a twist, if there is one."""
    velocity, spin = twist[:3], twist[3:]
    speed = float(np.linalg.norm(velocity))
    if rigid and (rotation := float(np.linalg.norm(spin))) > TOLERANCE * speed:
        if abs(velocity @ spin) > TOLERANCE * speed * rotation:
            return None  # a screw
        return Joint("hinge", spin / rotation, position + np.cross(spin, velocity) / rotation**2)
    tangent = velocity / speed
    normal = acceleration - (acceleration @ tangent) * tangent
    normal_magnitude = float(np.linalg.norm(normal))
    if normal_magnitude <= TOLERANCE * speed:
        return Joint("slide", tangent, position)
    if rigid:
        return None
    axis = np.cross(tangent, normal) / normal_magnitude
    return Joint("hinge", axis, position + normal * (speed / normal_magnitude) ** 2)


def _free_joints(position: Array, rigid: bool) -> Iterator[Joint]:
    """Yield joints that allow a body any motion."""
    for kind in ("slide", "hinge") if rigid else ("slide",):
        for axis in np.eye(3):
            yield Joint(kind, axis, position)
