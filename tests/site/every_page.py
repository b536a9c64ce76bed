"""Pages of the site: their names, the panels on them, and the files that they bring."""

import ast
import re

import nbformat
import yaml

from publishing.pages import pages_of

from .conftest import ROOT

TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
PAGES = [f"{page}.html" for page in pages_of(TOC)]
CHAPTERS = [page for page in PAGES if page.startswith("notebooks/")]
FIRST_PAGES = [page for page in CHAPTERS if re.fullmatch(r"notebooks/[^/]*(/1-[^/]*)?", page)]
#: Written by one program of docstrings alone: the longest of them is visited with the others.
ALIKE = [page for page in PAGES if re.match("book/tutlib-(?!programs)", page)]
AROUND = [page for page in PAGES if page not in CHAPTERS and page not in ALIKE]
CELL = re.compile(
    r"^```\{code-cell\}.*\n(?::.*\n|---\n(?s:.*?)\n---\n)*((?s:.*?))^```$", re.MULTILINE
)


def code_of(page):
    """Return the code that a page runs, but for solutions, which nobody sees unasked."""
    source = (ROOT / page).with_suffix(".ipynb")
    if not source.exists():
        text = source.with_suffix(".md").read_text(encoding="utf-8")
        return "\n".join(CELL.findall(text))
    cells = nbformat.read(source, as_version=4).cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    return "\n".join(c.source for c in code if "solution" not in c.metadata.get("tags", []))


def panels_of(page):
    """Return the names that code gives to panels."""
    for call in ast.walk(ast.parse(code_of(page))):
        if isinstance(call, ast.Call) and ast.unparse(call.func).startswith(
            ("live", "side_by_side")
        ):
            yield from (word.value.value for word in call.keywords if word.arg == "name")


#: The page of each panel, by its name.
PANELS = {name: page for page in PAGES for name in panels_of(page)}


def opens_with(chapter):
    """Return the call that shows the first moving picture of a chapter."""
    found = re.search(r"^(?:    return )?(animate|live\w*)\(", code_of(chapter), re.MULTILINE)
    return found and found[1]


WITH_FILM = [chapter for chapter in CHAPTERS if opens_with(chapter) == "animate"]
