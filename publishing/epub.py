"""Write the built site as an EPUB 3 book: ``python -m publishing.epub`` after `make book`.

Formulas are MathML, stills replace animations, and solutions are open. Folded code and the
reference of the package are left out.
"""

from __future__ import annotations

import hashlib
import re
import sys
import uuid
import zipfile
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path
from typing import Any

import yaml

from publishing.execute_notebooks import ROOT
from publishing.pages import pages_of
from publishing.xhtml import Page, article_of

SITE = ROOT / "_build" / "html"
BOOK = ROOT / "_build" / "equations-in-motion.epub"
LEFT_OUT = re.compile(r"book/(tutlib|straightline|panels|verification|course)\b")
#: Time stamp of all files, so that the same site gives the same book.
WRITTEN = (2026, 1, 1, 0, 0, 0)
TYPES = {".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".gif": "image/gif"}
CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="package.opf" media-type="application/oebps-package+xml"/>
</rootfiles></container>
"""
STYLE = """body { line-height: 1.5; }
pre { padding-left: 0.5em; border-left: 3px solid #888; font-size: 0.75em; white-space: pre-wrap; }
img, svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; font-size: 0.85em; }
td, th { padding: 0.2em 0.4em; border-bottom: 1px solid #888; text-align: left; }
blockquote { margin: 1em 0; padding: 0.2em 1em; border-left: 3px solid #888; }
.title, .admonition-title { font-weight: bold; }
.hide .expanded { display: none; }
"""
HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en" \
xml:lang="en"><head><title>{title}</title>{style}</head><body>
"""
SECTION = re.compile(r'<section[^>]* id="([^"]+)"[^>]*>\s*(?:<span[^>]*></span>\s*)*<h2>(.*?)</h2>')


@dataclass(frozen=True)
class BookPage:
    """Page of the book: its path in the site, its title, its XHTML, and its pictures."""

    name: str
    title: str
    text: str
    images: dict[str, bytes | None]

    @property
    def file(self) -> str:
        """Path in the book."""
        return self.name.replace(".html", ".xhtml")

    @property
    def properties(self) -> str:
        """Properties that a reading system must support for it."""
        names = [name for name, tag in (("mathml", "<math"), ("svg", "<svg")) if tag in self.text]
        return f' properties="{" ".join(names)}"' if names else ""


def words(markup: str) -> str:
    """Return the plain text of a heading."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", markup)).split())


def chapters_of(site: Path, pages: list[str]) -> list[BookPage]:
    """Return the pages of a site."""
    articles = {page: article_of((site / page).read_text(encoding="utf-8")) for page in pages}
    anchors = {page: set(re.findall(r'\bid="([^"]+)"', text)) for page, text in articles.items()}
    chapters = []
    for name, article in articles.items():
        page = Page(name, anchors.__getitem__)
        page.feed(article)
        page.close()
        text = "".join(page.text)
        heading = re.search(r"(?s)<h1>(.*?)</h1>", text)
        title = words(heading[1]) if heading else name
        up = "../" * name.count("/")
        style = f'<link rel="stylesheet" href="{up}style.css"/>'
        whole = HEAD.format(title=escape(title), style=style) + text + "</body></html>\n"
        chapters.append(BookPage(name, title, whole, page.images))
    return chapters


def navigation(title: str, chapters: list[BookPage]) -> str:
    """Return the table of contents, with the sections of each page."""
    lines = []
    for chapter in chapters:
        sections = "".join(
            f'<li><a href="{chapter.file}#{anchor}">{escape(words(heading))}</a></li>\n'
            for anchor, heading in SECTION.findall(chapter.text)
        )
        inner = f"\n<ol>{sections}</ol>" if sections else ""
        lines.append(f'<li><a href="{chapter.file}">{escape(chapter.title)}</a>{inner}</li>\n')
    listed = f'<nav epub:type="toc"><h1>Contents</h1><ol>{"".join(lines)}</ol></nav>'
    return HEAD.format(title=escape(title), style="") + listed + "</body></html>\n"


def package(settings: dict[str, Any], chapters: list[BookPage], images: list[str]) -> str:
    """Return the package document, which lists all files and their order."""
    items = "".join(
        f'<item id="page-{i}" href="{chapter.file}" media-type="application/xhtml+xml"'
        f"{chapter.properties}/>\n"
        for i, chapter in enumerate(chapters)
    )
    items += "".join(
        f'<item id="picture-{i}" href="{escape(path)}" media-type="{TYPES[Path(path).suffix]}"/>\n'
        for i, path in enumerate(images)
    )
    order = "".join(f'<itemref idref="page-{i}"/>' for i in range(len(chapters)))
    digest = hashlib.sha256("".join(chapter.text for chapter in chapters).encode()).hexdigest()
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="book">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="book">urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest)}</dc:identifier>
<dc:title>{escape(settings["title"])}</dc:title><dc:language>en</dc:language>
<dc:creator>{escape(settings["author"])}</dc:creator>
<meta property="dcterms:modified">{WRITTEN[0]}-01-01T00:00:00Z</meta>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="style" href="style.css" media-type="text/css"/>
{items}</manifest>
<spine>{order}</spine>
</package>
"""


def write_book(site: Path, book: Path, toc: dict[str, Any], settings: dict[str, Any]) -> None:
    """Write the pages of a built site as one EPUB."""
    pages = [f"{page}.html" for page in pages_of(toc) if not LEFT_OUT.match(page)]
    chapters = chapters_of(site, pages)
    images: dict[str, bytes | None] = {}
    for chapter in chapters:
        images |= chapter.images
    files: dict[str, str | bytes] = {
        "META-INF/container.xml": CONTAINER,
        "package.opf": package(settings, chapters, sorted(images)),
        "nav.xhtml": navigation(settings["title"], chapters),
        "style.css": STYLE,
    }
    files |= {chapter.file: chapter.text for chapter in chapters}
    for path, content in sorted(images.items()):
        files[path] = (site / path).read_bytes() if content is None else content
    with zipfile.ZipFile(
        book, "w"
    ) as archive:  # the first file is not compressed: it is looked for
        archive.writestr(zipfile.ZipInfo("mimetype", WRITTEN), "application/epub+zip")
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, WRITTEN), text, zipfile.ZIP_DEFLATED)


def main() -> int:
    if not (SITE / "index.html").exists():
        print("There is no site yet: run `make book` first.")
        return 1
    settings, toc = (
        yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))
        for name in ("_config.yml", "_toc.yml")
    )
    write_book(SITE, BOOK, toc, settings)
    print(f"The book is {BOOK.relative_to(ROOT)}, {BOOK.stat().st_size / 1e6:.1f} MB.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
