"""The same call on threads, processes and a cluster: the same bits, or one sentence."""

import _thread
import os
import pickle
import signal
import sys
import warnings
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from tests.helpers import compiled_ensemble as ensemble
from tests.helpers import free
from tests.helpers import same_ensembles as same
from tutlib.methods import EnsembleError, InterruptedEnsemble
from tutlib.methods.ensembles import executors
from tutlib.methods.ensembles.parts import Ensemble
from tutlib.models import double_pendulum


def run(count=300, t_end=1.0, speed=3.0, **options):
    """Ask with functions that nobody can send: what is sent is what they became."""
    f = free(double_pendulum()).compile()
    given = {"observe": lambda t, x: x[0], "until": lambda t, x: x[2] - speed}
    lengths = {"l_2": np.linspace(0.5, 2.0, count)}
    x0 = np.zeros((count, 4))
    x0[:, :2] = np.random.default_rng(0).uniform(-3, 3, (count, 2))
    return ensemble(f, x0, t_end, 0.01, parameters=lengths, **given, **options)


def test_threads_of_ones_own():
    with ThreadPoolExecutor(3) as pool:
        same(run(executor=pool), run(workers=1))
        assert pool.submit(int, 3).result() == 3  # it is still the reader's


def test_an_executor_that_has_no_workers_is_told_of(monkeypatch):
    class WithoutWorkers(Executor):
        def submit(self, *task, **named):
            return Future()

    monkeypatch.setattr(executors, "_SILENCE", 0.2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match=r"no motion has come back .* has it workers"):
            run(executor=WithoutWorkers())


class Fails(Executor):
    """Computes some parts, and then fails in one of several ways, or rests until Ctrl-C comes."""

    def __init__(self, how, after):
        self.how, self.after, self.count, self.resting = how, after, 0, []

    def submit(self, function, *arguments):
        self.count += 1
        future = Future()
        if self.count <= self.after:
            future.set_result(function(*arguments))
        elif self.how == "rests":
            self.resting.append(future)
            if len(self.resting) == 1:
                _thread.interrupt_main()
        elif self.how == "submit":
            raise RuntimeError("cannot schedule new futures after shutdown")
        elif self.how == "nothing":
            future.set_result(None)
        elif self.how == "one row":
            part = function(*arguments)
            future.set_result(Ensemble(part.t[:1], part.x[:1], part.least[:1], part.greatest[:1]))
        elif self.how == "exit":
            future.set_exception(SystemExit(3))
        else:
            future.set_exception(ConnectionError("the worker is gone"))
        return future


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("submit", "motions 32 to 47: RuntimeError: cannot schedule new futures after shutdown"),
        ("result", "motions 32 to 47: ConnectionError: the worker is gone"),
        ("nothing", "motions 32 to 47: TypeError: a part must be an Ensemble; got None"),
        ("one row", "motions 32 to 47: ValueError: a part must have the shapes .*16.*; got .*"),
        ("exit", "motions 32 to 47: SystemExit: 3"),
    ],
)
def test_an_executor_that_fails(how, reason):
    with pytest.raises(EnsembleError, match=f"^{reason}; the executor failed after 32 of 300") as e:
        run(executor=Fails(how, 2))
    found, whole = e.value.ensemble, run()
    np.testing.assert_array_equal(found.x[:32], whole.x[:32])
    assert np.isnan(found.t[32:]).all()
    copy = pickle.loads(pickle.dumps(e.value))
    assert str(copy) == str(e.value)
    same(copy.ensemble, found)


def _dies():
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes end in another way there")
def test_processes_until_they_are_killed():
    """What is sent then is small: Python 3.11.2 waits for ever to send more than a pipe holds."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        same(run(executor=pool), run(workers=2))
        pool.submit(_dies)
        with pytest.raises(EnsembleError, match="BrokenProcessPool"):
            ensemble(lambda t, x: np.array([x[1], -x[0]]), np.ones((64, 2)), 1, 0.1, executor=pool)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no motion has come back")  # on a busy computer it may take long
def test_a_cluster_of_which_a_worker_is_killed(tmp_path):
    """Dask gives the work of a worker that is gone to another one."""
    distributed = pytest.importorskip("distributed")
    options = {"dashboard_address": None, "local_directory": tmp_path}
    found, killed = [], []
    with (
        distributed.LocalCluster(2, 1, processes=True, **options) as local,
        distributed.Client(local) as client,
    ):

        def kill_one(rows, part):
            if not killed:
                process = next(iter(local.workers.values())).process.process
                os.kill(process.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else 15)
                killed.append(process.pid)
            found.append(part)

        run(8192, 2.0, 30.0, executor=client.get_executor(), each=kill_one)
    assert killed
    whole = run(8192, 2.0, 30.0)
    for name in ("t", "x", "least", "greatest"):
        parts = np.concatenate([getattr(part, name) for part in found])
        np.testing.assert_array_equal(parts, getattr(whole, name))


def test_ctrl_c_does_not_wait_for_others_and_hands_out_what_had_ended():
    executor = Fails("rests", 3)
    with pytest.raises(InterruptedEnsemble, match="after 48 of 300 motions") as stopped:
        run(executor=executor)
    np.testing.assert_array_equal(stopped.value.ensemble.x[:48], run().x[:48])
    assert np.isnan(stopped.value.ensemble.t[48:]).all()
    lost = 1  # the one that was being handed over
    assert sum(not future.cancelled() for future in executor.resting) <= lost
    handed = []
    with pytest.raises(InterruptedEnsemble, match="what had ended was handed out"):
        run(executor=Fails("rests", 3), each=lambda rows, part: handed.append(rows))
    assert [rows.start for rows in handed] == [0, 16, 32]
