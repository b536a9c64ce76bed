"""Specification of a live simulation: the motion, names, ranges, and methods of a model.

Used only by `live`, for the live simulations of all chapters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sm
import sympy.physics.mechanics as me

from panels.drawing.frames import skeleton_data
from panels.simulations.arguments import methods_to_choose_from, numbers_to_show, paths_of_guides
from panels.simulations.chart import Chart
from panels.simulations.comparison import RunModel, model_of_run, preset_data, run_data
from panels.simulations.controls import Controls
from panels.simulations.energy_measure import AnyPower, EnergyMeasure, Power, read_measure
from panels.simulations.in_the_plane import planar_motion, reach, refuse_unfollowed
from panels.simulations.maps import chart_data
from panels.simulations.motion import AnyMethod, Motion
from panels.simulations.name_index import NameIndex
from panels.simulations.outputs import Outputs, arrows_to_show, bars_to_show
from panels.simulations.zooms import zoom_data
from straightline.aliases import Array
from straightline.arguments import instance, mapping
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.methods.integration import METHODS
from tutlib.methods.tableaus import ButcherTableau
from tutlib.models.model import Model
from tutlib.reading.names import plain_name
from tutlib.reading.parameters import Named, parameter_values

_LABELS = {
    "semi_implicit_euler": "semi-implicit Euler",
    "velocity_verlet": "velocity Verlet",
    "verlet": "Verlet",
}


class Specification:
    """The data of a model for live.js; the arguments are those of `live`."""

    def __init__(
        self,
        model: Model,
        x0: Array,
        *,
        sliders: Mapping[Named, Sequence[object]] | None,
        switches: Mapping[Named, Sequence[str]] | None,
        outputs: Mapping[str, Sequence[object]] | None,
        runs: Mapping[str, Mapping[Named, object]] | None,
        guides: Sequence[Sequence[object]],
        units: Mapping[Named, str] | None,
        methods: Sequence[str | AnyMethod],
        power: AnyPower = None,
        chart: Chart | None = None,
        arrows: Mapping[str, Sequence[object]] | None = None,
        presets: Mapping[str, Mapping[Named, object]] | None = None,
        main: Named | None = None,
        bars: Mapping[str, str] | None = None,
    ) -> None:
        self.model, self.x0, self.eom = model, x0, model.equations
        self.outputs_ = numbers_to_show(outputs)
        self.bars = bars_to_show(bars, self.outputs_)
        self.runs_ = mapping(runs, "runs", '{"small steps": {"h": 0.001}}') or {"": {}}
        self.methods = self._that_fit(methods_to_choose_from(methods))
        self.measure = read_measure(power)
        self.chart = None if chart is None else instance(chart, "chart", Chart)
        self.guides = paths_of_guides(guides)
        self.presets = mapping(presets, "presets", '{"Choose Euler": {"method": "euler"}}')
        shown = [expression for expression, _ in self.outputs_.values()]
        self.outputs = Outputs(model, self.guides, shown, arrows_to_show(arrows, model))
        self.expressions = self.outputs.expressions()
        self.run_models = self._run_models()
        self.parameters, self.values = self._parameters()
        self.name_index = NameIndex(self.parameters, self.eom.states)
        self.controls = Controls(model, self.name_index, sliders, switches, units, main)

    def _run_models(self) -> dict[str, RunModel]:
        """Return the runs' own models by label."""
        models = {}
        for label, settings in self.runs_.items():
            settings = mapping(settings, f"the run {label}", '{"h": 0.001}')
            if model := model_of_run(label, settings, self.model):
                models[label] = model
        return models

    def _parameters(self) -> tuple[list[sm.Symbol], list[float]]:
        """Return the parameters of all models, and their values."""
        every = [(self.model, self._used(self.outputs, self.expressions))]
        for run in self.run_models.values():
            every.append((run.model, self._used(run.outputs, run.outputs.expressions())))
        values: dict[sm.Symbol, float] = {}
        needed: set[sm.Basic] = set()
        for model, expressions in every:
            of_model = set(model.equations.parameters).union(
                *(e.free_symbols for e in (*expressions, *model.constraints, *_shares(model)))
            )
            defaults = {s: v for s, v in model.parameters.items() if s in of_model}
            values, needed = {**defaults, **values}, needed | of_model
        parameters = sorted(needed - {me.dynamicsymbols._t}, key=str)
        return parameters, parameter_values(parameters, values)

    def _used(self, outputs: Outputs, expressions: list[sm.Expr]) -> list[sm.Expr]:
        """Return all expressions whose parameters a motion needs."""
        if self.measure.power is None:  # of the same symbols
            return expressions
        return [*expressions, self._power(outputs, expressions)[0]]

    def _power(self, outputs: Outputs, expressions: list[sm.Expr]) -> Power:
        """Return the power of the measure; that of its own equations for a run of other states."""
        same = outputs.model.equations.states == self.eom.states
        return (self.measure if same else EnergyMeasure()).power_of(outputs, expressions)

    def motion(self) -> Motion:
        """Return the model's motion as the page runs it."""
        for method in self.methods.values():
            if not isinstance(method, ButcherTableau) and method not in METHODS.values():
                refuse_unfollowed(method, self.model, self.x0)  # type: ignore[arg-type]
        power = self._power(self.outputs, self.expressions)
        return self._motion(self.model, self.expressions, power)

    def motions_of_runs(self) -> dict[str, Motion]:
        """Return the motions of the runs that have models of their own, by label."""
        motions = {}
        for label, run in self.run_models.items():
            expressions = run.outputs.expressions()
            power = self._power(run.outputs, expressions)
            motions[label] = self._motion(run.model, expressions, power)
        return motions

    def _motion(self, model: Model, expressions: list[sm.Expr], power: Power) -> Motion:
        eom, points, chosen = model.equations, model.skeleton.points, list(self.methods.values())
        handles = [points[i] for i in self._handles()] if _speeds_are_rates(eom) else []
        return planar_motion(model, self.parameters, expressions, power, chosen, handles)

    def _handles(self) -> list[int]:
        """Return the points that can be dragged: the bodies, or the end of the last line."""
        drawn = self.model.skeleton
        return list(drawn.bodies) or [drawn.lines[-1][-1] if drawn.lines else 0]

    def data(self) -> dict[str, Any]:
        """Return everything but the equations, ready for JSON."""
        drawn, groups = self.model.skeleton, self.outputs.groups()
        presets = [preset_data(*preset, self.name_index, groups) for preset in self.presets.items()]
        names = [group["name"] for group in groups] if presets else []
        return {
            **{name: True for name in names if all(each.get(name) for each in presets)},
            "size": self._size(self.outputs),
            "handles": self._handles(),
            "skeleton": skeleton_data(drawn, self.model.parameters),
            "guides": self._guides(),
            "states": self.controls.states(),
            "parameters": [
                {"name": plain_name(symbol), "value": value}
                for symbol, value in zip(self.parameters, self.values)
            ],
            "readouts": [{"label": k, "unit": unit} for k, (_, unit) in self.outputs_.items()],
            **(controls := self.controls.data()),
            **self._map(controls["sliders"]),
            "runs": [self._run(label, settings) for label, settings in self.runs_.items()],
            "bars": self.bars,
            "arrows": groups,
            "presets": presets,
            "methods": [
                {"name": n, "label": label_of_method(n, m)} for n, m in self.methods.items()
            ],
            "x0": self.x0.tolist(),
            "box": reach(self.model, self.x0, self._turning()),
            "conserved": self.model.upright == 1,
            "measure": self.measure.data(),
        }

    def _size(self, outputs: Outputs) -> dict[str, object]:
        eom = outputs.model.equations
        turning = self._turning() if eom.states == self.eom.states else [True] * len(eom.q)
        angles = [i for i in range(len(eom.q)) if turning[i]]
        return outputs.size(angles, _speeds_are_rates(eom))

    def _turning(self) -> list[bool]:
        """Return for each state whether it is shown in degrees."""
        return [s["scale"] != 1 for s in self.controls.states()]

    def _map(self, sliders: list[dict[str, Any]]) -> dict[str, object]:
        if self.chart is None:
            return {}
        data = chart_data(self.chart, self.name_index, self.controls.states(), sliders, self.values)
        if self.chart.zoom:
            values = dict(zip(map(plain_name, self.parameters), self.values))
            axes = (data["x"], data["y"])
            data["zoom"] = zoom_data(self.chart, self.model, self.x0, values, axes)
        return {"chart": data}

    def _guides(self) -> list[list[int]]:
        """Return the guides as indices of points, which follow those of the skeleton."""
        first, paths = len(self.model.skeleton.points), []
        for path in self.guides:
            paths.append(list(range(first, first + len(path))))
            first += len(path)
        return paths

    def _run(self, label: object, settings: object) -> dict[str, Any]:
        run = run_data(label, settings, self.name_index)
        if run["label"] in self.methods:
            run["label"] = label_of_method(run["label"], self.methods[run["label"]])
        if label not in self.run_models:
            return run
        outputs, start = self.run_models[label].outputs, self.run_models[label].start
        values = outputs.model.parameters
        own_values = {i: values[s] for i, s in enumerate(self.parameters) if s in values}
        differ = {i: float(v) for i, v in own_values.items() if v != self.values[i]}
        run |= {"size": self._size(outputs), "parameters": differ | run["parameters"]}
        return run if start is None else run | {"start": start.tolist()}

    def _that_fit(self, chosen: Sequence[object]) -> dict[str, AnyMethod]:
        """Return the step of each method that fits the model, by name."""
        methods: dict[str, AnyMethod] = {}
        for method in chosen:
            entry: Any = METHODS[method] if isinstance(method, str) else method
            if isinstance(entry, ButcherTableau):
                if not entry.is_explicit:
                    raise ValueError(
                        f"{entry.name} is implicit: a page supports only explicit methods"
                    )
                methods[method if isinstance(method, str) else entry.name] = entry
            elif not isinstance(method, str):
                methods[entry.__name__] = entry
            elif method in _LABELS and self._suits(method):
                methods[method] = entry
        return methods

    def _suits(self, method: str) -> bool:
        """Return whether a partitioned method fits the model."""
        eom = self.eom
        joins_three_points = method == "verlet" and (eom.auxiliary or self.model.constraints)
        return len(eom.q) == len(eom.u) and _speeds_are_rates(self.eom) and not joins_three_points


def label_of_method(name: str, method: AnyMethod) -> str:
    """Return the name of a method as a page shows it."""
    if isinstance(method, ButcherTableau):
        return method.name
    return _LABELS.get(name, name.replace("_", " "))


def _shares(model: Model) -> tuple[sm.Expr, sm.Expr]:
    """Return the shares of the projection after each step and in each evaluation."""
    return model.projected, model.evaluated


def _speeds_are_rates(eom: EquationsOfMotion) -> bool:
    """Return whether the first speeds are the rates of the coordinates, which handles need."""
    n = len(eom.q)
    return bool(eom.kinematic_matrix[:, :n] == sm.eye(n))
