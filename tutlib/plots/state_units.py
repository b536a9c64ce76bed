"""Units of states: those of a model, or of angles that are recognized by name.

Plots and animations convert or unwrap only states that are known to be angles.
"""

from __future__ import annotations

import re
from typing import Any

import sympy as sm

from tutlib.reading.names import plain_name
from tutlib.units import PURE, per_second, unit_of, unit_text

#: Usual names of angles in mechanics; they may have an index.
_ANGLE = re.compile(r"\\?(var)?(theta|phi|psi)(_?\{?\w*\}?)?|[θφψϑϕ][\w₀-₉]*")
_RATE = re.compile(r"\\dot\{(.*)\}|(.*)_dot")
#: First words of the meanings of angles.
_MEANING = re.compile(r"(angle|lean|steer|tilt|yaw)\b")


def state_unit(model: Any, state: sm.Expr) -> str:
    """Return the unit of a model's state, such as "rad" or "m/s"; empty if it is unknown.

    Parameters
    ----------
    model : object with ``equations`` and ``meaning(symbol)``, and perhaps ``units``
    state : Expr
        A coordinate, a speed, or an auxiliary state.
    """
    units, eom = getattr(model, "units", {}), model.equations
    if unit := units.get(plain_name(state)):
        return str(unit)
    coordinate = _coordinate_of(eom, state)
    if coordinate is not None:
        unit = state_unit(model, coordinate)
        return _rate_of(unit)
    word = model.meaning(state) if hasattr(model, "meaning") else ""
    return "rad" if _MEANING.match(word) or is_angle_name(plain_name(state)) else ""


def unit_by_name(name: str) -> str:
    r"""Return "rad" for the name of an angle, "rad/s" for that of its rate, or an empty text.

    Parameters
    ----------
    name : str
        The name of a state, such as ``\dot{\theta}_{1}`` or ``theta_dot``.
    """
    rate = _RATE.fullmatch(name)
    if rate and is_angle_name(rate[1] or rate[2]):
        return "rad/s"
    return "rad" if is_angle_name(name) else ""


def in_degrees(unit: str) -> str:
    """Return the unit in which a state is shown: degrees instead of radians."""
    return {"rad": "deg", "rad/s": "deg/s"}.get(unit, unit)


def is_angle_name(name: str) -> bool:
    """Return whether a name is that of an angle, such as theta_1."""
    return bool(_ANGLE.fullmatch(name))


def _coordinate_of(eom: Any, state: sm.Expr) -> sm.Expr | None:
    """Return the coordinate whose time derivative a state is; None if there is none."""
    if isinstance(state, sm.Derivative):
        return state.expr
    return next((q for q, rate in zip(eom.q, eom.rates) if rate == state), None)


def _rate_of(unit: str) -> str:
    """Return the unit of the time derivative of a quantity in a unit, with rad kept."""
    if not unit:
        return ""
    if unit == "rad":
        return "rad/s"
    read = unit_of(unit)
    return "1/s" if read == PURE else unit_text(per_second(read))
