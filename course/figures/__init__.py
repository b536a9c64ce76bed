"""Figures that one chapter alone shows: trees of order conditions, stages of a step."""

from course.figures.stages import plot_stages
from course.figures.trees import draw_trees

__all__ = ["draw_trees", "plot_stages"]
