"""Programs: routines of single assignments, loops and branches over arrays of floats.

A program is written once, by the methods here, which read like the Python that they stand for. It
is printed as Python and as WebAssembly; both take the same steps, to the last bit. Whole numbers
count rows; all else is floats, in arrays of fixed places. Two runs may go side by side, in lanes:
then each entry of an array is two floats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from straightline.aliases import Array
from straightline.assignments import Assignments, Condition, Number, Numbers, Unknown

#: ("variable", name), ("constant", number), ("add", a, b), ("mul", a, b)
WholeExpression = tuple[Any, ...]


@dataclass(frozen=True)
class Whole:
    """A whole number of a routine: a variable, or a sum or product of them.

    Parameters
    ----------
    expression : tuple
    """

    expression: WholeExpression

    def _with(self, operation: str, other: Whole | int) -> Whole:
        return Whole((operation, self.expression, whole(other)))

    def __add__(self, other: Whole | int) -> Whole:
        return self if other == 0 else self._with("add", other)

    def __mul__(self, other: Whole | int) -> Whole:
        return self if other == 1 else self._with("mul", other)

    def __lt__(self, other: Whole | int) -> Comparison:
        return Comparison("lt_s", self.expression, whole(other))

    def __ge__(self, other: Whole | int) -> Comparison:
        return Comparison("ge_s", self.expression, whole(other))


def whole(value: Whole | int) -> WholeExpression:
    """Return the expression of a whole number, known or not."""
    return value.expression if isinstance(value, Whole) else ("constant", value)


@dataclass(frozen=True)
class Comparison:
    """A comparison of two whole numbers."""

    operation: str
    left: WholeExpression
    right: WholeExpression


#: What a loop or a branch asks: whole numbers, or the place of a condition in the list.
Test = Comparison | int
#: Where a value goes: ("variable", name), or ("memory", array, row, offset).
Target = tuple[Any, ...]


@dataclass
class Assign:
    """Values that are computed together, and then put where they belong."""

    targets: list[Target]
    roots: list[int]
    lanes: int = 1


@dataclass
class SetWhole:
    """A new value of a whole number: a sum or product, or the place of a float that is whole."""

    name: str
    value: WholeExpression | int


@dataclass
class Repeat:
    """Statements that are repeated as long as the test holds in any lane."""

    test: Test
    body: list[Any] = field(default_factory=list)
    lanes: int = 1


@dataclass
class When:
    """Statements that are carried out if the test holds in any lane, else the others."""

    test: Test
    body: list[Any] = field(default_factory=list)
    otherwise: list[Any] = field(default_factory=list)
    lanes: int = 1


@dataclass
class Leave:
    """The end of a routine, and the whole number that it returns, if it does."""

    value: WholeExpression | None


class Program:
    """Routines that share arrays and one list of assignments.

    Parameters
    ----------
    parameters : int
        Length of the array ``p``. What depends on nothing else is computed once, by the routine
        ``prepare``, which must run after ``p`` has changed.
    """

    def __init__(self, parameters: int) -> None:
        self.assignments = Assignments()
        self.arrays: dict[str, int] = {}
        self.routines: list[Routine] = []
        self.outputs: dict[str, int] = {}
        self.array("p", parameters)
        self.p = self.assignments.inputs("p", parameters)

    def array(self, name: str, length: int) -> str:
        """Reserve an array of floats and return its name."""
        self.arrays[name] = max(length, 1)
        return name

    def routine(self, name: str, *arguments: str, result: bool = False) -> Routine:
        """Begin a routine that is called with whole numbers, by name."""
        made = Routine(self, name, arguments, result)
        self.routines.append(made)
        return made

    def function(
        self,
        name: str,
        formula: Callable[[Unknown, Array], object],
        states: int,
        lanes: int = 1,
    ) -> Callable[[Number, Numbers], Array]:
        """Add f(t, x) as a routine of its own; return what calls it from another routine.

        Parameters
        ----------
        name : str
        formula : function (t, x) -> sequence of k numbers
            Traced once.
        states : int
            Length of x.
        lanes : int
            How many runs go side by side where it is called.

        Returns
        -------
        function (t, x) -> array of k unknowns
        """
        arguments = self.array(f"{name} of", (states + 1) * lanes)
        routine = self.routine(name, "out")
        routine.lanes = lanes
        t, x = routine.read(arguments), routine.read(arguments, 1, states)
        values = list(np.ravel(np.asarray(formula(t, x), dtype=object)))
        routine.store("", routine.argument("out"), values)
        self.outputs[name] = len(values) * lanes

        def call(t: Number, x: Numbers) -> Array:
            places = map(self.assignments.place, [t, *x])
            made = self.assignments.node("call", name, *places)
            results = [self.assignments.unknown("result", made, i) for i in range(len(values))]
            return np.array(results, dtype=object)

        return call

    def imported(self, name: str, count: int) -> None:
        """Reserve what a routine from outside needs: a place for its numbers, and one result."""
        self.array(f"{name} of", count)
        self.outputs[name] = 1


class Routine:
    """One routine of a program, written statement by statement.

    Parameters
    ----------
    program : Program
    name : str
    arguments : sequence of str
        Names of the whole numbers that it is called with.
    result : bool
        Whether it returns a whole number.
    """

    def __init__(self, program: Program, name: str, arguments: Sequence[str], result: bool) -> None:
        self.program, self.name, self.arguments, self.result = program, name, arguments, result
        self.lanes = 1
        self.wholes: list[str] = []
        self.numbers: list[str] = []
        self.body: list[Any] = []
        self._open = [self.body]

    def argument(self, name: str) -> Whole:
        """Return a whole number that the routine is called with."""
        return Whole(("variable", name))

    def whole(self, name: str, value: Whole | int = 0) -> Whole:
        """Make a whole variable with a first value."""
        self.wholes.append(name)
        self.set(Whole(("variable", name)), value)
        return Whole(("variable", name))

    def set(self, variable: Whole, value: Whole | int | Unknown) -> None:
        """Give a whole variable another value; of a float, its whole part."""
        new = value.place if isinstance(value, Unknown) else whole(value)
        self._open[-1].append(SetWhole(variable.expression[1], new))

    def number(self, name: str, value: Number = 0.0) -> Unknown:
        """Make a variable of floats with a first value; it is read where it is used."""
        self.numbers.append(name)
        self.change(name, value)
        return self.program.assignments.unknown("local", name)

    def change(self, name: str, value: Number) -> None:
        """Give a variable of floats another value."""
        self.assign([("variable", name)], [value])

    def read(self, array: str, row: Whole | int = 0, count: int | None = None) -> Any:
        """Return one float of an array, or ``count`` of them; they are read where they are used."""

        def entry(offset: int) -> Unknown:
            return self.program.assignments.unknown("load", array, whole(row), offset)

        if count is None:
            return entry(0)
        return np.array([entry(offset) for offset in range(count)], dtype=object)

    def store(self, array: str, row: Whole | int, values: Numbers | Sequence[Condition]) -> None:
        """Put values into an array, one after another from a row on."""
        self.assign([("memory", array, whole(row), i) for i in range(len(values))], values)

    def assign(self, targets: Sequence[Target], values: Numbers | Sequence[Condition]) -> None:
        """Compute values, all of them, and then put each where it belongs."""
        roots = [self.program.assignments.place(value) for value in values]
        self._open[-1].append(Assign(list(targets), roots, self.lanes))

    @contextmanager
    def repeat(self, test: Comparison | Condition) -> Iterator[None]:
        """Repeat what follows as long as a test holds: ``while``."""
        with self._inside(Repeat(_test(test), lanes=self.lanes)):
            yield

    @contextmanager
    def when(self, test: Comparison | Condition) -> Iterator[None]:
        """Carry out what follows if a test holds: ``if``."""
        with self._inside(When(_test(test), lanes=self.lanes)):
            yield

    @contextmanager
    def side_by_side(self, lanes: int) -> Iterator[None]:
        """Let what follows go on in lanes: one, or two.

        In two lanes each entry of an array is two floats, one for each; inputs are the same for
        both, and a test holds if it holds in any lane.
        """
        before, self.lanes = self.lanes, lanes
        yield
        self.lanes = before

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Carry out what follows if the test just before did not hold: ``else``."""
        self._open.append(self._open[-1][-1].otherwise)
        yield
        self._open.pop()

    @contextmanager
    def _inside(self, statement: Repeat | When) -> Iterator[None]:
        self._open[-1].append(statement)
        self._open.append(statement.body)
        yield
        self._open.pop()

    def leave(self, value: Whole | int | None = None) -> None:
        """End the routine, with its result."""
        self._open[-1].append(Leave(None if value is None else whole(value)))


def _test(test: Comparison | Condition) -> Test:
    return test.place if isinstance(test, Condition) else test


def statements(body: Sequence[object]) -> Iterator[object]:
    """Generate all statements of a routine, those inside loops and branches too."""
    for statement in body:
        yield statement
        if isinstance(statement, Repeat | When):
            yield from statements(statement.body)
        if isinstance(statement, When):
            yield from statements(statement.otherwise)
