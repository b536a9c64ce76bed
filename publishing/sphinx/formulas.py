"""Formulas, typeset by MathJax when the site is built.

A page contains every formula as MathJax would have made it in a browser, with MathML for screen
readers. MathJax comes from the package sphinx-mathjax-offline, and the JavaScript engine V8 from
mini-racer. A formula that MathJax cannot read gives a warning with its file, and warnings fail the
build. The style sheet is written last, because it depends on the letters that the pages contain.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
import shutil
from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from docutils import nodes
from myst_parser.sphinx_ext.mathjax import html_visit_displaymath
from py_mini_racer import MiniRacer
from sphinx.application import Sphinx
from sphinx.ext.mathjax import html_visit_math
from sphinx.util import logging

Visitor = Callable[[Any, Any], None]

logger = logging.getLogger(__name__)

STYLES = "formulas.css"
FONTS = "output/chtml/fonts/woff-v2"
#: Parts of MathJax that typeset LaTeX without a page, each after the parts that it needs.
PARTS = (
    "loader.js",
    "core.js",
    "adaptors/liteDOM.js",
    "input/tex-base.js",
    "input/tex/extensions/ams.js",
    "input/tex/extensions/boldsymbol.js",
    "output/chtml.js",
    "output/chtml/fonts/tex.js",
    "a11y/assistive-mml.js",
)
NOTICE = """\
MathJax 3.2 (c) The MathJax Consortium, Apache License 2.0
https://www.apache.org/licenses/LICENSE-2.0
"""
#: A formula between Sphinx's delimiters, which may contain further delimiters.
WRITTEN = re.compile(r"\\\((.*)\\\)|\\\[(.*)\\\]", re.DOTALL)
#: Parts of a page in which LaTeX is intended, or is no text.
VERBATIM = re.compile(r"<(script|style|pre|code|mjx-container)\b.*?</\1>|<[^>]*>", re.DOTALL)
#: LaTeX that a reader would see: delimiters of a formula, or a dollar sign right before one.
LEFT = re.compile(r"\\[(\[].*|\\begin\{.*|\$[\\A-Za-z][^$\n]*\$")


def mathjax() -> Path:
    """Return the folder of MathJax's files."""
    package = distribution("sphinx-mathjax-offline")
    return Path(str(package.locate_file("sphinx-mathjax-offline/static/mathjax")))


class Typesetter:
    """MathJax in an engine that starts with the first formula."""

    def __init__(self) -> None:
        self.engine: MiniRacer | None = None
        self.made: dict[tuple[str, bool], str] = {}

    def start(self) -> MiniRacer:
        """Return an engine with MathJax."""
        engine = MiniRacer()
        engine.eval("globalThis.MathJax = {}")
        script = Path(__file__).with_name("mathjax.js")
        for part in (*(mathjax() / part for part in PARTS), script):
            engine.eval(part.read_text(encoding="utf-8"))
        return engine

    def set(self, tex: str, display: bool) -> str:
        """Return the HTML of a formula.

        Parameters
        ----------
        tex : str
            LaTeX, without delimiters.
        display : bool
            Whether it is displayed on a line of its own.

        Raises
        ------
        ValueError
            If MathJax cannot read it.
        """
        key = tex.strip(), display
        if key not in self.made:
            self.engine = self.engine or self.start()
            self.made[key], complaint = json.loads(str(self.engine.call("typeset", *key)))
            if complaint:
                del self.made[key]
                raise ValueError(f"{complaint}, in the formula {key[0]}")
        return self.made[key]

    def styles(self) -> str:
        """Return the style sheet of all formulas so far."""
        return str(self.engine.call("styles")) if self.engine else ""


def visitor(typesetter: Typesetter, write: Visitor) -> Visitor:
    """Return a visitor that typesets the LaTeX that another visitor writes."""

    def visit(translator: Any, node: nodes.Element) -> None:
        written, translator.body = translator.body, []
        try:
            write(translator, node)
        except nodes.SkipNode:
            text = "".join(translator.body)
            translator.body = [*written, in_place(typesetter, text, node)]
            raise

    return visit


def in_place(typesetter: Typesetter, text: str, node: nodes.Element) -> str:
    """Return the HTML of a formula in its markup."""
    try:
        return WRITTEN.sub(
            lambda match: typesetter.set(
                html.unescape(match[1] or match[2] or ""), display=match[2] is not None
            ),
            text,
        )
    except ValueError as error:
        logger.warning("%s", error, location=node)
        return text


def ask_for_styles(app: Sphinx, page: str, template: str, context: dict[str, Any], _: Any) -> None:
    """Add the style sheet to each page with a formula."""
    if "<mjx-container" in context.get("body", ""):
        app.add_css_file(STYLES)


def write_styles(app: Sphinx, typesetter: Typesetter) -> None:
    """Write style sheet and fonts, with a digest in the address so that browsers see changes."""
    static = Path(app.outdir, "_static")
    styles = typesetter.styles()
    (static / STYLES).write_text(styles, encoding="utf-8")
    shutil.copytree(mathjax() / FONTS, static / "formulas", dirs_exist_ok=True)
    (static / "formulas" / "LICENSE.txt").write_text(NOTICE, encoding="utf-8")
    address = f"{STYLES}?v={hashlib.sha256(styles.encode()).hexdigest()[:8]}"
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        if (marked := re.sub(rf"{STYLES}(?=\")", address, text)) != text:
            page.write_text(marked, encoding="utf-8")


def check_text(app: Sphinx, page: str) -> None:
    """Warn of LaTeX in a finished page, for example in HTML that a cell has written."""
    path = Path(app.outdir, f"{page}.html")
    article = path.read_text(encoding="utf-8").partition("<article")[2].partition("</article>")[0]
    if left := LEFT.search(html.unescape(VERBATIM.sub("", article))):
        logger.warning("%s: the formula %s is shown as it is written", path.name, left[0][:100])


def setup(app: Sphinx) -> dict[str, Any]:
    typesetter = Typesetter()
    inline, display = html_visit_math, html_visit_displaymath
    app.add_html_math_renderer(
        "course", (visitor(typesetter, inline), None), (visitor(typesetter, display), None)
    )
    app.connect("html-page-context", ask_for_styles)

    def finish(app: Sphinx, exception: Exception | None) -> None:
        if exception or app.builder.name != "html":
            return
        write_styles(app, typesetter)
        for page in app.env.found_docs:
            check_text(app, page)

    app.connect("build-finished", finish)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": False}
