"""Where the course is stands in one place, and what follows from it follows."""

import yaml

from publishing.address import cited, readme_of, settings, with_badges, with_urls
from tests.texts import ROOT

CONFIG, CITATION, README, PROJECT = (
    (ROOT / name).read_text(encoding="utf-8")
    for name in ("_config.yml", "CITATION.cff", "README.md", "pyproject.toml")
)
NOWHERE = {"repository_url": "", "site_url": ""}
SOMEWHERE = {"repository_url": "https://github.com/who/course", "site_url": "https://who.test/c"}
ELSEWHERE = {"repository_url": "https://forge.test/who/course", "site_url": ""}


def test_what_is_committed_follows_the_settings():
    assert cited(CITATION, settings(CONFIG)) == CITATION
    assert readme_of(README, settings(CONFIG)) == README
    assert with_urls(PROJECT, settings(CONFIG)) == PROJECT


def test_a_citation_names_the_addresses_that_there_are():
    found = yaml.safe_load(cited(CITATION, SOMEWHERE))
    assert found["repository-code"] == SOMEWHERE["repository_url"]
    assert found["url"] == SOMEWHERE["site_url"]
    aside = {"repository-code": 0, "url": 0}
    assert found | aside == yaml.safe_load(CITATION) | aside
    assert "url" not in yaml.safe_load(cited(cited(CITATION, SOMEWHERE), ELSEWHERE))


def test_the_readme_has_badges_of_what_there_is():
    badged = with_badges(README, SOMEWHERE)
    tests = "https://github.com/who/course/actions/workflows/test.yml"
    assert f"\n\n[![Tests]({tests}/badge.svg)]({tests})\n" in badged
    site = SOMEWHERE["site_url"]
    assert f"\n[![Read the course]({site}/_static/badge.svg)]({site}/)\n\n" in badged
    assert "[![" not in with_badges(README, ELSEWHERE)


def test_the_readme_leads_to_the_site_once_there_is_one():
    away, links = readme_of(README, SOMEWHERE), README.count("](notebooks/")
    assert links >= 11
    assert "[1](https://who.test/c/notebooks/01-pendulum/1-one-equation.html)" in away
    assert away.count("](https://who.test/c/notebooks/") == links
    assert "](notebooks/" not in away
    assert readme_of(away, NOWHERE) == README
