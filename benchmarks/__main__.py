"""Run every benchmark, print one table, and write it as JSON beside this file."""

import json
import platform
from importlib.metadata import version
from pathlib import Path

import numpy
import scipy

from benchmarks import adaptive, cold, install, linkage, loops, peers, quadrotors, written
from benchmarks.chain import derivation, operations, stepping
from benchmarks.exercises import long_equation, slowest_check
from benchmarks.flips import cores, flip_times, flips
from benchmarks.imports import import_times
from benchmarks.measure import best_times
from benchmarks.pendulum import equal_error

RESULTS = Path(__file__).with_name("results.json")


def main() -> None:
    print(
        f"Python {platform.python_version()}, NumPy {numpy.__version__}, SciPy {scipy.__version__},"
        f" wasmtime {version('wasmtime')}, {platform.machine()}, one core\n"
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
            "compiling not counted",
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
    rows += cold.rows() + install.rows()
    rows += many() + chains() + adaptive_steps() + closed_loops() + carriers() + written.rows()
    rows += loops.rows()
    rows += peers.rows()
    print("| what | result | measured |\n|---|---|---|")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    names = ("what", "result", "measured")
    table = [dict(zip(names, row, strict=True)) for row in rows]
    RESULTS.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"\nWritten to {RESULTS}")


def carriers() -> list[tuple[str, str, str]]:
    """Return the rows about a step on a curved space."""
    rows = []
    for method, name in (("rk4", "RKMK4"), ("cf4", "CF4")):
        run = quadrotors.compare(method)
        rows.append(
            (
                f"two quadrotors and a load, one {name} step compiled, against plain NumPy",
                f"{run['plain_time'] / run['time']:.0f} times as fast",
                f"{1e6 * run['time']:.1f} µs; results {run['apart']:.0e} apart",
            )
        )
    return rows


def closed_loops() -> list[tuple[str, str, str]]:
    """Return the row about a loop that is kept closed."""
    run = linkage.compare()
    return [
        (
            "four-bar linkage, 30 s: one correction a step, against fsolve in each evaluation",
            f"{run['peer_time'] / run['time']:.0f} times as fast, "
            f"{run['peer_error'] / run['error']:.0e} times as exact",
            f"{1e3 * run['time']:.2f} and {1e3 * run['peer_time']:.0f} ms; "
            f"{run['error']:.0e} and {run['peer_error']:.1f} rad",
        )
    ]


def adaptive_steps() -> list[tuple[str, str, str]]:
    """Return the rows about adaptive steps at equal error."""
    rows = []
    for n in (2, 4, 8):
        times = adaptive.equal_error(n)
        for peer, name in (("SciPy", "solve_ivp, lambdified"), ("heyoka", "heyoka")):
            what = f"chain of {n}: 10 s to 1e-9, adaptive, against {name}"
            if peer not in times:
                rows.append((what, "not installed", ""))
                continue
            ratio = f"{times[peer] / times['ours']:.1f} times as fast"
            rows.append((what, ratio, f"{1e3 * times['ours']:.2f} and {1e3 * times[peer]:.2f} ms"))
    return rows


def many(count: int = 1_000_000) -> list[tuple[str, str, str]]:
    """Return the rows about many starts on all cores."""
    run = cores()
    every, ratio = run["cores"], run["one"] / run["all"]
    (million,) = best_times(lambda: flip_times(count, every), rounds=1)
    return [
        (
            f"flip times, {every} cores against one",
            f"{ratio:.2f} times as fast, {ratio / every:.0%} efficiency",
            f"{run['all']:.2f} and {run['one']:.2f} s",
        ),
        (
            f"{count:,} flip times within 10 s, {every} cores",
            f"{1e6 * million / count:.0f} µs for each start",
            f"{million:.0f} s",
        ),
    ]


def chains() -> list[tuple[str, str, str]]:
    """Return the rows about chains of links."""
    rows = []
    for n in range(1, 5):
        for orientation in ("absolute", "relative"):
            run = stepping(n, orientation)
            rows.append(
                (
                    f"chain of {n}, {orientation}: 100 steps, against SymPy in each step",
                    f"{run['slow'] / run['fast']:.0e} times as fast",
                    f"{1e6 * run['fast']:.1f} µs and {run['slow']:.1f} s",
                )
            )
            for way, how in (("cold", "derived as symbols"), ("recursion", "by the recursion")):
                rows.append(
                    (
                        f"chain of {n}, {orientation}: the same from cold, {how}",
                        f"{run['slow_cold'] / run[way]:.0f} times as fast",
                        f"{run[way]:.3f} s and {run['slow_cold']:.1f} s",
                    )
                )
    times = derivation(4)
    for peer in ("kane", "lagrange"):
        rows.append(
            (
                f"chain of 4: deriving, against SymPy's {peer.title()} class",
                f"{times[peer] / times['ours']:.1f} times as fast",
                f"{times['ours']:.3f} s and {times[peer]:.3f} s",
            )
        )
    for n in (2, 3, 5):
        (raw, once), (raw_rel, once_rel) = (operations(n, o) for o in ("absolute", "relative"))
        rows.append(
            (
                f"chain of {n}: operations, relative over absolute",
                f"{raw_rel / raw:.2f} as derived, {once_rel / once:.2f} with common parts once",
                f"{raw_rel}/{raw}, {once_rel}/{once}",
            )
        )
    rates = flips()
    ways = {
        "lambdify": "lambdify and numpy.linalg.solve",
        "arrays": "NumPy solved by hand",
        "JAX": "the same in JAX",
    }
    for peer, name in ways.items():
        what = f"map of flips, one core, two lanes against {name}"
        if peer not in rates:
            rows.append((what, "not installed", ""))
            continue
        rows.append(
            (
                what,
                f"{rates['lanes'] / rates[peer]:.1f} times as many starts per second",
                f"{rates['lanes']:.0f} and {rates[peer]:.0f} per second",
            )
        )
    return rows


if __name__ == "__main__":
    main()
