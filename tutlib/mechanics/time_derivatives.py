"""Time derivatives of states in terms of states: of coordinates, auxiliary states, and inputs.

The derivatives that equations give are q̇ = N u + b and those of the auxiliary states. Higher ones
follow by the chain rule. Used by `equations`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import sympy as sm
import sympy.physics.mechanics as me
from sympy.core.function import AppliedUndef

from tutlib.mechanics.derivations import atoms, partial_derivatives, replaced
from tutlib.reading.names import agree, label_of, listed


class TimeDerivatives:
    """The time derivatives of some functions of time, given as expressions.

    Parameters
    ----------
    first : mapping from dynamicsymbol to Expr
        The first derivatives. They may contain derivatives of each other.
    """

    def __init__(self, first: Mapping[sm.Expr, sm.Expr]) -> None:
        self._first = dict(first)
        self._found: dict[tuple[sm.Expr, int], sm.Expr] = {}
        self._pending: list[tuple[sm.Expr, int]] = []

    def insert(
        self, expressions: Iterable[sm.Expr | sm.MatrixBase]
    ) -> list[sm.Expr | sm.MatrixBase]:
        """Return expressions or matrices with these derivatives of any order inserted.

        Raises
        ------
        ValueError
            If derivatives depend on each other cyclically.
        """
        expressions = list(expressions)
        if not self._first:
            return expressions
        derivatives = [d for d in atoms(expressions, sm.Derivative) if d.expr in self._first]
        values = {d: self._value(d.expr, d.derivative_count) for d in derivatives}
        return replaced(expressions, values)

    def _value(self, function: sm.Expr, order: int) -> sm.Expr:
        key = function, order
        if key in self._pending:
            names = sorted({label_of(f.diff()) for f, _ in self._pending})
            raise ValueError(
                f"the time {agree(names, 'derivative', 'derivatives')} {listed(names)} "
                f"{agree(names, 'depends on itself', 'depend on each other')}: solve for "
                f"{agree(names, 'it', 'them')} first"
            )
        if key not in self._found:
            self._pending.append(key)
            try:
                first = self._first[function]
                value = first if order == 1 else rate_of_change(self._value(function, order - 1))
                (self._found[key],) = self.insert([value])
            finally:
                self._pending.pop()
        return self._found[key]


def rate_of_change(expression: sm.Expr) -> sm.Expr:
    """Return the total time derivative of an expression of functions of time, by the chain rule."""
    t = me.dynamicsymbols._t
    functions = sorted(atoms([expression], AppliedUndef, sm.Derivative), key=sm.default_sort_key)
    slopes, explicit = partial_derivatives(sm.Matrix([expression]), functions)
    return sm.Add(*(slope * f.diff(t) for slope, f in zip(slopes, functions)), *explicit)
