"""Widget of a live simulation in a notebook with a kernel: Python reads and sets the panel."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import anywidget
import sympy as sm
import traitlets

from straightline.arguments import real_array, real_number
from tutlib.reading.parameters import match_names, parameter_values

_COMPLAINT = "no such parameter:"


class LiveValues(dict[str, float]):
    """The parameters of a live simulation; setting an entry changes the page.

    Parameters
    ----------
    widget : LiveWidget
    values : mapping from name to float
    """

    def __init__(self, widget: LiveWidget, values: Mapping[str, float]) -> None:
        super().__init__(values)
        self._widget = widget

    def __setitem__(self, name: object, value: object) -> None:
        self.update({name: value})

    def update(self, *mappings: object, **named: object) -> None:
        """Set several parameters."""
        self._widget.parameters = dict(*mappings, **named)
        super().update(self._widget.parameters)

    def __ior__(self, values: object) -> LiveValues:  # type: ignore[misc, override]
        self.update(values)
        return self

    def setdefault(self, name: str, value: object = None) -> float:
        """Return a value; every parameter has one."""
        return self[name]

    def _keep(self, *_: object, **__: object) -> Any:
        raise TypeError(
            "the parameters of a simulation cannot be removed: set their values instead"
        )

    __delitem__ = pop = popitem = clear = _keep

    def __reduce__(self) -> tuple[object, ...]:
        return dict, (dict(self),)  # a copy is not connected to the page


class LiveState(list[float]):
    """The state of a live simulation; setting an entry changes the page.

    Parameters
    ----------
    widget : LiveWidget
    values : iterable of float
    """

    def __init__(self, widget: LiveWidget, values: Any) -> None:
        super().__init__(values)
        self._widget = widget

    def __setitem__(self, index: Any, value: Any) -> None:
        changed = list(self)
        changed[index] = value
        self._widget.state = changed
        super().__setitem__(slice(None), self._widget.state)

    def _keep(self, *_: object, **__: object) -> Any:
        raise TypeError(
            "the number and order of the entries of a state are fixed: set their values instead"
        )

    def __reduce__(self) -> Any:
        return list, (list(self),)  # a copy is not connected to the page

    append = extend = insert = remove = reverse = sort = _keep
    __delitem__ = __iadd__ = __imul__ = pop = clear = _keep


class _State(traitlets.Any):
    """State that also accepts an array."""

    def validate(self, obj: Any, value: object) -> Any:
        state = real_array(value, "the state", ("k",), finite=False)
        return LiveState(obj, state.tolist())


class _Number(traitlets.Float[float, Any]):
    """Real number, also of NumPy and SymPy."""

    def validate(self, obj: object, value: object) -> Any:
        return super().validate(obj, real_number(value, str(self.name), finite=False))


class LiveWidget(anywidget.AnyWidget):
    """A live simulation, created by `live`.

    Parameters
    ----------
    parameters : dict from name to float
        Values in SI units. Assign some or all of them.
    state : list of float
        x = [q..., u..., auxiliary...]; assign a state to continue from it.
    method : str
        The integrator.
    step_size : float
        In seconds.
    running : bool
        Whether the simulation is running.
    time : float
        Time [s], updated from the page about ten times per second.
    """

    parameters = traitlets.Any({}).tag(sync=True, echo_update=False)
    state = _State(())
    method = traitlets.Unicode().tag(sync=True, echo_update=False)
    step_size = _Number(0.01).tag(sync=True, echo_update=False)
    running = traitlets.Bool(False).tag(sync=True, echo_update=False)
    time = traitlets.Float(0.0)
    # The page reports the state many times a second, and Python sets it now and then. Each
    # direction has its own trait, and a count identifies reports that are older than an assignment.
    _assigned = traitlets.Dict({"count": 0}).tag(sync=True)
    _reported = traitlets.Dict().tag(sync=True, echo_update=False)
    _listening = False
    # Sources of the page, for `live_one_of` and for readers of the formulas.
    formulas: Any = None
    specification: Mapping[str, Any] = {}
    program: Mapping[str, Any] = {}
    page = traitlets.Unicode()
    symbols: Any = traitlets.Dict()
    names = traitlets.List(traitlets.Unicode())
    methods = traitlets.List(traitlets.Unicode())

    @traitlets.validate("parameters")
    def _check_parameters(self, proposal: Any) -> dict[str, float]:
        symbols = {name: self.symbols.get(name, sm.Symbol(name)) for name in self.names}
        values = match_names(proposal["value"], symbols.values(), _COMPLAINT, "there are")
        read = {
            str(symbol): parameter_values([symbol], {symbol: values[symbol]}) for symbol in values
        }
        return LiveValues(
            self, {**self.parameters, **{name: value for name, (value,) in read.items()}}
        )

    @traitlets.validate("state")
    def _check_state(self, proposal: Any) -> list[float]:
        state: list[float] = proposal["value"]
        if self.state and len(state) != len(self.state):
            raise ValueError(f"the state has {len(self.state)} entries; got {len(state)}")
        if not all(map(math.isfinite, state)):
            raise ValueError(f"the state must be finite; got {state}")
        return state

    @traitlets.observe("state")
    def _assign(self, change: Any) -> None:
        if not self._listening and change["old"]:
            state = list(self.state)
            order: dict[str, Any] = {"count": self._assigned["count"] + 1, "state": state}
            self._assigned = order

    @traitlets.observe("_reported")
    def _hear(self, change: Any) -> None:
        report = change["new"]
        if report.get("count") != self._assigned["count"]:
            return
        self._listening = True
        try:
            self.time, self.state = report["time"], report["state"]
        finally:
            self._listening = False

    @traitlets.validate("method")
    def _check_method(self, proposal: Any) -> str:
        if proposal["value"] not in self.methods:
            names = ", ".join(self.methods)
            raise ValueError(f"unknown method {proposal['value']!r}; choose from {names}")
        return str(proposal["value"])

    @traitlets.validate("step_size")
    def _check_step_size(self, proposal: Any) -> float:
        if not 0 < proposal["value"] < math.inf:
            raise ValueError(f"the step size must be positive and finite; got {proposal['value']}")
        return float(proposal["value"])

    def _repr_html_(self) -> str:
        return str(self.page)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Show the widget with a kernel, and a page that runs by itself without one."""
        shown = super()._repr_mimebundle_(**options)
        data, metadata = shown if isinstance(shown, tuple) else (shown, {})
        return {**(data or {}), "text/html": self.page}, metadata
