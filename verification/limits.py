"""Limits of vanishing parameters: M and F stay finite as a mass or a length goes to zero."""

from __future__ import annotations

import numpy as np
import sympy as sm

from straightline.aliases import Array
from tutlib.reading.names import label_of
from tutlib.units import unit_of
from verification.forcing import rows_are_scaled
from verification.results import Curves, Rung
from verification.sentences import rounded
from verification.subject import Subject

_FACTORS = (1.0, 1e-4, 1e-8)
#: The units of parameters that may vanish.
_VANISHING_UNITS = tuple(map(unit_of, ("kg", "m", "kg·m²", "1")))


def limits(subject: Subject) -> Rung:
    """Let each mass, length, and inertia vanish: M and F stay finite, M positive semidefinite."""
    vanishing = [symbol for symbol in subject.symbols if _may_vanish(subject, symbol)]
    if not vanishing:
        return Rung("limits", None, "There is no mass and no length that could go to zero.")
    if rows_are_scaled(subject):
        return Rung(
            "limits", None, "The rows of M and F are scaled: what vanishes may divide them."
        )
    for symbol in vanishing:
        if failed := _check_limit(subject, symbol):
            return failed
    return Rung(
        "limits",
        True,
        f"With {', '.join(map(label_of, vanishing))} going to zero, each by itself, M and F stay "
        "finite, and M is nowhere negative.",
    )


def _check_limit(subject: Subject, symbol: sm.Symbol) -> Rung | None:
    """Return a failed rung if M or F diverges, or M gets negative, as a parameter vanishes."""
    x, label, matrix = subject.states[0], label_of(symbol), subject.equations.mass_matrix
    entries = [_largest_entry(subject, symbol, x, factor) for factor in _FACTORS]
    if not np.isfinite(entries).all() or entries[2] > 100 * max(entries[0], 1e-3):
        factors = np.logspace(0, -6, 25)
        largest = np.array([_largest_entry(subject, symbol, x, factor) for factor in factors])
        lines = {"largest entry of M and F": (factors * subject.values[symbol], largest)}
        full, small, smallest = map(rounded, entries)
        return Rung(
            "limits",
            False,
            f"With {label} going to zero the machine should become a smaller one, and grows "
            f"without bound: the largest entry of M and F is {full}, for a ten-thousandth of "
            f"{label} it is {small}, then {smallest}. Is something divided by {label}? If it "
            f"cannot be zero, say so in the Model: nonzero=['{symbol}'].",
            Curves(label, "in its unit", lines, logarithmic=True),
        )
    M = subject.matrix_at(matrix, x, _scaled_values(subject, symbol, _FACTORS[-1]))
    lowest = float(np.linalg.eigvalsh((M + M.T) / 2).min())
    if lowest < -1e-7 * np.abs(M).max():
        return Rung(
            "limits",
            False,
            f"With {label} going to zero M is not positive: its least eigenvalue is "
            f"{rounded(lowest)}.",
        )
    return None


def _scaled_values(subject: Subject, symbol: sm.Symbol, factor: float) -> dict[sm.Symbol, float]:
    """Return the values with one parameter multiplied by a factor."""
    return {**subject.values, symbol: factor * subject.values[symbol]}


def _largest_entry(subject: Subject, symbol: sm.Symbol, x: Array, factor: float) -> float:
    """Return the largest entry of M and F with one parameter multiplied by a factor."""
    entries = [*subject.equations.mass_matrix, *subject.equations.forcing]
    numbers = subject.values_at(entries, x, values=_scaled_values(subject, symbol, factor))
    return float(np.abs(numbers).max())


def _may_vanish(subject: Subject, symbol: sm.Symbol) -> bool:
    """Whether a parameter is a mass, a length, an inertia, or a ratio, by its unit."""
    if symbol in subject.inputs or symbol is subject.gravity or str(symbol) in subject.nonzero:
        return False
    unit = subject.units.get(str(symbol))
    if unit is not None:
        return unit_of(unit) in _VANISHING_UNITS and unit != "rad"
    return bool(symbol.is_nonnegative)
