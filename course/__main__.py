"""Command line of the course: ``python -m course`` with ``notebooks``, ``doctor``, ``log``, ...

``notebooks`` makes a student's working copies, ``doctor`` looks for problems of the computer, and
``log`` keeps one's own answers. ``start`` and ``report`` are for a capstone, from its blank
notebook to an HTML report. The other commands are for authors.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from course.desk.command_line import add_limit, run
from course.desk.copies import copy_notebooks


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments; those of the command line unless given.

    Returns
    -------
    int
        0, or 1 if there is a problem.
    """
    return run(_parser(), arguments, even_astray=(_doctor,))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m course", description="Tools for the course.")
    commands = parser.add_subparsers(dest="command", required=True)
    copies = commands.add_parser(
        "notebooks", help="copy the notebooks to a folder of your own; never overwrites a file"
    )
    copies.add_argument(
        "folder", nargs="?", help=("target folder; by default work, in the course's folder")
    )
    copies.add_argument("--fresh", metavar="01", help="make a second copy of one chapter")
    copies.add_argument("--without-solutions", action="store_true", help="leave solutions out")
    copies.set_defaults(run=_copies)
    doctor = commands.add_parser(
        "doctor", help="check this computer for problems, and say how to fix each one"
    )
    doctor.set_defaults(run=_doctor)
    exercises = commands.add_parser(
        "exercises", help="for authors: review exercises; test all that belongs to a chapter's"
    )
    exercises.add_argument(
        "chapter",
        nargs="?",
        default="",
        help="number or name of a chapter, whose tests run, too; by default, all are reviewed",
    )
    exercises.add_argument(
        "--quick", action="store_true", help="do not run the tests of the chapter"
    )
    exercises.add_argument(
        "--module", default="course.exercises", help="module with your own exercises"
    )
    exercises.add_argument(
        "--notebook",
        action="append",
        default=[],
        help="notebook with their prompts; may be repeated",
    )
    exercises.set_defaults(run=_exercises)
    _add_log(commands)
    _add_capstones(commands)
    _add_verify(commands)
    _add_chapters(commands)
    return parser


def _add_chapters(commands: Any) -> None:
    write = commands.add_parser(
        "write", help="for authors: update all texts that course.toml determines"
    )
    write.set_defaults(run=_write)
    chapters = commands.add_parser(
        "chapters", help="for authors: list what each section lacks until it is finished"
    )
    chapters.set_defaults(run=_chapters)
    new = commands.add_parser("new-section", help="for authors: create the draft of a section")
    new.add_argument("name", help="its number and name, such as 12-gyroscope")
    new.set_defaults(run=_new_section)


def _add_capstones(commands: Any) -> None:
    start = commands.add_parser(
        "start", help="create the blank notebook of a capstone project; never overwrites a file"
    )
    start.add_argument("name", help="such as slider-crank; the book's page on capstones lists all")
    start.add_argument(
        "--variant", type=int, default=0, help="number that selects the parameter values"
    )
    start.add_argument("--folder", help="target folder; by default work, in the course's folder")
    start.set_defaults(run=_start)
    report = commands.add_parser(
        "report", help="execute a notebook, and write it as one HTML file with live panels"
    )
    report.add_argument("file", help="the notebook, .ipynb")
    report.add_argument("--output", help="file to write; by default next to the notebook")
    add_limit(report)
    report.set_defaults(run=_report)


def _add_verify(commands: Any) -> None:
    verify = commands.add_parser(
        "verify", help="verify the models in a notebook or a program of yours"
    )
    verify.add_argument("file", help="the notebook, .ipynb, or the program, .py")
    add_limit(verify)
    verify.set_defaults(run=_verify)


def _add_log(commands: Any) -> None:
    log = commands.add_parser(
        "log", help="record your own answers in a file next to your notebooks, or stop doing so"
    )
    log.add_argument("action", nargs="?", choices=("on", "off", "show", "export"), default="show")
    log.add_argument("file", nargs="?", default="", help="file to export to")
    log.add_argument(
        "--folder", help="folder of your notebooks; by default work, in the course's folder"
    )
    log.set_defaults(run=_log)
    answers = commands.add_parser(
        "answers", help="for authors: list the most frequent wrong answers without a hint"
    )
    answers.add_argument(
        "files", nargs="*", help="exported logs, and files of answers saved from the pages"
    )
    answers.set_defaults(run=_answers)


def _copies(chosen: argparse.Namespace) -> tuple[list[str], bool]:
    done = copy_notebooks(chosen.folder, chosen.fresh, not chosen.without_solutions)
    return done, True


def _doctor(chosen: argparse.Namespace) -> tuple[list[str], bool]:
    from course.desk.doctor import examine

    return examine()


def _exercises(chosen: argparse.Namespace) -> tuple[list[str], bool]:
    from course.desk.review import full_name, review  # imports SymPy, which the doctor checks

    lines, well = review(chosen.chapter, chosen.module, chosen.notebook)
    if not chosen.chapter or chosen.quick or chosen.module != "course.exercises":
        return lines, well
    from course.desk.exercise_tests import run_chapter_tests

    print("\n".join(lines), flush=True)
    lines, passed = run_chapter_tests(full_name(chosen.chapter))
    return lines, well and passed


def _log(chosen: argparse.Namespace) -> tuple[list[str], bool]:
    from course.desk.log import change_log

    return change_log(chosen.action, chosen.file, chosen.folder), True


def _start(chosen: argparse.Namespace) -> tuple[list[str], bool]:
    from course.desk.capstone_notebook import start_capstone

    return start_capstone(chosen.name, chosen.variant, chosen.folder), True


def _verify(chosen: argparse.Namespace) -> tuple[list[str], bool]:
    from course.desk.verify_file import verify_file

    return verify_file(chosen.file, chosen.limit)


def _report(chosen: argparse.Namespace) -> tuple[list[str], bool]:
    from course.desk.html_report import report_file

    return report_file(chosen.file, chosen.output, chosen.limit), True


def _answers(chosen: argparse.Namespace) -> tuple[list[str], bool]:
    from course.desk.answers import frequent_answers

    return frequent_answers(chosen.files), True


def _write(chosen: argparse.Namespace) -> tuple[list[str], bool]:
    from course.desk.record_writer import write_record

    return write_record(), True


def _chapters(chosen: argparse.Namespace) -> tuple[list[str], bool]:
    from course.desk.chapter_requirements import report_chapters

    return report_chapters()


def _new_section(chosen: argparse.Namespace) -> tuple[list[str], bool]:
    from course.desk.new_section import make_section

    return make_section(chosen.name), True


if __name__ == "__main__":
    sys.exit(main())
