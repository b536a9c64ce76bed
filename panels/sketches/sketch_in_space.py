"""Labeled drawings of mechanisms in space, in the initial view of animations."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from panels.drawing.arrows import KINDS, ArrowStyle, straight_arrow
from panels.drawing.frames import check_description
from panels.drawing.lettering import label_size
from panels.drawing.space import VIEW, camera_coordinates, marks_in_space, ring_points, shape
from panels.drawing.svg import element, paint
from panels.sketches.diagram import WIDTH, Sketch, drawing
from panels.sketches.marks import Drawing
from panels.sketches.placement import along, around
from panels.sketches.sketch import Arrow
from straightline.aliases import Array
from straightline.arguments import instance, real_array, several, shown, whole_number

if TYPE_CHECKING:
    from tutlib.models.lines import Lines
    from tutlib.models.spatial import SpatialModel


#: The width of a row of drawings, the height of a drawing, gaps, and the height of a name [px].
_ROW_WIDTH, _HEIGHT, _GAP, _NAME_HEIGHT = WIDTH - 60, 230.0, 48.0, 34.0
#: The lengths of the longest arrow of a kind and of a unit vector, relative to half the mechanism.
_LONGEST, _UNIT = 1.0, 0.7


@dataclass(frozen=True)
class _View:
    """A mechanism with its arrows (ends, label, style), the positions of labels, and lengths."""

    name: str
    points: Array
    arrows: tuple[tuple[Array, Any, ArrowStyle], ...]
    labels: Mapping[str, Array]
    lengths: Mapping[str, Array]


@dataclass(frozen=True)
class _Scene:
    """The elements of all views: bodies, paths, and planes; and the camera."""

    skeleton: Any
    paths: Sequence[Array]
    planes: Sequence[Array]
    view: tuple[float, float]

    def seen(self, points: Array) -> Array:
        """Return points in the camera's axes."""
        return camera_coordinates(points, self.view)


def sketch_in_space(
    model: SpatialModel,
    x: ArrayLike,
    description: str,
    *,
    arrows: object = (),
    labels: Mapping[str, object] | None = None,
    lengths: Mapping[str, Sequence[int]] | None = None,
    paths: Sequence[object] = (),
    planes: Sequence[object] = (),
    columns: int = 3,
    view: Sequence[float] = VIEW,
) -> Sketch:
    """Draw a mechanism in space, with arrows and names, at one state or at several.

    Parameters
    ----------
    model : SpatialModel
    x : array, shape (k,), or mapping from str to such arrays
        The state; the states of a mapping are drawn in rows, each above its name.
    description : str
        What is visible, in a sentence, for screen readers.
    arrows : sequence of Arrow, or mapping from a state's name to such
        Each at a point of the skeleton by its index, or at (x, y, z) [m]. Its value has three
        components. The longest arrow of each kind has the same length.
    labels : mapping from name to point, optional
        Text next to points, which are given as indices or as (x, y, z) [m].
    lengths : mapping from name to (point, point), optional
        Names next to dimension lines between points, which are given as indices.
    paths : sequence of array, shape (n, 3)
        Thin lines through points [m], such as circles on a sphere.
    planes : sequence of array, shape (4, 3)
        Corners [m] of transparent parts of planes.
    columns : int
        The number of states per row.
    view : (float, float)
        Yaw about the vertical and pitch of the camera, as for animations [rad].

    Returns
    -------
    Sketch

    Raises
    ------
    TypeError
        If the model is not a model in space, or an arrow is not an `Arrow`.
    ValueError
        If an array has another shape, there is no state, or arrows belong to an unknown state.
    """
    if not hasattr(model, "field"):
        example = "sketch_in_space needs a model in space, such as rigid_body()"
        raise TypeError(f"{example}; got {shown(model)}")
    description = check_description(description)
    states = {str(n): s for n, s in x.items()} if isinstance(x, Mapping) else {"": x}
    if not states:
        raise ValueError("there is no state to draw")
    by_state = arrows if isinstance(arrows, Mapping) else dict.fromkeys(states, arrows)
    for name in by_state:
        if name not in states:
            raise ValueError(f"arrows are for {shown(name)}; the states are {', '.join(states)}")
    words = _mapping(labels, "labels"), _mapping(lengths, "lengths")
    views = [_view(model, n, state, by_state.get(n, ()), *words) for n, state in states.items()]
    lines = several(paths, "paths", lambda p: _upright(model, p, "a path", "n"))
    sheets = several(planes, "planes", lambda p: _upright(model, p, "a plane", 4))
    row = whole_number(columns, "columns", least=1)
    camera = real_array(view, "view", (2,)).tolist()
    scene = _Scene(replace(model.skeleton, arrows=()), lines, sheets, (camera[0], camera[1]))
    return _draw_rows(scene, views, row, description)


def _mapping(value: object, name: str) -> Mapping[str, object]:
    """Return a mapping; an empty one for None."""
    if value is None or isinstance(value, Mapping):
        return value or {}
    raise TypeError(f"{name} must be a mapping, such as {{'l': (0, 1)}}; got {shown(value)}")


def _upright(model: SpatialModel, points: object, name: str, count: int | str) -> Array:
    """Return points [m] in axes whose third one points up."""
    return np.asarray(model.upright(real_array(points, name, (count, 3))))


def _view(
    model: SpatialModel,
    name: str,
    state: object,
    arrows: object,
    labels: Mapping[str, object],
    lengths: Mapping[str, object],
) -> _View:
    """Return the view of one state."""
    k = model.space.dimension
    points = model.positions(np.zeros(1), real_array(state, "x", (k,))[None])[0]
    drawn_arrows = _arrows(model, arrows, points)
    for axis in model.skeleton.arrows:
        style = KINDS.get(axis.role, ArrowStyle(axis.role))
        drawn_arrows.append((points[[axis.start, axis.end]], "", style))
    label_positions = {str(label): _position(model, at, points) for label, at in labels.items()}
    dimension_ends = {
        str(label): np.array([_position(model, at, points) for at in _pair(ends)])
        for label, ends in lengths.items()
    }
    return _View(name, points, tuple(drawn_arrows), label_positions, dimension_ends)


def _pair(ends: object) -> list[object]:
    """Return the two ends of a length."""
    pair = several(ends, "the ends of a length", lambda at: at)
    if len(pair) != 2:
        raise ValueError(f"a length must have two ends, each a point; got {shown(ends)}")
    return pair


def _arrows(
    model: SpatialModel, arrows: object, points: Array
) -> list[tuple[Array, object, ArrowStyle]]:
    """Return ends, label, and style of arrows."""
    half_size = float(np.ptp(points, axis=0).max()) / 2 or 1.0
    placed, largest = [], dict[str, float]()
    for arrow in several(arrows, "arrows", lambda arrow: instance(arrow, "an arrow", Arrow)):
        if arrow.kind not in KINDS:
            kinds = ", ".join(KINDS)
            raise ValueError(f"no such kind of arrow: {shown(arrow.kind)}; choose from {kinds}")
        vector = _upright(model, [arrow.value], "the value of an arrow", 1)[0]
        largest[arrow.kind] = max(largest.get(arrow.kind, 0.0), float(np.linalg.norm(vector)))
        placed.append((arrow, _position(model, arrow.at, points), vector))
    drawn = []
    for arrow, start, vector in placed:
        is_unit = arrow.kind == "unit vector"
        length = float(np.linalg.norm(vector)) if is_unit else largest[arrow.kind]
        factor = half_size * (_UNIT if is_unit else _LONGEST) / (length or 1.0)
        drawn.append((np.array([start, start + factor * vector]), arrow.label, KINDS[arrow.kind]))
    return drawn


def _position(model: SpatialModel, at: Any, points: Array) -> Array:
    """Return a position that is given by a point's index or by coordinates."""
    if np.ndim(at):
        return np.array(_upright(model, [at], "a place", 1)[0])
    position: Array = points[whole_number(at, "a point", 0, len(points) - 1)]
    return position


def _draw_rows(scene: _Scene, views: Sequence[_View], row: int, description: str) -> Sketch:
    """Draw views in rows, all at one scale."""
    points = [p for v in views for p in (v.points, *(ends for ends, *_ in v.arrows))]
    points += [ring_points(v.points, ring) for v in views for ring in scene.skeleton.rings]
    flat = scene.seen(np.concatenate([*points, *scene.paths, *scene.planes]))[:, :2]
    low, sides = flat.min(axis=0), np.maximum(np.ptp(flat, axis=0), 1e-9)
    count = min(row, len(views))
    width = (_ROW_WIDTH - (count - 1) * _GAP) / count
    scale = min(width / sides[0], _HEIGHT / sides[1])
    step = sides * scale + [_GAP, _GAP + _NAME_HEIGHT * bool(views[0].name)]
    page, names = Drawing(), []
    for i, view in enumerate(views):
        corner = step * np.array([i % count, i // count])
        left, bottom = corner + scale * np.array([-low[0], low[1] + sides[1]])
        _draw_view(page, scene, view, (scale, np.array([left, bottom, 0.0])))
        if view.name:
            x, y = corner + scale * sides * [0.5, 1.0]
            names.append(_name(view.name, x, y + 0.8 * _NAME_HEIGHT))
            page.paper.add(np.array([[x, y + 0.8 * _NAME_HEIGHT]]))
    pieces = [*page.behind, *page.texts(), *names]
    left, top, right, bottom = page.paper.bounds()
    corner = (left + right - WIDTH) / 2, top - 6, bottom - top + 12
    return drawing("".join(pieces), *corner, description)


def _draw_view(page: Drawing, scene: _Scene, view: _View, transform: tuple[float, Array]) -> None:
    """Draw one view, from back to front; its labels are placed later."""
    scale, origin = transform

    def to_pixels(points: Array) -> Array:
        return scene.seen(points) * [scale, -scale, 1.0] + origin

    pixels, skeleton = to_pixels(view.points), scene.skeleton
    pieces = [shape(to_pixels(line), stroke="ground", width=1.2) for line in scene.paths]
    pieces += [shape(to_pixels(p), "goal", 0.16, "goal", 1.2, closed=True) for p in scene.planes]
    pieces += marks_in_space(pixels, skeleton, 0)
    for ends, _, style in view.arrows:
        start, end = to_pixels(ends)
        pieces.append((float(start[2] + end[2]) / 2, straight_arrow(start[:2], end[:2], style)))
    page.behind += [piece for _, piece in sorted(pieces, key=lambda piece: piece[0])]
    for path in (*skeleton.lines, *(face.corners for face in skeleton.faces)):
        for a, b in pairwise(path):
            page.paper.add_line(pixels[a, :2], pixels[b, :2], 1.5)
    for point in skeleton.bodies:
        page.paper.add_disk(pixels[point, :2], 11, 3)
    for ring in skeleton.rings:
        page.paper.add(ring_points(pixels, ring)[:, :2], 0.5)
    for points in (*scene.paths, *scene.planes):
        page.paper.add(to_pixels(points)[:, :2], 0.3)
    _label_view(page, skeleton, view, to_pixels)


def _label_view(
    page: Drawing, skeleton: Lines, view: _View, to_pixels: Callable[[Array], Array]
) -> None:
    """Label arrows, points, and lengths."""
    for ends, label, style in view.arrows:
        start, end = to_pixels(ends)[:, :2]
        page.paper.add(along(start, end), 2)
        if label not in (None, ""):
            page.label(label, around(end, 7, label_size(label)), style.role)
    for name in skeleton.names:
        position = to_pixels(view.points[name.point])[:2]
        page.label(name.text, around(position, 5, label_size(name.text)), name.role)
    for label, point in view.labels.items():
        page.label(label, around(to_pixels(point)[:2], 14, label_size(label)))
    for label, points in view.lengths.items():
        start, end = to_pixels(points)[:, :2]
        page.length(label, start, end, 14.0)


def _name(text: str, x: float, y: float) -> str:
    """Return the name of a state below its view."""
    size = {"text_anchor": "middle", "font_size": 14, "font_family": "sans-serif"}
    return element("text", html.escape(text), x=x, y=y, **size, **paint("ink"))
