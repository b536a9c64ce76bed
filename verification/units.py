"""Units: what is added must have the same, in the equations and in all that they came from."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import sympy as sm

from tutlib.reading.names import label_of, leaf_name
from tutlib.units import Clash, Unit, Units, unit_of, unit_text
from verification.results import Curves, Rung
from verification.sentences import capital, rounded
from verification.subject import Subject

#: More pulls nothing that machines stand on [m/s²].
_STRONGEST = 300.0
_BASES = ("kilogram", "meter", "second")


def units(subject: Subject) -> Rung:
    """Add only what has the same unit: in each equation, the energies, loads and constraints."""
    known, strange = _known_units(subject)
    if strange:
        return Rung("units", False, strange)
    if not known:
        return Rung(
            "units", None, "No units are known: give them, as in units={'m': 'kg', 'l': 'm'}."
        )
    if (pull := subject.nominal.get(subject.gravity, 0.0) if subject.gravity else 0.0) > _STRONGEST:
        label = label_of(subject.gravity)
        return Rung(
            "units",
            False,
            f"{label} is {rounded(pull)}, and its unit m/s²: on the Sun it "
            "is 274. Is it in another unit, such as mm/s²?",
        )
    asked = 0
    for what, expression, wanted in _quantities(subject, known):
        reader = Units(known)
        unit = reader.read(expression)
        asked += 1
        if reader.clashes:
            clash = reader.clashes[0]
            sentence = f"In {what}: {_sentence(clash)}"
            return Rung("units", False, sentence, in_other_units(clash.one, clash.other))
        if wanted is not None and unit not in (None, wanted):
            one, other = unit_text(unit), unit_text(wanted)
            sentence = f"{capital(what)} is in {one}, not in {other}."
            return Rung("units", False, sentence, in_other_units(unit, wanted))
    missing = sorted({str(s) for s in subject.symbols if str(s) not in known} - {"t"})
    left = f" No unit is known of {', '.join(missing)}." if missing else ""
    return Rung("units", True, f"In {asked} expressions nothing is added that differs.{left}")


def _sentence(clash: Clash) -> str:
    one, other = unit_text(clash.one), unit_text(clash.other)
    if clash.inside:
        return (
            f"inside a sine, an exponential or a power stands {other}, where only pure numbers "
            "and angles may."
        )
    return f"it adds {one} and {other}."


def in_other_units(one: Unit, other: Unit) -> Curves:
    """Return how two quantities grow as a unit shrinks in which they differ."""
    base = next(i for i, powers in enumerate(zip(one, other)) if powers[0] != powers[1])
    times = np.logspace(-1, 1, 21)
    lines = {f"in {unit_text(unit)}": (times, times ** float(unit[base])) for unit in (one, other)}
    return Curves(
        f"how many times smaller the {_BASES[base]} is",
        "how many times larger the number is",
        lines,
        logarithmic=True,
    )


def _known_units(subject: Subject) -> tuple[dict[str, Unit], str]:
    """Return the units of symbols, states and their rates; a sentence if one cannot be read."""
    try:
        known = {name: unit_of(unit) for name, unit in subject.units.items()}
    except ValueError as error:
        return {}, f"A unit cannot be read: {error}."
    if known:
        known["t"] = unit_of("s")
    for state in (*subject.equations.q, *subject.equations.states):
        base = state.expr if isinstance(state, sm.Derivative) else state
        unit = known.get(leaf_name(base))
        if unit is not None and isinstance(state, sm.Derivative):
            known[leaf_name(state)] = per_second(unit)
    return known, ""


def per_second(unit: Unit) -> Unit:
    """Return the unit of a rate."""
    return tuple(power - second for power, second in zip(unit, unit_of("s")))


def _quantities(
    subject: Subject, known: dict[str, Unit]
) -> Iterator[tuple[str, sm.Expr, Unit | None]]:
    """Yield what to read: its name, the expression, and its unit if that is certain."""
    eom = subject.equations
    dots = {u: sm.Symbol(f"{leaf_name(u)} per second") for u in eom.u}
    for u, dot in dots.items():
        if (unit := known.get(leaf_name(u))) is not None:
            known[leaf_name(dot)] = per_second(unit)
    for i, u in enumerate(eom.u):
        terms = [eom.mass_matrix[i, j] * dot for j, dot in enumerate(dots.values())]
        row = sm.Add(*terms, -eom.forcing[i], evaluate=False)
        yield f"the equation of {label_of(u)}", row, None
    if subject.energies:
        for name, energy in zip(("the kinetic energy", "the potential energy"), subject.energies):
            if energy != 0:
                yield name, energy, unit_of("J")
    for load in subject.loads:
        for what, along, per in (("work", load.along, "J"), ("power", load.rate, "J/s")):
            if load.value != 0 and along != 0:
                yield f"the {what} of {load.value}", load.value * along, unit_of(per)
    if subject.loop:
        for i, phi in enumerate(subject.loop.constraints, 1):
            yield f"constraint {i}", phi, None
    for body in (one for one in subject.bodies if one.mass.free_symbols):
        yield f"the body of mass {body.mass}", body.mass, unit_of("kg")
