"""Calling f(t, x): with any sequence, as a copy, and without wasmtime."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from tutlib import EquationsOfMotion, integrate
from tutlib.models import chain

pytestmark = pytest.mark.slow

q, w = me.dynamicsymbols("q w")


class TestCall:
    def test_any_sequence_gives_a_fresh_array(self, free_pendulum):
        rhs = free_pendulum.compile()
        results = [rhs(0, x) for x in ([1, 0], (1.0, 0.0), np.array([1, 0]))]
        for r in results:
            assert (type(r), r.dtype) == (np.ndarray, float)
            np.testing.assert_array_equal(r, results[0])
        assert not np.shares_memory(rhs(0, [1, 0]), rhs(0, [1, 0]))
        kept, x = rhs(0, [1, 0]), np.array([2.0, 5.0])
        x.flags.writeable = False  # what is handed in stays as it was
        rhs(0, x)
        np.testing.assert_array_equal(kept, results[0])

    @pytest.mark.parametrize("x", [[1.0], [1.0, 2.0, 3.0], 1.0, [[1.0], [2.0]]])
    def test_a_wrong_shape_is_refused(self, free_pendulum, x):
        with pytest.raises(ValueError, match=r"x must have shape \(2,\).*got shape"):
            free_pendulum.compile()(0, x)

    def test_every_call_gives_the_same_bits(self, rng):
        """The first call runs the formula itself, all others a program."""
        model, states = chain(3).free(), rng.normal(size=(10, 6))

        rhs, other = model.compile(), model.compile()
        first = [copy.copy(other)(0.2, x) for x in states]
        for _ in range(2):
            np.testing.assert_array_equal([rhs(0.2, x) for x in states], first)

    def test_the_source_can_be_read_and_names_the_states(self, free_pendulum):
        source = free_pendulum.compile().source
        assert "x = [theta, theta_dot], p = [g, l, m]" in source
        assert "sin(theta)" in source
        compile(source, "source", "exec")


def test_a_matrix_that_is_not_symmetric_is_solved_with_pivots(rng):
    M = sm.Matrix([[0, 1 + q**2], [3, w]])
    eom = EquationsOfMotion([q, w], [q.diff(), w.diff()], M, sm.Matrix([sm.Symbol("a"), w]))
    states = rng.normal(size=(10, 4))

    f = eom.compile({"a": 2.0})
    for x in states:
        known = np.linalg.solve([[0, 1 + x[0] ** 2], [3, x[1]]], [2.0, x[1]])
        np.testing.assert_allclose(f(0, x)[2:], known, rtol=1e-12)


class TestTravel:
    @pytest.mark.parametrize("used", [False, True])
    @pytest.mark.parametrize(
        "copied",
        [copy.copy, copy.deepcopy, lambda f: pickle.loads(pickle.dumps(f))],
        ids=["copy", "deepcopy", "pickle"],
    )
    def test_a_copy_gives_the_same_bits(self, copied, used):
        f = chain(2).free().compile()
        t, x0 = np.linspace(0, 1, 51), [1.0, 0.2, 0.0, -0.4]
        if used:
            integrate(f, t, x0)
        other = copied(f)
        assert other.names == f.names
        for time in (0.0, 0.3):
            np.testing.assert_array_equal(other(time, x0), f(time, x0))
        np.testing.assert_array_equal(integrate(other, t, x0).x, integrate(f, t, x0).x)
        assert other.source == f.source


def test_importing_tutlib_loads_nothing_heavy():
    heavy = ["wasmtime", "matplotlib", "scipy", "IPython", "ipywidgets", "anywidget"]
    code = f"import sys, tutlib; print([m for m in [*{heavy}, 'tqdm'] if m in sys.modules])"
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert output.stdout.strip() == "[]"
