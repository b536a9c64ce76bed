"""The page of sources: each correction leads to a section, and to a cell of it that proves it."""

import re
from functools import cache

from tests.texts import ROOT, anchor, cells

PAGE = ROOT / "book/sources.md"
ENTRY = re.compile(r"^- \*\*(.*?)\*\* (.*?)(?=^- |^#|\Z)", re.MULTILINE | re.DOTALL)
PROOF = re.compile(r"\]\(\.\./notebooks/([\w/-]+)\.ipynb#([^)]+)\),\s+cell\s+`([a-z0-9-]+)`")
TEXT = PAGE.read_text(encoding="utf-8")
ENTRIES = {found[1]: found[2] for found in ENTRY.finditer(TEXT)}
PROOFS = [(name, *proof) for name, text in ENTRIES.items() for proof in PROOF.findall(text)]


@cache
def sections(stem):
    """Return the code cells of a chapter by id, each with all headings that it stands under."""
    found, under = {}, {}
    for cell in cells(ROOT / "notebooks" / f"{stem}.ipynb"):
        if cell.cell_type == "code":
            found[cell.id] = cell, tuple(under.values())
        for marks, heading in re.findall(r"^(#+) (.+)$", cell.source, re.MULTILINE):
            if cell.cell_type == "markdown":
                above = {k: v for k, v in under.items() if k < len(marks)}
                under = above | {len(marks): anchor(heading)}
    return found


def test_every_entry_is_read_and_has_a_proof():
    assert len(ENTRIES) == len(re.findall(r"^- \*\*", TEXT, re.MULTILINE)) > 25
    assert {name for name, *_ in PROOFS} == set(ENTRIES)
    assert len(PROOFS) == len(re.findall(r"\bcell\s+`", TEXT))


def test_the_cell_stands_in_the_section_and_asserts_something():
    for name, stem, section, cell in PROOFS:
        assert cell in sections(stem), f"{name}: chapter {stem} has no cell {cell}"
        found, under = sections(stem)[cell]
        assert section in under, f"{name}: {cell} stands under {under}"
        # What a cell prints is compared as well where it is tagged so.
        checked = "nbval-check-output" in found.metadata.get("tags", [])
        assert checked or re.search(r"^\s*assert ", found.source, re.MULTILINE), cell
