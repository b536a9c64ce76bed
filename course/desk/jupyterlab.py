"""Text of notebooks for JupyterLab, which does not know Sphinx's citations and the site's links."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

_CITATION = re.compile(r"\{cite:([pt])\}`([^`]+)`")
#: Links that change a setting of a simulation: only pages of the site can follow them.
_SETTING = re.compile(r'<a class="sets-panel"[^>]*>(.*?)</a>', re.DOTALL)


def for_jupyterlab(cells: list[Any], bibliography: Path) -> None:
    """Write citations as authors and years, links to settings as text, and fold code of figures."""
    for cell in cells:
        if cell.cell_type == "markdown":
            cell.source = _SETTING.sub(r"\1", cell.source)
            cell.source = _CITATION.sub(lambda found: _cited(found, bibliography), cell.source)
        elif "hide-input" in cell.metadata.get("tags", []):
            cell.metadata.setdefault("jupyter", {})["source_hidden"] = True


def _cited(found: re.Match[str], bibliography: Path) -> str:
    """Return a citation in parentheses, or with the year in parentheses for ``cite:t``."""
    works = [
        _works(bibliography).get(key.strip(), (key.strip(), "")) for key in found[2].split(",")
    ]
    if found[1] == "t":
        return "; ".join(f"{authors} ({year})" if year else authors for authors, year in works)
    return "(" + "; ".join(f"{authors} {year}".strip() for authors, year in works) + ")"


@cache
def _works(bibliography: Path) -> dict[str, tuple[str, str]]:
    """Return the authors, or else the title, and the year of each work, by its key."""
    try:
        from pybtex.database import parse_file
    except ModuleNotFoundError:
        return {}
    if not bibliography.is_file():
        return {}
    return {
        key: (_authors(entry) or _plain(entry.fields["title"]), entry.fields.get("year", ""))
        for key, entry in parse_file(str(bibliography)).entries.items()
    }


def _plain(text: str) -> str:
    return re.sub("[{}]", "", text)


def _authors(entry: Any) -> str:
    """Return the last names of the authors, of more than three only the first."""
    names = [
        " ".join(map(str, [*person.rich_prelast_names, *person.rich_last_names]))
        for person in entry.persons.get("author", [])
    ]
    if len(names) > 3 or names[1:] == ["others"]:
        return f"{names[0]} et al."
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
