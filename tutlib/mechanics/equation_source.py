"""Readable source of equations of motion: common subexpressions, then M, F, and the rates.

Nothing is simplified, inverted, or solved symbolically. This text is only for reading: the same
expressions are compiled without it. Chapter 1 prints it for one swinging arm.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import sympy as sm
from sympy.printing.pycode import PythonCodePrinter

from straightline.arguments import instance, several, shown
from tutlib.mechanics.solved_equations import SolvedEquations, is_symmetric
from tutlib.reading.names import identifiers, plain_name

Assignment = tuple[sm.Symbol, sm.Expr]


def eliminate_common_subexpressions(
    expressions: Sequence[sm.Expr],
) -> tuple[list[Assignment], list[sm.Expr]]:
    """Split expressions into named common subexpressions and the rest of each.

    Parameters
    ----------
    expressions : sequence of Expr

    Returns
    -------
    assignments : list of (Symbol, Expr)
        ``c0, c1, ...`` in the order in which they must be computed.
    reduced : list of Expr
        The expressions in terms of them.

    Raises
    ------
    TypeError
        If one of them is not an expression.
    """
    every = several(expressions, "expressions", _expression)
    symbols = sm.numbered_symbols("c")
    assignments, reduced = sm.cse(every, symbols=symbols, order="none")
    return assignments, reduced


def _expression(value: object) -> sm.Expr:
    if isinstance(value, str) or not isinstance(value, sm.Basic | sm.MatrixBase | int | float):
        raise TypeError(f"expressions must contain expressions; got {shown(value)}")
    return value


def readable_source(equations: SolvedEquations) -> str:
    """Return readable source of the right-hand side, a function ``right_hand_side(t, x, p)``.

    Parameters
    ----------
    equations : SolvedEquations

    Returns
    -------
    str

    Raises
    ------
    TypeError
        If the argument is of another type.
    """
    hint = "print f.source of a compiled right-hand side"
    equations = instance(equations, "equations", SolvedEquations, hint)
    states, parameters = equations.states, equations.parameters
    names = identifiers([*states, *parameters])
    n, q = len(equations.forcing), len(equations.rates)
    every = [*equations.mass_matrix, *equations.forcing, *equations.rates]
    renamed = [sm.sympify(e).xreplace(names) for e in (*every, *equations.auxiliary_rates)]
    common, reduced = eliminate_common_subexpressions(renamed)
    printed = list(map(_printed, reduced))
    M, F, rates = printed[: n * n], printed[n * n : n * n + n], printed[n * n + n :]
    solve = "solve_symmetric" if is_symmetric(equations.mass_matrix) else "solve_general"
    arguments = f"M, F, {equations.multipliers}" if equations.multipliers else "M, F"
    x, p = (", ".join(_printed_name(s, names[s]) for s in each) for each in (states, parameters))
    lines = [
        f'"""x = [{x}], p = [{p}]."""',
        *(f"{names[state]} = x[{i}]" for i, state in enumerate(states)),
        *(f"{names[symbol]} = p[{i}]" for i, symbol in enumerate(parameters)),
        *(f"{name} = {_printed(value)}" for name, value in common),
        f"M = [{', '.join(M)}]",
        f"F = [{', '.join(F)}]",
        f"u_dot = {solve}({arguments})  # M u' = F",
        f"return [{', '.join([*rates[:q], '*u_dot', *rates[q:]])}]",
    ]
    return "\n".join(["def right_hand_side(t, x, p):", *(f"    {line}" for line in lines), ""])


def _printed_name(symbol: sm.Expr, identifier: sm.Symbol) -> str:
    """Return a symbol's name, or its identifier if the name could end the docstring."""
    name = plain_name(symbol)
    return name if re.fullmatch(r"[\w' ,(){}^+-]+", name) else str(identifier)


def _printed(expression: sm.Expr) -> str:
    return str(PythonCodePrinter({"fully_qualified_modules": True}).doprint(expression))
