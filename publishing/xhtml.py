"""A page of the site as XHTML for a book: without scripts, solutions open, stills of what moves.

Code that the page folds away, as that of a picture, stays on the site.
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
#: What needs hands or a script, and the letters of a formula whose MathML stands beside them.
SKIPPED = {"script", "button", "input", "textarea", "select", "mjx-math", "noscript"}
SKIPPED_CLASSES = {"headerlink", "tag_answer", "tutlib-answer", "tutlib-kept", "copybtn"}
#: A frame's name while it is read: HTML says that what stands in an <iframe> is text, and so do
#: parsers of newer Pythons; but the still stands there.
FRAME = "still-frame"
#: What holds one thing that a book can show.
UNWRAPPED = {"mjx-container", "mjx-assistive-mml", FRAME}
RENAMED = {"details": "div", "summary": "div", "article": "div"}
#: What is open in a book needs no invitation.
SAID = {"Show the solution": "Solution"}
#: Names that HTML reads without regard to case, and XML does not.
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
#: What MathML calls a style, as names of letters do; without its letters most readers show none.
STYLES = {"bold": "BOLD", "bold-italic": "BOLD ITALIC", "double-struck": "DOUBLE-STRUCK"}
LETTER = re.compile(r"(?:(?:LATIN|GREEK) )?((?:SMALL|CAPITAL) LETTER \w+|DIGIT \w+|\w+ SYMBOL)")


def lettered(text: str, variant: str) -> str:
    """Return a symbol in the letters of a style: bold-italic r is 𝒓."""
    style, letters = STYLES[variant], []
    for letter in text:
        name = LETTER.fullmatch(unicodedata.name(letter, "").replace("GREEK LUNATE", "GREEK"))
        kind = name[1].replace(" LETTER", "") if name else ""
        styles = (style, "BOLD") if variant.startswith("bold") else (style,)
        named = [f"{start}{s} {kind}" for s in styles for start in ("MATHEMATICAL ", "")]
        known = (character for name in named if (character := _called(name)))
        letters.append(next(known, letter))
    return "".join(letters)


def _called(name: str) -> str:
    try:
        return unicodedata.lookup(name)
    except KeyError:
        return ""


class Page(HTMLParser):
    """The article of one page.

    Parameters
    ----------
    name : str
        Its path within the site, with ``.html``.
    ids : function
        Gives the anchors of a page of the book by its path; raises KeyError for any other.
    """

    def __init__(self, name: str, ids: Callable[[str], set[str]]) -> None:
        super().__init__()
        self.name, self.ids = name, ids
        self.text: list[str] = []
        self.images: dict[str, bytes | None] = {}  # a file of the site has no bytes yet
        self.open: list[str] = []  # what ends with each element that is open
        self.skipping = 0
        self.variant = ""  # of the letters that come
        self.before: set[str] = set()  # the classes of the element that began last

    def feed(self, data: str) -> None:
        """Read the whole article."""
        super().feed(re.sub(r"(</?)iframe\b", rf"\1{FRAME}", data))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write the beginning of an element that a book can show."""
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
        """Write an element that ends at once."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Write the end of an element whose beginning was written."""
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
        """Return where a picture stands in the book, seen from this page."""
        if source.startswith(STILL):
            drawing = base64.b64decode(source.removeprefix(STILL))
            path = f"stills/{hashlib.sha256(drawing).hexdigest()[:16]}.svg"
            self.images[path] = drawing
        else:
            path = self.path(unquote(source.partition("?")[0]))
            self.images[path] = None
        return posixpath.relpath(path, posixpath.dirname(self.name))

    def address(self, address: str) -> str:
        """Return where a link leads in the book; nowhere if only the site has it."""
        if re.match(r"[a-z]+:", address):
            return address
        target, anchor = urldefrag(address)
        path = self.path(unquote(target)) if target else self.name
        try:
            known = self.ids(path)
        except KeyError:
            return ""
        if anchor and anchor not in known:
            return ""
        page = posixpath.relpath(path, posixpath.dirname(self.name)).replace(".html", ".xhtml")
        return f"{page}#{anchor}" if anchor else page

    def path(self, address: str) -> str:
        """Return an address of this page as a path within the site."""
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.name), address))


def article_of(page: str) -> str:
    """Return the markup of what a page of the site says."""
    return "<article" + page.partition("<article")[2].rpartition("</article>")[0] + "</article>"
