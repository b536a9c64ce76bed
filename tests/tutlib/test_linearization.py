"""Linearization against differences, trims of a published linkage, modes, and what is refused."""

import warnings

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from straightline.expressions import evaluate
from tutlib import EquationsOfMotion
from tutlib.mechanics import ConstrainedEquations, NoTrimWarning, linearize, trim
from tutlib.mechanics.linearization import Linearization
from tutlib.models import chain, four_bar, pendulum, rolling_disc

pytestmark = pytest.mark.slow

t = me.dynamicsymbols._t
m, l, g = sm.symbols("m l g", positive=True)


def in_a_plane():
    x, y = me.dynamicsymbols("x y")
    T = m * (x.diff() ** 2 + y.diff() ** 2) / 2
    eom = EquationsOfMotion.from_lagrangian(T, m * g * y, [x, y])
    return ConstrainedEquations(eom, [x**2 + y**2 - l**2]), {m: 1.3, l: 2.0, g: 9.81}


def linkage():
    model = four_bar()
    return ConstrainedEquations(model.equations, model.constraints), model.parameters


@pytest.fixture(scope="module")
def hanging():
    """The linkage at rest, as low as it goes."""
    loop, values = linkage()
    guess = loop.consistent_state(values, np.deg2rad([-111, 150, -100]), loop.equations.q[:1])
    return loop, values, trim(loop, values, guess)


def by_differences(equations, point, values, found):
    """Differentiate the compiled right-hand side, and restrict it to the tangent space."""
    constrained = isinstance(equations, ConstrainedEquations)
    eom = equations.with_multipliers() if constrained else equations
    k, extra, h = len(point), len(eom.states) - len(point), 1e-5
    closed = [
        eom.with_inputs(dict(zip(eom.inputs, forces)))
        for forces in (np.zeros(len(eom.inputs)), *np.eye(len(eom.inputs)))
    ]
    f, *pushed = (
        one.compile({s: v for s, v in values.items() if s in one.parameters}) for one in closed
    )

    def rates(x, f=f):
        return f(0.0, [*x, *np.zeros(extra)])[:k]

    steps = h * np.eye(k)
    J = np.array(
        [
            (
                8 * (rates(point + e) - rates(point - e))
                - rates(point + 2 * e)
                + rates(point - 2 * e)
            )
            / (12 * h)
            for e in steps
        ]
    ).T
    cut = equations.equations if constrained else equations
    rows = [cut.states.index(state) for state in found.states]
    B = np.array([rates(point, g) - rates(point) for g in pushed]).reshape(-1, k).T
    return (J @ found.tangent)[rows], B[rows]


def cases():
    free = pendulum().free()
    yield "pendulum", free.equations, [0.0, 0.0], free.parameters, None
    loop, values = in_a_plane()
    yield "in a plane", loop, [0.0, -2.0, 0.0, 0.0], values, loop.equations.q[:1]
    loop, values = linkage()
    guess = loop.consistent_state(values, np.deg2rad([-111, 150, -100]), loop.equations.q[:1])
    yield "four-bar", loop, trim(loop, values, guess), values, None
    model = chain(3)
    yield "chain of 3", model.equations, [0.0] * 6, model.parameters, None
    disc = rolling_disc()
    yield "disc", disc.equations, [0.0] * 6 + [6.0, 0.0], disc.parameters, None


CASES = {name: rest for name, *rest in cases()}


@pytest.mark.parametrize("name", CASES)
def test_it_is_the_slope_of_the_compiled_equations(name):
    equations, point, values, independent = CASES[name]
    point = np.array(point, dtype=float)
    found = linearize(equations, point, values, independent)
    for slope, known in zip(by_differences(equations, point, values, found), (found.A, found.B)):
        size = np.abs(known).max(initial=1.0)
        np.testing.assert_allclose(known, slope, rtol=0, atol=1e-8 * size)


class TestExactly:
    def test_the_constrained_pendulum_in_symbols(self):
        """What elimination by hand gives: [[0, 1], [-g/l, 0]], without spurious modes."""
        loop, _ = in_a_plane()
        x = loop.equations.q[0]
        found = linearize(loop, [0, -l, 0, 0])
        assert (found.A - sm.Matrix([[0, 1], [-g / l, 0]])).is_zero_matrix
        assert found.states == (x, x.diff(t))

    def test_three_links_in_symbols(self):
        """Point masses in relative angles, upright: M⁻¹ ∂²(−V)/∂q², in short formulas."""
        q, l, m = me.dynamicsymbols("q_1:4"), sm.symbols("l_1:4"), sm.symbols("m_1:4")
        angles = [sm.Add(*q[: i + 1]) for i in range(3)]
        x, y = ([a * f(b) for a, b in zip(l, angles)] for f in (sm.sin, sm.cos))
        points = [(sm.Add(*x[: i + 1]), sm.Add(*y[: i + 1])) for i in range(3)]
        T = sm.Add(*(a * sum(c.diff(t) ** 2 for c in p) for a, p in zip(m, points))) / 2
        V = sm.Add(*(a * g * height for a, (_, height) in zip(m, points)))
        A = linearize(EquationsOfMotion.from_lagrangian(T, V, list(q)), {}).A
        assert A[3, 0] == g / l[0]
        assert sm.count_ops(A) < 60
        masses, lengths = np.array([1.1, 2.0, 3.0]), np.array([0.4, 0.5, 0.6])
        J = np.array([[lengths[j : i + 1].sum() for j in range(3)] for i in range(3)])
        below = np.array([[max(i, j) for j in range(3)] for i in range(3)])
        K = 9.81 * (np.cumsum(masses[::-1])[::-1] * lengths)[::-1].cumsum()[::-1][below]
        numbers = {**dict(zip(m, masses)), **dict(zip(l, lengths)), g: 9.81}
        found = np.array(A.subs(numbers), dtype=float)[3:, :3]
        np.testing.assert_allclose((J.T * masses) @ J @ found, K, rtol=1e-12, atol=1e-12)

    def test_rounded_numbers_at_a_point_stay_in_the_formulas(self):
        slope = linearize(pendulum().free().equations, [0.3, 0]).A[1, 0]
        assert float(slope.subs(dict.fromkeys(slope.free_symbols, 1))) == pytest.approx(
            -np.cos(0.3), rel=1e-14
        )

    def test_a_controller_s_integral_is_a_state(self):
        theta = pendulum().equations.q[0]
        (tau,) = pendulum().equations.inputs
        z, k = me.dynamicsymbols("z"), sm.Symbol("k", positive=True)
        model = pendulum().with_inputs({tau: k * z}, {z: -theta}, {k: 3.0})
        found = linearize(model.equations, [0, 0, 0], model.parameters)
        expected = [[0, 1, 0], [-9.81, 0, 3], [-1, 0, 0]]
        np.testing.assert_allclose(found.A, expected, rtol=1e-14)

    def test_accelerations_at_the_point_count(self):
        """About a point that is no equilibrium, M δu̇ = δF - δM a."""
        x = me.dynamicsymbols("x")
        eom = EquationsOfMotion([x], [x.diff()], sm.Matrix([1 + x**2]), sm.Matrix([x]))
        with pytest.warns(NoTrimWarning, match=r"not a trim.* derivative of .* is 0\.4, not 0"):
            found = linearize(eom, [2.0, 0.0], {})
        assert found.A[1, 0] == pytest.approx((1 - 2 * 2 * 2 / 5) / 5, rel=1e-14)


@pytest.mark.parametrize("power", [1, sm.Rational(1, 2)])
def test_a_derivative_that_is_a_limit(power):
    """The drag -c |v|ᵖ v has no slope at rest, although its derivative is 0/0 there."""
    x, y = me.dynamicsymbols("x y")
    v = sm.sqrt(x.diff() ** 2 + y.diff() ** 2)
    drag = {q: -0.3 * v**power * q.diff() for q in (x, y)}
    T, V = v**2 / 2, 2 * (x**2 + y**2)
    eom = EquationsOfMotion.from_lagrangian(T, V, [x, y], forces=drag)
    expected = np.block([[np.zeros((2, 2)), np.eye(2)], [-4 * np.eye(2), np.zeros((2, 2))]])
    np.testing.assert_allclose(linearize(eom, [0, 0, 0, 0], {}).A, expected, atol=1e-12)
    dry = EquationsOfMotion.from_lagrangian(T, V, [x, y], forces={x: -0.3 * v})
    with pytest.raises(ValueError, match="no derivative"):
        linearize(dry, [0, 0, 0, 0], {})


class TestOutputs:
    """C and D of what is measured."""

    def test_an_accelerometer_on_a_pendulum_feels_the_motor_alone(self):
        """Across the rod it reads l θ̈ + g sin θ, which is τ / (m l); the power is τ θ̇."""
        rod = pendulum()
        theta, (tau,) = rod.equations.q[0], rod.equations.inputs
        l, m, g = (next(s for s in rod.parameters if str(s) == name) for name in "lmg")
        measured = [l * theta.diff(t, 2) + g * sm.sin(theta), tau * theta.diff(), theta]
        held = {"inputs": {tau: m * g * l * sm.sin(0.4)}, "outputs": measured}
        found = linearize(rod.equations, {theta: 0.4}, {l: 2.0, m: 1.5, g: 9.81}, **held)
        C = [[0, 0], [0, 1.5 * 9.81 * 2 * np.sin(0.4)], [1, 0]]
        np.testing.assert_allclose(found.C, C, atol=1e-14)
        np.testing.assert_allclose(found.D, [[1 / 3], [0], [0]], atol=1e-14)
        symbolic = linearize(rod.equations, {}, outputs=measured[:2])
        assert symbolic.C.is_zero_matrix
        assert sm.Matrix([1 / (l * m), 0]) == symbolic.D
        assert linearize(rod.equations, {}).C is None
        braked = rod.equations.with_inputs({tau: -3 * theta.diff()})
        assert sm.Matrix([[0, -3]]) == linearize(braked, {}, outputs=tau).C

    @pytest.mark.filterwarnings("ignore:the point is not a trim")
    def test_accelerations_where_speeds_are_not_rates(self):
        """Velocity along axes that rotate with a coordinate, against differences."""
        q_1, q_2, u_1, u_2, r, z = me.dynamicsymbols("q_1:3 u_1:3 r z")
        M = sm.Matrix([[2, sm.cos(q_1)], [sm.cos(q_1), 3]])
        N = sm.Matrix([[sm.cos(q_2), -sm.sin(q_2)], [sm.sin(q_2), sm.cos(q_2)]])
        eom = EquationsOfMotion(
            [q_1, q_2], [u_1, u_2], M, sm.Matrix([r - q_1, u_1 * z]), N, [(z, q_1 - z)]
        )
        states, point = [*eom.states, r], np.array([0.3, 0.2, 0.5, -0.4, 0.1, 0.7])
        measured = [q_1.diff(t, 2), u_2.diff(t), q_2.diff() * r, z.diff()]
        found = linearize(eom, point[:-1], {}, inputs={r: point[-1]}, outputs=measured)
        u_dot, rate = M.LUsolve(eom.forcing), sm.Matrix(eom.rates)
        q_ddot = rate.jacobian([u_1, u_2]) * u_dot + rate.jacobian([q_1, q_2]) * rate
        y = sm.lambdify([states], [q_ddot[0], u_dot[1], rate[1] * r, q_1 - z])
        steps = 1e-6 * np.eye(6)
        slopes = [(np.array(y(point + e)) - y(point - e)) / 2e-6 for e in steps]
        np.testing.assert_allclose(np.hstack([found.C, found.D]), np.transpose(slopes), atol=1e-9)

    @pytest.mark.filterwarnings("ignore:the point is not a trim")
    def test_the_force_in_a_rod_and_the_acceleration_of_its_tip(self):
        """A bob at the angle a with ω: the tension is m (l ω² + g cos a)."""
        loop, values = in_a_plane()
        x, y = loop.equations.q
        force = loop.with_multipliers().u[-1].diff(t)
        a, w, b, length = 0.4, 0.9, 1.3, 2.0
        s, c = np.sin(a), np.cos(a)
        point = [length * s, -length * c, w * length * c, w * length * s]
        measured = [-2 * l * force, sm.atan2(x, -y), y.diff(t, 2) * sm.cos(a)]
        found = linearize(loop, point, values, [x], outputs=measured)
        per_x = np.array([[1 / c, 0], [w * s / c**2, 1 / c]]) / length  # of (a, ω)
        tension = np.array([-b * 9.81 * s, 2 * b * length * w])
        rise = length * np.array([w**2 * -s, 2 * w * c]) - 9.81 * np.array([2 * s * c, 0])
        expected = np.array([tension, [1, 0], c * rise]) @ per_x
        np.testing.assert_allclose(found.C, expected, rtol=0, atol=1e-12)
        assert found.D.shape == (3, 0)
        low = linearize(loop, [0, -l, 0, 0], outputs=x.diff(t, 2))
        assert sm.Matrix([[-g / l, 0]]) == low.C

    def test_what_no_state_determines_is_rejected(self):
        loop, values = in_a_plane()
        x, w = loop.equations.q[0], me.dynamicsymbols("w")
        impulse = loop.with_multipliers().u[-1]
        for outputs, message in (
            ([x, w], r"output 2 depends on w\(t\), which is not a state"),
            (x.diff(t, 3), r"output 1 depends on Derivative\(x\(t\), \(t, 3\)\)"),
            (x * t, "depends on the time t: pass a time"),
            (sm.Abs(loop.equations.u[0]), "output 1: .* no derivative at"),
            (impulse, "use the force, which is its derivative"),
        ):
            with pytest.raises(ValueError, match=message):
                linearize(loop, [0, -2, 0, 0], values, outputs=outputs)


class TestLimits:
    """A pendulum held at an angle by a PD law with limits, as numbers or as symbols."""

    theta = me.dynamicsymbols("theta")
    k, c, u, aim, weight = sm.symbols("k c u_max theta_d tau_0", positive=True)
    law = k * (aim - theta) - c * theta.diff() + weight
    LIMITED = (
        sm.Max(-12, sm.Min(12.5, law)),
        sm.Min(u, sm.Max(-u, law)),
        sm.Max(-u, sm.Min(u, k * sm.Max(-1, sm.Min(1, aim - theta)) - c * theta.diff() + weight)),
    )

    def numbers(self, limit):
        symbols = (self.k, self.c, self.u, self.aim, self.weight)
        return dict(zip(symbols, [40.0, 8.0, limit, 0.5, 9.81 * np.sin(0.5)]))

    def linear(self, law, limit=12.0):
        F = sm.Matrix([law - 9.81 * sm.sin(self.theta)])
        eom = EquationsOfMotion([self.theta], [self.theta.diff()], sm.eye(1), F)
        values = {s: v for s, v in self.numbers(limit).items() if s in eom.parameters}
        return linearize(eom, [0.5, 0], values).A

    @pytest.mark.parametrize("law", LIMITED)
    def test_far_from_the_limits_there_are_none(self, law):
        expected = [[0, 1], [-9.81 * np.cos(0.5) - 40, -8]]
        np.testing.assert_allclose(self.linear(law), expected, rtol=1e-14)

    @pytest.mark.filterwarnings("ignore:the point is not a trim")
    @pytest.mark.parametrize("law", LIMITED[1:])
    def test_at_a_limit_the_gains_are_zero_and_at_its_edge_there_are_none(self, law):
        expected = [[0, 1], [-9.81 * np.cos(0.5), 0]]
        np.testing.assert_allclose(self.linear(law, 2.0), expected, atol=1e-14)
        with pytest.raises(ValueError, match="no derivative at"):
            self.linear(law, 9.81 * np.sin(0.5))

    def test_a_set_point_in_symbols(self):
        eom = EquationsOfMotion(
            [self.theta], [self.theta.diff()], sm.eye(1), sm.Matrix([self.LIMITED[1]])
        )
        A = linearize(eom, {self.theta: self.aim}).A
        for limit, gains in ((12.0, [-40, -8]), (2.0, [0, 0])):
            assert evaluate(A[1, :], self.numbers(limit)) == gains


class TestThePoint:
    @pytest.mark.parametrize("length", [1e-6, 1e-4, 1.0, 1e4])
    def test_it_is_on_the_constraints_relative_to_their_terms(self, length):
        loop, values = in_a_plane()
        values |= {l: length}
        A = linearize(loop, [0, -length, 0, 0], values).A
        assert A[1, 0] == pytest.approx(-9.81 / length, rel=1e-12)
        for off in ([0, -length / 2, 0, 0], [0, -length * (1 + 1e-6), 0, 0]):
            with pytest.raises(ValueError, match="not on the constraints"):
                linearize(loop, off, values)

    @pytest.mark.parametrize("pole", [0, sm.pi, np.pi, -np.pi, 1e-17])
    def test_a_pole_of_the_angles_has_no_small_motions_however_it_is_written(self, pole):
        """The azimuth of a spherical pendulum has no inertia there."""
        a, p = me.dynamicsymbols("a p")
        T = m * l**2 * (a.diff() ** 2 + sm.sin(a) ** 2 * p.diff() ** 2) / 2
        eom = EquationsOfMotion.from_lagrangian(T, m * g * l * sm.cos(a), [a, p])
        with pytest.raises(ValueError, match="mass matrix is singular"):
            linearize(eom, [pole, 0, 0, 0], {m: 1.0, l: 1.0, g: 9.81})

    def test_a_satellite_aslant_is_no_trim_and_a_stiff_spring_at_rest_is(self):
        theta, k = me.dynamicsymbols("theta"), sm.Symbol("k", positive=True)
        turning = EquationsOfMotion.from_lagrangian(
            theta.diff() ** 2 / 2, k * sm.sin(theta) ** 2 / 2, [theta]
        )
        with pytest.warns(NoTrimWarning):
            linearize(turning, [0.4, 0], {k: 1e-8})
        spring = EquationsOfMotion.from_lagrangian(
            theta.diff() ** 2 / 2, k * (theta - l) ** 2 / 2 - g * theta, [theta]
        )
        values = {k: 1e12, l: 1.0, g: 9.81}
        linearize(spring, trim(spring, values, [1.001, 0]), values)


class TestTrim:
    def test_the_published_equilibria_of_the_linkage(self, hanging):
        loop, values, low = hanging
        assert np.degrees(low[0]) == pytest.approx(-111.5628, abs=1e-4)
        values_low = np.linalg.eigvals(linearize(loop, low, values).A)
        assert values_low.imag.max() == pytest.approx(3.5173667, abs=1e-7)
        assert np.abs(values_low.real).max() < 1e-12
        q_1 = loop.equations.q[:1]
        above = loop.consistent_state(values, np.deg2rad([90, -84, -95]), q_1)
        high = trim(loop, values, above)
        assert np.degrees(high[0]) - 360 == pytest.approx(-270.319, abs=1e-3)
        values_high = np.linalg.eigvals(linearize(loop, high, values).A)
        assert values_high.real.max() == pytest.approx(3.3224, abs=1e-4)

    def test_a_steady_speed_is_kept_and_a_free_one_found(self):
        disc = rolling_disc()
        u_2 = disc.equations.u[1]
        lean, u_3 = 0.3, 1.5
        guess = [0, lean, 0, 0, 0, 0, -2.0, u_3]
        found = trim(disc.equations, disc.parameters, guess, free=[u_2])
        expected = (0.5 * u_3**2 * np.tan(lean) / 4 - 9.81 * np.sin(lean)) / (1.5 * 0.5 * u_3)
        assert found[6] == pytest.approx(expected, rel=1e-9)
        np.testing.assert_array_equal(np.delete(found, 6), np.delete(guess, 6))

    def test_an_input_holds_it_elsewhere(self):
        model = pendulum()
        found = trim(model.equations, model.parameters, [0.5, 0], inputs={"tau": 9.81 / 2})
        assert found[0] == pytest.approx(np.pi / 6, abs=1e-9)

    @pytest.mark.parametrize(("kappa", "torque"), [(1e-6, 1e-9), (1e-8, 1e-11), (1e9, 1e6)])
    def test_slow_and_fast_torsion_balances_rest_at_torque_by_stiffness(self, kappa, torque):
        theta = me.dynamicsymbols("theta")
        k, tau = sm.symbols("kappa tau", positive=True)
        eom = EquationsOfMotion.from_lagrangian(
            theta.diff() ** 2 / 2, k * theta**2 / 2, [theta], {theta: tau}
        )
        found = trim(eom, {k: kappa, tau: torque}, [0.02, 0])
        assert found[0] == pytest.approx(torque / kappa, rel=1e-12)

    @pytest.mark.parametrize(
        ("mu_1", "mu_2", "distance"),
        [(1.327e20, 3.986e14, 1.496e11), (3.986e5, 4.905e3, 3.844e5), (1.3e20, 0.7e20, 1.5e14)],
    )
    def test_the_triangular_lagrange_points_in_meters_and_kilometers(self, mu_1, mu_2, distance):
        x, y = me.dynamicsymbols("x y")
        m_1, m_2, a = sm.symbols("m_1 m_2 a", positive=True)
        w = sm.sqrt((m_1 + m_2) / a**3)
        T = ((x.diff() - w * y) ** 2 + (y.diff() + w * x) ** 2) / 2
        near = sm.sqrt((x + a * m_2 / (m_1 + m_2)) ** 2 + y**2)
        far = sm.sqrt((x - a * m_1 / (m_1 + m_2)) ** 2 + y**2)
        eom = EquationsOfMotion.from_lagrangian(T, -m_1 / near - m_2 / far, [x, y])
        right = distance * np.array([0.5 - mu_2 / (mu_1 + mu_2), np.sqrt(0.75)])
        found = trim(eom, {m_1: mu_1, m_2: mu_2, a: distance}, [*1.03 * right, 0, 0])
        np.testing.assert_allclose(found[:2], right, rtol=1e-8)

    @pytest.mark.parametrize("stiffness", [1e-6, 1e6, 1e11])
    def test_a_spring_of_any_stiffness(self, stiffness):
        z, k = me.dynamicsymbols("z"), sm.Symbol("k", positive=True)
        eom = EquationsOfMotion.from_lagrangian(
            z.diff() ** 2 / 2, k * (z - 1) ** 2 / 2 - g * z, [z]
        )
        found = trim(eom, {k: stiffness, g: 9.81}, [1.001, 0])
        assert found[0] == pytest.approx(1 + 9.81 / stiffness, rel=1e-14)

    def test_what_falls_has_no_trim(self):
        """A free mass; a planet; two masses on a stiff spring: their forces never vanish."""
        y, z = me.dynamicsymbols("y z")
        T, spring = (y.diff() ** 2 + z.diff() ** 2) / 2, 1e9 * (y - z) ** 2
        for V in (g * (y + z), -g / y - g / z, g * (y + z) + g * spring):
            eom = EquationsOfMotion.from_lagrangian(T, V, [y, z])
            with pytest.raises(ValueError, match="no trim near the guess"):
                trim(eom, {g: 1e-12}, [2.0, 3.0, 0, 0])

    def test_multiple_roots_are_found(self):
        z = me.dynamicsymbols("z")
        for V, right in ((g * z**4, 0), (1e-9 * z**6, 0), (g * (z**3 / 3 - z**2 + z), 1)):
            eom = EquationsOfMotion.from_lagrangian(z.diff() ** 2 / 2, V, [z])
            found = trim(eom, {g: 9.81} if V.has(g) else {}, [right + 0.3, 0])
            assert found[0] == pytest.approx(right, abs=1e-6)

    def test_a_drone_hovers_by_the_thrust_that_is_found(self):
        """Two rotors share the weight as a lever does."""
        x, y, phi, right, left = me.dynamicsymbols("x y phi F_1:3")
        J, a, b = sm.symbols("J a b", positive=True)
        T = m * (x.diff() ** 2 + y.diff() ** 2) / 2 + J * phi.diff() ** 2 / 2
        up, turn = right + left, a * right - b * left
        forces = {x: -up * sm.sin(phi), y: up * sm.cos(phi), phi: turn}
        eom = EquationsOfMotion.from_lagrangian(T, m * g * y, [x, y, phi], forces)
        values = {m: 1.2, g: 9.81, J: 0.02, a: 0.1, b: 0.3}
        with pytest.raises(ValueError, match=r"held at F₁ = 0\.0 and F₂ = 1\.0: list those that"):
            trim(eom, values, np.zeros(6), inputs={left: 1})
        state, thrust = trim(eom, values, [0, 0, 0.1, 0, 0, 0], ["phi", right, "F_2"])
        np.testing.assert_allclose(state, np.zeros(6), atol=1e-12)
        assert [*thrust] == [right, left]
        expected = np.array([0.3, 0.1]) * 1.2 * 9.81 / 0.4
        np.testing.assert_allclose([*thrust.values()], expected, rtol=1e-12)

    def test_a_force_that_holds_a_loop(self):
        """A bob on a rod is pushed aside by m g tan θ."""
        x, y, f = me.dynamicsymbols("x y f")
        loop, values = in_a_plane()
        pushed = EquationsOfMotion.from_lagrangian(
            m * (x.diff() ** 2 + y.diff() ** 2) / 2, m * g * y, [x, y], {x: f}
        )
        loop = ConstrainedEquations(pushed, loop.constraints)
        point = [2 * np.sin(0.4), -2 * np.cos(0.4), 0, 0]
        state, force = trim(loop, values, point, free=f, inputs={f: m * g})
        np.testing.assert_array_equal(state, point)
        assert force == {f: pytest.approx(1.3 * 9.81 * np.tan(0.4), rel=1e-9)}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            A = linearize(loop, state, values, inputs=force).A
        assert np.linalg.det(A) == pytest.approx(9.81 / 2 / np.cos(0.4), rel=1e-9)

    def test_inputs_that_are_not_determined_are_named(self):
        eom, values, (tau,) = (
            pendulum().equations,
            pendulum().parameters,
            pendulum().equations.inputs,
        )
        with pytest.warns(RuntimeWarning, match="one of many: θ and τ can change"):
            state, torque = trim(eom, values, [0.5, 0], free=[*eom.q, tau])
        assert torque[tau] == pytest.approx(9.81 * np.sin(state[0]), rel=1e-9)

    def test_constraints_of_speeds_and_rates_of_loops_are_fulfilled(self):
        """A wheel that rolls: by a constraint of its speeds, or of its coordinates."""
        x, turn = me.dynamicsymbols("x phi")
        free = EquationsOfMotion.from_lagrangian(
            (x.diff() ** 2 + turn.diff() ** 2) / 2, 0, [x, turn]
        )
        rolls = ConstrainedEquations(free, (), [x.diff() - turn.diff() / 2])
        belt = ConstrainedEquations(free, [x - turn / 2])
        for loop in (rolls, belt):
            with pytest.raises(ValueError, match="constraints or their rates of up to 1, are left"):
                trim(loop, {}, [0.3, 0.6, 1.0, 0.0])
            found = trim(loop, {}, [0.3, 0.6, 1.0, 0.0], free=["x_dot", "phi_dot"])
            assert found[2] == pytest.approx(found[3] / 2, abs=1e-9)
        skate = trim(rolls, {}, [0.3, 0.6, 1.0, 2.0])
        np.testing.assert_allclose(skate, [0.3, 0.6, 1.0, 2.0], atol=1e-9)


class TestTime:
    """A pendulum whose pivot shakes up and down, y = a cos ωt: θ'' = −(g − a ω² cos ωt) sin θ."""

    def shaken(self):
        theta = me.dynamicsymbols("theta")
        x, y = sm.sin(theta), sm.cos(30 * t) / 10 - sm.cos(theta)
        T = (x.diff(t) ** 2 + y.diff(t) ** 2) / 2
        return EquationsOfMotion.from_lagrangian(T, g * y, [theta])

    def test_without_a_moment_it_is_refused(self):
        for call in (linearize, trim):
            with pytest.raises(ValueError, match="contain the time t: pass a time"):
                call(self.shaken(), *([0.0, 0.0], {g: 9.81})[:: 1 if call is linearize else -1])

    @pytest.mark.parametrize("moment", [0.0, 0.03, 0.05])
    def test_a_moment_is_that_of_the_equations(self, moment):
        A = linearize(self.shaken(), [0.0, 0.0], {g: 9.81}, time=moment).A
        assert A[1, 0] == pytest.approx(-(9.81 - 90 * np.cos(30 * moment)), rel=1e-9)

    def test_a_loop_that_is_driven(self):
        """A bead on a line that rises: x² + y² is free, y = t² / 2 is not."""
        x, y = me.dynamicsymbols("x y")
        T = (x.diff() ** 2 + y.diff() ** 2) / 2
        eom = EquationsOfMotion.from_lagrangian(T, x**2 * y / 2, [x, y])
        loop = ConstrainedEquations(eom, [y - t**2 / 2])
        with pytest.raises(ValueError, match="contain the time t"):
            linearize(loop, [0.0, 0.5, 0.0, 1.0], {})
        with pytest.warns(NoTrimWarning):
            assert linearize(loop, [0, 2.0, 0, 2.0], {}, time=2.0).A[1, 0] == pytest.approx(-2.0)
        with pytest.raises(ValueError, match="not on the constraints"):
            linearize(loop, [0.0, 0.5, 0.0, 1.0], {}, time=2.0)


class TestModes:
    def test_two_equal_pendulums(self):
        """Point masses on equal rods: ω² = (2 ∓ √2) g / l, with shapes (1, ±√2)."""
        model = chain(2).free().with_parameters({"d_1": 1, "d_2": 1, "In_1": 0, "In_2": 0})
        found = linearize(model.equations, np.zeros(4), model.parameters)
        (slow, first), (fast, second) = found.modes()
        squares = [abs(slow) ** 2, abs(fast) ** 2]
        np.testing.assert_allclose(squares, np.array([2 - 2**0.5, 2 + 2**0.5]) * 9.81)
        ratios = [(shape[1] / shape[0]).real for shape in (first, second)]
        np.testing.assert_allclose(ratios, [2**0.5, -(2**0.5)])

    def test_controllability(self):
        """A motor at either joint moves the chain; a torque on a coin's axle never leans it."""
        model = chain(2)
        tau_2 = next(r for r in model.equations.inputs if str(r) == "tau_2(t)")
        rest = {r: 0 for r in model.equations.inputs if r != tau_2}
        one_motor = linearize(
            model.equations.with_inputs(rest), np.array([np.pi, np.pi, 0, 0]), model.parameters
        )
        assert one_motor.B.shape == (4, 1)
        assert one_motor.uncontrollable_directions().shape == (4, 0)
        free = linearize(model.free().equations, np.zeros(4), model.parameters)
        assert free.uncontrollable_directions().shape == (4, 4)

    @pytest.mark.parametrize("inductance", [1e-2, 1e-5, 1e-8])
    def test_a_fast_motor_moves_a_slow_pole(self, inductance):
        """Its current follows the voltage thousands of times faster than the pole falls."""
        A = np.array([[0, 1, 0], [9.81, 0, 0.1], [0, -0.1 / inductance, -1 / inductance]])
        B = np.array([[0], [0], [1 / inductance]])
        assert Linearization(A, B, (), (), None).uncontrollable_directions().shape == (3, 0)

    @pytest.mark.parametrize(("second", "unmoved"), [(4.0, 2), (4.0008, 0)])
    def test_one_force_on_two_oscillators_moves_both_unless_they_are_equal(self, second, unmoved):
        A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.diag([4.0, second]), np.zeros((2, 2))]])
        B = np.array([[0.0], [0], [1], [1]])
        found = Linearization(A, B, (), (), None).uncontrollable_directions()
        assert found.shape == (4, unmoved)
        np.testing.assert_allclose(found.T @ [1, 1, 0, 0], 0, atol=1e-12)

    def test_hidden_directions_are_found_in_any_units(self, rng):
        """Two states that nothing else moves, one of them through the other: a Jordan block."""
        A = rng.normal(size=(6, 6))
        A[4:] = [[0, 0, 0, 0, -0.5, 1], [0, 0, 0, 0, 0, -0.5]]
        B = np.append(rng.normal(size=4), [0, 0])[:, None]
        turned = np.linalg.qr(rng.normal(size=(6, 6)))[0]
        for units in (np.ones(6), 10.0 ** rng.uniform(-6, 6, 6)):
            D = units[:, None] * turned
            found = Linearization(D @ A @ np.linalg.inv(D), D @ B, (), (), None)
            W = found.uncontrollable_directions()
            np.testing.assert_allclose(W.T @ W, np.eye(2), atol=1e-12)
            assert np.abs(np.linalg.qr(D.T @ W)[0][:4]).max() < 1e-6


class TestRefusals:
    @pytest.mark.parametrize("numbers", [True, False])
    def test_the_singular_choice_is_named(self, numbers):
        loop, values = in_a_plane()
        point = [0, -2.0, 0, 0] if numbers else [0, -l, 0, 0]
        with pytest.raises(ValueError, match="do not determine x; they do determine y"):
            linearize(loop, point, values if numbers else None, loop.equations.q[1:])

    @pytest.mark.parametrize(
        ("point", "options", "message"),
        [
            ([0, -1, 0, 0], {}, "not on the constraints: constraint 1 is -3"),
            ([0, -2], {}, "the point needs 4 entries, x, y"),
            ([0, -2, 0, 0], {"independent": ["x", "y"]}, "1 independent coordinates; got 2"),
        ],
    )
    @pytest.mark.filterwarnings("ignore:the point is not a trim")
    def test_other_bad_input(self, point, options, message):
        loop, values = in_a_plane()
        with pytest.raises(ValueError, match=message):
            linearize(loop, point, values, **options)


class TestKinematics:
    def test_a_skate_is_linearized_where_it_cannot_slip(self):
        """As its equations in independent speeds are: it glides straight on, or turns evenly."""
        x, y, theta, u_1, u_2, u_3 = me.dynamicsymbols("x y theta u_1:4")
        m, k = sm.symbols("m k", positive=True)
        eom = EquationsOfMotion(
            [x, y, theta], [u_1, u_2, u_3], sm.diag(m, m, k), sm.Matrix([0, 0, -k * sm.sin(theta)])
        )
        across = u_1 * sm.sin(theta) - u_2 * sm.cos(theta)
        loop, values = ConstrainedEquations(eom, [], [across]), {m: 1.5, k: 0.2}
        found = linearize(loop, [0.3, 0.2, 0, 1.4, 0, 0], values)
        reduced = linearize(loop.with_independent_speeds([u_1, u_3]), [0.3, 0.2, 0, 1.4, 0], values)
        assert found.states == reduced.states
        np.testing.assert_allclose(found.A, reduced.A, rtol=0, atol=1e-14)
        assert found.A[1, 2] == pytest.approx(1.4)  # turned, it drives across
        with pytest.raises(ValueError, match=r"velocity constraint 1 is -0\.5"):
            linearize(loop, [0.3, 0.2, 0, 1.4, 0.5, 0], values)
        with pytest.raises(ValueError, match="independent states cannot be chosen"):
            linearize(loop, [0.3, 0.2, 0, 1.4, 0, 0], values, independent=[x])

    def test_what_coordinates_do_at_rest_is_in_a(self):
        """q' = u + w q for two coordinates that turn with a plate: a Coriolis term in A."""
        q_1, q_2, u_1, u_2 = me.dynamicsymbols("q_1:3 u_1:3")
        m, k, w = sm.symbols("m k w", positive=True)
        eom = EquationsOfMotion(
            [q_1, q_2],
            [u_1, u_2],
            m * sm.eye(2),
            sm.Matrix([-k * q_1, -k * q_2]),
            kinematic_drift=sm.Matrix([w * q_2, -w * q_1]),
        )
        found = linearize(eom, [0, 0, 0, 0], {m: 2.0, k: 3.0, w: 0.7}).A
        known = [[0, 0.7, 1, 0], [-0.7, 0, 0, 1], [-1.5, 0, 0, 0], [0, -1.5, 0, 0]]
        np.testing.assert_allclose(found, known, rtol=0, atol=1e-15)
