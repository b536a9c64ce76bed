"""Formulas of live simulations, as assignments that tests can read.

The program of a simulation contains its formulas as bytes. They are taken from the objects that it
was made from: SymPy expressions in the plane, traced functions on other spaces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

#: Statements by name of the function: each a target and a Python expression.
Statements = dict[str, list[tuple[str, str]]]

_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
_NAMES = {"sine": "sin", "cosine": "cos"}


def simulations(shown: Any) -> Iterator[tuple[dict[str, Any], Statements]]:
    """Yield specification and formulas of each live simulation that a cell shows.

    Parameters
    ----------
    shown : object
        A live simulation, an object with ``simulations``, or anything else, which has none.
    """
    for simulation in getattr(shown, "simulations", (shown,)):
        if not hasattr(simulation, "formulas"):
            continue
        data = {**simulation.specification}
        if "chart" in data:
            data["chart"] = {k: v for k, v in data["chart"].items() if k != "image"}
        statements_of = _in_the_plane if hasattr(simulation.formulas, "eom") else _in_space
        yield data, statements_of(simulation.formulas)


def _in_the_plane(formulas: Any) -> Statements:
    import sympy as sm

    eom = formulas.eom
    power, rates = formulas.power_of_states()
    names = {sm.Symbol("t"): "t"} | {rate: f"dx[{i}]" for i, rate in enumerate(rates)}
    names |= {state.diff(): f"dx[{i}]" for i, state in enumerate(eom.states)}
    names |= {state: f"x[{i}]" for i, state in enumerate(eom.states)}
    names |= {symbol: f"p[{i}]" for i, symbol in enumerate(formulas.parameters)}
    symbols = {key: sm.Symbol(name) for key, name in names.items()}
    first = len(eom.q) + len(eom.u)
    functions = {
        "equations": {
            **{f"M[{i}]": entry for i, entry in enumerate(eom.mass_matrix)},
            **{f"F[{i}]": entry for i, entry in enumerate(eom.forcing)},
            **{f"dx[{i}]": rate for i, rate in enumerate(eom.rates)},
            **{f"dx[{first + i}]": rate for i, (_, rate) in enumerate(eom.auxiliary)},
        },
        "outputs": {f"out[{i}]": entry for i, entry in enumerate(formulas.expressions)},
        "energyRate": {"return": power},
    }
    if formulas.model.constraints:
        shares = formulas.model.projected, formulas.model.evaluated
        functions["shares"] = dict(zip(("projected", "evaluated"), shares))
    return {name: _by_cse(targets, symbols) for name, targets in functions.items()}


def _by_cse(targets: dict[str, Any], symbols: dict[Any, Any]) -> list[tuple[str, str]]:
    import sympy as sm

    expressions = [sm.sympify(entry).xreplace(symbols) for entry in targets.values()]
    common, rest = sm.cse(expressions, symbols=sm.numbered_symbols("_"), order="none")
    statements = [(str(name), str(part)) for name, part in common]
    return [*statements, *zip(targets, map(str, rest))]


def _in_space(formulas: Any) -> Statements:
    field = formulas.model.field
    space, p = field.space, field.parameters
    a, k = space.algebra, space.dimension
    by_name = {"t": None, "x": k}
    return {
        "field": _traced(
            lambda t, x, *rest: field.function(t, x, **dict(zip(p, rest))), by_name, p
        ),
        "flow": _traced(space.flow, {"xi": a, "x": k}),
        "outputs": _traced(
            lambda t, x, *rest: formulas.outputs(t, x, **dict(zip(p, rest))), by_name, p
        ),
    }


def _traced(
    function: Any, arguments: dict[str, int | None], parameters: Sequence[str] = ()
) -> list[tuple[str, str]]:
    """Return the operations of a traced function, one statement each."""
    import numpy as np

    from straightline.assignments import CONDITIONS, Assignments
    from straightline.passes import dependencies

    assignments = Assignments()
    unknowns = [
        assignments.unknown("input", name, 0) if n is None else assignments.inputs(name, n)
        for name, n in arguments.items()
    ]
    p = assignments.inputs("p", len(parameters)) if parameters else ()
    results = list(np.ravel(np.asarray(function(*unknowns, *p), dtype=object)))
    result_indices = [assignments.index_of(result) for result in results]
    nodes, names, statements = assignments.nodes, {}, []
    for index in dependencies(nodes, result_indices):
        operation, *rest = nodes[index]
        if operation == "input":
            names[index] = rest[0] if rest[0] == "t" else f"{rest[0]}[{rest[1]}]"
        elif operation == "constant":
            names[index] = f"({float.fromhex(rest[0])!r})"
        elif operation not in CONDITIONS:
            names[index] = f"_{index}"
            statements.append((names[index], _text(operation, [names.get(a, "") for a in rest])))
    return [*statements, *((f"out[{i}]", names[index]) for i, index in enumerate(result_indices))]


def _text(operation: str, arguments: Sequence[str]) -> str:
    if operation in _SIGNS:
        return f" {_SIGNS[operation]} ".join(arguments)
    if operation == "neg":
        return f"-{arguments[0]}"
    if operation == "select":
        return f"where({arguments[1]}, {arguments[2]})"
    return f"{_NAMES.get(operation, operation)}({', '.join(arguments)})"
