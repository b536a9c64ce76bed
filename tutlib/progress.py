"""A bar for what takes longer than two seconds: how far it has come.

Films, which draw their frames one by one, and long chains use it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

#: Whether bars are drawn at all; not where the variable says so that tqdm's own bars obey, too.
BARS: ContextVar[bool] = ContextVar("BARS", default=not os.environ.get("TQDM_DISABLE"))
#: Seconds before a bar appears: what is done by then needs none.
PATIENCE = 2.0
_WIDTH = 30


@contextmanager
def without_bars() -> Iterator[None]:
    """Let nothing draw a bar, however slow this computer is: where a picture is captured."""
    token = BARS.set(False)
    try:
        yield
    finally:
        BARS.reset(token)


def progress(what: str) -> Callable[[int, int], None]:
    """Return a function that is told how many are done, of how many, and draws the bar.

    Parameters
    ----------
    what : str
        What is counted, such as ``"frames"``.
    """
    begun, drawn = time.monotonic(), [0.0]

    def tell(number: int, count: int) -> None:
        now = time.monotonic()
        last = number + 1 >= count
        if not BARS.get() or now - begun < PATIENCE or (now - drawn[0] < 0.2 and not last):
            return
        drawn[0] = now
        full = round(_WIDTH * (number + 1) / max(count, 1))
        bar = "█" * full + "░" * (_WIDTH - full)
        end = "\n" if last else ""
        print(f"\r{bar} {number + 1} of {count} {what}", end=end, file=sys.stderr, flush=True)

    return tell
