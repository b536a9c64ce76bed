"""The log of one's own answers: written only where it was asked for, and never in the way."""

import errno
import json
from pathlib import Path

import pytest
import sympy as sm

from course import check
from course.__main__ import main
from course.desk import copies
from course.judge import (
    Exercise,
    Expression,
    Misconception,
    forget_tries,
)
from course.judge import log as logging

pytestmark = pytest.mark.slow

x, y = sm.symbols("x y", positive=True)
SUM = Exercise("own-1", Expression(x + y), (Misconception(x * y, "That is the product."),), "Sums")


@pytest.fixture(autouse=True)
def work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(logging, "_warned", set())
    forget_tries()
    yield tmp_path
    forget_tries()


def lines(folder):
    return [json.loads(line) for line in (folder / logging.NAME).read_text("utf-8").splitlines()]


def files(folder):
    return sorted(path.name for path in folder.iterdir())


def test_each_answer_is_a_line_where_it_was_asked_for(work):
    assert not check(SUM, x)
    assert files(work) == []
    assert main(["log", "on", "--folder", str(work)]) == 0
    given = [check(SUM, ...), check(SUM, x * y), check(SUM, "text"), check(SUM, y + x)]
    found = lines(work)
    assert [(one["answer"], one["verdict"], one["stage"]) for one in found] == [
        ("x*y", "wrong", "misconception"),
        ("text", "unread", "reading"),
        ("x + y", "right", ""),
    ]
    assert [one["message"] for one in found] == [feedback.message for feedback in given[1:]]
    assert {one["exercise"] for one in found} == {"own-1"}
    assert all(len(one["day"]) == len("2026-01-01") for one in found)


def test_a_full_disk_is_told_once_and_disturbs_nothing(work, monkeypatch):
    (work / logging.NAME).touch()
    plain = Path.open

    def fails(path, mode="r", *arguments, **options):
        if "a" in mode:
            raise OSError(errno.ENOSPC, "It is full")
        return plain(path, mode, *arguments, **options)

    monkeypatch.setattr(Path, "open", fails)
    first, second = check(SUM, x + y), check(SUM, x + y)
    assert first
    told = "(It could not be recorded in answers.jsonl: It is full.)"
    assert first.message == f"{second.message} {told}"
    assert second.message.startswith("Right.")


class TestCommand:
    def run(self, capsys, *arguments):
        code = main(["log", *arguments])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    def test_on_and_off_and_on_keep_every_answer(self, work, capsys):
        folder = ["--folder", str(work)]
        for _ in range(2):
            assert self.run(capsys, "on", *folder)[0] == 0
            check(SUM, x)
            assert "The log is off" in self.run(capsys, "off", *folder)[1]
            check(SUM, y)
        assert files(work) == ["answers.off.jsonl"]
        assert self.run(capsys, "off", *folder) == (0, "The log is off.\n")
        self.run(capsys, "on", *folder)
        assert [one["answer"] for one in lines(work)] == ["x", "x"]

    def test_without_the_course_it_is_the_current_folder(self, work, monkeypatch, capsys):
        monkeypatch.setattr(copies, "_REPOSITORY", work)
        assert self.run(capsys, "on")[0] == 0
        assert (work / "answers.jsonl").exists()

    def test_export_never_overwrites(self, work, capsys):
        self.run(capsys, "on", "--folder", str(work))
        check(SUM, x)
        target = str(work / "mine.jsonl")
        assert self.run(capsys, "export", target, "--folder", str(work))[0] == 0
        assert Path(target).read_bytes() == (work / "answers.jsonl").read_bytes()
        code, told = self.run(capsys, "export", target, "--folder", str(work))
        assert (code, "already exists" in told) == (1, True)


class TestAnswers:
    def log_of(self, work, name, *given):
        """Return the log of a reader who gave these answers."""
        (work / logging.NAME).touch()
        for answer in given:
            check(SUM, answer)
        return str((work / logging.NAME).rename(work / name))

    def test_frequent_answers_without_a_hint_come_first(self, work, capsys):
        one = self.log_of(work, "one", x, x, x * y, x - y, x + y)
        other = self.log_of(work, "other", x - y, x * y)
        assert main(["answers", one, other]) == 0
        assert capsys.readouterr().out.splitlines() == ["own-1", "     2  x - y", "     1  x", ""]

    @pytest.mark.parametrize("name", ["own-²", "own-" + "9" * 5000, "own-", "\ud800-3", "a\nb"])
    def test_one_file_does_not_end_it_for_all(self, work, capsys, name):
        """Whatever a file holds, half a line too; what is no letter must not reach a terminal."""
        told = {"answer": "\x1b]0;hello\x07\x1b[2J\ud800\x9b", "verdict": "wrong", "exercise": name}
        lines = ["[" * 100_000, json.dumps(told), json.dumps(told | {"exercise": "own-10"})]
        lines += ['{"exercise": "own']
        (work / logging.NAME).write_text("\n".join(lines), encoding="utf-8")
        page = {"answers": {name: {"text": "\x1b[2J", "verdict": "wrong"}}}
        (work / "page.json").write_text(json.dumps(page), encoding="utf-8")
        (work / "deep").write_text("[" * 100_000, encoding="utf-8")
        assert main(["answers", str(work / logging.NAME), str(work / "page.json")]) == 0
        assert main(["log", "show", "--folder", str(work)]) == 0
        out = capsys.readouterr().out
        assert all(letter.isprintable() or letter == "\n" for letter in out)
        assert out.count(r"\x1b]0;hello\x07\x1b[2J\ud800\x9b") == 4
        assert "own-10" in out
        assert main(["answers", str(work / "deep")]) == 1
        assert "deep is neither a log" in capsys.readouterr().err

    def test_other_files_are_refused(self, work, capsys):
        (work / "note.txt").write_text("milk, bread", encoding="utf-8")
        for files, told in (
            (["note.txt"], "note.txt is neither a log"),
            ([], "name the files"),
            (["nowhere"], "nowhere"),
        ):
            assert main(["answers", *files]) == 1
            assert told in capsys.readouterr().err
