"""Formulas come with the page: set, heard, and whole on paper."""

import re
from xml.etree import ElementTree

import pytest

from .conftest import SITE
from .every_page import CHAPTERS, PAGES


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
