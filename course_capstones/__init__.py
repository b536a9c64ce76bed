"""The capstones: machines to choose from, each to be modelled, verified and reported on.

A module holds one; `capstone` finds it by name, with the numbers of a variant.
"""

from __future__ import annotations

from course_capstones.chaplygin_sleigh import CHAPLYGIN_SLEIGH
from course_capstones.double_cart import DOUBLE_CART
from course_capstones.slider_crank import SLIDER_CRANK
from course_capstones.tethered_drone import TETHERED_DRONE
from course_capstones.trifilar_pendulum import TRIFILAR_PENDULUM
from course_capstones.walking_linkage import WALKING_LINKAGE
from tutlib.exercises.capstones import Assignment, chosen

#: By their names, in the order of the book.
CAPSTONES = {
    one.name: one
    for one in (
        SLIDER_CRANK,
        TRIFILAR_PENDULUM,
        CHAPLYGIN_SLEIGH,
        TETHERED_DRONE,
        DOUBLE_CART,
        WALKING_LINKAGE,
    )
}


def capstone(name: str, variant: int = 0) -> Assignment:
    """Return a capstone with the numbers of a variant; see `tutlib.exercises.capstones`.

    Parameters
    ----------
    name : str
        Such as ``"slider-crank"``.
    variant : int
        From 0; yours is the number that you were given.
    """
    return chosen(CAPSTONES, name, variant)
