"""What the page of the museum shows of the table; it is measured when it is not there yet."""

from __future__ import annotations

import subprocess
import sys

from IPython.display import Markdown

from tests.slips.table import (
    ROOT,
    SAME,
    UNSEEN,
    Trial,
    by_rung,
    by_scope,
    kept,
    measured,
    split,
    unseen,
)
from tutlib.plots import Table


def trials() -> list[Trial]:
    """Return what was measured of the present code."""
    if kept(False) is None:  # in a program of its own, which may start others
        command = [sys.executable, "-m", "tests.slips"]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return measured()


def summary(every: list[Trial] | None = None) -> str:
    """Return a paragraph with the counts: of a build's trials, or of others."""
    every = every or trials()
    wrong, right = split(every)
    refused = sum(one.outcome != UNSEEN and one.outcome != "a question" for one in right)
    seen = sum(one.outcome not in (UNSEEN, "a question") for one in wrong)
    asked = sum(one.outcome == "a question" for one in wrong)
    mute = [one for one in wrong if one.outcome == UNSEEN]
    alike = sum(one.consistent for one in mute)
    machines = len({one.machine for one in wrong})
    return (
        f"In {machines} machines {len(wrong)} slips were planted, beside "
        f"{sum(one.outcome == SAME for one in every)} that change nothing. `verify` sees {seen}, "
        f"asks a question about {asked}, and passes {len(mute)}: of these, {alike} are told "
        f"alike by energies, equations and bodies, so that only the maker knows which machine was "
        f"meant. Of {len(right)} right machines, written in several ways, "
        f"{refused or 'none'} {'were' if refused > 1 else 'was'} refused."
    )


def rungs() -> Table:
    """Return how many slips each rung is the first to see."""
    names = {
        "refused": "refused with a sentence",
        "a question": "asked as a question",
        UNSEEN: "passed",
    }
    rows = [(names.get(name, name), str(count)) for name, count in by_rung(trials())]
    return Table(("first rung that fails", "slips"), rows)


def scopes() -> Table:
    """Return how many slips are seen by where they are."""
    rows = [tuple(map(str, row)) for row in by_scope(trials())]
    return Table(("a slip in", "planted", "seen", "asked"), rows)


def names(consistent: bool) -> Table | Markdown:
    """Return by name what passed: told alike everywhere, or not."""
    found = unseen(trials(), consistent)
    if not found:
        return Markdown("In this sample there is none.")
    rows = [
        (f"{scope}: {rule}", str(count), where.partition(":")[0])
        for scope, rule, count, where in found
    ]
    return Table(("slip", "times", "such as in"), rows)
