"""Font of the theme's icons, which has 156 KB, reduced to the icons on the pages.

fontTools, a dependency of Matplotlib, reads the font.
"""

from __future__ import annotations

import re
from pathlib import Path

from fontTools import subset

FONT = "fa-solid-900"
#: Rules such as ``.fa-bars:before,.fa-navicon:before{content:"\f0c9"}``.
RULE = re.compile(r'((?:\.fa-[\w-]+:{1,2}before,?)+)\{content:"\\([0-9a-f]+)"\}')
SOURCE = re.compile(rf"src:url\([^)]*/{FONT}\.woff2\)[^;}}]*")


def codes_of(style: str, pages: str) -> set[int]:
    """Return the code points of the icons in use.

    Parameters
    ----------
    style : str
        All style sheets.
    pages : str
        All pages and scripts, which contain icons by class.
    """
    named = set(re.findall(r"\bfa-[a-z0-9-]+", pages))
    codes = set()
    for selectors, code in RULE.findall(style):
        if named & set(re.findall(r"fa-[\w-]+", selectors)):
            codes.add(int(code, 16))
    rest = RULE.sub("", style)  # icons of the theme, as escapes or as characters
    codes |= {int(code, 16) for code in re.findall(r'"\\([ef][0-9a-f]{3})"', rest)}
    return codes | {ord(letter) for letter in re.findall("[\ue000-\uf8ff]", rest)}


def keep_shown_icons(site: Path) -> None:
    """Remove all icons from the font that a built site does not show."""
    fonts = site / "_static" / "vendor" / "fontawesome" / "webfonts"
    whole = fonts / f"{FONT}.ttf"
    if not whole.exists():
        return
    sheets = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.css")}
    texts = (path for path in site.rglob("*") if path.suffix in (".html", ".js"))
    pages = "\n".join(path.read_text(encoding="utf-8") for path in texts)
    options = subset.Options(flavor="woff")
    font = subset.load_font(whole, options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=codes_of("\n".join(sheets.values()), pages))
    cutter.subset(font)
    subset.save_font(font, fonts / f"{FONT}.woff", options)
    address = f'src:url(../vendor/fontawesome/webfonts/{FONT}.woff) format("woff")'
    for path, text in sheets.items():
        if SOURCE.search(text):
            path.write_text(SOURCE.sub(lambda _: address, text), encoding="utf-8")
    for part in (whole, fonts / f"{FONT}.woff2"):
        part.unlink()
