"""Energy and work along a run: one may change by no more than the other brings."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from straightline.aliases import Array
from tutlib.fields import RightHandSide
from tutlib.mechanics.derivations import partial_derivatives
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.mechanics.linearization_point import holds_time
from tutlib.methods.adaptive import integrate_adaptive
from tutlib.methods.trajectory import SimulationError, Trajectory
from tutlib.models.bodies import Load
from tutlib.reading.names import label_of, plain_name
from verification.differentiation import along_path
from verification.results import Curves, Rung
from verification.sentences import at, both, formula, rounded
from verification.subject import INSTANT, Subject

#: The state from which a run starts, its radians of the fastest motion, and its tolerance: near a
#: singular place a long run loses digits or ends, and a short one tells that from a mistake.
_EFFORTS = ((0, 10.0, 1e-10), (0, 2.5, 1e-13), (-1, 1.0, 1e-13))
_ROWS = 201
#: How well energy and work agree along a run, relative to the largest of them.
_NEAR_ALONG = 1e-7


def time_scale(f: RightHandSide, x: Array) -> float:
    """Return how long a motion takes to change [s]: 1 / the largest size of ∂f/∂x's eigenvalues.

    Raises
    ------
    SimulationError
        If f is not finite there.
    """
    n, h = len(x), 1e-6
    slopes = [(f(INSTANT, x + h * e) - f(INSTANT, x - h * e)) / (2 * h) for e in np.eye(n)]
    largest = float(np.abs(np.linalg.eigvals(np.array(slopes).T)).max())
    return 1.0 / min(max(largest, 0.05), 1e4)


def run(
    subject: Subject,
    equations: EquationsOfMotion,
    start: int = 0,
    radians: float = 10.0,
    tolerance: float = 1e-10,
) -> Trajectory:
    """Return a motion from one of the states drawn.

    Raises
    ------
    SimulationError, ValueError
        If it cannot be computed.
    """
    f, x0 = subject.compiled(equations), subject.start_of(equations, subject.states[start])
    end = INSTANT + radians * time_scale(f, x0)
    times = np.linspace(INSTANT, end, _ROWS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return integrate_adaptive(f, times, x0, tolerance, tolerance / 100, "dop853")


def energy(subject: Subject) -> Rung:
    """Compare the change of u·∂T/∂u − T + V along a run with the work of the loads."""
    name, eom = "energy and power", subject.equations
    if subject.energies is None:
        return Rung(name, None, "No energies are known: a Model has them.")
    if any(eom.kinematic_drift) or _is_driven(subject):
        return Rung(name, None, "Time moves a part of it, and that work is not counted here.")
    if subject.loses_mass:
        return Rung(
            name,
            None,
            "Its mass changes, and what leaves takes energy along: that is not counted here.",
        )
    if sentence := _feeding(subject):
        return Rung(name, False, sentence)
    content, power = _content_and_power(subject)
    try:
        times, change, done, size = _kept_or_first(subject, content, power)
    except (SimulationError, ValueError) as error:
        return Rung(name, False, f"A run from {at(subject, subject.states[0])[3:]} ends: {error}")
    off = np.abs(change - done)
    lasted = f"Along a run of {rounded(times[-1] - times[0])} s the energy"
    if off.max() <= _NEAR_ALONG * size:
        last = (change[-1], done[-1])
        gained, paid = (rounded(each if abs(each) > 1e-6 * size else 0.0) for each in last)
        loads = f"the loads do {paid} J of work" if subject.loads else "no load works"
        whole = f"{gained} J, and {loads}"
        return Rung(name, True, f"{lasted} changes by {whole}: {off.max():.1g} J apart.")
    k = int(np.argmax(off))
    mine, asked = both(change[k], done[k])
    lines = {"change of the energy": (times, change), "work of the loads": (times, done)}
    return Rung(
        name,
        False,
        f"{lasted} has changed by {mine} J at {rounded(times[k])} s, and the loads have done "
        f"{asked} J of work.{_culprit(subject, content, power)}",
        Curves("time [s]", "energy [J]", lines),
    )


Books = tuple[Array, Array, Array, float]


def _kept_or_first(subject: Subject, content: sm.Expr, power: sm.Expr) -> Books:
    """Return the books of the first run in which they agree, or else of the first."""
    books, ended = [], None
    for effort in _EFFORTS:
        try:
            books.append(_books(subject, content, power, *effort))
        except (SimulationError, ValueError) as error:
            ended = ended or error
            continue
        if np.abs(books[-1][1] - books[-1][2]).max() <= _NEAR_ALONG * books[-1][3]:
            return books[-1]
    if not books and ended:
        raise ended
    return books[0]


def _books(
    subject: Subject,
    content: sm.Expr,
    power: sm.Expr,
    start: int,
    radians: float,
    tolerance: float,
) -> Books:
    """Return times, change of energy, work, and the largest of all energies along a run."""
    whole, name = subject.whole, "work_of_the_loads"
    while name in map(plain_name, (*subject.symbols, *whole.states)):
        name += "_"
    work = me.dynamicsymbols(name)
    counted = replace(whole, auxiliary=(*whole.auxiliary, (work, power)))
    motion = run(subject, counted, start, radians, tolerance)
    expressions = counted.in_states([content, (subject.energies or (content,))[0]])
    both_of = subject.formulas(expressions, counted.states)
    numbers = np.array([both_of.floats(t, x, subject.numbers) for t, x in zip(motion.t, motion.x)])
    change, done = numbers[:, 0] - numbers[0, 0], motion.x[:, -1]
    size = max(np.abs(change).max(), np.abs(done).max(), np.abs(numbers[:, 1]).max())
    return motion.t, change, done, float(size)


def _is_driven(subject: Subject) -> bool:
    """Whether a constraint moves while all speeds are zero."""
    if not subject.loop:
        return False
    drift = subject.values_at(list(subject.loop.drift), subject.states[0])
    return bool(np.abs(drift).max() > 1e-12)


def _content_and_power(subject: Subject) -> tuple[sm.Expr, sm.Expr]:
    """Return the energy that a machine keeps, and the power that changes it."""
    eom = subject.equations
    T, V = subject.energies or (sm.S.Zero, sm.S.Zero)
    slopes = partial_derivatives(sm.Matrix([T - V]), eom.u, eom.q)[0]
    momentum = sm.Add(*(u * slope for u, slope in zip(eom.u, slopes)))
    changing = partial_derivatives(sm.Matrix([T - V]), eom.u, eom.q)[2][0]
    power = sm.Add(-changing, *(_power(subject, load) for load in subject.loads))
    return momentum - T + V, power


def _power(subject: Subject, load: Load) -> sm.Expr:
    eom = subject.equations
    along = partial_derivatives(sm.Matrix([load.along]), eom.u, eom.q)[1]
    return load.value * ((along * sm.Matrix(eom.rates))[0] + load.rate)


def is_passive(subject: Subject, load: Load) -> bool:
    """Whether a load follows from places and speeds alone."""
    others = (*subject.inputs, *(z for z, _ in subject.equations.auxiliary), sm.Dummy())
    return not load.value.has(*others) and not holds_time([load.value], subject.equations)


def _feeding(subject: Subject) -> str:
    """Name a load that feeds energy at every speed: the part of it that turns with all speeds."""
    n, k = len(subject.equations.q), len(subject.equations.u)
    ways, random = [], np.random.default_rng(5)
    for x in subject.states:
        free = subject.free_directions(x)
        speeds = free @ free.T @ np.hstack([np.eye(k), random.uniform(-1, 1, (k, 9))])
        ways += [np.concatenate([x[:n], u, x[n + k :]]) for u in speeds.T]
    back = np.ones(len(ways[0]))
    back[n : n + k] = -1
    for load in subject.loads:
        if is_passive(subject, load) and load.value.has(*subject.equations.u):
            power = [_power(subject, load)]
            fed = [sum(subject.values_at(power, way)[0] for way in (x, back * x)) / 2 for x in ways]
            size = max(map(abs, fed))
            if size > 0 and min(fed) > -1e-12 * size:
                i = int(np.argmax(fed))
                name, where = formula(subject, load.value), at(subject, ways[i])
                return (
                    f"The load {name} feeds energy at all speeds tried: {rounded(fed[i])} W "
                    f"{where}. What damps takes energy: is its sign right?"
                )
    return ""


def _culprit(subject: Subject, content: sm.Expr, power: sm.Expr) -> str:
    """Name the input without which energy and power agree at one instant, if there is one."""
    off = dict.fromkeys(subject.inputs, 0.0)

    def missing(changed: dict[sm.Symbol, float]) -> tuple[float, float]:
        machine, x = subject.with_values(changed), subject.states[0]
        u_dot = machine.accelerations(x)[: len(machine.equations.u)]
        path = machine.path(x, u_dot)
        rate = along_path(machine.formulas([content]), INSTANT, path, machine.numbers)[1][0]
        return float(rate), float(machine.values_at([power], x)[0])

    rate, asked = missing(off)
    if abs(rate - asked) > 1e-8 * max(abs(rate), abs(asked), 1.0):
        free = " without inputs" if off else ""
        mine, other = both(rate, asked)
        return (
            f" At the start{free} it changes by {mine} W, and the loads do {other} W: look at "
            "the forcing, or at a load that is not named."
        )
    for symbol in subject.inputs:
        rate, asked = missing({**off, symbol: subject.values[symbol]})
        if abs(rate - asked) > 1e-8 * max(abs(rate), abs(asked), 1.0):
            mine, other = both(rate, asked)
            return (
                f" Without inputs it is right. With {label_of(symbol)} alone the energy "
                f"changes by {mine} W, and that load does {other} W: on what does "
                f"{label_of(symbol)} act?"
            )
    return ""
