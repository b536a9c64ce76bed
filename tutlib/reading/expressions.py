"""Readers of symbolic arguments: expressions, lists, matrices, symbols by name.

Reasonable shorthands are accepted, such as a single expression that is not in a list, or a name
for a symbol; text is never parsed as an expression.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Real

import numpy as np
import sympy as sm

from straightline.arguments import shown
from tutlib.reading.parameters import match_pairs

_NO_NUMBERS = (sm.nan, sm.zoo, sm.oo, -sm.oo)


def read_expression(value: object, name: str) -> sm.Expr:
    """Return a number or an expression as an expression; a 1 x 1 matrix becomes its entry.

    Parameters
    ----------
    value : Expr or number
    name : str
        Its name in messages.

    Raises
    ------
    TypeError
        If it is text, or any other object that is not an expression.
    ValueError
        If it is a number that is not finite.
    """
    if isinstance(value, sm.MatrixBase) and value.shape == (1, 1):
        value = value[0, 0]
    if isinstance(value, np.generic | np.ndarray) and value.shape == ():
        value = value.item()
    if isinstance(value, Real) and not isinstance(value, bool):
        value = sm.sympify(value)
    if isinstance(value, str):
        raise TypeError(
            f"{name} must be an expression, not text; got {shown(value)}: "
            "create its symbols with sm.symbols and dynamicsymbols"
        )
    if not isinstance(value, sm.Expr) or value.is_Matrix:
        raise TypeError(f"{name} must be an expression or a number; got {shown(value)}")
    if value in _NO_NUMBERS:
        raise ValueError(f"{name} must be finite; got {value}")
    return value


def read_entry(value: object) -> sm.Expr | sm.MatrixBase:
    """Return a matrix unchanged, and any other argument as `read_expression` does."""
    return value if isinstance(value, sm.MatrixBase) else read_expression(value, "an entry")


def read_list(values: object) -> list[object]:
    """Return the entries of a list, tuple, array, or matrix; any other object is a list of one.

    None is an empty list.
    """
    if values is None:
        return []
    if isinstance(values, sm.MatrixBase):
        return list(values)
    if isinstance(values, str | bytes | sm.Expr | Mapping) or not isinstance(values, Iterable):
        return [values]
    return [values] if isinstance(values, np.ndarray) and values.ndim == 0 else list(values)


def read_expressions(values: object, name: str) -> tuple[sm.Expr, ...]:
    """Return expressions, given as a list, a matrix, or a single expression.

    Parameters
    ----------
    values : Expr, or sequence of Expr
    name : str
        Name of each of them in messages, followed by its number.

    Raises
    ------
    TypeError, ValueError
        As for `read_expression`.
    """
    return tuple(read_expression(e, f"{name} {i}") for i, e in enumerate(read_list(values), 1))


def read_matrix(value: object, name: str) -> sm.ImmutableDenseMatrix:
    """Return a matrix, given as a matrix, as rows, as a list (a column), or as a single entry.

    Parameters
    ----------
    value : Matrix, sequence of rows, sequence of Expr, or Expr
    name : str
        Its name in messages.

    Raises
    ------
    TypeError
        If an entry is not an expression.
    ValueError
        If the rows have different lengths.
    """
    if isinstance(value, sm.MatrixBase):
        return sm.ImmutableDenseMatrix(value)
    rows = [read_list(row) for row in read_list(value)]
    if len({len(row) for row in rows}) > 1:
        raise ValueError(f"{name} has rows of different lengths; got {shown(value)}")
    return sm.ImmutableDenseMatrix(
        [[read_expression(e, f"an entry of {name}") for e in row] for row in rows]
    )


def read_symbols(
    symbols: object, known: Iterable[sm.Expr], complaint: str, offer: str
) -> list[sm.Expr]:
    """Return some of the known symbols, given as symbols or names, in a list or a single one.

    Raises
    ------
    ValueError
        If a symbol is unknown (the message gives the closest one) or given twice.
    """
    return list(match_pairs([(key, None) for key in read_list(symbols)], known, complaint, offer))
