"""A reader's f runs as he wrote it; compiled, it gives the same numbers or says why it cannot."""

import traceback
from itertools import pairwise

import numpy as np
import pytest

import tutlib
from tests.tutlib.functions_as_written import FUNCTIONS
from tutlib import SimulationError, integrate
from tutlib.methods import integrate_adaptive
from tutlib.programs import CannotFollowError

TIMES = np.linspace(0.0, 3.0, 61)
METHODS = ("euler", "rk4")


def new(name):
    """Return f, made anew, and its start."""
    case = FUNCTIONS[name]
    return case.make(), np.array(case.start, dtype=float)


def slope(f, t, x):
    """Return the value of f, which may be filled again at its next call, as an array of its own."""
    return np.array(f(t, x.copy()), dtype=float).reshape(x.shape)


def euler(f, t, x, h):
    return x + h * slope(f, t, x)


def rk4(f, t, x, h):
    k1 = slope(f, t, x)
    k2 = slope(f, t + h / 2, x + h * (0.5 * k1))
    k3 = slope(f, t + h / 2, x + h * (0.5 * k2))
    k4 = slope(f, t + h, x + h * k3)
    return x + h * (1 / 6 * k1 + 1 / 3 * k2 + 1 / 3 * k3 + 1 / 6 * k4)


def motion(f, x, advance):
    """Return all states of a plain loop, without any other call of f."""
    states = [x]
    for t, following in pairwise(TIMES.tolist()):
        states.append(advance(f, t, states[-1], following - t))
    return np.array(states)


class TestPlain:
    @pytest.mark.parametrize("advance", [euler, rk4])
    @pytest.mark.parametrize("name", FUNCTIONS)
    def test_it_is_the_loop_of_a_textbook_to_the_last_bit(self, name, advance):
        by_hand = motion(*new(name), advance)
        f, x = new(name)
        np.testing.assert_array_equal(integrate(f, TIMES, x, advance.__name__).x, by_hand)

    @pytest.mark.parametrize("method", METHODS)
    def test_f_is_called_with_a_float_and_a_fresh_array_of_floats(self, method):
        seen = []

        def f(t, x):
            seen.append((type(t), type(x), x.dtype, x.flags.owndata, x.flags.writeable))
            x[:] = np.nan  # nobody reads it any more
            return [1.0, 2.0]

        end = integrate(f, TIMES, [0.0, 0.0], method).x[-1]
        np.testing.assert_allclose(end, [3.0, 6.0], rtol=1e-14)
        assert set(seen) == {(float, np.ndarray, np.dtype(float), True, True)}

    def test_what_f_writes_down_is_every_call(self):
        log = []

        def f(t, x):
            log.append((t, x.tolist()))
            return [x[1], -x[0]]

        integrate(f, TIMES, [1.0, 0.0])
        kept = log.copy()
        log.clear()
        motion(f, np.array([1.0, 0.0]), rk4)
        assert kept == log


class TestCompiled:
    @pytest.mark.parametrize("name", [name for name, case in FUNCTIONS.items() if not case.refused])
    def test_it_gives_the_same_numbers(self, name):
        f, x = new(name)
        plain = integrate(f, TIMES, x).x
        f, x = new(name)
        compiled = integrate(tutlib.compiled(f), TIMES, x).x
        np.testing.assert_allclose(compiled, plain, rtol=1e-12, atol=1e-13)

    @pytest.mark.parametrize("name", [name for name, case in FUNCTIONS.items() if case.refused])
    def test_it_says_why_it_cannot_and_f_still_runs_as_it_is_written(self, name):
        """Before the first step; and no unknown number stays in what f keeps."""
        f, x = new(name)
        reason = FUNCTIONS[name].refused
        with pytest.raises(CannotFollowError, match=f" cannot be compiled: .*({reason})"):
            integrate(tutlib.compiled(f), TIMES, x)
        assert np.isfinite(integrate(f, TIMES, x).x).all()


def divides(t, x):
    return [x[1], 1.0 / (int(t) - 2)]


def beyond_a_record(t, x, record=lambda n: iter(range(n))):
    return [x[1], 1.0 if t < 2 else next(record(0))]


def singular(t, x):
    return np.linalg.solve([[1.0, 0.0], [0.0, float(t < 2)]], x)


def forgets_to_return(t, x):
    force = None if t >= 2 else 1.0
    return [x[1], -force]


ERRORS = {
    divides: ZeroDivisionError,
    beyond_a_record: StopIteration,
    singular: np.linalg.LinAlgError,
    forgets_to_return: TypeError,
}


class TestErrorsOfF:
    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("f", ERRORS, ids=lambda f: f.__name__)
    def test_it_is_the_cause_and_what_is_done_is_kept(self, f, method):
        with pytest.raises(SimulationError) as caught:
            integrate(f, TIMES, [1.0, 0.5], method)
        self.check_cause(caught.value.__cause__, f)
        motion = caught.value.trajectory
        # The last stage of rk4 is at the end of the step, and Euler's only one at its beginning.
        last = {"euler": 40, "rk4": 39}[method]
        np.testing.assert_array_equal(motion.t, TIMES[: last + 1])
        before = integrate(f, TIMES[: last + 1], [1.0, 0.5], method).x
        np.testing.assert_array_equal(motion.x, before)

    @pytest.mark.parametrize("f", ERRORS, ids=lambda f: f.__name__)
    def test_so_it_is_with_steps_of_their_own_size(self, f):
        with pytest.raises(SimulationError) as caught:
            integrate_adaptive(f, (0.0, 3.0), [1.0, 0.5])
        self.check_cause(caught.value.__cause__, f)
        assert 1.0 < caught.value.trajectory.t[-1] <= 2.0

    @staticmethod
    def check_cause(cause, f):
        assert type(cause) is ERRORS[f]
        frames = traceback.extract_tb(cause.__traceback__)
        (own,) = (frame for frame in frames if frame.name == f.__name__)
        assert own.filename == __file__
        assert own.line
