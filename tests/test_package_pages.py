"""Pages of the packages: their examples print what the page shows."""

import re

import pytest

from tests.texts import ROOT

EXAMPLE = re.compile(
    r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE
)
FOLDED = ["straightline", "panels", "verification", "course"]
PAGES = [
    *sorted((ROOT / "book").glob("tutlib-*.md")),
    *(
        ROOT / "book" / f"{name}.md"
        for name in ("straightline", "panels", "verification", "course")
    ),
]
CELLS = re.compile(r"^```\{code-cell\}", re.MULTILINE)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_each_example_prints_what_stands_below_it(path, capsys):
    """In one namespace, as a reader would run them one after the other."""
    page, names = path.read_text(encoding="utf-8"), {}
    examples = EXAMPLE.findall(page)
    assert examples or CELLS.search(page), "begin with examples"
    for code, printed in examples:
        exec(compile(code, path.name, "exec"), names)
        assert capsys.readouterr().out.rstrip() == printed.rstrip(), code
