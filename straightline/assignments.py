"""One list of single assignments over floats: what a formula does, each operation only once.

An `Unknown` is a number whose value is not known yet. What is done with it is written down: a
Python function that is called with unknowns leaves behind the list of its operations. The list is
printed as Python, and as WebAssembly that your computer and your browser run alike. Chapter 1
prints one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from straightline.aliases import Array
from straightline.arguments import real_array, shown, whole_number

#: An operation and its arguments: places of earlier nodes, or names and numbers.
Node = tuple[Any, ...]
#: Operations whose result is true or false.
CONDITIONS = frozenset(["lt", "le", "gt", "ge", "eq", "and", "or", "not"])
#: Operations that have no node among their arguments.
SOURCES = frozenset(["constant", "input", "local", "load"])

T = TypeVar("T")

#: Of one array: more takes minutes to follow, and gigabytes.
MOST_ENTRIES = 100_000
_ADVICE = (
    "the value of an unknown number cannot be asked for while a formula is followed: instead of "
    "if, == or float() write where(condition, this, that)"
)
_NO_DIGITS = "an unknown number has no digits to be written while a formula is followed"
#: The elementary functions by NumPy's names: `functions` fills it with their formulas.
FORMULAS: dict[str, Callable[..., Number]] = {}
#: What was refused while functions were followed: one of them may catch the error and go on.
REFUSED: list[str] = []


def refusal(reason: str = _ADVICE) -> TypeError:
    """Return the error for what has no answer before the numbers are known, and write it down."""
    REFUSED.append(reason)
    return TypeError(reason)


class Assignments:
    """A list of nodes (operation, arguments); a node that is there already is not added again."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.imported: dict[str, int] = {}
        self.systems: dict[Any, str] = {}
        self._places: dict[Node, int] = {}

    def node(self, *node: object) -> int:
        """Return the place of a node; append it if it is new."""
        place = self._places.get(node)
        if place is None:
            place = self._places[node] = len(self.nodes)
            self.nodes.append(node)
        return place

    def place(self, value: Number | Condition) -> int:
        """Return the place of an unknown, or of a known number."""
        if isinstance(value, Unknown | Condition):
            return value.place
        try:
            return self.node("constant", float(value).hex())
        except (TypeError, ValueError):
            raise TypeError(f"a formula must give real numbers; got {shown(value)}") from None

    def unknown(self, *node: object) -> Unknown:
        """Return the unknown that a node gives."""
        return Unknown(self, self.node(*node))

    def inputs(self, name: str, count: int) -> NDArray[np.object_]:
        """Return an array of unknowns: the entries of an input, shape (count,)."""
        length = whole_number(count, "the length of an array", 0, MOST_ENTRIES)
        return np.array([self.unknown("input", name, i) for i in range(length)], dtype=object)

    def outside(self, name: str, values: Sequence[Number]) -> Unknown:
        """Return what a routine from outside gives for these numbers; see `outside`."""
        self.imported[name] = len(values)
        return self.unknown("result", self.node("call", name, *map(self.place, values)), 0)

    def solved(self, system: Any, numbers: Sequence[Number]) -> list[Number]:
        """Return x of a system of equations; see `elimination`."""
        name = self.systems.setdefault(system, f"solve_{len(self.systems)}")
        made = self.node("call", name, *map(self.place, numbers))
        return [self.unknown("result", made, i) for i in range(system.unknowns)]

    # Signs move outwards, so that a - b and b - a share their operands. All this is exact.

    def add(self, a: int, b: int) -> int:
        """Return the place of a + b."""
        if self.nodes[b][0] == "neg":
            return self.subtract(a, self.nodes[b][1])
        if self.nodes[a][0] == "neg":
            return self.subtract(b, self.nodes[a][1])
        return self.node("add", *((a, b) if a < b else (b, a)))

    def subtract(self, a: int, b: int) -> int:
        """Return the place of a - b."""
        if self.nodes[b][0] == "neg":
            return self.add(a, self.nodes[b][1])
        return self.node("sub", a, b)

    def multiply(self, a: int, b: int) -> int:
        """Return the place of a · b."""
        if self.nodes[a][0] == "neg":
            return self.negate(self.multiply(self.nodes[a][1], b))
        if self.nodes[b][0] == "neg":
            return self.negate(self.multiply(a, self.nodes[b][1]))
        return self.node("mul", *((a, b) if a < b else (b, a)))

    def negate(self, a: int) -> int:
        """Return the place of -a."""
        return int(self.nodes[a][1]) if self.nodes[a][0] == "neg" else self.node("neg", a)


def _number(operation: Callable[[Unknown, Number], T]) -> Callable[[Unknown, Number], T]:
    """Leave arrays, and numbers of other kinds such as jets, to their own arithmetic."""

    def method(self: Unknown, other: Number) -> Any:
        kind = type(other)
        if kind is Unknown or kind is float or kind is int or isinstance(other, np.number):
            return operation(self, other)
        return NotImplemented

    return method


def _compare(operation: str) -> Callable[[Unknown, Number], Condition]:
    return _number(lambda self, other: self.condition(operation, other))


class Unknown:
    """A number known by its place in a list: arithmetic with it appends to the list.

    Parameters
    ----------
    assignments : Assignments
    place : int

    Raises
    ------
    TypeError
        If its value is asked for, by ``if``, ``==`` or ``float()``.
    """

    __slots__ = ("assignments", "place")

    def __init__(self, assignments: Assignments, place: int) -> None:
        self.assignments, self.place = assignments, place

    def __repr__(self) -> str:
        refusal(_NO_DIGITS)  # not raised: errors, too, show what they are about
        return f"Unknown({self.place})"

    def __str__(self) -> str:
        raise refusal(_NO_DIGITS)

    def __format__(self, _: str) -> str:
        return str(self)

    def __reduce_ex__(self, _: object) -> NoReturn:
        raise refusal(_NO_DIGITS)

    def __copy__(self) -> Unknown:
        return self

    def __deepcopy__(self, _: object) -> Unknown:
        return self

    def _new(self, place: int) -> Unknown:
        return Unknown(self.assignments, place)

    def _apply(self, operation: str) -> Unknown:
        return self._new(self.assignments.node(operation, self.place))

    def condition(self, operation: str, other: Number) -> Condition:
        """Return a comparison with another number: of ``"lt", "le", "gt", "ge", "eq"``."""
        place = self.assignments.place(other)
        return Condition(self.assignments, self.assignments.node(operation, self.place, place))

    @_number
    def __add__(self, other: Number) -> Number:
        if type(other) is not Unknown and other == 0:
            return self
        return self._new(self.assignments.add(self.place, self.assignments.place(other)))

    __radd__ = __add__

    @_number
    def __sub__(self, other: Number) -> Number:
        if type(other) is not Unknown and other == 0:
            return self
        return self._new(self.assignments.subtract(self.place, self.assignments.place(other)))

    @_number
    def __rsub__(self, other: Number) -> Number:
        if other == 0:
            return -self
        return self._new(self.assignments.subtract(self.assignments.place(other), self.place))

    @_number
    def __mul__(self, other: Number) -> Number:
        if type(other) is not Unknown:
            if other == 0:
                return 0.0
            if abs(other) == 1:
                return self if other > 0 else -self
        return self._new(self.assignments.multiply(self.place, self.assignments.place(other)))

    __rmul__ = __mul__

    @_number
    def __truediv__(self, other: Number) -> Number:
        if type(other) is not Unknown and abs(math.frexp(other)[0]) == 0.5:
            return self * (1 / other)  # a power of two: the product is as exact, and quicker
        return self._new(self.assignments.node("div", self.place, self.assignments.place(other)))

    @_number
    def __rtruediv__(self, other: Number) -> Number:
        if other == 0:
            return 0.0
        return self._new(self.assignments.node("div", self.assignments.place(other), self.place))

    @_number
    def __pow__(self, other: Number) -> Number:
        return FORMULAS["power"](self, other)

    @_number
    def __rpow__(self, other: Number) -> Number:
        return FORMULAS["power"](other, self)

    @_number
    def __mod__(self, other: Number) -> Number:
        return FORMULAS["remainder"](self, other)

    def __neg__(self) -> Unknown:
        return self._new(self.assignments.negate(self.place))

    def __pos__(self) -> Unknown:
        return self

    def __abs__(self) -> Number:
        return self._apply("abs")

    __lt__, __le__, __gt__, __ge__ = map(_compare, ("lt", "le", "gt", "ge"))

    def __eq__(self, other: object) -> bool:
        raise refusal()

    def __bool__(self) -> bool:
        raise refusal()

    __float__ = __int__ = __index__ = __hash__ = __bool__

    # NumPy asks the entries of an array of objects for its functions by these names.

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
        """Return the number itself: it is real."""
        return self

    def __getattr__(self, name: str) -> Any:
        """Find sin, cos, exp and the other elementary functions by NumPy's names."""
        if not name.startswith("_") and name in FORMULAS:
            return lambda *others: FORMULAS[name](self, *others)
        raise AttributeError(f"an unknown number has no {name}")


class Condition:
    """Whether something holds; not known yet. Join conditions by ``&``, ``|`` and ``~``.

    Parameters
    ----------
    assignments : Assignments
    place : int

    Raises
    ------
    TypeError
        If it is asked for, by ``if``, ``and``, ``or`` or ``not``.
    """

    __slots__ = ("assignments", "place")

    def __init__(self, assignments: Assignments, place: int) -> None:
        self.assignments, self.place = assignments, place

    def _join(self, operation: str, other: Truth) -> Condition:
        if isinstance(other, bool | np.bool_):
            decided = bool(other) == (operation == "or")
            return Condition(self.assignments, self._constant(other)) if decided else self
        place = self.assignments.node(operation, self.place, other.place)
        return Condition(self.assignments, place)

    def _constant(self, value: bool) -> int:
        one = self.assignments.place(1.0)
        return self.assignments.node("eq", one, one if value else self.assignments.place(0.0))

    def __and__(self, other: Truth) -> Condition:
        return self._join("and", other)

    def __or__(self, other: Truth) -> Condition:
        return self._join("or", other)

    __rand__, __ror__ = __and__, __or__

    def __invert__(self) -> Condition:
        return Condition(self.assignments, self.assignments.node("not", self.place))

    def __eq__(self, other: object) -> bool:
        raise refusal()

    def __bool__(self) -> bool:
        raise refusal()

    __hash__ = __bool__


#: A number of a formula, and whether something holds: known while it is written, or unknown.
Number = float | Unknown
Truth = bool | Condition
#: Several numbers, in an array or a list.
Numbers = Sequence[Number] | Array | NDArray[np.object_]


@overload
def where(condition: Truth, this: Number, that: Number) -> Number: ...
@overload
def where(condition: object, this: object, that: object) -> Any: ...
def where(condition: Any, this: Any, that: Any) -> Any:
    """Return ``this`` where the condition holds, else ``that``: the ``if`` of a formula.

    Parameters
    ----------
    condition : bool or Condition, or an array of them
    this, that : number, or array
        Known or unknown.

    Returns
    -------
    number, or array
        For one condition that is known, ``this`` or ``that`` as it is.
    """
    if condition is True or condition is False:
        return this if condition else that
    if isinstance(condition, Condition):
        if isinstance(this, np.ndarray) or isinstance(that, np.ndarray):
            return _each(condition, this, that)
        a, b = condition.assignments.place(this), condition.assignments.place(that)
        if a == b:
            return this
        place = condition.assignments.node("select", condition.place, a, b)
        return Unknown(condition.assignments, place)
    if isinstance(condition, np.ndarray | list | tuple) and np.ndim(condition):
        return _each(condition, this, that)
    return this if condition else that


def _each(*arrays: object) -> Array:
    """Apply `where` entry by entry."""
    wide = np.broadcast_arrays(*(np.asarray(a, dtype=object) for a in arrays))
    chosen = [where(*entries) for entries in zip(*(a.ravel() for a in wide))]
    result = np.empty(len(chosen), dtype=object)
    result[:] = chosen
    if not any(isinstance(entry, Unknown) for entry in chosen):
        result = real_array(result, "what where chooses from", finite=False)
    return result.reshape(wide[0].shape)
