"""The double pendulum is the chain with its masses at the ends; the servo arm obeys."""

import numpy as np
import sympy.physics.mechanics as me

from tests.helpers import free
from tutlib import integrate
from tutlib.models import chain, double_pendulum, servo_arm

TIME = me.dynamicsymbols._t


def test_it_is_the_chain_with_its_masses_at_the_ends():
    point = {"d_1": 1.0, "d_2": 1.0, "In_1": 0.0, "In_2": 0.0}
    rods, pair = free(chain(2).with_parameters(point)).compile(), free(double_pendulum()).compile()
    x = [1.0, -0.4, 2.0, 0.3]
    np.testing.assert_allclose(rods(0, x), pair(0, x), rtol=1e-13)
    assert double_pendulum().equations.inputs == chain(2).equations.inputs


def test_the_servo_arm_comes_to_rest_where_the_torques_balance():
    goals = {"goal_1": -1.2, "goal_2": 0.9}
    model = servo_arm().with_parameters(goals)
    end = integrate(model.compile(), np.linspace(0, 20, 2001), [1.5, 0, 0, 0]).x[-1]
    first, second = end[:2]
    np.testing.assert_allclose(end[2:], 0, atol=1e-9)
    weight_2 = 9.81 * 0.5 * np.sin(first + second)
    weight_1 = 9.81 * 1.5 * np.sin(first) + weight_2
    np.testing.assert_allclose(200 * (-1.2 - first), weight_1, atol=1e-7)
    np.testing.assert_allclose(200 * (0.9 - second), weight_2, atol=1e-7)
