"""Layout of a sketch: the mechanism, its marks, arrows, axes, and labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from panels.drawing.arrows import KINDS
from panels.drawing.frames import skeleton_data
from panels.drawing.lettering import label_size
from panels.drawing.svg import link_scale, mechanism
from panels.sketches.marks import Drawing
from panels.sketches.placement import Box, along, around
from panels.sketches.pose import Pose
from straightline.aliases import Array
from tutlib.plots.look import LOOK
from tutlib.reading.names import plain_name

if TYPE_CHECKING:
    from tutlib.models.model import Model
    from tutlib.models.skeleton import Angle, Center, Force, Length, Mark, Torque
    from tutlib.reading.parameters import Named


#: The lengths of the longest arrow of each kind, of a unit vector, and of a world axis [px].
_LONGEST, _UNIT, _AXIS = 62.0, 38.0, 30.0
_PIN_RADIUS = 6.0


class Layout:
    """A sketch at some scale [px/m]; all positions are in pixels, y down.

    Parameters
    ----------
    model : Model
    pose : Pose
        Its numbers are those of the marks, followed by the position and value of each arrow.
    marks : sequence of marks
    arrows : sequence of (label, kind)
    to_scale : sequence of bool
        Whether the components of each arrow are lengths in meters.
    names : set of str
        Names and symbols, in plain letters, of labeled points.
    axes : sequence of labels
    scale : float
    """

    def __init__(
        self,
        model: Model,
        pose: Pose,
        marks: Sequence[Mark],
        arrows: Sequence[tuple[Named, str]],
        to_scale: Sequence[bool],
        names: set[str],
        axes: Sequence[Named],
        scale: float,
    ) -> None:
        self.model, self.pose, self.scale, self.names = model, pose, scale, names
        self.data = skeleton_data(model.skeleton, model.parameters)
        self.at = self.pixels(pose.points)
        self.drawing = Drawing()
        self.paper = self.drawing.paper
        self._reserve_bodies()
        self._draw_gaps()
        numbers = iter(pose.numbers)
        order = {"angle": 0, "center": 1, "force": 2, "torque": 3, "length": 4}
        pairs = [(mark, next(numbers)) for mark in marks]
        for mark, value in sorted(pairs, key=lambda pair: order[pair[0].kind]):
            getattr(self, f"_draw_{mark.kind}")(mark, value)
        self._draw_arrows([(*arrow, next(numbers), next(numbers)) for arrow in arrows], to_scale)
        self._label_points()
        if axes:
            self._draw_axes(axes)
        self.texts = self.drawing.texts()

    def pixels(self, points: Array) -> Array:
        """Return the pixel positions of points of shape (..., 2) [m]."""
        return np.asarray(points) * [self.scale, -self.scale]

    def svg(self) -> str:
        """Return everything, from back to front."""
        bodies = mechanism(self.at, self.data)
        return "".join([*self.drawing.behind, bodies, *self.drawing.front, *self.texts])

    def bounds(self) -> Box:
        """Return the box around everything."""
        return self.paper.bounds()

    def _links(self) -> list[tuple[int, int]]:
        """Return the pairs of points that links connect."""
        thin, lines = self.data["thin"], self.data["lines"]
        return [pair for i, line in enumerate(lines) if i not in thin for pair in pairwise(line)]

    def _reserve_bodies(self) -> None:
        """Reserve the area of the mechanism, so that labels do not cover it."""
        at, links = self.at, self._links()
        width = LOOK["widths"]["link"] * link_scale([(at[i], at[j]) for i, j in links])
        for i, j in links:
            self.paper.add_line(at[i], at[j], 4, width)
        for i in self.data["thin"]:
            for a, b in pairwise(self.data["lines"][i]):
                self.paper.add_line(at[a], at[b], 1.5)
        for center, rim in self.data["wheels"]:
            angles = np.linspace(0, 2 * np.pi, 90)[:, None]
            circle = np.hypot(*(at[rim] - at[center])) * np.hstack([np.cos(angles), np.sin(angles)])
            self.paper.add(at[center] + circle, 1.5)
        for k in (*self.data["pivots"], *self.data["joints"], *self.data["bodies"]):
            self.paper.add_disk(at[k], self._radius(k), 4)
        down = -1 if self.data["ceiling"] else 1
        for k in self.data["pivots"]:
            for y in range(4, 24, 4):
                half_width = np.array([16.0 if y > 12 else 0.7 * y, 0.0])
                foot = at[k] + [0, down * y]
                self.paper.add(along(foot - half_width, foot + half_width), 2)

    def _radius(self, point: int) -> float:
        """Return the radius of a point's disk."""
        radii = dict(zip(self.data["bodies"], self.data["radii"]))
        return float(radii.get(point) or _PIN_RADIUS)

    def _draw_gaps(self) -> None:
        """Draw arrows across the gaps of loops that are cut open."""
        for i, j in self.pose.held:
            if np.hypot(*(self.at[i] - self.at[j])) > 2 * _PIN_RADIUS:
                self.drawing.arrow("", self.at[j], self.at[i], KINDS["constraint"])

    def _draw_angle(self, mark: Angle, zero: Array) -> None:
        """Draw an angle."""
        vertex, to = self.at[mark.vertex], self.at[mark.to]
        start = math.atan2(zero[1], zero[0])
        vector = to - vertex
        sweep = (math.atan2(-vector[1], vector[0]) - start + math.pi) % (2 * math.pi) - math.pi
        value = self.pose.value(self.model, mark.symbol)
        if value is not None:  # an angle beyond half a revolution is drawn as such
            turns = sweep + 2 * math.pi * round((value - sweep) / (2 * math.pi))
            sweep = turns if abs(turns) < 2 * math.pi else sweep
        self.drawing.angle(mark.symbol, vertex, start, sweep, float(np.hypot(*vector)))

    def _draw_length(self, mark: Length, _: Array) -> None:
        """Draw a length."""
        start, end = self.at[mark.start], self.at[mark.end]
        links = {frozenset(pair) for pair in self._links()}
        clear = 17 if frozenset((mark.start, mark.end)) in links else 22
        self.drawing.length(mark.symbol, start, end, clear)

    def _draw_center(self, mark: Center, fraction: Array) -> None:
        """Draw a center of mass."""
        start, end = self.at[mark.start], self.at[mark.end]
        self.drawing.center(mark.symbol, start + fraction[0] * (end - start))

    def _draw_force(self, mark: Force, direction: Array) -> None:
        """Draw a force."""
        self.drawing.force(mark.symbol, self.at[mark.point], direction)

    def _draw_torque(self, mark: Torque, _: Array) -> None:
        """Draw a torque."""
        self.drawing.turn(mark.symbol, self.at[mark.point], 1, KINDS["torque"])

    def _draw_arrows(
        self, arrows: Sequence[tuple[object, str, Array, Array]], to_scale: Sequence[bool]
    ) -> None:
        """Draw arrows, to scale or so that the longest arrow of each kind has the same length."""
        largest: dict[str, float] = {}
        for (_, kind, _, value), in_meters in zip(arrows, to_scale):
            if not in_meters:
                largest[kind] = max(largest.get(kind, 0.0), float(np.linalg.norm(value)))
        for (label, kind, position, value), in_meters in zip(arrows, to_scale):
            start = self.pixels(position)
            if kind == "unit vector":
                vector = _UNIT * direction(value)
            elif len(value) == 1:
                self.drawing.turn(label, start, value[0], KINDS[kind])
                continue
            elif in_meters:
                vector = self.scale * value
            else:
                vector = _LONGEST * value / (largest[kind] or 1.0)
            self.drawing.arrow(label, start, start + vector * [1, -1], KINDS[kind])

    def _label_points(self) -> None:
        """Label masses and points."""
        skeleton = self.model.skeleton
        for k, mass in zip(skeleton.bodies, skeleton.masses):
            if mass is not None and plain_name(mass) in self.names:
                self.drawing.label(mass, around(self.at[k], self._radius(k) + 3, label_size(mass)))
        for k, name in enumerate(skeleton.names):
            if name in self.names:
                self.drawing.label(name, around(self.at[k], self._radius(k) + 3, label_size(name)))

    def _draw_axes(self, names: Sequence[object]) -> None:
        """Draw the directions of the world's axes, in an empty corner."""
        left, top, right, bottom = self.bounds()
        inside = [(x, y) for y in (bottom, top + _AXIS + 8) for x in (left + 4, right - _AXIS - 10)]
        beside = [(left - _AXIS - 26, bottom), (right + 20, bottom)]
        corners = [(x, y, 0.0) for x, y in inside] + [(x, y, 3.0) for x, y in beside]
        grid = np.mgrid[-10.0:52.0:6, -48.0:14.0:6].reshape(2, -1).T
        x, y, _cost = min(
            corners, key=lambda corner: self.paper.crowd(grid + corner[:2], 5) + corner[2]
        )
        origin = np.array([x, y])
        for name, vector in zip(names, np.array([[_AXIS, 0], [0, -_AXIS]])):
            self.drawing.arrow(name, origin, origin + vector, KINDS["unit vector"])


def direction(value: Array) -> Array:
    """Return a unit vector, from its angle to the x axis or from components."""
    if len(value) == 1:
        return np.array([math.cos(value[0]), math.sin(value[0])])
    return np.asarray(value / (np.linalg.norm(value) or 1.0))
