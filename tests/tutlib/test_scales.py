"""Units of length, mass, and time change no answer, and natural scales are those of textbooks."""

import functools
import warnings

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.tutlib.scaled_machines import machines
from tutlib import EquationsOfMotion
from tutlib.mechanics import linearize, trim
from tutlib.mechanics.scales import NaturalScales
from tutlib.methods import integrate_adaptive

pytestmark = pytest.mark.slow

SI = (1.0, 1.0, 1.0)
UNITS = st.tuples(*3 * [st.integers(-6, 6).map(lambda n: 10.0**n)])


@functools.cache
def answers(name, units):
    """Return all answers about a machine, in SI units again."""
    machine = machines()[name]
    values, scale = machine.values(units), machine.state_scale(units)
    equations, loop = machine.equations, hasattr(machine.equations, "constraints")
    start, n = machine.state(units), len(scale) // 2
    if loop:
        start = equations.consistent_state(values, start)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rest = trim(equations, values, start)
        found = linearize(equations, rest, values)
    own = [machine.cut.states.index(s) for s in found.states]
    A = np.array(found.A) * scale[own] / scale[own][:, None] * units[2]
    W = found.uncontrollable_directions()
    f, projected, steps = machine.moving.compile(values), start, {}
    scale = np.append(scale, np.full(len(f.names) - 2 * n, max(scale)))
    start = np.append(start, np.zeros(len(f.names) - 2 * n))
    if loop:
        project = equations.projection(values)
        steps = {"after_step": project}
        if len(set(machine.coordinates)) == 1:  # Φᵀ(ΦΦᵀ)⁻¹φ of mixed units depends on these
            projected = project(0.0, start + 1e-3 * scale)
    i = int(np.argmax(np.abs((rest - start[: 2 * n]) / scale[: 2 * n])))
    steps |= {"rtol": 1e-7, "atol": 1e-9 * min(scale)}
    t_end = 2.0 * units[2]
    event = integrate_adaptive(f, [0, t_end], start, until=lambda t, x: x[i] - rest[i], **steps)
    free = integrate_adaptive(f, [0, t_end], start, **steps)
    return {
        "start": start[: 2 * n] / scale[: 2 * n],
        "rest": rest / scale[: 2 * n],
        "A": A,
        "unmoved": W.shape[1],
        "projected": projected[: 2 * n] / scale[: 2 * n],
        "event": event.t[-1] / units[2],
        "end": free.x[-1, : 2 * n] / scale[: 2 * n],
    }


@pytest.mark.parametrize("name", machines())
@given(UNITS)
@example((1e-6, 1e6, 1e6))
@example((1e6, 1e-6, 1e-6))
@settings(max_examples=settings().max_examples // 100)  # each is a simulation
def test_a_machine_is_the_same_in_any_units(name, units):
    expected, found = answers(name, SI), answers(name, units)
    for what, accuracy in (
        ("start", 1e-9),
        ("rest", 1e-9),
        ("A", 1e-6),
        ("unmoved", 0),
        ("projected", 1e-9),
        ("event", 1e-5),
        ("end", 1e-5),
    ):
        size = np.abs(expected[what]).max(initial=1.0)
        np.testing.assert_allclose(
            found[what], expected[what], rtol=0, atol=accuracy * size, err_msg=what
        )


def test_natural_scales_of_a_pendulum_and_of_rods():
    """A pendulum has an angle of 1 rad and a time of √(l/g); lengths give those of points."""
    theta, x, y = me.dynamicsymbols("theta x y")
    m, l, g = sm.symbols("m l g", positive=True)
    swing = EquationsOfMotion.from_lagrangian(
        m * l**2 * theta.diff() ** 2 / 2, -m * g * l * sm.cos(theta), [theta]
    )
    for length in (1e-6, 1.0, 1e6):
        values = {"m": 2.0, "l": length, "g": 9.81}
        scales = NaturalScales(swing, values)
        time = np.sqrt(length / 9.81)
        np.testing.assert_allclose(scales(swing.states), [1.0, 1 / time], rtol=1e-9)
        np.testing.assert_allclose(scales([me.dynamicsymbols._t]), [time], rtol=1e-9)
        np.testing.assert_allclose(scales([m * g * l]), [2.0 * 9.81 * length], rtol=1e-9)
        free = EquationsOfMotion.from_lagrangian(
            m * (x.diff() ** 2 + y.diff() ** 2) / 2, m * g * y, [x, y]
        )
        tied = NaturalScales(free, values, (), [x**2 + y**2 - l**2])
        expected = [length, length, length / time, length / time]
        np.testing.assert_allclose(tied(free.states), expected, rtol=1e-9)
