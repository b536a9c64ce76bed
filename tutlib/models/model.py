"""A model: equations of motion, energies, what to draw, and values to start from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy as sm

from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.mechanics.parameters import Values, match_names, parameter_values
from tutlib.programs.right_hand_side import Array, RightHandSide


@dataclass(frozen=True)
class Skeleton:
    """What to draw of a mechanism: points, and lines and disks that join and mark them.

    Parameters
    ----------
    points : tuple of (x, y)
        World coordinates as expressions of the state [m]: x to the right, y up.
    lines : tuple of tuples of int
        Each a path through points, by index.
    bodies : tuple of int
        Points drawn as disks.
    pivots : tuple of int
        Points drawn as fixed to the ground.
    """

    points: tuple[tuple[sm.Expr, sm.Expr], ...]
    lines: tuple[tuple[int, ...], ...]
    bodies: tuple[int, ...] = ()
    pivots: tuple[int, ...] = ()


@dataclass(frozen=True)
class Model:
    """A mechanism ready to simulate.

    Parameters
    ----------
    name : str
    equations : EquationsOfMotion
    kinetic_energy, potential_energy : Expr
        Energies [J].
    skeleton : Skeleton
    parameters : dict from Symbol to float
        Default values, in SI units.
    constraints : tuple of Expr
        What must stay zero for loops to be closed [m].
    """

    name: str
    equations: EquationsOfMotion
    kinetic_energy: sm.Expr
    potential_energy: sm.Expr
    skeleton: Skeleton
    parameters: Mapping[sm.Symbol, float]
    constraints: tuple[sm.Expr, ...] = ()

    def with_equations(self, equations: EquationsOfMotion) -> Model:
        """Return the same mechanism with its equations in another form."""
        return replace(self, equations=equations)

    def with_parameters(self, values: Values) -> Model:
        """Return the same model with other default values, by symbol or by name.

        Raises
        ------
        TypeError, ValueError
            If a value is no number, contradicts its symbol, or names no parameter of the model.
        """
        given = match_names(values, self.parameters, "no such parameter:", "the parameters are")
        numbers = parameter_values(tuple(given), given)
        return replace(self, parameters={**self.parameters, **dict(zip(given, numbers))})

    def with_inputs(
        self,
        inputs: Mapping[sm.Expr, Any],
        states: Mapping[sm.Expr, Any] | None = None,
        parameters: Mapping[sm.Symbol, float] | None = None,
    ) -> Model:
        """Return the model with its inputs closed, as `EquationsOfMotion.with_inputs` does.

        Parameters
        ----------
        inputs, states : mapping
            As there.
        parameters : mapping from Symbol to float, optional
            Default values of the symbols that the inputs bring in, such as gains.
        """
        return replace(
            self,
            equations=self.equations.with_inputs(inputs, states),
            parameters={**self.parameters, **(parameters or {})},
        )

    def free(self) -> Model:
        """Return the model with every input zero."""
        return self.with_inputs(dict.fromkeys(self.equations.inputs, 0))

    def compile(self) -> RightHandSide:
        """Compile the equations with the model's own values; see `EquationsOfMotion.compile`."""
        needed = set(self.equations.parameters)
        values = {symbol: value for symbol, value in self.parameters.items() if symbol in needed}
        return self.equations.compile(values)

    def energies(self, t: Array, x: Array) -> Array:
        """Return kinetic and potential energy [J] along a trajectory, shape (m, 2)."""
        return self._outputs((self.kinetic_energy, self.potential_energy), t, x)

    def positions(self, t: Array, x: Array) -> Array:
        """Return the skeleton's points [m] along a trajectory, shape (m, number of points, 2)."""
        flat = [coordinate for point in self.skeleton.points for coordinate in point]
        positions = self._outputs(flat, t, x)
        return positions.reshape(*positions.shape[:-1], -1, 2)

    def _outputs(self, expressions: Sequence[sm.Expr], t: Array, x: Array) -> Array:
        return np.asarray(self.compile_outputs(expressions)(t, x))

    def compile_outputs(self, expressions: Sequence[sm.Expr]) -> Callable[[Any, Any], Any]:
        """Compile outputs with the model's own values; see `EquationsOfMotion.compile_outputs`."""
        needed = set(self.equations.parameters).union(*(e.free_symbols for e in expressions))
        values = {symbol: value for symbol, value in self.parameters.items() if symbol in needed}
        return self.equations.compile_outputs(expressions, values)
