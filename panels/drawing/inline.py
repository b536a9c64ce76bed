"""Matplotlib figures as inline SVG: selectable text, and colors of the page's theme.

Matplotlib's SVG is a separate file with fixed colors and much metadata. Inline, the same figure is
smaller, and readable in a dark theme.
"""

from __future__ import annotations

import hashlib
import io
import re
import unicodedata
from xml.etree.ElementTree import Element, ParseError, fromstring, tostring

from panels.drawing.colors import color
from panels.drawing.frames import check_description
from straightline.arguments import instance, shown
from tutlib.plots.look import LOOK, SERIES
from tutlib.plots.plotting import UNDATED, styled

_LIGHT = LOOK["colors"]["light"]
#: The role of each color of a figure. Matplotlib often omits black, so the ink is the default fill.
ROLES = {
    **{_LIGHT[f"series-{i + 1}"]: f"series-{i + 1}" for i in range(1, SERIES)},
    **{_LIGHT[role]: role for role in ("ink", "paper", "grid", "ground", "soft")},
    "#000000": "ink",
    **dict.fromkeys(("#cccccc", "#d9d9d9"), "grid"),  # the edge of a legend, a shaded range
    **dict.fromkeys(("#595959", "#666666", "#808080"), "ground"),  # gray lines
}
PIXELS = 1.4  # at most, per point of Matplotlib: then its text is as large as the page's
DECIMALS = 2  # decimal places of a point: far below a pixel
_NUMBER = r"-?\d+\.?\d*(?:e-?\d+)?"
_LINK = "{http://www.w3.org/1999/xlink}href"
_ROOT = (
    "display:block;width:100%;max-width:{:.0f}px;height:auto;stroke-linejoin:round;"
    "fill:{};background:{}"
)


def figure_as_html(figure: object, description: str) -> str:
    """Close a figure and return it as HTML, with a description for screen readers."""
    import matplotlib.pyplot as plt
    from matplotlib.figure import Figure

    figure, description = instance(figure, "figure", Figure), check_description(description)
    drawn = io.StringIO()
    with styled():
        figure.savefig(drawn, format="svg", metadata=UNDATED)
    plt.close(figure)
    return inline_figure(drawn.getvalue(), description)


def inline_figure(svg: str, description: str) -> str:
    """Return a figure as an ``<svg>`` element for a page.

    Parameters
    ----------
    svg : str
        A figure saved by Matplotlib as SVG, with ``svg.fonttype: none``.
    description : str
        The text alternative of the figure, for screen readers.

    Returns
    -------
    str
        HTML on one line. Ids are unique to the figure, and colors are variables of the page:
        ``--ink``, ``--paper``, ``--grid``, ``--series-2`` and so on.

    Raises
    ------
    TypeError
        If the figure or its description is not text.
    ValueError
        If the text is not an SVG with a view box.
    """
    svg, description = instance(svg, "svg", str), instance(description, "description", str)
    try:
        root = fromstring(svg)
        width, height = (float(size) for size in root.attrib["viewBox"].split()[2:])
    except (ParseError, KeyError, ValueError):
        raise ValueError(
            f"svg must be the text of an SVG file with a view box; got {shown(svg)}"
        ) from None
    mark = "f" + hashlib.sha256((description + svg).encode()).hexdigest()[:8]
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        element.attrib.update({k: _value(k, v, mark) for k, v in element.attrib.items()})
    _thin_out(root)
    root.attrib.clear()
    root.attrib.update(
        {
            "class": "tutlib-figure",
            "role": "img",
            "aria-label": description,
            "viewBox": f"0 0 {_short(width)} {_short(height)}",
            "style": _ROOT.format(PIXELS * width, color("ink"), color("paper")),
        }
    )
    return tostring(root, encoding="unicode")


def _value(name: str, value: str, mark: str) -> str:
    """Return the value of an attribute: rounded, in theme colors, with ids unique to the figure."""
    if name == _LINK and value.startswith("data:"):
        return "".join(value.split())
    if name in ("id", "clip-path", _LINK):
        return re.sub(r"^(url\()?(#?)", rf"\1\2{mark}", value)
    if name == "style":
        declarations = (part.strip().partition(": ") for part in value.split(";"))
        return ";".join(f"{k}:{_styled(v)}" for k, _, v in declarations if k and k != "font-family")
    if name == "d":
        return _path(value)
    return _rounded(value) if name in ("x", "y", "width", "height", "transform") else value


def _styled(value: str) -> str:
    """Return the value of a style property: a theme color, or rounded numbers."""
    if not value.startswith("#"):
        return _rounded(value)
    return color(ROLES[value]) if value in ROLES else value


def _short(value: float) -> str:
    """Return a number as short text."""
    text = f"{value:.{DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _rounded(text: str) -> str:
    """Return text with its numbers rounded."""
    return re.sub(_NUMBER, lambda match: _short(float(match[0])), text)


def _path(text: str) -> str:
    """Return the data of a path; lines have relative coordinates, which take fewer digits."""
    if re.search("[CQ]", text):
        return re.sub(r"\s*([A-Za-z])\s*", r"\1", _rounded(" ".join(text.split())))
    commands, current = [], (0, 0)
    for command, *point in re.findall(rf"([MLz])(?: ({_NUMBER}) ({_NUMBER}))?", text):
        if command == "z":
            commands.append("z")
            continue
        target = tuple(round(float(number) * 10**DECIMALS) for number in point)
        written = target if command == "M" else (target[0] - current[0], target[1] - current[1])
        if command == "M" or any(written):
            x, y = (_short(number / 10**DECIMALS) for number in written)
            commands.append(f"{command.replace('L', 'l')}{x} {y}")
        current = (target[0], target[1])
    return re.sub(r"(l[^lMz]+)l(?=[^lMz]+)", r"\1 ", "".join(commands))


def _thin_out(parent: Element) -> None:
    """Remove what is invisible: metadata, groups that only have a name, the background."""
    kept: list[Element] = []
    for child in parent:
        if child.tag in ("metadata", "style") or child.get("id", "").endswith("patch_1"):
            continue
        if child.attrib.get("style") == "fill:none":
            continue
        if child.tag == "g":
            child.attrib.pop("id", None)
        if _LINK in child.attrib:
            child.attrib["href"] = child.attrib.pop(_LINK)
        if child.get("transform", "").startswith("rotate(0 "):
            del child.attrib["transform"]
        _thin_out(child)
        child.tail = None
        bare = child.tag in ("g", "defs") and not child.attrib
        kept += list(child) if bare and (child.tag == "g" or not len(child)) else [child]
    parent[:] = kept
    if parent.tag == "text" and kept:
        _flow(parent)
    elif parent.tag not in ("text", "tspan"):
        parent.text = None
    _share_style(parent)


def _share_style(parent: Element) -> None:
    """Move a style that all marks of a group share to the group."""
    styles = {child.get("style", "") for child in parent}
    marks = parent.tag == "g" and {child.tag for child in parent} == {"use"}
    if marks and len(styles) == 1 and all(styles):
        parent.set("style", styles.pop())
        for child in parent:
            del child.attrib["style"]


def _flow(text: Element) -> None:
    """Join the letters of a formula into runs of text, as a page's font has other widths."""
    letters = sorted(text, key=lambda letter: float(letter.attrib["x"]))
    marks = [letter for letter in letters if unicodedata.combining(letter.text or " ")]
    for mark in marks:  # a dot belongs to the letter before it that has the same size
        letters.remove(mark)
        before = [
            letter
            for letter in letters
            if _size(letter) == _size(mark)
            and float(letter.attrib["x"]) < float(mark.attrib["x"]) - 0.2 * _size(mark)
        ]
        before[-1].text = (before[-1].text or "") + (mark.text or "")
    height, style = 0.0, ""
    runs: list[Element] = []
    for letter in letters:
        y, look = float(letter.attrib["y"]), letter.attrib["style"]
        if not runs or (y, look) != (height, style):
            runs.append(Element("tspan", {"dy": _short(y - height), "style": look}))
        runs[-1].text = (runs[-1].text or "") + (letter.text or "")
        height, style = y, look
    text.text = None
    text[:] = runs


def _size(letter: Element) -> float:
    """Return the font size of a letter."""
    match = re.search(r"font-size:([\d.]+)", letter.attrib["style"])
    return float(match[1]) if match else 0.0
