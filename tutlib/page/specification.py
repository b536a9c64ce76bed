"""What the page must know of a model to simulate it: its motion, names, ranges, methods.

Used by `live` alone, for the live simulations of all chapters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sm
import sympy.physics.mechanics as me

from tutlib.mechanics.parameters import match_names, parameter_values
from tutlib.mechanics.reading import read_expression
from tutlib.methods.integration import METHODS
from tutlib.methods.tableaus import ButcherTableau
from tutlib.models.model import Model
from tutlib.page.arguments import (
    as_python,
    by_plain_name,
    mapping,
    methods_to_choose_from,
    name_of_method,
    nice_step,
    numbers_to_show,
    paths_of_guides,
    row,
    scale,
    short,
    slider_range,
    text,
)
from tutlib.page.in_the_plane import energy_rate, motion, reach, refuse_unfollowed
from tutlib.page.motion import Method, Motion
from tutlib.pictures.chart import Chart
from tutlib.pictures.frames import skeleton_data
from tutlib.programs.arguments import instance, real_number
from tutlib.programs.names import label_of, plain_name
from tutlib.programs.right_hand_side import Array

#: Sliders as they are given.
SLIDERS = '{"l": (0.5, 3, "m")}'
#: What every simulation does by key: see live.js.
_KEYS = "sradtp0123456789"
_LABELS = {
    "semi_implicit_euler": "semi-implicit Euler",
    "velocity_verlet": "velocity Verlet",
    "verlet": "Verlet",
}


class Specification:
    """All that live.js needs to know of a model; the arguments are those of `live`."""

    def __init__(
        self,
        model: Model,
        x0: Array,
        sliders: Mapping[Any, Sequence[Any]] | None,
        switches: Mapping[Any, Sequence[str]] | None,
        outputs: Mapping[str, Sequence[Any]] | None,
        runs: Mapping[str, Mapping[Any, Any]] | None,
        guides: Sequence[Sequence[Any]],
        units: Mapping[Any, str] | None,
        methods: Sequence[str | Method],
        power: Any = None,
        chart: Chart | None = None,
    ) -> None:
        self.model, self.x0, self.eom = model, x0, model.equations
        self.sliders = mapping(sliders, "sliders", SLIDERS)
        self.switches = mapping(switches, "switches", '{"on": ("motor", "m")}')
        self.outputs_ = numbers_to_show(outputs)
        self.runs_ = mapping(runs, "runs", '{"small steps": {"h": 0.001}}') or {"": {}}
        self.units = mapping(units, "units", '{"theta": "rad"}')
        self.methods_ = methods_to_choose_from(methods)
        self.power = None if power is None else read_expression(power, "power")
        self.chart = None if chart is None else instance(chart, "chart", Chart)
        self.guides = paths_of_guides(guides)
        drawn = [*model.skeleton.points, *(point for path in self.guides for point in path)]
        points = [coordinate for point in drawn for coordinate in point]
        shown = [expression for expression, _ in self.outputs_.values()]
        energies = [model.kinetic_energy, model.potential_energy]
        self.expressions = self.eom.in_states([*energies, *points, *shown])
        every = [*self.expressions, *model.constraints]
        needed = set(self.eom.parameters).union(*(e.free_symbols for e in every))
        self.parameters = sorted(needed - {me.dynamicsymbols._t}, key=str)
        given = {symbol: v for symbol, v in model.parameters.items() if symbol in needed}
        self.values = parameter_values(self.parameters, given)
        self.names = [plain_name(symbol) for symbol in (*self.parameters, *self.eom.states)]

    def motion(self) -> Motion:
        """Return the model's motion as the page runs it."""
        points = self.model.skeleton.points
        handles = [points[i] for i in self._handles()] if self._speeds_are_rates() else []
        chosen = [method for _, _, method in self._chosen()]
        for method in chosen:
            if not isinstance(method, ButcherTableau) and method not in METHODS.values():
                refuse_unfollowed(method, self.model, self.x0)  # type: ignore[arg-type]
        return motion(
            self.model, self.parameters, self.expressions, self.power_of_states(), chosen, handles
        )

    def power_of_states(self) -> tuple[sm.Expr, list[sm.Symbol]]:
        """Return what may change the energy, and the symbols for the states' rates in it."""
        rates = [sm.Symbol(f"dx[{i}]") for i in range(len(self.eom.states))]
        if self.power is None:
            return energy_rate(sum(self.expressions[:2]), self.eom.states, rates), rates
        return self.power, rates

    def _handles(self) -> list[int]:
        """Return the points that can be taken hold of: bodies, else the end of the last line."""
        drawn = self.model.skeleton
        return list(drawn.bodies) or [drawn.lines[-1][-1] if drawn.lines else 0]

    def data(self) -> dict[str, Any]:
        """Return everything but the equations, ready for JSON."""
        drawn = self.model.skeleton
        return {
            "size": {
                "coordinates": len(self.eom.q),
                "speeds": len(self.eom.u),
                "states": len(self.eom.states),
                "points": len(drawn.points) + sum(map(len, self.guides)),
                "readouts": len(self.outputs_),
                "constraints": len(self.model.constraints),
                "energies": 2,
                "axes": 2,
                "holdable": self._speeds_are_rates(),
            },
            "handles": self._handles(),
            "skeleton": skeleton_data(drawn, self.model.parameters),
            "guides": self._guides(),
            "states": self._states(),
            "parameters": [
                {"name": plain_name(symbol), "value": value}
                for symbol, value in zip(self.parameters, self.values)
            ],
            "readouts": [{"label": k, "unit": unit} for k, (_, unit) in self.outputs_.items()],
            **self._controls(),
            **({"chart": self._chart(self.chart)} if self.chart else {}),
            "runs": [self._run(label, own) for label, own in self.runs_.items()],
            "methods": [{"name": name, "label": label} for name, label, _ in self._chosen()],
            "x0": self.x0.tolist(),
            "box": reach(self.model, self.x0, [s["scale"] != 1 for s in self._states()]),
        }

    def _controls(self) -> dict[str, Any]:
        sliders = [
            self._slider(name, *slider_range(given, name))
            for name, given in self._matched(self.sliders)
        ]
        switches = [
            self._switch(name, *row(given, f"the switch for {name}", 1, "label[, key]"))
            for name, given in self._matched(self.switches)
        ]
        taken = set(_KEYS)
        for key in (*(k for s in sliders for k in s["keys"]), *(s["key"] for s in switches)):
            if key and (len(key) > 1 or key in taken):
                raise ValueError(f"the key {key!r} is taken; taken are {' '.join(sorted(taken))}")
            taken.add(key)
        return {"sliders": sliders, "switches": switches}

    def _matched(self, given: Mapping[Any, Any]) -> list[tuple[str, Any]]:
        """Return given values with the plain names of the parameters or states they are for."""
        known = {sm.Symbol(name): name for name in self.names}
        matched = match_names(
            by_plain_name(given), known, "neither a parameter nor a state:", "there are"
        )
        return [(str(symbol), value) for symbol, value in matched.items()]

    def _place(self, name: str) -> tuple[str, int]:
        """Return where a value lives: among the parameters p or in the start x0, and its index."""
        number, parameters = self.names.index(name), len(self.parameters)
        return ("p", number) if number < parameters else ("x0", number - parameters)

    def _switch(self, name: str, label: str, key: str = "") -> dict[str, Any]:
        target, index = self._place(name)
        if target != "p":
            raise ValueError(f"{name} is a state: only a parameter can be switched")
        words = {"label": label, "key": key}
        return {"index": index, **{k: text(v, f"the {k} of {name}") for k, v in words.items()}}

    def _speeds_are_rates(self) -> bool:
        """Tell whether the first speeds are the coordinates' rates: as hold and push need them."""
        n = len(self.eom.q)
        return bool(self.eom.kinematic_matrix[:, :n] == sm.eye(n))

    def _guides(self) -> list[list[int]]:
        """Return the guides as indices of points, which follow those of the skeleton."""
        first, paths = len(self.model.skeleton.points), []
        for path in self.guides:
            paths.append(list(range(first, first + len(path))))
            first += len(path)
        return paths

    def _states(self) -> list[dict[str, Any]]:
        n, units = len(self.eom.q), dict(self._matched(self.units))
        found = []
        for i, state in enumerate(self.eom.states):
            moving = n + len(self.eom.u) - self.eom.multipliers
            default = "deg" if i < n else "deg/s" if i < moving else ""
            default = "N·s" if moving <= i < moving + self.eom.multipliers else default
            unit = text(units.get(plain_name(state), default), f"the unit of {plain_name(state)}")
            shown = {"label": label_of(state), "unit": short(unit), "scale": scale(unit)}
            found.append({"name": plain_name(state), **shown})
        return found

    def _slider(self, name: str, low: float, high: float, unit: str, keys: str) -> dict[str, Any]:
        target, index = self._place(name)
        for end in filter(None, (low, high) if target == "p" else ()):  # to 0 any slider may go
            self._value(index, end)
        label = label_of((self.parameters if target == "p" else self.eom.states)[index])
        return {
            "target": target,
            "index": index,
            "label": label if target == "p" else f"{label} at the start",
            "low": low,
            "high": high,
            "step": nice_step((high - low) / 200),
            "unit": short(unit),
            "scale": scale(unit),
            "keys": list(keys),
        }

    def _chart(self, chart: Chart) -> dict[str, Any]:
        axes = {}
        for side, (name, low, high) in (("x", chart.x), ("y", chart.y)):
            ((found, _),) = self._matched({name: None})
            target, index = self._place(found)
            if target != "x0":
                raise ValueError(f"{found} is a parameter: the axes of a chart are states")
            state = self._states()[index]
            label, unit = f"{state['label']} at the start", state["unit"]
            rest = {"scale": state["scale"], "low": float(low), "high": float(high)}
            axes[side] = {"index": index, "label": label, "unit": unit, **rest}
        return {**axes, "image": chart.image(), "description": chart.description}

    def _run(self, label: str, own: Mapping[Any, Any]) -> dict[str, Any]:
        own = mapping(own, f"the run {label}", '{"h": 0.001}')
        run: dict[str, Any] = {
            "label": text(label, "a label of runs"),
            "parameters": {},
            "state": {},
        }
        if "method" in own:
            run["method"] = name_of_method(own["method"])
        if "h" in own:
            run["h"] = real_number(own["h"], f"the step h of the run {label}", "positive")
        rest = {key: value for key, value in own.items() if key not in ("method", "h")}
        for name, value in self._matched(rest):
            target, index = self._place(name)
            if target == "p":
                run["parameters"][index] = self._value(index, value)
            else:
                run["state"][index] = real_number(value, f"{name} of the run {label}")
        return run

    def _value(self, index: int, value: Any) -> float:
        """Return a value of a parameter; refuse what its symbol was not declared to be."""
        symbol = self.parameters[index]
        return parameter_values([symbol], {symbol: value})[0]

    def _chosen(self) -> list[tuple[str, str, Method]]:
        """Return name, label and step of each method that fits the model."""
        found: list[tuple[str, str, Method]] = []
        for method in self.methods_:
            entry: Any = METHODS[method] if isinstance(method, str) else method
            if isinstance(entry, ButcherTableau):
                if not entry.is_explicit:
                    raise ValueError(f"{entry.name} is implicit: a page cannot take its steps")
                found.append((method if isinstance(method, str) else entry.name, entry.name, entry))
            elif not isinstance(method, str):
                found.append((entry.__name__, entry.__name__.replace("_", " "), entry))
            elif method in _LABELS and self._suits(method):
                found.append((method, _LABELS[method], entry))
        return found

    def _suits(self, method: str) -> bool:
        """Tell whether a method that treats coordinates and speeds differently fits the model."""
        eom = self.eom
        joins_three_points = method == "verlet" and (eom.auxiliary or self.model.constraints)
        return len(eom.q) == len(eom.u) and self._speeds_are_rates() and not joins_three_points

    def arguments(self) -> list[str]:
        """Return the arguments that made this, as lines of Python, for "Copy as Python"."""
        named = {
            "sliders": dict(self._matched(self.sliders)),
            "switches": dict(self._matched(self.switches)),
            "units": dict(self._matched(self.units)),
            "runs": {}
            if self.runs_ == {"": {}}
            else {k: by_plain_name(v) for k, v in self.runs_.items()},
        }
        return [f"{key}={as_python(value)}," for key, value in named.items() if value]
