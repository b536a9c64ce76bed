"""Map of the chapters on the landing page, and reading paths for kinds of readers.

Directives: ``{chapter-map}`` shows a card for each chapter of the table of contents, with its first
animation as a thumbnail; ``{reading-path}`` lists the chapters up to those given, with all that
they build on. The texts of the cards come from the record of the chapters.
"""

from __future__ import annotations

import html
import json
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from course.desk.chapters import finished
from course.desk.course_record import Chapter, read_record
from panels.drawing.bundle import script
from panels.drawing.frames import as_literal
from publishing.sphinx.films import Film, first_film, shortened

#: Length of a thumbnail in the plane, and in space, where there are more points [s].
SECONDS = {2: 12.0, 3: 6.0}


class chapter_map(nodes.General, nodes.Element):  # noqa: N801 - docutils names nodes so
    """Placeholder of the map."""


class reading_path(nodes.General, nodes.Element):  # noqa: N801
    """Placeholder of a reading path."""


class ChapterMap(SphinxDirective):
    """Directive with a card for each chapter."""

    def run(self) -> list[nodes.Node]:
        """Return a placeholder, which is replaced when all pages are read."""
        return [chapter_map()]


class ReadingPath(SphinxDirective):
    """Directive with a path through the chapters for a kind of reader."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {"to": directives.positive_int_list}  # noqa: RUF012 - as in docutils

    def run(self) -> list[nodes.Node]:
        """Return title and text, and a placeholder of the path."""
        text = nodes.container(classes=["course-path-text"])
        self.state.nested_parse(self.content, self.content_offset, text)
        path = reading_path(to=self.options["to"])
        title = nodes.paragraph("", self.arguments[0], classes=["course-path-title"])
        return [nodes.container("", title, text, path, classes=["course-path"])]


@cache
def documents(source: Path) -> dict[str, Chapter]:
    """Return the chapters of the record, in order, by the names of their first pages."""
    chapters = finished(read_record(source)).values()
    return {f"notebooks/{chapter.sections[0].notebook}": chapter for chapter in chapters}


@cache
def film_of(notebook: Path) -> Film | None:
    """Return the first animation or simulation of an executed notebook."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    for output in (output for cell in cells for output in cell.get("outputs", [])):
        film = first_film("".join(output.get("data", {}).get("text/html", "")))
        if film:
            return shortened(film, SECONDS[film.motions[0].shape[-1]])
    return None


def needed(numbers: list[int], chapters: dict[int, Chapter]) -> list[int]:
    """Return chapters with all that they build on, directly or not, in order."""
    numbers_needed = set(numbers) & set(chapters)
    while (
        before := {k for number in numbers_needed for k in chapters[number].builds_on}
        - numbers_needed
    ):
        numbers_needed |= before
    return sorted(numbers_needed)


def card(chapter: Chapter, address: Any, film: Film | None) -> str:
    """Return the card of a chapter; ``address`` maps its number to the address of its page."""
    label = html.escape(film.description if film else "")
    picture = (
        f'<canvas class="course-film" data-film="{chapter.name}" role="img" aria-label="{label}">'
        "</canvas>"
    )
    before = " ".join(
        f'<a href="{address(k)}"><span class="course-heard">chapter </span>{k}</a>'
        for k in chapter.builds_on
    )
    builds = f"builds on {before}" if before else "begin here"
    return (
        f'<li class="course-card" data-chapter="{chapter.name}">{picture if film else ""}'
        f'<p class="course-number">Chapter {chapter.number}</p>'
        f'<h3><a href="{address(chapter.number)}">{html.escape(chapter.short_title)}</a></h3>'
        f'<p class="course-question">{html.escape(chapter.question)}</p>'
        f'<p class="course-facts">{chapter.hours} hours · {builds}</p>'
        '<p class="course-ticks" hidden></p></li>'
    )


def map_in_html(chapters: dict[str, Chapter], source: Path, address: Any) -> str:
    """Return the whole map with its thumbnails and their script."""
    films = {doc: film_of(source / f"{doc}.ipynb") for doc in chapters}
    cards = "".join(card(chapter, address, films[doc]) for doc, chapter in chapters.items())
    data = {chapters[doc].name: film.data() for doc, film in films.items() if film}
    start = f'startThumbnails({as_literal(data)}, document.querySelector(".course-still"));'
    return (
        "<noscript><style>.course-film { display: none; }</style></noscript>"
        '<p><button type="button" class="course-still" hidden></button></p>'
        f'<ol class="course-map">{cards}</ol>'
        f'<script type="module">\n{script("panels/animations/thumbnails.js")}{start}\n</script>'
    )


def path_in_html(path: list[int], chapters: dict[int, Chapter], address: Any) -> str:
    """Return a reading path as links, and its hours."""
    links = "".join(
        f'<li><a href="{address(k)}" title="{html.escape(chapters[k].short_title)}">'
        f'<span class="course-heard">chapter </span>{k}</a></li>'
        for k in path
    )
    hours = sum(chapters[k].hours for k in path)
    return f'<ol class="course-way">{links}</ol><p>about {hours} hours</p>'


def as_list(chapters: list[Chapter]) -> nodes.bullet_list:
    """Return chapters as a list, for paper and other formats without animations."""
    items = (f"{c.number} · {c.short_title}: {c.question} About {c.hours} hours." for c in chapters)
    return nodes.bullet_list(
        "", *(nodes.list_item("", nodes.paragraph("", text)) for text in items)
    )


def draw(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Replace the placeholders of the map and the paths."""
    placeholders = [*doctree.findall(chapter_map), *doctree.findall(reading_path)]
    if not placeholders:
        return
    source = Path(app.srcdir)
    chapters = documents(source)
    by_number = {chapter.number: chapter for chapter in chapters.values()}
    document_of = {chapter.number: document for document, chapter in chapters.items()}

    def address(number: int) -> str:
        return app.builder.get_relative_uri(page, document_of[number])

    for placeholder in placeholders:
        path = (
            needed(placeholder["to"], by_number) if isinstance(placeholder, reading_path) else None
        )
        if app.builder.name != "html":
            listed = [by_number[k] for k in path] if path is not None else [*chapters.values()]
            placeholder.replace_self(as_list(listed))
            continue
        text = (
            map_in_html(chapters, source, address)
            if path is None
            else path_in_html(path, by_number, address)
        )
        placeholder.replace_self(nodes.raw("", text, format="html"))


def add_style(app: Sphinx, page: str, *rest: Any) -> None:
    """Add the style sheet of the map to its page."""
    if app.builder.name == "html" and page == app.config.root_doc:
        app.add_css_file("map.css")


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_node(chapter_map)
    app.add_node(reading_path)
    app.add_directive("chapter-map", ChapterMap)
    app.add_directive("reading-path", ReadingPath)
    app.connect("doctree-resolved", draw)
    app.connect("html-page-context", add_style)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
