"""Machines with known constants, by hand, and recordings of their motion."""

from itertools import pairwise

import numpy as np
from scipy.integrate import solve_ivp

from tutlib.identification import Recording

#: Constants of a double pendulum with motors, as large as those of the real one.
GEARED = {
    "J_1": 0.096,
    "J_12": 0.046,
    "J_2": 0.049,
    "J_c": 0.031,
    "s_1": 0.197,
    "s_2": 0.152,
    "b_1": 0.010,
    "b_2": 0.004,
    "f_1": 0.19,
    "f_2": 0.21,
    "d_1": 0.002,
    "d_2": 0.001,
    "z_1": 0.02,
    "z_2": -0.03,
    "g": 9.81,
    "w": 0.1,
}


def accelerations(p, q, u, torque):
    """Return the accelerations of a double pendulum, with M, Coriolis terms, and forces by hand."""
    c, s = np.cos(q[1] - p["z_2"]), np.sin(q[1] - p["z_2"])
    off = p["J_12"] + p["J_c"] * c
    M = np.array([[p["J_1"] + 2 * p["J_c"] * c, off], [off, p["J_2"]]])
    coriolis = p["J_c"] * s * np.array([-u[1] * (2 * u[0] + u[1]), u[0] ** 2])
    first, both = q[0] - p["z_1"], q[0] + q[1] - p["z_1"] - p["z_2"]
    lower = p["g"] * p["s_2"] * np.sin(both)
    gravity = np.array([p["g"] * p["s_1"] * np.sin(first) + lower, lower])
    b, f, d = (np.array([p[f"{letter}_1"], p[f"{letter}_2"]]) for letter in "bfd")
    friction = b * u + f * np.tanh(u / p["w"]) + d * u * np.abs(u)
    return np.linalg.solve(M, torque - friction - gravity - coriolis)


def motion_along(rates, t, torque, start):
    """Return states at the times, from SciPy, with torques that are linear between them."""
    states = [np.asarray(start, dtype=float)]
    for k, (begin, end) in enumerate(pairwise(t)):

        def slopes(time, x, k=k, begin=begin, end=end):
            share = (time - begin) / (end - begin)
            return rates(x, (1 - share) * torque[k] + share * torque[k + 1])

        step = solve_ivp(slopes, (begin, end), states[-1], "DOP853", rtol=1e-12, atol=1e-13)
        states.append(step.y[:, -1])
    return np.array(states)


def geared_rates(x, torque, p=GEARED):
    """Return the time derivative of the state of the double pendulum with motors."""
    return np.concatenate([x[2:], accelerations(p, x[:2], x[2:], torque)])


def shaken(duration, spacing=0.004, seed=0, jitter=0.0):
    """Return an experiment that excites both joints: stamps and torques, with angles of zero."""
    rng = np.random.default_rng(seed)
    t = np.arange(0, duration, spacing)
    t = t + rng.uniform(-jitter, jitter, len(t)) * spacing
    frequencies, phases = rng.uniform(0.3, 3.0, (2, 5)), rng.uniform(0, 2 * np.pi, (2, 5))
    waves = np.sin(2 * np.pi * frequencies * t[:, np.newaxis, np.newaxis] + phases)
    torque = waves.sum(axis=2) * [0.6, 0.35]
    return Recording(t, np.zeros_like(torque), torque)
