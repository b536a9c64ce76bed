"""Runs that theory predicts: small motions about rest, and the order of a method."""

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
from verification.energy import time_scale
from verification.results import Curves, Rung
from verification.sentences import rounded, state_text
from verification.subject import INSTANT, Subject

_STEPS, _ORDER = (40, 80, 160, 320), 3.5
#: The relative error that rounding alone may cause.
_ROUNDING_ERROR = 1e-12


def small_motions(subject: Subject) -> Rung:
    """Compare a run near a rest state with the linearization."""
    name = "small motions"
    if holds_time(
        [*subject.complete_equations.mass_matrix, *subject.complete_equations.forcing],
        subject.equations,
    ):
        return Rung(name, None, "Time stands in the equations: what rests now is driven later.")
    resting = _rest_state(subject)
    if resting is None:
        return Rung(name, None, "No state of rest was found near the states tried.")
    point, values = resting
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            linear = linearize(subject.loop or subject.equations, list(point), values)
    except ValueError as error:
        return Rung(name, None, f"Rest has no small motions to compare: {error}.")
    where = state_text(subject, point)
    try:
        difference, curves = _compare_with_linear(subject, point, linear, 1e-5)
        if difference > 1e-3:  # an error that is quadratic in the displacement is no mistake
            difference, curves = _compare_with_linear(subject, point, linear, 1e-7)
    except (SimulationError, ValueError) as error:
        return Rung(
            name, False, f"Rest is {where}; a run from beside it cannot be computed: {error}"
        )
    eigenvalues = np.linalg.eigvals(np.asarray(linear.A, dtype=float))
    condition = ", with constants near yours," if subject.nominal else ""
    text = (
        f"Rest is {where}; a little beside it{condition} the machine {modes_in_words(eigenvalues)}"
    )
    if difference <= 1e-3:
        return Rung(
            name,
            True,
            f"{text}, and a run goes as the linearization says, {difference:.1g} of it apart.",
        )
    return Rung(
        name,
        False,
        f"{text} says the linearization; a run goes otherwise, {rounded(difference)} of it apart.",
        curves,
    )


def _rest_state(subject: Subject) -> tuple[Array, dict[sm.Expr, float]] | None:
    """Return a rest state without inputs, and the parameter values there."""
    passive = subject.with_values(dict.fromkeys(subject.inputs, 0.0))
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
        x = np.where(np.abs(x) < 1e-9, 0.0, x)
        finite = np.abs(x).max() < 100 and np.isfinite(passive.accelerations(x, t=0.0)).all()
        regular = (
            finite
            and np.linalg.cond(passive.matrix_at(passive.complete_equations.mass_matrix, x)) < 1e12
        )
        if regular and passive.is_valid_pose(x):
            return x, values
    return None


def _compare_with_linear(
    subject: Subject, point: Array, linear: Linearization, magnitude: float
) -> tuple[float, Curves | None]:
    """Return the relative difference between a run near rest and the linear motion."""
    from scipy.linalg import expm

    passive = subject.with_values(dict.fromkeys(subject.inputs, 0.0))
    A, tangent = (np.asarray(part, dtype=float) for part in (linear.A, linear.tangent))
    direction = np.array([1.0 + 0.3 * i for i in range(len(A))])
    largest = max(float(np.abs(np.linalg.eigvals(A)).max()), 0.05)
    start = point + magnitude * (tangent @ direction)
    if passive.loop:
        n = len(passive.equations.q) + len(passive.equations.u)
        start[:n] = passive.loop.consistent_state(passive.loop_values(), start[:n])
    equations = passive.simulated_equations
    f, x0 = passive.compiled(equations), passive.state_of(equations, start)
    if not np.isfinite(f(0.0, passive.state_of(equations, point))).all():
        raise ValueError("there the equations that are simulated have no value")
    chosen = [equations.states.index(s) for s in linear.states if s in equations.states]
    indices = [i for i, s in enumerate(linear.states) if s in equations.states]
    times = np.linspace(0, 3.0 / largest, 31)
    motion = integrate_adaptive(f, times, x0, 1e-11, 1e-15, "dop853")
    rest = passive.state_of(equations, point)[chosen]
    actual = (motion.x[:, chosen] - rest) / magnitude
    step = expm(A * times[1])
    rows = [(start - point)[[passive.equations.states.index(s) for s in linear.states]] / magnitude]
    for _ in times[1:]:
        rows.append(step @ rows[-1])
    predicted = np.array(rows)[:, indices]
    difference = float(np.abs(actual - predicted).max() / max(np.abs(predicted).max(), 1e-300))
    i = int(np.argmax(np.abs(actual - predicted).max(axis=0)))
    label = label_of(linear.states[indices[i]])
    lines = {"a run": (times, actual[:, i]), "the linearization": (times, predicted[:, i])}
    return difference, Curves("time [s]", f"{label}, as part of a small start", lines)


# ---- order of a method


def orders(subject: Subject) -> Rung:
    """Halve the step of the classical Runge–Kutta method: its error must fall by 2⁴."""
    name = "order of a method"
    f, fit, exact, problem = subject.compiled(subject.simulated_equations), None, False, ""
    for x, radians in zip(subject.states, (5.0, 2.5, 1.0)):
        start = subject.state_of(subject.simulated_equations, x)
        try:
            fit, measured = _convergence(f, start, radians), (start, radians)
        except (SimulationError, ValueError) as error:
            problem = problem or str(error)
            continue
        exact = fit.error.max() <= _ROUNDING_ERROR * max(1.0, float(np.abs(x).max()))
        if exact or fit.order > _ORDER:
            break
    if fit is None:
        return Rung(name, None, f"No order can be measured: {problem}.")
    h = " to ".join(rounded(step) for step in (fit.h[0], fit.h[-1]))
    if exact:
        return Rung(
            name,
            True,
            f"RK4 is right to {rounded(fit.error.max())}, for steps from {h} "
            "s: nothing is left whose order could be seen.",
        )
    if fit.order > _ORDER:
        return Rung(
            name,
            True,
            f"The error of RK4 falls with h^{fit.order:.2f}, for steps from "
            f"{h} s: the equations are smooth.",
        )
    return _low_order(fit, _has_jumps(f, *measured))


def _low_order(fit: Convergence, jumps: bool) -> Rung:
    """Report equations that are not smooth: a kink is no mistake, but a jump may be one."""
    name, slope = ("order of a method", fit.error[0] * (fit.h / fit.h[0]) ** 4)
    curves = Curves(
        "step h [s]",
        "error at the end",
        {"measured": (fit.h, fit.error), "order 4": (fit.h, slope)},
        logarithmic=True,
    )
    text = f"The error of RK4 falls with h^{fit.order:.2f} only, and not with h⁴: something in "
    if not jumps:
        return Rung(
            name,
            True,
            f"{text}the equations has a kink, and nothing jumps. Let steps end where it does.",
            curves,
        )
    return Rung(
        name,
        False,
        f"{text}the equations jumps, such as a torque that is held over a "
        "step, or a sign. Let steps end where it does.",
        curves,
    )


def _has_jumps(f: Field, x0: Array, radians: float) -> bool:
    """Whether the rates jump along a motion, by bisection where they change most."""
    times = np.linspace(INSTANT, INSTANT + radians * time_scale(f, x0), 2001)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        motion = integrate_adaptive(f, times, x0, 1e-11, 1e-13)
    rates = np.array([f(t, x) for t, x in zip(motion.t, motion.x)])
    changes = np.abs(np.diff(rates, axis=0)).max(axis=1)
    for i in np.argsort(changes)[-50:]:
        ends = [np.append(motion.t[k], motion.x[k]) for k in (i, i + 1)]
        values = [f(end[0], end[1:]) for end in ends]
        for _ in range(40):
            middle = (ends[0] + ends[1]) / 2
            value = f(middle[0], middle[1:])
            half = int(np.abs(value - values[1]).max() > np.abs(value - values[0]).max())
            ends[1 - half], values[1 - half] = middle, value
        if np.abs(values[1] - values[0]).max() > 1e-7 * np.abs(rates).max():
            return True
    return False


def _convergence(f: Field, x0: Array, radians: float) -> Convergence:
    """Return the errors of RK4 with decreasing steps."""
    end = INSTANT + radians * time_scale(f, x0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exact = integrate_adaptive(f, [INSTANT, end], x0, 1e-13, 1e-15, "dop853").x[-1]
        return observed_order(f, (INSTANT, end), x0, "rk4", exact, _STEPS)
