"""Ten seconds of a chain to an error of 1e-9: ours, SciPy's DOP853, and heyoka where it is.

SciPy gets what most people give it: M and F from SymPy's ``lambdify``, and ``numpy.linalg.solve``.
heyoka (pip install heyoka) gets the articulated-body recursion as expressions. Each runs at the
loosest tolerance, halved from 1e-6, with which it reaches the error.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sm
from scipy.integrate import solve_ivp

from benchmarks.measure import best_times
from tutlib.methods import DOP853, integrate_adaptive
from tutlib.models import chain, chain_recursion
from tutlib.programs import Array

DURATION, TARGET = 10.0, 1e-9
Run = Callable[[float], Array]


def start(n: int) -> Array:
    """Return a chain held out straight at half a radian."""
    return np.concatenate([np.full(n, 0.5), np.zeros(n)])


def ours(n: int) -> Run:
    f = chain(n).free().compile("numba") if n <= 4 else chain_recursion(n, backend="numba")
    return lambda tol: integrate_adaptive(f, (0, DURATION), start(n), tol, tol, DOP853).x[-1]


def scipy_lambdified(n: int) -> Run:
    model = chain(n).free()
    eom, values = model.equations, model.parameters
    states = sm.symbols(f"x_0:{2 * n}")
    named = dict(zip(eom.states, states))
    parts = [part.xreplace(named).subs(values) for part in (eom.mass_matrix, eom.forcing)]
    evaluate = sm.lambdify([states], parts)

    def f(t: float, x: Array) -> Array:
        M, F = evaluate(x)
        return np.concatenate([x[n:], np.linalg.solve(M, F)[:, 0]])

    span = (0, DURATION)
    return lambda tol: solve_ivp(f, span, start(n), method="DOP853", rtol=tol, atol=tol).y[:, -1]


def heyoka(n: int) -> Run | None:
    """Return heyoka's run, or None where it is not installed."""
    try:
        import heyoka as hy
    except ImportError:
        return None
    names = [f"q_{i}" for i in range(n)] + [f"u_{i}" for i in range(n)]
    states = hy.make_vars(*names)
    recursion = chain_recursion(n)
    rates = by_recursion(recursion.numpy_source, states, recursion.parameter_values, hy)
    made: dict[float, Any] = {}

    def run(tol: float) -> Array:
        if tol not in made:
            equations = list(zip(states, rates))
            made[tol] = hy.taylor_adaptive(equations, start(n), tol=tol, compact_mode=n > 4)
        integrator = made[tol]
        integrator.time = 0.0
        integrator.state[:] = start(n)
        integrator.propagate_until(DURATION)
        return np.array(integrator.state)

    return run


def by_recursion(source: str, states: list[Any], parameters: Array, hy: Any) -> list[Any]:
    """Run the text of the recursion on heyoka's expressions instead of numbers."""
    names = {
        "numpy": hy,
        "zeros": lambda shape: [[hy.expression(0.0)] * shape[1] for _ in range(shape[0])],
        "rows": lambda entries, x: entries,
    }
    exec(source, names)
    result: list[Any] = names["right_hand_side"](hy.time, states, list(map(float, parameters)))
    return result


def reaching(run: Run, exact: Array) -> float:
    """Return the loosest of ever halved tolerances with which a run reaches the target."""
    for halvings in range(28):
        tolerance = 1e-6 * 2.0**-halvings
        if np.abs(run(tolerance) - exact).max() <= TARGET:
            return tolerance
    raise AssertionError(f"{TARGET} was not reached")


def equal_error(n: int) -> dict[str, float]:
    """Return the times [s] that each needs to reach the target, compiling not counted."""
    runs = {"ours": ours(n), "SciPy": scipy_lambdified(n), "heyoka": heyoka(n)}
    exact = ours(n)(1e-14)
    found = {name: run for name, run in runs.items() if run is not None}
    tolerances = {name: reaching(run, exact) for name, run in found.items()}
    functions = [lambda run=run, name=name: run(tolerances[name]) for name, run in found.items()]
    return dict(zip(found, best_times(*functions, rounds=10)))
