"""Labels of sketches: symbols as letters with subscripts, and how much room they take."""

from __future__ import annotations

import html
import unicodedata
from typing import TYPE_CHECKING

from panels.drawing.svg import element, paint
from tutlib.reading.names import label_of, plain_name

if TYPE_CHECKING:
    from tutlib.reading.parameters import Named


#: Size of letters and of subscripts [px], in a sketch that is as wide as a phone's page.
SIZE, BELOW = 17.0, 12.5
_FONT = "'STIX Two Text', 'Cambria Math', Cambria, 'Times New Roman', serif"
_NARROW, _WIDE = set("ijltfI.,' "), set("mwMW")


def letters(label: Named) -> list[tuple[str, bool]]:
    """Return a label as pieces of text, and of each whether it is a subscript.

    Parameters
    ----------
    label : Expr or str
        A symbol, a state, or a name such as ``"theta_1"``; or several, such as ``"R_1 e_3"``.
    """
    if isinstance(label, str) and " " in label:  # one letter after another
        return [piece for part in label.split() for piece in letters(part)]
    base, _, index = label_of(label).partition("_")
    digits = {c: str(unicodedata.digit(c)) for c in base if c in "₀₁₂₃₄₅₆₇₈₉"}
    below = "".join(digits.get(c, "") for c in base) + index.replace("_", ",")
    pieces = [("".join(c for c in base if c not in digits), False), (below, True)]
    return [piece for piece in pieces if piece[0]]


def room(label: Named) -> tuple[float, float]:
    """Return about how wide and how high a label is [px]."""
    pieces = letters(label)
    width = sum((BELOW if small else SIZE) * sum(map(_width, text)) for text, small in pieces)
    return width + 2, SIZE + 3 * any(small for _, small in pieces)


def _width(letter: str) -> float:
    """Return the width of a letter as part of its size, rather too much than too little."""
    if unicodedata.combining(letter):
        return 0.0
    if letter in _NARROW:
        return 0.36
    return 0.85 if letter in _WIDE else 0.72 if letter.isupper() else 0.56


def text(label: Named, x: float, y: float, role: str = "ink") -> str:
    """Return a label as SVG, its middle at (x, y) [px], with a rim of paper."""
    width, height = room(label)
    pieces = letters(label)
    base = y + 0.36 * SIZE - (height - SIZE) / 2
    before = [False, *(small for _, small in pieces)]
    spans = [
        element("tspan", html.escape(piece), dy=4, font_size=BELOW, font_style=_style(piece))
        if small
        else element("tspan", html.escape(piece), dy=-4 * low or None, font_style=_style(piece))
        for (piece, small), low in zip(pieces, before)
    ]
    return element(
        "text",
        *spans,
        x=x - width / 2 + 1,
        y=base,
        font_family=_FONT,
        font_size=SIZE,
        stroke_width=4,
        stroke_linejoin="round",
        paint_order="stroke",
        **paint(role, "paper"),
    )


def _style(piece: str) -> str:
    return "normal" if piece[0].isdigit() else "italic"


def spoken(label: Named) -> str:
    """Return a label in words, for those who hear it: ``theta 1``."""
    return plain_name(label).replace("_", " ")
