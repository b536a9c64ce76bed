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


def test_every_source_is_that_of_the_book():
    cited = set(re.findall(r"@(\w+)", TEXT))
    bibliography = (ROOT / "paper" / FIELDS["bibliography"]).read_text(encoding="utf-8")
    assert cited == set(re.findall(r"^@\w+\{(\w+),$", bibliography, re.MULTILINE))
