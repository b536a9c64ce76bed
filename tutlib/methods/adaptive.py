"""Steps as large as the tolerance allows, from a pair of embedded Runge-Kutta methods.

Two rows of weights give two results from the same stages; their difference tells how wrong the
step is. Chapter 4 explains it and measures it against SciPy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from tutlib.methods.checks import check_function, check_state, check_times, check_tolerances
from tutlib.methods.steps import add_stage, combine, space_of
from tutlib.methods.tableaus import DORMAND_PRINCE, ButcherTableau, Pair
from tutlib.methods.trajectory import SimulationError, Trajectory
from tutlib.programs.right_hand_side import Array, Function, RightHandSide
from tutlib.spaces.space import R, Space

#: More steps than this are a sign of a stiff problem or of a tolerance that cannot be met.
LARGEST_NUMBER_OF_STEPS = 1_000_000


@dataclass(frozen=True)
class _Step:
    """An accepted step, and the motion within it."""

    f: Function
    pair: Pair
    space: Space
    t: float
    h: float
    x: Array
    K: list[Array]
    end: Array

    def at(self, times: Array) -> Array:
        """Return the states at times within the step, shape (len(times), k)."""
        pair, K = self.pair, list(self.K)
        for c, row in zip(pair.further_c, pair.further_A):
            sigma = self.h * combine(row[: len(K)], K, self.x)
            add_stage(self.f, self.t + c * self.h, self.x, sigma, K, self.space)
        theta = (times - self.t) / self.h
        weights = theta[:, None] ** np.arange(1, pair.P.shape[1] + 1) @ pair.P.T
        states = [self.space.flow(self.h * combine(w, K, self.x), self.x) for w in weights]
        return np.reshape(states, (len(times), len(self.x)))


def integrate_adaptive(
    f: Function,
    t: ArrayLike,
    x0: ArrayLike,
    rtol: float = 1e-6,
    atol: float = 1e-9,
    method: ButcherTableau = DORMAND_PRINCE,
    space: Space | None = None,
    until: Callable[[float, Array], float] | None = None,
) -> Trajectory:
    """Integrate x' = f(t, x) from x0 with steps that the tolerances choose.

    A step is accepted if its estimated error, component by component, is at most
    atol + rtol abs(x) in the root mean square; the next step follows from the last two errors (a
    PI controller). What is bounded is the error of each step and not that of the motion.

    Parameters
    ----------
    f : function (t, x) -> array of shape (k,)
        Right-hand side. One compiled with ``backend="numba"`` runs compiled, loop and all.
    t : array, shape (2,) or (m,)
        Start and end [s], and the result is every step; or increasing times, and the result is
        the state at each of them, by the pair's dense output.
    x0 : array, shape (k,)
        Initial state.
    rtol, atol : float
        Relative and absolute tolerance, in the units of the states.
    method : ButcherTableau
        With embedded weights: ``DORMAND_PRINCE``, ``DOP853`` or your own.
    space : Space, optional
        Where the state lives; a field's own space or ℝᵏ unless given.
    until : function (t, x) -> float, optional
        The motion ends where this passes through zero.

    Returns
    -------
    Trajectory

    Raises
    ------
    TypeError, ValueError
        As for `integrate`; if a tolerance makes no sense; if the tableau has no embedded weights,
        or no dense output where it is needed.
    SimulationError
        If the step becomes too small to go on, f raises, or there are too many steps; its
        ``trajectory`` holds everything up to there.

    References
    ----------
    :cite:p:`HairerNorsettWanner1993`, sections II.4 to II.6; the controller
    :cite:p:`Gustafsson1991`.
    """
    space = space_of(f, space)
    times, start = check_times(t), check_state(x0, space)
    check_tolerances(rtol, atol)
    if not (isinstance(method, ButcherTableau) and method.embedded):
        raise ValueError(f"an adaptive step needs a tableau with embedded weights; got {method!r}")
    pair = method.pair
    every = len(times) <= 2
    if not pair.P.size and not (every and until is None):
        raise ValueError(f"{method.name} has no dense output: give only the start and the end")
    slope = np.array(check_function(f, times[0], start, space), dtype=float)
    names = f.state_names if isinstance(f, RightHandSide) else ()
    T, X = [times[:1]], [start[None]]
    try:
        steps = _steps(f, times, start, slope, method, space or R(len(start)), rtol, atol)
        _collect(steps, times[1:] if not every else None, until, T, X)
    except Exception as error:
        motion = Trajectory(np.concatenate(T), np.concatenate(X), names)
        raise SimulationError(
            f"{method.name} stopped after t = {motion.t[-1]:g}: {error}; the motion up to there is "
            "in .trajectory",
            motion,
        ) from error
    return Trajectory(np.concatenate(T), np.concatenate(X), names)


def _collect(
    steps: Iterator[_Step],
    wanted: Array | None,
    until: Callable[[float, Array], float] | None,
    T: list[Array],
    X: list[Array],
) -> None:
    """Append what is wanted of the accepted steps, until the last or the event."""
    value = until(T[0][0], X[0][0].copy()) if until else 0.0
    for step in steps:
        end, over = step.t + step.h, False
        if until:
            before, value = value, until(end, step.end.copy())
            if over := before * value < 0 or (value == 0 and before != 0):
                end = _zero(until, step)
        if wanted is None:
            found = np.array([end])
        else:
            found = wanted[(wanted > step.t) & (wanted <= end)]
            found = np.union1d(found, [end]) if over else found
        T.append(found)
        X.append(step.at(found) if over or wanted is not None else step.end[None])
        if over:
            return


def _zero(until: Callable[[float, Array], float], step: _Step) -> float:
    from scipy.optimize import brentq

    def value(t: float) -> float:
        return until(t, step.at(np.array([t]))[0])

    return float(brentq(value, step.t, step.t + step.h, xtol=1e-14))


def _steps(
    f: Function,
    times: Array,
    x: Array,
    first: Array,
    method: ButcherTableau,
    space: Space,
    rtol: float,
    atol: float,
) -> Iterator[_Step]:
    """Generate accepted steps from the first time to the last."""
    pair, exponent = method.pair, method.error_order
    t, end = float(times[0]), float(times[-1])
    motion = space.flow(1e-8 * first, x) - x  # in states: a slope may have fewer entries
    h, before, grow = _first_step(x, motion / 1e-8, end - t, rtol, atol), 1e-4, 10.0
    for _ in range(LARGEST_NUMBER_OF_STEPS):
        if t >= end:
            return
        if h < 1e-15 * abs(t):
            raise ArithmeticError(f"no step h >= {h:.1e} meets the tolerance")
        following = t + h if h < end - t else end
        h = min(h, end - t)
        K, new, slope = _stages(f, t, x, h, first, pair, space)
        errors = [space.flow(h * combine(row, K, x), x) - x for row in pair.E]
        error = _norm(errors, atol + rtol * np.maximum(np.abs(x), np.abs(new)))
        if not error <= 1.0:  # a step that went non-finite is rejected, too
            h *= max(0.2, 0.9 * error ** (-1 / exponent)) if np.isfinite(error) else 0.2
            grow = 1.0
            continue
        yield _Step(f, pair, space, t, h, x, K, new)
        t, x = following, new
        first = slope if slope is not None else np.array(f(t, x.copy()), dtype=float)
        error = max(error, 1e-4)
        factor = 0.95 * error ** (-0.7 / exponent) * before ** (0.4 / exponent)
        h, before, grow = h * min(grow, max(0.2, factor)), error, 10.0
    raise ArithmeticError(f"{LARGEST_NUMBER_OF_STEPS} steps were not enough; is it stiff?")


def _stages(
    f: Function, t: float, x: Array, h: float, first: Array, pair: Pair, space: Space
) -> tuple[list[Array], Array, Array | None]:
    """Return the stages, the state at t + h and the slope there, if the pair knows it."""
    K, slope, state = [first], first, x
    for i in range(1, len(pair.b)):
        sigma = h * combine(pair.A[i, :i], K, x)
        state, slope = add_stage(f, t + pair.c[i] * h, x, sigma, K, space)
    if pair.reuses:
        return K, state, slope
    return K, space.flow(h * combine(pair.b, K, x), x), None


def _norm(errors: list[Array], scale: Array) -> float:
    """Return the error in units of the tolerance; two estimates are joined as DOP853 does it."""
    squares = [float(np.mean((error / scale) ** 2)) for error in errors]
    if len(squares) == 1 or squares[0] == 0:
        return math.sqrt(squares[0])
    return squares[0] / math.sqrt(squares[0] + 0.01 * squares[1])


def _first_step(x: Array, rate: Array, duration: float, rtol: float, atol: float) -> float:
    """Return a step in which the state moves by a hundredth of itself, or a millionth second."""
    scale = atol + rtol * np.abs(x)
    size, speed = np.linalg.norm(x / scale), np.linalg.norm(rate / scale)
    h = 0.01 * size / speed if size > 1e-5 and speed > 1e-5 else 1e-6
    return float(min(h, duration))


def _run_compiled(
    f: RightHandSide,
    method: ButcherTableau,
    times: Array,
    slope: Array,
    rtol: float,
    atol: float,
    T: list[Array],
    X: list[Array],
) -> None:
    """Do the same compiled, many steps a call."""
    pair, x = method.pair, X[0][0].copy()
    h = _first_step(x, slope, times[-1] - times[0], rtol, atol)
    # t, h, the logarithm of the error before, how much h may grow
    state = np.array([times[0], h, math.log(1e-4), 10.0])
    c, A = _all_stages(pair)
    K = np.zeros((len(c), len(x)))
    K[0] = slope
    run: Callable[..., int] | None = f.adaptive_loop if pair.reuses else None
    if run is None:
        from tutlib.programs.compiled_adaptive import run_adaptive

        run = partial(run_adaptive, f.kernel, f.speeds)
    wanted = times[1:] if len(times) > 2 else times[:0]
    numbers = (c, A, pair.E, pair.P, float(method.error_order), rtol, atol)
    for _ in range(LARGEST_NUMBER_OF_STEPS // 1000):
        room = max(1000, len(wanted))
        found_t, found = np.empty(room), np.empty((room, len(x)))
        rows = run(f.parameter_values, x, K, state, times[-1], wanted, found_t, found, *numbers)
        T.append(found_t[:rows])
        X.append(found[:rows])
        wanted = wanted[wanted > state[0]]
        if state[0] >= times[-1]:
            return
        if state[1] < 1e-15 * abs(state[0]):
            f(state[0], x)  # says so if the mass matrix is singular there
            raise ArithmeticError(f"no step h >= {state[1]:.1e} meets the tolerance")
    raise ArithmeticError(f"{LARGEST_NUMBER_OF_STEPS} steps were not enough; is it stiff?")


def _all_stages(pair: Pair) -> tuple[Array, Array]:
    """Return c and A of all stages, the dense output's too; b between, where it is no stage."""
    c, s = np.concatenate([pair.c, pair.further_c]), len(pair.c)
    A = np.zeros((len(c) + (not pair.reuses), len(c)))
    A[:s, :s] = pair.A
    if not pair.reuses:
        A[s, :s] = pair.b
    if len(pair.further_c):
        A[-len(pair.further_c) :] = pair.further_A
    return c, A
