"""The extended Kalman filter: estimates of states that no sensor measures.

Chapter 12 derives it from two normal distributions, one predicted and one measured.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import real_array, real_number
from straightline.evaluator import Evaluator
from tutlib.fields import Field
from tutlib.identification.recordings import Recording
from tutlib.identification.shooting import inputs_of
from tutlib.methods.steps import step

#: Half of the difference between the two states of a central difference.
_APART = 1e-6


@dataclass(frozen=True, eq=False)
class Estimates:
    """Estimated states along a recording of m samples of n angles.

    Parameters
    ----------
    x : array, shape (m, 2 n)
        Angles [rad] and angular velocities [rad/s], each after the correction.
    covariances : array, shape (m, 2 n, 2 n)
    innovations : array, shape (m - 1, n)
        Measured minus predicted angles [rad], from the second sample on.
    nis : array, shape (m - 1,)
        The innovations squared, normalized by their predicted covariance. If the filter is
        consistent, their average is n.
    """

    x: Array
    covariances: Array
    innovations: Array
    nis: Array


def correct(x: Array, P: Array, y: Array, H: Array, R: Array) -> tuple[Array, Array, Array, Array]:
    """Combine a prediction with a measurement: the Kalman filter's correction.

    Parameters
    ----------
    x, P : array, shape (k,), (k, k)
        Mean and covariance of the predicted state.
    y, R : array, shape (n,), (n, n)
        Measurement, and the covariance of its noise.
    H : array, shape (n, k)
        The measurement is H x plus noise.

    Returns
    -------
    x, P : array
        Mean and covariance of the state, given the measurement.
    innovation, S : array, shape (n,), (n, n)
        Measured minus predicted, and its predicted covariance.

    References
    ----------
    :cite:p:`BarShalomLiKirubarajan2001`, section 5.2.
    """
    S = H @ P @ H.T + R
    K = np.linalg.solve(S, H @ P).T
    innovation = y - H @ x
    # Joseph's form stays symmetric and positive in spite of rounding
    kept = np.eye(len(x)) - K @ H
    return x + K @ innovation, kept @ P @ kept.T + K @ R @ K.T, innovation, S


def extended_kalman_filter(
    f: Field,
    recording: Recording,
    torque_noise: float,
    angle_noise: float,
    jitter: float = 0.0,
    start: ArrayLike | None = None,
) -> Estimates:
    """Estimate the states along a recording from its angles and torques.

    The prediction is a step of RK4. Its covariance uses the derivatives of f at the estimate, with
    respect to the state and to the torques, by central differences.

    Parameters
    ----------
    f : Field
        As for `fit_motion`, with torques.
    recording : Recording
    torque_noise : float
        Intensity s of white torque noise at each joint [N·m √s]: over a step h, in which the torque
        is taken as constant, its impulse has the variance s² h.
    angle_noise : float
        Standard deviation of a measured angle at rest [rad].
    jitter : float
        Standard deviation of a time stamp [s]: it adds jitter times angular velocity to the noise.
    start : array, shape (2 n,), optional
        First state; by default the measured angles, at rest.

    Returns
    -------
    Estimates

    Raises
    ------
    ValueError
        If the field does not fit the recording, or has no torques.

    References
    ----------
    :cite:p:`BarShalomLiKirubarajan2001`, section 10.3.
    """
    n = recording.q.shape[1]
    if not inputs_of(f, recording):
        raise ValueError("f must have the torques as further states, on which the noise acts")
    for name, value in (("torque_noise", torque_noise), ("angle_noise", angle_noise)):
        real_number(value, name, "positive")
    rest = np.concatenate([recording.q[0], np.zeros(n)])
    x = rest if start is None else real_array(start, "start", (2 * n,))
    H, P = np.eye(n, 2 * n), np.diag([angle_noise**2] * n + [1.0] * n)  # 1 rad²/s²
    slopes = Evaluator(f.formula, 3 * n, f.values)  # type: ignore[arg-type]
    aside = _APART * np.eye(3 * n)
    states, covariances, innovations, nis = [x], [P], [], []
    for i, (t, h) in enumerate(zip(recording.t[:-1], np.diff(recording.t))):
        torques = recording.torque[i : i + 2].mean(axis=0)
        driven = np.concatenate([x, torques])
        around = slopes(np.full(6 * n, t), np.vstack([driven + aside, driven - aside]))
        J = (around[: 3 * n] - around[3 * n :])[:, : 2 * n].T / (2 * _APART)
        A, B = J[:, : 2 * n], J[:, 2 * n :]
        transition = np.eye(2 * n) + h * A + h**2 / 2 * A @ A
        impulse = h * B + h**2 / 2 * A @ B  # of torques that are constant during the step
        x = step(f, t, driven, h)[: 2 * n]
        P = transition @ P @ transition.T + torque_noise**2 / h * impulse @ impulse.T
        R = np.diag(angle_noise**2 + (jitter * x[n:]) ** 2)
        x, P, innovation, S = correct(x, P, recording.q[i + 1], H, R)
        states.append(x)
        covariances.append(P)
        innovations.append(innovation)
        nis.append(innovation @ np.linalg.solve(S, innovation))
    return Estimates(np.array(states), np.array(covariances), np.array(innovations), np.array(nis))
