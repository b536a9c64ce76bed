"""Expressions become source code: a list of ``name = expression``, printed once per language.

Common subexpressions get a name and are computed once; nothing is simplified, inverted or solved
symbolically. The text is there to be read. Chapter 1 prints it for one
swinging arm, chapter 3 measures it for long chains.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import sympy as sm
from sympy.core.function import AppliedUndef
from sympy.printing.codeprinter import PrintMethodNotImplementedError
from sympy.printing.jscode import JavascriptCodePrinter
from sympy.printing.numpy import NumPyPrinter
from sympy.printing.pretty.pretty_symbology import pretty_symbol
from sympy.printing.pycode import PythonCodePrinter

Assignment = tuple[sm.Symbol, sm.Expr]
_RESERVED_WORDS = """
t x p dx M F du out math numpy rows solve_rows solve_general solve_symmetric zero Math arguments
abs len max min range njit KERNEL LANES INLINED
await boolean case catch const debugger default delete do enum eval export extends false function
implements instanceof interface let new null package private protected public static super switch
this throw true typeof undefined NaN Infinity var void
"""
_RESERVED = set(_RESERVED_WORDS.split())


def state_name(symbol: sm.Expr) -> str:
    r"""Return the LaTeX name of a coordinate or a speed, such as ``\dot{\theta}``."""
    if isinstance(symbol, sm.Derivative):
        return rf"\dot{{{state_name(symbol.expr)}}}"
    return str(sm.latex(sm.Symbol(plain_name(symbol))))


def label_of(symbol: sm.Expr) -> str:
    """Return the name of a symbol or a state for people, such as θ̇, θ₁ or k_p."""
    if isinstance(symbol, sm.Derivative):
        label, dots = label_of(symbol.expr), len(symbol.variables)
        mark = "\N{COMBINING DIAERESIS}" if dots == 2 else dots * "\N{COMBINING DOT ABOVE}"
        return label[0] + mark + label[1:]
    pretty: Any = pretty_symbol
    name, _, index = plain_name(symbol).partition("_")
    if index.isdigit():
        return str(pretty(f"{name}_{index}"))
    return "_".join([pretty(name), index] if index else [pretty(name)])


def plain_name(symbol: sm.Expr) -> str:
    """Return the name of a symbol or a state in plain letters, such as ``theta_dot``."""
    if isinstance(symbol, sm.Derivative):
        return plain_name(symbol.expr) + "_dot"
    return str(symbol.func) if isinstance(symbol, AppliedUndef) else str(symbol)


def identifiers(symbols: Iterable[sm.Expr]) -> dict[sm.Expr, sm.Symbol]:
    """Give each symbol, function of time or derivative a name that any language accepts.

    Parameters
    ----------
    symbols : iterable of Expr

    Returns
    -------
    dict
        From each of them to a ``Symbol``; all names differ.
    """
    names: dict[sm.Expr, sm.Symbol] = {}
    taken = set(_RESERVED)
    for symbol in symbols:
        name = re.sub(r"\W", "_", plain_name(symbol), flags=re.ASCII).strip("_") or "symbol"
        name = f"symbol_{name}" if name[0].isdigit() else name
        while name in taken or keyword.iskeyword(name) or re.fullmatch(r"c\d+", name):
            name += "_"
        taken.add(name)
        names[symbol] = sm.Symbol(name)
    return names


def eliminate_common_subexpressions(
    expressions: Sequence[sm.Expr],
) -> tuple[list[Assignment], list[sm.Expr]]:
    """Split expressions into named common parts and what is left of each.

    Parameters
    ----------
    expressions : sequence of Expr

    Returns
    -------
    assignments : list of (Symbol, Expr)
        ``c0, c1, ...`` in the order in which they must be computed.
    reduced : list of Expr
        The expressions in terms of them.
    """
    symbols = sm.numbered_symbols("c")
    assignments, reduced = sm.cse(list(expressions), symbols=symbols, order="none")
    return assignments, reduced


class _ScalarPrinter(PythonCodePrinter):  # type: ignore[misc]
    """Plain Python with ``math``; Numba takes it as it is."""

    def _print_Heaviside(self, expr: sm.Expr) -> str:
        return str(self._print(expr.rewrite(sm.Piecewise)))


class _ArrayPrinter(NumPyPrinter):  # type: ignore[misc]
    """NumPy, element by element; the greatest and the least of several are nested calls."""

    def _nest(self, function: str, arguments: Sequence[sm.Expr]) -> str:
        first, *others = arguments
        text = str(self._print(first))
        return f"{function}({text}, {self._nest(function, others)})" if others else text

    def _print_Max(self, expr: sm.Expr) -> str:
        return self._nest("numpy.maximum", expr.args)

    def _print_Min(self, expr: sm.Expr) -> str:
        return self._nest("numpy.minimum", expr.args)


class _JavaScriptPrinter(JavascriptCodePrinter):  # type: ignore[misc]
    """JavaScript with ``Math``; the square of a name is a product."""

    def _print_Pow(self, expr: sm.Expr) -> str:
        if expr.base.is_Symbol and expr.exp == 2:
            return f"({expr.base}*{expr.base})"
        return str(super()._print_Pow(expr))

    def _print_Mod(self, expr: sm.Expr) -> str:
        return f"({super()._print_Mod(expr)})"

    def _print_Heaviside(self, expr: sm.Expr) -> str:
        return str(self._print(expr.rewrite(sm.Piecewise)))


_PRINTERS: dict[str, Any] = {
    "Python": _ScalarPrinter,
    "NumPy": _ArrayPrinter,
    "JavaScript": _JavaScriptPrinter,
}


def _printer(language: str) -> Callable[[sm.Expr], str]:
    modules = {} if language == "JavaScript" else {"fully_qualified_modules": True}
    printer = _PRINTERS[language]({"strict": True, **modules})

    def print_expression(expression: sm.Expr) -> str:
        if expression.has(sm.I, sm.zoo, sm.nan):
            raise ValueError(f"cannot print {expression}: it is not a real number")
        try:
            return str(printer.doprint(expression))
        except PrintMethodNotImplementedError as error:
            missing = str(error).splitlines()[0].split(": ")[-1]
            raise ValueError(f"cannot print {expression}: no {missing} in {language}") from error

    return print_expression


def _unpack(array: str, symbols: Sequence[sm.Expr], names: dict[sm.Expr, sm.Symbol]) -> list[str]:
    return [f"{names[symbol]} = {array}[{index}]" for index, symbol in enumerate(symbols)]


def _prepare(
    expressions: Iterable[sm.Expr], states: Sequence[sm.Expr], parameters: Sequence[sm.Expr]
) -> tuple[dict[sm.Expr, sm.Symbol], list[Assignment], list[sm.Expr]]:
    names = identifiers([*states, *parameters])
    renamed = [sm.sympify(expression).xreplace(names) for expression in expressions]
    return (names, *eliminate_common_subexpressions(renamed))


def _function(signature: str, docstring: str, body: Iterable[str]) -> str:
    return "\n".join(
        [f"def {signature}:", f'    """{docstring}"""', *(f"    {s}" for s in body), ""]
    )


def _describe(states: Sequence[sm.Expr], parameters: Sequence[sm.Expr]) -> str:
    x, p = (", ".join(map(plain_name, symbols)) for symbols in (states, parameters))
    return f"x = [{x}], p = [{p}]"


def is_symmetric(mass_matrix: sm.MatrixBase) -> bool:
    """Tell whether a mass matrix suits ``solve_symmetric``: symmetric as it is, no zero pivot."""
    return bool(mass_matrix.is_symmetric(simplify=False) and all(mass_matrix.diagonal()))


def scalar_source(
    mass_matrix: sm.MatrixBase,
    forcing: sm.MatrixBase,
    rates: Sequence[sm.Expr],
    auxiliary_rates: Sequence[sm.Expr],
    states: Sequence[sm.Expr],
    parameters: Sequence[sm.Expr],
) -> str:
    """Print ``right_hand_side(t, x, p, dx, M, F)`` for plain Python and Numba.

    It writes dx/dt into ``dx``; ``M`` and ``F`` are its workspace, M row by row.

    Parameters
    ----------
    mass_matrix : Matrix, shape (n, n)
    forcing : Matrix, shape (n, 1)
    rates : sequence of Expr
        The derivatives of the coordinates.
    auxiliary_rates : sequence of Expr
        The derivatives of the auxiliary states.
    states, parameters : sequence of Expr
        What x and p hold, in order.

    Returns
    -------
    str
    """
    n = mass_matrix.shape[0]
    expressions = [*mass_matrix, *forcing, *rates, *auxiliary_rates]
    names, assignments, reduced = _prepare(expressions, states, parameters)
    printed = list(map(_printer("Python"), reduced))
    M, F = printed[: n * n], printed[n * n : n * n + n]
    rate, auxiliary = printed[n * n + n :][: len(rates)], printed[n * n + n + len(rates) :]
    solve = "solve_symmetric" if is_symmetric(mass_matrix) else "solve_general"
    body = [
        *_unpack("x", states, names),
        *_unpack("p", parameters, names),
        *(f"{name} = {_printer('Python')(value)}" for name, value in assignments),
        *(f"M[{i}] = {entry}" for i, entry in enumerate(M)),
        *(f"F[{i}] = {entry}" for i, entry in enumerate(F)),
        f"{solve}(M, F)  # M u' = F: afterwards F holds u'",
        *(f"dx[{i}] = {entry}" for i, entry in enumerate(rate)),
        *(f"dx[{len(rate) + i}] = F[{i}]" for i in range(n)),
        *(f"dx[{len(rate) + n + i}] = {entry}" for i, entry in enumerate(auxiliary)),
    ]
    return _function(
        "right_hand_side(t, x, p, dx, M, F)", _describe(states, parameters) + ".", body
    )


def numpy_source(
    mass_matrix: sm.MatrixBase,
    forcing: sm.MatrixBase,
    rates: Sequence[sm.Expr],
    auxiliary_rates: Sequence[sm.Expr],
    states: Sequence[sm.Expr],
    parameters: Sequence[sm.Expr],
) -> str:
    """Print ``right_hand_side(t, x, p)`` for NumPy: x of shape (k,) or, for N states, (k, N).

    The parameters are those of `scalar_source`.

    Returns
    -------
    str
    """
    n = mass_matrix.shape[0]
    expressions = [*mass_matrix, *forcing, *rates, *auxiliary_rates]
    names, assignments, reduced = _prepare(expressions, states, parameters)
    printed = list(map(_printer("NumPy"), reduced))
    M, F = printed[: n * n], printed[n * n : n * n + n]
    rate, auxiliary = printed[n * n + n :][: len(rates)], printed[n * n + n + len(rates) :]
    body = [
        *_unpack("x", states, names),
        *_unpack("p", parameters, names),
        *(f"{name} = {_printer('NumPy')(value)}" for name, value in assignments),
        f"M = rows([{', '.join(M)}], x)",
        f"F = rows([{', '.join(F)}], x)",
        "du = solve_rows(M, F)  # M u' = F",
        f"return rows([{', '.join([*rate, '*du', *auxiliary])}], x)",
    ]
    return _function("right_hand_side(t, x, p)", _describe(states, parameters) + ".", body)


def assignments(
    targets: Sequence[str],
    expressions: Sequence[sm.Expr],
    states: Sequence[sm.Expr],
    language: str,
    parameters: Sequence[sm.Expr] = (),
) -> list[str]:
    """Print ``target = expression`` for each, after what they need of ``x`` and ``p``.

    Parameters
    ----------
    targets : sequence of str
    expressions : sequence of Expr
        Of time, states and parameters.
    states : sequence of Expr
        What x holds, in order.
    language : {"Python", "NumPy"}
    parameters : sequence of Expr, optional
        What p holds, in order.

    Returns
    -------
    list of str
    """
    names, common, reduced = _prepare(expressions, states, parameters)
    print_ = _printer(language)
    used = set().union(*(e.free_symbols for e in [*reduced, *(value for _, value in common)]))
    return [
        *(f"{names[s]} = x[{i}]" for i, s in enumerate(states) if names[s] in used),
        *(f"{names[s]} = p[{i}]" for i, s in enumerate(parameters) if names[s] in used),
        *(f"{name} = {print_(value)}" for name, value in common),
        *(f"{target} = {print_(value)}" for target, value in zip(targets, reduced)),
    ]


def javascript_source(
    signature: str,
    targets: Sequence[str],
    expressions: Sequence[sm.Expr],
    states: Sequence[sm.Expr],
    parameters: Sequence[sm.Expr],
) -> str:
    """Print a JavaScript method that assigns each expression to its target.

    Parameters
    ----------
    signature : str
        Such as ``equations(t, x, p, M, F, dx)``.
    targets : sequence of str
        Such as ``M[0]``; ``return`` makes it the result.
    expressions : sequence of Expr
        Of time, states and parameters, and of ``Symbol("dx[i]")`` for rates that are given.
    states, parameters : sequence of Expr
        What x and p hold, in order.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If an expression is not real, or JavaScript has no such function.
    """
    names, assignments, reduced = _prepare(expressions, states, parameters)
    print_ = _printer("JavaScript")
    used = set().union(*(e.free_symbols for e in [*reduced, *(value for _, value in assignments)]))
    unpacked = [
        f"const {names[symbol]} = {array}[{index}];"
        for array, symbols in (("x", states), ("p", parameters))
        for index, symbol in enumerate(symbols)
        if names[symbol] in used
    ]
    body = [
        f"// {_describe(states, parameters)}",
        *unpacked,
        *(f"const {name} = {print_(value)};" for name, value in assignments),
        *(
            f"{target}{'' if target == 'return' else ' ='} {print_(value)};"
            for target, value in zip(targets, reduced)
        ),
    ]
    return "\n".join([f"{signature} {{", *(f"  {line}" for line in body), "}"])


def compile_outputs(
    expressions: Sequence[sm.Expr], states: Sequence[sm.Expr], parameters: dict[sm.Expr, float]
) -> Callable[[Any, Any], Any]:
    """Make y(t, x) of expressions of time and state, for one state or a whole trajectory.

    Parameters
    ----------
    expressions : sequence of Expr
        The outputs.
    states : sequence of Expr
        What x holds, in order.
    parameters : dict
        Every other symbol's value.

    Returns
    -------
    function
        ``y(t, x)``: for x of shape (k,) an array of shape (number of outputs,); for x of shape
        (m, k), as in a trajectory, one of shape (m, number of outputs).
    """
    names, assignments, reduced = _prepare(expressions, states, list(parameters))
    print_ = _printer("NumPy")
    lines = [
        *_unpack("x", states, names),
        *_unpack("p", list(parameters), names),
        *(f"{name} = {print_(value)}" for name, value in assignments),
        "zero = 0 * (t + x[0])",
        "return numpy.array([" + ", ".join(f"{print_(e)} + zero" for e in reduced) + "])",
    ]
    namespace: dict[str, Any] = {"numpy": np}
    exec(_function("outputs(t, x, p)", _describe(states, list(parameters)) + ".", lines), namespace)
    values = [float(value) for value in parameters.values()]

    def outputs(t: Any, x: Any) -> Any:
        state, time = np.asarray(x, dtype=float), np.asarray(t, dtype=float)
        return np.moveaxis(namespace["outputs"](time, np.moveaxis(state, -1, 0), values), 0, -1)

    return outputs
