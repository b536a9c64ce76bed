"""Dense output of a trajectory: the state at any time, with the order of the method."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import real_array
from tutlib.methods.adaptive_step import AdaptiveStep
from tutlib.methods.checks import AfterStep


class DenseOutput:
    """The polynomials of all steps of a trajectory.

    Parameters
    ----------
    step : AdaptiveStep
    after : function (t, x) -> x, optional
        Correction of each state.
    begin : float
        The initial time [s].
    """

    def __init__(self, step: AdaptiveStep, after: AfterStep | None, begin: float) -> None:
        self._step, self._after = step, after
        self._steps: list[tuple[Array, Array, Array, Array]] = []
        self._begin = self._end = begin

    def add(self, T: Array, H: Array, X: Array, K: Array, end: float) -> None:
        """Append steps: their initial times, sizes, initial states, and slopes; and the end."""
        # displacement = h Σ θⁿ⁺¹ Cₙ, and Cₙ = Σ Pₛₙ Kₛ over the stages s
        C = np.einsum("sn,msa->mna", self._step.method.pair.P, K)
        self._steps.append((T.copy(), H.copy(), X.copy(), C))
        self._end = end

    def __call__(self, t: ArrayLike) -> Array:
        """Return the states at times: shape (k,) for one time, (m, k) for several.

        Raises
        ------
        ValueError
            If a time is outside the trajectory.
        """
        if not self._steps:
            raise ValueError("the trajectory has no steps, and therefore no dense output")
        if len(self._steps) > 1:
            self._steps = [tuple(map(np.concatenate, zip(*self._steps)))]  # type: ignore[list-item]
        (T, H, X, C) = self._steps[0]
        times = real_array(t, "t")
        flat = np.atleast_1d(times).ravel()
        outside = flat[(flat < self._begin) | (flat > self._end)]
        if len(outside):
            raise ValueError(
                f"t = {outside[0]:g} s is outside the trajectory: choose times from "
                f"{self._begin:g} s to {self._end:g} s"
            )
        steps = np.maximum(np.searchsorted(T, flat, side="right") - 1, 0)
        theta = ((flat - T[steps]) / H[steps])[:, None]
        total = np.zeros((len(flat), C.shape[2]))
        for n in reversed(range(C.shape[1])):
            total = theta * (C[steps, n] + total)
        moved = H[steps][:, None] * total
        states = np.empty((len(flat), X.shape[1]))
        for i, (at, xi, x) in enumerate(zip(flat.tolist(), moved, X[steps])):
            states[i] = self._step.space.maps[0](xi, x)
            if self._after is not None:
                states[i] = self._after(at, states[i].copy())
        return states.reshape(*times.shape, X.shape[1])
