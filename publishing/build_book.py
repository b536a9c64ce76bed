"""Build the site in ``_build/html``: ``build_book.py [--without-solutions]``.

Every notebook is executed once, by `execute_notebooks`. Sphinx gets a source tree of its own with
the executed copies; readers download working copies of the notebooks, without author cells.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import yaml
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn

from course.boxes import answer_files, answer_pictures
from course.desk import course_notebooks, student_copy, without_solutions
from course.desk.course_record import RECORD, name_of
from course.exercises import every_exercise, find
from course.judge import Choice, Expression, Number, NumberArray
from course.workbench.workbench import workbench_files
from panels.drawing.inline import inline_figure
from publishing.code_bars import (
    with_guards_last,
    with_one_bar,
    with_one_solution,
    with_pictures_first,
)
from publishing.execute_notebooks import (
    FOLDER,
    ROOT,
    STOPPED,
    execute_all,
    key,
    name_of_copy,
    pages_with_code,
    with_outputs,
)
from publishing.exercise_cells import CHECK
from publishing.offline import write_worker
from publishing.pages import pages_of
from publishing.self_test import SELF_TEST

PARTS = (
    "_config.yml",
    "_toc.yml",
    "CHANGELOG.md",
    "CITATION.cff",
    "book",
    "notebooks",
    RECORD,
)
#: What makes pages of them.
PACKAGES = ("course", "panels", "publishing", "straightline", "tutlib", "verification")
NOTEBOOKS = "notebooks/**/*.ipynb"
#: Path from the pages to the JupyterLite beside them.
DOOR = "../lite/lab/index.html"
#: Kinds of answers that a page can judge.
IN_PAGE = (NumberArray, Choice, Expression, Number)
#: Instruction to the readers of a notebook, and its replacement in a page.
ASKED = re.compile(r"put your answer in place of the three dots, run the cell, and\s+read the hint")
ASKED_IN_PAGE = "write your answer into the box below each, and read the hint"
LONGEST_WAIT = 3_600_000  # ms
BOOK = "import sys; from jupyter_book.cli.main import main; sys.exit(main())"


def copy_source(target: Path, solutions: bool = True) -> None:
    """Copy the sources of the site, with notebooks as they are written."""
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            ignored = shutil.ignore_patterns(".*", "__pycache__")
            shutil.copytree(source, target / part, ignore=ignored)
        else:
            (target / part).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target / part)
    listed = {name_of(path) for path in course_notebooks(ROOT)}
    for notebook in target.glob(NOTEBOOKS):
        if name_of(notebook) not in listed:
            print(f"left out notebooks/{name_of(notebook)}.ipynb: {RECORD} does not list it")
            notebook.unlink()
    if not solutions:
        for notebook in target.glob(NOTEBOOKS):
            text = without_solutions(notebook.read_text(encoding="utf-8"))
            notebook.write_text(text, encoding="utf-8", newline="\n")


def put_outputs_in(target: Path, copies: Path = FOLDER, lite: bool = False) -> None:
    """Put outputs into the notebooks of a source tree, and those of pages into Sphinx's cache."""
    settings = yaml.safe_load((target / "_config.yml").read_text(encoding="utf-8"))
    kept = get_cache(target / ".outputs")
    for page in pages_with_code(target):
        copy = nbformat.read(copies / f"{name_of_copy(page)}.ipynb", as_version=4)
        kept.cache_notebook_bundle(CacheBundleIn(copy, str(page)), check_validity=False)
    settings["execute"] |= {
        "execute_notebooks": "cache",
        "cache": str(kept.path),
        "exclude_patterns": ["notebooks/*", "notebooks/*/*"],
    }
    addresses = settings["sphinx"]["config"]
    if lite:
        addresses["jupyterlite_url"] = DOOR
    (target / "_config.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    for path in target.glob(NOTEBOOKS):
        notebook = with_figures_inline(with_outputs(path, copies))
        notebook = with_one_bar(with_pictures_first(with_guards_last(with_one_solution(notebook))))
        door = (f"{name_of(path)}.ipynb", addresses["jupyterlite_url"])
        nbformat.write(with_answer_boxes(with_door(notebook, *door), *door), path)


def with_figures_inline(notebook: Any) -> Any:
    """Put the figures of a notebook inline, so that they have the theme's colors."""
    for cell in notebook.cells:
        image = cell.metadata.get("mystnb", {}).get("image", {})
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/svg+xml" in data and "text/html" not in data:  # animations have HTML
                page = inline_figure(data["image/svg+xml"], image.get("alt", ""))
                output.data = {"text/html": page}
    return notebook


def with_door(notebook: Any, name: str, lite: str) -> Any:
    """Add a link from the top of a page to its notebook in JupyterLite, if there is one."""
    tops = (cell for cell in notebook.cells if "**It takes**" in cell.source)
    if lite and (top := next(tops, None)):
        address = door_to(name, lite)
        top.source += f'\n\n<a class="tutlib-run" href="{address}">Run in the browser</a>'
    return notebook


def with_answer_boxes(notebook: Any, name: str, lite: str = "") -> Any:
    """Put an answer box under the prompt of each exercise.

    The cells of the notebook are folded if the box replaces them. The prompt gets an anchor,
    without the exercise's name, and instructions refer to the box.
    """
    cells = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = ASKED.sub(ASKED_IN_PAGE, cell.source)
        call = CHECK.search(cell.source) if cell.cell_type == "code" else None
        if call and call[3] == "answer":
            prompt = cells[-1].source.replace(f" (`{call[1]}`)", "", 1)
            cells[-1].source = f"(exercise-{call[1]})=\n{prompt}"
            text = answer_place(call[1], name, lite)
            cells.append(nbformat.v4.new_markdown_cell(text, id=f"answer-{call[1]}"))
            by_hand = not judged_in_page(call[1])
            cell.metadata.tags = ["answer"] if by_hand else ["answer", "hide-input"]
            cell.metadata.mystnb = {"code_prompt_show": "The same in the notebook"}
            cell.outputs = []  # the message that no answer was given
        cells.append(cell)
    notebook.cells = cells
    return notebook


def judged_in_page(exercise: str) -> bool:
    """Return whether a page can judge answers to an exercise, without Python."""
    return isinstance(find(exercise).answer, IN_PAGE)


def answer_place(exercise: str, notebook: str, lite: str = "") -> str:
    """Return the HTML under a prompt: a box, or instructions if only Python can judge answers."""
    # ``lite`` is the address of a JupyterLite with the notebooks, if there is one.
    if judged_in_page(exercise):
        return f'<div class="tutlib-answer" data-exercise="{exercise}"></div>'
    in_browser = f', or <a href="{door_to(notebook, lite)}">in the browser</a>' if lite else ""
    home = home_of(notebook)
    return (
        '<p class="tutlib-answer-elsewhere">This answer is run by Python: take '
        f'<a href="{home}_sources/notebooks/{notebook}" download>this page\'s notebook</a>, '
        f'and run it <a href="{home}book/how-to-work.html#run">on your computer</a>'
        f"{in_browser}.</p>"
    )


def home_of(notebook: str) -> str:
    """Return the relative path from the page of a notebook to the folder of the site."""
    return "../" * (1 + notebook.count("/"))


def door_to(notebook: str, lite: str) -> str:
    """Return the address of a notebook in a JupyterLite, relative to the notebook's page."""
    relative = lite.startswith("..")
    return f"{home_of(notebook)[3:] if relative else ''}{lite}?path=notebooks/{notebook}"


def write_answers(site: Path, solutions: bool = True) -> None:
    """Write the files that answer boxes load when they come near the screen."""
    exercises = [*SELF_TEST, *every_exercise()]
    if not solutions:  # what follows a right answer explains the solution
        exercises = [replace(exercise, lesson="") for exercise in exercises]
    target = site / "_static" / "answers"
    target.mkdir(parents=True, exist_ok=True)
    files = answer_files(exercises, pages_of_exercises()) | answer_pictures(exercises)
    for name, text in files.items():
        (target / name).write_text(text, encoding="utf-8")


def write_workbench(site: Path) -> None:
    """Write the scripts and the style of the workbench page."""
    target = site / "_static" / "workbench"
    target.mkdir(parents=True, exist_ok=True)
    for name, text in workbench_files().items():
        (target / name).write_text(text, encoding="utf-8")


def pages_of_exercises() -> dict[str, str]:
    """Return the page of each exercise whose chapter has several."""
    return {
        call[1]: f"notebooks/{name_of(path)}"
        for path in course_notebooks(ROOT)
        if "/" in name_of(path)
        for call in CHECK.finditer(path.read_text(encoding="utf-8").replace('\\"', '"'))
    }


def missing_pages(site: Path) -> list[str]:
    """Return the pages that are missing in the site."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    wanted = ["index", *pages_of(toc)]
    return [page for page in wanted if not (site / f"{page}.html").is_file()]


def sources(solutions: bool = True) -> str:
    """Return a digest of all sources of the site."""
    digest = hashlib.sha256(b"with" if solutions else b"without")
    notebooks = course_notebooks(ROOT)
    roots = [ROOT / part for part in (*PARTS, *PACKAGES)]
    for path in [*roots, *sorted(path for root in roots for path in root.rglob("*"))]:
        name = path.relative_to(ROOT).as_posix()
        if not path.is_file() or "__pycache__" in name or "/." in name:
            continue
        if name.startswith("notebooks/") and path.suffix == ".ipynb" and path not in notebooks:
            continue
        digest.update(name.encode() + path.read_bytes())
        if path in notebooks:
            digest.update(key(path).encode())
    return digest.hexdigest()


def build(output: Path, solutions: bool = True, lite: bool = False) -> int:
    """Build the site in ``output/_build/html``, and return the exit code.

    It is built beside the last one, which stays until the new one is complete. Its chapters lead to
    a JupyterLite beside it if ``lite``.
    """
    print("Building the site, which takes about two minutes ...", flush=True)
    work, last = output / "_build" / "next", output / "_build" / "html"
    source, site = work / "source", work / "_build" / "html"
    shutil.rmtree(work, ignore_errors=True)
    copy_source(source, solutions)
    downloads = {
        path.relative_to(source): student_copy(path.read_text(encoding="utf-8"))
        for path in source.glob(NOTEBOOKS)
    }
    put_outputs_in(source, lite=lite)
    book = ["build", source, "--path-output", work, "-W", "-n", "--keep-going"]
    work.mkdir(parents=True, exist_ok=True)
    log = work / "sphinx.log"
    with log.open("w", encoding="utf-8") as said:
        command = [sys.executable, "-c", BOOK, *book]
        with subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT) as sphinx:
            write_answers(work, solutions)  # takes half a minute, while Sphinx uses one core
            write_workbench(work)
    code = sphinx.returncode
    if code:
        print(complaints(log.read_text(encoding="utf-8", errors="replace")))
    for name, text in downloads.items():
        download = site / "_sources" / name
        if download.exists():
            download.write_text(text, encoding="utf-8", newline="\n")
    shutil.copytree(work / "_static", site / "_static", dirs_exist_ok=True)
    write_worker(site)
    if missing := missing_pages(site):
        print(f"missing pages: {missing}")
    if code or missing:
        print(f"The incomplete site is in {site}; the previous site, if any, is unchanged.")
        return code or 1
    take_the_place(site, last)
    made_from = f"{sources(solutions)}\n{options_of(solutions, lite)}\n"
    last.with_suffix(".key").write_text(made_from, encoding="utf-8")
    shutil.rmtree(work)
    return 0


def options_of(solutions: bool, lite: bool) -> str:
    """Return the options of a build in words."""
    return f"{'with' if solutions else 'without'} solutions, {'with' if lite else 'without'} lite"


def is_built(output: Path, solutions: bool, lite: bool) -> bool:
    """Return whether the last site was built from the present sources, with these options."""
    last = output / "_build" / "html"
    key = last.with_suffix(".key")
    made_from = key.read_text(encoding="utf-8").splitlines() if key.exists() else []
    wanted = options_of(solutions, lite)
    return made_from[1:] == [wanted] and made_from[0] == sources(solutions)


def complaints(log: str) -> str:
    """Return the warnings and errors in what Sphinx printed, or its last lines."""
    lines = log.splitlines()
    wrong = [line for line in lines if re.search("WARNING|ERROR|CRITICAL|Error:", line)]
    return "\n".join(wrong or lines[-40:])


def take_the_place(site: Path, last: Path) -> None:
    """Replace the last site by a new one, in one moment."""
    old = last.with_suffix(".old")
    shutil.rmtree(old, ignore_errors=True)
    last.with_suffix(".key").unlink(missing_ok=True)
    if last.exists():
        last.rename(old)
    site.rename(last)
    shutil.rmtree(old, ignore_errors=True)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Wait until no other build runs in a folder; a killed build does not block others."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = sqlite3.connect(folder / "lock", timeout=0, isolation_level=None)
    try:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            print(
                "Another build is running here; this one starts when that one ends.",
                flush=True,
            )
            lock.execute(f"PRAGMA busy_timeout = {LONGEST_WAIT}")
            lock.execute("BEGIN EXCLUSIVE")
        yield
    finally:
        lock.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--without-solutions", action="store_true")
    parser.add_argument("--lite", action="store_true", help="lead to the JupyterLite of make lite")
    options = parser.parse_args()
    try:
        with alone(ROOT / "_build"):
            every = [*pages_with_code(), *course_notebooks(ROOT)]
            how = not options.without_solutions, options.lite
            code = execute_all(every)
            if not code and is_built(ROOT, *how):
                print("Nothing has changed since the site was built.")
            elif not code:
                code = build(ROOT, *how)
    except KeyboardInterrupt:
        print("Stopped: the previous site, if any, is unchanged.")
        return STOPPED
    except sqlite3.OperationalError:
        print("Another build has been running for an hour, so this one was not started.")
        return 1
    if code == 0:
        print(f"The site is at {(ROOT / '_build/html/index.html').as_uri()}")
    return code


if __name__ == "__main__":
    sys.exit(main())
