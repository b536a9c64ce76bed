"""Where labels of a sketch stand: of several places the one where they cover least.

What is drawn is kept as points with a weight, a few pixels from one another; a label is a box.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from straightline.aliases import Array

#: Left, top, right, bottom [px].
Box = tuple[float, float, float, float]
#: Where a label's middle may be [px], and what it costs to be there.
Candidate = tuple[float, float, float]
_STEP = 3.0
#: What a label keeps free around it [px].
_FREE = 2.0


class Paper:
    """What a sketch holds already, as far as labels must not cover it; all in pixels."""

    def __init__(self) -> None:
        self.ink = np.zeros((0, 2))
        self.weights = np.zeros(0)
        self.boxes: dict[object, Box] = {}

    def add(self, points: Array, weight: float = 1.0) -> None:
        """Keep points of shape (n, 2) free of labels."""
        self.ink = np.concatenate([self.ink, points])
        self.weights = np.concatenate([self.weights, np.full(len(points), weight)])

    def add_line(self, start: Array, end: Array, weight: float = 1.0, width: float = 0.0) -> None:
        """Keep a line free, as wide as it is."""
        self.add(along(start, end, width), weight)

    def add_disk(self, center: Array, radius: float, weight: float = 1.0) -> None:
        """Keep a disk free."""
        grid = np.arange(-radius, radius + _STEP, _STEP)
        places = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
        self.add(center + places[np.hypot(*places.T) <= radius], weight)

    def crowd(self, points: Array, near: float = 7.0) -> float:
        """Return the weight of what is within some pixels of points."""
        if not len(self.ink):
            return 0.0
        away = self.ink[:, None] - points[None]
        return float(self.weights[(away**2).sum(axis=-1).min(axis=1) < near**2].sum())

    def cost(self, box: Box, owner: object = None) -> float:
        """Return how much a box would cover, apart from its own label's."""
        left, top, right, bottom = box
        low, high = [left - _FREE, top - _FREE], [right + _FREE, bottom + _FREE]
        inside = ((self.ink > low) & (self.ink < high)).all(axis=1)
        others = (other for label, other in self.boxes.items() if label is not owner)
        return float(self.weights[inside].sum()) + 0.5 * sum(overlap(box, o) for o in others)

    def bounds(self) -> Box:
        """Return the box around everything."""
        corners = [np.array(box).reshape(2, 2) for box in self.boxes.values()]
        every = np.concatenate([self.ink, *corners])
        return (*map(float, every.min(axis=0)), *map(float, every.max(axis=0)))  # type: ignore[return-value]


def along(start: Array, end: Array, width: float = 0.0) -> Array:
    """Return points on a line, or on three lines across its width."""
    way = np.asarray(end, dtype=float) - start
    length = float(np.hypot(*way))
    count = max(2, round(length / _STEP) + 1)
    middle = np.asarray(start) + np.linspace(0, 1, count)[:, None] * way
    if not width or not length:
        return middle
    across = np.array([-way[1], way[0]]) / length * width / 2
    return np.concatenate([middle, middle + across, middle - across])


def overlap(one: Box, other: Box) -> float:
    """Return the area that two boxes share [px²]."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0.0) * max(height, 0.0)


def box_at(x: float, y: float, size: tuple[float, float]) -> Box:
    """Return the box of a label whose middle is at (x, y)."""
    return x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2


def around(center: Array, distance: float, size: tuple[float, float]) -> list[Candidate]:
    """Return places of a label around a point, the upper right ones first."""
    candidates = []
    for extra in (0.0, 7.0, 15.0):
        for order, degrees in enumerate((45, 135, 315, 225, 0, 180, 90, 270, 20, 160, 200, 340)):
            way = np.array([np.cos(np.deg2rad(degrees)), -np.sin(np.deg2rad(degrees))])
            # so far that the box, not its middle, keeps the distance
            reach = distance + extra + abs(way[0]) * size[0] / 2 + abs(way[1]) * size[1] / 2 - 3
            x, y = center + reach * way
            candidates.append((float(x), float(y), 0.15 * order + 0.2 * extra))
    return candidates


def place_labels(
    paper: Paper, labels: Sequence[tuple[object, tuple[float, float], Sequence[Candidate]]]
) -> dict[object, tuple[float, float]]:
    """Return where each label's middle stands, and keep these places on the paper.

    Each takes its best place, and then once more and once again, as all the others stand now.

    Parameters
    ----------
    paper : Paper
    labels : sequence of (key, (width, height), candidates)
    """
    middles: dict[object, tuple[float, float]] = {}
    for _ in range(3):
        for key, size, candidates in labels:
            price = _price(paper, key, size)
            x, y, _cost = min(candidates, key=price)
            middles[key] = x, y
            paper.boxes[key] = box_at(x, y, size)
    return middles


def _price(paper: Paper, key: object, size: tuple[float, float]) -> Callable[[Candidate], float]:
    return lambda place: paper.cost(box_at(place[0], place[1], size), key) + place[2]
