"""Slips, planted by rules wherever they apply: nobody chooses which ones `verify` meets.

A rule changes one term of one formula: of an equation, of an energy, of a load, of a body, of a
constraint, or of the sketch from which all of them follow. What follows is derived anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import sympy as sm
import sympy.physics.mechanics as me

from tests.slips.machines import forces_of
from tutlib import EquationsOfMotion
from tutlib.models import Body, Model

t = me.dynamicsymbols._t
#: Terms of one formula in which slips are planted; further ones are like these.
_TERMS = 12


@dataclass(frozen=True)
class Slip:
    """A slip in a machine, made when it is asked for.

    Parameters
    ----------
    rule : str
        What was done.
    scope : str
        In what: an equation, an energy, a load, a body, a constraint, the sketch, a value, a unit.
    place : str
        Where exactly.
    make : function () -> Model
    """

    rule: str
    scope: str
    place: str
    make: Callable[[], Model]


def siblings(symbol: Any, known: Any) -> list[Any]:
    """Return the symbols that differ in an index alone."""
    name = str(symbol).removesuffix("(t)")
    stem, _, index = name.rpartition("_")
    return [
        one
        for one in known
        if index.isdigit()
        and one != symbol
        and str(one).removesuffix("(t)").rpartition("_")[0] == stem
        and str(one).removesuffix("(t)").rpartition("_")[2].isdigit()
    ]


def changed(expression: Any, model: Model) -> Iterator[tuple[str, Any]]:
    """Yield what a formula becomes by each rule, in each of its terms."""
    whole = sm.expand(expression)
    terms = [term for term in sm.Add.make_args(whole) if term != 0][:_TERMS]
    known = [*model.parameters, *model.equations.q]
    lengths = [one for one in model.parameters if model.units.get(str(one)) == "m"]
    for term in terms:
        rest = whole - term
        yield "a term is lost", rest
        yield "a sign is turned", rest - term
        yield "a factor 2 too much", rest + 2 * term
        yield "a half too much", rest + term / 2
        for power in sorted(term.atoms(sm.Pow), key=str)[:2]:
            if power.exp == 2:
                yield "a square is lost", rest + term.xreplace({power: power.base})
        for one in sorted(term.atoms(sm.sin, sm.cos), key=str)[:1]:
            other = (sm.cos if isinstance(one, sm.sin) else sm.sin)(one.args[0])
            yield "sine and cosine are exchanged", rest + term.xreplace({one: other})
            if isinstance(one.args[0], sm.Add):
                yield (
                    "one angle stands for a difference or a sum",
                    rest + term.xreplace({one: one.func(one.args[0].args[-1])}),
                )
        for symbol in sorted(term.free_symbols & {*model.parameters}, key=str):
            for other in siblings(symbol, known)[:1]:
                yield "an index is wrong", rest + term.xreplace({symbol: other})
        for symbol in sorted(term.free_symbols & {*lengths}, key=str)[:1]:
            yield "a length is lost", rest + term.xreplace({symbol: sm.S.One})


@dataclass(frozen=True)
class Planter:
    """All slips of one right machine.

    Parameters
    ----------
    model : Model
    """

    model: Model

    @cached_property
    def derived(self) -> bool:
        """Whether the equations are Lagrange's, and can be derived anew."""
        model = self.model
        eom = model.equations
        if model.cut_open or eom.auxiliary or eom.kinematic_matrix != sm.eye(len(eom.u)):
            return False
        if len(eom.q) > 3 or any(eom.kinematic_drift):
            return False
        again = self.lagrange(model.kinetic_energy, model.potential_energy, model.loads)
        numbers = {s: 0.3 + 0.17 * i for i, s in enumerate((*eom.parameters, *eom.inputs, t))}
        numbers |= {s: 0.5 + 0.23 * i for i, s in enumerate(reversed(eom.states))}
        pairs = zip((*again.mass_matrix, *again.forcing), (*eom.mass_matrix, *eom.forcing))
        return all(abs(float(_valued(a - b, numbers))) < 1e-9 for a, b in pairs)

    def lagrange(self, T: Any, V: Any, loads: Any) -> EquationsOfMotion:
        """Return Lagrange's equations with the generalized forces of loads."""
        q = list(self.model.equations.q)
        forces = forces_of(q, loads)
        for load in loads:
            for one in q:
                forces[one] += load.value * load.rate.diff(one.diff(t))
        return EquationsOfMotion.from_lagrangian(T, V, q, forces)

    def with_energies(self, T: Any, V: Any, loads: Any = None, **more: Any) -> Model:
        """Return the machine whose equations follow from other energies and loads."""
        loads = self.model.loads if loads is None else loads
        equations = self.lagrange(T, V, loads)
        return replace(
            self.model,
            equations=equations,
            kinetic_energy=T,
            potential_energy=V,
            loads=tuple(loads),
            **more,
        )

    # ---- the slips

    def slips(self) -> Iterator[Slip]:
        """Yield every slip that a rule makes here."""
        yield from self.in_equations()
        if self.derived:
            yield from self.in_energies()
            yield from self.in_loads()
            yield from self.in_the_sketch()
        yield from self.in_bodies()
        yield from self.in_constraints()
        yield from self.in_values()
        yield from self.in_units()

    def in_equations(self) -> Iterator[Slip]:
        """Yield slips after the derivation: in one entry of M or F, energies and bodies right."""
        model = self.model
        eom, k = model.equations, len(model.equations.u)
        if model.cut_open:
            return
        for i in range(k):
            for rule, formula in changed(eom.forcing[i], model):
                yield Slip(
                    rule,
                    "an equation",
                    f"F {i + 1}",
                    lambda i=i, f=formula: self._entry("forcing", i, 0, f),
                )
            for j in range(k):
                for rule, formula in changed(eom.mass_matrix[i, j], model):
                    yield Slip(
                        rule,
                        "an equation",
                        f"M {i + 1}{j + 1}",
                        lambda i=i, j=j, f=formula: self._entry("mass_matrix", i, j, f),
                    )

    def _entry(self, name: str, i: int, j: int, formula: Any) -> Model:
        matrix = sm.Matrix(getattr(self.model.equations, name))
        matrix[i, j] = formula
        return self.model.with_equations(replace(self.model.equations, **{name: matrix}))

    def in_energies(self) -> Iterator[Slip]:
        """Yield slips in T or V, from which the equations follow without another."""
        T, V = self.model.kinetic_energy, self.model.potential_energy
        for rule, formula in changed(T, self.model):
            yield Slip(
                rule, "the kinetic energy", str(formula), lambda f=formula: self.with_energies(f, V)
            )
        for rule, formula in changed(V, self.model):
            yield Slip(
                rule,
                "the potential energy",
                str(formula),
                lambda f=formula: self.with_energies(T, f),
            )

    def in_loads(self) -> Iterator[Slip]:
        """Yield slips in a load: in the equations alone, or in what is said of it, too."""
        model = self.model
        T, V = model.kinetic_energy, model.potential_energy
        q = list(model.equations.q)
        for i, load in enumerate(model.loads):
            wrongs = [(rule, replace(load, value=v)) for rule, v in changed(load.value, model)]
            wrongs += [(rule, replace(load, along=a)) for rule, a in changed(load.along, model)]
            wrongs += [
                ("it acts on another coordinate", replace(load, along=one, rate=sm.S.Zero))
                for one in q
                if one != load.along
            ]
            for rule, wrong in wrongs:
                others = [*model.loads[:i], wrong, *model.loads[i + 1 :]]
                yield Slip(
                    rule,
                    "a load in the equations",
                    f"{wrong.value} along {wrong.along}",
                    lambda o=others: replace(self.with_energies(T, V, o), loads=model.loads),
                )
                yield Slip(
                    rule,
                    "a load wherever it stands",
                    f"{wrong.value} along {wrong.along}",
                    lambda o=others: self.with_energies(T, V, o),
                )
            twice = [*model.loads, load]
            yield Slip(
                "it is named twice",
                "a load wherever it stands",
                str(load.value),
                lambda o=twice: self.with_energies(T, V, o),
            )
            if load.value.atoms(sm.Derivative):
                still = replace(load, value=load.value.subs({one.diff(t): one for one in q}))
                others = [*model.loads[:i], still, *model.loads[i + 1 :]]
                yield Slip(
                    "a place stands for a speed",
                    "a load wherever it stands",
                    str(still.value),
                    lambda o=others: self.with_energies(T, V, o),
                )

    def in_bodies(self) -> Iterator[Slip]:
        """Yield slips in what is said of a body, all else right."""
        for i, rule, body, place in self._wrong_bodies():
            others = [*self.model.bodies[:i], body, *self.model.bodies[i + 1 :]]
            yield Slip(rule, "a body", place, lambda o=others: replace(self.model, bodies=tuple(o)))

    def in_the_sketch(self) -> Iterator[Slip]:
        """Yield slips in a body from which both energies follow, and the equations from them."""
        model = self.model
        bodies = model.bodies
        if not bodies or bodies[0].in_space or any(sm.sympify(b.mass).has(t) for b in bodies):
            return
        g = next((one for one in model.parameters if str(one) == "g"), sm.S.Zero)
        for i, rule, body, place in self._wrong_bodies():
            yield Slip(
                rule,
                "the sketch and all that follows",
                place,
                lambda i=i, body=body: self._sketched(i, body, g),
            )

    def _sketched(self, i: int, body: Body, g: Any) -> Model:
        model, old = self.model, self.model.bodies[i]
        T = model.kinetic_energy + _kinetic(body) - _kinetic(old)
        V = model.potential_energy + g * (body.mass * body.center[1] - old.mass * old.center[1])
        others = (*model.bodies[:i], body, *model.bodies[i + 1 :])
        return self.with_energies(T, V, bodies=others)

    def _wrong_bodies(self) -> Iterator[tuple[int, str, Body, str]]:
        for i, body in enumerate(self.model.bodies):
            for axis, coordinate in enumerate(body.center):
                for rule, formula in changed(coordinate, self.model):
                    center = (*body.center[:axis], formula, *body.center[axis + 1 :])
                    yield i, rule, replace(body, center=center), f"center {i + 1}{'xyz'[axis]}"
            for other in siblings(body.mass, self.model.parameters)[:1]:
                yield i, "an index is wrong", replace(body, mass=other), f"mass {i + 1}"
            yield i, "a factor 2 too much", replace(body, mass=2 * body.mass), f"mass {i + 1}"
            if not body.in_space and body.inertia != 0:
                yield i, "a term is lost", replace(body, inertia=0), f"inertia {i + 1}"
                yield (
                    i,
                    "a half too much",
                    replace(body, inertia=body.inertia / 2),
                    f"inertia {i + 1}",
                )
                for rule, formula in changed(body.turned, self.model):
                    yield i, rule, replace(body, turned=formula), f"turn {i + 1}"
            if body.in_space and len({*body.moments}) > 1:
                one, *others = body.moments
                yield (
                    i,
                    "an index is wrong",
                    replace(body, inertia=(*others, one)),
                    f"moments {i + 1}",
                )
            if body.in_space and body.turned != sm.eye(3):
                yield (
                    i,
                    "a matrix is transposed",
                    replace(body, turned=sm.Matrix(body.turned).T),
                    f"turn {i + 1}",
                )

    def in_constraints(self) -> Iterator[Slip]:
        """Yield slips in what binds it: the loop is another one, and the drawing is not."""
        model = self.model
        for i, one in enumerate(model.constraints if not model.cut_open else ()):
            for rule, formula in changed(one, model):
                others = (*model.constraints[:i], formula, *model.constraints[i + 1 :])
                yield Slip(
                    rule,
                    "a constraint",
                    f"constraint {i + 1}",
                    lambda o=others: replace(model, constraints=o),
                )

    def in_values(self) -> Iterator[Slip]:
        """Yield values with another sign, or in another unit."""
        for symbol, value in self.model.parameters.items():
            unit = self.model.units.get(str(symbol))
            if str(symbol) == "g":
                yield self._valued(symbol, -value, "a sign is turned")
            if unit in ("m/s²", "m"):
                yield self._valued(symbol, 1000 * value, "millimeters are told as meters")
            if unit == "kg":
                yield self._valued(symbol, 1000 * value, "grams are told as kilograms")

    def _valued(self, symbol: Any, value: float, rule: str) -> Slip:
        return Slip(
            rule, "a value", str(symbol), lambda: self.model.with_parameters({symbol: value})
        )

    def in_units(self) -> Iterator[Slip]:
        """Yield units that are another's."""
        units = self.model.units
        other = {
            "m": "kg",
            "kg": "m",
            "kg·m²": "kg·m",
            "N/m": "N",
            "N·s/m": "N/m",
            "m/s²": "m/s",
            "N·m": "N",
            "N": "N·m",
            "rad/s": "m/s",
            "N·m·s": "N·m",
        }
        for name, unit in units.items():
            if unit in other:
                yield Slip(
                    "a unit is wrong",
                    "a unit",
                    f"{name} in {other[unit]}",
                    lambda n=name, u=other[unit]: replace(self.model, units={**units, n: u}),
                )


def _kinetic(body: Body) -> Any:
    v = sm.Matrix(body.center).diff(t)
    return body.mass * v.dot(v) / 2 + body.inertia * sm.sympify(body.turned).diff(t) ** 2 / 2


def _valued(expression: Any, numbers: Any) -> Any:
    derivatives = {one: value for one, value in numbers.items() if one.is_Derivative}
    return sm.sympify(expression).subs(derivatives).subs(numbers).evalf()
