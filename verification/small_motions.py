"""Runs that theory predicts: small motions about rest or steady motion, and a method's order."""

from __future__ import annotations

import warnings

import numpy as np
import sympy as sm

from straightline.aliases import Array
from tutlib.fields import Field
from tutlib.mechanics.equilibrium import trim
from tutlib.mechanics.linearization import Linearization, linearize
from tutlib.mechanics.linearization_point import holds_time
from tutlib.mechanics.modes import modes_in_words
from tutlib.methods.adaptive import integrate_adaptive
from tutlib.methods.convergence import Convergence, observed_order
from tutlib.methods.trajectory import SimulationError
from tutlib.reading.names import label_of
from verification.differentiation import KINKED
from verification.energy import time_scale
from verification.results import Curves, Rung
from verification.scales import INSTANT, scaled
from verification.sentences import rounded, state_text
from verification.subject import Subject

_STEPS, _ORDER = (40, 80, 160, 320), 3.5
#: The relative error that rounding alone may cause.
_ROUNDING_ERROR = 1e-12


def small_motions(subject: Subject) -> Rung:
    """Compare a run near a state of rest, or a steady motion, with the linearization."""
    name = "small motions"
    complete, n, k = subject.complete_equations, len(subject.equations.q), len(subject.equations.u)
    if holds_time([*complete.mass_matrix, *complete.forcing], subject.equations):
        return Rung(name, None, "The equations depend on time, so the machine does not rest.")
    moves = subject.near is not None and bool(np.any(subject.near[n : n + k]))
    found = _steady_motion(subject) if moves else _rest_state(subject)
    if found is None and moves:
        return Rung(name, None, "The given state moves, and no steady motion was found near it.")
    if found is None:
        return Rung(name, None, "No state of rest was found near the states tried.")
    point, values = found
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            linear = linearize(subject.loop or subject.equations, list(point), values)
    except ValueError as error:
        return Rung(name, None, f"The equations cannot be linearized there: {error}.")
    where, center = state_text(subject, point), "this motion" if moves else "rest"
    does = "moves steadily" if moves else "rests"
    try:
        differences = []
        for magnitude in (1e-5, 1e-7, 1e-9):  # a difference that vanishes with it is no mistake
            difference, curves = _compare_with_linear(subject, point, linear, magnitude)
            differences.append(difference)
            if difference <= 1e-3:
                break
    except SimulationError as error:
        return Rung(name, None, f"A run from near {center} cannot be computed: {error}.")
    except ValueError as error:
        sentence = f"It {does} {where}, but a run from nearby cannot be computed: {error}"
        return Rung(name, False, sentence)
    if difference > 10 * differences[0]:
        state = "steady motion" if moves else "state of rest"
        return Rung(name, None, f"No {state} was found accurately enough.")
    modes = modes_in_words(np.linalg.eigvals(np.asarray(linear.A, dtype=float)))
    modes = modes.replace("creeps to rest", f"creeps to {center}")
    condition = " and with constants near yours" if subject.nominal else ""
    text = f"It {does} {where}. Near {center}{condition}, it {modes}"
    if difference <= 1e-3:
        return Rung(
            name, True, f"{text}, and a run agrees with the linearization to {difference:.1g}."
        )
    return Rung(
        name,
        False,
        f"{text} according to the linearization, but a run differs by {rounded(difference)} of "
        "the displacement.",
        curves,
    )


def _rest_state(subject: Subject) -> tuple[Array, dict[sm.Expr, float]] | None:
    """Return a rest state without inputs, and the parameter values there."""
    passive = subject.without_inputs()
    values, count = passive.loop_values(), len(subject.equations.states)
    n = len(subject.equations.q)
    guesses = [np.zeros(count), *([subject.near] if subject.near is not None else [])]
    guesses += [np.where(np.arange(count) < n, x, 0.0) for x in subject.states]
    for guess in guesses:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                free = [*subject.equations.q, *(z for z, _ in subject.equations.auxiliary)]
                x = trim(passive.loop or passive.equations, values, guess, free)
        except (ValueError, np.linalg.LinAlgError):
            continue
        unit, reach = subject.amplitudes, np.abs(guess / subject.amplitudes).max()
        x = np.where(np.abs(x) < 1e-9 * unit, 0.0, x)
        finite = np.isfinite(passive.accelerations(x, t=0.0)).all()
        M = passive.matrix_at(passive.equations.mass_matrix, x)
        M = M * np.outer(subject.scales.speeds, subject.scales.speeds)
        regular = finite and (subject.loop or np.linalg.cond(M) < 1e12)
        if regular and np.abs(x / unit).max() < 100 * (1 + reach) and passive.is_valid_pose(x):
            return x, values
    return None


def _steady_motion(subject: Subject) -> tuple[Array, dict[sm.Expr, float]] | None:
    """Return a state near the given one in which only cyclic coordinates change, and the values.

    All speeds are constant, and the equations do not depend on a coordinate that changes.
    """
    eom, passive, near = subject.equations, subject.without_inputs(), subject.near
    if subject.loop or eom.auxiliary or near is None:
        return None
    values, n, unit = passive.loop_values(), len(eom.q), subject.amplitudes
    moving = np.abs(passive.coordinate_rates(near)) > 1e-9 * unit[:n] * subject.scales.rate
    free = [q for q, moves in zip(eom.q, moving) if not moves]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            x = trim(eom, values, near, free) if free else near
    except (ValueError, np.linalg.LinAlgError):
        return None
    shift = np.zeros(len(x))
    shift[:n][moving] = 0.7 * unit[:n][moving]

    def rates(state: Array) -> Array:
        change = [*passive.coordinate_rates(state), *passive.accelerations(state)]
        return np.array(change) / unit / subject.scales.rate

    cyclic = all(
        np.allclose(rates(state + shift), rates(state), rtol=1e-7, atol=1e-7)
        for state in (x, *subject.states)
    )
    steady = np.abs(rates(x)[:n][~moving]).max(initial=0.0) < 1e-9
    return (x, values) if cyclic and steady and np.abs((x - near) / unit).max() < 1.0 else None


def _compare_with_linear(
    subject: Subject, point: Array, linear: Linearization, magnitude: float
) -> tuple[float, Curves | None]:
    """Return the relative difference between a run near a point and the linear motion."""
    from scipy.linalg import expm

    passive = subject.without_inputs()
    A, tangent = (np.asarray(part, dtype=float) for part in (linear.A, linear.tangent))
    places = [passive.equations.states.index(s) for s in linear.states]
    unit = subject.amplitudes[places]
    A = A * unit / unit[:, None] / subject.scales.rate
    direction = np.array([1.0 + 0.3 * i for i in range(len(A))])
    largest = max(float(np.abs(np.linalg.eigvals(A)).max()), 0.05)
    start = point + magnitude * (tangent @ (unit * direction))
    if passive.loop:
        start = passive.loop.consistent_state(passive.loop_values(), start)
    equations = passive.simulated_equations
    f, amplitudes = passive.compiled(equations), passive.amplitudes_of(equations)
    rest = passive.state_of(equations, point) / amplitudes
    if not np.isfinite(f(0.0, rest)).all():
        raise ValueError("the simulated equations have no value there")
    x0 = (passive.state_of(equations, start) / amplitudes - rest) / magnitude
    f = scaled(f, np.full(len(rest), magnitude), origin=rest)
    if np.any(passive.coordinate_rates(point)):  # a steady motion, from which the run deviates
        f = _without_drift(f, len(rest))
    chosen = [equations.states.index(s) for s in linear.states if s in equations.states]
    indices = [i for i, s in enumerate(linear.states) if s in equations.states]
    times = np.linspace(0, 3.0 / largest, 31)
    motion = integrate_adaptive(f, times, x0, 1e-9, 1e-9, "dop853")
    actual = motion.x[:, chosen]
    step = expm(A * times[1])
    rows = [(start - point)[places] / magnitude / unit]
    for _ in times[1:]:
        rows.append(step @ rows[-1])
    predicted = np.array(rows)[:, indices]
    difference = float(np.abs(actual - predicted).max() / max(np.abs(predicted).max(), 1e-300))
    i = int(np.argmax(np.abs(actual - predicted).max(axis=0)))
    label = label_of(linear.states[indices[i]])
    times = times / subject.scales.rate
    lines = {"a run": (times, actual[:, i]), "the linearization": (times, predicted[:, i])}
    return difference, Curves("time [s]", f"{label} per unit of the displacement", lines)


def _without_drift(f: Field, count: int) -> Field:
    """Return the equations of the deviation from a steady motion, at which it is zero."""
    drift = f(0.0, np.zeros(count))
    return Field(lambda t, z: f(t, z) - drift)


# ---- order of a method


def orders(subject: Subject) -> Rung:
    """Halve the step of the classical Runge–Kutta method: its error must fall by 2⁴."""
    name = "order of a method"
    f, fit, exact, problem = subject.compiled(subject.simulated_equations), None, False, ""
    amplitudes = subject.amplitudes_of(subject.simulated_equations)
    for x, radians in zip(subject.states, (5.0, 2.5, 1.0)):
        start = subject.state_of(subject.simulated_equations, x) / amplitudes
        try:
            fit, exact = _convergence(f, start, radians)
            measured = start, radians
        except (SimulationError, ValueError) as error:
            problem = problem or str(error)
            continue
        if exact or fit.order > _ORDER:
            break
    if fit is None:
        return Rung(name, None, f"No order can be measured: {problem}.")
    steps = fit.h / subject.scales.rate
    h = f"for steps from {rounded(steps[0])} to {rounded(steps[-1])} s"
    if exact:
        return Rung(name, True, f"RK4 is exact up to rounding, {h}.")
    if fit.order > _ORDER:
        return Rung(name, True, f"The error of RK4 falls with h^{fit.order:.2f}, {h}.")
    jumps, in_time = _jumps(f, *measured)
    slope = fit.error[0] * (fit.h / fit.h[0]) ** 4
    curves = Curves(
        "step h [s]",
        "error at the end",
        {"measured": (steps, fit.error), "order 4": (steps, slope)},
        logarithmic=True,
    )
    sentence = f"The error of RK4 falls only with h^{fit.order:.2f}, {h}."
    equations = subject.simulated_equations
    if in_time:
        sentence += (
            " The equations jump in time, as a torque that is held over a step does. Let steps end "
            "at the jump."
        )
    elif jumps:
        sentence += (
            " The equations jump in some states, as dry friction does. Let steps end at the jump."
        )
    elif any(e.has(*KINKED) for e in (*equations.mass_matrix, *equations.forcing)):
        sentence += " The equations have a kink. Let steps end there."
    return Rung(name, not in_time, sentence, curves)


def _jumps(f: Field, x0: Array, radians: float) -> tuple[bool, bool]:
    """Whether the rates jump along a motion, by bisection; and whether they jump in time alone."""
    times = np.linspace(INSTANT, INSTANT + radians * time_scale(f, x0), 2001)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        motion = integrate_adaptive(f, times, x0, 1e-11, 1e-13)
    rates = np.array([f(t, x) for t, x in zip(motion.t, motion.x)])
    changes = np.abs(np.diff(rates, axis=0)).max(axis=1)
    found = False
    for i in np.argsort(changes)[-50:]:
        ends = [np.append(motion.t[k], motion.x[k]) for k in (i, i + 1)]
        values = [f(end[0], end[1:]) for end in ends]
        for _ in range(40):
            middle = (ends[0] + ends[1]) / 2
            value = f(middle[0], middle[1:])
            half = int(np.abs(value - values[1]).max() > np.abs(value - values[0]).max())
            ends[1 - half], values[1 - half] = middle, value
        large = 1e-7 * np.abs(rates).max()
        if np.abs(values[1] - values[0]).max() > large:
            found = True
            if np.abs(f(ends[1][0], ends[0][1:]) - values[0]).max() > large:
                return True, True
    return found, False


def _convergence(f: Field, x0: Array, radians: float) -> tuple[Convergence, bool]:
    """Return the errors of RK4 with decreasing steps, and whether they are rounding alone."""
    end = INSTANT + radians * time_scale(f, x0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exact = integrate_adaptive(f, [INSTANT, end], x0, 1e-13, 1e-15, "dop853").x[-1]
        fit = observed_order(f, (INSTANT, end), x0, "rk4", exact, _STEPS)
    scale = max(float(np.abs(x0).max()), float(np.abs(exact).max()))
    return fit, bool(fit.error[-1] <= _ROUNDING_ERROR * scale)
