"""Rules that every figure keeps, read from its description (see `tools.figures`) and alt text."""

import math
import re

from tools.review_pictures import COLORS
from tutlib.integrate import METHODS
from tutlib.tableaus import DORMAND_PRINCE, EULER, HEUN, KUTTA3, RK4

KINDS = {  # what an axis shows -> the units that it may be shown in
    r"^time of one evaluation": {"µs"},
    r"^time$": {"s"},
    r"^step$": {"s"},
    r"^energy$": {"J"},
    r"^energy error$": {"%"},
    r"\btheta|angle|amplitude|bend|lean|\b(rod|link)$": {"deg", "rad"},
    r"dot\\?theta|^rates$|u_1|spin": {"deg/s", "rad/s"},
    r"^error of .*u_1": {"rad/s"},
    r"^error$": {"rad or rad/s"},
    r"^x$|^y$|distance|gap|coordinate|height|length": {"m", "mm"},
    r"speed": {"m/s"},
    r"real part": {"1/s"},
    r"force|tension": {"N"},
}
# Ratios, counts and mathematics: what has no unit.
PURE = (
    r" / |^number of|^operations|^periods$|^evaluations|error|defect|^(Re|Im) z$|^[xy]$|"
    r"^distance (of the states|from the space)|over its"
)
SYNONYMS = {
    "time": "against time|over (?:\\w+ ){1,2}(?:seconds|periods)|within [\\w ]+ seconds?|one step",
    r"\theta": "angle|swing|arm|degrees",
    r"\dot\theta": "phase portrait|rate",
    "u_1": "speed",
}
UP = r"rises?|climbs?|grows?|gains?|shoots? up|goes over the top|steepens?|climb steadily"
DOWN = r"falls?|shrinks?|decays?|vanish(?:es)?|dies out|loses"
FLAT = r"constant|flat|horizontal|stays? (?:on|in a band|near|at)|keeps(?= \d)"
DIRECTION = re.compile(rf"\b(?:(?P<up>{UP})|(?P<down>{DOWN})|(?P<flat>{FLAT}))\b")


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
        if not (side == "x" and tuple(ax["x"]["limits"]) in labelled)
    ]


def wrong_units(picture):
    """Name axes whose unit is missing, or none of those that their quantity has."""
    found = []
    for _, side, quantity, unit in sides(picture):
        allowed = [units for kind, units in KINDS.items() if re.search(kind, quantity)]
        if unit is None and not re.search(PURE, quantity):
            found.append(f"{side}: {quantity!r} has no unit in brackets")
        if unit is not None and not any(unit in units for units in allowed):
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
        drawn = {(a["label"], _first(a["color"])) for a in ax["artists"] if _has_label(a)}
        own = said[id(ax)]
        found += [f"said twice: {one}" for one in set(own) if own.count(one) > 1]
        missing = drawn ^ set(own) if own else drawn - elsewhere if len(drawn) > 1 else set()
        found += [f"in one of drawing and legend only: {one}" for one in missing]
    return found


def _entries(ax):
    entries = (ax["legend"] or {"entries": []})["entries"]
    return [(entry["label"], _first(entry["color"])) for entry in entries]


def _has_label(artist):
    return artist["kind"] != "text" and artist["label"]


def _first(color):
    return color[0] if isinstance(color, list) else color


def alike_curves(picture):
    """Name two labelled curves of one pair of axes that look the same."""
    found = []
    for ax in picture["axes"]:
        looks = [
            (a["color"], a["line"], a["marker"])
            for a in ax["artists"]
            if a["kind"] == "line" and a["label"]
        ]
        found += [str(look) for look in set(looks) if looks.count(look) > 1]
    return found


def unmentioned(picture):
    """Name axes that an alt text does not mention, unless it mentions every labelled curve."""
    text = picture["alt"].lower()
    labels = [a["label"] for ax in picture["axes"] for a in ax["artists"] if _has_label(a)]
    if labels and all(_mentions(text, label) for label in labels):
        return []
    quantities = {quantity for _, _, quantity, unit in sides(picture) if unit} - {"x", "y"}
    return [q for q in quantities if not _mentions(text, q)]


def _mentions(text, name):
    if (pattern := SYNONYMS.get(name.strip("$"))) and re.search(pattern, text):
        return True
    words = re.findall(r"[a-zα-ω\d]{4,}|\b\d+\b", name.lower().replace("_", " "))
    return any(re.search(rf"\b{re.escape(word[:5])}", text) for word in words)


def wrong_colors(picture):
    """Name colors that an alt text mentions and no artist has."""
    drawn = {
        COLORS.get(color, color)
        for ax in picture["axes"]
        for artist in ax["artists"]
        for color in _listed(artist.get("color", []))
    }
    said = set(re.findall(rf"\b({'|'.join(set(COLORS.values()) - {'black'})})\b", picture["alt"]))
    return sorted(said - drawn)


def _listed(color):
    return color if isinstance(color, list) else [color]


def trends(curve, log=False):
    """Return what a curve does as a whole, up, down or flat, and what it does at first."""
    data = curve["data"]
    if "min" not in data:
        return set()
    first, last, low, high = (data[key] for key in ("first", "last", "min", "max"))
    size, change = high - low, last - first
    spreads = data["spreads"]
    begins = data["quarters"][1] - first
    found = {"first up"} if begins > 0.2 * size else {"first down"} if begins < 0 else set()
    if change > 0.2 * size or spreads[-1] > 1.3 * spreads[0]:
        found.add("up")
    if change < -0.2 * size or spreads[-1] < 0.7 * spreads[0]:
        found.add("down")
    settled = spreads[-1] < 0.02 * (size or 1) or abs(change) < 0.1 * abs(first)
    if settled or (log and (high < 10 * low or high < 1e-11)):
        found.add("flat")
    return found


def wrong_directions(picture):
    """Name words of direction in an alt text that do not fit the curve they are said of.

    That is the curve named last before the word in its sentence, or else any.
    """
    curves = [
        (a["label"], trends(a, ax["y"]["scale"] == "log"))
        for ax in picture["axes"]
        for a in ax["artists"]
        if a["kind"] == "line"
    ]
    found = []
    text = re.sub(r"(?<=\d) seconds?", " s", picture["alt"])
    for sentence in re.split(r"[.:;] ", text):
        for word in DIRECTION.finditer(sentence):
            said_of = named(sentence[: word.start()], [label for label, _ in curves if label])
            meant = [way for label, way in curves if label in said_of] if said_of else []
            ways = meant or [way for _, way in curves]
            at_first = "first " if sentence[: word.start()].endswith("first ") else ""
            if ways and not any(at_first + word.lastgroup in way for way in ways):
                found.append(f"{word[0]!r} of {said_of or 'any curve'}, which go {ways}")
    return found


NAMES = {
    "rk4": "Runge-Kutta|RK4", "euler": "Euler", "semi_implicit_euler": "semi-implicit Euler",
    "velocity_verlet": "velocity Verlet", "midpoint": "midpoint", "heun": "Heun",
}  # fmt: skip


def named(text, labels):
    """Return the labels that a text names last, by their own words."""
    places = {}
    for label in labels:
        name = NAMES.get(label.lower(), re.escape(label))
        for found in re.finditer(rf"(?<![\w-])(?:{name})(?![\w-])", text, re.IGNORECASE):
            before = text[: found.start()]
            if not (name == "Euler" and re.search(r"semi-implicit $", before)):
                places[label] = found.end()
    last = max(places.values(), default=0)
    return {label for label, place in places.items() if place == last}


def order_of(label):
    """Return the order of the method that a label names, or the one that it states."""
    if stated := re.search(r": (\d\.\d)$", label):
        return float(stated[1])
    known = {getattr(m, "name", key): m for key, m in METHODS.items()} | METHODS
    known |= {"Dormand-Prince 5(4)": DORMAND_PRINCE, "Heun": HEUN, "Kutta 3": KUTTA3}
    known |= {"Lie-Euler": EULER, "RKMK4": RK4, "CF4": RK4}
    orders = {name: getattr(method, "order", None) for name, method in known.items()}
    return (orders | {"semi_implicit_euler": 1, "velocity_verlet": 2}).get(label)


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
    ("runge-kutta", "euler"), ("rk4", "euler"), ("rk4", "midpoint"), ("rkmk4", "kutta 3"),
    ("runge-kutta", "semi-implicit euler"), ("semi_implicit_euler", "euler"), ("heun", "lie-euler"),
    ("kutta 3", "heun"), ("cf4", "kutta 3"), ("velocity_verlet", "semi_implicit_euler"),
)  # fmt: skip
RULES = (
    unlabelled, wrong_units, implausible_angles, legend_faults, alike_curves, unmentioned,
    wrong_colors, wrong_directions, wrong_orders, wrong_energies,
)  # fmt: skip
