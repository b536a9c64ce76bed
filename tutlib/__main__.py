"""The command line: ``python -m tutlib notebooks`` and ``python -m tutlib doctor``.

The first makes a student's working copies, the second says what is wrong with the computer.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tutlib.commands.copies import copy_notebooks
from tutlib.commands.doctor import examine


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
    parser = argparse.ArgumentParser(prog="python -m tutlib", description="Help with the course.")
    commands = parser.add_subparsers(dest="command", required=True)
    copies = commands.add_parser(
        "notebooks", help="make your own copies of the notebooks; never overwrites a file"
    )
    copies.add_argument("folder", nargs="?", help="where to; the course's folder work by default")
    copies.add_argument("--fresh", metavar="01", help="make a second copy of one chapter, beside")
    copies.add_argument("--without-solutions", action="store_true", help="leave solutions out")
    commands.add_parser("doctor", help="look for what may be in the way, and say what to do")
    chosen = parser.parse_args(arguments)
    if chosen.command == "doctor":
        lines, healthy = examine()
        print("\n".join(lines))
        return 0 if healthy else 1
    try:
        done = copy_notebooks(chosen.folder, chosen.fresh, not chosen.without_solutions)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(done))
    return 0


if __name__ == "__main__":
    sys.exit(main())
