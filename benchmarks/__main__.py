"""Run benchmarks, print each row as it comes, and write all as JSON beside this file.

``python -m benchmarks [--minutes MINUTES]``: five minutes unless more are given. What has not begun
by then is left out, and named.
"""

import argparse
import json
import platform
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

import numpy
import scipy

from benchmarks import adaptive, cold, linkage, loops, peers, quadrotors, spaces, written
from benchmarks.chain import derivation, operations, stepping
from benchmarks.exercises import long_equation, slowest_check
from benchmarks.flips import cores, flip_times, flips
from benchmarks.imports import import_times
from benchmarks.measure import best_times
from benchmarks.measured import rows as windows
from benchmarks.pendulum import equal_error

RESULTS = Path(__file__).with_name("results.json")
NAMES = ("what", "result", "measured")
Row = tuple[str, str, str]


def measured(
    groups: Iterable[Callable[[], Iterable[Row]]], minutes: float, left_out: list[str]
) -> Iterator[Row]:
    """Yield the rows of all groups, one by one, for so many minutes; note what comes no more."""
    end = time.monotonic() + 60 * minutes
    for group in groups:
        name = (group.__doc__ or group.__name__).partition("\n")[0]
        if time.monotonic() > end:
            left_out.append(name)
            continue
        for row in group():
            yield row
            if time.monotonic() > end:
                left_out.append(f"a part of: {name}")
                break


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=5, help="5 unless given; all takes 20")
    minutes = parser.parse_args().minutes
    print(
        f"Python {platform.python_version()}, NumPy {numpy.__version__}, SciPy {scipy.__version__},"
        f" wasmtime {version('wasmtime')}, {platform.machine()}, one core\n"
    )
    print("| what | result | measured |\n|---|---|---|", flush=True)
    table, left_out = [], []
    for row in measured(GROUPS, minutes, left_out):
        print(f"| {' | '.join(row)} |", flush=True)
        table.append(dict(zip(NAMES, row, strict=True)))
    RESULTS.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"\nWritten to {RESULTS}")
    for name in left_out:
        print(f"Left out after {minutes:g} min: {name}")


def first_rows() -> Iterator[Row]:
    """Yield the rows about a pendulum, an import, and answers to exercises."""
    run = equal_error()
    yield (
        "pendulum, 100 s, 10,000 RK4 steps compiled, against SciPy's RK45",
        f"{run['peer_time'] / run['time']:.0f} times as fast",
        f"errors {run['error']:.1e} and {run['peer_error']:.1e} rad",
    )
    yield (
        "pendulum, a million RK4 steps compiled",
        f"{run['steps_per_second'] / 1e6:.1f} million steps per second",
        "compiling not counted",
    )
    sympy, tutlib = import_times()
    yield (
        "import tutlib, after SymPy",
        f"{tutlib / sympy:.2f} of SymPy's own time",
        f"{tutlib:.3f} s and {sympy:.3f} s",
    )
    long = long_equation()
    yield (
        "check of a triple pendulum's forcing, expanded",
        f"{long / sympy:.2f} of SymPy's import",
        f"{long:.2f} s",
    )
    name, slowest = slowest_check()
    yield (
        "slowest check of an exercise, right or wrong, first time",
        f"{slowest / sympy:.2f} of SymPy's import",
        f"{slowest:.2f} s, {name}",
    )


def carriers() -> Iterator[Row]:
    """Yield the rows about a step on a curved space."""
    for method, name in (("rk4", "RKMK4"), ("cf4", "CF4")):
        run = quadrotors.compare(method)
        yield (
            f"two quadrotors and a load, one {name} step compiled, against plain NumPy",
            f"{run['plain_time'] / run['time']:.0f} times as fast",
            f"{1e6 * run['time']:.1f} µs; results {run['apart']:.0e} apart",
        )


def closed_loops() -> Iterator[Row]:
    """Yield the row about a loop that is kept closed."""
    run = linkage.compare()
    yield (
        "four-bar linkage, 30 s: one correction a step, against fsolve in each evaluation",
        f"{run['peer_time'] / run['time']:.0f} times as fast, "
        f"{run['peer_error'] / run['error']:.0e} times as exact",
        f"{1e3 * run['time']:.2f} and {1e3 * run['peer_time']:.0f} ms; "
        f"{run['error']:.0e} and {run['peer_error']:.1f} rad",
    )


def adaptive_steps() -> Iterator[Row]:
    """Yield the rows about adaptive steps at equal error."""
    for n in (2, 4, 8):
        times = adaptive.equal_error(n)
        for peer, name in (("SciPy", "solve_ivp, lambdified"), ("heyoka", "heyoka")):
            what = f"chain of {n}: 10 s to 1e-9, adaptive, against {name}"
            if peer not in times:
                yield what, "not installed", ""
                continue
            ratio = f"{times[peer] / times['ours']:.1f} times as fast"
            yield what, ratio, f"{1e3 * times['ours']:.2f} and {1e3 * times[peer]:.2f} ms"


def many(count: int = 1_000_000) -> Iterator[Row]:
    """Yield the rows about many starts on all cores."""
    run = cores()
    every, ratio = run["cores"], run["one"] / run["all"]
    yield (
        f"flip times, {every} cores against one",
        f"{ratio:.2f} times as fast, {ratio / every:.0%} efficiency",
        f"{run['all']:.2f} and {run['one']:.2f} s",
    )
    (million,) = best_times(lambda: flip_times(count, every), rounds=1)
    yield (
        f"{count:,} flip times within 10 s, {every} cores",
        f"{1e6 * million / count:.0f} µs for each start",
        f"{million:.0f} s",
    )


def chains() -> Iterator[Row]:
    """Yield the rows about chains of links, stepped."""
    for n in range(1, 5):
        for orientation in ("absolute", "relative"):
            run = stepping(n, orientation)
            yield (
                f"chain of {n}, {orientation}: 100 steps, against SymPy in each step",
                f"{run['slow'] / run['fast']:.0e} times as fast",
                f"{1e6 * run['fast']:.1f} µs and {run['slow']:.1f} s",
            )
            for way, how in (("cold", "derived as symbols"), ("recursion", "by the recursion")):
                yield (
                    f"chain of {n}, {orientation}: the same from cold, {how}",
                    f"{run['slow_cold'] / run[way]:.0f} times as fast",
                    f"{run[way]:.3f} s and {run['slow_cold']:.1f} s",
                )


def derivations() -> Iterator[Row]:
    """Yield the rows about chains of links, derived."""
    times = derivation(4)
    for peer in ("kane", "lagrange"):
        yield (
            f"chain of 4: deriving, against SymPy's {peer.title()} class",
            f"{times[peer] / times['ours']:.1f} times as fast",
            f"{times['ours']:.3f} s and {times[peer]:.3f} s",
        )
    for n in (2, 3, 5):
        (raw, once), (raw_rel, once_rel) = (operations(n, o) for o in ("absolute", "relative"))
        yield (
            f"chain of {n}: operations, relative over absolute",
            f"{raw_rel / raw:.2f} as derived, {once_rel / once:.2f} with common parts once",
            f"{raw_rel}/{raw}, {once_rel}/{once}",
        )


def map_of_flips() -> Iterator[Row]:
    """Yield the rows about a map of flips on one core."""
    rates = flips()
    ways = {
        "lambdify": "lambdify and numpy.linalg.solve",
        "arrays": "NumPy solved by hand",
        "JAX": "the same in JAX",
    }
    for peer, name in ways.items():
        what = f"map of flips, one core, two lanes against {name}"
        if peer not in rates:
            yield what, "not installed", ""
            continue
        yield (
            what,
            f"{rates['lanes'] / rates[peer]:.1f} times as many starts per second",
            f"{rates['lanes']:.0f} and {rates[peer]:.0f} per second",
        )


#: Those that take long come last.
GROUPS: tuple[Callable[[], Iterable[Row]], ...] = (
    first_rows,
    cold.rows,
    closed_loops,
    carriers,
    derivations,
    map_of_flips,
    windows,
    written.rows,
    loops.rows,
    spaces.rows,
    peers.rows,
    adaptive_steps,
    many,
    chains,
)

if __name__ == "__main__":
    main()
