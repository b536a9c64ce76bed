"""The rolling disc against SymPy's Kane, steady circles, and what must not change."""

import numpy as np
import pytest

from tutlib import integrate
from tutlib.methods import energy_error
from tutlib.models import rolling_disc, rolling_disc_in_space


@pytest.fixture(scope="module")
def disc():
    return rolling_disc()


def test_energy_and_slipping(disc):
    """The contact moves as far as the rim unrolls, and the energy stays."""
    t = np.linspace(0, 5, 5001)
    run = integrate(disc.compile(), t, [0.2, 0.1, 0, 0, 0, 0.3, 8, 0.5])
    assert np.abs(energy_error(disc.energies(run.t, run.x).sum(axis=1))).max() < 1e-10
    path = np.hypot(*np.diff(run.x[:, 3:5], axis=0).T).sum()
    assert path == pytest.approx(0.5 * np.abs(np.diff(run.x[:, 2])).sum(), rel=1e-6)


class TestInSpace:
    x = np.array([0.4, 0.5, 0.2, 1.0, -2.0, 0.3, 4.0, -1.2])

    def test_it_is_the_same_disc(self, disc):
        coin, row = rolling_disc_in_space(), (np.zeros(1), self.x[None])
        assert np.array_equal(coin.field(0.0, self.x), disc.compile()(0.0, self.x))
        assert coin.energies(*row)[0] == pytest.approx(disc.energies(*row).sum(), rel=1e-14)
        heavy = coin.with_parameters({"m": 3.0})
        assert heavy.energies(*row)[0] == pytest.approx(3 * coin.energies(*row)[0], rel=1e-14)

    def test_the_center_moves_as_the_angular_velocity_turns_the_radius(self):
        coin, d = rolling_disc_in_space(), 1e-6
        rates = coin.field(0.0, self.x)
        near = np.array([self.x - d * rates, self.x, self.x + d * rates])
        before, now, after = coin.positions(np.zeros(3), near)
        contact, center, *tips = (now[k] for k in range(50, 55))
        axes = [(tip - center) / 0.8 for tip in tips]
        np.testing.assert_allclose(axes @ np.transpose(axes), np.eye(3), atol=1e-12)
        omega = self.x[5:] @ axes
        np.testing.assert_allclose(
            (after[51] - before[51]) / (2 * d), np.cross(omega, center - contact), atol=1e-8
        )
