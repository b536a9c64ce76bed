"""What runs the course: exercises and their judge, answer boxes, capstones, commands.

Of all this a notebook needs `check` alone; what moves and computes is in `tutlib`.
"""

import tutlib  # before all else: it says what is missing, or hides it, and what to do
from course.checking import check

__version__ = tutlib.__version__
__all__ = ["check"]
