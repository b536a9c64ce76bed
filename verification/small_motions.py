"""Small motions about rest, and the order of a method: runs that must go as theory says."""

from __future__ import annotations

import warnings

import numpy as np
import sympy as sm

from straightline.aliases import Array
from tutlib.fields import RightHandSide
from tutlib.mechanics.equilibrium import trim
from tutlib.mechanics.linearization import Linearization, linearize
from tutlib.mechanics.linearization_point import holds_time
from tutlib.methods.adaptive import integrate_adaptive
from tutlib.methods.convergence import Convergence, observed_order
from tutlib.methods.trajectory import SimulationError
from tutlib.reading.names import label_of, listed
from verification.energy import time_scale
from verification.results import Curves, Rung
from verification.sentences import at, rounded
from verification.subject import INSTANT, Subject

_STEPS, _ORDER = (40, 80, 160, 320), 3.5
#: An error that rounding alone may leave, as part of the state.
_ROUNDING = 1e-12


def small_motions(subject: Subject) -> Rung:
    """Compare a run a little beside rest with what the linearization says of it."""
    name = "small motions"
    if holds_time([*subject.whole.mass_matrix, *subject.whole.forcing], subject.equations):
        return Rung(name, None, "Time stands in the equations: what rests now is driven later.")
    resting = _rest(subject)
    if resting is None:
        return Rung(name, None, "No state of rest was found near the states tried.")
    point, values = resting
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            linear = linearize(subject.loop or subject.equations, list(point), values)
    except ValueError as error:
        return Rung(name, None, f"Rest has no small motions to compare: {error}.")
    where = at(subject, point)
    try:
        off, curves = _beside(subject, point, linear, 1e-5)
        if off > 1e-3:  # what grows with the square of a start is no mistake
            off, curves = _beside(subject, point, linear, 1e-7)
    except (SimulationError, ValueError) as error:
        return Rung(
            name, False, f"Rest is {where}; a run from beside it cannot be computed: {error}"
        )
    eigenvalues = np.linalg.eigvals(np.asarray(linear.A, dtype=float))
    near = ", with constants near yours," if subject.nominal else ""
    text = f"Rest is {where}; a little beside it{near} the machine {modes_in_words(eigenvalues)}"
    if off <= 1e-3:
        return Rung(
            name, True, f"{text}, and a run goes as the linearization says, {off:.1g} of it apart."
        )
    return Rung(
        name,
        False,
        f"{text} says the linearization; a run goes otherwise, {rounded(off)} of it apart.",
        curves,
    )


def _rest(subject: Subject) -> tuple[Array, dict[sm.Expr, float]] | None:
    """Return a state in which nothing changes without inputs, and the values there."""
    still = subject.with_values(dict.fromkeys(subject.inputs, 0.0))
    values, size = still.of_loop(), len(subject.equations.states)
    n = len(subject.equations.q)
    guesses = [np.zeros(size), *([subject.near] if subject.near is not None else [])]
    guesses += [np.where(np.arange(size) < n, x, 0.0) for x in subject.states]
    for guess in guesses:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                free = [*subject.equations.q, *(z for z, _ in subject.equations.auxiliary)]
                x = trim(still.loop or still.equations, values, guess, free)
        except (ValueError, np.linalg.LinAlgError):
            continue
        x = np.where(np.abs(x) < 1e-9, 0.0, x)
        finite = np.abs(x).max() < 100 and np.isfinite(still.accelerations(x, t=0.0)).all()
        regular = finite and np.linalg.cond(still.matrix_at(still.whole.mass_matrix, x)) < 1e12
        if regular and still.is_a_place(x):
            return x, values
    return None


def _beside(
    subject: Subject, point: Array, linear: Linearization, share: float
) -> tuple[float, Curves | None]:
    """Return how far a run from beside rest is from the linear one, as a part of it."""
    from scipy.linalg import expm

    still = subject.with_values(dict.fromkeys(subject.inputs, 0.0))
    A, tangent = (np.asarray(part, dtype=float) for part in (linear.A, linear.tangent))
    way = np.array([1.0 + 0.3 * i for i in range(len(A))])
    largest = max(float(np.abs(np.linalg.eigvals(A)).max()), 0.05)
    start = point + share * (tangent @ way)
    if still.loop:
        n = len(still.equations.q) + len(still.equations.u)
        start[:n] = still.loop.consistent_state(still.of_loop(), start[:n])
    equations = still.motion
    f, x0 = still.compiled(equations), still.start_of(equations, start)
    if not np.isfinite(f(0.0, still.start_of(equations, point))).all():
        raise ValueError("there the equations that are simulated have no value")
    chosen = [equations.states.index(s) for s in linear.states if s in equations.states]
    places = [i for i, s in enumerate(linear.states) if s in equations.states]
    times = np.linspace(0, 3.0 / largest, 31)
    motion = integrate_adaptive(f, times, x0, 1e-11, 1e-15, "dop853")
    rest = still.start_of(equations, point)[chosen]
    true = (motion.x[:, chosen] - rest) / share
    step = expm(A * times[1])
    rows = [(start - point)[[still.equations.states.index(s) for s in linear.states]] / share]
    for _ in times[1:]:
        rows.append(step @ rows[-1])
    said = np.array(rows)[:, places]
    off = float(np.abs(true - said).max() / max(np.abs(said).max(), 1e-300))
    i = int(np.argmax(np.abs(true - said).max(axis=0)))
    label = label_of(linear.states[places[i]])
    lines = {"a run": (times, true[:, i]), "the linearization": (times, said[:, i])}
    return off, Curves("time [s]", f"{label}, as part of a small start", lines)


# ---- orders


def orders(subject: Subject) -> Rung:
    """Halve the step of the classical Runge–Kutta method: its error must fall by 2⁴."""
    name = "order of a method"
    f, fit, exact, ended = subject.compiled(subject.motion), None, False, ""
    for x, radians in zip(subject.states, (5.0, 2.5, 1.0)):
        start = subject.start_of(subject.motion, x)
        try:
            fit, measured = _measured(f, start, radians), (start, radians)
        except (SimulationError, ValueError) as error:
            ended = ended or str(error)
            continue
        exact = fit.error.max() <= _ROUNDING * max(1.0, float(np.abs(x).max()))
        if exact or fit.order > _ORDER:
            break
    if fit is None:
        return Rung(name, None, f"No order can be measured: {ended}.")
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
    return _low_order(fit, _jumps(f, *measured))


def _low_order(fit: Convergence, jumps: bool) -> Rung:
    """Tell that the equations are not smooth: a kink is no mistake, and a jump may be one."""
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


def _jumps(f: RightHandSide, x0: Array, radians: float) -> bool:
    """Whether the rates jump along a motion: where they change most, between ever nearer states."""
    times = np.linspace(INSTANT, INSTANT + radians * time_scale(f, x0), 2001)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        motion = integrate_adaptive(f, times, x0, 1e-11, 1e-13)
    rates = np.array([f(t, x) for t, x in zip(motion.t, motion.x)])
    bend = np.abs(np.diff(rates, axis=0)).max(axis=1)
    for i in np.argsort(bend)[-50:]:
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


def _measured(f: RightHandSide, x0: Array, radians: float) -> Convergence:
    """Return the errors of RK4 with ever smaller steps."""
    end = INSTANT + radians * time_scale(f, x0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        true = integrate_adaptive(f, [INSTANT, end], x0, 1e-13, 1e-15, "dop853").x[-1]
        return observed_order(f, (INSTANT, end), x0, "rk4", true, _STEPS)


def modes_in_words(values: Array, digits: int = 4) -> str:
    """Return what small motions do, slowest first: how fast they swing, grow and die out."""
    size = max(float(np.abs(values).max()), 1e-9)
    least, phrases = size * 10.0**-digits, []

    def changing(real: float) -> str:
        word = "growing" if real > 0 else "dying out"
        return f", {word} by {abs(real):.{digits}g} 1/s" if abs(real) > least else ""

    swinging = sorted((v.imag / (2 * np.pi), v.real) for v in values if v.imag > 1e-4 * size)
    straight = sorted(v.real for v in values if abs(v.imag) <= 1e-4 * size)
    falling = [r for r in straight if r > 1e-4 * size]
    creeping = [
        -r
        for r in reversed(straight)
        if r < -1e-4 * size and min((abs(r + other) for other in falling), default=size) > least
    ]
    if swinging:
        texts = [f"{f:.{digits}g} Hz{changing(real)}" for f, real in swinging]
        if not any(changing(real) for _, real in swinging):
            texts = [text.removesuffix(" Hz") for text in texts[:-1]] + texts[-1:]
        phrases.append(f"swings at {listed(texts)}")
    for rates, does in ((falling, "falls away, growing by"), (creeping, "creeps to rest by")):
        if rates:
            phrases.append(f"{does} {listed([f'{r:.{digits}g}' for r in rates])} 1/s")
    return listed(phrases) or "neither swings nor falls"
