"""Runner of commands: it prints their lines, and problems as sentences on stderr.

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

#: Default time limit of a cell or a program [s]; longer on a slow or busy computer.
LIMIT = 25.0
Command = Callable[[argparse.Namespace], tuple[list[str], bool]]


def run(
    parser: argparse.ArgumentParser,
    arguments: Sequence[str] | None,
    even_astray: Collection[Command] = (),
) -> int:
    """Run the command given on the command line.

    Parameters
    ----------
    parser : ArgumentParser
        Each of its commands has a function ``run`` that returns lines, and whether all is well.
    arguments : sequence of str or None
        Arguments; those of the command line if None.
    even_astray : collection of functions
        Commands that also run if Python or the package is not the one that was set up.

    Returns
    -------
    int
        0, or 1 if there is a problem.
    """
    for stream in (sys.stdout, sys.stderr):
        _use_utf8(stream)
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
    except BrokenPipeError:  # the reader, such as head, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0 if well else 1


def _use_utf8(stream: object) -> None:
    """Set UTF-8 for files and pipes, because Windows has another encoding by default."""
    if isinstance(stream, io.TextIOWrapper):
        encoding = stream.encoding if stream.isatty() else "utf-8"
        stream.reconfigure(encoding=encoding, errors="backslashreplace")


def add_limit(command: argparse.ArgumentParser) -> None:
    """Add the option ``--limit`` to a command."""
    command.add_argument(
        "--limit",
        type=_seconds,
        metavar="S",
        help=f"time limit of each cell in seconds; {LIMIT:g} by default, more on a slow computer",
    )


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < math.inf:
        raise ValueError(text)
    return seconds
