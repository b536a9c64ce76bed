"""The call of a live simulation as Python: what "Copy as Python" hands to a reader.

The page fills in the values that the reader has set: see setting.js.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy as sm

from tutlib.live.arguments import name_of_method, quoted
from tutlib.live.written import Writer
from tutlib.methods.integration import integrate
from tutlib.pictures.chart import Chart
from tutlib.reading.names import plain_name

#: What the page fills in, or leaves out.
_OF_THE_PAGE = ("model", "x0", "description", "method", "h", "chart")
_NAMES = ("model", "start", "times", "trajectory", "simulation")


def copied(
    call: Callable[..., Any], model: Any, given: Mapping[str, Any], simulated: Sequence[str]
) -> dict[str, Any]:
    """Return the parts of the Python that makes a live simulation again, for the page.

    Parameters
    ----------
    call : function
        `live` or `live_in_space`.
    model : Model or SpatialModel
        With every input closed.
    given : mapping from str
        All arguments that the call was given.
    simulated : sequence of str
        The arguments of `integrate`, such as ``"{model}.field"``.

    Returns
    -------
    dict
        ``above`` (imports, symbols, definitions), ``call``, ``description``, ``model``,
        ``arguments``, ``views`` (flags that the call has), ``methods`` (those that are not known
        by a name), ``names``, ``others`` (the models of runs, by name, with the names of their
        parameters), ``simulated``, and ``comments`` on what is left out.
    """
    writer, comments = Writer(), []
    imported = [writer.value(function) for function in (call, integrate)]
    made = _tried(writer, model)
    if not made:
        made = str(given["name"])
        comments.append(f"Your own model must stand above this, with the name {made}.")
    defaults = {name: p.default for name, p in inspect.signature(call).parameters.items()}
    views = [name for name, default in defaults.items() if default is False]
    special = {*_OF_THE_PAGE, *views, *(n for n, v in given.items() if _same(v, defaults[n]))}
    others = _models_of_runs(writer, given.get("runs"))
    written = {n: _tried(writer, _by_name(v)) for n, v in given.items() if n not in special}
    lost = [name for name, text in written.items() if not text]
    comments += [f"Left out is {name}: nobody can tell how it was made." for name in lost]
    comments += _about_chart(given.get("chart"))
    methods = _own_methods(writer, given["methods"])
    comments += [f"Your own {name} must stand above this." for name in writer.missing]
    names = {name: writer.free_name(name) for name in _NAMES}
    return {
        "above": writer.above("numpy"),
        "call": imported[0],
        "description": given["description"],
        "model": made,
        "arguments": [f"{name}={text}" for name, text in written.items() if text],
        "views": views,
        "methods": methods,
        "names": names,
        "others": others,
        "simulated": [text.format(**names) for text in simulated],
        "comments": [f"# {line}" for text in comments for line in textwrap.wrap(text, 86)],
    }


def _tried(writer: Writer, value: Any) -> str:
    """Return a value as Python; empty if nobody can tell how it was made."""
    try:
        return writer.value(value)
    except TypeError:
        return ""


def _models_of_runs(writer: Writer, runs: Any) -> dict[str, list[str]]:
    """Give names to the models that runs bring along; return the parameters of each."""
    found = {}
    for model in (run.get("model") for run in (runs or {}).values()):
        if model is not None and _tried(writer, model):
            writer.define(name := writer.free_name("other"), model)
            found[name] = [plain_name(symbol) for symbol in model.parameters]
    return found


def _own_methods(writer: Writer, methods: Any) -> dict[str, str]:
    """Return methods that are not given by their names, as Python, by their names."""
    every = list(methods) if isinstance(methods, list | tuple) else [methods]
    own = {name_of_method(m): _tried(writer, m) for m in every if not isinstance(m, str)}
    return {name: text for name, text in own.items() if text}


def _by_name(value: Any) -> Any:
    """Return a mapping with names for symbols, and so those inside of it."""
    if not isinstance(value, Mapping):
        return value
    return {
        plain_name(key) if isinstance(key, sm.Basic) else key: _by_name(entry)
        for key, entry in value.items()
    }


def _same(value: Any, default: Any) -> bool:
    if value is default:
        return True
    return isinstance(value, str | int | float) and value == default


def _about_chart(chart: Chart | None) -> list[str]:
    """Say what is left out of a map: its values, which were computed."""
    if chart is None:
        return []
    x, y = (
        f"({quoted(plain_name(s) if isinstance(s, sm.Basic) else s)}, {low:g}, {high:g})"
        for s, low, high in (chart.x, chart.y)
    )
    return [
        "The map of starts is left out, for its values were computed. With an array of such "
        f"values, chart=Chart(values, {x}, {y}, {quoted(chart.description)}) brings it back."
    ]
