"""Names by which sections are looked for belong to sections that are there."""

import re
import tomllib

import pytest
from docutils.nodes import make_id

from tests.texts import ROOT, markdown

CALLED = tomllib.loads((ROOT / "book/search.toml").read_text(encoding="utf-8"))


def anchors(page):
    """Return the anchors of the sections of a page, as docutils makes them."""
    path = next(path for end in ("md", "ipynb") if (path := ROOT / f"{page}.{end}").exists())
    lines = "\n".join(text for _, text in markdown(path)).splitlines()
    headings = [line.lstrip("# ") for line in lines if re.match(r"#{2,6} ", line)]
    return {make_id(re.sub(r"`", "", heading)) for heading in headings}


@pytest.mark.parametrize("place", CALLED["names"])
def test_a_place_with_names_is_there(place):
    page, _, anchor = place.partition("#")
    assert not anchor or anchor in anchors(page)


def test_words_are_small_and_mean_another():
    for word, other in CALLED["words"].items():
        assert word == word.lower() != other == other.lower()
