"""What would mislead a reader must fail the build: each broken book here is built, and refused."""

import shutil
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tests.helpers import build_book

ROOT = Path(__file__).resolve().parents[2]
PICTURE = "import matplotlib.pyplot as plt\nplt.plot([0, 1])\nplt.show()"
ALT = {"mystnb": {"image": {"alt": "A straight line that rises from zero to one."}}}

BROKEN = {
    "a cell that raises": (new_code_cell("1 / 0"), "ZeroDivisionError"),
    "a cell that warns": (
        new_code_cell("import warnings; warnings.warn('old', stacklevel=1)"),
        "stderr was found",
    ),
    "a picture without a description": (new_code_cell(PICTURE), "says nothing"),
    "a link that leads nowhere": (new_markdown_cell("[the past](nothing.ipynb)"), "nothing.ipynb"),
    "a citation of nothing": (new_markdown_cell("{cite:p}`Nobody1999`"), "Nobody1999"),
}


def build(folder, cell):
    """Build a book of one page with the course's own settings; return the exit code and output."""
    shutil.copy(ROOT / "_config.yml", folder)
    shutil.copytree(
        ROOT / "book", folder / "book", ignore=shutil.ignore_patterns("*.md", "__pycache__")
    )
    (folder / "_toc.yml").write_text("format: jb-book\nroot: page\n", encoding="utf-8")
    cells = [new_markdown_cell("# A page"), cell]
    nbformat.write(new_notebook(cells=cells), folder / "page.ipynb")
    done = build_book(folder, ".")
    return done.returncode, done.stdout + done.stderr


def test_a_sound_page_is_built(tmp_path):
    pytest.importorskip("jupyter_book", reason="the book's own packages are not installed")
    code, output = build(tmp_path, new_code_cell(PICTURE, metadata=ALT))
    assert code == 0, output
    assert "A straight line" in (tmp_path / "_build/html/page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_page_fails_the_build(name, tmp_path):
    pytest.importorskip("jupyter_book", reason="the book's own packages are not installed")
    cell, complaint = BROKEN[name]
    code, output = build(tmp_path, cell)
    assert code != 0, f"{name} went through:\n{output}"
    assert complaint in output, output
