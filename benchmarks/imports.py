"""What ``import tutlib`` adds to the time that ``import sympy`` takes, in fresh interpreters."""

import statistics
import subprocess
import sys

PROGRAM = """
from time import perf_counter
start = perf_counter()
import sympy, sympy.physics.mechanics
middle = perf_counter()
import tutlib
print(middle - start, perf_counter() - middle)
"""


def import_times(rounds: int = 7) -> tuple[float, float]:
    """Return the median time [s] of SymPy's import, and of tutlib's after it."""
    runs = []
    for _ in range(rounds):
        output = subprocess.run(
            [sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True
        ).stdout
        runs.append([float(word) for word in output.split()])
    sympy, tutlib = zip(*runs, strict=True)
    return statistics.median(sympy), statistics.median(tutlib)
