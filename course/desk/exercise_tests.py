"""Tests of one chapter's exercises, for authors: ``python -m course exercises CHAPTER`` runs them.

They are part of the course's folder, and are skipped if only the package is installed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from course.desk.copies import CourseNotFoundError, course_folder, course_notebooks
from course.desk.course_record import chapter_of, name_of

#: Tests that an exercise, its prompt, or its solution can fail.
FILES = (
    "tests/course/test_chapter_exercises.py",
    "tests/course/test_exercise_design.py",
    "tests/course/test_exercise_numbers.py",
    "tests/course/test_exercise_pictures.py",
    "tests/notebooks/test_equations.py",
    "tests/notebooks/test_exercise_cells.py",
    "tests/notebooks/test_formulas.py",
    "tests/notebooks/test_notebooks.py",
    "tests/notebooks/test_prompts.py",
    "tests/notebooks/test_quantities.py",
    "tests/notebooks/test_references.py",
    "tests/test_english.py",
    "tests/test_notation.py",
    "tests/test_pages.py",
)
_OPTIONS = (
    "-o",
    "addopts=--disable-plugin-autoload -p xdist.plugin -p _hypothesis_pytestplugin",
    "-o",
    "verbosity_assertions=2",
    *("-n", "auto", "--dist", "loadfile", "--quiet", "--no-header", "--tb=line"),
)


def run_chapter_tests(name: str) -> tuple[list[str], bool]:
    """Run the style check and the tests of one chapter, which print what they find.

    Parameters
    ----------
    name : str
        Name of the chapter, such as ``"your-own-machine"``.

    Returns
    -------
    list of str, bool
        The summary, and whether nothing is wrong.
    """
    try:
        folder = course_folder()
    except CourseNotFoundError:
        return ["The tests were not run: they are in the course's folder."], True
    files = [str(folder / "course" / "exercises" / f"{name.replace('-', '_')}.py")]
    files += [str(path) for path in course_notebooks(folder) if chapter_of(name_of(path)) == name]
    commands = (
        ("ruff", "check", "--quiet", *files),
        ("ruff", "format", "--quiet", "--diff", *files),
        ("pytest", *_OPTIONS, "--chapter", name, *FILES),
    )
    failed = [command[0] for command in commands if not _passes(folder, command)]
    if failed:
        return [
            f"Not finished: fix what {' and '.join(dict.fromkeys(failed))} printed above."
        ], False
    return ["The style check and the tests of this chapter pass."], True


def _passes(folder: Path, command: tuple[str, ...]) -> bool:
    """Run a program of the environment, and tell whether it succeeded."""
    return not subprocess.run([sys.executable, "-m", *command], cwd=folder, check=False).returncode
