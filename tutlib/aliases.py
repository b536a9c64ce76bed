"""Type aliases of functions of time and state."""

from __future__ import annotations

from collections.abc import Callable

from numpy.typing import ArrayLike

from straightline.aliases import Array

#: f(t, x) of x' = f(t, x).
Function = Callable[[float, Array], ArrayLike]
