"""Functions followed once: the same numbers, no step twice, nothing that depends on size."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutlib.programs.tracing import trace
from tutlib.spaces import Jet, jets, parts, with_derivatives


def run(steps, **arguments):
    namespace = {"sqrt": math.sqrt, "sin": math.sin, "cos": math.cos, "exp": math.exp}
    exec(steps.python(f"f({', '.join(arguments)}, out)"), namespace)
    out = np.zeros(len(steps.results))
    namespace["f"](*arguments.values(), out)
    return out


def mixed(t, x):
    q, w = x[:3], x[3:]
    M = np.outer(q, q) + np.eye(3)
    norm = np.linalg.norm(w)
    return np.concatenate(
        [M @ w / norm, np.cross(q, w) ** 2, [np.sin(t) - np.cos(q[0]), 1 / norm, np.exp(-t), 2.0]]
    )


@given(st.floats(-3, 3), st.lists(st.floats(0.1, 2), min_size=6, max_size=6))
def test_the_steps_give_what_the_function_gives(t, x):
    steps = trace(mixed, t=None, x=6)
    expected = mixed(t, np.array(x))
    np.testing.assert_allclose(run(steps, t=t, x=np.array(x)), expected, rtol=1e-13, atol=1e-15)


def test_no_step_is_written_twice_and_none_that_is_not_needed():
    steps = trace(lambda x: [x[0] * x[1], x[0] * x[1] + 1, x[2] * 0, x[0] * 1], x=3)
    assert [text for _, text in steps.lines] == ["x[0]", "x[1]", "_0 * _1", "_3 + 1.0"]
    assert steps.results == ["_3", "_4", "0.0", "_0"]


def test_javascript_reads_the_same():
    steps = trace(lambda x: [np.sqrt(x[0]) ** 3 - 2], x=1)
    assert steps.javascript("f(x, out)").splitlines() == [
        "f(x, out) {",
        "  const _0 = x[0];",
        "  const _1 = sqrt(_0);",
        "  const _2 = _1 ** 3.0;",
        "  const _3 = _2 - 2.0;",
        "  out[0] = _3;",
        "}",
    ]


@pytest.mark.parametrize(
    "branch",
    [lambda x: x[0] if x[0] > 1 else x[1], lambda x: float(x[0]), lambda x: max(x), np.sort],
)
def test_a_branch_is_refused(branch):
    with pytest.raises(TypeError, match="a compiled field is one formula: it cannot ask how large"):
        trace(branch, x=2)


class TestJets:
    @given(st.floats(0.2, 2))
    def test_derivatives_of_every_operation(self, t):
        """Against complex steps of first derivatives, which are exact to rounding."""

        def f(t):
            a, b = np.sin(t) + 2, t**3 / 3
            return (1 - a * b) / (a**2 + 1) + np.sqrt(a / b) - np.cos(b) + (-a) ** 2 - b**-2

        found = f(Jet(t, 1.0))
        d = 1e-5
        assert found.value == pytest.approx(f(t), rel=1e-14)
        assert found.rate == pytest.approx(f(t + 1e-30j).imag / 1e-30, rel=1e-12, abs=1e-12)
        slopes = [f(t + s * d + 1e-30j).imag / 1e-30 for s in (-2, -1, 1, 2)]
        second = (slopes[0] - 8 * slopes[1] + 8 * slopes[2] - slopes[3]) / (12 * d)
        assert found.second == pytest.approx(second, rel=1e-5, abs=1e-5)

    def test_arrays_of_them(self):
        q = jets(np.array([1.0, 2.0, 0.5]), np.array([0.1, 0.0, 3.0]))
        w = np.array([0.3, -1.0, 2.0])
        value, rate, second = parts(np.cross(w, q) + w)
        np.testing.assert_allclose(value, np.cross(w, [1.0, 2.0, 0.5]) + w)
        np.testing.assert_allclose(rate, np.cross(w, [0.1, 0.0, 3.0]))
        np.testing.assert_allclose(second, 0)

    def test_four_derivatives_of_a_path(self):
        t = 0.7
        found = with_derivatives(lambda t: [np.sin(2 * t), t**5 / 4, 1.5])(t)
        powers = [2.0**k for k in range(5)]
        waves = [np.sin(1.4), np.cos(1.4), -np.sin(1.4), -np.cos(1.4), np.sin(1.4)]
        np.testing.assert_allclose(found[:, 0], np.multiply(powers, waves), rtol=1e-13)
        quintic = [t**5 / 4, 5 * t**4 / 4, 5 * t**3, 15 * t**2, 30 * t]
        np.testing.assert_allclose(found[:, 1], quintic, rtol=1e-13)
        np.testing.assert_array_equal(found[:, 2], [1.5, 0, 0, 0, 0])
