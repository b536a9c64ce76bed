"""Slips, planted by rules wherever they apply: nobody chooses which ones `verify` meets.

A rule changes one term of one formula: of an equation, of an energy, of a load, of a body, of a
constraint, or of the sketch from which all of them follow. What follows is derived anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from typing import Any

import sympy as sm
import sympy.physics.mechanics as me

from tests.slips.machines import forces_of
from tutlib import EquationsOfMotion
from tutlib.models import Body, Load, Model

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
        In what: an equation, an energy, a load, a body, a constraint, the sketch, a value.
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

    def split(one: Any) -> tuple[str, bool]:
        stem, _, index = str(one).removesuffix("(t)").rpartition("_")
        return stem, index.isdigit()

    mine = split(symbol)
    return [one for one in known if mine[1] and one != symbol and split(one) == mine]


def changed(expression: Any, model: Model) -> Iterator[tuple[str, Any]]:
    """Yield what a formula becomes by each rule, in each of its terms."""
    whole = sm.expand(expression)
    terms = [term for term in sm.Add.make_args(whole) if term != 0][:_TERMS]
    known = [*model.parameters, *model.equations.q]
    lengths = [one for one in model.parameters if model.units.get(str(one)) == "m"]
    for term in terms:
        rest = whole - term
        yield "a missing term", rest
        yield "a wrong sign", rest - term
        yield "an extra factor of 2", rest + 2 * term
        yield "an extra factor of 1/2", rest + term / 2
        for power in sorted(term.atoms(sm.Pow), key=str)[:2]:
            if power.exp == 2:
                yield "a missing square", rest + term.xreplace({power: power.base})
        for one in sorted(term.atoms(sm.sin, sm.cos), key=str)[:1]:
            other = (sm.cos if isinstance(one, sm.sin) else sm.sin)(one.args[0])
            yield "sine and cosine swapped", rest + term.xreplace({one: other})
            if isinstance(one.args[0], sm.Add):
                yield (
                    "one angle instead of a sum or a difference",
                    rest + term.xreplace({one: one.func(one.args[0].args[-1])}),
                )
        for symbol in sorted(term.free_symbols & {*model.parameters}, key=str):
            for other in siblings(symbol, known)[:1]:
                yield "a wrong index", rest + term.xreplace({symbol: other})
        for symbol in sorted(term.free_symbols & {*lengths}, key=str)[:1]:
            yield "a missing length", rest + term.xreplace({symbol: sm.S.One})


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
        more |= {"equations": equations, "kinetic_energy": T, "potential_energy": V}
        return replace(self.model, loads=tuple(loads), **more)

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

    def in_equations(self) -> Iterator[Slip]:
        """Yield slips after the derivation: in one entry of M or F, energies and bodies right."""
        if self.model.cut_open:
            return
        for name, letter in (("forcing", "F"), ("mass_matrix", "M")):
            matrix = getattr(self.model.equations, name)
            for i, j in product(range(matrix.rows), range(matrix.cols)):
                for rule, formula in changed(matrix[i, j], self.model):
                    make = partial(self._entry, name, (i, j), formula)
                    yield Slip(rule, "an equation", f"{letter} {i + 1}{j + 1}", make)

    def _entry(self, name: str, place: tuple[int, int], formula: Any) -> Model:
        matrix = sm.Matrix(getattr(self.model.equations, name))
        matrix[place] = formula
        return self.model.with_equations(replace(self.model.equations, **{name: matrix}))

    def in_energies(self) -> Iterator[Slip]:
        """Yield slips in T or V, from which the equations follow without another."""
        energies = self.model.kinetic_energy, self.model.potential_energy
        for i, scope in enumerate(("the kinetic energy", "the potential energy")):
            for rule, formula in changed(energies[i], self.model):
                make = partial(self.with_energies, *exchanged(energies, i, formula))
                yield Slip(rule, scope, str(formula), make)

    def in_loads(self) -> Iterator[Slip]:
        """Yield slips in a load: in the equations alone, or in what is said of it, too."""
        loads, everywhere = self.model.loads, "a load, everywhere it appears"
        for i, load in enumerate(loads):
            twice = partial(self._loaded, (*loads, load))
            yield Slip("a load listed twice", everywhere, str(load.value), twice)
            for rule, wrong in self._wrong_loads(load):
                place = f"{wrong.value} along {wrong.along}"
                make = partial(self._loaded, exchanged(loads, i, wrong))
                yield Slip(rule, everywhere, place, make)
                yield Slip(rule, "a load in the equations", place, partial(make, loads))

    def _loaded(self, loads: tuple[Load, ...], named: tuple[Load, ...] = ()) -> Model:
        """Return the machine whose equations have some loads; it may name others."""
        model = self.model
        moved = self.with_energies(model.kinetic_energy, model.potential_energy, loads)
        return replace(moved, loads=named or loads)

    def _wrong_loads(self, load: Load) -> Iterator[tuple[str, Load]]:
        for name in ("value", "along"):
            for rule, formula in changed(getattr(load, name), self.model):
                yield rule, replace(load, **{name: formula})
        for one in self.model.equations.q:
            if one != load.along:
                yield "a load on another coordinate", replace(load, along=one, rate=sm.S.Zero)
        if load.value.atoms(sm.Derivative):
            still = {one.diff(t): one for one in self.model.equations.q}
            yield "a position instead of a speed", replace(load, value=load.value.subs(still))

    def in_bodies(self) -> Iterator[Slip]:
        """Yield slips in what is said of a body, all else right."""
        for i, rule, body, place in self._wrong_bodies():
            bodies = exchanged(self.model.bodies, i, body)
            yield Slip(rule, "a body", place, partial(replace, self.model, bodies=bodies))

    def in_the_sketch(self) -> Iterator[Slip]:
        """Yield slips in a body from which both energies follow, and the equations from them."""
        bodies = self.model.bodies
        if not bodies or bodies[0].in_space or any(sm.sympify(b.mass).has(t) for b in bodies):
            return
        for i, rule, body, place in self._wrong_bodies():
            make = partial(self._sketched, i, body)
            yield Slip(rule, "the sketch, and everything derived from it", place, make)

    def _sketched(self, i: int, body: Body) -> Model:
        model, old = self.model, self.model.bodies[i]
        g = next((one for one in model.parameters if str(one) == "g"), sm.S.Zero)
        T = model.kinetic_energy + _kinetic(body) - _kinetic(old)
        V = model.potential_energy + g * (body.mass * body.center[1] - old.mass * old.center[1])
        return self.with_energies(T, V, bodies=exchanged(model.bodies, i, body))

    def _wrong_bodies(self) -> Iterator[tuple[int, str, Body, str]]:
        for i, body in enumerate(self.model.bodies):
            for rule, part, change in self._wrong_parts(body):
                yield i, rule, replace(body, **change), f"{part} {i + 1}"

    def _wrong_parts(self, body: Body) -> Iterator[tuple[str, str, dict[str, Any]]]:
        for axis, coordinate in enumerate(body.center):
            for rule, formula in changed(coordinate, self.model):
                yield (
                    rule,
                    f"{'xyz'[axis]} of center",
                    {"center": exchanged(body.center, axis, formula)},
                )
        for other in siblings(body.mass, self.model.parameters)[:1]:
            yield "a wrong index", "mass", {"mass": other}
        yield "an extra factor of 2", "mass", {"mass": 2 * body.mass}
        if not body.in_space and body.inertia != 0:
            yield "a missing term", "inertia", {"inertia": 0}
            yield "an extra factor of 1/2", "inertia", {"inertia": body.inertia / 2}
            for rule, formula in changed(body.turned, self.model):
                yield rule, "turn", {"turned": formula}
        if body.in_space and len({*body.moments}) > 1:
            one, *others = body.moments
            yield "a wrong index", "moments", {"inertia": (*others, one)}
        if body.in_space and body.turned != sm.eye(3):
            yield "a transposed matrix", "turn", {"turned": sm.Matrix(body.turned).T}

    def in_constraints(self) -> Iterator[Slip]:
        """Yield slips in what binds it: the loop is another one, and the drawing is not."""
        model = self.model
        for i, one in enumerate(model.constraints if not model.cut_open else ()):
            for rule, formula in changed(one, model):
                make = partial(replace, model, constraints=exchanged(model.constraints, i, formula))
                yield Slip(rule, "a constraint", f"constraint {i + 1}", make)

    def in_values(self) -> Iterator[Slip]:
        """Yield values with another sign, or told in another unit."""
        for symbol, value in self.model.parameters.items():
            unit = self.model.units.get(str(symbol))
            wrong = (
                {"millimeters are told as meters": 1000 * value} if unit in ("m/s²", "m") else {}
            )
            if str(symbol) == "g":
                wrong["a wrong sign"] = -value
            if unit == "kg":
                wrong["grams are told as kilograms"] = 1000 * value
            for rule, other in wrong.items():
                make = partial(self.model.with_parameters, {symbol: other})
                yield Slip(rule, "a value", str(symbol), make)


def exchanged(several: tuple[Any, ...], i: int, other: Any) -> tuple[Any, ...]:
    """Return several things of which the i-th is another."""
    return (*several[:i], other, *several[i + 1 :])


def _kinetic(body: Body) -> Any:
    v = sm.Matrix(body.center).diff(t)
    return body.mass * v.dot(v) / 2 + body.inertia * sm.sympify(body.turned).diff(t) ** 2 / 2


def _valued(expression: Any, numbers: Any) -> Any:
    derivatives = {one: value for one, value in numbers.items() if one.is_Derivative}
    return sm.sympify(expression).subs(derivatives).subs(numbers).evalf()
