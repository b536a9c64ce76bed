"""Dependent speeds, which follow from others through constraints, and their singular states.

G u + g = 0 determines the dependent speeds as long as their columns of G are regular. Where these
become singular, the equations in the independent speeds are 0/0. Chapter 6 shows an example.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.assignments import Number

#: The determinant of the gradients' products at a nearly singular pose, as a fraction of its values
#: along the trajectory.
_NEAR = 1e-5
#: Columns of normalized rows count as singular if their smallest singular value is less than this.
_SINGULAR = 1e-7


@dataclass(frozen=True, eq=False)
class Dependence:
    """The choice of independent speeds, and the gradients that determine the dependent ones.

    Parameters
    ----------
    gradients : function (t, x) -> array, shape (..., m n)
        G, row by row.
    speeds : tuple of str
        The names of all n speeds.
    independent : tuple of int
        Indices of those that are states; the m others are dependent. If empty, all are states.
    determinant : function (t, x) -> array, shape (..., 1), optional
        Determinant of the columns of G of the dependent speeds.
    units : tuple of float
        Natural scales of the speeds, used to compare columns of G.
    """

    gradients: Callable[[Any, Any], Any]
    speeds: tuple[str, ...]
    independent: tuple[int, ...]
    determinant: Callable[[Any, Any], Any] | None = None
    units: tuple[float, ...] = ()

    def refuse_singular(self, t: float, x: Array) -> None:
        """Reject a state at which the dependent speeds are not determined.

        Raises
        ------
        ValueError
            With the time, and speeds that can be independent there, if there are any.
        """
        columns = self._columns(t, x)
        if not (self.independent and np.isfinite(columns).all()):
            return
        if np.linalg.svd(columns, compute_uv=False)[-1] <= _SINGULAR:
            raise ValueError(self.blame(t, x))

    def nearly_singular(self, t: Array, X: Array) -> int | None:
        """Return the row of a trajectory where constraint gradients are nearly dependent.

        If they are dependent along the whole trajectory, constraints are redundant and there is no
        such row.
        """
        G = self._gradients(t, X)
        sizes = np.linalg.det(G @ np.swapaxes(G, -1, -2))
        least = int(np.argmin(sizes))
        return least if sizes[least] < _NEAR * np.median(sizes) else None

    def last_before(self, t: Array, X: Array) -> int | None:
        """Return the last row before the dependent speeds are no longer determined, if any.

        A singular configuration, for which no other choice of speeds would help, is not reported.
        """
        if not self.independent:
            return None
        if self.determinant:
            sizes = np.asarray(self.determinant(t, X))[:, 0]
        else:
            sizes = np.linalg.det(np.delete(self._gradients(t, X), self.independent, axis=-1))
        least = 1e-6 * np.abs(sizes).max(initial=0.0)
        passed = (sizes[:-1] * sizes[1:] <= 0) | (np.abs(sizes[1:]) <= least)
        for i in np.flatnonzero(passed):
            before, after = np.abs(sizes[i : i + 2])
            share = before / (before + after) if before + after > 0 else 0.5
            G = self._gradients(t[i : i + 2], X[i : i + 2])
            there = (1 - share) * G[0] + share * G[1]
            ranks = np.linalg.svd(np.array([G[0], there, G[1]]), compute_uv=False)[:, -1]
            if ranks[1] > 0.1 * max(ranks[0], ranks[2]):
                return int(i)
        return None

    def blame(self, t: float, x: Array) -> str:
        """Return which speeds are not determined at or soon after a state, and a remedy."""
        bound = [name for i, name in enumerate(self.speeds) if i not in self.independent]
        return (
            f"{self._names(self.independent)} cannot be independent at t = {t:g}: the constraints "
            f"do not determine {', '.join(bound)} there; {self._advice(t, x)}"
        )

    def _columns(self, t: Number, x: Array) -> Array:
        """Return the columns of the dependent speeds, of G with rows of length 1."""
        G = self._rows(t, x)
        return np.delete(G, self.independent, axis=-1)

    def _gradients(self, t: ArrayLike, x: Array) -> Array:
        flat: Array = np.asarray(self.gradients(t, x))
        G: Array = flat.reshape(*flat.shape[:-1], -1, len(self.speeds))
        return np.asarray(G * np.array(self.units or 1.0))

    def _rows(self, t: ArrayLike, x: Array) -> Array:
        """Return the gradients with rows of length 1."""
        G = self._gradients(t, x)
        sizes = np.linalg.norm(G, axis=-1, keepdims=True)
        rows: Array = G / np.where(sizes > 0, sizes, 1.0)
        return rows

    def _advice(self, t: Number, x: Array) -> str:
        from scipy.linalg import qr  # SciPy is slow to import, so only when needed

        G = self._rows(t, x)
        if np.linalg.matrix_rank(G, tol=_SINGULAR) < len(G):
            return "the configuration is singular; use with_multipliers and a projection"
        bound = qr(G, pivoting=True)[2][: len(G)]
        free = [i for i in range(len(self.speeds)) if i not in bound]
        return f"let {self._names(free)} be independent, or use with_multipliers and a projection"

    def _names(self, places: Iterable[int]) -> str:
        return ", ".join(self.speeds[i] for i in places)
