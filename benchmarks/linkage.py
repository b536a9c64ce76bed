"""Thirty seconds of the four-bar linkage: its loop closed in each evaluation, or after each step.

The slow way is the published one: equations from SymPy's ``lambdify``, and in every evaluation of
the right-hand side ``fsolve`` for the dependent coordinates, written into the solver's own array.
"""

from typing import Any

import numpy as np
import sympy as sm
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

from benchmarks.measure import best_times
from straightline.aliases import Array
from tutlib import integrate
from tutlib.methods import DOP853
from tutlib.models import four_bar

DURATION = 30.0
#: At 30 s, by multipliers with DOP853 at tolerances of 1e-13, an independent computation.
SPEED_AT_THE_END = 5.1398


def compare(h: float = 0.06) -> dict[str, float]:
    """Return times [s] and largest errors of an angle at the end [rad], theirs and ours."""
    model = four_bar()
    reduced = model.with_independent_speeds(model.equations.u[:1])
    start = reduced.consistent_state(np.deg2rad([10, 20, -150]), keep=model.equations.q[:1])
    f, project = reduced.compile(), reduced.projection()
    t = np.linspace(0, DURATION, round(DURATION / h) + 1)
    fine = np.linspace(0, DURATION, 10 * len(t))

    def ours() -> Array:
        return integrate(f, t, start, DOP853, after_step=project).x[-1]

    truth = integrate(f, fine, start, DOP853, after_step=project).x[-1]
    if abs(truth[3] - SPEED_AT_THE_END) > 1e-4:
        raise ArithmeticError(f"the yardstick is wrong: {truth[3]}")
    theirs = closed_in_each_evaluation(model, reduced, start)
    errors = [float(np.abs(run() - truth)[:3].max()) for run in (ours, theirs)]
    (our_time,) = best_times(ours, rounds=20)
    (peer_time,) = best_times(theirs, rounds=3)
    return {"time": our_time, "peer_time": peer_time, "error": errors[0], "peer_error": errors[1]}


def closed_in_each_evaluation(model: Any, reduced: Any, start: Array) -> Any:
    """Return the published way as a function that gives the last state."""
    eom = reduced.equations
    states = sm.symbols("x_0:4")
    named = dict(zip(eom.states, states))
    rates, M, F, phi = (
        sm.Matrix(part).xreplace(named).subs(model.parameters)
        for part in (eom.rates, eom.mass_matrix, eom.forcing, model.constraints)
    )
    kinematic = sm.lambdify([states], (-sm.eye(3), rates))
    dynamic = sm.lambdify([states], (M, F))
    residual = sm.lambdify([states], phi)

    def f(t: float, x: Array) -> Array:
        x[1:3] = fsolve(lambda r: residual([x[0], *r, 0]).squeeze(), x[1:3])
        speeds, accelerations = (np.linalg.solve(*part(x)) for part in (kinematic, dynamic))
        return np.concatenate([-speeds[:, 0], accelerations[:, 0]])

    frames = np.linspace(0, DURATION, 600)
    options = {"t_eval": frames, "rtol": 1e-3, "atol": 1e-6}
    return lambda: solve_ivp(f, (0, DURATION), start.copy(), **options).y[:, -1]
