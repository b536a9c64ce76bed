"""Gaussian elimination in loops over memory, for K x = b with many unknowns.

`linear_algebra` writes out every operation for a dozen unknowns; here a routine loops over rows in
memory, one routine for each pattern of nonzero entries. It skips zeros, and finds the solution of
least norm if constraints are redundant.
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


#: The smallest pivots, relative to a column. For a multiplier the ratio is the squared sine of the
#: angle between a gradient and those before it; for other columns it is rounding error.
REDUNDANT_PIVOT, SINGULAR_PIVOT = 1e-10, 1e-15
#: The relative tolerance for the equation of a redundant constraint, because closed loops drift.
_CONSISTENCY = 1e-4


@dataclass(frozen=True)
class System:
    """The pattern of K x = b: its nonzero entries, and its trailing unknowns.

    Parameters
    ----------
    unknowns : int
    entries : tuple of int
        Indices of the nonzero entries in K, row by row.
    trailing : int
        Number of unknowns, at the end, that may be undetermined; they get the smallest norm.
    slack : float
        The absolute tolerance for the equation of a redundant constraint.
    """

    unknowns: int
    entries: tuple[int, ...]
    trailing: int = 0
    slack: float = 0.0

    def write(self, program: Program, name: str) -> None:
        """Add the routine ``name(out, lanes)``, which solves for x from the entries and b."""
        _Elimination(self, program, name).write()

    def solve(self, numbers: Sequence[float]) -> list[Number]:
        """Return x for floats."""
        compiled = _solver(self)
        machine = compiled.instance([])
        machine.view("solve of")[: len(numbers)] = numbers
        machine.call("solve", compiled.layout["solution"], 1)
        return machine.view("solution").tolist()  # type: ignore[no-any-return]


@functools.lru_cache(maxsize=64)
def _solver(system: System) -> Machine:
    """Return a program with the routine ``solve``, and memory for its result."""
    from straightline.machine import Machine

    program = Program(0)
    program.array("solution", system.unknowns)
    system.write(program, "solve")
    return Machine(program)


class _Elimination:
    """Writer of the routine. A row of K is followed by its b and by the magnitude of b's terms."""

    def __init__(self, system: System, program: Program, name: str) -> None:
        n = system.unknowns
        self.system, self.n, self.width = system, n, n + 2
        self.first = n - system.trailing
        self.numbers = program.array(f"{name} of", 2 * (len(system.entries) + n))  # for two lanes
        program.outputs[name] = 2 * n
        self.K = program.array(f"{name} K", n * self.width)
        self.row = program.array(f"{name} row", n)  # start of the k-th row
        self.pivot = program.array(f"{name} pivot", n)  # start of the row with a column's pivot
        self.scale = program.array(f"{name} scale", n)
        self.beyond = program.array(f"{name} beyond", n)  # nonzero columns beyond a pivot
        self.x = program.array(f"{name} x", n)
        self.null = program.array(f"{name} null", n)
        self.basis = program.array(f"{name} basis", system.trailing * n)
        self.run: Routine = program.routine(name, "out", "lanes")

    def write(self) -> None:
        """Write the routine."""
        run, lanes = self.run, self.run.argument("lanes")
        with self._count_up("lane", 0, lanes) as lane:
            self.wrong, self.next = (
                run.number("wrong"),
                run.number("next"),
            )  # index of the next column
            self.k = run.whole("k")
            self._fill(lane, lanes)
            with self._count_up("j", 0, self.first) as j:
                self._eliminate_column(j, SINGULAR_PIVOT)
            if self.system.trailing:
                self._measure_trailing()
                with self._count_up("j", self.first, self.n) as j:
                    self._eliminate_column(j, REDUNDANT_PIVOT)
                self._reject_inconsistent()
            self._substitute(self.x, self.n - 1)
            if self.system.trailing:
                self._least_norm()
            with self._count_up("i", 0, self.n) as i:
                solved = run.read(self.x, i) + self.wrong
                run.store("", (run.argument("out") + i) * lanes + lane, [solved])

    @contextmanager
    def _count_up(self, name: str, start: Whole | int, end: Whole | int) -> Iterator[Whole]:
        """Count a whole number up from start, below end."""
        i = self.run.whole(name, start)
        with self.run.repeat(i < end):
            yield i
            self.run.set(i, i + 1)

    @contextmanager
    def _count_down(self, name: str, start: Whole | int) -> Iterator[Whole]:
        """Count a whole number down from start to zero."""
        i = self.run.whole(name, start)
        with self.run.repeat(i >= 0):
            yield i
            self.run.set(i, i + -1)

    def _whole_entry(self, name: str, array: str, k: Whole) -> Whole:
        """Return an entry of an array as a whole number."""
        variable = self.run.whole(name)
        self.run.set(variable, self.run.read(array, k))
        return variable

    def _fill(self, lane: Whole, lanes: Whole) -> None:
        """Copy the numbers of a lane into K, and store the largest entry of each column."""
        run, w, m = self.run, self.width, len(self.system.entries)
        with self._count_up("i", 0, self.n * w) as i:
            run.store(self.K, i, [0.0])
        with self._count_up("i", 0, self.n) as i:
            run.store(self.scale, i, [0.0])
        for number, entry in enumerate(self.system.entries):
            row, column = divmod(entry, self.n)
            value = run.read(self.numbers, lanes * number + lane)
            magnitude, largest = abs(value), run.read(self.scale, column)
            run.store(self.K, row * w + column, [value])
            run.store(self.scale, column, [where(magnitude > largest, magnitude, largest)])
            run.change(
                "wrong", self.wrong + (magnitude - magnitude)
            )  # nan if an entry is not finite
        start = run.number("start")
        with self._count_up("i", 0, self.n) as i:
            b = run.read(self.numbers, lanes * (i + m) + lane)
            run.store(self.K, i * w + self.n, [b, abs(b)])
            run.store(self.row, i, [start])
            run.change("start", start + float(w))

    def _measure_trailing(self) -> None:
        """Store the largest remaining entry of each trailing column."""
        run, largest = self.run, self.run.number("largest")
        with self._count_up("j", self.first, self.n) as j:
            run.change("largest", 0.0)
            with self._count_up("i", self.k, self.n) as i:
                entry = abs(run.read(self.K, self._whole_entry("r", self.row, i) + j))
                run.change("largest", where(entry > largest, entry, largest))
            run.store(self.scale, j, [largest])

    def _eliminate_column(self, j: Whole, smallest: float) -> None:
        """Eliminate a column below its pivot, if it has one."""
        run, k = self.run, self.k
        largest, best = run.number("largest"), run.whole("at", k)
        with self._count_up("i", k, self.n) as i:
            entry = abs(run.read(self.K, self._whole_entry("r", self.row, i) + j))
            with run.when(entry > largest):
                run.change("largest", entry)
                run.set(best, i)
        run.store(self.pivot, j, [-1.0])
        run.change("next", self.next + 1.0)
        with run.when(largest > smallest * run.read(self.scale, j)):
            rows = [run.read(self.row, best), run.read(self.row, k)]
            run.assign([("memory", self.row, e.expression, 0) for e in (k, best)], rows)
            run.store(self.pivot, j, [run.read(self.row, k)])
            self._subtract_from_rows_below(self._whole_entry("p", self.pivot, j), j)
            run.set(k, k + 1)
        if smallest == SINGULAR_PIVOT:
            with run.otherwise():
                run.change("wrong", math.nan)

    def _subtract_from_rows_below(self, p: Whole, j: Whole) -> None:
        """Subtract multiples of the pivot's row from the rows below."""
        run, n, K = self.run, self.n, self.K
        inverse = run.number("inverse", divide(1.0, run.read(K, p + j)))
        factor, column, count = run.number("factor"), run.number("column"), run.whole("count")
        run.change("column", self.next)
        with self._count_up("c", j + 1, n) as c:
            with run.when(abs(run.read(K, p + c)) > 0.0):
                run.store(self.beyond, count, [column])
                run.set(count, count + 1)
            run.change("column", column + 1.0)
        with self._count_up("i", self.k + 1, n) as i:
            r = self._whole_entry("r", self.row, i)
            run.change("factor", run.read(K, r + j) * inverse)
            with run.when(abs(factor) > 0.0):  # type: ignore[arg-type]  # factor is unknown
                with self._count_up("e", 0, count) as e:
                    c = self._whole_entry("c", self.beyond, e)
                    run.store(K, r + c, [run.read(K, r + c) - factor * run.read(K, p + c)])
                run.store(K, r + n, [run.read(K, r + n) - factor * run.read(K, p + n)])
                magnitude = run.read(K, r + (n + 1)) + abs(factor) * run.read(K, p + (n + 1))
                run.store(K, r + (n + 1), [magnitude])

    def _reject_inconsistent(self) -> None:
        """Set nan if the equation of a redundant constraint cannot hold."""
        run, n = self.run, self.n
        with self._count_up("i", self.k, n) as i:
            r = self._whole_entry("r", self.row, i)
            residual, magnitude = run.read(self.K, r + n), run.read(self.K, r + (n + 1))
            with run.when(abs(residual) > _CONSISTENCY * magnitude + self.system.slack):
                run.change("wrong", math.nan)

    def _substitute(self, x: str, last: Whole | int, b: float | None = None) -> None:
        """Solve for x by back substitution; unknowns without pivots stay, or become 0."""
        run, total = self.run, self.run.number("total")
        with self._count_down("j", last) as j:
            with run.when(run.read(self.pivot, j) >= 0.0):
                p = self._whole_entry("p", self.pivot, j)
                run.change("total", run.read(self.K, p + self.n) if b is None else b)
                with self._count_up("c", j + 1, self.n) as c:
                    product = run.read(self.K, p + c) * run.read(x, c)
                    run.change("total", total - product)
                run.store(x, j, [total / run.read(self.K, p + j)])
            if b is None:
                with run.otherwise():
                    run.store(x, j, [0.0])

    def _least_norm(self) -> None:
        """Remove the part of the solution that lies in the null space."""
        run, n, z = self.run, self.n, self.null
        count = run.whole("count")
        with self._count_up("f", self.first, n) as f, run.when(run.read(self.pivot, f) < 0.0):
            with self._count_up("i", 0, n) as i:
                run.store(z, i, [0.0])
            run.store(z, f, [1.0])
            self._substitute(z, f + -1, 0.0)
            with self._count_up("before", 0, count) as before:
                self._subtract_projection(z, 0, self.basis, before * n)
            squared_norm = self._trailing_product(z, 0, z, 0)
            with self._count_up("i", self.first, n) as i:
                run.store(self.basis, count * n + i, [run.read(z, i) / square_root(squared_norm)])
            self._subtract_projection(self.x, 0, self.basis, count * n)
            run.set(count, count + 1)

    def _trailing_product(self, a: str, i: Whole | int, b: str, j: Whole | int) -> Unknown:
        """Return the product of the trailing entries of two vectors."""
        run, total = self.run, self.run.number("total")
        with self._count_up("c", self.first, self.n) as c:
            run.change("total", total + run.read(a, c + i) * run.read(b, c + j))
        return total

    def _subtract_projection(self, a: str, i: Whole | int, b: str, j: Whole | int) -> None:
        """Subtract from a its projection on the unit vector b."""
        run, component = self.run, self._trailing_product(a, i, b, j)
        with self._count_up("c", self.first, self.n) as c:
            run.store(a, c + i, [run.read(a, c + i) - component * run.read(b, c + j)])
