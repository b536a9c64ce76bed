"""Write the built site as one PDF: ``python -m publishing.pdf`` after `make book`.

A browser prints all pages as they look on paper, with tags, bookmarks, and page numbers; solutions
are at the end of each page. The reference of the package is left out.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from publishing.execute_notebooks import ROOT
from publishing.pages import pages_of

SITE = ROOT / "_build" / "html"
BOOK = ROOT / "_build" / "equations-in-motion.pdf"
LEFT_OUT = re.compile(r"book/(tutlib|straightline|panels|verification|course)\b")
#: Address of the site in the browser, which gets the files from the folder.
HOME = "http://site.invalid/"
PATIENCE = 600_000  # ms
#: Script that merges all pages into one, with stills of animations and with internal links.
BIND = """async (pages) => {
  const known = new Set(pages);
  const read = (text) => new DOMParser().parseFromString(text, "text/html");
  const styles = new Set([...document.styleSheets].map((sheet) => sheet.href));
  const styled = (href) => new Promise((resolve) => {
    if (styles.has(href)) return resolve();
    styles.add(href);
    const sheet = { rel: "stylesheet", href, onload: resolve, onerror: resolve };
    document.head.append(Object.assign(document.createElement("link"), sheet));
  });
  const articles = await Promise.all(pages.map(async (page) => {
    const home = new URL(page, location.origin);
    const whole = read(await (await fetch(home)).text());
    const sheets = [...whole.querySelectorAll("link[rel=stylesheet]")];
    await Promise.all(sheets.map((e) => styled(new URL(e.getAttribute("href"), home).href)));
    const article = whole.querySelector("article");
    const all = (selector) => [...article.querySelectorAll(selector)];
    all("script, button, .headerlink").forEach((e) => e.remove());
    all("[id]").filter((e) => !e.closest("svg")).forEach((e) => (e.id = `${e.id}--${page}`));
    all("img").forEach((e) => (e.src = new URL(e.getAttribute("src"), home)));
    all("iframe").forEach((e) => {
      const still = read(e.textContent).querySelector("img");
      if (still) still.className = "tutlib-still";
      e.replaceWith(...(still ? [still] : []));
    });
    all("a[href]").forEach((e) => {
      const { origin, pathname, hash } = new URL(e.getAttribute("href"), home);
      if (origin !== location.origin) return;
      const there = pathname.slice(1);
      if (!known.has(there)) e.removeAttribute("href");
      else e.setAttribute("href", `#${hash ? `${hash.slice(1)}--` : ""}${there}`);
    });
    article.id = page;
    article.style.breakBefore = "page";
    return document.adoptNode(article);
  }));
  document.querySelector("article").replaceWith(...articles);
  // A page alone is printed with its title on top, and a list of its sections.
  document.getElementById("jb-print-docs-body")?.remove();
  const titles = ".bd-main .bd-content .bd-article h1:first-of-type { display: block; }";
  document.head.append(Object.assign(document.createElement("style"), { textContent: titles }));
  await Promise.all([...document.fonts].map((face) => face.load()));
  await Promise.all([...document.images].map((image) => image.decode().catch(() => null)));
}"""
FOOT = '<p class="pageNumber" style="width: 100%; font: 8pt sans-serif; text-align: center"></p>'


def print_book(browser: Any, site: Path, book: Path, pages: Sequence[str]) -> None:
    """Print pages of a built site, by their paths in it, as one PDF.

    Raises
    ------
    playwright.sync_api.Error
        If a page is not there, or the browser has not printed within ten minutes.
    """
    page = browser.new_page(color_scheme="light", reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    page.route(
        "**/*",
        lambda route: route.fulfill(path=site / route.request.url.split("?")[0][len(HOME) :]),
    )
    page.goto(HOME + pages[0], wait_until="load")
    page.evaluate(BIND, list(pages))
    page.pdf(
        path=book,
        format="A4",
        margin={"top": "12mm", "bottom": "15mm", "left": "13mm", "right": "13mm"},
        display_header_footer=True,
        header_template="<span></span>",
        footer_template=FOOT,
        tagged=True,
        outline=True,
    )
    page.close()


def main() -> int:
    if not (SITE / "index.html").exists():
        print("There is no site yet: run `make book` first.")
        return 1
    from playwright.sync_api import Error, sync_playwright

    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    pages = [f"{page}.html" for page in pages_of(toc) if not LEFT_OUT.match(page)]
    if missing := [page for page in pages if not (SITE / page).exists()]:
        print(f"The site has no {missing[0]}: run `make book` again.")
        return 1
    path = shutil.which("chromium") or shutil.which("google-chrome")
    flags = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=flags)
        except Error:
            print("There is no browser to print with: install chromium.")
            return 1
        print_book(browser, SITE, BOOK, pages)
    print(f"The book is {BOOK.relative_to(ROOT)}, {BOOK.stat().st_size / 1e6:.1f} MB.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
