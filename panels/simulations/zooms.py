"""Programs that compute a map again for a part of it, in the page.

They are the programs that `ensemble` runs. Zooming into the map of flips in chapter 11 uses them;
zooming.js and end_times.js are the page's side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from panels.simulations.chart import Chart, EndTimes
from panels.simulations.packing import packed
from straightline.aliases import Array
from straightline.compiled_function import compiled
from tutlib.methods.ensemble_problem import Problem, make_problem
from tutlib.methods.ensemble_work import carry_out
from tutlib.models.model import Model

#: Number of lanes of an instruction in every browser.
LANES = 2
# Number of starts along each axis that are also computed here, and the share that must agree: in a
# chaotic system, starts that differ in the last bit may end differently.
_LOOKS, _ALIKE = 4, 0.75


def zoom_data(
    chart: Chart,
    model: Model,
    x0: Array,
    parameters: Mapping[str, float],
    axes: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Return the data with which the page computes a map again.

    Parameters
    ----------
    chart : Chart
        With a zoom.
    model : Model
    x0 : array, shape (k,)
        The start, of which the axes change two entries.
    parameters : mapping from str to float
        Those of the simulation, in its order.
    axes : sequence of mapping
        Those of x and y: ``index``, ``scale``, ``low`` and ``high``.

    Returns
    -------
    dict
        ``program`` is that of an `EnsembleLoop` as `packed` returns it; ``parameters`` are the
        indices of its parameters among those of the simulation; ``h``, ``steps`` and ``limits``;
        and ``p`` and ``x0``, for which the map is there already.

    Raises
    ------
    ValueError
        If the model has constraints, the limits do not fit, or the map shows other numbers.
    """
    zoom = chart.zoom
    assert zoom
    if model.constraints:
        raise ValueError(
            f"{model.name} has constraints: a map of freely chosen initial states cannot be "
            "recomputed"
        )
    start = np.array([x0], dtype=float)
    until = None if zoom.until is None else compiled(zoom.until)
    problem = make_problem(
        model.compile(),
        start,
        zoom.t_end,
        zoom.h,
        zoom.limits,
        zoom.method,
        None,
        until,
        None,
        None,
    )
    loop: Any = problem.loop
    _refuse_other_values(chart, zoom, problem, start, axes)
    return {
        "program": packed(replace(loop, lanes=LANES).program()),
        "parameters": [list(parameters).index(name) for name in problem.about["parameters"]],
        "h": problem.work.h,
        "steps": problem.work.steps,
        "limits": problem.work.limits.tolist(),
        "p": list(parameters.values()),
        "x0": x0.tolist(),
    }


def _refuse_other_values(
    chart: Chart,
    zoom: EndTimes,
    problem: Problem,
    start: Array,
    axes: Sequence[Mapping[str, Any]],
) -> None:
    """Reject values that differ from those the page would compute for the same starts."""
    values = np.asarray(chart.values, dtype=float)
    rows, columns = (np.unique(np.linspace(0, n - 1, _LOOKS).astype(int)) for n in values.shape)
    pixels = [(row, column) for row in rows for column in columns]
    starts = np.repeat(start, len(pixels), axis=0)
    for axis, which, count in zip(axes, (1, 0), values.shape[::-1]):
        ends = np.linspace(axis["low"], axis["high"], count) / axis["scale"]
        starts[:, axis["index"]] = [ends[pixel[which]] for pixel in pixels]
    times = carry_out(problem.work, starts, np.empty((len(pixels), 0))).t
    computed = np.where(times < zoom.t_end, times, np.inf)
    shown = np.array([values[pixel] for pixel in pixels])
    shown[~np.isfinite(shown)] = np.inf
    same = np.isclose(computed, shown, rtol=0, atol=zoom.h, equal_nan=True)
    if same.mean() < _ALIKE:
        (row, column), i = pixels[int(np.argmin(same))], int(np.argmin(same))
        raise ValueError(
            f"the values of the chart differ from those of its zoom: row {row}, column {column} "
            f"is {shown[i]:g}, but the zoom computes {computed[i]:g}; the first and last rows and "
            "columns are at the ends of y and x, and inf means that a motion is not over by t_end"
        )
