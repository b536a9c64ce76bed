"""What a reader sees: figures, films, and the frames that hold them on a page."""

from tutlib.pictures.animation import animate
from tutlib.pictures.chart import Chart
from tutlib.pictures.plotting import figure_as_html, new_axes, plot_energy, plot_states
from tutlib.pictures.stage_picture import plot_stages

__all__ = [
    "Chart",
    "animate",
    "figure_as_html",
    "new_axes",
    "plot_energy",
    "plot_stages",
    "plot_states",
]
