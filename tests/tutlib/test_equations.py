"""Equations of motion: one truth, however they are derived, and every refusal in a sentence."""

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from sympy.physics.units import kilogram, newton

from tutlib import EquationsOfMotion, SimulationError, integrate
from tutlib.models import pendulum

t = me.dynamicsymbols._t
q1, q2, tau = me.dynamicsymbols("q1 q2 tau")
m, l, m2, l2, g = sm.symbols("m l m_2 l_2 g", positive=True)


def double_pendulum_energies():
    """Two point masses, angles from the downward vertical."""
    x1, y1 = l * sm.sin(q1), -l * sm.cos(q1)
    x2, y2 = x1 + l2 * sm.sin(q2), y1 - l2 * sm.cos(q2)
    T = m * (x1.diff(t) ** 2 + y1.diff(t) ** 2) / 2 + m2 * (x2.diff(t) ** 2 + y2.diff(t) ** 2) / 2
    return T, m * g * y1 + m2 * g * y2


def double_pendulum_points():
    frame, origin = me.ReferenceFrame("N"), me.Point("O")
    origin.set_vel(frame, 0)
    one = origin.locatenew("P1", l * (sm.sin(q1) * frame.x - sm.cos(q1) * frame.y))
    two = one.locatenew("P2", l2 * (sm.sin(q2) * frame.x - sm.cos(q2) * frame.y))
    for point in (one, two):
        point.set_vel(frame, point.pos_from(origin).dt(frame))
    bodies = [me.Particle("b1", one, m), me.Particle("b2", two, m2)]
    loads = [(one, -m * g * frame.y), (two, -m2 * g * frame.y)]
    return frame, bodies, loads


VALUES = {m: 1.3, l: 0.7, m2: 0.4, l2: 1.9, g: 9.81}


class TestDerivations:
    def test_the_pendulum_is_what_a_hand_derives(self):
        eom = EquationsOfMotion.from_lagrangian(
            m * (l * q1.diff()) ** 2 / 2, -m * g * l * sm.cos(q1), [q1], {q1: tau}
        )
        by_hand = -g / l * sm.sin(q1) + tau / (m * l**2)
        assert sm.expand(eom.accelerations()[0] - by_hand) == 0
        assert eom == EquationsOfMotion(
            [q1], [q1.diff()], sm.Matrix([[m * l**2]]), sm.Matrix([tau - m * g * l * sm.sin(q1)])
        )

    def test_energies_bodies_and_sympy_agree_and_the_mass_matrix_is_known(self):
        T, V = double_pendulum_energies()
        frame, bodies, loads = double_pendulum_points()
        ours = EquationsOfMotion.from_lagrangian(T, V, [q1, q2])
        sympys = me.LagrangesMethod(T - V, [q1, q2])
        sympys.form_lagranges_equations()
        u1, u2 = me.dynamicsymbols("u1 u2")
        kane = me.KanesMethod(frame, [q1, q2], [u1, u2], [u1 - q1.diff(), u2 - q2.diff()])
        with pytest.raises(ValueError, match="compute"):  # SymPy has not formed them
            EquationsOfMotion.from_sympy(kane)
        kane.kanes_equations(bodies, loads)
        others = [
            EquationsOfMotion.from_bodies(bodies, [q1, q2], frame, loads),
            EquationsOfMotion.from_bodies(bodies, [q1, q2], frame, loads, u=[u1, u2]),
            EquationsOfMotion.from_lagrangian(T, V, [q1, q2], u=[u1, u2]),
            EquationsOfMotion.from_sympy(sympys),
            EquationsOfMotion.from_sympy(kane),
        ]
        f = ours.compile(VALUES)
        for other in others:
            h = other.compile(VALUES)
            for x in np.random.default_rng(1).normal(size=(20, 4)):
                np.testing.assert_allclose(f(0.3, x), h(0.3, x), rtol=1e-12, atol=1e-12)
        c = sm.cos(q1 - q2)
        known = sm.Matrix([[(m + m2) * l**2, m2 * l * l2 * c], [m2 * l * l2 * c, m2 * l2**2]])
        assert sm.simplify(ours.mass_matrix - known) == sm.zeros(2)
        assert ours.mass_matrix.is_symmetric(simplify=False)

    def test_a_potential_that_depends_on_speed_is_a_magnetic_force(self):
        B = sm.Symbol("B")
        T = m * (q1.diff() ** 2 + q2.diff() ** 2) / 2
        V = -B * (q1 * q2.diff() - q2 * q1.diff()) / 2
        a1, a2 = EquationsOfMotion.from_lagrangian(T, V, [q1, q2]).accelerations()
        assert sm.simplify(a1 - B * q2.diff() / m) == 0
        assert sm.simplify(a2 + B * q1.diff() / m) == 0

    def test_a_spinning_body_obeys_eulers_equations(self):
        """Speeds that are not q̇: the components of the angular velocity on the body's axes."""
        q = me.dynamicsymbols("q1:4")
        u = me.dynamicsymbols("u1:4")
        J = sm.symbols("J1:4", positive=True)
        frame, body_frame = me.ReferenceFrame("N"), me.ReferenceFrame("B")
        body_frame.orient_body_fixed(frame, q, "123")
        omega = body_frame.ang_vel_in(frame).to_matrix(body_frame)
        N = omega.jacobian([c.diff() for c in q]).inv()
        body_frame.set_ang_vel(frame, sum((c * e for c, e in zip(u, body_frame)), 0 * frame.x))
        center = me.Point("C")
        center.set_vel(frame, 0)
        inertia = me.inertia(body_frame, *J)
        body = me.RigidBody("body", center, body_frame, m, (inertia, center))
        eom = EquationsOfMotion.from_bodies([body], q, frame, u=u, kinematic_matrix=N)
        known = [(J[i - 2] - J[i - 1]) * u[i - 2] * u[i - 1] for i in range(3)]
        assert sm.simplify(eom.mass_matrix - sm.diag(*J)) == sm.zeros(3)
        assert sm.simplify(eom.forcing - sm.Matrix(known)) == sm.zeros(3, 1)


class TestInputs:
    def test_an_integral_is_one_more_state(self):
        ki, z = sm.Symbol("k_i"), me.dynamicsymbols("z")
        model = pendulum()
        (theta,), (torque,) = model.equations.q, model.equations.inputs
        eom = model.equations.with_inputs({torque: ki * z}, states={z: 0.5 - theta})
        assert eom == model.equations.with_inputs({"tau": ki * z}, states={z: 0.5 - theta})
        assert eom.states == (theta, theta.diff(), z)
        rhs = eom.compile({"m": 1, "l": 1, "g": 0, "k_i": 3})
        np.testing.assert_allclose(rhs(0, [0.2, 0.7, 2.0]), [0.7, 6.0, 0.3], rtol=1e-15)

    def test_the_rate_of_a_new_state_contains_a_replaced_input(self):
        k, z, work = sm.Symbol("k"), *me.dynamicsymbols("z W")
        eom = pendulum().equations
        (theta,), (torque,) = eom.q, eom.inputs
        law = 3 * (1 - theta) + k * z
        limited, error = sm.Max(-1, sm.Min(1, law)), 1 - theta
        rates = {z: error + (torque - law) / 0.5, work: torque * theta.diff()}
        rhs = eom.with_inputs({torque: limited}, rates).compile({"m": 1, "l": 1, "g": 0, "k": 4})
        wanted = [0.3, 1.0, 0.8 + (1.0 - 2.8) / 0.5, 0.3]
        np.testing.assert_allclose(rhs(0, [0.2, 0.3, 0.1, 0.0]), wanted, rtol=1e-15)
        integral = eom.with_inputs({torque: sm.Min(1, k * z)}, {z: error + torque - k * z})
        assert integral.inputs == ()

    def test_the_command_of_an_actuator_remains_an_input(self):
        z, rate = me.dynamicsymbols("z zdot")
        eom = pendulum().equations
        (theta,), (torque,) = eom.q, eom.inputs
        lagging = eom.with_inputs({torque: z}, {z: (torque - z) / 0.5 - theta.diff()})
        assert lagging.inputs == (torque,)
        rhs = lagging.with_inputs({torque: 2}).compile({"m": 1, "l": 1, "g": 0})
        np.testing.assert_allclose(rhs(0, [0.2, 0.3, 0.1]), [0.3, 0.1, 3.5], rtol=1e-15)
        filtered = eom.with_inputs({torque: z + 2 * rate}, {z: rate, rate: torque - z - rate})
        assert filtered.inputs == (torque,)

    def test_the_derivative_of_an_auxiliary_state_is_inserted(self):
        """Two filters in series, and the torque is that of the second one's derivatives."""
        y, y_2, k = *me.dynamicsymbols("y y_2"), sm.Symbol("k")
        eom = pendulum().equations
        (theta,), (torque,) = eom.q, eom.inputs
        filters = {y_2: (y + 0.5 * y.diff() - y_2) / 0.25, y: (theta - y) / 0.5}
        state, values = [0.4, 0.1, 0.2, 0.3], {"m": 1, "l": 1, "g": 0, "k": 3}
        rate = (0.4 - 0.3) / 0.5
        second_rate = (0.3 + 0.5 * rate - 0.2) / 0.25
        change = ((0.1 - rate) / 0.5 * 0.5 + rate - second_rate) / 0.25
        for law, push in ((y_2.diff(), second_rate), (y_2.diff(t, 2), change)):
            rhs = eom.with_inputs({torque: -k * law}, filters).compile(values)
            wanted = [0.1, -3 * push, second_rate, rate]
            np.testing.assert_allclose(rhs(0, state), wanted, rtol=1e-12)

    def test_a_speed_that_is_no_derivative_and_a_steering_rate(self):
        omega, delta, rate = me.dynamicsymbols("omega delta w")
        eom = EquationsOfMotion([q1], [omega], m, [-2 * delta.diff()], 3, {delta: rate + q1.diff()})
        assert eom.forcing[0] == -2 * (rate + 3 * omega)
        assert eom.in_states([q1.diff(t, 2), delta.diff()]) == [3 * omega.diff(), rate + 3 * omega]


def given(*arguments, **options):
    """Return a call that makes equations of two speeds at most."""
    return lambda: EquationsOfMotion(*arguments, **options)


def moving(T, V, q, forces=None):
    return lambda: EquationsOfMotion.from_lagrangian(T, V, q, forces)


RATE, ONE, PLAIN = q1.diff(), sm.ones(1, 1), sm.Symbol("theta")
WRONG = [
    (lambda: pendulum().free().equations.compile({"l": 1}), "no value for the parameters g, m"),
    (lambda: pendulum().equations.compile({"m": 1, "l": 1, "g": 9}), r"for the input tau\(t\)"),
    (lambda: pendulum().equations.with_inputs({q1: 0}), r"input: q1\(t\); the inputs are: tau$"),
    (given([q1], [RATE], sm.ones(1, 2), ONE), r"must be square; got shape \(1, 2\)"),
    (given([q1, q2], [RATE, q2.diff()], sm.eye(2), ONE), r"got \(2, 2\) and \(1, 1\)"),
    (given([q1, q2], [RATE], ONE, ONE), "need a kinematic matrix N"),
    (given([q1], [RATE], ONE, ONE, sm.eye(2)), r"N must have shape \(1, 1\); got \(2, 2\)"),
    (given([q1], [q2], ONE, ONE, kinematic_drift=sm.eye(2)), r"b must have shape \(1, 1\); got"),
    (given([q1], [q2], ONE, ONE, kinematic_drift=sm.Matrix([q2**2])), r"speeds: q2\(t\) is in b"),
    (moving(PLAIN**2, PLAIN, [PLAIN]), r"theta is not a function of time.*dynamicsymbols"),
    (moving(RATE**2, q1, [q1, q1]), r"q1\(t\) is given twice"),
    (moving(m * sm.Symbol("v") ** 2, q1, q1), r"no velocity: v is a plain .*write q1.diff\(\)"),
    (moving(2 * kilogram * RATE**2, 0, q1), r"kilogram in T, V or forces is a unit.* SI units"),
    (given([q1], [RATE], ONE, [3 * newton]), "newton in the equations is a unit"),
    (lambda: moving(m * RATE**2, 0, q1)().compile({m: 2 * kilogram}), "m must be a number in SI u"),
    (moving(m * q2**2, q1, q1), r"T contains no velocity; write q1.diff\(\)"),
    (moving(sm.Symbol(r"\dot{q1}") ** 2 + q2.diff() ** 2, 0, [q1, q2]), r"of q1: \\dot{q1} is a"),
    (moving(sm.Symbol("v_q2") ** 2 + RATE**2, 0, [q1, q2]), r"of q2: v_q2 is .* q2.diff\(\)"),
    (moving(RATE**2, q1, [q1], {q2: 1}), r"a force is given for q2.*: q1"),
    (moving(RATE**2, q1, [q1], {q1: RATE.diff()}), "accelerations belong on the left side"),
    (moving(RATE**2, q1, [q1], {q1: q2.diff()}), r"or q2\(t\) an auxiliary state with a given"),
    (given([q1], [RATE], ONE, ONE, auxiliary={q2: q2.diff() - 1}), "q̇₂ depends on itself: solve"),
]


class TestRefusals:
    @pytest.mark.parametrize(("call", "message"), WRONG)
    def test_what_makes_no_sense_is_named(self, call, message):
        with pytest.raises((TypeError, ValueError), match=message):
            call()

    @pytest.mark.parametrize("facts", [{"real": True}, {"positive": True}])
    def test_time_is_that_of_sympy_s_mechanics(self, facts):
        q = sm.Function("q")(sm.symbols("t", **facts))
        message = r"q\(t\) is a function of another t.*dynamicsymbols\('q'\)"
        with pytest.raises(TypeError, match=message):
            EquationsOfMotion.from_lagrangian(q.diff() ** 2, 0, [q])

    def test_a_given_motion_is_a_formula_of_time(self):
        """The sentence says what to write, and that works."""
        y = me.dynamicsymbols("y")
        height = y - sm.cos(q1)
        T, V = (sm.sin(q1).diff(t) ** 2 + height.diff(t) ** 2) / 2, g * height
        with pytest.raises(ValueError, match="if its motion is given, replace it with"):
            EquationsOfMotion.from_lagrangian(T, V, [q1])
        T, V = (e.subs(y, t**2).doit() for e in (T, V))
        f = EquationsOfMotion.from_lagrangian(T, V, [q1]).compile({g: 9.81})
        assert f(0.3, [0.4, 0.0])[1] == pytest.approx(-(9.81 + 2) * np.sin(0.4), rel=1e-12)

    def test_a_mass_matrix_that_is_singular_everywhere_is_refused_at_once(self):
        mass = sm.Symbol("m_2", nonnegative=True)
        T, V = double_pendulum_energies()
        eom = EquationsOfMotion.from_lagrangian(T.subs(m2, mass), V.subs(m2, mass), [q1, q2])
        with pytest.raises(ValueError, match=r"mass matrix is singular.*speed q̇₂ has.*m_2 = 0"):
            eom.compile({"m": 1, "m_2": 0.0, "l": 1, "l_2": 1, "g": 9.81})

    def test_two_symbols_of_one_name_are_told_apart(self):
        eom = EquationsOfMotion.from_lagrangian(
            m * q1.diff() ** 2 / 2, sm.Symbol("m") * q1, [q1], {q1: 0}
        )
        with pytest.raises(ValueError, match=r"two different symbols are called m: .*positive"):
            eom.compile({"m": 1.0})

    def test_a_mass_matrix_that_becomes_singular_stops_the_run_and_keeps_it(self):
        """The inertia 1 - q vanishes at q = 1, which is reached at t = 1."""
        eom = EquationsOfMotion([q1], [q1.diff()], sm.Matrix([[1 - q1]]), sm.Matrix([0]))

        rhs = eom.compile({})
        with pytest.raises(ValueError, match=r"singular at t = 2 .*speed q̇₁ has"):
            rhs(2.0, [1.0, 0.0])
        with pytest.raises(SimulationError, match="singular at t = 1 ") as caught:
            integrate(rhs, [0, 0.5, 1, 1.5], [0.0, 1.0], method="euler")
        np.testing.assert_array_equal(caught.value.trajectory.x, [[0, 1], [0.5, 1], [1, 1]])


class TestBodies:
    """Frames that are told to turn, and what turns without being told."""

    def disc(self, oriented, across=m / 4):
        """Return equations of a disc on a tilting axle, its spin u3 with or without an angle."""
        q = me.dynamicsymbols("q_1:4")
        u = me.dynamicsymbols("u_1:4")
        N, A, B, D = (me.ReferenceFrame(name) for name in "NABD")
        A.orient_axis(N, q[0], N.z)
        B.orient_axis(A, q[1], A.x)
        A.set_ang_vel(N, u[0] * N.z)
        B.set_ang_vel(A, u[1] * A.x)
        if oriented:
            D.orient_axis(B, q[2], B.y)
        D.set_ang_vel(B, u[2] * B.y)
        C = me.Point("C")
        C.set_vel(N, 0)
        O = C.locatenew("O", B.z)
        O.v2pt_theory(C, N, D)
        disc = me.RigidBody("disc", O, D, m, (me.inertia(B, m / 4, m / 2, across), O))
        loads, count = [(O, -m * g * N.z), (D, B.y)], 2 + oriented
        return EquationsOfMotion.from_bodies([disc], q[:count], N, loads, u, sm.eye(3)[:count, :])

    def test_a_frame_may_have_an_angular_velocity_and_no_orientation(self):
        """The spin's angle is in no equation: leaving it out changes nothing."""
        short, whole = (self.disc(way).compile({m: 1.3, g: 9.81}) for way in (False, True))
        random = np.random.default_rng(4)
        for x in random.uniform(-1, 1, (20, 5)):
            expected = np.delete(whole(0.0, np.insert(x, 2, random.normal())), 2)
            np.testing.assert_allclose(short(0.0, x), expected, rtol=1e-12, atol=1e-12)

    @pytest.mark.parametrize("named", [False, True])
    def test_what_turns_or_moves_by_no_coordinate_is_refused(self, named):
        x, y, theta, omega = me.dynamicsymbols("x y theta omega")
        N, A, C, D = me.ReferenceFrame("N"), me.ReferenceFrame("A"), me.Point("C"), me.Point("D")
        A.orient_axis(N, theta, N.z)
        if named:
            A.set_ang_vel(N, omega * N.z)
        C.set_vel(N, x.diff() * N.x)
        wheel = me.RigidBody("wheel", C, A, m, (me.inertia(A, 0, 0, 1), C))
        name = "ω" if named else "θ\u0307"
        with pytest.raises(ValueError, match=f"the velocity of A depends on {name}, which is nei"):
            EquationsOfMotion.from_bodies([wheel], [x, theta][: 1 + named], N)
        D.set_vel(N, x.diff() * N.x + y.diff() * N.y)
        with pytest.raises(ValueError, match="the velocity of D depends on y\u0307"):
            EquationsOfMotion.from_bodies([me.Particle("P", D, m)], [x], N)


def test_outputs_follow_a_state_or_a_trajectory(free_pendulum):
    eom, values = free_pendulum.equations, free_pendulum.parameters
    theta = eom.q[0]
    outputs = eom.compile_outputs([sm.sin(theta), theta.diff() ** 2, sm.S(3), t], values)
    assert outputs(2.0, [0.5, 4.0]).tolist() == [np.sin(0.5), 16.0, 3.0, 2.0]
    x = np.arange(10.0).reshape(5, 2)
    values_along = outputs(np.arange(5.0), x)
    assert values_along.shape == (5, 4)
    np.testing.assert_array_equal(values_along[3], outputs(3.0, x[3]))


def test_outputs_contain_accelerations_and_replaced_inputs():
    """A cart on a spring, with a force that depends on a filtered position."""
    x, y, force, other = me.dynamicsymbols("x y F r")
    k, c = sm.symbols("k c")
    cart = EquationsOfMotion.from_lagrangian(m * x.diff() ** 2 / 2, k * x**2 / 2, [x], {x: force})
    driven = cart.with_inputs({force: other - c * y.diff()}, {y: (x - y) / c})
    driven = driven.with_inputs({other: -3 * x.diff()})
    X, values = np.array([[0.4, 0.1, 0.3], [0.2, -0.3, 0.5]]), {"m": 2, "k": 5, "c": 0.5}
    outputs = [force, force * x.diff(), x.diff(t, 2), y.diff(), force.diff(), m * x.diff(t, 2)]
    found = driven.compile_outputs(outputs, values)(np.zeros(2), X)
    position, speed, filtered = X.T
    rate = (position - filtered) / 0.5
    push = -3 * speed - 0.5 * rate
    a = (push - 5 * position) / 2
    change = -3 * a - 0.5 * (speed - rate) / 0.5
    wanted = np.array([push, push * speed, a, rate, change, 2 * a]).T
    np.testing.assert_allclose(found, wanted, rtol=1e-13)
    for output, message in (
        (force * x.diff(), r"the input F\(t\), which has no expression: .*with_inputs\({F: "),
        (x.diff(t, 2), r"no expression for the input F\(t\)"),
        (x.diff(t, 3), r"\(t, 3\)\) in an output does not follow from the state"),
        (other, r"r\(t\) in an output does not follow from the state"),
    ):
        with pytest.raises(ValueError, match=message):
            cart.compile_outputs(output, {"m": 2, "k": 5})


@pytest.mark.parametrize("facts", [{}, {"real": True}])
def test_energies_contain_absolute_values_and_signs(facts):
    """The force is the slope of V between two positions nearby."""
    x = me.dynamicsymbols("x", **facts)
    k, a, n = sm.symbols("k a n")
    values = {k: 2.0, a: 0.4, n: 2.5}
    for V in (
        k * sm.Abs(x) ** 3 / 3,
        k * (sm.Abs(x) - a) ** 2 / 2,
        k * sm.Abs(x - a) ** n,
        k * x**2 * sm.sign(x - a),
        k * (x - a) ** 2 * sm.Heaviside(x - a) / 2,
        sm.Piecewise((k * sm.Abs(x - a) ** 2, sm.Abs(x) > a), (sm.Abs(x), True)),
        k * sm.Max(0, sm.Abs(x) - a) ** 2 / 2,
    ):
        T = sm.Abs(x.diff()) ** 3 / 3 + (1 + sm.Abs(x)) * x.diff() ** 2 / 2
        eom = EquationsOfMotion.from_lagrangian(T, V, [x])
        f = eom.compile({s: values[s] for s in eom.parameters})
        potential = sm.lambdify(sm.Symbol("X", real=True), V.subs(values).subs(x, "X"))
        for at, speed in ((0.9, 0.3), (-0.6, -0.5), (0.1, 0.7)):
            push = -(potential(at + 1e-6) - potential(at - 1e-6)) / 2e-6
            mass = 2 * abs(speed) + 1 + abs(at)
            wanted = (push - np.sign(at) * speed**2 / 2) / mass
            assert f(0.0, [at, speed])[1] == pytest.approx(wanted, rel=1e-7)


def test_a_derivative_that_sympy_leaves_open_is_named():
    x = me.dynamicsymbols("x")
    for T, force in ((sm.Abs(x).diff(t) ** 2, 0), (x.diff() ** 2, sm.sign(x).diff(x))):
        with pytest.raises(ValueError, match=r"SymPy did not evaluate Derivative\(.*real=True"):
            EquationsOfMotion.from_lagrangian(T, 0, [x], {x: force})


def test_a_mass_that_changes_in_time_is_told_of():
    """Sand that falls into a cart at rest slows it down; sand that runs along does not."""
    x, t = me.dynamicsymbols("x"), me.dynamicsymbols._t
    N, O = me.ReferenceFrame("N"), me.Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", x * N.x)
    P.set_vel(N, x.diff() * N.x)
    with pytest.warns(UserWarning, match="the body cart changes in time: here the force is m a"):
        along = EquationsOfMotion.from_bodies(me.Particle("cart", P, 2 + t), [x], N)
    falls = EquationsOfMotion.from_lagrangian((2 + t) * x.diff() ** 2 / 2, 0, [x])
    assert along.compile({})(1.0, [0.0, 3.0])[1] == 0.0
    assert falls.compile({})(1.0, [0.0, 3.0])[1] == -1.0
