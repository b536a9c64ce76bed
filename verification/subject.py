"""A machine under verification: its equations, random states, and random numbers.

The numbers lie near the model's own and are all unequal, so that an error that is hidden while all
lengths are 1 m shows. Each check of `verify` gets one `Subject`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from straightline.aliases import Array
from tutlib.fields import Field
from tutlib.mechanics.constraints import ConstrainedEquations
from tutlib.mechanics.derivations import symbols_in
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.models.bodies import Body, Load
from tutlib.models.skeleton import Skeleton
from verification.differentiation import Formulas, along_path, jet, slope
from verification.scales import INSTANT, Scales, scaled, scales_of

_T = me.dynamicsymbols._t
_STATES, _TRIES = 3, 60
_GRAVITY_UNITS = ("m/s²", "N/kg")


@dataclass(frozen=True, eq=False)
class Subject:
    """A machine with numbers for all its symbols, and states in which it is checked.

    Parameters
    ----------
    name : str
    equations : EquationsOfMotion
        Cut open where there are loops, with a symbol for each input.
    loop : ConstrainedEquations or None
        The same equations with their constraints.
    closed : EquationsOfMotion or None
        The form of the equations in which a model satisfies its constraints.
    energies : (Expr, Expr) or None
        Kinetic and potential energy.
    bodies : tuple of Body
    loads : tuple of Load
    skeleton : Skeleton or None
        The drawing, in the plane.
    units : mapping from name to str
    values : dict from Symbol to float
        Of parameters and inputs.
    inputs : tuple of Symbol
    near : array or None
        The state around which states are drawn.
    nominal : mapping from Symbol to float
        The values that the parameters were given.
    gravity_value : float or None
        The gravitational acceleration, if it is given as a number [m/s²].
    gravity_symbol : Symbol or None
        The parameter that is the gravitational acceleration, if it is named.
    """

    name: str
    equations: EquationsOfMotion
    loop: ConstrainedEquations | None
    closed: EquationsOfMotion | None
    energies: tuple[sm.Expr, sm.Expr] | None
    bodies: tuple[Body, ...]
    loads: tuple[Load, ...]
    skeleton: Skeleton | None
    units: Mapping[str, str]
    values: Mapping[sm.Symbol, float]
    inputs: tuple[sm.Symbol, ...]
    near: Array | None = None
    nominal: Mapping[sm.Symbol, float] = field(default_factory=dict)
    gravity_value: float | None = None
    gravity_symbol: sm.Symbol | None = None
    _formulas: dict[Any, Formulas] = field(default_factory=dict, repr=False)

    # ---- equations and expressions

    @cached_property
    def complete_equations(self) -> EquationsOfMotion:
        """Equations that determine all accelerations, with multipliers for constraints."""
        return self.loop.complete if self.loop else self.equations

    @property
    def simulated_equations(self) -> EquationsOfMotion:
        """The equations that a simulation of the model integrates."""
        return self.closed or self.complete_equations

    @property
    def symbols(self) -> tuple[sm.Symbol, ...]:
        """The parameters and inputs, in the order of `numbers`."""
        return tuple(self.values)

    @property
    def numbers(self) -> list[float]:
        """The values of the parameters and inputs."""
        return list(self.values.values())

    @cached_property
    def gravity(self) -> sm.Symbol | None:
        """The parameter that is the gravitational acceleration, if there is one.

        It occurs in V only, and is in m/s² or named g. A parameter that also occurs in T or in a
        body's orientation, such as a gear ratio g, is not it.
        """
        if self.gravity_symbol is not None or self.gravity_value is not None:
            return self.gravity_symbol
        if not self.energies:
            return next((s for s in self.symbols if str(s) == "g"), None)
        T, V = self.energies
        elsewhere = symbols_in([T, *(e for body in self.bodies for e in body_expressions(body))])
        named = [s for s in self.symbols if s in symbols_in([V]) - elsewhere]
        in_gravity_units = [s for s in named if self.units.get(str(s)) in _GRAVITY_UNITS]
        named_g = [s for s in named if str(s) == "g" and str(s) not in self.units]
        return next(iter(in_gravity_units or named_g), None)

    @property
    def speeds_are_rates(self) -> bool:
        """Whether the speeds are the time derivatives of the coordinates."""
        eom = self.equations
        return eom.kinematic_matrix == sm.eye(len(eom.u)) and not any(eom.kinematic_drift)

    @property
    def potential_has_speeds(self) -> bool:
        """Whether the potential energy depends on speeds, as a magnetic field's does."""
        return bool(self.energies and self.energies[1].has(*self.equations.u))

    @property
    def has_variable_mass(self) -> bool:
        """Whether a mass depends on auxiliary states, as a rocket's does."""
        held = [self.energies[0] if self.energies else sm.S.Zero, *(b.mass for b in self.bodies)]
        return any(e.has(z) for e in held for z, _ in self.equations.auxiliary)

    def formulas(self, expressions: Sequence[Any], states: Sequence[Any] | None = None) -> Formulas:
        """Return expressions as formulas of the cut-open equations' states, or of given ones."""
        states = self.equations.states if states is None else tuple(states)
        key = (tuple(map(sm.sympify, expressions)), tuple(states))
        if key not in self._formulas:
            self._formulas[key] = Formulas(key[0], states, self.symbols)
        return self._formulas[key]

    def values_at(
        self,
        expressions: Sequence[sm.Expr],
        x: Array,
        t: float | None = None,
    ) -> Array:
        """Return expressions at a state, with the drawn numbers."""
        t = self.instant if t is None else t
        return self.formulas(expressions).floats(t, x, self.numbers)

    def matrix_at(self, matrix: sm.MatrixBase, x: Array) -> Array:
        """Return a matrix at a state of the cut-open equations."""
        return self.values_at(list(matrix), x).reshape(matrix.shape)

    # ---- scales

    @cached_property
    def scales(self) -> Scales:
        """Amplitudes of the states and a rate, without the inputs."""
        return scales_of(self)

    @cached_property
    def amplitudes(self) -> Array:
        """The amplitude of each state."""
        return self.scales.of_states(len(self.equations.auxiliary))

    @property
    def instant(self) -> float:
        """The time at which the drawn states are evaluated [s]."""
        return INSTANT / self.scales.rate

    def energy_scale(self, x: Array) -> float:
        """Return the kinetic energy of the amplitudes, with the mass matrix at a state."""
        speeds = self.scales.rate * self.scales.speeds
        M = self.values_at(list(self.equations.mass_matrix), x, INSTANT)
        return float(speeds @ np.abs(M.reshape(len(speeds), -1)) @ speeds)

    # ---- at one state

    def accelerations(self, x: Array, t: float | None = None) -> Array:
        """Return u̇ and, below it, the constraint forces λ at a cut-open state x."""
        equations = self.complete_equations
        entries = [*equations.mass_matrix, *equations.forcing]
        numbers = self.values_at(entries, x, t)
        k = len(equations.u)
        return solve(numbers[: k * k].reshape(k, k), numbers[k * k :])

    def coordinate_rates(self, x: Array) -> Array:
        """Return q̇."""
        return self.values_at(self.equations.rates, x)

    def second_rates(self, x: Array, u_dot: Array) -> Array:
        """Return q̈ for given u̇, by automatic differentiation."""
        return self._second_rates(x, u_dot)[: len(self.equations.q)]

    def path(self, x: Array, u_dot: Array) -> list[Any]:
        """Return the state as jets in time, for given u̇."""
        n, k = len(self.equations.q), len(self.equations.u)
        second = self._second_rates(x, u_dot)
        further = self._auxiliary_rates(x)
        coordinates = zip(x[:n], self.coordinate_rates(x), second)
        return [
            *(jet(*p) for p in coordinates),
            *(jet(*s) for s in zip(x[n : n + k], u_dot)),
            *(jet(*z) for z in zip(x[n + k :], further, second[n:])),
        ]

    def _auxiliary_rates(self, x: Array) -> Array:
        return self.values_at([rate for _, rate in self.equations.auxiliary], x)

    def _second_rates(self, x: Array, u_dot: Array) -> Array:
        """Return q̈ and, below it, z̈ of auxiliary states for given u̇."""
        eom = self.equations
        rates = [*self.coordinate_rates(x), *u_dot, *self._auxiliary_rates(x)]
        path = [jet(*pair) for pair in zip(x, rates)]
        formulas = self.formulas([*eom.rates, *(rate for _, rate in eom.auxiliary)])
        return along_path(formulas, self.instant, path, self.numbers)[1]

    # ---- random states

    @cached_property
    def states(self) -> list[Array]:
        """Random states that satisfy the constraints and have finite accelerations."""
        random, drawn = np.random.default_rng(7), []
        for _ in range(_TRIES):
            try:
                x = self._drawn(random)
            except ValueError:
                continue
            if np.isfinite(self.accelerations(x)).all():
                drawn.append(x)
            if len(drawn) == _STATES:
                return drawn
        return drawn

    def _drawn(self, random: np.random.Generator) -> Array:
        """Return one random state that satisfies the constraints."""
        n, count = len(self.equations.q), len(self.equations.q) + len(self.equations.u)
        reach = np.repeat([1.1, 1.0, 0.3], [n, count - n, len(self.amplitudes) - count])
        if self.loop:
            reach[:n] = np.pi
        if self.near is not None:
            reach[:] = 0.3
        x = reach * self.amplitudes * random.uniform(-1, 1, len(reach))
        if self.near is not None:
            x += self.near
        if self.loop:
            x = self.loop.consistent_state(self.loop_values(), x, t=self.instant)
        return self._with_orthonormal_axes(x)

    def is_valid_pose(self, x: Array) -> bool:
        """Whether the bodies' axes are orthonormal and their positions finite."""
        formulas = self.formulas([e for body in self.bodies for e in (*body.axes, *body.place)])
        R = formulas.floats(self.instant, x, self.numbers).reshape(-1, 4, 3)
        deviation = R[:, :3].transpose(0, 2, 1) @ R[:, :3] - np.eye(3)
        return bool(np.isfinite(R).all() and np.abs(deviation).max(initial=0.0) < 1e-6)

    def _with_orthonormal_axes(self, x: Array) -> Array:
        """Return the nearest state with orthonormal body axes, as ``|e| = 1`` of a quaternion."""
        n, count = len(self.equations.q), len(self.bodies)
        if not count or not self.bodies[0].in_space:
            return x
        axes = self.formulas([e for body in self.bodies for e in body.axes])
        for _ in range(_TRIES):
            R = axes.floats(self.instant, x, self.numbers).reshape(count, 3, 3)
            residual = (R.transpose(0, 2, 1) @ R - np.eye(3)).ravel()
            if not np.abs(residual).max() > 1e-14:
                break
            slopes = [
                slope(axes, self.instant, x, direction, self.numbers).reshape(R.shape)
                for direction in np.eye(len(x))[:n]
            ]
            products = [R.transpose(0, 2, 1) @ R_slope for R_slope in slopes]
            columns = np.array(
                [(product + product.transpose(0, 2, 1)).ravel() for product in products]
            ).T
            x = np.concatenate([x[:n] - np.linalg.lstsq(columns, residual, rcond=1e-10)[0], x[n:]])
        return x

    def loop_values(self) -> dict[sm.Symbol, float]:
        """Return the values that the equations and their constraints need."""
        needed = {*self.equations.parameters, *(self.loop.parameters if self.loop else ())}
        return {symbol: value for symbol, value in self.values.items() if symbol in needed}

    @cached_property
    def jacobian(self) -> sm.Matrix:
        """The constraint Jacobian G; it has no rows if there are no constraints."""
        return self.loop.jacobian if self.loop else sm.zeros(0, len(self.equations.u))

    def free_directions(self, x: Array) -> Array:
        """Return directions of the speeds that the constraints allow, as columns of amplitudes.

        Divided by the amplitudes, they are orthonormal.
        """
        scale = self.scales.speeds
        if not self.loop:
            return np.diag(scale)
        G = self.matrix_at(self.jacobian, x) * scale
        G /= np.maximum(np.abs(G).max(axis=1, keepdims=True), np.finfo(float).tiny)
        rank = np.linalg.matrix_rank(G, tol=1e-9)
        return np.asarray(scale[:, None] * np.linalg.svd(G)[2][rank:].T)

    def without_inputs(self) -> Subject:
        """Return the machine with all inputs zero, in the same states."""
        values = {**self.values, **dict.fromkeys(self.inputs, 0.0)}
        machine = replace(self, values=values, _formulas=self._formulas)
        shared = {
            name: getattr(self, name)
            for name in ("complete_equations", "states", "jacobian", "scales")
        }
        vars(machine).update(shared)  # these do not depend on the inputs
        return machine

    def amplitudes_of(self, equations: EquationsOfMotion) -> Array:
        """Return the amplitude of each state of other equations; it is an energy for new ones."""
        by_state = dict(zip(self.equations.states, self.amplitudes))
        energy = self.energy_scale(self.states[0])
        G = np.abs(self.matrix_at(self.jacobian, self.states[0])) @ self.scales.speeds
        impulses = energy / np.where(G > 0, G, 1.0) / self.scales.rate
        by_state |= dict(zip(self.complete_equations.u[len(self.equations.u) :], impulses))
        return np.array([by_state.get(state, energy) for state in equations.states])

    def compiled(self, equations: EquationsOfMotion) -> Field:
        """Return f(t, x) of equations with the numbers drawn, in units of the scales."""
        values = {s: v for s, v in self.values.items() if s in equations.parameters}
        start = self.state_of(equations, self.states[0])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                f = equations.compile(values)
                computable = bool(np.isfinite(f(self.instant, start)).all())
        except ValueError:
            computable = False
        if not computable:
            f = Field(self._evaluated(equations))
        return scaled(f, self.amplitudes_of(equations), self.scales.rate)

    def _evaluated(self, equations: EquationsOfMotion) -> Callable[[float, Array], Array]:
        """Return f(t, x) of equations that hold a function which programs cannot compute."""
        k, auxiliary = len(equations.u), [rate for _, rate in equations.auxiliary]
        entries = [*equations.mass_matrix, *equations.forcing, *equations.rates, *auxiliary]
        formulas = self.formulas(entries, equations.states)

        def rates(t: float, x: Array) -> Array:
            M, F, others = np.split(formulas.floats(t, x, self.numbers), [k * k, k * k + k])
            return np.concatenate(
                [others[: len(equations.q)], solve(M.reshape(k, k), F), others[len(equations.q) :]]
            )

        return rates

    def state_of(self, equations: EquationsOfMotion, x: Array) -> Array:
        """Return a state of the cut-open equations as a state of other equations."""
        values = dict(zip(self.equations.states, x))
        return np.array([values.get(state, 0.0) for state in equations.states])


def solve(M: Array, F: Array) -> Array:
    """Return u̇ of M u̇ = F, with nan if M is singular."""
    if not (np.isfinite(M).all() and np.isfinite(F).all()):
        return np.full(len(F), np.nan)
    try:
        return np.asarray(np.linalg.solve(M, F))
    except np.linalg.LinAlgError:
        return np.full(len(F), np.nan)


def body_expressions(body: Body) -> list[sm.Expr]:
    """Return all expressions of a body."""
    return [body.mass, *body.place, *body.axes, *body.moments]
