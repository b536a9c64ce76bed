"""Write the addresses of the course into other files: ``python -m publishing.address``.

A publisher of the course sets ``repository_url`` and ``site_url`` in ``_config.yml`` and runs this.
It writes them into CITATION.cff and pyproject.toml, and into README.md as badges and as the place
where the course is read; links to chapters lead to the site. Empty addresses are removed, and a
second run changes nothing. Run it after `python -m course write`, which writes links to notebooks.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from urllib.parse import urlsplit

import yaml

ROOT = Path(__file__).resolve().parent.parent
#: Keys of CITATION.cff, with the settings of their addresses.
KEYS = {"repository-code": "repository_url", "url": "site_url"}
WORKFLOWS = {"github.com": "{repository}/actions/workflows/test.yml"}
TITLE, BADGES = re.compile(r"\A# .*\n\n"), re.compile(r"\A\[!\[.*\n(?:\[!\[.*\n)*\n")
READ = re.compile(r"\A\[Read\].*\n")
NOTEBOOK = re.compile(r"\]\((?:https://[^\s()]+/)?notebooks/(\d\d-[\w/-]+)\.(?:ipynb|html)\)")
NAMES = {"Repository": "repository_url", "Documentation": "site_url"}
URLS = re.compile(r"\n\[project\.urls\]\n(?:\w+ = .*\n)*")
#: Line of the README if the site has no address.
AT_HOME = (
    "[Read](#the-chapters) the chapters · [Run](#install) them on your computer · "
    "[Teach](book/instructors.md) with them\n"
)


def settings(config: str) -> dict[str, str]:
    """Return the addresses in a ``_config.yml``, without a final slash; they may be empty."""
    values = yaml.safe_load(config)["sphinx"]["config"]
    return {name: str(values[name] or "").rstrip("/") for name in KEYS.values()}


def cited(citation: str, addresses: dict[str, str]) -> str:
    """Return CITATION.cff with the addresses after its license, if there are any."""
    lines = [
        line for line in citation.splitlines() if not re.match(r"(repository-code|url): ", line)
    ]
    (index,) = (i for i, line in enumerate(lines, 1) if line.startswith("license: "))
    entries = [f'{key}: "{addresses[name]}"' for key, name in KEYS.items() if addresses[name]]
    return "\n".join([*lines[:index], *entries, *lines[index:]]) + "\n"


def with_badges(readme: str, addresses: dict[str, str]) -> str:
    """Return README.md with badges below the title: the state of the tests, and the course."""
    repository, site = addresses["repository_url"], addresses["site_url"]
    badges = []
    if workflow := WORKFLOWS.get(urlsplit(repository).netloc):
        address = workflow.format(repository=repository)
        badges.append(f"[![Tests]({address}/badge.svg)]({address})")
    if site:
        badges.append(f"[![Read the course]({site}/_static/badge.svg)]({site}/)")
    title = TITLE.match(readme)
    if not title:
        raise ValueError("README.md must begin with its title and an empty line")
    rest = BADGES.sub("", readme[title.end() :])
    read = (
        f"[Read]({site}/) the course · [Run]({site}/book/how-to-work.html#run) the notebooks · "
        f"[Teach]({site}/book/instructors.html) with them\n"
    )
    rest = READ.sub(lambda _: read if site else AT_HOME, rest)
    return title[0] + "".join(f"{badge}\n" for badge in badges) + "\n" * bool(badges) + rest


def with_links(readme: str, addresses: dict[str, str]) -> str:
    """Return README.md with links to notebooks, or to their pages if there is a site."""
    site = addresses["site_url"]
    begin, end = (f"{site}/notebooks/", "html") if site else ("notebooks/", "ipynb")
    return NOTEBOOK.sub(lambda match: f"]({begin}{match[1]}.{end})", readme)


def readme_of(readme: str, addresses: dict[str, str]) -> str:
    """Return README.md with all addresses."""
    return with_links(with_badges(readme, addresses), addresses)


def with_urls(project: str, addresses: dict[str, str]) -> str:
    """Return pyproject.toml with the addresses at the end of its project table."""
    urls = [f'{name} = "{addresses[key]}"\n' for name, key in NAMES.items() if addresses[key]]
    bare = URLS.sub("", project)
    before, mark, after = bare.partition("\n[project.optional-dependencies]\n")
    table = "\n[project.urls]\n" + "".join(urls) if urls else ""
    return before + table + mark + after


#: Files with addresses, and the functions that write them.
FILES = {"CITATION.cff": cited, "README.md": readme_of, "pyproject.toml": with_urls}


def main() -> int:
    addresses = settings((ROOT / "_config.yml").read_text(encoding="utf-8"))
    for name, written in FILES.items():
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        path.write_text(written(text, addresses), encoding="utf-8", newline="\n")
    summary = ", ".join(f"{name} is {address or 'empty'}" for name, address in addresses.items())
    print(f"{', '.join(FILES)} follow _config.yml: {summary}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
