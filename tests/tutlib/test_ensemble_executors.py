"""The same ensemble on threads, processes, and a cluster: the same bits, or one sentence."""

import pickle
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import numpy as np
import pytest

from tests.helpers import compiled_ensemble, free
from tests.helpers import same_ensembles as same
from tutlib import Field
from tutlib.methods import EnsembleError, ensemble
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


@pytest.mark.slow
def test_threads_and_a_cluster():
    with ThreadPoolExecutor(3) as pool:
        same(run(executor=pool), run(workers=1))
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        same(run(executor=client.get_executor()), run())
        generators = {}

        def pushed(t, x, seed):
            return [generators.setdefault(seed, np.random.default_rng(int(seed))).normal()]

        f, seeds = Field(pushed, parameters={"seed": 0.0}), {"seed": np.arange(1.0, 200.0)}
        there, here = (
            ensemble(f, [0.0], 1.0, 0.1, method="euler", parameters=seeds, executor=executor)
            for executor in (client.get_executor(), None)
        )
    same(there, here)
    assert len(np.unique(here.x)) == 199
