"""Consistency of units in the equations and in the expressions that they were derived from."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sm

from tutlib.reading.names import label_of, leaf_name
from tutlib.units import Clash, Unit, Units, per_second, unit_of, unit_text
from verification.results import Rung
from verification.sentences import rounded
from verification.subject import Subject

#: The gravitational acceleration on the surface of the Sun is below this [m/s²].
_LARGEST_GRAVITY = 300.0


def units(subject: Subject) -> Rung:
    """Check that only equal units are added: in equations, energies, loads, and constraints."""
    by_name, problem = _known_units(subject)
    if problem:
        return Rung("units", False, problem)
    if not by_name:
        return Rung(
            "units", None, "No units are given. Give them as in units={'m': 'kg', 'l': 'm'}."
        )
    if (
        gravity := subject.nominal.get(subject.gravity, 0.0) if subject.gravity else 0.0
    ) > _LARGEST_GRAVITY:
        label = label_of(subject.gravity)
        return Rung(
            "units",
            False,
            f"{label} is {rounded(gravity)} m/s², more than on the Sun. Is it in another unit, "
            "such as mm/s²?",
        )
    count = 0
    for name, expression, expected in _quantities(subject, by_name):
        reader = Units(by_name)
        unit = reader.read(expression)
        count += 1
        if reader.clashes:
            clash = reader.clashes[0]
            sentence = f"{name[:1].upper()}{name[1:]} {_clash_sentence(clash)}"
            return Rung("units", False, sentence)
        if expected is not None and unit not in (None, expected):
            found_text, expected_text = unit_text(unit), unit_text(expected)
            sentence = f"{name[:1].upper()}{name[1:]} is in {found_text}, not in {expected_text}."
            return Rung("units", False, sentence)
    states = {s.expr if isinstance(s, sm.Derivative) else s for s in subject.equations.states}
    missing = sorted({*map(leaf_name, states), *map(str, subject.symbols)} - {*by_name})
    unread = f" No unit is given for {', '.join(missing)}: terms with it were not checked."
    return Rung(
        "units",
        True,
        f"In {count} expressions, all terms of a sum have the same unit.{unread * bool(missing)}",
    )


def _clash_sentence(clash: Clash) -> str:
    """Describe two units that do not go together."""
    first, second = unit_text(clash.one), unit_text(clash.other)
    if clash.inside:
        return (
            f"has {second} inside a sine, an exponential, or a power, which take pure numbers and "
            "angles."
        )
    return f"adds {first} and {second}."


def _known_units(subject: Subject) -> tuple[dict[str, Unit], str]:
    """Return the units of symbols, states, and their rates; a sentence if one is invalid."""
    try:
        by_name = {name: unit_of(unit) for name, unit in subject.units.items()}
    except ValueError as error:
        return {}, f"A unit cannot be read: {error}."
    if by_name:
        by_name["t"] = unit_of("s")
    for state in (*subject.equations.q, *subject.equations.states):
        base = state.expr if isinstance(state, sm.Derivative) else state
        unit = by_name.get(leaf_name(base))
        if unit is not None and isinstance(state, sm.Derivative):
            by_name[leaf_name(state)] = per_second(unit)
    return by_name, ""


def _quantities(
    subject: Subject, by_name: dict[str, Unit]
) -> Iterator[tuple[str, sm.Expr, Unit | None]]:
    """Yield what to read: its name, the expression, and its unit if that is certain."""
    eom = subject.equations
    dots = {u: sm.Symbol(f"{leaf_name(u)} per second") for u in eom.u}
    for u, dot in dots.items():
        if (unit := by_name.get(leaf_name(u))) is not None:
            by_name[leaf_name(dot)] = per_second(unit)
    for i, u in enumerate(eom.u):
        terms = [eom.mass_matrix[i, j] * dot for j, dot in enumerate(dots.values())]
        row = sm.Add(*terms, -eom.forcing[i], evaluate=False)
        yield f"the equation of {label_of(u)}", row, None
    if subject.energies:
        for name, energy in zip(("the kinetic energy", "the potential energy"), subject.energies):
            if energy != 0:
                yield name, energy, unit_of("J")
    for load in subject.loads:
        for quantity, along, per in (("work", load.along, "J"), ("power", load.rate, "J/s")):
            if load.value != 0 and along != 0:
                yield f"the {quantity} of {load.value}", load.value * along, unit_of(per)
    if subject.loop:
        for i, phi in enumerate(subject.loop.constraints, 1):
            yield f"constraint {i}", phi, None
        for i, psi in enumerate(subject.loop.velocity_constraints, 1):
            yield f"velocity constraint {i}", psi, None
    for body in subject.bodies:
        if body.mass.free_symbols:
            yield f"the body of mass {body.mass}", body.mass, unit_of("kg")
