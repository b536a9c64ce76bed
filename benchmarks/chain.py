"""Chains of links: SymPy in every step against compiled equations, and what the rest costs.

The slow way is that of a published notebook; see ``published``.
"""

from time import perf_counter
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from benchmarks import published
from benchmarks.measure import best_times
from straightline.aliases import Array
from tutlib import Field, integrate
from tutlib.mechanics import eliminate_common_subexpressions
from tutlib.models import Model, chain, chain_recursion

t = me.dynamicsymbols._t
SHAKE = 5 * sm.sin(8 * sm.pi * t)


def shaken(n: int, orientation: str) -> Model:
    """Return a chain that a force shakes at its end."""
    model = chain(n, orientation)
    first, *others = model.equations.inputs
    return model.with_inputs({first: SHAKE, **dict.fromkeys(others, 0)})


def stepping(n: int, orientation: str, slow_steps: int = 10) -> dict[str, float]:
    """Return times [s] of 100 steps of the published experiment, simulation alone and from cold.

    The slow way's time is that of ``slow_steps``, in proportion.
    """
    values = {"m": 1, "l": 1, "d": 0.5, "In": 0.08, "g": 9.81}
    start = perf_counter()
    eom = published.equations(n, orientation, values)
    derived = perf_counter() - start
    slow_end = published.steps(eom, slow_steps)
    slow = (perf_counter() - start - derived) / slow_steps * 100
    times, rest = np.arange(101) * 0.01, np.zeros(2 * n)

    def cold() -> Array:
        return simulate(shaken(n, orientation).compile(), times, rest)

    def recursion() -> Array:
        return simulate(chain_recursion(n, orientation, {"F_x": SHAKE}), times, rest)

    # SymPy's solve rounds what it is given to rational numbers: 1e-9 or so is its own
    np.testing.assert_allclose(cold()[slow_steps], slow_end, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(recursion(), cold(), rtol=1e-9, atol=1e-10)
    compiled = shaken(n, orientation).compile()
    many = np.arange(100_001) * 0.01
    simulate(compiled, many, rest)
    (fast,) = best_times(lambda: simulate(compiled, many, rest))
    seconds = best_times(cold, recursion, rounds=3)
    return {"slow": slow, "fast": fast / 1000, "slow_cold": derived + slow} | dict(
        zip(("cold", "recursion"), seconds)
    )


def simulate(f: Field, times: Array, start: Array) -> Array:
    return integrate(f, times, start, method="semi_implicit_euler").x


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
    values = [value for _, value in common]
    return int(sm.count_ops(everything)), int(sm.count_ops(values + list(reduced)))
