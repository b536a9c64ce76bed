"""What the pages of the book and the repository name exists: links, commands, files, names."""

import re
from functools import cache
from urllib.parse import unquote, urlsplit

import pytest

import tutlib
from publishing.address import settings as address_settings
from tests.texts import FENCE, NOTEBOOKS, PAGES, ROOT, anchor, cells, markdown

TEXTS = [*NOTEBOOKS, *PAGES]
LINK = re.compile(r"\]\((?P<markdown>[^()\s]*)\)|\b(?:href|src)=\"(?P<html>[^\"]*)\"")
INLINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
ROLE = re.compile(r"\{[\w:]+\}`[^`]*`")
# The cell of a notebook, which tests/test_sources.py looks for.
CELL = re.compile(r"\bcell\s+`[a-z0-9-]+`")
#: Folders and files whose words a page may set in code.
CODE = ("straightline", "tutlib", "panels", "verification", "course", "publishing", "benchmarks")
TOP = ("Makefile", "conftest.py", "pyproject.toml", "_config.yml", ".ci/run", ".gitignore")
TOP += ("book/references.bib", "tests/conftest.py")
#: Names that a reader makes, and names of other packages.
OTHERS = {"rod_answer", "rod_solution", "my_step", "my_exercises", "NN-short-name"}
OTHERS |= {"BDF", "Linearizer", "pip", "apt", "conda", "unsafe-eval", "unsafe-inline"}
SITES = {
    *("keepachangelog.com", "semver.org", "creativecommons.org"),
    *("dlmf.nist.gov", "moorepants.github.io", "autorob.org", "www.netlib.org", "arxiv.org"),
}
OWN = address_settings((ROOT / "_config.yml").read_text(encoding="utf-8")).values()
SITES |= {urlsplit(address).netloc for address in OWN if address}
# What sets a live simulation of the same page, such as #live&arm.method=euler.
SETS_PANEL = re.compile(r"live&(\w+)\.\S+")
# A link to a live simulation of another page, with or without a setting.
PANEL_OF_A_PAGE = re.compile(r"live&(\w+)(?:\.\S+)?")


def links(path):
    """Return where the links and pictures of a text lead."""
    for cell, text in markdown(path):
        bare = INLINE.sub("", ROLE.sub("", FENCE.sub("", text)))
        for link in LINK.finditer(bare):
            yield cell, link["markdown"] or link["html"]


def anchors(path):
    """Return what a link can name within a text: its headings, in small letters with hyphens."""
    lines = "\n".join(text for _, text in markdown(path)).splitlines()
    return {anchor(line.lstrip("#").strip()) for line in lines if re.match(r"#{1,6} ", line)}


def panels(path):
    """Return the names of the live simulations that a text shows."""
    return set(re.findall(r'name=\\?"(\w+)\\?"', path.read_text(encoding="utf-8")))


def fragment_of_a_page(fragment, notebook):
    """Tell whether a page of the site has a live simulation or an exercise of a name."""
    if shows := PANEL_OF_A_PAGE.fullmatch(fragment):
        return shows[1] in panels(notebook)
    asked = f"(`{fragment.removeprefix('exercise-')}`)"
    return fragment.startswith("exercise-") and asked in notebook.read_text(encoding="utf-8")


def test_a_link_leads_to_a_file_and_a_heading_that_are_there():
    for path in TEXTS:
        for cell, link in links(path):
            target, _, fragment = link.partition("#")
            if urlsplit(link).scheme:
                continue
            file = (path.parent / unquote(target)).resolve() if target else path
            if file.suffix == ".html":
                notebook = file.with_suffix(".ipynb")
                assert fragment_of_a_page(fragment, notebook), f"{path.name} {cell} shows {link}"
                continue
            assert file.is_file(), f"{path.name} {cell} links to {link}"
            if (sets := SETS_PANEL.fullmatch(fragment)) and not target:
                assert sets[1] in panels(path), f"{path.name} {cell} sets {link}"
            else:
                assert not fragment or fragment in anchors(file), f"{path.name} {cell}: {link}"


def test_an_address_is_whole_and_of_a_site_that_is_known():
    for path in [*TEXTS, ROOT / "LICENSE-TEXT.md", ROOT / "book/references.bib"]:
        text = "\n".join(text for _, text in markdown(path))
        for address in re.findall(r"\bhttps?:[^\s)}>\"]*", text):
            assert urlsplit(address).scheme == "https", address
            assert urlsplit(address).netloc in SITES, f"{path.name} leads to {address}"


@cache
def vocabulary():
    """Return the words of all code: what a page sets in code must be among them."""
    kinds = (".py", ".js")
    files = [p for folder in CODE for p in (ROOT / folder).rglob("*") if p.suffix in kinds]
    texts = [path.read_text(encoding="utf-8") for path in [*files, *map(ROOT.joinpath, TOP)]]
    for cell in (cell for path in NOTEBOOKS for cell in cells(path)):
        words = [*cell.metadata, *cell.metadata.get("tags", [])]
        texts.append(" ".join([*words, *map(str, cell.metadata.get("equations", []))]))
        texts.append(cell.source if cell.cell_type == "code" else "")
    return {
        word for text in texts for shape in (r"[\w-]+", r"\w+") for word in re.findall(shape, text)
    }


#: The changelog names what has gone, too.
@pytest.mark.parametrize("path", [p for p in TEXTS if p.stem != "CHANGELOG"], ids=lambda p: p.name)
def test_what_is_set_in_code_exists(path):
    """A file, a target of make, or words of the code."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[1].split()
    made = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    for cell, text in markdown(path):
        for token in INLINE.findall(CELL.sub("", ROLE.sub("", FENCE.sub("", text)))):
            first, *words = token.split()
            for word in words if first == "make" else ():
                assert "=" in word or word in targets, f"{cell}: make has no target {word}"
            for word in token.split():
                if "/" in word and re.fullmatch(r"[\w./*-]+", word) and word not in OTHERS:
                    known = list(ROOT.glob(word)) or word.startswith((*made, "/"))
                    assert known or OTHERS & set(re.findall(r"[\w-]+", word)), f"{cell}: {word}"
                    token = token.replace(word, "")
            unknown = set(re.findall(r"\w[\w-]*", token)) - vocabulary() - OTHERS
            assert not unknown or list(ROOT.glob(token)), f"{cell}: nothing is called {unknown}"


def test_the_page_of_the_package_lists_what_is_at_its_top():
    text = " ".join((ROOT / "book/tutlib.md").read_text(encoding="utf-8").split())
    listed = re.search(r"Import ([^.]*?) from `tutlib`\.", text)[1]
    assert sorted(INLINE.findall(listed)) == tutlib.__all__


def test_both_pages_for_teachers_name_the_same_headers():
    pages = ("book/instructors.md", "book/run-the-site.md")
    texts = [(ROOT / page).read_text(encoding="utf-8") for page in pages]
    teach, run = (re.findall(r"(?m)^Content-Security-Policy: (.*)$", text) for text in texts)
    assert teach == run
    site, lite = teach
    assert "'unsafe-eval'" in lite
    assert "'unsafe-eval'" not in site
