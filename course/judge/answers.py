"""Answers that are numbers or letters, with findings about wrong ones.

Each kind reads what the reader gave, compares two readings, and finds where a wrong one differs.
Functions are in `functions`, answers with symbols in `symbolic_answers`.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import sympy as sm
from sympy.logic.boolalg import BooleanAtom

from course.judge.bounds import Bound, bounded
from course.judge.digits import apart, away, precision_of
from course.judge.equivalence import refuse_a_comma, refuse_huge
from course.judge.sentences import RULES, placed, said, sized
from course.judge.stages import Finding
from straightline.arguments import (
    instance,
    real_array,
    real_number,
    shown,
    truth,
    whole_number,
)
from tutlib.reading.names import UnreadableError, agree, listed

#: Names of sentences about the size of an error, by the largest factor that they are for.
_SIZES = dict(RULES["sizes"])


@dataclass(frozen=True)
class Number:
    """A number, right to a number of digits.

    Parameters
    ----------
    value : float
    unit : str
        Unit in the prompt; empty if there is none.
    digits : int, optional
        Number of required digits; None for an exact number, such as a count. See
        `digits.precision_of`.
    either_sign : bool
        Whether the negative is right as well.
    at_most : bool
        Whether it is an upper bound, which no right answer exceeds, not even by rounding up.
    bound : {"", "least", "most"}
        Whether an inequality such as ``T < 0.1`` is right as well, and its direction.
    """

    value: float
    unit: str = ""
    digits: int | None = 3
    either_sign: bool = False
    at_most: bool = False
    bound: Bound = ""

    def __post_init__(self) -> None:
        real_number(self.value, "value")
        truth(self.either_sign, "either_sign")
        truth(self.at_most, "at_most")
        _check_precision(self.unit, self.digits)

    @property
    def tolerance(self) -> float:
        """Largest relative error of a right answer."""
        return precision_of(self.digits)

    def read(self, answer: Any) -> float:
        """Return an answer as a number; raise UnreadableError if it cannot be read."""
        answer, unit = bounded(answer, self.bound), f", in {self.unit}" if self.unit else ""
        names = sorted(map(str, getattr(answer, "free_symbols", ())))
        if isinstance(answer, sm.Expr) and names:
            refuse_huge(answer)
            have = agree(names, "has", "have")
            raise UnreadableError(said("unvalued", names=listed(names), have=have, unit=unit))
        number = _numbers(answer, said("real number", unit=unit))
        if number.shape != ():
            refuse_a_comma(answer)
            raise UnreadableError(said("one number", unit=unit, actual=sized(number.shape)))
        if not np.isfinite(number):
            raise UnreadableError(said("lost", number=number))
        return float(number)

    def same(self, one: float, other: float) -> bool:
        """Return whether a number is within the tolerance of another."""
        if self.either_sign:
            one, other = abs(one), abs(other)
        at_most = self.at_most and other == self.value  # a mistake bounds nothing
        return not apart(one, np.float64(other), self.digits, at_most)

    def findings(self, reading: float) -> Iterator[Finding]:
        """Yield the findings about a wrong number, the most specific first: see `stages`."""
        if not (self.digits or self.unit) and reading != round(reading):
            yield Finding("value", said("count"))
        if sentence := self._near(reading):
            yield Finding("sign and factor", sentence)
            return
        for value, finding in self._mistakes():
            if self.same(reading, value):
                yield finding
                return
        yield Finding("no clue", said("small" if abs(reading) < abs(self.value) else "large"))
        if reading and self.value:
            off = math.exp(abs(math.log(abs(reading / self.value))))
            size = next((name for most, name in _SIZES.items() if off <= most), "off by much")
            yield Finding("sign and factor", said(size))

    def _mistakes(self) -> Iterator[tuple[float, Finding]]:
        """Yield generic wrong numbers and what is said about them."""
        wanted = f"; give it in {self.unit}" if self.unit else ""
        for factor, stage, name in RULES["multiples"] + RULES["measured"] * bool(self.digits):
            sentence = said(name, factor=factor, wanted=wanted)
            yield self.value * factor, Finding(stage, sentence)
            yield self.value / factor, Finding(stage, sentence)
        if self.digits and self.value:
            yield 1 / self.value, Finding("sign and factor", said("upside down"))

    def _near(self, reading: float) -> str:
        """Return a sentence if the number is close."""
        off = abs(reading - self.value)
        if not self.digits or off > 0.05 * abs(self.value):
            return ""
        if off > 0.01 * abs(self.value):
            return said("near")
        if self.at_most and reading > self.value:
            return said("beyond")
        return said("digits", digits=sized([self.digits], "digit"))


@dataclass(frozen=True)
class NumberArray:
    """An array of numbers, each right to a number of digits.

    A column or a row is also right for a list.

    Parameters
    ----------
    value : array
    unit : str
        Unit in the prompt; empty if there is none.
    digits : int, optional
        Number of required digits; None for exact numbers, such as counts. See
        `digits.precision_of`.
    bound : {"", "between"}
        Whether the two numbers are bounds, so that a page also accepts ``1 < x < 2``.
    """

    value: Any
    unit: str = ""
    digits: int | None = None
    bound: Literal["", "between"] = ""

    def __post_init__(self) -> None:
        real_array(self.value, "value")
        _check_precision(self.unit, self.digits)

    @property
    def tolerance(self) -> float:
        """Largest relative error of a right entry."""
        return precision_of(self.digits)

    def read(self, answer: Any) -> Any:
        """Return an answer as an array; raise UnreadableError if it cannot be read."""
        numbers = _numbers(answer, said("array"))
        shape = np.shape(self.value)
        if len(shape) == 1 and numbers.shape in ((1, *shape), (*shape, 1)):
            numbers = numbers.ravel()
        if numbers.shape != shape:
            raise UnreadableError(said("size", wanted=sized(shape), actual=sized(numbers.shape)))
        if not np.isfinite(numbers).all():
            place = placed(shape, int(np.argmin(np.isfinite(numbers))))
            raise UnreadableError(said("not finite", place=place))
        return numbers

    def same(self, one: Any, other: Any) -> bool:
        """Return whether every entry is within the tolerance."""
        return not self._away(one, np.asarray(other, float)).any()

    def _away(self, one: Any, other: Any) -> Any:
        """Return which entries differ by more than the tolerance."""
        return apart(one, other, self.digits)

    def findings(self, reading: Any) -> Iterator[Finding]:
        """Yield the findings about a wrong array, the most specific first: see `stages`."""
        right = np.asarray(self.value, float)
        off = self._away(reading, right)
        places = [placed(off.shape, k) for k in np.flatnonzero(off).tolist()]
        given, expected = (np.sort(numbers, axis=None) for numbers in (reading, right))
        if not apart(given, expected, self.digits).any():
            yield Finding("part", said("another order"))
        elif not self._away(-np.asarray(reading), right).any():
            yield Finding("sign and factor", said("sign of the whole"))
        elif self.digits and not away(reading, right, 0.01).any():
            sentence = said("array digits", digits=sized([self.digits], "digit"))
            yield Finding("sign and factor", f"{sentence} {entries_wrong(_some(places))}")
        elif 1 < len(places) < off.size:
            yield Finding("part", entries_wrong(_some(places)))
        elif len(places) > 1:
            yield Finding("no clue", said("no entry"))
        wrong = tuple(np.argwhere(off)[0])
        entry = Number(float(right[wrong]), self.unit, self.digits)
        stage, sentence = next(entry.findings(float(np.asarray(reading)[wrong])))
        kept = "part" if stage == "no clue" else stage
        first = f"{entries_wrong(places)} {sentence}" if len(places) == 1 else ""
        sentence = first or said("entry first", place=places[0], sentence=sentence)
        yield Finding(kept, sentence)


@dataclass(frozen=True)
class Choice:
    """One of several options, by its letter.

    Parameters
    ----------
    value : str
        Letter of the right option.
    options : mapping from letter to text
    """

    value: str
    options: Mapping[str, str]

    def __post_init__(self) -> None:
        options = self.options if isinstance(self.options, Mapping) else {}
        if not options or not all(isinstance(p, str) for item in options.items() for p in item):
            raise TypeError(
                'options must be a mapping from letter to text, such as {"a": "it falls"}; got '
                f"{shown(self.options)}"
            )
        if not isinstance(self.value, str) or self.value not in options:
            raise ValueError(f"value must be {self._letters}; got {shown(self.value)}")

    @property
    def _letters(self) -> str:
        return listed([f'"{letter}"' for letter in self.options], "or")

    def read(self, answer: Any) -> str:
        """Return the letter in an answer; raise UnreadableError if it cannot be read."""
        letter = answer.strip().strip("().").lower() if isinstance(answer, str) else answer
        if not isinstance(letter, str) or letter not in self.options:
            raise UnreadableError(said("choose", letters=self._letters))
        return letter

    def same(self, one: str, other: str) -> bool:
        """Return whether both are the same option."""
        return one == other

    def findings(self, reading: str) -> Iterator[Finding]:
        """Return the only finding about a wrong option; a response adds what to read."""
        return iter([Finding("no clue", said("option", option=self.options[reading]))])

    def verdict(self, reading: str) -> str:
        """Return the outcome of a prediction, in lines that fit above its picture."""
        outcome = "that is what happens" if self.same(reading, self.value) else "look again"
        return textwrap.fill(f"You said: {self.options[reading]}:", 50) + "\n" + outcome


def _check_precision(unit: Any, digits: Any) -> None:
    instance(unit, "unit", str, 'such as "m"')
    if digits is not None:
        whole_number(digits, "digits", 1)


def _some(places: list[str]) -> list[str]:
    return places[:4] + ["more"] * (len(places) > 4)


def _numbers(answer: Any, sentence: str) -> Any:
    """Return an answer as an array; raise UnreadableError with a sentence if it has no numbers."""
    refuse_other_types(answer)
    for entry in answer if isinstance(answer, sm.MatrixBase) else [answer]:
        if isinstance(entry, sm.Basic):
            refuse_huge(entry)
    try:
        if isinstance(answer, sm.Basic) and answer.free_symbols:
            raise TypeError("symbols have no value")  # NumPy would be slow to find out
        return real_values(answer.evalf() if isinstance(answer, sm.Expr) else answer)
    except UnreadableError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise UnreadableError(sentence) from error


def real_values(answer: Any) -> Any:
    """Return an answer as an array of real numbers.

    Raises
    ------
    UnreadableError
        If a number has an imaginary part.
    TypeError, ValueError, OverflowError
        If it contains anything but numbers.
    """
    array = np.asarray(answer)
    if np.iscomplexobj(array):
        if np.any(array.imag != 0):
            raise UnreadableError(said("complex"))
        array = array.real
    return np.array(array, dtype=float)


def refuse_other_types(answer: Any) -> None:
    """Reject text, Booleans, and functions with UnreadableError, which says what may be wrong."""
    if isinstance(answer, str | bytes):
        raise UnreadableError("Your answer is text. Write it without quotes.")
    if isinstance(answer, bool | np.bool_ | BooleanAtom):
        raise UnreadableError(
            f"Your answer became {answer}: Python evaluated the comparison. Write an "
            "equation as sm.Eq(left, right), with two different sides."
        )
    if callable(answer) and not isinstance(answer, sm.Basic | sm.MatrixBase):
        raise UnreadableError("Your answer is a function. Give the value that it returns.")


def entries_wrong(places: Sequence[str]) -> str:
    """Return a sentence that lists the wrong entries."""
    return said("entries", places=listed(places))
