"""Differential-algebraic equations F(t, x, ẋ) = 0, integrated by IDA of SUNDIALS.

Chapter 6 writes such a residual by hand for the four-bar linkage and solves it with this.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import instance, real_array
from tutlib.fields import ImplicitEquations
from tutlib.methods.trajectory import Interrupted, SimulationError, Trajectory
from tutlib.reading.motions import increasing_times, initial_state, tolerances

#: Largest residual of a start that counts as consistent, in the units of its row.
CONSISTENT = 1e-6
#: After so many residuals that are not finite, and no later time, no smaller step will help.
LOST = 1000


def integrate_dae(
    equations: ImplicitEquations,
    t: ArrayLike,
    x0: ArrayLike,
    rtol: float = 1e-6,
    atol: float = 1e-9,
) -> Trajectory:
    """Integrate F(t, x, ẋ) = 0 from a consistent state by IDA, with steps and orders of its own.

    The initial rates are computed from the equations, not guessed. The equations must be of index
    1: what ẋ and the algebraic states are follows from F(t, x, ẋ) = 0 itself, without a derivative
    of it.

    Parameters
    ----------
    equations : ImplicitEquations
    t : array, shape (m,)
        Increasing times [s].
    x0 : array, shape (k,)
        Initial state.
    rtol, atol : float
        Relative and absolute tolerance, in the units of the states.

    Returns
    -------
    Trajectory

    Raises
    ------
    ModuleNotFoundError
        If scikit-sundae is not installed.
    TypeError, ValueError
        If the times, the state or a tolerance make no sense, or the start is not consistent.
    SimulationError
        If IDA gives up, or the residual raises or stays nan; its ``trajectory`` holds everything
        up to there. For equations of a higher index IDA gives up or takes tiny steps.
    Interrupted
        If it is stopped by Ctrl-C; its ``trajectory``, too, holds everything up to there.

    References
    ----------
    :cite:p:`Hindmarsh2005`.
    """
    times, start = increasing_times(t), initial_state(x0)
    rtol, atol = tolerances(rtol, atol)
    instance(equations, "equations", ImplicitEquations, "implicit(...) of constraints makes them")
    t0, shape = float(times[0]), start.shape
    first = real_array(equations.rates(t0, start.copy()), "the first rates", shape)
    missed = real_array(equations.residual(t0, start.copy(), first), "the residual", shape)
    row = int(np.argmax(np.abs(missed)))
    if not abs(missed[row]) <= CONSISTENT:
        raise ValueError(
            f"the start is not consistent: row {row} of the residual is {missed[row]:.3g} there; "
            "consistent_state finds a state that fits"
        )
    if len(times) == 1:
        return Trajectory(times, start[None], equations.names)
    return _run(_ida(equations, rtol, atol), times, start, first, equations.names)


def _run(ida: Any, times: Array, start: Array, first: Array, names: tuple[str, ...]) -> Trajectory:
    """Take IDA from one time to the next; raise what keeps the motion so far."""
    X, done = np.tile(start, (len(times), 1)), 1
    try:
        ida.init_step(times[0], start, first)
        for i in range(1, len(times)):
            solution = ida.step(times[i])
            if not solution.success or not np.isfinite(solution.y).all():
                raise ArithmeticError(" ".join(str(solution.message).split()))
            X[i], done = solution.y, i + 1
        return Trajectory(times, X, names)
    except KeyboardInterrupt as stop:
        raise Interrupted(Trajectory(times[:done], X[:done], names)) from stop
    except Exception as error:
        raise SimulationError(
            f"IDA stopped after t = {times[done - 1]:g}: {error}; the motion up to there is in "
            ".trajectory",
            Trajectory(times[:done], X[:done], names),
        ) from error


def _ida(equations: ImplicitEquations, rtol: float, atol: float):  # type: ignore[no-untyped-def]
    try:
        from sksundae.ida import IDA
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            "IDA comes with scikit-sundae, which is not installed. It is built for macOS, and for "
            'Linux and Windows on x86-64; there, run "pip install scikit-sundae"',
            name="sksundae",
        ) from missing

    lost, latest = 0, -np.inf

    def fill(t: float, x: Array, xdot: Array, residual: Array) -> None:
        nonlocal lost, latest
        value = equations.residual(t, x.copy(), xdot.copy())
        residual[:] = real_array(value, "the residual", x.shape, finite=False)
        if not np.isfinite(residual).all():
            lost += 1
        elif t > latest:  # IDA goes back again and again, to where it is finite
            lost, latest = 0, t
        if lost > LOST:
            row = int(np.argmin(np.isfinite(residual)))
            raise ArithmeticError(f"row {row} of the residual stays {residual[row]} from t = {t:g}")

    return IDA(
        fill,
        rtol=rtol,
        atol=atol,
        algebraic_idx=list(equations.algebraic) or None,
        max_num_steps=1_000_000,
    )
