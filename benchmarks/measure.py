"""Time two things in turns, so that whatever else the computer does slows both."""

from collections.abc import Callable
from time import perf_counter


def best_times(*functions: Callable[[], object], rounds: int = 5) -> list[float]:
    """Return the shortest time [s] that each function took, called in turns ``rounds`` times.

    A short one is called a few times in each turn: its caches are cold after a long one.
    """
    best = [float("inf")] * len(functions)
    for _ in range(rounds):
        for i, function in enumerate(functions):
            for _ in range(5):
                start = perf_counter()
                function()
                best[i] = min(best[i], perf_counter() - start)
                if best[i] > 0.01:
                    break
    return best
