"""The site offline after one visit: the service worker, with the digest of each file of the site.

Its script is offline.js; what it must know of this edition is written above it.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

WORKER = "sw.js"
#: What every reader may want next; the rest is kept as it is visited.
CORE = ("index.html", "book/intro.html", "_static/map.css", "book/how-to-work.html", "search.html")
#: A notebook is downloaded and then is the reader's own; a JupyterLite has a worker of its own.
LEFT_OUT = ("_sources", "lite")


def digests(site: Path) -> dict[str, str]:
    """Return for each file of a site the first 16 digits of its SHA-256."""
    digest_of = {}
    for path in sorted(site.rglob("*")):
        name = path.relative_to(site)
        hidden = any(part.startswith(".") for part in name.parts)
        if path.is_file() and not hidden and name.parts[0] not in (*LEFT_OUT, WORKER):
            digest_of[name.as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return digest_of


def write_worker(site: Path) -> None:
    """Write the service worker of a finished site; what is written later, it does not know."""
    files = digests(site)
    script = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
    listed = json.dumps(files, indent=0)
    edition = hashlib.sha256((listed + script).encode()).hexdigest()[:16]
    core = [name for name in CORE if name in files]
    known = (
        f"const EDITION = {json.dumps(edition)};\n"
        f"const CORE = {json.dumps(core)};\n"
        f"const FILES = {listed};\n"
    )
    (site / WORKER).write_text(known + script, encoding="utf-8")
