"""What vanishes: a mass or a length that goes to zero leaves a smaller machine, and no infinity."""

from __future__ import annotations

import numpy as np
import sympy as sm

from straightline.aliases import Array
from tutlib.reading.names import label_of
from tutlib.units import unit_of
from verification.forcing import only_scaled
from verification.results import Curves, Rung
from verification.sentences import rounded
from verification.subject import Subject

_EPSILONS = (1.0, 1e-4, 1e-8)
#: Of what may vanish.
_VANISHING = tuple(map(unit_of, ("kg", "m", "kg·m²", "1")))


def limits(subject: Subject) -> Rung:
    """Let each mass, length and inertia go to zero: M and F stay finite, and M not negative."""
    asked = [symbol for symbol in subject.symbols if _may_vanish(subject, symbol)]
    if not asked:
        return Rung("limits", None, "There is no mass and no length that could go to zero.")
    if only_scaled(subject):
        return Rung(
            "limits", None, "The rows of M and F are scaled: what vanishes may divide them."
        )
    for symbol in asked:
        if failed := _without(subject, symbol):
            return failed
    return Rung(
        "limits",
        True,
        f"With {', '.join(map(label_of, asked))} going to zero, each by itself, M and F stay "
        "finite, and M is nowhere negative.",
    )


def _without(subject: Subject, symbol: sm.Symbol) -> Rung | None:
    """Look at a machine without one of its parameters."""
    x, label, matrix = subject.states[0], label_of(symbol), subject.equations.mass_matrix
    sizes = [_largest(subject, symbol, x, share) for share in _EPSILONS]
    if not np.isfinite(sizes).all() or sizes[2] > 100 * max(sizes[0], 1e-3):
        shares = np.logspace(0, -6, 25)
        largest = np.array([_largest(subject, symbol, x, share) for share in shares])
        lines = {"largest entry of M and F": (shares * subject.values[symbol], largest)}
        now, less, least = map(rounded, sizes)
        return Rung(
            "limits",
            False,
            f"With {label} going to zero the machine should become a smaller one, and grows "
            f"without bound: the largest entry of M and F is {now}, for a ten-thousandth of "
            f"{label} it is {less}, then {least}. Is something divided by {label}? If it cannot "
            f"be zero, say so in the Model: nonzero=['{symbol}'].",
            Curves(label, "in its unit", lines, logarithmic=True),
        )
    M = subject.matrix_at(matrix, x, _changed(subject, symbol, _EPSILONS[-1]))
    lowest = float(np.linalg.eigvalsh((M + M.T) / 2).min())
    if lowest < -1e-7 * np.abs(M).max():
        return Rung(
            "limits",
            False,
            f"With {label} going to zero M is not positive: its least eigenvalue is "
            f"{rounded(lowest)}.",
        )
    return None


def _changed(subject: Subject, symbol: sm.Symbol, share: float) -> dict[sm.Symbol, float]:
    return {**subject.values, symbol: share * subject.values[symbol]}


def _largest(subject: Subject, symbol: sm.Symbol, x: Array, share: float) -> float:
    """Return the largest entry of M and F with a share of a parameter."""
    entries = [*subject.equations.mass_matrix, *subject.equations.forcing]
    numbers = subject.values_at(entries, x, values=_changed(subject, symbol, share))
    return float(np.abs(numbers).max())


def _may_vanish(subject: Subject, symbol: sm.Symbol) -> bool:
    """Whether a parameter is a mass, a length, an inertia or a part of one, by its unit."""
    if symbol in subject.inputs or symbol is subject.gravity or str(symbol) in subject.nonzero:
        return False
    unit = subject.units.get(str(symbol))
    if unit is not None:
        return unit_of(unit) in _VANISHING and unit != "rad"
    return bool(symbol.is_nonnegative)
