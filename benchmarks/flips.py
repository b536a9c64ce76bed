"""Thousands of double pendulums, as in the maps of flips of chapters 2 and 11.

Starts per second on one core, against others; what a second core is worth; and a million of them.
"""

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sm

from benchmarks.measure import best_times
from straightline.aliases import Array
from tutlib.methods import ensemble
from tutlib.models import double_pendulum

Rates = Callable[[Any], Any]


def flips(count: int = 4096, t_end: float = 10.0, h: float = 0.01) -> dict[str, float]:
    """Return starts per second: our lanes, and the same equations in NumPy and in JAX.

    NumPy takes what SymPy's lambdify prints of M and F and solves, or what one writes by hand. One
    core for all but JAX, which takes what it finds. None stops a motion early: that would be
    another comparison.
    """
    equations = double_pendulum().free().compile()
    starts = np.zeros((count, 4))
    starts[:, :2] = np.random.default_rng(0).uniform(-np.pi, np.pi, (count, 2))
    printed = solved_by_numpy()

    def lanes(duration: float) -> Array:
        return ensemble(equations, starts, duration, h, workers=1).x

    def by_arrays(f: Rates, duration: float) -> Array:
        x = starts.T.copy()
        for _ in range(round(duration / h)):
            x = runge_kutta_step(f, x, h)
        return x.T

    ways = {
        "lanes": lanes,
        "lambdify": lambda duration: by_arrays(printed, duration),
        "arrays": lambda duration: by_arrays(solved_by_hand, duration),
    }
    if (by_jax := jax_steps(starts, h)) is not None:
        ways["JAX"] = by_jax
        by_jax(t_end)
    for way in ways.values():
        np.testing.assert_allclose(way(0.5), lanes(0.5), rtol=1e-7, atol=1e-8)
    times = best_times(*(lambda way=way: way(t_end) for way in ways.values()), rounds=3)
    return {way: count / time for way, time in zip(ways, times)}


def flip_times(count: int, workers: int, t_end: float = 10.0) -> Array:
    """Return when each of so many double pendulums, released from rest, first flips."""
    starts = np.zeros((count, 4))
    starts[:, :2] = np.random.default_rng(0).uniform(-np.pi, np.pi, (count, 2))
    limits = [np.pi, np.pi, np.inf, np.inf]
    equations = double_pendulum().free().compile()
    return ensemble(equations, starts, t_end, 0.01, limits, workers=workers).t


def cores(count: int = 65_536, t_end: float = 10.0) -> dict[str, float]:
    """Return seconds for the same flip times on one core and on all, and how many there are."""
    every = os.cpu_count() or 1
    np.testing.assert_array_equal(flip_times(256, 1, t_end), flip_times(256, every, t_end))
    ways = [lambda workers=workers: flip_times(count, workers, t_end) for workers in (1, every)]
    one, all_of_them = best_times(*ways, rounds=3)
    return {"one": one, "all": all_of_them, "cores": every}


def solved_by_numpy() -> Rates:
    """Return the rates of many double pendulums: M and F by lambdify, then numpy.linalg.solve."""
    model = double_pendulum().free()
    eom, values = model.equations, model.parameters
    states = sm.symbols(f"x:{len(eom.states)}")
    known = dict(zip(eom.states, states)) | values
    both = [entry.subs(known) for entry in (*eom.mass_matrix, *eom.forcing)]
    evaluate = sm.lambdify(states, both, "numpy", cse=True)
    n = len(eom.u)

    def rates(x: Array) -> Array:
        entries = [np.broadcast_to(entry, x.shape[1:]) for entry in evaluate(*x)]
        M = np.stack(entries[: n * n], axis=-1).reshape(-1, n, n)
        F = np.stack(entries[n * n :], axis=-1)
        return np.concatenate([x[n:], np.linalg.solve(M, F[..., np.newaxis])[..., 0].T])

    return rates


def solved_by_hand(x: Any, library: Any = np) -> Any:
    """Return the rates of many double pendulums, as one would write them for NumPy or JAX."""
    theta_1, theta_2, omega_1, omega_2 = x
    difference = theta_1 - theta_2
    s, c = library.sin(difference), library.cos(difference)
    force_1 = -2 * 9.81 * library.sin(theta_1) - s * omega_2**2
    force_2 = -9.81 * library.sin(theta_2) + s * omega_1**2
    alpha_2 = (force_2 - c / 2 * force_1) / (1 - c * c / 2)
    alpha_1 = (force_1 - c * alpha_2) / 2
    return library.stack([omega_1, omega_2, alpha_1, alpha_2])


def runge_kutta_step(f: Rates, x: Any, h: float) -> Any:
    k_1 = f(x)
    k_2 = f(x + h / 2 * k_1)
    k_3 = f(x + h / 2 * k_2)
    k_4 = f(x + h * k_3)
    return x + h / 6 * (k_1 + 2 * k_2 + 2 * k_3 + k_4)


def jax_steps(starts: Array, h: float) -> Callable[[float], Array] | None:
    """Return the same loop compiled by JAX, or None where it is not installed."""
    try:
        import jax
    except ImportError:
        return None
    jax.config.update("jax_enable_x64", True)
    numpy = jax.numpy

    def rates(x: Any) -> Any:
        return solved_by_hand(x, numpy)

    loop = jax.jit(
        lambda x, steps: jax.lax.fori_loop(0, steps, lambda _, x: runge_kutta_step(rates, x, h), x)
    )
    columns = numpy.asarray(starts.T)
    return lambda duration: np.asarray(loop(columns, round(duration / h))).T
