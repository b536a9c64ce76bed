"""Pages of live simulations: scripts, their data, and programs as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from panels.drawing.frames import as_literal, frame
from panels.drawing.packing import deflated
from panels.simulations.motion import Motion
from straightline.instructions import webassembly
from straightline.lowering import lower
from straightline.routines import Program

#: Script of a live simulation, and the additional one of a map that can be zoomed.
SCRIPT, ZOOMING = "panels/simulations/live.js", "panels/simulations/zooming.js"

#: Style sheet, in addition to that of all moving pictures.
STYLE = "panels/simulations/bench.css"


def scripts_of(*specifications: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the scripts that live simulations in the plane need together."""
    zooms = any("zoom" in data.get("chart", {}) for data in specifications)
    return ("panels/simulations/machine.js", SCRIPT, *([ZOOMING] if zooms else []))


def packed(program: Program) -> dict[str, Any]:
    """Return the bytes of a program, compressed, and the position of each of its arrays, for JSON.

    Parameters
    ----------
    program : Program

    Returns
    -------
    dict
        ``bytes`` by raw deflation and base64; ``layout`` from names to the number of the first
        float and the length; ``outside``, if there are such, from the names of routines that the
        page must provide to the positions of their numbers.
    """
    lowered = lower(program)
    layout = {name: [lowered.layout[name], length] for name, length in program.arrays.items()}
    module = {"bytes": deflated(webassembly(lowered)), "layout": layout}
    outside = {name: layout[f"{name} of"] for name in program.assignments.imported}
    return module | ({"outside": outside} if outside else {})


def packed_motion(motion: Motion) -> dict[str, Any]:
    """Return the program of a motion as `packed` does, with the parts of its arrays in ``layout``.

    Parameters
    ----------
    motion : Motion
    """
    module = packed(motion.program())
    layout = module["layout"]
    for name, (array, start, count) in motion.parts().items():
        layout[name] = [layout[array][0] + start, count]
    return module


def constants(data: Mapping[str, object], program: Mapping[str, object]) -> str:
    """Return the data of the scripts as a script.

    Parameters
    ----------
    data : mapping
        The specification.
    program : mapping
        As `packed` returns it.
    """
    values = {"specification": data, "program": program}
    return "".join(f"const {name} = {as_literal(value)};\n" for name, value in values.items())


def simulation(
    data: Mapping[str, Any],
    module: str,
    still: str,
    height: int,
    styles: Sequence[str] = (STYLE,),
) -> str:
    """Return a live simulation as a frame.

    Parameters
    ----------
    data : mapping
        The specification.
    module : str
        All of the script.
    still : str
        An SVG for where no script runs.
    height : int
        In pixels, until the page around gives it another.
    styles : sequence of str
        Style sheets.
    """
    return frame(
        kind="tutlib-live",
        description=data["description"],
        height=height,
        body="",
        module=module,
        still=still,
        title="Simulation",
        name=data["name"],
        styles=styles,
    )
