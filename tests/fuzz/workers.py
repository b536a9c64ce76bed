"""Calls made in processes of their own, which are watched: none hangs or crashes unseen.

A process says which call it begins, so that the parent knows what it died of. What has no answer
after a minute of computing, or is silent for half an hour, hangs on the slowest machine, too.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import traceback
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from tests.fuzz.calls import Call

#: Seconds of CPU that a call may take; seconds on a clock after which its process is ended.
LIMIT, LAST = 60.0, 1800.0
#: Calls of one process, and bytes that it may ask for.
PART, MOST = 1500, 3 * 2**30


@dataclass(frozen=True)
class Answer:
    """A call, the verdict on it, and what was said."""

    call: Call
    verdict: str
    told: str = ""


class Hang(BaseException):
    """A call takes too long."""


def answers(calls: Sequence[Call], processes: int = 1) -> Iterator[Answer]:
    """Make calls in so many processes; yield how each was answered."""
    parts = [list(calls[i : i + PART]) for i in range(0, len(calls), PART)]
    with tempfile.TemporaryDirectory() as folder:
        running: dict[Connection, _Worker] = {}
        while parts or running:
            while parts and len(running) < processes:
                worker = _Worker(parts.pop(0), folder)
                running[worker.connection] = worker
            for connection in wait([*running], timeout=LAST) or [*running]:
                worker = running[connection]
                yield from worker.news()
                if worker.is_over:
                    del running[connection]
                    parts += [worker.left] if worker.left else []


class _Worker:
    """One process, as the parent sees it."""

    def __init__(self, calls: list[Call], folder: str) -> None:
        # no thread of this process, and no program that it compiled, is there
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe(duplex=False)
        self.process = context.Process(target=_work, args=(calls, folder, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.left, self.is_over = calls, False

    def news(self) -> Iterator[Answer]:
        """Yield what came; end a process that has been silent for too long."""
        from tests.fuzz.verdicts import CRASH, HANG

        if not self.connection.poll():
            yield from self._lost(HANG, f"silent for {LAST:g} s")
            return
        try:
            while self.connection.poll():
                verdict, told = self.connection.recv()
                yield Answer(self.left.pop(0), verdict, told)
        except EOFError:
            self.process.join()
            if self.left:
                yield from self._lost(CRASH, f"the process ended with {self.process.exitcode}")
            self._end()

    def _lost(self, verdict: str, told: str) -> Iterator[Answer]:
        yield Answer(self.left.pop(0), verdict, told)
        self._end()

    def _end(self) -> None:
        self.is_over = True
        self.process.kill()
        self.process.join()
        self.connection.close()


def _work(calls: list[Call], folder: str, parent: Connection) -> None:
    """Make calls one after another, and tell the parent of each."""
    _stay_within(folder)
    from tests.fuzz import corruptions, things

    names = vars(things) | vars(corruptions)
    for call in calls:
        parent.send(_answer(call, names))
    parent.close()
    os._exit(0)  # what wrong calls left behind need not be tidied up


def _stay_within(folder: str) -> None:
    """Let nothing be written elsewhere, neither to the terminal; let no call take all memory."""
    import resource

    from tqdm.auto import tqdm

    tqdm.set_lock(threading.RLock())  # its own is for several processes, and is left behind
    os.environ["HOME"] = os.environ["TMPDIR"] = folder
    os.chdir(folder)
    with open(os.devnull, "w") as nowhere:
        for stream in (1, 2):
            os.dup2(nowhere.fileno(), stream)
    resource.setrlimit(resource.RLIMIT_DATA, (MOST, MOST))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.setrecursionlimit(1000)

    def interrupt(*_: Any) -> None:
        raise Hang

    signal.signal(signal.SIGPROF, interrupt)


def _answer(call: Call, names: dict[str, Any]) -> tuple[str, str]:
    """Make one call; return the verdict and what was said."""
    from tests.fuzz.verdicts import HANG, NO_CALL, of_error, of_result

    try:
        gather = compile(f"(lambda *a, **k: (a, k))({call.arguments})", "<arguments>", "eval")
        arguments, options = eval(gather, dict(names))
        function = eval(call.function, dict(names))
    except Exception as error:
        return NO_CALL, f"{type(error).__name__}: {error}"
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            signal.setitimer(signal.ITIMER_PROF, LIMIT)
            result = eval(
                compile("function(*arguments, **options)", "<call>", "eval"),
                {"function": function, "arguments": arguments, "options": options},
            )
            signal.setitimer(signal.ITIMER_PROF, 0.0)
        return of_result(result, call.finite, bool(told)), ""
    except Hang as error:
        return HANG, _place(error)
    except BaseException as error:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        return of_error(error), f"{type(error).__name__}: {error}"[:300] + _place(error)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")


def _place(error: BaseException) -> str:
    """Say where in the package an error came from."""
    ours = [f for f in traceback.extract_tb(error.__traceback__) if "/tutlib/" in f.filename]
    last = ours[-1] if ours else None
    return f" [{last.filename.partition('/tutlib/')[2]}:{last.lineno}]" if last else ""
