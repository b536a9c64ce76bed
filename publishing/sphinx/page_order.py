"""Order of the pages, and the footer of each.

Readers go from page to page in the order of the contents, without the pages for teachers. The
footer has the licenses and a link to the source.
"""

from __future__ import annotations

from html import escape
from typing import Any

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

ASIDE = frozenset({"book/instructors", "book/run-the-site", "book/write-exercises"})
LICENSES = (
    "Code: BSD 3-Clause License. Text and figures: "
    '<a rel="license" href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>.'
)


def neighbors(page: str, order: list[str]) -> tuple[str | None, str | None]:
    """Return the pages before and after a page, among those of its kind.

    Parameters
    ----------
    page : str
    order : list of str
        All pages, in the order of the contents.
    """
    pages = [name for name in order if (name in ASIDE) == (page in ASIDE)]
    if page not in pages:
        return None, None
    i = pages.index(page)
    return (pages[i - 1] if i else None), (pages[i + 1] if i + 1 < len(pages) else None)


def order_of(env: BuildEnvironment, page: str) -> list[str]:
    """Return a page and those below it, in the order of the contents."""
    below = (name for child in env.toctree_includes.get(page, []) for name in order_of(env, child))
    return [page, *below]


def lead_on(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Set the neighbors and the footer of a page."""
    if app.builder.name != "html":
        return
    home = app.config.repository_url
    source = f' <a href="{escape(home)}">The repository of this course</a>.' if home else ""
    context["theme_extra_footer"] = f"<p>{LICENSES}{source}</p>"
    order = order_of(app.env, app.config.root_doc)
    if page not in order:
        return
    for key, neighbor in zip(("prev", "next"), neighbors(page, order)):
        title = neighbor and app.builder.render_partial(app.env.titles[neighbor])["title"]
        link = neighbor and app.builder.get_relative_uri(page, neighbor)
        context[key] = {"link": link, "title": title} if neighbor else None


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("html-page-context", lead_on)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
