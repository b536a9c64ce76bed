"""The labelled diagram of a mechanism, drawn from its own skeleton.

A sketch cannot disagree with the equations: its points, angles and lengths are theirs. Every system
of the course has one where it first appears.
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
from panels.sketches.diagram import WIDTH, Sketch, drawing
from panels.sketches.in_words import in_words, way_of
from panels.sketches.layout import Layout, direction
from panels.sketches.pose import Pose, pose_of
from straightline.aliases import Array
from straightline.arguments import instance, real_number, several, shown, whole_number
from tutlib.reading.names import plain_name

if TYPE_CHECKING:
    from tutlib.models.model import Model
    from tutlib.models.skeleton import Mark, Skeleton


#: How large a mechanism is at most [px], and its sketch.
_MOST, _ROOM = np.array([250.0, 210.0]), np.array([350.0, 340.0])


@dataclass(frozen=True)
class Arrow:
    """An arrow of a sketch: a velocity, a force, a torque, a unit vector.

    Parameters
    ----------
    at : int, str or (x, y)
        Where it begins: a point of the skeleton by number or name, or a place [m].
    value : (x, y) or Expr
        Its components in world axes; or one number or expression, positive counter-clockwise,
        for a curved arrow. Of a unit vector, one number is its angle from the x axis [rad].
    label : Expr or str
    kind : str
        ``"velocity"``, ``"partial velocity"``, ``"force"``, ``"torque"``, ``"constraint"``,
        ``"displacement"`` or ``"unit vector"``. The longest arrow of each kind has the same length,
        and unit vectors are all as long as one another.
    """

    at: Any
    value: Any
    label: Any = ""
    kind: str = "velocity"


def unit_vectors(at: object, angle: Any, labels: Sequence[object]) -> tuple[Arrow, Arrow]:
    """Return the two unit vectors of a frame that is turned in the plane, as arrows for a sketch.

    Parameters
    ----------
    at : int, str or (x, y)
        Where they begin, as for `Arrow`.
    angle : Expr or float
        From the x axis to the first, counter-clockwise [rad].
    labels : pair of Expr or str
        Such as ``("b_1", "b_2")``.

    Raises
    ------
    TypeError
        If the angle is no expression and no number.
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
    """Draw the labelled diagram of a mechanism in the plane.

    Parameters
    ----------
    model : Model
    x : array, shape (states,) or (coordinates,)
        The state at which it is drawn.
    labels : sequence of symbols or names, or text such as ``"theta l m O"``, optional
        What is named: angles, lengths, masses, forces, torques, and points. Everything unless
        given, but forces and torques only where the model has them as inputs.
    cut : bool
        Whether loops are cut where constraints close them, and opened so that one sees it.
    arrows : sequence of Arrow
        What else is to be seen, such as velocities and `unit_vectors`.
    axes : pair of Expr or str
        What the axes of the world are called; none are drawn if it is empty.
    t : float
        Time [s].

    Returns
    -------
    Sketch

    Raises
    ------
    TypeError
        If the model is none in the plane, or an arrow is none.
    ValueError
        If x has another shape or leaves a loop open that is not cut; if there is no such label, no
        such point and no such kind of arrow.
    """
    drawn = _skeleton(model)
    chosen = _chosen(model, labels)
    extra = [_arrow(arrow, drawn) for arrow in several(arrows, "arrows", lambda a: a)]
    names = several(axes, "axes", lambda name: name)
    if len(names) not in (0, 2):
        raise ValueError(f"axes are two names, or none; got {shown(axes)}")
    marks = [mark for mark in drawn.marks if plain_name(mark.symbol) in chosen]
    pose = pose_of(model, x, t, cut, [*map(_asked, marks), *(e for a in extra for e in a[2:])])
    looks = [(label, kind) for label, kind, *_ in extra]
    words = _in_words(looks, [arrow.at for arrow in arrows], pose.numbers[len(marks) + 1 :: 2])
    description = in_words(model, pose, marks, chosen, cut, words)

    def layout(scale: float) -> Layout:
        return Layout(model, pose, marks, looks, chosen, names, scale)

    def redrawn(scale: float) -> Sketch:
        page = layout(scale)
        left, top, right, bottom = page.bounds()
        start = (left + right) / 2 - WIDTH / 2
        drawn = drawing(page.svg(), start, top - 5, bottom - top + 10, description)
        return replace(drawn, scale=scale, redrawn=redrawn)

    return redrawn(_fitted(layout, pose).scale)


def _skeleton(model: object) -> Skeleton:
    drawn: Skeleton | None = getattr(model, "skeleton", None)
    if drawn is None or not hasattr(drawn, "points") or not hasattr(model, "equations"):
        raise TypeError(
            f"sketch needs a model in the plane, such as pendulum(); got {shown(model)}"
        )
    return drawn


def _chosen(model: Model, labels: object) -> set[str]:
    """Return the plain names of what is labelled."""
    drawn = model.skeleton
    inputs = {plain_name(symbol) for symbol in model.equations.inputs}
    masses = [plain_name(mass) for mass in drawn.masses if mass is not None]
    loads = {plain_name(m.symbol) for m in drawn.marks if m.kind in ("force", "torque")}
    known = {plain_name(mark.symbol) for mark in drawn.marks} | {*masses, *drawn.names} - {""}
    if labels is None:
        return known - (loads - inputs)
    names = labels.split() if isinstance(labels, str) else several(labels, "labels", plain_name)
    for name in names:
        if name not in known:
            raise ValueError(_unknown("label", name, known))
    return {*names}


def _unknown(what: str, name: object, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(str(name), known, n=1)
    hint = f" (did you mean {close[0]}?)" if close else ""
    return f"no such {what}: {name}{hint}; there are: {', '.join(sorted(known)) or 'none'}"


def _asked(mark: Mark) -> tuple[object, ...]:
    """Return the expressions of a mark that must become numbers."""
    attributes = {"angle": "zero", "force": "direction", "center": "fraction"}
    value = getattr(mark, attributes[mark.kind]) if mark.kind in attributes else ()
    return value if isinstance(value, tuple) else (value,)


def _arrow(item: object, drawn: Skeleton) -> tuple[object, str, Sequence[object], Sequence[object]]:
    """Return label, kind, place and value of an arrow, as lists of expressions."""
    arrow = instance(item, "an arrow", Arrow)
    if arrow.kind not in KINDS:
        raise ValueError(_unknown("kind of arrow", arrow.kind, KINDS))
    value = list(arrow.value) if hasattr(arrow.value, "__len__") else [arrow.value]
    if len(value) not in (1, 2):
        raise ValueError(f"an arrow has two components, or is one number; got {shown(arrow.value)}")
    return arrow.label, arrow.kind, _place(arrow.at, drawn), value


def _place(at: Any, drawn: Skeleton) -> Sequence[object]:
    """Return the coordinates of a point, given by its number or name, or of a place."""
    if isinstance(at, str):
        named = {name: k for k, name in enumerate(drawn.names) if name}
        if at not in named:
            raise ValueError(_unknown("point", at, named))
        return tuple(drawn.points[named[at]])
    if hasattr(at, "__len__"):
        place = list(at)
        if len(place) != 2:
            raise ValueError(f"a place has two coordinates; got {shown(at)}")
        return place
    point = whole_number(at, "the point of an arrow", least=0, most=len(drawn.points) - 1)
    return tuple(drawn.points[point])


def _in_words(
    looks: Sequence[tuple[object, str]], places: Sequence[object], values: Sequence[Array]
) -> list[str]:
    """Return a sentence for each arrow."""
    sentences = []
    for (label, kind), at, number in zip(looks, places, values):
        value = direction(number) if kind == "unit vector" else number
        where = f" at {spoken(at)}" if isinstance(at, str) else ""
        name = f"{kind} {spoken(label)}".strip() + where
        turn = "counter-clockwise" if value[0] >= 0 else "clockwise"
        way = turn if len(value) == 1 else way_of(value)
        sentences.append(f"An arrow shows the {name}, {way}")
    return sentences


def _fitted(layout: Callable[[float], Layout], pose: Pose) -> Layout:
    """Return the largest layout for which there is room."""
    sides = np.maximum(np.ptp(pose.points, axis=0), 1e-9 * (pose.size or 1.0))
    scale = float((_MOST / sides).min()) if pose.size else 100.0
    for _ in range(8):
        page = layout(scale)
        left, top, right, bottom = page.bounds()
        if ([right - left, bottom - top] <= _ROOM).all():
            break
        scale *= 0.9
    return page
