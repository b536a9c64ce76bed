"""The capstones: machines to choose from, each to be modelled, verified and reported on.

A module holds one; `capstone` finds it by name, with the numbers of a variant.
"""

from __future__ import annotations

from course.capstones.chaplygin_sleigh import CHAPLYGIN_SLEIGH
from course.capstones.double_cart import DOUBLE_CART
from course.capstones.measured_arm import MEASURED_ARM
from course.capstones.slider_crank import SLIDER_CRANK
from course.capstones.tasks import Assignment, chosen
from course.capstones.tethered_drone import TETHERED_DRONE
from course.capstones.trifilar_pendulum import TRIFILAR_PENDULUM
from course.capstones.triple_pendulum import TRIPLE_PENDULUM
from course.capstones.walking_linkage import WALKING_LINKAGE

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
        MEASURED_ARM,
        TRIPLE_PENDULUM,
    )
}


def capstone(name: str, variant: int = 0) -> Assignment:
    """Return a capstone with the numbers of a variant; see `course.capstones.tasks`.

    Parameters
    ----------
    name : str
        Such as ``"slider-crank"``.
    variant : int
        From 0; yours is the number that you were given.
    """
    return chosen(CAPSTONES, name, variant)
