"""The paper about the course says what the course says, and cites what it cites."""

import re

import yaml

from tests.texts import ROOT

PAPER = (ROOT / "paper/paper.md").read_text(encoding="utf-8")
HEAD, TEXT = PAPER.removeprefix("---\n").split("\n---\n", 1)
FIELDS = yaml.safe_load(HEAD)
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_it_is_by_those_whom_one_cites_and_of_the_same_day():
    assert [author["name"] for author in FIELDS["authors"]] == [
        author["name"] for author in CITATION["authors"]
    ]
    assert FIELDS["title"] == CITATION["title"]
    assert FIELDS["tags"] == CITATION["keywords"]
    known = {one["index"] for one in FIELDS["affiliations"]}
    assert {author["affiliation"] for author in FIELDS["authors"]} == known
    day = FIELDS["date"]
    year, month, of_month = str(CITATION["date-released"]).split("-")
    names = "January February March April May June July August September October November December"
    assert day == f"{int(of_month)} {names.split()[int(month) - 1]} {year}"


def test_it_has_the_sections_that_the_journal_asks_for():
    headings = re.findall(r"^# (.*)$", TEXT, re.MULTILINE)
    assert headings[:3] == ["Summary", "Statement of need", "Learning objectives"]
    assert {"Content", "Instructional design", "Use in teaching"} <= set(headings)
    assert headings[-1] == "References"
    assert 250 < len(TEXT.split()) < 1500


def test_every_source_is_that_of_the_book():
    cited = set(re.findall(r"@(\w+)", TEXT))
    bibliography = (ROOT / "paper" / FIELDS["bibliography"]).read_text(encoding="utf-8")
    assert cited == set(re.findall(r"^@\w+\{(\w+),$", bibliography, re.MULTILINE))


def test_its_licenses_are_those_of_the_course():
    assert "CC BY 4.0" in (ROOT / "README.md").read_text("utf-8")
    assert "(CC BY 4.0)" in TEXT
    assert f"({CITATION['license'].replace('-', ' ', 1)})" in TEXT
