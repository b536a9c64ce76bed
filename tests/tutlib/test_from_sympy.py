"""Systems that SymPy's own tests form, taken over: the same accelerations and multipliers."""

import importlib
from typing import ClassVar

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from sympy.physics.mechanics.system import System

from tutlib import EquationsOfMotion, integrate
from tutlib.mechanics import ConstrainedEquations, trim
from tutlib.methods import OpenLoopWarning

t = me.dynamicsymbols._t

# Which test of SymPy's, and how many systems it forms.
FORMED = {
    "test_kane.test_aux": 2,
    "test_kane.test_input_format": 7,
    "test_kane4.test_replace_qdots_in_force": 6,
    "test_lagrange.test_disc_on_an_incline_plane": 1,
    "test_lagrange.test_rolling_disc": 1,
    "test_linearize.test_linearize_pendulum_kane_nonminimal": 1,
    "test_models.test_n_link_pendulum_on_cart_inputs": 4,
    "test_jointsmethod.test_four_bar_linkage_with_manual_constraints": 1,
    "test_system_class.TestSystemExamples.test_cart_pendulum_lagrange": 2,
}


class AllFormed(Exception):
    """A test of SymPy's has formed what we want of it; what it checks then takes minutes."""


def formed_by(name, count, monkeypatch):
    """Return the systems that a test of SymPy's forms."""
    found = []

    def recorded(form):
        def record(self, *arguments, **options):
            result = form(self, *arguments, **options)
            found.append(self)
            if len(found) == count:
                raise AllFormed
            return result

        return record

    for cls, form in (
        (me.KanesMethod, "kanes_equations"),
        (me.LagrangesMethod, "form_lagranges_equations"),
    ):
        monkeypatch.setattr(cls, form, recorded(getattr(cls, form)))
    module, *groups, function = name.split(".")
    place = importlib.import_module(f"sympy.physics.mechanics.tests.{module}")
    for group in groups:
        place = getattr(place, group)()
    with pytest.raises(AllFormed):
        getattr(place, function)()
    return found


def solve_at(matrix, right, numbers):
    """Solve two SymPy expressions for numbers put in for symbols."""
    function = sm.lambdify(list(numbers), (matrix, right), cse=True)
    return np.linalg.solve(*(np.asarray(part, float) for part in function(*numbers.values())))[:, 0]


def sympys_rates(method, numbers):
    """Return q̇, u̇ and multipliers from SymPy's own matrices, auxiliary speeds being zero."""
    q_dot = [coordinate.diff(t) for coordinate in method.q]
    if isinstance(method, me.LagrangesMethod):
        return solve_at(method.mass_matrix_full, method.forcing_full, numbers)
    auxiliary = dict.fromkeys(method._uaux, 0.0)
    rest = auxiliary | {speed.diff(t): 0.0 for speed in auxiliary}
    kinematics = solve_at(method.mass_matrix_kin, method.forcing_kin, rest | numbers)
    numbers = rest | numbers | dict(zip(q_dot, kinematics))
    return np.concatenate([kinematics, solve_at(method.mass_matrix, method.forcing, numbers)])


def taken_over(method):
    """Return equations of motion, with multipliers where there are constraints."""
    if isinstance(method, me.LagrangesMethod) and method.coneqs:
        return ConstrainedEquations.from_sympy(method).with_multipliers()
    return EquationsOfMotion.from_sympy(method)


def assert_moves_alike(method, eom, seed):
    """Compare the rates of random states with those by SymPy's matrices."""
    random = np.random.default_rng(seed)
    inputs = dict(zip(eom.inputs, random.uniform(0.5, 1.5, len(eom.inputs))))
    values = dict(zip(eom.parameters, random.uniform(0.5, 1.5, len(eom.parameters))))
    f = eom.with_inputs(inputs).compile(values)
    for time in (0.0, 0.7):
        x = random.uniform(0.2, 1.2, len(eom.states))
        numbers = {t: time} | values | inputs | dict(zip(eom.states, x))
        expected = sympys_rates(method, numbers)
        scale = np.abs(expected).max()
        np.testing.assert_allclose(f(time, x) / scale, expected / scale, rtol=0, atol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "count"), FORMED.items())
def test_it_moves_as_sympys_own_matrices_say(name, count, monkeypatch):
    for method in formed_by(name, count, monkeypatch):
        assert_moves_alike(method, taken_over(method), sum(map(ord, name)))


m, g, l, k, a, w = sm.symbols("m g l k a w", positive=True)


def test_coordinates_may_move_while_speeds_are_zero():
    """A ball's q are seen from a plate, and its speeds from the ground.

    The plate moves by a sin(w t) along x, and turns at the rate w; the ball is tied by a spring.
    """
    q, u = me.dynamicsymbols("q_1:3"), me.dynamicsymbols("u_1:3")
    ground, plate = me.ReferenceFrame("N"), me.ReferenceFrame("P")
    plate.orient_axis(ground, w * t, ground.z)
    moved = a * w * sm.cos(w * t)
    # velocity of the ball along the plate's axes: u = q̇ + ω × q + that of the plate
    drift = [w * q[1] - moved * sm.cos(w * t), -w * q[0] + moved * sm.sin(w * t)]
    ball = me.Point("B")
    ball.set_vel(ground, u[0] * plate.x + u[1] * plate.y)
    body = me.Particle("ball", ball, m)
    loads = [(ball, -k * (q[0] * plate.x + q[1] * plate.y))]
    kinematics = [c.diff(t) - speed - more for c, speed, more in zip(q, u, drift)]
    kane = me.KanesMethod(ground, q, u, kinematics)
    kane.kanes_equations([body], loads)
    eom = EquationsOfMotion.from_sympy(kane)
    assert eom.kinematic_matrix == sm.eye(2)
    assert eom.kinematic_drift.atoms(sm.Function) >= {eom.q[0], eom.q[1], sm.cos(w * t)}
    assert_moves_alike(kane, eom, 1)
    ours = EquationsOfMotion.from_bodies(
        [body], q, ground, loads, u=u, kinematic_drift=sm.Matrix(drift)
    )
    assert_moves_alike(kane, ours, 2)


def swinging_particle():
    """Return a pendulum's KanesMethod with an auxiliary speed along its string."""
    q, u, v, pull = me.dynamicsymbols("q u v S")
    ground, string = me.ReferenceFrame("N"), me.ReferenceFrame("A")
    string.orient_axis(ground, q, ground.z)
    string.set_ang_vel(ground, u * ground.z)
    bob = me.Point("B")
    bob.set_vel(ground, l * u * string.x - v * string.y)
    body = me.Particle("bob", bob, m)
    kane = me.KanesMethod(ground, [q], [u], [u - q.diff(t)], u_auxiliary=[v])
    kane.kanes_equations([body], [(bob, -m * g * ground.y + pull * string.y)])
    return kane, pull


class TestNoncontributingForces:
    def test_a_pendulum_s_tension_is_no_part_of_the_motion_and_is_given_if_asked_for(self):
        kane, pull = swinging_particle()
        values, moving = {m: 1.5, l: 2.0, g: 9.81}, [1.3, -9.81 / 2 * np.sin(0.7)]
        eom = EquationsOfMotion.from_sympy(kane)
        assert (eom.inputs, len(eom.states)) == ((), 2)
        np.testing.assert_allclose(eom.compile(values)(0.0, [0.7, 1.3]), moving, rtol=1e-14)
        eom = EquationsOfMotion.from_sympy(kane, forces=[pull])
        rates = eom.compile(values)(0.0, [0.7, 1.3, 0.0])
        tension = 1.5 * (2 * 1.3**2 + 9.81 * np.cos(0.7))
        np.testing.assert_allclose(rates, [*moving, tension], rtol=1e-14)


class TestConstrainedLagrange:
    def test_kinds_of_constraints_come_together(self):
        x, y, z = me.dynamicsymbols("x y z")
        method = me.LagrangesMethod(
            m * (x.diff(t) ** 2 + y.diff(t) ** 2 + z.diff(t) ** 2) / 2 - m * g * z,
            [x, y, z],
            hol_coneqs=[z - x**2 - a * sm.sin(t)],
            nonhol_coneqs=[y.diff(t) - x * z.diff(t) - w],
        )
        with pytest.raises(ValueError, match="compute the equations"):
            ConstrainedEquations.from_sympy(method)
        method.form_lagranges_equations()
        with pytest.raises(ValueError, match="convert it with ConstrainedEquations"):
            EquationsOfMotion.from_sympy(method)
        loop = ConstrainedEquations.from_sympy(method)
        assert loop.constraints == (z - x**2 - a * sm.sin(t),)
        assert loop.velocity_constraints == (y.diff(t) - x * z.diff(t) - w,)
        assert_moves_alike(method, loop.with_multipliers(), 3)


class TestConstrainedKaneAndSystem:
    VALUES: ClassVar = {"m": 1.0, "g": 9.81, "l": 2.0}

    @staticmethod
    def bob(x, y, u, w):
        """Return a frame, its fixed point, and a particle there with its weight."""
        N, O = me.ReferenceFrame("N"), me.Point("O")
        O.set_vel(N, 0)
        P = O.locatenew("P", x * N.x + y * N.y)
        P.set_vel(N, u * N.x + w * N.y)
        return N, O, me.Particle("b", P, m), (P, -m * g * N.y)

    def test_a_pendulum_in_two_coordinates_keeps_its_length(self):
        x, y, u, w = me.dynamicsymbols("x y u w")
        N, _, bob, weight = self.bob(x, y, u, w)
        kane = me.KanesMethod(
            N,
            [x],
            [u],
            [u - x.diff(), w - y.diff()],
            q_dependent=[y],
            u_dependent=[w],
            configuration_constraints=[x**2 + y**2 - l**2],
            velocity_constraints=[x * u + y * w],
        )
        kane.kanes_equations([bob], [weight])
        loop, whole = (cls.from_sympy(kane) for cls in (ConstrainedEquations, EquationsOfMotion))
        assert loop.velocity_constraints == ()
        for equations in (loop, whole):
            rest = trim(equations, self.VALUES, [0.3, -1.9, 0, 0])
            np.testing.assert_allclose(rest, [0, -2, 0, 0])
        state = loop.consistent_state(self.VALUES, [1.0, 1.0, 0.3, -0.3])
        rates = loop.with_multipliers().compile(self.VALUES)(0.0, [*state, 0.0])
        own = whole.compile(self.VALUES)(0.0, state)
        np.testing.assert_allclose(rates[:4], own, rtol=1e-12)
        with pytest.warns(OpenLoopWarning):
            integrate(whole.compile(self.VALUES), [0, 0.01], [0.0, -2.1, 1.0, 0.0])

    def test_a_system_brings_its_loads_and_its_constraints(self):
        x, y, u, w = me.dynamicsymbols("x y u w")
        N, O, bob, weight = self.bob(x, y, u, w)
        system = System(frame=N, fixed_point=O)
        system.add_bodies(bob)
        system.add_loads(weight)
        system.q_ind, system.u_ind = [x, y], [u, w]
        system.kdes = [u - x.diff(), 2 * w - 2 * y.diff()]
        way = me.LinearPathway(O, bob.point)
        system.add_actuators(me.ForceActuator(sm.Symbol("k") * (1 - way.length), way))
        free = EquationsOfMotion.from_sympy(system)
        values = self.VALUES | {"k": 50.0}
        pull = 50.0 * (np.sqrt(2) - 1) / np.sqrt(2)
        rates = free.compile({n: values[n] for n in ("m", "g", "k")})(0.0, [1.0, 1.0, 0.0, 0.0])
        np.testing.assert_allclose(rates[2:], [-pull, -pull - 9.81], rtol=1e-12)
        system.add_holonomic_constraints(x**2 + y**2 - l**2)
        with pytest.raises(ValueError, match="the System has constraints: convert it with"):
            EquationsOfMotion.from_sympy(system)
        loop = ConstrainedEquations.from_sympy(system)
        state = loop.consistent_state(values, [1.0, 1.0])
        fall = loop.with_multipliers().compile(values)(0.0, [*state, 0.0])
        np.testing.assert_allclose(fall[2:4], [9.81 / 2, -9.81 / 2], rtol=1e-12)
