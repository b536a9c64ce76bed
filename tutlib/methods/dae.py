"""F(t, x, ẋ) = 0: differential-algebraic equations, handed to IDA of SUNDIALS.

Chapter 6 writes such a residual by hand for the four-bar linkage, and solves it with this.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tutlib.methods.checks import check_state, check_times, check_tolerances
from tutlib.methods.trajectory import SimulationError, Trajectory
from tutlib.programs.implicit import ImplicitEquations
from tutlib.programs.right_hand_side import Array

#: Largest residual of a start that counts as consistent, in the units of its row.
CONSISTENT = 1e-6


def integrate_dae(
    equations: ImplicitEquations,
    t: ArrayLike,
    x0: ArrayLike,
    rtol: float = 1e-6,
    atol: float = 1e-9,
) -> Trajectory:
    """Integrate F(t, x, ẋ) = 0 from a consistent state by IDA, with steps and orders of its own.

    The initial rates are computed from the equations, not guessed.

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
        If IDA gives up; its ``trajectory`` holds everything up to there.

    References
    ----------
    :cite:p:`Hindmarsh2005`.
    """
    times, start = check_times(t), check_state(x0)
    check_tolerances(rtol, atol)
    first = np.asarray(equations.rates(float(times[0]), start.copy()), dtype=float)
    missed = equations.residual(float(times[0]), start, first)
    row = int(np.argmax(np.abs(missed)))
    if not abs(missed[row]) <= CONSISTENT:
        raise ValueError(
            f"the start is not consistent: row {row} of the residual is {missed[row]:.3g} there; "
            "consistent_state finds a state that fits"
        )
    if len(times) == 1:
        return Trajectory(times, start[None], equations.names)
    found = _ida(equations, rtol, atol).solve(times, start, first)
    motion = Trajectory(np.array(found.t), np.array(found.y), equations.names)
    if not found.success or not np.isfinite(motion.x).all():
        good = np.isfinite(motion.x).all(axis=1)
        motion = Trajectory(motion.t[good], motion.x[good], equations.names)
        raise SimulationError(
            f"IDA stopped after t = {motion.t[-1]:g}: {found.message}; the motion up to there is "
            "in .trajectory",
            motion,
        )
    return motion


def _ida(equations: ImplicitEquations, rtol: float, atol: float):  # type: ignore[no-untyped-def]
    try:
        from sksundae.ida import IDA
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            'IDA comes with scikit-sundae: run "pip install scikit-sundae"', name="sksundae"
        ) from missing

    def fill(t: float, x: Array, xdot: Array, residual: Array) -> None:
        residual[:] = equations.residual(t, x.copy(), xdot.copy())

    return IDA(
        fill,
        rtol=rtol,
        atol=atol,
        algebraic_idx=list(equations.algebraic) or None,
        max_num_steps=1_000_000,
    )
