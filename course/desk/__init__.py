"""Commands of ``python -m course``: working copies, the doctor, reports, and others."""

from course.desk.chapters import chapters_of_course
from course.desk.copies import (
    copy_notebooks,
    course_folder,
    course_notebooks,
    without_solutions,
)
from course.desk.files import cells_of, read_notebook

__all__ = [
    "cells_of",
    "chapters_of_course",
    "copy_notebooks",
    "course_folder",
    "course_notebooks",
    "read_notebook",
    "without_solutions",
]
