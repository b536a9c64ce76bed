"""Adaptive step: stages, error estimate, size of the next step, and dense output.

With floats it runs in Python; with symbolic unknowns it becomes the compiled loop of
`integrate_adaptive`. Chapter 4 explains it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from straightline.aliases import Array
from straightline.assignments import Number, Numbers, where
from straightline.operations import divide, polynomial, square_root
from straightline.powers import exponential, logarithm
from tutlib.aliases import Rate
from tutlib.methods.steps import combine, weights_of
from tutlib.methods.tableaus import ButcherTableau
from tutlib.spaces.space import Space

#: Smaller errors, relative to the tolerance, are rounding errors and are replaced with this value.
SMALLEST_ERROR = 1e-4
#: Largest factor by which a step may grow; after a rejected step it may not grow at all.
LARGEST_GROWTH = 10.0


@dataclass(frozen=True)
class Goal:
    """The final time of the integration, and the accuracy of its steps.

    Parameters
    ----------
    end : float
        Time [s].
    rtol : float
        Relative tolerance.
    atol : float or array, shape (k,)
        Absolute tolerance, in the units of the states.
    longest : float
        Largest step size [s].
    """

    end: Any
    rtol: Any
    atol: Any
    longest: Any = math.inf


@dataclass(frozen=True)
class Attempt:
    """An attempted step, with floats or symbolic unknowns.

    Parameters
    ----------
    K : array, shape (stages, algebra)
        The slopes of all stages.
    x : array, shape (k,)
        The state at its end.
    t, h : float
        Its final time and its size [s].
    slope : array or None
        The slope at its end, if the method computes it.
    accepted : float
        1 or 0.
    control : tuple of float
        Control values of the next attempt: its h, the logarithm of the last accepted error, and
        the largest factor by which h may grow.
    """

    K: Any
    x: Any
    t: Any
    h: Any
    slope: Any
    accepted: Any
    control: tuple[Any, Any, Any]


@dataclass(frozen=True)
class AdaptiveStep:
    """A pair of embedded methods on a space.

    Parameters
    ----------
    method : ButcherTableau
        With embedded weights.
    space : Space
    corrected : bool
        Whether a function ``after`` (t, x) corrects each state.
    """

    method: ButcherTableau
    space: Space
    corrected: bool = False

    @property
    def reuses(self) -> bool:
        """Whether the last slope of a step is the first of the next."""
        return bool(self.method.pair.reuses) and not self.corrected

    def attempt(
        self,
        f: Rate,
        t: Number,
        x: Array,
        first: Array,
        control: Numbers,
        goal: Goal,
        after: Rate | None = None,
    ) -> Attempt:
        """Attempt a step from x, where the slope is ``first``, at most to the final time.

        The new state is the result corrected with ``after``. Its difference from the embedded
        result, corrected in the same way, is the error.

        References
        ----------
        :cite:p:`HairerNorsettWanner1993`, sections II.4 and II.5.
        """
        h, before, grow = control
        h = where(h < goal.longest, h, goal.longest)
        left = goal.end - t
        following = where(h < left, t + h, goal.end)
        h = where(h < left, h, left)
        K, new, slope, errors = self._stages(f, t, x, h, first)
        if after is not None:
            free, new = new, after(following, new)
            errors = [new - after(following, free - error) for error in errors]
        error = error_norm(x, new, goal.rtol, goal.atol, *errors)
        accepted, control = next_step(error, h, before, grow, float(self.method.error_order))
        return Attempt(K, new, following, h, slope, accepted, control)

    def _stages(
        self, f: Rate, t: Number, x: Array, h: Number, first: Array
    ) -> tuple[Array, Array, Array | None, list[Array]]:
        """Return the slopes, the state at t + h, the slope there if it is known, and the errors."""
        (c, rows, estimates), (flow, dexp_inverse) = self._rows, self.space.maps
        K = np.empty((len(c) + 1, len(first)), first.dtype)
        K[0], state, slope = first, x, first
        for i, (node, row) in enumerate(zip(c, rows), 1):
            sigma = h * _weighted(row, K[:i])
            state = flow(sigma, x)
            slope = f(t + node * h, state)
            K[i] = dexp_inverse(sigma, slope)
        errors = [flow(h * _weighted(row, K), x) - x for row in estimates]
        if self.reuses:
            return K, state, slope, errors
        if self.method.pair.reuses:
            return K, state, None, errors
        return K, flow(h * _weighted(rows[-1], K), x), None, errors

    @functools.cached_property
    def _rows(self) -> tuple[list[float], list[Array], list[Array]]:
        """The nodes after the first, the weights of their stages and of the result, and errors."""
        pair = self.method.pair
        rows = [row[:i] for i, row in enumerate((*pair.A, pair.b))]
        return pair.c[1:].tolist(), rows[1:], list(pair.E)

    def further_stages(
        self, f: Rate, t: Number, x: Array, h: Number, K: Sequence[Array]
    ) -> list[Array]:
        """Return the further slopes that the dense output of a step needs."""
        pair, K = self.method.pair, list(K)
        for c, row in zip(pair.further_c.tolist(), pair.further_A):
            sigma = h * combine(weights_of(row[: len(K)]), K)
            slope = f(t + c * h, self.space.maps[0](sigma, x))
            K.append(self.space.maps[1](sigma, slope))
        return K[len(pair.b) :]

    def inside(self, theta: Number, x: Array, h: Number, K: Sequence[Array]) -> Array:
        """Return the state at t + θ h within a step, from the slopes of all its stages.

        References
        ----------
        :cite:p:`HairerNorsettWanner1993`, section II.6.
        """
        total: Any = 0.0
        for row, slope in zip(self.method.pair.P, K):
            if row.any():
                total = total + theta * polynomial(tuple(row.tolist()), theta) * slope
        return self.space.maps[0](h * total, x)


def _weighted(weights: Array, K: Array) -> Array:
    """Return the weighted sum of slopes; for symbolic unknowns, term by term without the zeros."""
    if K.dtype == float:
        total: Array = weights.dot(K)
        return total
    return combine(weights_of(weights), list(K))


def error_norm(x: Array, new: Array, rtol: Number, atol: Number, *errors: Array) -> Number:
    """Return the root mean square of the error over the tolerance; nan if a value is not finite.

    Two estimates are combined as in DOP853.

    Parameters
    ----------
    x, new : array, shape (k,)
        The state before and after the step.
    rtol : float
    atol : float or array, shape (k,)
    *errors : one or two arrays, shape (k,)

    Returns
    -------
    float or Unknown

    References
    ----------
    :cite:p:`HairerNorsettWanner1993`, section II.10.
    """
    a, b = abs(x), abs(new)
    scale = atol + rtol * _larger(a, b) + 2.0**-1022  # for a state that stays 0
    part = 1.0 / scale + (b - b)  # b - b is 0, or nan for an infinite state
    squares: list[Number] = []
    for error in errors:
        relative = error * part
        # one after another, unlike NumPy's sums
        squares.append(np.add.accumulate(relative * relative)[-1] / len(x))
    if len(squares) == 1:
        return square_root(squares[0])
    joined = divide(squares[0], square_root(squares[0] + 0.01 * squares[1]))
    return where(squares[0] <= 0.0, 0.0, joined)


def _larger(a: Array, b: Array) -> Array:
    if a.dtype == float:
        larger: Array = np.maximum(a, b)
        return larger
    return np.array([where(one > other, one, other) for one, other in zip(a, b)], dtype=object)


def _log(x: Number) -> Number:
    return math.log(x) if isinstance(x, float) else logarithm(x)


def _exp(x: Number) -> Number:
    return math.exp(x) if isinstance(x, float) else exponential(x)


def next_step(
    error: Number, h: Number, before: Number, grow: Number, order: float
) -> tuple[Number, tuple[Number, Number, Number]]:
    """Return whether a step is accepted, and the control values of the next one (PI controller).

    Parameters
    ----------
    error : float or Unknown
        In units of the tolerance.
    h : float or Unknown
        Step size [s].
    before : float or Unknown
        The logarithm of the last accepted error.
    grow : float or Unknown
        Largest factor by which h may grow.
    order : float
        The power of h in the leading term of the estimate.

    Returns
    -------
    accepted : float or Unknown
    control : tuple of float or Unknown
        h, before and grow of the next attempt.

    References
    ----------
    :cite:p:`Gustafsson1991`.
    """
    good = error <= 1.0
    size = _log(where(error <= SMALLEST_ERROR, SMALLEST_ERROR, error))
    power = where(good, 0.4 * before - 0.7 * size, -size) * (1 / order)
    factor = where(good, 0.95, 0.9) * _exp(power)
    factor = where(factor > 0.2, factor, 0.2)  # also for nan
    control = (
        h * where(good, where(factor < grow, factor, grow), factor),
        where(good, size, before),
        where(good, LARGEST_GROWTH, 1.0),
    )
    return where(good, 1.0, 0.0), control
