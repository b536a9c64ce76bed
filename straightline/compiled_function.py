"""Functions that are marked to run compiled.

All other functions are called in Python. Chapter 4 explains the benefits of compiling, and which
functions cannot be compiled.
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
    """A function that integrators run compiled; a call runs the Python function.

    Parameters
    ----------
    function : function
    parameters : mapping from str to float
        Values of its arguments by name [SI units].
    """

    def __init__(self, function: Callable[..., object], parameters: Mapping[str, float]) -> None:
        self.function: Any = read_function(function, "f", "...")
        self.parameters = numbers_by_name(parameters, "parameters")
        self._is_pure = False
        functools.update_wrapper(self, function, updated=())
        with suppress(TypeError, ValueError):
            self.__signature__ = inspect.signature(functools.partial(function, **parameters))

    def __call__(self, *arguments: object, **named: object) -> Any:
        """Return the value of the Python function, or trace it if the arguments are unknowns."""
        called = self.formula if any(map(is_unknown, arguments)) else self.function
        return called(*arguments, **self.parameters | named)

    def __reduce__(self) -> str | tuple[object, ...]:
        place: Any = sys.modules.get(self.function.__module__)
        for name in getattr(self.function, "__qualname__", "").split("."):
            place = getattr(place, name, None)
        if place is self:  # the function was decorated
            return str(self.function.__qualname__)
        return Compiled, (self.function, self.parameters)

    def check_pure(self, *arguments: object, **named: object) -> None:
        """Reject an impure function before its first run, by calling it in Python.

        Raises
        ------
        CannotTrace
        """
        if not self._is_pure:
            check_pure(self.function, *arguments, **self.parameters | named)
            self._is_pure = True

    @functools.cached_property
    def formula(self) -> Traced:
        """The function as a formula that accepts unknowns."""
        return Traced(self.function)


@overload
def compiled(f: Callable[..., object], /, **parameters: float) -> Compiled: ...
@overload
def compiled(f: None = None, /, **parameters: float) -> functools.partial[Compiled]: ...
def compiled(
    f: Callable[..., object] | None = None, /, **parameters: float
) -> Compiled | functools.partial[Compiled]:
    """Mark a function to run compiled in integrators: use ``compiled(f)``, or a decorator.

    The function is traced: it is called once with unknown numbers, and its operations become a
    program. As for ``jax.jit``, it must be pure: its value depends only on t, x, and its
    parameters, and a call has no side effects. Code that would decide once and forever, such as
    `if` or `float()`, is rejected; `np.where` decides at every call. Before a run, the function is
    called several times in Python, which reveals most stored values, random numbers, clocks, and
    prints; after the run, it is compared with its program along the trajectory. Leave out
    `compiled` for functions that are not pure.

    Parameters
    ----------
    f : function (t, x, **parameters) -> array, or a step (f, t, x, h) -> x
        The function. Omit it to pass parameters to a decorator, ``@compiled(g=9.81)``.
    parameters : float
        Values of its arguments by name [SI units].

    Returns
    -------
    Compiled
        A function that can be called like f, with the same result.

    Raises
    ------
    TypeError
        If f is not a function, or a parameter is not a real number.
    """
    if f is None:
        return functools.partial(Compiled, parameters=parameters)
    if isinstance(f, Compiled):
        return Compiled(f.function, f.parameters | parameters)
    return Compiled(f, parameters)
