"""What is written into the site besides pages: one bar of code, the service worker; and when."""

import re
import threading
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from publishing import build_book
from publishing.code_bars import (
    with_guards_last,
    with_one_bar,
    with_one_solution,
    with_pictures_first,
)
from publishing.offline import CORE, digests, write_worker
from publishing.sphinx.equations import names_of
from publishing.sphinx.section_numbers import renumbered

FOLDED = {"tags": ["hide-input"]}


def notebook(*cells):
    return new_notebook(cells=[new_markdown_cell("# A chapter"), *cells])


def sources(one):
    return [cell.source for cell in one.cells]


class TestOneBar:
    def test_what_a_picture_needs_moves_to_it(self):
        def folded(source, *outputs):
            return new_code_cell(source, metadata=FOLDED, outputs=[*outputs])

        shown = new_output("display_data", {"text/html": "a film"})
        words, more = new_markdown_cell("Watch it."), new_markdown_cell("A panel:")
        first = folded("import numpy"), words, folded("sketch()", shown)
        second = more, folded("a = 1"), folded("b = 1"), folded("live(a, b)", shown)
        joined = with_one_bar(notebook(*first, *second))
        sketch, panel = "import numpy\n\nsketch()", "a = 1\n\nb = 1\n\nlive(a, b)"
        assert sources(joined) == ["# A chapter", "Watch it.", sketch, "A panel:", panel]
        assert [joined.cells[k].outputs for k in (2, 4)] == [[shown], [shown]]
        nbformat.validate(joined)


class TestOneSolution:
    def test_solutions_without_output_join_the_solution_right_after_them(self):
        def solution(source, *outputs):
            metadata = {"tags": ["hide-cell", "solution"]}
            return new_code_cell(source, metadata=metadata, outputs=[*outputs])

        shown = new_output("display_data", {"text/plain": "3"})
        parts = solution("a = 1"), solution("b = 2"), solution("a + b", shown), solution("a")
        joined = with_one_solution(notebook(*parts, new_code_cell("c"), solution("d")))
        whole = "a = 1\n\nb = 2\n\na + b"
        assert sources(joined) == ["# A chapter", whole, "a", "c", "d"]
        assert joined.cells[1].outputs == [shown]
        assert joined.cells[1].id == parts[2].id


class TestPicturesFirst:
    CALL = 'live(\n    eom,\n    start,\n    "An arm swings.",\n)'

    def test_a_long_call_is_folded_and_code_before_it_stays_open(self):
        shown = [new_output("display_data", {"text/html": "a panel"})]
        cell = new_code_cell(f"x = 1\n{self.CALL}", outputs=shown)
        _, before, call = with_pictures_first(notebook(cell)).cells
        assert (before.source, before.outputs, before.metadata) == ("x = 1", [], {})
        assert (call.source, call.outputs, call.id) == (self.CALL, shown, cell.id)
        assert call.metadata.tags == ["hide-input"]
        assert "mystnb" not in call.metadata, "its bar has the same words as the others"


class TestGuards:
    def guard(self, source, name):
        return new_code_cell(source, id=name, metadata={"tags": ["remove-cell"]})

    def test_those_of_a_page_are_in_one_folded_cell_at_its_end(self):
        words = new_markdown_cell("The arm swings twice.")
        first = self.guard("assert swings == 2", "swings-check")
        last = self.guard("for k in few:\n    assert k\nassert round(g, 1) == 9.8", "g-check")
        joined = with_guards_last(
            notebook(first, words, last, heading := new_markdown_cell("## B"))
        )
        whole = f"{first.source}\n\n{last.source}"
        assert sources(joined) == ["# A chapter", words.source, heading.source, whole]
        both = joined.cells[-1]
        assert both.metadata.tags == ["hide-input", "guards"]
        assert both.metadata.mystnb["code_prompt_show"] == "3 numbers on this page are checked"
        assert names_of(both) == ["swings-check", "g-check"]

    def test_a_page_with_a_single_check_says_so(self):
        alone = with_guards_last(notebook(self.guard("assert n == 1", "n-check"))).cells[-1]
        assert alone.metadata.mystnb["code_prompt_show"] == "1 number on this page is checked"

    def test_a_page_without_checks_stays_as_it_is(self):
        assert sources(with_guards_last(notebook())) == ["# A chapter"]


@pytest.mark.parametrize(
    ("number", "page", "first", "expected"),
    [
        ((3,), 1, True, (3,)),
        ((3, 4), 1, True, (3, 1, 4)),
        ((3, 4, 2), 1, True, (3, 1, 4, 2)),
        ((3, 8), 2, False, (3, 2)),
        ((3, 8, 1), 2, False, (3, 2, 1)),
        ((3, 9, 2, 1), 3, False, (3, 3, 2, 1)),
        ((3,), 0, True, (3,)),
        ((3, 4, 2), 0, True, (3, 0, 4, 2)),
        ((3, 5, 1), 1, False, (3, 1, 1)),
    ],
)
def test_sections_are_counted_within_their_page(number, page, first, expected):
    assert renumbered(number, page, first) == expected


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


class TestBuild:
    def test_the_last_site_stays_until_the_next_one_stands(self, tmp_path, monkeypatch, capsys):
        last = tmp_path / "_build" / "html"
        last.mkdir(parents=True)
        (last / "index.html").write_text("last", encoding="utf-8")
        last.with_suffix(".key").write_text("key", encoding="utf-8")
        for part in ("copy_source", "put_outputs_in", "write_workbench", "write_worker"):
            monkeypatch.setattr(build_book, part, lambda *_, **__: None)
        monkeypatch.setattr(build_book, "write_answers", lambda to, _: (to / "_static").mkdir())
        monkeypatch.setattr(build_book, "missing_pages", lambda _: [])
        monkeypatch.setattr(build_book, "sources", lambda _: "new key")
        code = 3

        @contextmanager
        def sphinx(command, stdout, stderr):
            stdout.write("reading sources\npage.md:3: WARNING: no such page\n")
            site = Path(command[command.index("--path-output") + 1]) / "_build" / "html"
            site.mkdir(parents=True)
            (site / "index.html").write_text("next", encoding="utf-8")
            assert (last / "index.html").read_text(encoding="utf-8") == "last"
            yield SimpleNamespace(returncode=code)

        monkeypatch.setattr(build_book.subprocess, "Popen", sphinx)
        assert build_book.build(tmp_path) == 3
        assert "reading" not in (said := capsys.readouterr().out)
        assert "page.md:3: WARNING: no such page" in said
        assert (last / "index.html").read_text(encoding="utf-8") == "last"
        assert last.with_suffix(".key").read_text(encoding="utf-8") == "key"
        code = 0
        assert build_book.build(tmp_path) == 0
        assert (last / "index.html").read_text(encoding="utf-8") == "next"
        assert last.with_suffix(".key").read_text(encoding="utf-8").startswith("new key\n")
        assert build_book.is_built(tmp_path, solutions=True, lite=False)
        assert not build_book.is_built(tmp_path, solutions=False, lite=False)
        monkeypatch.setattr(build_book, "sources", lambda _: "another key")
        assert not build_book.is_built(tmp_path, solutions=True, lite=False)
        assert sorted(path.name for path in last.parent.iterdir()) == ["html", "html.key"]

    def test_a_second_build_waits_for_the_first(self, tmp_path, monkeypatch):
        order, told = [], threading.Event()
        monkeypatch.setattr(build_book, "print", lambda *_, **__: told.set(), raising=False)

        def second():
            with build_book.alone(tmp_path):
                order.append("second")

        waiting = threading.Thread(target=second)
        with build_book.alone(tmp_path):
            waiting.start()
            assert told.wait(60)
            order.append("first")
        waiting.join()
        assert order == ["first", "second"]
