"""Live simulations of mechanisms on curved spaces: the Lie group integrator runs in the page.

The field, the maps of its space, and the steps of the methods are traced once in Python, and the
resulting program runs in the page. Chapters 8 and 9 have two each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sm
from numpy.typing import ArrayLike

from panels.drawing.bundle import script
from panels.drawing.frames import Frame, box_around, check_description
from panels.drawing.goals import point_of
from panels.drawing.space import ball_around, lines_data, seen, still_in_space
from panels.simulations.arguments import name_of_variable, refuse_unknown_methods
from panels.simulations.chart import Chart
from panels.simulations.comparison import preset_data
from panels.simulations.controls import Controls
from panels.simulations.copied_code import copied
from panels.simulations.maps import chart_data
from panels.simulations.motion import Motion
from panels.simulations.name_index import NameIndex
from panels.simulations.outputs import schema_of
from panels.simulations.packing import SCRIPT, constants, packed_motion, simulation
from straightline.aliases import Array
from straightline.arguments import (
    function,
    instance,
    mapping,
    real_array,
    real_number,
    row,
    several,
    text,
    truth,
)
from straightline.assignments import Number, Numbers
from straightline.compiled_function import compiled
from straightline.formulas import Formula
from tutlib.methods.checks import check_step_size
from tutlib.methods.integration import METHODS
from tutlib.methods.steps import Tableau
from tutlib.models.spatial import SpatialModel
from tutlib.reading.motions import initial_state
from tutlib.reading.names import label_of
from tutlib.spaces.space import refuse_start

_SCRIPTS = ("panels/simulations/machine.js", "panels/simulations/space.js", SCRIPT)
_START = """
mount(
  document.querySelector("main"), specification, await machines(program, specification), null,
  inSpace,
);"""
#: Arguments of `integrate`.
_SIMULATED = ("{model}.field", "{times}", "{start}")
_NAMED = ("euler", "heun", "kutta3", "rk4", "cf4")


def live_in_space(
    model: SpatialModel,
    x0: ArrayLike,
    description: str,
    *,
    sliders: Mapping[str, Sequence[object]] | None = None,
    readouts: Mapping[str, tuple[Callable[..., Number], str]] | None = None,
    method: str = "rk4",
    h: float = 0.01,
    methods: Sequence[str | Tableau] = _NAMED,
    conserved: bool = True,
    goals: Sequence[object] = (),
    view: Sequence[float] | None = None,
    follow: float = 0.0,
    chart: Chart | None = None,
    name: str = "model",
    height: int = 760,
    title: str = "",
    hint: str = "",
    presets: Mapping[str, Mapping[str, object]] | None = None,
    main: str | None = None,
) -> Frame:
    """Create a live simulation of a motion in space, with a view that readers can rotate.

    Parameters
    ----------
    model : SpatialModel
    x0 : array, shape (k,)
        Initial state, on the space of the model.
    description : str
        Description of the picture, in a sentence, for screen readers.
    sliders : mapping from a parameter's or a state's name to (low, high, unit[, keys])
        Sliders. A parameter changes the running motion, a state the initial state. A unit that
        starts with ``deg`` shows radians in degrees, including low and high. The two letters of
        ``keys`` move the slider down and up.
    readouts : mapping from label to (function (t, x, **parameters) -> number, unit)
        Numbers to show.
    method, h
        Initial method and step size [s].
    methods : sequence of str or tableau
        Methods to choose from: any explicit tableaus.
    conserved : bool
        Whether the energy is conserved; if not, because motors do work, its drift is not shown.
    goals : sequence
        Positions to mark with rings: each a point in the model's axes [m], of numbers, or a
        ``function (t, x, **parameters)`` that returns one.
    view : four float, optional
        Center and radius [m] of the visible area, third axis up. The default surrounds the initial
        state.
    follow : float
        Radius [m] of the visible area around the point that leaves a trace, which the view then
        follows; 0 for a fixed view.
    chart : Chart, optional
        A map of initial states, without zoom; an axis has the unit of its state's slider.
    name : str
        Name of the simulation in the address of the page.
    height : int
        Height of the frame [px], if the surrounding page does not adapt it to the content.
    title, hint : str
        Title of the panel, and a suggestion of what to try.
    presets : mapping from label to mapping
        Buttons with settings: changes of parameters, of the initial state, of ``"method"``,
        ``"h"``, or ``"trace"`` from the default settings.
    main : str, optional
        The control that is never folded: one of ``sliders``, ``"h"``, or ``"method"``. The default
        is the first slider.

    Returns
    -------
    Frame

    Raises
    ------
    TypeError
        If a function needs the value of a number during tracing: see `straightline.tracing`.
    ValueError
        If the initial state is not on the space, h is not positive, the description is empty, or a
        parameter or the method is unknown.
    """
    instance(model, "what is simulated", SpatialModel, "live is for motions in the plane")
    check_step_size(step_size := real_number(h, "the step h"))
    refuse_start(start := initial_state(x0), model.space)
    described = (
        f"{check_description(description)} Rotate it with the mouse, a finger, or the arrow keys."
    )
    tableaus = dict(several(methods, "methods", _tableau))
    shown_numbers = _readouts(readouts)
    marked = tuple(several(goals, "goals", point_of))
    formulas = SpatialFormulas(model, shown_numbers, marked, tableaus)
    data = _data(formulas, start, sliders, main)
    data |= {"name": name_of_variable(name), "description": described}
    data |= {"title": text(title, "the title"), "hint": text(hint, "the hint")}
    data |= {"method": method, "h": step_size, "conserved": truth(conserved, "conserved")}
    data["presets"] = _presets(model, presets)
    data |= copied(model.field.parameters, tableaus, _SIMULATED)
    if view is not None:
        data["ball"] = real_array(view, "view", (4,)).tolist()
    data["follow"] = real_number(follow, "how far is seen", "zero or positive")
    data |= _map(model, chart, data["sliders"])
    refuse_unknown_methods([data, *data["presets"]], tableaus)
    program = packed_motion(formulas.motion())
    page = _page(formulas, start, data, program, height)
    return Frame(page, (SpatialSimulation(data, formulas),))


def _page(
    formulas: SpatialFormulas,
    start: Array,
    data: Mapping[str, Any],
    program: Mapping[str, object],
    height: int,
) -> str:
    model, rows = formulas.model, (np.zeros(1), start[None])
    points = model.positions(*rows)[0]
    goals = np.array([model.places(goal, *rows)[0] for goal in formulas.goals]).reshape(-1, 3)
    box = box_around(seen(np.concatenate([points, goals])))
    still = still_in_space({"": points}, model.skeleton, box, goals=goals)
    module = script(*_SCRIPTS) + constants(data, program) + _START
    return simulation(data, module, still, height)


@dataclass(frozen=True)
class SpatialSimulation:
    """A live simulation on a space: the page's specification, and the formulas of its program.

    Parameters
    ----------
    specification : mapping
    formulas : SpatialFormulas
    """

    specification: Mapping[str, Any]
    formulas: SpatialFormulas


@dataclass(frozen=True)
class SpatialFormulas:
    """A model on a space and the numbers to show, as formulas.

    Parameters
    ----------
    model : SpatialModel
    readouts : mapping from label to (function (t, x, **parameters) -> number, unit)
    goals : tuple of function (t, x, **parameters) -> array, shape (3,)
    methods : mapping from name to tableau
    """

    model: SpatialModel
    readouts: Mapping[str, tuple[Callable[..., Any], str]]
    goals: tuple[Callable[..., Any], ...]
    methods: Mapping[str, Tableau]

    def outputs(self, t: Number, x: Numbers, **p: Number) -> Array:
        """Return energy, points and goals with the third axis up, and the numbers to show.

        `counts` gives their numbers by kind.
        """
        shown = [compiled(function)(t, x, **p) for function, _ in self.readouts.values()]
        energy = self.model.energy(t, x, **p)
        drawn = np.ravel(self.model.drawn(t, x, **p))
        goals = [self.model.upright(compiled(goal)(t, x, **p)) for goal in self.goals]
        return np.array([energy, *drawn, *np.ravel(goals), *shown])

    def counts(self, points: int) -> dict[str, int]:
        """Return the number of outputs of each kind, in their order; the last points are goals."""
        points += len(self.goals)
        return {"energies": 1, "points": 3 * points, "readouts": len(self.readouts)}

    def motion(self) -> Motion:
        """Return the motion as the page runs it."""
        field, k = self.model.field, self.model.space.dimension
        names = tuple(field.parameters)
        return Motion(
            states=k,
            parameters=len(names),
            rates=field.traced(k),
            outputs=Formula(self.outputs, (None, k, len(names)), names),
            methods=list(self.methods.values()),
            space=self.model.space,
        )


def _data(formulas: SpatialFormulas, start: Array, sliders: object, main: object) -> dict[str, Any]:
    model = formulas.model
    points = model.positions(np.zeros(1), start[None])[0]
    parameters = [{"name": n, "value": v} for n, v in model.field.parameters.items()]
    return {
        "size": {
            "states": len(start),
            "coordinates": 0,
            "axes": 3,
            "holdable": False,
            "outputs": schema_of(formulas.counts(len(points))),
        },
        "goals": [len(points) + i for i in range(len(formulas.goals))],
        "handles": [],
        "skeleton": lines_data(model.skeleton),
        "guides": [],
        "states": [_state(model, name) for name in model.state_names],
        "parameters": parameters,
        "readouts": [
            {"label": label, "unit": unit} for label, (_, unit) in formulas.readouts.items()
        ],
        **_controls(model, start, sliders, main),
        "runs": [{"label": "", "parameters": {}, "state": {}}],
        "methods": [{"name": key, "label": t.name} for key, t in formulas.methods.items()],
        "x0": start.tolist(),
        "box": [-1, -1, 1, 1],
        "ball": ball_around(np.concatenate([points, -points])),
        "down": model.down,
        "push": 0,
        "trace": True,
        "portrait": False,
    }


def _readouts(readouts: object) -> dict[str, tuple[Callable[..., Number], str]]:
    by_label = {}
    for label, value in mapping(readouts, "readouts", '{"height": (height, "m")}').items():
        shown, unit = row(value, f"readouts[{label!r}]", 2, "function, unit")
        shown = function(shown, f"the readout {label}", "t, x, **parameters")
        by_label[text(label, "a readout")] = (shown, text(unit, f"the unit of {label}"))
    return by_label


def _state(model: SpatialModel, name: str) -> dict[str, object]:
    return {"name": name, "meaning": model.meaning(name), "hidden": True}


def _map(model: SpatialModel, chart: Chart | None, sliders: Any) -> dict[str, object]:
    if chart is None:
        return {}
    chart, name_index = instance(chart, "chart", Chart), _name_index(model)
    units = {s["index"]: s for s in sliders if s["target"] == "x0"}
    bare, values = {"meaning": "", "unit": "", "scale": 1.0}, model.field.parameters.values()
    starts = [units.get(i, bare) | {"label": label_of(q)} for i, q in enumerate(name_index.states)]
    return {"chart": chart_data(chart, name_index, starts, sliders, [*values])}


def _presets(model: SpatialModel, presets: object) -> list[dict[str, object]]:
    """Return the named settings."""
    name_index, example = _name_index(model), '{"Choose Euler": {"method": "euler"}}'
    every = mapping(presets, "presets", example).items()
    return [preset_data(label, preset, name_index, ()) for label, preset in every]


def _name_index(model: SpatialModel) -> NameIndex:
    """Return the parameters of a field and the states of its space by name."""
    names = model.field.parameters, model.state_names
    return NameIndex(*([sm.Symbol(name) for name in each] for each in names))


def _controls(model: SpatialModel, start: Array, sliders: Any, main: object) -> dict[str, object]:
    """Return the sliders and the main one; reject sliders that leave the space."""
    controls = Controls(model, _name_index(model), sliders, None, None, main).data()
    for slider in controls["sliders"]:
        for end in (slider["low"], slider["high"]) if slider["target"] == "x0" else ():
            moved = start.copy()
            moved[slider["index"]] = end / slider["scale"]
            refuse_start(moved, model.space)
    return controls


def _tableau(method: str | Tableau) -> tuple[str, Tableau]:
    entry = METHODS.get(method) if isinstance(method, str) else method
    if not isinstance(entry, Tableau):
        names = ", ".join(n for n, m in METHODS.items() if isinstance(m, Tableau))
        raise ValueError(f"no method for curved spaces: {method!r}; choose from {names}")
    return (method if isinstance(method, str) else entry.name), entry
