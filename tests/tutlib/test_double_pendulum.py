"""The double pendulum is the chain with its masses at the ends; the servo arm obeys."""

import numpy as np
from scipy.linalg import solve_continuous_are

from tutlib import integrate
from tutlib.mechanics import linearize
from tutlib.models import balanced_pendubot, pendubot, servo_arm


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


TOP = np.array([np.pi, np.pi, 0.0, 0.0])


def test_the_gains_of_the_balance_are_those_of_the_regulator():
    rods = pendubot()
    linear = linearize(rods.equations, TOP, rods.parameters)
    prices = np.diag([1.0, 1.0, 0.1, 0.1]), np.array([[0.01]])
    cost_to_come = solve_continuous_are(linear.A, linear.B, *prices)
    known = {str(symbol): value for symbol, value in balanced_pendubot().parameters.items()}
    gains = [known[f"k_{i}"] for i in (1, 2, 3, 4)]
    np.testing.assert_allclose(gains, 100 * (linear.B.T @ cost_to_come)[0], rtol=1e-9)


def test_the_rods_come_back_from_8_degrees_and_fall_from_25():
    model = balanced_pendubot()
    stands = model.compile_outputs([model.upright])
    torque = model.compile_outputs([model.loads[0].value])
    assert torque(0.0, [np.pi, 4.0, 0, 0]) == [60.0]  # the motor gives no more than it can
    for off, stays in ((8, True), (25, False)):
        start = TOP + np.deg2rad([off, off, 0, 0])
        run = integrate(model.compile(), np.linspace(0, 3, 601), start)
        height = stands(run.t, run.x)[:, 0]
        assert height[0] > 0.9
        assert (height.min() > 0) == stays
        assert (np.abs(run.x[-1] - TOP).max() < 0.1) == stays
