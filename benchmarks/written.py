"""Time of a plain function in Python, beside a loop that is written by hand.

Limits: 2.5 times the loop for fixed steps, and twice `solve_ivp` with the same pair and tolerance.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.measure import best_times
from tutlib import Field, integrate
from tutlib.methods import integrate_adaptive
from tutlib.models import pendulum
from tutlib.spaces import SO3
from tutlib.spaces.lie import exp_rotation

STEPS = 1000
START = np.array([0.5, 0.0])
TIMES = np.linspace(0.0, 2.0, STEPS + 1)


def swing(t: float, x: Any) -> Any:
    """Return the rates of a pendulum of one meter."""
    return np.array([x[1], -9.81 * np.sin(x[0])])


def euler(f: Callable[..., Any], t: float, x: Any, h: float) -> Any:
    """Take Euler's step."""
    return x + h * f(t, x)


def rk4(f: Callable[..., Any], t: float, x: Any, h: float) -> Any:
    """Take Kutta's step."""
    k1 = f(t, x)
    k2 = f(t + h / 2, x + h / 2 * k1)
    k3 = f(t + h / 2, x + h / 2 * k2)
    k4 = f(t + h, x + h * k3)
    return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def semi_implicit_euler(f: Callable[..., Any], t: float, x: Any, h: float) -> Any:
    """Take a step of symplectic Euler."""
    u = x[1:] + h * f(t, x)[1:]
    return np.concatenate([x[:1] + h * u, u])


def velocity_verlet(f: Callable[..., Any], t: float, x: Any, h: float) -> Any:
    """Take a step of velocity Verlet."""
    old = f(t, x)
    q = x[:1] + h * (x[1:] + h / 2 * old[1:])
    new = f(t + h, np.concatenate([q, x[1:]]))
    return np.concatenate([q, x[1:] + h / 2 * (old[1:] + new[1:])])


def by_hand(
    f: Callable[..., Any], start: Any, advance: Callable[..., Any], times: Any = TIMES
) -> Any:
    """Return all states of the plain loop."""
    X = np.empty((len(times), len(start)))
    X[0] = start
    for i in range(len(times) - 1):
        X[i + 1] = advance(f, times[i], X[i], times[i + 1] - times[i])
    return X


def turn(t: float, x: Any) -> Any:
    """Return a rate of turning that changes."""
    return np.array([np.cos(t), 0.3, np.sin(t)])


def lie_euler(f: Callable[..., Any], t: float, x: Any, h: float) -> Any:
    """Turn by one exponential."""
    return (exp_rotation(h * f(t, x)) @ x.reshape(3, 3)).ravel()


def rkmk4(f: Callable[..., Any], t: float, x: Any, h: float) -> Any:
    """Take Kutta's step in the algebra, carried back by dexp⁻¹ to its second bracket."""

    def back(u: Any, w: Any) -> Any:
        once = np.cross(u, w)
        return w - once / 2 + np.cross(u, once) / 12

    R = x.reshape(3, 3)

    def moved(u: Any) -> Any:
        return (exp_rotation(u) @ R).ravel()

    k1 = f(t, x)
    u = h / 2 * k1
    k2 = back(u, f(t + h / 2, moved(u)))
    u = h / 2 * k2
    k3 = back(u, f(t + h / 2, moved(u)))
    u = h * k3
    k4 = back(u, f(t + h, moved(u)))
    return moved(h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))


def compare() -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """Return, by name, ours and the plain way: each gives the states."""
    equations, I = pendulum().free().compile(), np.eye(3).ravel()
    span = (0.0, 20.0)
    steps = (euler, semi_implicit_euler, velocity_verlet, rk4)
    pairs = {}
    for count in (100, 1000, 10_000):
        times = np.linspace(0.0, count / 500, count + 1)
        for step in steps:
            pairs[f"{step.__name__}, {count} steps"] = (
                lambda times=times, name=step.__name__: integrate(swing, times, START, name).x,
                lambda times=times, step=step: by_hand(swing, START, step, times),
            )
    return (
        pairs
        | {
            "a step of your own on compiled equations": (
                lambda: integrate(equations, TIMES, START, rk4).x,
                lambda: by_hand(equations, START, rk4),
            ),
            "Lie-Euler on SO(3)": (
                lambda: integrate(Field(turn, SO3), TIMES, I, "euler").x,
                lambda: by_hand(turn, I, lie_euler),
            ),
            "RKMK4 on SO(3)": (
                lambda: integrate(Field(turn, SO3), TIMES, I, "rk4").x,
                lambda: by_hand(turn, I, rkmk4),
            ),
        }
        | {
            f"adaptive, {name}, against SciPy's solve_ivp": (
                lambda pair=pair: integrate_adaptive(swing, span, START, 1e-6, 1e-9, pair).x,
                lambda name=name: solve_ivp(swing, span, START, name, rtol=1e-6, atol=1e-9).y.T,
            )
            for name, pair in (("RK45", "dormand_prince"), ("DOP853", "dop853"))
        }
    )


def rows() -> Iterator[tuple[str, str, str]]:
    """Yield a row about each kind of step with a plain function."""
    for name, (ours, plain) in compare().items():
        times = best_times(ours, plain)
        yield (
            f"a plain function in Python: {name}",
            f"{times[0] / times[1]:.2f} of the other time",
            f"{1e3 * times[0]:.1f} and {1e3 * times[1]:.1f} ms",
        )
