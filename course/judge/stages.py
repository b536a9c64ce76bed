"""A response in stages: what is said of a wrong answer at the first try, and what at later ones.

Every kind of answer finds its findings in one order: what has no value, units, sign and factor,
limits, the part that is missing or too much. Here it is decided how many of them are told. All
chapters use this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from course.judge.sentences import RULES, said
from straightline.arguments import instance

#: What a finding is about, in the order in which findings are told.
STAGES = (
    "reading",
    "misconception",
    "value",
    "units",
    "sign and factor",
    "limit",
    "part",
    "no clue",
)
#: More tries are told nothing more.
MOST_TRIES: int = RULES["most tries"]
#: Of each exercise, the kind of its answer and the different wrong ones that were read.
_wrong: dict[str, tuple[Any, list[Any]]] = {}


class Finding(NamedTuple):
    """What was found of a wrong answer.

    Parameters
    ----------
    stage : str
        One of `STAGES`; the last is that of a sentence that helps little.
    sentence : str
    """

    stage: str
    sentence: str


class _Comparing(Protocol):
    def same(self, one: Any, other: Any) -> bool: ...


def findings_of(kind: Any, reading: Any) -> Iterator[Finding]:
    """Yield what a kind of answer finds of a wrong one, the most telling first.

    A kind without ``findings`` of its own explains an answer in one sentence.
    """
    if hasattr(kind, "findings"):
        yield from kind.findings(reading)
    else:
        yield Finding("part", kind.explain(reading))


def response(findings: Iterable[Finding], tries: int, section: str) -> str:
    """Return what a wrong answer is told; see `check` for the rule.

    Parameters
    ----------
    findings : iterable of Finding
        The first that hold, as many as there are tries.
    tries : int
        How many different wrong answers there were, this one included.
    section : str
        The title to read again; empty where nothing is to be read, and no solution stands.

    Returns
    -------
    str
    """
    first, *others = findings
    more = [one for one in others if one.stage != "no clue"]
    chosen = [first, *more][: 2 if tries > 1 else 1]
    sentences = [one.sentence for one in chosen]
    counts = first.stage != "reading"
    if section and (first.stage == "no clue" or (counts and tries > len(chosen))):
        sentences.append(said("where", section=section))
    if section and counts and tries >= MOST_TRIES:
        sentences.append(said("solution"))
    return said("wrong" if counts else "unread", explanation=" ".join(sentences))


def wrong_answers(exercise: str, kind: Any) -> list[Any]:
    """Return the different wrong answers that were given so far, at most `MOST_TRIES`."""
    known, answers = _wrong.get(exercise, (kind, []))
    return answers if known is kind else []


def is_among(kind: _Comparing, reading: Any, answers: Iterable[Any]) -> bool:
    """Whether an answer is one of those that were given before."""
    return any(kind.same(reading, one) for one in answers)


def remember(exercise: str, kind: Any, answers: Iterable[Any]) -> None:
    """Keep the wrong answers to an exercise as long as Python runs."""
    _wrong[exercise] = (kind, [*answers][:MOST_TRIES])


def forget_tries(exercise: str = "") -> None:
    """Forget the wrong answers to an exercise, or to all: the next is a first try again.

    Parameters
    ----------
    exercise : str
        Its name; all exercises if it is empty.

    Raises
    ------
    TypeError
        If it is no text.
    """
    instance(exercise, "exercise", str, 'such as "pendulum-1"')
    if exercise:
        _wrong.pop(exercise, None)
    else:
        _wrong.clear()
