"""Write descriptions of each figure of a chapter for review: ``review_pictures.py [NOTEBOOK...]``.

Below each alt text are the labels, units, and numbers of its figure. The descriptions are in
``tests/notebooks/pictures``, so that a change of a figure can be reviewed as a diff.
"""

from __future__ import annotations

import argparse
import html
import math
import re
import sys
import textwrap
from itertools import zip_longest
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # run as a script, from any folder
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from course.desk import course_notebooks
from course.desk.course_record import name_of
from publishing.execute_notebooks import ROOT, up_to_date, with_outputs
from publishing.panel_data import described

PICTURES = ROOT / "tests" / "notebooks" / "pictures"
#: Figures, or artists in them, whose numbers differ between computers: only powers of ten are
#: compared.
ROUGH = {
    "ratio-figure": "measured times",
    "remains-solution": "measured times",
    "apart-figure": "rounding, and how it grows",
    "far-figure": "rounding, and how it grows toward a full turn",
    "exponents-figure": "means over motions that rounding changes",
    "work-figure: angles z, y, x": "rounding, and how it grows beside a singular attitude",
}
#: Figures of motions that depend on rounding: no values are compared.
UNKNOWN = dict.fromkeys(("drift", "speed"), "rounding, after some seconds")
UNKNOWN |= dict.fromkeys(("spread-figure", "tolerance-figure", "pass-figure"), "runs by chance")
UNKNOWN["rows-ida-figure"] = "the steps that IDA takes"
ROUNDING = 1e-11
COLORS = {
    "#000000": "black",
    "#1a1a1a": "black",
    "#0072b2": "blue",
    "#d55e00": "orange",
    "#009e73": "green",
    "#cc79a7": "pink",
    "#808080": "gray",
    "#666666": "gray",
    "#595959": "gray",
    "#66707c": "gray",
    "#d9d9d9": "gray",
    "#d0d0d0": "gray",
}
STYLES = {"-": "solid", "--": "dashed", "-.": "dash-dotted", ":": "dotted", "None": "no line"}


def shown_pictures(notebook: Path) -> list[dict[str, Any]]:
    """Return each figure of a notebook with its cell and alt text."""
    return pictures_in(up_to_date(notebook), executed_cells(notebook))


def pictures_in(record: dict[str, Any], executed: list[Any]) -> list[dict[str, Any]]:
    """Return the figures of a record, each with its cell's alt text."""
    cells = {cell.id: cell for cell in executed}
    pictures = []
    for entry in record["figures"]:
        alts = alt_texts(cells[entry["cell"]])
        for figure, alt in zip(entry["figures"], alts, strict=True):
            pictures.append({"cell": entry["cell"], "alt": alt, **figure})
    return pictures


def executed_cells(notebook: Path) -> list[Any]:
    """Return the code cells of a notebook, with their outputs."""
    return [cell for cell in with_outputs(notebook).cells if cell.cell_type == "code"]


def pages(cell: Any) -> list[str]:
    """Return the HTML outputs of a cell."""
    return [output.get("data", {}).get("text/html", "") for output in cell.outputs]


def alt_texts(cell: Any) -> list[str]:
    """Return the alt texts of a cell's figures: from its metadata, or in its HTML."""
    written = [alt for page in pages(cell) for alt in _alts_of(page)]
    from_metadata = cell.metadata.get("mystnb", {}).get("image", {}).get("alt")
    return written if from_metadata is None else [from_metadata, *written]


def _alts_of(page: str) -> list[str]:
    alts = re.findall(r'<svg class="tutlib-figure" role="img" aria-label="([^"]*)"', page)
    return [html.unescape(alt) for alt in alts]


def rendered(notebook: Path) -> str:
    """Return the descriptions of figures, animations, and simulations of a notebook as text."""
    cells = executed_cells(notebook)
    blocks = [_picture(picture) for picture in pictures_in(up_to_date(notebook), cells)]
    for cell in cells:
        for page in pages(cell):
            blocks += [[f"[{cell.id}]", *_wrapped(lines), ""] for lines in described(page)]
    return "\n".join(line for block in blocks for line in block)


def _wrapped(lines: list[str]) -> list[str]:
    return [*textwrap.wrap(lines[0], 96), *lines[1:]]


def _picture(picture: dict[str, Any]) -> list[str]:
    cell = picture["cell"]
    rough = "powers of ten" if cell in ROUGH else "no values" if cell in UNKNOWN else ""
    reason = f" ({(ROUGH | UNKNOWN)[cell]}: {rough})" if rough else ""
    alt = textwrap.wrap(picture["alt"], 96)
    lines = [f"[{cell}]{reason}", *alt]
    for ax in picture["axes"]:
        lines += [f"  {line}" for line in _axes(ax, cell, rough)]
    return [*lines, ""]


def _axes(ax: dict[str, Any], cell: str, rough: str) -> list[str]:
    lines = [f"title {_quoted(ax['title'])}"] if ax["title"] else []
    for side in "xy" if ax["shown"] else "":
        of = ax[side]
        log = of["scale"] == "log"
        is_rough = rough or ("powers of ten" if log and of["limits"][0] < ROUNDING else "")
        low, high = (_number(v, is_rough, log) for v in of["limits"])
        ticks = ": " + ", ".join(map(_quoted, of["ticks"])) if of["ticks"] else ""
        lines.append(f"{side}-axis {_quoted(of['label'])}, {of['scale']}, {low} to {high}{ticks}")
    if legend := ax["legend"]:
        lines.append(f"legend {_quoted(legend['title'])}")
        lines += [f"    {_quoted(e['label'])} {_look(e)}" for e in legend["entries"]]
    logs = {side: ax[side]["scale"] == "log" for side in "xy"}
    for artist in ax["artists"]:
        is_rough = f"{cell}: {artist['label']}" in ROUGH
        lines += _artist(artist, "powers of ten" if is_rough else rough, logs)
    return lines


def _artist(artist: dict[str, Any], rough: str, logs: dict[str, bool]) -> list[str]:
    name = f"{artist['kind']} {_quoted(artist['label'])}"
    if artist["kind"] == "text":
        positions = ["(" + ", ".join(_number(v) for v in point) + ")" for point in artist["at"]]
        tip = (
            f"arrow from {positions[1]} to {positions[0]}"
            if artist["arrow"]
            else f"at {positions[1]}"
        )
        return [f"{name} {tip}"]
    data = artist["data"]
    lines = [f"{name} {_look(artist)}: {data['points']} points"]
    for word in ("levels", "extent"):
        if word in artist:
            lines.append(f"    {word} " + ", ".join(_number(v) for v in artist[word]))
    if "x first" not in data or rough == "no values":
        return lines
    xs = [_number(data[k], rough, logs["x"]) for k in ("x first", "x last", "x min", "x max")]
    ys = [_number(v, rough, logs["y"]) for v in (*data["quarters"], data["min"], data["max"])]
    lines.append(f"    x: {xs[0]} to {xs[1]}, in {xs[2]} to {xs[3]}")
    lines.append(f"    y: {', '.join(ys[:5])}, in {ys[5]} to {ys[6]}")
    if not rough and not logs["y"] and data["max"] - data["min"] > 1e-6 * abs(data["max"]):
        low, high = (_number(data[k], log=logs["x"]) for k in ("lowest at", "highest at"))
        lines.append(f"    lowest at {low}, highest at {high}, turns {data['turns']}")
    return lines


def _look(artist: dict[str, Any]) -> str:
    color = artist.get("color", [])  # an image has none of its own
    colors = color if isinstance(color, list) else [color]
    names = dict.fromkeys(COLORS.get(c, c) for c in colors)
    words = [" and ".join(names), STYLES.get(str(artist.get("line")), "")]
    marker = artist.get("marker", "None")
    return " ".join(part for part in (*words, "" if marker == "None" else marker) if part)


def _quoted(label: str) -> str:
    """Return a label on one line; rounding errors in it are replaced by 1e-16."""
    label = re.sub(r"\b\d(\.\d+)?e-1[5-7]\b", "1e-16", label)
    return '"' + label.replace("\n", " / ").replace('"', "'") + '"'


def _number(value: float | None, rough: str = "", log: bool = False) -> str:
    """Return a number; after a ``~`` only its power of ten, or 0 for rounding on a log axis."""
    if value is None or rough == "no values":
        return "?"
    if value and log and abs(value) < ROUNDING:
        return "~0"
    if value and rough:
        return f"~{'-' if value < 0 else ''}1e{math.floor(math.log10(abs(value)))}"
    return f"{value:.3g}"


NUMBER = r"~?-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"


def reviewed(name: str) -> str:
    """Return the stored descriptions of a notebook; empty if it has no figures."""
    path = PICTURES / f"{name}.txt"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def differences(now: str, reviewed: str) -> list[str]:
    """Return the lines that differ: in a word, or in a number by more than two percent."""
    ours, theirs = _by_cell(now), _by_cell(reviewed)
    differing = []
    for cell in dict.fromkeys([*ours, *theirs]):
        is_, was = ours.get(cell, []), theirs.get(cell, [])
        pairs = [(a, b) for a, b in zip_longest(is_, was, fillvalue="") if not _alike(a, b)]
        differing += [f"{cell} is: {a.strip()}\n   was: {b.strip()}" for a, b in pairs]
    return differing


def _by_cell(text: str) -> dict[str, list[str]]:
    blocks: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("["):
            cell = blocks.setdefault(line, [])
        cell.append(line)
    return blocks


def _alike(old: str, new: str) -> bool:
    if old == new:
        return True
    if not old.startswith("  ") or not new.startswith("  "):
        return False
    pieces = [re.split(rf'("[^"]*"|(?<![\w#]){NUMBER}(?![\w]))', line) for line in (old, new)]
    if len(pieces[0]) != len(pieces[1]):
        return False
    pairs = list(zip(*pieces))
    numbers = [(a, b) for a, b in pairs if re.fullmatch(NUMBER, a) and re.fullmatch(NUMBER, b)]
    plain = [abs(float(v)) for pair in numbers for v in pair if "~" not in v]
    size = max(plain, default=0.0)
    return all(a == b or ((a, b) in numbers and _near(a, b, size)) for a, b in pairs)


def _near(old: str, new: str, size: float) -> bool:
    a, b = (float(value.lstrip("~")) for value in (old, new))
    if "~" in old + new:
        return a * b > 0 and abs(math.log10(a / b)) < 1.6
    share = 0.02 if max(abs(a), abs(b)) > 1e-7 else 0.2
    return abs(a - b) <= share * max(abs(a), abs(b)) + 0.003 * size


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("notebooks", nargs="*", type=Path)
    notebooks = parser.parse_args().notebooks
    for notebook in notebooks or course_notebooks(ROOT):
        text = rendered(notebook.resolve())
        name = name_of(notebook)
        if differences(text, reviewed(name)):
            (PICTURES / name).parent.mkdir(exist_ok=True)
            (PICTURES / f"{name}.txt").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
