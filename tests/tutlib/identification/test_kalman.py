"""The extended Kalman filter agrees with filterpy, and is consistent if everything is known."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from filterpy.kalman import ExtendedKalmanFilter
from scipy.stats import chi2, multivariate_normal

from tests.tutlib.identification.machines import GEARED, geared_rates, shaken
from tutlib import integrate
from tutlib.identification import (
    Recording,
    correct,
    driven,
    extended_kalman_filter,
    simulate_along,
)
from tutlib.models import Load, Model, Skeleton, measured_double_pendulum, measured_pendulum

TORQUE_NOISE, ANGLE_NOISE, JITTER = 0.045, 1.4e-4, 6e-5  # N·m √s, rad, s


def spring():
    """Return two masses on springs, with viscous friction and a force on each: linear equations."""
    q, u = me.dynamicsymbols("q_1 q_2"), me.dynamicsymbols("q_1 q_2", 1)
    torques, (m, k, b) = me.dynamicsymbols("tau_1 tau_2"), sm.symbols("m k b")
    return Model.of(
        m * (u[0] ** 2 + 2 * u[1] ** 2) / 2,
        k * (q[0] ** 2 + (q[1] - q[0]) ** 2) / 2,
        q,
        {m: 1.0, k: 20.0, b: 0.3},
        (),
        [Load(torque - b * v, x) for torque, v, x in zip(torques, u, q)],
        skeleton=Skeleton(points=((0, 0), (q[0], 1), (q[1], 2)), lines=((0, 1), (1, 2))),
    )


def noisy(f, plan, start, torque_noise, angle_noise, jitter, seed=0):
    """Return the measured motion of a machine with noisy torques, in steps, and its states."""
    rng, n = np.random.default_rng(seed), plan.q.shape[1]
    states = [np.asarray(start, dtype=float)]
    for k, h in enumerate(np.diff(plan.t)):
        torque = plan.torque[k : k + 2].mean(axis=0) + torque_noise / h**0.5 * rng.normal(size=n)
        ends = integrate(f, plan.t[k : k + 2], np.append(states[-1], torque)).x
        states.append(ends[-1, : 2 * n])
    x = np.array(states)
    spread = np.sqrt(angle_noise**2 + (jitter * x[:, n:]) ** 2)
    return replace(plan, q=x[:, :n] + spread * rng.normal(size=(len(x), n))), x


def rk4(rates, x, torque, h):
    k_1 = rates(x, torque)
    k_2 = rates(x + h / 2 * k_1, torque)
    k_3 = rates(x + h / 2 * k_2, torque)
    k_4 = rates(x + h * k_3, torque)
    return x + h / 6 * (k_1 + 2 * k_2 + 2 * k_3 + k_4)


def by_filterpy(recording, rates, derivatives):
    """Return states, covariances, innovations, and squared distances of filterpy's filter."""
    n = recording.q.shape[1]
    peer = ExtendedKalmanFilter(2 * n, n)
    peer.x = np.concatenate([recording.q[0], np.zeros(n)])
    peer.P = np.diag([ANGLE_NOISE**2] * n + [1.0] * n)
    states, covariances, innovations, nis = [peer.x], [peer.P], [], []
    for k, h in enumerate(np.diff(recording.t)):
        torque = recording.torque[k : k + 2].mean(axis=0)
        A, B = derivatives(peer.x, torque)
        peer.F = np.eye(2 * n) + h * A + h**2 / 2 * A @ A
        impulse = h * (np.eye(2 * n) + h / 2 * A) @ B
        peer.Q = TORQUE_NOISE**2 / h * impulse @ impulse.T
        peer.predict_x = lambda u, x=peer.x, t=torque, h=h: setattr(peer, "x", rk4(rates, x, t, h))
        peer.predict()
        R = np.diag(ANGLE_NOISE**2 + (JITTER * peer.x[n:]) ** 2)
        H = np.eye(n, 2 * n)
        peer.update(recording.q[k + 1], lambda x, H=H: H, lambda x, H=H: H @ x, R)
        states.append(peer.x)
        covariances.append(peer.P)
        innovations.append(peer.y)
        nis.append(peer.mahalanobis**2)
    return map(np.array, (states, covariances, innovations, nis))


def compare(estimates, expected, error):
    """Compare with filterpy, relative to the magnitude of each quantity."""
    found = estimates.x, estimates.covariances, estimates.innovations, estimates.nis
    for name, ours, theirs in zip(("x", "P", "innovations", "nis"), found, expected):
        scale = np.abs(theirs).max(axis=0)
        assert ours.shape == theirs.shape, name
        assert (np.abs(ours - theirs) / np.where(scale > 0, scale, 1)).max() < error, name


class TestAgainstFilterpy:
    def test_of_linear_equations(self):
        f, plan = driven(spring()), shaken(1.0, jitter=0.3)
        A, B = np.zeros((4, 4)), np.zeros((4, 2))
        A[:2, 2:] = np.eye(2)
        A[2:, :2] = np.array([[-40, 20], [10, -10]])
        A[2:, 2:] = np.diag([-0.3, -0.15])
        B[2:] = np.diag([1, 0.5])
        recording, _ = noisy(f, plan, [0.1, 0.2, 0, 0], TORQUE_NOISE, ANGLE_NOISE, JITTER)
        estimates = extended_kalman_filter(f, recording, TORQUE_NOISE, ANGLE_NOISE, JITTER)
        expected = by_filterpy(recording, lambda x, u: A @ x + B @ u, lambda x, u: (A, B))
        compare(estimates, expected, 1e-10)

    @pytest.mark.slow
    def test_of_the_driven_pendulum(self):
        """With derivatives by SymPy instead of differences."""
        model = measured_double_pendulum(motors=True)
        eom, f = model.equations, driven(model).with_parameters(GEARED)
        states = sm.Matrix([*sm.symbols("x_1:5 r_1:3", real=True)])
        named = dict(zip([*eom.q, *eom.u, *eom.inputs], states))
        known = {symbol: GEARED[str(symbol)] for symbol in model.parameters}
        M, F = (part.xreplace(named).xreplace(known) for part in (eom.mass_matrix, eom.forcing))
        right = sm.Matrix([*states[2:4], *M.inv() * F]).jacobian(states)
        jacobian = sm.lambdify([states], right, "numpy", cse=True)

        def derivatives(x, torque):
            J = np.array(jacobian([*x, *torque]), dtype=float)
            return J[:, :4], J[:, 4:]

        plan = shaken(1.0, jitter=0.3)
        recording, _ = noisy(f, plan, [0.1, 0.2, 0.5, 0.3], TORQUE_NOISE, ANGLE_NOISE, JITTER)
        estimates = extended_kalman_filter(f, recording, TORQUE_NOISE, ANGLE_NOISE, JITTER)
        compare(estimates, by_filterpy(recording, geared_rates, derivatives), 1e-7)


@pytest.mark.slow
def test_it_is_consistent_where_everything_is_known():
    """The normalized innovations are in the band of χ², and the speeds better than differences."""
    f = driven(measured_double_pendulum(motors=True)).with_parameters(GEARED)
    plan, start = shaken(6.0), [0.1, -0.1, 0.5, 0.3]
    recording, x = noisy(f, plan, start, TORQUE_NOISE, ANGLE_NOISE, JITTER, seed=1)
    estimates = extended_kalman_filter(f, recording, TORQUE_NOISE, ANGLE_NOISE, JITTER)
    settled = estimates.nis[50:]
    low, high = chi2.ppf([0.025, 0.975], 2 * len(settled)) / len(settled)
    assert low < settled.mean() < high
    assert (settled < chi2.ppf(0.95, 2)).mean() == pytest.approx(0.95, abs=0.02)
    missed = estimates.x[50:] - x[50:]
    normalized = [e @ np.linalg.solve(P, e) for e, P in zip(missed, estimates.covariances[50:])]
    assert np.mean(normalized) == pytest.approx(4, rel=0.15)
    differences = np.diff(recording.q, axis=0) / np.diff(recording.t)[:, np.newaxis]
    assert np.std(missed[:, 2:]) < 0.75 * np.std(differences[49:] - x[50:, 2:])
    confident = extended_kalman_filter(f, recording, TORQUE_NOISE / 10, ANGLE_NOISE, JITTER)
    assert confident.nis[50:].mean() > 2 * high


class TestCorrection:
    def test_it_is_the_product_of_two_normal_densities(self, rng):
        """p(x) p(y | x) = p(y) p(x | y), at any x."""
        root, noise, H = rng.normal(size=(4, 4)), rng.normal(size=(2, 2)), rng.normal(size=(2, 4))
        x, P, R, y = rng.normal(size=4), root @ root.T, noise @ noise.T, rng.normal(size=2)
        corrected, covariance, innovation, S = correct(x, P, y, H, R)
        evidence = multivariate_normal(H @ x, S).logpdf(y)
        assert evidence == pytest.approx(multivariate_normal(np.zeros(2), S).logpdf(innovation))
        for point in rng.normal(size=(10, 4)):
            prior = multivariate_normal(x, P).logpdf(point)
            likelihood = multivariate_normal(H @ point, R).logpdf(y)
            posterior = multivariate_normal(corrected, covariance).logpdf(point)
            assert prior + likelihood == pytest.approx(evidence + posterior, abs=1e-9)

    def test_the_covariance_stays_symmetric_and_positive_after_an_exact_measurement(self):
        P = np.array([[1.0, 0.999999], [0.999999, 1.0]])
        for _ in range(20):
            _, P, _, _ = correct(np.zeros(2), P, np.zeros(1), np.eye(1, 2), np.array([[1e-14]]))
            np.testing.assert_allclose(P, P.T, rtol=1e-12)
            assert np.linalg.eigvalsh(P)[0] > 0


class TestErrors:
    def test_equations_without_torques(self):
        recording = Recording([0.0, 0.1], np.zeros((2, 1)))
        with pytest.raises(ValueError, match="f must have the torques"):
            extended_kalman_filter(measured_pendulum().compile(), recording, 0.1, 0.1)

    @pytest.mark.parametrize("noise", [(0.0, 1e-4), (0.1, 0.0)])
    def test_noise_of_zero(self, noise):
        f = driven(measured_double_pendulum(motors=True))
        with pytest.raises(ValueError, match="must be positive"):
            extended_kalman_filter(f, shaken(0.1), *noise)

    def test_a_start_of_another_shape(self):
        f = driven(measured_double_pendulum(motors=True))
        with pytest.raises(ValueError, match="start must"):
            extended_kalman_filter(f, shaken(0.1), 0.1, 0.1, start=[0.0, 0.0])


def test_a_start_replaces_the_first_measured_angles():
    f, plan = driven(measured_double_pendulum(motors=True)).with_parameters(GEARED), shaken(0.1)
    start = [0.1, -0.1, 0.5, 0.3]
    q = simulate_along(f, plan, start)[:, :2]
    estimates = extended_kalman_filter(f, replace(plan, q=q), 0.045, 1.4e-4, start=start)
    np.testing.assert_array_equal(estimates.x[0], start)
