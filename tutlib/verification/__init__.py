"""Is a machine of one's own right? A ladder of independent checks, and a museum of wrong ones.

A capstone ends with it. Beside it, which digits of a number are known.
"""

from tutlib.verification.exhibition import exhibited
from tutlib.verification.ladder import verify
from tutlib.verification.museum import MUSEUM, Exhibit
from tutlib.verification.names import machines_in, verify_names
from tutlib.verification.record import Curves, Rung, Verification
from tutlib.verification.spread import Spread, plot_spreads, spread_of

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
