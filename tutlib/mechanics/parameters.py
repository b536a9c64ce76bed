"""Values for symbols, checked before anything is computed with them.

Every compiled equation of the course goes through here, so that a forgotten or mistyped value is
named at once.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy as sm

Values = Mapping[Any, Any]


def match_names(
    given: Mapping[Any, Any], known: Iterable[Any], complaint: str, offer: str
) -> dict[Any, Any]:
    """Return the given values by the known symbols, matched by name.

    Raises
    ------
    ValueError
        For a key that is no known name, with the closest one.
    """
    names = {_name(symbol): symbol for symbol in known}
    for key in given:
        if _name(key) not in names:
            close = difflib.get_close_matches(_name(key), names, n=1)
            hint = f" (did you mean {close[0]}?)" if close else ""
            listing = ", ".join(sorted(names)) or "none"
            raise ValueError(f"{complaint} {key}{hint}; {offer}: {listing}")
    return {names[_name(key)]: value for key, value in given.items()}


def _name(symbol: Any) -> str:
    return str(symbol).split("(")[0]  # a function of time without its (t)


def parameter_values(parameters: Sequence[sm.Symbol], values: Values) -> list[float]:
    """Return the value of each parameter, in order.

    Parameters
    ----------
    parameters : sequence of Symbol
    values : mapping from symbol (or its name) to real number

    Returns
    -------
    list of float

    Raises
    ------
    TypeError
        If a value is not a real number.
    ValueError
        If a parameter has no value, a key is unknown, a value is not finite, or it contradicts
        what its symbol was declared to be (``positive=True`` and so on), or two symbols share
        a name.
    """
    names = [str(symbol) for symbol in parameters]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(
                f"two different symbols are called {name}: their assumptions, such as "
                "positive=True, differ; make each symbol once"
            )
    known = match_names(values, parameters, "no such parameter:", "the parameters are")
    missing = [str(symbol) for symbol in parameters if symbol not in known]
    if missing:
        plural = "s" * (len(missing) > 1)
        raise ValueError(f"no value for the parameter{plural} {', '.join(missing)}")
    return [_number(symbol, known[symbol]) for symbol in parameters]


def _number(symbol: sm.Symbol, value: Any) -> float:
    refused = isinstance(value, str | bytes | complex) or bool(getattr(value, "shape", ()))
    try:
        if refused:
            raise TypeError
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{symbol} must be a real number; got {value!r}") from None
    if not math.isfinite(number):
        raise ValueError(f"{symbol} must be finite; got {number}")
    if (symbol.is_positive and number <= 0) or (symbol.is_nonnegative and number < 0):
        expected = "positive" if symbol.is_positive else "zero or positive"
        raise ValueError(f"{symbol} must be {expected}; got {number:g}")
    return number
