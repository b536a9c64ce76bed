"""Checks of the prompt of an exercise: the digits, units, and names that it must state.

Used by ``python -m course exercises`` and the tests of the notebooks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sm

from course.judge.exercise import Exercise
from course.judge.sentences import RULES
from course.judge.symbolic_answers import Expression
from tutlib.reading.names import leaves

#: Units that a prompt may ask for, after the word "in".
UNIT = re.compile(
    r"\bin ((?:milli|micro|kilo|centi)?(?:seconds|newtons|meters|joules|watts|radians|hertz|grams)|"
    r"minutes|hours|degrees|percent|[kmc]?(?:m/s|rad|rad/s|deg|deg/s|N|J|W|m|s|g|Hz)(?![\w/·]))"
)
#: Numbers in words, from no to twelve.
COUNTS: list[str] = RULES["numbers"]
_DIGITS = re.compile(rf"\b({'|'.join(COUNTS)}|\d+) digits?\b", re.IGNORECASE)


def asked_units(prompt: str) -> list[str]:
    """Return the units that a prompt asks for, such as ``["seconds"]``."""
    return UNIT.findall(_in_one_line(prompt))


def spans_of_code(prompt: str) -> list[str]:
    """Return the texts in backticks."""
    return re.findall(r"`([^`]+)`", prompt)


def named_symbols(prompt: str) -> set[str]:
    """Return the symbols that a prompt names in backticks, without derivatives."""
    spans = [span for span in spans_of_code(prompt) if span[0].isalpha()]
    return {s.removesuffix(".diff(t)") for s in spans if not s.startswith(("sm.", "me."))}


def prompt_flaws(exercise: Exercise, prompt: str) -> list[str]:
    """Return what is wrong with a prompt, one sentence each.

    Parameters
    ----------
    exercise : Exercise
    prompt : str
        Text in Markdown without the heading.

    Returns
    -------
    list of str
    """
    text = _in_one_line(prompt)
    return [*_units(exercise, text), *_digits(exercise, text), *_symbols(exercise, text)]


def _in_one_line(prompt: str) -> str:
    return " ".join(line.lstrip("> ") for line in prompt.splitlines())


def _units(exercise: Exercise, prompt: str) -> Iterator[str]:
    unit = getattr(exercise.answer, "unit", None)
    if unit is None:
        return
    units = asked_units(prompt)
    if unit and not re.search(rf"\bin {re.escape(unit)}(?![\w/·])", prompt):
        yield f"The prompt does not say that the answer must be in {unit}."
    for unit_in_prompt in units:
        if unit_in_prompt != unit:
            yield f"The prompt asks for {unit_in_prompt}; the answer must be {_in_unit(unit)}."


def _in_unit(unit: str) -> str:
    return f"in {unit}" if unit else "without a unit"


def _digits(exercise: Exercise, prompt: str) -> Iterator[str]:
    """Yield sentences if a prompt does not say how many digits are required, or says it wrong."""
    digits = getattr(exercise.answer, "digits", None)
    if digits is None:
        return
    counts = [_count(word) for word in _DIGITS.findall(prompt)]
    if not counts and _is_rounded(exercise.answer.value, digits):
        yield f"The prompt does not say how many digits to give; the check compares {digits}."
    for count in counts:
        if count != digits:
            yield f"The prompt asks for {count} digits; the check compares {digits}."


def _count(word: str) -> int:
    return int(word) if word.isdigit() else COUNTS.index(word.lower())


def _is_rounded(value: Any, digits: int) -> bool:
    """Return whether a number has more digits than required, so that it must be rounded."""
    numbers = np.ravel(np.asarray(value, dtype=float))
    return any(
        abs(float(f"{number:.{digits - 1}e}") - number) > 1e-12 * abs(number) for number in numbers
    )


def _symbols(exercise: Exercise, prompt: str) -> Iterator[str]:
    """Yield symbols of a prompt that the answer lacks, and symbols that the prompt leaves out."""
    kind = exercise.answer
    if not isinstance(kind, Expression):
        return
    names = {leaf.strip("'") for leaf in kind.samples.leaf_by_name}
    variables = {leaf.replace("_", "", 1) for leaf in names}  # kp for k_p
    for name in sorted(named_symbols(prompt) - names - variables):
        yield f"The prompt names {name}, but the right answer does not contain it."
    instruction = re.search(r"\bUse ((?:the symbols )?`.*?)(?:\.\s|\.$|$)", prompt)
    if instruction and not re.search("what else|coordinates", instruction[1]):
        for name in sorted(_needed(kind.value) - named_symbols(instruction[1])):
            yield f"The prompt lists the symbols to use but omits {name}, which the answer needs."


def _needed(value: Any) -> set[str]:
    entries = value if isinstance(value, sm.MatrixBase) else [value]
    return {leaf.strip("'") for entry in entries for leaf in leaves(entry).values()}
