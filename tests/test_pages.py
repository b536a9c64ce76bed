"""What the pages of the book and the repository name exists: links, commands, files, names."""

import importlib
import re
import shlex
import tomllib
from functools import cache
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from packaging.requirements import Requirement

import tutlib
from publishing.address import settings as address_settings
from tests.texts import FENCE, NOTEBOOKS, PAGES, ROOT, anchor, cells, code_blocks, markdown

TEXTS = [*NOTEBOOKS, *PAGES]
LINK = re.compile(r"\]\((?P<markdown>[^()\s]*)\)|\b(?:href|src)=\"(?P<html>[^\"]*)\"")
INLINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
ROLE = re.compile(r"\{[\w:]+\}`[^`]*`")
# The cell of a notebook, which tests/test_sources.py looks for.
CELL = re.compile(r"\bcell\s+`[a-z0-9-]+`")
# Where the names are made that a page may set in code.
CODE = (
    "straightline/**/*.py",
    "tutlib/**/*.py",
    "panels/**/*.py",
    "panels/**/*.js",
    "verification/**/*.py",
    "course/**/*.py",
    "course/**/*.js",
    "publishing/**/*.py",
    "benchmarks/*.py",
    "tests/conftest.py",
)
TOP = (
    "Makefile",
    "conftest.py",
    "pyproject.toml",
    "_config.yml",
    ".ci/run",
    ".gitignore",
    "book/references.bib",
)
# What a reader will make.
EXAMPLES = {
    "rod_answer = ...",
    "rod_solution = ...",
    "notebooks/NN-short-name.ipynb",
    "integrate(..., method=my_step)",
    "my_exercises.py",
}
# What the course names but does not use, and where it is.
FOREIGN = {"BDF": "scipy.integrate", "Linearizer": "sympy.physics.mechanics.linearize"}
SITES = {
    *("keepachangelog.com", "semver.org", "creativecommons.org"),
    *("dlmf.nist.gov", "moorepants.github.io", "autorob.org", "www.netlib.org"),
}
# And where the course itself is, once it is published.
OWN = address_settings((ROOT / "_config.yml").read_text(encoding="utf-8")).values()
SITES |= {urlsplit(address).netloc for address in OWN if address}
PROGRAMS = {}

# What sets a live simulation of the same page, such as #live&arm.method=euler.
SETS_PANEL = re.compile(r"live&(\w+)\.\S+")


def links(path):
    """Return where the links and pictures of a text lead."""
    for cell, text in markdown(path):
        bare = INLINE.sub("", ROLE.sub("", FENCE.sub("", text)))
        for link in LINK.finditer(bare):
            yield cell, link["markdown"] or link["html"]


def anchors(path):
    """Return what a link can name within a text: its headings, in small letters with hyphens."""
    lines = "\n".join(text for _, text in markdown(path)).splitlines()
    headings = [line.lstrip("#").strip() for line in lines if re.match(r"#{1,6} ", line)]
    return set(map(anchor, headings))


def panels(path):
    """Return the names of the live simulations that a text shows."""
    return set(re.findall(r'name=\\?"(\w+)\\?"', path.read_text(encoding="utf-8")))


def test_a_link_leads_to_a_file_and_a_heading_that_are_there():
    for path in TEXTS:
        for cell, link in links(path):
            target, _, anchor = link.partition("#")
            if urlsplit(link).scheme:
                continue
            file = (path.parent / unquote(target)).resolve() if target else path
            assert file.is_file(), f"{path.name} {cell} links to {link}"
            assert file.is_relative_to(ROOT), f"{path.name} {cell} links to {link}"
            if (sets := SETS_PANEL.fullmatch(anchor)) and not target:
                assert sets[1] in panels(path), f"{path.name} {cell} sets {link}"
            else:
                assert not anchor or anchor in anchors(file), f"{path.name} {cell}: {link}"
        for _, text in markdown(path):
            for included in re.findall(r"\{include\} (\S+)", text):
                assert (path.parent / included).is_file(), included


def test_an_address_is_whole_and_of_a_site_that_is_known():
    for path in [*TEXTS, ROOT / "LICENSE-TEXT.md", ROOT / "book/references.bib"]:
        text = "\n".join(text for _, text in markdown(path))
        for address in re.findall(r"\bhttps?:[^\s)}>\"]*", text):
            assert urlsplit(address).scheme == "https", address
            assert urlsplit(address).netloc in SITES, f"{path.name} leads to {address}"


def program(name):
    """Register what checks the arguments of a program."""

    def register(function):
        PROGRAMS[name] = function
        return function

    return register


@cache
def makefile():
    return (ROOT / "Makefile").read_text(encoding="utf-8")


@cache
def conda():
    return yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))


@program("make")
def make(arguments):
    variables = [argument for argument in arguments if "=" in argument]
    targets = set(arguments) - set(variables)
    known = re.search(r"^\.PHONY: (.*)$", makefile(), re.MULTILINE)[1].split()
    assert targets <= set(known), arguments
    for name, value in (variable.split("=") for variable in variables):
        asked = rf"\$\({name}\), *{value}\b|\b{value}, *\$\({name}\)"
        assert re.search(asked, makefile()), f"{name} is never compared with {value}"


@program("python")
def python(arguments):
    if arguments[:2] in (["-m", "publishing.build_book"], ["-m", "publishing.address"]):
        assert arguments[2:] == []
        return
    if arguments[:2] == ["-m", "publishing.oldest_processor"]:
        run(shlex.join(arguments[2:]))
        return
    if arguments[:2] == ["-m", "pytest"]:
        option, expression, *folders = arguments[2:]
        if option == "-m":
            assert expression in makefile(), "make test FAST=yes leaves out the same"
        else:
            assert option == "-k"
            assert (ROOT / f"course/exercises/{expression}.py").is_file(), expression
        assert all((ROOT / folder).exists() for folder in folders), folders
        return
    if arguments[:2] != ["-m", "course"]:
        script, *files = arguments
        assert (ROOT / script).is_file(), script
        assert all(list(ROOT.glob(file)) for file in files), files
        return
    called = []
    with pytest.MonkeyPatch.context() as patch:
        copy = "course.__main__.copy_notebooks"
        patch.setattr(copy, lambda *given: called.append(given) or [])
        others = ("_doctor", "_exercises", "_log", "_answers", "_start", "_report", "_verify")
        others += ("_write", "_chapters", "_new_section")
        for command in (f"course.__main__.{name}" for name in others):
            patch.setattr(command, lambda _: called.append(()) or ([], True))
        main = importlib.import_module(f"{arguments[1]}.__main__").main
        assert main(arguments[2:]) == 0
    for _, fresh, _ in filter(None, called):
        assert fresh is None or list(ROOT.glob(f"notebooks/{fresh}-*")), fresh


@program("pip")
def pip(arguments):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    packages = {Requirement(line).name for lines in extras.values() for line in lines}
    for argument in arguments[1:]:
        if extra := re.fullmatch(r"\.\[([\w,]+)\]", argument):
            assert set(extra[1].split(",")) <= set(extras), argument
        else:
            assert argument in {"--editable", "pre-commit", *packages}, argument


@program("conda")
def conda_command(arguments):
    if arguments[0] == "activate":
        assert arguments[1:] == [conda()["name"]]
    else:
        assert arguments[:3] == ["env", "create", "--file"]
        assert conda() == yaml.safe_load((ROOT / arguments[3]).read_text(encoding="utf-8"))


@program("jupyter")
def jupyter(arguments):
    assert re.search(rf"jupyter\"? {' '.join(arguments)}$", makefile(), re.MULTILINE), arguments


@program("apt")
def apt(arguments):
    needed = re.findall(r"^need \w+ (\w+)$", (ROOT / ".ci/run").read_text("utf-8"), re.MULTILINE)
    assert arguments == ["install", *needed]


@program("bash")
def bash(arguments):
    assert (ROOT / arguments[0]).is_file(), arguments


@program("pre-commit")
def pre_commit(arguments):
    assert arguments == ["install"]
    assert (ROOT / ".pre-commit-config.yaml").is_file()


def run(line):
    """Check a command of a page, without running more of it than its own reading of arguments."""
    name, *arguments = shlex.split(line, comments=True)
    if "/" in name:
        environment = re.search(r"^VENV := (\S+)$", makefile(), re.MULTILINE)[1]
        folder, _, name = name.rpartition("/")
        assert folder == f"{environment}/bin", line
    assert name in PROGRAMS, f"{line!r} calls a program that nothing provides"
    PROGRAMS[name](arguments)


def test_a_block_holds_commands_that_can_be_given_or_a_cell_of_a_notebook():
    """But for Python that runs by itself: in the book as a cell, in the README as a test."""
    known = {cell.source for path in NOTEBOOKS for cell in cells(path)}
    for page in PAGES:
        for language, block in code_blocks(page):
            for line in block.splitlines() if not language else ():
                run(line)
            if language == "python" and page.name != "README.md":
                assert block.strip() in known, block


def test_make_lists_the_commands_unless_told_otherwise():
    assert ".DEFAULT_GOAL := help\n" in makefile()


@cache
def vocabulary():
    """Return the words of all code: what a page sets in code must be among them."""
    files = [path for pattern in CODE for path in ROOT.glob(pattern)]
    texts = [path.read_text(encoding="utf-8") for path in [*files, *map(ROOT.joinpath, TOP)]]
    for cell in (cell for path in NOTEBOOKS for cell in cells(path)):
        words = [*cell.metadata, *cell.metadata.get("tags", [])]
        texts.append(" ".join([*words, *map(str, cell.metadata.get("equations", []))]))
        texts.append(cell.source if cell.cell_type == "code" else "")
    return {
        word for text in texts for shape in (r"[\w-]+", r"\w+") for word in re.findall(shape, text)
    }


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_what_is_set_in_code_exists(path):
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    for cell, text in markdown(path):
        for token in (
            set(INLINE.findall(CELL.sub("", ROLE.sub("", FENCE.sub("", text))))) - EXAMPLES
        ):
            name = token.split()[0].rpartition("/")[2]
            if name in PROGRAMS and " " in token:
                run(token)
            elif "/" in token and re.fullmatch(r"[\w./*-]+", token):
                made = token.startswith(tuple(ignored))
                assert list(ROOT.glob(token)) or made, f"{cell}: there is no {token}"
            else:
                unknown = set(re.findall(r"\w[\w-]*", token)) - vocabulary() - set(FOREIGN)
                found = not unknown or list(ROOT.glob(token))
                assert found, f"{cell}: nothing is called {token}"


def test_what_others_provide_is_there():
    assert all(hasattr(importlib.import_module(FOREIGN[name]), name) for name in FOREIGN)


def test_the_page_of_the_package_lists_what_is_at_its_top():
    text = " ".join((ROOT / "book/tutlib.md").read_text(encoding="utf-8").split())
    listed = re.search(r"At the top of `tutlib` are (.*?);", text)[1]
    assert sorted(INLINE.findall(listed)) == tutlib.__all__
