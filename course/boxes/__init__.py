"""Answer boxes of the pages, which judge without a kernel, and simulations of answers."""

from course.boxes.answer_boxes import answer_files, answer_pictures
from course.boxes.comparison import side_by_side, solved_for

__all__ = ["answer_files", "answer_pictures", "side_by_side", "solved_for"]
