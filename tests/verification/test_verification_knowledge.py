"""What `verify` knows of weight, friction, momentum, drawings and rows; what it only asks."""

from dataclasses import replace

import pytest
import sympy as sm
import sympy.physics.mechanics as me

from tests.slips.machines import RIGHT, c, g, k, l, m, machine, tau, theta, x, x_1, x_2, y
from tests.slips.machines import r as radius
from tutlib import EquationsOfMotion
from tutlib.mechanics.modes import modes_in_words
from tutlib.models import Body, Load, Model, Skeleton, double_pendulum, four_bar, pendulum
from verification import verify
from verification.gravity import find_gravity
from verification.ladder import LADDER
from verification.questions import questions
from verification.verification_input import read_subject

units, mass_matrix, energy, _, newton, constraints, invariance, limits, *_ = LADDER
T = me.dynamicsymbols._t
BOB = (l * sm.sin(theta), -l * sm.cos(theta))
OTHER = sm.Symbol("gamma", positive=True)


def ask(check, model, **given):
    return check(read_subject(model, **given))


def hung(weighs, values=None, loads=()):
    """Return a pendulum with another weight, whose units nobody knows."""
    kinetic, V = m * l**2 * theta.diff(T) ** 2 / 2, -weighs * l * sm.cos(theta)
    every = kinetic + V + sum(load.value for load in loads)
    known = {s: v for s, v in {m: 1.3, l: 0.9, c: 0.7, **(values or {})}.items() if every.has(s)}
    bob = [Body(m, BOB)]
    return Model.of(kinetic, V, theta, known, bob, loads, skeleton=Skeleton((), ()))


class TestWeight:
    @pytest.mark.parametrize(
        ("weighs", "values", "pull"),
        [
            (9.81 * m, {}, 9.81),
            (m, {}, 1.0),
            (1.62 * m, {}, 1.62),
            (OTHER * m, {OTHER: 9.81}, None),
            (OTHER * m * sm.cos(k), {OTHER: 9.81, k: 0.4}, None),
        ],
    )
    def test_it_is_found_by_any_name_and_as_a_number(self, weighs, values, pull):
        subject = read_subject(hung(weighs, values))
        found = find_gravity(subject)
        assert (found.error, found.skipped) == ("", "")
        assert pull is None or found.acceleration == pytest.approx(pull)
        assert "weight and loads ask" in newton(subject).sentence

    @pytest.mark.parametrize(
        ("weighs", "values", "told"),
        [
            (-9.81 * m, {}, "weighs −9.81 N/kg, upward"),
            (-OTHER * m, {OTHER: 9.81}, "upward"),
            (sm.Float(9.81) / 2 * m, {}, "4.905 N/kg, which is no parameter and on no planet"),
            (OTHER * m / 2, {OTHER: 9.81}, "which is no parameter"),
        ],
    )
    def test_a_wrong_sign_or_size_is_told(self, weighs, values, told):
        found = ask(newton, hung(weighs, values))
        assert found.passed is False
        assert told in found.sentence

    def test_a_number_may_be_said_to_be_right(self):
        model = hung(4.905 * m)
        assert ask(newton, model, gravity=4.905).passed
        assert "gravity is 9.81" in ask(newton, model, gravity=9.81).sentence
        with pytest.raises(ValueError, match="no such parameter: gg"):
            verify(model, gravity="gg")

    def test_two_masses_weigh_alike(self):
        model = RIGHT["double pendulum of points"]()
        m_2 = model.bodies[1].mass
        V = sm.expand(model.potential_energy.xreplace({g: sm.Float(9.81)}))
        half = V - V.coeff(m_2) * m_2 / 2
        found = find_gravity(read_subject(replace(model, potential_energy=half)))
        assert found.error == "in V weight is 9.81 N/kg for m₁, and 4.905 for m₂"
        assert find_gravity(read_subject(replace(model, potential_energy=V))).error == ""

    def test_sideways_is_no_weight(self):
        model = replace(hung(9.81 * m), potential_energy=9.81 * m * l * sm.sin(theta))
        assert "sideways, with 9.81 N/kg" in find_gravity(read_subject(model)).error

    def test_a_ratio_of_gears_is_no_gravity(self):
        ratio = sm.Symbol("g", positive=True)
        bodies = [Body(m, BOB), Body(k, (0, 0), radius, ratio * theta)]
        kinetic = (m * l**2 + ratio**2 * radius) * theta.diff(T) ** 2 / 2
        V = -9.81 * m * l * sm.cos(theta)
        model = machine("gear", kinetic, V, [theta], bodies)
        assert ask(newton, model).passed
        assert read_subject(model).gravity is None

    def test_what_was_not_asked_is_said(self):
        table = machine("planet", m * x.diff(T) ** 2 / 2, 0, [x], [Body(m, (x, 0))])
        found = ask(newton, table)
        assert found.passed
        assert found.sentence.endswith("Weight was not asked: V holds none.")
        assert "otherwise than in weight" in ask(newton, RIGHT["planet"]()).sentence

    def test_its_unit_and_its_sign(self):
        assert "such as mm/s²" in ask(units, pendulum().with_parameters({"g": 9810.0})).sentence
        assert ask(units, pendulum().with_parameters({"g": 24.8})).passed
        assert "g is −9.81" in ask(newton, pendulum().with_parameters({"g": -9.81})).sentence


class TestLoads:
    def test_a_load_in_a_rate_with_named_speeds(self):
        model = hung(9.81 * m, loads=[Load(tau - c * theta.diff(T), theta)])
        eom, omega = model.equations, me.dynamicsymbols("omega")
        forcing = eom.forcing.subs(theta.diff(T), omega)
        named = EquationsOfMotion(
            [theta], [omega], eom.mass_matrix, forcing, kinematic_matrix=[[1]]
        )
        assert verify(replace(model, equations=named)).passed
        lost = replace(named, forcing=named.forcing + sm.Matrix([c * omega]))
        assert verify(replace(model, equations=lost)).failed.name == "energy and power"

    def test_a_torque_about_a_body_s_own_axis(self):
        right = RIGHT["satellite by a quaternion"]()
        speeds = right.equations.u
        other = replace(right, loads=(Load(tau, rate=speeds[1]),))
        assert ask(newton, right).passed
        assert ask(newton, other).passed is False

    def test_the_unit_of_a_power(self):
        drone = RIGHT["drone in the plane"]()
        first, second = drone.loads
        assert ask(units, drone).passed
        wrong = replace(drone, loads=(Load(first.value, rate=theta.diff(T)), second))
        assert "The power of F_1 is in" in ask(units, wrong).sentence

    def test_what_damps_takes_energy(self):
        loads = [Load(sign * c * theta.diff(T), theta) for sign in (-1, 1)]
        right, wrong = (ask(energy, hung(9.81 * m, loads=[load])) for load in loads)
        assert right.passed
        assert "The load c·θ̇ feeds energy" in wrong.sentence

    def test_a_name_of_ours_may_be_a_state(self):
        s = me.dynamicsymbols("work_of_the_loads")
        kinetic, V = m * s.diff(T) ** 2 / 2, k * s**2 / 2
        assert ask(energy, Model.of(kinetic, V, s, {m: 1.3, k: 14.0}, [Body(m, (s, 0))])).passed

    @pytest.mark.parametrize("value", [-c * (x_2 - x_1).diff(T), -k * (x_2 - x_1)])
    def test_what_pulls_has_two_ends(self, value):
        kinetic = m * (x_1.diff(T) ** 2 + x_2.diff(T) ** 2) / 2
        wagons = [Body(m, (x_1, 0)), Body(m, (x_2, 0))]
        right, wrong = (
            machine("wagons", kinetic, 0, [x_1, x_2], wagons, [Load(value, along)])
            for along in (x_2 - x_1, x_2)
        )
        assert ask(invariance, right).passed
        assert "Nothing holds it along x" in ask(invariance, wrong).sentence

    def test_a_mass_that_changes(self):
        rocket = RIGHT["rocket"]()
        assert "what leaves takes energy along" in ask(energy, rocket).sentence
        eom, fuel = rocket.equations, rocket.bodies[0].mass
        wrong = replace(eom, forcing=eom.forcing - sm.Matrix([eom.auxiliary[0][1] * y.diff(T)]))
        told = ask(newton, replace(rocket, equations=wrong)).sentence
        assert fuel.has(T)
        assert "What leaves takes its momentum along" in told


class TestBodies:
    def test_moments_of_inertia_that_no_body_has(self):
        right = RIGHT["satellite by a quaternion"]()
        assert ask(mass_matrix, right).passed
        wrong = ask(mass_matrix, right.with_parameters({"J_1": 5.0}))
        assert "the moments of inertia 5, 0.7 and 0.9 kg·m²" in wrong.sentence

    def test_a_link_turns_by_the_sum(self):
        right = RIGHT["arm in relative angles"]()
        first, second = right.bodies
        wrong = replace(right, bodies=(first, replace(second, turned=right.equations.q[1])))
        assert ask(invariance, right).passed
        assert "keeps its direction q₂" in ask(invariance, wrong).sentence


class TestLoops:
    T = m * (x.diff(T) ** 2 + y.diff(T) ** 2) / 2

    def test_a_drawing_that_stays_open(self):
        right = four_bar()
        q_3 = right.equations.q[2]
        turned = tuple(one.xreplace({q_3: -q_3}) for one in right.constraints)
        assert ask(constraints, right).passed
        found = ask(constraints, replace(right, constraints=turned))
        assert "no link reaches pivot 5" in found.sentence

    def test_constraints_that_depend_on_each_other(self):
        held = x**2 + y**2 - l**2
        once, twice = (
            machine("mass", self.T, m * g * y, [x, y], [Body(m, (x, y))], constraints=some)
            for some in ([held], [held, 2 * held])
        )
        assert verify(once).passed
        with pytest.raises(ValueError, match="the gradient of constraint 2 is a combination"):
            verify(twice)

    def test_a_loop_that_cannot_be_closed(self):
        held = x**2 + y**2 + l**2
        model = machine("mass", self.T, 0, [x, y], [Body(m, (x, y))], constraints=[held])
        with pytest.raises(ValueError, match="can they be, with these lengths"):
            verify(model)


class TestRows:
    def scaled(self, factor, of_forcing=None):
        model = double_pendulum()
        eom, D, E = model.equations, sm.diag(1, factor), sm.diag(1, of_forcing or factor)
        return model.with_equations(
            replace(eom, mass_matrix=D * eom.mass_matrix, forcing=E * eom.forcing)
        )

    def test_a_motion_may_be_right_though_its_rows_are_scaled(self):
        found = verify(self.scaled(3))
        assert found.passed
        assert found["mass matrix"].sentence.startswith("The motion is right, and the rows of M")
        assert ask(limits, self.scaled(3)).passed is None
        assert ask(limits, self.scaled(1)).passed

    def test_one_row_alone_is_another_motion(self):
        assert ask(mass_matrix, self.scaled(3, of_forcing=1)).passed is False


class TestSmall:
    def test_decay_is_told_beside_frequency(self):
        dying = modes_in_words([-0.4 + 4.2j, -0.4 - 4.2j])
        assert dying == "swings at 0.6685 Hz, dying out by 0.4 1/s"
        assert modes_in_words([0.4 + 4.2j, 0.4 - 4.2j]) == "swings at 0.6685 Hz, growing by 0.4 1/s"
        assert modes_in_words([4.2j, -4.2j, 8.4j, -8.4j]) == "swings at 0.6685 and 1.337 Hz"
        assert modes_in_words([2.0, -2.0]) == "falls away, growing by 2 1/s"
        assert modes_in_words([-2.0, -3.0]) == "creeps to rest by 2 and 3 1/s"
        assert modes_in_words([0.0, 0.0]) == "neither swings nor falls"


class TestQuestions:
    @pytest.mark.parametrize(
        ("make", "told"),
        [
            (lambda: replace(pendulum(), bodies=()), "half of the ladder was not asked"),
            (lambda: hung(0), "V holds no weight"),
            (lambda: hung(9.81 * m, loads=[Load(-c * theta, theta)]), "does c rub"),
            (lambda: hung(9.81 * m, loads=[Load(tau, theta)] * 2), "stands twice"),
        ],
    )
    def test_what_only_its_maker_knows_is_asked(self, make, told):
        found = verify(make())
        assert found.passed
        assert any(told in question for question in found.questions)
        assert "? " in repr(found)
        assert told in found._repr_html_()
        assert verify(pendulum()).questions == ()

    def test_a_torque_against_the_ground(self):
        right = RIGHT["arm in absolute angles"]()
        assert ask(questions, right) == ()
        q_2 = right.equations.q[1]
        wrong = replace(right, loads=(right.loads[0], Load(right.loads[1].value, q_2)))
        assert "tau_2 turns a link against the ground" in ask(questions, wrong)[0]
        sprung = replace(right, potential_energy=right.potential_energy + k * q_2**2)
        assert "turns a link against the ground" in ask(questions, sprung)[0]

    def test_a_drawing_that_rises_where_v_falls(self):
        right = replace(pendulum(), bodies=())
        wrong = replace(right, potential_energy=-right.potential_energy)
        assert len(ask(questions, right)) == 1
        assert "rise: is the sign of its weight right" in ask(questions, wrong)[1]
        bare = replace(wrong, skeleton=Skeleton((), ()))
        assert len(ask(questions, bare)) == 1
