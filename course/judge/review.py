"""Checks of an exercise itself: mistakes with equal answers, hints that do not help.

``python -m course exercises`` prints them for the course's exercises and for instructors' own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import sympy as sm

from course.judge.answers import Number
from course.judge.exercise import Exercise
from course.judge.functions import Function
from course.judge.symbolic_answers import Expression
from tutlib.reading.names import leaves

#: Number of random problems from which the sizes are determined.
DRAWN = 20
# Hints that fit every wrong answer, and so help with none.
_OF_ANY = re.compile(
    r"(that is|this is|not|sorry|no|it is)?[ ,]*"
    r"(wrong|incorrect|not (quite )?(right|correct)|try (it )?(once )?(again|more)|think again|"
    r"(check|look at|read|mind) (your|the) (work|answer|solution|calculation|result)s?"
    r"( (again|carefully|once more))*)[.!?]?",
    re.IGNORECASE,
)
_IS_IT_IN = re.compile(r"\b(?:is it|are they|is your answer|is that) in ([^?.,]+)\?", re.IGNORECASE)
_MISSING = (
    r"\b[Ww]here (?:is|are|does|do) (?:the )?`?({name})`?(?:\s*\?| go\b| stand\b)",
    r"\b[Dd]oes it (?:depend on|contain|hold) `?({name})`?\s*\?",
    r"(?<!\w)`?({name})`? is missing",
    r"\b[Yy]ou forgot (?:the )?`?({name})`?(?![\w(])",
)
# Phrases of hints by the power of the right answer that they describe.
_POWERS = {
    2: re.compile(r"\b[Tt]hat is (its square|the square of)\b"),
    sm.Rational(1, 2): re.compile(r"\b[Tt]hat is (its root|the root of)\b"),
    -1: re.compile(r"\b[Uu]pside down\b"),
}
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w]|\.\d)")


def collisions(exercise: Exercise) -> Iterator[str]:
    """Yield sentences on mistakes that are right, and on mistakes with equal answers.

    The second of two equal mistakes never gets its hint, because the first one's is used.

    Parameters
    ----------
    exercise : Exercise

    Yields
    ------
    str
        A sentence.
    """
    kind = exercise.answer
    for wrong, hint in exercise.known:
        if kind.same(wrong, exercise.right):
            yield f"The mistake with the hint “{hint}” is a right answer."
    for (earlier, first), (later, second) in combinations(exercise.known, 2):
        if kind.same(earlier, later):
            yield (
                f"Two mistakes are the same answer, so the hint “{second}” is never said: "
                f"“{first}” comes first."
            )


def empty_hints(exercise: Exercise) -> Iterator[str]:
    """Yield sentences on hints that fit the right answer, fit any answer, or give it away.

    Parameters
    ----------
    exercise : Exercise

    Yields
    ------
    str
        A sentence.
    """
    said = Counter(mistake.hint for mistake in exercise.misconceptions)
    for hint in (hint for hint, count in said.items() if count > 1):
        yield f"Different mistakes have one hint: “{hint}”"
    for wrong, hint in exercise.known:
        if not hint.strip() or _OF_ANY.fullmatch(hint.strip()):
            yield f"A hint that fits every wrong answer does not help with this one: “{hint}”"
        if named := _in_its_own_unit(exercise, wrong, hint):
            yield f"The right answer is in {named}, too, so the hint does not help: “{hint}”"
        for name in _named_as_missing(exercise, hint):
            yield from _missing(exercise, wrong, hint, name)
        if _no_such_power(exercise, wrong, hint):
            yield f"The mistake is not what its hint says: “{hint}”"
        if _gives_away(exercise, hint):
            yield f"A hint contains the right number: “{hint}”"


def _in_its_own_unit(exercise: Exercise, wrong: Any, hint: str) -> str:
    """Return the unit that a hint suggests, if the wrong number is not off by a unit."""
    kind, suggestion = exercise.answer, _IS_IT_IN.search(hint)
    if (
        not suggestion
        or not isinstance(kind, Number)
        or suggestion[1].strip() != kind.unit
        or not kind.unit
    ):
        return ""
    factors = [np.pi / 180, 2 * np.pi, 60.0, 3600.0, *(10.0**k for k in (1, 2, 3, 6, 9))]
    scaled = [kind.value * factor**sign for factor in factors for sign in (1, -1)]
    return "" if any(kind.same(wrong, value) for value in scaled) else kind.unit


def _no_such_power(exercise: Exercise, wrong: Any, hint: str) -> bool:
    """Return whether a hint describes a wrong power of the right answer, such as its square."""
    kind: Any = exercise.answer
    if not isinstance(kind, Expression | Number) or isinstance(kind.value, sm.MatrixBase):
        return False
    claimed = [power for power, words in _POWERS.items() if words.search(hint)]
    meant: list[Any] = [kind.read(sm.sympify(kind.value) ** power) for power in claimed]
    return any(not kind.same(wrong, reading) for reading in meant)


def _named_as_missing(exercise: Exercise, hint: str) -> Iterator[str]:
    """Yield the symbols that a hint calls missing."""
    if isinstance(exercise.answer, Expression):
        names = {leaf.strip("'") for leaf in exercise.answer.samples.leaf_by_name}
        for name in sorted(names):
            if any(re.search(form.format(name=re.escape(name)), hint) for form in _MISSING):
                yield name


def _missing(exercise: Exercise, wrong: Any, hint: str, name: str) -> Iterator[str]:
    if name not in _names(exercise.right):
        yield f"{name} is missing in the right answer as well: “{hint}”"
    elif name in _names(wrong):
        yield f"{name} is not missing in the mistake: “{hint}”"


def _names(reading: Any) -> set[str]:
    return {
        name.strip("'")
        for expression in reading.expressions
        for name in leaves(expression).values()
    }


def _gives_away(exercise: Exercise, hint: str) -> bool:
    kind = exercise.answer
    if not isinstance(kind, Number):
        return False
    return any(kind.same(float(number), exercise.right) for number in _NUMBER.findall(hint))


def single_sizes(exercise: Exercise) -> Iterator[str]:
    """Yield a sentence if a function is tested with only one problem or one size of arrays.

    A function that is right for two states and one input may be wrong for three and two. If the
    subject determines the size of arrays, as for positions, set `Function.one_size`.

    Parameters
    ----------
    exercise : Exercise

    Yields
    ------
    str
        A sentence.
    """
    kind = exercise.answer
    if not isinstance(kind, Function):
        return
    drawn = []
    if kind.draw is None:
        yield (
            "Every answer is tested on the same problems, so a table of results would pass. "
            "Give draw=."
        )
    else:
        drawn = [kind.draw(np.random.default_rng(seed)) for seed in range(DRAWN)]
    problems = [*kind.problems, *drawn]
    if len(problems) < 2:
        yield "The function is tested on only one problem."
    shapes = {tuple(map(np.shape, problem)) for problem in problems}
    if kind.one_size and len(shapes) > 1:
        yield "The function is declared with arrays of one size, but it is tested with several."
    elif not kind.one_size:
        yield from _sizes(shapes)


def _sizes(shapes: set[tuple[tuple[int, ...], ...]]) -> Iterator[str]:
    """Yield a sentence if all arrays have one size, or an axis always has length 1."""
    if len(shapes) == 1 and any(next(iter(shapes))):
        sizes = ", ".join(map(str, next(iter(shapes))))
        yield f"The function is tested only with arrays of one size, of the shapes {sizes}."
        return
    for number, shapes_of_argument in enumerate(zip(*shapes), 1):
        for axis in range(min(map(len, shapes_of_argument))):
            if {shape[axis] for shape in shapes_of_argument} == {1}:
                yield (
                    f"Axis {axis} of argument {number} always has length 1: what is right for one "
                    "may be wrong for two."
                )


def unreadable(exercise: Exercise) -> Iterator[str]:
    """Yield sentences on the exercise's own answers that cannot be read.

    Parameters
    ----------
    exercise : Exercise

    Yields
    ------
    str
        A sentence.
    """
    answers = [("The right answer", exercise.answer.value)]
    answers += [
        (f"The mistake with the hint “{m.hint}”", m.answer) for m in exercise.misconceptions
    ]
    for which, answer in answers:
        try:
            exercise.answer.read(answer)
        except Exception as error:  # any error becomes a sentence for the author
            yield f"{which} cannot be read. {error}"


def flaws(exercise: Exercise) -> list[str]:
    """Return what is wrong with an exercise, one sentence each, except for its prompt.

    Parameters
    ----------
    exercise : Exercise

    Returns
    -------
    list of str
    """
    sentences = [*unreadable(exercise)]
    if sentences:
        return sentences
    return [*collisions(exercise), *empty_hints(exercise), *single_sizes(exercise)]
