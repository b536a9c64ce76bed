"""What a reader sees: figures, films, and the frames that hold them on a page."""

from tutlib.pictures.animation import animate
from tutlib.pictures.chart import Chart, EndTimes
from tutlib.pictures.diagram import in_a_row
from tutlib.pictures.inline import inline_figure
from tutlib.pictures.plotting import (
    figure_as_html,
    label_lines,
    legend_above,
    new_axes,
    plot_curves,
    plot_energy,
    plot_states,
)
from tutlib.pictures.sketch import Arrow, sketch, unit_vectors
from tutlib.pictures.sketch_in_space import sketch_in_space
from tutlib.pictures.stage_picture import plot_stages
from tutlib.pictures.table import Table
from tutlib.pictures.tree_picture import draw_trees

__all__ = [
    "Arrow",
    "Chart",
    "EndTimes",
    "Table",
    "animate",
    "draw_trees",
    "figure_as_html",
    "in_a_row",
    "inline_figure",
    "label_lines",
    "legend_above",
    "new_axes",
    "plot_curves",
    "plot_energy",
    "plot_stages",
    "plot_states",
    "sketch",
    "sketch_in_space",
    "unit_vectors",
]
