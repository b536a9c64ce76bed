"""Functions that are marked to run compiled.

All other functions are called as they are written. Chapter 4 says what compiling is worth, and what
cannot be compiled.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, overload

from straightline.arguments import function as read_function
from straightline.arguments import numbers_by_name
from straightline.numpy_protocol import is_unknown
from straightline.tracing import Traced, check_pure


class Compiled:
    """A function that is run compiled; called, it is the function as it was written.

    Parameters
    ----------
    function : function
    parameters : mapping from str to float
        Values of what it takes by name [SI units].
    """

    def __init__(self, function: Callable[..., object], parameters: Mapping[str, float]) -> None:
        self.function: Any = read_function(function, "f", "...")
        self.parameters = numbers_by_name(parameters, "parameters")
        self._is_pure = False
        functools.update_wrapper(self, function, updated=())
        with suppress(TypeError, ValueError):
            self.__signature__ = inspect.signature(functools.partial(function, **parameters))

    def __call__(self, *arguments: object, **named: object) -> Any:
        """Return the function's value: of numbers as it is written, of unknown ones traced."""
        called = self.formula if any(map(is_unknown, arguments)) else self.function
        return called(*arguments, **self.parameters | named)

    def __reduce__(self) -> str | tuple[object, ...]:
        place: Any = sys.modules.get(self.function.__module__)
        for name in getattr(self.function, "__qualname__", "").split("."):
            place = getattr(place, name, None)
        if place is self:  # it was decorated
            return str(self.function.__qualname__)
        return Compiled, (self.function, self.parameters)

    def check_pure(self, *arguments: object, **named: object) -> None:
        """Reject a function that is not pure, before its first run, by calls as it is written.

        Raises
        ------
        CannotTrace
        """
        if not self._is_pure:
            check_pure(self.function, *arguments, **self.parameters | named)
            self._is_pure = True

    @functools.cached_property
    def formula(self) -> Traced:
        """The function as one of unknown numbers."""
        return Traced(self.function)


@overload
def compiled(f: Callable[..., object], /, **parameters: float) -> Compiled: ...
@overload
def compiled(f: None = None, /, **parameters: float) -> functools.partial[Compiled]: ...
def compiled(
    f: Callable[..., object] | None = None, /, **parameters: float
) -> Compiled | functools.partial[Compiled]:
    """Let a function run compiled, where an integrator calls it: ``compiled(f)``, or a decorator.

    The function is called once with unknown numbers, and what it does becomes a program. As for
    ``jax.jit``, it must be pure: its value depends on t, x and its parameters alone, and a call
    changes nothing else. What `if` or `float()` would decide once and forever is rejected;
    `np.where` decides at every call. Before a run, the function is called several times as it is
    written, which shows most memories, random numbers, clocks and prints; after the run, it is
    compared with its program along the motion. Leave out `compiled` for whatever is not pure.

    Parameters
    ----------
    f : function (t, x, **parameters) -> array, or a step (f, t, x, h) -> x
        Left out where parameters are given to a decorator, ``@compiled(g=9.81)``.
    parameters : float
        Values of what it takes by name [SI units].

    Returns
    -------
    Compiled
        Called like f, and with the same numbers.

    Raises
    ------
    TypeError
        If f is no function, or a parameter no real number.
    """
    if f is None:
        return functools.partial(Compiled, parameters=parameters)
    if isinstance(f, Compiled):
        return Compiled(f.function, f.parameters | parameters)
    return Compiled(f, parameters)
