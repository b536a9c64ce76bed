"""Energy that the energy strip of a live simulation shows, and its name.

After subtracting the power that follows from the equations themselves, only the method can cause a
change. After subtracting the power of the loads, the equations can be wrong as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sympy as sm
from sympy.core.function import AppliedUndef

from panels.simulations.in_the_plane import energy_rate
from panels.simulations.outputs import Outputs
from straightline.arguments import instance, several, shown, text
from tutlib.models.bodies import Load
from tutlib.models.model import Model
from tutlib.reading.expressions import read_expression
from tutlib.reading.names import label_of, plain_name

#: The argument ``power`` of `live`.
AnyPower = sm.Expr | Sequence[Load] | Mapping[str, "sm.Expr | Sequence[Load]"] | None
Power = tuple[sm.Expr, list[sm.Symbol]]


@dataclass(frozen=True)
class EnergyMeasure:
    """Change of the energy beyond the work of a power.

    Parameters
    ----------
    label : str
    power : Expr or tuple of Load, optional
        Unless given, that of a model's own equations.
    error : bool
        Whether it should be zero.
    """

    label: str = "energy error of the method"
    power: sm.Expr | tuple[Load, ...] | None = None
    error: bool = True

    def data(self) -> dict[str, object]:
        """Return the name and its kind, for the page."""
        return {"label": self.label, "error": self.error}

    def power_of(self, outputs: Outputs, expressions: Sequence[sm.Expr]) -> Power:
        """Return the power for a model's outputs, and its symbols for the derivatives of states."""
        states, (start, count) = outputs.model.equations.states, outputs.schema["energies"]
        rates = [sm.Symbol(f"dx[{i}]") for i in range(len(states))]
        if self.power is None:
            return energy_rate(sum(expressions[start : start + count]), states, rates), rates
        if isinstance(self.power, tuple):
            power = _power_of_loads(outputs.model, self.power)
        else:
            power = self.power
        inputs = power.atoms(AppliedUndef) - {*outputs.model.equations.q, *states}
        sliders = {f: sm.Symbol(plain_name(f)) for f in inputs}  # an input with a slider is held
        held = {f: symbol for f, symbol in sliders.items() if symbol in outputs.model.parameters}
        power = power.xreplace(held)
        if inputs := inputs - {*held}:
            raise ValueError(
                f"the power contains the input {label_of(min(inputs, key=str))}: pass the loads of "
                "the simulated model, as model.loads"
            )
        return power, rates


def read_measure(power: object) -> EnergyMeasure:
    """Return the measure for the argument ``power`` of `live`.

    Raises
    ------
    TypeError, ValueError
        If it is neither an expression nor loads, nor a single one of them by its label.
    """
    if power is None:
        return EnergyMeasure()
    if isinstance(power, Mapping):
        if len(power) != 1:
            raise ValueError(
                'power must have a single label, such as {"work of holding": P}; got '
                f"{shown(power)}"
            )
        ((label, value),) = power.items()
        return EnergyMeasure(text(label, "the label of power"), _read(value), error=False)
    return EnergyMeasure("energy error of the model", _read(power))


def _read(power: object) -> sm.Expr | tuple[Load, ...]:
    """Return an expression, or loads."""
    if isinstance(power, list | tuple):
        return tuple(several(power, "power", lambda load: instance(load, "a load of power", Load)))
    return read_expression(power, "power")


def _power_of_loads(model: Model, loads: Sequence[Load]) -> sm.Expr:
    """Return the power of loads in terms of the states."""
    eom, power = model.equations, sm.S.Zero
    for load in loads:
        value, along, rate = eom.in_states([load.value, load.along, load.rate])
        power += value * (energy_rate(along, eom.q, eom.rates) + rate)
    return power
