"""Figures of single chapters: mechanisms to model, trees of order conditions, stages of a step."""

from course.figures.mechanisms import masses_on_string, ring_on_wire, spring_pendulum
from course.figures.stages import plot_stages
from course.figures.trees import draw_trees

__all__ = ["draw_trees", "masses_on_string", "plot_stages", "ring_on_wire", "spring_pendulum"]
