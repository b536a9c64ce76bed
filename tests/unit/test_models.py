"""The pendulum, its exact motion, and what a model gives."""

import numpy as np
import pytest
import sympy as sm
from scipy.integrate import solve_ivp

from tutlib import integrate
from tutlib.models import pendulum
from tutlib.models.pendulum import exact_motion, exact_period


class TestExactPendulum:
    def test_the_period_at_a_right_angle_is_longer_by_a_factor_of_1_18(self):
        small = 2 * np.pi / np.sqrt(9.81)
        assert exact_period(np.pi / 2) / small == pytest.approx(1.1803405990, abs=1e-10)

    def test_the_period_follows_its_series_for_small_swings(self):
        """DLMF 19.5.1: 1 + θ²/16 + 11 θ⁴/3072 + 173 θ⁶/737280 + ..."""
        for amplitude in (1e-6, 1e-2, 0.3):
            a = amplitude**2
            series = 1 + a / 16 + 11 * a**2 / 3072 + 173 * a**3 / 737280
            series += 22931 * a**4 / 1321205760
            ratio = exact_period(amplitude) / (2 * np.pi / np.sqrt(9.81))
            assert ratio == pytest.approx(series, rel=2e-6 * a**5 + 1e-14)

    def test_the_period_grows_without_bound_toward_the_top(self):
        """K ≈ ln(4 / k') where the modulus nears 1."""
        d = 1e-9
        expected = 4 / np.sqrt(9.81) * np.log(4 / np.sin(d / 2))
        assert exact_period(np.pi - d) == pytest.approx(expected, rel=1e-6)

    def test_the_period_scales_with_length_and_gravity(self):
        assert exact_period(1.0, l=4.0) == pytest.approx(2 * exact_period(1.0), rel=1e-15)
        assert exact_period(1.0, g=4 * 9.81) == pytest.approx(exact_period(1.0) / 2, rel=1e-15)

    @pytest.mark.parametrize("amplitude", [0.01, 1.0, 2.5, 3.1])
    def test_the_motion_solves_the_equation(self, amplitude):
        l, g, t = 1.7, 3.7, np.linspace(0, 8, 41)
        solution = solve_ivp(
            lambda t, x: [x[1], -g / l * np.sin(x[0])], (0, 8), [amplitude, 0],
            method="DOP853", rtol=1e-13, atol=1e-14, t_eval=t,
        )  # fmt: skip
        np.testing.assert_allclose(exact_motion(t, amplitude, l, g), solution.y.T, atol=2e-10)

    def test_the_motion_keeps_its_energy_and_repeats_itself(self):
        t = np.linspace(0, 3, 50)
        theta, rate = exact_motion(t, 2.0).T
        energy = rate**2 / 2 - 9.81 * np.cos(theta)
        np.testing.assert_allclose(energy, energy[0], rtol=1e-13)
        later = exact_motion(t + exact_period(2.0), 2.0)
        np.testing.assert_allclose(later, np.stack([theta, rate], axis=-1), atol=1e-12)

    @pytest.mark.parametrize("amplitude", [0, -1, np.pi, 4, np.nan])
    def test_amplitudes_are_between_hanging_and_standing(self, amplitude):
        for function in (exact_period, lambda a: exact_motion([0.0], a)):
            with pytest.raises(ValueError, match=r"between 0 and π"):
                function(amplitude)

    @pytest.mark.parametrize(("l", "g"), [(0, 9.81), (1, 0), (-1, 9.81)])
    def test_length_and_gravity_are_positive(self, l, g):
        with pytest.raises(ValueError, match="l and g must be positive"):
            exact_period(1.0, l, g)


class TestPendulum:
    def test_the_torque_that_holds_the_arm(self):
        """m g l sin θ for 2 kg, 2 m, 72 degrees: 37.3194577 N·m."""
        model = pendulum().with_parameters({"m": 2.0, "l": 2.0})
        theta, (torque,) = model.equations.q[0], model.equations.inputs
        gravity = model.equations.forcing[0].subs(torque, 0)
        value = gravity.subs(model.parameters).subs(theta, np.deg2rad(72))
        assert float(value) == pytest.approx(-37.3194577, abs=5e-8)

    def test_energies_and_positions_follow_a_trajectory(self, free_pendulum):
        model = free_pendulum.with_parameters({"m": 3.0, "l": 2.0})
        run = integrate(model.compile(), np.linspace(0, 1, 11), [1.0, 0.5])
        theta, rate = run.x.T
        energies = model.energies(run.t, run.x)
        np.testing.assert_allclose(energies[:, 0], 1.5 * (2 * rate) ** 2, rtol=1e-14)
        np.testing.assert_allclose(energies[:, 1], 3 * 9.81 * 2 * (1 - np.cos(theta)), rtol=1e-14)
        positions = model.positions(run.t, run.x)
        assert positions.shape == (11, 2, 2)
        assert not positions[:, 0].any()
        bob = 2 * np.stack([np.sin(theta), -np.cos(theta)], axis=-1)
        np.testing.assert_allclose(positions[:, 1], bob, rtol=1e-14)


class TestModel:
    def test_other_values_make_another_model(self):
        one = pendulum()
        other = one.with_parameters({"m": 5})
        assert {str(k): v for k, v in other.parameters.items()} == {"m": 5, "l": 1, "g": 9.81}
        assert {str(k): v for k, v in one.parameters.items()} == {"m": 1, "l": 1, "g": 9.81}

    def test_values_are_checked_as_when_compiling(self):
        with pytest.raises(ValueError, match="no such parameter: mass"):
            pendulum().with_parameters({"mass": 1})
        with pytest.raises(ValueError, match="l must be positive"):
            pendulum().with_parameters({"l": -1})
        with pytest.raises(TypeError, match="m must be a real number"):
            pendulum().with_parameters({"m": "heavy"})

    def test_an_input_brings_its_own_values(self):
        model, k = pendulum(), sm.Symbol("k")
        theta = model.equations.q[0]
        spring = model.with_inputs(
            {model.equations.inputs[0]: -k * theta}, parameters={k: 2.0}
        ).with_parameters({"g": 0})
        assert spring.compile()(0, [0.5, 0]).tolist() == [0, -1.0]
