"""Pictures of pages for links to them: title, and mechanism at some moments of its motion."""

from __future__ import annotations

import textwrap
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from publishing.sphinx.films import Film
from tutlib.plots.look import LOOK

#: Width and height that social networks expect [px].
SIZE = (1200, 630)
COLORS = LOOK["colors"]["dark"]
#: Left edge of the mechanism, and its moments, the last one bright, as fractions.
LEFT, MOMENTS = 0.44, (0.0, 0.09, 0.17, 0.24, 0.3)


def draw_card(path: Path, title: str, course: str, film: Film | None) -> None:
    """Draw the picture of a page as a PNG."""
    figure = Figure(figsize=(12, 6.3), dpi=100, facecolor=COLORS["paper"])
    words = {"color": COLORS["ink"], "ha": "left"}
    lines = textwrap.fill(title, 16 if film else 34)
    figure.text(0.06, 0.56, lines, fontsize=42, weight="bold", va="center", **words)
    figure.text(0.06, 0.1, course, fontsize=24, va="center", **words)
    if film:
        axes = figure.add_axes((LEFT, 0.03, 0.98 - LEFT, 0.94))
        axes.set_axis_off()
        axes.set_aspect("equal")
        for index, (points, ghost) in enumerate(zip(film.flat, film.ghosts)):
            draw_motion(axes, film, points, index, 0.35 if ghost else 1.0)
    path.parent.mkdir(parents=True, exist_ok=True)
    FigureCanvasAgg(figure).print_png(path)


def draw_motion(axes: Any, film: Film, points: Any, index: int, share: float) -> None:
    """Draw one motion: the trace of its last body, and the mechanism at some moments."""
    color = COLORS[f"series-{index % 5 + 1}"]
    skeleton = film.look["skeleton"]
    traced = skeleton.get("traced")
    traced = (skeleton["bodies"] or [None])[-1] if traced is None else traced
    last = len(points) - 1
    frames = [round(part * last) for part in MOMENTS]
    if traced is not None:
        trace = points[: frames[-1] + 1, traced]
        (line,) = axes.plot(*trace.T, color=color, lw=2.5, alpha=0.5 * share)
        line.get_path().should_simplify = False
    for frame, strength in zip(frames, np.linspace(0.12, 1.0, len(frames)) ** 1.5):
        draw_moment(axes, skeleton, points[frame], color, strength * share)


def draw_moment(axes: Any, skeleton: dict[str, Any], at: Any, color: str, strength: float) -> None:
    """Draw a mechanism at one moment; groups have colors of their own."""

    def color_of(group: int) -> str:
        return COLORS[f"series-{group % 5 + 1}"] if group else color

    thin, groups = set(skeleton.get("thin", ())), skeleton.get("groups")
    for number, line in enumerate(skeleton["lines"]):
        look = {"color": color_of(groups[number] if groups else 0), "alpha": strength}
        for ends in pairwise(line):
            width = 2.0 if number in thin else 9.0
            axes.plot(*at[list(ends)].T, lw=width, solid_capstyle="round", **look)
    for face in skeleton.get("faces", ()):
        shade = color_of(face.get("group", 0))
        axes.fill(*at[list(face["corners"])].T, color=shade, alpha=0.3 * strength)
    for center, rim in skeleton.get("wheels", ()):
        turn = np.linspace(0, 2 * np.pi, 60)
        radius = np.linalg.norm(at[rim] - at[center])
        axes.plot(
            at[center, 0] + radius * np.cos(turn),
            at[center, 1] + radius * np.sin(turn),
            color=color,
            lw=2.5,
            alpha=strength,
        )
    for body, radius in zip(skeleton["bodies"], skeleton.get("radii") or [9] * 99):
        if radius:
            axes.plot(*at[body], "o", ms=2.0 * radius, color=color, alpha=strength)
    for pivot in skeleton.get("pivots", ()):
        axes.plot(*at[pivot], "^", ms=14, color=COLORS["ground"])
