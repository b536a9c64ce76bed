"""What ``python -m tutlib`` does: working copies of the notebooks, and the doctor."""

from tutlib.commands.copies import copy_notebooks, course_folder, without_solutions

__all__ = [
    "copy_notebooks",
    "course_folder",
    "without_solutions",
]
