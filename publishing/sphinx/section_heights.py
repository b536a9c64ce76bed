"""Estimated heights of the sections of long pages, so that browsers can render them lazily.

A browser renders a section when it comes near the screen, see course.css. Until then it reserves
the estimated height, in pixels, for a wide screen or a phone, so that the scroll bar is right and
the page does not jump.
"""

from __future__ import annotations

import math
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from publishing.code_bars import SHORT

#: Length of a page in characters beyond which it is long.
LONG = 500_000
#: Widths of an article on a wide screen and on a phone [px].
WIDTHS = 688, 358
#: Height of a line [px] and its number of letters at both widths: text, headings, code.
TEXT = 26.4, (84, 42)
HEADINGS = {"h2": (39.1, (40, 20)), "h3": (32.2, (46, 24)), "h4": (28, (56, 30))}
CODE = 20, 17
#: Letters in a line of code on a phone, which wraps; and the extra height of the line behind which
#: a long block is folded [px], see code.js.
LETTERS, FOLDED = 43, 8
#: Padding and margins of elements [px].
AROUND = {
    "p": 18.4,
    "ul": 12,
    "ol": 12,
    "pre": 40,
    "blockquote": 34,
    "h2": 60.8,
    "h3": 60.8,
    "h4": 60.8,
    "tr": 17,
    "table": 20,
    "dd": 8,
    "dt": 4,
    "details": 26,
}
BLOCKS = {*AROUND, "li", "div", "section", "summary", "figure", "figcaption"}
#: Extra length of the text in a table's row, because its cells differ.
ROW = 1.3
#: Height of an answer box with its buttons at both widths [px].
ANSWER = 220, 270
VOID = {"img", "br", "hr", "input", "link", "meta", "wbr"}
SECTION = re.compile(r'srcdoc="[^"]*"|<section\b(?=[^>]*\bid=)')


class Heights(HTMLParser):
    """Parser that estimates the heights of an article's sections, in order."""

    def __init__(self, article: str) -> None:
        super().__init__()
        self.sections: list[list[float]] = []
        self.around: list[list[float]] = []  # the sections around the current position
        self.within: list[tuple[str, bool]] = []  # open elements, and whether they hide content
        self.letters = 0
        self.code = ""
        self.feed(article)

    @property
    def hidden(self) -> bool:
        """Whether the current position is hidden, or has a known height."""
        return any(hides for _, hides in self.within)

    def inside(self, tag: str) -> bool:
        """Return whether the current position is in an element with that name."""
        return any(name == tag for name, _ in self.within)

    def add(self, wide: float, narrow: float) -> None:
        """Add a height to all sections around the current position."""
        if not self.hidden:
            for section in self.around:
                section[0] += wide
                section[1] += narrow

    def end_of_text(self) -> None:
        """Add the lines of the text since the last block."""
        kind = next((name for name, _ in self.within if name in HEADINGS), "")
        line, letters = HEADINGS.get(kind, TEXT)
        self.add(*(line * math.ceil(self.letters / n) for n in letters))
        self.letters = 0

    def end_of_code(self) -> None:
        """Add the lines of a block of code, or of printed output."""
        lines = self.code.rstrip("\n").split("\n")
        wrapped = CODE[1] * sum(max(1, math.ceil(len(line) / LETTERS)) for line in lines)
        folded = self.inside("input") and len(lines) > SHORT
        self.add(CODE[0] * len(lines), FOLDED if folded else wrapped)
        self.code = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element; pictures and formulas have heights of their own."""
        attributes = {name: value or "" for name, value in attrs}
        if tag in BLOCKS and not self.inside("tr"):
            self.end_of_text()
        if tag in ("iframe", "svg"):
            self.picture(attributes)
        high = re.search(r"--high: *([\d.]+)", attributes.get("style", ""))
        if high:
            self.add(*2 * [19.2 * float(high[1]) + 36])
        if "tutlib-answer" in attributes.get("class", "").split():
            self.add(*ANSWER)
        if tag == "section" and "id" in attributes:
            self.sections.append([0.0, 0.0])
            self.around.append(self.sections[-1])
        if tag not in VOID:
            self.within.append((tag, high is not None or tag in ("iframe", "svg", "summary")))
        if "cell_input" in attributes.get("class", "").split():
            self.within.append(("input", False))
        if tag == "details" and "open" not in attributes:
            self.within.append(("folded", True))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Ignore an empty element."""

    def handle_endtag(self, tag: str) -> None:
        """End an element: add the lines of its text, and its padding."""
        if not self.inside(tag):
            return
        if tag == "tr":
            self.letters = round(ROW * self.letters)
        if tag in BLOCKS and (tag == "tr" or not self.inside("tr")):
            self.end_of_text()
        if tag == "pre":
            self.end_of_code()
        while self.within.pop()[0] != tag:
            pass
        if not self.inside("tr"):
            self.add(*2 * [AROUND.get(tag, 0)])
        if tag == "section" and self.around:
            self.around.pop()

    def handle_data(self, data: str) -> None:
        """Count lines of code, and letters of other text."""
        if self.inside("pre"):
            self.code += data
        elif not self.hidden:
            self.letters += len(data.strip())

    def picture(self, attributes: dict[str, str]) -> None:
        """Add the height of a picture, which has the largest possible width."""
        style = attributes.get("style", "")
        if tall := re.search(r"(?<![-\w])height: *(\d+)px", style):
            self.add(*2 * [float(tall[1])])
        elif box := re.findall(r"[\d.]+", attributes.get("viewbox", "")):
            most = re.search(r"max-width: *(\d+)px", style)
            widths = (min(width, float(most[1]) if most else width) for width in WIDTHS)
            self.add(*(width * float(box[3]) / float(box[2]) for width in widths))


def with_heights(page: str) -> str:
    """Return a page with the height of each section of its article."""
    before, begins, rest = page.partition("<article")
    article, ends, after = rest.partition("</article>")
    heights = iter(Heights(re.sub(r'srcdoc="[^"]*"', "", begins + article)).sections)

    def tell(match: re.Match[str]) -> str:
        if match[0][0] != "<":
            return match[0]
        wide, narrow = next(heights)
        return f'{match[0]} style="--tall: {wide:.0f}; --tall-on-a-phone: {narrow:.0f}"'

    return before + begins + SECTION.sub(tell, article) + ends + after


def finish(app: Sphinx, exception: Exception | None) -> None:
    if exception or app.builder.name != "html":
        return
    for name in app.env.found_docs:
        page = Path(app.outdir, f"{name}.html")
        text = page.read_text(encoding="utf-8")
        if len(text) > LONG:
            page.write_text(with_heights(text), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("build-finished", finish)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
