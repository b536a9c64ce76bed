"""Controls of a live simulation: sliders, switches, and the units of what they set.

Values that are set in degrees are shown in degrees, in the text and in the plots.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from panels.drawing.bundle import resource
from panels.simulations.arguments import nice_step, scale, short, slider_range
from panels.simulations.name_index import NameIndex
from straightline.arguments import mapping, row, text
from tutlib.plots.state_units import in_degrees, state_unit
from tutlib.reading.names import label_of, plain_name
from tutlib.reading.parameters import Named

#: Example of sliders, for error messages.
SLIDERS = '{"l": (0.5, 3, "m")}'
#: The label and the key of each control that every simulation has; panel.js and keys.js read them.
CONTROLS: dict[str, dict[str, str]] = json.loads(resource("panels/simulations/controls.json"))[
    "controls"
]
#: The keys that no slider or switch may take: digits choose the method.
_KEYS = {control["key"] for control in CONTROLS.values() if "key" in control} | {*"0123456789"}


class Controls:
    """Sliders, switches and units, as `live` is given them.

    Parameters
    ----------
    model : Model or SpatialModel
    name_index : NameIndex
    sliders, switches, units : mapping
    main : symbol or str, optional
        The quantity whose slider is never folded, or ``"h"`` or ``"method"``.
    """

    def __init__(
        self,
        model: Any,
        name_index: NameIndex,
        sliders: Mapping[Named, Sequence[object]] | None,
        switches: Mapping[Named, Sequence[str]] | None,
        units: Mapping[Named, str] | None,
        main: Named | None,
    ) -> None:
        self.model, self.name_index, self.main = model, name_index, main
        self.sliders = mapping(sliders, "sliders", SLIDERS)
        self.switches = mapping(switches, "switches", '{"on": ("motor", "m")}')
        self.units = mapping(units, "units", '{"theta": "rad"}')

    def data(self) -> dict[str, Any]:
        """Return sliders, switches, and which of the controls is the main one.

        Raises
        ------
        ValueError
            If a key is already in use, or a range is invalid.
        """
        sliders = [
            self._slider(name, *slider_range(entry, name))
            for name, entry in self.name_index.matched(self.sliders)
        ]
        switches = [
            self._switch(name, *row(entry, f"the switch for {name}", 1, "label[, key]"))
            for name, entry in self.name_index.matched(self.switches)
        ]
        taken = _KEYS - {"Space"}
        for key in (*(k for s in sliders for k in s["keys"]), *(s["key"] for s in switches)):
            if key and (len(key) > 1 or key in taken):
                raise ValueError(f"the key {key!r} is taken; taken are {' '.join(sorted(taken))}")
            taken.add(key)
        return {"sliders": sliders, "switches": switches, "main": self._main()}

    def _switch(self, name: str, label: object, key: object = "") -> dict[str, Any]:
        target, index = self.name_index.target_and_index(name)
        if target != "p":
            raise ValueError(f"{name} is a state; only a parameter can have a switch")
        words = {"label": label, "key": key}
        return {"index": index, **{k: text(v, f"the {k} of {name}") for k, v in words.items()}}

    def states(self) -> list[dict[str, Any]]:
        """Return name, label, meaning and unit of each state."""
        n, units = len(self.model.equations.q), self._given_units()
        eom, states = self.model.equations, []
        for i, state in enumerate(self.name_index.states):
            moving = n + len(eom.u) - eom.multipliers
            default = "deg" if i < n else "deg/s" if i < moving else ""
            default = "N·s" if moving <= i < moving + eom.multipliers else default
            default = in_degrees(state_unit(self.model, state)) or default
            unit = text(units.get(plain_name(state), default), f"the unit of {plain_name(state)}")
            shown: dict[str, Any] = {"label": label_of(state), "unit": short(unit)}
            shown["scale"] = scale(unit)
            meaning = self.model.meaning(state)
            if moving <= i < moving + eom.multipliers:
                shown["hidden"] = (
                    True  # an impulse: its derivative is the force, which can be an output
                )
            states.append({"name": plain_name(state), "meaning": meaning, **shown})
        return states

    def _main(self) -> int | str:
        """Return the number of the slider that is never folded, or another control's name."""
        if self.main in ("h", "method"):
            return str(self.main)
        names = [name for name, _ in self.name_index.matched(self.sliders)]
        if self.main is None:
            return 0
        wanted, *_ = self.name_index.matched_name(self.main)
        if wanted not in names:
            raise ValueError(f"main is {wanted}, which has no slider; there are {', '.join(names)}")
        return names.index(wanted)

    def _given_units(self) -> dict[str, object]:
        """Return the given units; the unit of a slider is that of its state everywhere."""
        units = dict(self.name_index.matched(self.units))
        for name, entry in self.name_index.matched(self.sliders):
            unit = slider_range(entry, name)[2]
            if units.setdefault(name, unit) != unit:
                raise ValueError(
                    f"{name} is shown in {units[name]}, and its slider in {unit}: give one unit"
                )
        return units

    def _slider(self, name: str, low: float, high: float, unit: str, keys: str) -> dict[str, Any]:
        target, index = self.name_index.target_and_index(name)
        for end in filter(None, (low, high) if target == "p" else ()):  # any slider may include 0
            self.name_index.value(index, end)
        symbol = (self.name_index.parameters if target == "p" else self.name_index.states)[index]
        label, meaning = label_of(symbol), self.model.meaning(symbol)
        if target == "x0":
            label = label if meaning else f"{label} at the start"
            meaning = meaning and f"{meaning} at the start"
        return {
            "target": target,
            "index": index,
            "label": label,
            "meaning": meaning,
            "low": low,
            "high": high,
            "step": nice_step((high - low) / 200),
            "unit": short(unit),
            "scale": scale(unit),
            "keys": list(keys),
        }
