"""Commands of ``python -m course``: working copies, the doctor, reports, and others."""

from typing import TYPE_CHECKING

from straightline.doors import lazy

if TYPE_CHECKING:
    from course.desk.chapters import chapters_of_course
    from course.desk.copies import (
        copy_notebooks,
        course_folder,
        course_notebooks,
        student_copy,
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
    "student_copy",
    "without_solutions",
]

__getattr__ = lazy(
    __name__,
    {
        "cells_of": "course.desk.files",
        "chapters_of_course": "course.desk.chapters",
        "copy_notebooks": "course.desk.copies",
        "course_folder": "course.desk.copies",
        "course_notebooks": "course.desk.copies",
        "read_notebook": "course.desk.files",
        "student_copy": "course.desk.copies",
        "without_solutions": "course.desk.copies",
    },
)
