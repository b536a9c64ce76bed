"""Fixes of the theme: lighter pages, and accessible ones.

- FontAwesome's 1.5 MB script is dropped: the icons come from the web font, reduced to those on the
  pages. Unused rules of the theme are dropped, too.
- Markup that screen readers cannot handle is fixed. The patterns belong to the pinned versions of
  the theme; the tests of the built site run axe and would notice changes.
- The theme is set before anything is drawn, and no script measures the whole page: otherwise a
  browser would lay out a long page twice.
- The colors of pictures, look.css, are written from the package's own look.
- A picture without a description is a warning, and warnings fail the build.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util import logging

from panels.drawing.colors import look_css
from publishing.sphinx.css_rules import keep_used_rules
from publishing.sphinx.icons import keep_shown_icons

logger = logging.getLogger(__name__)

# Drawings that an element of their own describes are left out.
PICTURE = r'<img\b[^>]*>|<svg\b(?![^>]*\baria-labelledby=)[^>]*\brole="img"[^>]*>'

# Pairs of pattern and replacement, applied to every page in this order.
MENDS = [
    # large and unused
    (r'<link rel="preload" as="script" href="[^"]*scripts/fontawesome\.js[^"]*" ?/>\s*', ""),
    (r'<script\b[^>]* src="[^"]*scripts/fontawesome\.js[^"]*"></script>\s*', ""),
    # spans around code in the default color: half of the elements of a page
    (r'<span class="[npw]">([^<]*)</span>', r"\1"),
    # the theme, which a script at the end of the page would set
    (
        r'dataset\.theme = localStorage\.getItem\("theme"\) \|\| "auto"',
        'dataset.theme = { light: "light", dark: "dark" }[document.documentElement.dataset.mode]'
        ' ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")',
    ),
    # Sphinx's own search: see publishing/sphinx/search.py
    (r'<script src="[^"]*(searchtools|language_data|searchindex)\.js[^"]*"></script>\s*', ""),
    # the kernel's state of widgets, which live simulations do not need
    (r'(?s)<script type="application/vnd\.jupyter\.widget-state\+json">.*?</script>\s*', ""),
    # a visible label must be part of the accessible name
    (r'(<button[^>]*class="[^"]*search-button__button[^"]*"[^>]*) aria-label="[^"]*"', r"\1"),
    # an exercise begins with its title, for screen readers that navigate by headings
    (r"<p>(?=<strong>Exercise \d+ · )", '<p role="heading" aria-level="3">'),
    # the text of a summary is its name
    (r'<summary aria-label="[^"]*"', "<summary"),
    (r'<summary>(?=<span class="toctree-toggle")', '<summary aria-label="Pages of this chapter">'),
    # the logo is in the sidebar, which must be a landmark
    (
        r'(<div id="pst-primary-sidebar")(?! role)',
        r'\1 role="navigation" aria-label="The course"',
    ),
    # citations are a list of notes, not an ARIA list without items
    (r' role="doc-bibliography"', ""),
    (r' role="list"(?=[^>]*citation)', ""),
    (r'(<div class="citation"[^>]*) role="doc-biblioentry"', r"\1"),
]

#: Code of the theme's script that measures everything that might scroll, after loading and after
#: every addition: code.js replaces it.
MEASURES = '"complete"===document.readyState?I():window.addEventListener("load",I)'


#: Code that marks the current heading in the contents: where.js replaces it.
MARKS = 'const e=document.querySelector("#pst-page-toc-nav");'
VIEWPORT = re.compile(r'<meta name="viewport"[^>]*>\s*')


def write_look(app: Sphinx) -> None:
    """Write the colors of both themes."""
    if app.builder.name == "html":
        target = Path(app.outdir, "_static", "look.css")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(look_css(), encoding="utf-8")


def measure_nothing(script: Path) -> None:
    """Remove the code of the theme's script that measures the page and marks its contents."""
    text = script.read_text(encoding="utf-8")
    for part, instead in ((MEASURES, "0"), (MARKS, "const e=null;")):
        if text.count(part) != 1:
            logger.warning("%s: %s is not found", script.name, part)
        text = text.replace(part, instead)
    script.write_text(text, encoding="utf-8")


def with_one_viewport(page: str) -> str:
    """Return a page with one viewport tag, because theme, Sphinx, and docutils each add one."""
    head, rest = page.split("</head>", 1) if "</head>" in page else (page, "")
    first = VIEWPORT.search(head)
    if not first or not rest:
        return page
    return head[: first.end()] + VIEWPORT.sub("", head[first.end() :]) + "</head>" + rest


def check_pictures(page: Path, text: str) -> None:
    article = text.partition("<article")[2].partition("</article>")[0]
    article = re.sub(r'srcdoc="[^"]*"', "", article)  # frames have their own descriptions
    for tag in re.findall(PICTURE, article):
        alt = re.search(r'\b(?:alt|aria-label)="([^"]*)"', tag)
        described = alt and len(alt[1].split()) > 2 and not re.search(r"\.(png|svg|jpe?g)$", alt[1])
        if not described:
            source = re.search(r'\bsrc="([^"]*)"', tag)
            logger.warning(
                "%s: picture %s says nothing to those who cannot see it",
                page.name,
                source[1] if source else tag[:100],
            )


def finish(app: Sphinx, exception: Exception | None) -> None:
    if exception or app.builder.name != "html":
        return
    for part in Path(app.outdir, "_static", "scripts").glob("fontawesome.js*"):
        part.unlink()
    measure_nothing(Path(app.outdir, "_static", "scripts", "pydata-sphinx-theme.js"))
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for pattern, replacement in MENDS:
            text = re.sub(pattern, replacement, text)
        text = with_one_viewport(text)
        page.write_text(text, encoding="utf-8")
        if page.relative_to(app.outdir).with_suffix("").as_posix() in app.env.found_docs:
            check_pictures(page, text)
    keep_shown_icons(Path(app.outdir))
    keep_used_rules(Path(app.outdir))


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_css_file("look.css")
    app.connect("builder-inited", write_look)
    app.connect("build-finished", finish)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
