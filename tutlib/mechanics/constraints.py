"""Equations of motion with constraints φ(q, z, t) = 0 and ψ(q, u, z, t) = 0, such as closed loops.

Consistent initial states, multipliers and joint forces, Baumgarte's damping, independent speeds,
and projection after each step. Chapter 6 derives each of them for a four-bar linkage.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from numpy.typing import ArrayLike
from sympy.core.function import AppliedUndef

from straightline.aliases import Array
from straightline.arguments import instance, real_array, real_number, truth
from tutlib.fields import Field, ImplicitEquations
from tutlib.mechanics import assembly, from_sympy
from tutlib.mechanics.assembly import close, dependent_speeds, read_guess
from tutlib.mechanics.derivations import atoms, partial_derivatives, product
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.mechanics.independent_speeds import bias, dependence, independent_rows
from tutlib.mechanics.projection import Correction, projection
from tutlib.mechanics.reading import refuse_namesakes
from tutlib.mechanics.scales import NaturalScales
from tutlib.reading.expressions import read_expression, read_expressions, read_list, read_symbols
from tutlib.reading.names import plain_name, state_name
from tutlib.reading.parameters import Values, match_names, parameter_values

if TYPE_CHECKING:
    from straightline.evaluator import Evaluator


@dataclass(frozen=True)
class ConstrainedEquations:
    """Equations of motion M u̇ = F + Gᵀ λ with constraints φ(q, z, t) = 0 and ψ(q, u, z, t) = 0.

    To prescribe a motion by an input, let it be an auxiliary state z whose derivative is the input,
    because constraints are differentiated: ``eom.with_inputs({}, {v: a})`` with the velocity
    constraint ``x.diff() - v`` makes the acceleration a of x an input, and
    ``eom.with_inputs({}, {delta: w})`` the rate w of a steering angle.

    Parameters
    ----------
    equations : EquationsOfMotion
        Equations of the mechanism without the constraints (cut open).
    constraints : Expr, or sequence of Expr
        The functions φ of the coordinates that must stay zero [m or rad].
    velocity_constraints : Expr, or sequence of Expr, optional
        The functions ψ, linear in the speeds, that must stay zero and are not time derivatives of
        functions of the coordinates [m/s or rad/s]: rolling without slipping, for example.
    bodies : sequence of Body, optional
        All bodies that have mass, from which `verification` derives the equations a second time.
    loads : sequence of Load, optional
        All forces and torques on them that do work, apart from weight.

    Raises
    ------
    ValueError
        If there are no constraints or more than speeds, if a φ depends on no coordinate or on a
        speed, if a ψ depends on no speed or is not linear in the speeds, or if one of them contains
        an input or an acceleration.

    References
    ----------
    :cite:p:`HairerWanner1996`, chapter VII; :cite:p:`Moore2026`, chapter "Equations of Motion with
    Holonomic Constraints".
    """

    equations: EquationsOfMotion
    constraints: tuple[sm.Expr, ...]
    velocity_constraints: tuple[sm.Expr, ...] = ()
    bodies: tuple[Any, ...] = field(default=(), compare=False)
    loads: tuple[Any, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        instance(self.equations, "equations", EquationsOfMotion, "a model's are model.equations")
        constraints = read_expressions(self.constraints, "constraint")
        object.__setattr__(self, "constraints", constraints)
        expressions = read_expressions(self.velocity_constraints, "velocity constraint")
        velocity_constraints = tuple(self.equations.in_states(expressions))
        object.__setattr__(self, "velocity_constraints", velocity_constraints)
        for name in ("bodies", "loads"):
            object.__setattr__(self, name, tuple(read_list(getattr(self, name))))
        every = [*constraints, *velocity_constraints]
        refuse_namesakes(every, self.equations.states, "a constraint")
        q = set(self.equations.q)
        if not every:
            raise ValueError(
                "constraints must contain at least one function of coordinates or speeds"
            )
        for i, phi in enumerate(constraints, 1):
            if not phi.atoms(AppliedUndef) & q:
                raise ValueError(f"constraint {i} depends on no coordinate: {phi}")
            self._refuse_constraint(i, phi)
        for i, psi in enumerate(velocity_constraints, 1):
            self._refuse_velocity_constraint(i, psi)

    @classmethod
    def from_sympy(cls, method: me.KanesMethod | me.LagrangesMethod) -> ConstrainedEquations:
        """Convert the equations and constraints of a LagrangesMethod, a KanesMethod, or a System.

        A KanesMethod and a System are derived again from their bodies, with all speeds; velocity
        constraints that are time derivatives of configuration constraints are left out. λ has the
        sign that ``rhs`` and ``mass_matrix_full`` of a LagrangesMethod use; its ``eom`` has −λ.

        Parameters
        ----------
        method : LagrangesMethod, KanesMethod or System
            With constraints; the first two with formed equations.

        Returns
        -------
        ConstrainedEquations

        Raises
        ------
        TypeError
            If the object is of another type.
        ValueError
            If the equations are not formed yet, or there are no constraints.
        """
        if isinstance(method, me.LagrangesMethod):
            equations = EquationsOfMotion(**from_sympy.arguments_of_lagrange(method))
            return cls(equations, *from_sympy.lagrange_constraints(method))
        equations = EquationsOfMotion.from_bodies(**from_sympy.bodies_of(method))
        whole = cls(equations, *from_sympy.constraints_of(method))
        kept, m = independent_rows(whole.jacobian), len(whole.constraints)
        of_speeds = tuple(psi for i, psi in enumerate(whole.velocity_constraints, m) if i in kept)
        return replace(whole, velocity_constraints=of_speeds)

    @cached_property
    def complete(self) -> EquationsOfMotion:
        """The equations with multipliers, which determine all accelerations."""
        return self.with_multipliers()

    @cached_property
    def jacobian(self) -> sm.Matrix:
        """G of φ̇ = G u + g, and below it G of ψ = G u + g: shape (m, number of speeds)."""
        eom = self.equations
        holonomic = product(self._slopes(self._phi)[0], eom.kinematic_matrix)
        return holonomic.col_join(partial_derivatives(self._psi, eom.u, eom.q)[0])

    @cached_property
    def rates(self) -> sm.Matrix:
        """φ̇, and below it ψ, as expressions of coordinates and speeds: shape (m, 1)."""
        return self._rate(self._phi).col_join(self._psi)

    @cached_property
    def drift(self) -> sm.Matrix:
        """g, the rates with all speeds zero: shape (m, 1)."""
        slope, explicit = self._slopes(self._phi)
        at_rest = dict.fromkeys(self.equations.u, sm.S.Zero)
        moving = product(slope, self.equations.kinematic_drift) + explicit
        return moving.col_join(self._psi.xreplace(at_rest))

    def with_multipliers(self, damping: sm.Expr | float = 0) -> EquationsOfMotion:
        """Return equations whose last speeds are the impulses of the constraint forces.

        They solve M u̇ − Gᵀ λ = F together with φ̈ + 2 α φ̇ + α² φ = 0, which is of index 1 and
        critically damped, and with ψ̇ + α ψ = 0. The states are x = [q, u, Λ] with Λ̇ = λ, so the
        last m derivatives are the constraint forces λ, positive along the gradient of φ [N or N·m].

        Parameters
        ----------
        damping : float or Expr
            Baumgarte's α [1/s]; with 0 the constraints can drift.

        Returns
        -------
        EquationsOfMotion

        Raises
        ------
        TypeError
            If the damping is not an expression.
        ValueError
            If the damping is not real, or is negative, so that constraint violations would grow; if
            a constraint needs no force.

        References
        ----------
        :cite:p:`Baumgarte1972`.
        """
        eom, G, alpha = self.equations, self.jacobian, read_expression(damping, "damping")
        if alpha.is_extended_nonnegative is False:
            raise ValueError(f"damping must be zero or positive; got {alpha}")
        assembly.refuse_forceless(G)
        m, holonomic = self._number, self.rates[: len(self.constraints), :]
        impulses = tuple(me.dynamicsymbols(f"Lambda_{i + 1}") for i in range(m))
        damped = 2 * alpha * holonomic + alpha**2 * self._phi
        held = self._rate(self.rates) + damped.col_join(alpha * self._psi)
        upper = sm.Matrix(eom.mass_matrix).row_join(-G.T)
        return replace(
            eom,
            u=(*eom.u, *impulses),
            mass_matrix=upper.col_join((-G).row_join(sm.zeros(m))),
            forcing=sm.Matrix([*eom.forcing, *held]),
            kinematic_matrix=sm.Matrix(eom.kinematic_matrix).row_join(sm.zeros(len(eom.q), m)),
            multipliers=m,
            further_parameters=self._known,
            invariants=() if alpha else (*self._phi, *self.rates),
            gradients=(G, eom.u, (), None) if alpha else None,
        )

    def with_independent_speeds(self, speeds: object) -> EquationsOfMotion:
        """Return Kane's equations in independent speeds only: x = [q, independent speeds].

        G u + g = 0 gives u = B u_i + c. Then M becomes Bᵀ M B, and F becomes Bᵀ (F − M d) with
        d = Ḃ u_i + ċ. All coordinates remain, so φ can drift.

        Parameters
        ----------
        speeds : sequence of speeds or their names, or a single one
            As many of the equations' speeds as there are degrees of freedom.

        Returns
        -------
        EquationsOfMotion

        Raises
        ------
        ValueError
            If they are not speeds, or too many or too few, or if the constraints do not determine
            the other speeds or leave none independent.

        References
        ----------
        :cite:p:`KaneLevinson1985`, section 2.13.
        """
        eom, free = self.equations, self._independent(speeds)
        B, c, determinant = dependence(eom.u, self.jacobian, self.drift, free)
        independent = sm.Matrix([eom.u[i] for i in free])
        known = dict(zip(eom.u, B * independent + c))
        if determinant is None:
            steady = bias(self.jacobian, self._rate(self.rates).xreplace(known), free)
        else:
            steady = self._rate(B * independent + c).xreplace(known)
        dependent = [(s, e) for s, e in known.items() if not s.is_Derivative and s != e]
        return replace(
            eom,
            u=tuple(independent),
            mass_matrix=product(product(B.T, eom.mass_matrix), B),
            forcing=product(B.T, eom.forcing.xreplace(known) - product(eom.mass_matrix, steady)),
            kinematic_matrix=product(eom.kinematic_matrix, B),
            kinematic_drift=eom.kinematic_drift + product(eom.kinematic_matrix, c),
            auxiliary=tuple((z, rate.xreplace(known)) for z, rate in eom.auxiliary),
            laws=tuple((s, law.xreplace(known)) for s, law in (*eom.laws, *dependent)),
            further_parameters=self._known,
            invariants=tuple(self._phi),
            gradients=(self.jacobian, eom.u, tuple(free), determinant),
        )

    def _independent(self, speeds: object) -> list[int]:
        u, degrees = self.equations.u, len(self.equations.u) - self._number
        leave = f"{len(u)} speeds with {self._number} constraints leave {degrees} independent"
        if degrees == 0:
            raise ValueError(
                f"{leave}: consistent_state gives the motion, with_multipliers the forces"
            )
        chosen = read_symbols(speeds, u, f"{leave}; got", "choose from")
        if len(chosen) != degrees:
            raise ValueError(
                f"{leave}: choose from {', '.join(map(str, u))}; got "
                f"{', '.join(map(str, chosen)) or 'none'}"
            )
        return [u.index(speed) for speed in chosen]

    def consistent_state(
        self, values: Values, guess: ArrayLike, keep: object = (), t: float = 0.0
    ) -> Array:
        """Find a state [q, u] near a guess that satisfies the constraints and their derivatives.

        Parameters
        ----------
        values : mapping from parameter (or its name) to number
        guess : array, shape (number of coordinates,), (coordinates and speeds,), or (states,)
            Initial guess; speeds and auxiliary states are zero unless given.
        keep : sequence of coordinates or their names, or a single one, optional
            Coordinates that keep their guessed values and speeds; by default, all may change.
        t : float
            Time [s].

        Returns
        -------
        array, shape (coordinates and speeds,), or (states,) if the guess has auxiliary states

        Raises
        ------
            If the loop cannot be closed, the constraints are redundant, the configuration is
            singular, Newton's method converges to another assembly mode, or no speeds fit.

        References
        ----------
        :cite:p:`AscherPetzold1998`, section 9.1.
        """
        eom, q, t = self.equations, self.equations.q, real_number(t, "t")
        n = len(eom.u)
        guessed, further = real_array(guess, "guess"), np.zeros(len(eom.auxiliary))
        whole = guessed.shape == (len(eom.states),)
        if whole:
            guessed, further = np.split(guessed, [len(q) + n])
        x = read_guess(guessed, len(q), n)
        kept = read_symbols(keep, q, "no such coordinate:", "the coordinates are")
        free = [i for i, symbol in enumerate(q) if symbol not in kept]
        scales = self._natural_scales(values, x)
        if self.constraints:
            self._close(values, x, further, free, t, scales)
        moving = self.compile_outputs([*self.jacobian, *self.drift], values)
        outputs = moving(t, np.concatenate([x, further]))
        G, moved = outputs[: -self._number].reshape(-1, n), outputs[-self._number :]
        changing, units = free if n == len(q) else range(n), (scales(eom.u), scales(self.rates))
        x[len(q) :] = dependent_speeds(G, moved, x[len(q) :], changing, *units)
        return np.concatenate([x, further]) if whole else x

    def _natural_scales(self, values: Values, x: Iterable[float] = ()) -> NaturalScales:
        vanishing = (*self.constraints, *self.velocity_constraints)
        return NaturalScales(self.equations, values, x, vanishing)

    def _close(
        self,
        values: Values,
        x: Array,
        further: Array,
        free: Sequence[int],
        t: float,
        scales: NaturalScales,
    ) -> None:
        """Move the free coordinates of x to where φ is zero, in place."""
        q, m = self.equations.q, len(self.constraints)
        slope, _ = self._slopes(self._phi)
        positions = self.compile_outputs([*self.constraints, *slope], values)
        rest = np.concatenate([x[len(q) :], further])

        def evaluate(coordinates: Array) -> tuple[Array, Array]:
            outputs = positions(t, np.concatenate([coordinates, rest]))
            return outputs[:m], outputs[m:].reshape(m, len(q))

        names, units = [plain_name(symbol) for symbol in q], (scales(q), scales(self.constraints))
        x[: len(q)] = close(evaluate, x[: len(q)], free, names, *units)

    def refuse_inconsistent(self, values: Values, x: ArrayLike, t: float = 0.0) -> None:
        """Reject a state [q, u, ...] that violates the constraints or their derivatives.

        Raises
        ------
        ValueError
            With the constraint and by how much it is violated.
        """
        eom, k, m = self.equations, len(self.constraints), self._number
        state = real_array(x, "x", ["k"])[: len(eom.states)]
        matrices = [self._phi, self.rates, self._slopes(self._phi)[0], self.jacobian, self.drift]
        numbers = self.compile_outputs([e for part in matrices for e in part], values)(t, state)
        ends = np.cumsum([k, m, k * len(eom.q), m * len(eom.u)])
        phi, rates, slope, G, moved = np.split(numbers, ends)
        q, u = state[: len(eom.q)], state[len(eom.q) : len(eom.q) + len(eom.u)]
        size = assembly.sizes(slope.reshape(k, -1), q, np.zeros(k)) if k else slope
        rate_size = assembly.sizes(G.reshape(m, -1), u, moved)
        scales = self._natural_scales(values, state)
        units = (
            np.maximum(size, scales(self.constraints)),
            np.maximum(rate_size, scales(self.rates)),
        )
        assembly.refuse_inconsistent(phi, rates, t, *units)

    def projection(self, values: Values, speeds: bool = True, share: sm.Expr | float = 1) -> Field:
        """Return the projection that corrects a state after a step by one Newton correction.

        The coordinates move by the shortest displacement, q − Φᵀ (Φ Φᵀ)⁻¹ φ with Φ = ∂φ/∂q, and
        then the speeds: u − Gᵀ (G Gᵀ)⁻¹ φ̇.

        Parameters
        ----------
        values : mapping from parameter (or its name) to number
        speeds : bool
            Whether x = [q, u, ...] contains all speeds; with independent speeds only, just the
            coordinates are corrected.
        share : float or Expr
            Fraction of the correction that is applied, from 0 to 1.

        Returns
        -------
        Field
            ``x = project(t, x)``.

        References
        ----------
        :cite:p:`HairerLubichWanner2006`, section IV.4.
        """
        passes = self._corrections(truth(speeds, "speeds"))
        part = read_expression(share, "the share of the projection")
        every = [e for outputs in passes for m in outputs[:2] for e in m]
        symbols = set().union(*(e.free_symbols for e in (*every, part)))
        parameters = tuple(sorted(symbols - {me.dynamicsymbols._t}, key=str))
        known = (*self._known, *parameters)
        named = match_names(values, known, "no such parameter:", "the parameters are")
        numbers = parameter_values(parameters, {s: named[s] for s in parameters if s in named})
        fixed = tuple((phi.as_immutable(), slope.as_immutable(), i) for phi, slope, i in passes)
        states = (*self.equations.q, *self.equations.u)
        formula = Correction(fixed, states, parameters, part, further=tuple(self._given))
        units = self._natural_scales(values)(states).tolist()
        return projection(formula, dict(zip(map(str, parameters), numbers)), units)

    def _corrections(self, speeds: bool) -> list[tuple[sm.Matrix, sm.Matrix, int]]:
        """Return (residual, Jacobian, index of its first state) of each pass."""
        passes = [(self._phi, self._slopes(self._phi)[0], 0)] if self.constraints else []
        if speeds:
            assembly.refuse_forceless(self.jacobian)
            passes.append((self.rates, self.jacobian, len(self.equations.q)))
        return passes

    def implicit(self, values: Values, speeds: object) -> ImplicitEquations:
        """Return the equations as a residual, for x = [q, independent speeds].

        The constraints φ = 0 are rows of the residual, so they cannot drift. Its rows are q̇ − N u
        for the coordinates whose derivatives are independent speeds, then φ, then M u̇ − F.

        Parameters
        ----------
        values : mapping from parameter (or its name) to number
        speeds : sequence of speeds or their names, or a single one
            As for `with_independent_speeds`.

        Returns
        -------
        ImplicitEquations

        Raises
        ------
        ValueError
            As for `with_independent_speeds`, if the speeds are not the derivatives of the
            coordinates, or there are velocity constraints.
        """
        whole, reduced = self.equations, self.with_independent_speeds(speeds)
        n, k, free = len(whole.q), len(reduced.u), self._independent(speeds)
        if whole.kinematic_matrix != sm.eye(n):
            raise ValueError(
                "the residual form needs speeds that are the derivatives of coordinates"
            )
        if self.velocity_constraints:
            raise ValueError("the residual form allows only constraints on coordinates")
        matrices = [reduced.rates, self.constraints, reduced.mass_matrix, reduced.forcing]
        outputs = self.compile_outputs([e for part in matrices for e in part], values, reduced)
        ends = np.cumsum([n, len(self.constraints), k * k])

        def evaluate(t: float, x: Array) -> list[Array]:
            qdot, phi, M, F = np.split(outputs(t, x), ends)
            return [qdot, phi, M.reshape(k, k), F]

        def residual(t: float, x: Array, xdot: Array) -> Array:
            qdot, phi, M, F = evaluate(t, x)
            return np.concatenate([xdot[free] - qdot[free], phi, M @ xdot[n:] - F])

        def rates(t: float, x: Array) -> Array:
            qdot, _, M, F = evaluate(t, x)
            return np.concatenate([qdot, np.linalg.solve(M, F)])

        bound = tuple(i for i in range(n) if i not in free)
        units = tuple(self._natural_scales(values)(reduced.states).tolist())
        names = tuple(map(state_name, reduced.states))
        return ImplicitEquations(residual, rates, bound, names, units)

    @property
    def parameters(self) -> tuple[sm.Symbol, ...]:
        """The constant symbols of the constraints, sorted by name."""
        every = (*self.constraints, *self.velocity_constraints)
        symbols = set().union(*(constraint.free_symbols for constraint in every))
        return tuple(sorted(symbols - {me.dynamicsymbols._t}, key=str))

    def compile_outputs(
        self,
        expressions: sm.Expr | Sequence[sm.Expr],
        values: Values,
        equations: EquationsOfMotion | None = None,
    ) -> Evaluator:
        """Compile outputs; values may be given for all parameters of the mechanism.

        Parameters
        ----------
        expressions : Expr, or sequence of Expr
            As for `EquationsOfMotion.compile_outputs`. Accelerations are those with constraints;
            constraint forces are the derivatives of the impulses in ``with_multipliers().u``.
        values : mapping from parameter (or its name) to number
        equations : EquationsOfMotion, optional
            Equations whose states x contains; those without the constraints unless given.

        Returns
        -------
        function
            ``y(t, x)`` for a state or a whole trajectory.
        """
        candidate = self.equations if equations is None else equations
        eom = instance(candidate, "equations", EquationsOfMotion, "those whose states x holds")
        accelerated = atoms(eom.in_states(expressions), sm.Derivative) - {*eom.states}
        complete = self.complete if accelerated and eom == self.equations else None
        eom = replace(eom, further_parameters=self._known)
        return eom.compile_outputs(expressions, values, complete)

    @property
    def _known(self) -> tuple[sm.Symbol, ...]:
        """The constant symbols of the whole mechanism."""
        return (*self.parameters, *self.equations.parameters)

    @property
    def _number(self) -> int:
        return len(self.constraints) + len(self.velocity_constraints)

    @property
    def _phi(self) -> sm.Matrix:
        return sm.Matrix(len(self.constraints), 1, self.constraints)

    @property
    def _psi(self) -> sm.Matrix:
        return sm.Matrix(len(self.velocity_constraints), 1, self.velocity_constraints)

    def _refuse_velocity_constraint(self, i: int, psi: sm.Expr) -> None:
        eom = self.equations
        frozen = psi.xreplace({speed: sm.Dummy() for speed in eom.u})
        accelerations = psi.atoms(sm.Derivative) & {s.diff(me.dynamicsymbols._t) for s in eom.u}
        for acceleration in accelerations:
            raise ValueError(
                f"velocity constraint {i} contains the acceleration {acceleration}: to prescribe "
                "it, constrain the velocity, x.diff() - v, in equations.with_inputs({}, {v: a}), "
                "where a is the acceleration"
            )
        strange = frozen.atoms(AppliedUndef, sm.Derivative) - {*eom.q, *self._given}
        for part in sorted(strange, key=str):
            function = part.expr if isinstance(part, sm.Derivative) else part
            raise ValueError(
                f"velocity constraint {i} may contain only states and time; got {function}; its "
                "derivative is needed, so make it a state and the derivative an input, "
                f"equations.with_inputs({{}}, {{{plain_name(function)}: a}})"
            )
        slope, _, _ = partial_derivatives(sm.Matrix([psi]), eom.u, eom.q)
        if not any(slope):
            raise ValueError(f"velocity constraint {i} depends on no speed: {psi}")
        if any(slope.expand().has(speed) for speed in eom.u):
            raise ValueError(f"velocity constraint {i} is not linear in the speeds: {psi}")

    def _refuse_constraint(self, i: int, phi: sm.Expr) -> None:
        eom = self.equations
        if phi.has(sm.Derivative):
            raise ValueError(f"constraint {i} may contain only coordinates and time; got {phi}")
        functions = sorted(phi.atoms(AppliedUndef) - {*eom.q}, key=str)
        for function in functions:
            if function not in self._given:
                name = plain_name(function)
                raise ValueError(
                    f"constraint {i} may contain only coordinates and time; got {function}; its "
                    "derivatives are needed, so make it a state and the second derivative an "
                    f"input, equations.with_inputs({{}}, {{{name}: {name}_dot, {name}_dot: a}})"
                )
            if atoms([self._given[function]], AppliedUndef, sm.Derivative) & {*eom.u}:
                raise ValueError(
                    f"constraint {i} depends on the auxiliary state {function}, whose derivative "
                    "depends on speeds: give it as a velocity constraint"
                )

    @property
    def _given(self) -> dict[sm.Expr, sm.Expr]:
        """The auxiliary states with their time derivatives."""
        return dict(self.equations.auxiliary)

    def _slopes(self, vector: sm.Matrix) -> tuple[sm.Matrix, sm.Matrix]:
        """Return ∂/∂q of functions of q, u, z and t, and ∂/∂t + ∂/∂z ż."""
        eom, z = self.equations, self._given
        _, along_q, along_z, explicit = partial_derivatives(vector, eom.u, eom.q, tuple(z))
        return along_q, explicit + product(along_z, sm.Matrix(len(z), 1, list(z.values())))

    def _rate(self, vector: sm.Matrix) -> sm.Matrix:
        """Return d/dt of functions of q, u, z, and t with the speeds held."""
        along_q, explicit = self._slopes(vector)
        return product(along_q, sm.Matrix(self.equations.rates)) + explicit
