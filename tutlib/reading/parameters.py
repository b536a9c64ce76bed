"""Values of parameters, checked before they are used.

Every compiled equation of the course is evaluated through this module, so that a missing or
misspelled parameter is reported at once.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import sympy as sm
from sympy.physics.units import Quantity

from straightline.aliases import Kind
from straightline.arguments import real_number, shown
from tutlib.reading.names import plain_name

#: A symbol, or its name.
Named: TypeAlias = sm.Expr | str
Values = Mapping[Named, Any]
#: Assumptions of symbols, the narrowest first, in words, and a test whether a number satisfies
#: them.
_ASSUMPTIONS: dict[str, tuple[str, Callable[[float], bool]]] = {
    "zero": ("zero", lambda x: x == 0),
    "positive": ("positive", lambda x: x > 0),
    "negative": ("negative", lambda x: x < 0),
    "nonnegative": ("zero or positive", lambda x: x >= 0),
    "nonpositive": ("zero or negative", lambda x: x <= 0),
    "nonzero": ("other than zero", lambda x: x != 0),
    "even": ("an even whole number", lambda x: x % 2 == 0),
    "odd": ("an odd whole number", lambda x: x % 2 == 1),
    "integer": ("a whole number", lambda x: x % 1 == 0),
}


def match_names(
    values: object, known: Iterable[Kind], complaint: str, offer: str
) -> dict[Kind, object]:
    """Return the given values by symbol, matched by name.

    Parameters
    ----------
    values : mapping from symbol (or its name) to value
    known : iterable of symbols or names
    complaint : str
        Beginning of the message for an unknown key.
    offer : str
        Beginning of the list of known names.

    Raises
    ------
    TypeError
        If the values are not a mapping.
    ValueError
        If a key is unknown (the message gives the closest one) or given twice.
    """
    known = list(known)
    if isinstance(values, sm.Dict):
        values = dict(values)
    if not isinstance(values, Mapping):
        names = sorted({*map(_name, known)})
        example = f" such as {{'{names[0]}': 1.0}}" if names else ""
        raise TypeError(
            f"values must be a dictionary by name{example}: {offer} {', '.join(names) or 'none'}; "
            f"got {shown(values)}"
        )
    return match_pairs(list(values.items()), known, complaint, offer)


def match_pairs(
    pairs: Iterable[tuple[object, object]], known: Iterable[Kind], complaint: str, offer: str
) -> dict[Kind, object]:
    """Return values by symbol, from pairs of a symbol (or its name) and a value.

    Raises
    ------
    ValueError
        As for `match_names`.
    """
    names = {_name(symbol): symbol for symbol in known}
    values: dict[Any, Any] = {}
    for key, value in pairs:
        name = _name(key)
        if name not in names:
            close = difflib.get_close_matches(name, names, n=1)
            hint = f" (did you mean {close[0]}?)" if close else ""
            listing = ", ".join(sorted(names)) or "none"
            key_text = key if isinstance(key, str | sm.Basic) else shown(key)
            raise ValueError(f"{complaint} {key_text}{hint}; {offer}: {listing}")
        if names[name] in values:
            raise ValueError(f"{name} is given twice, as by its symbol and by its name")
        values[names[name]] = value
    return values


def _name(symbol: object) -> str:
    """Return a name: a function of time without its (t), a derivative such as theta_dot."""
    if isinstance(symbol, sm.Basic):
        return plain_name(symbol)
    return str(symbol).removesuffix("(t)")


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
        If a parameter has no value, a key is unknown or given twice, a value is not finite or
        contradicts the assumptions of its symbol (such as ``positive=True``), or two symbols share
        a name.
    """
    for name, count in Counter(map(str, parameters)).items():
        if count > 1:
            raise ValueError(
                f"two different symbols are called {name}: their assumptions, such as "
                "positive=True, differ; create each symbol only once"
            )
    by_symbol = match_names(values, parameters, "no such parameter:", "the parameters are")
    missing = [str(symbol) for symbol in parameters if symbol not in by_symbol]
    if missing:
        plural = "s" * (len(missing) > 1)
        raise ValueError(f"no value for the parameter{plural} {', '.join(missing)}")
    return [check_value(symbol, by_symbol[symbol]) for symbol in parameters]


def check_value(symbol: sm.Symbol, value: object) -> float:
    """Return a parameter's value as a float; reject one that contradicts its symbol.

    Parameters
    ----------
    symbol : Symbol
    value : number

    Raises
    ------
    TypeError, ValueError
        As for `parameter_values`.
    """
    if isinstance(value, sm.Basic) and value.has(Quantity):
        raise TypeError(f"{symbol} must be a number in SI units, without a unit; got {value}")
    number = real_number(value, str(symbol))
    for fact, (wanted, holds) in _ASSUMPTIONS.items():
        if getattr(symbol, f"is_{fact}") and not holds(number):
            raise ValueError(f"{symbol} must be {wanted}; got {number:g}")
    if symbol.is_extended_real is False:
        raise ValueError(
            f"{symbol} is declared as not real, so it cannot have a value: declare it real"
        )
    return number
