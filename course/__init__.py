"""The course's own code: exercises and their judge, answer boxes, capstones, commands.

A notebook needs only `check` from it.
"""

import os
import sys

_command = sys.argv[:1] == ["-m"]
if _command and sys.path[:1] == [os.getcwd()]:
    # "python -m course" searches the current folder first, where a sympy.py would hide SymPy: last
    sys.path.append(sys.path.pop(0))

try:
    import tutlib  # first, because its errors explain missing or hidden packages
    from straightline.doors import explained_imports

    with explained_imports():
        import tutlib.plots.plotting
        from course.checking import check
except ImportError as _error:
    if _command:
        sys.exit(str(_error))
    raise

tutlib.plots.plotting.use_style()  # of the readers' own figures in a notebook, too
__version__ = tutlib.__version__
__all__ = ["check"]
