"""Formulas are set when the site is built, by MathJax in an engine of its own.

A page brings every formula along as MathJax would have made it in a browser, with MathML for those
who hear the page. MathJax comes from the package sphinx-mathjax-offline, the engine, V8, from
mini-racer: it needs nothing else. What MathJax cannot read is a warning that names the file and the
formula, and warnings fail the build. The styles, of which pages need those of the letters that they
show, are written last.
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
#: What of MathJax sets LaTeX with no page around it, each part after those that it needs.
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
#: A formula between the delimiters that Sphinx puts around it; within it, more of them may stand.
WRITTEN = re.compile(r"\\\((.*)\\\)|\\\[(.*)\\\]", re.DOTALL)
#: Text of a page that is to be read as it is.
VERBATIM = re.compile(r"<(script|style|pre|code|mjx-container)\b.*?</\1>|<[^>]*>", re.DOTALL)
#: LaTeX that a reader would see: a formula's delimiters, or a dollar right before one.
LEFT = re.compile(r"\\[(\[].*|\\begin\{.*|\$[\\A-Za-z][^$\n]*\$")


def mathjax() -> Path:
    """Return the folder of MathJax's files."""
    package = distribution("sphinx-mathjax-offline")
    return Path(str(package.locate_file("sphinx-mathjax-offline/static/mathjax")))


class Typesetter:
    """MathJax, which is started by the first formula."""

    def __init__(self) -> None:
        self.engine: MiniRacer | None = None
        self.made: dict[tuple[str, bool], str] = {}

    def start(self) -> MiniRacer:
        """Return an engine that has read MathJax."""
        engine = MiniRacer()
        engine.eval("globalThis.MathJax = {}")
        script = Path(__file__).with_name("mathjax.js")
        for part in (*(mathjax() / part for part in PARTS), script):
            engine.eval(part.read_text(encoding="utf-8"))
        return engine

    def set(self, tex: str, display: bool) -> str:
        """Return a formula as it stands on a page.

        Parameters
        ----------
        tex : str
            LaTeX, without delimiters.
        display : bool
            Whether it stands on a line of its own.

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
    """Return a visitor that sets what another writes as LaTeX."""

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
    """Return the markup of a formula, set."""
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
    """Have the styles on each page that shows a formula."""
    if "<mjx-container" in context.get("body", ""):
        app.add_css_file(STYLES)


def write_styles(app: Sphinx, typesetter: Typesetter) -> None:
    """Write styles and fonts; the address of the styles tells a browser when they change."""
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
    """Complain about LaTeX that nobody has set: in markup that a cell wrote, for example."""
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
