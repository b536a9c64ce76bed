"""Measuring an order, and an error of the energy."""

import numpy as np
import pytest

from tutlib.methods import energy_error, observed_order


def decay(t, x):
    return -x


def test_the_slope_of_euler_on_a_decay_is_known():
    """(1 - h)^(1/h) differs from 1/e by h/(2e) in the limit."""
    found = observed_order(decay, (0, 1), [1.0], "euler", [np.exp(-1)], (1000, 2000, 4000))
    assert found.h.tolist() == [1 / 1000, 1 / 2000, 1 / 4000]
    np.testing.assert_allclose(found.error, found.h / (2 * np.e), rtol=2e-3)
    assert found.order == pytest.approx(1, abs=1e-3)


def test_the_largest_error_of_any_state_counts():
    found = observed_order(decay, (0, 1), [1.0, 100.0], "euler", np.exp(-1) * np.array([1, 100]))
    single = observed_order(decay, (0, 1), [100.0], "euler", [100 * np.exp(-1)])
    np.testing.assert_allclose(found.error, single.error, rtol=1e-12)


@pytest.mark.parametrize("steps", [(), (10,), (10, 10)])
def test_one_point_and_no_error_have_no_slope(steps):
    with pytest.raises(ValueError, match="at least two numbers of steps"):
        observed_order(decay, (0, 1), [1.0], "rk4", [0.3], steps)
    with pytest.raises(ValueError, match="an error is zero"):
        observed_order(lambda t, x: [0.0], (0, 1), [1.0], "rk4", [1.0], (1, 2))


def test_the_energy_error_is_relative_to_the_start():
    assert energy_error([-2.0, -1.0, -3.0]).tolist() == [0, 0.5, -0.5]
    with pytest.raises(ValueError, match="initial energy is zero"):
        energy_error([0.0, 1.0])
