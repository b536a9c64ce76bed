"""A regressor is the equations of motion, and true motions satisfy both of its forms."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from tests.tutlib.identification.machines import GEARED, geared_rates, motion_along, shaken
from tutlib import EquationsOfMotion
from tutlib.identification import Recording, Regressor, driven, simulate_along
from tutlib.methods import integrate_adaptive
from tutlib.models import measured_double_pendulum

Q = me.dynamicsymbols("q_1 q_2")
U = [angle.diff() for angle in Q]
TORQUES = me.dynamicsymbols("tau_1 tau_2")
SHARED = sm.symbols("J_1 J_12 J_2 J_c s_1 s_2 b_1 b_2 f_1 f_2 d_1 d_2", real=True)
ZEROS = sm.symbols("k_1 k_2", real=True)
TRUE = np.array([GEARED[str(symbol)] for symbol in SHARED])


def equations(width=0.1, known=()):
    """Return equations of the double pendulum with motors, linear in all unknown constants.

    A zero z of an encoder is approximated: k = s z multiplies the sine. Constants that are known
    become numbers.
    """
    J_1, J_12, J_2, J_c, s_1, s_2, *friction = SHARED
    first, both = Q[0], Q[0] + Q[1]
    T = J_1 * U[0] ** 2 / 2 + J_12 * U[0] * U[1] + J_2 * U[1] ** 2 / 2
    T += J_c * sm.cos(Q[1]) * U[0] * (U[0] + U[1])
    V = -9.81 * (s_1 * sm.cos(first) + s_2 * sm.cos(both))
    V -= 9.81 * (ZEROS[0] * sm.sin(first) + ZEROS[1] * sm.sin(both))
    values = {symbol: GEARED[str(symbol)] for symbol in SHARED if str(symbol) in known}
    T, V, forces = T.subs(values), V.subs(values), {}
    for q, u, torque, b, f, d in zip(Q, U, TORQUES, friction[:2], friction[2:4], friction[4:]):
        force = torque - b * u - f * sm.tanh(u / width) - d * u * sm.Abs(u)
        forces[q] = force.subs(values)
    return EquationsOfMotion.from_lagrangian(T, V, Q, forces)


@pytest.fixture(scope="module")
def regressor():
    return Regressor(equations(), SHARED, ZEROS)


@pytest.fixture(scope="module")
def experiments():
    """Return two exact motions, with encoders whose zeros differ; no zero moves the second."""
    found = []
    for seed in (0, 1):
        plan = shaken(10.0, seed=seed)
        f = driven(measured_double_pendulum(motors=True)).with_parameters(GEARED)
        f = f.with_parameters({"z_1": (0.0, 0.03)[seed], "z_2": 0.0})
        x = simulate_along(f, plan, [0.1, -0.1, 0.0, 0.0])
        found.append(replace(plan, q=x[:, :2]))
    return found


def noisy(recording, seed):
    """Return a recording with the noise of the real machine, in angles and torques."""
    rng = np.random.default_rng(seed)
    q = recording.q + 1.4e-4 * rng.normal(size=recording.q.shape)
    torque = recording.torque + [0.010, 0.027] * rng.normal(size=recording.q.shape)
    return replace(recording, q=q, torque=torque)


def test_the_regressor_times_the_parameters_is_what_the_equations_say(regressor, rng):
    """Y θ - y = M v - F, at random states and for random parameters."""
    eom, v = equations(), sm.symbols("v_1 v_2")
    arguments = [*eom.q, *eom.u, *eom.inputs, *v, *SHARED, *ZEROS]
    right = eom.mass_matrix * sm.Matrix(v) - eom.forcing
    left = regressor.Y * sm.Matrix([*SHARED, *ZEROS]) - regressor.y
    assert regressor.Y.shape == (2, 14)
    assert not regressor.Y.free_symbols & {*SHARED, *ZEROS}
    left, right = (sm.lambdify(arguments, side) for side in (left, right))
    for numbers in rng.normal(size=(10, len(arguments))):
        np.testing.assert_allclose(left(*numbers), right(*numbers), rtol=1e-11, atol=1e-12)


def free_motion(rate):
    """Return an exact free motion of one and a half seconds, from adaptive steps."""
    model = measured_double_pendulum(motors=True).free()
    values = GEARED | {"z_1": 0.0, "z_2": 0.0, "w": 0.5}
    t = np.arange(0, 1.5, 1 / rate)
    f = model.compile().with_parameters(values)
    x = integrate_adaptive(f, t, [1.2, -0.5, 0.0, 0.0], rtol=1e-12, atol=1e-13).x
    return Recording(t, x[:, :2])


@pytest.mark.parametrize("known", [(), ("J_1", "J_c", "s_2", "f_1")])
@pytest.mark.parametrize("form", ["weak", "acceleration"])
def test_an_exact_motion_satisfies_both_forms_but_for_the_square_of_the_sampling_time(form, known):
    """Differences of angles are accurate to that order, and so are accelerations."""
    unknown = [symbol for symbol in SHARED if str(symbol) not in known]
    theta = [*(GEARED[str(symbol)] for symbol in unknown), 0, 0]
    regressor, missed = Regressor(equations(0.5, known), unknown, ZEROS), []
    for rate in (500, 1000):
        motion = [free_motion(rate)]
        if form == "weak":
            Y, y = regressor.weak_form(motion, 0.4, cutoff=rate / 5)
        else:
            Y, y = regressor.acceleration_form(motion, cutoff=rate / 5)
        residual = Y @ theta - y
        scale = np.linalg.norm(Y[:, unknown.index(SHARED[4])]) * GEARED["s_1"]
        missed.append(np.linalg.norm(residual) / scale)
    assert missed[1] < 1e-4
    assert missed[0] / missed[1] == pytest.approx(4, rel=0.05)


def test_the_weak_form_finds_known_constants_in_noisy_data(regressor, experiments):
    recordings = [noisy(recording, seed) for seed, recording in enumerate(experiments)]
    Y, y = regressor.weak_form(recordings, 0.4)
    found, *_ = np.linalg.lstsq(Y, y)
    named = dict(zip(map(str, SHARED), found))
    for name in ("J_1", "J_12", "J_2", "J_c", "s_1", "s_2"):
        assert named[name] == pytest.approx(GEARED[name], rel=0.01), name
    for name in ("f_1", "f_2"):
        assert named[name] == pytest.approx(GEARED[name], rel=0.03), name
    # the moment that the zero of the second recording's encoder causes: s_1 z_1
    zeros = found[len(SHARED) :]
    s = GEARED["s_1"], GEARED["s_2"]
    np.testing.assert_allclose(zeros, [0, 0, 0.03 * s[0], 0.03 * s[1]], rtol=0, atol=2e-4)


def test_accelerations_from_noise_find_less_inertia(regressor, experiments):
    """The weak form does not depend on the cutoff; the acceleration form does."""
    recordings = [noisy(recording, seed) for seed, recording in enumerate(experiments)]
    inertia = {
        (form, cutoff): np.linalg.lstsq(*getattr(regressor, form)(recordings, cutoff=cutoff))[0][0]
        for form in ("acceleration_form", "weak_form")
        for cutoff in (10, 60)
    }
    assert inertia["weak_form", 60] == pytest.approx(inertia["weak_form", 10], rel=0.01)
    assert inertia["acceleration_form", 60] < 0.75 * inertia["acceleration_form", 10]


@pytest.mark.parametrize("form", ["weak_form", "acceleration_form"])
def test_each_recording_has_columns_of_its_own(regressor, experiments, form):
    together, y = getattr(regressor, form)(experiments, cutoff=25.0)
    alone = [getattr(regressor, form)([recording], cutoff=25.0) for recording in experiments]
    zero, p = np.zeros_like(alone[0][0][:, 12:]), len(SHARED)
    rows = [
        np.hstack([alone[0][0][:, :p], alone[0][0][:, p:], zero]),
        np.hstack([alone[1][0][:, :p], zero, alone[1][0][:, p:]]),
    ]
    np.testing.assert_array_equal(together, np.vstack(rows))
    np.testing.assert_array_equal(y, np.concatenate([alone[0][1], alone[1][1]]))


def test_inverse_dynamics_return_the_torques_that_were_applied(regressor, experiments):
    run = experiments[1]
    values = [*TRUE, 0.03 * GEARED["s_1"], 0.03 * GEARED["s_2"]]
    found, applied = regressor.inverse_dynamics(run, values, 40.0), run.smoothed(40.0)
    np.testing.assert_array_equal(found.q, applied.q)
    missed = (found.torque - applied.torque)[25:-25]  # smoothing is less accurate near the ends
    # the dry friction of a smoothed motion is not the smoothed friction
    assert np.sqrt(np.mean(missed**2)) < 0.03 * np.std(applied.torque)


def test_stamps_may_be_unequal(regressor):
    """The motion is SciPy's, of equations by hand."""
    plan = shaken(1.5, spacing=0.005, jitter=0.3)
    x = motion_along(geared_rates, plan.t, plan.torque, [0.1, -0.1, 0.0, 0.0])
    q = x[:, :2] - [GEARED["z_1"], GEARED["z_2"]]
    Y, y = regressor.weak_form([replace(plan, q=q)], 0.4, cutoff=40.0)
    residual = Y @ np.append(TRUE, [0, 0]) - y
    assert np.linalg.norm(residual) < 0.01 * np.linalg.norm(y)


class TestErrors:
    def test_a_parameter_that_is_not_linear(self):
        l, q = sm.Symbol("l"), Q[0]
        eom = EquationsOfMotion.from_lagrangian(l**2 * U[0] ** 2 / 2, -l * sm.cos(q), [q])
        with pytest.raises(ValueError, match="not linear in l"):
            Regressor(eom, [l])

    def test_a_product_of_parameters(self):
        m, l, q = *sm.symbols("m l"), Q[0]
        eom = EquationsOfMotion.from_lagrangian(U[0] ** 2 / 2, -m * l * sm.cos(q), [q])
        with pytest.raises(ValueError, match="not linear in l, m"):
            Regressor(eom, [m, l])

    def test_a_constant_that_is_missing(self):
        with pytest.raises(ValueError, match="missing: f_1, k_1, k_2"):
            Regressor(equations(), [symbol for symbol in SHARED if str(symbol) != "f_1"])

    def test_a_recording_shorter_than_a_bump(self, regressor, experiments):
        with pytest.raises(ValueError, match=r"a bump of 0\.5 s does not fit"):
            regressor.weak_form([experiments[0].between(0, 0.4)], 0.5)

    def test_a_width_of_zero(self, regressor, experiments):
        with pytest.raises(ValueError, match="width must be positive"):
            regressor.weak_form(experiments, 0.0)
