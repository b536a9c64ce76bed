"""Equations at one point: what they are there, and whether they have derivatives.

Used by `linearization`, for the small motions about a trim point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from tutlib.mechanics.parameters import Values, match_names, parameter_values
from tutlib.programs.names import plain_name

_JUMPS = (sm.sign, sm.DiracDelta, sm.Heaviside)


def values_of(needed: Sequence[sm.Symbol], values: Values) -> dict[Any, Any]:
    """Return the values of the needed parameters: more may be given; refuse what is no mapping."""
    if not isinstance(values, Mapping):
        match_names(values, needed, "no such parameter:", "the parameters are")
    names = set(map(str, needed))
    given = [key for key in values if str(key) in names]
    return {key: values[key] for key in given}


def evaluate_at(
    parts: Sequence[sm.MatrixBase], point: Mapping[sm.Expr, Any], values: Values | None
) -> list[Any]:
    """Return matrices at a point: of numbers with values for all parameters, else as they are.

    Raises
    ------
    ValueError
        If they are not finite there.
    """
    at_point = [sm.Matrix(part).xreplace(dict(point)) for part in parts]
    if values is None:
        return [part.applyfunc(sm.simplify) for part in at_point]
    symbols = set().union(*(part.free_symbols for part in at_point)) - {me.dynamicsymbols._t}
    needed = sorted(symbols, key=str)
    numbers = parameter_values(needed, values_of(needed, values))
    function = sm.lambdify([me.dynamicsymbols._t, *needed], at_point, cse=True)
    try:
        found = [np.asarray(part, float) for part in function(0.0, *numbers)]
    except (ZeroDivisionError, TypeError):
        raise ValueError(f"the equations cannot be computed at {_told(point)}") from None
    if not all(np.isfinite(part).all() for part in found):
        raise ValueError(f"the equations are not finite at {_told(point)}")
    return [np.reshape(f, p.shape) for f, p in zip(found, at_point)]


def is_not_zero(rate: sm.Expr) -> bool:
    """Tell whether an expression is other than zero for parameters in general."""
    free = sorted(rate.free_symbols, key=str)
    found = rate.subs({symbol: sm.Float(1.1 + 0.37 * i) for i, symbol in enumerate(free)}).evalf()
    return bool(found.is_number and found.is_finite and abs(found) > 1e-6)


def frozen_states(states: Sequence[sm.Expr]) -> dict[sm.Expr, sm.Dummy]:
    """Return a real symbol for each state, to differentiate by."""
    return {state: sm.Dummy(plain_name(state), real=True) for state in states}


def _told(point: Mapping[sm.Expr, Any]) -> str:
    states = {symbol: value for symbol, value in point.items() if symbol.name != "a"}
    return ", ".join(f"{symbol.name} = {value}" for symbol, value in states.items())


def refuse_edges(parts: Sequence[sm.MatrixBase], point: Mapping[sm.Expr, Any]) -> None:
    """Refuse a point where derivatives jump or have no limit: at the edge of abs, sign or sqrt.

    Raises
    ------
    ValueError
        Naming the point.
    """
    place = dict(point)
    for part in parts:
        edges = [e for e in part.atoms(*_JUMPS) if e.args[0].xreplace(place).is_zero]
        marks = {edge: sm.Dummy() for edge in edges}
        for entry in part.xreplace(marks).xreplace(place):
            if entry.free_symbols & {*marks.values()} or entry.has(sm.nan, sm.zoo, sm.oo):
                raise ValueError(
                    f"the equations have no derivative at {_told(point)}, and so no small motions: "
                    "abs, sign, a root or a quotient has an edge there; linearize beside it, or "
                    "with a smooth function in its place"
                )
