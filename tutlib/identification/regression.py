"""Equations that are linear in their parameters, as linear least squares on measured motion.

Chapter 12 sets them up in two ways: with accelerations from smoothed angles; and multiplied by a
bump and integrated by parts, so that no acceleration is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from numpy.typing import ArrayLike

from straightline import from_sympy
from straightline.aliases import Array
from straightline.arguments import instance, real_array, real_number
from straightline.evaluator import Evaluator
from tutlib.identification.recordings import Recording
from tutlib.mechanics.equations import EquationsOfMotion

#: Exponent of the bump (1 - s²)⁴, whose first three derivatives vanish at both ends.
_EXPONENT = 4
#: Samples closer to the ends of a recording [s] are not used: smoothing is less accurate there.
_MARGIN = 0.1


class Regressor:
    """Equations of motion that are linear in their parameters: Y(q, u, u̇) θ = y(τ).

    Parameters
    ----------
    equations : EquationsOfMotion
        With n coordinates, whose time derivatives are the speeds. The inputs are the torques.
    parameters : sequence of Symbol
        Parameters θ with the same value in all recordings.
    each : sequence of Symbol, optional
        Further parameters, with a value of their own in each recording.

    Attributes
    ----------
    shared, each : tuple of Symbol
        As passed.
    Y : Matrix, shape (n, p)
        The regressor, in coordinates, speeds, and the accelerations ``v_1, ..., v_n``.
    y : Matrix, shape (n, 1)
        The terms without parameters.

    Raises
    ------
    ValueError
        If the equations are not linear in the parameters, or contain other parameters.

    References
    ----------
    :cite:p:`SicilianoEtAl2009`, section 7.2.
    """

    def __init__(
        self,
        equations: EquationsOfMotion,
        parameters: Sequence[sm.Symbol],
        each: Sequence[sm.Symbol] = (),
    ) -> None:
        eom = instance(equations, "equations", EquationsOfMotion)
        self.shared, self.each, n = tuple(parameters), tuple(each), len(eom.q)
        if further := {*eom.parameters} - {*self.shared, *self.each}:
            raise ValueError(
                f"parameters must name all unknown constants; missing: {_listed(further)}. Insert "
                "numbers for constants that you know"
            )
        M, u, v = eom.mass_matrix, sm.Matrix(eom.u), sm.Matrix(sm.symbols(f"v_1:{n + 1}"))
        change = sm.Matrix(eom.in_states([M.diff(me.dynamicsymbols._t)])[0])
        self.Y, constant = self._split(M * v - eom.forcing)
        self.y = -constant
        # the same equations as d/dt (P θ + P_0) = G θ + G_0, with the momenta on the left
        self._P, self._P_0 = self._split(M * u)
        self._G, self._G_0 = self._split(change * u + eom.forcing)
        self._arguments = (*eom.q, *eom.u, *eom.inputs, *v)
        self._inputs = len(eom.inputs)

    def acceleration_form(
        self, recordings: Sequence[Recording], cutoff: float
    ) -> tuple[Array, Array]:
        """Return Y and y at all samples, with accelerations from smoothed angles.

        Parameters
        ----------
        recordings : sequence of Recording
        cutoff : float
            Cutoff of `Recording.smoothed` [Hz]; torques are smoothed in the same way.

        Returns
        -------
        Y : array, shape (rows, p)
            A column for each shared parameter; then, for each recording, a column for each
            parameter of its own.
        y : array, shape (rows,)
        """
        blocks = []
        for recording in recordings:
            smooth, Y, y = self._smoothed(recording, cutoff)
            inside = np.abs(smooth.t - smooth.t.mean()) < np.ptp(smooth.t) / 2 - _MARGIN
            blocks.append((Y[inside], y[inside]))
        return self._stacked(blocks)

    def weak_form(
        self, recordings: Sequence[Recording], width: float = 0.4, cutoff: float = 25.0
    ) -> tuple[Array, Array]:
        """Return Y and y of the equations multiplied by bumps and integrated by parts.

        Neighboring bumps are a quarter of their width apart.

        Parameters
        ----------
        recordings : sequence of Recording
        width : float
            Width of a bump [s].
        cutoff : float
            Cutoff of `Recording.speeds` [Hz].

        Returns
        -------
        Y, y : array
            As for `acceleration_form`, with n rows for each bump.

        References
        ----------
        :cite:p:`Shinbrot1957`; :cite:p:`MessengerBortz2021`.
        """
        half, blocks = real_number(width, "width", "positive") / 2, []
        for recording in recordings:
            t, rows = recording.t, []
            u = recording.speeds(cutoff)
            P, G, P_0, G_0 = self._values(self._of_momenta, recording, u, 0 * u, 2)
            for center in np.arange(t[0] + _MARGIN + half, t[-1] - _MARGIN - half, half / 2):
                inside = slice(*np.searchsorted(t, [center - half, center + half]))
                s, weight = (t[inside] - center) / half, np.gradient(t[inside])
                bump = weight * (1 - s**2) ** _EXPONENT
                slope = weight * -2 * _EXPONENT * s * (1 - s**2) ** (_EXPONENT - 1) / half
                left = -np.tensordot(slope, P[inside], 1) - np.tensordot(bump, G[inside], 1)
                rows.append((left, slope @ P_0[inside] + bump @ G_0[inside]))
            if not rows:
                raise ValueError(
                    f"a bump of {width:g} s does not fit into the recording of {np.ptp(t):g} s"
                )
            blocks.append((np.array([r[0] for r in rows]), np.array([r[1] for r in rows])))
        return self._stacked(blocks)

    def inverse_dynamics(self, recording: Recording, values: ArrayLike, cutoff: float) -> Recording:
        """Return the smoothed motion with the torques that it needs, for given parameters.

        Parameters
        ----------
        recording : Recording
        values : array, shape (p,)
            The shared parameters, then those of this recording.
        cutoff : float
            Cutoff of `Recording.smoothed` [Hz].

        Returns
        -------
        Recording
            Its torques minus those of ``recording.smoothed(cutoff)`` are the residuals of the
            equations [N·m].
        """
        smooth, Y, y = self._smoothed(recording, cutoff)
        theta = real_array(values, "values", (Y.shape[2],))
        return replace(smooth, torque=smooth.torque + Y @ theta - y)

    def _smoothed(self, recording: Recording, cutoff: float) -> tuple[Recording, Array, Array]:
        """Return the smoothed motion, with Y and y at its samples."""
        smooth = recording.smoothed(cutoff)
        u = np.gradient(smooth.q, smooth.t, axis=0)
        v = np.gradient(u, smooth.t, axis=0)
        Y, y = self._values(self._of_accelerations, smooth, u, v)
        return smooth, Y, y

    def _split(self, expressions: sm.Matrix) -> tuple[sm.Matrix, sm.Matrix]:
        """Return a matrix and a column, so that expressions = matrix · θ + column."""
        unknowns = [*self.shared, *self.each]
        matrix = expressions.jacobian(unknowns)
        if nonlinear := matrix.free_symbols & {*unknowns}:
            raise ValueError(
                f"the equations must be linear in the parameters; they are not linear in "
                f"{_listed(nonlinear)}"
            )
        return matrix, expressions.xreplace(dict.fromkeys(unknowns, sm.S.Zero))

    @cached_property
    def _of_accelerations(self) -> Evaluator:
        return self._compiled(self.Y, self.y)

    @cached_property
    def _of_momenta(self) -> Evaluator:
        return self._compiled(self._P, self._G, self._P_0, self._G_0)

    def _compiled(self, *matrices: sm.Matrix) -> Evaluator:
        outputs = [entry for matrix in matrices for entry in matrix]
        return from_sympy(outputs, (me.dynamicsymbols._t, self._arguments, ())).evaluator()

    def _values(
        self, evaluator: Evaluator, recording: Recording, u: Array, v: Array, columns: int = 1
    ) -> list[Array]:
        """Return matrices of shape (samples, n, p), and then columns of shape (samples, n)."""
        torques, n = recording.torque[:, : self._inputs], u.shape[1]
        values = evaluator(recording.t, np.hstack([recording.q, u, torques, v]))
        p = len(self.shared) + len(self.each)
        matrices = values[:, : -columns * n].reshape(len(u), -1, n, p)
        without = values[:, -columns * n :].reshape(len(u), columns, n)
        return [*np.moveaxis(matrices, 1, 0), *np.moveaxis(without, 1, 0)]

    def _stacked(self, blocks: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
        """Stack the rows of all recordings, with separate columns for what each has of its own."""
        shared, own, rows = len(self.shared), len(self.each), []
        for i, (Y, _) in enumerate(blocks):
            of_shared, of_own = np.split(Y.reshape(-1, shared + own), [shared], axis=1)
            columns = np.zeros((len(of_own), own * len(blocks)))
            columns[:, own * i : own * (i + 1)] = of_own
            rows.append(np.hstack([of_shared, columns]))
        return np.vstack(rows), np.concatenate([y.ravel() for _, y in blocks])


def _listed(symbols: set[sm.Symbol]) -> str:
    return ", ".join(sorted(map(str, symbols)))
