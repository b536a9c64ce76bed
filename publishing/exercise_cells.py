"""Kinds of cells: the prompt, answer, and folded solution of an exercise, and author cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from course.desk.files import AUTHOR_CELL

CHECK = re.compile(r'check\("([a-z-]+-\d+)", (\w+)_(answer|solution)')
# `pull_answer = ...`, or a function whose body is three dots
STUB = re.compile(r"^(\w+_answer = \.\.\.|def \w+_answer\(.*\): \.\.\.).*$", re.MULTILINE)


class Cells(NamedTuple):
    """The three cells of one exercise."""

    name: str
    prompt: Any
    answer: Any
    solution: Any


def is_solution(cell: Any) -> bool:
    return "solution" in cell.metadata.get("tags", [])


def is_author_cell(cell: Any) -> bool:
    return AUTHOR_CELL in cell.metadata.get("tags", [])


def in_running_order(cells: Sequence[Any]) -> list[Any]:
    """Return cells in the order in which they are executed: author cells after all others.

    The others then run as in a student's copy, which has no author cells.
    """
    return sorted(cells, key=is_author_cell)


def exercises(cells: list[Any]) -> list[Cells]:
    """Return the exercises of a notebook with solutions, in order."""
    exercise_cells = []
    for k, cell in enumerate(cells):
        call = CHECK.search(cell.source) if cell.cell_type == "code" else None
        if call and call[3] == "answer":
            exercise_cells.append(Cells(call[1], cells[k - 1], cell, cells[k + 1]))
    return exercise_cells


def solved(exercise: Cells) -> str:
    """Return the answer's cell with the solution in it, which raises an error if it is wrong."""
    pasted = exercise.solution.source.replace("_solution", "_answer")
    source, count = STUB.subn(lambda _: pasted, exercise.answer.source)
    call = f'\ncheck("{exercise.name}"'
    if count != 1 or source.count(call) != 1:
        raise ValueError(f"{exercise.name}: the answer's cell has no place for an answer")
    return source.replace(call, f"\nassert{call.replace(chr(10), ' ')}")
