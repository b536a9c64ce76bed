"""Conversion of a page to XHTML for a book: without scripts, with open solutions and stills.

Code that the page folds, such as that of a picture, is left out.
"""

from __future__ import annotations

import base64
import hashlib
import posixpath
import re
import unicodedata
from collections.abc import Callable
from html import escape
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
#: Interactive elements, and the glyphs of formulas, which also have MathML.
SKIPPED = {"script", "button", "input", "textarea", "select", "mjx-math", "noscript"}
SKIPPED_CLASSES = {"headerlink", "tag_answer", "tutlib-answer", "tutlib-kept", "copybtn"}
#: Replacement of the name iframe while parsing, because parsers of newer Pythons treat the content
#: of an <iframe> as text, in which the still would be lost.
FRAME = "still-frame"
#: Elements that are replaced by their content.
UNWRAPPED = {"mjx-container", "mjx-assistive-mml", FRAME}
RENAMED = {"details": "div", "summary": "div", "article": "div"}
#: Texts that change because everything is open in a book.
SAID = {"Show the solution": "Solution"}
#: Names that are case-sensitive in XML but not in HTML.
CASED = {
    name.lower(): name
    for name in (
        "clipPath",
        "clipPathUnits",
        "gradientUnits",
        "gradientTransform",
        "linearGradient",
        "markerHeight",
        "markerUnits",
        "markerWidth",
        "pathLength",
        "patternUnits",
        "preserveAspectRatio",
        "radialGradient",
        "refX",
        "refY",
        "textLength",
        "viewBox",
    )
}
SPACES = {
    "svg": ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"',
    "math": ' xmlns="http://www.w3.org/1998/Math/MathML"',
}
STILL = "data:image/svg+xml;base64,"
#: Styles of letters in MathML and in Unicode, because most readers ignore the attribute.
STYLES = {"bold": "BOLD", "bold-italic": "BOLD ITALIC", "double-struck": "DOUBLE-STRUCK"}
LETTER = re.compile(r"(?:(?:LATIN|GREEK) )?((?:SMALL|CAPITAL) LETTER \w+|DIGIT \w+|\w+ SYMBOL)")


def lettered(text: str, variant: str) -> str:
    """Return a symbol in Unicode letters of a style: bold-italic r is 𝒓."""
    style, letters = STYLES[variant], []
    for letter in text:
        name = LETTER.fullmatch(unicodedata.name(letter, "").replace("GREEK LUNATE", "GREEK"))
        kind = name[1].replace(" LETTER", "") if name else ""
        styles = (style, "BOLD") if variant.startswith("bold") else (style,)
        named = [f"{start}{s} {kind}" for s in styles for start in ("MATHEMATICAL ", "")]
        characters = (character for name in named if (character := _called(name)))
        letters.append(next(characters, letter))
    return "".join(letters)


def _called(name: str) -> str:
    try:
        return unicodedata.lookup(name)
    except KeyError:
        return ""


class Page(HTMLParser):
    """Parser of the article of one page.

    Parameters
    ----------
    name : str
        Path within the site, with ``.html``.
    ids : function
        Function that returns the anchors of a page of the book, and raises KeyError for others.
    """

    def __init__(self, name: str, ids: Callable[[str], set[str]]) -> None:
        super().__init__()
        self.name, self.ids = name, ids
        self.text: list[str] = []
        self.images: dict[str, bytes | None] = {}  # None for a file of the site
        self.open: list[str] = []  # end tags of the open elements
        self.skipping = 0
        self.variant = ""  # style of the next letters
        self.before: set[str] = set()  # classes of the element before

    def feed(self, data: str) -> None:
        """Parse the whole article."""
        super().feed(re.sub(r"(</?)iframe\b", rf"\1{FRAME}", data))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write the start tag of an element that a book can show."""
        attributes = {name: value or "" for name, value in attrs}
        classes = set(attributes.get("class", "").split())
        in_frame = self.open[-1:] == [FRAME] and tag == "p"
        folded = tag == "details" and "tag_hide-input" in self.before
        self.before = classes
        if self.skipping or tag in SKIPPED or classes & SKIPPED_CLASSES or in_frame or folded:
            self.skipping += tag not in VOID
            return
        if tag in UNWRAPPED:
            self.open.append(FRAME if tag == FRAME else "")
            return
        self.variant = variant if (variant := attributes.get("mathvariant", "")) in STYLES else ""
        if self.variant:
            del attributes["mathvariant"]
        name = RENAMED.get(tag, CASED.get(tag, tag))
        shown = "".join(
            f' {CASED.get(key, key)}="{escape(value)}"' for key, value in self.kept(tag, attributes)
        )
        end = "/" if tag in VOID else ""
        self.text.append(f"<{name}{SPACES.get(tag, '')}{shown}{end}>")
        if tag not in VOID:
            self.open.append(f"</{name}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write an empty element."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Write the end tag of an element whose start tag was written."""
        if tag in VOID:
            return
        if self.skipping:
            self.skipping -= 1
            return
        self.variant = ""
        end = self.open.pop()
        self.text.append("" if end == FRAME else end)

    def handle_data(self, data: str) -> None:
        """Write a text."""
        if not self.skipping and self.open[-1:] != [FRAME]:
            text = lettered(data, self.variant) if self.variant else SAID.get(data, data)
            self.text.append(escape(text, quote=False))

    def kept(self, tag: str, attributes: dict[str, str]) -> list[tuple[str, str]]:
        """Return the attributes that an element keeps in a book."""
        kept = {k: v for k, v in attributes.items() if not k.startswith(("on", "xmlns"))}
        for key in ("open", "loading", "tabindex", "target", "rel"):
            kept.pop(key, None)
        if tag == "img":
            kept["src"] = self.image(kept["src"])
        if tag == "a" and "href" in kept:
            address = self.address(kept.pop("href"))
            kept |= {"href": address} if address else {}
        if tag == "summary":
            kept["class"] = "title"
        return list(kept.items())

    def image(self, source: str) -> str:
        """Return the path of a picture in the book, relative to this page."""
        if source.startswith(STILL):
            drawing = base64.b64decode(source.removeprefix(STILL))
            path = f"stills/{hashlib.sha256(drawing).hexdigest()[:16]}.svg"
            self.images[path] = drawing
        else:
            path = self.path(unquote(source.partition("?")[0]))
            self.images[path] = None
        return posixpath.relpath(path, posixpath.dirname(self.name))

    def address(self, address: str) -> str:
        """Return the address of a link in the book; empty if only the site has it."""
        if re.match(r"[a-z]+:", address):
            return address
        target, anchor = urldefrag(address)
        path = self.path(unquote(target)) if target else self.name
        try:
            anchors = self.ids(path)
        except KeyError:
            return ""
        if anchor and anchor not in anchors:
            return ""
        page = posixpath.relpath(path, posixpath.dirname(self.name)).replace(".html", ".xhtml")
        return f"{page}#{anchor}" if anchor else page

    def path(self, address: str) -> str:
        """Return an address in this page as a path within the site."""
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.name), address))


def article_of(page: str) -> str:
    """Return the article of a page of the site."""
    return "<article" + page.partition("<article")[2].rpartition("</article>")[0] + "</article>"
