"""The double pendulum is the chain with its masses at the ends; the servo arm obeys."""

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from tests.helpers import free
from tutlib import EquationsOfMotion, integrate
from tutlib.models import chain, double_pendulum, servo_arm

TIME = me.dynamicsymbols._t


def test_it_is_that_of_the_textbooks():
    """By Lagrange from energies written out here, at random states and values."""
    model = free(double_pendulum())
    eom = model.equations
    (a, b), (v, w) = eom.q, eom.u
    g, l_1, l_2, m_1, m_2 = eom.parameters
    T = m_1 * (l_1 * v) ** 2 / 2 + m_2 / 2 * (
        (l_1 * v) ** 2 + (l_2 * w) ** 2 + 2 * l_1 * l_2 * v * w * sm.cos(a - b)
    )
    V = -m_1 * g * l_1 * sm.cos(a) - m_2 * g * (l_1 * sm.cos(a) + l_2 * sm.cos(b))
    values = {"g": 9.7, "l_1": 0.8, "l_2": 1.3, "m_1": 1.7, "m_2": 0.6}
    ours = model.with_parameters(values).compile()
    theirs = EquationsOfMotion.from_lagrangian(T, V, eom.q).compile(values)
    for x in np.random.default_rng(0).uniform(-3, 3, (20, 4)):
        np.testing.assert_allclose(ours(0, x), theirs(0, x), rtol=1e-12, atol=1e-12)
    assert sm.simplify(model.kinetic_energy - T) == 0
    assert sm.simplify(model.potential_energy - V) == 0


def test_it_is_the_chain_with_its_masses_at_the_ends():
    point = {"d_1": 1.0, "d_2": 1.0, "In_1": 0.0, "In_2": 0.0}
    rods, pair = free(chain(2).with_parameters(point)).compile(), free(double_pendulum()).compile()
    x = [1.0, -0.4, 2.0, 0.3]
    np.testing.assert_allclose(rods(0, x), pair(0, x), rtol=1e-13)
    assert double_pendulum().equations.inputs == chain(2).equations.inputs


def test_small_swings_have_the_known_frequencies():
    eom = free(double_pendulum()).equations
    rest = dict.fromkeys([*eom.u, *eom.q], 0)
    values = {symbol: 9.81 if str(symbol) == "g" else 1 for symbol in eom.parameters}
    stiffness = -eom.forcing.jacobian(sm.Matrix(eom.q)).subs(rest).subs(values)
    inertia = eom.mass_matrix.subs(rest).subs(values)
    A = np.linalg.solve(np.array(inertia, float), np.array(stiffness, float))
    expected = [(2 - np.sqrt(2)) * 9.81, (2 + np.sqrt(2)) * 9.81]
    np.testing.assert_allclose(np.sort(np.linalg.eigvals(A)), expected, rtol=1e-12)


@pytest.mark.parametrize("h", [0.01, 0.001])
def test_the_servo_arm_comes_to_rest_where_the_torques_balance(h):
    goals = {"goal_1": -1.2, "goal_2": 0.9}
    model = servo_arm().with_parameters(goals)
    end = integrate(model.compile(), np.linspace(0, 20, round(20 / h) + 1), [1.5, 0, 0, 0]).x[-1]
    first, second = end[:2]
    np.testing.assert_allclose(end[2:], 0, atol=1e-9)
    weight_2 = 9.81 * 0.5 * np.sin(first + second)
    weight_1 = 9.81 * 1.5 * np.sin(first) + weight_2
    np.testing.assert_allclose(200 * (-1.2 - first), weight_1, atol=1e-7)
    np.testing.assert_allclose(200 * (0.9 - second), weight_2, atol=1e-7)
