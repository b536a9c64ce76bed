"""Formulas come with the page: set, heard, and as wide as a phone or said to scroll."""

import re
from xml.etree import ElementTree

import pytest

from .conftest import SITE
from .every_page import CHAPTERS, PAGES

# Those on a line of their own: what does not fit, whether the keyboard reaches it, and whether it
# says that it scrolls. What is far from the screen is set, too.
WIDE = """() => {
  const style = document.createElement("style");
  style.textContent = "mjx-container { content-visibility: visible !important }";
  document.head.append(style);
  document.querySelectorAll("details").forEach((e) => (e.open = true));
  const size = (e) => parseFloat(getComputedStyle(e).fontSize);
  return [...document.querySelectorAll("article mjx-container[display=true]")].map((e) => ({
    over: e.scrollWidth - e.clientWidth,
    reached: e.tabIndex === 0,
    told: parseFloat(getComputedStyle(e, "::after").height) > 5,
    size: size(e),
    high: [e.firstElementChild.getBoundingClientRect().height / size(e),
           parseFloat(e.style.getPropertyValue("--high"))],
  }));
}"""
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
    assert path not in CHAPTERS or len(made) > 10


@pytest.mark.parametrize("path", PAGES)
def test_no_browser_sets_formulas(site, path):
    scripts = re.findall(r'<script\b[^>]*\bsrc="([^"]*)"', read(path))
    assert len(scripts) > 5
    assert [script for script in scripts if "mathjax" in script.lower()] == []
    assert not list(SITE.glob("_static/**/tex-*.js"))


@pytest.mark.parametrize("path", PAGES)
def test_styles_of_formulas_come_with_formulas_alone(site, path):
    assert ("formulas.css?v=" in read(path)) == ("<mjx-container" in read(path))


@pytest.mark.parametrize("path", CHAPTERS)
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_a_formula_fits_or_says_that_it_scrolls(visitor, site, path, width):
    page, _ = visitor
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(site + path)
    found = page.evaluate(WIDE)
    assert found
    assert all(one["reached"] and one["told"] for one in found if one["over"] > 1)
    assert all(one["over"] > -1 for one in found if one["told"])
    assert sum(one["over"] > 1 for one in found) <= (8 if width == 320 else 4)
    assert min(one["size"] for one in found) > 13


@pytest.mark.parametrize("path", CHAPTERS)
def test_a_formula_far_from_the_screen_takes_its_place(visitor, site, path):
    """So the page does not grow or shrink while one reads it."""
    page, _ = visitor
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(site + path)
    off = [abs(high - said) for high, said in (one["high"] for one in page.evaluate(WIDE))]
    assert max(off) < 0.3  # em


@pytest.mark.parametrize("path", [CHAPTERS[0], CHAPTERS[4]])
def test_paper_shows_every_formula(visitor, site, path):
    page, _ = visitor
    page.goto(site + path)
    page.emulate_media(media="print")
    try:
        flat = page.evaluate(SHOWN)
    finally:
        page.emulate_media(media="screen")
    assert flat == 0
