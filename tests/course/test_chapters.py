"""The record of chapters: how it is read, where it is written, and what a new section needs."""

import json
import shutil
import tomllib

import pytest

from course.__main__ import main
from course.desk import chapters_of_course, copies, course_notebooks
from course.desk.chapter_requirements import lacks
from course.desk.chapters import core_hours, goals
from course.desk.course_record import RECORD, read_record
from course.desk.new_section import TEMPLATE, make_section
from course.desk.record_writer import write_record, written
from publishing.address import settings, with_links
from tests.texts import FINISHED, ROOT
from tests.texts import RECORD as CHAPTERS

CRANE = {
    "number": 1,
    "title": "A crane: and its load",
    "question": "Can it be calmed?",
    "builds_on": [],
    "subjects": ["crane"],
}
SECTION = {"notebook": "01-crane", "hours": 3}
TENTH = "10-your-own-machine"
FIRST = f"{TENTH}/1-from-a-sketch"
NEXT = f"{len(CHAPTERS) + 1:02}"
SECTIONS = [(c, s) for c in FINISHED.values() for s in c.sections]


def toml(table):
    return "\n".join(f"{key} = {json.dumps(value)}" for key, value in table.items())


def record_in(folder, chapter=CRANE, section=SECTION):
    """Write a record of one chapter with one section."""
    (folder / "course").mkdir(exist_ok=True)
    text = f"[[chapter]]\n{toml(chapter)}\n[[chapter.section]]\n{toml(section)}\n"
    (folder / RECORD).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """Return a copy of all that the record is written to, where the commands now work."""
    for name in written(ROOT):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    readme = tmp_path / "README.md"
    readme.write_text(with_links(readme.read_text("utf-8"), {"site_url": ""}), encoding="utf-8")
    (tmp_path / "course/exercises").mkdir(parents=True)
    for name in (RECORD, TEMPLATE, "book/references.bib", "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    monkeypatch.setattr(copies, "_REPOSITORY", tmp_path)
    return tmp_path


def change(path, before, after):
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1
    path.write_text(text.replace(before, after), encoding="utf-8")


class TestReading:
    def test_a_chapter_is_what_is_written(self, tmp_path):
        (chapter,) = read_record(record_in(tmp_path))
        assert (chapter.number, chapter.name, chapter.short_title) == (1, "crane", "A crane")
        assert (chapter.hours, chapter.builds_on, chapter.subjects) == (3, [], ["crane"])
        (section,) = chapter.sections
        assert (section.title, section.question) == (chapter.title, chapter.question)
        assert (section.preview, section.draft) == ("", False)

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("number", "1"),
            ("question", "Why."),
            ("builds_on", ["1"]),
            ("hours", 0),
            ("draft", "yes"),
        ],
    )
    def test_a_value_of_another_kind_is_refused(self, tmp_path, key, value):
        changed = [table | ({key: value} if key in table else {}) for table in (CRANE, SECTION)]
        if key in ("preview", "draft"):
            changed[1][key] = value
        with pytest.raises(ValueError, match=rf"{key} = .* cannot be read; write {key} = "):
            read_record(record_in(tmp_path, *changed))

    @pytest.mark.parametrize(
        ("chapter", "section", "said"),
        [
            ({"hour": 3}, {}, "chapter 1: there is no key hour; write one of number, title"),
            ({"number": 2}, {}, "number = 2; chapters are numbered from 1 on"),
            ({"builds_on": [1]}, {}, "builds_on names earlier chapters, once and in order"),
            ({}, {"notebook": "02-crane"}, 'of one notebook is such as "01-short-name"'),
        ],
    )
    def test_what_does_not_fit_together_is_refused(self, tmp_path, chapter, section, said):
        with pytest.raises(ValueError, match=said):
            read_record(record_in(tmp_path, CRANE | chapter, SECTION | section))

    def test_stretch_and_goals_are_read_in_the_notebook(self, tmp_path, monkeypatch):
        monkeypatch.setattr(copies, "_REPOSITORY", record_in(tmp_path))
        texts = [
            "**What you will be able to do**\n\n- say what swings;\n- calm\n  it.\n\n**It builds",
            "> **Exercise 2 · Build** <span>stretch · 45 minutes</span>",
        ]
        cells = [{"cell_type": "markdown", "source": text.splitlines(True)} for text in texts]
        (tmp_path / "notebooks").mkdir()
        path = tmp_path / "notebooks/01-crane.ipynb"
        path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
        (chapter,) = chapters_of_course().values()
        assert goals(chapter) == "say what swings; calm it."
        assert core_hours(chapter) == 2.25
        path.write_text(json.dumps({"cells": cells[1:]}), encoding="utf-8")
        with pytest.raises(ValueError, match="01-crane has no list below"):
            goals(chapter)


class TestWriting:
    def test_all_files_say_what_the_record_says(self):
        files = written(ROOT)
        here = settings((ROOT / "_config.yml").read_text("utf-8"))
        files["README.md"] = with_links(files["README.md"], here)
        differ = [n for n, text in files.items() if (ROOT / n).read_text("utf-8") != text]
        assert not differ, f"{differ} differ from {RECORD}: .venv/bin/python -m course write"

    def test_a_change_of_the_record_reaches_them(self, copied, capsys):
        change(copied / RECORD, 'title = "Integrators"', 'title = "Steps in time: and errors"')
        rotations = "08-lie-group-integrators/6-lost-digits"
        change(copied / RECORD, 'lose its digits?"\nhours = 1', 'lose its digits?"\nhours = 3')
        change(copied / RECORD, "builds_on = [2, 5, 7]", "builds_on = [5]")
        change(copied / RECORD, "many degrees of freedom on", "many ways to move on")
        assert main(["write"]) == 0
        assert capsys.readouterr().out.splitlines() == [
            "wrote README.md",
            "wrote paper/paper.md",
            *(
                f"wrote notebooks/{name}.ipynb"
                for name in ("04-integrators/1-speeds-first", rotations, FIRST)
            ),
        ]
        texts = {path.stem: path.read_text("utf-8") for path in course_notebooks(copied)}
        assert '"# Steps in time: and errors\\n"' in texts["1-speeds-first"]
        assert "about three hours" in texts["6-lost-digits"]
        tenth = texts[FIRST.partition("/")[2]]
        assert "on** [chapter 5](../05-kane/1-partial-velocities.ipynb). **It" in tenth
        assert "ipynb): many ways to move on" in texts["6-lost-digits"]
        assert "| Steps in time: and errors | " in (copied / "README.md").read_text("utf-8")
        assert "*Steps in time*; " in (copied / "paper/paper.md").read_text("utf-8")
        assert write_record() == ["All files say what course/course.toml says."]


class TestFinishing:
    @pytest.mark.parametrize(
        ("chapter", "section"), SECTIONS, ids=[s.notebook for _, s in SECTIONS]
    )
    def test_a_finished_section_lacks_nothing(self, chapter, section):
        assert not lacks(chapter, section, ROOT), "or its record says draft = true"

    @pytest.mark.parametrize(
        ("number", "file", "before", "after", "rule"),
        [
            (
                9,
                RECORD,
                "builds_on = [1, 5, 7, 8]",
                "builds_on = [1, 5, 8]",
                "link only to the earlier chapters",
            ),
            (9, RECORD, '"quadrotor", "two', '"quadrotor", "helicopter", "two', "have subjects"),
            (9, RECORD, 'title = "Two quadrotors', 'title = "Three quadrotors', "have a line in"),
            (10, f"notebooks/{FIRST}.ipynb", "core · 10 mi", "core · 300 mi", "leave time"),
        ],
    )
    def test_what_contradicts_the_record_is_seen(self, copied, number, file, before, after, rule):
        change(copied / file, before, after)
        chapter = read_record(copied)[number - 1]
        (todo,) = lacks(chapter, chapter.sections[0], copied)
        assert todo.startswith(rule)


class TestNewSection:
    def test_it_makes_a_notebook_a_module_and_a_record(self, copied):
        before = {name: (copied / name).read_text("utf-8") for name in written(copied)}
        *lines, then = make_section(f"{NEXT}-spinning-top")
        assert lines == [
            f"made notebooks/{NEXT}-spinning-top.ipynb",
            "made course/exercises/spinning_top.py",
            f"wrote {RECORD}",
            "wrote _toc.yml",
            f"wrote notebooks/{NEXT}-spinning-top.ipynb",
        ]
        assert "python -m course chapters" in then
        record = tomllib.loads((copied / RECORD).read_text("utf-8"))["chapter"][-1]
        assert record["title"] == "Spinning top"
        assert course_notebooks(copied)[-1].name == f"{NEXT}-spinning-top.ipynb"
        assert "EXERCISES" in (copied / "course/exercises/spinning_top.py").read_text("utf-8")
        changed = [name for name in before if (copied / name).read_text("utf-8") != before[name]]
        assert changed == ["_toc.yml"], "readers are told of no draft"
