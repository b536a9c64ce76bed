"""Answers in the page, with no kernel: what its boxes judge by, and answers that move."""

from course.boxes.answer_boxes import answer_files, answer_pictures
from course.boxes.comparison import side_by_side, solved_for

__all__ = ["answer_files", "answer_pictures", "side_by_side", "solved_for"]
