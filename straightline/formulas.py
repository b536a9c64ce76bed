"""Formulas: functions of floats or unknowns, to call, print, count, and compile."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import function as read_function
from straightline.arguments import whole_number
from straightline.assignments import MOST_ENTRIES, SOURCES, Assignments
from straightline.compiled_function import Compiled
from straightline.evaluator import Evaluator
from straightline.passes import branch_regions, dependencies, paired_nodes, with_sines_written_out
from straightline.python_text import python_lines
from straightline.tracing import Traced

#: An argument: the length of an array, None for a number, or a function that is traced with it.
Length = int | None | Callable[..., Any]

_TEXTS = {
    "add": "{} + {}",
    "sub": "{} - {}",
    "mul": "{} * {}",
    "div": "{} / {}",
    "neg": "-{}",
    "lt": "{} < {}",
    "le": "{} <= {}",
    "gt": "{} > {}",
    "ge": "{} >= {}",
    "eq": "{} == {}",
    "and": "{} and {}",
    "or": "{} or {}",
    "not": "not {}",
    "select": "where({}, {}, {})",
    "sine": "sin({})",
    "cosine": "cos({})",
}


@dataclass(frozen=True)
class Formula:
    """A function of floats or unknowns, created by `trace` and `from_sympy`.

    Parameters
    ----------
    function : function of numbers and arrays
        A function that accepts floats and unknowns.
    lengths : tuple of int, None or function
        For each argument, the length of the array, None for a number, or a function that the
        formula calls.
    names : tuple of str, optional
        If given, the function takes the entries of the last argument by these names.
    """

    function: Callable[..., Any]
    lengths: tuple[Length, ...]
    names: tuple[str, ...] | None = None

    def __call__(self, *arguments: Any) -> Any:
        """Return the value of the function, for floats or unknowns."""
        if self.names is None:
            return self.function(*arguments)
        *first, values = arguments
        value = self.function(*first, **dict(zip(self.names, values)))
        return np.ravel(np.asarray(value, dtype=object))

    def source(self) -> str:
        """Return the formula as the text of a Python function, with one operation per line.

        Raises
        ------
        CannotTrace
            If the function needs the value of an unknown number.
        """
        made, names, result = self._traced
        lines, printed = python_lines(made, _roots(made, result), _TEXTS)
        ends = f"[{', '.join(printed)}]" if result.ndim else printed[0]
        head = f"def {getattr(self._written, '__name__', 'formula')}({', '.join(names)}):"
        return "\n".join([head, *(f"    {line}" for line in [*lines, f"return {ends}"]), ""])

    @property
    def operations(self) -> int:
        """The number of operations of the compiled formula.

        Sines and cosines are expanded, two angles at a time, as in the compiled program.
        Operations in one branch of a `where` are not counted.
        """
        made, _, result = self._traced
        roots = with_sines_written_out(made, _roots(made, result), in_pairs=True)
        order = dependencies(made.nodes, roots)
        branch = branch_regions(made.nodes, order, roots, paired_nodes(made.nodes, order))
        free = SOURCES | {"pair constant"}
        return sum(made.nodes[i][0] not in free and not branch[i] for i in order)

    def evaluator(self, parameters: ArrayLike = ()) -> Evaluator:
        """Return a formula of (t, x, p) as a compiled function of (t, x).

        Parameters
        ----------
        parameters : array, shape (number of parameters,)
            The values of p.

        Returns
        -------
        Evaluator
            For one state, or for all rows of a trajectory.
        """
        return Evaluator(self, self.lengths[1], parameters)  # type: ignore[arg-type]

    @cached_property
    def _traced(self) -> tuple[Assignments, list[str], Array]:
        """Return the assignments, the names of the unknown arguments, and the result."""
        made, names = Assignments(), list[str]()
        values: list[Any] = []
        for name, length in zip(self._argument_names, self.lengths):
            if callable(length):
                values.append(length)
                continue
            names.append(name)
            if length is None:
                values.append(made.unknown("local", name))
            else:
                entries = [made.unknown("local", f"{name}[{i}]") for i in range(length)]
                values.append(np.array(entries, dtype=object))
        return made, names, np.asarray(self(*values), dtype=object)

    @property
    def _written(self) -> Callable[..., Any]:
        """The original Python function."""
        written: Callable[..., Any] = getattr(self.function, "function", self.function)
        return written

    @property
    def _argument_names(self) -> list[str]:
        names = list(inspect.signature(self._written).parameters)
        return names if len(names) == len(self.lengths) else ["t", "x", "p"]


def trace(function: Callable[..., object], *lengths: Length) -> Formula:
    """Trace a function of numbers and arrays by calling it once with unknown numbers.

    Parameters
    ----------
    function : function of numbers and arrays
        As for ``jax.jit``, it must be pure: its value depends only on its arguments, and a call has
        no side effects. Side effects would happen once, and not at each call.
    lengths : int, None or function
        For each argument, the length of the array, None for a number, or a function that is traced
        as well.

    Returns
    -------
    Formula

    Raises
    ------
    TypeError
        If it is not a function, or takes a different number of arguments.
    CannotTrace
        If the function needs the value of an unknown number, or calls a function that accepts only
        floats.
    """
    takes = inspect.signature(read_function(function, "function", "...")).parameters
    if len(takes) != len(lengths):
        raise TypeError(
            f"{getattr(function, '__name__', 'the function')} is traced with a function, a length "
            f"or None for each of {', '.join(takes)}; got {len(lengths)}"
        )
    return Formula(_traceable(function), tuple(map(_length, takes, lengths)))


def _length(name: str, length: Length) -> Length:
    if callable(length):
        return _traceable(read_function(length, name, "..."))
    if length is None:
        return None
    return whole_number(length, "the length of an array", 0, MOST_ENTRIES)


def _traceable(function: Callable[..., object]) -> Callable[..., Any]:
    """Return a function that accepts unknown numbers."""
    if isinstance(function, Formula):
        return function
    return function.formula if isinstance(function, Compiled) else Traced(function)


def _roots(made: Assignments, result: Array) -> list[int]:
    return [made.index_of(value) for value in np.ravel(result)]
