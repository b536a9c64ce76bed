"""A museum of bugs: plausible but wrong machines, each with the right one.

Each error has actually been made, most of them in texts that the course cites. A different rung of
`verify` detects each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import sympy as sm
import sympy.physics.mechanics as me

from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.models.bodies import Body, Load
from tutlib.models.chain import chain
from tutlib.models.double_pendulum import double_pendulum
from tutlib.models.four_bar import four_bar
from tutlib.models.model import Model
from tutlib.models.pendulum import pendulum
from tutlib.models.skeleton import Skeleton

_T = me.dynamicsymbols._t


@dataclass(frozen=True, eq=False)
class Exhibit:
    """A wrong machine, the right one, and the check that distinguishes them.

    Parameters
    ----------
    name : str
    slip : str
        The error, in a sentence.
    rung : str
        The first check of `verify` that fails.
    wrong, right : function () -> Model
    source : str
        Key of the bibliography: where the error was made, or is explained.
    """

    name: str
    slip: str
    rung: str
    wrong: Callable[[], Model]
    right: Callable[[], Model]
    source: str


def _symbol(model: Model, name: str) -> sm.Symbol:
    """Return a parameter, a coordinate or an input of a model by its name."""
    eom = model.equations
    symbols = (*model.parameters, *eom.q, *eom.inputs)
    return next(s for s in symbols if str(s).removesuffix("(t)") == name)


def _of_energies(model: Model, T: sm.Expr, V: sm.Expr, **changed: sm.MatrixBase) -> Model:
    """Return a model with Lagrange's equations of other energies and the same loads."""
    eom, loads = model.equations, model.loads
    forces = {q: sm.Add(*(load.value * load.along.diff(q) for load in loads)) for q in eom.q}
    equations = EquationsOfMotion.from_lagrangian(T, V, list(eom.q), forces)
    return replace(model, equations=equations, kinetic_energy=T, potential_energy=V, **changed)


def _with_forcing(model: Model, added: sm.MatrixBase) -> Model:
    """Return a model with something added to F."""
    eom = model.equations
    return model.with_equations(replace(eom, forcing=eom.forcing + sm.Matrix(added)))


# ---- wrong and right machines


def divided_line() -> Model:
    """Return a double pendulum with one term from an equation that was divided by l₁."""
    model = double_pendulum()
    theta_1, theta_2 = model.equations.q
    m_2, l_1, l_2 = (_symbol(model, name) for name in ("m_2", "l_1", "l_2"))
    term = m_2 * l_2 * theta_2.diff(_T) ** 2 * sm.sin(theta_1 - theta_2)
    return _with_forcing(model, [l_1 * term - term, 0])


def shifted_inertia() -> Model:
    """Return a rod with the parallel axis theorem applied backward, In − m (d l)²."""
    model = chain(1)
    m, l, d, inertia = (_symbol(model, f"{name}_1") for name in ("m", "l", "d", "In"))
    T = (inertia - m * (d * l) ** 2) * model.equations.u[0] ** 2 / 2
    return _of_energies(model, T, model.potential_energy)


def elbow_torque() -> Model:
    """Return two links in absolute angles, with the elbow's motor on the second link alone."""
    model = chain(2)
    return _with_forcing(model, [_symbol(model, "tau_2"), 0])


def turning_table() -> Model:
    """Return a mass on springs on a rotating table, in the table's own axes."""
    x, y = me.dynamicsymbols("x y")
    m, k = sm.symbols("m k", positive=True)
    Omega = sm.Symbol("Omega", real=True)
    v_x, v_y = x.diff(_T) - Omega * y, y.diff(_T) + Omega * x
    T, V = m * (v_x**2 + v_y**2) / 2, k * (x**2 + y**2) / 2
    c, s = sm.cos(Omega * _T), sm.sin(Omega * _T)
    return Model(
        name="mass on a turning table",
        equations=EquationsOfMotion.from_lagrangian(T, V, [x, y]),
        kinetic_energy=T,
        potential_energy=V,
        parameters={m: 1.0, k: 20.0, Omega: 1.5},
        skeleton=_four_springs(x, y),
        bodies=(Body(m, (c * x - s * y, s * x + c * y)),),
        units={"x": "m", "y": "m", "m": "kg", "k": "N/m", "Omega": "rad/s"},
    )


def _four_springs(x: sm.Expr, y: sm.Expr) -> Skeleton:
    """Draw a mass between four springs, which are thin lines, and the faint rim of the table."""
    zero, far = sm.S.Zero, sm.Rational(3, 2)
    angles = [sm.pi * k / 12 for k in range(24)]
    rim = [(far * sm.cos(angle), far * sm.sin(angle)) for angle in angles]
    return Skeleton(
        points=((x, y), (far, zero), (zero, far), (-far, zero), (zero, -far), *rim),
        lines=((0, 1), (0, 2), (0, 3), (0, 4), (*range(5, 29), 5)),
        bodies=(0,),
        thin=(0, 1, 2, 3, 4),
        joints=(1, 2, 3, 4),
        faint=(4,),
    )


def coriolis() -> Model:
    """Return the mass on a rotating table with a Coriolis force m Ω v instead of 2 m Ω v."""
    model = turning_table()
    x, y = model.equations.q
    m, Omega = _symbol(model, "m"), _symbol(model, "Omega")
    missing = m * Omega
    return _with_forcing(model, [-missing * y.diff(_T), missing * x.diff(_T)])


def lost_half() -> Model:
    """Return a pendulum whose kinetic energy is m v², without the ½."""
    model = pendulum()
    return _of_energies(model, 2 * model.kinetic_energy, model.potential_energy)


def wrong_index() -> Model:
    """Return two links, the second's center of mass located by the first one's fraction."""
    model = chain(2)
    replacement = {_symbol(model, "d_2"): _symbol(model, "d_1")}
    return _of_energies(
        model,
        model.kinetic_energy.xreplace(replacement),
        model.potential_energy.xreplace(replacement),
    )


def gravity_up() -> Model:
    """Return a pendulum whose potential energy decreases with height."""
    model = pendulum()
    return _of_energies(model, model.kinetic_energy, -model.potential_energy)


def forgotten_rate() -> Model:
    """Return a linkage closed by G u̇ = 0: its constraints were differentiated without Ġ u."""
    model = four_bar().with_multipliers()
    eom = model.equations
    m = eom.multipliers
    forcing = sm.Matrix([*eom.forcing[:-m], *[0] * m])
    return replace(model, equations=replace(eom, forcing=forcing))


def absolute_for_relative() -> Model:
    """Return a double pendulum with cos θ₁ instead of cos(θ₁ − θ₂) in its kinetic energy."""
    model = double_pendulum()
    theta_1, theta_2 = model.equations.q
    T = model.kinetic_energy.xreplace({sm.cos(theta_1 - theta_2): sm.cos(theta_1)})
    return _of_energies(model, T, model.potential_energy)


def coupled_carts() -> Model:
    """Return two carts with a spring and a damper between them."""
    x_1, x_2 = me.dynamicsymbols("x_1 x_2")
    m_1, m_2, k, l, c = sm.symbols("m_1 m_2 k l c", positive=True)
    T = (m_1 * x_1.diff(_T) ** 2 + m_2 * x_2.diff(_T) ** 2) / 2
    return Model.of(
        T,
        k * (x_2 - x_1 - l) ** 2 / 2,
        [x_1, x_2],
        {m_1: 1.0, m_2: 2.0, k: 20.0, l: 1.0, c: 1.0},
        [Body(m_1, (x_1, 0)), Body(m_2, (x_2, 0))],
        [Load(-c * (x_2 - x_1).diff(_T), x_2 - x_1)],
        name="pair of coupled carts",
        skeleton=Skeleton(((x_1, sm.S.Zero), (x_2, sm.S.Zero)), ((0, 1),), (0, 1), thin=(0,)),
        units={"x_1": "m", "x_2": "m", "m_1": "kg", "m_2": "kg", "k": "N/m", "l": "m", "c": "kg/s"},
    )


def one_ended_damper() -> Model:
    """Return the coupled carts with a damper that acts on the second cart alone."""
    model = coupled_carts()
    x_2 = model.equations.q[1]
    (damper,) = model.loads
    wrong = replace(model, loads=(Load(damper.value, x_2),))
    return _of_energies(wrong, model.kinetic_energy, model.potential_energy)


def hanging_mass() -> Model:
    """Return a pendulum in Cartesian coordinates, x and y, held by its rod's length."""
    x, y = me.dynamicsymbols("x y")
    m, l = sm.symbols("m l", positive=True)
    g = sm.Symbol("g", real=True)
    T, V = m * (x.diff(_T) ** 2 + y.diff(_T) ** 2) / 2, m * g * y
    return Model(
        name="hanging mass",
        equations=EquationsOfMotion.from_lagrangian(T, V, [x, y]),
        kinetic_energy=T,
        potential_energy=V,
        constraints=(x**2 + y**2 - l**2,),
        skeleton=Skeleton(((sm.S.Zero, sm.S.Zero), (x, y)), ((0, 1),), (1,), (0,), ceiling=True),
        parameters={m: 1.0, l: 1.0, g: 9.81},
        bodies=(Body(m, (x, y)),),
        units={"x": "m", "y": "m", "m": "kg", "l": "m", "g": "m/s²"},
    )


def described_by_height() -> Model:
    """Return the hanging mass with its vertical speed as independent speed, singular at rest."""
    model = hanging_mass()
    return model.with_independent_speeds([model.equations.u[1]])


def described_by_side() -> Model:
    """Return the hanging mass with its horizontal speed as independent speed."""
    model = hanging_mass()
    return model.with_independent_speeds([model.equations.u[0]])


def held_torque() -> Model:
    """Return a pendulum driven by A sin Ω t, sampled every h_s and held in between."""
    held = sm.Symbol("h_s", positive=True)
    model = _driven(sm.floor(_T / held) * held, {held: 0.05})
    return replace(model, units={**model.units, "h_s": "s"})


def smooth_torque() -> Model:
    """Return a pendulum driven by the torque A sin Ω t."""
    return _driven(_T, {})


def _driven(time: sm.Expr, parameters: dict[sm.Symbol, float]) -> Model:
    """Return a pendulum driven by A sin Ω t, with t replaced by an expression."""
    model = pendulum()
    A, Omega = sm.symbols("A Omega", real=True)
    torque = {_symbol(model, "tau"): A * sm.sin(Omega * time)}
    driven = model.with_inputs(torque, parameters={A: 2.0, Omega: 3.0, **parameters})
    return replace(driven, units={**driven.units, "A": "N·m", "Omega": "rad/s"})


#: The wrong machines, in the order of the rungs that find them.
MUSEUM: tuple[Exhibit, ...] = (
    Exhibit(
        "A line divided by l₁",
        "A term was copied from a line that had been divided by l₁; it is hidden for l₁ = 1 m.",
        "units",
        divided_line,
        double_pendulum,
        "Jenkins2019",
    ),
    Exhibit(
        "The parallel axis backward",
        "The inertia about the hinge was computed by subtracting m (d l)² instead of adding it.",
        "mass matrix",
        shifted_inertia,
        lambda: chain(1),
        "Jenkins2019",
    ),
    Exhibit(
        "The elbow's motor on one link",
        "In absolute angles, the elbow's torque acts on the second link, and not on the first.",
        "energy and power",
        elbow_torque,
        lambda: chain(2),
        "RelativeAbsoluteTutorial",
    ),
    Exhibit(
        "Half of Coriolis",
        "In a rotating frame, the force 2 m Ω v lost its 2; it does no work in any case.",
        "Newton's laws",
        coriolis,
        turning_table,
        "GoldsteinPooleSafko2002",
    ),
    Exhibit(
        "The lost ½",
        "The kinetic energy is m v²: everything that follows from it is consistent, and too slow.",
        "Newton's laws",
        lost_half,
        pendulum,
        "Jenkins2019",
    ),
    Exhibit(
        "The neighbor's center of mass",
        "An index is that of the link before, d₁ for d₂; while all are ½ the mistake is hidden.",
        "Newton's laws",
        wrong_index,
        lambda: chain(2),
        "RelativeAbsoluteTutorial",
    ),
    Exhibit(
        "Gravity upward",
        "The potential energy has the opposite sign: the pendulum stands, and never falls.",
        "Newton's laws",
        gravity_up,
        pendulum,
        "Jenkins2019",
    ),
    Exhibit(
        "An absolute angle for a difference",
        "The rods meet at the angle θ₁ − θ₂, but the kinetic energy contains cos θ₁.",
        "Newton's laws",
        absolute_for_relative,
        double_pendulum,
        "RelativeAbsoluteTutorial",
    ),
    Exhibit(
        "The damper with one end",
        "The damper acts on one cart and not on the other: the center of mass drifts.",
        "momentum",
        one_ended_damper,
        coupled_carts,
        "GoldsteinPooleSafko2002",
    ),
    Exhibit(
        "The forgotten Ġ u",
        "The loop's constraints were differentiated twice as if their gradients were constant.",
        "constraints",
        forgotten_rate,
        lambda: four_bar().with_multipliers(),
        "Moore2026",
    ),
    Exhibit(
        "Described by what stands still",
        "The independent speed is the vertical one, which is zero to first order at rest.",
        "small motions",
        described_by_height,
        described_by_side,
        "PetersonGedeHubbard2015",
    ),
    Exhibit(
        "The held torque",
        "A computer sets the torque 20 times a second, so the torque jumps within a step.",
        "order of a method",
        held_torque,
        smooth_torque,
        "AstromWittenmark1997",
    ),
)
