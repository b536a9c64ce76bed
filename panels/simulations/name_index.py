"""Index of the named quantities of a live simulation: its parameters and its states.

Sliders, switches, units, runs, and presets of `live` all name parameters and states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sm

from panels.simulations.arguments import by_plain_name, name_of_method
from straightline.arguments import real_number
from tutlib.reading.names import plain_name
from tutlib.reading.parameters import Named, match_names, parameter_values


class NameIndex:
    """The parameters and the states of a simulation, by name.

    Parameters
    ----------
    parameters : sequence of Symbol
        The entries of the array p.
    states : sequence of dynamicsymbols
        The entries of the initial state.
    """

    def __init__(self, parameters: Sequence[sm.Symbol], states: Sequence[sm.Expr]) -> None:
        self.parameters, self.states = parameters, states
        self.names = [plain_name(symbol) for symbol in (*parameters, *states)]

    def matched(self, values: Mapping[Named, object]) -> list[tuple[str, object]]:
        """Return given values with the plain names of the parameters or states they are for.

        Raises
        ------
        ValueError
            If a name is neither.
        """
        symbols = {sm.Symbol(name): name for name in self.names}
        matched = match_names(
            by_plain_name(values), symbols, "neither a parameter nor a state:", "there are"
        )
        return [(str(symbol), value) for symbol, value in matched.items()]

    def target_and_index(self, name: str) -> tuple[str, int]:
        """Return the target of a name, ``"p"`` or ``"x0"``, and its index there."""
        number, parameters = self.names.index(name), len(self.parameters)
        return ("p", number) if number < parameters else ("x0", number - parameters)

    def matched_name(self, name: Named) -> tuple[str, str, int]:
        """Return the plain name of a parameter or a state, its target, and its index."""
        ((plain, _),) = self.matched({name: None})
        return (plain, *self.target_and_index(plain))

    def value(self, index: int, value: object) -> float:
        """Return a value of a parameter; reject what its symbol was not declared to be."""
        symbol = self.parameters[index]
        return parameter_values([symbol], {symbol: value})[0]

    def setting(self, settings: Mapping[Named, object], of: str) -> dict[str, object]:
        """Return ``p`` and ``x0`` by index, and ``method`` and ``h`` where they are given.

        Parameters
        ----------
        settings : mapping
            Parameters and states by name or symbol, ``"method"``, ``"h"``.
        of : str
            Its name in messages, such as ``"the run slow"``.

        Raises
        ------
        TypeError, ValueError
            With the name of the invalid setting.
        """
        setting: dict[str, Any] = {"p": {}, "x0": {}}
        if "method" in settings:
            setting["method"] = name_of_method(settings["method"])
        if "h" in settings:
            setting["h"] = real_number(settings["h"], f"the step h of {of}", "positive")
        rest = {key: value for key, value in settings.items() if key not in ("method", "h")}
        for name, value in self.matched(rest):
            target, index = self.target_and_index(name)
            if target == "p":
                setting["p"][index] = self.value(index, value)
            else:
                setting["x0"][index] = real_number(value, f"{name} of {of}")
        return setting
