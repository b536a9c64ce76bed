"""What runs on the page itself, with no kernel: live simulations, and answers, also that move."""

from tutlib.page.answer_boxes import answer_files, answer_pictures
from tutlib.page.comparison import side_by_side, solved_for
from tutlib.page.explore import explore
from tutlib.page.live import live, live_one_of
from tutlib.page.live_space import live_in_space

__all__ = [
    "answer_files",
    "answer_pictures",
    "explore",
    "live",
    "live_in_space",
    "live_one_of",
    "side_by_side",
    "solved_for",
]
