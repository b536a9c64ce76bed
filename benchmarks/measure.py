"""Time two things in turns, so that whatever else the computer does slows both."""

from collections.abc import Callable
from time import perf_counter


def best_times(*functions: Callable[[], object], rounds: int = 5) -> list[float]:
    """Return the shortest time [s] that each function took, called in turns ``rounds`` times."""
    best = [float("inf")] * len(functions)
    for _ in range(rounds):
        for i, function in enumerate(functions):
            start = perf_counter()
            function()
            best[i] = min(best[i], perf_counter() - start)
    return best
