"""Sketches in words, for readers who do not see them: made of the same data as the picture."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from panels.drawing.lettering import spoken
from panels.sketches.pose import Pose
from straightline.aliases import Array
from tutlib.reading.names import plain_name

if TYPE_CHECKING:
    from tutlib.models.model import Model
    from tutlib.models.skeleton import Angle, Length, Mark
    from tutlib.reading.parameters import Named


_WAYS = {
    (0, -1): "hanging straight down",
    (1, 0): "the x axis",
    (0, 1): "straight up",
    (-1, 0): "the negative x axis",
}


def in_words(
    model: Model,
    pose: Pose,
    marks: Sequence[Mark],
    names: Collection[str],
    cut: bool,
    further: Sequence[str] = (),
) -> str:
    """Return a sketch in words.

    Parameters
    ----------
    model : Model
    pose : Pose
        Its numbers begin with the directions of the angles' zero lines.
    marks : sequence of marks
        Those that are shown.
    names : collection of str
        Names and symbols, in plain letters, of what is labelled.
    cut : bool
    further : sequence of str
        Sentences about what else is drawn.
    """
    drawn = model.skeleton
    links = {frozenset(pair) for line in drawn.lines for pair in pairwise(line)}
    kinds: dict[str, list[Any]] = {kind: [m for m in marks if m.kind == kind] for kind in _KINDS}
    angles = {(mark.vertex, mark.to): mark for mark in kinds["angle"]}
    article = "An" if model.name[:1].lower() in "aeiou" else "A"
    said, known = [], _Places(model, {} if cut else {j: i for i, j in pose.held})
    for mark in kinds["length"]:
        if frozenset((mark.start, mark.end)) in links:
            said.append(known.link(mark, angles.pop((mark.start, mark.end), None), pose))
        else:
            ends = f"from {known(mark.start)} to {known(mark.end)}"
            said.append(f"the {_named(model, mark.symbol, 'distance')} {ends}")
    for mark in angles.values():
        where = f"at {known(mark.vertex)} from {zero_of(mark, pose)} to {known(mark.to)}"
        said.append(f"the {_named(model, mark.symbol, 'angle')} {where}")
    sentences = [f"{article} {model.name}: {_and(said)}" if said else f"{article} {model.name}"]
    if kinds["angle"]:
        sentences[0] += ", " + _turns(kinds["angle"], marks, pose, model)
    sentences += known.unmentioned_masses(names)
    for mark in kinds["center"]:
        where = f"between {known(mark.start)} and {known(mark.end)}"
        whose = _owner(model, mark.symbol, "mass")
        owner = f"{whose} ({spoken(mark.symbol)})" if whose else spoken(mark.symbol)
        sentences.append(f"The center of mass of {owner} lies {where}")
    for mark in (*kinds["torque"], *kinds["force"]):
        load = _named(model, mark.symbol, mark.kind)
        sentences.append(f"The {load} acts at {known(mark.point)}")
    for i, _ in pose.held:
        sentences.append(f"The loop is {'cut open' if cut else 'closed'} at {known(i)}")
    return ". ".join([*sentences, *further]) + "."


_KINDS = ("angle", "length", "center", "force", "torque")


class _Places:
    """Names of points, longer where they come first."""

    def __init__(self, model: Model, together: Mapping[int, int]) -> None:
        self.model, self.skeleton = model, (drawn := model.skeleton)
        self.said, self.together = set[int](), together
        self.masses = dict(zip(drawn.bodies, drawn.masses))

    def __call__(self, point: int) -> str:
        point, drawn = self.together.get(point, point), self.skeleton
        name = spoken(drawn.names[point]) if point < len(drawn.names) else ""
        if point in self.said and name:
            return name
        self.said.add(point)
        mass = self.masses.get(point)
        same = {point, *(j for j, i in self.together.items() if i == point)}
        if same & {*drawn.pivots}:
            return f"the fixed joint {name}".rstrip()
        if mass is not None:
            at = f" at {name}" if name else ""
            return f"the {_named(self.model, mass, 'mass')}{at}"
        kind = "the joint" if point in drawn.joints else "the point"
        return f"{kind} {name or point}"

    def unmentioned_masses(self, names: Collection[str]) -> list[str]:
        """Return a sentence for each mass that is labelled, and was at none of the places."""
        return [
            f"It carries {self(point)}"
            for point, mass in self.masses.items()
            if mass is not None and plain_name(mass) in names and point not in self.said
        ]

    def link(self, mark: Length, angle: Angle | None, pose: Pose) -> str:
        """Return a link of some length, and its angle."""
        owner, length = _owner(self.model, mark.symbol, "length"), spoken(mark.symbol)
        begins = f"{owner}, of length {length}," if owner else f"a link of length {length}"
        said = f"{begins} from {self(mark.start)} to {self(mark.end)}"
        if angle is None:
            return said
        other = self.model.meaning(angle.symbol).partition(" against ")[2]
        zero = f"against {other}" if other else f"from {zero_of(angle, pose)}"
        return f"{said}, at the angle {spoken(angle.symbol)} {zero}"


def _named(model: Model, symbol: Named, noun: str) -> str:
    """Return a quantity in people's words, its letter in brackets: ``motor torque (tau)``."""
    meaning = model.meaning(symbol)
    if not meaning or meaning == noun or meaning.startswith(f"{noun} at "):  # it is told where
        return f"{noun} {spoken(symbol)}"
    return f"{meaning} ({spoken(symbol)})"


def _owner(model: Model, symbol: Named, noun: str) -> str:
    """Return whose length or mass a symbol is, such as ``the first link``; empty if unknown."""
    before, _, owner = model.meaning(symbol).partition(f"{noun} of ")
    return "" if before else str(owner)


def zero_of(mark: Angle, pose: Pose) -> str:
    """Return what an angle is measured from."""
    if all(isinstance(part, int | float) or part.is_number for part in mark.zero):
        way = tuple(float(part) for part in mark.zero)
        return _WAYS.get((round(way[0]), round(way[1])), "its zero line")
    return "the line of the link before"


def _turns(angles: Sequence[Angle], marks: Sequence[Mark], pose: Pose, model: Model) -> str:
    """Return which way angles are positive, those that are clockwise by their names."""
    clockwise = []
    for mark in angles:
        value, (x, y) = pose.value(model, mark.symbol), pose.numbers[marks.index(mark)]
        value = model.parameters.get(mark.symbol) if value is None else value
        way = pose.points[mark.to] - pose.points[mark.vertex]
        sweep = np.arctan2(x * way[1] - y * way[0], x * way[0] + y * way[1])
        if value is not None and np.cos(sweep + value) > 1 - 1e-9 > np.cos(sweep - value):
            clockwise.append(mark.symbol)
    if len(clockwise) == len(angles):
        return "clockwise"
    but = f" but for {_and([*map(spoken, clockwise)])}" if clockwise else ""
    return f"counter-clockwise{but}"


def _and(phrases: Sequence[str]) -> str:
    *most, last = phrases
    return f"{'; '.join(most)}; and {last}" if most else last


def way_of(vector: Array) -> str:
    """Return which way an arrow points: ``up and to the right``."""
    x, y = np.asarray(vector) / (np.hypot(*vector) or 1.0)
    across = "to the right" if x > 0.38 else "to the left" if x < -0.38 else ""
    upward = "up" if y > 0.38 else "down" if y < -0.38 else ""
    return " and ".join(filter(None, [upward, across]))
