"""Rules that every alt text keeps: what it says of curves is what the figure's data do."""

import re

from publishing.review_pictures import COLORS
from tests.notebooks.picture_rules import has_label, sides
from tests.notebooks.quantities_of_text import quantities
from tests.notebooks.units import IN_CODE

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
NAMES = {
    "rk4": "Runge-Kutta|RK4",
    "euler": "Euler",
    "semi_implicit_euler": "semi-implicit Euler",
    "velocity_verlet": "velocity Verlet",
    "midpoint": "midpoint",
    "heun": "Heun",
}


def unmentioned(picture):
    """Name axes that an alt text does not mention, unless it mentions every labelled curve."""
    text = picture["alt"].lower()
    labels = [a["label"] for ax in picture["axes"] for a in ax["artists"] if has_label(a)]
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


def numbers_outside(picture):
    """Name quantities of an alt text that no axis of their unit reaches.

    What is so much above or below something is a distance: no longer than the axis.
    """
    found = []
    for quantity in quantities(picture["alt"]):
        kind, factor = IN_CODE.get(quantity.unit, (quantity.unit, 1.0))
        spans = [span for unit, *span in _spans(picture) if kind and unit == kind]
        value = quantity.value * factor
        if re.match(r"\W*\w*\W+(above|below|apart)\b", picture["alt"][quantity.end :]):
            spans = [(low - high, high - low) for low, high in spans]
        if spans and not any(low <= value <= high for low, high in spans):
            found.append(f"{value:g} {kind}, on axes of {spans}")
    return found


def _spans(picture):
    """Yield unit, lower and upper end of each axis, with a margin, in SI units or degrees."""
    for ax, side, _, unit in sides(picture):
        kind, factor = IN_CODE.get(unit, (unit, 1.0))
        low, high = (factor * end for end in sorted(ax[side]["limits"]))
        margin = 0.02 * (high - low)
        yield kind, low - margin, high + margin


RULES = (unmentioned, wrong_colors, wrong_directions, numbers_outside)
