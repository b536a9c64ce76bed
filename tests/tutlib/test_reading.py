"""What is given in symbols: what is plausibly meant is taken, and all else gets one sentence."""

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from straightline.expressions import evaluate
from tutlib.mechanics import ConstrainedEquations, EquationsOfMotion, linearize, trim
from tutlib.models import chain_recursion, double_pendulum, four_bar, pendulum
from tutlib.models.pendulum import exact_period
from tutlib.reading.parameters import parameter_values

t = me.dynamicsymbols._t
theta, phi, u = me.dynamicsymbols("theta phi u")
m, l = sm.symbols("m l", positive=True)
g, k = sm.symbols("g k", real=True)
T, V = m * (l * theta.diff()) ** 2 / 2, -m * g * l * sm.cos(theta)
#: Namesakes of the angle, which it is not.
PLAIN, REAL = sm.Symbol("theta"), me.dynamicsymbols("theta", real=True)
VALUES = {"m": 1.0, "l": 1.0, "g": 9.81}
GUESS = np.deg2rad([10, 20, -150])


@pytest.fixture(scope="module")
def arm():
    return EquationsOfMotion.from_lagrangian(T, V, [theta])


@pytest.fixture(scope="module")
def bob():
    x, y = me.dynamicsymbols("x y")
    kinetic = m * (x.diff() ** 2 + y.diff() ** 2) / 2
    return EquationsOfMotion.from_lagrangian(kinetic, m * g * y, [x, y])


class TestOneThingIsItsOwnList:
    def test_a_coordinate_and_a_speed(self, arm):
        assert EquationsOfMotion.from_lagrangian(T, V, q=theta) == arm
        assert EquationsOfMotion.from_lagrangian(T, V, theta, u=u).u == (u,)
        assert EquationsOfMotion(theta, theta.diff(), m, -theta).states == arm.states

    def test_a_constraint_and_an_independent_speed(self, bob):
        x, y = bob.q
        loop = ConstrainedEquations(bob, x**2 + y**2 - l**2)
        assert loop == ConstrainedEquations(bob, [x**2 + y**2 - l**2])
        for speed in (x.diff(), [x.diff()], "x_dot", ["x_dot"]):
            assert loop.with_independent_speeds(speed).u == (x.diff(),)
        skate = ConstrainedEquations(bob, (), x.diff() - y.diff())
        assert len(skate.velocity_constraints) == 1


class TestNamesForSymbols:
    @pytest.mark.parametrize("keep", [["q_1"], "q_1"])
    def test_a_name_is_kept(self, keep):
        linkage = four_bar()
        q = linkage.equations.q
        expected = linkage.consistent_state(GUESS, keep=[q[0]])
        assert expected[0] == GUESS[0]
        np.testing.assert_array_equal(linkage.consistent_state(GUESS, keep=keep), expected)
        loop, values = linkage.constrained, linkage.parameters
        np.testing.assert_array_equal(loop.consistent_state(values, GUESS, keep=keep), expected)
        np.testing.assert_array_equal(linkage.consistent_state(GUESS, keep=q[0]), expected)

    def test_names_of_independent_coordinates_and_of_what_is_free(self, bob):
        x, y = bob.q
        loop = ConstrainedEquations(bob, x**2 + y**2 - l**2)
        for name in ("x", ["x"], x):
            assert linearize(loop, [0, -1, 0, 0], VALUES, independent=name).states[0] == x
        for name in ("theta", theta):
            np.testing.assert_allclose(trim(arm_with_torque(), VALUES, [0.1, 0], free=name), 0)
        with pytest.raises(ValueError, match="no such state or input: y"):
            trim(arm_with_torque(), VALUES, [0.1, 0], free="y")

    def test_each_derivative_has_its_name(self):
        """The rates of two angles are two states: a point given by them is not mixed up."""
        model = double_pendulum().free()
        first, second = (angle.diff() for angle in model.equations.q)
        for given in ({first: 1.0, second: 2.0}, {"theta_1_dot": 1.0, "theta_2_dot": 2.0}):
            theirs = linearize(model.equations, given | {"theta_1": 0}, model.parameters)
            ours = linearize(model.equations, [0, 0, 1.0, 2.0], model.parameters)
            np.testing.assert_array_equal(theirs.A, ours.A)


def arm_with_torque():
    return EquationsOfMotion.from_lagrangian(T, V, theta, {theta: me.dynamicsymbols("tau")})


class TestForgottenDynamicsymbols:
    """Each of these gave free motion, without a word."""

    @pytest.mark.parametrize(
        ("kinetic", "potential", "message"),
        [
            (T, V.subs(theta, PLAIN), r"theta in T, V .* plain symbol.*dynamicsymbols"),
            (T, V + m * phi, r"phi\(t\) is in V, but is none of the .*theta\(t\).*add it to q"),
            (T + phi.diff() ** 2, V, r"Derivative\(phi\(t\), t\) is in T, but phi\(t\) is none"),
            (T, V + REAL, r"theta\(t\) in T, V .* another function"),
        ],
    )
    def test_it_is_named(self, kinetic, potential, message):
        with pytest.raises(ValueError, match=message):
            EquationsOfMotion.from_lagrangian(kinetic, potential, [theta])

    def test_in_forces_inputs_outputs_and_constraints(self, arm):
        for call in (
            lambda: EquationsOfMotion.from_lagrangian(T, V, theta, {theta: -PLAIN}),
            lambda: arm_with_torque().with_inputs({"tau": -PLAIN}),
            lambda: arm.compile_outputs([PLAIN], VALUES),
            lambda: ConstrainedEquations(arm, [theta - PLAIN]),
            lambda: EquationsOfMotion([theta], [u], [[m]], [PLAIN]),
        ):
            with pytest.raises(ValueError, match=r"theta in .* is a plain symbol"):
                call()


class TestExpressions:
    @pytest.mark.parametrize(
        "call",
        [
            lambda text: EquationsOfMotion.from_lagrangian(text, V, [theta]),
            lambda text: EquationsOfMotion.from_lagrangian(T, V, [theta], {theta: text}),
            lambda text: arm_with_torque().with_inputs({"tau": text}),
            lambda text: arm_with_torque().compile_outputs(text, VALUES),
            lambda text: linearize(arm_with_torque(), [0, text], VALUES),
            lambda text: chain_recursion(2, inputs={"tau_1": text}),
            lambda text: evaluate([text], {}),
        ],
    )
    def test_text_is_never_run(self, call, tmp_path):
        there = tmp_path / "written"
        with pytest.raises(TypeError, match=r"text"):
            call(f"__import__('pathlib').Path({str(there)!r}).write_text('x')")
        assert not there.exists()


class TestBodies:
    def test_a_negative_mass_or_inertia_is_refused(self):
        frame, point = me.ReferenceFrame("N"), me.Point("P")
        point.set_vel(frame, theta.diff() * frame.x)
        body = me.ReferenceFrame("B")
        body.set_ang_vel(frame, theta.diff() * frame.z)
        with pytest.raises(ValueError, match="the mass of the body P is negative: -1"):
            EquationsOfMotion.from_bodies(me.Particle("P", point, -1), theta, frame)
        wheel = me.RigidBody("W", point, body, 1, (me.inertia(body, 1, 1, -2), point))
        with pytest.raises(ValueError, match="moment of inertia of the body W is negative: -2"):
            EquationsOfMotion.from_bodies(wheel, theta, frame)


class TestLinearize:
    @pytest.mark.parametrize(
        "force",
        [
            sm.Abs,
            sm.sign,
            sm.sqrt,
            lambda v: v / sm.Abs(v),
            lambda v: sm.Piecewise((v, v > 0), (2 * v, True)),
            lambda v: sm.Piecewise((1, v > 0), (-1, v < 0), (0, True)),
            lambda v: sm.Piecewise((m * (theta - k), theta > k), (0, True)),
            lambda v: sm.Piecewise((v, (v > 0) & (theta > 0)), (0, True)),
            lambda v: sm.Piecewise((2 * (sm.cos(v) - 1) / v, sm.Ne(v, 0)), (0, True)),
        ],
    )
    @pytest.mark.parametrize("values", [VALUES, None])
    def test_an_edge_has_no_small_motions(self, force, values):
        forces = {theta: -force(theta.diff()).subs(k, 0 if values is None else k)}
        eom = EquationsOfMotion.from_lagrangian(T, V, theta, forces)
        values = values and {n: values.get(n, 0) for n in map(str, eom.parameters)}
        message = "no derivative at theta_dot = 0, theta = 0, and so|equations are not finite at"
        with pytest.raises(ValueError, match=message):
            linearize(eom, [0, 0], values)

    @pytest.mark.parametrize(
        ("force", "slope"),
        [
            (lambda v: sm.Piecewise((v**2, v > 0), (-(v**2), True)), 0),
            (lambda v: sm.Piecewise((v, v > 0), (v + v**2, True)), 1),
            (lambda v: v * sm.Abs(v), 0),
            (lambda v: sm.Piecewise((v, (theta > -1) & (theta < 1)), (5 * v, True)), 1),
            (lambda v: v * sm.Piecewise((sm.sin(v) / v, sm.Ne(v, 0)), (1, True)), 1),
            (lambda v: sm.tanh(1e4 * v) * 1e3, 1e7),
        ],
    )
    def test_a_condition_that_joins_smoothly_or_elsewhere_has(self, force, slope):
        eom = EquationsOfMotion.from_lagrangian(T, V, theta, {theta: -force(theta.diff())})
        np.testing.assert_allclose(linearize(eom, [0, 0], VALUES).A, [[0, 1], [-9.81, -slope]])


lagrange, bodies = EquationsOfMotion.from_lagrangian, EquationsOfMotion.from_bodies
N, LINKAGE, ARM = me.ReferenceFrame("N"), four_bar(), pendulum().free()


def valued(value, **assumptions):
    return parameter_values([sm.Symbol("k", **assumptions)], {"k": value})


def compiled(values):
    return ARM.equations.compile(values)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: lagrange(T, V, {theta, phi}), "q must be a list, in order"),
        (lambda: lagrange(T, V, theta, u=[u, phi]), "u names the derivatives of q: 1 speeds"),
        (lambda: LINKAGE.with_multipliers(-10), "damping must be zero or positive; got"),
        (lambda: LINKAGE.consistent_state(GUESS, keep=["q_4"]), r"q_4 \(did you mean q_"),
        (lambda: bodies("P", theta, N), "a body must be a Particle or a RigidBody; got 'P'"),
        (lambda: bodies([], theta, N, [(me.Point("P"), 9.81)]), "a load must be a pair"),
        (lambda: valued(0, positive=True), "k must be positive; got 0"),
        (lambda: valued(0.5, integer=True), "k must be a whole number; got 0.5"),
        (lambda: compiled({**VALUES, m: 5}), "m is given twice"),
        (lambda: ARM.energies(np.zeros(10), np.zeros((11, 2))), r"t has shape \(10,\), which does"),
        (lambda: ARM.energies(np.zeros(9), np.zeros((2, 9))), r"\(2, 9\): transpose it, x\.T"),
        (lambda: linearize(ARM, [0, 0]), r"model\.equations"),
        (lambda: chain_recursion(10**9), "at most 10000 here; got 1000000"),
        (lambda: exact_period(1.0, "1"), "l must be a real number; got '1'"),
    ],
)
def test_what_makes_no_sense_is_told(call, told):
    with pytest.raises((TypeError, ValueError), match=told):
        call()
