"""Real recordings: how well the final models of the course fit and predict them, with margins."""

from functools import cache

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from benchmarks.measured import (
    FITTED,
    NAMES,
    fit_double,
    fit_single,
    published,
    regressor,
    rms,
    scores,
    starts_below,
    weak_form,
    with_zeros,
)
from tutlib.identification import extended_kalman_filter, prediction_errors, recording

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def one_core():
    """Let no thread of linear algebra wait for another, which would cost seconds of CPU."""
    with threadpool_limits(1):
        yield


@cache
def found(cutoff):
    """Return the constants of the driven machine by the weak form."""
    Y, y = regressor().weak_form([recording(name) for name in FITTED], 0.4, cutoff)
    return np.linalg.lstsq(Y, y)[0]


def test_the_weak_form_hardly_depends_on_the_cutoff():
    slow, usual, fast = (found(cutoff)[:6] for cutoff in (10.0, 25.0, 80.0))
    np.testing.assert_allclose(slow, usual, rtol=0.03)
    np.testing.assert_allclose(fast, usual, rtol=0.03)


def test_accelerations_depend_on_the_cutoff():
    recordings = [recording(name) for name in FITTED]
    inertia = [
        np.linalg.lstsq(*regressor().acceleration_form(recordings, cutoff))[0][0]
        for cutoff in (5.0, 25.0)
    ]
    assert inertia[0] > 2.5 * inertia[1]


def test_the_encoders_have_other_zeros_in_each_run():
    """The constant terms of gravity are those of the zeros that shooting finds."""
    constants = found(25.0)
    s_1, terms = constants[4], constants[len(NAMES) :].reshape(len(FITTED), 3)
    zeros = [with_zeros(weak_form(), recording(name), 9.0).parameters["z_1"] for name in FITTED]
    assert np.ptp(zeros) > 0.05
    np.testing.assert_allclose(terms[:, 0] / s_1, zeros, rtol=0, atol=0.02)


def test_free_motion_determines_constants_but_for_one_common_factor():
    """Without torques, masses and friction may be scaled alike: one singular value vanishes."""
    Y, y = regressor().weak_form([recording("free-double-fit-large")], 0.4)
    shared = Y[:, : len(NAMES)]
    np.testing.assert_array_equal(y, np.zeros(len(y)))
    values = np.linalg.svd(shared / np.linalg.norm(shared, axis=0), compute_uv=False)
    assert values[-1] < 0.02 * values[-2]


class TestPredictions:
    """After a time, the root mean square of the computed minus the measured angles."""

    def test_of_the_driven_machine(self):
        run, f = recording("double-heldout-143747"), weak_form()
        (_, after, final, sheet), _ = scores("driven", f, run)
        assert after == 0.5
        assert (final <= [0.025, 0.08]).all()
        assert (sheet > 0.2).all()

    def test_of_the_swing_up(self):
        run, f = recording("double-heldout-154220"), weak_form()
        rows = {(starts, after): final for starts, after, final, _ in scores("driven", f, run)}
        assert (rows["starts below", 0.5] <= [0.08, 0.12]).all()
        assert (rows["all starts", 0.5] > 2 * rows["starts below", 0.5]).all()
        assert 30 < starts_below(run, 0.5).sum() < 40

    def test_of_the_free_double_pendulum(self):
        fit, run = fit_double(), recording("free-double-heldout")
        assert fit.rms < 0.6e-3
        final = rms(prediction_errors(fit.fields[0], run, 1.0, cutoff=25.0))
        assert (final <= [3e-3, 3.5e-3]).all()
        sheet = rms(prediction_errors(published("double"), run, 1.0, cutoff=25.0))
        np.testing.assert_allclose(sheet, [2.5e-3, 3.6e-3], rtol=0.05)

    def test_of_the_free_single_pendulum(self):
        fit, run = fit_single(), recording("free-single-heldout")
        assert fit.rms < 0.8e-3
        assert rms(prediction_errors(fit.fields[0], run, 1.0))[0] <= 2e-3
        sheet = [rms(prediction_errors(published("single"), run, after))[0] for after in (0.5, 1.0)]
        np.testing.assert_allclose(sheet, [2.2e-3, 4.0e-3], rtol=0.03)
        assert fit.values["f"] > 0.08  # dry friction is positive, since there is drag


def test_a_filter_tuned_on_another_run_is_nearly_consistent():
    """Speeds of a run that was not used: cautious rather than overconfident; and not with s/10."""
    run, f = recording("double-heldout-143747").between(2, 4), weak_form()
    usual = extended_kalman_filter(f, run, 0.045, 1.4e-4, 6e-5)
    assert 1.5 < usual.nis.mean() < 2.2
    confident = extended_kalman_filter(f, run, 0.0045, 1.4e-4, 6e-5)
    assert confident.nis.mean() > 5
