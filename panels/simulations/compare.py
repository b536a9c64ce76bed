"""Measured and computed motions in one panel: a time window to drag, residuals, and a fit.

Chapter 12 compares recordings with models this way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sm

from panels.drawing.bundle import script
from panels.drawing.frames import (
    as_literal,
    box_around,
    check_description,
    check_height,
    panel_css,
    skeleton_data,
    still_picture,
)
from panels.simulations.arguments import name_of_variable, nice_step, scale, short, slider_range
from panels.simulations.controls import SLIDERS
from panels.simulations.measured_motion import (
    measured_program,
    packed_recording,
    steps_between,
    thinned,
)
from panels.simulations.packing import STYLE, packed, simulation
from straightline.aliases import Array
from straightline.arguments import instance, mapping, real_array, text
from tutlib.fields import Field
from tutlib.identification.recordings import Recording
from tutlib.models.model import Model
from tutlib.reading.names import label_of
from tutlib.reading.parameters import Named, match_names

if TYPE_CHECKING:
    from panels.simulations.widget import LiveWidget

_SCRIPTS = (
    "panels/simulations/machine.js",
    "panels/simulations/measured_motion.js",
    "panels/simulations/compare.js",
)
_STYLES = (STYLE, "panels/simulations/compare.css")
_MACHINES = "await machines(stepping, comparison), await samplesOf(comparison)"
_START = f'mount(document.querySelector("main"), comparison, {_MACHINES});'
_RENDER = f"""
export default {{
  async render({{ model, el }}) {{
    return mount(el, comparison, {_MACHINES}, model).stop;
  }},
}};
"""


def compare(
    f: Field,
    recording: Recording,
    description: str,
    *,
    model: Model,
    sliders: Mapping[Named, Sequence[object]],
    window: Sequence[float],
    name: str = "comparison",
    height: int = 1100,
    title: str = "",
    hint: str = "",
) -> LiveWidget:
    """Show a measured and a computed motion, and fit the parameters to a window of time.

    The computed motion starts from the measured state at the beginning of the window. The page
    keeps a sample every 10 ms or so, integrates with the classical Runge-Kutta method, in steps of
    at most 4 ms, and minimizes the squared residuals with the Levenberg-Marquardt method. A fit
    varies the parameters that have sliders and the initial state of the window.

    Parameters
    ----------
    f : Field
        The equations, with states [angles, angular velocities] of the recording. If they have more
        names than states, the remaining ones are the torques of the recording, which are
        interpolated linearly.
    recording : Recording
    description : str
        Description of the picture, in a sentence, for screen readers.
    model : Model
        The drawing, whose coordinates are the angles of the recording.
    sliders : mapping from parameter to (low, high, unit)
        Parameters to change and to fit; a fit does not leave the limits. A unit that starts with
        ``deg`` shows radians in degrees, including low and high.
    window : (float, float)
        Initial beginning and end of the window [s].
    name : str
        Name of the panel in the address of the page.
    height : int
        Height of the frame [px], if the surrounding page does not adapt it to the content.
    title, hint : str
        Title of the panel, and a suggestion of what to try.

    Returns
    -------
    LiveWidget
        With a kernel, you can read and set ``parameters``, and ``state``, which is the window.

    Raises
    ------
    TypeError, ValueError
        If a slider names no parameter, a range is empty, the window lies outside of the recording,
        or the recording does not fit the equations or the drawing.
    """
    instance(f, "the equations", Field, "compile a model to get its field")
    instance(recording, "the recording", Recording, "recording reads one")
    instance(model, "the drawing", Model, "a model has points to draw")
    check_description(description)
    inputs = _check_sizes(f, recording, model)
    kept, speeds = thinned(recording)
    ends = _ends(window, kept)
    states = np.hstack([kept.q, speeds])
    points = model.positions(kept.t, states)
    start = points[np.searchsorted(kept.t, ends[0])]
    step = float(np.median(np.diff(kept.t))) / steps_between(kept)
    data: dict[str, Any] = {
        "name": name_of_variable(name),
        "description": description,
        "title": text(title, "the title"),
        "hint": text(hint, "the hint"),
        "parameters": [{"name": key, "value": value} for key, value in f.parameters.items()],
        "states": [{"name": "begin"}, {"name": "end"}],
        "x0": ends,
        "method": "rk4",
        "h": round(step, 9),
        "methods": [],
        "runs": [{}],
        "size": {},
        "sliders": _sliders(f, sliders, model),
        "angles": [label_of(q) for q in model.equations.q],
        "skeleton": skeleton_data(model.skeleton, model.parameters),
        "box": _box(points),
        "recording": packed_recording(kept, speeds, inputs),
    }
    program = packed(measured_program(f, model, kept, inputs))
    return _widget(model, data, program, start, check_height(height))


def _check_sizes(f: Field, recording: Recording, model: Model) -> int:
    """Return the number of torques; reject equations or a drawing of other coordinates."""
    n, drawn = int(recording.q.shape[1]), len(model.equations.q)
    if n != drawn:
        raise ValueError(f"the recording has {n} angles, and the drawing {drawn} coordinates")
    inputs = max(len(f.names) - 2 * n, 0)
    if f.names and inputs not in (0, n):
        raise ValueError(
            f"the equations need {2 * n} states, or also {n} torques; theirs are "
            f"{', '.join(f.names)}"
        )
    return inputs


def _ends(window: Sequence[float], recording: Recording) -> list[float]:
    begin, end = real_array(window, "the window", (2,)).tolist()
    first, last = recording.t[[0, -1]]
    if not first <= begin < end <= last:
        raise ValueError(
            f"the window must lie between {first:g} s and {last:g} s, its beginning before its "
            f"end; got {begin:g} s and {end:g} s"
        )
    return [begin, end]


def _box(points: Array) -> list[float]:
    """Return the visible area, with room for the support of a joint at its top."""
    left, bottom, right, top = box_around(points)
    return [round(edge, 4) for edge in (left, bottom, right, top + 0.1 * (top - bottom))]


def _sliders(f: Field, sliders: object, model: Model) -> list[dict[str, Any]]:
    """Return the sliders as panel.js expects them."""
    known = {sm.Symbol(key): key for key in f.parameters}
    given = mapping(sliders, "sliders", SLIDERS)
    matched = match_names(given, known, "no such parameter:", "there are")
    if not matched:
        raise ValueError("sliders must name a parameter: a fit changes those with sliders")
    return [_slider(known[s], entry, f, model) for s, entry in matched.items()]


def _slider(name: str, entry: object, f: Field, model: Model) -> dict[str, Any]:
    low, high, unit, keys = slider_range(entry, name)
    if keys:
        raise ValueError(f"the slider for {name} can have no keys here; got {keys!r}")
    value = f.parameters[name] * scale(unit)
    if not low <= value <= high:
        raise ValueError(f"the slider for {name} ends before its value, {value:g} {short(unit)}")
    return {
        "target": "p",
        "index": list(f.parameters).index(name),
        "label": label_of(sm.Symbol(name)),
        "meaning": model.meaning(sm.Symbol(name)),
        "low": low,
        "high": high,
        "step": nice_step((high - low) / 1000),
        "unit": short(unit),
        "scale": scale(unit),
    }


def _widget(
    model: Model, data: dict[str, Any], program: dict[str, Any], points: Array, height: int
) -> LiveWidget:
    from panels.simulations.widget import (
        LiveWidget,
    )  # anywidget is slow to import, so only when needed

    still = still_picture({"": points}, model.skeleton, data["box"], values=model.parameters)
    values = {"comparison": data, "stepping": program}
    module = script(*_SCRIPTS) + "".join(
        f"const {key} = {as_literal(value)};\n" for key, value in values.items()
    )
    files = {"_esm": module + _RENDER, "_css": panel_css(*_STYLES)}
    widget: LiveWidget = type("LiveWidget", (LiveWidget,), files)(
        page=simulation(data, module + _START, still, height, _STYLES),
        names=[item["name"] for item in data["parameters"]],
        methods=[data["method"]],
        parameters={item["name"]: item["value"] for item in data["parameters"]},
        state=data["x0"],
        method=data["method"],
        step_size=data["h"],
    )
    widget.specification, widget.program = data, program
    return widget
