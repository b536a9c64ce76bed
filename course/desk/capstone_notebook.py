"""Blank notebook of a capstone: ``python -m course start NAME`` writes it.

It has the headings of the report, and cells for the checks.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from course.capstones.tasks import RUBRIC, Assignment
from course.desk.copies import work_folder
from course.desk.files import PYTHON
from straightline.arguments import path_of
from tutlib.reading.files import write_whole

_HEAD = """\
# {title}

*Your name, the date. Variant {variant}.*

{task}

The numbers below are yours: another variant has others. This notebook becomes your report. What
stands in italics tells what belongs there; write your own text in its place. Its parts, and
what earns their points:

{rubric}"""
_FIRST = """\
from course.capstones import capstone
from course import check
from verification import verify

mine = capstone("{name}", variant={variant})
mine.constants"""
_MACHINE = """\
## The machine

*What moves, and how many degrees of freedom does it have? Name your coordinates and speeds,
with their zeros and positive directions, in a sketch of your own. List the forces and torques,
and which of them do work. What do you leave out, and why may you?*"""
_VERIFICATION = """\
## Verification

*Say beforehand what must come out, then look: your equations by a second way, limits that you
know from a chapter, what stays constant. Then let `verify(model)` try it, and say of each check
what it would have caught.*"""
_NUMERICS = """\
## Numerics

*Which method, which step, which tolerance, and why? Show the order of convergence on your
machine. How large is the error of each number that you report?*"""
_RESULTS = """\
## Results

*Show the motion in a live panel with a setting or two that make your point, and answer the
questions.*"""
_PAGE = """\
## In one page

*For a colleague who reads nothing else: question, model, what you found with its error, how you
know that it is right, and what remains in doubt.*"""


def start_capstone(name: str, variant: int = 0, folder: str | Path | None = None) -> list[str]:
    """Write the blank notebook of a capstone, and keep an existing file unchanged.

    Parameters
    ----------
    name : str
        Name of the capstone, such as ``"slider-crank"``.
    variant : int
        Number that determines lengths and masses.
    folder : path, optional
        Unless given, ``work`` in the folder of the course, or the current folder if only the
        package is installed; created if it does not exist.

    Returns
    -------
    list of str
        Lines on what was done, and on the next steps.

    Raises
    ------
    OSError
        If the folder is not writable.
    TypeError
        If an argument is of another type.
    ValueError
        If there is no such capstone or variant.
    """
    target = work_folder(folder)
    mine: Assignment = importlib.import_module("course.capstones").capstone(name, variant)
    file = target / (f"{name}-{mine.variant}.ipynb" if mine.variant else f"{name}.ipynb")
    if file.exists():
        return [f"kept {file}, which already exists"]
    target.mkdir(parents=True, exist_ok=True)
    write_whole(file, blank_notebook(mine).encode())
    return [
        f"made       {file}",
        f"its models  python -m course verify {file}",
        f"a report    python -m course report {file}",
    ]


def blank_notebook(mine: Assignment) -> str:
    """Return the text of a capstone's blank notebook.

    Parameters
    ----------
    mine : Assignment
    """
    from nbformat import v4, validate, writes

    cells = []
    for number, source in enumerate(_cells(mine), 1):
        make = v4.new_markdown_cell if source[0] == "markdown" else v4.new_code_cell
        cells.append(make(source[1], id=f"capstone-{number}"))
    notebook = v4.new_notebook(cells=cells, metadata=PYTHON)
    validate(notebook)
    return str(writes(notebook, indent=1, sort_keys=True)) + "\n"


def _cells(mine: Assignment) -> list[tuple[str, str]]:
    """Return the type and text of each cell."""
    capstone = mine.capstone
    rubric = ["| part | points | what earns them |", "|---|---|---|"]
    rubric += [f"| {part} | {points} | {earns} |" for part, points, earns in RUBRIC]
    names: dict[str, Any] = {"name": capstone.name, "variant": mine.variant}
    head = _HEAD.format(title=capstone.title, task=capstone.task, rubric="\n".join(rubric), **names)
    stages = [_stage(mine, number) for number in range(1, len(capstone.stages) + 1)]
    cells = [
        ("markdown", head),
        ("code", _FIRST.format(**names)),
        ("code", "mine.sketch()"),
        ("markdown", _MACHINE),
        ("code", ""),
        *stages[0],
        *stages[1],
        ("markdown", _VERIFICATION),
        ("code", ""),
        ("markdown", _NUMERICS),
        ("code", ""),
        ("markdown", _RESULTS),
        ("code", ""),
    ]
    for stage in stages[2:]:
        cells += stage
    return [*cells, ("markdown", _PAGE)]


def _stage(mine: Assignment, number: int) -> list[tuple[str, str]]:
    stage = mine.capstone.stages[number - 1]
    level = "##" if number < 3 else "###"
    code = f"answer_{number} = ...\ncheck(mine.stage({number}), answer_{number})"
    text = f"{level} {stage.title}\n\n> {stage.task.replace('`answer = ', f'`answer_{number} = ')}"
    return [("markdown", text), ("code", code)]
