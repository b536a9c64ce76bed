"""Build the site with Sphinx alone, in ``_build/plain/html``.

Jupyter Book 1 writes its configuration as a ``conf.py``, and ``sphinx-build`` builds the same tree
with it: a way to go on without Jupyter Book. The pages must be those of the site.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from course.desk import course_notebooks
from publishing.build_book import (
    BOOK,
    alone,
    complaints,
    copy_source,
    missing_pages,
    put_outputs_in,
)
from publishing.execute_notebooks import ROOT, execute_all, pages_with_code

PLAIN = ROOT / "_build" / "plain"
SITE = ROOT / "_build" / "html"


def pages_in(site: Path) -> set[str]:
    """Return the pages of a built site, as relative paths; static files are not pages."""
    names = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    return {name for name in names if not name.startswith("_")}


def differences(plain: Iterable[str], site: Iterable[str]) -> list[str]:
    """Return one line for each page that only one of two sites has."""
    plain, site = set(plain), set(site)
    return [
        *(f"{page}: missing in the build by Sphinx" for page in sorted(site - plain)),
        *(f"{page}: only in the build by Sphinx" for page in sorted(plain - site)),
    ]


def sphinx_command(source: Path, site: Path) -> list[str]:
    """Return the command that builds a site, with every warning as an error."""
    options = ["-W", "-n", "--keep-going", "-b", "html"]
    return [sys.executable, "-m", "sphinx", *options, str(source), str(site)]


def run(command: list[str], log: Path) -> int:
    """Run a command in the folder of the course; print its complaints, and return its exit code."""
    with log.open("a", encoding="utf-8") as said:
        code = subprocess.run(command, cwd=ROOT, stdout=said, stderr=subprocess.STDOUT).returncode
    if code:
        print(complaints(log.read_text(encoding="utf-8", errors="replace")))
    return code


def build_plain(output: Path = PLAIN) -> int:
    """Build the site with Sphinx in ``output/html``, and return the exit code."""
    source, site, log = output / "source", output / "html", output / "sphinx.log"
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    copy_source(source)
    put_outputs_in(source)
    config = [sys.executable, "-c", BOOK, "config", "sphinx", os.fspath(source)]
    return run(config, log) or run(sphinx_command(source, site), log)


def main() -> int:
    with alone(ROOT / "_build"):
        code = execute_all([*pages_with_code(), *course_notebooks(ROOT)]) or build_plain()
    built = PLAIN / "html"
    if SITE.is_dir():
        lines = differences(pages_in(built), pages_in(SITE))
    else:  # the table of contents says which pages the site would have
        lines = [f"{page}.html: missing in the build by Sphinx" for page in missing_pages(built)]
    print(*lines, sep="\n", end="\n" if lines else "")
    if not code and not lines:
        print(f"Sphinx alone built all {len(pages_in(built))} pages in {built}")
    return code or int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
