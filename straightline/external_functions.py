"""Functions that a program takes from outside: in the page, what a reader has typed.

They have derivatives of every order, which come from outside as well. The exercises' panels use
them: their equations are complete but for the reader's part.
"""

from __future__ import annotations

import functools
import math

import sympy as sm

from straightline.assignments import Number, Unknown


class Outside(sm.Function):  # type: ignore[misc]
    """A real function whose values come from outside, or one of its partial derivatives."""

    name: str
    orders: tuple[int, ...]

    @classmethod
    def eval(cls, *_: object) -> None:
        """Return nothing: it has no value before it is computed."""

    def fdiff(self, argindex: int = 1) -> sm.Expr:
        """Return the partial derivative with respect to one argument, counted from 1."""
        orders = [n + (i == argindex) for i, n in enumerate(self.orders, 1)]
        return outside(self.name, tuple(orders))(*self.args)

    @classmethod
    def formula(cls, *numbers: Number) -> Number:
        """Return what the routine from outside gives in a program; elsewhere it is not a number."""
        for number in numbers:
            if isinstance(number, Unknown):
                return number.assignments.outside(cls.__name__, numbers)
        return math.nan


@functools.cache
def outside(name: str, orders: tuple[int, ...]) -> type[Outside]:
    """Return a function from outside, or a derivative of it.

    Parameters
    ----------
    name : str
        Such as ``"answer_0"``.
    orders : tuple of int
        How often it is differentiated with respect to each of its arguments.

    Returns
    -------
    type
        To be called with as many expressions. In a program its routine has the name and the
        orders, such as ``answer_0_d_0_2``.
    """
    full = "_".join([name, "d", *map(str, orders)])
    return type(full, (Outside,), {"name": name, "orders": orders, "nargs": len(orders)})
