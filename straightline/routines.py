"""Programs: routines of single assignments, loops, and branches over arrays of floats.

A program is written once, with methods that resemble Python statements, and becomes WebAssembly or
Python with bitwise identical results. Whole numbers count rows; all other values are floats in
arrays of fixed length. Two runs may share instructions, in lanes; each entry of an array is then
two floats.
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
    """A whole number of a routine: a variable, or a sum or product.

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

    def __lt__(self, other: Whole | int) -> WholeComparison:
        return WholeComparison("lt_s", self.expression, whole(other))

    def __ge__(self, other: Whole | int) -> WholeComparison:
        return WholeComparison("ge_s", self.expression, whole(other))


def whole(value: Whole | int) -> WholeExpression:
    """Return the expression of a known or unknown whole number."""
    return value.expression if isinstance(value, Whole) else ("constant", value)


@dataclass(frozen=True)
class WholeComparison:
    """A comparison of two whole numbers."""

    operation: str
    left: WholeExpression
    right: WholeExpression


#: The test of a loop or branch: of whole numbers, or the index of a condition in the list.
Test = WholeComparison | int
#: The target of a value: ("variable", name), or ("memory", array, row, offset).
Target = tuple[Any, ...]


@dataclass
class Assign:
    """Values that are all computed before they are stored."""

    targets: list[Target]
    roots: list[int]
    lanes: int = 1


@dataclass
class SetWhole:
    """A new value of a whole variable: an expression, or the index of a whole-valued float."""

    name: str
    value: WholeExpression | int


@dataclass
class Repeat:
    """A loop that continues while its test holds in any lane."""

    test: Test
    body: list[Any] = field(default_factory=list)
    lanes: int = 1


@dataclass
class When:
    """A branch that is taken if its test holds in any lane, with an alternative."""

    test: Test
    body: list[Any] = field(default_factory=list)
    otherwise: list[Any] = field(default_factory=list)
    lanes: int = 1


@dataclass
class Return:
    """The end of a routine, with its whole result, if it has one."""

    value: WholeExpression | None


class Program:
    """Routines that share arrays and one list of assignments.

    Parameters
    ----------
    parameters : int
        Length of the array ``p``. Values that depend on nothing else are computed once, by the
        routine ``prepare``, which must run after ``p`` has changed.
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
        """Begin a routine with a name and named whole arguments."""
        routine = Routine(self, name, arguments, result)
        self.routines.append(routine)
        return routine

    def function(
        self,
        name: str,
        formula: Callable[[Unknown, Array], object],
        states: int,
        lanes: int = 1,
    ) -> Callable[[Number, Numbers], Array]:
        """Add f(t, x) as a separate routine; return a function that calls it from other routines.

        Parameters
        ----------
        name : str
        formula : function (t, x) -> sequence of k numbers
            Traced once.
        states : int
            Length of x.
        lanes : int
            The number of lanes in which it is called.

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
            indices = map(self.assignments.index_of, [t, *x])
            call_node = self.assignments.node("call", name, *indices)
            results = [self.assignments.unknown("result", call_node, i) for i in range(len(values))]
            return np.array(results, dtype=object)

        return call

    def imported(self, name: str, count: int) -> None:
        """Reserve memory for the arguments and the result of an external routine."""
        self.array(f"{name} of", count)
        self.outputs[name] = 1


class Routine:
    """A routine of a program, written statement by statement.

    Parameters
    ----------
    program : Program
    name : str
    arguments : sequence of str
        Names of its whole arguments.
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
        """Return a whole argument."""
        return Whole(("variable", name))

    def whole(self, name: str, value: Whole | int = 0) -> Whole:
        """Add a whole variable with an initial value."""
        self.wholes.append(name)
        self.set(Whole(("variable", name)), value)
        return Whole(("variable", name))

    def set(self, variable: Whole, value: Whole | int | Unknown) -> None:
        """Set a whole variable; a float is truncated."""
        new = value.node_index if isinstance(value, Unknown) else whole(value)
        self._open[-1].append(SetWhole(variable.expression[1], new))

    def number(self, name: str, value: Number = 0.0) -> Unknown:
        """Add a float variable with an initial value; its value is read at each use."""
        self.numbers.append(name)
        self.change(name, value)
        return self.program.assignments.unknown("local", name)

    def change(self, name: str, value: Number) -> None:
        """Set a float variable."""
        self.assign([("variable", name)], [value])

    def read(self, array: str, row: Whole | int = 0, count: int | None = None) -> Any:
        """Return one float of an array, or ``count`` of them, which are read at each use."""

        def entry(offset: int) -> Unknown:
            return self.program.assignments.unknown("load", array, whole(row), offset)

        if count is None:
            return entry(0)
        return np.array([entry(offset) for offset in range(count)], dtype=object)

    def store(self, array: str, row: Whole | int, values: Numbers | Sequence[Condition]) -> None:
        """Store consecutive values in an array, beginning at a row."""
        self.assign([("memory", array, whole(row), i) for i in range(len(values))], values)

    def assign(self, targets: Sequence[Target], values: Numbers | Sequence[Condition]) -> None:
        """Compute all values, and then store each in its target."""
        roots = [self.program.assignments.index_of(value) for value in values]
        self._open[-1].append(Assign(list(targets), roots, self.lanes))

    @contextmanager
    def repeat(self, test: WholeComparison | Condition) -> Iterator[None]:
        """Repeat the statements inside while a test holds."""
        with self._inside(Repeat(_test(test), lanes=self.lanes)):
            yield

    @contextmanager
    def when(self, test: WholeComparison | Condition) -> Iterator[None]:
        """Execute the statements inside if a test holds."""
        with self._inside(When(_test(test), lanes=self.lanes)):
            yield

    @contextmanager
    def side_by_side(self, lanes: int) -> Iterator[None]:
        """Execute the statements inside in one or two lanes.

        In two lanes, each entry of an array is a pair of floats, inputs are the same in both lanes,
        and a test holds if it holds in any lane.
        """
        before, self.lanes = self.lanes, lanes
        yield
        self.lanes = before

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Execute the statements inside if the preceding test did not hold."""
        self._open.append(self._open[-1][-1].otherwise)
        yield
        self._open.pop()

    @contextmanager
    def _inside(self, statement: Repeat | When) -> Iterator[None]:
        """Collect the statements inside a loop or a branch."""
        self._open[-1].append(statement)
        self._open.append(statement.body)
        yield
        self._open.pop()

    def leave(self, value: Whole | int | None = None) -> None:
        """Return from the routine, with its result."""
        self._open[-1].append(Return(None if value is None else whole(value)))


def _test(test: WholeComparison | Condition) -> Test:
    """Return a test as it appears in a statement."""
    return test.node_index if isinstance(test, Condition) else test


def statements(body: Sequence[object]) -> Iterator[object]:
    """Yield all statements of a routine, including those in loops and branches."""
    for statement in body:
        yield statement
        if isinstance(statement, Repeat | When):
            yield from statements(statement.body)
        if isinstance(statement, When):
            yield from statements(statement.otherwise)
