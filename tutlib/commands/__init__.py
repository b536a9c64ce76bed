"""What ``python -m tutlib`` does: working copies of the notebooks, the doctor, and the plans."""

from tutlib.commands.chapters import chapters_of_course
from tutlib.commands.copies import copy_notebooks, course_folder, without_solutions

__all__ = [
    "chapters_of_course",
    "copy_notebooks",
    "course_folder",
    "without_solutions",
]
