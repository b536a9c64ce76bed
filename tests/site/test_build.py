"""What would mislead a reader must fail the build: each broken book here is built, and refused."""

import base64
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

ROOT = Path(__file__).resolve().parents[2]
PICTURE = "import matplotlib.pyplot as plt\nplt.plot([0, 1])\nplt.show()"
ALT = {"mystnb": {"image": {"alt": "A straight line that rises from zero to one."}}}
PIXEL = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
        "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
    )
).decode()


def drawn():
    """Return a cell that has drawn a picture already, and does not say what is on it."""
    cell = new_code_cell(PICTURE, execution_count=1)
    cell.outputs = [new_output("display_data", {"image/png": PIXEL, "text/plain": "a picture"})]
    return cell


def written(markup):
    """Return a cell that has written markup of its own already."""
    cell = new_code_cell("Table()", execution_count=1)
    cell.outputs = [new_output("display_data", {"text/html": markup, "text/plain": "a table"})]
    return cell


SOUND = new_code_cell(PICTURE, metadata=ALT)
WORDS = new_markdown_cell("Nothing is wrong here.")
#: What fails a build as it is executed: the cell, and the complaint.
RUN = {
    "a cell that raises": (new_code_cell("1 / 0"), "ZeroDivisionError"),
    "a cell that warns": (
        new_code_cell("import warnings; warnings.warn('old', stacklevel=1)"),
        "stderr was found",
    ),
}
#: What is broken as it stands: one book has a page of each, and each page is complained of.
BROKEN = {
    "a picture without a description": (drawn(), "says nothing"),
    "a link that leads nowhere": (new_markdown_cell("[the past](nothing.ipynb)"), "nothing.ipynb"),
    "a formula that nobody can read": (
        new_markdown_cell(r"The half is $\fraction{1}{2}$."),
        r"Undefined control sequence \fraction, in the formula \fraction{1}{2}",
    ),
    "a formula that nobody has set": (
        written(r"<p>The half is \(\frac{1}{2}\).</p>"),
        r".html: the formula \(\frac{1}{2}\). is shown as it is written",
    ),
    "a citation of nothing": (new_markdown_cell("{cite:p}`Nobody1999`"), "Nobody1999"),
}
BOOKS = {
    "a sound page": ([SOUND], True),
    "a page of words": ([WORDS], False),
    "broken pages": ([WORDS, *(cell for cell, _ in BROKEN.values())], False),
    **{name: ([cell], True) for name, (cell, _) in RUN.items()},
}


def lay_out(folder, cells, executed):
    """Write a book of a page for each cell with the course's own settings."""
    folder.mkdir()
    settings = (ROOT / "_config.yml").read_text(encoding="utf-8")
    assert "execute_notebooks: " in settings
    if not executed:
        lines = settings.splitlines()
        at = next(i for i, line in enumerate(lines) if "execute_notebooks: " in line)
        lines[at] = '  execute_notebooks: "off"'
        settings = "\n".join(lines)
    (folder / "_config.yml").write_text(settings, encoding="utf-8")
    shutil.copytree(
        ROOT / "book", folder / "book", ignore=shutil.ignore_patterns("*.md", "__pycache__")
    )
    others = "".join(f"- file: page-{k}\n" for k in range(1, len(cells)))
    toc = "format: jb-book\nroot: page-0\n" + (f"chapters:\n{others}" if others else "")
    (folder / "_toc.yml").write_text(toc, encoding="utf-8")
    for k, cell in enumerate(cells):
        content = new_notebook(cells=[new_markdown_cell("# A page"), cell])
        nbformat.write(content, folder / f"page-{k}.ipynb")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return, for each book, its folder, the exit code of its build, and what was said."""
    pytest.importorskip("jupyter_book", reason="the book's own packages are not installed")
    place = tmp_path_factory.mktemp("books")
    folders = {name: place / name.replace(" ", "-") for name in BOOKS}
    for name, (cells, executed) in BOOKS.items():
        lay_out(folders[name], cells, executed)
    command = [sys.executable, "-m", "tests.site.build_pages"]
    subprocess.run([*command, *map(str, folders.values())], cwd=ROOT, check=True)
    return {
        name: (
            folder,
            int(Path(f"{folder}.code").read_text(encoding="utf-8")),
            Path(f"{folder}.log").read_text(encoding="utf-8"),
        )
        for name, folder in folders.items()
    }


def test_a_sound_page_is_built(built):
    folder, code, said = built["a sound page"]
    assert code == 0, said
    assert "A straight line" in (folder / "_build/html/page-0.html").read_text(encoding="utf-8")


def test_a_sound_page_is_built_without_execution(built):
    """What is wrong with the broken pages is their one cell, not the way they are built."""
    _, code, said = built["a page of words"]
    assert code == 0, said


@pytest.mark.parametrize("name", RUN)
def test_a_cell_that_fails_fails_the_build(built, name):
    _, code, said = built[name]
    assert code != 0, f"{name} went through:\n{said}"
    assert RUN[name][1] in said, said


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_page_is_complained_of(built, name):
    """Each complaint is a warning of its page, and a warning fails the build."""
    _, code, said = built["broken pages"]
    assert code != 0, said
    complaint = BROKEN[name][1]
    page = f"page-{1 + list(BROKEN).index(name)}"
    assert [
        line
        for line in said.splitlines()
        if complaint in line and page in line and "WARNING" in line
    ], said
