"""Text that is not a chapter is plain American English, and uses the terms of the field.

Chapters join as they are edited: add their folder to `EDITED`.
"""

import ast
import json
import re

import pytest

from tests.texts import ROOT

#: Phrases to avoid, each with what to write instead; a comment says what is allowed.
AVOIDED = {
    r"\bplaces? (?:of|in) the (?:list|body|state)\b": "position, index",
    r"\b(?:body|bodies|it|they|numbers?|names?|exercises?) stands?\b": "is, appears",
    r"\bderivatives? by\b": "the derivative with respect to",
    r"\b(?:[Gg]ive|[Ee]xpress|[Ww]rite) (?:it|them),? by\b": "in terms of",
    r"\b(?:is|are|was|were) told\b|\btold apart\b|\btells? of\b": "is reported, distinguished",
    r"\banswers? back\b": "gives instant feedback",
    r"\bshall\b": "an imperative, or must",
    r"\b[Ww]hoever\b": "a subject: if you, students who",
    r"\banew\b": "again",
    r"\b(?:more|less|most) exact\b": "more accurate",
    r"\bfor ever\b|\bto and fro\b": "forever, back and forth",
    r"\b(?:counter-clockwise|labelled|modelled|centre)\b": "American spelling",
    r"\bfreedoms\b": "degrees of freedom",
    r"\bat a right angle to\b": "perpendicular to",
    r"\b(?:is|are) followed and\b|\ba followed function\b": "traced",
    r"\bby chance\b": "at random",
    r"\bdead points?\b": "dead center, singular configuration",
    r"\bin its place is\b": "instead, there is",
    r"\bknows? of\b": "contains, depends on",
    r"\bonce more\b": "again",
    r"\b(?:of|by|with|to) (?:its|their) own accord\b": "by itself",
    r"\bmuch else\b|\bor else it\b": "other, otherwise",
    r"\bis asked for\b|\bare asked for\b": "is required, is requested",
    r"\ba law of one's own\b|\bof one's own\b": "your own",
}
#: Folders of chapters that are edited already.
EDITED: tuple[str, ...] = (
    "01-pendulum",
    "02-double-pendulum",
    "03-relative-vs-absolute",
    "04-integrators",
    "05-kane",
    "06-holonomic-constraints",
    "07-linearization",
    "08-lie-group-integrators",
    "09-quadrotors",
    "10-your-own-machine",
    "11-many-pendulums",
)
FRONT = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "book").glob("*.md")),
    *(ROOT / package / "README.md" for package in ("straightline", "tutlib", "panels", "course")),
    ROOT / "verification" / "README.md",
    ROOT / "course" / "judge" / "sentences.json",
    *(
        path
        for chapter in EDITED
        for path in (
            *sorted((ROOT / "notebooks" / chapter).glob("*.ipynb")),
            ROOT / "course" / "exercises" / f"{chapter[3:].replace('-', '_')}.py",
        )
    ),
]


def texts_of_code(source):
    """Return the texts in Python code: comments, docstrings, labels, hints, and messages."""
    texts = [
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    ]
    return "\n\n".join([*texts, *re.findall(r"# (.*)", source)])


def prose(path):
    """Return the sentences of a file, without code, formulas, links, and raw HTML."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        text = texts_of_code(text)
    if path.suffix == ".ipynb":
        sources = [(c["cell_type"], "".join(c["source"])) for c in json.loads(text)["cells"]]
        text = "\n\n".join(
            source if kind == "markdown" else texts_of_code(source) for kind, source in sources
        )
    text = re.sub(r"(?s)\A---.*?---|```.*?```|~~~.*?~~~|\$\$.*?\$\$", " ", text)
    return re.sub(r"\$[^$]*\$|`[^`]*`|\{[a-z:-]+\}|\]\([^)]*\)|<[^>]*>", " ", text)


@pytest.mark.parametrize("path", FRONT, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_text_uses_the_terms_of_the_field(path):
    text = " ".join(prose(path).split())
    found = [
        f"{match[0]!r} in “…{text[max(0, match.start() - 40) : match.end() + 40]}…”: write {better}"
        for pattern, better in AVOIDED.items()
        for match in re.finditer(pattern, text)
    ]
    assert not found, "\n".join(found)


def test_phrases_to_avoid_are_found():
    text = "Whoever has an anew labelled disc shall stand; the derivative by the angle is told."
    assert sum(bool(re.search(pattern, text)) for pattern in AVOIDED) >= 5
