"""Response to a wrong answer in stages: at the first try, and at later ones.

The findings of every kind of answer have one order: no value, units, sign and factor, limits, a
missing part. This module decides how many of them are in the response.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

from course.judge.sentences import RULES, said
from straightline.arguments import instance

#: Subjects of findings, in order.
STAGES: tuple[str, ...] = tuple(RULES["stages"])
#: Number of tries after which a response does not change.
MOST_TRIES: int = RULES["most tries"]
#: For each exercise, the kind of its answer and the different wrong readings so far.
_wrong: dict[str, tuple[Any, list[Any]]] = {}


class Finding(NamedTuple):
    """A finding about a wrong answer.

    Parameters
    ----------
    stage : str
        One of `STAGES`; the last stands for a sentence that helps little.
    sentence : str
    """

    stage: str
    sentence: str


class _Comparing(Protocol):
    def same(self, one: Any, other: Any) -> bool: ...


def response(findings: Iterable[Finding], tries: int, section: str) -> str:
    """Return the message about a wrong answer; see `check` for the rule.

    Parameters
    ----------
    findings : iterable of Finding
        The first findings, as many as there are tries.
    tries : int
        Number of different wrong answers, including this one.
    section : str
        Title to read again; empty if there is neither a section to read nor a solution.

    Returns
    -------
    str
    """
    first, *rest = findings
    more = [finding for finding in rest if finding.stage != "no clue"]
    chosen = [first, *more][: 2 if tries > 1 else 1]
    sentences = [finding.sentence for finding in chosen]
    counts = first.stage != "reading"
    if section and (first.stage == "no clue" or (counts and tries > len(chosen))):
        sentences.append(said("where", section=section))
    if section and counts and tries >= MOST_TRIES:
        sentences.append(said("solution"))
    return said("wrong" if counts else "unread", explanation=" ".join(sentences))


def wrong_answers(exercise: str, kind: Any) -> list[Any]:
    """Return the different wrong answers so far, at most `MOST_TRIES`."""
    kind_before, answers = _wrong.get(exercise, (kind, []))
    return answers if kind_before is kind else []


def is_among(kind: _Comparing, reading: Any, answers: Iterable[Any]) -> bool:
    """Return whether an answer equals an earlier one."""
    return any(kind.same(reading, earlier) for earlier in answers)


def remember(exercise: str, kind: Any, answers: Iterable[Any]) -> None:
    """Store the wrong answers to an exercise while Python runs."""
    _wrong[exercise] = (kind, [*answers][:MOST_TRIES])


def forget_tries(exercise: str = "") -> None:
    """Forget the wrong answers to an exercise, or to all, so that the next is a first try.

    Parameters
    ----------
    exercise : str
        Name of the exercise; all exercises if empty.

    Raises
    ------
    TypeError
        If it is not text.
    """
    instance(exercise, "exercise", str, 'such as "pendulum-1"')
    if exercise:
        _wrong.pop(exercise, None)
    else:
        _wrong.clear()
