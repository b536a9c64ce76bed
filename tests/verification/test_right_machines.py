"""Right machines of unusual form: no check calls any of them wrong."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.slips.machines import RIGHT as MACHINES
from tests.slips.machines import hung, machine, moving, of_bodies
from tutlib import EquationsOfMotion
from tutlib.mechanics import ConstrainedEquations
from tutlib.models import Body, Load, Model, Skeleton
from tutlib.units import unit_of
from verification import verify
from verification.ladder import climb
from verification.verification_input import read_subject

t = me.dynamicsymbols._t
x, y, r, theta, phi, tau = me.dynamicsymbols("x y r theta phi tau")
m, M, l, h, k, c, J, g, alpha = sm.symbols("m M l h k c J g alpha", positive=True)
ROD = (l * sm.sin(theta), -l * sm.cos(theta))
PENDULUM = m * l**2 * theta.diff(t) ** 2 / 2


def model(T, V, q, values, bodies=(), loads=(), **more):
    more = {"skeleton": Skeleton((), ()), **more}
    return Model.of(T, V, q, values, bodies, loads, **more)


def particle(V, values, loads=(), **more):
    """Return a particle on a line with a potential energy."""
    return model(
        m * x.diff(t) ** 2 / 2, V, [x], {m: 1.3, **values}, [Body(m, (x, 0))], loads, **more
    )


def satellite(unit):
    """Return a satellite in polar coordinates on its circular orbit, in meters or kilometers."""
    mu = sm.Symbol("mu", positive=True)
    T = m * (r.diff(t) ** 2 + r**2 * phi.diff(t) ** 2) / 2
    body = Body(m, (r * sm.cos(phi), r * sm.sin(phi)))
    values = {m: 1000.0, mu: 3.986e5 * unit**3}
    return model(T, -mu * m / r, [r, phi], values, [body]), [7e3 * unit, 0, 0, 1.078e-3]


def moon():
    """Return the Moon about the Earth in SI units."""
    G, M_e = sm.symbols("G M_e", positive=True)
    T = m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2
    V = -G * M_e * m / sm.sqrt(x**2 + y**2)
    values = {m: 7.35e22, M_e: 5.97e24, G: 6.674e-11}
    return model(T, V, [x, y], values, [Body(m, (x, y))]), [3.844e8, 0, 0, 1018.0]


def kepler():
    """Return an orbit in w = 1/r."""
    w, mu = me.dynamicsymbols("w"), sm.Symbol("mu", positive=True)
    T = m * (w.diff(t) ** 2 / w**4 + phi.diff(t) ** 2 / w**2) / 2
    body = Body(m, (sm.cos(phi) / w, sm.sin(phi) / w))
    return model(T, -mu * m * w, [w, phi], {m: 1.0, mu: 1.0}, [body]), [1, 0, 0, 1]


def conical_pendulum():
    """Return a pendulum in space near its steady rotation."""
    place = (l * sm.sin(theta) * sm.cos(phi), l * sm.sin(theta) * sm.sin(phi), -l * sm.cos(theta))
    T = m * l**2 * (theta.diff(t) ** 2 + (sm.sin(theta) * phi.diff(t)) ** 2) / 2
    steady = [0.5, 0, 0, float(sm.sqrt(9.81 / sm.cos(0.5)))]
    values = {m: 1.0, l: 1.0, g: 9.81}
    return model(T, m * g * place[2], [theta, phi], values, [Body(m, place)]), steady


def small_pendulum():
    """Return two links of 1 µm."""
    elbow = (l * sm.sin(theta), -l * sm.cos(theta))
    bodies = [Body(m, elbow), Body(m, (elbow[0] + l * sm.sin(phi), elbow[1] - l * sm.cos(phi)))]
    made = of_bodies("two links", [theta, phi], bodies)
    return made.with_parameters({m: 1e-15, l: 1e-6})


def disk_with_a_hole():
    """Return a disk on a pivot; its hole is a body of negative mass."""
    m_h, d = sm.symbols("m_h d", positive=True)
    hole = (d * sm.sin(theta), -d * sm.cos(theta))
    bodies = [Body(m, (0, 0), m * l**2 / 2, theta), Body(-m_h, hole, -m_h * h**2 / 2, theta)]
    T = (m * l**2 / 2 - m_h * h**2 / 2 - m_h * d**2) * theta.diff(t) ** 2 / 2
    values = {m: 2.0, m_h: 0.3, l: 0.5, h: 0.15, d: 0.2, g: 9.81}
    return model(T, -m_h * g * hole[1], [theta], values, bodies)


def axle():
    """Return a pendulum in space on an axle, of which only the own rotation is counted."""
    axes = sm.rot_ccw_axis3(phi)
    bodies = [Body(m, (0, 0, 0), [0, 0, J], axes)]
    T = J * phi.diff(t) ** 2 / 2
    return model(T, k * phi**2 / 2, [phi], {J: 0.4, k: 2.0, m: 1.0}, bodies)


def block_on_an_incline(second=False):
    """Return a block in axes along an incline; or one that may also leave it."""
    T, V = m * x.diff(t) ** 2 / 2, -m * g * x * sm.sin(alpha)
    q, center = [x], (x, 0)
    if second:
        T += m * y.diff(t) ** 2 / 2
        V += m * g * y * sm.cos(alpha) + k * y**2 / 2
        q, center = [x, y], (x, y)
    values = {m: 1.0, g: 9.81, alpha: 0.4, **({k: 30.0} if second else {})}
    return model(T, V, q, values, [Body(m, center)])


def raised_rail():
    """Return a cart on a rail whose height occurs only in the position of the cart."""
    return model(
        m * x.diff(t) ** 2 / 2,
        k * x**2 / 2,
        [x],
        {m: 1.0, k: 4.0, h: 0.7},
        [Body(m, (x, h))],
    )


def weight_without_work():
    """Return a cart with a pendulum, whose height is constrained: V leaves out its weight."""
    bob = hung(l, theta, (x, y))
    T = moving(M, (x, y)) + moving(m, bob)
    bodies = [Body(M, (x, y)), Body(m, bob)]
    V = -m * g * l * sm.cos(theta)
    return machine("cart", T, V, [x, y, theta], bodies, constraints=[y])


def webers_force():
    """Return two charges with Weber's force, whose potential depends on the speed."""
    speed = sm.Symbol("v_c", positive=True)
    V = k / x * (1 - x.diff(t) ** 2 / (2 * speed**2))
    return particle(V, {k: 2.0, speed: 9.0}), [1.5, 0.1]


def two_argon_atoms():
    """Return the distance of two atoms, whose potential has the twelfth power of 0.3 nm."""
    V = 4 * k * ((l / x) ** 12 - (l / x) ** 6)
    return particle(V, {m: 3.3e-26, k: 1.65e-21, l: 3.4e-10}), [3.8e-10, 0]


def double_pendulum_solved():
    """Return the accelerations of a double pendulum, with M = 1."""
    d, p, q = theta - phi, theta.diff(t), phi.diff(t)
    mass = sm.Matrix([[2 * l**2, l**2 * sm.cos(d)], [l**2 * sm.cos(d), l**2]])
    force = sm.Matrix(
        [
            -(l**2) * q**2 * sm.sin(d) - 2 * g * l * sm.sin(theta),
            l**2 * p**2 * sm.sin(d) - g * l * sm.sin(phi),
        ]
    )
    return EquationsOfMotion([theta, phi], [p, q], sm.eye(2), mass.LUsolve(force))


def rows_combined():
    """Return a cart and pendulum whose first equation gives the acceleration of the cart."""
    matrix = [[1, 0], [m * l * sm.cos(theta), m * l**2]]
    return EquationsOfMotion(
        [x, theta], [x.diff(t), theta.diff(t)], matrix, [k, -m * g * l * sm.sin(theta)]
    )


def atwood():
    """Return two weights on a rope that is a constraint."""
    T = (m * x.diff(t) ** 2 + M * y.diff(t) ** 2) / 2
    eom = EquationsOfMotion.from_lagrangian(T, m * g * x + M * g * y, [x, y])
    return ConstrainedEquations(eom, [x + y + l])


D, a = sm.symbols("D a", positive=True)
POTENTIALS = {
    "exp": D * (1 - sm.exp(-a * (x - 1))) ** 2,
    "log": D * sm.log(1 + (x / a) ** 2),
    "cosh": D * sm.cosh(x / a),
    "Max": D * sm.Max(0, x - a) ** 2,
    "Piecewise": D * sm.Piecewise((x**2, x < 0), (2 * x**2, True)),
    "Hertz": D * sm.Max(0, x) ** 2.5 + a * x**2,
    "atan": D * sm.atan(x / a) * x,
    "asinh": D * sm.asinh(x / a) * x,
    "erf": D * sm.erf(x / a) * x,
}
v = x.diff(t)
#: Loads under which no run near rest is linear, or that add energy at small amplitudes only.
LOADS = {
    "van der Pol's oscillator": k * (1 - x**2) * v,
    "Rayleigh's oscillator": k * v - c * v**3,
    "a force without a linear part": -k * x * sm.tanh(x),
}
KINKED = (
    "Max",
    "Piecewise",
    "a force that jumps",
    "Hertz",
    "a saturated servo",
    "a damper with one side",
)
RIGHT = {
    "a parameter only in a position": raised_rail,
    "an orbit in 1/r": kepler,
    "a conical pendulum": conical_pendulum,
    "a hole": disk_with_a_hole,
    "the Moon": moon,
    "an axle": axle,
    "an incline": block_on_an_incline,
    "a spring on an incline": lambda: block_on_an_incline(second=True),
    "a weight without work": weight_without_work,
    "solved accelerations": double_pendulum_solved,
    "combined rows": rows_combined,
    "negated rows": lambda: EquationsOfMotion([x], [x.diff(t)], [[-m]], [k * x]),
    "a satellite in meters": lambda: satellite(1e3),
    "a satellite in kilometers": lambda: satellite(1.0),
    "Weber's force": webers_force,
    "two argon atoms": two_argon_atoms,
    "a force that jumps": lambda: particle(
        k * sm.Abs(x), {k: 4.0, c: 0.1}, [Load(-c * sm.sign(x.diff(t)), x)]
    ),
    "a damper with one side": lambda: particle(
        k * x**2 / 2, {k: 9.0, c: 0.7}, [Load(-c * sm.Max(0, x.diff(t)), x)]
    ),
    "links of 1 µm": small_pendulum,
    "free fall": lambda: of_bodies("stone", [y], [Body(m, (0, y))]),
    "a throw": lambda: of_bodies("stone", [x, y], [Body(m, (x, y))]),
    "Atwood's rope": atwood,
    "a saturated servo": lambda: model(
        PENDULUM,
        -m * g * l * sm.cos(theta),
        [theta],
        {m: 1.0, l: 0.8, g: 9.81, k: 9.0, c: 0.7, h: 3.0},
        [Body(m, ROD)],
        [Load(sm.Max(-h, sm.Min(h, -k * theta - c * theta.diff(t))), theta)],
    ),
    "a servo of picograms": lambda: of_bodies(
        "servo",
        [theta],
        [Body(m, ROD)],
        loads=[Load(tau - c * theta.diff(t), theta)],
        units={"c": "N*m*s"},
    ).with_parameters({m: 1e-15, l: 1e-6, c: 1e-24}),
    "a bead of picograms": lambda: machine(
        "bead",
        moving(m, (x, y)),
        m * g * y,
        [x, y],
        [Body(m, (x, y))],
        constraints=[x**2 + y**2 - l**2],
    ).with_parameters({m: 1e-15, l: 1e-6}),
    "1e8 kg beside 1 g": lambda: of_bodies(
        "cart", [x, theta], [Body(M, (x, 0)), Body(m, (x + ROD[0], ROD[1]))]
    ).with_parameters({M: 1e8, m: 1e-3}),
    **{
        name: lambda V=V: particle(V, {s: 1.3 for s in (D, a) if V.has(s)})
        for name, V in POTENTIALS.items()
    },
    **{
        name: lambda F=F: particle(0, {s: 0.7 for s in (k, c) if F.has(s)}, [Load(F, x)])
        for name, F in LOADS.items()
    },
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_machine_is_not_rejected(name):
    made = RIGHT[name]()
    machine, near = made if isinstance(made, tuple) else (made, None)
    found = verify(machine, near=near)
    assert found.failed is None, found.failed
    assert not any("Jet" in rung.sentence or "ufunc" in rung.sentence for rung in found.rungs)
    if name not in KINKED:
        assert "kink" not in found["order of a method"].sentence
    if name in POTENTIALS:
        assert found["Newton's laws"].passed


STEADY = {
    "w, or 1/r": (kepler, lambda speed, angle: speed),
    "conical pendulum": (
        conical_pendulum,
        lambda speed, angle: speed * np.sqrt(1 + 3 * np.cos(angle) ** 2),
    ),
}


@pytest.mark.parametrize("name", STEADY)
def test_small_motions_about_a_steady_motion_have_the_known_frequency(name):
    made, angular_frequency = STEADY[name]
    machine, near = made()
    sentence = verify(machine, near=near)["small motions"].sentence
    assert sentence.startswith("It moves steadily at")
    at = dict(part.split(" = ") for part in sentence[21 : sentence.index(". Near")].split(", "))
    expected = angular_frequency(float(at["φ̇"]), float(at.get("θ", 0))) / (2 * np.pi)
    hertz = float(sentence[sentence.index("swings at ") + 10 : sentence.index(" Hz")])
    assert np.isclose(hertz, expected, rtol=1e-3)


def test_a_state_that_moves_but_not_steadily_is_no_steady_motion():
    machine, near = kepler()
    found = verify(machine, near=[*near[:2], 0.2, near[3]])["small motions"]
    assert found.passed is None
    assert "no steady motion" in found.sentence
    bent = machine.equations.forcing + sm.Matrix([0, sm.sin(phi)])  # φ is not cyclic anymore
    wrong = machine.with_equations(replace(machine.equations, forcing=bent))
    assert verify(wrong, near=near)["small motions"].passed is None


def in_units(made, length, mass, time):
    """Return a machine whose parameters are measured in other units of length, mass, and time."""
    factors = np.array([mass, length, time, 1.0])
    values = {
        symbol: value * np.prod(factors ** np.array(unit_of(made.units[str(symbol)]), dtype=float))
        for symbol, value in made.parameters.items()
    }
    return replace(made, parameters=values, units={})


CART = MACHINES["cart and pendulum"]()
GRAVITY = next(s for s in CART.parameters if str(s) == "g")
SCALED = {
    "a cart and pendulum": (CART, None),
    "the same with a wrong term": (
        CART.with_equations(
            replace(CART.equations, forcing=CART.equations.forcing.subs(GRAVITY, 0))
        ),
        "energy and power",
    ),
    "the same with half a mass in a body": (
        replace(CART, bodies=(CART.bodies[0], replace(CART.bodies[1], mass=m / 2))),
        "Newton's laws",
    ),
    "the same with M that is not symmetric": (
        CART.with_equations(
            replace(
                CART.equations,
                mass_matrix=sm.Matrix(
                    [[CART.equations.mass_matrix[0, 0], 0], [*CART.equations.mass_matrix[1, :]]]
                ),
            )
        ),
        "mass matrix",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SCALED)
@settings(max_examples=3, deadline=None)
@given(st.tuples(*[st.integers(-6, 6)] * 3))
def test_a_verdict_does_not_depend_on_the_units(name, powers):
    made, expected = SCALED[name]
    subject = read_subject(in_units(made, *(10.0**power for power in powers)))
    rungs = ("mass matrix", "energy and power", "Newton's laws")
    results = [climb(rung, subject) for rung in rungs]
    failed = next((rung.name for rung in results if not rung.passed), None)
    assert failed == expected
