"""Type aliases of arrays and numbers."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

#: An array of floats.
Array = NDArray[np.float64]
#: The type of a value that a function returns unchanged.
Kind = TypeVar("Kind")
