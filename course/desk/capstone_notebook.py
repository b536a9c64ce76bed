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
from tutlib.reading.files import write_whole

_HEAD = """\
# {title}

*Your name, the date. Variant {variant}.*

{task}

The numbers below belong to your variant; other variants have other numbers. This notebook becomes
your report. Text in italics describes each section; replace it with your own. The sections, their
points, and what earns them:

{rubric}"""
_FIRST = """\
from course.capstones import capstone
from course import check
from verification import verify

mine = capstone("{name}", variant={variant})
mine.constants"""
_MACHINE = """\
## The machine

*What moves, and how many degrees of freedom does it have? Define your coordinates and speeds,
with their zeros and positive directions, in a sketch of your own. List the forces and torques,
and say which of them do work. What do you neglect, and why is that justified?*"""
_VERIFICATION = """\
## Verification

*Predict each result before you compute it: your equations from a second method, limits that you
know from a chapter, conserved quantities. Then run `verify(model)`, and say which mistake each
check would have detected.*"""
_NUMERICS = """\
## Numerics

*Which method, which step size, which tolerance, and why? Show the order of convergence for your
machine. How large is the error of each number that you report?*"""
_RESULTS = """\
## Results

*Show the motion in a live panel with one or two presets that make your point, and answer the
questions.*"""
_PAGE = """\
## In one page

*Write for a colleague who reads only this page: the question, the model, your results with their
errors, how you know that they are right, and what remains in doubt.*"""


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
    measured = [mine.file(name, target) for name in mine.files]
    return [
        f"made       {file}",
        *(f"made       {path}" for path in measured),
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
    files = ", ".join(f'mine.file("{file}")' for file in mine.files)
    stages = [_stage(mine, number) for number in range(1, len(capstone.stages) + 1)]
    cells = [
        ("markdown", head),
        ("code", _FIRST.format(**names)),
        ("code", "mine.sketch()"),
        *(
            [("code", f"{', '.join(mine.files)} = {files}\n{', '.join(mine.files)}")]
            if files
            else []
        ),
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
