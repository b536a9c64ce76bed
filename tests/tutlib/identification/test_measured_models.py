"""The measured pendulums have the equations of textbooks, and the constants of their sources."""

import numpy as np
import pytest

from tests.tutlib.identification.machines import GEARED, accelerations
from tutlib.identification import driven
from tutlib.models import chain, measured_double_pendulum, measured_pendulum


@pytest.mark.parametrize("motors", [False, True])
def test_a_double_pendulum_has_the_equations_written_by_hand(motors, rng):
    model = measured_double_pendulum(motors)
    constants = GEARED if motors else GEARED | {"J_12": GEARED["J_2"]}
    f = driven(model)
    f = f.with_parameters({name: constants[name] for name in f.parameters})
    for _ in range(20):
        x, torque = rng.uniform(-3, 3, 4), rng.normal(size=2) if motors else np.zeros(2)
        found = f(0.0, np.concatenate([x, torque]) if motors else x)
        expected = accelerations(constants, x[:2], x[2:], torque)
        np.testing.assert_allclose(found[:2], x[2:])
        np.testing.assert_allclose(found[2:4], expected, rtol=1e-11)
        np.testing.assert_array_equal(found[4:], np.zeros(2 * motors))


def test_a_single_pendulum_has_the_equation_of_its_docstring(rng):
    p = {"omega_0": 8.0, "b": 0.1, "f": 0.2, "d": 0.005, "z": 0.03, "w": 0.05}
    f = measured_pendulum().compile().with_parameters(p)
    for angle, rate in rng.uniform(-3, 3, (20, 2)):
        expected = -64 * np.sin(angle - 0.03) - 0.1 * rate
        expected -= 0.2 * np.tanh(rate / 0.05) + 0.005 * rate * abs(rate)
        np.testing.assert_allclose(f(0.0, [angle, rate]), [rate, expected], rtol=1e-12)


# The numbers of the sources: mass, distance of the center of mass, and inertia of each link, about
# the center of mass (free) or about the joint (with gears); length of the first link; viscous
# friction at the joints; gravity.
FREE = (
    (0.0938439748, 0.13759597),
    (0.108565215, 0.116779018),
    (4.3752943e-4, 1.26882939e-3),
    0.172719204,
    (2.37142783e-4, 1e-5),
    9.80858,
)
SHEET = (
    (0.5234602, 0.6255677),
    (0.2, 0.2556931),
    (0.0318872 - 0.5234602 * 0.2**2, 0.0508698 - 0.6255677 * 0.2556931**2),
    0.2,
    (0.0, 0.0),
    9.81,
)


@pytest.mark.parametrize(("motors", "source"), [(False, FREE), (True, SHEET)])
def test_the_default_double_pendulum_is_a_chain_with_published_masses(motors, source, rng):
    masses, distances, inertias, length, friction, gravity = source
    links = chain(2, "relative")
    model = links.with_inputs({"F_x": 0, "F_y": 0})
    f = driven(model).with_parameters({"l_1": length, "l_2": 1.0, "g": gravity})
    f = f.with_parameters(
        {f"m_{i}": mass for i, mass in enumerate(masses, 1)}
        | {f"In_{i}": inertia for i, inertia in enumerate(inertias, 1)}
        | {"d_1": distances[0] / length, "d_2": distances[1]}
    )
    measured = driven(measured_double_pendulum(motors))
    for _ in range(20):
        x, torque = rng.uniform(-3, 3, 4), rng.normal(size=2) * motors
        expected = f(0.0, np.concatenate([x, torque - np.array(friction) * x[2:]]))
        found = measured(0.0, np.concatenate([x, torque]) if motors else x)
        np.testing.assert_allclose(found[:4], expected[:4], rtol=1e-10)


def test_the_default_single_pendulum_is_a_link_with_published_masses(rng):
    mass, distance, inertia, friction, gravity = (
        0.147584572,
        0.147754901,
        1.09118505e-4,
        2.23940125e-4,
        9.81001,
    )
    model = chain(1).with_inputs({"F_x": 0, "F_y": 0})
    f = driven(model).with_parameters(
        {"m_1": mass, "l_1": 1.0, "d_1": distance, "In_1": inertia, "g": gravity}
    )
    measured = measured_pendulum().compile()
    for angle, rate in rng.uniform(-3, 3, (20, 2)):
        expected = f(0.0, [angle, rate, -friction * rate])[:2]
        np.testing.assert_allclose(measured(0.0, [angle, rate]), expected, rtol=1e-10)


@pytest.mark.parametrize(
    "model",
    [measured_pendulum(), measured_double_pendulum(), measured_double_pendulum(motors=True)],
    ids=["single", "double", "geared"],
)
def test_every_symbol_has_a_meaning_and_a_unit(model):
    symbols = {str(symbol) for symbol in model.parameters}
    symbols |= {str(symbol).removesuffix("(t)") for symbol in (*model.equations.q,)}
    symbols |= {str(symbol).removesuffix("(t)") for symbol in model.equations.inputs}
    assert symbols <= set(model.names)
    # the energies of the single pendulum are divided by its moment of inertia
    if len(model.equations.q) == 1:
        assert not model.units
    else:
        assert symbols <= set(model.units)
