"""A reader's function that nothing could stop: refused as it is written, or tried in a copy.

A thread that loops can be ended, but one that computes a single huge number cannot: all of Python
waits for the number. A copy of the process can be. The exercises that ask for a function use it.
"""

from __future__ import annotations

import dis
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from types import CodeType, FunctionType
from typing import Any

from tutlib.exercises.equivalence import MOST_DIGITS, UnreadableError

#: What makes whole numbers huge.
_POWERS = {"**", "**=", "<<", "<<="}
_FUNCTIONS = {"comb", "factorial", "perm", "pow", "prod"}


def refuse_huge_powers(function: Any) -> None:
    """Refuse with UnreadableError a function that is written with a power such as 10**(10**8)."""
    for power in filter(None, _powers(function)):
        if isinstance(power, int) and power > MOST_DIGITS:
            raise UnreadableError(
                f"Your function takes the power {power} of a number: if that is whole, the result "
                "would take for ever, and nothing could stop it."
            )


def rehearse(function: Any, action: Callable[[], Any]) -> None:
    """Do what calls a function in a copy of this process, and wait for its end.

    Whoever waits for this in a thread can end it, whatever is computed. Only a function with a
    power that is not written out is tried so, and only where a process can be copied: not on
    Windows.

    Parameters
    ----------
    function : function
        The reader's own.
    action : function () -> Any
        What comes of it is forgotten.
    """
    if not hasattr(os, "fork") or None not in _powers(function):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other threads: the copy does without them
        copy = os.fork()
    if not copy:
        _act(action)
    try:
        while os.waitpid(copy, os.WNOHANG) == (0, 0):
            time.sleep(0.002)
    except ChildProcessError:
        pass  # someone else has waited for it
    except BaseException:
        os.kill(copy, signal.SIGKILL)
        os.waitpid(copy, 0)
        raise


def _act(action: Callable[[], Any]) -> None:
    """Do something in silence, and end this process."""
    try:
        with suppress(BaseException), open(os.devnull, "w", encoding="utf-8") as nowhere:
            sys.stdout = sys.stderr = nowhere
            action()
    finally:
        os._exit(0)


def _powers(function: Any) -> Iterator[float | None]:
    """Yield the powers that a function takes, and those it calls; None where only a run tells."""
    for code in _codes(function):
        if _FUNCTIONS & {*code.co_names}:
            yield None
        for power, operation in pairwise(dis.get_instructions(code)):
            if operation.argrepr in _POWERS:
                written = power.opname.startswith("LOAD") and isinstance(power.argval, int | float)
                yield power.argval if written else None


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
