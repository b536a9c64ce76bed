"""Plant mistakes in right machines, and count what `verify` sees of them.

``python -m tests.slips`` tries a sample that is drawn with a seed, ``--all`` all of them. The page
of the museum includes the table of the sample: ``--write`` renews it, and ``--check``, which runs
every week, fails if it is not current.
"""

import argparse
import os
import random
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

from tests.slips.machines import EVERY
from tests.slips.planter import Planter
from tests.slips.sameness import differs, facts_of, is_told_consistently
from tests.slips.variants import variants
from verification import verify
from verification.ladder import LADDER

PAGE = Path(__file__).resolve().parents[2] / "book" / "planted-mistakes.txt"
#: Mistakes and right machines of the sample, and its seed.
SLIPS, RIGHT, SEED = 224, 112, 1
UNSEEN, REJECTED, SAME = "passed", "rejected with an error message", "the same machine"


@dataclass(frozen=True)
class Trial:
    """The outcome of one mistake, or of one right machine.

    Parameters
    ----------
    machine, scope, rule, place : str
    outcome : str
        The first check that fails, or one of the words above.
    sentence : str
    consistent : bool
        Whether energies, equations, and bodies agree, so that nothing can be seen.
    """

    machine: str
    scope: str
    rule: str
    place: str
    outcome: str
    sentence: str = ""
    consistent: bool = False


@lru_cache(maxsize=3)
def machine_of(name):
    """Return a machine, its mistakes, and the numbers that tell whether one changes anything."""
    model = EVERY[name]()
    return model, tuple(Planter(model).slips()), facts_of(model, model)


def climbed(model):
    """Return the first check that fails, and its sentence."""
    try:
        failed = verify(model).failed
    except (TypeError, ValueError) as error:
        return REJECTED, str(error)
    return (failed.name, failed.sentence) if failed else (UNSEEN, "")


def tried(name, index):
    """Try one mistake in a machine."""
    right, slips, facts = machine_of(name)
    slip = slips[index]
    about = (name, slip.scope, slip.rule, slip.place)
    try:
        wrong = slip.make()
    except (TypeError, ValueError) as error:
        return Trial(*about, REJECTED, str(error))
    others = facts_of(wrong, right)
    if slip.scope != "a value" and not differs(right, facts, others):
        return Trial(*about, SAME)
    consistent = slip.scope == "a value" or (
        slip.scope != "an equation" and bool(wrong.bodies) and is_told_consistently(right, others)
    )
    return Trial(*about, *climbed(wrong), consistent)


def of_machine(task):
    """Try the sample of one machine, or all of its mistakes and variants."""
    name, whole = task
    drawn = random.Random(f"{SEED} {name}")
    model, slips, _ = machine_of(name)
    indices, ways = range(len(slips)), [how for how, _ in variants(model)]
    if not whole:
        at, count = [*EVERY].index(name), len(EVERY)
        share, others = (-(-(total - at) // count) for total in (SLIPS, RIGHT))
        indices = sorted(spread(slips, min(share, len(slips)), drawn))
        ways = [ways[0], *drawn.sample(ways[1:], min(others - 1, len(ways) - 1))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        makers = dict(variants(model))
        right = [Trial(name, "right", how, "", *climbed(makers[how]())) for how in ways]
        return [*(tried(name, i) for i in indices), *right]


def spread(slips, count, drawn):
    """Return indices of some mistakes, from every scope in turn."""
    scopes = {}
    for i in drawn.sample(range(len(slips)), len(slips)):
        scopes.setdefault(slips[i].scope, []).append(i)
    queues, chosen = list(scopes.values()), []
    while len(chosen) < count:
        for queue in queues:
            if queue and len(chosen) < count:
                chosen.append(queue.pop())
    return chosen


def measured(whole=False):
    """Return the outcomes of all trials."""
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        tasks = [(name, whole) for name in reversed(EVERY)]  # the slow ones first
        return [trial for some in pool.map(of_machine, tasks) for trial in some]


def text_of(trials):
    """Return the paragraph and tables of the page, as Markdown."""
    wrong = [one for one in trials if one.scope != "right" and one.outcome != SAME]
    right = [one for one in trials if one.scope == "right"]
    unseen = [one for one in wrong if one.outcome == UNSEEN]
    counts = Counter(one.outcome for one in wrong)
    rejected = sum(one.outcome != UNSEEN for one in right)
    alike = sum(one.consistent for one in unseen)
    lines = [
        f"In {len({one.machine for one in wrong})} machines, {len(wrong)} mistakes were planted. "
        f"`verify` detects {len(wrong) - len(unseen)} of them. Of the {len(unseen)} that pass, "
        f"{alike} change the energies, the equations, and the bodies consistently, so only the "
        f"author knows which machine was meant. Of {len(right)} correct machines, written in "
        f"several ways, "
        f"{rejected or 'none'} {'were' if rejected > 1 else 'was'} rejected.",
        "",
        *_table(
            ("first check that fails", "mistakes"),
            [(name, counts[name]) for name in (*LADDER, REJECTED, UNSEEN) if counts[name]],
        ),
        *_table(
            ("mistake in", "planted", "detected"),
            [
                (scope, len(some), sum(one.outcome != UNSEEN for one in some))
                for scope in sorted({one.scope for one in wrong})
                for some in [[one for one in wrong if one.scope == scope]]
            ],
        ),
    ]
    if known := sorted({(f"{e.scope}: {e.rule}", e.machine) for e in unseen if not e.consistent}):
        contradict = "although the energies, equations, and bodies contradict each other"
        lines += [f"These mistakes passed, {contradict}:", ""]
        lines += _table(("mistake", "machine"), known)
    return "\n".join(lines).rstrip() + "\n"


def _table(head, rows):
    marks = ["---"] * len(head)
    return [*(f"| {' | '.join(map(str, row))} |" for row in (head, marks, *rows)), ""]


def main():
    """Print the table; with ``--write``, renew the page's; with ``--check``, compare with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="all mistakes, and not a sample")
    parser.add_argument("--write", action="store_true", help=f"renew {PAGE.name}")
    parser.add_argument("--check", action="store_true", help=f"fail if {PAGE.name} differs")
    chosen = parser.parse_args()
    trials = measured(chosen.all)
    print(text_of(trials))
    for one in trials:
        if (one.outcome != UNSEEN) == (one.scope == "right") and one.outcome != SAME:
            print(one.scope, one.machine, one.rule, one.place, one.outcome, one.sentence, sep=" | ")
    if chosen.write:
        PAGE.write_text(text_of(trials), encoding="utf-8")
    if chosen.check and text_of(trials) != PAGE.read_text(encoding="utf-8"):
        parser.exit(1, f"{PAGE.name} is not current: python -m tests.slips --write\n")
