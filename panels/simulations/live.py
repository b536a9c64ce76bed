"""Live simulations: the equations of a model, as a program that runs in the page.

The reader moves sliders, drags the mechanism, and changes the method; no kernel is needed. Every
chapter has one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sm
from numpy.typing import ArrayLike

from panels.drawing.bundle import script
from panels.drawing.frames import (
    Frame,
    as_literal,
    check_description,
    check_height,
    panel_css,
    still_picture,
)
from panels.simulations.arguments import (
    by_plain_name,
    name_of_method,
    name_of_variable,
    refuse_unknown_methods,
)
from panels.simulations.chart import Chart
from panels.simulations.controls import SLIDERS
from panels.simulations.copied_code import copied
from panels.simulations.energy_measure import AnyPower
from panels.simulations.motion import AnyMethod
from panels.simulations.packing import STYLE, constants, packed_motion, scripts_of, simulation
from panels.simulations.specification import Specification
from straightline.arguments import (
    instance,
    mapping,
    real_number,
    shown,
    text,
    truth,
    whole_number,
)
from tutlib.methods.checks import check_step_size
from tutlib.methods.integration import METHODS
from tutlib.models.model import Model
from tutlib.reading.motions import initial_state
from tutlib.reading.names import plain_name

if TYPE_CHECKING:
    from panels.simulations.widget import LiveWidget
    from tutlib.reading.parameters import Named

_START = (
    'mount(document.querySelector("main"), specification, await machines(program, specification));'
)
_RENDER = """
export default {
  async render({ model, el }) {
    return mount(el, specification, await machines(program, specification), model).stop;
  },
};
"""


def live(
    model: Model,
    x0: ArrayLike,
    description: str,
    *,
    sliders: Mapping[Named, Sequence[object]] | None = None,
    switches: Mapping[Named, Sequence[str]] | None = None,
    outputs: Mapping[str, Sequence[object]] | None = None,
    runs: Mapping[str, Mapping[Named, object]] | None = None,
    guides: Sequence[Sequence[object]] = (),
    units: Mapping[Named, str] | None = None,
    method: str = "rk4",
    h: float = 0.01,
    methods: Sequence[str | AnyMethod] = tuple(METHODS),
    push: float = 1.0,
    power: AnyPower = None,
    chart: Chart | None = None,
    trace: bool = False,
    portrait: bool = False,
    name: str = "model",
    height: int = 760,
    title: str = "",
    hint: str = "",
    presets: Mapping[str, Mapping[Named, object]] | None = None,
    main: Named | None = None,
    arrows: Mapping[str, Sequence[object]] | None = None,
    bars: Mapping[str, str] | None = None,
) -> LiveWidget:
    """Create a live simulation of a model.

    Parameters
    ----------
    model : Model
        A model whose inputs have expressions, from ``with_inputs``. An input with a slider may be
        left open; its initial value is 0.
    x0 : array, shape (k,)
        Initial state.
    description : str
        Description of the picture, in a sentence, for screen readers.
    sliders : mapping from parameter, input or state to (low, high, unit[, keys])
        Sliders. A parameter or an input changes the running motion, a state the initial state. A
        unit that starts with ``deg`` shows radians in degrees, including low and high. The two
        letters of ``keys``, such as ``"qe"``, move the slider down and up.
    switches : mapping from parameter to (label, key)
        Switches for parameters that are 1 or 0.
    outputs : mapping from label to (expression, unit)
        Numbers to show, such as a torque. They, and the arrows, may contain derivatives of states;
        the derivatives of impulses are the constraint forces.
    runs : mapping from label to mapping
        Several motions in one drawing, with one clock, dragged together. Each entry lists by name
        the settings that differ: parameters, states, ``"method"``, ``"h"``. A run with
        ``"ghost": True`` is drawn faint. A run with its own ``"model"`` must have the same points,
        lines, and bodies, and needs a ``"start"`` (initial state) unless its states are the same,
        too.
    guides : sequence of paths, each a sequence of (x, y)
        Thin lines through points in terms of the state [m], such as the target of a servo.
    units : mapping from state to str
        Units in which states are displayed. By default, those of the model, with degrees instead of
        radians, or ``"deg"`` and ``"deg/s"`` if the model has no units.
    method, h
        Initial method and step size [s].
    methods : sequence of str, ButcherTableau or function step(f, t, x, h) -> x
        Methods to choose from, possibly with your own step. Named methods that do not apply to the
        model are omitted.
    push : float
        Impulse of a push on the last body [N·s], to the right.
    power : Expr, sequence of Load, or mapping from str to one of them, optional
        The power [W], or the loads that do work, that may change the energy; the energy strip shows
        the remaining change. By default, it is the power that follows from the model's own
        equations, and the strip shows the *energy error of the method*. With ``model.loads``, or
        with an expression, the strip shows the *energy error of the model*, which includes mistakes
        in the equations. With a label, such as ``{"work of holding": power}``, it shows work that
        is not an error. The power also applies to runs with their own models, if they have the
        same states.
    chart : Chart, optional
        A map of initial states to choose from.
    trace, portrait : bool
        Whether the path of the last body and the phase portrait are initially shown.
    name : str
        Name of the simulation in the address of the page: the name of your variable.
    height : int
        Height of the frame [px], if the surrounding page does not adapt it to the content.
    title, hint : str
        Title of the panel, and a suggestion of what to try.
    presets : mapping from label to mapping
        Buttons with settings, each written like one of ``runs``: changes of the default settings.
        They may also contain ``"trace"``, ``"portrait"``, and ``"arrows"``, a list of labels.
    main : symbol or str, optional
        The control that is never folded: one of ``sliders``, ``"h"``, or ``"method"``. The default
        is the first slider.
    arrows : mapping from label to (point, value, unit[, role])
        Arrows that readers can show, drawn to scale; they are initially visible if all presets show
        them. The point is an index in the skeleton or a position (x, y) [m]; the value is a pair
        (x, y), or a number for a torque; the role is ``"force"``, ``"constraint"``, or
        ``"velocity"``. The default role is velocity for values in m/s, and force otherwise. Arrows
        of the velocities of bodies are always available. Arrows of the same unit share a scale.
    bars : mapping from label of an output to role
        Outputs to draw as signed bars on one scale, in place of the energy strip; they need one
        unit. The role, which sets the color, is one of those of ``arrows``, or ``""``.

    Returns
    -------
    LiveWidget
        The simulation. Without a kernel, it displays itself as HTML. With a kernel, you can read
        and set ``state``, ``parameters``, ``method``, ``step_size``, and ``running``.

    Raises
    ------
    TypeError, ValueError
        If an input has no expression, a parameter has no value, a name is unknown, a range is
        empty, the initial state has a wrong shape, the method is unknown, a function cannot be
        computed, or your own step cannot be traced because it needs the value of a number or is
        not a pure function.
    """
    instance(model, "what is simulated", Model, "a model has equations, energies and points")
    check_description(description)
    name, height = name_of_variable(name), check_height(height)
    check_step_size(step_size := real_number(h, "the step h"))
    start = initial_state(x0)
    model = _with_sliders_as_inputs(model, mapping(sliders, "sliders", SLIDERS))
    model.compile()  # rejects what cannot be simulated, with a clear sentence
    if len(start) != len(model.equations.states):
        raise ValueError(f"{model.name} has {len(model.equations.states)} states; got {len(start)}")
    spec = Specification(
        model,
        start,
        sliders=sliders,
        switches=switches,
        outputs=outputs,
        runs=runs,
        guides=guides,
        units=units,
        methods=methods,
        power=power,
        chart=chart,
        arrows=arrows,
        presets=presets,
        main=main,
        bars=bars,
    )
    data = spec.data() | {
        "name": name,
        "description": description,
        "title": text(title, "the title"),
        "hint": text(hint, "the hint"),
        "method": name_of_method(method),
        "h": step_size,
        "push": real_number(push, "push"),
        "trace": truth(trace, "trace"),
        "portrait": truth(portrait, "portrait"),
    }
    refuse_unknown_methods([data, *data["runs"], *data["presets"]], spec.methods)
    parameters = map(plain_name, model.parameters)
    data |= copied(parameters, spec.methods, _simulated(model))
    return _widget(model, data, spec, height)


def live_one_of(
    name: str, simulations: Mapping[str, LiveWidget], first: int = 0, height: int = 800
) -> Frame:
    """Show several live simulations in one panel, with a slider to choose among them.

    Parameters
    ----------
    name : str
        The quantity that the slider changes, such as ``"links"``.
    simulations : mapping from label to LiveWidget
        The simulations, in the order of the slider.
    first : int
        Index of the simulation that is initially shown.
    height : int
        Height of the frame [px], if the surrounding page does not adapt it to the content.

    Returns
    -------
    Frame
        A frame that displays itself, with a kernel or without.

    Raises
    ------
    TypeError
        If an entry is not a live simulation.
    ValueError
        If there are no simulations, or ``first`` is not an index of one.
    """
    first = whole_number(first, "first")
    text(name, "the name of the slider")
    for widget in mapping(simulations, "simulations", '{"two": live(...)}').values():
        if not hasattr(widget, "specification"):
            raise TypeError(f"each of the simulations must come from live; got {shown(widget)}")
    if not 0 <= first < len(simulations):
        raise ValueError(f"first must be one of {len(simulations)} simulations; got {first}")
    begins = list(simulations.values())[first]
    choices = ", ".join(
        f"{{label: {as_literal(str(label))}, specification: {as_literal(widget.specification)}, "
        f"program: {as_literal(widget.program)}}}"
        for label, widget in simulations.items()
    )
    start = f"mountOneOf(document.querySelector('main'), {as_literal(name)}, [{choices}], {first});"
    specifications = [widget.specification for widget in simulations.values()]
    module = script(*scripts_of(*specifications), "panels/simulations/choice.js") + start
    page = _page(begins.formulas.model, begins.specification, module, height)
    return Frame(page, tuple(simulations.values()))


def _with_sliders_as_inputs(model: Model, sliders: Mapping[Named, object]) -> Model:
    """Return a model with a parameter of the same name for each input that has a slider."""
    wanted = by_plain_name(sliders)
    names = {symbol: plain_name(symbol) for symbol in model.equations.inputs}
    held = {symbol: sm.Symbol(name) for symbol, name in names.items() if name in wanted}
    if not held:
        return model
    return model.with_inputs(held, parameters=dict.fromkeys(held.values(), 0.0))


def _simulated(model: Model) -> list[str]:
    """Return the arguments of `integrate`; an initial state with open loops is made consistent."""
    eom, begins = model.equations, ["{model}.compile()", "{times}"]
    if not model.constraints:
        return [*begins, "{start}"]
    moving = len(eom.q) + len(eom.u) - eom.multipliers
    start = f"{{model}}.consistent_state({{start}}[:{moving}])"
    return [*begins, start, "after_step={model}.projection()"]


def _widget(model: Model, data: dict[str, Any], spec: Specification, height: int) -> LiveWidget:
    from panels.simulations.widget import (
        LiveWidget,
    )  # anywidget is slow to import, so only when needed

    program = packed_motion(spec.motion())
    motions = spec.motions_of_runs()
    for label, run in zip(spec.runs_, data["runs"]):
        if label in motions:
            run["program"] = packed_motion(motions[label])
    module = script(*scripts_of(data)) + constants(data, program)
    files = {"_esm": module + _RENDER, "_css": panel_css(STYLE)}
    widget: LiveWidget = type("LiveWidget", (LiveWidget,), files)(
        page=_page(model, data, module + _START, height),
        names=[item["name"] for item in data["parameters"]],
        methods=[item["name"] for item in data["methods"]],
        symbols={item["name"]: s for item, s in zip(data["parameters"], spec.parameters)},
        parameters={item["name"]: item["value"] for item in data["parameters"]},
        state=data["x0"],
        method=data["method"],
        step_size=data["h"],
    )
    widget.formulas, widget.specification, widget.program = spec, data, program
    return widget


def _page(model: Model, data: Mapping[str, Any], module: str, height: int) -> str:
    points = {"": model.positions(np.zeros(1), np.array([data["x0"]]))[0]}
    still = still_picture(points, model.skeleton, data["box"], values=model.parameters)
    return simulation(data, module, still, height)
