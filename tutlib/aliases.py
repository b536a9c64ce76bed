"""Type aliases of functions of time and state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

from straightline.aliases import Array

#: f(t, x) of x' = f(t, x).
Function = Callable[[float, Array], ArrayLike]
#: f(t, x) for floats or symbolic unknowns, whose values are new arrays: a `Field`, for a step.
Rate = Callable[[Any, Any], Any]
