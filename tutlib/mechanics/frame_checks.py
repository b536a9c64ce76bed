"""Whether a frame turns as it was told to: its angular velocity against its orientation.

SymPy keeps both apart, and believes either. Used where equations are derived from bodies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from sympy.core.function import AppliedUndef

from tutlib.reading.names import plain_name

#: Of a difference quotient over 1e-5 s, and far below what a wrong axis makes.
_NEAR = 1e-5


def refuse_contradictions(
    bodies: Iterable[me.Particle | me.RigidBody],
    inertial: me.ReferenceFrame,
    q: Sequence[sm.Expr],
    u: Sequence[sm.Expr],
    rates: sm.MatrixBase,
) -> None:
    """Refuse a frame whose angular velocity is another than its orientation makes it.

    They are compared at one random state. What has no orientation, or none at such a state, as with
    four Euler parameters, or turns by functions of time that are no coordinates, is passed over.

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
        Naming the frame, the state and both angular velocities.
    """
    known = dict(zip([coordinate.diff() for coordinate in q], rates))
    for frame in dict.fromkeys(b.frame for b in bodies if isinstance(b, me.RigidBody)):
        try:
            orientation = inertial.dcm(frame)
        except ValueError:
            continue
        velocity = frame.ang_vel_in(inertial).to_matrix(frame).xreplace(known)
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
    now, place, speeds = 0.4, random.uniform(-1, 1, len(q)), random.uniform(-1, 1, len(u))
    R, expected, rates = (np.asarray(a, float) for a in function(now, place, speeds, numbers))
    if not np.abs(R.T @ R - np.eye(3)).max() < 1e-9:
        return
    ends = (
        np.asarray(function(now + h, place + h * rates.ravel(), speeds, numbers)[0], float)
        for h in (1e-5, -1e-5)
    )
    S = R.T @ np.subtract(*ends) / 2e-5
    turns, said = np.array([S[2, 1], S[0, 2], S[1, 0]]), expected.ravel()
    if not np.abs(turns - said).max() < _NEAR * (1 + np.abs(said).max()):
        state = zip(map(plain_name, (*q, *u)), [*place, *speeds])
        here = ", ".join(f"{name} = {value:.3g}" for name, value in state)
        raise ValueError(
            f"the angular velocity of {frame} in {inertial} contradicts its orientation: at "
            f"{here} it was set to {said.round(4).tolist()} rad/s, and the frame turns with "
            f"{turns.round(4).tolist()}, both in the axes of {frame}; leave out set_ang_vel, "
            "or correct the rates of the coordinates"
        )
