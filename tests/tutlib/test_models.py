"""The pendulum, its exact motion, and what a model gives."""

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from scipy.integrate import solve_ivp

from tutlib import EquationsOfMotion
from tutlib.models import (
    Body,
    Load,
    Model,
    Skeleton,
    crane,
    four_bar,
)
from tutlib.models.pendulum import exact_motion, exact_period


class TestExactPendulum:
    def test_the_period_follows_its_series_for_small_swings(self):
        """DLMF 19.5.1: 1 + θ²/16 + 11 θ⁴/3072 + 173 θ⁶/737280 + ..."""
        for amplitude in (1e-6, 1e-2, 0.3):
            a = amplitude**2
            series = 1 + a / 16 + 11 * a**2 / 3072 + 173 * a**3 / 737280
            series += 22931 * a**4 / 1321205760
            ratio = exact_period(amplitude) / (2 * np.pi / np.sqrt(9.81))
            assert ratio == pytest.approx(series, rel=2e-6 * a**5 + 1e-14)

    @pytest.mark.parametrize("amplitude", [0.01, 1.0, 2.5, 3.1])
    def test_the_motion_solves_the_equation(self, amplitude):
        l, g, t = 1.7, 3.7, np.linspace(0, 8, 41)
        solution = solve_ivp(
            lambda t, x: [x[1], -g / l * np.sin(x[0])],
            (0, 8),
            [amplitude, 0],
            method="DOP853",
            rtol=1e-13,
            atol=1e-14,
            t_eval=t,
        )
        np.testing.assert_allclose(exact_motion(t, amplitude, l, g), solution.y.T, atol=2e-10)


class TestClosedModel:
    """Nothing is passed twice: a model with constraints closes and starts by its own values."""

    guess = np.deg2rad([10, 20, -150])

    @pytest.mark.parametrize(
        ("form", "own"),
        [
            (lambda model: model, 3),
            (lambda model: model.with_multipliers(), 3),
            (lambda model: model.with_independent_speeds("q_1_dot"), 1),
        ],
    )
    def test_it_starts_consistently_in_each_form(self, form, own):
        model = form(four_bar())
        guess, q_1 = [*self.guess, 1.5, 0, 0], model.equations.q[:1]
        whole = model.constrained.consistent_state(model.parameters, guess, keep=q_1)
        x = model.consistent_state(guess[: 3 + own], keep=q_1)
        assert len(x) == len(model.equations.states)
        np.testing.assert_array_equal(x[: 3 + own], whole[: 3 + own])
        assert not x[3 + own :].any()
        assert not model.consistent_state(self.guess, keep=q_1)[3:].any()
        with pytest.raises(ValueError, match=rf"3 coordinates, and {own} speeds if any; got .*7"):
            model.consistent_state(np.zeros(7))

    def test_inputs_are_closed_in_all_its_forms(self):
        """A motor at the crank: closed before or after the loop is."""
        model, (tau, z) = four_bar(), me.dynamicsymbols("tau z")
        eom = model.equations
        torque = sm.Matrix([tau, 0, 0])
        driven = model.with_equations(
            EquationsOfMotion(eom.q, eom.u, eom.mass_matrix, eom.forcing + torque)
        )
        law = {tau: 2.0 * z - eom.u[0]}, {z: 1 - eom.q[0]}
        for form in (
            lambda model: model.with_multipliers(),
            lambda model: model.with_independent_speeds(eom.u[:1]),
        ):
            one, other = form(driven).with_inputs(*law), form(driven.with_inputs(*law))
            assert one.equations.states == other.equations.states
            assert one.constrained == other.constrained
            x = one.consistent_state(self.guess, keep=eom.q[:1])
            assert (len(x), x[-1]) == (len(one.equations.states), 0.0)
            x[-1] = 0.7
            np.testing.assert_allclose(one.compile()(0, x), other.compile()(0, x), rtol=1e-13)


class TestFromEnergies:
    """`Model.of` and `Skeleton.of` fill in what follows from energies, loads and bodies."""

    def test_the_crane_is_the_one_whose_equations_are_derived_elsewhere(self):
        known = crane()
        q = known.equations.q
        V, parameters = known.potential_energy, known.parameters
        made = Model.of(known.kinetic_energy, V, q, parameters, known.bodies, known.loads)
        state, pushes = [0.3, 5.1, 0.7, 0.4, -0.6, 0.2], {"F": 2.3, "H": 31.0}
        rates = [each.with_inputs(pushes).compile()(0.0, state) for each in (made, known)]
        np.testing.assert_allclose(*rates, rtol=1e-12)
        places = made.positions(np.zeros(1), np.array([state]))[0]
        load = [0.3 + 5.1 * np.sin(0.7), -5.1 * np.cos(0.7)]
        np.testing.assert_allclose(places, [[0.3, 0], [5.1, 0], load])

    def test_a_load_works_along_what_it_names(self):
        """A motor behind a gear drives N θ; a spring between two shafts their difference."""
        theta, phi, tau = me.dynamicsymbols("theta phi tau")
        J, N, k = sm.symbols("J N k", positive=True)
        t = me.dynamicsymbols._t
        loads = [Load(tau, N * theta), Load(-k * (theta - phi), theta - phi)]
        T = J * (theta.diff(t) ** 2 + phi.diff(t) ** 2) / 2
        bodies = [Body(0, (0, 0), J, theta), Body(1, (1, 0), J, phi)]
        geared = Model.of(T, 0, [theta, phi], {J: 1.0, N: 50.0, k: 300.0}, bodies, loads)
        expected = [N * tau - k * (theta - phi), k * (theta - phi)]
        assert sm.simplify(geared.equations.forcing - sm.Matrix(expected)) == sm.zeros(2, 1)
        assert geared.skeleton.lines == ((2, 3),)  # what has no mass has no bar

    def test_a_bar_is_that_of_the_uniform_rod(self):
        theta, (m, L) = me.dynamicsymbols("theta"), sm.symbols("m L", positive=True)
        center = (L / 2 * sm.cos(theta), L / 2 * sm.sin(theta))
        drawn = Skeleton.of([Body(m, center, m * L**2 / 12, theta)])
        ends = [[sm.simplify(each) for each in drawn.points[place]] for place in drawn.lines[0]]
        assert ends == [[0, 0], [L * sm.cos(theta), L * sm.sin(theta)]]
