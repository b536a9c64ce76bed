"""Whether a slip changes anything, found by arithmetic of its own: nothing here is `verify`'s."""

from __future__ import annotations

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


def facts(model: Model, numbers: dict[Any, float]) -> dict[str, np.ndarray]:
    """Return what a machine says of itself in one state, as numbers."""
    eom, rates = model.equations, {q.diff(t): f for q, f in zip(model.equations.q, model.equations.rates)}
    M, F, G = eom.mass_matrix, eom.forcing, sm.Matrix(model.constraints or [0])
    heights = [body.place[2 if body.in_space else 1] * body.mass for body in model.bodies]
    asked = {
        "M": list(M), "F": list(F), "T": [model.kinetic_energy], "V": [model.potential_energy],
        "power": [sm.Add(*(load.value * (load.along.diff(t) + load.rate) for load in model.loads))],
        "T of bodies": [kinetic_of_bodies(model)], "heights": [sm.Add(*heights)],
        "constraints": list(model.constraints),
        "gradients": list(G.jacobian(list(eom.q))) if model.constraints else [],
    }  # fmt: skip
    flat = [sm.sympify(e) for part in asked.values() for e in part]
    flat = [e.subs(rates) if e.has(sm.Derivative) and rates else e for e in flat]
    stand = {one: sm.Dummy() for one in numbers}
    derivatives = {a: b for a, b in stand.items() if a.is_Derivative}
    ready = [e.xreplace(derivatives).xreplace(stand) for e in flat]
    found = iter(np.array(sm.lambdify([*stand.values()], ready, "numpy")(*numbers.values()), dtype=float))
    values = {name: np.array([next(found) for _ in part]) for name, part in asked.items()}
    k = len(eom.u)
    if not model.constraints:
        values["accelerations"] = np.linalg.lstsq(values.pop("M").reshape(k, k), values.pop("F"), rcond=None)[0]
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


def differs(right: Model, wrong: Model) -> list[str]:
    """Return in what two machines differ; energies and heights count but for a constant."""
    found: set[str] = set()
    offsets: dict[str, float] = {}
    for trial in range(3):
        numbers = numbers_of(right, trial)
        one, other = facts(right, numbers), facts(wrong, numbers)
        for name in one:
            a, b = one[name], other[name]
            if name in ("V", "heights"):
                offsets.setdefault(name, 0.0)
                still = {**numbers, **dict.fromkeys(right.equations.q, 0.5)}
                a, b = a - facts(right, still)[name], b - facts(wrong, still)[name]
            if not np.allclose(a, b, rtol=_NEAR, atol=_NEAR, equal_nan=True):
                found.add(name)
    return sorted(found)


def is_told_consistently(model: Model) -> bool:
    """Whether energies are those of the bodies: then only its maker knows what is wrong.

    What follows from the energies is asked by who planted the slip, and springs are anybody's.
    """
    if not model.bodies:
        return False
    masses = set().union(*(sm.sympify(body.mass).free_symbols for body in model.bodies))
    g = next((s for s in model.parameters if str(s) == "g"), None)
    light = {mass: sm.S.Zero for mass in masses}
    V = model.potential_energy
    for trial in range(3):
        numbers = numbers_of(model, trial)
        found = facts(model, numbers)
        if not np.allclose(found["T"], found["T of bodies"], rtol=_NEAR):
            return False
        if g is None:
            continue
        still = {**numbers, **dict.fromkeys(model.equations.q, 0.5)}
        rises = found["heights"] - facts(model, still)["heights"]
        weighs = [float(sm.sympify(V - V.xreplace(light)).subs(at).evalf()) for at in (numbers, still)]
        if not np.allclose(weighs[0] - weighs[1], numbers[g] * rises, rtol=1e-7, atol=1e-9):
            return False
    return True
