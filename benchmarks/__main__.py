"""Run every benchmark and print one table."""

import platform

import numba
import numpy
import scipy

from benchmarks.exercises import long_equation, slowest_check
from benchmarks.imports import import_times
from benchmarks.pendulum import equal_error


def main() -> None:
    print(
        f"Python {platform.python_version()}, NumPy {numpy.__version__}, SciPy {scipy.__version__},"
        f" Numba {numba.__version__}, {platform.machine()}, one core\n"
    )
    run = equal_error()
    sympy, tutlib = import_times()
    name, slowest = slowest_check()
    rows = [
        (
            "pendulum, 100 s, 10,000 RK4 steps compiled, against SciPy's RK45",
            f"{run['peer_time'] / run['time']:.0f} times as fast",
            f"errors {run['error']:.1e} and {run['peer_error']:.1e} rad",
        ),
        (
            "pendulum, a million RK4 steps compiled",
            f"{run['steps_per_second'] / 1e6:.1f} million steps per second",
            "Numba's compilation not counted",
        ),
        (
            "import tutlib, after SymPy",
            f"{tutlib / sympy:.2f} of SymPy's own time",
            f"{tutlib:.3f} s and {sympy:.3f} s",
        ),
        (
            "slowest check of an exercise, right or wrong, first time",
            f"{slowest / sympy:.2f} of SymPy's import",
            f"{slowest:.2f} s, {name}",
        ),
        (
            "check of a triple pendulum's forcing, expanded",
            f"{(long := long_equation()) / sympy:.2f} of SymPy's import",
            f"{long:.2f} s",
        ),
    ]
    print("| what | result | measured |\n|---|---|---|")
    for row in rows:
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
