"""What ``python -m tutlib`` does: working copies of the notebooks, the doctor, verification."""

from tutlib.commands.copies import copy_notebooks, course_folder, without_solutions
from tutlib.commands.verifying import verify_file

__all__ = [
    "copy_notebooks",
    "course_folder",
    "verify_file",
    "without_solutions",
]
