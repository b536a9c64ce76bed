"""Checks of the arguments of `live` and `live_in_space`: names, ranges, labels, and units."""

from __future__ import annotations

import keyword
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import sympy as sm

from straightline.aliases import Kind
from straightline.arguments import mapping, real_number, row, several, shown, text
from tutlib.methods.integration import METHODS
from tutlib.methods.tableaus import ButcherTableau
from tutlib.reading.expressions import read_expression
from tutlib.reading.names import plain_name
from tutlib.reading.parameters import Named


def name_of_variable(value: object) -> str:
    """Return the name of a variable; reject other text, because addresses contain the name."""
    if not isinstance(value, str) or not value.isidentifier() or keyword.iskeyword(value):
        raise ValueError(f"the name must be a Python name; got {shown(value)}")
    return value


def slider_range(value: object, name: str) -> tuple[float, float, str, str]:
    """Return low, high, unit and keys of a slider.

    Raises
    ------
    TypeError, ValueError
        Naming the slider.
    """
    low, high, unit, *rest = row(value, f"the slider for {name}", 3, "low, high, unit[, keys]")
    low, high = (real_number(v, f"an end of the slider for {name}") for v in (low, high))
    if not low < high:
        raise ValueError(f"the slider for {name} needs low < high; got {low:g} and {high:g}")
    keys = text(rest[0], f"keys of the slider for {name}") if rest else ""
    if len(keys) not in (0, 2):
        raise ValueError(f"the slider for {name} needs two keys, down and up; got {shown(keys)}")
    return low, high, text(unit, f"the unit of the slider for {name}"), keys


def numbers_to_show(outputs: object) -> dict[str, tuple[sm.Expr, str]]:
    """Return expression and unit by label."""
    numbers = {}
    for label, pair in mapping(outputs, "outputs", '{"torque": (tau, "N·m")}').items():
        value, unit = row(pair, f"outputs[{label!r}]", 2, "value, unit")
        numbers[text(label, "a label of outputs")] = (
            read_expression(value, f"the output {label}"),
            text(unit, f"the unit of the output {label}"),
        )
    return numbers


def name_of_method(method: object) -> str:
    """Return the name of a method, given by name or as an object."""
    if isinstance(method, ButcherTableau):
        return next((name for name, listed in METHODS.items() if listed is method), method.name)
    return method if isinstance(method, str) else str(getattr(method, "__name__", method))


def methods_to_choose_from(methods: object) -> list[object]:
    """Return methods as a list; reject other objects."""
    alone = isinstance(methods, str | ButcherTableau) or callable(methods)
    chosen = several([methods] if alone else methods, "methods", lambda method: method)
    for method in chosen:
        if isinstance(method, str) and method not in METHODS:
            raise ValueError(f"unknown method {method!r}; choose from {', '.join(METHODS)}")
        if not isinstance(method, str | ButcherTableau) and not hasattr(method, "__name__"):
            raise TypeError(
                "a method must be a name, a tableau, or a function step(f, t, x, h); got "
                f"{shown(method)}"
            )
    if not chosen:
        raise ValueError("methods must not be empty: the simulation needs an initial method")
    return chosen


def paths_of_guides(guides: object) -> list[list[tuple[sm.Expr, ...]]]:
    """Return the guides, each a list of points (x, y); reject other shapes."""
    paths = []
    for path in several(guides, "guides", lambda path: path):
        points = [list(np.ravel(p)) for p in several(path, "a guide", lambda point: point)]
        if not points or any(len(point) != 2 for point in points):
            raise TypeError(f"a guide must be a sequence of points (x, y); got {shown(path)}")
        paths.append([tuple(read_expression(v, "a guide's point") for v in p) for p in points])
    return paths


def by_plain_name(values: Mapping[Named, Kind]) -> dict[str, Kind]:
    """Return values given by symbol or by name, all by plain name."""
    return {plain_name(k) if isinstance(k, sm.Basic) else k: v for k, v in values.items()}


def refuse_unknown_methods(settings: Iterable[Mapping[str, Any]], names: Iterable[str]) -> None:
    """Reject with ValueError a ``"method"`` of a setting that is not among those to choose from."""
    for method in (setting["method"] for setting in settings if "method" in setting):
        if method not in names:
            raise ValueError(f"unknown method {method!r}; choose from {', '.join(names)}")


def scale(unit: str) -> float:
    """Return the factor from SI units to the displayed unit."""
    return 180 / math.pi if unit.startswith("deg") else 1


def short(unit: str) -> str:
    """Return the displayed form of a unit."""
    return unit.replace("deg", "°")


def nice_step(step: float) -> float:
    """Return the next larger of 1, 2 and 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(
        float(f"{factor * power:.12g}") for factor in (1, 2, 5, 10) if factor * power >= step
    )
