"""Companion of a notebook in its kernel, which records and checks its cells while they run.

- Names bound by solutions are hidden from all other cells, and author cells run last. A student's
  copy, with solutions or without, therefore runs as the published notebook does.
- Each solution is pasted into the cell that waits for the answer, and that cell is run with the
  names that a student has at this point.
- Figures, the formulas of live simulations, and at the end the values of all names are recorded for
  the tests.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import json
import linecache
import sys
import time
import traceback
from itertools import islice
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from IPython import get_ipython
from IPython.utils.capture import capture_output

from course.desk import cells_of
from publishing import figures
from publishing.exercise_cells import exercises, in_running_order, is_solution, solved

ROOT = Path(__file__).resolve().parent.parent
LARGEST_ARRAY = 64
LARGEST_EXPRESSION = 3000  # nodes
DEEPEST = 4


def specifications(shown: Any) -> list[dict[str, Any]]:
    """Return the specification of each live simulation that a cell shows, without its image."""
    simulations = getattr(shown, "simulations", (shown,))
    found = [{**each.specification} for each in simulations if hasattr(each, "formulas")]
    for data in found:
        if "chart" in data:
            data["chart"] = {key: part for key, part in data["chart"].items() if key != "image"}
    return found


class Companion:
    """Recorder of the cells of one notebook."""

    def __init__(self, path: str) -> None:
        # plain fields, because importing nbformat would take a second in each kernel
        cells = [SimpleNamespace(**fields) for fields in cells_of(Path(path))]
        self.shell: Any = get_ipython()
        self.coming = in_running_order([cell for cell in cells if cell.cell_type == "code"])
        self.exercises = {e.solution.id: e for e in exercises(cells) if is_solution(e.solution)}
        self.of_solutions: dict[str, Any] = {}
        self.of_answers: dict[str, Any] = {}
        self.figures: list[dict[str, Any]] = []
        self.simulations: list[Any] = []
        self.pasted: dict[str, str] = {}
        self.running: Any = None
        self.before: dict[str, Any] = {}
        self.shell.events.register("pre_run_cell", self.starts)
        self.shell.events.register("post_run_cell", self.ends)
        figures.begin()

    def names(self) -> dict[str, Any]:
        """Return the names that the notebook's cells have bound."""
        hidden = self.shell.user_ns_hidden  # IPython's own: In, Out, exit
        return {k: v for k, v in self.shell.user_ns.items() if k[0] != "_" and k not in hidden}

    def starts(self, info: Any) -> None:
        """Find the cell that runs, and give a solution the names of earlier solutions."""
        if not self.coming or info.raw_cell != self.coming[0].source:
            return
        self.running = self.coming.pop(0)
        if is_solution(self.running):
            self.before = self.names()
            self.shell.user_ns.update(self.of_solutions)

    def ends(self, result: Any) -> None:
        """Record figures; after a solution, hide its names and paste it into the answer's cell."""
        cell, self.running = self.running, None
        if cell is None:
            return
        if shown := figures.taken():
            self.figures.append({"cell": cell.id, "figures": shown})
        self.simulations += specifications(result.result)
        if not is_solution(cell):
            return
        self.hide_solution()
        if result.success and cell.id in self.exercises:
            self.paste(self.exercises[cell.id])

    def hide_solution(self) -> None:
        """Reset all names to their values before the solution."""
        after = self.names()
        fresh = {k: v for k, v in after.items() if self.before.get(k, self) is not v}
        self.of_solutions.update(fresh)
        for name in fresh:
            if name in self.before:
                self.shell.user_ns[name] = self.before[name]
            else:
                del self.shell.user_ns[name]

    def paste(self, exercise: Any) -> None:
        """Run the answer's cell with the solution in it, with a student's names."""
        space = {**self.before, **self.of_answers, "__name__": "__main__"}
        filename = f"<{exercise.name}>"
        try:
            source = solved(exercise)
            linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
            with capture_output():
                exec(compile(source, filename, "exec"), space)
            self.pasted[exercise.name] = "right"
        except Exception:
            self.pasted[exercise.name] = traceback.format_exc(limit=-2)
        with contextlib.suppress(KeyError):
            sys.modules["matplotlib.pyplot"].close("all")
        figures.taken()
        self.of_answers.update(
            {k: v for k, v in space.items() if self.before.get(k, self) is not v}
        )

    def write(self, path: str) -> None:
        """Write the record of the notebook."""
        values = {name: plain(value) for name, value in self.names().items()}
        kept = {name: value for name, value in values.items() if value is not None}
        record: dict[str, Any] = {"values": kept, "figures": self.figures, "pasted": self.pasted}
        record["simulations"] = self.simulations
        record["imported"] = imported()
        record["cpu_seconds"] = time.process_time()
        Path(path).write_text(json.dumps(record, indent=1), encoding="utf-8")
        gc.freeze()  # saves half a second of garbage collection at the kernel's exit


def imported() -> list[str]:
    """Return the files of the project's modules that have been imported."""
    files = [getattr(module, "__file__", None) or "" for module in [*sys.modules.values()]]
    paths = [Path(file) for file in files if file.endswith(".py") and "site-packages" not in file]
    return sorted(p.relative_to(ROOT).as_posix() for p in paths if p.is_relative_to(ROOT))


def plain(value: Any, depth: int = 0) -> Any:
    """Return a value as JSON, or None: see `tests.helpers.record`."""
    import numpy as np
    import sympy as sm

    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool | int | float | str):
        return value
    if depth > DEEPEST or isinstance(value, type | ModuleType):
        return None
    if isinstance(value, sm.Basic | sm.MatrixBase):
        nodes = sum(1 for _ in islice(sm.preorder_traversal(value), LARGEST_EXPRESSION))
        return {"sympy": sm.srepr(value)} if nodes < LARGEST_EXPRESSION else None
    if isinstance(value, np.ndarray):
        numbers = value.dtype.kind in "biuf" and value.size <= LARGEST_ARRAY
        return {"array": value.tolist()} if numbers else None
    if isinstance(value, list | tuple):
        return [plain(item, depth + 1) for item in islice(value, LARGEST_ARRAY)]
    if dataclasses.is_dataclass(value):
        value = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(k): plain(v, depth + 1) for k, v in islice(value.items(), LARGEST_ARRAY)}
    return None
