"""Data of a `Chart` for chart.js: images, axes, and description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from panels.simulations.chart import Chart
from panels.simulations.name_index import NameIndex


def chart_data(
    chart: Chart,
    name_index: NameIndex,
    states: Sequence[Mapping[str, Any]],
    sliders: Sequence[Mapping[str, Any]],
    values: Sequence[float],
) -> dict[str, Any]:
    """Return the data that chart.js draws.

    Parameters
    ----------
    chart : Chart
    name_index : NameIndex
    states, sliders : sequence of mapping
        Those of the simulation: label, unit, scale.
    values : sequence of float
        Of the parameters.

    Returns
    -------
    dict
        ``x`` and ``y`` are the axes, ``images`` the maps, ``bar`` the meaning of the colors;
        ``follows`` is the parameter that chooses among the maps, or None, and ``drawn`` are those
        with sliders that change the motion, but not the map.

    Raises
    ------
    ValueError
        If an axis is not a state, or the map does not follow a parameter.
    """
    axes = {
        side: _axis(axis, name_index, states) for side, axis in (("x", chart.x), ("y", chart.y))
    }
    follows = _followed(chart, name_index, sliders)
    moved = [
        {**_entry(slider), "value": float(values[slider["index"]])}
        for slider in sliders
        if slider["target"] == "p" and (not follows or slider["index"] != follows["index"])
    ]
    return {
        **axes,
        "images": chart.images(),
        "bar": chart.bar(),
        "description": chart.description,
        "follows": follows,
        "drawn": moved,
    }


def _axis(
    axis: tuple[object, float, float], name_index: NameIndex, states: Sequence[Mapping[str, object]]
) -> dict[str, object]:
    name, low, high = axis
    name, target, index = name_index.matched_name(name)
    if target != "x0":
        raise ValueError(f"{name} is a parameter: the axes of a chart are states")
    state = states[index]
    meaning, label = state["meaning"], state["label"]
    label = f"{meaning} {label}" if meaning else f"{label} at the start"
    rest = {"scale": state["scale"], "low": float(low), "high": float(high)}
    rest |= {"letter": state["label"], "unit": state["unit"]}
    return {"index": index, "label": label, **rest}


def _followed(
    chart: Chart, name_index: NameIndex, sliders: Sequence[Mapping[str, object]]
) -> dict[str, object] | None:
    if chart.follows is None:
        return None
    name, values = chart.follows
    name, target, index = name_index.matched_name(name)
    if target != "p":
        raise ValueError(f"{name} is a state: a chart follows a parameter")
    plain = {"label": name, "unit": "", "scale": 1.0, "index": index}
    same = (s for s in sliders if (s["target"], s["index"]) == ("p", index))
    return {**_entry(next(same, plain)), "values": [float(value) for value in values]}


def _entry(slider: Mapping[str, Any]) -> dict[str, Any]:
    return {key: slider[key] for key in ("index", "label", "unit", "scale")}
