"""Conservation of energy along a run: its change equals the work of the loads."""

from __future__ import annotations

import warnings
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from straightline.aliases import Array
from tutlib.fields import Field
from tutlib.mechanics.derivations import partial_derivatives
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.mechanics.linearization_point import holds_time
from tutlib.methods.adaptive import integrate_adaptive
from tutlib.methods.trajectory import SimulationError, Trajectory
from tutlib.models.bodies import Load
from tutlib.reading.names import plain_name
from verification.forcing import wrong_forcing
from verification.results import Curves, Rung
from verification.scales import INSTANT
from verification.sentences import distinct_texts, expression_text, rounded, state_text
from verification.subject import Subject

#: The index of a run's initial state, its length in radians of the fastest motion, and its
#: tolerance. Near a singularity a long run loses digits or ends, and only a short run shows
#: whether the equations are wrong.
_EFFORTS = ((0, 10.0, 1e-10), (0, 2.5, 1e-13), (-1, 1.0, 1e-13), (0, 0.1, 1e-13))
_SAMPLES = 201
#: Displacements and speeds at which a load that feeds an oscillation has to remove energy.
_FAR = 1e3
#: The relative tolerance between energy and work along a run.
_RUN_TOLERANCE = 1e-7


def time_scale(f: Field, x: Array) -> float:
    """Return the time scale of a scaled motion: 1 / the largest of ∂f/∂x's eigenvalues.

    Raises
    ------
    SimulationError
        If f is not finite there.
    """
    n, h = len(x), 1e-6 * max(1.0, float(np.abs(x).max()))
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
    """Return a motion from one of the drawn states, in units of the scales.

    Raises
    ------
    SimulationError, ValueError
        If it cannot be computed.
    """
    f = subject.compiled(equations)
    x0 = subject.state_of(equations, subject.states[start]) / subject.amplitudes_of(equations)
    end = INSTANT + radians * time_scale(f, x0)
    times = np.linspace(INSTANT, end, _SAMPLES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return integrate_adaptive(f, times, x0, tolerance, tolerance / 100, "dop853")


def energy(subject: Subject) -> Rung:
    """Compare the change of u·∂T/∂u − T + V along a run with the work of the loads."""
    name, eom = "energy and power", subject.equations
    if subject.energies is None:
        return Rung(name, None, "No energies are known: a Model has them.")
    if sentence := _feeding_load(subject):
        return Rung(name, False, sentence)
    if any(eom.kinematic_drift) or _is_driven(subject):
        return Rung(name, None, "A part is moved as a function of time, which does work.")
    if subject.has_variable_mass:
        return Rung(name, None, "The mass varies, and mass that leaves takes energy along.")
    conserved, power = _energy_and_power(subject)
    try:
        times, change, work, scale = _best_record(subject, conserved, power)
    except (SimulationError, ValueError, np.linalg.LinAlgError) as error:
        where = state_text(subject, subject.states[0])[3:]
        return Rung(name, None, f"No run can be computed from {where}: {error}.")
    difference = np.abs(change - work)
    duration = rounded(times[-1] - times[0])
    if difference.max() <= _RUN_TOLERANCE * scale:
        gained, done = (
            rounded(each if abs(each) > 1e-6 * scale else 0.0) for each in (change[-1], work[-1])
        )
        loads = f"the loads do {done} J of work" if subject.loads else "no load does work"
        return Rung(
            name,
            True,
            f"Along a run of {duration} s, the energy changes by {gained} J, and {loads}. The "
            f"largest difference is {difference.max():.1g} J.{_duplicate_load(subject)}",
        )
    k = int(np.argmax(difference))
    change_text, work_text = distinct_texts(change[k], work[k])
    cause = wrong_forcing(subject) or "Is a load missing from the list, or wrong in F?"
    return Rung(
        name,
        False,
        f"{rounded(times[k] - times[0])} s after the start of a run, the energy has changed by "
        f"{change_text} J, but the loads have done {work_text} J of work. {cause}",
        Curves(
            "time [s]",
            "energy [J]",
            {"change of the energy": (times, change), "work of the loads": (times, work)},
        ),
    )


def _duplicate_load(subject: Subject) -> str:
    """Ask about a load that is given twice."""
    for first, second in combinations(subject.loads, 2):
        if first == second and first.value != 0:
            text = expression_text(subject, first.value)
            return f" The load {text} is listed twice: are there two?"
    return ""


EnergyRecord = tuple[Array, Array, Array, float]


def _best_record(subject: Subject, conserved: sm.Expr, power: sm.Expr) -> EnergyRecord:
    """Return the first run in which energy and work agree; if there is none, the first run."""
    records, problem = [], None
    for effort in _EFFORTS:
        try:
            records.append(_energy_record(subject, conserved, power, *effort))
        except (SimulationError, ValueError, np.linalg.LinAlgError) as error:
            problem = problem or error
            continue
        if np.abs(records[-1][1] - records[-1][2]).max() <= _RUN_TOLERANCE * records[-1][3]:
            return records[-1]
    if not records and problem:
        raise problem
    return records[0]


def _energy_record(
    subject: Subject,
    conserved: sm.Expr,
    power: sm.Expr,
    start: int,
    radians: float,
    tolerance: float,
) -> EnergyRecord:
    """Return times, change of energy, work, and the largest energy along a run."""
    equations, name = subject.complete_equations, "work_of_the_loads"
    while name in map(plain_name, (*subject.symbols, *equations.states)):
        name += "_"
    work = me.dynamicsymbols(name)
    with_work = replace(equations, auxiliary=(*equations.auxiliary, (work, power)))
    motion = run(subject, with_work, start, radians, tolerance)
    expressions = with_work.in_states([conserved, (subject.energies or (conserved,))[0]])
    formulas = subject.formulas(expressions, with_work.states)
    times, states = motion.t / subject.scales.rate, motion.x * subject.amplitudes_of(with_work)
    numbers = np.array([formulas.floats(t, x, subject.numbers) for t, x in zip(times, states)])
    change, work_done = numbers[:, 0] - numbers[0, 0], states[:, with_work.states.index(work)]
    scale = max(np.abs(change).max(), np.abs(work_done).max(), np.abs(numbers[:, 1]).max())
    return times, change, work_done, float(scale)


def _is_driven(subject: Subject) -> bool:
    """Whether a constraint moves while all speeds are zero."""
    if not subject.loop:
        return False
    drift = np.abs(subject.values_at(list(subject.loop.drift), subject.states[0]))
    G = np.abs(subject.matrix_at(subject.jacobian, subject.states[0]))
    rates = G @ (subject.scales.rate * subject.scales.speeds)
    return bool(np.any(drift > 1e-12 * rates))


def _energy_and_power(subject: Subject) -> tuple[sm.Expr, sm.Expr]:
    """Return the energy that a machine conserves, and the power that changes it."""
    eom = subject.equations
    T, V = subject.energies or (sm.S.Zero, sm.S.Zero)
    slopes = partial_derivatives(sm.Matrix([T - V]), eom.u, eom.q)[0]
    momentum = sm.Add(*(u * slope for u, slope in zip(eom.u, slopes)))
    changing = partial_derivatives(sm.Matrix([T - V]), eom.u, eom.q)[2][0]
    power = sm.Add(-changing, *(_power(subject, load) for load in subject.loads))
    return momentum - T + V, power


def _power(subject: Subject, load: Load) -> sm.Expr:
    """Return the power of a load."""
    eom = subject.equations
    along = partial_derivatives(sm.Matrix([load.along]), eom.u, eom.q)[1]
    return load.value * ((along * sm.Matrix(eom.rates))[0] + load.rate)


def is_passive(subject: Subject, load: Load) -> bool:
    """Whether a load depends on coordinates and speeds alone."""
    external = (*subject.inputs, *(z for z, _ in subject.equations.auxiliary), sm.Dummy())
    return not load.value.has(*external) and not holds_time([load.value], subject.equations)


def _feeding_load(subject: Subject) -> str:
    """Describe a load that adds energy at all speeds, by its power averaged over ±u."""
    n, k = len(subject.equations.q), len(subject.equations.u)
    moving_states, random = [], np.random.default_rng(5)
    for x, reach in product(subject.states, (1.0, _FAR)):
        free = subject.free_directions(x) / subject.scales.speeds[:, None]
        speeds = free @ free.T @ np.hstack([np.eye(k), random.uniform(-1, 1, (k, 9))])
        speeds *= reach * subject.scales.rate * subject.scales.speeds[:, None]
        moving_states += [np.concatenate([x[:n], u, x[n + k :]]) for u in speeds.T]
        if not subject.loop:  # van der Pol's oscillator gains energy only at small displacements
            moving_states += [np.concatenate([_FAR * x[:n], u, x[n + k :]]) for u in speeds.T]
    reversal = np.ones(len(moving_states[0]))
    reversal[n : n + k] = -1
    no_inputs = dict.fromkeys(subject.inputs, sm.S.Zero)
    for load in subject.loads:
        passive = replace(load, value=load.value.xreplace(no_inputs))
        if not passive.value.has(*subject.equations.u) or not is_passive(subject, passive):
            continue
        power = [_power(subject, passive)]
        mean_power = np.nan_to_num(
            [
                sum(subject.values_at(power, state)[0] for state in (x, reversal * x)) / 2
                for x in moving_states
            ]
        )
        if mean_power.max() > 0 and mean_power.min() > -1e-12 * mean_power.max():
            i = int(np.argmax(mean_power > 0))
            name = expression_text(subject, passive.value)
            return (
                f"The load {name} adds energy at all speeds tried: {rounded(mean_power[i])} W "
                f"{state_text(subject, moving_states[i])}. A damper removes energy: is the sign "
                "right?"
            )
    return ""
