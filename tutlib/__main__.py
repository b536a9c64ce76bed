"""``python -m tutlib verify FILE`` tries the machines of a notebook or a program in many ways."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tutlib.reading.command_line import add_limit, run

#: The one place of the package that names what stands above it.
ELSEWHERE = "All other commands are the course's: python -m course --help lists them."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the command line unless given.

    Returns
    -------
    int
        0, or 1 if something is in the way.
    """
    parser = argparse.ArgumentParser(
        prog="python -m tutlib",
        usage=f"%(prog)s verify FILE\n{ELSEWHERE}",
        description=f"Try machines. {ELSEWHERE}",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    verify = commands.add_parser(
        "verify", help="try the machines of a notebook or a program of yours in many ways"
    )
    verify.add_argument("file", help="the notebook, .ipynb, or the program, .py")
    add_limit(verify)
    verify.set_defaults(run=_verify)
    return run(parser, arguments)


def _verify(chosen: argparse.Namespace) -> tuple[list[str], bool]:
    from tutlib.verification.command import verify_file

    return verify_file(chosen.file, chosen.limit)


if __name__ == "__main__":
    sys.exit(main())
