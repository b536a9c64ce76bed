"""Units of expressions, derived from the units of their symbols, with a check of consistency.

Used for answers to exercises and by `verification`.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from fractions import Fraction
from importlib import resources
from typing import NamedTuple

import sympy as sm
from sympy.core.function import AppliedUndef
from sympy.functions.elementary.hyperbolic import HyperbolicFunction
from sympy.functions.elementary.trigonometric import (
    InverseTrigonometricFunction,
    TrigonometricFunction,
)

from tutlib.reading.names import leaf_name

#: Exponents of kilogram, meter, second, and ampere.
Unit = tuple[Fraction, ...]
PURE: Unit = (Fraction(0),) * 4
# The JavaScript of the pages reads the same file; only machines with motors need further units.
_UNITS = json.loads((resources.files("tutlib") / "units.json").read_text("utf-8"))
_BASE = (*_UNITS["base"], "A")
_ELECTRICAL = {
    "W": (1, 2, -3, 0),
    "Pa": (1, -1, -2, 0),
    "Hz": (0, 0, -1, 0),
    "V": (1, 2, -3, -1),
    "Ω": (1, 2, -3, -2),
    "ohm": (1, 2, -3, -2),
    "Ohm": (1, 2, -3, -2),
    "H": (1, 2, -2, -2),
    "C": (0, 0, 1, 1),
    "F": (-1, -2, 4, 2),
    "Wb": (1, 2, -2, -1),
    "T": (1, 0, -2, -1),
}
_KNOWN: dict[str, Unit] = {
    name: tuple(map(Fraction, powers))
    for name, powers in (
        *((base, [int(base == other) for other in _BASE]) for base in _BASE),
        *((name, (*powers, 0)) for name, powers in _UNITS["derived"].items()),
        *_ELECTRICAL.items(),
    )
}
_KNOWN["Nm"] = tuple(a + b for a, b in zip(_KNOWN["N"], _KNOWN["m"]))
_NAMED: dict[Unit, str] = {
    (*map(Fraction, p.split(",")), Fraction(0)): name for p, name in _UNITS["named"].items()
}
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-zΩ]+|1(?![\d.]))"
    r"(?:\s*(?:\^|\*\*)\s*(?:(?P<power>-?\d+(?:\.\d+)?)|\((?P<fraction>-?\d+(?:[./]\d+)?)\))"
    r"|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+|-?\d+(?![.\d])))?|(?P<sign>[·⋅∙•×.*/()-]))\s*"
)
_OF_NUMBERS = (
    TrigonometricFunction,
    InverseTrigonometricFunction,
    HyperbolicFunction,
    sm.exp,
    sm.log,
)


def unit_of(text: str) -> Unit:
    """Parse a unit such as N·m·s/rad, N*m, N-m, kg m^2, m/s2, N/m^1.5, or N/(m/s).

    Everything after a slash is in the denominator.

    Raises
    ------
    ValueError
        If a part of the text is not a known unit.
    """
    try:
        tokens = _tokens(unicodedata.normalize("NFC", text))
        unit = _parse(tokens)
        if tokens:
            raise ValueError
    except (ValueError, IndexError):
        names = ", ".join(_KNOWN)
        raise ValueError(
            f"a unit is made of {names}, written as in kg·m², N*m/rad, or N/m^1.5; got {text!r}"
        ) from None
    return unit


def _tokens(text: str) -> list[str | Unit]:
    """Return the factors of a unit and the operators between them, in reverse order."""
    tokens: list[str | Unit] = []
    end = 0
    while end < len(text):
        if (match := _TOKEN.match(text, end)) is None:
            raise ValueError
        end = match.end()
        power = match["power"] or match["fraction"] or match["raised"] or "1"
        if match["name"] is None:
            tokens.append(match["sign"])
        elif match["name"] in _KNOWN:
            exponent = Fraction(power.translate(_SUPERSCRIPTS))
            tokens.append(_product(PURE, _KNOWN[match["name"]], exponent))
        else:
            raise ValueError
    return tokens[::-1]


def _parse(tokens: list[str | Unit]) -> Unit:
    """Return the product of factors up to the end, or to a closing parenthesis."""
    unit, sign = PURE, 1
    while True:
        factor = tokens.pop()
        if factor == "(":
            factor = _parse(tokens)
            if tokens.pop() != ")":
                raise ValueError
        if isinstance(factor, str):
            raise ValueError
        unit = _product(unit, factor, Fraction(sign))
        if not tokens or tokens[-1] == ")":
            return unit
        if isinstance(tokens[-1], str) and tokens[-1] != "(":
            sign = -1 if tokens.pop() == "/" else sign


def unit_text(unit: Unit) -> str:
    """Return a unit as text, such as N or kg·m²."""
    if unit in _NAMED:
        return _NAMED[unit]
    numerators, denominators = (
        [_raised(n, abs(p)) for n, p in zip(_BASE, unit) if sign * p > 0] for sign in (1, -1)
    )
    denominator = f"({'·'.join(denominators)})" if len(denominators) > 1 else "".join(denominators)
    return ("·".join(numerators) or "1") + (f"/{denominator}" if denominator else "")


def per_second(unit: Unit) -> Unit:
    """Return the unit of a time derivative."""
    return _product(unit, _KNOWN["s"], Fraction(-1))


def _raised(name: str, power: Fraction) -> str:
    if power.denominator > 1:
        return f"{name}^({power})"
    return name + re.sub("^1$", "", str(power)).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _product(left: Unit, right: Unit, power: Fraction = Fraction(1)) -> Unit:
    return tuple(a + power * b for a, b in zip(left, right))


class Clash(NamedTuple):
    """Two inconsistent units, in a sum or in the argument of a function."""

    one: Unit
    other: Unit
    inside: bool = False


class Units:
    """Reader of the units of expressions.

    Parameters
    ----------
    known : mapping from name to Unit
        Unit of each symbol, function of time, and derivative, by its `leaf_name`.

    Attributes
    ----------
    clashes : list of Clash
        Inconsistencies in the expressions read so far.
    """

    def __init__(self, known: Mapping[str, Unit]) -> None:
        self.known = known
        self.clashes: list[Clash] = []

    def read(self, expression: sm.Basic) -> Unit | None:
        """Return the unit of an expression; None if it is unknown."""
        if isinstance(expression, sm.Symbol | sm.Derivative | AppliedUndef):
            return self.known.get(leaf_name(expression))
        if isinstance(expression, sm.Number | sm.NumberSymbol):
            return PURE if _is_pure(expression) else None
        if isinstance(expression, sm.Add | sm.Abs | sm.Max | sm.Min):
            return self._alike(expression.args)
        if isinstance(expression, sm.Piecewise):
            return self._alike([branch for branch, _ in expression.args])
        if isinstance(expression, sm.atan2 | sm.sign):
            self._alike(expression.args)
            return PURE
        units = [self.read(part) for part in expression.args]
        if isinstance(expression, sm.Mul):
            return None if None in units else self._multiplied([p for p in units if p is not None])
        if isinstance(expression, sm.Pow):
            return self._power(units, expression.exp)
        return self._pure(units) if isinstance(expression, _OF_NUMBERS) else None

    def _multiplied(self, units: Iterable[Unit]) -> Unit:
        product = PURE
        for part in units:
            product = _product(product, part)
        return product

    def _alike(self, terms: Iterable[sm.Basic]) -> Unit | None:
        """Return the common unit of terms that are added or compared."""
        units = sorted({unit for unit in map(self.read, terms) if unit is not None}, key=unit_text)
        if len(units) > 1:
            self.clashes.append(Clash(units[0], units[1]))
        return units[0] if len(units) == 1 else None

    def _power(self, units: list[Unit | None], exponent: sm.Expr) -> Unit | None:
        base = units[0]
        self._pure(units[1:])
        if base is None or base == PURE:
            return base
        if not exponent.is_Number:
            return None
        return _product(PURE, base, Fraction(float(exponent)).limit_denominator(99))

    def _pure(self, units: Iterable[Unit | None]) -> Unit:
        """Record a clash for each unit that is not dimensionless, as required in a sine."""
        for part in units:
            if part is not None and part != PURE:
                self.clashes.append(Clash(PURE, part, inside=True))
        return PURE


def _is_pure(number: sm.Number) -> bool:
    """Whether a number is certainly dimensionless: 0 has any unit, and 9.81 may be in m/s²."""
    return bool(number) and (not number.is_Float or float(4 * number).is_integer())
