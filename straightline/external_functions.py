"""External functions, whose values a page supplies, such as an answer that a reader has typed.

They have derivatives of every order, which are external as well. Panels of exercises use them:
their equations are complete except for the reader's part.
"""

from __future__ import annotations

import functools
import math

import sympy as sm

from straightline.assignments import Number, Unknown


class ExternalFunction(sm.Function):  # type: ignore[misc]
    """A real function with external values, or one of its partial derivatives."""

    name: str
    orders: tuple[int, ...]

    @classmethod
    def eval(cls, *_: object) -> None:
        """Return None, because SymPy does not know the value."""

    def fdiff(self, argindex: int = 1) -> sm.Expr:
        """Return the partial derivative with respect to one argument, counted from 1."""
        orders = [n + (i == argindex) for i, n in enumerate(self.orders, 1)]
        return external_function(self.name, tuple(orders))(*self.args)

    @classmethod
    def formula(cls, *numbers: Number) -> Number:
        """Return the result of the external routine in a program; nan elsewhere."""
        for number in numbers:
            if isinstance(number, Unknown):
                return number.assignments.external(cls.__name__, numbers)
        return math.nan


@functools.cache
def external_function(name: str, orders: tuple[int, ...]) -> type[ExternalFunction]:
    """Return an external function, or a partial derivative of it.

    Parameters
    ----------
    name : str
        The name, such as ``"answer_0"``.
    orders : tuple of int
        The order of the derivative with respect to each argument.

    Returns
    -------
    type
        A SymPy function of that number of expressions. In a program, the name of its routine
        contains the orders, such as ``answer_0_d_0_2``.
    """
    full_name = "_".join([name, "d", *map(str, orders)])
    return type(
        full_name, (ExternalFunction,), {"name": name, "orders": orders, "nargs": len(orders)}
    )
