"""The paper about the course cites what its bibliography has."""

import re

import yaml

from tests.texts import ROOT

PAPER = (ROOT / "paper/paper.md").read_text(encoding="utf-8")
HEAD, TEXT = PAPER.removeprefix("---\n").split("\n---\n", 1)


def test_every_source_is_that_of_the_book():
    cited = set(re.findall(r"@(\w+)", TEXT))
    bibliography = (ROOT / "paper" / yaml.safe_load(HEAD)["bibliography"]).read_text(
        encoding="utf-8"
    )
    assert cited == set(re.findall(r"^@\w+\{(\w+),$", bibliography, re.MULTILINE))
