"""What runs the course: exercises and their judge, answer boxes, capstones, commands.

Of all this a notebook needs `check` alone; what moves and computes is in `tutlib`.
"""

from course.checking import check

__all__ = ["check"]
