"""Motions along recordings are SciPy's, and fits to them are dense fits of the same windows."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

from tests.tutlib.identification.machines import GEARED, geared_rates, motion_along, shaken
from tutlib.identification import (
    MotionFit,
    Recording,
    driven,
    fit_motion,
    prediction_errors,
    shooting,
    simulate_along,
)
from tutlib.models import measured_double_pendulum, measured_pendulum

#: Parameters to fit.
VARY = ["J_1", "J_12", "J_2", "J_c", "s_1", "s_2", "b_1", "b_2", "f_1", "f_2"]
START = [0.1, -0.1, 0.3, 0.2]
#: Half the width of an interval with a probability of 95 %, in standard errors.
INTERVAL = 1.96


@pytest.fixture(scope="module")
def geared():
    return driven(measured_double_pendulum(motors=True)).with_parameters(GEARED)


@pytest.fixture(scope="module")
def single():
    known = {"omega_0": 8.0, "b": 0.1, "f": 0.0, "d": 0.0, "z": 0.0}
    return measured_pendulum().compile().with_parameters(known)


def swing(single, duration=2.0, rate=100.0, noise=0.0, seed=0, jitter=0.0):
    """Return a motion of the free single pendulum, as measured with noise and unequal stamps."""
    rng = np.random.default_rng(seed)
    t = 7.0 + (np.arange(round(duration * rate)) + rng.uniform(-jitter, jitter)) / rate
    t[1:-1] += rng.uniform(-jitter, jitter, len(t) - 2) / rate
    exact = Recording(t, np.zeros((len(t), 1)))
    q = simulate_along(single, exact, [1.0, 0.5])[:, :1]
    return replace(exact, q=q + noise * rng.normal(size=q.shape))


class TestSimulation:
    def test_it_agrees_with_scipy_to_the_order_of_rk4(self, geared):
        """Stamps are unequal, and torques linear between those of the coarse recording."""
        plan = shaken(0.6, spacing=0.008, jitter=0.3)
        smooth = GEARED | {"w": 1.0}  # the steps are short enough for the friction
        rates = partial(geared_rates, p=smooth)
        expected = motion_along(rates, plan.t, plan.torque, START)
        f, missed = geared.with_parameters(smooth), []
        for parts in (1, 2, 4):
            knots = np.arange(len(plan.t))
            fine = np.linspace(0, knots[-1], parts * knots[-1] + 1)
            t = np.interp(fine, knots, plan.t)
            torque = np.array([np.interp(t, plan.t, column) for column in plan.torque.T]).T
            x = simulate_along(f, Recording(t, np.zeros_like(torque), torque), START)
            missed.append(np.abs(x[::parts] - expected).max())
        assert missed[2] < 1e-6
        assert missed[0] / missed[1] > 12
        assert missed[1] / missed[2] > 12

    def test_steps_of_the_real_recordings_are_short_enough(self, geared):
        """Errors in steps of 4 ms with friction of the real width are below the encoder's noise."""
        plan = shaken(0.6)
        expected = motion_along(geared_rates, plan.t, plan.torque, START)
        missed = simulate_along(geared, plan, START) - expected
        assert np.abs(missed[:, :2]).max() < 1.4e-4

    def test_a_model_without_torques_ignores_those_of_a_recording(self, single):
        quiet = swing(single)
        loud = replace(quiet, torque=np.ones_like(quiet.q))
        same = (simulate_along(single, recording, [1.0, 0.5]) for recording in (quiet, loud))
        np.testing.assert_array_equal(*same)

    def test_a_field_that_does_not_fit_is_rejected(self, geared, single):
        with pytest.raises(ValueError, match="the recording has 2 joint angles"):
            simulate_along(single, shaken(1.0), START)
        with pytest.raises(ValueError, match="start must"):
            simulate_along(geared, shaken(1.0), START[:2])


class TestPredictions:
    def test_they_are_single_simulations_from_measured_states(self, geared):
        plan = shaken(1.5, spacing=0.005, jitter=0.3)
        q = simulate_along(geared, plan, START)[:, :2]
        recording = replace(plan, q=q + 1e-3 * np.random.default_rng(1).normal(size=q.shape))
        found = prediction_errors(geared, recording, 0.31, every=0.2, cutoff=20.0)
        t, u = recording.t, recording.speeds(20.0)
        expected = []
        for time in np.arange(t[0] + 0.1, t[-1] - 0.31 - 0.1, 0.2):
            row = int(np.argmax(t >= time))
            part = recording.between(t[row], t[-1])
            x = simulate_along(geared, part, np.append(recording.q[row], u[row]))
            end = t[row] + 0.31
            predicted, measured = (
                [np.interp(end, part.t, column) for column in angles.T]
                for angles in (x[:, :2], part.q)
            )
            expected.append(np.subtract(predicted, measured))
        assert len(found) == 5
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)

    def test_the_true_model_predicts_its_own_motion(self, single):
        motion = swing(single, duration=3.0, rate=500.0)
        missed = prediction_errors(single, motion, 1.0, cutoff=100.0)
        assert np.abs(missed).max() < 5e-4  # smoothed differences are not exact velocities
        assert np.abs(missed).max() > 0

    def test_a_recording_that_is_too_short_is_rejected(self, single):
        with pytest.raises(ValueError, match=r"too short: it lasts 1\.99 s"):
            prediction_errors(single, swing(single), 1.9)


def dense_fit(recordings, steps, weight):
    """Return ω₀, b, and the zeros of a single pendulum, from SciPy's solver and dense fit."""

    def residual(unknowns):
        omega_0, b, *rest = unknowns
        zeros, states = rest[: len(recordings)], np.reshape(rest[len(recordings) :], (-1, 2))
        missed, k = [], 0
        for recording, rows, z in zip(recordings, steps, zeros):
            for first in range(0, len(recording.t) - rows, rows):
                t, q = (a[first : first + rows + 1] for a in (recording.t, recording.q))
                x = solve_ivp(
                    lambda t, x, z=z: [x[1], -(omega_0**2) * np.sin(x[0] - z) - b * x[1]],
                    (t[0], t[-1]),
                    states[k],
                    "DOP853",
                    t,
                    rtol=1e-9,
                    atol=1e-11,
                ).y
                missed.append(x[0] - q[:, 0])
                k += 1
            missed.append([weight * z])
        return np.concatenate(missed)

    guess = [8.2, 0.05, *[0.0] * len(recordings)]
    for recording, rows in zip(recordings, steps):
        for first in range(0, len(recording.t) - rows, rows):
            guess += [recording.q[first, 0], recording.speeds(15.0)[first, 0]]
    return least_squares(residual, guess, x_scale="jac", xtol=1e-10).x


class TestFit:
    @pytest.mark.slow
    @pytest.mark.parametrize("few", [0, 30])
    def test_it_is_the_dense_fit_of_the_same_windows(self, single, monkeypatch, few):
        """With unequal stamps, zeros of two recordings, and a penalty; sparse if 0 are few."""
        monkeypatch.setattr("tutlib.identification.shooting._FEW", few)
        recordings = [
            swing(single, duration, 100.0, 2e-3, seed, 0.3)
            for seed, duration in enumerate((0.8, 0.7))
        ]
        guess = single.with_parameters({"omega_0": 8.2, "b": 0.05})
        fit = fit_motion(guess, recordings, ["omega_0", "b"], ["z"], window=0.3, penalty={"z": 0.2})
        steps = [residuals.shape[1] - 1 for residuals in fit.residuals]
        assert [len(residuals) for residuals in fit.residuals] == [2, 2]
        omega_0, b, z_1, z_2, *states = dense_fit(recordings, steps, 0.2)
        found = [*fit.values.values(), *(own["z"] for own in fit.each)]
        np.testing.assert_allclose(found, [omega_0, b, z_1, z_2], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(np.vstack(fit.starts).ravel(), states, rtol=1e-5, atol=1e-6)

    def test_a_strong_penalty_holds_a_parameter(self, single):
        recording = swing(single, noise=1e-3)
        free = fit_motion(single, recording, [], ["z"], window=0.5)
        held = fit_motion(single, recording, [], ["z"], window=0.5, penalty={"z": 1e4})
        assert abs(held.each[0]["z"]) < 1e-6 < abs(free.each[0]["z"])

    def test_every_third_sample_of_an_exact_motion_gives_the_same_fit(self, single):
        recording, guess = swing(single, duration=1.5), single.with_parameters({"b": 0.05})
        fits = [
            fit_motion(guess, recording, ["omega_0", "b"], window=0.5, compare_every=every)
            for every in (1, 3)
        ]
        assert [fit.residuals[0].shape for fit in fits] == [(2, 51, 1), (2, 17, 1)]
        for fit in fits:
            assert fit.values == pytest.approx({"omega_0": 8.0, "b": 0.1}, rel=1e-6)
            windows = fit.residuals[0][:, :, 0]
            np.testing.assert_allclose(windows, np.zeros(windows.shape), atol=1e-8)

    @pytest.mark.slow
    def test_it_finds_known_constants_of_the_driven_pendulum(self, geared):
        """With zeros of each recording, from a guess that is wrong by a fifth."""
        recordings, zeros = [], [(0.02, -0.03), (-0.05, 0.01)]
        for seed, (z_1, z_2) in enumerate(zeros):
            plan = shaken(6.0, seed=seed)
            machine = geared.with_parameters({"z_1": z_1, "z_2": z_2})
            q = simulate_along(machine, plan, START)[:, :2]
            noise = 1.4e-4 * np.random.default_rng(seed).normal(size=q.shape)
            recordings.append(replace(plan, q=q + noise))
        wrong = {name: 1.2 * GEARED[name] for name in VARY} | {"z_1": 0.0, "z_2": 0.0}
        fit = fit_motion(geared.with_parameters(wrong), recordings, VARY, ["z_1", "z_2"])
        errors = fit.standard_errors()
        for name in VARY:
            assert abs(fit.values[name] - GEARED[name]) < 4 * errors[name], name
            if name[0] in "Jsf":
                assert fit.values[name] == pytest.approx(GEARED[name], rel=0.005), name
        for own, (z_1, z_2) in zip(fit.each, zeros):
            assert own == pytest.approx({"z_1": z_1, "z_2": z_2}, abs=5e-4)
        windows = sum(len(residuals) for residuals in fit.residuals)
        kept = 1 - (4 * windows + 14) / (windows * 76 * 2)  # degrees of freedom
        assert fit.rms == pytest.approx(1.4e-4 * kept**0.5, rel=0.05)
        fields = [field.parameters["z_1"] for field in fit.fields]
        assert fields == [own["z_1"] for own in fit.each]

    def test_a_guess_whose_motion_diverges_does_not_raise(self, single):
        recording = swing(single, duration=1.2)
        diverging = single.with_parameters({"d": -50.0})
        assert not np.isfinite(simulate_along(diverging, recording, [1.0, 5.0])).all()
        fit = fit_motion(diverging, recording, ["d"], window=0.5)
        assert np.isfinite(fit.values["d"])

    def test_a_step_that_diverges_is_rejected(self, single, monkeypatch):
        """The first step goes too far, to a motion that diverges, and the fit recovers."""
        diverged, residuals = [], shooting._Plan.residuals

        def watched(plan, parameters, starts):
            missed = residuals(plan, parameters, starts)
            diverged.append(not np.isfinite(missed).all())
            return missed

        monkeypatch.setattr(shooting._Plan, "residuals", watched)
        recording = swing(single, duration=2.2)
        fit = fit_motion(single.with_parameters({"d": 2.0}), recording, ["d"], window=0.5)
        assert any(diverged)
        assert fit.values["d"] == pytest.approx(0.0, abs=1e-8)

    def test_wrong_names_and_windows_are_rejected(self, single):
        recording = swing(single)
        with pytest.raises(ValueError, match="no such parameter: 'mass'; the parameters are"):
            fit_motion(single, recording, ["mass"])
        with pytest.raises(ValueError, match="penalty must be in each"):
            fit_motion(single, recording, ["z"], penalty={"z": 1.0})
        with pytest.raises(ValueError, match=r"fit into the recording of 1\.99 s; got 2 s"):
            fit_motion(single, recording, ["z"], window=2.0)
        with pytest.raises(ValueError, match="at least one step"):
            fit_motion(single, recording, ["z"], window=1e-3)


class TestStandardErrors:
    def test_they_follow_from_dense_derivatives(self, single):
        """Both formulas, with derivatives of the simulation by differences."""
        recording, rows = swing(single, 2.2, 50.0, noise=2e-3), 25
        fit = fit_motion(single, recording, ["omega_0", "b"], window=0.5)
        (starts,) = fit.starts

        def residual(unknowns):
            f = single.with_parameters({"omega_0": unknowns[0], "b": unknowns[1]})
            missed = []
            for k, state in enumerate(np.reshape(unknowns[2:], (-1, 2))):
                part = slice(k * rows, (k + 1) * rows + 1)
                window = replace(recording, t=recording.t[part], q=recording.q[part], torque=None)
                missed.append(simulate_along(f, window, state)[:, :1] - window.q)
            return np.concatenate(missed).ravel()

        best = np.array([*fit.values.values(), *starts.ravel()])
        J = np.empty((len(residual(best)), len(best)))
        for k in range(len(best)):
            aside = 1e-5 * (np.arange(len(best)) == k)
            J[:, k] = (residual(best + aside) - residual(best - aside)) / 2e-5
        left = residual(best)
        np.testing.assert_allclose(fit.residuals[0].ravel(), left, rtol=0, atol=1e-12)
        N = np.linalg.inv(J.T @ J)
        white = np.sqrt(np.diag(N)[:2] * (left @ left) / (len(left) - len(best)))
        np.testing.assert_allclose([*fit.standard_errors().values()], white, rtol=1e-4)
        gradients = [
            J[k : k + rows + 1].T @ left[k : k + rows + 1] for k in range(0, len(left), 26)
        ]
        middle = sum(np.outer(gradient, gradient) for gradient in gradients)
        clustered = np.sqrt(np.diag(N @ middle @ N)[:2])
        found = [*fit.standard_errors(by_windows=True).values()]
        np.testing.assert_allclose(found, clustered, rtol=1e-3)
        assert fit.rms == pytest.approx(np.sqrt(np.mean(left**2)))

    @pytest.mark.slow
    def test_intervals_hold_for_noise_of_angles_and_fail_for_noise_of_torques(self, geared):
        """Of the intervals of 100 synthetic experiments, so many contain the true values.

        Each experiment is fitted by one Gauss-Newton step from the truth, which costs a few ms: the
        noise is so small that the residuals are linear in the unknowns.
        """
        plan = shaken(10.0)
        exact = replace(plan, q=simulate_along(geared, plan, START)[:, :2])
        truth = fit_motion(geared, exact, VARY, window=0.5)
        assert truth.rms < 1e-6
        J = truth.jacobian.toarray()
        solve, shape = np.linalg.pinv(J), truth.residuals[0].shape
        rows = np.arange(shape[1]) + (shape[1] - 1) * np.arange(shape[0])[:, np.newaxis]
        share = {}
        for noisy, rng in (
            ("angles", np.random.default_rng(1)),
            ("torques", np.random.default_rng(2)),
        ):
            held = []
            for _ in range(100):
                if noisy == "angles":
                    left = 1.4e-4 * rng.normal(size=exact.q.shape)[rows].ravel()
                else:
                    torque = plan.torque + [0.010, 0.027] * rng.normal(size=plan.torque.shape)
                    moved = simulate_along(geared, replace(plan, torque=torque), START)
                    left = (exact.q - moved[:, :2])[rows].ravel()
                change = -solve @ left
                residuals = (left + J @ change).reshape(shape)
                fit = MotionFit(
                    truth.values, [{}], truth.fields, [residuals], truth.starts, truth.jacobian, 1
                )
                errors = np.array([*fit.standard_errors().values()])
                held.append(np.abs(change[: len(VARY)]) < INTERVAL * errors)
            share[noisy] = np.mean(held)
        assert 0.90 < share["angles"] < 0.98
        assert share["torques"] < 0.4
