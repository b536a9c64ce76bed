"""Ensembles: one system, many initial states, and how and when each motion ends.

Chapter 2 computes when a double pendulum first flips, chapter 7 which disturbances a controller
withstands, and chapter 11 a million motions, on one computer and on many.
"""

from __future__ import annotations

import os
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.arguments import function, instance, path_of, whole_number
from straightline.browser import IN_A_BROWSER
from tutlib.aliases import Function
from tutlib.methods.ensemble_loop import ROOM
from tutlib.methods.ensemble_problem import Problem, Watched, make_problem
from tutlib.methods.ensemble_results import (
    Ensemble,
    Shapes,
    Store,
    arrays_of,
    nothing_yet,
    refuse_unfit,
    shapes_of,
)
from tutlib.methods.ensemble_work import PlainWork, carry_out
from tutlib.methods.steps import Tableau
from tutlib.methods.trajectory import SimulationError
from tutlib.progress import BARS
from tutlib.spaces.space import Space

if TYPE_CHECKING:
    from tutlib.reading.parameters import Named

#: Longest time between checks for Ctrl-C [s].
_GLANCE = 0.05
#: Largest number of parts in progress: for each thread, and for an executor.
_AHEAD, _SENT = 4, 1024
#: Smallest number of parts of an ensemble, so that all threads have work until the end.
_PARTS, _SMALLEST = 64, 16
#: Time after which compiling is recommended for a Python function [s].
_LONG = 10.0


class InterruptedEnsemble(KeyboardInterrupt):
    """An ensemble that was stopped by Ctrl-C.

    Parameters
    ----------
    ensemble : Ensemble
        The motions finished so far; t and x are nan for the others.
    """

    def __init__(self, ensemble: Ensemble) -> None:
        super().__init__(f"stopped after {_progress(ensemble)}")
        self.ensemble = ensemble

    def __reduce__(self) -> tuple[type[InterruptedEnsemble], tuple[Ensemble]]:
        return InterruptedEnsemble, (self.ensemble,)


class EnsembleError(RuntimeError):
    """An ensemble that stopped because a function raised an error or the executor failed.

    Parameters
    ----------
    reason : str
    ensemble : Ensemble
        The motions finished so far; t and x are nan for the others.
    """

    def __init__(self, reason: str, ensemble: Ensemble) -> None:
        super().__init__(f"{reason}; stopped after {_progress(ensemble)}")
        self.reason, self.ensemble = reason, ensemble

    def __reduce__(self) -> tuple[type[EnsembleError], tuple[str, Ensemble]]:
        return EnsembleError, (self.reason, self.ensemble)


def _progress(ensemble: Ensemble) -> str:
    ended = int(np.isfinite(ensemble.t).sum())
    if not len(ensemble.t):
        return "each has received the finished motions"
    return f"{ended} of {len(ensemble.t)} motions; they are in .ensemble, the others are nan there"


def ensemble(
    f: Function,
    starts: ArrayLike,
    t_end: float,
    h: float,
    limits: ArrayLike | None = None,
    method: str | Tableau = "rk4",
    workers: int | None = None,
    *,
    parameters: Mapping[Named, ArrayLike] | None = None,
    until: Watched | None = None,
    observe: Watched | None = None,
    after_step: Watched | None = None,
    space: Space | None = None,
    seed: int | None = None,
    executor: Executor | None = None,
    store: str | PathLike[str] | None = None,
    each: Callable[[slice, Ensemble], object] | None = None,
) -> Ensemble:
    """Integrate one system from many initial states; on all cores if f is compiled.

    Each motion is that of ``integrate(f, h * np.arange(steps + 1), start, method)``; if f is
    compiled, the results are bitwise identical, on any number of threads and on any computer. The
    trajectories are not kept: the result takes 8 (1 + k + 2m) bytes for each motion, where k is the
    number of states and m the number of observed values.

    For random motions, pass a ``seed``: a Python function with a parameter ``rng``, such as
    ``after_step(t, x, rng)``, then gets a separate random generator for each motion i,
    ``numpy.random.default_rng([i, seed])``, which all functions of the motion share. The motions
    are independent of one another, and each motion is the same in every run, wherever it is
    computed. Without a seed, copies of one generator in several processes draw the same numbers.
    Draw random initial states and parameters before the call, and pass them as arrays.

    Parameters
    ----------
    f : function (t, x) -> array
        Right-hand side: compiled equations, a `Field` on its space, or a function of your own. A
        Python function runs serially, or on the ``executor``; ``compiled(f)`` runs on all cores.
    starts : array, shape (N, k)
        Initial states at t = 0; or one state for all, shape (k,), if parameters vary. A
        `numpy.memmap`, or another object that has a shape and returns rows, is read piece by piece.
    t_end : float
        Final time [s], a multiple of h.
    h : float
        Step size [s].
    limits : array, shape (k,), optional
        A motion ends when the magnitude of a state exceeds its limit; ``inf`` for no limit.
    method : str or tableau
        An explicit Runge-Kutta method.
    workers : int, optional
        Number of threads of a compiled ensemble: by default one for each core, and at most that
        or 64. The results do not depend on it.
    parameters : mapping from symbol or str to array of shape (N,), optional
        Parameters that vary from motion to motion. Each function that has a parameter of this name
        gets the value: f, ``until``, ``observe``, and ``after_step``, whether the parameter was
        passed to `compiled` or `Field`, or is an argument after t and x, as in
        ``def energy(t, x, m)``.
    until : function (t, x) -> float, optional
        A motion ends where this function passes through zero; the time is located with the
        accuracy of the method, and the last step is shortened. A zero is detected from the signs at
        both ends of a step, so h must be shorter than the time between two zeros. A jump across
        zero, such as that of a wrapped angle, or a pole does not count as a zero, unless the values
        on both sides are constant, like those of a switch. Values that are nan are ignored.
    observe : function (t, x) -> float or array, shape (m,), optional
        The minima and maxima of these values are kept, over the states after each step.
    after_step : function (t, x) -> array of shape (k,), optional
        Correction of the state after each step, such as a projection.
    space : Space, optional
        State space. The default is the space of a field, and ℝᵏ for other functions.
    seed : int, optional
        Seed of the random generators ``rng`` of the motions, at least 0.
    executor : concurrent.futures.Executor, optional
        An executor that computes the motions: a pool of processes, or that of a cluster, such
        as Dask's ``client.get_executor()``. Data that a Python function records in other processes
        is not returned.
    store : path, optional
        A folder for the finished parts of 1,024 motions each. The same call resumes a stopped run,
        and a call with further initial states computes only the new motions.
    each : function (rows, part), optional
        Called with every finished part in order. The parts are not kept otherwise, so N is not
        limited by memory.

    Returns
    -------
    Ensemble
        The results; empty if ``each`` has received them. After a second, a progress bar appears.

    Raises
    ------
    ValueError
        If a shape is wrong, there are no initial states, one is not finite or not on the space of
        f, the times are invalid, the method is not an explicit Runge-Kutta method, a function
        cannot be compiled, a store is given with Python functions or belongs to another run, or no
        function takes a varied parameter, or the ``rng`` of a seed.
    OSError
        If the folder of the store cannot be created.
    TypeError
        If f does not return real numbers, or an argument has a wrong type.
    EnsembleError
        If a function raises an error during a motion, the executor fails, or a compiled function
        differs from its Python function at initial and final states of the first motions. The
        attribute ``ensemble`` holds the motions finished so far.
    InterruptedEnsemble
        If you press Ctrl-C. The attribute ``ensemble`` holds the motions finished so far.

    Warns
    -----
    StoreWarning
        If a part cannot be written, as on a full disk, or has been damaged.
    UserWarning
        If a Python function has been running for ten seconds, to recommend ``compiled``.
    """
    cores = os.cpu_count() or 1
    workers = whole_number(cores if workers is None else workers, "workers", 1, max(cores, 64))
    if executor is not None:
        instance(executor, "executor", Executor, "concurrent.futures has some")
    if each is not None:
        function(each, "each", "rows, part")
    problem = make_problem(
        f, starts, t_end, h, limits, method, parameters, until, observe, after_step, space, seed
    )
    kept = None
    if store is not None:
        kept = Store(path_of(store, "store", "work/flips"), problem.text, problem.about)
    return _collected(PartQueue(problem, workers, executor, kept), problem, each)


def _compare(problem: Problem, rows: slice, part: Ensemble) -> None:
    """Reject, in the first part, compiled functions that differ from their Python functions."""
    try:
        problem.compare(*problem.initial.part(rows), part)  # type: ignore[misc]
    except SimulationError as error:
        raise PartError(rows, error) from error


def _collected(
    queue: PartQueue, problem: Problem, each: Callable[[slice, Ensemble], object] | None
) -> Ensemble:
    """Return the results of all parts; if the run is stopped, those finished so far."""
    begin = problem.initial
    count = 0 if each else begin.count
    motions = nothing_yet(shapes_of(count, begin.states, problem.work.observed))
    handed = 0

    def put(rows: slice, part: Ensemble) -> None:
        for name, value in arrays_of(part).items():
            getattr(motions, name)[rows] = value

    take = each or put
    try:
        for rows, part in queue:
            handed = rows.stop if each else 0  # storing the same result twice is harmless
            take(rows, part)
            if rows.start == 0 and problem.compare:
                _compare(problem, rows, part)
    except (KeyboardInterrupt, PartError) as stopped:
        for rows, part in queue.stop():
            if rows.start >= handed:
                take(rows, part)
        if isinstance(stopped, KeyboardInterrupt):
            raise InterruptedEnsemble(motions) from stopped
        first, last = stopped.rows.start, stopped.rows.stop - 1
        place = f"motion {first}" if first == last else f"motions {first} to {last}"
        reason = f"{place}: {type(stopped.error).__name__}: {stopped.error}"
        raise EnsembleError(reason, motions) from stopped.error
    finally:
        queue.stop()
    return motions


@dataclass
class _Part:
    """A part of the motions, in progress."""

    rows: slice
    name: str
    future: Future[Ensemble]
    kept: bool


class PartQueue:
    """The parts of one call, yielded in order as soon as they are finished.

    Parameters
    ----------
    problem : Problem
    workers : int
        Number of threads, if there is no executor.
    executor : Executor, optional
    store : Store, optional
    """

    def __init__(
        self, problem: Problem, workers: int, executor: Executor | None, store: Store | None
    ) -> None:
        self.problem, self.store = problem, store
        self._plain = isinstance(problem.work, PlainWork)
        self._in_turn = executor is None and (self._plain or IN_A_BROWSER)
        self._pool = None if executor or self._in_turn else ThreadPoolExecutor(workers)
        self._executor = executor
        self._ahead = 1 if self._in_turn else _SENT if executor else _AHEAD * workers
        self._stopping = threading.Event()
        self._pending: deque[_Part] = deque()
        # Stored parts have a fixed size, so that a run with further initial states can reuse them.
        count = problem.initial.count
        least = 1 if self._plain else _SMALLEST
        self._size = ROOM if store else min(ROOM, max(least, -(-count // _PARTS)))
        if self._plain and self._in_turn:
            self._size = 1

    def __iter__(self) -> Iterator[tuple[slice, Ensemble]]:
        """Generate the rows of each part, and the results of its motions."""
        from tqdm.auto import tqdm

        if IN_A_BROWSER:
            tqdm.monitor_interval = 0  # it would be a thread
        count, begin, advised = self.problem.initial.count, time.monotonic(), False
        hidden = not BARS.get()
        with tqdm(total=count, delay=1, leave=False, unit=" motions", disable=hidden) as bar:
            for rows in self.problem.initial.blocks(self._size):
                self._send(rows)
                while len(self._pending) >= self._ahead:
                    yield self._first()
                    bar.update(self._hand_out())
                if self._plain and not advised and time.monotonic() - begin > _LONG:
                    advised = True
                    _advise_to_compile()
            while self._pending:
                yield self._first()
                bar.update(self._hand_out())

    def _send(self, rows: slice) -> None:
        """Submit a part for computation, unless it is in the store."""
        starts, values = self.problem.initial.part(rows)
        name = self.store.name(starts, values) if self.store else ""
        if self.store and (there := self.store.load(name, self._shapes(rows))):
            future: Future[Ensemble] = Future()
            future.set_result(there)
            self._pending.append(_Part(rows, name, future, kept=True))
            return
        part, task = _Part(rows, name, Future(), kept=False), (self.problem.work, starts, values)
        try:
            if self._executor:
                part.future = self._executor.submit(carry_out, *task)
            self._pending.append(part)  # before our own: Ctrl-C may interrupt the start of a thread
            if self._in_turn:
                _fulfil(part.future, carry_out, *task)
            elif self._pool:
                self._pool.submit(_fulfil, part.future, carry_out, *task, self._stopping.is_set)
        except Exception as error:  # it is shut down, or broken, or the network is down
            raise PartError(rows, error) from error

    def _first(self) -> tuple[slice, Ensemble]:
        """Return the first part in progress, as soon as it is finished."""
        first = self._pending[0]
        while wait([first.future], _GLANCE).not_done:
            self._keep()
        self._keep()
        try:
            part = first.future.result()
            refuse_unfit(part, self._shapes(first.rows))
        except (Exception, SystemExit) as error:
            raise PartError(first.rows, error) from error
        return first.rows, part

    def _shapes(self, rows: slice) -> Shapes:
        """Return the required shapes of a part, so that no row is broadcast over all."""
        return shapes_of(
            rows.stop - rows.start, self.problem.initial.states, self.problem.work.observed
        )

    def _hand_out(self) -> int:
        """Remove the first part; return the number of its motions."""
        rows = self._pending.popleft().rows
        return rows.stop - rows.start  # type: ignore[no-any-return]

    def _keep(self) -> None:
        """Store the parts that are completely finished."""
        for part in self._pending if self.store else ():
            if part.kept or not self._is_done(part):
                continue
            motions = part.future.result()
            if np.isfinite(motions.t).all():
                self.store.save(part.name, motions)  # type: ignore[union-attr]
                part.kept = True  # not before: Ctrl-C may interrupt the writing

    def stop(self) -> list[tuple[slice, Ensemble]]:
        """Stop all parts in progress; return their results, from our threads even partial ones."""
        self._stopping.set()
        going_on = [part.future for part in self._pending if not part.future.cancel()]
        if self._pool:
            wait(going_on)
            self._pool.shutdown()
        self._keep()
        return [(p.rows, p.future.result()) for p in self._pending if self._is_done(p)]

    def _is_done(self, part: _Part) -> bool:
        """Return whether there is a result and no error."""
        future = part.future
        if not future.done() or future.cancelled() or future.exception() is not None:
            return False
        with suppress(TypeError, ValueError):
            refuse_unfit(future.result(), self._shapes(part.rows))
            return True
        return False


def _advise_to_compile() -> None:
    warnings.warn(
        "a Python function is called at every step of every motion: compiled(f) would run the same "
        "ensemble about a hundred times as fast",
        stacklevel=5,
    )


def _fulfil(
    future: Future[Any], compute: Callable[..., object], *args: object, **named: object
) -> None:
    """Compute the result of a future, unless it was canceled."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(compute(*args, **named))
    except Exception as error:
        future.set_exception(error)


class PartError(Exception):
    """An error in the computation of a part.

    Parameters
    ----------
    rows : slice
    error : BaseException
    """

    def __init__(self, rows: slice, error: BaseException) -> None:
        super().__init__(rows, error)
        self.rows, self.error = rows, error
