"""The kinds of answers that an exercise can ask for, and what can be said of a wrong one.

Each kind reads what the reader gave, tells whether two readings are the same, and says of a wrong
one where it differs. Answers with symbols are in `symbolic_answers`. All chapters use them.
"""

from __future__ import annotations

import copy
import textwrap
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
import sympy as sm
from sympy.logic.boolalg import BooleanAtom

from tutlib.exercises.equivalence import UnreadableError, refuse_huge
from tutlib.exercises.rehearsal import refuse_huge_powers
from tutlib.programs import arguments
from tutlib.programs.arguments import instance, real_array, real_number, several, shown

Kind = TypeVar("Kind")
#: What is said where there is nothing to explain.
RIGHT = "It is right."


@dataclass(frozen=True)
class Number:
    """A number, right within a tolerance.

    Parameters
    ----------
    value : float
    unit : str
        As the prompt names it; empty where there is none.
    tolerance : float
        Relative.
    """

    value: float
    unit: str = ""
    tolerance: float = 5e-3

    def __post_init__(self) -> None:
        real_number(self.value, "value")
        _check_precision(self.unit, self.tolerance)

    def read(self, answer: Any) -> float:
        """Understand an answer; raise UnreadableError with what is in the way."""
        refuse_other_types(answer)
        if isinstance(answer, sm.Basic):
            refuse_huge(answer)
        if isinstance(answer, sm.Basic) and answer.free_symbols:
            raise UnreadableError(f"{listed(sorted(map(str, answer.free_symbols)))} has no value.")
        try:
            number = np.asarray(answer.evalf() if isinstance(answer, sm.Expr) else answer, float)
        except (TypeError, ValueError, OverflowError) as error:
            raise UnreadableError(f"Your answer must be a real number{_in(self.unit)}.") from error
        if number.shape != ():
            raise UnreadableError(f"Give one number{_in(self.unit)}; got shape {number.shape}.")
        if not np.isfinite(number):
            raise UnreadableError(f"Your answer is {number}. Somewhere on the way it got lost.")
        return float(number)

    def same(self, one: float, other: float) -> bool:
        """Whether a number is within the tolerance of another."""
        one, other = real_number(one, "one"), real_number(other, "other")
        return abs(one - other) <= self.tolerance * abs(other)

    def explain(self, reading: float) -> str:
        """Say in which way a wrong number differs."""
        if self.same(reading, self.value):
            return RIGHT
        for factor in (np.pi / 180, 180 / np.pi):
            if self.same(reading, self.value * factor):
                return "That looks like degrees for radians, or the reverse" + (
                    f"; give it in {self.unit}." if self.unit else "."
                )
        if self.same(-reading, self.value):
            return "Only the sign is wrong."
        size = "small" if abs(reading) < abs(self.value) else "large"
        return f"It is too {size}.{_asked(self.unit)}"


@dataclass(frozen=True)
class Array:
    """An array of numbers, right within a tolerance.

    Parameters
    ----------
    value : array
    unit : str
        As the prompt names it; empty where there is none.
    tolerance : float
        Relative to the largest entry.
    """

    value: Any
    unit: str = ""
    tolerance: float = 1e-6

    def __post_init__(self) -> None:
        real_array(self.value, "value")
        _check_precision(self.unit, self.tolerance)

    def read(self, answer: Any) -> Any:
        """Understand an answer; raise UnreadableError with what is in the way."""
        refuse_other_types(answer)
        for entry in answer if isinstance(answer, sm.MatrixBase) else [answer]:
            if isinstance(entry, sm.Basic):
                refuse_huge(entry)
        try:
            if isinstance(answer, sm.Basic) and answer.free_symbols:
                raise TypeError("symbols have no value")  # NumPy would try hard to find one
            numbers = np.array(answer, dtype=float)
        except (TypeError, ValueError, OverflowError) as error:
            raise UnreadableError("Your answer must be an array of real numbers.") from error
        shape = np.shape(self.value)
        if numbers.shape != shape:
            raise UnreadableError(f"Your array has shape {numbers.shape}; asked for is {shape}.")
        if not np.isfinite(numbers).all():
            place = np.argwhere(~np.isfinite(numbers))[0].tolist()
            raise UnreadableError(f"The entry {place} of your array is not a finite number.")
        return numbers

    def same(self, one: Any, other: Any) -> bool:
        """Whether every entry is within the tolerance."""
        return not self._away(one, other).any()

    def _away(self, one: Any, other: Any) -> Any:
        """Return which entries are further away than the tolerance."""
        shape = np.shape(self.value)
        one, other = real_array(one, "one", shape), real_array(other, "other", shape)
        return np.abs(one - other) > self.tolerance * np.abs(other).max(initial=0.0)

    def explain(self, reading: Any) -> str:
        """Name the entries that are wrong."""
        away = self._away(reading, self.value)
        places = [str(place.tolist()) for place in np.argwhere(away)]
        if not places:
            return RIGHT
        if len(places) == away.size:
            return f"No entry is right yet.{_asked(self.unit)}"
        some = places[:4] + ["more"] * (len(places) > 4)
        return f"Not right yet: {agree(places, 'entry', 'entries')} {listed(some)}."


@dataclass(frozen=True)
class Choice:
    """One of several options, by its letter.

    Parameters
    ----------
    value : str
        The letter of the right one.
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
        self._letter(self.value, "value")

    def _letter(self, letter: Any, name: str) -> str:
        """Return the letter of an option; refuse anything else."""
        if not isinstance(letter, str) or letter not in self.options:
            raise ValueError(f"{name} must be {self._letters}; got {shown(letter)}")
        return letter

    @property
    def _letters(self) -> str:
        return listed([f'"{letter}"' for letter in self.options], "or")

    def read(self, answer: Any) -> str:
        """Understand an answer; raise UnreadableError with what is in the way."""
        letter = answer.strip().strip("().").lower() if isinstance(answer, str) else answer
        if not isinstance(letter, str) or letter not in self.options:
            raise UnreadableError(f"Choose {self._letters}.")
        return letter

    def same(self, one: str, other: str) -> bool:
        """Whether both are the same option."""
        return self._letter(one, "one") == self._letter(other, "other")

    def explain(self, reading: str) -> str:
        """Say that an option is wrong."""
        right = self.same(reading, self.value)
        return RIGHT if right else f"“{self.options[reading]}” is not what happens."

    def verdict(self, reading: str) -> str:
        """Say how a prediction went, in lines that fit over the picture that shows it."""
        outcome = "that is what happens" if self.same(reading, self.value) else "look again"
        return textwrap.fill(f"You said: {self.options[reading]}:", 50) + "\n" + outcome


@dataclass(frozen=True)
class FunctionReading:
    """A function and what it returned on each problem."""

    function: Callable[..., Any]
    values: list[Any]


@dataclass(frozen=True)
class Function:
    """A function of the reader's own, tried on several problems.

    Parameters
    ----------
    value : function
        One that is right.
    problems : sequence of tuples
        Arguments to try it with. What comes must be what the right one gives, to 1e-9.
    laws : sequence of (function, str)
        What must be true of it beyond that, such as an order of convergence: each takes the
        reader's function, returns whether it holds, and has a hint.
    """

    value: Callable[..., Any]
    problems: Sequence[tuple[Any, ...]]
    laws: Sequence[tuple[Callable[[Callable[..., Any]], bool], str]] = ()

    def __post_init__(self) -> None:
        arguments.function(self.value, "value", "...")
        problems = several(self.problems, "problems", lambda one: instance(one, "a problem", tuple))
        object.__setattr__(self, "problems", tuple(problems))
        object.__setattr__(self, "laws", tuple(several(self.laws, "laws", _law)))

    def read(self, answer: Any) -> FunctionReading:
        """Call the function on every problem; raise UnreadableError with what is in the way."""
        if not callable(answer) or isinstance(answer, sm.Basic | type):
            raise UnreadableError(
                "Give the function itself, its name without parentheses: not what it returns."
            )
        refuse_huge_powers(answer)
        values = [self._call(answer, number) for number in range(len(self.problems))]
        return FunctionReading(answer, values)

    def _reading(self, value: Any) -> FunctionReading:
        return as_read(value, FunctionReading, len(self.problems))

    def _call(self, function: Callable[..., Any], number: int) -> Any:
        problem = self.problems[number]
        given = copy.deepcopy(problem)
        where = f"On problem {number + 1} of {len(self.problems)} your function"
        with np.errstate(all="ignore"):
            try:
                result = function(*given)
            except (Exception, SystemExit, KeyboardInterrupt) as error:
                told = f"{type(error).__name__}: {error}".removesuffix(": ")
                raise UnreadableError(f"{where} raised {told}.") from error
        for before, after in zip(problem, given):
            if isinstance(before, np.ndarray) and not np.array_equal(before, after):
                raise UnreadableError(
                    "Your function changes the array that it is given. Its caller still needs "
                    "that: return a new array, as x + ... does and x += ... does not."
                )
        if result is None:
            raise UnreadableError("Your function returns nothing. Does it end with return?")
        wanted = np.shape(self.value(*copy.deepcopy(problem)))
        try:
            numbers = np.array(result, dtype=float)
        except (TypeError, ValueError) as error:
            raise UnreadableError("Your function must return real numbers.") from error
        if numbers.shape != wanted:
            raise UnreadableError(f"{where} returned shape {numbers.shape}, and not {wanted}.")
        return numbers

    def same(self, one: Any, other: Any) -> bool:
        """Whether two functions return the same numbers, and keep the same laws."""
        one, other = self._reading(one), self._reading(other)
        near = all(map(_near, one.values, other.values))
        return near and self._broken(one) == self._broken(other)

    def _broken(self, reading: FunctionReading) -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the hint says it better
            return next((hint for law, hint in self.laws if not law(reading.function)), "")

    def explain(self, reading: Any) -> str:
        """Say which problem came out wrong, or which law is broken."""
        reading, right = self._reading(reading), self.read(self.value)
        for number, (a, b) in enumerate(zip(reading.values, right.values), 1):
            if not np.isfinite(a).all():
                return f"On problem {number} of {len(self.problems)} it returns {a}."
            if not _near(a, b):
                return f"It gives another result on problem {number} of {len(self.problems)}."
        return self._broken(reading) or RIGHT


def _near(one: Any, other: Any) -> bool:
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-9, atol=1e-12))


def _law(value: Any) -> Any:
    match value:
        case (law, str()) if callable(law):
            return value
    raise TypeError(f"a law must be (function, hint); got {shown(value)}")


def _check_precision(unit: Any, tolerance: Any) -> None:
    instance(unit, "unit", str, 'such as "m"')
    real_number(tolerance, "tolerance", "zero or positive")


def _in(unit: str) -> str:
    return f", in {unit}" if unit else ""


def _asked(unit: str) -> str:
    return f" Is it in {unit}?" if unit else ""


def as_read(value: Any, kind: type[Kind], count: int) -> Kind:
    """Return a reading with so many values; refuse what was not read, or by another exercise."""
    reading: Any = instance(value, "an answer", kind, "read it first, with read()")
    if len(reading.values) != count:
        raise ValueError("the answer was read for another exercise: read it for this one")
    return cast(Kind, reading)


def refuse_other_types(answer: Any) -> None:
    """Refuse text, truth values and functions with UnreadableError: what may have happened."""
    if isinstance(answer, str | bytes):
        raise UnreadableError("Your answer is text. Write it without quotes.")
    if isinstance(answer, bool | np.bool_ | BooleanAtom):
        raise UnreadableError(
            f"Your answer became {answer}: Python compared at once. An equation is written "
            "sm.Eq(left, right), with unlike sides."
        )
    if callable(answer) and not isinstance(answer, sm.Basic | sm.MatrixBase):
        raise UnreadableError("Your answer is a function. Give what it returns.")


def listed(words: Sequence[str], link: str = "and") -> str:
    """Join words as a sentence does: a, b and c."""
    return f" {link} ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def agree(things: Sequence[Any], one: str, several: str) -> str:
    """Return the word for one thing or for several."""
    return one if len(things) == 1 else several
