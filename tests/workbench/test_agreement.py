"""The workbench derives what `tutlib` derives: models of the course and of textbooks."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from tests.helpers import NODE, needs_node
from tutlib import EquationsOfMotion
from tutlib.models import chain, crane, double_pendulum, pendulum

HERE = Path(__file__).parent
pytestmark = [pytest.mark.slow, needs_node]

t = me.dynamicsymbols._t
m, M, l, r, k, g, b, J, a, w = sm.symbols("m M l r k g b J a w", positive=True)
x, y, q, u, v = me.dynamicsymbols("x y q u v")


def D(expression):
    return sm.diff(expression, t)


def speed(*position):
    """Return the square of a velocity."""
    return sum(D(entry) ** 2 for entry in position)


# (T, V, coordinates, {coordinate: force}): systems of the kind that SymPy's own tests derive
SYSTEMS = {
    "mass on a spring": (m * D(x) ** 2 / 2, k * x**2 / 2, [x], {x: -b * D(x)}),
    "two masses on springs": (
        m * D(x) ** 2 / 2 + M * D(y) ** 2 / 2,
        k * x**2 / 2 + k * (y - x) ** 2 / 2,
        [x, y],
        {y: -b * D(y)},
    ),
    "simple pendulum": (m * l**2 * D(q) ** 2 / 2, m * g * l * (1 - sm.cos(q)), [q], {}),
    "compound pendulum": ((J + m * l**2) * D(q) ** 2 / 2, -m * g * l * sm.cos(q), [q], {}),
    "double pendulum": (
        m * speed(l * sm.sin(q), l * sm.cos(q)) / 2
        + m * speed(l * (sm.sin(q) + sm.sin(u)), l * (sm.cos(q) + sm.cos(u))) / 2,
        -m * g * l * (2 * sm.cos(q) + sm.cos(u)),
        [q, u],
        {},
    ),
    "pendulum on a cart": (
        M * D(x) ** 2 / 2 + m * speed(x + l * sm.sin(q), -l * sm.cos(q)) / 2,
        -m * g * l * sm.cos(q),
        [x, q],
        {x: -b * D(x)},
    ),
    "pendulum with a spring": (
        m * (D(x) ** 2 + x**2 * D(q) ** 2) / 2,
        k * (x - l) ** 2 / 2 - m * g * x * sm.cos(q),
        [x, q],
        {},
    ),
    "particle on a cone": (
        m * (D(x) ** 2 / sm.sin(a) ** 2 + x**2 * D(q) ** 2) / 2,
        m * g * x / sm.tan(a),
        [x, q],
        {},
    ),
    "bead on a spinning wire": (
        m * (D(x) ** 2 + x**2 * w**2 * sm.sin(a) ** 2) / 2,
        m * g * x * sm.cos(a),
        [x],
        {},
    ),
    "bead on a spinning hoop": (
        m * r**2 * (D(q) ** 2 + w**2 * sm.sin(q) ** 2) / 2,
        -m * g * r * sm.cos(q),
        [q],
        {q: -b * D(q)},
    ),
    "Kepler": (m * (D(x) ** 2 + x**2 * D(q) ** 2) / 2, -k * m / x, [x, q], {}),
    "Atwood": (
        (m + M) * D(x) ** 2 / 2 + J * (D(x) / r) ** 2 / 2,
        (m - M) * g * x,
        [x],
        {},
    ),
    "swinging Atwood": (
        (m + M) * D(x) ** 2 / 2 + m * x**2 * D(q) ** 2 / 2,
        M * g * x - m * g * x * sm.cos(q),
        [x, q],
        {},
    ),
    "shaken pivot": (
        m * speed(l * sm.sin(q), a * sm.cos(w * t) - l * sm.cos(q)) / 2,
        m * g * (a * sm.cos(w * t) - l * sm.cos(q)),
        [q],
        {},
    ),
    "disk on an incline": (3 * m * D(x) ** 2 / 4, -m * g * x * sm.sin(a), [x], {}),
    "charged particle": (
        m * (D(x) ** 2 + D(y) ** 2) / 2,
        -k * (x * D(y) - y * D(x)) / 2,
        [x, y],
        {},
    ),
    "wedge and block": (
        M * D(x) ** 2 / 2 + m * speed(x + y * sm.cos(a), -y * sm.sin(a)) / 2,
        -m * g * y * sm.sin(a),
        [x, y],
        {},
    ),
    "exponential spring": (m * D(x) ** 2 / 2, k * (sm.exp(a * x) - a * x), [x], {}),
    "quartic oscillator": (
        m * (D(x) ** 2 + D(y) ** 2) / 2,
        k * (x**2 + y**2) ** 2 / 4,
        [x, y],
        {x: -b * D(x) * sm.Abs(D(x))},
    ),
    "top without friction": (
        J * (D(q) ** 2 + D(u) ** 2 * sm.sin(q) ** 2) / 2 + M * (D(v) + D(u) * sm.cos(q)) ** 2 / 2,
        m * g * l * sm.cos(q),
        [q, u, v],
        {},
    ),
}


def course_models():
    models = {
        "pendulum": pendulum(),
        "double pendulum of rods": double_pendulum(),
        "chain of three": chain(3),
        "chain of six": chain(6),
        "crane": crane(),
    }
    for name, model in models.items():
        free = model.free()
        eom = free.equations
        forces = {
            c: sum(
                load.value * (load.along.diff(c) + load.rate.diff(c.diff(t))) for load in free.loads
            )
            for c in eom.q
        }
        yield name, (free.kinetic_energy, free.potential_energy, list(eom.q), forces), eom


def written(expression, coordinates):
    """Return an expression as a reader types it: theta_1dot for a derivative."""
    rates = {D(c): sm.Symbol(f"{c.name}dot") for c in coordinates}
    names = {c: sm.Symbol(c.name) for c in coordinates}
    plain = sm.sympify(expression).subs(rates).subs(names)
    return sm.sstr(plain.evalf(17) if plain.has(sm.Float) else plain)


def task(T, V, coordinates, forces, parameters, states):
    return {
        "fields": {
            "coordinates": ", ".join(c.name for c in coordinates),
            "T": written(T, coordinates),
            "V": written(V, coordinates),
            "forces": "\n".join(
                f"{c.name}: {written(force, coordinates)}" for c, force in (forces or {}).items()
            ),
            "parameters": ", ".join(f"{p} = {value!r}" for p, value in parameters.items()),
        },
        "states": states.tolist(),
    }


def cases():
    rng = np.random.default_rng(1)
    systems = [
        (name, system, EquationsOfMotion.from_lagrangian(*system))
        for name, system in SYSTEMS.items()
    ]
    for name, (T, V, coordinates, forces), eom in [*systems, *course_models()]:
        parameters = {
            p: round(float(rng.uniform(0.5, 2)), 3) for p in sorted(eom.parameters, key=str)
        }
        states = rng.uniform(0.3, 1.2, (5, 2 * len(coordinates)))
        yield name, task(T, V, coordinates, forces, parameters, states), eom, parameters, states


def test_accelerations():
    everything = list(cases())
    done = subprocess.run(
        [NODE, HERE / "accelerations.mjs"],
        input=json.dumps([each[1] for each in everything]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for (name, _, eom, parameters, states), answer in zip(everything, json.loads(done.stdout)):
        rhs = eom.compile(parameters)
        n = len(eom.q)
        for state, accelerations in zip(states, answer):
            expected = rhs(0.0, state)[n:]
            scale = np.maximum(1, np.abs(expected))
            assert np.abs(np.array(accelerations) - expected).max() <= 1e-12 * scale.max(), name
