"""Formulas come with the page: set, heard, and whole on paper."""

import re
from xml.etree import ElementTree

import pytest

from .conftest import SITE
from .every_page import CHAPTERS, PAGES

SHOWN = """() => [...document.querySelectorAll("article mjx-math")]
  .filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 2).length"""


def read(path):
    return (SITE / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PAGES)
def test_each_formula_has_its_mathml(site, path):
    made = re.findall(r"<mjx-container\b.*?</mjx-container>", read(path), re.DOTALL)
    assert len(made) == read(path).count("<mjx-container")
    for formula in made:
        (heard,) = re.findall(r"<math\b.*?</math>", formula, re.DOTALL)
        assert list(ElementTree.fromstring(heard).itertext()), formula
    assert path not in CHAPTERS or len(made) > 3


@pytest.mark.parametrize("path", PAGES)
def test_no_browser_sets_formulas_and_their_styles_come_with_formulas_alone(site, path):
    scripts = re.findall(r'<script\b[^>]*\bsrc="([^"]*)"', read(path))
    assert len(scripts) > 5
    assert [script for script in scripts if "mathjax" in script.lower()] == []
    assert not list(SITE.glob("_static/**/tex-*.js"))
    assert ("formulas.css?v=" in read(path)) == ("<mjx-container" in read(path))


def test_paper_shows_every_formula(reader, site):
    for page in ("04-integrators/1-speeds-first", "05-kane/1-partial-velocities"):
        reader.goto(f"{site}notebooks/{page}.html")
        reader.emulate_media(media="print")
        assert reader.evaluate(SHOWN) == 0
        reader.emulate_media(media="screen")
