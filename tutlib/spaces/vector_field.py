"""A vector field on a space, written in NumPy once: called, compiled, or taken to a page.

Chapter 8's rotations and chapter 9's quadrotors are written as f(t, x), to be read. Called with
unknown numbers they become part of a compiled program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tutlib.programs.right_hand_side import Array
from tutlib.spaces.space import Space


@dataclass(frozen=True)
class ByName:
    """A function ``(t, x, **parameters)`` as a formula (t, x, p).

    Parameters
    ----------
    function : function (t, x, **parameters) -> array
    names : tuple of str
        The parameters, in the order of p.
    """

    function: Callable[..., Any]
    names: tuple[str, ...]

    def __call__(self, t: Any, x: Any, p: Any) -> Any:
        """Return the function's value, of known or unknown numbers."""
        return np.ravel(np.asarray(self.function(t, x, **dict(zip(self.names, p))), dtype=object))


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

    @property
    def formula(self) -> ByName:
        """The field as a formula of t, x and the parameters in order."""
        return ByName(self.function, tuple(self.parameters))

    @property
    def values(self) -> Array:
        """The parameters' values in order, shape (number of parameters,)."""
        return np.array(list(self.parameters.values()), dtype=float)
