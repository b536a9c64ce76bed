"""What runs the course: exercises and their judge, answer boxes, capstones, commands.

A notebook needs only `check` of it.
"""

import os
import sys

_command = sys.argv[:1] == ["-m"]
if _command and sys.path[:1] == [os.getcwd()]:
    # "python -m course" looks where you are first, and a sympy.py of yours would hide SymPy: last
    sys.path.append(sys.path.pop(0))

try:
    import tutlib  # before all else: it says what is missing, or hidden, and what to do
    from straightline.doors import explained_imports

    with explained_imports():
        from course.checking import check
except ImportError as _error:
    if _command:
        sys.exit(str(_error))
    raise

__version__ = tutlib.__version__
__all__ = ["check"]
