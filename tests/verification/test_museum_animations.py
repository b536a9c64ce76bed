"""The museum's films: each slip shows, beside the right machine and from the same start."""

import re

import numpy as np
import pytest

from tests.texts import ROOT
from verification import MUSEUM, exhibited
from verification.museum_animations import machines, motions

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("exhibit", MUSEUM, ids=lambda e: e.name)
def test_both_machines_begin_alike_and_part_and_the_film_shows_both(exhibit):
    runs, models = motions(exhibit), machines(exhibit)
    count = min(len(run.t) for run in runs.values())
    places = [models[label].positions(run.t[:count], run.x[:count]) for label, run in runs.items()]
    off = np.abs(places[0] - places[1]).max(axis=(1, 2))  # where a point should be [m]
    assert off[0] == 0
    assert off.max() > 0.2  # of about a meter
    page = exhibited(exhibit)._repr_html_()
    assert exhibit.name in page.replace("&#x27;", "'")
    assert "with a mistake; the right one is faint." in page


def test_the_page_shows_each_under_its_name_and_names_the_rungs_in_their_order():
    page = (ROOT / "book" / "museum.md").read_text(encoding="utf-8")
    named = re.findall(r"^## (\d+) · (.*)$", page, re.MULTILINE)
    shown = [MUSEUM[int(k)] for k in re.findall(r"^exhibited\(MUSEUM\[(\d+)\]\)", page, re.M)]
    assert named == [(str(k), exhibit.name) for k, exhibit in enumerate(shown, 1)]
    assert sorted(map(id, shown)) == sorted(map(id, MUSEUM))
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \|", page, re.MULTILINE)
    rungs = dict.fromkeys(exhibit.rung for exhibit in MUSEUM)
    assert rows == [(str(k), rung) for k, rung in enumerate(rungs, 1)]


def test_only_what_stands_in_the_museum_is_shown():
    with pytest.raises(TypeError, match="exhibit must be"):
        exhibited("The lost ½")
