"""Metadata of pages for search engines, chats, and feed readers.

Each page has a description. With ``site_url`` in ``_config.yml`` it also has its address and a
picture, drawn from its first animation, and the site has a sitemap. Changes are an Atom feed, and
unknown addresses lead to a page with links.
"""

from __future__ import annotations

import html
import re
import uuid
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

import yaml
from docutils import nodes
from markdown_it import MarkdownIt
from sphinx.application import Sphinx

from publishing.sphinx.films import first_film
from publishing.sphinx.pictures import SIZE, draw_card

FEED = "feed.xml"
LOST = "404"
#: Length of a description that search engines show [letters].
LONGEST = 200
WHOLE = re.compile(r"[.?!][”’)]*$")
VERSION = re.compile(r"^## \[?([\w.]+)\]?(?:[^\n]*?(\d{4}-\d\d-\d\d))?[^\n]*\n", re.MULTILINE)
#: Script of the page for unknown addresses, if the site's address is not known: it searches for the
#: nearest folder above that has this page, from which all links start.
BASE = f"""<script>
for (let folder = location.pathname, asked; location.protocol !== "file:" && folder;) {{
  folder = folder.slice(0, folder.replace(/\\/$/, "").lastIndexOf("/") + 1);
  asked = new XMLHttpRequest();
  asked.open("HEAD", `${{folder}}{LOST}.html`, false);
  try {{ asked.send(); }} catch {{ break; }}
  if (asked.status !== 200) continue;
  document.write(`<base href="${{folder}}">`);
  addEventListener("DOMContentLoaded", () => document.querySelectorAll('a[href^="#"]')
    .forEach((link) => link.setAttribute("href", location.pathname + link.getAttribute("href"))));
  break;
}}
</script>
"""
LOST_PAGE = """<section><h1>This page is not here</h1>
<p>It may have moved, or the address has a slip. <a href="{home}">Begin at the first page</a>, or
<a href="{search}">search the course</a>.</p></section>"""


def description_of(doctree: nodes.document) -> str:
    """Return the first sentences of a page, as many as fit, without introductions of lists."""
    description = ""
    for paragraph in doctree.findall(nodes.paragraph):
        if not isinstance(paragraph.parent, nodes.section | nodes.document):
            continue
        for sentence in re.split(r"(?<=[.?!])\s+", " ".join(paragraph.astext().split())):
            if not WHOLE.search(sentence):
                continue
            if description and len(description) + len(sentence) >= LONGEST:
                return description
            description = f"{description} {sentence}".strip()
    return description


def tags(name: str, **values: str) -> str:
    """Return meta tags; those of Open Graph are properties."""
    kind = "property" if name.startswith("og") else "name"
    shown = ((f"{name}:{key}" if key else name, value) for key, value in values.items())
    return "".join(f'<meta {kind}="{k}" content="{html.escape(v)}">\n' for k, v in shown if v)


def describe(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Add a page's metadata to its head."""
    if app.builder.name != "html":
        return
    feed = context["pathto"](FEED, resource=True)
    context["metatags"] = context.get("metatags", "") + (
        f'<link rel="alternate" type="application/atom+xml" title="Changes" href="{feed}">\n'
    )
    if doctree is None:
        context["metatags"] += '<meta name="robots" content="noindex">\n'
        if page == LOST and not app.config.site_url:
            context["metatags"] = BASE + context["metatags"]
        return
    title = re.sub(r"<[^>]*>", "", html.unescape(str(context["title"])))
    summary, site = description_of(doctree), app.config.html_title
    kind = "website" if page == app.config.root_doc else "article"
    head = f'<meta name="description" content="{html.escape(summary)}">\n'
    head += tags("og", type=kind, site_name=site, title=title, description=summary, locale="en_US")
    if app.config.site_url:
        head += _of_published(app, page, title, context)
    context["metatags"] += head


def _of_published(app: Sphinx, page: str, title: str, context: dict[str, Any]) -> str:
    """Draw the picture of a page; return tags with its address, and that of the page."""
    film = first_film(context.get("body", ""))
    picture = f"_static/cards/{page}.png"
    draw_card(Path(app.outdir, picture), title, app.config.html_title, film)
    site = app.config.site_url
    alt = film.description if film else title
    width, height = map(str, SIZE)
    return (
        tags("og", url=f"{site}/{page}.html", image=f"{site}/{picture}")
        + tags("og:image", width=width, height=height, alt=alt)
        + tags("twitter", card="summary_large_image")
    )


def feed_of(changelog: str, title: str, author: str, site: str, released: date) -> str:
    """Return the change log as an Atom feed, with an entry for each version.

    Parameters
    ----------
    changelog : str
        Markdown with a heading of the second level for each version, and its date.
    title, author, site : str
        Title, author, and address of the course; ``site`` may be empty.
    released : date
        Date of versions without one.
    """
    pieces = VERSION.split(changelog)[1:]
    entries = []
    for version, day, text in zip(pieces[::3], pieces[1::3], pieces[2::3]):
        name = uuid.uuid5(uuid.NAMESPACE_URL, f"{title} {version}")
        entries.append(
            f"<entry><id>urn:uuid:{name}</id><title>{escape(f'{title} {version}')}</title>"
            f"<updated>{day or released}T00:00:00Z</updated>"
            f'<link href="{site and site + "/"}book/changelog.html"/>'
            f'<content type="html">{escape(MarkdownIt().render(text))}</content></entry>'
        )
    days = [day or str(released) for day in pieces[1::3]]
    identifier = uuid.uuid5(uuid.NAMESPACE_URL, title)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<id>urn:uuid:{identifier}</id><title>{escape(title)}: changes</title>"
        f"<updated>{max(days, default=str(released))}T00:00:00Z</updated>"
        f"<author><name>{escape(author)}</name></author>"
        + (f'<link rel="self" href="{site}/{FEED}"/>' if site else "")
        + "".join(entries)
        + "</feed>\n"
    )


def sitemap_of(pages: list[str], site: str) -> str:
    """Return a sitemap for search engines."""
    entries = "".join(f"<url><loc>{escape(f'{site}/{page}.html')}</loc></url>" for page in pages)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>\n'
    )


def lost_page(app: Sphinx) -> Any:
    """Yield the page for unknown addresses."""
    if app.builder.name != "html":
        return
    home, search = (
        app.builder.get_relative_uri(LOST, to) for to in (app.config.root_doc, "search")
    )
    body = LOST_PAGE.format(home=home, search=search)
    yield LOST, {"title": "This page is not here", "body": body}, "page.html"


def rooted(text: str, site: str) -> str:
    """Return a page with absolute paths, which is shown at any unknown address."""
    path = urlsplit(site).path.rstrip("/")
    return re.sub(
        r'\b(href|src|content_root|data-content_root)="(?![a-z]+:|/|#|data:)(?:\./)?([^"]*)"',
        rf'\1="{path}/\2"',
        text,
    )


def finish(app: Sphinx, exception: Exception | None) -> None:
    """Write the feed and the sitemap; fix the page for unknown addresses and the first page."""
    if exception or app.builder.name != "html":
        return
    source, out, site = Path(app.srcdir), Path(app.outdir), app.config.site_url
    changes, cited = source / "CHANGELOG.md", source / "CITATION.cff"
    if changes.exists() and cited.exists():
        released = yaml.safe_load(cited.read_text(encoding="utf-8"))["date-released"]
        text = feed_of(
            changes.read_text(encoding="utf-8"),
            app.config.html_title,
            app.config.author,
            site,
            date.fromisoformat(str(released)),
        )
        (out / FEED).write_text(text, encoding="utf-8")
    if site:
        pages = sorted(app.env.found_docs)
        (out / "sitemap.xml").write_text(sitemap_of(pages, site), encoding="utf-8")
        lost = out / f"{LOST}.html"
        lost.write_text(rooted(lost.read_text(encoding="utf-8"), site), encoding="utf-8")
    _describe_door(app, out)


def _describe_door(app: Sphinx, out: Path) -> None:
    """Add the first page's metadata to the page that redirects from the site's root."""
    door, first = out / "index.html", out / f"{app.config.root_doc}.html"
    text = door.read_text(encoding="utf-8") if door.exists() else ""
    if "http-equiv" not in text.lower():
        return
    head = first.read_text(encoding="utf-8").partition("</head>")[0]
    metatags = re.findall(r'<meta (?:name="description"|property="og)[^>]*>', head)
    metatags += re.findall(r'<link rel="canonical"[^>]*>', head)
    title = re.findall(r"(?s)<title>.*?</title>", head)
    link = f'<a href="{app.config.root_doc}.html">Begin here</a>'
    door.write_text(
        '<!doctype html><html lang="en"><head><meta charset="utf-8">\n'
        + "\n".join([*title, *metatags, text.strip()])
        + f"\n</head><body><p>{link}</p></body></html>\n",
        encoding="utf-8",
    )


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("html-page-context", describe)
    app.connect("html-collect-pages", lost_page)
    app.connect("build-finished", finish, priority=600)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
