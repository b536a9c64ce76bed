"""The table: how many slips `verify` sees, by which rung, and which ones it does not see.

A build of the site measures a sample that is drawn with a seed; all of them takes the command
``python -m tests.slips --all``. What was measured is kept by the content of what was measured.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import time
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path

from tests.slips.machines import EVERY
from tests.slips.planter import Planter, Slip
from tests.slips.sameness import Facts, differs, facts_of, is_told_consistently
from tests.slips.variants import variants
from tutlib.models import Model
from verification.ladder import LADDER
from verification.mujoco_check import mujoco
from verification.questions import questions
from verification.verification_input import read_subject

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "_build" / "slips"
#: Slips that a build tries, right machines that it tries, and what they are drawn with.
SLIPS, RIGHT, SEED = 224, 112, 1
#: What they depend on, beside the versions of what computes.
SOURCES = ("straightline", "tutlib", "verification", "course/capstones", "tests/slips")
#: The ladder without another program, which is not everywhere.
RUNGS = tuple(check for check in LADDER if check is not mujoco)
#: And in which order a table names what they are about.
ORDER = (
    "units",
    "mass matrix",
    "energy and power",
    "forcing",
    "Newton's laws",
    "constraints",
    "invariance",
    "limits",
    "small motions",
    "order of a method",
)
UNSEEN, ASKED, REFUSED, SAME = "unseen", "a question", "refused", "the same machine"
CRASHED = "crashed"


@dataclass(frozen=True)
class Trial:
    """What became of one slip, or of one right machine.

    Parameters
    ----------
    machine, scope, rule, place : str
    outcome : str
        The first rung that fails; or that nothing does, a question is asked, it is refused, or the
        slip changes nothing.
    sentence : str
        Of the rung, or the question.
    consistent : bool
        Whether an unseen slip is told alike by energies, equations and bodies.
    seconds : float
        Of CPU.
    """

    machine: str
    scope: str
    rule: str
    place: str
    outcome: str
    sentence: str = ""
    consistent: bool = False
    seconds: float = 0.0


@lru_cache(maxsize=3)
def machine_of(name: str) -> tuple[Model, tuple[Slip, ...], tuple[str, ...], Facts]:
    """Return a machine, its slips, what is asked of it while it is right, and what it says."""
    model = EVERY[name]()
    usual = questions(read_subject(model))
    return model, tuple(Planter(model).slips()), usual, facts_of(model, model)


def climbed(model: Model, usual: tuple[str, ...] = ()) -> tuple[str, str]:
    """Return the first rung that fails and its sentence, or what else is said of a machine."""
    try:
        subject = read_subject(model)
        if not subject.states:
            return REFUSED, "no state was found"
        for check in RUNGS:
            rung = check(subject)
            if rung.passed is False:
                return rung.name, rung.sentence
        new = [one for one in questions(subject) if one not in usual]
    except (TypeError, ValueError) as error:
        return REFUSED, str(error)
    except Exception as error:  # of verify itself: a test asks that there is none
        return CRASHED, repr(error)
    return (ASKED, new[0]) if new else (UNSEEN, "")


def tried(task: tuple[str, int]) -> Trial:
    """Try one slip of a machine."""
    name, index = task
    right, slips, usual, facts = machine_of(name)
    slip, begun = slips[index], time.process_time()
    about = (name, slip.scope, slip.rule, slip.place)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            wrong = slip.make()
        except (TypeError, ValueError) as error:
            return Trial(*about, REFUSED, str(error), seconds=time.process_time() - begun)
        told = slip.scope in ("a value", "a unit")
        others = facts_of(wrong, right)
        if not told and not differs(right, facts, others):
            return Trial(*about, SAME, seconds=time.process_time() - begun)
        outcome, sentence = climbed(wrong, usual)
        consistent = slip.scope == "a value" or (
            slip.scope != "an equation"
            and bool(wrong.bodies)
            and is_told_consistently(right, others)
        )
    return Trial(*about, outcome, sentence, consistent, time.process_time() - begun)


def tried_right(task: tuple[str, str]) -> Trial:
    """Try a right machine that is written otherwise."""
    name, how = task
    model, _, usual, _ = machine_of(name)
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcome, sentence = climbed(dict(variants(model))[how](), usual)
    return Trial(name, "right", how, "", outcome, sentence, seconds=time.process_time() - begun)


def of_machine(task: tuple[str, bool]) -> list[Trial]:
    """Try all slips and variants of one machine, or as many as a build tries."""
    name, whole = task
    drawn = random.Random(f"{SEED} {name}")
    model, slips, _, _ = machine_of(name)
    indices, ways = range(len(slips)), [how for how, _ in variants(model)]
    if not whole:
        place, count = [*EVERY].index(name), len(EVERY)
        share, others = (-(-(total - place) // count) for total in (SLIPS, RIGHT))
        indices = sorted(spread(slips, min(share, len(slips)), drawn))
        ways = [ways[0], *drawn.sample(ways[1:], min(others - 1, len(ways) - 1))]
    return [*(tried((name, i)) for i in indices), *(tried_right((name, how)) for how in ways)]


def spread(slips: tuple[Slip, ...], count: int, drawn: random.Random) -> list[int]:
    """Return some slips, from every scope in turn."""
    scopes: dict[str, list[int]] = {}
    for i in drawn.sample(range(len(slips)), len(slips)):
        scopes.setdefault(slips[i].scope, []).append(i)
    queues, chosen = list(scopes.values()), []
    while len(chosen) < count:
        for queue in queues:
            if queue and len(chosen) < count:
                chosen.append(queue.pop())
    return chosen


def key(whole: bool) -> str:
    """Return a digest of all that the table depends on."""
    digest = hashlib.sha256(f"{whole} {SLIPS} {RIGHT} {SEED}".encode())
    for name in ("numpy", "scipy", "sympy"):
        digest.update(f"{name} {version(name)}".encode())
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            digest.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def kept(whole: bool) -> list[Trial] | None:
    """Return what became of all trials, if it was measured of the present code."""
    path = KEPT / ("all.json" if whole else "sample.json")
    if not path.exists():
        return None
    record = json.loads(path.read_text(encoding="utf-8"))
    return [Trial(**one) for one in record["trials"]] if record["key"] == key(whole) else None


def measured(whole: bool = False, processes: int | None = None) -> list[Trial]:
    """Return what became of all trials: as it was kept, or measured now."""
    found = kept(whole)
    if found is not None:
        return found
    present, count = key(whole), processes or os.cpu_count() or 1
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        tasks = [(name, whole) for name in reversed(EVERY)]  # those that take long are the last
        found = [trial for some in pool.map(of_machine, tasks) for trial in some]
    KEPT.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"key": present, "trials": [asdict(trial) for trial in found]}, indent=1)
    (KEPT / ("all.json" if whole else "sample.json")).write_text(text, encoding="utf-8")
    return found


# ---- what is shown


def split(trials: list[Trial]) -> tuple[list[Trial], list[Trial]]:
    """Return slips that change something, and right machines."""
    wrong = [one for one in trials if one.scope != "right" and one.outcome != SAME]
    return wrong, [one for one in trials if one.scope == "right"]


def by_rung(trials: list[Trial]) -> list[tuple[str, int]]:
    """Return how many slips each rung is the first to see; what is refused, asked and not seen."""
    wrong, _ = split(trials)
    counts = Counter(one.outcome for one in wrong)
    names = [name for name in ORDER if counts[name]]
    return [(name, counts[name]) for name in (*names, REFUSED, ASKED, UNSEEN)]


def by_scope(trials: list[Trial]) -> list[tuple[str, int, int, int]]:
    """Return for each scope how many slips were planted, seen, and asked for."""
    wrong, _ = split(trials)
    rows = []
    for scope in dict.fromkeys(one.scope for one in wrong):
        some = [one.outcome for one in wrong if one.scope == scope]
        rows.append(
            (scope, len(some), sum(o not in (ASKED, UNSEEN) for o in some), some.count(ASKED))
        )
    return sorted(rows)


def unseen(trials: list[Trial], consistent: bool) -> list[tuple[str, str, int, str]]:
    """Return by name what nothing saw: the scope, the rule, how often, and in which machine."""
    some = [
        one for one in split(trials)[0] if one.outcome == UNSEEN and one.consistent is consistent
    ]
    counts = Counter((one.scope, one.rule) for one in some)
    first = {(one.scope, one.rule): f"{one.machine}: {one.place}" for one in reversed(some)}
    return [(*names, count, first[names]) for names, count in sorted(counts.items())]
