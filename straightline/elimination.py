"""Gaussian elimination in loops over memory: K x = b for the many unknowns of many loops.

What `linear_algebra` writes out operation by operation for a dozen unknowns is a routine here, with
rows in memory: one for each pattern of entries that are not zero. It skips what is zero, and where
constraints are redundant, it finds the solution of least norm. Chapter 6 meets those.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from straightline.assignments import Number, Unknown, where
from straightline.operations import divide, square_root
from straightline.routines import Program, Routine, Whole

if TYPE_CHECKING:
    from straightline.machine import Machine


#: A column has no pivot where elimination leaves so little of it: of a multiplier's column the
#: square of the sine between a gradient and those before it, of any other what rounding leaves.
REDUNDANT, SINGULAR = 1e-10, 1e-15
#: The equation of a redundant constraint holds up to this part of its terms: loops drift.
_CONSISTENT = 1e-4


@dataclass(frozen=True)
class System:
    """The pattern of K x = b: which entries may be other than zero, and what x ends with.

    Parameters
    ----------
    unknowns : int
    entries : tuple of int
        Places of these entries in K, row by row.
    trailing : int
        How many of the unknowns, the last ones, may be undetermined: those take the least norm.
    slack : float
        By how much the equation of a redundant constraint may be missed, whatever its terms.
    """

    unknowns: int
    entries: tuple[int, ...]
    trailing: int = 0
    slack: float = 0.0

    def write(self, program: Program, name: str) -> None:
        """Add the routine ``name(out, lanes)``: from its numbers, the entries and b, to x."""
        _Elimination(self, program, name).write()

    def solve(self, numbers: Sequence[float]) -> list[Number]:
        """Return x of known numbers."""
        compiled = _alone(self)
        machine = compiled.instance([])
        machine.view("solve of")[: len(numbers)] = numbers
        machine.call("solve", compiled.layout["solution"], 1)
        return machine.view("solution").tolist()  # type: ignore[no-any-return]


@functools.lru_cache(maxsize=64)
def _alone(system: System) -> Machine:
    """Return a program with the routine ``solve``, and room for what it gives."""
    from straightline.machine import Machine

    program = Program(0)
    program.array("solution", system.unknowns)
    system.write(program, "solve")
    return Machine(program)


class _Elimination:
    """Writes the routine: rows of K, each followed by its b and by the size of b's terms."""

    def __init__(self, system: System, program: Program, name: str) -> None:
        n = system.unknowns
        self.system, self.n, self.width = system, n, n + 2
        self.first = n - system.trailing
        self.numbers = program.array(f"{name} of", 2 * (len(system.entries) + n))  # for two lanes
        program.outputs[name] = 2 * n
        self.K = program.array(f"{name} K", n * self.width)
        self.row = program.array(f"{name} row", n)  # where the k-th row begins
        self.pivot = program.array(f"{name} pivot", n)  # where the row of a column's pivot begins
        self.scale = program.array(f"{name} scale", n)
        self.beyond = program.array(f"{name} beyond", n)  # columns beyond a pivot, not zero
        self.x = program.array(f"{name} x", n)
        self.null = program.array(f"{name} null", n)
        self.basis = program.array(f"{name} basis", system.trailing * n)
        self.run: Routine = program.routine(name, "out", "lanes")

    def write(self) -> None:
        """Write the routine."""
        run, lanes = self.run, self.run.argument("lanes")
        with self._each("lane", 0, lanes) as lane:
            self.wrong, self.next = run.number("wrong"), run.number("next")  # the next column
            self.k = run.whole("k")
            self._fill(lane, lanes)
            with self._each("j", 0, self.first) as j:
                self._column(j, SINGULAR)
            if self.system.trailing:
                self._measure_trailing()
                with self._each("j", self.first, self.n) as j:
                    self._column(j, REDUNDANT)
                self._refuse_inconsistent()
            self._substitute(self.x, self.n - 1)
            if self.system.trailing:
                self._least_norm()
            with self._each("i", 0, self.n) as i:
                solved = run.read(self.x, i) + self.wrong
                run.store("", (run.argument("out") + i) * lanes + lane, [solved])

    @contextmanager
    def _each(self, name: str, start: Whole | int, end: Whole | int) -> Iterator[Whole]:
        """Let a whole number count from start up to end, and without it."""
        i = self.run.whole(name, start)
        with self.run.repeat(i < end):
            yield i
            self.run.set(i, i + 1)

    @contextmanager
    def _each_down(self, name: str, start: Whole | int) -> Iterator[Whole]:
        """Let a whole number count from start down to zero."""
        i = self.run.whole(name, start)
        with self.run.repeat(i >= 0):
            yield i
            self.run.set(i, i + -1)

    def _place(self, name: str, array: str, k: Whole) -> Whole:
        """Return a whole number that stands in an array."""
        place = self.run.whole(name)
        self.run.set(place, self.run.read(array, k))
        return place

    def _fill(self, lane: Whole, lanes: Whole) -> None:
        """Put the numbers of a lane into K, and note the largest of each column."""
        run, w, m = self.run, self.width, len(self.system.entries)
        with self._each("i", 0, self.n * w) as i:
            run.store(self.K, i, [0.0])
        with self._each("i", 0, self.n) as i:
            run.store(self.scale, i, [0.0])
        for number, entry in enumerate(self.system.entries):
            row, column = divmod(entry, self.n)
            value = run.read(self.numbers, lanes * number + lane)
            size, largest = abs(value), run.read(self.scale, column)
            run.store(self.K, row * w + column, [value])
            run.store(self.scale, column, [where(size > largest, size, largest)])
            run.change("wrong", self.wrong + (size - size))  # nan, if one is not finite
        start = run.number("start")
        with self._each("i", 0, self.n) as i:
            b = run.read(self.numbers, lanes * (i + m) + lane)
            run.store(self.K, i * w + self.n, [b, abs(b)])
            run.store(self.row, i, [start])
            run.change("start", start + float(w))

    def _measure_trailing(self) -> None:
        """Note the largest entry of each multiplier's column in the rows that are left."""
        run, largest = self.run, self.run.number("largest")
        with self._each("j", self.first, self.n) as j:
            run.change("largest", 0.0)
            with self._each("i", self.k, self.n) as i:
                entry = abs(run.read(self.K, self._place("r", self.row, i) + j))
                run.change("largest", where(entry > largest, entry, largest))
            run.store(self.scale, j, [largest])

    def _column(self, j: Whole, least: float) -> None:
        """Eliminate a column from the rows below its pivot, if it has one."""
        run, k = self.run, self.k
        largest, at = run.number("largest"), run.whole("at", k)
        with self._each("i", k, self.n) as i:
            entry = abs(run.read(self.K, self._place("r", self.row, i) + j))
            with run.when(entry > largest):
                run.change("largest", entry)
                run.set(at, i)
        run.store(self.pivot, j, [-1.0])
        run.change("next", self.next + 1.0)
        with run.when(largest > least * run.read(self.scale, j)):
            rows = [run.read(self.row, at), run.read(self.row, k)]
            run.assign([("memory", self.row, e.expression, 0) for e in (k, at)], rows)
            run.store(self.pivot, j, [run.read(self.row, k)])
            self._subtract_from_rows_below(self._place("p", self.pivot, j), j)
            run.set(k, k + 1)
        if least == SINGULAR:
            with run.otherwise():
                run.change("wrong", math.nan)

    def _subtract_from_rows_below(self, p: Whole, j: Whole) -> None:
        run, n, K = self.run, self.n, self.K
        inverse = run.number("inverse", divide(1.0, run.read(K, p + j)))
        factor, column, count = run.number("factor"), run.number("column"), run.whole("count")
        run.change("column", self.next)
        with self._each("c", j + 1, n) as c:
            with run.when(abs(run.read(K, p + c)) > 0.0):
                run.store(self.beyond, count, [column])
                run.set(count, count + 1)
            run.change("column", column + 1.0)
        with self._each("i", self.k + 1, n) as i:
            r = self._place("r", self.row, i)
            run.change("factor", run.read(K, r + j) * inverse)
            with run.when(abs(factor) > 0.0):  # type: ignore[arg-type]  # factor is unknown
                with self._each("e", 0, count) as e:
                    c = self._place("c", self.beyond, e)
                    run.store(K, r + c, [run.read(K, r + c) - factor * run.read(K, p + c)])
                run.store(K, r + n, [run.read(K, r + n) - factor * run.read(K, p + n)])
                size = run.read(K, r + (n + 1)) + abs(factor) * run.read(K, p + (n + 1))
                run.store(K, r + (n + 1), [size])

    def _refuse_inconsistent(self) -> None:
        """Give nan where the equation of a redundant constraint cannot hold."""
        run, n = self.run, self.n
        with self._each("i", self.k, n) as i:
            r = self._place("r", self.row, i)
            left, size = run.read(self.K, r + n), run.read(self.K, r + (n + 1))
            with run.when(abs(left) > _CONSISTENT * size + self.system.slack):
                run.change("wrong", math.nan)

    def _substitute(self, x: str, last: Whole | int, b: float | None = None) -> None:
        """Solve for x from an unknown down; those without a pivot stay as they are, or are 0."""
        run, total = self.run, self.run.number("total")
        with self._each_down("j", last) as j:
            with run.when(run.read(self.pivot, j) >= 0.0):
                p = self._place("p", self.pivot, j)
                run.change("total", run.read(self.K, p + self.n) if b is None else b)
                with self._each("c", j + 1, self.n) as c:
                    product = run.read(self.K, p + c) * run.read(x, c)
                    run.change("total", total - product)
                run.store(x, j, [total / run.read(self.K, p + j)])
            if b is None:
                with run.otherwise():
                    run.store(x, j, [0.0])

    def _least_norm(self) -> None:
        """Remove the part of the solution that has no effect at all."""
        run, n, z = self.run, self.n, self.null
        count = run.whole("count")
        with self._each("f", self.first, n) as f, run.when(run.read(self.pivot, f) < 0.0):
            with self._each("i", 0, n) as i:
                run.store(z, i, [0.0])
            run.store(z, f, [1.0])
            self._substitute(z, f + -1, 0.0)
            with self._each("before", 0, count) as before:
                self._less_its_share(z, 0, self.basis, before * n)
            size = self._product(z, 0, z, 0)
            with self._each("i", self.first, n) as i:
                run.store(self.basis, count * n + i, [run.read(z, i) / square_root(size)])
            self._less_its_share(self.x, 0, self.basis, count * n)
            run.set(count, count + 1)

    def _product(self, a: str, i: Whole | int, b: str, j: Whole | int) -> Unknown:
        """Return the product of the trailing entries of two vectors."""
        run, total = self.run, self.run.number("total")
        with self._each("c", self.first, self.n) as c:
            run.change("total", total + run.read(a, c + i) * run.read(b, c + j))
        return total

    def _less_its_share(self, a: str, i: Whole | int, b: str, j: Whole | int) -> None:
        """Subtract from a its part along b, of length 1."""
        run, share = self.run, self._product(a, i, b, j)
        with self._each("c", self.first, self.n) as c:
            run.store(a, c + i, [run.read(a, c + i) - share * run.read(b, c + j)])
