"""Independent checks of a mechanical system, and a museum of wrong ones.

A capstone ends with `verify`. `spread_of` tells which digits of a computed number are reliable.
"""

from verification.ladder import verify
from verification.museum import MUSEUM, Exhibit
from verification.museum_animations import exhibited
from verification.namespace import machines_in, verify_names
from verification.results import Curves, Rung, Verification
from verification.spread import Spread, plot_spreads, spread_of

__all__ = [
    "MUSEUM",
    "Curves",
    "Exhibit",
    "Rung",
    "Spread",
    "Verification",
    "exhibited",
    "machines_in",
    "plot_spreads",
    "spread_of",
    "verify",
    "verify_names",
]
