"""Whipple's bicycle from its parts, and the measured quantities of real bicycles."""

import numpy as np
import pytest

from tutlib.identification.bicycles import measured_bicycle, published_bicycle, swinging_fork
from tutlib.models.bicycle import (
    DAMPING,
    FRONT,
    GRAVITY_STIFFNESS,
    MASS,
    REAR,
    SPEED_STIFFNESS,
    TILT,
    TRAIL,
    WHEELBASE,
)
from tutlib.models.whipple import whipple_matrices

#: The benchmark of Meijaard et al., table 1.
BENCHMARK = {
    "w": WHEELBASE,
    "c": TRAIL,
    "lam": TILT,
    "rR": REAR,
    "rF": FRONT,
    "mR": 2.0,
    "IRxx": 0.0603,
    "IRyy": 0.12,
    "mB": 85.0,
    "xB": 0.3,
    "zB": -0.9,
    "IBxx": 9.2,
    "IBxz": 2.4,
    "IBzz": 2.8,
    "mH": 4.0,
    "xH": 0.9,
    "zH": -0.7,
    "IHxx": 0.05892,
    "IHxz": -0.00756,
    "IHzz": 0.00708,
    "mF": 3.0,
    "IFxx": 0.1405,
    "IFyy": 0.28,
}
PRINTED = {"M": MASS, "C1": DAMPING, "K0": GRAVITY_STIFFNESS, "K2": SPEED_STIFFNESS}


def test_matrices_of_the_benchmark_are_the_printed_ones():
    found = whipple_matrices(BENCHMARK)
    assert found.keys() == PRINTED.keys()
    for name, printed in PRINTED.items():
        assert np.allclose(found[name], printed, rtol=0, atol=1e-12)


def test_many_bicycles_at_once_give_the_same_as_one_after_the_other():
    heavier = np.array([1.0, 1.1, 1.3])
    stacked = whipple_matrices({name: value * heavier for name, value in BENCHMARK.items()})
    for k, factor in enumerate(heavier):
        alone = whipple_matrices({name: value * factor for name, value in BENCHMARK.items()})
        for name, matrix in alone.items():
            assert np.allclose(stacked[name][k], matrix, rtol=1e-13)
    one = whipple_matrices(BENCHMARK | {"xB": np.array([0.3, 0.31])})
    assert all(matrix.shape == (2, 2, 2) for matrix in one.values())


def test_quantities_of_a_bicycle_have_si_units_and_deviations():
    values, deviations = measured_bicycle("Browser")
    assert values["mF"] == 2.02
    assert deviations["mF"] == 0.02
    assert values["gamma"] == pytest.approx(np.radians(67.1))
    assert deviations["gamma"] == pytest.approx(np.radians(0.2))
    assert deviations["nF"] == 0
    assert published_bicycle("Browser")[0]["IByy"] == pytest.approx(1.316396)


def test_a_quantity_that_was_read_several_times_is_its_mean():
    values, deviations = measured_bicycle("Rigid")
    readings = [21.0780313, 21.0859688, 21.0899375]  # m, each within 1 mm
    assert values["dF"] == pytest.approx(np.mean(readings))
    assert deviations["dF"] == pytest.approx(0.001 / 3**0.5)


@pytest.mark.parametrize("bicycle", [measured_bicycle, published_bicycle])
def test_an_unknown_bicycle_is_rejected_with_the_known_ones(bicycle):
    with pytest.raises(ValueError, match=r"the bicycles are .*Browser.*; got 'Tandem'"):
        bicycle("Tandem")


def test_the_fork_swings_for_half_a_minute():
    t, voltage = swinging_fork()
    assert np.allclose(np.diff(t), 0.005)
    assert (len(t), len(voltage)) == (6000, 6000)
