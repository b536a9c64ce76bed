"""Ten seconds of a chain to an error of 1e-9: ours, SciPy's DOP853, and heyoka where it is.

SciPy gets what most people give it: M and F from SymPy's ``lambdify``, and ``numpy.linalg.solve``.
heyoka (pip install heyoka) gets the articulated-body recursion, operation by operation. Each runs
at the loosest tolerance, halved from 1e-6, with which it reaches the error.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sm
from scipy.integrate import solve_ivp

from benchmarks.measure import best_times
from straightline.aliases import Array
from straightline.assignments import Assignments
from straightline.passes import dependencies
from tutlib import Field
from tutlib.methods import DOP853, integrate_adaptive
from tutlib.models import chain, chain_recursion

DURATION, TARGET = 10.0, 1e-9
Run = Callable[[float], Array]


def start(n: int) -> Array:
    """Return a chain held out straight at half a radian."""
    return np.concatenate([np.full(n, 0.5), np.zeros(n)])


def ours(n: int) -> Run:
    f = chain(n).free().compile() if n <= 4 else chain_recursion(n)
    return lambda tol: integrate_adaptive(f, (0, DURATION), start(n), tol, tol, DOP853).x[-1]


def scipy_lambdified(n: int) -> Run:
    model = chain(n).free()
    eom, values = model.equations, model.parameters
    states = sm.symbols(f"x_0:{2 * n}")
    named = dict(zip(eom.states, states))
    matrices = [part.xreplace(named).subs(values) for part in (eom.mass_matrix, eom.forcing)]
    evaluate = sm.lambdify([states], matrices)

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
    states = hy.make_vars(*(f"x_{i}" for i in range(2 * n)))
    rates = by_the_same_list(chain_recursion(n), states, hy)
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


def by_the_same_list(f: Field, states: list[Any], hy: Any) -> list[Any]:
    """Carry out the list of operations of a right-hand side on heyoka's expressions."""
    nodes, inputs = Assignments(), {"t": [hy.time], "x": states, "p": f.values}
    t, x, p = (nodes.inputs(name, len(values)) for name, values in inputs.items())
    roots = [nodes.index_of(rate) for rate in f.formula(t[0], x, p)]
    operations = {
        "add": operator.add,
        "sub": operator.sub,
        "mul": operator.mul,
        "div": operator.truediv,
        "neg": operator.neg,
        "sine": hy.sin,
        "cosine": hy.cos,
    }
    made: dict[int, Any] = {}
    for place in dependencies(nodes.nodes, roots):
        operation, *rest = nodes.nodes[place]
        if operation == "constant":
            made[place] = float.fromhex(rest[0])
        elif operation == "input":
            made[place] = inputs[rest[0]][rest[1]]
        else:
            made[place] = operations[operation](*(made[argument] for argument in rest))
    return [made[root] for root in roots]


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
    installed = {name: run for name, run in runs.items() if run is not None}
    tolerances = {name: reaching(run, exact) for name, run in installed.items()}
    functions = [lambda run=run, tol=tolerances[name]: run(tol) for name, run in installed.items()]
    return dict(zip(installed, best_times(*functions, rounds=10)))
