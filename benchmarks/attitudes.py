"""A step of each form of an attitude that chapter 8 compares, against a quaternion's step."""

from collections.abc import Callable, Iterator
from pathlib import Path

import matplotlib as mpl
import numpy as np

from benchmarks.measure import best_times
from tutlib import integrate
from tutlib.live.cells import needed
from tutlib.methods import CF4, RK4
from tutlib.models import rigid_body
from tutlib.programs import compiled
from tutlib.reading.files import cells_of

PAGE = "notebooks/08-lie-group-integrators/5-a-nut-in-free-fall.ipynb"


def compare(short: int = 20_000, long: int = 420_000) -> dict[str, float]:
    """Return the time of a step of each form, in that of the quaternion's, all compiled.

    It is the slope between a short run and a long one: what begins a run costs no step. A repair
    after each step runs in Python, so the form that needs one is left out.
    """
    mpl.use("agg")
    codes = []
    for cell in cells_of(Path(__file__).resolve().parents[1] / PAGE):
        if cell["cell_type"] == "code":
            codes.append(cell["source"])
        if cell["id"] == "forms":
            break
    names: dict = {"__name__": "chapter_8"}
    exec(needed(codes), names)  # the chapter's own code
    fields = {
        name: (compiled(f), x, RK4) for name, (f, fix, x, _) in names["forms"].items() if not fix
    }
    for name, method in {"RKMK4": RK4, "CF4": CF4}.items():
        fields[name] = rigid_body().field, names["about_middle"], method

    def run(case: tuple, steps: int) -> Callable[[], object]:
        return lambda: integrate(case[0], np.linspace(0, 10, steps + 1), *case[1:])

    cases = [run(case, steps) for case in fields.values() for steps in (short, long)]
    for case in cases:
        case()  # compiled by now
    times = np.reshape(best_times(*cases), (-1, 2))
    slopes = dict(zip(fields, times[:, 1] - times[:, 0]))
    return {name: slope / slopes["quaternion"] for name, slope in slopes.items()}


def rows() -> Iterator[tuple[str, str, str]]:
    """Yield the rows about forms of an attitude."""
    for name, ratio in compare().items():
        what = f"a box that flips: a compiled step of RK4, {name}"
        yield (
            what,
            f"{ratio:.1f} of a quaternion's step",
            "the slope from 20,000 to 420,000 steps, in turns",
        )
