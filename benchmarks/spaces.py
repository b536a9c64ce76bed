"""What a step on a curved space costs beside one on plain numbers, by the chapters' own code."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

from benchmarks.measure import best_times
from course.desk import cells_of
from panels.simulations.notebook_code import needed
from tutlib import compiled, integrate
from tutlib.methods import CF4, RK4
from tutlib.models import rigid_body

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
BOX = "08-lie-group-integrators/5-a-nut-in-free-fall.ipynb", "forms"
CARRIERS = "09-quadrotors/3-a-published-run.ipynb", "drift-code"


def names_of(page: str, cell: str) -> dict[str, Any]:
    """Return what a page of the course has bound after a cell, by what that cell needs."""
    mpl.use("agg")
    codes = []
    for one in cells_of(NOTEBOOKS / page):
        if one["cell_type"] == "code":
            codes.append(one["source"])
        if one["id"] == cell:
            break
    names: dict[str, Any] = {"__name__": page}
    exec(needed(codes), names)  # the chapter's own code
    return names


def slopes(cases: Mapping[str, tuple], short: int, long: int) -> dict[str, float]:
    """Return the time of a step of each (field, start, method), in that of the first one.

    It is the slope between a short run and a long one: what begins a run costs no step.
    """

    def run(case: tuple, steps: int) -> Callable[[], object]:
        return lambda: integrate(case[0], np.arange(steps + 1) * 1e-5, *case[1:])

    runs = [run(case, steps) for case in cases.values() for steps in (short, long)]
    for one in runs:
        one()  # compiled by now
    times = np.reshape(best_times(*runs), (-1, 2))
    steps = times[:, 1] - times[:, 0]
    return {name: float(step / steps[0]) for name, step in zip(cases, steps)}


def box(short: int = 20_000, long: int = 420_000) -> dict[str, float]:
    """Return the time of a step of each form of an attitude, in that of the quaternion's.

    A repair after each step runs in Python, so the form that needs one is left out.
    """
    names = names_of(*BOX)
    forms = {n: (compiled(f), x, RK4) for n, (f, fix, x, _) in names["forms"].items() if not fix}
    for name, method in {"RKMK4": RK4, "CF4": CF4}.items():
        forms[name] = rigid_body().field, names["about_middle"], method
    return slopes({"quaternion": forms["quaternion"], **forms}, short, long)


def carriers(short: int = 1000, long: int = 21_000) -> dict[str, float]:
    """Return the time of a step of two quadrotors with a load, in that of plain numbers."""
    names = names_of(*CARRIERS)
    start, field = names["x_start"], names["source"].field
    cases = {"plain RK4": (compiled(names["flat"]), start, RK4)}
    return slopes(cases | {"RKMK4": (field, start, RK4), "CF4": (field, start, CF4)}, short, long)


def rows() -> Iterator[tuple[str, str, str]]:
    """Yield the rows about steps on curved spaces."""
    for what, measure in {"a box that flips": box, "two quadrotors and a load": carriers}.items():
        first, *others = measure().items()
        for name, ratio in others:
            yield f"{what}: a compiled step, {name}", f"{ratio:.1f} of {first[0]}", "in turns"
