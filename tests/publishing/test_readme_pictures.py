"""The pictures of the README are there, light, described; the program takes those that it shows."""

import re

from PIL import Image

from publishing import readme_pictures
from tests.texts import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = dict(re.findall(r'<img src="(\.github/\w+\.png)" width="\d+" alt="([^"]*)"', README))


def test_they_are_described_and_light():
    assert set(SHOWN) == {".github/phone.png", ".github/answer.png"}
    assert sum((ROOT / name).stat().st_size for name in SHOWN) < 200_000
    assert all(len(words.split()) > 12 for words in SHOWN.values())


def test_they_are_as_large_as_the_program_takes_them():
    with Image.open(ROOT / ".github/phone.png") as phone:
        assert phone.size == tuple(2 * side for side in readme_pictures.PHONE_SIZE)
    with Image.open(ROOT / ".github/answer.png") as answer:
        assert answer.size[1] == 2 * readme_pictures.SHOWN


def test_they_show_a_page_and_an_exercise_that_are_there():
    page = ROOT / readme_pictures.PAGE.replace(".html", ".ipynb")
    assert readme_pictures.EXERCISE in page.read_text(encoding="utf-8")
