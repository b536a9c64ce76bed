"""A live simulation of a mechanism on a curved space: the group integrator, running in the page.

The field and the maps of its space are followed once in Python and printed as JavaScript; the
methods go along as data. Chapter 8 has two, chapter 9 one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tutlib.methods.checks import check_state, check_step_size
from tutlib.methods.integration import METHODS
from tutlib.methods.steps import Tableau, tableau_flows
from tutlib.models.spatial import SpatialModel
from tutlib.pictures.frames import (
    Frame,
    as_literal,
    ball_around,
    box_around,
    frame,
    script,
    seen,
    skeleton_data,
    still_picture,
)
from tutlib.programs.tracing import trace
from tutlib.spaces import coefficients

_MODULES = (
    "page/numerics.js", "pictures/drawing.js", "pictures/camera.js", "page/setting.js",
    "page/hold.js", "pictures/chart.js", "page/space.js", "page/live.js",
)  # fmt: skip
_START = 'mount(document.querySelector("main"), specification, equations, null, inSpace);'
_NAMED = ("euler", "heun", "kutta3", "rk4", "cf4")


def live_in_space(
    model: SpatialModel,
    x0: ArrayLike,
    description: str,
    *,
    sliders: Mapping[str, Sequence[Any]] | None = None,
    readouts: Mapping[str, tuple[Callable[..., Any], str]] | None = None,
    method: str = "rk4",
    h: float = 0.01,
    methods: Sequence[str | Tableau] = _NAMED,
    conserved: bool = True,
    view: Sequence[float] | None = None,
    name: str = "model",
    height: int = 760,
) -> Frame:
    """Make a live simulation on a space; the reader turns it, and sets it by sliders.

    Parameters
    ----------
    model : SpatialModel
    x0 : array, shape (k,)
        A start on the space.
    description : str
        What is seen, in a sentence, for readers who do not see it.
    sliders : mapping from a parameter's name to (low, high, unit[, keys])
        The two letters of ``keys`` move it down and up.
    readouts : mapping from label to (function (t, x, **parameters) -> number, unit)
        Numbers to show.
    method, h
        To begin with; h in seconds.
    methods : sequence of str or tableau
        To choose from: every explicit tableau.
    conserved : bool
        Whether the energy must stay; where motors work, its drift is not shown.
    view : four float, optional
        Center and radius [m] of what is seen, third axis up; around the start unless given.
    name : str
        What the simulation is called in the page's address.
    height : int
        Of the frame, in pixels, where the page around does not fit it to the content.

    Returns
    -------
    Frame

    Raises
    ------
    TypeError
        If a function asks how large a number is: see `trace`.
    ValueError
        If the start is not on the space, h is not positive, the description is empty, or a
        parameter or the method is unknown.
    """
    if not description.strip():
        raise ValueError("describe what is seen: some readers do not see it")
    check_step_size(h)
    start = check_state(x0, model.field.space)
    described = f"{description} Turn it with the mouse, a finger or the arrow keys."
    data = _data(model, start, sliders or {}, readouts or {}, [_method(m) for m in methods])
    data |= {"name": name, "description": described, "method": method, "h": h}
    data |= {"conserved": conserved} | ({"ball": list(view)} if view else {})
    if method not in (known := [m["name"] for m in data["methods"]]):
        raise ValueError(f"unknown method {method!r}; the methods here are {', '.join(known)}")
    module = f"{script(*_MODULES)}const specification = {as_literal(data)};\n"
    module += f"const equations = {equations(model, readouts or {})};\n{_START}"
    still = {"": seen(model.positions([0.0], [start]))[0]}  # type: ignore[arg-type]
    return Frame(
        frame(
            kind="tutlib-live",
            description=described,
            height=height,
            body="",
            module=module,
            still=still_picture(still, model.skeleton, box_around(still[""])),
            title="Simulation",
            name=name,
        )
    )


def equations(model: SpatialModel, readouts: Mapping[str, tuple[Callable[..., Any], str]]) -> str:
    """Print a model as a JavaScript object with the four methods that space.js asks for."""
    field, space = model.field, model.field.space
    a, k = space.algebra, space.dimension

    def outputs(t: Any, x: Any, **p: Any) -> Any:
        shown = [function(t, x, **p) for function, _ in readouts.values()]
        return np.array([model.energy(t, x, **p), *np.ravel(model.drawn(t, x, **p)), *shown])

    printed = [
        field.traced(field.function).javascript("field(t, x, p, out)"),
        trace(space.flow, xi=a, x=k).javascript("flow(xi, x, out)"),
        trace(space.dexp_inverse, u=a, v=a).javascript("dexp_inverse(u, v, out)"),
        field.traced(outputs).javascript("outputs(t, x, p, out)"),
    ]
    names = ("B_SLOPE", "C", "C_SLOPE", "D", "D_SLOPE")
    series = {"small": coefficients.SMALL} | {n: getattr(coefficients, n) for n in names}
    functions = "sqrt, exp, sin, cos, exp_a, exp_b, exp_c, exp_b_slope, exp_c_slope, inverse_d"
    return (
        f"(() => {{\nconst {{ {functions}, inverse_d_slope }} =\n"
        f"  coefficientFunctions({json.dumps(series)});\n"
        "return {\n" + ",\n".join(printed) + ",\n};\n})()"
    )


def _data(
    model: SpatialModel,
    start: Any,
    sliders: Mapping[str, Sequence[Any]],
    readouts: Mapping[str, tuple[Any, str]],
    methods: list[dict[str, Any]],
) -> dict[str, Any]:
    points = model.positions(np.zeros(1), start[None])[0]
    parameters = [{"name": n, "value": v} for n, v in model.field.parameters.items()]
    return {
        "size": {
            "states": len(start),
            "algebra": model.field.space.algebra,
            "coordinates": 0,
            "points": len(points),
            "readouts": len(readouts),
            "holdable": False,
        },
        "skeleton": skeleton_data(model.skeleton),
        "guides": [],
        "states": [{"name": n, "hidden": True} for n in model.state_names],
        "parameters": parameters,
        "readouts": [{"label": label, "unit": unit} for label, (_, unit) in readouts.items()],
        "sliders": [_slider(model, name, *rest) for name, rest in sliders.items()],
        "switches": [],
        "runs": [{"label": "", "parameters": {}, "state": {}}],
        "methods": methods,
        "x0": start.tolist(),
        "box": [-1, -1, 1, 1],
        "ball": ball_around(np.concatenate([points, -points])),
        "down": model.down,
        "push": 0,
        "trace": True,
        "portrait": False,
    }


def _slider(
    model: SpatialModel, name: str, low: float, high: float, unit: str, keys: str = ""
) -> dict[str, Any]:
    names = list(model.field.parameters)
    if name not in names:
        raise ValueError(f"no such parameter: {name}; there are {', '.join(names)}")
    if not low < high:
        raise ValueError(f"the slider for {name} needs low < high; got {low} and {high}")
    return {
        "target": "p", "index": names.index(name), "label": name, "low": low, "high": high,
        "step": (high - low) / 200, "unit": unit, "scale": 1, "keys": list(keys),
    }  # fmt: skip


def _method(method: str | Tableau) -> dict[str, Any]:
    entry = METHODS.get(method) if isinstance(method, str) else method
    if not hasattr(entry, "carries_back"):
        known = ", ".join(n for n, m in METHODS.items() if hasattr(m, "carries_back"))
        raise ValueError(f"no method for curved spaces: {method!r}; there are {known}")
    c, flows = tableau_flows(entry)  # type: ignore[arg-type]
    return {
        "name": method if isinstance(method, str) else entry.name,  # type: ignore[union-attr]
        "label": entry.name,  # type: ignore[union-attr]
        "c": list(map(float, c)),
        "flows": [[row.tolist() for row in rows] for rows in flows],
        "carriesBack": entry.carries_back,  # type: ignore[union-attr]
    }
