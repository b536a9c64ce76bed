"""Whether a slip changes anything, found by arithmetic of its own: nothing here is `verify`'s."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from tutlib.models import Model

t = me.dynamicsymbols._t
_NEAR = 1e-9


def numbers_of(model: Model, trial: int) -> dict[Any, float]:
    """Return unequal numbers for all symbols, places and speeds of a machine."""
    random = np.random.default_rng(100 + trial)
    eom = model.equations
    numbers: dict[Any, float] = {t: 0.41}
    rates = [*eom.u, *(q.diff(t) for q in eom.q)]
    for one in sorted({*model.parameters, *eom.parameters}, key=str):
        numbers[one] = random.uniform(0.6, 1.7)
    for one in sorted({*eom.inputs, *eom.q, *rates, *(z for z, _ in eom.auxiliary)}, key=str):
        numbers[one] = random.uniform(0.3, 1.2)
    return numbers


#: What computes all that a machine says of itself, from numbers.
Facts = Callable[[dict[Any, float]], dict[str, np.ndarray]]


def facts_of(model: Model, right: Model) -> Facts:
    """Return what computes all that a machine says of itself, with the right one's symbols."""
    eom = model.equations
    rates = {q.diff(t): f for q, f in zip(eom.q, eom.rates) if q.diff(t) != f}
    heights = [body.place[2 if body.in_space else 1] * body.mass for body in model.bodies]
    masses = set().union(*(sm.sympify(body.mass).free_symbols for body in model.bodies)) - {t}
    V, G = sm.sympify(model.potential_energy), sm.Matrix(model.constraints or [0])
    asked = {
        "M": list(eom.mass_matrix),
        "F": list(eom.forcing),
        "T": [model.kinetic_energy],
        "V": [V],
        "power": [sm.Add(*(load.value * (load.along.diff(t) + load.rate) for load in model.loads))],
        "T of bodies": [kinetic_of_bodies(model)],
        "heights": [sm.Add(*heights)],
        "weight": [V - V.xreplace(dict.fromkeys(masses, sm.S.Zero))],
        "constraints": list(model.constraints),
        "gradients": list(G.jacobian(list(eom.q))) if model.constraints else [],
    }
    stand = {one: sm.Symbol(f"a{i}_") for i, one in enumerate(numbers_of(right, 0))}
    derivatives = {a: b for a, b in stand.items() if a.is_Derivative}
    flat = [
        sm.sympify(e).xreplace(rates).xreplace(derivatives).xreplace(stand)
        for part in asked.values()
        for e in part
    ]
    call, k = sm.lambdify([*stand.values()], flat, "numpy", cse=True), len(eom.u)

    def values(numbers: dict[Any, float]) -> dict[str, np.ndarray]:
        found = iter(np.array(call(*numbers.values()), dtype=float))
        read = {name: np.array([next(found) for _ in part]) for name, part in asked.items()}
        if not model.constraints:
            M, F = read.pop("M").reshape(k, k), read.pop("F")
            read["accelerations"] = np.linalg.lstsq(M, F, rcond=None)[0]
        return read

    return values


def kinetic_of_bodies(model: Model) -> Any:
    """Return ½ m v² and ½ ω·I ω of all bodies."""
    total = sm.S.Zero
    for body in model.bodies:
        v = sm.Matrix(body.place).diff(t)
        turn = body.axes.T * body.axes.diff(t)
        w = [turn[2, 1], turn[0, 2], turn[1, 0]]
        total += body.mass * v.dot(v) / 2 + sum(J * one**2 for J, one in zip(body.moments, w)) / 2
    return total


def differs(right: Model, one: Facts, other: Facts) -> bool:
    """Whether two machines differ in anything; energies and heights count but for a constant."""
    for trial in range(3):
        numbers = numbers_of(right, trial)
        a, b = (_but_for_a_constant(facts, right, numbers) for facts in (one, other))
        if not all(np.allclose(a[n], b[n], rtol=_NEAR, atol=_NEAR, equal_nan=True) for n in a):
            return True
    return False


def _but_for_a_constant(facts: Facts, right: Model, numbers: Any) -> dict[str, np.ndarray]:
    still = {**numbers, **dict.fromkeys(right.equations.q, 0.5)}
    here, there = facts(numbers), facts(still)
    return here | {name: here[name] - there[name] for name in ("V", "heights", "weight")}


def is_told_consistently(right: Model, wrong: Facts) -> bool:
    """Whether energies are those of the bodies: then only its maker knows what is wrong.

    What follows from the energies is asked by who planted the slip, and springs are anybody's.
    """
    g = next((s for s in right.parameters if str(s) == "g"), None)
    for trial in range(3):
        numbers = numbers_of(right, trial)
        found = _but_for_a_constant(wrong, right, numbers)
        if not np.allclose(found["T"], found["T of bodies"], rtol=_NEAR):
            return False
        if g is not None and not np.allclose(found["weight"], numbers[g] * found["heights"]):
            return False
    return True
