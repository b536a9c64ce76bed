"""The call that made a model: what "Copy as Python" writes below every live simulation.

A model that is put together in any other way, by ``dataclasses.replace`` too, remembers none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Call:
    """A function or a method, and what it was called with.

    Parameters
    ----------
    function : function
        Of a method, its function in the class: the first argument is what it was called of.
    arguments : tuple
    options : mapping from str
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    options: Mapping[str, Any]

    @property
    def is_method(self) -> bool:
        """Whether it is written behind a dot."""
        return "." in self.function.__qualname__


def remembered(make: Callable[P, T]) -> Callable[P, T]:
    """Let what a function returns keep the call that made it, as ``source``.

    Parameters
    ----------
    make : function
        That returns a dataclass with a field ``source``, which ``replace`` leaves behind.

    Returns
    -------
    function
    """

    @wraps(make)
    def call(*arguments: P.args, **options: P.kwargs) -> T:
        kept = tuple(map(_as_it_is_now, arguments))
        named = {name: _as_it_is_now(value) for name, value in options.items()}
        made = make(*arguments, **options)
        object.__setattr__(made, "source", Call(call, kept, named))
        return made

    return call


def _as_it_is_now(value: Any) -> Any:
    """Return a copy of what a reader may change later."""
    return value.copy() if isinstance(value, dict | list | np.ndarray) else value
