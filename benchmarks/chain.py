"""Chains of links: SymPy in every step against compiled equations, and what the rest costs.

The slow way is that of a published notebook: in each step, numbers are substituted into symbolic
equations, and SymPy solves them.
"""

from time import perf_counter
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from benchmarks.measure import best_times
from tutlib import integrate
from tutlib.codegen import eliminate_common_subexpressions
from tutlib.ensemble import ensemble
from tutlib.models import Model, chain, double_pendulum

t = me.dynamicsymbols._t
SHAKE = 5 * sm.sin(8 * sm.pi * t)


def shaken(n: int, orientation: str) -> Model:
    """Return a chain that a force shakes at its end."""
    model = chain(n, orientation)
    first, *others = model.equations.inputs
    return model.with_inputs({first: SHAKE, **dict.fromkeys(others, 0)})


def symbolic_steps(model: Model, steps: int, h: float = 0.01) -> list[float]:
    """Step by semi-implicit Euler, with substitution and symbolic solution in each step."""
    eom = model.equations
    x = dict.fromkeys(eom.states, 0.0)
    for k in range(steps):
        now = {**x, **model.parameters, t: k * h}
        M, F = (part.subs(now) for part in (eom.mass_matrix, eom.forcing))
        for rate, change in zip(eom.u, M.LUsolve(F)):
            x[rate] += h * float(change)
        for angle, rate in zip(eom.q, eom.u):
            x[angle] += h * x[rate]
    return list(x.values())


def stepping(n: int, orientation: str, steps: int = 100) -> dict[str, float]:
    """Return times [s] of the published experiment, simulation alone and from cold."""
    start = perf_counter()
    model = shaken(n, orientation)
    derived = perf_counter() - start
    slow_end = symbolic_steps(model, steps)
    slow = perf_counter() - start - derived
    times, rest = np.arange(steps + 1) * 0.01, np.zeros(2 * n)
    start = perf_counter()
    model = shaken(n, orientation)
    end = integrate(model.compile(), times, rest, method="semi_implicit_euler").x[-1]
    cold = perf_counter() - start
    np.testing.assert_allclose(end, slow_end, rtol=1e-8, atol=1e-10)
    compiled = model.compile(backend="numba")
    many = np.arange(1000 * steps + 1) * 0.01
    integrate(compiled, many, rest, method="semi_implicit_euler")
    (fast,) = best_times(lambda: integrate(compiled, many, rest, method="semi_implicit_euler"))
    return {"slow": slow, "fast": fast / 1000, "slow_cold": derived + slow, "cold": cold}


def derivation(n: int) -> dict[str, float]:
    """Return times [s] to derive n point masses: ours, and SymPy's Kane and Lagrange classes."""
    q = me.dynamicsymbols(f"q_1:{n + 1}")
    u = me.dynamicsymbols(f"u_1:{n + 1}")
    m, l, g = sm.symbols("m l g", positive=True)

    def bodies(speeds: Any) -> tuple[Any, Any, Any, Any]:
        N, origin = me.ReferenceFrame("N"), me.Point("O")
        origin.set_vel(N, 0)
        particles, loads, point = [], [], origin
        for i, (angle, speed) in enumerate(zip(q, speeds)):
            A = N.orientnew(f"A{i}", "Axis", [angle, N.z])
            A.set_ang_vel(N, speed * N.z)
            point, before = point.locatenew(f"P{i}", -l * A.y), point
            point.v2pt_theory(before, N, A)
            particles.append(me.Particle(f"B{i}", point, m))
            loads.append((point, -m * g * N.y))
        return N, origin, particles, loads

    def kane() -> None:
        N, _, particles, loads = bodies(u)
        kd_eqs = [rate - angle.diff(t) for rate, angle in zip(u, q)]
        method = me.KanesMethod(N, q_ind=q, u_ind=u, kd_eqs=kd_eqs)
        method.kanes_equations(particles, loads)

    def lagrange() -> None:
        N, origin, particles, _ = bodies([angle.diff(t) for angle in q])
        for particle in particles:
            particle.potential_energy = m * g * particle.point.pos_from(origin).dot(N.y)
        method = me.LagrangesMethod(me.Lagrangian(N, *particles), q, frame=N)
        method.form_lagranges_equations()

    ours, by_kane, by_lagrange = best_times(lambda: chain(n), kane, lagrange, rounds=3)
    return {"ours": ours, "kane": by_kane, "lagrange": by_lagrange}


def operations(n: int, orientation: str) -> tuple[int, int]:
    """Count operations of M and F: as derived, and with common parts computed once."""
    eom = shaken(n, orientation).equations
    everything = [*eom.mass_matrix, *eom.forcing]
    common, reduced = eliminate_common_subexpressions(everything)
    parts = [value for _, value in common]
    return int(sm.count_ops(everything)), int(sm.count_ops(parts + list(reduced)))


def solved_by_hand(x: np.ndarray) -> np.ndarray:
    """Return the rates of many double pendulums, as one would write them for NumPy."""
    theta_1, theta_2, omega_1, omega_2 = x
    difference = theta_1 - theta_2
    s, c = np.sin(difference), np.cos(difference)
    force_1 = -2 * 9.81 * np.sin(theta_1) - s * omega_2**2
    force_2 = -9.81 * np.sin(theta_2) + s * omega_1**2
    alpha_2 = (force_2 - c / 2 * force_1) / (1 - c * c / 2)
    alpha_1 = (force_1 - c * alpha_2) / 2
    return np.stack([omega_1, omega_2, alpha_1, alpha_2])


def flips(count: int = 4096, t_end: float = 10.0, h: float = 0.01) -> dict[str, float]:
    """Return starts per second of the map of flips: vector lanes, and NumPy by hand.

    One core each. Neither stops a motion early: that would be another comparison.
    """
    lanes = double_pendulum().free().compile()
    starts = np.zeros((count, 4))
    starts[:, :2] = np.random.default_rng(0).uniform(-np.pi, np.pi, (count, 2))

    def by_arrays(duration: float) -> np.ndarray:
        x = starts.T.copy()
        for _ in range(round(duration / h)):
            k_1 = solved_by_hand(x)
            k_2 = solved_by_hand(x + h / 2 * k_1)
            k_3 = solved_by_hand(x + h / 2 * k_2)
            k_4 = solved_by_hand(x + h * k_3)
            x = x + h / 6 * (k_1 + 2 * k_2 + 2 * k_3 + k_4)
        return x.T

    short = ensemble(lanes, starts, 0.5, h, workers=1).x  # compiles, too
    np.testing.assert_allclose(short, by_arrays(0.5), rtol=1e-7, atol=1e-8)
    own, peer = best_times(
        lambda: ensemble(lanes, starts, t_end, h, workers=1), lambda: by_arrays(t_end), rounds=3
    )
    return {"lanes": count / own, "arrays": count / peer}
