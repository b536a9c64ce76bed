"""Independent checks of a mechanical system, and a museum of wrong ones.

A capstone ends with `verify`. `spread_of` tells which digits of a computed number are reliable.
"""

from verification.ladder import verify
from verification.museum import MUSEUM
from verification.museum_animations import exhibited
from verification.results import Verification
from verification.spread import plot_spreads, spread_of

__all__ = [
    "MUSEUM",
    "Verification",
    "exhibited",
    "plot_spreads",
    "spread_of",
    "verify",
]
