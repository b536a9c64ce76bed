"""Straight-line programs: lists of single assignments over floats, without duplicates.

An `Unknown` is a number without a value. Arithmetic with unknowns is recorded, so calling a Python
function with unknowns produces the list of its operations. The list is compiled to WebAssembly,
which gives the same results on your computer and in a browser, or printed as Python, as in
chapter 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from straightline.aliases import Array
from straightline.arguments import real_array, shown, whole_number

#: An operation and its arguments: indices of earlier nodes, or names and numbers.
Node = tuple[Any, ...]
#: Operations whose result is a condition.
CONDITIONS = frozenset(["lt", "le", "gt", "ge", "eq", "and", "or", "not"])
#: Operations without nodes among their arguments.
SOURCES = frozenset(["constant", "input", "local", "load"])

T = TypeVar("T")

#: The largest length of an array; tracing more entries takes minutes, and gigabytes.
MOST_ENTRIES = 100_000
_ADVICE = (
    "if, and, or, max or min needs the value of an unknown number: write np.where(condition, this, "
    "that), & and |, or np.maximum; in comparisons, write np.stack([...]) instead of "
    "np.array([...])"
)
FLOAT_ADVICE = (
    "a float is needed here, and an unknown number has no value: leave out float() and "
    "dtype=float, and instead of filling np.zeros(n) write np.zeros_like(x) or np.array([...]), or "
    "leave out compiled"
)
INDEX_ADVICE = (
    "int(), dtype=int, or an index needs the value of an unknown number: leave out compiled"
)
COMPLEX_ADVICE = (
    "unknown numbers are real and cannot be part of complex numbers: leave out compiled"
)
_NO_DIGITS = "an unknown number has no value to print: leave out compiled"
_NO_KEY = "an unknown number cannot be a key of a dictionary, a set, or a cache: leave out compiled"
#: The elementary functions by NumPy's names, filled in by `functions`.
FORMULAS: dict[str, Callable[..., Number]] = {}
#: NumPy's ufuncs and functions for unknown numbers, filled in by `numpy_protocol`.
NUMPY: dict[str, Callable[..., Any]] = {}


class Refused(TypeError):  # noqa: N818 - tracing converts it to the error that a reader sees
    """An operation has no formula."""


class ValueNeeded(Refused):
    """An operation needs the value of an unknown number."""


def _refuses(reason: str) -> Callable[..., NoReturn]:
    """Return a method that needs a value."""

    def method(*_: object) -> NoReturn:
        raise ValueNeeded(reason)

    return method


class _NumPyEntry:
    """Base class of numbers and conditions that NumPy's functions accept."""

    __slots__ = ()

    def __array_ufunc__(self, ufunc: Any, method: str, *values: Any, **options: Any) -> Any:
        return NUMPY["ufunc"](ufunc, method, values, options)

    def __array_function__(self, function: Any, _: object, values: Any, options: Any) -> Any:
        return NUMPY["function"](function, values, options)

    __bool__ = _refuses(_ADVICE)
    __float__ = _refuses(FLOAT_ADVICE)
    __int__ = __index__ = _refuses(INDEX_ADVICE)
    __complex__ = _refuses(COMPLEX_ADVICE)
    __hash__ = _refuses(_NO_KEY)
    __str__ = __format__ = _refuses(_NO_DIGITS)


class Assignments:
    """A list of nodes (operation, arguments) in which each node occurs once."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.imported: dict[str, int] = {}
        self.systems: dict[Any, str] = {}
        self._indices: dict[Node, int] = {}

    def node(self, *node: object) -> int:
        """Return the index of a node; append it if it is new."""
        index = self._indices.get(node)
        if index is None:
            index = self._indices[node] = len(self.nodes)
            self.nodes.append(node)
        return index

    def index_of(self, value: Number | Condition) -> int:
        """Return the index of a known or unknown number, or of a condition."""
        if isinstance(value, Unknown | Condition):
            return value.node_index
        try:
            return self.node("constant", float(value).hex())
        except (TypeError, ValueError):
            raise TypeError(f"a formula must return real numbers; got {shown(value)}") from None

    def unknown(self, *node: object) -> Unknown:
        """Return the result of a node as an unknown."""
        return Unknown(self, self.node(*node))

    def inputs(self, name: str, count: int) -> NDArray[np.object_]:
        """Return the entries of an input as an array of unknowns, shape (count,)."""
        length = whole_number(count, "the length of an array", 0, MOST_ENTRIES)
        return np.array([self.unknown("input", name, i) for i in range(length)], dtype=object)

    def external(self, name: str, values: Sequence[Number]) -> Unknown:
        """Return the result of an external routine; see `external_functions`."""
        self.imported[name] = len(values)
        return self.unknown("result", self.node("call", name, *map(self.index_of, values)), 0)

    def solved(self, system: Any, numbers: Sequence[Number]) -> list[Number]:
        """Return the solution x of a linear system; see `elimination`."""
        name = self.systems.setdefault(system, f"solve_{len(self.systems)}")
        call = self.node("call", name, *map(self.index_of, numbers))
        return [self.unknown("result", call, i) for i in range(system.unknowns)]

    # Signs move outward, so that a - b and b - a share their operands. This is exact.

    def add(self, a: int, b: int) -> int:
        """Return the index of a + b."""
        if self.nodes[b][0] == "neg":
            return self.subtract(a, self.nodes[b][1])
        if self.nodes[a][0] == "neg":
            return self.subtract(b, self.nodes[a][1])
        return self.node("add", *((a, b) if a < b else (b, a)))

    def subtract(self, a: int, b: int) -> int:
        """Return the index of a - b."""
        if self.nodes[b][0] == "neg":
            return self.add(a, self.nodes[b][1])
        return self.node("sub", a, b)

    def multiply(self, a: int, b: int) -> int:
        """Return the index of a · b."""
        if self.nodes[a][0] == "neg":
            return self.negate(self.multiply(self.nodes[a][1], b))
        if self.nodes[b][0] == "neg":
            return self.negate(self.multiply(a, self.nodes[b][1]))
        return self.node("mul", *((a, b) if a < b else (b, a)))

    def negate(self, a: int) -> int:
        """Return the index of -a."""
        return int(self.nodes[a][1]) if self.nodes[a][0] == "neg" else self.node("neg", a)


def _with_numbers(operation: Callable[[Unknown, Number], T]) -> Callable[[Unknown, Number], T]:
    """Restrict an operation to numbers; arrays and jets use their own arithmetic."""

    def method(self: Unknown, other: Number) -> Any:
        kind = type(other)
        if kind in (Unknown, float, int, bool) or isinstance(other, np.number):
            return operation(self, other)
        return NotImplemented

    return method


def _compare(operation: str) -> Callable[[Unknown, Number], Condition]:
    """Return a comparison method."""
    return _with_numbers(lambda self, other: self.condition(operation, other))


class Unknown(_NumPyEntry):
    """A number without a value: arithmetic with it appends to a list of assignments.

    Parameters
    ----------
    assignments : Assignments
    node_index : int
        Index of its node in the list.

    Raises
    ------
    TypeError
        If its value is needed, as for ``if`` or ``float()``.
    """

    __slots__ = ("assignments", "node_index")

    def __init__(self, assignments: Assignments, node_index: int) -> None:
        self.assignments, self.node_index = assignments, node_index

    def __repr__(self) -> str:
        return f"Unknown({self.node_index})"

    def __copy__(self) -> Unknown:
        return self

    def __deepcopy__(self, _: object) -> Unknown:
        return self

    def _new(self, index: int) -> Unknown:
        return Unknown(self.assignments, index)

    def _apply(self, operation: str) -> Unknown:
        return self._new(self.assignments.node(operation, self.node_index))

    def condition(self, operation: str, other: Number) -> Condition:
        """Return a comparison with another number: ``"lt", "le", "gt", "ge"`` or ``"eq"``."""
        index = self.assignments.index_of(other)
        return Condition(self.assignments, self.assignments.node(operation, self.node_index, index))

    @_with_numbers
    def __add__(self, other: Number) -> Number:
        if type(other) is not Unknown and other == 0:
            return self
        return self._new(self.assignments.add(self.node_index, self.assignments.index_of(other)))

    __radd__ = __add__

    @_with_numbers
    def __sub__(self, other: Number) -> Number:
        if type(other) is not Unknown and other == 0:
            return self
        return self._new(
            self.assignments.subtract(self.node_index, self.assignments.index_of(other))
        )

    @_with_numbers
    def __rsub__(self, other: Number) -> Number:
        if other == 0:
            return -self
        return self._new(
            self.assignments.subtract(self.assignments.index_of(other), self.node_index)
        )

    @_with_numbers
    def __mul__(self, other: Number) -> Number:
        if type(other) is not Unknown:
            if other == 0:
                return 0.0
            if abs(other) == 1:
                return self if other > 0 else -self
        return self._new(
            self.assignments.multiply(self.node_index, self.assignments.index_of(other))
        )

    __rmul__ = __mul__

    @_with_numbers
    def __truediv__(self, other: Number) -> Number:
        if type(other) is not Unknown and abs(math.frexp(other)[0]) == 0.5:
            return self * (1 / other)  # a power of two: the product is exact, and faster
        return self._new(
            self.assignments.node("div", self.node_index, self.assignments.index_of(other))
        )

    @_with_numbers
    def __rtruediv__(self, other: Number) -> Number:
        if other == 0:
            return 0.0
        return self._new(
            self.assignments.node("div", self.assignments.index_of(other), self.node_index)
        )

    @_with_numbers
    def __pow__(self, other: Number) -> Number:
        return FORMULAS["power"](self, other)

    @_with_numbers
    def __rpow__(self, other: Number) -> Number:
        return FORMULAS["power"](other, self)

    @_with_numbers
    def __mod__(self, other: Number) -> Number:
        return FORMULAS["remainder"](self, other)

    @_with_numbers
    def __floordiv__(self, other: Number) -> Number:
        return FORMULAS["floor_divide"](self, other)

    @_with_numbers
    def __rfloordiv__(self, other: Number) -> Number:
        return FORMULAS["floor_divide"](other, self)

    @_with_numbers
    def __rmod__(self, other: Number) -> Number:
        return FORMULAS["remainder"](other, self)

    @_with_numbers
    def __divmod__(self, other: Number) -> tuple[Number, Number]:
        return self // other, self % other

    @_with_numbers
    def __rdivmod__(self, other: Number) -> tuple[Number, Number]:
        return other // self, other % self

    def __neg__(self) -> Unknown:
        return self._new(self.assignments.negate(self.node_index))

    def __pos__(self) -> Unknown:
        return self

    def __abs__(self) -> Number:
        return self._apply("abs")

    __lt__, __le__, __gt__, __ge__ = map(_compare, ("lt", "le", "gt", "ge"))

    __eq__ = _compare("eq")  # type: ignore[assignment]

    @_with_numbers
    def __ne__(self, other: Number) -> Condition:  # type: ignore[override]
        return ~self.condition("eq", other)

    def __round__(self, digits: int | None = None) -> Number:
        if digits:
            raise Refused("round(x, digits) does not accept unknown numbers: leave out compiled")
        return FORMULAS["rint"](self)

    __hash__ = _NumPyEntry.__hash__  # type: ignore[assignment]

    # NumPy calls its functions on the entries of an object array by these names.

    def sqrt(self) -> Unknown:
        """Return the square root; nan of a negative number."""
        return self._apply("sqrt")

    def floor(self) -> Unknown:
        """Return the largest whole number that is not greater."""
        return self._apply("floor")

    def ceil(self) -> Unknown:
        """Return the smallest whole number that is not less."""
        return -(-self).floor()

    def conjugate(self) -> Unknown:
        """Return the number itself, which is real."""
        return self

    def __getattr__(self, name: str) -> Any:
        """Return sin, cos, exp, and the other elementary functions by NumPy's names."""
        if not name.startswith("_") and name in FORMULAS:
            return lambda *others: FORMULAS[name](self, *others)
        raise AttributeError(f"an unknown number has no {name}: leave out compiled")


class Condition(_NumPyEntry):
    """A condition without a value. Combine conditions with ``&``, ``|`` and ``~``.

    Parameters
    ----------
    assignments : Assignments
    node_index : int
        Index of its node in the list.

    Raises
    ------
    TypeError
        If its value is needed, as for ``if``, ``and``, ``or`` or ``not``.
    """

    __slots__ = ("assignments", "node_index")

    def __init__(self, assignments: Assignments, node_index: int) -> None:
        self.assignments, self.node_index = assignments, node_index

    @property
    def number(self) -> Number:
        """1 where the condition holds, 0 elsewhere."""
        return where(self, 1.0, 0.0)

    def _join(self, operation: str, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        if isinstance(other, bool | np.bool_):
            is_decided = bool(other) == (operation == "or")
            return Condition(self.assignments, self._constant(bool(other))) if is_decided else self
        index = self.assignments.node(operation, self.node_index, other.node_index)
        return Condition(self.assignments, index)

    def _constant(self, value: bool) -> int:
        index_of_one = self.assignments.index_of(1.0)
        return self.assignments.node(
            "eq", index_of_one, index_of_one if value else self.assignments.index_of(0.0)
        )

    def __and__(self, other: Truth) -> Condition:
        return self._join("and", other)  # type: ignore[no-any-return]

    def __or__(self, other: Truth) -> Condition:
        return self._join("or", other)  # type: ignore[no-any-return]

    __rand__, __ror__ = __and__, __or__

    def __invert__(self) -> Condition:
        return Condition(self.assignments, self.assignments.node("not", self.node_index))

    __eq__ = _refuses(_ADVICE)
    __hash__ = _NumPyEntry.__hash__  # type: ignore[assignment]

    def __add__(self, other: Any) -> Any:
        return self.number + _as_number(other)

    def __sub__(self, other: Any) -> Any:
        return self.number - _as_number(other)

    def __rsub__(self, other: Any) -> Any:
        return other - self.number

    def __mul__(self, other: Any) -> Any:
        return self.number * _as_number(other)

    def __truediv__(self, other: Any) -> Any:
        return self.number / _as_number(other)

    def __rtruediv__(self, other: Any) -> Any:
        return other / self.number

    __radd__, __rmul__ = __add__, __mul__


def _as_number(value: object) -> Any:
    return value.number if isinstance(value, Condition) else value


#: A number or a condition of a formula, known or unknown during tracing.
Number = float | Unknown
Truth = bool | Condition
#: Several numbers, in an array or a list.
Numbers = Sequence[Number] | Array | NDArray[np.object_]


@overload
def where(condition: Truth, this: Number, that: Number) -> Number: ...
@overload
def where(condition: object, this: object, that: object) -> Any: ...
def where(condition: Any, this: Any, that: Any) -> Any:
    """Return ``this`` where the condition holds and ``that`` elsewhere: the ``if`` of a formula.

    Parameters
    ----------
    condition : bool or Condition, or an array of them
    this, that : number, or array
        Floats or unknowns.

    Returns
    -------
    number, or array
        For a single known condition, ``this`` or ``that`` unchanged.
    """
    if condition is True or condition is False:
        return this if condition else that
    if isinstance(condition, Condition):
        if any(isinstance(value, np.ndarray | list | tuple) for value in (this, that)):
            return _where_each(condition, this, that)
        a, b = condition.assignments.index_of(this), condition.assignments.index_of(that)
        if a == b:
            return this
        index = condition.assignments.node("select", condition.node_index, a, b)
        return Unknown(condition.assignments, index)
    if isinstance(condition, np.ndarray | list | tuple) and np.ndim(condition):
        return _where_each(condition, this, that)
    return this if condition else that


def _where_each(*arrays: object) -> Array:
    """Apply `where` entry by entry."""
    broadcast = np.broadcast_arrays(*(np.asarray(a, dtype=object) for a in arrays))
    chosen = [where(*entries) for entries in zip(*(a.ravel() for a in broadcast))]
    if any(isinstance(entry, Unknown) for entry in chosen):
        return NUMPY["array"](chosen).reshape(broadcast[0].shape)  # type: ignore[no-any-return]
    result = real_array(np.array(chosen, dtype=object), "what where chooses from", finite=False)
    return result.reshape(broadcast[0].shape)
