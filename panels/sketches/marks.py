"""Marks of a sketch: angles, lengths, centers of mass, loads, and names.

Each mark is drawn at its points, reserves its area on the paper, and passes its label with
candidate positions.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from panels.drawing.arrows import (
    ANGLE,
    DIMENSION,
    KINDS,
    ArrowStyle,
    arc_points,
    curved_arrow,
    point_on_circle,
    straight_arrow,
)
from panels.drawing.lettering import label_size, text
from panels.drawing.svg import element, paint, path, pixels
from panels.sketches.placement import Candidate, Paper, along, around, place_labels
from straightline.aliases import Array
from tutlib.plots.look import LOOK

if TYPE_CHECKING:
    from tutlib.reading.parameters import Named


#: The smallest and largest radius of an angle's arc, the radius of a torque, a force's length [px].
_ARC, _TORQUE, _FORCE = (26.0, 40.0), 19.0, 46.0
_DASHES = "4 4"
#: The largest distance of two tips of arrows that are at the same position [px].
_SAME = 6.0


class Drawing:
    """A sketch under construction; all positions are in pixels, y down."""

    def __init__(self) -> None:
        self.paper = Paper()
        self.behind: list[str] = []
        self.front: list[str] = []
        self.labels: list[tuple[object, Any, str, list[Candidate]]] = []
        self.tips: list[Array] = []

    def label(self, label: Named, candidates: list[Candidate], role: str = "ink") -> None:
        """Add a label with candidate positions of its center."""
        self.labels.append((len(self.labels), label, role, candidates))

    def texts(self) -> list[str]:
        """Place all labels, and return them as SVG."""
        positions = place_labels(self.paper, [(k, label_size(a), c) for k, a, _, c in self.labels])
        return [text(label, *positions[key], role) for key, label, role, _ in self.labels]

    def dashed(self, start: Array, end: Array) -> None:
        """Draw a dashed auxiliary line."""
        style = {"stroke_width": 1.4, "stroke_dasharray": _DASHES}
        self.behind.append(element("path", d=path([start, end]), **paint(stroke="ground"), **style))
        self.paper.add_line(start, end, 0.7)

    def angle(self, label: Named, vertex: Array, zero: float, sweep: float, reach: float) -> None:
        """Draw an angle: a dashed zero line, an arc with a head, and a label beside it.

        Parameters
        ----------
        label : Expr or str
        vertex : array, shape (2,)
        zero, sweep : float
            Direction of the zero line from the x axis, and the angle [rad].
        reach : float
            The length of the link.
        """
        least, most = _ARC
        radius = min(max(least, 0.4 * reach, 16 / max(abs(sweep), 1e-9)), most, 0.8 * reach)
        radius = max(radius, 14.0)
        self.dashed(vertex, point_on_circle(vertex, radius + 16, zero))
        if radius * abs(sweep) > 7:
            self.behind.append(curved_arrow(vertex, radius, zero, sweep, ANGLE))
            self.paper.add(arc_points(vertex, radius, zero, sweep), 1.5)
        size, candidates = label_size(label), []
        for step, fraction in enumerate((0.5, 0.35, 0.65, 0.2, 0.8, 0.0, 1.0)):
            direction = zero + fraction * sweep
            for order, distance in enumerate((9.0, 3.0, 16.0, -12.0, 26.0)):
                reach_of_box = (
                    abs(math.cos(direction)) * size[0] / 2 + abs(math.sin(direction)) * size[1] / 2
                )
                x, y = point_on_circle(vertex, radius + distance + 0.7 * reach_of_box, direction)
                candidates.append((float(x), float(y), 0.3 * step + 0.4 * order))
        ends = [
            point_on_circle(vertex, radius, zero),
            point_on_circle(vertex, radius, zero + sweep),
        ]
        candidates += [(x, y, cost + 4) for end in ends for x, y, cost in around(end, 9, size)]
        self.label(label, candidates)

    def length(self, label: Named, start: Array, end: Array, clear: float) -> None:
        """Draw a dimension line beside what it measures, on the emptier side.

        Parameters
        ----------
        label : Expr or str
        start, end : array, shape (2,)
        clear : float
            The smallest distance of the line.
        """
        vector = end - start
        length = float(np.hypot(*vector))
        normal = np.array([vector[1], -vector[0]]) / (length or 1.0)
        offsets = [side * (clear + extra) for extra in (0, 8, 18, 30) for side in (1, -1)]
        inner = along(start + 0.12 * vector, end - 0.12 * vector)

        def cost(offset: float) -> float:
            # the label is beside the line, farther out
            label_offset = math.copysign(13, offset)
            crowd = self.paper.crowd(inner + offset * normal)
            crowd += self.paper.crowd(inner[len(inner) // 3 :] + (offset + label_offset) * normal)
            return crowd + 0.25 * abs(offset)

        offset = min(offsets, key=cost)
        ends = start + offset * normal, end + offset * normal
        elements = [straight_arrow(*ends, DIMENSION, both=True)]
        for inside, outside in zip((start, end), ends):
            tick = path([inside + 0.5 * (outside - inside), outside + np.sign(offset) * 4 * normal])
            stroke = {"stroke_width": LOOK["widths"]["dimension"]}
            elements.append(element("path", d=tick, **paint(stroke="ground"), **stroke))
            self.paper.add_line(inside + 0.5 * (outside - inside), outside, 0.7)
        self.behind += elements
        self.paper.add_line(*ends, 1.2)
        self.label(label, _beside(ends, normal * np.sign(offset), label_size(label)))

    def center(self, label: Named, position: Array) -> None:
        """Draw the symbol of a center of mass."""
        ring = element("circle", r=6, **paint("paper", "ink"), stroke_width=1.5)
        filled = element("path", d=LOOK["glyphs"]["center of mass"], **paint("ink"))
        transform = f"translate({pixels(position[0])} {pixels(position[1])})"
        self.front.append(element("g", ring, filled, transform=transform))
        self.paper.add_disk(position, 7, 3)
        self.label(label, around(position, 10, label_size(label)))

    def arrow(self, label: Named, start: Array, end: Array, style: ArrowStyle) -> None:
        """Draw a straight arrow with a label at its end, or beside it if another one ends there."""
        self.front.append(straight_arrow(start, end, style))
        self.paper.add_line(start, end, 2, 3)
        if label not in (None, ""):
            size, middle = label_size(label), (start + end) / 2
            shared = any(np.hypot(*(end - tip)) < _SAME for tip in self.tips)
            candidates = [(x, y, cost + 3 * shared) for x, y, cost in around(end, 7, size)]
            beside = around(middle, 9, size)
            candidates += [(x, y, cost + 3 * (not shared)) for x, y, cost in beside]
            self.label(label, candidates, style.role)
            self.tips.append(end)

    def turn(self, label: Named, center: Array, sign: float, style: ArrowStyle) -> None:
        """Draw a curved arrow around a point, in the emptiest sector; the sign is its direction."""
        sweep = math.copysign(np.deg2rad(230), sign)
        radius = _TORQUE
        starts = np.deg2rad(np.arange(0, 360, 30))

        def cost(start: float) -> float:
            return self.paper.crowd(arc_points(center, radius, start, sweep), 6)

        start = float(min(starts, key=cost))
        self.front.append(curved_arrow(center, radius, start, sweep, style))
        self.paper.add(arc_points(center, radius, start, sweep), 2)
        if label not in (None, ""):
            self.label(label, around(center, radius + 6, label_size(label)), style.role)

    def force(self, label: Named, position: Array, direction: Array) -> None:
        """Draw a force of unknown value: away from its point, or toward it if that is emptier."""
        unit = np.array([direction[0], -direction[1]]) / (np.hypot(*direction) or 1.0)
        ends = [(position + a * unit, position + b * unit) for a, b in ((9, _FORCE), (-_FORCE, -9))]
        outward, inward = (self.paper.crowd(along(*pair)) for pair in ends)
        self.arrow(label, *ends[int(inward < 0.5 * outward)], KINDS["force"])


def _beside(
    ends: tuple[Array, Array], outward: Array, size: tuple[float, float]
) -> list[Candidate]:
    """Return candidate positions of a label along a dimension line, outer side first."""
    candidates = []
    reach = abs(outward[0]) * size[0] / 2 + abs(outward[1]) * size[1] / 2
    for step, fraction in enumerate((0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)):
        middle = ends[0] + fraction * (ends[1] - ends[0])
        for cost, side in ((0.0, 1), (1.5, -1)):
            for distance in (2.0, 7.0):
                x, y = middle + side * (reach + distance) * outward
                candidates.append((float(x), float(y), cost + 0.4 * step + 0.1 * distance))
    return candidates
