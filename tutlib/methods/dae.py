"""Differential-algebraic equations F(t, x, ẋ) = 0, integrated by IDA of SUNDIALS.

Chapter 6 writes such a residual by hand for the four-bar linkage and solves it with this.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import instance, real_array, real_number
from tutlib.fields import ImplicitEquations
from tutlib.methods.consistency import CONSISTENT, algebraic_states, consistent
from tutlib.methods.trajectory import Interrupted, SimulationError, Trajectory
from tutlib.reading.motions import increasing_times, initial_state, parts_between, tolerances

#: After this many nonfinite residuals without a later time, no smaller step will help.
LOST = 1000


def integrate_dae(
    equations: ImplicitEquations,
    t: ArrayLike,
    x0: ArrayLike,
    rtol: float = 1e-6,
    atol: ArrayLike = 1e-9,
    max_step: float = np.inf,
    breaks: ArrayLike = (),
) -> Trajectory:
    """Integrate F(t, x, ẋ) = 0 from a consistent state with IDA, which adapts step and order.

    The initial derivatives ẋ are computed from the equations, not guessed. The equations must be
    of index 1: F(t, x, ẋ) = 0 itself, without its derivatives, determines ẋ and the algebraic
    states.

    Parameters
    ----------
    equations : ImplicitEquations
    t : array, shape (m,)
        Increasing times [s].
    x0 : array, shape (k,)
        Initial state.
    rtol : float
        Relative tolerance.
    atol : float or array, shape (k,)
        Absolute tolerance, or one for each state, in the units of the states.
    max_step : float
        Largest step size [s]. A force pulse that is shorter than a step can be missed: pass its
        edges as ``breaks``, or choose a ``max_step`` shorter than the pulse.
    breaks : array, shape (n,)
        Times at which the residual jumps or has a kink [s], such as the edges of a force pulse or
        the knots of a recorded input. IDA stops before each of them and restarts after it, where
        the algebraic states may have jumped. At the time of a break itself, the result is the
        state before it.

    Returns
    -------
    Trajectory

    Raises
    ------
    ModuleNotFoundError
        If scikit-sundae is not installed.
    TypeError, ValueError
        If the times, the state, or a tolerance is invalid, the initial state is not consistent,
        ``algebraic`` does not fit the residual, or the index is found to be higher than 1.
    SimulationError
        If IDA fails, or the residual raises an error or stays nan. The attribute ``trajectory``
        holds the states computed so far. For equations of a higher index, IDA fails or takes tiny
        steps.
    Interrupted
        If you press Ctrl-C. The attribute ``trajectory`` holds the states computed so far.

    References
    ----------
    :cite:p:`Hindmarsh2005`.
    """
    times, start = increasing_times(t), initial_state(x0)
    rtol, atol = tolerances(rtol, atol, len(start))
    parts = parts_between(times, breaks)
    longest = real_number(max_step, "max_step", "positive", finite=False)
    instance(equations, "equations", ImplicitEquations, "implicit(...) of constraints makes them")
    begin, shape = parts[0][0], start.shape
    first = real_array(equations.rates(begin, start.copy()), "the initial derivatives", shape)
    algebraic = algebraic_states(equations, begin, start, first)
    missed = real_array(equations.residual(begin, start.copy(), first), "the residual", shape)
    terms = _terms(equations, begin, start, first)
    row = int(np.argmax(np.abs(missed) / np.where(terms > 0, terms, 1.0)))
    if not abs(missed[row]) <= CONSISTENT * (terms[row] or 1.0):
        raise ValueError(
            f"the initial state is not consistent: row {row} of the residual is {missed[row]:.3g}; "
            "use consistent_state to find a consistent one"
        )
    if len(times) == 1:
        return Trajectory(times, start[None], equations.names)
    ida = _ida(equations, algebraic, rtol, atol, longest)
    return _run(ida, equations, algebraic, parts, times, start, first)


def _terms(equations: ImplicitEquations, t: float, x: Array, rates: Array) -> Array:
    """Return the magnitudes of the residual's terms: its change for a relative change of x."""
    part, size = 2.0**-26, np.abs(x) + np.array(equations.units or 1.0)
    signs = np.random.default_rng(0).choice([-1.0, 1.0], size=(4, len(x)))
    here = np.asarray(equations.residual(t, x.copy(), rates))
    moved = [equations.residual(t, x + part * row * size, rates) for row in signs]
    changes: Array = np.abs(np.array(moved) - here).max(axis=0) / part
    return np.asarray(np.nan_to_num(changes))


def _run(
    ida: Any,
    equations: ImplicitEquations,
    algebraic: list[int],
    parts: list[tuple[float, float, float]],
    times: Array,
    start: Array,
    first: Array,
) -> Trajectory:
    """Run IDA from one time to the next; raise errors that hold the trajectory so far."""
    X, done, names = np.tile(start, (len(times), 1)), 1, equations.names
    x, xdot = start, first
    try:
        for begin, end, stop in parts:
            if begin != parts[0][0]:
                x, xdot = consistent(equations, algebraic, begin, x)
            ida.init_step(begin, x, xdot)
            wanted = times[done:][times[done:] <= stop]
            for t in np.union1d(wanted, [stop]):
                solution = ida.step(min(t, end), tstop=end)
                if not solution.success or not np.isfinite(solution.y).all():
                    raise ArithmeticError(" ".join(str(solution.message).split()))
                x = np.array(solution.y)
                if t in wanted:
                    X[done], done = x, done + 1
        return Trajectory(times, X, names)
    except KeyboardInterrupt as stop:
        raise Interrupted(Trajectory(times[:done], X[:done], names)) from stop
    except Exception as error:
        raise SimulationError(
            f"IDA stopped after t = {times[done - 1]:g}: {error}; the result so far is in "
            ".trajectory",
            Trajectory(times[:done], X[:done], names),
        ) from error


def _ida(
    equations: ImplicitEquations,
    algebraic: list[int],
    rtol: float,
    atol: float | Array,
    longest: float,
) -> Any:
    try:
        from sksundae.ida import IDA
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            "IDA requires scikit-sundae, which is not installed. On macOS, and on Linux and "
            'Windows with x86-64, run "pip install scikit-sundae"',
            name="sksundae",
        ) from missing

    lost, latest = 0, -np.inf

    def fill(t: float, x: Array, xdot: Array, residual: Array) -> None:
        nonlocal lost, latest
        value = equations.residual(t, x.copy(), xdot.copy())
        residual[:] = real_array(value, "the residual", x.shape, finite=False)
        if not np.isfinite(residual).all():
            lost += 1
        elif t > latest:  # IDA keeps returning to states at which it is finite
            lost, latest = 0, t
        if lost > LOST:
            row = int(np.argmin(np.isfinite(residual)))
            raise ArithmeticError(f"row {row} of the residual stays {residual[row]} from t = {t:g}")

    return IDA(
        fill,
        rtol=rtol,
        atol=atol,
        max_step=longest if np.isfinite(longest) else 0.0,
        algebraic_idx=algebraic or None,
        max_num_steps=1_000_000,
    )
