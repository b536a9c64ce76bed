"""Equations of a mechanism in any form: a model, equations, constrained equations, or SymPy's.

Used by exercises whose answer is a mechanism, and by `verification`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import sympy as sm
import sympy.physics.mechanics as me

from tutlib.mechanics.constraints import ConstrainedEquations
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.mechanics.linearization_point import Equations
from tutlib.models.model import Model
from tutlib.reading.names import UnreadableError


def equations_of(machine: object) -> Equations:
    """Return the equations; constrained ones if a model has constraints.

    Parameters
    ----------
    machine : Model, EquationsOfMotion, ConstrainedEquations, KanesMethod or LagrangesMethod

    Raises
    ------
    UnreadableError
        With a sentence for the reader, if the argument is of another type.
    """
    match machine:
        case Model():
            held = machine.constraints or machine.velocity_constraints
            return machine.constrained if held else machine.equations
        case EquationsOfMotion() | ConstrainedEquations():
            return machine
        case me.LagrangesMethod() if machine.coneqs:
            return ConstrainedEquations.from_sympy(machine)
        case me.KanesMethod() if machine._udep:
            raise UnreadableError(
                "Your KanesMethod has dependent speeds, and its equations do not show the "
                "constraints. Give ConstrainedEquations(equations, constraints) of the mechanism "
                "cut open, or equations in independent speeds only."
            )
        case me.LagrangesMethod() | me.KanesMethod():
            return EquationsOfMotion.from_sympy(machine)
    raise UnreadableError(
        f"Your machine is of type {type(machine).__name__}. Give an EquationsOfMotion (before "
        "compile), such as EquationsOfMotion.from_lagrangian makes, ConstrainedEquations, a Model, "
        "or SymPy's LagrangesMethod or KanesMethod."
    )


def with_known(equations: Any, constant: Mapping[sm.Expr, sm.Expr]) -> Any:
    """Return equations, or constrained ones, with inputs replaced by constants or expressions."""
    if isinstance(equations, EquationsOfMotion):
        return equations.with_inputs({r: s for r, s in constant.items() if r in equations.inputs})
    return replace(equations, equations=with_known(equations.equations, constant))
