"""The theme's style sheets, without the rules that no page needs, which are most of them.

A rule stays if every class and id in one of its selectors occurs in a page or in a script. Names in
parentheses, such as after ``:not``, do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHEETS = (
    "styles/pydata-sphinx-theme.css",
    "styles/sphinx-book-theme.css",
    "sphinx-design.min.css",
    "mystnb.*.css",
)
NAMED = re.compile(r'\b(?:class|id)=["\']([^"\']*)["\']')
WORD = re.compile(r"[\w-]+")
ASKED = re.compile(r"[.#](-?[A-Za-z_][\w-]*)")
STRING = r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\''
PIECE = re.compile(rf"{STRING}|/\*.*?\*/|[{{}};]|[^{{}};\"'/]+|/", re.DOTALL)
#: Blocks that contain rules.
AROUND = ("@media", "@supports", "@layer", "@container")


def words_in_use(site: Path) -> set[str]:
    """Return the names of classes and ids in pages, and all words in scripts."""
    words: set[str] = set()
    for page in site.rglob("*.html"):
        text = re.sub(r'srcdoc="[^"]*"', "", page.read_text(encoding="utf-8"))
        for names in set(NAMED.findall(text)):
            words.update(names.split())
        for script in re.findall(r"(?s)<script\b[^>]*>(.*?)</script>", text):
            words.update(WORD.findall(script))
    scripts = (path for folder in ("course", "panels") for path in (ROOT / folder).rglob("*.js"))
    for path in [*(site / "_static").rglob("*.js"), *scripts]:
        words.update(WORD.findall(path.read_text(encoding="utf-8")))
    return words


def outside(selector: str) -> str:
    """Return a selector without parts in parentheses and brackets."""
    while (shorter := re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", selector)) != selector:
        selector = shorter
    return selector


def selectors(prelude: str) -> Iterator[str]:
    """Yield the selectors of a rule, which are separated by commas outside of parentheses."""
    depth, begin = 0, 0
    for i, letter in enumerate(prelude):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            yield prelude[begin:i]
            begin = i + 1
    yield prelude[begin:]


def used(sheet: str, words: set[str]) -> str:
    """Return a style sheet with the rules whose names occur."""
    kept: list[list[str]] = [[]]
    preludes: list[str] = []
    prelude = ""
    for piece in PIECE.findall(sheet):
        if piece.startswith("/*"):
            continue
        if piece == "{":
            preludes.append(prelude.strip())
            kept.append([])
            prelude = ""
        elif piece == "}":
            body = "".join(kept.pop()) + prelude
            kept[-1].append(_block(preludes.pop(), body, words))
            prelude = ""
        elif piece == ";":
            kept[-1].append(f"{prelude};")
            prelude = ""
        else:
            prelude += piece
    return "".join(kept[0]) + prelude


def _block(prelude: str, body: str, words: set[str]) -> str:
    """Return a block with the selectors that occur, or an empty text."""
    if prelude.startswith("@"):
        return f"{prelude}{{{body}}}" if body.strip() or not prelude.startswith(AROUND) else ""
    if re.fullmatch(r"[\d.]+%|from|to|[\d.%,\s]+", prelude):  # keyframes
        return f"{prelude}{{{body}}}"
    kept = [
        selector
        for selector in selectors(prelude)
        if words.issuperset(ASKED.findall(outside(selector)))
    ]
    return f"{','.join(kept)}{{{body}}}" if kept else ""


def keep_used_rules(site: Path) -> None:
    """Rewrite the theme's style sheets, and delete their source maps."""
    words = words_in_use(site)
    for sheet in (path for name in SHEETS for path in (site / "_static").glob(name)):
        text = re.sub(r"/\*# sourceMappingURL=.*?\*/", "", sheet.read_text(encoding="utf-8"))
        sheet.write_text(used(text, words), encoding="utf-8")
        sheet.with_name(f"{sheet.name}.map").unlink(missing_ok=True)
