"""A free pendulum, RK4 compiled from its equations, against SciPy's RK45 at equal error.

The peer is what one writes without this course: the acceleration through ``sympy.lambdify``, and
``scipy.integrate.solve_ivp`` with its default method. Both errors are distances of the angle from
the exact motion at the end, and SciPy's tolerance is chosen so that they agree.
"""

import numpy as np
import sympy as sm
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from benchmarks.measure import best_times
from tutlib import integrate
from tutlib.models import pendulum
from tutlib.models.pendulum import exact_motion

AMPLITUDE = np.pi / 2


def equal_error(
    duration: float = 100.0, h: float = 0.01, steps: int = 1_000_000
) -> dict[str, float]:
    """Return errors [rad] and times [s] over ``duration`` [s], and RK4's steps per second."""
    arm = pendulum().with_inputs({"tau": 0})
    start = [AMPLITUDE, 0.0]
    times = np.linspace(0, duration, round(duration / h) + 1)
    exact = float(exact_motion(times[-1:], AMPLITUDE)[0, 0])
    rhs = arm.compile()
    theta, rate = arm.equations.states
    acceleration = sm.lambdify([theta, rate], arm.equations.accelerations()[0].subs(arm.parameters))

    def peer(tolerance: float) -> float:
        solution = solve_ivp(
            lambda _, x: [x[1], acceleration(x[0], x[1])],
            (0, duration),
            start,
            rtol=tolerance,
            atol=tolerance,
        )
        return abs(float(solution.y[0, -1]) - exact)

    error = abs(float(integrate(rhs, times, start).x[-1, 0]) - exact)  # compiles, too
    exponent = brentq(lambda e: np.log(peer(10.0**e) / error), -12, -3, xtol=1e-3)
    ours, theirs = best_times(lambda: integrate(rhs, times, start), lambda: peer(10.0**exponent))
    many = np.linspace(0, steps * h, steps + 1)
    (long_run,) = best_times(lambda: integrate(rhs, many, start), rounds=3)
    return {
        "error": error,
        "peer_error": peer(10.0**exponent),
        "tolerance": 10.0**exponent,
        "time": ours,
        "peer_time": theirs,
        "steps_per_second": steps / long_run,
    }
