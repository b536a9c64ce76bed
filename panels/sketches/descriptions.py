"""Descriptions of sketches in words, for screen readers, from the same data as the picture."""

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


_DIRECTIONS = {
    (0, -1): "hanging straight down",
    (1, 0): "the x axis",
    (0, 1): "straight up",
    (-1, 0): "the negative x axis",
}


def describe(
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
        The drawn marks.
    names : collection of str
        Names and symbols, in plain letters, of labeled points and quantities.
    cut : bool
    further : sequence of str
        Sentences about other drawn elements.
    """
    skeleton = model.skeleton
    links = {frozenset(pair) for line in skeleton.lines for pair in pairwise(line)}
    kinds: dict[str, list[Any]] = {kind: [m for m in marks if m.kind == kind] for kind in _KINDS}
    angles = {(mark.vertex, mark.to): mark for mark in kinds["angle"]}
    article = "An" if model.name[:1].lower() in "aeiou" else "A"
    phrases, point_name = [], _PointNames(model, {} if cut else {j: i for i, j in pose.held})
    for mark in kinds["length"]:
        if frozenset((mark.start, mark.end)) in links:
            phrases.append(point_name.link(mark, angles.pop((mark.start, mark.end), None), pose))
        else:
            ends = f"from {point_name(mark.start)} to {point_name(mark.end)}"
            phrases.append(f"the {_named(model, mark.symbol, 'distance')} {ends}")
    for mark in angles.values():
        position = (
            f"at {point_name(mark.vertex)} from {zero_line(mark, pose)} to {point_name(mark.to)}"
        )
        phrases.append(f"the {_named(model, mark.symbol, 'angle')} {position}")
    sentences = [
        f"{article} {model.name}: {_joined(phrases)}" if phrases else f"{article} {model.name}"
    ]
    if kinds["angle"]:
        sentences[0] += ", " + _positive_directions(kinds["angle"], marks, pose, model)
    sentences += point_name.unmentioned_masses(names)
    for mark in kinds["center"]:
        position = f"between {point_name(mark.start)} and {point_name(mark.end)}"
        body = _owner(model, mark.symbol, "mass")
        owner = f"{body} ({spoken(mark.symbol)})" if body else spoken(mark.symbol)
        sentences.append(f"The center of mass of {owner} lies {position}")
    for mark in (*kinds["torque"], *kinds["force"]):
        load = _named(model, mark.symbol, mark.kind)
        sentences.append(f"The {load} acts at {point_name(mark.point)}")
    for i, _ in pose.held:
        sentences.append(f"The loop is {'cut open' if cut else 'closed'} at {point_name(i)}")
    return ". ".join([*sentences, *further]) + "."


_KINDS = ("angle", "length", "center", "force", "torque")


class _PointNames:
    """Names of points: descriptive when first mentioned, and then short."""

    def __init__(self, model: Model, joined: Mapping[int, int]) -> None:
        self.model, self.skeleton = model, (skeleton := model.skeleton)
        self.mentioned, self.joined = set[int](), joined
        self.masses = dict(zip(skeleton.bodies, skeleton.masses))

    def __call__(self, point: int) -> str:
        point, skeleton = self.joined.get(point, point), self.skeleton
        name = spoken(skeleton.names[point]) if point < len(skeleton.names) else ""
        if point in self.mentioned and name:
            return name
        self.mentioned.add(point)
        mass = self.masses.get(point)
        coincident = {point, *(j for j, i in self.joined.items() if i == point)}
        if coincident & {*skeleton.pivots}:
            return f"the fixed joint {name}".rstrip()
        if mass is not None:
            suffix = f" at {name}" if name else ""
            return f"the {_named(self.model, mass, 'mass')}{suffix}"
        kind = "the joint" if point in skeleton.joints else "the point"
        return f"{kind} {name or point}"

    def unmentioned_masses(self, names: Collection[str]) -> list[str]:
        """Return a sentence for each labeled mass that has not been mentioned."""
        return [
            f"It carries {self(point)}"
            for point, mass in self.masses.items()
            if mass is not None and plain_name(mass) in names and point not in self.mentioned
        ]

    def link(self, mark: Length, angle: Angle | None, pose: Pose) -> str:
        """Return the phrase for a link of some length, and its angle."""
        owner, length = _owner(self.model, mark.symbol, "length"), spoken(mark.symbol)
        beginning = f"{owner}, of length {length}," if owner else f"a link of length {length}"
        phrase = f"{beginning} from {self(mark.start)} to {self(mark.end)}"
        if angle is None:
            return phrase
        reference = self.model.meaning(angle.symbol).partition(" relative to ")[2]
        zero = f"relative to {reference}" if reference else f"from {zero_line(angle, pose)}"
        return f"{phrase}, at the angle {spoken(angle.symbol)} {zero}"


def _named(model: Model, symbol: Named, noun: str) -> str:
    """Return a quantity in words, with its symbol in parentheses: ``motor torque (tau)``."""
    meaning = model.meaning(symbol)
    if not meaning or meaning == noun or meaning.startswith(f"{noun} at "):  # the position follows
        return f"{noun} {spoken(symbol)}"
    return f"{meaning} ({spoken(symbol)})"


def _owner(model: Model, symbol: Named, noun: str) -> str:
    """Return the owner of a length or mass, such as ``the first link``; empty if unknown."""
    before, _, owner = model.meaning(symbol).partition(f"{noun} of ")
    return "" if before else str(owner)


def zero_line(mark: Angle, pose: Pose) -> str:
    """Return the direction from which an angle is measured, in words."""
    if all(isinstance(part, int | float) or part.is_number for part in mark.zero):
        direction = tuple(float(part) for part in mark.zero)
        return _DIRECTIONS.get((round(direction[0]), round(direction[1])), "its zero line")
    return "the line of the link before"


def _positive_directions(
    angles: Sequence[Angle], marks: Sequence[Mark], pose: Pose, model: Model
) -> str:
    """Return the positive direction of angles in words, with exceptions by name."""
    clockwise = []
    for mark in angles:
        value, (x, y) = pose.value(model, mark.symbol), pose.numbers[marks.index(mark)]
        value = model.parameters.get(mark.symbol) if value is None else value
        vector = pose.points[mark.to] - pose.points[mark.vertex]
        sweep = np.arctan2(x * vector[1] - y * vector[0], x * vector[0] + y * vector[1])
        if value is not None and np.cos(sweep + value) > 1 - 1e-9 > np.cos(sweep - value):
            clockwise.append(mark.symbol)
    if len(clockwise) == len(angles):
        return "clockwise"
    exception = f" but for {_joined([*map(spoken, clockwise)])}" if clockwise else ""
    return f"counterclockwise{exception}"


def _joined(phrases: Sequence[str]) -> str:
    """Join phrases with semicolons and an "and"."""
    *most, last = phrases
    return f"{'; '.join(most)}; and {last}" if most else last


def direction_in_words(vector: Array) -> str:
    """Return the direction of an arrow in words: ``up and to the right``."""
    x, y = np.asarray(vector) / (np.hypot(*vector) or 1.0)
    horizontal = "to the right" if x > 0.38 else "to the left" if x < -0.38 else ""
    vertical = "up" if y > 0.38 else "down" if y < -0.38 else ""
    return " and ".join(filter(None, [vertical, horizontal]))
