"""A chapter in sections: which quantities its texts state, and which numbers its code holds."""

import ast
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import nbformat

from tests.notebooks.quantities_of_code import Number, numbers_of_code, numbers_of_output
from tests.notebooks.quantities_of_text import Quantity, quantities, sentences
from tests.notebooks.units import IN_CODE
from tests.texts import shown_text

# How many code cells on either side of a text may hold its numbers. Small counts without a unit
# stand everywhere in code, so only the two nearest cells count for them: a run and its plot.
NEAR, NEAR_SMALL = 5, 2
MOVING = {"animate", "live", "live_in_space"}
EXERCISE = re.compile(r"check\(\"[a-z-]+-\d+\"")


@dataclass(frozen=True)
class Stated:
    """A quantity that a cell states, in its sentences or in its picture's description."""

    place: int
    cell: str
    quantity: Quantity


@dataclass
class Section:
    """What stands between two headings; cells are known by their place in the notebook."""

    heading: str
    stated: list[Stated] = field(default_factory=list)
    numbers: dict[int, list[Number]] = field(default_factory=dict)
    counted: list[Number] = field(default_factory=list)
    aside: set[int] = field(default_factory=set)  # exercises, and cells without any number

    def add_text(self, place, cell):
        self.state(place, cell.id, sentences(cell.source))
        self.counted += listed(cell.source)

    def add_code(self, place, cell):
        image = cell.metadata.get("mystnb", {}).get("image", {})
        for described in (image.get("alt", ""), *descriptions(cell.source)):
            self.state(place, f"{cell.id} (picture)", sentences(described))
        shown = shown_text(cell)
        found = numbers_of_code(cell.source) + numbers_of_output(shown)
        if not found or EXERCISE.search(cell.source):
            self.aside.add(place)
        lines = Number(float(len(cell.source.splitlines())), frozenset(["lines"]))
        self.numbers[place] = [*found, lines]

    def state(self, place, cell, text):
        self.stated += [Stated(place, cell, quantity) for quantity in quantities(text)]

    def near(self, stated: Stated) -> list[Number]:
        """Return the numbers of the code cells nearest to a text."""
        place, quantity = stated.place, stated.quantity
        count = NEAR_SMALL if quantity.unit is None and quantity.value in range(10) else NEAR
        own = place in self.numbers and place not in self.aside
        before = self.first([k for k in self.numbers if k <= place][::-1], count + own)
        after = self.first([k for k in self.numbers if k > place], count)
        return [n for k in before + after for n in self.numbers[k]] + self.counted

    def first(self, places: list[int], count: int) -> list[int]:
        """Return the first of some cells, with those in between that stand aside."""
        main = [k for k in places if k not in self.aside]
        return places if len(main) <= count else places[: places.index(main[count])]

    def binds(self, stated: Stated, quantity: Quantity | None = None) -> bool:
        """Tell whether code near a text holds its quantity, or another in its stead."""
        asked = quantity or stated.quantity
        return any(comes_from(asked, number) for number in self.near(stated))


def descriptions(source: str) -> list[str]:
    """Return what a cell's films and panels say of themselves."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    moving = [call for call in calls if getattr(call.func, "id", "") in MOVING]
    values = [part.value for call in moving for part in call.args if isinstance(part, ast.Constant)]
    return [value for value in values if isinstance(value, str)]


def listed(markdown: str) -> list[Number]:
    """Return what can be counted in a text: how many items it lists, how many steps it has."""
    items = len(re.findall(r"(?m)^(?:-|\d+\.) ", markdown))
    steps = [int(step) for step in re.findall(r"\bStep (\d+)", markdown)]
    return [Number(float(count), frozenset(["counted"])) for count in (items, *steps) if count > 3]


def comes_from(quantity: Quantity, number: Number) -> bool:
    """Tell whether a number of code, rounded to the quantity's digits, is the quantity."""
    unit, factor = quantity.unit, 1.0
    if unit in IN_CODE and unit not in number.units:
        unit, factor = IN_CODE[unit]
    if unit and unit not in number.units:
        return False
    value, grain = quantity.value * factor, quantity.grain * factor
    allowed = max(1e-9 * abs(value), min(grain / 2, 0.05 * abs(value)))
    return abs(number.value - value) <= allowed * (1 + 1e-9)


@cache
def sections(path: Path) -> list[Section]:
    """Return a notebook's sections; one without code of its own looks at the whole notebook."""
    found = [Section("the opening")]
    for place, cell in enumerate(nbformat.read(path, as_version=4).cells):
        if cell.cell_type == "code":
            found[-1].add_code(place, cell)
            continue
        heading = re.search(r"(?m)^## (.+)$", cell.source)
        if heading:
            found.append(Section(heading[1]))
        found[-1].add_text(place, cell)
    everything = [n for section in found for ns in section.numbers.values() for n in ns]
    for section in found:
        section.numbers = section.numbers or {0: everything}
    return found
