"""How a command is run: its lines are printed, what is in its way is a sentence, and so it ends.

All commands use it.
"""

from __future__ import annotations

import argparse
import io
import math
import os
import sys
from collections.abc import Callable, Collection, Sequence

from tutlib.installed import astray

#: So many seconds a cell, or a program, may run unless it is said otherwise; longer on a computer
#: that is slow or busy.
LIMIT = 25.0
Command = Callable[[argparse.Namespace], tuple[list[str], bool]]


def run(
    parser: argparse.ArgumentParser,
    arguments: Sequence[str] | None,
    even_astray: Collection[Command] = (),
) -> int:
    """Run the command that is asked for.

    Parameters
    ----------
    parser : ArgumentParser
        Each of its commands has a function ``run`` that returns lines, and whether all is well.
    arguments : sequence of str or None
        Those of the command line if None.
    even_astray : collection of functions
        What runs also where Python or the package is not the one that was set up.

    Returns
    -------
    int
        0, or 1 if something is in the way.
    """
    for stream in (sys.stdout, sys.stderr):
        _let_it_take_every_letter(stream)
    chosen = parser.parse_args(arguments)
    command: Command = chosen.run
    if command not in even_astray and (wrong := astray()):
        print(": ".join(wrong), file=sys.stderr)
        return 1
    try:
        lines, well = command(chosen)
    except (ImportError, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    try:
        print("\n".join(lines), flush=True)
    except BrokenPipeError:  # whoever reads has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0 if well else 1


def _let_it_take_every_letter(stream: object) -> None:
    """Write UTF-8 to files and pipes, also where Windows has another encoding for them."""
    if isinstance(stream, io.TextIOWrapper):
        encoding = stream.encoding if stream.isatty() else "utf-8"
        stream.reconfigure(encoding=encoding, errors="backslashreplace")


def add_limit(command: argparse.ArgumentParser) -> None:
    """Let a command take ``--limit``."""
    command.add_argument(
        "--limit",
        type=_seconds,
        metavar="S",
        help=f"so many seconds a cell may run; {LIMIT:g} by default, longer on a slow computer",
    )


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < math.inf:
        raise ValueError(text)
    return seconds
