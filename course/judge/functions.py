"""Answers that are functions, tested on problems, some of which are random.

A message about a wrong one gives the arguments, the returned value, and the right one.
"""

from __future__ import annotations

import copy
import inspect
import io
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import sympy as sm

from course.judge.answers import real_values
from course.judge.equivalence import MOST_NODES, refuse_many
from course.judge.rehearsal import StopError
from course.judge.stages import Finding
from straightline import arguments
from straightline.arguments import instance, several, shown
from tutlib.reading.names import UnreadableError, listed

#: Number of random problems for each answer.
DRAWN = 3
#: Generator of random problems; a copy of the process draws the same.
_generator = np.random.default_rng()
_MOST_ENTRIES = 6


@dataclass(frozen=True)
class FunctionReading:
    """A function, the problems it was tested on, and its results."""

    function: Callable[..., Any]
    problems: list[tuple[Any, ...]]
    values: list[Any]


@dataclass(frozen=True)
class Function:
    """A function of the reader, tested on several problems.

    Parameters
    ----------
    value : function
        A right function.
    problems : sequence of tuples
        Arguments of the tests, the simplest first. Results must agree with those of the right
        function to 1e-9. Messages show a function among the arguments as the first line of its
        docstring.
    laws : sequence of (function, str)
        Further conditions on the function, such as an order of convergence: each takes the
        reader's function, returns whether it holds, and has a hint.
    draw : function (random generator) -> tuple, optional
        Returns a random problem, so that a table of results is not enough.
    effect : function (what is returned, *problem) -> array, optional
        Returns the relevant part of a result, if several results are right.
    in_words : function (effect) -> str, optional
        Returns an effect in words, such as "it ends 2 m off".
    one_size : bool
        Whether the size of its arrays is given by the subject, as for positions and rotations.
    """

    value: Callable[..., Any]
    problems: Sequence[tuple[Any, ...]]
    laws: Sequence[tuple[Callable[[Callable[..., Any]], bool], str]] = ()
    draw: Callable[[np.random.Generator], tuple[Any, ...]] | None = None
    effect: Callable[..., Any] | None = None
    in_words: Callable[[Any], str] | None = None
    one_size: bool = False

    def __post_init__(self) -> None:
        arguments.function(self.value, "value", "...")
        problems = several(
            self.problems, "problems", lambda item: instance(item, "a problem", tuple)
        )
        object.__setattr__(self, "problems", tuple(problems))
        object.__setattr__(self, "laws", tuple(several(self.laws, "laws", _law)))
        if self.draw is not None:
            arguments.function(self.draw, "draw", "random generator")
        if self.effect is not None:
            arguments.function(self.effect, "effect", "result, ...")
        if self.in_words is not None:
            arguments.function(self.in_words, "in_words", "effect")
        arguments.truth(self.one_size, "one_size")

    def read(self, answer: Any) -> FunctionReading:
        """Return the results for every problem; raise UnreadableError if there are none."""
        if not callable(answer) or isinstance(answer, sm.Basic | type):
            raise UnreadableError(
                "Give the function itself, its name without parentheses, not its result."
            )
        problems = [*self.problems]
        if self.draw is not None:
            problems += [self.draw(_generator) for _ in range(DRAWN)]
        values = [
            self._call(answer, problem, silent=number > 0)
            for number, problem in enumerate(problems)
        ]
        return FunctionReading(answer, problems, values)

    def _call(self, function: Callable[..., Any], problem: tuple[Any, ...], silent: bool) -> Any:
        arguments = copy.deepcopy(problem)
        with np.errstate(all="ignore"), _quiet() if silent else nullcontext():
            try:
                result = function(*arguments)
            except (StopError, MemoryError):
                raise
            except BaseException as error:
                reason = f"{type(error).__name__}: {error}".removesuffix(": ")
                raise UnreadableError(
                    f"{self._for_problem(problem)} your function raised {reason}."
                ) from (error)
        for before, after in zip(problem, arguments):
            if isinstance(before, np.ndarray) and not np.array_equal(before, after):
                raise UnreadableError(
                    "Your function changes its argument, an array that the caller still needs. "
                    "Return a new array: x + ... makes one, x += ... does not."
                )
        if result is None:
            raise UnreadableError(
                "Your function returns None. Does it end with a return statement?"
            )
        return self._numbers(result, problem)

    def _numbers(self, result: Any, problem: tuple[Any, ...]) -> Any:
        """Return a result as an array of the right shape."""
        wanted = np.shape(self.value(*copy.deepcopy(problem)))
        refuse_many(result, max(MOST_NODES, math.prod(wanted)))
        try:
            numbers = real_values(result)
        except UnreadableError as error:
            raise UnreadableError(
                "Your function returns complex numbers, with an imaginary part. It must return "
                "real numbers."
            ) from error
        except (TypeError, ValueError) as error:
            several = isinstance(result, tuple)
            raise UnreadableError(
                "Your function must return real numbers"
                + (", in one array; yours returns several values." if several else ".")
            ) from error
        if numbers.shape != wanted:
            raise UnreadableError(
                f"{self._for_problem(problem)} your function returned shape {numbers.shape} "
                f"instead of {wanted}."
            )
        return numbers

    def _for_problem(self, problem: tuple[Any, ...]) -> str:
        """Return a problem in words, with the argument names of the right function."""
        names = _names(self.value)
        names += [f"argument {k}" for k in range(len(names) + 1, len(problem) + 1)]
        return "For " + listed([_argument(*pair) for pair in zip(names, problem)])

    def same(self, one: Any, other: Any) -> bool:
        """Return whether two functions agree on the problems of one, and one satisfies all laws.

        The laws are ignored if the other function violates one itself.
        """
        if any(self._away(one, other)):
            return False
        return bool(self._broken(other)) or not self._broken(one)

    def _away(self, first: FunctionReading, second: FunctionReading) -> Iterator[bool]:
        """Yield for each problem of one whether the results differ."""
        for k, (problem, value) in enumerate(zip(first.problems, first.values)):
            try:
                is_fixed = k < len(self.problems)  # the same problems for both
                expected = (
                    second.values[k] if is_fixed else self._call(second.function, problem, True)
                )
                yield not _near(self._effect(value, problem), self._effect(expected, problem))
            except UnreadableError:
                yield True

    def _effect(self, value: Any, problem: tuple[Any, ...]) -> Any:
        return value if self.effect is None else self.effect(value, *problem)

    def _broken(self, reading: FunctionReading) -> str:
        with warnings.catch_warnings(), _quiet():
            warnings.simplefilter("ignore")  # the hint is clearer
            return next((hint for law, hint in self.laws if not _holds(law, reading.function)), "")

    def findings(self, reading: Any) -> Iterator[Finding]:
        """Yield a wrong result, a violated law, and further wrong results."""
        right = self.read(self.value)
        wrong = (k for k, away in enumerate(self._away(reading, right)) if away)
        first = [self._wrong(reading, right, k) for k in islice(wrong, 1)]
        yield from first
        if sentence := self._broken(reading):
            yield Finding("part", sentence)
        yield from (self._wrong(reading, right, k) for k in wrong)

    def _wrong(self, reading: FunctionReading, right: FunctionReading, k: int) -> Finding:
        """Return the finding about a problem: its result, and the right one."""
        problem, value = reading.problems[k], reading.values[k]
        expected = self._call(right.function, problem, silent=True)
        difference = _difference(self._effect(value, problem), self._effect(expected, problem))
        if self.in_words:
            difference = self.in_words(self._effect(value, problem))
        return Finding("part", f"{self._for_problem(problem)} {difference}.")


def _holds(law: Callable[..., bool], function: Callable[..., Any]) -> bool:
    """Return whether a law holds; it does not if it raises an error."""
    try:
        return law(function)
    except MemoryError:
        raise
    except Exception:
        return False


def _quiet() -> Any:
    return redirect_stdout(io.StringIO())


def _near(value: Any, expected: Any) -> bool:
    return np.shape(value) == np.shape(expected) and bool(
        np.allclose(value, expected, rtol=1e-9, atol=1e-12)
    )


def _difference(value: Any, expected: Any) -> str:
    """Return the result and the right one in words, or their first different entries."""
    which = "yours returns"
    if np.size(value) > _MOST_ENTRIES:
        index = tuple(np.argwhere(~np.isclose(value, expected, rtol=1e-9, atol=1e-12))[0].tolist())
        which = f"entry {list(index)} of your result is"
        value, expected = value[index], expected[index]
    for digits in (4, 8, 16):
        texts = [_numbers(numbers, digits) for numbers in (value, expected)]
        if texts[0] != texts[1]:
            break
    return f"{which} {texts[0]}; the right value is {texts[1]}"


def _numbers(value: Any, digits: int = 6) -> str:
    """Return numbers as text, such as [1, 0.5]."""
    text = np.array2string(
        np.asarray(value, dtype=float) + 0.0,  # avoids -0
        separator=", ",
        formatter={"float_kind": lambda number: f"{number:.{digits}g}"},
    )
    return " ".join(text.split())


def _argument(name: str, value: Any) -> str:
    """Return an argument as text, such as x = [1, 2] or f(t, x) = [x[1], -x[0]]."""
    if not callable(value):
        return f"{name} = {_numbers(value) if _is_number(value) else shown(value)}"
    text = str(inspect.getdoc(value) or getattr(value, "__name__", "a function")).splitlines()[0]
    return f"{name}({', '.join(_names(value))}) = {text.rstrip('.')}"


def _names(function: Callable[..., Any]) -> list[str]:
    """Return the names of a function's arguments, if they are known."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # some functions written in C have no signature
        return []
    return [p.name for p in parameters if p.kind is not inspect.Parameter.VAR_POSITIONAL]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.ndarray | np.number)


def _law(value: Any) -> Any:
    match value:
        case (law, str()) if callable(law):
            return value
    raise TypeError(f"a law must be (function, hint); got {shown(value)}")
