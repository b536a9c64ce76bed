"""Placement of labels in a sketch: of several candidates, the one that covers least.

Drawn elements are represented by weighted points a few pixels apart, and labels by boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from straightline.aliases import Array

#: Left, top, right, bottom [px].
Box = tuple[float, float, float, float]
#: A possible center of a label [px], and the cost of putting it there.
Candidate = tuple[float, float, float]
_STEP = 3.0
#: The free margin around a label [px].
_MARGIN = 2.0


class Paper:
    """The occupied areas of a sketch, which labels should not cover; in pixels."""

    def __init__(self) -> None:
        self.ink = np.zeros((0, 2))
        self.weights = np.zeros(0)
        self.boxes: dict[object, Box] = {}

    def add(self, points: Array, weight: float = 1.0) -> None:
        """Reserve points of shape (n, 2)."""
        self.ink = np.concatenate([self.ink, points])
        self.weights = np.concatenate([self.weights, np.full(len(points), weight)])

    def add_line(self, start: Array, end: Array, weight: float = 1.0, width: float = 0.0) -> None:
        """Reserve a line with its width."""
        self.add(along(start, end, width), weight)

    def add_disk(self, center: Array, radius: float, weight: float = 1.0) -> None:
        """Reserve a disk."""
        grid = np.arange(-radius, radius + _STEP, _STEP)
        points = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
        self.add(center + points[np.hypot(*points.T) <= radius], weight)

    def crowd(self, points: Array, near: float = 7.0) -> float:
        """Return the weight of the reserved points within some pixels of given points."""
        if not len(self.ink):
            return 0.0
        offsets = self.ink[:, None] - points[None]
        return float(self.weights[(offsets**2).sum(axis=-1).min(axis=1) < near**2].sum())

    def cost(self, box: Box, owner: object = None) -> float:
        """Return the weight that a box would cover, apart from its own label's."""
        left, top, right, bottom = box
        low, high = [left - _MARGIN, top - _MARGIN], [right + _MARGIN, bottom + _MARGIN]
        inside = ((self.ink > low) & (self.ink < high)).all(axis=1)
        other_boxes = (held for label, held in self.boxes.items() if label is not owner)
        return float(self.weights[inside].sum()) + 0.5 * sum(
            overlap(box, other_box) for other_box in other_boxes
        )

    def bounds(self) -> Box:
        """Return the box around everything."""
        corners = [np.array(box).reshape(2, 2) for box in self.boxes.values()]
        points = np.concatenate([self.ink, *corners])
        return (*map(float, points.min(axis=0)), *map(float, points.max(axis=0)))  # type: ignore[return-value]


def along(start: Array, end: Array, width: float = 0.0) -> Array:
    """Return points on a line, or on three parallel lines across its width."""
    vector = np.asarray(end, dtype=float) - start
    length = float(np.hypot(*vector))
    count = max(2, round(length / _STEP) + 1)
    center_line = np.asarray(start) + np.linspace(0, 1, count)[:, None] * vector
    if not width or not length:
        return center_line
    offset = np.array([-vector[1], vector[0]]) / length * width / 2
    return np.concatenate([center_line, center_line + offset, center_line - offset])


def overlap(first: Box, second: Box) -> float:
    """Return the area that two boxes share [px²]."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    return max(width, 0.0) * max(height, 0.0)


def box_at(x: float, y: float, size: tuple[float, float]) -> Box:
    """Return the box of a label centered at (x, y)."""
    return x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2


def around(center: Array, distance: float, size: tuple[float, float]) -> list[Candidate]:
    """Return candidate positions of a label around a point, upper right first."""
    candidates = []
    for extra in (0.0, 7.0, 15.0):
        for order, degrees in enumerate((45, 135, 315, 225, 0, 180, 90, 270, 20, 160, 200, 340)):
            direction = np.array([np.cos(np.deg2rad(degrees)), -np.sin(np.deg2rad(degrees))])
            # far enough that the box, not its center, keeps the distance
            reach = (
                distance
                + extra
                + abs(direction[0]) * size[0] / 2
                + abs(direction[1]) * size[1] / 2
                - 3
            )
            x, y = center + reach * direction
            candidates.append((float(x), float(y), 0.15 * order + 0.2 * extra))
    return candidates


def place_labels(
    paper: Paper, labels: Sequence[tuple[object, tuple[float, float], Sequence[Candidate]]]
) -> dict[object, tuple[float, float]]:
    """Return the center of each label, and reserve its box on the paper.

    In each of three rounds, every label takes the best position given the current positions of the
    others.

    Parameters
    ----------
    paper : Paper
    labels : sequence of (key, (width, height), candidates)
    """
    centers: dict[object, tuple[float, float]] = {}
    for _ in range(3):
        for key, size, candidates in labels:
            cost = _cost_of(paper, key, size)
            x, y, _cost = min(candidates, key=cost)
            centers[key] = x, y
            paper.boxes[key] = box_at(x, y, size)
    return centers


def _cost_of(paper: Paper, key: object, size: tuple[float, float]) -> Callable[[Candidate], float]:
    """Return the cost of a candidate as a function."""
    return lambda candidate: (
        paper.cost(box_at(candidate[0], candidate[1], size), key) + candidate[2]
    )
