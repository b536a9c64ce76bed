"""Every axis of a figure has a label with a unit, and curves of one figure look different."""

import re

import pytest

from course.desk.course_record import name_of
from tests.helpers import record
from tests.texts import NOTEBOOKS
from tutlib.units import unit_of

# Further units at axes, and what they are multiples of.
MULTIPLES = {"deg": "rad", "mm": "m", "µs": "s", "W": "J/s", "%": "1"}
# Ratios, counts and mathematics: what has no unit.
PURE = (
    r" / |^number of|^operations|^(periods|runs|steps)$|^evaluations|error|defect|^(Re|Im) z$|"
    r"^[xy]$|^distance (of the states|from the space)|over its"
)


def faults(figure):
    """Name axes without a label or a known unit, and curves that look alike."""
    labelled = {tuple(ax["x"]["limits"]) for ax in figure["axes"] if ax["x"]["label"]}
    for ax in figure["axes"]:
        for side in "xy" if ax["shown"] else "":
            if label := ax[side]["label"]:
                if not ax[side]["ticks"] and not has_unit(label):
                    yield f"{label!r} has no unit"
            # of two axes that share their x, the upper one has no label
            elif not ax[side]["ticks"] and not (
                side == "x" and (ax.get("bar") or tuple(ax["x"]["limits"]) in labelled)
            ):
                yield f"no label at {side}"
        looks = [
            (line["color"], line["dashes"], line["marker"] if line["line"] == "None" else "")
            for line in ax["lines"]
            if line["label"]
        ]
        yield from (f"two curves of {look}" for look in set(looks) if looks.count(look) > 1)


def has_unit(label):
    """Tell whether a label ends in a unit such as [deg/s], or is of what has none."""
    quantity, unit = re.fullmatch(r"(.*?)(?: \[([^\]]*)\])?", label).groups()
    if unit is None:
        return bool(re.search(PURE, quantity.strip(" $")))
    # N·m/(rad·s) is N·m/rad/s
    unit = re.sub(r"/\((.*?)\)", lambda under: "/" + under[1].replace("·", "/"), unit)
    unit = re.sub(r"[^\W\d]+|%", lambda name: MULTIPLES.get(name[0], name[0]), unit)
    try:
        return all(unit_of(each) for each in unit.split(" or "))
    except ValueError:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_axes_have_labels_with_units_and_curves_look_different(path):
    taken = record(name_of(path))["figures"]
    assert taken or "plt.show()" not in path.read_text(encoding="utf-8")
    found = [
        f"{cell['cell']}: {fault}"
        for cell in taken
        for figure in cell["figures"]
        for fault in faults(figure)
    ]
    assert not found, "\n".join(found)
