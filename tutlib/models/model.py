"""Model of a mechanism: equations of motion, energies, a drawing, and default parameter values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from numpy.typing import ArrayLike

from straightline.aliases import Array, Kind
from straightline.arguments import instance, real_array, several
from tutlib.fields import Field, ImplicitEquations
from tutlib.mechanics.constraints import ConstrainedEquations
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.mechanics.projection import evaluated_at
from tutlib.models.bodies import Body, Load
from tutlib.models.skeleton import Skeleton
from tutlib.models.symbol_meanings import Meanings, read_meanings
from tutlib.reading.expressions import read_expression, read_expressions
from tutlib.reading.parameters import Named, Values, match_names, parameter_values
from tutlib.units import unit_of

if TYPE_CHECKING:
    from straightline.evaluator import Evaluator


@dataclass(frozen=True)
class Model(Meanings):
    """Mechanism ready to simulate.

    Parameters
    ----------
    name : str
    equations : EquationsOfMotion
    kinetic_energy, potential_energy : Expr
        Kinetic and potential energy [J].
    skeleton : Skeleton
    parameters : dict from Symbol to float
        Default values, in SI units.
    constraints : tuple of Expr
        Functions that are zero if loops are closed [m].
    cut_open : EquationsOfMotion, optional
        The equations without constraints, if ``equations`` take the constraints into account.
    names : mapping from symbol (or its name) to str, optional
        Meanings of states, parameters, and inputs in words, such as "length of the first link". A
        speed that is the derivative of a coordinate is named after it.
    projected : Expr
        Fraction of the projection that is applied after each step, if there are constraints.
    bodies : sequence of Body, optional
        All bodies that have mass, used by `verification` to derive the equations a second time.
    loads : sequence of Load, optional
        All forces and torques that do work, apart from weight and those in the potential energy.
    units : mapping from symbol (or its name) to str, optional
        Units of the symbols, such as ``"kg"``, ``"m/s²"``, or ``"N·m·s/rad"``.
    evaluated : Expr
        Fraction of the projection that is part of the equations themselves.
    upright : Expr
        For a mechanism that may fall, a function that is positive while it stands: a live
        simulation stops when it is not, and shows no energy balance.
    velocity_constraints : tuple of Expr
        Functions, linear in the speeds, that are zero where parts roll without slipping [m/s].
    """

    name: str
    equations: EquationsOfMotion
    kinetic_energy: sm.Expr
    potential_energy: sm.Expr
    skeleton: Skeleton
    parameters: Mapping[sm.Symbol, float]
    constraints: tuple[sm.Expr, ...] = ()
    cut_open: EquationsOfMotion | None = None
    names: Mapping[Any, str] = field(default_factory=dict, compare=False)
    projected: sm.Expr = sm.S.One
    bodies: tuple[Body, ...] = ()
    loads: tuple[Load, ...] = ()
    units: Mapping[Any, str] = field(default_factory=dict, compare=False)
    evaluated: sm.Expr = sm.S.Zero
    upright: sm.Expr = sm.S.One
    velocity_constraints: tuple[sm.Expr, ...] = ()

    def __post_init__(self) -> None:
        instance(self.equations, "equations", EquationsOfMotion)
        single = ("kinetic_energy", "potential_energy", "projected", "evaluated", "upright")
        energies = {name: getattr(self, name) for name in single}
        read: dict[str, Any] = {n: read_expression(energy, n) for n, energy in energies.items()}
        every = [*read.values()]
        for name in ("constraints", "velocity_constraints"):
            read[name] = read_expressions(getattr(self, name), name[:-1].replace("_", " "))
            every += read[name]
        for several_of, kind in (("bodies", Body), ("loads", Load)):
            items = several(getattr(self, several_of), several_of, _instance_of(kind))
            read[several_of] = tuple(items)
        # the mass of a body on a fixed axis, or the height of a rail, occurs nowhere else
        every += [
            e
            for body in read["bodies"]
            for e in (body.mass, *body.place, *body.axes, *body.moments)
        ]
        symbols = set(self.equations.parameters).union(*(e.free_symbols for e in every))
        symbols.discard(me.dynamicsymbols._t)
        symbols_of_model = [
            s
            for s in _symbols_and_unknown_keys(symbols, self.parameters)
            if isinstance(s, sm.Symbol)
        ]
        read["parameters"] = match_names(
            self.parameters, symbols_of_model, "no such parameter:", "the parameters are"
        )
        read["names"] = read_meanings(self.names)
        read["units"] = read_meanings(self.units, "units", 'such as {"m": "kg"}')
        for unit in read["units"].values():
            unit_of(unit)
        for name, value in read.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of(
        cls,
        T: sm.Expr,
        V: sm.Expr,
        q: sm.Expr | Sequence[sm.Expr],
        parameters: Values,
        bodies: Sequence[Body],
        loads: Sequence[Load] = (),
        **further: Any,
    ) -> Model:
        """Return the model of a mechanism in coordinates without constraints, by Lagrange.

        Parameters
        ----------
        T, V : Expr
            Kinetic and potential energy [J].
        q : dynamicsymbol, or sequence of dynamicsymbols
            Generalized coordinates.
        parameters : mapping from Symbol or name to float
            Values in SI units.
        bodies : sequence of Body
            All bodies that have mass. `Skeleton.of` draws them, unless ``skeleton`` is given.
        loads : sequence of Load, optional
            All forces and torques that do work, apart from weight and those in V.
        **further
            Other arguments of a model, such as ``units``, ``names``, ``skeleton``, or
            ``velocity_constraints`` of rolling parts.

        Raises
        ------
        TypeError, ValueError
            As for `EquationsOfMotion.from_lagrangian` and `Model`, and if there is nothing to draw.
        """
        coordinates = list(q) if isinstance(q, Sequence | sm.MatrixBase) else [q]
        acting = several(loads, "loads", _instance_of(Load))
        drawn_bodies = several(bodies, "bodies", _instance_of(Body))
        if not drawn_bodies and "skeleton" not in further:
            raise ValueError("there is nothing to draw: pass bodies or a skeleton")
        drawn = {} if "skeleton" in further else {"skeleton": Skeleton.of(drawn_bodies)}
        t = me.dynamicsymbols._t
        forces = {
            c: sum(load.value * (load.along.diff(c) + load.rate.diff(c.diff(t))) for load in acting)
            for c in coordinates
        }
        return cls(
            **{
                "name": "machine",
                "equations": EquationsOfMotion.from_lagrangian(T, V, coordinates, forces),
                "kinetic_energy": T,
                "potential_energy": V,
                "parameters": parameters,
                "loads": acting,
                "bodies": drawn_bodies,
            }
            | drawn
            | further
        )

    def standing(self) -> Model:
        """Return the same mechanism, drawn standing on the ground instead of hanging from it."""
        return replace(self, skeleton=replace(self.skeleton, ceiling=False))

    def with_equations(self, equations: EquationsOfMotion) -> Model:
        """Return the same mechanism with other equations, without the constraints if any."""
        return replace(self, equations=equations, cut_open=None)

    @cached_property
    def constrained(self) -> ConstrainedEquations:
        """The equations without the constraints, together with the constraints.

        Raises
        ------
        ValueError
            If the model has no constraints.
        """
        if not (self.constraints or self.velocity_constraints):
            raise ValueError(f"the model of the {self.name} has no constraints")
        cut = self.cut_open or self.equations
        return ConstrainedEquations(cut, self.constraints, self.velocity_constraints)

    def with_multipliers(
        self, damping: sm.Expr | float = 0, parameters: Mapping[sm.Symbol, float] | None = None
    ) -> Model:
        """Return the model with constraint forces as unknowns, in addition to the accelerations.

        See `ConstrainedEquations.with_multipliers`.

        Parameters
        ----------
        damping : float or Expr
            Baumgarte's α [1/s]; with 0 the constraints can drift.
        parameters : mapping from Symbol to float, optional
            Default values of the symbols in the damping.
        """
        return replace(
            self,
            equations=self.constrained.with_multipliers(damping),
            parameters=self._with(parameters),
            cut_open=self.constrained.equations,
        )

    def with_independent_speeds(self, speeds: Sequence[sm.Expr]) -> Model:
        """Return the model in as many speeds as it has degrees of freedom.

        See `ConstrainedEquations.with_independent_speeds`.
        """
        return replace(
            self,
            equations=self.constrained.with_independent_speeds(speeds),
            cut_open=self.constrained.equations,
        )

    def with_projection(
        self,
        share: sm.Expr | float,
        parameters: Mapping[sm.Symbol, float] | None = None,
        evaluated: sm.Expr | float = 0,
    ) -> Model:
        """Return the same model with only a fraction of the projection after each step.

        Parameters
        ----------
        share : float or Expr
            From 0, so that constraints drift, to 1, so that they hold. It may depend on the state
            at the end of the step, for example on the violation of the constraints.
        parameters : mapping from Symbol to float, optional
            Default values of the symbols in both fractions.
        evaluated : float or Expr
            Fraction of the projection in the equations: with 1 they are evaluated at a projected
            copy of the state, while the state itself is unchanged.
        """
        shares: dict[str, Any] = {"projected": share, "evaluated": evaluated}
        return replace(self, **shares, parameters=self._with(parameters))

    def consistent_state(
        self, guess: ArrayLike, keep: Sequence[sm.Expr] = (), t: float = 0.0
    ) -> Array:
        """Find a state x near a guess that satisfies the constraints and their derivatives.

        See `ConstrainedEquations.consistent_state`.

        Parameters
        ----------
        guess : array, shape (number of coordinates,), (coordinates and speeds,), or (states,)
            The speeds are those of the model's equations, without impulses; zero unless given, and
            so are auxiliary states.
        keep : sequence of coordinates, optional
            Coordinates that keep their guessed values and speeds; by default, all may change.
        t : float
            Time [s].

        Returns
        -------
        array, shape (number of states,)
            Impulses of constraint forces are zero, and auxiliary states as guessed.
        """
        loop, eom, guessed = self.constrained, self.equations, real_array(guess, "guess")
        whole, n = loop.equations, len(eom.q)
        indices = [n + whole.u.index(speed) for speed in eom.u if speed in whole.u]
        further = np.zeros(len(eom.auxiliary))
        if guessed.shape == (len(eom.states),):
            further = guessed[len(eom.states) - len(further) :]
            guessed = guessed[: n + len(indices)]
        if guessed.shape not in ((n,), (n + len(indices),)):
            raise ValueError(
                f"a guess needs {n} coordinates, and {len(indices)} speeds if any; got shape "
                f"{guessed.shape}"
            )
        x = np.concatenate([np.zeros(n + len(whole.u)), further])
        x[[*range(n), *indices][: len(guessed)]] = guessed
        closed = loop.consistent_state(self._values(loop), x, keep, t)
        # independent speeds are consistent in any case
        speeds = closed[indices] if len(indices) == len(whole.u) else x[indices]
        impulses = np.zeros(len(eom.u) - len(indices))
        return np.concatenate([closed[:n], speeds, impulses, further])

    def projection(self) -> Field:
        """Return the projection that corrects a state of this model after a step.

        See `ConstrainedEquations.projection`.
        """
        return self._projection(self.projected)

    def _projection(self, share: sm.Expr) -> Field:
        loop = self.constrained
        of_share = {s: v for s, v in self.parameters.items() if s in share.free_symbols}
        whole = {*loop.equations.u} <= {*self.equations.u}
        return loop.projection(self._values(loop) | of_share, whole, share)

    def implicit(self, speeds: Sequence[sm.Expr]) -> ImplicitEquations:
        """Return the equations as a residual; see `ConstrainedEquations.implicit`."""
        return self.constrained.implicit(self._values(self.constrained), speeds)

    def _values(self, loop: ConstrainedEquations) -> dict[sm.Symbol, float]:
        symbols = {*loop.parameters, *loop.equations.parameters}
        return {symbol: value for symbol, value in self.parameters.items() if symbol in symbols}

    def with_parameters(self, values: Values) -> Model:
        """Return the same model with other default values, by symbol or by name.

        Raises
        ------
        TypeError, ValueError
            If a value is not a number or contradicts its symbol, or a parameter is unknown.
        """
        by_symbol = match_names(values, self.parameters, "no such parameter:", "the parameters are")
        numbers = parameter_values(tuple(by_symbol), by_symbol)
        return replace(self, parameters={**self.parameters, **dict(zip(by_symbol, numbers))})

    def with_inputs(
        self,
        inputs: Mapping[sm.Expr, sm.Expr | float],
        states: Mapping[sm.Expr, sm.Expr | float] | None = None,
        parameters: Mapping[sm.Symbol, float] | None = None,
    ) -> Model:
        """Return the model with expressions for its inputs, as `EquationsOfMotion.with_inputs`.

        Parameters
        ----------
        inputs, states : mapping
            As for `EquationsOfMotion.with_inputs`.
        parameters : mapping from Symbol to float, optional
            Default values of the symbols in the inputs, such as gains.
        """
        eom, cut_open = self.equations, self.cut_open
        by_symbol = match_names(inputs, eom.inputs, "no such input:", "the inputs are")
        closed = {
            symbol: read_expression(value, f"the input {symbol}")
            for symbol, value in by_symbol.items()
        }
        driven = eom.with_inputs(inputs, states)
        if cut_open:
            inputs_of_cut = {
                symbol: by_symbol[symbol] for symbol in by_symbol if symbol in cut_open.inputs
            }
            added = dict(driven.auxiliary[len(eom.auxiliary) :])
            cut_open = cut_open.with_inputs(inputs_of_cut, added)
        return replace(
            self,
            equations=driven,
            parameters=self._with(parameters),
            cut_open=cut_open,
            loads=tuple(load.with_known(closed) for load in self.loads),
        )

    def _with(self, parameters: Mapping[Named, float] | None) -> dict[sm.Symbol, float]:
        """Return the parameters with further values, given by symbol or name."""
        parameters = {} if parameters is None else parameters
        symbols = _symbols_and_unknown_keys(self.parameters, parameters)
        by_symbol: dict[sm.Symbol, Any] = match_names(parameters, symbols, "", "there are")
        return {**self.parameters, **by_symbol}

    def free(self) -> Model:
        """Return the model with every input zero."""
        return self.with_inputs(dict.fromkeys(self.equations.inputs, 0))

    def compile(self) -> Field:
        """Compile the equations with the model's own values; see `EquationsOfMotion.compile`."""
        f = self.equations.compile(self._values_for(self.equations.invariants))
        return f if self.evaluated == 0 else evaluated_at(self._projection(self.evaluated), f)

    def energies(self, t: Array, x: Array) -> Array:
        """Return kinetic and potential energy [J] along a trajectory, shape (m, 2)."""
        return self._outputs((self.kinetic_energy, self.potential_energy), t, x)

    def positions(self, t: Array, x: Array) -> Array:
        """Return the skeleton's points [m] along a trajectory, shape (m, number of points, 2)."""
        flat = [coordinate for point in self.skeleton.points for coordinate in point]
        positions = self._outputs(flat, t, x)
        return positions.reshape(*positions.shape[:-1], -1, 2)

    def _outputs(self, expressions: Sequence[sm.Expr], t: Array, x: Array) -> Array:
        return np.asarray(self.compile_outputs(expressions)(t, x))

    def compile_outputs(self, expressions: Sequence[sm.Expr]) -> Evaluator:
        """Compile outputs with the model's own values; see `EquationsOfMotion.compile_outputs`."""
        outputs = read_expressions(expressions, "output")
        eom, needed = self.equations, [*outputs, *(law for _, law in self.equations.laws)]
        held = (*self.constraints, *self.velocity_constraints)
        if held and not (self.cut_open or eom.multipliers or eom.gradients):
            values = self._values_for([*needed, *held])
            return self.constrained.compile_outputs(outputs, values)
        return eom.compile_outputs(outputs, self._values_for(needed))

    def _values_for(self, expressions: Sequence[sm.Expr]) -> dict[sm.Symbol, sm.Expr]:
        """Return the values of the symbols in the equations and some expressions."""
        needed = set(self.equations.parameters).union(*(e.free_symbols for e in expressions))
        return {symbol: value for symbol, value in self.parameters.items() if symbol in needed}


def _instance_of(kind: type[Kind]) -> Callable[[object], Kind]:
    """Return a function that checks the type of an item."""
    return lambda item: instance(item, "each of them", kind)


def _symbols_and_unknown_keys(symbols: Iterable[sm.Expr], values: object) -> list[sm.Expr]:
    """Return symbols, followed by the keys of values that are named like none of them."""
    by_name = {str(symbol): symbol for symbol in symbols}
    keys = values if isinstance(values, Mapping) else ()
    return [*by_name.values(), *(key for key in keys if str(key) not in by_name)]
