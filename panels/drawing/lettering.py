"""Labels of sketches: symbols with subscripts, and their sizes."""

from __future__ import annotations

import html
import unicodedata
from typing import TYPE_CHECKING

from panels.drawing.svg import element, paint
from tutlib.reading.names import label_of, plain_name

if TYPE_CHECKING:
    from tutlib.reading.parameters import Named


#: Font sizes of letters and of subscripts [px], in a sketch that is as wide as a phone's page.
SIZE, SUBSCRIPT_SIZE = 17.0, 12.5
_FONT = "'STIX Two Text', 'Cambria Math', Cambria, 'Times New Roman', serif"
_NARROW, _WIDE = set("ijltfI.,' "), set("mwMW")


def letters(label: Named) -> list[tuple[str, bool]]:
    """Return a label as pieces of text, each with whether it is a subscript.

    Parameters
    ----------
    label : Expr or str
        A symbol, a state, or a name such as ``"theta_1"``; or several, such as ``"R_1 e_3"``.
    """
    if isinstance(label, str) and " " in label:  # one letter after another
        return [piece for part in label.split() for piece in letters(part)]
    base, _, index = label_of(label).partition("_")
    digits = {c: str(unicodedata.digit(c)) for c in base if c in "₀₁₂₃₄₅₆₇₈₉"}
    subscript = "".join(digits.get(c, "") for c in base) + index.replace("_", ",")
    pieces = [("".join(c for c in base if c not in digits), False), (subscript, True)]
    return [piece for piece in pieces if piece[0]]


def label_size(label: Named) -> tuple[float, float]:
    """Return the approximate width and height of a label [px]."""
    pieces = letters(label)
    width = sum(
        (SUBSCRIPT_SIZE if is_subscript else SIZE) * sum(map(_width, text))
        for text, is_subscript in pieces
    )
    return width + 2, SIZE + 3 * any(is_subscript for _, is_subscript in pieces)


def _width(letter: str) -> float:
    """Return the width of a letter as a fraction of its size, rather too large than too small."""
    if unicodedata.combining(letter):
        return 0.0
    if letter in _NARROW:
        return 0.36
    return 0.85 if letter in _WIDE else 0.72 if letter.isupper() else 0.56


def text(label: Named, x: float, y: float, role: str = "ink") -> str:
    """Return a label as SVG with a rim in the background's color, centered at (x, y) [px]."""
    width, height = label_size(label)
    pieces = letters(label)
    base = y + 0.36 * SIZE - (height - SIZE) / 2
    was_subscript = [False, *(is_subscript for _, is_subscript in pieces)]
    spans = [
        element(
            "tspan", html.escape(piece), dy=4, font_size=SUBSCRIPT_SIZE, font_style=_style(piece)
        )
        if is_subscript
        else element(
            "tspan", html.escape(piece), dy=-4 * after_subscript or None, font_style=_style(piece)
        )
        for (piece, is_subscript), after_subscript in zip(pieces, was_subscript)
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
    """Return the font style of a piece of text."""
    return "normal" if piece[0].isdigit() else "italic"


def spoken(label: Named) -> str:
    """Return a label in words, for screen readers: ``theta 1``."""
    return plain_name(label).replace("_", " ")
