"""Progress bar for computations that take longer than two seconds.

Animations, whose frames are drawn one by one, and long chains use it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

#: Whether bars are drawn at all; the environment variable of tqdm that disables bars applies, too.
BARS: ContextVar[bool] = ContextVar("BARS", default=not os.environ.get("TQDM_DISABLE"))
#: Time before a bar appears [s]; shorter computations show none.
PATIENCE = 2.0
_WIDTH = 30


@contextmanager
def without_bars() -> Iterator[None]:
    """Disable bars, however slow the computer is, as for the capture of a picture."""
    token = BARS.set(False)
    try:
        yield
    finally:
        BARS.reset(token)


def progress(what: str) -> Callable[[int, int], None]:
    """Return a function of the finished and the total number of items that draws the bar.

    Parameters
    ----------
    what : str
        The name of the items, such as ``"frames"``.
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
