"""``python -m tests.fuzz 30000 [--seed N] [--only NAME]``: how so many wrong calls are answered."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence

from tests.fuzz.calls import wrong_calls
from tests.fuzz.verdicts import BAD, NO_CALL, RAW, VERDICTS
from tests.fuzz.workers import Answer, answers


def table(found: Sequence[Answer]) -> str:
    """Return how many calls were answered in which way."""
    counts = Counter(answer.verdict for answer in found)
    made = sum(counts[verdict] for verdict in VERDICTS) or 1
    rows = [f"{counts[v]:7d}  {counts[v] / made:6.2%}  {v}" for v in VERDICTS]
    return "\n".join([*rows, f"{made:7d}  calls; {counts[NO_CALL]} arguments could not be made"])


def worst(found: Sequence[Answer], each: int = 4) -> str:
    """Return the shortest calls that were answered badly, by what was called."""
    by_target: dict[str, list[Answer]] = defaultdict(list)
    for answer in found:
        if answer.verdict in (*BAD, RAW):
            by_target[answer.call.target].append(answer)
    ranked = sorted(by_target.items(), key=lambda item: (-_weight(item[1]), item[0]))
    lines = []
    for target, group in ranked:
        counts = Counter(answer.verdict for answer in group)
        total = ", ".join(f"{counts[v]} {v}" for v in VERDICTS if counts[v])
        lines += ["", f"## {target}: {total}"]
        seen: set[tuple[str, str]] = set()
        group.sort(key=lambda a: (a.verdict == RAW, len(str(a.call))))
        for answer in group:
            key = (answer.verdict, answer.told.rpartition("[")[2] or answer.told)
            if key not in seen and len(seen) < each:
                seen.add(key)
                lines += [f"- {answer.verdict}: {answer.told}", f"    {answer.call}"]
    return "\n".join(lines)


def _weight(group: Sequence[Answer]) -> int:
    return sum(10 if answer.verdict in BAD else 1 for answer in group)


def main(words: Sequence[str]) -> int:
    """Make the calls, print the table and the worst; return 1 where something must not be."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="callables whose name holds this")
    parser.add_argument("--each", type=int, default=4, help="reproducers for each callable")
    asked = parser.parse_args(words)
    calls = wrong_calls(asked.count, asked.seed)
    calls = [call for call in calls if asked.only in call.target]
    found = []
    for answer in answers(calls, os.cpu_count() or 1):
        found.append(answer)
        if sys.stderr.isatty():
            print(f"\r{len(found)} of {len(calls)}", end="", file=sys.stderr)
    print(worst(found, asked.each))
    print("\n(after: from tests.fuzz.things import *; from tests.fuzz.corruptions import *)\n")
    print(table(found))
    return int(any(answer.verdict in BAD for answer in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
