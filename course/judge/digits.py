"""Comparison of numbers to a number of digits, rounded or truncated, or within rounding errors.

The kinds of answers that are numbers use it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course.judge.sentences import RULES

#: Relative tolerance for rounding errors, with respect to the largest number.
ROUNDING: float = RULES["rounding"]


def precision_of(digits: int | None) -> float:
    """Return the largest relative error of a number with some digits.

    Rounded to three digits, it is 0.5 %. A truncated number, whose error may be larger, is right as
    well. A number without digits is exact, as a count is.
    """
    return 5 * 10.0**-digits if digits else ROUNDING


def apart(numbers: Any, right: Any, digits: int | None, at_most: bool = False) -> Any:
    """Return which numbers differ from others to some digits, rounded or truncated."""
    size = np.abs(right)
    beyond = (numbers - right) * np.where(np.less(right, 0), -1, 1)
    rounding = ROUNDING * size.max(initial=0.0)
    allowed = np.maximum(precision_of(digits) * size, rounding)
    differs = (beyond > (rounding if at_most else allowed)) | (-beyond > allowed)
    if not digits:
        return differs
    unit = 10.0 ** (np.floor(np.log10(np.where(size, size, 1.0))) + 1 - digits)
    cut = np.floor(np.round(size / unit, 6)) * unit
    return differs & (np.abs(beyond + size - cut) > rounding)


def away(numbers: Any, right: Any, tolerance: float) -> Any:
    """Return which numbers differ by more than a relative tolerance, and than rounding errors."""
    rounding = ROUNDING * np.abs(right).max(initial=0.0)
    return np.abs(numbers - right) > np.maximum(tolerance * np.abs(right), rounding)
