"""Check that each address in a text of the course answers: ``check_links.py``.

`make links` runs this, and CI does so once a week: it is the only check that needs the network.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

ROOT = Path(__file__).resolve().parent.parent
TEXTS = ("*.md", "book/*.md", "book/*.bib", "notebooks/**/*.ipynb", "paper/*.md", "paper/*.bib")
ADDRESS = re.compile(r"\bhttps?://[^\s)}>\"\\]+")
IDENTIFIER = re.compile(r"^\s*doi\s*=\s*\{([^}]+)\}", re.MULTILINE | re.IGNORECASE)
#: Codes with which servers reject programs but not people: the address exists.
REFUSED = (401, 403, 405, 429)


def addresses(texts: Iterable[Path]) -> dict[str, Path]:
    """Return every address, and that of every DOI, with a text that contains it."""
    paths: dict[str, Path] = {}
    for path in texts:
        text = path.read_text(encoding="utf-8")
        identifiers = [f"https://doi.org/{identifier}" for identifier in IDENTIFIER.findall(text)]
        for address in [*ADDRESS.findall(text), *identifiers]:
            paths.setdefault(address.rstrip(".,;:`'*"), path)
    return paths


def trouble(address: str, seconds: float = 30) -> str:
    """Return why an address does not answer, or an empty text."""
    request = Request(address, headers={"User-Agent": "Mozilla/5.0 (a check of links)"})
    try:
        with urlopen(request, timeout=seconds):
            return ""
    except HTTPError as error:
        return "" if error.code in REFUSED else f"answers {error.code} {error.reason}"
    except (URLError, TimeoutError, OSError) as error:
        return f"does not answer: {getattr(error, 'reason', error)}"


def main() -> int:
    texts = [path for pattern in TEXTS for path in sorted(ROOT.glob(pattern))]
    paths = addresses(texts)
    troubles = {address: trouble(address) for address in paths}
    for address, reason in troubles.items():
        if reason:
            print(f"{paths[address].relative_to(ROOT)}: {address} {reason}")
    print(f"{len(paths)} addresses, {sum(map(bool, troubles.values()))} with problems")
    return int(any(troubles.values()))


if __name__ == "__main__":
    sys.exit(main())
