"""Figures of single chapters: trees of order conditions, stages of a Runge-Kutta step."""

from course.figures.stages import plot_stages
from course.figures.trees import draw_trees

__all__ = ["draw_trees", "plot_stages"]
