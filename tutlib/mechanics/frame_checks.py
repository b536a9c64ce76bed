"""Check that the angular velocity of a frame is consistent with its orientation.

SymPy stores them independently. Used where equations are derived from bodies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from sympy.core.function import AppliedUndef

from tutlib.reading.names import plain_name

#: Relative tolerance: above the error of a difference quotient, far below that of a wrong axis.
_NEAR = 1e-5


def refuse_contradictions(
    bodies: Iterable[me.Particle | me.RigidBody],
    inertial: me.ReferenceFrame,
    q: Sequence[sm.Expr],
    u: Sequence[sm.Expr],
    rates: sm.MatrixBase,
) -> None:
    """Reject a frame whose angular velocity contradicts its orientation.

    They are compared at one random state. A frame is skipped if it has no orientation, or none at
    that state, as with four Euler parameters, or if it depends on functions of time that are not
    coordinates.

    Parameters
    ----------
    bodies : iterable of Particle or RigidBody
    inertial : ReferenceFrame
    q, u : sequence of dynamicsymbols
    rates : Matrix, shape (len(q), 1)
        q̇, in terms of q and u.

    Raises
    ------
    ValueError
        With the frame, the state, and both angular velocities.
    """
    substitutions = dict(zip([coordinate.diff() for coordinate in q], rates))
    for frame in dict.fromkeys(b.frame for b in bodies if isinstance(b, me.RigidBody)):
        try:
            orientation = inertial.dcm(frame)
        except ValueError:
            continue
        velocity = frame.ang_vel_in(inertial).to_matrix(frame).xreplace(substitutions)
        matrices = (orientation, velocity, sm.Matrix(rates))
        functions = {f for part in matrices for f in part.atoms(AppliedUndef, sm.Derivative)}
        if not functions - {*q, *u}:
            _compare(frame, inertial, matrices, q, u)


def _compare(
    frame: me.ReferenceFrame,
    inertial: me.ReferenceFrame,
    matrices: tuple[sm.MatrixBase, ...],
    q: Sequence[sm.Expr],
    u: Sequence[sm.Expr],
) -> None:
    t, random = me.dynamicsymbols._t, np.random.default_rng(8)
    constants = sorted(set().union(*(part.free_symbols for part in matrices)) - {t}, key=str)
    function = sm.lambdify([t, q, u, constants], matrices)
    numbers = random.uniform(0.3, 1.3, len(constants))
    now, coordinates, speeds = 0.4, random.uniform(-1, 1, len(q)), random.uniform(-1, 1, len(u))
    R, expected, rates = (np.asarray(a, float) for a in function(now, coordinates, speeds, numbers))
    if not np.abs(R.T @ R - np.eye(3)).max() < 1e-9:
        return
    ends = (
        np.asarray(function(now + h, coordinates + h * rates.ravel(), speeds, numbers)[0], float)
        for h in (1e-5, -1e-5)
    )
    S = R.T @ np.subtract(*ends) / 2e-5
    actual, declared = np.array([S[2, 1], S[0, 2], S[1, 0]]), expected.ravel()
    if not np.abs(actual - declared).max() < _NEAR * (1 + np.abs(declared).max()):
        state = zip(map(plain_name, (*q, *u)), [*coordinates, *speeds])
        here = ", ".join(f"{name} = {value:.3g}" for name, value in state)
        raise ValueError(
            f"the angular velocity of {frame} in {inertial} contradicts its orientation: at "
            f"{here} it was set to {declared.round(4).tolist()} rad/s, and the frame turns with "
            f"{actual.round(4).tolist()}, both in the axes of {frame}; leave out set_ang_vel, "
            "or correct the rates of the coordinates"
        )
