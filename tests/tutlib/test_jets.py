"""Numbers with their derivatives: exact to rounding, through NumPy's own functions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutlib.spaces import Jet, with_derivatives


@given(st.floats(0.2, 2))
def test_derivatives_of_every_operation(t):
    """Against complex steps of first derivatives, which are exact to rounding."""

    def f(t):
        a, b = np.sin(t) + 2, t**3 / 3
        return (1 - a * b) / (a**2 + 1) + np.sqrt(a / b) - np.cos(b) + (-a) ** 2 - b**-2

    found = f(Jet(t, 1.0))
    d = 1e-5
    assert found.value == pytest.approx(f(t), rel=1e-14)
    assert found.rate == pytest.approx(f(t + 1e-30j).imag / 1e-30, rel=1e-12, abs=1e-12)
    slopes = [f(t + s * d + 1e-30j).imag / 1e-30 for s in (-2, -1, 1, 2)]
    second = (slopes[0] - 8 * slopes[1] + 8 * slopes[2] - slopes[3]) / (12 * d)
    assert found.second == pytest.approx(second, rel=1e-5, abs=1e-5)


def test_quotients_of_tiny_numbers():
    found = 1e-114 / Jet(3e-10, 1.0) ** 12
    right = 1e-114 / 3e-10**12
    assert found.rate == pytest.approx(-12 * right / 3e-10, rel=1e-12)
    assert found.second == pytest.approx(156 * right / 3e-10**2, rel=1e-12)


def test_four_derivatives_of_a_path():
    t = 0.7
    found = with_derivatives(lambda t: [np.sin(2 * t), t**5 / 4, 1.5])(t)
    powers = [2.0**k for k in range(5)]
    waves = [np.sin(1.4), np.cos(1.4), -np.sin(1.4), -np.cos(1.4), np.sin(1.4)]
    np.testing.assert_allclose(found[:, 0], np.multiply(powers, waves), rtol=1e-13)
    quintic = [t**5 / 4, 5 * t**4 / 4, 5 * t**3, 15 * t**2, 30 * t]
    np.testing.assert_allclose(found[:, 1], quintic, rtol=1e-13)
    np.testing.assert_array_equal(found[:, 2], [1.5, 0, 0, 0, 0])
