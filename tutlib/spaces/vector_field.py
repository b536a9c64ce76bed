"""A vector field on a space, written in NumPy once: called, compiled with its space, or printed.

Chapter 8's rotations and chapter 9's quadrotors are written as f(t, x), to be read. This follows it
once (see ``tracing``); what comes out is compiled by Numba together with the space's own maps, or
sent to a page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from typing import Any

import numpy as np

from tutlib.programs.right_hand_side import Array, module_on_disk
from tutlib.programs.tracing import Assignments, trace
from tutlib.spaces.space import Space

_HEADER = """\
import math
from math import cos, exp, sin, sqrt

from numba import njit

from tutlib.spaces.coefficients import B_SLOPE, C_SLOPE, D_SLOPE, SMALL, B, C, D
from tutlib.programs.compiled_spaces import FIELD, MAP


"""
_MARK = "# Compiled functions start here"


@dataclass(frozen=True, eq=False)
class VectorField:
    """f(t, x) on a space, with parameters; call it like any function.

    Parameters
    ----------
    function : function (t, x, **parameters) -> array, shape (algebra,)
        One formula in NumPy: it may not ask how large a number is.
    space : Space
    parameters : mapping from str to float
        Values [SI units].

    References
    ----------
    :cite:p:`IserlesEtAl2000`, section 2.
    """

    function: Callable[..., Any]
    space: Space
    parameters: Mapping[str, float] = field(default_factory=dict)

    def __call__(self, t: float, x: Array) -> Array:
        """Return the algebra element f(t, x), by plain NumPy."""
        return np.asarray(self.function(t, x, **self.parameters))

    def traced(self, function: Callable[..., Any]) -> Assignments:
        """Follow a function ``(t, x, **parameters)`` of states of this field.

        Raises
        ------
        TypeError
            If it asks how large a number is: see `trace`.
        """

        def with_names(t: Any, x: Any, p: Any) -> Any:
            return function(t, x, **dict(zip(self.parameters, p)))

        return trace(with_names, t=None, x=self.space.dimension, p=len(self.parameters))

    @property
    def values(self) -> Array:
        """The parameters' values in order, shape (number of parameters,)."""
        return np.array(list(self.parameters.values()), dtype=float)

    @cached_property
    def source(self) -> str:
        """The text of the field that Numba compiles."""
        steps = self.traced(self.function)
        return _module(_function("FIELD", steps, "field(t, x, p, out)"))

    @cached_property
    def compiled(self) -> tuple[Any, Any, Any]:
        """The field, and the space's flow and dexp⁻¹, compiled by Numba.

        The first use takes seconds; what it makes is kept on disk, and serves every field with
        the same text and every field on the same space.
        """
        space = self.space
        a, k = space.algebra, space.dimension
        flow = trace(space.flow, xi=a, x=k)
        back = trace(space.dexp_inverse, u=a, v=a)
        maps = module_on_disk(
            _module(
                _function("MAP", flow, "flow(xi, x, out)"),
                _function("MAP", back, "dexp_inverse(u, v, out)"),
            )
        )
        return module_on_disk(self.source).field, maps.flow, maps.dexp_inverse


def _function(kind: str, steps: Assignments, head: str) -> str:
    options = 'cache=True, error_model="numpy", fastmath={"contract"}'
    return f"@njit({kind}, {options})\n{steps.python(head)}"


def _module(*functions: str) -> str:
    """Return a module with compiled functions, and the functions of an angle that they call."""
    text = (resources.files("tutlib.spaces") / "coefficients.py").read_text("utf-8")
    formulas = text[text.index(_MARK) :].replace("\ndef ", "\n\n@njit\ndef ")
    return _HEADER + "\n\n".join([formulas, *functions])
