"""The ladder: right machines pass it, and each planted mistake is found by its own rung."""

import inspect
import sys
from dataclasses import replace

import nbformat
import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from course.__main__ import main
from course.desk.verify_file import verify_file
from tests.slips.machines import RIGHT as SLIPPED
from tutlib import EquationsOfMotion, models
from tutlib.mechanics import ConstrainedEquations
from tutlib.models import (
    Body,
    Load,
    Model,
    Skeleton,
    chain,
    crane,
    double_pendulum,
    four_bar,
    pendulum,
    rigid_body,
    rolling_disc,
    servo_arm,
)
from verification import MUSEUM, Verification, verify
from verification.differentiation import Formulas, NoNumberError, slope
from verification.ladder import LADDER
from verification.museum import turning_table
from verification.namespace import machines_in, verify_names
from verification.results import Curves, Rung
from verification.verification_input import read_subject

units, mass_matrix, energy, forcing, newton, constraints, *further = LADDER
invariance, limits, small_motions, orders, mujoco = further
T = me.dynamicsymbols._t
m, l, J = sm.symbols("m l J", positive=True)
S = me.dynamicsymbols("s", real=True)
HELD = m * sm.Symbol("g", real=True)
NAMES = (
    "units",
    "mass matrix",
    "energy and power",
    "forcing",
    "Newton's laws",
    "constraints",
    "invariance",
    "limits",
    "small motions",
    "order of a method",
    "MuJoCo",
)


def first_failure(machine):
    """Climb until a rung breaks."""
    subject = read_subject(machine)
    return next((rung for check in LADDER if (rung := check(subject)).passed is False), None)


def with_forcing(model, *added):
    eom = model.equations
    return model.with_equations(replace(eom, forcing=eom.forcing + sm.Matrix(added)))


def on_a_line(mass, force):
    return EquationsOfMotion([S], [S.diff(T)], [[mass]], [force])


def ask(check, machine, **given):
    return check(read_subject(machine, **given))


# ---- the museum


def test_the_museum_has_a_wrong_machine_for_each_rung():
    own = NAMES[:-1]  # where MuJoCo is asked, it is asked last
    assert [name for name in own if name in {e.rung for e in MUSEUM}] == list(own)
    assert [NAMES.index(e.rung) for e in MUSEUM] == sorted(NAMES.index(e.rung) for e in MUSEUM)


@pytest.mark.slow
@pytest.mark.parametrize("exhibit", MUSEUM, ids=lambda e: e.name)
def test_a_wrong_machine_is_found_by_its_rung(exhibit):
    failed = first_failure(exhibit.wrong())
    assert failed is not None
    assert failed.name == exhibit.rung
    assert any(character.isdigit() for character in failed.sentence) or failed.name == "units"


def models_of_the_course():
    """Return every maker of a model that `tutlib.models` has by its name; none is made yet."""
    makers = {name: getattr(models, name) for name in models.__all__}
    return {
        name.replace("_", " "): make
        for name, make in makers.items()
        if callable(make) and inspect.signature(make).return_annotation == "Model"
    }


RIGHT = {
    **{exhibit.right().name: exhibit.right for exhibit in MUSEUM},
    **models_of_the_course(),
    "chain of 2, relative": lambda: chain(2, "relative"),
    "four-bar linkage by its input": lambda: four_bar().with_independent_speeds("q_1_dot"),
    "crane that holds its load": lambda: crane().with_inputs({"F": 0, "H": HELD}),
}


def test_no_model_of_the_course_is_left_out():
    assert RIGHT.keys() >= {"bicycle", "chain", "crane", "four bar", "rolling disc", "servo arm"}


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_machine_passes_all(name):
    found = verify(RIGHT[name]())
    assert found.failed is None
    assert found
    assert tuple(rung.name for rung in found.rungs) == NAMES


# ---- the rungs, one by one


class TestUnits:
    def test_what_does_not_fit_is_told_with_the_equation(self):
        wrong = with_forcing(pendulum(), pendulum().equations.u[0])
        found = ask(units, wrong)
        assert found.passed is False
        assert "the equation of θ̇" in found.sentence
        assert "N·m" in found.sentence

    def test_an_energy_in_another_unit_is_told(self):
        model = pendulum()
        found = ask(units, replace(model, potential_energy=model.potential_energy / m))
        assert found.sentence == "The potential energy is in m²/s², not in N·m (J)."
        assert found.curves.x == "how many times smaller the kilogram is"
        (times, one), (_, other) = found.curves.lines.values()
        assert list(found.curves.lines) == ["in m²/s²", "in N·m (J)"]
        assert (one == 1).all()
        assert (other == times).all()

    def test_what_is_added_and_differs_grows_apart_in_other_units(self):
        model = pendulum()
        found = ask(units, replace(model, kinetic_energy=model.kinetic_energy * (1 + l)))
        assert "the kinetic energy" in found.sentence
        assert found.curves.x == "how many times smaller the meter is"
        assert found.show().get_xscale() == "log"

    def test_units_may_be_given_and_none_may_be_known(self):
        bare = pendulum().equations
        assert ask(units, bare).passed is None
        assert ask(units, bare, units={"m": "kg", "l": "m", "g": "m/s²", "theta": "rad"}).passed
        assert not ask(units, bare, units={"m": "kg", "l": "s", "g": "m/s²", "tau": "J"}).passed
        assert "foot" in ask(units, pendulum(), units={"l": "foot"}).sentence


class TestMassMatrix:
    def test_one_entry_in_other_coordinates(self):
        model = double_pendulum()
        M = sm.Matrix(model.equations.mass_matrix)
        M[1, 0] = M[1, 0].xreplace({model.equations.q[0]: sm.S.Zero})
        wrong = model.with_equations(replace(model.equations, mass_matrix=M))
        found = ask(mass_matrix, wrong)
        assert found.passed is False
        assert "not symmetric" in found.sentence
        assert set(found.curves.lines) == {"M(1, 2)", "M(2, 1)"}


class TestEnergy:
    def test_friction_that_is_no_load_takes_energy_away(self):
        model = pendulum()
        rubbing = with_forcing(model, -0.3 * model.equations.u[0])
        found = ask(energy, rubbing)
        assert found.passed is False
        assert "a load that is not named" in found.sentence
        theta = model.equations.q[0]
        named = replace(rubbing, loads=(*model.loads, Load(-0.3 * theta.diff(T), theta)))
        assert ask(energy, named).passed

    def test_a_controller_with_a_state_of_its_own(self):
        model = pendulum()
        theta, z = model.equations.q[0], me.dynamicsymbols("z")
        servo = {"tau": -20 * theta - 2 * theta.diff(T) - 5 * z}
        assert ask(energy, model.with_inputs(servo, {z: theta})).passed


class TestForcing:
    def test_weight_that_is_wrong_at_rest(self):
        model = pendulum()
        theta = model.equations.q[0]
        found = ask(forcing, with_forcing(model, sm.cos(theta)))
        assert "It is wrong where nothing moves, too" in found.sentence

    def test_velocity_terms_follow_from_m_alone(self):
        eom = double_pendulum().free().equations
        assert ask(forcing, eom).passed
        one, two = eom.q
        lost = eom.forcing + sm.Matrix([one.diff(T) * two.diff(T), 0])
        found = ask(forcing, replace(eom, forcing=lost))
        assert found.passed is False
        assert "M gives" in found.sentence

    def test_friction_is_no_business_of_m(self):
        eom = pendulum().equations
        rubbing = replace(eom, forcing=eom.forcing - sm.Matrix([3 * eom.u[0]]))
        assert ask(forcing, rubbing).passed


class TestNewton:
    @pytest.mark.parametrize("part", range(3))
    def test_a_term_of_the_disc(self, part):
        """Its gyroscopic terms do no work together, and only the body tells them."""
        disc = rolling_disc()
        added = [0, 0, 0]
        added[part] = sm.Rational(1, 100) * disc.equations.u[0] * disc.equations.u[2]
        assert ask(newton, with_forcing(disc, *added)).passed is False

    def test_springs_and_weight_are_told_apart(self):
        model, k = pendulum(), sm.Symbol("k", positive=True)
        theta = model.equations.q[0]
        V = model.potential_energy + k * theta**2 / 2
        sprung = replace(model, potential_energy=V, parameters={**model.parameters, k: 3.0})
        assert ask(newton, with_forcing(sprung, -k * theta)).passed

    def test_a_pulley_is_a_body_that_only_turns(self):
        theta, tau = me.dynamicsymbols("theta tau")
        T_, body, load = J * theta.diff(T) ** 2 / 2, Body(1, (0, 0), J, theta), Load(tau, theta)
        wheel = Model.of(T_, 0, theta, {J: 2.0}, [body], [load])
        assert ask(newton, wheel).passed
        assert ask(newton, replace(wheel, bodies=(replace(body, inertia=2 * J),))).passed is False


class TestConstraints:
    def test_closed_equations_that_move_otherwise(self):
        model = four_bar().with_independent_speeds(["q_1_dot"])
        eom = model.equations
        wrong = replace(model, equations=replace(eom, forcing=2 * eom.forcing))
        found = ask(constraints, wrong)
        assert found.passed is False
        assert "move otherwise" in found.sentence
        assert ask(constraints, model).passed

    def test_damping_does_not_disturb_where_the_loop_is_closed(self):
        assert ask(constraints, four_bar().with_multipliers(5)).passed

    def test_a_constraint_that_time_moves_is_asked_and_its_energy_is_not(self):
        model = four_bar()
        one, other = model.constraints
        moved = replace(model, constraints=(one - sm.sin(T) / 9, other))
        assert ask(constraints, moved.constrained).passed
        assert ask(energy, moved).passed is None

    def test_a_wheel_that_does_not_slip(self):
        """A knife edge: v across it is zero, and no function of coordinates is."""
        x, y, phi = me.dynamicsymbols("x y phi")
        T_ = (m * (x.diff(T) ** 2 + y.diff(T) ** 2) + J * phi.diff(T) ** 2) / 2
        eom = EquationsOfMotion.from_lagrangian(T_, 0, [x, y, phi])
        across = y.diff(T) * sm.cos(phi) - x.diff(T) * sm.sin(phi)
        assert ask(constraints, ConstrainedEquations(eom, (), (across,))).passed


class TestInvariance:
    def test_a_speed_that_lost_its_square(self):
        model = replace(pendulum(), skeleton=Skeleton((), ()), bodies=())
        found = ask(invariance, with_forcing(model, model.equations.u[0] / 5))
        assert found.passed is False
        assert "Backward" in found.sentence

    def test_a_disc_is_turned_about_the_vertical(self):
        assert "Turned by" in ask(invariance, rolling_disc()).sentence

    def test_what_is_fixed_to_the_ground_is_not_turned(self):
        assert "ground" in ask(invariance, four_bar()).sentence
        assert "tied to the ground" in ask(invariance, servo_arm()).sentence


class TestLimits:
    def test_what_rolls_on_a_radius_may_be_left_out_and_a_model_may_say_so_itself(self):
        r = sm.Symbol("r", positive=True)
        T_, values = (m + J / r**2) * S.diff(T) ** 2 / 2, {m: 1.0, J: 1.0, r: 1.0}
        wheel = Model.of(T_, 0, S, values, [], skeleton=Skeleton((), ()))
        found = ask(limits, wheel.equations)
        assert found.passed is False
        assert "nonzero=['r']" in found.sentence
        assert found.curves.logarithmic
        assert ask(limits, wheel.equations, nonzero=("r",)).passed
        assert ask(limits, wheel).passed is False
        for said in ([r], ("r",)):
            knowing = replace(wheel, nonzero=said)
            assert knowing.nonzero == (r,)
            assert ask(limits, knowing).passed
            assert ask(limits, knowing.with_parameters({"r": 2.0})).passed

    def test_a_mass_that_is_subtracted(self):
        n = sm.Symbol("n", positive=True)
        found = ask(limits, on_a_line(2 * m - n, 0), values={"m": 1.0, "n": 1.0})
        assert found.passed is False
        assert "not positive" in found.sentence


class TestRuns:
    def test_a_machine_that_never_rests(self):
        assert ask(small_motions, on_a_line(1, -9.81)).passed is None

    def test_what_goes_straight_has_no_error_that_could_fall(self):
        found = ask(orders, on_a_line(1, 0))
        assert found.passed
        assert "nothing is left whose order could be seen" in found.sentence

    def test_a_sign_costs_the_order(self):
        found = ask(orders, on_a_line(1, -S - sm.sign(sm.sin(9 * T + 1))))
        assert found.passed is False
        assert found.curves.logarithmic
        assert ask(orders, pendulum()).passed


def right_machines_of_other_kinds():
    """Return machines for which one rung or another has no premise, and that rung's sentence."""
    t, (th, x, y) = T, me.dynamicsymbols("theta x y")
    g, k = sm.symbols("g k", positive=True)
    numbers = {m: 1.3, l: 0.9, g: 9.81, k: 2.1}

    def model(T, V, q, point, bodies=()):
        picture = Skeleton(points=((0, 0), point), lines=((0, 1),), bodies=(1,))
        known = {s: v for s, v in numbers.items() if (T + V).has(s)}
        return Model.of(T, V, q, known, bodies, skeleton=picture)

    rope, rod = SLIPPED["pendulum of changing length"](), (l * sm.sin(th), -l * sm.cos(th))
    flat = m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2
    magnet = k * (x**2 + y**2) / 2 + k * (x.diff(t) * y - y.diff(t) * x) / 3
    charge, carried = (
        model(flat, magnet, [x, y], (x, y), bodies) for bodies in ([], [Body(m, (x, y))])
    )
    spinning = m * l**2 * (th.diff(t) ** 2 + 25 * sm.sin(th) ** 2) / 2
    hoop = model(spinning, m * g * rod[1], [th], rod)
    two_springs = model(m * y.diff(t) ** 2 / 2, k * y**2 / 2 + k * sm.Max(0, y) ** 2, [y], (0, y))
    return {
        "rope": (rope, "invariance", "Backward in time it would be driven otherwise"),
        "charge": (charge, "invariance", "it tells forward from backward"),
        "body with a charge": (carried, "Newton's laws", "The potential energy holds speeds"),
        "hoop": (hoop, "invariance", "The picture does not show all that moves"),
        "two springs": (two_springs, "order of a method", "has a kink, and nothing jumps"),
    }


OTHER_KINDS = right_machines_of_other_kinds()


@pytest.mark.slow
class TestPremises:
    """A right machine is not called wrong by a rung that has nothing to say of it."""

    @pytest.mark.parametrize("name", OTHER_KINDS)
    def test_right_machines_of_other_kinds(self, name):
        machine, rung, sentence = OTHER_KINDS[name]
        found = verify(machine)
        assert found.passed, found.failed
        assert sentence in next(r.sentence for r in found.rungs if r.name == rung)

    @pytest.mark.parametrize("name", ["rope", "charge", "hoop"])
    def test_wrong_ones_are_still_found(self, name):
        """Their last forcing is wrong."""
        machine = OTHER_KINDS[name][0]
        F = sm.Matrix(machine.equations.forcing)
        F[len(F) - 1] *= -1
        wrong = replace(machine, equations=replace(machine.equations, forcing=F))
        assert first_failure(wrong).name in ("energy and power", "forcing")


OF_BODIES = [e for e in MUSEUM if e.rung in ("mass matrix", "forcing", "Newton's laws", "limits")]


@pytest.mark.slow
class TestMuJoCo:
    """Another program has the same M and the same forces; where it is missing, it is not asked."""

    @pytest.fixture
    def program(self):
        return pytest.importorskip("mujoco")

    @pytest.mark.parametrize(
        ("machine", "told"),
        [
            (pendulum, "on 1 hinge,"),
            (lambda: chain(4, "relative"), "on 4 hinges,"),
            (crane, "on 1 hinge and 3 slides,"),
            (rolling_disc, "1 of them free,"),
            (turning_table, "on 2 slides,"),
        ],
    )
    def test_a_machine_is_handed_over_on_its_joints(self, program, machine, told):
        found = ask(mujoco, machine())
        assert found.passed
        assert f"for these bodies, {told} and says" in found.sentence

    @pytest.mark.parametrize("exhibit", OF_BODIES, ids=lambda e: e.name)
    def test_what_newton_finds_it_finds_too(self, program, exhibit):
        """It knows bodies and loads, no more: of limits and constraints it says nothing."""
        newtons, found = (ask(check, exhibit.wrong()) for check in (newton, mujoco))
        assert found.passed is newtons.passed
        if not found.passed:
            assert len(found.curves.lines) == 2
            assert "MuJoCo" in found.sentence

    def test_a_body_that_slides_on_a_turning_one(self, program):
        """On a hinge and then a slide: the other order would go elsewhere."""
        (theta, s), I = me.dynamicsymbols("theta s"), sm.Symbol("I", positive=True)
        bead = Body(m, (s * sm.cos(theta), s * sm.sin(theta)), I, theta)
        T_ = (m * (s.diff(T) ** 2 + (s * theta.diff(T)) ** 2) + (J + I) * theta.diff(T) ** 2) / 2
        arm, values = Body(1, (0, 0), J, theta), {m: 2.0, J: 0.3, I: 0.7}
        turning = Model.of(T_, 0, [s, theta], values, [arm, bead])
        assert "on 1 hinge and 1 slide," in ask(mujoco, turning).sentence
        wrong = replace(turning, bodies=(arm, replace(bead, inertia=2 * I)))
        assert ask(mujoco, wrong).passed is False

    def test_a_light_machine_is_as_exact_as_a_heavy_one(self, program):
        small = pendulum().with_parameters({"m": 1e-6, "l": 1e-4})
        assert ask(mujoco, small).passed
        exhibit = next(e for e in MUSEUM if e.name == "The lost ½")
        assert ask(mujoco, exhibit.wrong(), values={"m": 1e-6, "l": 1e-4}).passed is False

    def test_a_body_that_cannot_be_is_refused(self, program):
        """No body has a moment of inertia larger than its two others together."""
        disc = rolling_disc()
        (body,) = disc.bodies
        strange = Body(body.mass, body.center, [1, 1, 7], body.turned)
        found = ask(mujoco, replace(disc, bodies=(strange,)))
        assert found.passed is None
        assert found.sentence.startswith("MuJoCo takes no such body")

    def test_where_it_is_missing_it_is_not_asked(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "mujoco", None)
        found = ask(mujoco, pendulum())
        assert found.passed is None
        assert "pip install mujoco" in found.sentence
        assert "No bodies" in ask(mujoco, replace(pendulum(), bodies=())).sentence

    def test_where_it_is_there_and_does_not_start_it_says_why(self, monkeypatch, tmp_path):
        text = "raise ImportError('libGL.so.1: cannot open shared object file')"
        (tmp_path / "mujoco.py").write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "mujoco", raising=False)
        found = ask(mujoco, pendulum())
        assert found.passed is None
        assert found.sentence == (
            "It is installed, and cannot be imported: libGL.so.1: cannot open shared object file."
        )


# ---- what it is called with, and what it gives


class TestVerify:
    def test_equations_are_asked_what_they_can_tell(self):
        found = verify(pendulum().equations)
        told = {rung.name: rung.passed for rung in found.rungs}
        asked = (
            "mass matrix",
            "forcing",
            "invariance",
            "limits",
            "small motions",
            "order of a method",
        )
        assert told == {name: True if name in asked else None for name in NAMES}
        assert found.summary == "machine: 6 of 11 checks passed, 5 had nothing to ask."

    def test_sympys_machines_are_read(self):
        theta = me.dynamicsymbols("theta")
        method = me.LagrangesMethod(theta.diff(T) ** 2 / 2 + sm.cos(theta), [theta])
        method.form_lagranges_equations()
        assert verify(method)

    def test_values_and_a_state_may_be_given(self):
        x = [0.1, 0.2]
        subject = read_subject(pendulum(), values={"l": 40.0}, near=x)
        values = {str(s): v for s, v in subject.values.items()}
        assert 36 <= values["l"] <= 44
        assert np.abs(subject.states[0][0] - 0.1) <= 0.3

    def test_numbers_are_unequal(self):
        subject = read_subject(chain(3))
        numbers = list(subject.values.values())
        assert len({round(n, 9) for n in numbers}) == len(numbers)


class TestRecord:
    @pytest.fixture
    def found(self):
        curves = Curves("time [s]", "energy [J]", {"one": (np.arange(3), np.arange(3.0))})
        rungs = (
            Rung("units", True, "All is well."),
            Rung("forcing", False, "F is 1 and not 2.", curves),
            Rung("limits", None, "Nothing to ask."),
        )
        return Verification("arm", rungs)

    def test_it_prints_as_a_table(self, found):
        assert repr(found).splitlines() == [
            "units    passed     All is well.",
            "forcing  FAILED     F is 1 and not 2.",
            "limits   not asked  Nothing to ask.",
            "",
            "arm: 1 of 3 checks passed, 1 had nothing to ask, 1 failed, the first of them forcing.",
        ]

    def test_long_sentences_are_wrapped(self):
        long = Verification("arm", (Rung("units", True, "a word " * 40),))
        lines = repr(long).splitlines()
        assert all(len(line) <= 100 for line in lines)
        assert lines[1].startswith(" " * 18)

    def test_a_notebook_shows_the_pictures_of_what_failed(self, found):
        html = found._repr_html_()
        assert html.count("<svg") == 1
        assert html.count("<tr>") == 4
        assert "F is 1 and not 2." in html

    def test_a_rung_is_found_by_name_and_what_passed_has_no_picture(self, found):
        assert found["forcing"] is found.failed
        assert not found
        assert not found.passed
        with pytest.raises(KeyError, match="there is no rung 'newton'"):
            found["newton"]
        axes = found["forcing"].show()
        assert axes.get_xlabel() == "time [s]"
        with pytest.raises(ValueError, match="units: passed, and there is no picture"):
            found["units"].show()


class TestNumbers:
    def test_what_arithmetic_cannot_follow_is_told(self):
        q = me.dynamicsymbols("q")
        f = Formulas([sm.besselj(0, q)], (q,), ())
        with pytest.raises(NoNumberError, match="cannot be differentiated"):
            slope(f, 0.0, [0.3], [1.0], [])


def test_loads_follow_the_inputs():
    closed = pendulum().with_inputs({"tau": 3})
    assert [load.value for load in closed.loads] == [3]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: verify(rigid_body()), "curved space"),
        (lambda: verify(3.0), "Give an EquationsOfMotion"),
        (lambda: verify(four_bar().with_multipliers().equations), "hold multipliers"),
        (lambda: verify(four_bar().equations), "has everything that moves a mass"),
        (
            lambda: verify(pendulum(), near=[1, 2, 3]),
            r"near must hold theta, theta_dot; got shape \(3,\)",
        ),
        (lambda: verify(pendulum(), values={"mm": 1.0}), "no such parameter: mm"),
        (lambda: verify(pendulum(), nonzero=["ll"]), "no such parameter: ll"),
        (lambda: replace(pendulum(), nonzero=["ll"]), "no such parameter: ll"),
        (lambda: replace(pendulum(), nonzero="l"), "nonzero must be a sequence"),
        (lambda: replace(pendulum(), bodies=(3,)), "Body"),
        (lambda: replace(pendulum(), units=["kg"]), "units"),
        (lambda: Body(1, (1,)), "two coordinates, or three"),
        (lambda: Body(1, (0, 0, 0), [1, 2]), "three moments"),
        (lambda: Body(1, (0, 0, 0), [1, 2, 3], sm.eye(2)), r"\(3, 3\)"),
        (lambda: Body("m", (0, 0)), "mass must be an expression"),
        (lambda: Load(1, "x"), "along must be an expression"),
    ],
)
def test_what_makes_no_sense_is_told(call, told):
    with pytest.raises((TypeError, ValueError), match=told):
        call()


class TestFound:
    def test_models_go_first_and_each_is_there_once(self):
        model = pendulum()
        names = {"_hidden": chain(1), "arm": model, "same": pendulum(), "eom": model.equations}
        assert machines_in(names) == {"arm": model}
        assert [*machines_in({"eom": model.equations, "x": 3})] == ["eom"]
        loop = four_bar().constrained
        assert [*machines_in({"eom": model.equations, "loop": loop})] == ["loop"]
        assert machines_in({"x": 3}) == {}

    def test_each_is_verified_or_told_why_not(self):
        bare = four_bar().equations
        ((name, passed, told),) = verify_names({"cut": bare})
        assert (name, passed) == ("cut", False)
        assert told.startswith("It cannot be verified: no state of the machine was found")


PROGRAM = """
import sympy.physics.mechanics as me
from pathlib import Path
from tutlib import EquationsOfMotion, models
assert Path("beside.txt").exists()
s = me.dynamicsymbols("s")
t = me.dynamicsymbols._t
cart = EquationsOfMotion([s], [s.diff(t)], [[2 + {extra}]], [-s])
other = EquationsOfMotion([s], [s.diff(t)], [[2]], [-2 * s])
"""


@pytest.mark.slow
class TestCommand:
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path):
        (tmp_path / "beside.txt").touch()
        return tmp_path

    def test_a_file_is_executed_in_its_folder(self, folder, capsys):
        path, cells = folder / "mine.ipynb", [nbformat.v4.new_code_cell(PROGRAM.format(extra="-4"))]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
        assert main(["verify", str(path)]) == 1
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == "cart"
        assert lines[-1] == "2 machines: to mend cart."

    @pytest.mark.parametrize(
        ("name", "text", "told"),
        [
            ("broken.py", "1 / 0", "does not run to its end: ZeroDivisionError: division by zero"),
            ("text.txt", "x", "a notebook ends with .ipynb, a program with .py"),
            ("bad.ipynb", "{}", "is no notebook"),
            ("latin.py", "# M\udcfcller", "latin.py cannot be read: "),
            ("gone.py", "import os; os._exit(3)", "has ended Python itself, in the program"),
        ],
    )
    def test_what_is_in_the_way_is_told(self, folder, capsys, name, text, told):
        (folder / name).write_text(text, encoding="utf-8", errors="surrogateescape")
        assert main(["verify", str(folder / name)]) == 1
        assert told in capsys.readouterr().err

    def test_what_does_not_finish_is_stopped(self, folder, capsys):
        path = folder / "waits.ipynb"
        cells = [nbformat.v4.new_code_cell(text) for text in ("x = 1", "while True:\n    pass")]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
        assert main(["verify", str(path), "--limit", "1"]) == 1
        assert capsys.readouterr().err == (
            f"{path} has not finished: cell 2 was stopped after 1 s; "
            "--limit 10 lets it run longer\n"
        )

    @pytest.mark.parametrize("limit", ["0", "-1", "inf", "nan", "soon"])
    def test_a_limit_is_a_number_of_seconds(self, folder, limit):
        with pytest.raises(SystemExit):
            main(["verify", "mine.py", "--limit", limit])

    def test_a_program_runs_as_python_runs_it(self, folder, capsys):
        """It has options of its own, another encoding, and an end that it chooses."""
        text = (
            "# -*- coding: latin-1 -*-\nimport argparse, sys\nname = 'M\xfcller'\n"
            f"argparse.ArgumentParser().parse_args()\nassert ord(name[1]) == 252\n"
            f"{PROGRAM.format(extra='0')}\nsys.exit()\n"
        )
        (folder / "mine.py").write_bytes(text.encode("latin-1"))
        assert main(["verify", str(folder / "mine.py")]) == 0, capsys.readouterr().err
        lines = capsys.readouterr().out.splitlines()
        assert (lines[0], lines[-1]) == ("cart", "2 machines: no check failed.")

    def test_a_file_that_is_not_there(self, folder):
        with pytest.raises(FileNotFoundError, match="there is no file"):
            verify_file(folder / "none.ipynb")
        with pytest.raises(TypeError, match="file must be a path"):
            verify_file(3)
