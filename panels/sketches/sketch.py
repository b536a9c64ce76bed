"""Labeled diagrams of mechanisms in the plane, drawn from a model's skeleton.

A sketch cannot contradict the equations, because points, angles, and lengths are the same
expressions.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from panels.drawing.arrows import KINDS
from panels.drawing.lettering import spoken
from panels.sketches.descriptions import describe, direction_in_words
from panels.sketches.diagram import WIDTH, Sketch, drawing
from panels.sketches.layout import Layout, direction
from panels.sketches.pose import Pose, pose_of
from straightline.aliases import Array
from straightline.arguments import instance, real_number, several, shown, whole_number
from tutlib.reading.names import plain_name

if TYPE_CHECKING:
    from tutlib.models.model import Model
    from tutlib.models.skeleton import Mark, Skeleton


#: The largest size of a mechanism, and of its sketch with labels [px].
_LARGEST_MECHANISM, _LARGEST_SKETCH = np.array([250.0, 210.0]), np.array([350.0, 340.0])


@dataclass(frozen=True)
class Arrow:
    """An arrow in a sketch: a velocity, a force, a torque, or a unit vector.

    Parameters
    ----------
    at : int, str or (x, y)
        Its start: a point of the skeleton by index or name, or a position [m].
    value : (x, y) or Expr
        Its components in world axes; or one number or expression, positive counterclockwise,
        for a curved arrow. For a unit vector, one number is its angle from the x axis [rad].
    label : Expr or str
    kind : str
        ``"velocity"``, ``"partial velocity"``, ``"force"``, ``"torque"``, ``"constraint"``,
        ``"displacement"`` or ``"unit vector"``. The longest arrow of each kind has the same length,
        and all unit vectors have the same length.
    to_scale : bool
        Whether components are lengths at the scale of the mechanism [m], as those of a displacement
        or of the derivative of a position with respect to an angle.
    """

    at: Any
    value: Any
    label: Any = ""
    kind: str = "velocity"
    to_scale: bool = False


def unit_vectors(at: object, angle: Any, labels: Sequence[object]) -> tuple[Arrow, Arrow]:
    """Return the two unit vectors of a frame that is rotated in the plane, as arrows.

    Parameters
    ----------
    at : int, str or (x, y)
        Their start, as for `Arrow`.
    angle : Expr or float
        From the x axis to the first vector, counterclockwise [rad].
    labels : pair of Expr or str
        Such as ``("b_1", "b_2")``.

    Raises
    ------
    TypeError
        If the angle is not an expression or a number.
    ValueError
        If there are not two labels.
    """
    names = several(labels, "labels", lambda label: label)
    if len(names) != 2:
        raise ValueError(f"a frame in the plane has two unit vectors; got labels {shown(labels)}")
    first, second = names
    if isinstance(angle, type) or hasattr(angle, "shape") or not hasattr(angle, "free_symbols"):
        angle = real_number(angle, "the angle")
    quarter = angle + math.pi / 2
    return Arrow(at, angle, first, "unit vector"), Arrow(at, quarter, second, "unit vector")


def sketch(
    model: Model,
    x: ArrayLike,
    labels: object = None,
    *,
    cut: bool = False,
    arrows: Sequence[Arrow] = (),
    axes: Sequence[object] = ("x", "y"),
    t: float = 0.0,
) -> Sketch:
    """Draw the labeled diagram of a mechanism in the plane.

    Parameters
    ----------
    model : Model
    x : array, shape (states,) or (coordinates,)
        The state at which it is drawn.
    labels : sequence of symbols or names, or text such as ``"theta l m O"``, optional
        Labels of angles, lengths, masses, forces, torques, and points. By default all of them, but
        only those forces and torques that are inputs of the model.
    cut : bool
        Whether loops are cut where constraints close them, and drawn visibly open.
    arrows : sequence of Arrow
        Further arrows, such as velocities and `unit_vectors`.
    axes : pair of Expr or str
        Labels of the world's axes; none are drawn if it is empty.
    t : float
        Time [s].

    Returns
    -------
    Sketch

    Raises
    ------
    TypeError
        If the model is not a model in the plane, or an arrow is not an `Arrow`.
    ValueError
        If x has another shape or leaves a loop open that is not cut; or if a label, a point, or a
        kind of arrow is unknown.
    """
    drawn = _skeleton(model)
    chosen = _chosen(model, labels)
    read_arrows = [_arrow(arrow, drawn) for arrow in several(arrows, "arrows", lambda a: a)]
    names = several(axes, "axes", lambda name: name)
    if len(names) not in (0, 2):
        raise ValueError(f"axes must be two names, or empty; got {shown(axes)}")
    marks = [mark for mark in drawn.marks if plain_name(mark.symbol) in chosen]
    pose = pose_of(
        model, x, t, cut, [*map(_expressions_of, marks), *(e for a in read_arrows for e in a[2:])]
    )
    labeled_kinds = [(label, kind) for label, kind, *_ in read_arrows]
    to_scale = [arrow.to_scale for arrow in arrows]
    words = _describe_arrows(
        labeled_kinds, [arrow.at for arrow in arrows], pose.numbers[len(marks) + 1 :: 2]
    )
    description = describe(model, pose, marks, chosen, cut, words)

    def layout(scale: float) -> Layout:
        return Layout(model, pose, marks, labeled_kinds, to_scale, chosen, names, scale)

    def redrawn(scale: float) -> Sketch:
        page = layout(scale)
        left, top, right, bottom = page.bounds()
        start = (left + right) / 2 - WIDTH / 2
        drawn = drawing(page.svg(), start, top - 5, bottom - top + 10, description)
        return replace(drawn, scale=scale, redrawn=redrawn)

    return redrawn(_fitted(layout, pose).scale)


def _skeleton(model: object) -> Skeleton:
    """Return the skeleton of a model in the plane."""
    skeleton: Skeleton | None = getattr(model, "skeleton", None)
    if skeleton is None or not hasattr(skeleton, "points") or not hasattr(model, "equations"):
        raise TypeError(
            f"sketch needs a model in the plane, such as pendulum(); got {shown(model)}"
        )
    return skeleton


def _chosen(model: Model, labels: object) -> set[str]:
    """Return the labels to draw, as plain names."""
    skeleton = model.skeleton
    inputs = {plain_name(symbol) for symbol in model.equations.inputs}
    masses = [plain_name(mass) for mass in skeleton.masses if mass is not None]
    loads = {plain_name(m.symbol) for m in skeleton.marks if m.kind in ("force", "torque")}
    available = {plain_name(mark.symbol) for mark in skeleton.marks} | {
        *masses,
        *skeleton.names,
    } - {""}
    if labels is None:
        return available - (loads - inputs)
    names = labels.split() if isinstance(labels, str) else several(labels, "labels", plain_name)
    for name in names:
        if name not in available:
            raise ValueError(_unknown("label", name, available))
    return {*names}


def _unknown(noun: str, name: object, available: Iterable[str]) -> str:
    """Return the message for an unknown name, with the closest known one."""
    closest = difflib.get_close_matches(str(name), available, n=1)
    hint = f" (did you mean {closest[0]}?)" if closest else ""
    return f"no such {noun}: {name}{hint}; there are: {', '.join(sorted(available)) or 'none'}"


def _expressions_of(mark: Mark) -> tuple[object, ...]:
    """Return the expressions of a mark that must be evaluated."""
    attributes = {"angle": "zero", "force": "direction", "center": "fraction"}
    value = getattr(mark, attributes[mark.kind]) if mark.kind in attributes else ()
    return value if isinstance(value, tuple) else (value,)


def _arrow(
    item: object, skeleton: Skeleton
) -> tuple[object, str, Sequence[object], Sequence[object]]:
    """Return label, kind, position, and value of an arrow, as lists of expressions."""
    arrow = instance(item, "an arrow", Arrow)
    if arrow.kind not in KINDS:
        raise ValueError(_unknown("kind of arrow", arrow.kind, KINDS))
    value = list(arrow.value) if hasattr(arrow.value, "__len__") else [arrow.value]
    if len(value) not in (1, 2):
        raise ValueError(
            f"an arrow must have two components or be a number; got {shown(arrow.value)}"
        )
    return arrow.label, arrow.kind, _position_of(arrow.at, skeleton), value


def _position_of(at: Any, skeleton: Skeleton) -> Sequence[object]:
    """Return the coordinates of a point, given by its index, its name, or its position."""
    if isinstance(at, str):
        named = {name: k for k, name in enumerate(skeleton.names) if name}
        if at not in named:
            raise ValueError(_unknown("point", at, named))
        return tuple(skeleton.points[named[at]])
    if hasattr(at, "__len__"):
        position = list(at)
        if len(position) != 2:
            raise ValueError(f"a position must have two coordinates; got {shown(at)}")
        return position
    point = whole_number(at, "the point of an arrow", least=0, most=len(skeleton.points) - 1)
    return tuple(skeleton.points[point])


def _describe_arrows(
    labeled_kinds: Sequence[tuple[object, str]],
    positions: Sequence[object],
    values: Sequence[Array],
) -> list[str]:
    """Return a sentence for each arrow."""
    sentences = []
    for (label, kind), at, number in zip(labeled_kinds, positions, values):
        value = direction(number) if kind == "unit vector" else number
        suffix = f" at {spoken(at)}" if isinstance(at, str) else ""
        name = f"{kind} {spoken(label)}".strip() + suffix
        rotation = "counterclockwise" if value[0] >= 0 else "clockwise"
        direction_text = rotation if len(value) == 1 else direction_in_words(value)
        sentences.append(f"An arrow shows the {name}, {direction_text}")
    return sentences


def _fitted(layout: Callable[[float], Layout], pose: Pose) -> Layout:
    """Return the largest layout that fits."""
    sides = np.maximum(np.ptp(pose.points, axis=0), 1e-9 * (pose.size or 1.0))
    scale = float((_LARGEST_MECHANISM / sides).min()) if pose.size else 100.0
    for _ in range(8):
        page = layout(scale)
        left, top, right, bottom = page.bounds()
        if ([right - left, bottom - top] <= _LARGEST_SKETCH).all():
            break
        scale *= 0.9
    return page
