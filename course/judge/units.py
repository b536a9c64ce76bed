"""Units of answers with symbols: the units of an exercise's symbols, and inconsistencies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import sympy as sm

from course.judge.sentences import said
from straightline.arguments import instance
from tutlib.units import Clash, Unit, Units, unit_of, unit_text


def clash_sentence(clash: Clash) -> str:
    """Return the sentence about two inconsistent units."""
    if clash.inside:
        return said("unit inside", unit=unit_text(clash.other))
    return said("units added", one=unit_text(clash.one), other=unit_text(clash.other))


def unit_sentence(units: Mapping[str, Unit], answer: sm.Expr, right: sm.Expr | None) -> str:
    """Return a sentence on inconsistent units of terms, or on a unit other than the right one's."""
    if not units:
        return ""
    reader = Units(units)
    unit = reader.read(answer)
    if reader.clashes or right is None:
        return min(map(clash_sentence, reader.clashes), default="")
    wanted = Units(units).read(right)
    if unit is None or wanted is None or unit == wanted:
        return ""
    return said("unit", unit=unit_text(unit), right=unit_text(wanted))


def known_units(
    units: Mapping[str, str], leaf_by_name: Mapping[str, sm.Expr], right: Iterable[sm.Expr]
) -> dict[str, Unit]:
    """Return the units of all names; reject missing units, and units that contradict the answer."""
    named = instance(units, "units", Mapping, 'such as {"m": "kg"}')  # type: ignore[type-abstract]
    by_name = {name: unit_of(instance(unit, "a unit", str)) for name, unit in named.items()}
    if not by_name:
        return {}
    missing = sorted({name.rstrip("'") for name in leaf_by_name} - set(by_name))
    if missing:
        raise ValueError(f"units must name each symbol; {', '.join(missing)} have none")
    second = unit_of("s")
    units_of_leaves = {
        name: tuple(a - name.count("'") * b for a, b in zip(by_name[name.rstrip("'")], second))
        for name in leaf_by_name
    }
    reader = Units(units_of_leaves)
    for expression in right:
        reader.read(expression)
    if reader.clashes:
        raise ValueError(f"units do not fit the right answer: {clash_sentence(reader.clashes[0])}")
    return units_of_leaves
