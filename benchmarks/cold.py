"""From a model to its first result, 1,000 steps, in a fresh process: what a reader waits for.

Imports are done before the clock starts; everything else is counted: deriving the equations,
compiling them and the loop, and the run.
"""

import subprocess
import sys
from collections.abc import Iterator

IMPORTS = """
from time import perf_counter, process_time
import numpy as np
from tutlib import integrate
from tutlib.models import chain, chain_recursion
from tutlib.models.quadrotors import AttitudeController, LoadController, two_quadrotors
begin, used = perf_counter(), process_time()
"""
CHAIN = "f, start = chain({n}).free().compile(), np.full({states}, 0.1)"
RECURSION = "f, start = chain_recursion({n}), np.full({states}, 0.1)"
QUADROTORS = """
pair = two_quadrotors()
slant = np.array([[0.5, 0, np.sqrt(0.75)], [-0.5, 0, np.sqrt(0.75)]])
def path(t):
    return np.array([[t, 0, t**2 - 7], [1, 0, 2 * t], [0, 0, 2], [0, 0, 0], [0, 0, 0]])
carry = LoadController(pair, path, slant, np.array([0, -1.0, 0]))
"""
ANY_DIRECTION = QUADROTORS + "control = lambda t, s: (carry(t, s), np.zeros((2, 3)))\n"
ALONG_THE_BODY = QUADROTORS + "control = AttitudeController(pair, carry, np.array([1.0, 0, 0]))\n"
FLIGHT = "f, start = pair.model(control).field, pair.start([0, 0, -7.0], slant)\n"
RUN = """
integrate(f, np.linspace(0, 1, 1001), start)
print(perf_counter() - begin, process_time() - used)
"""
#: What is waited for, and the program.
PROGRAMS = {
    **{f"chain of {n}": CHAIN.format(n=n, states=2 * n) for n in (1, 2, 4)},
    "chain of 64, by the recursion": RECURSION.format(n=64, states=128),
    "two quadrotors, thrust in any direction": ANY_DIRECTION + FLIGHT,
    "two quadrotors, thrust along the bodies": ALONG_THE_BODY + FLIGHT,
}


def first_result(program: str, rounds: int = 5) -> tuple[float, float]:
    """Return the shortest time [s] from a model to its first 1,000 steps, and that of the CPU."""
    command = [sys.executable, "-c", IMPORTS + program + RUN]
    runs = []
    for _ in range(rounds):
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        runs.append([float(word) for word in output.split()])
    elapsed, used = (min(times) for times in zip(*runs, strict=True))
    return elapsed, used


def rows() -> Iterator[tuple[str, str, str]]:
    """Yield a row about each program in a fresh process."""
    for what, program in PROGRAMS.items():
        elapsed, used = first_result(program)
        what = f"{what}: from the model to 1,000 steps, in a fresh process"
        yield what, f"{elapsed:.2f} s", f"{used:.2f} s of CPU, imports not counted"
