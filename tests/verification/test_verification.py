"""`verify`: each planted mistake is found by its own rung, in a sentence that names it."""

import inspect
from dataclasses import replace

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from tests.slips.machines import RIGHT as RIGHT_MACHINES
from tests.slips.machines import c, g, k, l, m, machine, of_bodies, tau, theta, x, x_1, x_2, y
from tutlib import EquationsOfMotion, models
from tutlib.mechanics import ConstrainedEquations
from tutlib.mechanics.modes import modes_in_words
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
)
from verification import MUSEUM, Verification, verify
from verification.ladder import LADDER, climb
from verification.results import Curves, Rung
from verification.verification_input import read_subject

T = me.dynamicsymbols._t
OTHER = sm.Symbol("gamma", positive=True)
BOB = (l * sm.sin(theta), -l * sm.cos(theta))
SPEEDS = {"m": "kg", "l": "m", "g": "m/s²", "theta": "rad"}


def ask(name, model, **given):
    """Return the result of one check."""
    return LADDER[name](read_subject(model, **given))


def with_forcing(model, *added):
    eom = model.equations
    return model.with_equations(replace(eom, forcing=eom.forcing + sm.Matrix(added)))


def hung(weight, values=None, loads=()):
    """Return a pendulum with a given weight, without units."""
    kinetic, V = m * l**2 * theta.diff(T) ** 2 / 2, -weight * l * sm.cos(theta)
    every = kinetic + V + sum(load.value for load in loads)
    known = {s: v for s, v in {m: 1.3, l: 0.9, c: 0.7, **(values or {})}.items() if every.has(s)}
    return Model.of(kinetic, V, theta, known, [Body(m, BOB)], loads, skeleton=Skeleton((), ()))


def test_the_museum_has_a_wrong_machine_for_each_rung_in_their_order():
    places = [[*LADDER].index(exhibit.rung) for exhibit in MUSEUM]
    assert places == sorted(places)
    assert {*places} == {*range(len(LADDER))}


@pytest.mark.slow
@pytest.mark.parametrize("exhibit", MUSEUM, ids=lambda e: e.name)
def test_a_wrong_machine_is_found_by_its_rung(exhibit):
    assert verify(exhibit.wrong()).failed.name == exhibit.rung


def models_of_the_course():
    """Return every maker of a model that `tutlib.models` has, by its name."""
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
    "crane that holds its load": lambda: crane().with_inputs({"F": 0, "H": m * g}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_machine_passes_all(name):
    found = verify(RIGHT[name]())
    assert found.failed is None
    assert [rung.name for rung in found.rungs] == [*LADDER]


# ---- what a sentence names


def extended(model, body):
    """Return a model with another last body."""
    return replace(model, bodies=(*model.bodies[:-1], body))


def loaded(model, *loads, of=None):
    """Return a model with the equations of some loads, which lists those loads, or others."""
    T_, V, q = model.kinetic_energy, model.potential_energy, list(model.equations.q)
    forces = {s: sum(load.value * load.along.diff(s) for load in of or loads) for s in q}
    return replace(
        model, equations=EquationsOfMotion.from_lagrangian(T_, V, q, forces), loads=loads
    )


def of_energies(model, T_=None, V=None):
    """Return a model without loads that follows from other energies."""
    T_, V = T_ or model.kinetic_energy, V or model.potential_energy
    eom = EquationsOfMotion.from_lagrangian(T_, V, list(model.equations.q))
    return replace(model, equations=eom, kinetic_energy=T_, potential_energy=V, loads=())


DOUBLE = RIGHT_MACHINES["double pendulum of points"]()
ARM = RIGHT_MACHINES["arm in absolute angles"]()
DAMPER = Load(-c * theta.diff(T), theta)
TORQUE = Load(tau - c * theta.diff(T), theta)
m_2, l_1 = (next(s for s in DOUBLE.parameters if str(s) == name) for name in ("m_2", "l_1"))
Q_1, J_2 = DOUBLE.equations.q[0], ARM.bodies[1].inertia
ONE_WAY = sm.Matrix(
    [[DOUBLE.equations.mass_matrix[0, 0], 0], [*DOUBLE.equations.mass_matrix[1, :]]]
)
NAMED = {
    "an equation": (
        lambda: with_forcing(of_bodies("p", [theta], [Body(m, BOB)]), -m * g * l * sm.sin(theta)),
        "energy and power",
        "lacks the term g·l·m·sin(θ)",
    ),
    "a load that is halved": (
        lambda: loaded(hung(9.81 * m), DAMPER, of=[Load(DAMPER.value / 2, theta)]),
        "energy and power",
        "The load −c·θ̇ is halved",
    ),
    "a load that is missing": (
        lambda: with_forcing(hung(9.81 * m, loads=[Load(tau, theta)]), -tau),
        "energy and power",
        "The load τ is missing",
    ),
    "a damper with the wrong sign": (
        lambda: hung(9.81 * m, loads=[Load(c * theta.diff(T), theta)]),
        "energy and power",
        "The load c·θ̇ adds energy",
    ),
    "the same beside an input": (
        lambda: hung(9.81 * m, loads=[Load(tau + c * theta.diff(T), theta)]),
        "energy and power",
        "The load c·θ̇ adds energy",
    ),
    "a term of M": (
        lambda: DOUBLE.with_equations(replace(DOUBLE.equations, mass_matrix=ONE_WAY)),
        "mass matrix",
        "It lacks the term l₁·l₂·m₂·cos(",
    ),
    "a mass in T": (
        lambda: of_energies(DOUBLE, DOUBLE.kinetic_energy + m_2 * (l_1 * Q_1.diff(T)) ** 2 / 2),
        "Newton's laws",
        "The part with m₂ differs by",
    ),
    "an inertia": (
        lambda: extended(ARM, replace(ARM.bodies[1], inertia=2 * J_2)),
        "Newton's laws",
        "The part with J₂ differs by",
    ),
    "a mass in V": (
        lambda: of_energies(DOUBLE, V=DOUBLE.potential_energy.xreplace({m_2: m_2 / 2})),
        "Newton's laws",
        "the part of m₂ in ∂V/∂q",
    ),
    "Coriolis without bodies": (
        lambda: replace(next(e for e in MUSEUM if "Coriolis" in e.name).wrong(), bodies=()),
        "Newton's laws",
        "lacks the term",
    ),
    "a damper with one end": (
        lambda: loaded(
            of_bodies("wagons", [x_1, x_2], [Body(m, (x_1, 0)), Body(m, (x_2, 0))]),
            Load(-c * (x_2 - x_1).diff(T), x_2),
        ),
        "momentum",
        "act on at its other end?",
    ),
}


@pytest.mark.parametrize("name", NAMED)
def test_the_sentence_names_the_term_the_body_or_the_load(name):
    make, rung, sentence = NAMED[name]
    failed = verify(make()).failed
    assert failed.name == rung
    assert sentence in failed.sentence


def test_the_kinetic_energy_differs_by_an_amount():
    """Of a body with twice its inertia, half the kinetic energy is missing."""
    body, load = Body(1, (0, 0), 2 * m, theta), Load(tau, theta)
    wheel = Model.of(m * theta.diff(T) ** 2 / 2, 0, theta, {m: 2.0}, [body], [load])
    subject = read_subject(wheel)
    speed, inertia = subject.states[0][1], subject.values[m]
    assert f"differs by −{inertia * speed**2 / 2:.4g} J." in ask("Newton's laws", wheel).sentence


@pytest.mark.parametrize("part", range(3))
def test_a_gyroscopic_term_of_the_disc(part):
    """Its terms do no work together, and only the body shows them."""
    disc = rolling_disc()
    added = [0, 0, 0]
    added[part] = sm.Rational(1, 100) * disc.equations.u[0] * disc.equations.u[2]
    assert ask("Newton's laws", with_forcing(disc, *added)).passed is False


# ---- weight


@pytest.mark.parametrize(
    ("weight", "values"),
    [
        (9.81 * m, {}),
        (m, {}),
        (1.62 * m, {}),
        (OTHER * m, {OTHER: 9.81}),
        (OTHER * m * sm.cos(k), {OTHER: 9.81, k: 0.4}),
        (g * m * sm.cos(k), {g: 9.81, k: 0.4}),
    ],
)
def test_weight_is_found_by_any_name_and_as_a_number(weight, values):
    assert "Weight" not in ask("Newton's laws", hung(weight, values)).sentence
    assert verify(hung(weight, values)).passed


@pytest.mark.parametrize(
    ("weight", "values", "sentence"),
    [
        (-9.81 * m, {}, "weighs −9.81 N/kg, so its weight would pull upward"),
        (-OTHER * m, {OTHER: 9.81}, "upward"),
        (sm.Float(9.81) / 2 * m, {}, "4.905 N/kg, which is neither a parameter"),
        (OTHER * m / 2, {OTHER: 9.81}, "which is neither a parameter"),
        (2 * g * m, {g: 9.81}, "but gravity is"),
        (g * m, {g: -9.81}, "g is −9.81"),
        (sm.S.Zero, {}, None),
    ],
)
def test_weight_with_a_wrong_sign_or_magnitude(weight, values, sentence):
    found = ask("Newton's laws", hung(weight, values))
    if sentence is None:
        assert "is the machine horizontal, or in space?" in found.sentence
    else:
        assert found.passed is False
        assert sentence in found.sentence


def test_weight_that_is_stated_or_sideways():
    model = hung(4.905 * m)
    assert ask("Newton's laws", model, gravity=4.905).passed
    assert "gravity is 9.81" in ask("Newton's laws", model, gravity=9.81).sentence
    sideways = of_energies(hung(g * m, {g: 9.81}), V=g * m * l * sm.sin(theta))
    assert "V grows with the horizontal position" in ask("Newton's laws", sideways).sentence


def test_a_gear_ratio_g_is_not_gravity():
    ratio, J = sm.Symbol("g", positive=True), sm.Symbol("r", positive=True)
    bodies = [Body(m, BOB), Body(k, (0, 0), J, ratio * theta)]
    kinetic = (m * l**2 + ratio**2 * J) * theta.diff(T) ** 2 / 2
    model = machine("gear", kinetic, -9.81 * m * l * sm.cos(theta), [theta], bodies)
    assert ask("Newton's laws", model).passed
    assert read_subject(model).gravity is None


# ---- units


def test_units_that_differ_are_named_with_the_equation():
    wrong = with_forcing(pendulum(), pendulum().equations.u[0])
    assert ask("units", wrong).sentence == "The equation of θ̇ adds 1/s and N·m (J)."
    model = pendulum()
    found = ask("units", replace(model, potential_energy=model.potential_energy / m))
    assert found.sentence == "The potential energy is in m²/s², not in N·m (J)."
    assert "such as mm/s²" in ask("units", model.with_parameters({"g": 9810.0})).sentence
    drone = RIGHT_MACHINES["drone in the plane"]()
    wrong = replace(drone, loads=(Load(drone.loads[0].value, rate=theta.diff(T)), drone.loads[1]))
    assert "The power of F_1 is in" in ask("units", wrong).sentence


def test_a_coordinate_without_a_unit_is_reported():
    bare = pendulum().equations
    assert ask("units", bare).passed is None
    assert "unit is given" not in ask("units", bare, units={**SPEEDS, "tau": "J"}).sentence
    without = {name: unit for name, unit in SPEEDS.items() if name != "theta"}
    assert "No unit is given for tau, theta" in ask("units", bare, units=without).sentence
    assert not ask("units", bare, units={**SPEEDS, "l": "s", "tau": "J"}).passed
    assert "foot" in ask("units", pendulum(), units={"l": "foot"}).sentence


def test_units_of_a_motor():
    """A torque k i, with i = (U − k θ̇)/R."""
    U, k_t, R = me.dynamicsymbols("U"), *sm.symbols("k_t R", positive=True)
    J = sm.Symbol("J", positive=True)
    eom = EquationsOfMotion.from_lagrangian(
        J * theta.diff(T) ** 2 / 2, 0, [theta], {theta: k_t * (U - k_t * theta.diff(T)) / R}
    )
    units = {"J": "kg m^2", "theta": "rad", "U": "V", "R": "V/A", "k_t": "N*m/A"}
    assert ask("units", eom, units=units).passed
    assert ask("units", eom, units={**units, "R": "V"}).passed is False
    hertz = EquationsOfMotion([x], [x.diff(T)], [[m]], [-k * x**1.5])
    assert ask("units", hertz, units={"m": "kg", "x": "m", "k": "N/m^1.5"}).passed
    assert not ask("units", hertz, units={"m": "kg", "x": "m", "k": "N/m"}).passed


# ---- mass matrix, constraints, runs


def test_moments_of_inertia_that_no_body_has():
    right = RIGHT_MACHINES["satellite by a quaternion"]()
    assert ask("mass matrix", right).passed
    wrong = ask("mass matrix", right.with_parameters({"J_1": 5.0}))
    assert "the moments of inertia 5, 0.7 and 0.9 kg·m²" in wrong.sentence


def test_rows_may_be_scaled_but_not_one_side_alone():
    model = double_pendulum()
    eom, D = model.equations, sm.diag(1, 3)
    scaled = replace(eom, mass_matrix=D * eom.mass_matrix, forcing=D * eom.forcing)
    found = verify(model.with_equations(scaled))
    assert found.passed
    assert found["mass matrix"].sentence.startswith("The accelerations are right")
    wrong = replace(scaled, forcing=eom.forcing)
    assert ask("mass matrix", model.with_equations(wrong)).passed is False
    bare = ask("mass matrix", scaled)
    assert bare.passed is None
    assert "M is not symmetric" in bare.sentence


def test_closed_equations_and_a_drawing_that_stays_open():
    model = four_bar().with_independent_speeds(["q_1_dot"])
    eom = model.equations
    wrong = replace(model, equations=replace(eom, forcing=2 * eom.forcing))
    assert "differ from M u̇ = F + Gᵀλ" in ask("constraints", wrong).sentence
    assert ask("constraints", four_bar().with_multipliers(5)).passed
    right = four_bar()
    q_3 = right.equations.q[2]
    turned = tuple(one.xreplace({q_3: -q_3}) for one in right.constraints)
    found = ask("constraints", replace(right, constraints=turned))
    assert "no link reaches pivot 5" in found.sentence


def test_a_constraint_that_depends_on_time():
    model = four_bar()
    first, second = model.constraints
    moved = replace(model, constraints=(first - sm.sin(T) / 9, second))
    assert ask("constraints", moved.constrained).passed
    assert ask("energy and power", moved).passed is None


def sleigh(arm=1, moment=1):
    """Return a sleigh on a blade, with its mass center ahead of it, as model and as equations."""
    x, y, theta, tau = me.dynamicsymbols("x y theta tau")
    a, i_c = sm.symbols("a I", positive=True)
    center = (x + a * sm.cos(theta), y + a * sm.sin(theta))
    T = m * sum(c.diff(me.dynamicsymbols._t) ** 2 for c in center) / 2
    T, q = T.subs(a, arm * a) + moment * i_c * theta.diff() ** 2 / 2, [x, y, theta]
    across = y.diff() * sm.cos(theta) - x.diff() * sm.sin(theta)
    body, load = Body(m, center, i_c, theta), Load(tau, theta)
    values = {"m": 2, "I": 0.3, "a": 0.4}
    model = Model.of(T, 0, q, values, [body], [load], velocity_constraints=across)
    loop = ConstrainedEquations(model.equations, (), across, [body], load)
    return model, loop


def test_what_rolls_or_glides_obeys_newtons_laws():
    model, loop = sleigh()
    driven = model.with_independent_speeds([loop.equations.u[0], loop.equations.u[2]])
    assert ask("Newton's laws", model).passed
    assert ask("constraints", driven).passed
    assert ask("Newton's laws", loop, gravity=0).passed
    assert ask("Newton's laws", sleigh(arm=2)[0]).passed is False
    assert ask("Newton's laws", sleigh(moment=1.1)[1], gravity=0).passed is False


def test_bodies_without_energies_have_weight():
    """A pendulum in Cartesian coordinates, with gravity as a symbol and as a number."""
    x, y = me.dynamicsymbols("x y")
    g, l = sm.symbols("g l", positive=True)

    def rung(pull, **gravity):
        eom = EquationsOfMotion([x, y], [x.diff(), y.diff()], m * sm.eye(2), [0, -m * pull])
        loop = ConstrainedEquations(eom, x**2 + y**2 - l**2, bodies=Body(m, (x, y)))
        return ask("Newton's laws", loop, **gravity)

    assert rung(g).passed
    assert rung(1.1 * g).passed is False
    assert rung(9.81, gravity=9.81).passed
    assert rung(9.81, gravity=9.0).passed is False
    assert "give gravity" in rung(9.81).sentence


def test_a_prescribed_acceleration_keeps_its_constraint():
    x, y, v, a = me.dynamicsymbols("x y v a")
    eom = EquationsOfMotion([x, y], [x.diff(), y.diff()], m * sm.eye(2), [-y, 0])
    loop = ConstrainedEquations(eom.with_inputs({}, {v: a}), (), x.diff() - v * y)
    assert ask("constraints", loop).passed


def test_constraints_that_depend_on_each_other_or_cannot_be_satisfied():
    kinetic, held = m * (x.diff(T) ** 2 + y.diff(T) ** 2) / 2, x**2 + y**2 - l**2

    def mass(*constraints):
        bodies = [Body(m, (x, y))]
        return machine("mass", kinetic, m * g * y, [x, y], bodies, constraints=constraints)

    assert verify(mass(held)).passed
    with pytest.raises(ValueError, match="the gradient of constraint 2 is a combination"):
        verify(mass(held, 2 * held))
    with pytest.raises(ValueError, match="Can they be, with these lengths"):
        verify(mass(x**2 + y**2 + l**2))


def test_what_does_not_apply_says_why():
    falling = EquationsOfMotion([x], [x.diff(T)], [[1]], [-9.81])
    assert ask("small motions", falling).passed is None
    assert ask("order of a method", falling).sentence.startswith("RK4 is exact up to rounding")
    rocket = RIGHT_MACHINES["rocket"]()
    assert "The mass varies" in ask("energy and power", rocket).sentence
    wrong = with_forcing(rocket, -rocket.equations.auxiliary[0][1] * y.diff(T))
    assert "Mass that leaves" in ask("Newton's laws", wrong).sentence
    assert "Weight was not checked" in ask("Newton's laws", RIGHT_MACHINES["planet"]()).sentence
    assert ask("momentum", ARM).passed is None
    bessel = read_subject(replace(hung(9.81 * m), potential_energy=sm.besselj(0, theta)))
    found = climb("Newton's laws", bessel)
    assert found.sentence == "It cannot be checked: besselj has no derivative here."


def test_a_mistake_in_solved_equations_is_named():
    """The accelerations are solved for by SymPy, and the mistake is planted before."""
    right = RIGHT_MACHINES["cart and pendulum"]()
    g = next(s for s in right.parameters if str(s) == "g")
    M, F = right.equations.mass_matrix, right.equations.forcing
    for changed, word in ((-g, "opposite sign"), (0, "missing"), (g / 2, "halved")):
        solved = replace(
            right.equations, mass_matrix=sm.eye(2), forcing=M.LUsolve(F.subs(g, changed))
        )
        found = ask("mass matrix", right.with_equations(solved))
        assert found.passed is False
        assert f"sin(θ) is {'there with the ' * (word[0] == 'o')}{word}" in found.sentence
    powers = replace(
        hung(9.81 * m), potential_energy=k * theta**12, parameters={m: 1.0, l: 1.0, k: 2.0}
    )
    assert "k·θ¹¹" in ask("Newton's laws", powers).sentence


def test_gravity_is_the_value_of_a_parameter_without_value():
    eom = EquationsOfMotion.from_lagrangian(m * x.diff(T) ** 2 / 2, m * g * x, [x])
    fall = ConstrainedEquations(eom, [x - l * T], bodies=[Body(m, (0, x))])
    assert verify(fall, gravity=3.7)["Newton's laws"].passed


def test_a_load_that_is_listed_twice():
    found = ask("energy and power", hung(9.81 * m, loads=[Load(tau, theta)] * 2))
    assert found.passed
    assert "The load τ is listed twice" in found.sentence


def test_a_kink_is_no_mistake_but_a_jump_may_be_one():
    jump = EquationsOfMotion([x], [x.diff(T)], [[1]], [-x - sm.sign(sm.sin(9 * T + 1))])
    found = ask("order of a method", jump)
    assert found.passed is False
    assert found.show().get_xscale() == "log"
    kink = EquationsOfMotion([x], [x.diff(T)], [[1]], [-9 * sm.Max(0, x) - x])
    found = ask("order of a method", kink)
    assert found.passed
    assert "The equations have a kink" in found.sentence


def test_speeds_with_names_of_their_own():
    model = hung(9.81 * m, loads=[TORQUE])
    eom, omega = model.equations, me.dynamicsymbols("omega")
    forcing = eom.forcing.subs(theta.diff(T), omega)
    named = EquationsOfMotion([theta], [omega], eom.mass_matrix, forcing, kinematic_matrix=[[1]])
    assert verify(replace(model, equations=named)).passed
    lost = replace(named, forcing=named.forcing + sm.Matrix([c * omega]))
    assert verify(replace(model, equations=lost)).failed.name == "energy and power"


def test_modes_in_words():
    dying = modes_in_words([-0.4 + 4.2j, -0.4 - 4.2j])
    assert dying == "swings at 0.6685 Hz, dying out by 0.4 1/s"
    assert modes_in_words([0.4 + 4.2j, 0.4 - 4.2j]) == "swings at 0.6685 Hz, growing by 0.4 1/s"
    assert modes_in_words([4.2j, -4.2j, 8.4j, -8.4j]) == "swings at 0.6685 and 1.337 Hz"
    assert modes_in_words([2.0, -2.0]) == "falls away, growing by 2 1/s"
    assert modes_in_words([-2.0, -3.0]) == "creeps to rest by 2 and 3 1/s"
    assert modes_in_words([0.0, 0.0]) == "neither swings nor falls"


# ---- input and results


def test_equations_without_energies_and_sympys_machines():
    found = verify(pendulum().equations)
    asked = ("mass matrix", "small motions", "order of a method")
    results = {rung.name: rung.passed for rung in found.rungs}
    assert results == {name: True if name in asked else None for name in LADDER}
    assert found.summary == "machine: 3 of 8 checks passed, 5 did not apply."
    method = me.LagrangesMethod(theta.diff(T) ** 2 / 2 + sm.cos(theta), [theta])
    method.form_lagranges_equations()
    assert verify(method)


def test_numbers_are_unequal_and_near_the_given_ones():
    subject = read_subject(pendulum(), values={"l": 40.0}, near=[0.1, 0.2])
    assert 36 <= subject.values[next(s for s in subject.values if str(s) == "l")] <= 44
    assert np.abs(subject.states[0][0] - 0.1) <= 0.3
    numbers = [*read_subject(chain(3)).values.values()]
    assert len({round(n, 9) for n in numbers}) == len(numbers)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: verify(rigid_body()), "curved space"),
        (lambda: verify(3.0), "Give an EquationsOfMotion"),
        (lambda: verify(four_bar().with_multipliers().equations), "contain multipliers"),
        (lambda: verify(four_bar().equations), "Does everything that moves have a mass"),
        (
            lambda: verify(pendulum(), near=[1, 2, 3]),
            r"near must contain theta, theta_dot; got shape \(3,\)",
        ),
        (lambda: verify(pendulum(), values={"mm": 1.0}), "no such parameter: mm"),
        (lambda: verify(pendulum(), gravity="gg"), "no such parameter: gg"),
        (lambda: replace(pendulum(), bodies=(3,)), "Body"),
        (lambda: replace(pendulum(), units=["kg"]), "units"),
        (lambda: Body(1, (1,)), "two or three coordinates"),
        (lambda: Body(1, (0, 0, 0), [1, 2]), "three moments"),
        (lambda: Body(1, (0, 0, 0), [1, 2, 3], sm.eye(2)), r"\(3, 3\)"),
        (lambda: Body("m", (0, 0)), "mass must be an expression"),
        (lambda: Load(1, "x"), "along must be an expression"),
    ],
)
def test_invalid_input(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


@pytest.fixture
def found():
    curves = Curves("time [s]", "energy [J]", {"one": (np.arange(3), np.arange(3.0))})
    rungs = (
        Rung("units", True, "All is well."),
        Rung("momentum", False, "It is 1 and not 2.", curves),
        Rung("constraints", None, "There are none."),
    )
    return Verification("arm", rungs)


def test_a_verification_prints_as_a_table(found):
    assert repr(found).splitlines() == [
        "units        passed     All is well.",
        "momentum     FAILED     It is 1 and not 2.",
        "constraints  not asked  There are none.",
        "",
        "arm: 1 of 3 checks passed, 1 did not apply, 1 failed, the first of them",
        "momentum.",
    ]
    long = repr(Verification("arm", (Rung("units", True, "a word " * 40),))).splitlines()
    assert all(len(line) <= 80 for line in long)
    html = found._repr_html_()
    assert (html.count("<svg"), html.count("<tr>")) == (1, 4)


def test_a_rung_by_name_and_its_picture(found):
    assert found["momentum"] is found.failed
    assert not found
    with pytest.raises(KeyError, match="there is no rung 'newton'"):
        found["newton"]
    assert found["momentum"].show().get_xlabel() == "time [s]"
    with pytest.raises(ValueError, match="units: passed, and there are no curves"):
        found["units"].show()
