"""The film of the README shows what the course computes, and needs nothing but a browser."""

import re
from xml.etree import ElementTree

import numpy as np

from publishing import readme_film
from tests.texts import ROOT

TEXT = readme_film.FILM.read_text(encoding="utf-8")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def test_the_command_draws_it():
    """The texts are the same, and numbers up to their last digit."""
    drawn = readme_film.film()
    assert NUMBER.sub("", drawn) == NUMBER.sub("", TEXT)
    numbers = [np.array(NUMBER.findall(text), dtype=float) for text in (drawn, TEXT)]
    assert np.abs(np.subtract(*numbers)).max() < 0.11


def test_only_the_right_method_keeps_the_energy():
    runs = readme_film.runs()
    kept, gained = (np.ptp(runs[method][1]) for method in ("rk4", "euler"))
    assert kept < 0.01
    assert gained > 10
    assert readme_film.description({m: e for m, (_, e) in runs.items()}) in TEXT


def test_it_is_light_described_and_alone():
    assert len(TEXT.encode()) < 200_000
    root = ElementTree.fromstring(TEXT)
    assert root.attrib["aria-labelledby"] == "title what"
    assert not re.search(r"<script|https?://(?!www\.w3\.org/2000/svg)|url\(", TEXT)
    assert "prefers-reduced-motion:no-preference" in TEXT
    assert "prefers-color-scheme:dark" in TEXT
    assert readme_film.FILM.relative_to(ROOT).as_posix() in (ROOT / "README.md").read_text("utf-8")
