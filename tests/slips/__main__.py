"""Measure what `verify` sees, and print the table: ``python -m tests.slips [--all]``."""

import argparse
import time

from tests.slips.page import summary
from tests.slips.table import UNSEEN, by_rung, by_scope, measured, split, unseen


def main() -> None:
    """Print counts by rung and by scope, what was not seen, and what is right and refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="all slips, and not a sample")
    whole, begun = parser.parse_args().all, time.monotonic()
    trials = measured(whole)
    used = sum(one.seconds for one in trials)
    print(f"{summary(trials)} It took {time.monotonic() - begun:.0f} s, {used:.0f} s of CPU.")
    for rows in (by_rung(trials), by_scope(trials)):
        print(*(" ".join(map(str, row)) for row in rows), "", sep="\n")
    for consistent, title in ((True, "told consistently"), (False, "seen by nothing")):
        print(title, *(f"  {row}" for row in unseen(trials, consistent)), "", sep="\n")
    for one in split(trials)[1]:
        if one.outcome != UNSEEN:
            print("right:", one.machine, one.rule, one.outcome, one.sentence)


if __name__ == "__main__":
    main()
