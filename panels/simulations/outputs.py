"""What a live simulation computes of a state beside its rates: what is drawn, told, pointed at.

Energies come first, then points, numbers to show, constraints, velocities, arrows, masses, and
whether it stands: scene.js, strip.js and simulation.js find them by the places that are given here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, count
from typing import Any

import sympy as sm

from panels.simulations.in_the_plane import energy_rate
from straightline.arguments import mapping, row, shown, text, whole_number
from tutlib.models.model import Model
from tutlib.reading.expressions import read_expression

#: What an arrow may be; each has a color and a head.
ROLES = ("velocity", "force", "constraint")
Pair = tuple[sm.Expr, sm.Expr]


@dataclass(frozen=True)
class LiveArrow:
    """An arrow on request.

    Parameters
    ----------
    where : int or (x, y)
        A point of the skeleton by number, or a place [m].
    what : (x, y) or Expr
        What it shows; a torque is one expression.
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
        """Return all of them, written with the states alone."""
        written: list[sm.Expr] = self.model.equations.in_states(
            [expression for kind in self._kinds.values() for expression in kind]
        )
        return written

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

    def _velocity(self, point: Pair) -> list[sm.Expr]:
        """Return d/dt of a point, its coordinates' rates as the kinematic equations give them."""
        eom = self.model.equations
        rates = [*eom.rates, *[sm.S.Zero] * (len(eom.states) - len(eom.q))]
        return [energy_rate(c, eom.states, rates) for c in eom.in_states(point)]

    def _first(self) -> dict[str, int]:
        """Return the number of the first output of each kind."""
        return dict(zip(self._kinds, accumulate(map(len, self._kinds.values()), initial=0)))

    def size(self, angles: Sequence[int], holdable: bool) -> dict[str, object]:
        """Return how much there is of what, and where, for the page.

        Parameters
        ----------
        angles : sequence of int
            Which coordinates are angles.
        holdable : bool
            Whether a body can be taken hold of.
        """
        model, eom, first = self.model, self.model.equations, self._first()
        return {
            "coordinates": len(eom.q),
            "speeds": len(eom.u),
            "states": len(eom.states),
            "points": len(model.skeleton.points) + sum(map(len, self.guides)),
            "readouts": len(self.readouts),
            "constraints": len(model.constraints),
            "energies": 2,
            "axes": 2,
            "angles": list(angles),
            "holdable": holdable,
            "places": {**first, "masses": self._masses(first)},
            "arrows": self._arrows(first),
        }

    def _masses(self, first: Mapping[str, int]) -> list[int | None]:
        """Return the output of each body's mass; None where it stays as it is."""
        places = count(first["masses"])
        return [next(places) if _changes(m) else None for m in self.model.skeleton.masses]

    def _arrows(self, first: Mapping[str, int]) -> dict[str, list[dict[str, int]]]:
        """Return the arrows of each group as places of outputs."""
        bodies, place = self.model.skeleton.bodies, first["velocities"]
        every = {
            "velocity": [{"point": k, "vector": place + 2 * i} for i, k in enumerate(bodies)],
        }
        place = first["arrows"]
        for number, arrow in enumerate(self.arrows.values()):
            indices: dict[str, int] = {}
            if isinstance(arrow.where, int):
                indices["point"] = arrow.where
            else:
                indices["place"], place = place, place + 2
            indices["vector" if isinstance(arrow.what, tuple) else "torque"] = place
            place += 2 if isinstance(arrow.what, tuple) else 1
            every[f"arrow_{number + 1}"] = [indices]
        return {name: group for name, group in every.items() if group}

    def groups(self) -> list[dict[str, str]]:
        """Return name, label, role and unit of each group of arrows."""
        groups = [{"name": "velocity", "label": "velocity", "role": "velocity", "unit": "m/s"}]
        return groups[: bool(self.model.skeleton.bodies)] + [
            {"name": f"arrow_{i + 1}", "label": label, "role": arrow.role, "unit": arrow.unit}
            for i, (label, arrow) in enumerate(self.arrows.items())
        ]


def _entries(arrow: LiveArrow) -> list[sm.Expr]:
    where = () if isinstance(arrow.where, int) else arrow.where
    what = arrow.what if isinstance(arrow.what, tuple) else (arrow.what,)
    return [*where, *what]


def _changes(mass: sm.Expr | None) -> bool:
    return mass is not None and bool(mass.free_symbols)


def arrows_to_show(arrows: object, model: Model) -> dict[str, LiveArrow]:
    """Return arrows by label, as `live` is given them.

    Raises
    ------
    TypeError, ValueError
        Naming the arrow that makes no sense.
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


def _role(unit: str) -> str:
    return "velocity" if unit == "m/s" else "force"


def _where(where: object, of: str, model: Model) -> int | Pair:
    if isinstance(where, tuple | list | sm.MatrixBase):
        return _pair(where, of)
    number = whole_number(where, f"the point of {of}")
    if not 0 <= number < (points := len(model.skeleton.points)):
        raise ValueError(f"{of} begins at one of {points} points, from 0 on; got {number}")
    return number


def _pair(value: Any, of: str) -> Pair:
    entries = list(value)
    if len(entries) != 2:
        raise TypeError(f"{of} holds pairs (x, y); got {shown(value)}")
    x, y = (read_expression(entry, of) for entry in entries)
    return x, y
