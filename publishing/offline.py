"""Service worker for reading the site offline, with the digest of each file of the site.

Its script is offline.js; this module writes the data of the present edition above it.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

WORKER = "sw.js"
#: Pages that every reader may want next; others are stored when they are visited.
CORE = ("index.html", "book/intro.html", "_static/map.css", "book/how-to-work.html", "search.html")
#: Folders without offline copies: downloads, and JupyterLite, which has its own worker.
LEFT_OUT = ("_sources", "lite")


def digests(site: Path) -> dict[str, str]:
    """Return the first 16 digits of the SHA-256 of each file of a site."""
    digest_of = {}
    for path in sorted(site.rglob("*")):
        name = path.relative_to(site)
        hidden = any(part.startswith(".") for part in name.parts)
        if path.is_file() and not hidden and name.parts[0] not in (*LEFT_OUT, WORKER):
            digest_of[name.as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return digest_of


def write_worker(site: Path) -> None:
    """Write the service worker of a finished site; files that are added later are unknown to it."""
    files = digests(site)
    script = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
    listed = json.dumps(files, indent=0)
    edition = hashlib.sha256((listed + script).encode()).hexdigest()[:16]
    core = [name for name in CORE if name in files]
    header = (
        f"const EDITION = {json.dumps(edition)};\n"
        f"const CORE = {json.dumps(core)};\n"
        f"const FILES = {listed};\n"
    )
    (site / WORKER).write_text(header + script, encoding="utf-8")
