"""What a field returns, of the wrong length, now or later, or another thing at every call."""

import re

import numpy as np
import pytest

from tests.helpers import called_in_python
from tutlib import Field, compiled
from tutlib.methods import SimulationError, integrate, integrate_adaptive, step
from tutlib.spaces import SO3, R, TangentSO3, TangentSphere

LENGTHS = [
    (R(2), 1, "shape (2,); got shape (1,)"),
    (SO3, 9, "shape (3,); got shape (9,)"),
    (TangentSO3, 12, "shape (6,); got shape (12,)"),
    (TangentSphere, 5, "shape (6,); got shape (5,)"),
]


class TestLengthOfAFieldsResult:
    """Too few entries left stale values, too many were cut off or written beyond the memory."""

    @pytest.mark.parametrize(("space", "length", "message"), LENGTHS)
    @pytest.mark.parametrize("made", [compiled, called_in_python], ids=["compiled", "in Python"])
    @pytest.mark.parametrize("own", [True, False])
    def test_it_is_told(self, space, length, message, made, own):
        def f(t, x):
            return np.concatenate([x] * 20)[:length]

        field = Field(made(f), space) if own else made(f)
        start = STARTS[space.name]
        for run in (
            lambda: integrate(field, [0, 0.1, 0.2], start, space=space),
            lambda: integrate(field, [0, 0.1, 0.2], start, "cf4", space=space),
            lambda: integrate_adaptive(field, [0, 0.1], start, space=space),
            lambda: step(field, 0.0, start, 0.1, space=space),
        ):
            with pytest.raises(ValueError, match=re.escape(message)):
                run()

    @pytest.mark.parametrize("method", ["rk4", "cf4"])
    @pytest.mark.parametrize("own", [True, False])
    def test_a_result_that_changes_its_length_later_is_told(self, method, own):
        def f(t, x):
            return np.array([0, 0, 1.0]) if t < 0.15 else np.array([1.0])

        field = Field(f, SO3) if own else called_in_python(f)
        with pytest.raises(SimulationError, match=r"shape \(3,\); got shape \(1,\)") as caught:
            integrate(field, [0, 0.1, 0.2], np.eye(3).ravel(), method, SO3)
        assert len(caught.value.trajectory) == 2


STARTS = {
    "R^2": np.array([1.0, 0]),
    "SO(3)": np.eye(3).ravel(),
    "TSO(3)": np.concatenate([np.eye(3).ravel(), np.ones(3)]),
    "TS^2": np.array([1.0, 0, 0, 0, 1, 0]),
}
