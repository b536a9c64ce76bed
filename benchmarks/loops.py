"""What many loops cost: a step, the equations, and independent speeds; with peers beside them."""

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy
import sympy as sm
import sympy.physics.mechanics as me

from benchmarks.machines import bicycle, bricard, four_bars, spatial_chain
from benchmarks.measure import best_times
from tutlib.mechanics import EquationsOfMotion, linearize
from tutlib.methods import integrate


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return how long something takes, once, and its result."""
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result


def steps(count: int) -> dict[str, float]:
    """Return seconds for a step of RK4 of a row of four-bars, ours and with SciPy's solver."""
    eom = four_bars(count).with_multipliers()
    f = eom.compile({})
    angles = [np.full(count + 1, np.pi / 2), np.zeros(count)]
    x = np.concatenate([*angles, np.full(count + 1, -1.0), np.zeros(3 * count)])
    n, k = len(eom.u), len(eom.q)
    evaluate = sm.lambdify([list(eom.states)], [eom.mass_matrix, eom.forcing], cse=True)

    def peer() -> np.ndarray:
        M, F = evaluate(x)
        return np.concatenate([x[k : 2 * k], scipy.linalg.solve(M, F[:, 0])])

    np.testing.assert_allclose(peer()[k:], f(0.0, x)[k:], rtol=1e-7, atol=1e-7)
    M, F = evaluate(x)
    times = np.linspace(0, 0.05, 51)
    integrate(f, times, x)
    ours, solver, whole = best_times(
        lambda: integrate(f, times, x), lambda: scipy.linalg.solve(M, F), peer, rounds=5
    )
    return {"ours": ours / 50, "solver": 4 * solver, "peer": 4 * whole, "unknowns": n}


def charges(count: int = 20) -> EquationsOfMotion:
    """Return points that repel one another in space, as on Fekete's sphere."""
    q = me.dynamicsymbols(f"q_0:{3 * count}")
    points = [sm.Matrix(q[3 * i : 3 * i + 3]) for i in range(count)]
    V = sm.Add(*(1 / sm.sqrt((a - b).dot(a - b)) for i, a in enumerate(points) for b in points[:i]))
    return EquationsOfMotion.from_lagrangian(sum(c.diff() ** 2 for c in q) / 2, V, q)


def by_kane() -> Any:
    """Let SymPy's KanesMethod form the equations of rods on ball joints."""
    N, q, u, bodies, loads = spatial_chain()
    kane = me.KanesMethod(N, q, u, [c.diff() - s for c, s in zip(q, u)])
    return kane.kanes_equations(bodies, loads)


def from_bodies() -> EquationsOfMotion:
    """Derive the same from its bodies."""
    N, q, _, bodies, loads = spatial_chain()
    return EquationsOfMotion.from_bodies(bodies, q, N, loads)


def rows() -> Iterator[tuple[str, str, str]]:
    """Yield the rows about many loops."""
    small, large = steps(10), steps(40)
    exponent, ours = math.log(large["ours"] / small["ours"]) / math.log(4), 1e3 * large["ours"]
    plain, solver = 1e3 * large["peer"], 1e3 * large["solver"]
    yield (
        "row of four-bars, cost of a step from 10 to 40 of them",
        f"exponent {exponent:.1f}",
        f"{1e3 * small['ours']:.2f} and {ours:.2f} ms",
    )
    yield (
        "row of 40 four-bars, a step against SciPy's solver with NumPy's equations",
        f"{large['ours'] / large['peer']:.2f} of its time",
        f"{ours:.2f} and {plain:.2f} ms; the solver alone {solver:.2f}",
    )
    row = four_bars(15)
    waited, _ = seconds(lambda: row.with_independent_speeds(row.equations.u[0]))
    yield "independent speed of 31, with 30 constraints", f"{waited:.1f} s", "in symbols, once"
    kane, _ = seconds(by_kane)
    by_bodies, _ = seconds(from_bodies)
    yield (
        "rods on ball joints, derived from bodies against KanesMethod",
        f"{by_bodies / kane:.2f} of its time",
        f"{by_bodies:.1f} and {kane:.1f} s",
    )
    straight = np.zeros(18)
    straight[[2, 9, 15, 17]] = 0.3, 4.0, 4 / 0.3, 4 / 0.35
    whole, _ = seconds(lambda: linearize(bicycle(), straight, {}))
    yield "bicycle of four bodies, derived and linearized", f"{whole:.1f} s", "with numbers"
    loop, _ = seconds(bricard)
    sixty, _ = seconds(charges)
    yield (
        "Bricard's loop, and 60 coordinates of charges, derived",
        f"{loop:.1f} and {sixty:.1f} s",
        "from energies",
    )
