"""What tools write into the site besides pages: one bar of code, and the service worker."""

import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools.code_bars import with_one_bar
from tools.offline import CORE, digests, write_worker

FOLDED = {"tags": ["hide-input"]}


def notebook(*cells):
    return new_notebook(cells=[new_markdown_cell("# A chapter"), *cells])


def sources(one):
    return [cell.source for cell in one.cells]


class TestOneBar:
    def test_imports_move_to_the_first_picture(self):
        shown = [new_output("display_data", {"text/html": "a film"})]
        picture = new_code_cell("animate()", metadata=FOLDED, outputs=shown)
        words = new_markdown_cell("Watch it.")
        imports = new_code_cell("import numpy", metadata=FOLDED)
        joined = with_one_bar(notebook(imports, words, picture))
        assert sources(joined) == ["# A chapter", "Watch it.", "import numpy\n\nanimate()"]
        assert joined.cells[-1].outputs == shown
        nbformat.validate(joined)

    @pytest.mark.parametrize(
        "cells",
        [
            (new_code_cell("import numpy", metadata=FOLDED), new_code_cell("1 + 1")),
            (new_code_cell("import numpy"), new_code_cell("animate()", metadata=FOLDED)),
            (new_code_cell("import numpy", metadata=FOLDED),),
            (),
        ],
    )
    def test_what_is_shown_stays_where_it_is(self, cells):
        before = sources(notebook(*cells))
        assert sources(with_one_bar(notebook(*cells))) == before

    def test_what_has_an_output_keeps_its_bar(self):
        printed = [new_output("stream", text="ready")]
        first = new_code_cell("print('ready')", metadata=FOLDED, outputs=printed)
        second = new_code_cell("animate()", metadata=FOLDED)
        assert len(with_one_bar(notebook(first, second)).cells) == 3


class TestWorker:
    @pytest.fixture
    def site(self, tmp_path):
        for name in (*CORE, "_static/a.js", "_sources/a.ipynb", "lite/a.js", ".buildinfo"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(name, encoding="utf-8")
        write_worker(tmp_path)
        return tmp_path

    def test_it_knows_the_files_that_readers_visit(self, site):
        assert set(digests(site)) == {*CORE, "_static/a.js"}
        assert all(re.fullmatch("[0-9a-f]{16}", digest) for digest in digests(site).values())

    def test_the_same_site_has_the_same_worker_and_another_one_another(self, site):
        before = (site / "sw.js").read_bytes()
        write_worker(site)
        assert (site / "sw.js").read_bytes() == before
        (site / "_static/a.js").write_text("changed", encoding="utf-8")
        write_worker(site)
        edition = re.compile(rb'EDITION = "(\w+)"')
        assert edition.search((site / "sw.js").read_bytes())[1] != edition.search(before)[1]

    def test_a_small_book_has_a_worker_too(self, tmp_path):
        (tmp_path / "index.html").write_text("one page", encoding="utf-8")
        write_worker(tmp_path)
        assert 'CORE = ["index.html"]' in (tmp_path / "sw.js").read_text(encoding="utf-8")
