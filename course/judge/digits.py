"""Numbers that are right to so many digits, rounded or cut off; and to those of a computer.

The kinds of answers that are numbers compare by them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course.judge.sentences import RULES

#: What a computer rounds, relative to the largest number.
ROUNDING: float = RULES["rounding"]


def precision_of(digits: int | None) -> float:
    """Return how far a number may be from the right one, relative to it.

    So many digits are right in any case, rounded: three are right within 0.5 %. What is cut off
    is right as well, and may be further away. A number without digits is exact, as a count is.
    """
    return 5 * 10.0**-digits if digits else ROUNDING


def apart(one: Any, other: Any, digits: int | None, at_most: bool = False) -> Any:
    """Return which numbers are no others with so many digits, rounded or cut off."""
    size = np.abs(other)
    beyond = (one - other) * np.where(np.less(other, 0), -1, 1)
    rounding = ROUNDING * size.max(initial=0.0)
    allowed = np.maximum(precision_of(digits) * size, rounding)
    far = (beyond > (rounding if at_most else allowed)) | (-beyond > allowed)
    if not digits:
        return far
    unit = 10.0 ** (np.floor(np.log10(np.where(size, size, 1.0))) + 1 - digits)
    cut = np.floor(np.round(size / unit, 6)) * unit
    return far & (np.abs(beyond + size - cut) > rounding)


def away(one: Any, other: Any, share: float) -> Any:
    """Return which numbers differ by more than a share of them, or than what is rounded."""
    rounding = ROUNDING * np.abs(other).max(initial=0.0)
    return np.abs(one - other) > np.maximum(share * np.abs(other), rounding)
