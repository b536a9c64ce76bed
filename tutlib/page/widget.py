"""The live simulation in a notebook with a kernel: Python reads and sets what the page shows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets


class LiveWidget(anywidget.AnyWidget):
    """A live simulation, made by `live`.

    Parameters
    ----------
    parameters : dict from name to float
        Values in SI units. Assign some or all of them.
    state : list of float
        x = [q..., u..., auxiliary...]; assign it to continue from there.
    method : str
        The integrator.
    step_size : float
        In seconds.
    running : bool
        Whether time goes on.
    time : float
        In seconds; follows the page about ten times a second.
    """

    parameters = traitlets.Dict().tag(sync=True, echo_update=False)
    state = traitlets.List(traitlets.Float())
    method = traitlets.Unicode().tag(sync=True, echo_update=False)
    step_size = traitlets.Float(0.01).tag(sync=True, echo_update=False)
    running = traitlets.Bool(False).tag(sync=True, echo_update=False)
    time = traitlets.Float(0.0)
    # A state is told by the page many times a second, and set from here now and then. Each has a
    # way of its own, and a count by which a report that crossed an assignment is known as old.
    _assigned = traitlets.Dict({"count": 0}).tag(sync=True)
    _reported = traitlets.Dict().tag(sync=True, echo_update=False)
    _listening = False
    # What it was made of, for `live_one_of`, and for whoever reads its formulas.
    formulas: Any = None
    specification: Mapping[str, Any] = {}
    program: Mapping[str, Any] = {}
    page = traitlets.Unicode()
    names = traitlets.List(traitlets.Unicode())
    methods = traitlets.List(traitlets.Unicode())

    @traitlets.validate("parameters")
    def _check_parameters(self, proposal: Any) -> dict[str, float]:
        given: Mapping[str, Any] = proposal["value"]
        for name, value in given.items():
            if name not in self.names:
                raise ValueError(f"no such parameter: {name}; there are {', '.join(self.names)}")
            if isinstance(value, bool) or not math.isfinite(value):
                raise ValueError(f"{name} must be a finite number; got {value}")
        return {**self.parameters, **{name: float(value) for name, value in given.items()}}

    @traitlets.validate("state")
    def _check_state(self, proposal: Any) -> list[float]:
        state = [float(value) for value in proposal["value"]]
        if self.state and len(state) != len(self.state):
            raise ValueError(f"the state has {len(self.state)} entries; got {len(state)}")
        if not all(map(math.isfinite, state)):
            raise ValueError(f"the state must be finite; got {state}")
        return state

    @traitlets.observe("state")
    def _assign(self, change: Any) -> None:
        if not self._listening and change["old"]:
            order: dict[str, Any] = {"count": self._assigned["count"] + 1, "state": self.state}
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
            known = ", ".join(self.methods)
            raise ValueError(f"unknown method {proposal['value']!r}; the methods are {known}")
        return str(proposal["value"])

    @traitlets.validate("step_size")
    def _check_step_size(self, proposal: Any) -> float:
        if not 0 < proposal["value"] < math.inf:
            raise ValueError(f"the step size must be positive and finite; got {proposal['value']}")
        return float(proposal["value"])

    def _repr_html_(self) -> str:
        return str(self.page)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Show the widget where there is a kernel, else a page that runs by itself."""
        shown = super()._repr_mimebundle_(**options)
        data, metadata = shown if isinstance(shown, tuple) else (shown, {})
        return {**(data or {}), "text/html": self.page}, metadata
