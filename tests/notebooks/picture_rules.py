"""Rules that every figure keeps, read from its description (see `publishing.figures`)."""

import math
import re

from tests.notebooks.units import without_brackets
from tutlib.methods import DORMAND_PRINCE, EULER, HEUN, KUTTA3, METHODS, RK4
from tutlib.units import unit_of

# Quantities that every reader knows by name, and a unit of theirs; any other may have any unit.
KINDS = {
    r"^time|^settling time|^step$": "s",
    r"^energy$": "J",
    r"^error of .*u_1": "rad/s",
    r"^error of the start": "rad",
    r"^energy error$|^error$": "1",
    r"dot\\?theta|^rates$|u_1|spin|^angular speed": "rad/s",
    r"^x$|^y$|distance|gap|coordinate|height|length|stretch": "m",
    r"\btheta|angle|amplitude|bend|lean|\b(rod|link)$": "rad",
    r"speed": "m/s",
    r"real part|imaginary part|growth of the logarithm": "1/s",
    r"^stiffness": "N·m/rad",
    r"^friction|^brake": "N·m·s/rad",
    r"^moment|^torque": "N·m",
    r"force|tension|thrust": "N",
}
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
    """Name axes whose unit is missing, is none, or has another dimension than their quantity."""
    found = []
    for _, side, quantity, unit in sides(picture):
        if unit is None:
            if not re.search(PURE, quantity):
                found.append(f"{side}: {quantity!r} has no unit in brackets")
            continue
        known = next((one for kind, one in KINDS.items() if re.search(kind, quantity)), unit)
        try:
            right = dimension(known) in map(dimension, unit.split(" or "))
        except ValueError:
            right = False
        if not right:
            found.append(f"{side}: {quantity!r} in {unit!r}")
    return found


def implausible_angles(picture):
    """Name axes in degrees whose numbers are those of radians, and the other way round."""
    found = []
    for ax, side, quantity, unit in sides(picture):
        keys = ("min", "max") if side == "y" else ("x min", "x max")
        drawn = [a["data"] for a in ax["artists"] if "min" in a.get("data", {})]
        largest = max((abs(data[key]) for data in drawn for key in keys), default=0)
        degrees, radians = re.match("deg", unit or ""), re.match("rad", unit or "")
        if (degrees and largest < 7) or (radians and largest > 60):
            found.append(f"{side}: {quantity!r} in {unit!r} reaches {largest}")
    return found


def legend_faults(picture):
    """Name what a legend leaves out, or says of something that is not drawn so."""
    found = []
    said = {id(ax): _entries(ax) for ax in picture["axes"]}
    elsewhere = {entry for entries in said.values() for entry in entries}
    for ax in picture["axes"]:
        named = {a["label"] for a in ax["artists"] if a["kind"] == "text"}
        drawn = {(a["label"], _first(a["color"])) for a in ax["artists"] if has_label(a)}
        drawn = {one for one in drawn if ax["legend"] or one[0] not in named}
        own = said[id(ax)]
        found += [f"said twice: {one}" for one in set(own) if own.count(one) > 1]
        missing = drawn ^ set(own) if own else drawn - elsewhere if len(drawn) > 1 else set()
        found += [f"in one of drawing and legend only: {one}" for one in missing]
    return found


def covered_lines(picture):
    """Name lines that run below a legend."""
    return [label for ax in picture["axes"] for label in ax["covered"]]


def _entries(ax):
    entries = (ax["legend"] or {"entries": []})["entries"]
    return [(entry["label"], _first(entry["color"])) for entry in entries]


def has_label(artist):
    return artist["kind"] != "text" and artist["label"]


def _first(color):
    return color[0] if isinstance(color, list) else color


def alike_curves(picture):
    """Name two labelled curves of one pair of axes with the same color and the same dashes.

    Of points without a line, the markers are compared.
    """
    found = []
    for ax in picture["axes"]:
        looks = [
            (a["color"], a["dashes"], a["marker"] if a["line"] == "None" else "")
            for a in ax["artists"]
            if a["kind"] == "line" and a["label"]
        ]
        found += [str(look) for look in set(looks) if looks.count(look) > 1]
    return found


def order_of(label):
    """Return the order of the method that a label names, or the one that it states."""
    if stated := re.search(r": (\d\.\d)$", label):
        return float(stated[1])
    known = {getattr(m, "name", key): m for key, m in METHODS.items()} | METHODS
    known |= {"Dormand-Prince 5(4)": DORMAND_PRINCE, "Heun": HEUN, "Kutta 3": KUTTA3}
    known |= {"Kutta, order 3": KUTTA3, "RK4": RK4}
    known |= {"Lie-Euler": EULER, "RKMK4": RK4, "CF4": RK4}
    orders = {name: getattr(method, "order", None) for name, method in known.items()}
    return (orders | {"semi-implicit Euler": 1, "velocity Verlet": 2}).get(label)


def wrong_orders(picture):
    """Name errors against steps whose slope is not the order of the method that they are of."""
    found = []
    for ax in picture["axes"]:
        if label_and_unit(ax["x"]["label"])[0] == "step" and ax["y"]["scale"] == "log":
            for curve in ax["artists"]:
                data, order = curve["data"], order_of(curve["label"])
                steps = math.log(data["x first"] / data["x last"])
                slope = math.log(data["first"] / data["last"]) / steps
                if order and abs(slope - order) > 0.45:
                    found.append(f"{curve['label']}: {slope:.1f}")
    return found


def wrong_energies(picture):
    """Name methods that keep the energy less well than a method that keeps it worse."""
    found = []
    for ax in picture["axes"]:
        if "energy" in ax["y"]["label"]:
            spreads = {}
            for curve in ax["artists"]:
                spreads[curve["label"].lower()] = curve["data"]["max"] - curve["data"]["min"]
            for better, poorer in BETTER:
                if spreads.get(better, 0) > spreads.get(poorer, math.inf):
                    found.append(f"{better} and {poorer} are exchanged")
    return found


BETTER = (
    ("runge-kutta", "euler"),
    ("rk4", "euler"),
    ("rk4", "midpoint"),
    ("rkmk4", "kutta 3"),
    ("runge-kutta", "semi-implicit euler"),
    ("semi-implicit euler", "euler"),
    ("heun", "lie-euler"),
    ("kutta 3", "heun"),
    ("cf4", "kutta 3"),
    ("velocity verlet", "semi-implicit euler"),
)


RULES = (
    unlabelled,
    wrong_units,
    implausible_angles,
    legend_faults,
    covered_lines,
    alike_curves,
    wrong_orders,
    wrong_energies,
)
