"""Jets: numbers with their first two time derivatives, for automatic differentiation.

The attitude controller of chapter 9 needs the derivatives of the thrust that another controller
computes without derivatives; evaluated with jets, it gives them to rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import entries, shown
from straightline.assignments import Number


def _with_jet(operation: Callable[[Jet, Jet], Jet]) -> Callable[[Jet, Jet | Number], Jet]:
    """Return a method that converts numbers to jets, and lets NumPy loop over arrays."""

    def method(self: Jet, other: object) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        return operation(self, other if isinstance(other, Jet) else Jet(other))

    return method


@dataclass(frozen=True, eq=False)
class Jet:
    """A quantity and its first two time derivatives.

    Parameters
    ----------
    value, rate, second : number
    """

    value: Any
    rate: Any = 0.0
    second: Any = 0.0

    @_with_jet
    def __add__(self, other: Jet) -> Jet:
        a, b = self, other
        return Jet(a.value + b.value, a.rate + b.rate, a.second + b.second)

    @_with_jet
    def __sub__(self, other: Jet) -> Jet:
        a, b = self, other
        return Jet(a.value - b.value, a.rate - b.rate, a.second - b.second)

    @_with_jet
    def __mul__(self, other: Jet) -> Jet:
        a, b = self, other
        second = a.second * b.value + 2.0 * (a.rate * b.rate) + a.value * b.second
        return Jet(a.value * b.value, a.rate * b.value + a.value * b.rate, second)

    @_with_jet
    def __truediv__(self, other: Jet) -> Jet:
        value = self.value / other.value  # a power of a small divisor could underflow
        rate = (self.rate - value * other.rate) / other.value
        second = (self.second - 2.0 * (rate * other.rate) - value * other.second) / other.value
        return Jet(value, rate, second)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: Number) -> Jet:
        return -self + other

    def __rtruediv__(self, other: Number) -> Jet:
        return Jet(other) / self

    def __neg__(self) -> Jet:
        return Jet(-self.value, -self.rate, -self.second)

    def __pow__(self, power: float) -> Jet:
        if power == 2:
            return self * self
        value = self.value ** (power - 2)
        slopes = power * value * self.value, power * (power - 1) * value
        return self.function(value * self.value**2, *slopes)

    def function(self, value: Any, slope: Any, curvature: Any) -> Jet:
        """Return a function of this quantity, given its value and derivatives at this value."""
        try:
            second = curvature * self.rate**2 + slope * self.second
            return Jet(value, slope * self.rate, second)
        except TypeError:
            both = f"{shown(slope)} and {shown(curvature)}"
            raise TypeError(f"slope and curvature must be numbers; got {both}") from None

    # NumPy calls these methods on the entries of object arrays.
    def sqrt(self) -> Jet:
        """Return the square root."""
        root = np.sqrt(self.value)
        return self.function(root, 0.5 / root, -0.25 / (root * self.value))

    def sin(self) -> Jet:
        """Return the sine."""
        sine, cosine = np.sin(self.value), np.cos(self.value)
        return self.function(sine, cosine, -sine)

    def cos(self) -> Jet:
        """Return the cosine."""
        sine, cosine = np.sin(self.value), np.cos(self.value)
        return self.function(cosine, -sine, -cosine)


def jets(value: ArrayLike, rate: ArrayLike, second: ArrayLike | None = None) -> Array:
    """Return an array of jets from arrays of values, first and second derivatives.

    Parameters
    ----------
    value, rate : array
    second : array, optional
        Zero unless given.

    Returns
    -------
    array
        Its shape is the one to which the arguments broadcast.

    Raises
    ------
    TypeError
        If an entry is not a number.
    ValueError
        If the shapes do not match.
    """
    orders = {"value": value, "rate": rate, "second": 0.0 if second is None else second}
    arrays = [entries(array, name, ("...",)) for name, array in orders.items()]
    try:
        return np.asarray(np.vectorize(Jet, otypes=[object])(*arrays))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays[: 2 + (second is not None)])
        raise ValueError(
            f"value, rate and second must have the same shape; got shapes {shapes}"
        ) from None


def derivatives(array: object) -> tuple[Array, Array, Array]:
    """Return values, first, and second derivatives of an array of jets.

    Raises
    ------
    TypeError
        If an entry is not a jet.
    """
    entries = np.asarray(array, dtype=object)
    if not all(isinstance(entry, Jet) for entry in entries.flat):
        raise TypeError(f"array must contain jets, such as jets(value, rate); got {shown(array)}")

    def part(name: str) -> Array:
        return np.array([getattr(entry, name) for entry in entries.flat]).reshape(entries.shape)

    return part("value"), part("rate"), part("second")


def with_derivatives(position: Callable[[Jet], Sequence[Jet | float]]) -> Callable[[Number], Array]:
    """Return a function t -> array, shape (5, n), of a position and its first four derivatives.

    Parameters
    ----------
    position : function t -> n numbers
        Composed of sums, products, powers, roots, sines, and cosines.

    Returns
    -------
    function
    """

    def path(t: Number) -> Array:
        zero = Jet(0.0)
        twice = Jet(Jet(t, 1.0), Jet(1.0))  # t with derivatives of its derivatives
        along = [Jet(zero, zero, zero) + entry for entry in position(twice)]
        first, last = [c.value for c in along], [c.second for c in along]
        rows = [[getattr(c, name) for c in first] for name in ("value", "rate", "second")]
        return np.array([*rows, *([getattr(c, name) for c in last] for name in ("rate", "second"))])

    return path
