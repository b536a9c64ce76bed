"""What is said of answers: one list of sentences, which a cell and a page read alike.

The sentences stand in sentences.json. All kinds of answers use them.
"""

from __future__ import annotations

import json
from importlib import resources

#: Each sentence by its name; what stands in braces is filled in.
SENTENCES: dict[str, str] = json.loads(
    (resources.files("tutlib") / "exercises/sentences.json").read_text(encoding="utf-8")
)


def said(name: str, **parts: object) -> str:
    """Return a sentence with its parts filled in.

    Parameters
    ----------
    name : str
        A key of `SENTENCES`.
    parts : object
        What stands in its braces.

    Returns
    -------
    str
    """
    return SENTENCES[name].format(**parts)
