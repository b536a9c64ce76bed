"""The glossary: each word leads to the section that explains it, and no word is missing."""

import re
from functools import cache
from types import SimpleNamespace

import pytest

from tests.texts import ROOT, anchor, markdown

nodes = pytest.importorskip("docutils.nodes", reason="the book's own packages are not installed")
from publishing.sphinx.glossary_links import link_terms  # noqa: E402

TEXT = (ROOT / "book" / "glossary.md").read_text(encoding="utf-8")
ENTRY = re.compile(
    r"^([A-Za-z][\w' -]*)\n  (.+) \[([^]]+)\]\(\.\./notebooks/([\w/-]+)\.ipynb#([^)]+)\)$", re.M
)
ENTRIES = {found[1]: found.groups()[1:] for found in ENTRY.finditer(TEXT)}


@cache
def sections(stem):
    """Return the sections of a chapter: the address of each heading, and the text below it."""
    text = "\n\n".join(text for _, text in markdown(ROOT / "notebooks" / f"{stem}.ipynb"))
    parts = re.split(r"(?m)^#+ (.+)$", text)
    return dict(zip(parts[1::2], parts[2::2]))


def holds(text, term):
    """Tell whether a text uses a word, in singular or plural, at the end of a line, too."""
    words = re.escape(term).replace(r"\ ", r"\s+")
    return re.search(rf"(?i)(?<!\w){words}(?:s|es)?(?!\w)", text.replace("*", ""))


def test_every_entry_is_read():
    entries = re.findall(r"(?m)^(?![:#\s]).+\n  ", TEXT.partition(":::{glossary}")[2])
    assert len(entries) == len(ENTRIES) > 50
    assert list(ENTRIES) == sorted(ENTRIES, key=str.lower)


def test_a_word_stands_in_the_section_that_it_leads_to():
    for term, (meaning, heading, stem, address) in ENTRIES.items():
        found = sections(stem)
        assert heading in found, f"{stem} has no section {heading!r}"
        assert address == anchor(heading), term
        assert holds(found[heading], term), f"{heading!r} does not say {term!r}"
        assert re.match(r"[A-Z].*\.$", meaning), f"{term}: {meaning}"
        assert 1 <= len(re.findall(r"[.?!](?: |$)", meaning)) <= 2, f"{term}: one sentence, or two"


def linked(terms, text):
    """Return a chapter's page after its words were linked, as its nodes."""
    entries = nodes.document(None, None)
    entries += [nodes.term("", word, ids=[f"term-{word}"]) for word in terms]
    app = SimpleNamespace(
        env=SimpleNamespace(found_docs={"book/glossary"}, get_doctree=lambda _: entries),
        builder=SimpleNamespace(get_relative_uri=lambda page, target: f"../{target}.html"),
    )
    page = nodes.document(None, None)
    page += [nodes.strong("", word) for word in text]
    link_terms(app, page, "notebooks/05-kane/1-partial-velocities")
    return [getattr(node, "get", {}.get)("refuri", node.astext()) for node in page.children]


def test_a_word_is_linked_where_a_page_first_sets_it_in_bold():
    found = linked(["stage", "stiff"], ["stages", "It takes", "stiff", "stage"])
    address = "../book/glossary.html#term-"
    assert found == [f"{address}stage", "It takes", f"{address}stiff", "stage"]
