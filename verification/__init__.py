"""Independent checks of a mechanical system, and a museum of wrong ones.

A capstone ends with `verify`. `spread_of` shows which digits of a computed number are reliable.
"""

from typing import TYPE_CHECKING

from straightline.doors import lazy

if TYPE_CHECKING:
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

__getattr__ = lazy(
    __name__,
    {
        "MUSEUM": "verification.museum",
        "Verification": "verification.results",
        "exhibited": "verification.museum_animations",
        "plot_spreads": "verification.spread",
        "spread_of": "verification.spread",
        "verify": "verification.ladder",
    },
)
