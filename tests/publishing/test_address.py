"""Where the course is stands in one place, and what follows from it follows."""

import yaml

from publishing.address import cited, settings, with_badges
from tests.texts import ROOT

CONFIG, CITATION, README = (
    (ROOT / name).read_text(encoding="utf-8")
    for name in ("_config.yml", "CITATION.cff", "README.md")
)
NOWHERE = {"repository_url": "", "site_url": ""}
SOMEWHERE = {"repository_url": "https://github.com/who/course", "site_url": "https://who.test/c"}
ELSEWHERE = {"repository_url": "https://forge.test/who/course", "site_url": ""}


def test_what_is_committed_follows_the_settings():
    assert cited(CITATION, settings(CONFIG)) == CITATION
    assert with_badges(README, settings(CONFIG)) == README


def test_a_citation_names_the_addresses_that_there_are():
    found = yaml.safe_load(cited(CITATION, SOMEWHERE))
    assert found["repository-code"] == SOMEWHERE["repository_url"]
    assert found["url"] == SOMEWHERE["site_url"]
    assert found | {"repository-code": 0, "url": 0} == yaml.safe_load(CITATION) | {
        "repository-code": 0,
        "url": 0,
    }
    assert "url" not in yaml.safe_load(cited(cited(CITATION, SOMEWHERE), ELSEWHERE))


def test_the_readme_has_badges_of_what_there_is():
    badged = with_badges(README, SOMEWHERE)
    tests = "https://github.com/who/course/actions/workflows/test.yml"
    assert f"\n\n[![Tests]({tests}/badge.svg)]({tests})\n" in badged
    site = SOMEWHERE["site_url"]
    assert f"\n[![Read the course]({site}/_static/badge.svg)]({site}/)\n\n" in badged
    assert "[![" not in with_badges(README, ELSEWHERE)
