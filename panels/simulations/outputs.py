"""Outputs of a live simulation: the numbers that the page draws and prints.

They come in kinds, such as energies and points. The page finds them by name, in a schema of
``{kind: [start, count]}`` that `schema_of` writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import sympy as sm

from panels.simulations.in_the_plane import energy_rate
from straightline.arguments import mapping, row, shown, text, whole_number
from tutlib.models.model import Model
from tutlib.reading.expressions import read_expression

#: Roles of arrows; each has its own color and head.
ROLES = ("velocity", "force", "constraint")
Pair = tuple[sm.Expr, sm.Expr]
Schema = dict[str, list[int]]


@dataclass(frozen=True)
class LiveArrow:
    """An arrow that readers can show.

    Parameters
    ----------
    where : int or (x, y)
        A point of the skeleton by number, or a position [m].
    what : (x, y) or Expr
        Its value; a torque is a single expression.
    unit, role : str
    """

    where: int | Pair
    what: Pair | sm.Expr
    unit: str
    role: str


@dataclass(frozen=True)
class Outputs:
    """The outputs of a model, in order, and where each kind begins.

    Parameters
    ----------
    model : Model
    guides : sequence of paths of points (x, y)
    readouts : sequence of Expr
    arrows : mapping from label to LiveArrow
    """

    model: Model
    guides: Sequence[Sequence[tuple[sm.Expr, ...]]] = ()
    readouts: Sequence[sm.Expr] = ()
    arrows: Mapping[str, LiveArrow] = field(default_factory=dict)

    def expressions(self) -> list[sm.Expr]:
        """Return all outputs in terms of the states."""
        expressions: list[sm.Expr] = self.model.equations.in_states(
            [expression for kind in self._kinds.values() for expression in kind]
        )
        return expressions

    @cached_property
    def _kinds(self) -> dict[str, list[object]]:
        """The expressions of each kind."""
        model, drawn = self.model, self.model.skeleton
        points = [*drawn.points, *(point for path in self.guides for point in path)]
        return {
            "energies": [model.kinetic_energy, model.potential_energy],
            "points": [coordinate for point in points for coordinate in point],
            "readouts": list(self.readouts),
            "constraints": list(model.constraints),
            "velocities": [c for k in drawn.bodies for c in self._velocity(drawn.points[k])],
            "arrows": [entry for arrow in self.arrows.values() for entry in _entries(arrow)],
            "masses": [mass for mass in drawn.masses if _changes(mass)],
            "upright": [] if model.upright == 1 else [model.upright],
        }

    @cached_property
    def schema(self) -> Schema:
        """The start and the count of each kind, and of the potential energy."""
        spans = schema_of({kind: len(entries) for kind, entries in self._kinds.items()})
        first, _ = spans["energies"]
        return {**spans, "potential": [first + 1, 1]}

    def _velocity(self, point: Pair) -> list[sm.Expr]:
        """Return d/dt of a point, with q' from the kinematic equations."""
        eom = self.model.equations
        rates = [*eom.rates, *[sm.S.Zero] * (len(eom.states) - len(eom.q))]
        return [energy_rate(c, eom.states, rates) for c in eom.in_states(point)]

    def size(self, angles: Sequence[int], holdable: bool) -> dict[str, object]:
        """Return counts and the schema of the outputs, for the page.

        Parameters
        ----------
        angles : sequence of int
            Which coordinates are angles.
        holdable : bool
            Whether a body can be dragged.
        """
        eom = self.model.equations
        return {
            "coordinates": len(eom.q),
            "speeds": len(eom.u),
            "states": len(eom.states),
            "axes": 2,
            "angles": list(angles),
            "holdable": holdable,
            "outputs": self.schema,
            "masses": self._masses(),
            "arrows": self._arrows(),
        }

    def _masses(self) -> list[list[int] | None]:
        """Return [start, count] of each body's mass; None where it is constant."""
        start, spans = self.schema.get("masses", [0, 0])[0], list[list[int] | None]()
        for mass in self.model.skeleton.masses:
            spans.append([start, 1] if _changes(mass) else None)
            start += _changes(mass)
        return spans

    def _arrows(self) -> dict[str, list[dict[str, int | list[int]]]]:
        """Return the arrows of each group: points by number, all else as [start, count]."""
        start = self.schema.get("velocities", [0, 0])[0]
        groups: dict[str, list[dict[str, int | list[int]]]] = {"velocity": []}
        for i, point in enumerate(self.model.skeleton.bodies):
            groups["velocity"].append({"point": point, "vector": [start + 2 * i, 2]})
        start = self.schema.get("arrows", [0, 0])[0]
        for number, arrow in enumerate(self.arrows.values(), 1):
            entry: dict[str, int | list[int]] = {}
            if isinstance(arrow.where, int):
                entry["point"] = arrow.where
            else:
                entry["place"], start = [start, 2], start + 2
            length = 2 if isinstance(arrow.what, tuple) else 1
            entry["vector" if length == 2 else "torque"], start = [start, length], start + length
            groups[f"arrow_{number}"] = [entry]
        return {name: group for name, group in groups.items() if group}

    def groups(self) -> list[dict[str, str]]:
        """Return name, label, role and unit of each group of arrows."""
        groups = [{"name": "velocity", "label": "velocity", "role": "velocity", "unit": "m/s"}]
        return groups[: bool(self.model.skeleton.bodies)] + [
            {"name": f"arrow_{i + 1}", "label": label, "role": arrow.role, "unit": arrow.unit}
            for i, (label, arrow) in enumerate(self.arrows.items())
        ]


def schema_of(counts: Mapping[str, int]) -> Schema:
    """Return ``{kind: [start, count]}`` of outputs that follow one another, without empty kinds."""
    spans, start = {}, 0
    for kind, count in counts.items():
        if count:
            spans[kind] = [start, count]
        start += count
    return spans


def _entries(arrow: LiveArrow) -> list[sm.Expr]:
    where = () if isinstance(arrow.where, int) else arrow.where
    what = arrow.what if isinstance(arrow.what, tuple) else (arrow.what,)
    return [*where, *what]


def _changes(mass: sm.Expr | None) -> bool:
    return mass is not None and bool(mass.free_symbols)


def arrows_to_show(arrows: object, model: Model) -> dict[str, LiveArrow]:
    """Return arrows by label from the argument of `live`.

    Raises
    ------
    TypeError, ValueError
        With the name of the invalid arrow.
    """
    example = '{"joint force": (1, (F_x, F_y), "N")}'
    by_label = {}
    for label, value in mapping(arrows, "arrows", example).items():
        of = f"arrows[{label!r}]"
        where, what, unit, *role = row(value, of, 3, "point, vector or torque, unit[, role]")
        unit = text(unit, f"the unit of {of}")
        named = text(role[0], f"the role of {of}") if role else _role(unit)
        if named not in ROLES:
            raise ValueError(f"the role of {of} must be one of {', '.join(ROLES)}; got {named!r}")
        what = _pair(what, of) if isinstance(what, tuple | list | sm.MatrixBase) else what
        what = what if isinstance(what, tuple) else read_expression(what, of)
        by_label[text(label, "a label of arrows")] = LiveArrow(
            _where(where, of, model), what, unit, named
        )
    return by_label


def bars_to_show(
    bars: object, outputs: Mapping[str, tuple[sm.Expr, str]]
) -> list[dict[str, object]]:
    """Return the number of the readout and the role of each bar from the argument of `live`.

    Raises
    ------
    TypeError, ValueError
        With the name of the invalid bar.
    """
    given = mapping(bars, "bars", '{"weight": "force", "sum": ""}')
    for label, role in given.items():
        if label not in outputs:
            raise ValueError(f"no output has the label of the bar {shown(label)}: {[*outputs]}")
        if role not in ("", *ROLES):
            raise ValueError(
                f"the role of the bar {label} must be one of {', '.join(ROLES)}, or ''; got "
                f"{shown(role)}"
            )
    if len(units := {outputs[label][1] for label in given}) > 1:
        raise ValueError(f"bars share one scale, so they need one unit; got {sorted(units)}")
    return [{"readout": [*outputs].index(label), "role": role} for label, role in given.items()]


def _role(unit: str) -> str:
    return "velocity" if unit == "m/s" else "force"


def _where(where: object, of: str, model: Model) -> int | Pair:
    if isinstance(where, tuple | list | sm.MatrixBase):
        return _pair(where, of)
    number = whole_number(where, f"the point of {of}")
    if not 0 <= number < (points := len(model.skeleton.points)):
        raise ValueError(f"{of} must begin at one of {points} points, counted from 0; got {number}")
    return number


def _pair(value: Any, of: str) -> Pair:
    entries = list(value)
    if len(entries) != 2:
        raise TypeError(f"{of} must contain pairs (x, y); got {shown(value)}")
    x, y = (read_expression(entry, of) for entry in entries)
    return x, y
