"""Execution of a reader's answer that may never end, first in a copy of the process.

An endless loop or a huge number blocks the whole process, but the system can end a copy of it at
any time. Only an answer that has ended in the copy is then computed here. Answers that are certain
to end are computed at once.
"""

from __future__ import annotations

import builtins
import faulthandler
import mmap
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple, NoReturn

import numpy as np
import sympy as sm
from sympy.core.function import AppliedUndef
from sympy.functions.elementary.hyperbolic import HyperbolicFunction
from sympy.functions.elementary.trigonometric import TrigonometricFunction
from sympy.logic.boolalg import BooleanAtom

from course.judge.equivalence import MOST_NODES
from tutlib.reading.names import UnreadableError

#: CPU time [s] after which a message says that an answer takes long; nearly all take less.
FIRST_LOOK = 1.0
#: Largest ratio of the work of an answer to that of the right one, see `limit`.
TIMES = 50
#: Smallest limit of the CPU time [s].
LEAST = 10.0
#: Time [s] that an answer may wait without computing.
WAITING_LIMIT = 60.0
#: Additional memory [bytes] that an answer may allocate.
MOST_MEMORY = 2**32
#: CPU time [s] below which a copy counts as waiting, even on a busy computer.
_IDLE = 0.3
#: Slowdown of code whose lines are traced.
_WATCHED = 10
#: Types whose evaluation ends soon, unless there are too many parts.
_NUMBERS = str | bytes | int | float | complex | np.generic
_ELEMENTARY = (
    sm.Add,
    sm.Mul,
    sm.Pow,
    sm.Number,
    sm.NumberSymbol,
    sm.Symbol,
    sm.Derivative,
    sm.Tuple,
    sm.Order,
    sm.exp,
    sm.log,
    sm.Abs,
    sm.sign,
    sm.Max,
    sm.Min,
    sm.Heaviside,
    sm.Piecewise,
    sm.core.relational.Relational,
    sm.functions.elementary.piecewise.ExprCondPair,
    AppliedUndef,
    BooleanAtom,
    HyperbolicFunction,
    TrigonometricFunction,
    type(sm.I),
)


class UnfinishedError(Exception):
    """Answer was stopped, and may be right; has a sentence for the reader."""


class StopError(BaseException):
    """Ends traced code; no ``except Exception`` catches it."""


def ends_soon(answer: Any) -> bool:
    """Return whether an answer needs no rehearsal: numbers and elementary expressions."""
    if isinstance(answer, list | tuple | sm.MatrixBase):
        return len(answer) <= MOST_NODES and all(map(ends_soon, answer))
    if isinstance(answer, np.ndarray):
        few = answer.size <= MOST_NODES  # a view of one entry may have any size
        return answer.dtype != object or (few and ends_soon(answer.ravel().tolist()))
    if isinstance(answer, sm.Basic):
        nodes = islice(sm.preorder_traversal(answer), MOST_NODES + 1)
        return all(isinstance(part, _ELEMENTARY) for part in nodes)
    return isinstance(answer, _NUMBERS)


def in_time(action: Callable[[], Any], reference: Callable[[], Any]) -> Any:
    """Run an action that may never end, after it has ended in a copy of this process.

    Without a way to copy processes, as on Windows, its lines are traced instead.

    Parameters
    ----------
    action : function () -> Any
    reference : function () -> Any
        The same action with a right answer, which ends: the time limit is a multiple of the time
        that it takes. See `limit`.

    Returns
    -------
    Any
        The result of the action.

    Raises
    ------
    UnfinishedError
        If it was stopped.
    UnreadableError
        If the copy crashed.
    """
    end = _copy(action, FIRST_LOOK, WAITING_LIMIT)
    if end is None:
        return _watched(action, _WATCHED * limit(reference))
    if end.takes_long:
        seconds = limit(reference)
        print(
            f"Your answer is slow. It may compute for up to {seconds:.0f} s; interrupt the kernel "
            "to stop it."
        )
        end = _copy(action, seconds, WAITING_LIMIT * max(seconds, 1.0)) or end
        if end.takes_long:
            raise UnfinishedError(_too_long(seconds))
    if end.by:
        raise _error(end.by)
    return action()


def _error(by: str) -> Exception:
    """Return the exception for the way in which a copy ended."""
    if by == "SIGALRM":
        return UnfinishedError("it waits for input or an event that never comes.")
    if by == "SIGKILL":
        return UnfinishedError(
            "it needs more memory than this computer has. Does a list grow forever?"
        )
    return UnreadableError(
        f"Your answer makes Python exit ({by}). It ran in a copy, so nothing is lost. Does a "
        "function call itself without end, or does anything call os._exit?"
    )


def limit(reference: Callable[[], Any]) -> float:
    """Return the CPU time [s] that an answer may take, on this computer at this moment.

    It is `TIMES` the time of the right answer and of a million sums in Python, but at least
    `LEAST`. Whether an answer ends in time thus depends on its work, not on the speed of a
    computer.

    Parameters
    ----------
    reference : function () -> Any
        The judgment of the right answer.

    Returns
    -------
    float
    """
    begin = time.process_time()
    reference()
    sum(k * k for k in range(1_000_000))
    return max(LEAST, TIMES * (time.process_time() - begin))


def _too_long(seconds: float) -> str:
    return (
        f"it did not finish within {seconds:.3g} s of computing time. Does a loop never end? Is a "
        "number huge? Is there a shorter form?"
    )


class _End(NamedTuple):
    """Signal or exit that ended a copy, such as ``"SIGSEGV"``; empty if it has finished."""

    by: str
    computed: float  # [s]

    @property
    def takes_long(self) -> bool:
        """Whether it was stopped while computing, however slowly."""
        return self.by == "SIGPROF" or (self.by == "SIGALRM" and self.computed > _IDLE)


def _copy(action: Callable[[], Any], seconds: float, most: float) -> _End | None:
    """Run an action in a copy of this process, with limits of CPU time and total time.

    Return how it ended, or None if processes cannot be copied.
    """
    if not hasattr(os, "fork"):
        return None
    done = mmap.mmap(-1, 1)  # shared by both processes
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about other threads, which the copy does not need
            copy = os.fork()
    except OSError:
        return None
    if not copy:
        _act(action, seconds, most, done)
    try:
        _, status, used = os.wait4(copy, 0)
    except ChildProcessError:  # another thread has waited for it
        return _End("" if done[0] else "an unknown signal", 0.0)
    except BaseException:
        os.kill(copy, signal.SIGKILL)
        os.waitpid(copy, 0)
        raise
    computed = used.ru_utime + used.ru_stime
    if os.WIFSIGNALED(status):
        return _End(_name(os.WTERMSIG(status)), computed)
    return _End("" if done[0] else "its exit", computed)


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # real-time signals have no name
        return f"signal {number}"


def _act(action: Callable[[], Any], seconds: float, most: float, done: mmap.mmap) -> NoReturn:
    """Run an action without output, and end this process: by a signal if a limit is exceeded."""
    try:
        with suppress(BaseException), open(os.devnull, "w", encoding="utf-8") as nowhere:
            sys.stdout = sys.stderr = nowhere
            faulthandler.disable()
            for kind in (signal.SIGPROF, signal.SIGALRM):
                signal.signal(kind, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, most)
            signal.setitimer(signal.ITIMER_PROF, seconds)
            builtins.__import__ = _uncounted(builtins.__import__)
            builtins.input = _nobody
            _bound_memory()
            try:
                action()
            except MemoryError:  # in the original process, the system might kill others
                os.kill(os.getpid(), signal.SIGKILL)
        done[0] = 1
    finally:
        os._exit(0)


def _bound_memory() -> None:
    """Limit the memory of this process to `MOST_MEMORY` more, if the system supports it."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            most = int(file.read().split()[5]) * resource.getpagesize() + MOST_MEMORY
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _nobody(*_: Any) -> NoReturn:
    raise EOFError("nobody answers a copy")


def _uncounted(action: Callable[..., Any]) -> Callable[..., Any]:
    """Return an import that stops the clock of CPU time, also if imports are nested."""

    def paused(*arguments: Any, **options: Any) -> Any:
        left = signal.setitimer(signal.ITIMER_PROF, 0)[0]
        try:
            return action(*arguments, **options)
        finally:
            signal.setitimer(signal.ITIMER_PROF, left)

    return paused


def _watched(action: Callable[[], Any], seconds: float) -> Any:
    """Run an action with traced lines, and stop it between two lines."""
    end = time.thread_time() + seconds

    def watch(*_: Any) -> Any:
        if time.thread_time() > end:
            raise StopError
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        return action()
    except StopError as error:
        raise UnfinishedError(_too_long(seconds)) from error
    finally:
        sys.settrace(before)
