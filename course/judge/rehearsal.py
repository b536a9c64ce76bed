"""A reader's answer that may never end: refused as it is written, or tried in a copy first.

A loop that does not end, or one huge number on the way, holds the whole process. A copy of it can
be ended by the system, whatever it computes; only what came to its end there is then computed
here, and what brought Python down there never is. The checks of all chapters use this.
"""

from __future__ import annotations

import builtins
import dis
import faulthandler
import mmap
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice, pairwise
from types import CodeType, FunctionType
from typing import Any, NamedTuple, NoReturn

import numpy as np
import sympy as sm
from sympy.core.function import AppliedUndef
from sympy.functions.elementary.hyperbolic import HyperbolicFunction
from sympy.functions.elementary.trigonometric import TrigonometricFunction
from sympy.logic.boolalg import BooleanAtom

from course.judge.equivalence import MOST_DIGITS, MOST_NODES
from tutlib.reading.names import UnreadableError

#: Seconds of computing after which an answer is said to take long; nearly all take less.
FIRST_LOOK = 1.0
#: An answer may take so many times what the right one does here and now: `limit`.
TIMES = 50
#: Seconds of computing that it may take at least.
LEAST = 10.0
#: Seconds that an answer may wait for something without computing.
WAITING_LIMIT = 60.0
#: Bytes that an answer may ask for, beyond what there is.
MOST_MEMORY = 2**32
#: What has computed for fewer seconds until then waits, however busy the machine is.
_IDLE = 0.3
#: How much longer all takes where each line is watched.
_WATCHED = 10
#: What makes whole numbers huge.
_POWERS = {"**", "**=", "<<", "<<="}
#: What ends soon, if it has not too many parts.
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
    """Raised with a sentence for the reader when an answer is stopped: it may be right."""


class StopError(BaseException):
    """Ends what is watched; no ``except Exception`` catches it."""


def ends_soon(answer: Any) -> bool:
    """Whether an answer can be judged without a rehearsal: numbers and elementary expressions."""
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
    """Do what may never end, if a copy of this process shows that it does.

    Where no process can be copied, as on Windows, each line is watched instead.

    Parameters
    ----------
    action : function () -> Any
    reference : function () -> Any
        The same with an answer that is right, which ends: by what it takes here and now it is
        measured what the action may take. See `limit`.

    Returns
    -------
    Any
        What the action returns.

    Raises
    ------
    UnfinishedError
        If it was stopped: nobody knows what would have come.
    UnreadableError
        If it brought the copy down.
    """
    end = _copy(action, FIRST_LOOK, WAITING_LIMIT)
    if end is None:
        return _watched(action, _WATCHED * limit(reference))
    if end.takes_long:
        seconds = limit(reference)
        print(f"This takes long. It may compute for {seconds:.0f} s, or interrupt it.")
        end = _copy(action, seconds, WAITING_LIMIT * max(seconds, 1.0)) or end
        if end.takes_long:
            raise UnfinishedError(_too_long(seconds))
    if end.by:
        raise _error(end.by)
    return action()


def _error(by: str) -> Exception:
    """Return what is raised where something ended a copy."""
    if by == "SIGALRM":
        return UnfinishedError("it waits for something that does not come.")
    if by == "SIGKILL":
        return UnfinishedError("it takes more memory than there is. Does a list grow for ever?")
    return UnreadableError(
        f"Your answer ends Python itself, by {by}; it ran in a copy only, and nothing is lost. "
        "Does a function call itself without end, or something call os._exit?"
    )


def limit(reference: Callable[[], Any]) -> float:
    """Return the seconds of computing that an answer may take, on this machine at this moment.

    That is so much work: `TIMES` that of the right answer and of a million sums in Python. Whether
    an answer ends in time thus depends on no clock, and never on less than `LEAST` seconds.

    Parameters
    ----------
    reference : function () -> Any
        What is done with the right answer.

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
        f"there was no end after {seconds:.3g} s of computing. Does a loop never end? Is a number "
        "huge? Is there a shorter form?"
    )


class _End(NamedTuple):
    """What ended a copy, such as ``"SIGSEGV"``; empty if all was done."""

    by: str
    computed: float  # [s]

    @property
    def takes_long(self) -> bool:
        """Whether it was stopped while it computed, however slowly on a busy machine."""
        return self.by == "SIGPROF" or (self.by == "SIGALRM" and self.computed > _IDLE)


def _copy(action: Callable[[], Any], seconds: float, most: float) -> _End | None:
    """Do it in a copy of this process, and return how that ended; None without a copy.

    It may compute for so many seconds, and be there for so many at most.
    """
    if not hasattr(os, "fork"):
        return None
    done = mmap.mmap(-1, 1)  # both processes see it
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of other threads: the copy does without them
            copy = os.fork()
    except OSError:
        return None
    if not copy:
        _act(action, seconds, most, done)
    try:
        _, status, used = os.wait4(copy, 0)
    except ChildProcessError:  # someone else has waited for it
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
    except ValueError:  # those of real time have no name
        return f"signal {number}"


def _act(action: Callable[[], Any], seconds: float, most: float, done: mmap.mmap) -> NoReturn:
    """Do something in silence, and end this process: by a signal if it takes too long."""
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
            except MemoryError:  # here it may be had, and with it the end of all else
                os.kill(os.getpid(), signal.SIGKILL)
        done[0] = 1
    finally:
        os._exit(0)


def _bound_memory() -> None:
    """Let this process ask for no more than `MOST_MEMORY`, where the system can count it."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            most = int(file.read().split()[5]) * resource.getpagesize() + MOST_MEMORY
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _nobody(*_: Any) -> NoReturn:
    raise EOFError("nobody answers a copy")


def _uncounted(action: Callable[..., Any]) -> Callable[..., Any]:
    """Return an import whose time does not count; one within another finds the clock stopped."""

    def paused(*arguments: Any, **options: Any) -> Any:
        left = signal.setitimer(signal.ITIMER_PROF, 0)[0]
        try:
            return action(*arguments, **options)
        finally:
            signal.setitimer(signal.ITIMER_PROF, left)

    return paused


def _watched(action: Callable[[], Any], seconds: float) -> Any:
    """Do it line by line, and stop between two lines."""
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


def refuse_huge_powers(function: Any) -> None:
    """Refuse with UnreadableError a function that is written with a power such as 10**(10**8)."""
    for power in _powers(function):
        if power > MOST_DIGITS:
            raise UnreadableError(
                f"Your function takes the power {power} of a number: if that is whole, the result "
                "would take for ever, and nothing could stop it."
            )


def _powers(function: Any) -> Iterator[int]:
    """Yield the whole powers that are written out in a function, and in those that it calls."""
    for code in _codes(function):
        for power, operation in pairwise(dis.get_instructions(code)):
            written = power.opname.startswith("LOAD") and isinstance(power.argval, int)
            if written and operation.argrepr in _POWERS:
                yield power.argval


def _codes(function: Any) -> Iterator[CodeType]:
    """Yield the code of a function, of what is inside it, and of the reader's own that it calls."""
    waiting, known = [function], set[CodeType]()
    around = getattr(function, "__globals__", {})
    while waiting:
        part = waiting.pop()
        if isinstance(part, FunctionType) and part.__globals__ is around:
            for cell in part.__closure__ or ():
                with suppress(ValueError):  # it is empty yet
                    waiting.append(cell.cell_contents)
            part = part.__code__
        if isinstance(part, CodeType) and part not in known:
            known.add(part)
            yield part
            waiting += [*part.co_consts, *map(around.get, part.co_names)]
