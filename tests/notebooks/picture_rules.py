"""Rules for figures, read from their descriptions by `publishing.figures`."""

import re

from tests.notebooks.units import without_brackets
from tutlib.units import unit_of

# Further units at axes, and what they are multiples of.
MULTIPLES = {"deg": "rad", "mm": "m", "µs": "s", "W": "J/s", "%": "1"}
# Ratios, counts and mathematics: what has no unit.
PURE = (
    r" / |^number of|^operations|^(periods|runs|steps)$|^evaluations|error|defect|^(Re|Im) z$|"
    r"^[xy]$|^distance (of the states|from the space)|over its"
)


def label_and_unit(label):
    """Split what stands at an axis into the quantity and its unit, which may be missing."""
    found = re.fullmatch(r"(.*?)(?: \[([^\]]*)\])?", label)
    return found[1].strip(" $"), found[2]


def sides(picture):
    """Yield every labelled data axis of a picture: axes, x or y, quantity, unit."""
    for ax in picture["axes"]:
        for side in "xy" if ax["shown"] else "":
            if not ax[side]["ticks"] and ax[side]["label"]:
                yield ax, side, *label_and_unit(ax[side]["label"])


def unlabelled(picture):
    """Name axes with no label: but for the upper one of two that share their x."""
    labelled = {tuple(ax["x"]["limits"]) for ax in picture["axes"] if ax["x"]["label"]}
    return [
        f"no label at {side}"
        for ax in picture["axes"]
        for side in "xy"
        if ax["shown"] and not ax[side]["label"] and not ax[side]["ticks"]
        if not (side == "x" and (ax.get("bar") or tuple(ax["x"]["limits"]) in labelled))
    ]


def dimension(unit):
    """Return the powers of kilogram, meter and second in a unit of an axis, such as deg/s."""
    over, *under = (
        "·".join(MULTIPLES.get(factor, factor) for factor in part.split("·"))
        for part in without_brackets(unit).split("/")
    )
    return unit_of("/".join([over, *under]))


def wrong_units(picture):
    """Name axes whose unit is missing or unknown."""
    found = []
    for _, side, quantity, unit in sides(picture):
        if unit is None:
            if not re.search(PURE, quantity):
                found.append(f"{side}: {quantity!r} has no unit in brackets")
            continue
        try:
            [dimension(each) for each in unit.split(" or ")]
        except ValueError:
            found.append(f"{side}: {unit!r} is no unit")
    return found


def alike_curves(picture):
    """Name two labelled curves of one pair of axes with the same color and the same dashes.

    Of points without a line, the markers are compared.
    """
    found = []
    for ax in picture["axes"]:
        looks = [
            (line["color"], line["dashes"], line["marker"] if line["line"] == "None" else "")
            for line in ax["lines"]
            if line["label"]
        ]
        found += [str(look) for look in set(looks) if looks.count(look) > 1]
    return found


RULES = (unlabelled, wrong_units, alike_curves)
