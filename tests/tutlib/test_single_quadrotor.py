"""One quadrotor: its mixing matrix, its equilibrium, its energy, and its angular momentum."""

import numpy as np
import pytest

from tutlib import integrate
from tutlib.methods import DOP853
from tutlib.models.quadrotors import DOWN
from tutlib.models.single_quadrotor import Quadrotor, one_quadrotor


def thrown(seed=2):
    """Return a vehicle and a random state in full motion."""
    one, rng = one_quadrotor(), np.random.default_rng(seed)
    return one, one.space.flow(rng.normal(size=12), one.start([0, 0, 0]))


class TestMixing:
    def test_each_rotor_adds_its_force_and_its_moment(self):
        one = one_quadrotor()
        places = one.arm * np.array([[1.0, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]])
        for place, sense, column in zip(places, (-1, 1, -1, 1), one.mixing.T):
            moment = np.cross(place, -DOWN) + sense * one.drag * DOWN
            np.testing.assert_allclose(column, [1, *moment], atol=1e-15)

    def test_it_can_be_inverted(self):
        one = one_quadrotor()
        assert np.linalg.det(one.mixing) == pytest.approx(8 * one.drag * one.arm**2)


class TestMotion:
    def test_it_hovers(self):
        one = one_quadrotor()
        field = one.vector_field(lambda t, s: np.full(4, one.mass * one.g / 4))
        np.testing.assert_allclose(field(0.0, one.start([1, 2, 3])), 0, atol=1e-14)

    def test_without_thrust_energy_and_angular_momentum_are_conserved(self):
        one, x0 = thrown()
        model = one.model(lambda t, s: np.zeros(4))
        run = integrate(model.field, np.linspace(0, 1, 201), x0, DOP853)
        energy = model.energies(run.t, run.x)
        assert np.abs(energy - energy[0]).max() < 1e-10 * abs(energy[0])
        states = [one.state(x) for x in run.x]
        spins = np.array([s.attitude @ (one.inertia * s.rate) for s in states])
        np.testing.assert_allclose(spins, spins[[0] * len(spins)], rtol=0, atol=1e-10)

    def test_the_power_of_the_rotors_is_the_rate_of_the_energy(self):
        one, x = thrown()
        thrusts, s = np.array([1.0, 2, 3, 0.5]), one.state(x)
        f, *moment = one.mixing @ thrusts
        power = -f * s.attitude[:, 2] @ s.v + moment @ s.rate
        rates = one.vector_field(lambda t, s: thrusts)(0.0, x)
        ahead, behind = (one.energy(one.space.flow(h * rates, x)) for h in (1e-5, -1e-5))
        assert (ahead - behind) / 2e-5 == pytest.approx(power, rel=1e-7)


class TestArguments:
    @pytest.mark.parametrize("name", ["mass", "arm", "drag"])
    def test_what_is_not_positive_is_rejected(self, name):
        values = {"mass": 1.0, "inertia": np.ones(3), "arm": 0.2, "drag": 0.01}
        with pytest.raises(ValueError, match=f"{name} must be positive"):
            Quadrotor(**values | {name: 0.0})

    def test_no_moment_of_inertia_is_zero(self):
        with pytest.raises(ValueError, match="inertia must be positive"):
            Quadrotor(1.0, np.array([1.0, 0, 1]), 0.2, 0.01)
