"""Plots of trajectories in the look of the course."""

from tutlib.plots.plotting import (
    label_lines,
    legend_above,
    new_axes,
    plot_curves,
    plot_energy,
    plot_states,
)
from tutlib.plots.table import Table

__all__ = [
    "Table",
    "label_lines",
    "legend_above",
    "new_axes",
    "plot_curves",
    "plot_energy",
    "plot_states",
]
