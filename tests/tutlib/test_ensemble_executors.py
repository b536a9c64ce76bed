"""The same ensemble on threads and in other processes: the same bits, or one sentence."""

import pickle
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import numpy as np
import pytest

from tests.helpers import compiled_ensemble, free
from tests.helpers import same_ensembles as same
from tutlib.methods import EnsembleError
from tutlib.models import double_pendulum


def run(**options):
    f, watched = free(double_pendulum()).compile(), {"until": lambda t, x: x[2] - 3.0}
    x0 = np.random.default_rng(0).uniform(-3, 3, (300, 4)) * [1, 1, 0, 0]
    lengths = {"l_2": np.linspace(0.5, 2.0, 300)}
    return compiled_ensemble(f, x0, 1.0, 0.01, parameters=lengths, **watched, **options)


class Fails(Executor):
    """Computes two parts, and loses the next."""

    def submit(self, function, *arguments):
        future = Future()
        if len(arguments[1]) and self.left:
            future.set_result(function(*arguments))
        else:
            future.set_exception(ConnectionError("the worker is gone"))
        self.left = max(self.left - 1, 0)
        return future

    left = 2


def test_an_executor_that_fails_keeps_what_had_ended():
    with pytest.raises(EnsembleError, match="motions 32 to 47: ConnectionError") as failed:
        run(executor=Fails())
    found = failed.value.ensemble
    np.testing.assert_array_equal(found.x[:32], run(workers=1).x[:32])
    assert np.isnan(found.t[32:]).all()
    same(pickle.loads(pickle.dumps(failed.value)).ensemble, found)


class ByPickle(Executor):
    """Sends each part and its result as another process gets them."""

    def submit(self, function, *arguments):
        function, arguments = pickle.loads(pickle.dumps((function, arguments)))
        future = Future()
        future.set_result(pickle.loads(pickle.dumps(function(*arguments))))
        return future


def test_threads_and_other_processes():
    with ThreadPoolExecutor(3) as pool:
        same(run(executor=pool), run(workers=1))
    same(run(executor=ByPickle()), run())
