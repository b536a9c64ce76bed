"""What the theme leaves to do: lighter pages, and pages for everyone.

- FontAwesome's 1.5 MB script is dropped: the icons come from the web font, of which the pages hold
  those that they show. So do rules of the theme for what no page has.
- Markup that screen readers stumble over is mended. The patterns belong to the pinned versions of
  the theme; the tests of the built site run axe and would notice.
- The theme is known before anything is drawn, and no script measures the whole page: either would
  have a browser set a long page again.
- The colors of pictures, look.css, are written from the package's own look.
- A picture without a description of its own is a warning, and warnings fail the build.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util import logging

from panels.drawing.colors import look_css
from publishing.sphinx.icons import keep_shown_icons
from publishing.sphinx.rules import keep_used_rules

logger = logging.getLogger(__name__)

# Drawings that are described by an element of their own are left out.
PICTURE = r'<img\b[^>]*>|<svg\b(?![^>]*\baria-labelledby=)[^>]*\brole="img"[^>]*>'

# (pattern, replacement), applied to every page in this order.
MENDS = [
    # heavy and unused
    (r'<link rel="preload" as="script" href="[^"]*scripts/fontawesome\.js[^"]*" ?/>\s*', ""),
    (r'<script\b[^>]* src="[^"]*scripts/fontawesome\.js[^"]*"></script>\s*', ""),
    # parts of code that have the color of the text around: half of the elements of a page
    (r'<span class="[npw]">([^<]*)</span>', r"\1"),
    # light or dark, which a script at the end of the page would find out
    (
        r'dataset\.theme = localStorage\.getItem\("theme"\) \|\| "auto"',
        'dataset.theme = { light: "light", dark: "dark" }[document.documentElement.dataset.mode]'
        ' ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")',
    ),
    # Sphinx's own search: see publishing/sphinx/search.py
    (r'<script src="[^"]*(searchtools|language_data|searchindex)\.js[^"]*"></script>\s*', ""),
    # the kernel's copy of what a live simulation shows by itself
    (r'(?s)<script type="application/vnd\.jupyter\.widget-state\+json">.*?</script>\s*', ""),
    # a visible label must be part of the accessible name
    (r'(<button[^>]*class="[^"]*search-button__button[^"]*"[^>]*) aria-label="[^"]*"', r"\1"),
    # an exercise begins with its title, for those who go from heading to heading
    (r"<p>(?=<strong>Exercise \d+ · )", '<p role="heading" aria-level="3">'),
    # a summary names itself by its text
    (r'<summary aria-label="[^"]*"', "<summary"),
    (r'<summary>(?=<span class="toctree-toggle")', '<summary aria-label="Pages of this chapter">'),
    # the logo stands in the side bar: that must be a landmark
    (
        r'(<div id="pst-primary-sidebar")(?! role)',
        r'\1 role="navigation" aria-label="The course"',
    ),
    # citations are a list of notes, not an ARIA list without items
    (r' role="doc-bibliography"', ""),
    (r' role="list"(?=[^>]*citation)', ""),
    (r'(<div class="citation"[^>]*) role="doc-biblioentry"', r"\1"),
]

#: The theme's script measures everything that might scroll, all of it at once, after the page has
#: loaded and whenever something is added: see code.js, which does without.
MEASURES = '"complete"===document.readyState?I():window.addEventListener("load",I)'


#: What marks in the contents where one is, by headings that it sees go by: see where.js.
MARKS = 'const e=document.querySelector("#pst-page-toc-nav");'
VIEWPORT = re.compile(r'<meta name="viewport"[^>]*>\s*')


def write_look(app: Sphinx) -> None:
    """Write the colors of both themes, before a page asks for them."""
    if app.builder.name == "html":
        target = Path(app.outdir, "_static", "look.css")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(look_css(), encoding="utf-8")


def measure_nothing(script: Path) -> None:
    """Take out of the theme's script what measures the whole page, and what marks its contents."""
    text = script.read_text(encoding="utf-8")
    for part, instead in ((MEASURES, "0"), (MARKS, "const e=null;")):
        if text.count(part) != 1:
            logger.warning("%s: %s is not found", script.name, part)
        text = text.replace(part, instead)
    script.write_text(text, encoding="utf-8")


def with_one_viewport(page: str) -> str:
    """Return a page whose head says once how wide it is: theme, Sphinx and docutils all say it."""
    head, rest = page.split("</head>", 1) if "</head>" in page else (page, "")
    first = VIEWPORT.search(head)
    if not first or not rest:
        return page
    return head[: first.end()] + VIEWPORT.sub("", head[first.end() :]) + "</head>" + rest


def check_pictures(page: Path, text: str) -> None:
    article = text.partition("<article")[2].partition("</article>")[0]
    article = re.sub(r'srcdoc="[^"]*"', "", article)  # frames describe what they hold themselves
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
