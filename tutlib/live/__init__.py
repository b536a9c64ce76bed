"""What runs on the page itself, with no kernel: live simulations."""

from tutlib.live.explore import explore
from tutlib.live.live import live, live_one_of
from tutlib.live.live_space import live_in_space

__all__ = [
    "explore",
    "live",
    "live_in_space",
    "live_one_of",
]
