"""The theme's style sheet, without rules for what no page has: that is most of it.

A rule stays if each class and each id that one of its selectors asks for occurs in a page or in a
script. What stands in parentheses, as after ``:not``, is not asked about.
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
#: Blocks of rules, whose own rules are looked at.
AROUND = ("@media", "@supports", "@layer", "@container")


def words_in_use(site: Path) -> set[str]:
    """Return the names of classes and ids in pages, and all words of scripts."""
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
    """Return a selector without what stands in parentheses and in brackets."""
    while (shorter := re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", selector)) != selector:
        selector = shorter
    return selector


def selectors(prelude: str) -> Iterator[str]:
    """Yield the selectors of a rule: commas in parentheses part nothing."""
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
    """Return a block with what stays of it, or nothing."""
    if prelude.startswith("@"):
        return f"{prelude}{{{body}}}" if body.strip() or not prelude.startswith(AROUND) else ""
    if re.fullmatch(r"[\d.]+%|from|to|[\d.%,\s]+", prelude):  # of an animation
        return f"{prelude}{{{body}}}"
    asked = [one for one in selectors(prelude) if words.issuperset(ASKED.findall(outside(one)))]
    return f"{','.join(asked)}{{{body}}}" if asked else ""


def keep_used_rules(site: Path) -> None:
    """Write the theme's style sheets anew; their maps, which lead to what is no more, go."""
    words = words_in_use(site)
    for sheet in (path for name in SHEETS for path in (site / "_static").glob(name)):
        text = re.sub(r"/\*# sourceMappingURL=.*?\*/", "", sheet.read_text(encoding="utf-8"))
        sheet.write_text(used(text, words), encoding="utf-8")
        sheet.with_name(f"{sheet.name}.map").unlink(missing_ok=True)
