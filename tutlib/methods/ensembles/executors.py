"""Execution of the parts of an ensemble by threads, processes, or other computers, in order.

Only a limited number of parts is under way at a time, however many motions there are. Chapter 11
says what that costs in memory.
"""

from __future__ import annotations

import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import current_process, get_context
from typing import Any

import numpy as np

from straightline.aliases import Kind
from straightline.browser import IN_A_BROWSER
from tutlib.methods.ensembles.interpreted import AsWritten, carry_out_remembered, remember
from tutlib.methods.ensembles.loop import ROOM
from tutlib.methods.ensembles.part_store import Store
from tutlib.methods.ensembles.parts import (
    Ensemble,
    Shapes,
    Work,
    carry_out,
    refuse_unfit,
    shapes_of,
)
from tutlib.methods.ensembles.problem import Problem
from tutlib.progress import BARS

#: As long as Ctrl-C may wait for the workers to be asked [s].
_GLANCE = 0.05
#: After so long without news, it is said what may be the matter [s].
_SILENCE = 20.0
#: Parts that are on their way at a time: for each thread of ours, and to an executor.
_AHEAD, _SENT = 4, 1024
#: A small ensemble is cut into so many parts at least, so that all threads have work to the end.
_PARTS, _SMALLEST = 64, 16


@dataclass
class _Part:
    """Motions that somebody computes."""

    rows: slice
    name: str
    future: Future[Ensemble]
    kept: bool


class _InTurn(Executor):
    """Computes each part as it is asked for, where Python has no threads."""

    def submit(
        self, compute: Callable[..., Kind], /, *args: object, **named: object
    ) -> Future[Kind]:
        future: Future[Any] = Future()
        _fulfil(future, compute, *args, **named)
        return future


class PartQueue:
    """The parts of one call, in order: each is handed out when it and all before it are done.

    Parameters
    ----------
    problem : Problem
    workers : int
        Threads, where no executor is given.
    executor : Executor, optional
    store : Store, optional
    """

    def __init__(
        self, problem: Problem, workers: int, executor: Executor | None, store: Store | None
    ) -> None:
        self.problem, self.store = problem, store
        self._pool = None if executor else _own_executor(problem.work, workers)
        self._executor, self._ahead = executor, _SENT if executor else _AHEAD * workers
        self._stopping = threading.Event()
        self._pending: deque[_Part] = deque()
        # A stored part must not depend on how many there are: more starts go on where it ended.
        count = problem.initial.count
        least = 1 if isinstance(problem.work, AsWritten) else _SMALLEST
        self._size = ROOM if store else min(ROOM, max(least, -(-count // _PARTS)))

    def __iter__(self) -> Iterator[tuple[slice, Ensemble]]:
        """Generate the rows of each part, and how its motions end."""
        from tqdm.auto import tqdm

        if IN_A_BROWSER:
            tqdm.monitor_interval = 0  # it would be a thread
        count = self.problem.initial.count
        hidden = not BARS.get()
        with tqdm(total=count, delay=1, leave=False, unit=" motions", disable=hidden) as bar:
            for rows in self.problem.initial.blocks(self._size):
                self._send(rows)
                while len(self._pending) >= self._ahead:
                    yield self._first()
                    bar.update(self._hand_out())
            while self._pending:
                yield self._first()
                bar.update(self._hand_out())

    def _send(self, rows: slice) -> None:
        """Let somebody compute a part, unless it is in the store."""
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
            self._pending.append(part)  # before our own: Ctrl-C may come while a thread is started
            if isinstance(self._pool, ProcessPoolExecutor):
                part.future = self._pool.submit(carry_out_remembered, starts, values)
            elif self._pool:
                self._pool.submit(_fulfil, part.future, carry_out, *task, self._stopping.is_set)
        except Exception as error:  # it is shut down, or broken, or the network is down
            raise PartError(rows, error) from error

    def _first(self) -> tuple[slice, Ensemble]:
        """Return the first part that is on its way, when it is done."""
        first, glances = self._pending[0], 0
        while wait([first.future], _GLANCE).not_done:
            self._keep()
            glances += 1
            if self._executor and glances == round(_SILENCE / _GLANCE):
                _tell_of_silence(glances * _GLANCE)
        self._keep()
        try:
            part = first.future.result()
            refuse_unfit(part, self._shapes(first.rows))
        except (Exception, SystemExit) as error:
            raise PartError(first.rows, error) from error
        return first.rows, part

    def _shapes(self, rows: slice) -> Shapes:
        """Return the shapes that a part must have, lest one row be spread over all."""
        return shapes_of(
            rows.stop - rows.start, self.problem.initial.states, self.problem.work.observed
        )

    def _hand_out(self) -> int:
        """Forget the first part; return how many motions it was."""
        rows = self._pending.popleft().rows
        return rows.stop - rows.start  # type: ignore[no-any-return]

    def _keep(self) -> None:
        """Write down the parts that have been done by now, all of each."""
        for part in self._pending if self.store else ():
            if part.kept or not self._is_done(part):
                continue
            motions = part.future.result()
            if np.isfinite(motions.t).all():
                self.store.save(part.name, motions)  # type: ignore[union-attr]
                part.kept = True  # not before: Ctrl-C may come while it is written

    def stop(self) -> list[tuple[slice, Ensemble]]:
        """End all that is going on; return what is done, of our own threads even half a part."""
        self._stopping.set()
        going_on = [part.future for part in self._pending if not part.future.cancel()]
        if isinstance(self._pool, ProcessPoolExecutor):
            for process in list((self._pool._processes or {}).values()):
                process.kill()  # a part may take for ever
        elif self._pool:
            wait(going_on)
        if self._pool:
            self._pool.shutdown()
        self._keep()
        return [(p.rows, p.future.result()) for p in self._pending if self._is_done(p)]

    def _is_done(self, part: _Part) -> bool:
        """Return whether there is a result, and no error."""
        future = part.future
        if not future.done() or future.cancelled() or future.exception() is not None:
            return False
        with suppress(TypeError, ValueError):
            refuse_unfit(future.result(), self._shapes(part.rows))
            return True
        return False


def _own_executor(work: Work | AsWritten, workers: int) -> Executor:
    """Return who computes if nobody else is given: what is not compiled holds Python's lock."""
    if IN_A_BROWSER:
        return _InTurn()
    if not isinstance(work, AsWritten):
        return ThreadPoolExecutor(workers)
    # Elsewhere a process knows no cell's function; one of a pool may have no others.
    if sys.platform != "linux" or current_process().daemon:
        return ThreadPoolExecutor(1)
    return ProcessPoolExecutor(workers, get_context("fork"), remember, (work,))


def _tell_of_silence(seconds: float) -> None:
    warnings.warn(
        f"no motion has come back from the executor for {seconds:.0f} s: has it workers? Ctrl-C "
        "keeps what has ended",
        RuntimeWarning,
        stacklevel=5,
    )


def _fulfil(
    future: Future[Any], compute: Callable[..., object], *args: object, **named: object
) -> None:
    """Compute something for whoever waits for it, unless it was given up."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(compute(*args, **named))
    except Exception as error:
        future.set_exception(error)


class PartError(Exception):
    """A part that could not be computed.

    Parameters
    ----------
    rows : slice
    error : BaseException
    """

    def __init__(self, rows: slice, error: BaseException) -> None:
        super().__init__(rows, error)
        self.rows, self.error = rows, error
