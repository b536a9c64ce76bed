"""Two quadrotors and a load: an independent computation, Newton's law, symmetry and energy."""

import functools
from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg
from scipy.spatial.transform import Rotation

from tutlib import Field, compiled, integrate
from tutlib.methods import DOP853
from tutlib.models.quadrotors import (
    DOWN,
    AttitudeController,
    LoadController,
    two_quadrotors,
)
from tutlib.models.rotors import Rotors
from tutlib.spaces import lie

pytestmark = pytest.mark.slow

# Independent integration in embedding coordinates, DOP853 with tolerances of 1e-13:
# t, load, first link, second link, body rate of the first vehicle.
REFERENCE = {
    0.5: ([-1.9010063188891795, -0.0445811005658369, -0.07123655693698455],
          [0.4998152523185913, -0.41587252951453774, 0.7597596677534838],
          [-0.48473323506741783, 0.3779312005632173, 0.788797628331831],
          [3.3587055804703687, 7.689711950453223, 3.5350964072472952]),
    1.0: ([-1.5641029067326686, -0.05383195816159986, -3.5468189827423022],
          [-0.3708385735006825, -0.5342650136140162, 0.7596312576717699],
          [-0.25022532499330963, 0.4731052063689644, 0.8447240676330781],
          [-9.400635451533335, 9.378491280346887, 7.345325138831714]),
    5.0: ([2.50000419292935, 2.842980706959549e-06, -0.7500509327906251],
          [-3.1352923265455237e-06, -0.500000009175996, 0.8660253984809986],
          [2.5120521016312236e-06, 0.5000000565777979, 0.8660253711155854],
          [-10.458402720577334, -0.6779055033608747, 36.54164946232042]),
}  # fmt: skip
FIRST_ATTITUDE = [
    [-0.6838342608109402, -0.542291443420201, 0.4881502782269431],
    [0.6596373576306922, -0.17354353377179582, 0.7312736822166284],
    [-0.31184813636947123, 0.8220721575853959, 0.4763907089398664],
]


def path(t):
    """The source's parabola, with four derivatives."""
    return np.array(
        [[t - 2.5, 0, (t - 2.5) ** 2 - 7], [1, 0, 2 * (t - 2.5)], [0, 0, 2], [0, 0, 0], [0, 0, 0]]
    )


def load_controller(body):
    slant = np.array([[0.5, 0, np.sqrt(3) / 2], [-0.5, 0, np.sqrt(3) / 2]])
    return LoadController(body, path, slant, np.array([0, -1.0, 0]))


@functools.cache
def source():
    body, a = two_quadrotors(), np.deg2rad(80)
    x0 = body.start([-2, 0, 0], [[np.sin(a), 0, np.cos(a)], [-np.sin(a), 0, np.cos(a)]])
    control = load_controller(body)
    return body, body.vector_field(lambda t, s: (control(t, s), np.ones((2, 3)))), x0


@functools.cache
def run():
    body, f, x0 = source()
    return integrate(Field(compiled(f), body.space), np.linspace(0, 5, 401), x0, DOP853)


@functools.cache
def closed_loop():
    """Thrust along the body axes only, and the attitude controller."""
    body, _, x0 = source()
    attitude = AttitudeController(body, load_controller(body), np.array([-1.0, 0, 0]))
    field = Field(compiled(body.vector_field(attitude)), body.space)
    return attitude, integrate(field, np.linspace(0, 5, 4001), x0)


def thrown(seed=0):
    """Return a state in full motion, and the vehicles."""
    body, rng = two_quadrotors(), np.random.default_rng(seed)
    q = rng.normal(size=(2, 3))
    q /= np.linalg.norm(q, axis=1)[:, None]
    omega = np.cross(q, rng.normal(size=(2, 3)))
    parts = [rng.normal(size=6)]
    for _ in range(2):
        parts += [lie.SO3.exp(rng.normal(size=3)).ravel(), rng.normal(size=3)]
    return body, np.concatenate([*parts, np.column_stack([q, omega]).ravel()])


@pytest.mark.parametrize("t", REFERENCE)
def test_the_source_s_run_against_an_independent_computation(t):
    body, motion = source()[0], run()
    s = body.state(motion.x[round(t * 80)])
    load, first, second, rate = REFERENCE[t]
    np.testing.assert_allclose(s.y, load, rtol=0, atol=1e-10)
    np.testing.assert_allclose(s.q, [first, second], rtol=0, atol=1e-10)
    np.testing.assert_allclose(s.rates[0], rate, rtol=0, atol=2e-9)
    gram = s.attitudes.transpose(0, 2, 1) @ s.attitudes
    assert np.abs(gram - np.eye(3)).max() < 1e-13
    assert np.abs(np.linalg.norm(s.q, axis=1) - 1).max() < 1e-13
    if t == 5:
        np.testing.assert_allclose(s.attitudes[0], FIRST_ATTITUDE, rtol=0, atol=1e-9)


def test_newton_s_law_with_explicit_tensions():
    """Each link pulls along itself; vehicles and load obey m a = F with +g e₃."""
    body, x = thrown()
    s = body.state(x)
    forces = np.random.default_rng(5).normal(size=(2, 3))
    v_dot, omega_dot = body.accelerations(s, forces)
    pulls = []
    for i in range(2):
        q_ddot = np.cross(omega_dot[i], s.q[i]) + np.cross(s.omega[i], np.cross(s.omega[i], s.q[i]))
        tension = body.mass[i] * (v_dot - body.length[i] * q_ddot - body.g * DOWN) - forces[i]
        np.testing.assert_allclose(np.cross(tension, s.q[i]), 0, atol=1e-13)
        pulls.append(tension)
    balance = body.load * (v_dot - body.g * DOWN) + sum(pulls)
    np.testing.assert_allclose(balance, 0, atol=1e-13)


def test_without_thrust_the_energy_stays():
    body, x = thrown()
    still = body.vector_field(lambda t, s: np.zeros((2, 2, 3)))
    field = Field(compiled(still), body.space)
    motion = integrate(field, np.linspace(0, 2, 401), x, DOP853)
    energy = np.array([body.energy(state) for state in motion.x])
    assert np.abs(energy - energy[0]).max() < 1e-9 * abs(energy[0])


class TestAttitudeControl:
    def test_forces_lie_along_the_body_axes(self):
        attitude, motion = closed_loop()
        for i in (0, 100, 300):
            s = source()[0].state(motion.x[i])
            forces, _ = attitude(motion.t[i], s)
            np.testing.assert_allclose(np.cross(forces, s.attitudes[:, :, 2]), 0, atol=1e-12)

    def test_the_commanded_frames_and_their_rates_fit_together(self):
        """Differences of the fourth order along the closed loop's own motion."""
        attitude, motion = closed_loop()
        body, h = source()[0], motion.t[1]
        frames = [
            attitude.commanded(motion.t[i], body.state(motion.x[i])) for i in range(1998, 2003)
        ]

        def slope(part):
            a, b, _, d, e = (frame[part] for frame in frames)
            return (a - 8 * b + 8 * d - e) / (12 * h)

        _, R_c, rate, rate_dot = frames[2]
        for i in range(2):
            np.testing.assert_allclose(R_c[i].T @ R_c[i], np.eye(3), atol=1e-14)
            np.testing.assert_allclose(slope(1)[i], R_c[i] @ lie.hat(rate[i]), atol=1e-9)
        np.testing.assert_allclose(slope(2), rate_dot, atol=1e-8)

    @pytest.mark.parametrize("seed", range(2))
    def test_the_spring_of_the_moment_follows_from_a_matrix_logarithm(self, seed):
        """e_R is sin φ n where φ n is the logarithm of R_cᵀR, for any attitudes."""
        attitude, (body, x) = closed_loop()[0], thrown(4)
        turned = Rotation.random(2, rng=np.random.default_rng(seed)).as_matrix()
        aside = replace(body.state(x), attitudes=turned)
        _, R_c, rate_c, _ = attitude.commanded(0.3, aside)
        off = [R.T @ R_i for R, R_i in zip(R_c, turned)]
        aside = replace(aside, rates=np.array([B.T @ w for B, w in zip(off, rate_c)]))
        *_, rate_dot_c = attitude.commanded(0.3, aside)
        _, moments = attitude(0.3, aside)
        angle_errors = attitude.error(0.3, aside)
        for i, J in enumerate(body.inertia):
            skew = scipy.linalg.logm(off[i]).real
            turn = np.array([skew[2, 1], skew[0, 2], skew[1, 0]])
            assert angle_errors[i] == pytest.approx(1 - np.cos(np.linalg.norm(turn)), abs=1e-12)
            spring = -18 / 0.9**2 * np.sinc(np.linalg.norm(turn) / np.pi) * turn
            rate = aside.rates[i]
            change = moments[i] + np.cross(J * rate, rate) - J * (off[i].T @ rate_dot_c[i])
            np.testing.assert_allclose(change, spring, rtol=0, atol=1e-9)


class TestRotors:
    @pytest.fixture
    def state(self):
        body, x = thrown()
        return body.state(x)

    @pytest.fixture
    def third(self, state):
        """Return the axes along which the rotors push."""
        return state.attitudes[:, :, 2]

    @staticmethod
    def rotors(forces, moments=((0, 0, 0), (0, 0, 0)), thrust=20.0, moment=2.0):
        return Rotors(lambda t, s: (np.array(forces), np.array(moments)), thrust, moment)

    def test_what_they_can_give_is_given(self, state, third):
        forces, moments = -np.array([[3.0], [7.0]]) * third, [[1.0, -2, 3], [0, 1, -1]]
        found = self.rotors(forces, moments, 8.0, 3.0)(0.0, state)
        np.testing.assert_allclose(found, [forces, moments], rtol=0, atol=1e-14)

    def test_more_is_cut_and_nothing_pulls(self, state, third):
        asked = np.array([[-30.0], [4.0]]) * third
        forces, moments = self.rotors(asked, [[9.0, -9, 1], [0, 2.5, -2.5]])(0.0, state)
        np.testing.assert_allclose(forces, [-20 * third[0], 0 * third[1]], rtol=0, atol=1e-14)
        np.testing.assert_array_equal(moments, [[2, -2, 1], [0, 2, -2]])
