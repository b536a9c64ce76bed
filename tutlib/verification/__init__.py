"""Is a machine of one's own right? A ladder of independent checks, and a museum of wrong ones.

A capstone ends with it. Nothing else of the package needs it.
"""

from tutlib.verification.exhibition import exhibited
from tutlib.verification.ladder import verify
from tutlib.verification.museum import MUSEUM, Exhibit
from tutlib.verification.names import machines_in, verify_names
from tutlib.verification.record import Curves, Rung, Verification

__all__ = [
    "MUSEUM",
    "Curves",
    "Exhibit",
    "Rung",
    "Verification",
    "exhibited",
    "machines_in",
    "verify",
    "verify_names",
]
