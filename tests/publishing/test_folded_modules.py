"""Modules of a package's page: each is one line that opens, and a link to a signature opens it."""

import re

import pytest

from tests.texts import ROOT

nodes = pytest.importorskip("docutils.nodes", reason="the book's own packages are not installed")
from docutils.utils import new_document  # noqa: E402
from sphinx import addnodes  # noqa: E402

from publishing.sphinx.folded_modules import Module, ModuleLine, fold_modules  # noqa: E402


def module(name, *signatures):
    """Return what autodoc writes for a module, once docutils has moved the anchor's id."""
    anchor = f"module-{name}"
    yield addnodes.index(entries=[("pair", f"module; {name}", anchor, "", None)])
    yield nodes.target(ismod=True)
    yield nodes.paragraph("", "What it is.", ids=[anchor])
    yield nodes.paragraph("", "More.")
    for signature in signatures:
        yield addnodes.index(entries=[("single", signature, f"{name}.{signature}", "", None)])
        described = addnodes.desc_signature("", signature, fullname=signature)
        yield addnodes.desc("", described, domain="py", objtype="function")


def test_each_module_is_folded_below_a_line_with_its_sentence_and_its_names():
    page = new_document("page")
    section = nodes.section("", nodes.title("", "Reference"), ids=["reference"])
    section += [*module("tutlib.one", "step", "walk"), *module("tutlib.two")]
    section += nodes.section("", nodes.title("", "Next"), ids=["next"])
    page += section
    fold_modules(None, page)
    assert [type(child).__name__ for child in section] == ["title", "Module", "Module", "section"]
    lines = [line.astext() for line in page.findall(ModuleLine)]
    assert lines == ["tutlib.one What it is.step, walk", "tutlib.two What it is."]
    assert [line["ids"] for line in page.findall(ModuleLine)] == [
        ["module-tutlib.one"],
        ["module-tutlib.two"],
    ]
    one, two = page.findall(Module)
    assert "More." in one.astext()
    assert len([*one.findall(addnodes.desc)]) == 2
    assert not [*two.findall(addnodes.desc)]


def test_the_scripts_of_the_pages_know_the_class():
    written = (ROOT / "publishing/sphinx/folded_modules.py").read_text(encoding="utf-8")
    (name,) = re.findall(r'<details class="([\w-]+)">', written)
    for file in ("code.js", "paper.js", "page.css"):
        assert f".{name}" in (ROOT / "book/_static" / file).read_text(encoding="utf-8"), file
