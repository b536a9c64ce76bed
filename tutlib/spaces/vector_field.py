"""A vector field on a space, written in NumPy once: called, compiled, or taken to a page.

Chapter 8's rotations and chapter 9's quadrotors are written as f(t, x), to be read. It is called as
it is written, or compiled if `compiled` asks for it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from straightline.aliases import Array
from straightline.arguments import entries, numbers_by_name
from straightline.arguments import function as read_function
from straightline.assignments import Numbers, Number
from straightline.compiled_function import Compiled
from straightline.tracing import refuse_moods
from tutlib.spaces.space import Space, read_space, refuse_slope


@dataclass(frozen=True)
class ByName:
    """A function ``(t, x, **parameters)`` as a formula (t, x, p).

    Parameters
    ----------
    function : function (t, x, **parameters) -> array
    names : tuple of str
        The parameters, in the order of p.
    space : Space, optional
        Where its value is an element of the algebra; otherwise it may be any array.
    """

    function: Callable[..., Any]
    names: tuple[str, ...]
    space: Space | None = None

    def __call__(self, t: Number, x: Numbers, p: Numbers) -> Any:
        """Return the function's value, of known or unknown numbers."""
        value = self.function(t, x, **dict(zip(self.names, p)))
        return np.ravel(np.asarray(_of_algebra(value, self.space), dtype=object))


def _of_algebra(value: object, space: Space | None) -> object:
    """Return a field's value; refuse what is no element of the algebra."""
    if space is None:
        return value
    element = entries(value, "the value of f", ("...",))
    element = element.reshape(1) if element.shape == () and space.algebra == 1 else element
    refuse_slope(element.shape, space)
    return element


@dataclass(frozen=True, eq=False)
class VectorField:
    """f(t, x) on a space, with parameters; call it like any function.

    Parameters
    ----------
    function : function (t, x, **parameters) -> array, shape (algebra,)
        As it is written it is called at every step; ``compiled(function)`` runs compiled.
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

    def __post_init__(self) -> None:
        read_function(self.function, "the field", "t, x, **parameters")
        read_space(self.space)
        values = numbers_by_name(self.parameters, "parameters")
        if isinstance(self.function, Compiled):
            values = self.function.parameters | values
        object.__setattr__(self, "parameters", values)

    def __getstate__(self) -> dict[str, object]:
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def __call__(self, t: float, x: Array) -> Array:
        """Return the algebra element f(t, x), by plain NumPy.

        Raises
        ------
        ValueError
            If x is no state, or the function gives no element of the algebra.
        """
        state = entries(x, "x", (self.space.dimension,))
        return np.asarray(_of_algebra(self.function(t, state, **self.parameters), self.space))

    @property
    def formula(self) -> ByName:
        """The field as a formula of t, x and the parameters in order.

        Raises
        ------
        CannotTrace
            If it cannot be compiled.
        """
        asked = self.function if isinstance(self.function, Compiled) else self._compiled
        named = ByName(asked.formula, tuple(self.parameters), self.space)
        refuse_moods(named, None, self.space.dimension, len(self.parameters))
        return named

    @functools.cached_property
    def _compiled(self) -> Compiled:
        return Compiled(self.function, {})

    @property
    def values(self) -> Array:
        """The parameters' values in order, shape (number of parameters,)."""
        return np.array(list(self.parameters.values()), dtype=float)
