"""Closed loops: a published linkage, its forces by Newton's law, and what is refused."""

import contextlib
import warnings

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from scipy.integrate import solve_ivp

from tests.helpers import needs_sundials
from tutlib import EquationsOfMotion, SimulationError, integrate
from tutlib.mechanics import ConstrainedEquations
from tutlib.mechanics.diagnosis import mass_matrix
from tutlib.methods import (
    DOP853,
    OpenLoopWarning,
    energy_error,
    integrate_adaptive,
    integrate_dae,
)
from tutlib.models import four_bar, grashof

pytestmark = pytest.mark.slow

# Independent computation: multipliers of index 1, DOP853 with tolerances of 1e-13.
# t, q1, q2, q3, u1
REFERENCE = np.array(
    [
        [0.0, 0.17453292519943295, 0.11476003679030358, -2.6421428398768207, 0.0],
        [0.5, -0.35536158546584595, 1.0119657499137742, -2.5681101351058855, -1.2808708144155843],
        [1.0, -1.5400437476482425, 2.4096047900237174, -1.6856468379958907, -4.405204468733586],
        [5.0, -2.6970371877344697, 3.109008911659427, -0.886353350595698, 4.744708449888367],
    ]
)
ENERGY = 8.32267021078032
GUESS = np.deg2rad([10, 20, -150])
G = 9.81


@pytest.fixture(scope="module")
def linkage():
    return four_bar()


@pytest.fixture(scope="module")
def loop(linkage):
    return ConstrainedEquations(linkage.equations, linkage.constraints)


@pytest.fixture(scope="module")
def start(linkage):
    return linkage.consistent_state(GUESS, keep=linkage.equations.q[:1])


@pytest.fixture(scope="module")
def reduced(linkage):
    return linkage.with_independent_speeds(linkage.equations.u[:1])


@pytest.fixture(scope="module")
def with_forces(linkage):
    return linkage.with_multipliers()


class TestStart:
    def test_the_published_start_is_found(self, start):
        np.testing.assert_allclose(start[:3], REFERENCE[0, 1:4], rtol=0, atol=1e-14)
        np.testing.assert_allclose(np.degrees(start[1:3]), [6.57526576, -151.3836336], atol=1e-6)
        assert not start[3:].any()

    def test_speeds_follow_the_published_formulas(self, linkage, start):
        guess = [*start[:3], 2.0, 0, 0]
        _, q2, q3, u1, u2, u3 = linkage.consistent_state(guess, keep=linkage.equations.q[:1])
        l_a, l_b, l_c = 0.8, 2.0, 1.0
        assert u1 == 2.0
        assert u2 == pytest.approx(
            -u1 * (1 + l_a * np.sin(q2 + q3) / (l_b * np.sin(q3))), abs=1e-12
        )
        expected = u1 * l_a * (l_b * np.sin(q2) + l_c * np.sin(q2 + q3)) / (l_b * l_c * np.sin(q3))
        assert u3 == pytest.approx(expected, abs=1e-12)

    @pytest.mark.parametrize(
        ("values", "guess", "message"),
        [
            ({"l_n": 5.0}, GUESS, r"cannot be met by moving q_2, q_3: .*constraint 1 is -1\.2"),
            (
                {"l_a": 0.4, "l_n": 1.4},
                [0, 0.05, 3.0],
                r"singular: at q_1 = 0, .* q_2, q_3; ",
            ),
            ({}, np.deg2rad([10, 100, -20]), r"another assembly mode.*is -0\.684 at the guess"),
        ],
    )
    def test_what_cannot_be_closed_is_refused(self, linkage, loop, values, guess, message):
        every = {str(symbol): value for symbol, value in linkage.parameters.items()} | values
        with pytest.raises(ValueError, match=message):
            loop.consistent_state(every, guess, keep=linkage.equations.q[:1])

    def test_redundant_constraints_are_named(self, linkage):
        first, second = linkage.constraints
        double = ConstrainedEquations(linkage.equations, [first, second, first + second])
        with pytest.raises(ValueError, match=r"redundant: .* constraint 3 is a combination"):
            double.consistent_state(linkage.parameters, GUESS)
        with pytest.raises(ValueError, match=r"constraint 3 is a combination.*redundant"):
            linkage.with_equations(double.with_multipliers()).compile()

    def test_inconsistent_states_are_named(self, linkage, loop, start):
        loop.refuse_inconsistent(linkage.parameters, start)
        with pytest.raises(ValueError, match=r"loop is open at t = 0: constraint 2 is -?0\.1"):
            loop.refuse_inconsistent(linkage.parameters, start + np.eye(6)[1] / 10)
        with pytest.raises(ValueError, match=r"speeds are inconsistent.*the rate of constraint"):
            loop.refuse_inconsistent(linkage.parameters, start + np.eye(6)[3])


class TestAnyLength:
    @pytest.mark.parametrize("size", [1e-6, 1.0, 4e3, 1e7])
    def test_a_cable_car_of_any_span_hangs_on_its_ellipse(self, size):
        """The foci are the towers: x²/a² + y²/b² = 1, with b² = a² - c²."""
        x, y = me.dynamicsymbols("x y")
        a, c = sm.symbols("a c", positive=True)
        T = (x.diff() ** 2 + y.diff() ** 2) / 2
        cut = EquationsOfMotion.from_lagrangian(T, 9.81 * y, [x, y])
        ropes = sm.sqrt((x + c) ** 2 + y**2) + sm.sqrt((x - c) ** 2 + y**2) - 2 * a
        values = {a: 2.1 * size, c: 2.0 * size}
        loop = ConstrainedEquations(cut, ropes)
        guess = size * np.array([0.5, -1.0, 0.1, 0.0])
        found = loop.consistent_state(values, guess, keep=x) / size
        b = np.sqrt(2.1**2 - 4)
        low = -b * np.sqrt(1 - 0.25 / 2.1**2)
        np.testing.assert_allclose(found[:2], [0.5, low], rtol=1e-12)
        assert found[3] == pytest.approx(-(b**2) * 0.5 * 0.1 / (2.1**2 * low), rel=1e-9)
        with pytest.raises(ValueError, match="the parts do not reach"):
            loop.consistent_state(values | {c: 2.2 * size}, guess)
        with pytest.raises(ValueError, match="the loop is open"):
            loop.refuse_inconsistent(values, size * found * [1, 1 + 1e-6, 1, 1])

    def test_lengths_in_numbers(self):
        x, y = me.dynamicsymbols("x y")
        T = (x.diff() ** 2 + y.diff() ** 2) / 2
        cut = EquationsOfMotion.from_lagrangian(T, 0, [x, y])
        for phi in (x**2 + y**2 - 1000**2, sm.sqrt(x**2 + y**2) - 1000.0):
            found = ConstrainedEquations(cut, phi).consistent_state({}, [100.0, -1100.0])
            np.testing.assert_allclose(found[:2], [90.53574604, -995.8932065], rtol=1e-9)


class TestOpenStart:
    """Multipliers keep what they begin with: an open loop stays open, and hangs still."""

    @pytest.mark.parametrize("closed", [True, False])
    def test_a_start_off_the_constraints_is_told_of(self, with_forces, start, closed):
        f = with_forces.compile()
        x0 = np.zeros(8)
        x0[:3] = start[:3] if closed else [1.0, -1.0, -1.0]
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            integrate(f, [0.0, 0.01], x0)
            integrate_adaptive(f, [0.0, 0.01], x0)
        assert [one.category for one in given] == ([] if closed else 2 * [OpenLoopWarning])


class TestMotion:
    @pytest.mark.parametrize("form", ["reduced", "with_forces"])
    def test_the_published_motion(self, linkage, loop, start, form, request):
        model = request.getfixturevalue(form)
        project = loop.projection(linkage.parameters, speeds=form == "with_forces")
        x0 = [*start[:3], 0.0] if form == "reduced" else [*start, 0, 0]
        t = np.linspace(0, 30, 15_001)
        run = integrate(model.compile(), t, x0, "rk4", after_step=project)
        for row in REFERENCE:
            found = run.x[round(row[0] / 0.002), :4]
            np.testing.assert_allclose(found, row[1:], rtol=0, atol=2e-9)
        assert run.x[-1, 3] == pytest.approx(5.1398, abs=5e-5)
        energy = model.energies(run.t, run.x).sum(axis=1)
        assert energy[0] == pytest.approx(ENERGY, rel=1e-14)
        assert np.abs(energy_error(energy)).max() < 1e-8
        phi = loop.compile_outputs(loop.constraints, linkage.parameters, model.equations)
        assert np.abs(phi(run.t, run.x)).max() < 1e-13

    def test_a_share_of_the_projection_is_that_part_of_it(self, with_forces, start):
        part = sm.Symbol("part", nonnegative=True)
        held, ajar = with_forces, [*start, 0, 0] + 1e-3 * np.eye(8)[1]
        whole = held.projection()(0, ajar) - ajar
        for share in (0, 0.5, 1):
            for model in (
                held.with_projection(share),
                held.with_projection(part, {part: 7}).with_parameters({"part": share}),
            ):
                found = model.projection()(0, ajar) - ajar
                np.testing.assert_allclose(found, share * whole, rtol=1e-12, atol=1e-16)
        assert np.array_equal(held.with_projection(0).projection()(0, ajar), ajar)

    @pytest.mark.parametrize("form", ["reduced", "with_forces"])
    def test_equations_may_see_a_projected_copy_of_the_state(self, start, form, request):
        placed, held = sm.Symbol("placed", nonnegative=True), request.getfixturevalue(form)
        f, project = held.compile(), held.projection()
        ajar = held.consistent_state(start[:3]) + 1e-3 * np.eye(len(f.names))[1]
        seeing = held.with_projection(1, {placed: 1.0}, evaluated=placed)
        given = ajar.copy()
        rates = seeing.compile()(0, given)
        np.testing.assert_allclose(rates, f(0, project(0, ajar)), rtol=1e-12, atol=1e-14)
        assert np.array_equal(given, ajar)
        assert np.abs(rates - f(0, ajar)).max() > 1e-4
        off = seeing.with_parameters({"placed": 0.0}).compile()
        np.testing.assert_allclose(off(0, ajar), f(0, ajar), rtol=1e-12, atol=1e-14)
        M = mass_matrix(seeing.compile(), 0, ajar)
        np.testing.assert_allclose(M, mass_matrix(f, 0, project(0, ajar)), rtol=1e-12, atol=1e-14)

    @pytest.mark.parametrize("alpha", [0.0, 5.0])
    def test_baumgarte_closes_a_loop_that_is_open(self, linkage, loop, start, alpha):
        """(1 + α t) exp(-α t) without any motion: critically damped."""
        damping = {sm.Symbol("alpha", nonnegative=True): alpha} if alpha else {}
        eom = loop.with_multipliers(*damping)
        values = linkage.with_parameters({"g": 0.0}).parameters | damping
        f = eom.compile(values)
        x0 = np.array([*start, 0, 0])
        x0[2] += 1e-6
        t = np.linspace(0, 1, 1001)
        run = integrate(f, t, x0)
        outputs = loop.compile_outputs(loop.constraints, linkage.parameters, eom)
        phi = outputs(run.t, run.x)
        expected = phi[0] * ((1 + alpha * t) * np.exp(-alpha * t))[:, None]
        np.testing.assert_allclose(phi, expected, rtol=0, atol=1e-11)

    @needs_sundials
    def test_ida_finds_the_published_motion(self, linkage, loop, start):
        implicit = loop.implicit(linkage.parameters, linkage.equations.u[:1])
        assert implicit.algebraic == (1, 2)
        run = integrate_dae(implicit, REFERENCE[:, 0], [*start[:3], 0.0], 1e-12, 1e-12)
        np.testing.assert_allclose(run.x, REFERENCE[:, 1:], rtol=0, atol=1e-8)


class TestConstraintsThatMove:
    @pytest.mark.parametrize("absolute", [False, True])
    def test_a_pivot_is_shaken(self, absolute):
        """The particle on a circle whose center moves, its speeds measured from the ground or not.

        In all forms its angle accelerates as that of a pendulum on a moving pivot does.
        """
        t, (x, y, u, v) = me.dynamicsymbols._t, me.dynamicsymbols("x y u v")
        m, g = sm.symbols("m g", positive=True)
        center, force, values = 0.3 * sm.sin(1.9 * t), sm.Matrix([0, -m * g]), {m: 1.5, g: 9.81}
        q_dot, drift, across = (x.diff(), y.diff()), None, x - center
        if absolute:  # x from the center, u from the ground
            q_dot, drift, across = (u, v), sm.Matrix([-center.diff(t), 0]), x
        eom = EquationsOfMotion([x, y], q_dot, m * sm.eye(2), force, kinematic_drift=drift)
        loop = ConstrainedEquations(eom, [(across**2 + y**2 - 4) / 2])
        time, angle, rate = 0.8, 0.7, 1.3
        at, moving = 0.3 * np.sin(1.9 * time), 0.3 * 1.9 * np.cos(1.9 * time)
        known = [
            2 * np.sin(angle),
            -2 * np.cos(angle),
            2 * rate * np.cos(angle) + moving,
            2 * rate * np.sin(angle),
        ]
        known[0] += 0 if absolute else at
        loop.refuse_inconsistent(values, known, time)
        found = loop.consistent_state(values, [*known[:2], 0, known[3]], t=time)
        loop.refuse_inconsistent(values, found, time)
        pivot = -0.3 * 1.9**2 * np.sin(1.9 * time)
        turn = -(9.81 * np.sin(angle) + pivot * np.cos(angle)) / 2
        expected = 2 * turn * np.cos(angle) - 2 * rate**2 * np.sin(angle) + pivot
        forced = loop.with_multipliers().compile(values)(time, [*known, 0])
        assert forced[2] == pytest.approx(expected, rel=1e-12)
        reduced = loop.with_independent_speeds(q_dot[:1]).compile(values)(time, known[:3])
        np.testing.assert_allclose(reduced, forced[:3], rtol=1e-12)
        project = loop.projection(values)
        np.testing.assert_allclose(project(time, known), known, rtol=0, atol=1e-14)


def knife_edge(slope=0):
    """Return a skate that cannot slip sideways: x, y and the angle that it is turned by."""
    x, y, theta, u_1, u_2, u_3 = me.dynamicsymbols("x y theta u_1:4")
    m, k, g = sm.symbols("m k g", positive=True)
    eom = EquationsOfMotion(
        [x, y, theta], [u_1, u_2, u_3], sm.diag(m, m, k), sm.Matrix([m * g * slope, 0, 0])
    )
    across = u_1 * sm.sin(theta) - u_2 * sm.cos(theta)
    return ConstrainedEquations(eom, [], [across]), {m: 1.5, k: 0.2} | ({g: 4.0} if slope else {})


class TestVelocityConstraints:
    def test_both_forms_have_the_same_accelerations(self):
        loop, values = knife_edge(slope=1)
        u = loop.equations.u
        x = loop.consistent_state(values, [0.1, 0.2, 0.7, 1.0, 0.0, 1.3])
        loop.refuse_inconsistent(values, x)
        whole = loop.with_multipliers().compile(values)(0.0, [*x, 0])
        reduced = loop.with_independent_speeds([u[0], u[2]]).compile(values)
        expected = np.delete(whole, [4, 6])
        np.testing.assert_allclose(reduced(0.0, x[[0, 1, 2, 3, 5]]), expected, rtol=1e-13)
        form = loop.with_independent_speeds([u[0], u[2]])
        outputs = form.compile_outputs([u[1], u[1].diff()], values)(0.0, x[[0, 1, 2, 3, 5]])
        np.testing.assert_allclose(outputs, [x[4], whole[4]], rtol=1e-13)

    def test_slipping_fades_with_the_damping(self):
        """ψ' + α ψ = 0."""
        loop, values = knife_edge()
        alpha = 3.0
        f = loop.with_multipliers(alpha).compile(values)
        times = np.linspace(0, 1, 201)
        run = integrate(f, times, [0, 0, 0.3, 1.0, -0.5, 0.8, 0], DOP853)
        slip = loop.compile_outputs(loop.velocity_constraints, values)(run.t, run.x[:, :6])[:, 0]
        np.testing.assert_allclose(slip, slip[0] * np.exp(-alpha * times), rtol=1e-12)

    @pytest.mark.parametrize(
        ("constraint", "message"),
        [
            (lambda q, u: q[0], "velocity constraint 1 depends on no speed"),
            (lambda q, u: u[0] ** 2 - u[1], "velocity constraint 1 is not linear in the speeds"),
            (lambda q, u: u[0] - me.dynamicsymbols("r"), r"make it a state .*\({}, {r: a}\)"),
            (lambda q, u: u[0].diff() - q[1], r"contains the acceleration Deriv.* x.diff\(\) - v"),
        ],
    )
    def test_they_are_linear_in_speeds(self, constraint, message):
        eom = knife_edge()[0].equations
        with pytest.raises(ValueError, match=message):
            ConstrainedEquations(eom, [], [constraint(eom.q, eom.u)])


class TestPrescribedMotions:
    """A cart whose acceleration is an input, and a skate whose steering is one."""

    def cart(self):
        x, theta, s, v, a = me.dynamicsymbols("x theta s v a")
        m, b, l, g = sm.symbols("m b l g", positive=True)
        bob = [x + l * sm.sin(theta), -l * sm.cos(theta)]
        T = b * x.diff() ** 2 / 2 + m * sum(c.diff(me.dynamicsymbols._t) ** 2 for c in bob) / 2
        eom = EquationsOfMotion.from_lagrangian(T, m * g * bob[1], [x, theta])
        driven = eom.with_inputs({}, {s: v, v: a})
        loops = [ConstrainedEquations(driven, *c) for c in ([(), x.diff() - v], [x - s])]
        with pytest.raises(ValueError, match=r"\({}, {s: s_dot, s_dot: a}\)"):
            ConstrainedEquations(eom, x - s)
        return loops, theta, a, {m: 0.3, b: 1.5, l: 0.7, g: 9.81}

    def test_the_acceleration_of_a_cart(self):
        """θ̈ = −(g sin θ + a cos θ)/l, and the force is that of both masses."""
        loops, theta, a, values = self.cart()
        angle, rate, speed, push = 0.4, 0.6, 0.2, 0.9
        spin = -(9.81 * np.sin(angle) + push * np.cos(angle)) / 0.7
        force = 1.8 * push + 0.21 * (spin * np.cos(angle) - rate**2 * np.sin(angle))
        for loop in loops:
            x = loop.consistent_state(values, [0.1, angle, 0, rate, 0.1, speed])
            np.testing.assert_allclose(x, [0.1, angle, speed, rate, 0.1, speed], atol=1e-15)
            loop.refuse_inconsistent(values, x)
            whole = loop.with_multipliers().with_inputs({a: push}).compile(values)
            wanted = [speed, rate, push, spin, force, speed, push]
            state = np.insert(x, 4, 7.0)
            np.testing.assert_allclose(whole(0.0, state), wanted, rtol=1e-13)
            reduced = loop.with_independent_speeds(theta.diff()).with_inputs({a: push})
            found = reduced.compile(values)(0.0, np.delete(x, 2))
            np.testing.assert_allclose(found, [speed, rate, spin, speed, push], rtol=1e-13)
            project, off = loop.projection(values), state + np.eye(7)[2]
            np.testing.assert_allclose(project(0.0, off), state, atol=1e-15)

    def test_the_rate_of_a_steering_angle(self):
        """A skate of speed c on a blade that turns by w has the acceleration c w across it."""
        x, y, delta, w = me.dynamicsymbols("x y delta w")
        eom = EquationsOfMotion([x, y], [x.diff(), y.diff()], 2 * sm.eye(2), [0, 0])
        across = x.diff() * sm.sin(delta) - y.diff() * sm.cos(delta)
        loop = ConstrainedEquations(eom.with_inputs({}, {delta: w}), [], across)
        f = loop.with_multipliers().with_inputs({w: 0.5}).compile({})
        cos, sin = np.cos(0.3), np.sin(0.3)
        found = f(0.0, [0, 0, 4 * cos, 4 * sin, 0, 0.3])
        np.testing.assert_allclose(found[2:], [-2 * sin, 2 * cos, -4, 0.5], rtol=1e-13)


class TestForces:
    def test_outputs_contain_them_and_accelerations(self, linkage):
        """The same from each form of the equations, and from its compiled right-hand side."""
        driven = linkage.with_inputs(dict.fromkeys(linkage.equations.inputs, 0.3))
        q, t = driven.equations.q, me.dynamicsymbols._t
        x = driven.consistent_state([*GUESS, 1.0, 0, 0], keep=q[0])
        whole = driven.with_multipliers()
        rates = whole.compile()(0.0, [*x, 0, 0])
        second = [c.diff(t, 2) for c in q]
        forces = [impulse.diff(t) for impulse in whole.equations.u[3:]]
        found = whole.compile_outputs([*second, *forces])(0.0, [*x, 0, 0])
        np.testing.assert_allclose(found, rates[3:], rtol=1e-12)
        loop = driven.constrained
        found = loop.compile_outputs([*second, *forces], driven.parameters)(0.0, x)
        np.testing.assert_allclose(found, rates[3:], rtol=1e-12)
        np.testing.assert_allclose(driven.compile_outputs(second)(0.0, x), rates[3:6], rtol=1e-12)
        reduced = driven.with_independent_speeds([q[0].diff()])
        found = reduced.compile_outputs(second)(0.0, x[:4])
        np.testing.assert_allclose(found, rates[3:6], rtol=1e-12)

    def test_they_equal_those_of_newton_and_euler(self, linkage, start, with_forces):
        """Massless rods pull along themselves: three tensions from four equations m a = F."""
        f = with_forces.compile()
        for speed in (0.0, -2.0, 3.0):
            x = linkage.consistent_state([*start[:3], speed, 0, 0], linkage.equations.q[:1])
            x = np.array([*x, 0, 0])
            rates = f(0, x)
            angle = np.cumsum(x[:3])
            rate, acceleration = np.cumsum(x[3:6]), np.cumsum(rates[3:6])
            along = np.array([np.cos(angle), np.sin(angle)])
            across = np.array([-along[1], along[0]])
            links = np.array([0.8, 2.0, 1.0])
            a = np.cumsum(links * (across * acceleration - along * rate**2), axis=1)
            down = np.array([0, -9.81])
            A = np.zeros((4, 3))
            A[:2, 0], A[:2, 1] = -along[:, 0], along[:, 1]
            A[2:, 1], A[2:, 2] = -along[:, 1], along[:, 2]
            b = np.concatenate([a[:, 0] - down, a[:, 1] - down])
            tensions, *_ = np.linalg.lstsq(A, b)
            np.testing.assert_allclose(A @ tensions, b, rtol=0, atol=1e-9)
            np.testing.assert_allclose(rates[6:8], tensions[2] * along[:, 2], rtol=0, atol=1e-9)


class TestRefusals:
    def test_a_singular_configuration_is_named(self, linkage, loop, with_forces):
        """A parallelogram can be folded flat, and then it may go on in two ways."""
        model = with_forces.with_parameters({"l_a": 1.0, "l_b": 2.0, "l_c": 1.0, "l_n": 2.0})
        folded = np.array([0, 0, -np.pi, 0, 0, 0, 0, 0])
        with pytest.raises(ValueError, match="configuration is singular or a constraint redundant"):
            model.compile()(0.0, folded)
        with pytest.raises(ValueError, match="configuration is singular: at q_1 = 0"):
            loop.consistent_state(model.parameters, folded[:3], keep=linkage.equations.q[:1])

    def test_a_projection_that_fails_stops_the_run_and_keeps_it(self):
        """Two planes that become one another's neighbors at t = 1: no point is in both."""
        t, (x, y, z) = me.dynamicsymbols._t, me.dynamicsymbols("x y z")
        speeds = [c.diff() for c in (x, y, z)]
        eom = EquationsOfMotion([x, y, z], speeds, sm.eye(3), sm.zeros(3, 1))
        late = sm.Max(0, t - sm.Rational(9, 10))
        both = ConstrainedEquations(eom, [x, x * sm.cos(t) - y * sm.Max(0, 1 - t) + late])

        project, f = both.projection({}), eom.compile({})
        with pytest.raises(SimulationError, match="singular at t = 1: the const") as caught:
            integrate(f, np.arange(0, 2, 0.25), [0, 0, 0, 0, 0, 1.0], after_step=project)
        kept = caught.value.trajectory
        np.testing.assert_array_equal(kept.t, np.arange(0, 1, 0.25))
        np.testing.assert_allclose(kept.x[:, 2], kept.t, rtol=1e-15)


@pytest.mark.parametrize(
    ("lengths", "kind"),
    [
        ((0.8, 2.0, 1.0, 2.0), "crank-rocker"),
        ((1.0, 2.0, 0.8, 2.0), "rocker-crank"),
        ((2.0, 1.0, 2.0, 0.8), "double-crank"),
        ((1.0, 0.8, 2.0, 2.0), "double-rocker"),
        ((1.0, 2.0, 1.0, 2.0), "change point"),
        ((1.5, 2.0, 1.0, 3.0), "triple-rocker"),
    ],
)
def test_the_kinds_of_grashof(lengths, kind):
    assert grashof(*lengths) == kind


class TestIndependentSpeeds:
    """A bead on a circle of one meter, q = [x, y], in one speed of two."""

    TIMES = np.linspace(0.0, 2.0, 401)
    X, Y = me.dynamicsymbols("x y")

    def bead(self, *more):
        T = (self.X.diff() ** 2 + self.Y.diff() ** 2) / 2
        free = EquationsOfMotion.from_lagrangian(T, G * self.Y, [self.X, self.Y])
        return ConstrainedEquations(free, [self.X**2 + self.Y**2 - 1, *more])

    @pytest.mark.parametrize("angle", np.pi / 4 * np.array([0, 1, 2, 5]))
    @pytest.mark.parametrize("speed", ["x_dot", "y_dot"])
    @pytest.mark.parametrize("adaptive", [False, True], ids=["fixed", "adaptive"])
    def test_a_motion_is_right_or_told_to_be_beyond_its_speed(self, angle, speed, adaptive):
        """x = sin φ, y = −cos φ: x' is none at the ends of the horizontal, y' at top and bottom."""
        f = self.bead().with_independent_speeds(speed).compile({})
        start = [np.sin(angle), -np.cos(angle), 0.0]
        exact = solve_ivp(
            lambda t, z: [z[1], -G * np.sin(z[0])],
            (0, 2),
            [angle, 0.0],
            t_eval=self.TIMES,
            rtol=1e-10,
            atol=1e-10,
        ).y[0]
        run = integrate_adaptive if adaptive else integrate
        ruling = np.cos(exact) if speed == "x_dot" else np.sin(exact)
        if abs(ruling[0]) < 1e-7:
            with pytest.raises(ValueError, match="cannot be independent at t = 0:"):
                run(f, self.TIMES, start)
            return
        passes = (ruling * ruling[0] < 0).any()
        expected = pytest.raises(SimulationError, match="cannot be independent at t = ")
        with expected if passes else contextlib.nullcontext() as stop:
            found = run(f, self.TIMES, start)
        if passes:
            found = stop.value.trajectory
            assert (ruling[: len(found) - 1] * ruling[0] > 0).all()
            assert ruling[len(found)] * ruling[0] < 0.02
        far = np.abs(ruling[: len(found)]) > 0.1
        np.testing.assert_allclose(found.x[far, 0], np.sin(exact[: len(found)])[far], atol=2e-3)
