"""A program as a page holds it: its bytes as text, and where its arrays are."""

from __future__ import annotations

from typing import Any

from tutlib.pictures.packing import deflated
from tutlib.programs.instructions import webassembly
from tutlib.programs.lowering import lower
from tutlib.programs.routines import Program

#: The scripts of a live simulation, each after those that it imports, and then how it is seen.
SCRIPTS = (
    "pictures/packing.js", "page/machine.js", "page/simulation.js", "pictures/drawing.js",
    "page/numbers.js", "page/elements.js", "page/strip.js", "page/runs.js", "page/arrows.js",
    "page/presets.js", "page/moment.js", "page/setting.js", "page/panel.js", "page/scene.js",
    "page/keys.js", "page/outside.js", "page/hold.js", "pictures/chart.js", "page/live.js",
)  # fmt: skip

#: Its style sheet, besides the one of all moving pictures.
STYLE = "page/bench.css"


def packed(program: Program) -> dict[str, Any]:
    """Return the bytes of a program, compressed, and the place of each of its arrays, for JSON.

    Parameters
    ----------
    program : Program

    Returns
    -------
    dict
        ``bytes`` by raw deflation and base64; ``layout`` from names to the number of the first
        float and the length; ``outside``, if there are such, from the names of routines that the
        page must give to the place of their numbers.
    """
    lowered = lower(program, in_pairs=True)
    places = {name: [lowered.layout[name], length] for name, length in program.arrays.items()}
    packed = {"bytes": deflated(webassembly(lowered)), "layout": places}
    outside = {name: places[f"{name} of"] for name in program.assignments.imported}
    return packed | ({"outside": outside} if outside else {})
