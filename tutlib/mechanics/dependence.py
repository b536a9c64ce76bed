"""Speeds that follow from others by constraints, and where they cease to.

G u + g = 0 gives the dependent speeds as long as their columns of G can be solved for them. Where
these become singular, the equations in the independent speeds alone are 0/0. Chapter 6 shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.assignments import Number

#: The determinant of the gradients' products at a pose that is nearly singular, as a part of what
#: it is along the motion.
_NEAR = 1e-5
#: Columns of rows of length 1 count as singular where their least singular value is so small.
_SINGULAR = 1e-7


@dataclass(frozen=True, eq=False)
class Dependence:
    """Which speeds are independent, and the gradients that give the others.

    Parameters
    ----------
    gradients : function (t, x) -> array, shape (..., m n)
        G, row by row.
    speeds : tuple of str
        The names of all n speeds.
    independent : tuple of int
        Which of them are states; the m others follow. If none is named, all are states.
    determinant : function (t, x) -> array, shape (..., 1), optional
        Of the columns of G that belong to the others.
    units : tuple of float
        Natural scales of the speeds, by which columns of G are compared.
    """

    gradients: Callable[[Any, Any], Any]
    speeds: tuple[str, ...]
    independent: tuple[int, ...]
    determinant: Callable[[Any, Any], Any] | None = None
    units: tuple[float, ...] = ()

    def refuse_singular(self, t: float, x: Array) -> None:
        """Refuse a state at which the dependent speeds do not follow.

        Raises
        ------
        ValueError
            With the time, and speeds that can be independent there if there are any.
        """
        columns = self._columns(t, x)
        if not (self.independent and np.isfinite(columns).all()):
            return
        if np.linalg.svd(columns, compute_uv=False)[-1] <= _SINGULAR:
            raise ValueError(self.blame(t, x))

    def nearly_singular(self, t: Array, X: Array) -> int | None:
        """Return the row of a motion where constraints' gradients nearly depend on one another.

        If they do so all the way, some constraints are redundant, and none is such a row.
        """
        G = self._gradients(t, X)
        sizes = np.linalg.det(G @ np.swapaxes(G, -1, -2))
        least = int(np.argmin(sizes))
        return least if sizes[least] < _NEAR * np.median(sizes) else None

    def last_before(self, t: Array, X: Array) -> int | None:
        """Return the last row of a motion before the dependent speeds cease to follow, if any.

        Where the whole configuration is singular, no other speeds would do: that is left to whoever
        goes through it.
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
        """Say which speeds do not follow at or soon after a state, and what to take instead."""
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
        from scipy.linalg import qr  # SciPy takes its time: only when needed

        G = self._rows(t, x)
        if np.linalg.matrix_rank(G, tol=_SINGULAR) < len(G):
            return "the configuration is singular; take with_multipliers and a projection"
        bound = qr(G, pivoting=True)[2][: len(G)]
        free = [i for i in range(len(self.speeds)) if i not in bound]
        return f"let {self._names(free)} be independent, or take with_multipliers and a projection"

    def _names(self, places: Iterable[int]) -> str:
        return ", ".join(self.speeds[i] for i in places)
