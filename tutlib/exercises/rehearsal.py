"""A reader's answer that may never end: refused as it is written, or tried in a copy first.

A loop that does not end, or one huge number on the way, holds the whole process. A copy of it can
be ended by the system, whatever it computes; only what ended there is then computed here. The
checks of all chapters use this.
"""

from __future__ import annotations

import builtins
import dis
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice, pairwise
from types import CodeType, FunctionType
from typing import Any, ClassVar, NoReturn

import numpy as np
import sympy as sm
from sympy.core.function import AppliedUndef
from sympy.functions.elementary.hyperbolic import HyperbolicFunction
from sympy.functions.elementary.trigonometric import TrigonometricFunction
from sympy.logic.boolalg import BooleanAtom

from tutlib.exercises.equivalence import MOST_DIGITS, MOST_PARTS, UnreadableError

#: Seconds that an answer may wait for something, a busy machine included.
WAITING_LIMIT = 60.0
#: Seconds of computing that count as one where each line is watched, which takes so much longer.
_WATCHED = 10
#: What makes whole numbers huge.
_POWERS = {"**", "**=", "<<", "<<="}
#: What ends soon, if it has not too many parts.
_NUMBERS = str | bytes | int | float | complex | np.generic
_ELEMENTARY = (
    sm.Add, sm.Mul, sm.Pow, sm.Number, sm.NumberSymbol, sm.Symbol, sm.Derivative, sm.Tuple,
    sm.Order, sm.exp, sm.log, sm.Abs, sm.sign, sm.Max, sm.Min, sm.Heaviside, sm.Piecewise,
    sm.core.relational.Relational, sm.functions.elementary.piecewise.ExprCondPair, AppliedUndef,
    BooleanAtom, HyperbolicFunction, TrigonometricFunction, type(sm.I),
)  # fmt: skip
_clocks: list[Any] = []  # of a copy: it listens to Numba once


class StopError(BaseException):
    """Ends what is watched; no ``except Exception`` catches it."""


def ends_soon(answer: Any) -> bool:
    """Whether an answer can be judged without a rehearsal: numbers and elementary expressions."""
    if isinstance(answer, list | tuple | sm.MatrixBase):
        return len(answer) <= MOST_PARTS and all(map(ends_soon, answer))
    if isinstance(answer, np.ndarray):
        return answer.dtype != object or ends_soon(answer.ravel().tolist())
    if isinstance(answer, sm.Basic):
        parts = islice(sm.preorder_traversal(answer), MOST_PARTS + 1)
        return all(isinstance(part, _ELEMENTARY) for part in parts)
    return isinstance(answer, _NUMBERS)


def in_time(action: Callable[[], Any], seconds: float) -> Any:
    """Do what may never end, if a copy of this process shows that it does.

    Where no process can be copied, as on Windows, each line is watched instead.

    Parameters
    ----------
    action : function () -> Any
    seconds : float
        Of computing; imports and Numba's compilation do not count, nor does waiting for a busy
        machine.

    Returns
    -------
    Any
        What the action returns.

    Raises
    ------
    TimeoutError
        With a sentence for the reader.
    """
    copied = _copy(action, seconds)
    if copied is None:
        return _watched(action, seconds)
    if copied == getattr(signal, "SIGPROF", 0):
        raise TimeoutError(_too_long(seconds))
    if copied == getattr(signal, "SIGALRM", 0):
        raise TimeoutError(
            f"Stopped after {WAITING_LIMIT:.0f} s: your answer waits for something that does not "
            "come, or this computer is very busy. Then run the cell again."
        )
    return action()


def _too_long(seconds: float) -> str:
    return (
        f"Stopped after {seconds} s of computing: your answer takes too long. Does a loop never "
        "end? Is a number huge? Is there a shorter form?"
    )


def _copy(action: Callable[[], Any], seconds: float) -> int | None:
    """Do it in a copy of this process; return the signal that ended that, None without a copy."""
    if not hasattr(os, "fork"):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of other threads: the copy does without them
            copy = os.fork()
    except OSError:
        return None
    if not copy:
        _act(action, seconds)
    try:
        _, status = os.waitpid(copy, 0)
    except ChildProcessError:
        return 0  # someone else has waited for it
    except BaseException:
        os.kill(copy, signal.SIGKILL)
        os.waitpid(copy, 0)
        raise
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def _act(action: Callable[[], Any], seconds: float) -> NoReturn:
    """Do something in silence, and end this process: by a signal if it takes too long."""
    try:
        with suppress(BaseException), open(os.devnull, "w", encoding="utf-8") as nowhere:
            sys.stdout = sys.stderr = nowhere
            for kind in (signal.SIGPROF, signal.SIGALRM):
                signal.signal(kind, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, WAITING_LIMIT)
            signal.setitimer(signal.ITIMER_PROF, seconds)
            builtins.__import__ = _uncounted(builtins.__import__)
            builtins.input = _nobody
            _leave_out_compilation()
            action()
    finally:
        os._exit(0)


def _nobody(*_: Any) -> NoReturn:
    raise EOFError("nobody answers a copy")


def _pause() -> float:
    return signal.setitimer(signal.ITIMER_PROF, 0)[0]


def _uncounted(action: Callable[..., Any]) -> Callable[..., Any]:
    """Return an import whose time does not count; one within another finds the clock stopped."""

    def paused(*arguments: Any, **options: Any) -> Any:
        left = _pause()
        try:
            return action(*arguments, **options)
        finally:
            signal.setitimer(signal.ITIMER_PROF, left)
            _leave_out_compilation()

    return paused


def _leave_out_compilation() -> None:
    """Stop the clock while Numba compiles, if the reader has it."""
    event: Any = sys.modules.get("numba.core.event")
    if not hasattr(event, "register") or _clocks:
        return

    class Clock(event.Listener):  # type: ignore[misc]
        left: ClassVar[list[float]] = []

        def on_start(self, _: Any) -> None:
            self.left.append(_pause())

        def on_end(self, _: Any) -> None:
            signal.setitimer(signal.ITIMER_PROF, self.left.pop())

    _clocks.append(Clock())
    event.register("numba:compile", _clocks[0])


def _watched(action: Callable[[], Any], seconds: float) -> Any:
    """Do it line by line, and stop between two lines."""
    end = time.thread_time() + _WATCHED * seconds

    def watch(*_: Any) -> Any:
        if time.thread_time() > end:
            raise StopError
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        return action()
    except StopError as error:
        raise TimeoutError(_too_long(seconds)) from error
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
