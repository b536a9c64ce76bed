"""Loops that stay closed: holonomic constraints φ(q, t) = 0 added to equations of motion.

A consistent start, multipliers and joint forces, Baumgarte's damping, independent speeds, and the
projection that follows each step. Chapter 6 derives each of them for a four-bar linkage.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from numpy.typing import ArrayLike
from sympy.core.function import AppliedUndef

from tutlib.mechanics.assembly import close, dependent_speeds, refuse_inconsistent
from tutlib.mechanics.derivations import partial_derivatives
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.mechanics.parameters import Values, match_names, parameter_values
from tutlib.programs.codegen import assignments, plain_name, state_name
from tutlib.programs.implicit import ImplicitEquations
from tutlib.programs.projection import Projection
from tutlib.programs.right_hand_side import Array


@dataclass(frozen=True)
class ConstrainedEquations:
    """M u̇ = F + Gᵀ λ with φ(q, t) = 0: a mechanism cut open, and what closes it again.

    Parameters
    ----------
    equations : EquationsOfMotion
        Of the mechanism cut open.
    constraints : sequence of Expr
        The m functions φ that must stay zero [m or rad].

    Raises
    ------
    ValueError
        If there are none or more than speeds, or one depends on no coordinate or on a speed.

    References
    ----------
    :cite:p:`HairerWanner1996`, chapter VII; :cite:p:`Moore2026`, chapter "Equations of Motion with
    Holonomic Constraints".
    """

    equations: EquationsOfMotion
    constraints: tuple[sm.Expr, ...]

    def __post_init__(self) -> None:
        constraints = tuple(map(sm.sympify, self.constraints))
        object.__setattr__(self, "constraints", constraints)
        n, q = len(self.equations.u), set(self.equations.q)
        if not 1 <= len(constraints) <= n:
            raise ValueError(f"{n} speeds can have 1 to {n} constraints; got {len(constraints)}")
        for i, phi in enumerate(constraints, 1):
            if not phi.atoms(AppliedUndef) & q:
                raise ValueError(f"constraint {i} depends on no coordinate: {phi}")
            if phi.has(sm.Derivative) or phi.atoms(AppliedUndef) - q:
                raise ValueError(f"constraint {i} has more than coordinates and time in it: {phi}")

    @cached_property
    def jacobian(self) -> sm.Matrix:
        """G of φ̇ = G u + ∂φ/∂t, shape (m, number of speeds)."""
        return self._slopes(sm.Matrix(self.constraints))[0] * self.equations.kinematic_matrix

    @cached_property
    def rates(self) -> sm.Matrix:
        """φ̇ as expressions of coordinates and speeds, shape (m, 1)."""
        return self._rate(sm.Matrix(self.constraints))

    def with_multipliers(self, damping: Any = 0) -> EquationsOfMotion:
        """Return equations whose last speeds are the impulses of the constraint forces.

        They solve M u̇ − Gᵀ λ = F together with φ̈ + 2 α φ̇ + α² φ = 0: of index 1, and critically
        damped. The states are x = [q, u, Λ] with Λ̇ = λ, so the last m rates are the forces λ that
        keep the loop closed: positive along the gradient of φ [N, or N·m].

        Parameters
        ----------
        damping : float or Expr
            Baumgarte's α [1/s]; 0 leaves the loop to drift.

        Returns
        -------
        EquationsOfMotion

        References
        ----------
        :cite:p:`Baumgarte1972`.
        """
        eom, G, alpha = self.equations, self.jacobian, sm.sympify(damping)
        m, phi = len(self.constraints), sm.Matrix(self.constraints)
        impulses = tuple(me.dynamicsymbols(f"Lambda_{i + 1}") for i in range(m))
        held = self._rate(self.rates) + 2 * alpha * self.rates + alpha**2 * phi
        upper = sm.Matrix(eom.mass_matrix).row_join(-G.T)
        return replace(
            eom,
            u=(*eom.u, *impulses),
            mass_matrix=upper.col_join((-G).row_join(sm.zeros(m))),
            forcing=sm.Matrix([*eom.forcing, *held]),
            kinematic_matrix=sm.Matrix(eom.kinematic_matrix).row_join(sm.zeros(len(eom.q), m)),
            multipliers=m,
        )

    def with_independent_speeds(self, speeds: Sequence[sm.Expr]) -> EquationsOfMotion:
        """Return Kane's equations in independent speeds alone: x = [q, independent speeds].

        G u = 0 gives u = B u_i. Then M becomes Bᵀ M B, and F becomes Bᵀ (F − M Ḃ u_i). All
        coordinates stay, and so φ can drift.

        Parameters
        ----------
        speeds : sequence of Expr
            As many of the equations' speeds as there are degrees of freedom.

        Returns
        -------
        EquationsOfMotion

        Raises
        ------
        ValueError
            If they are no speeds or too many or too few, if the constraints do not determine the
            others, or if a constraint moves with time.

        References
        ----------
        :cite:p:`KaneLevinson1985`, section 2.13.
        """
        eom, free = self.equations, self._independent(speeds)
        n, m = len(eom.u), len(self.constraints)
        bound = [i for i in range(n) if i not in free]
        G = self.jacobian[:, bound]
        determinant = G.det()
        if determinant == 0:
            names = ", ".join(str(eom.u[i]) for i in bound)
            raise ValueError(f"the constraints do not determine {names}: choose other speeds")
        # not by elimination, whose pivots may vanish where the determinant does not
        solved = -G.adjugate() * self.jacobian[:, free] / determinant
        B = sm.zeros(n, n - m)
        for row, i in enumerate(bound):
            B[i, :] = solved[row, :]
        for column, i in enumerate(free):
            B[i, column] = 1
        independent = sm.Matrix([eom.u[i] for i in free])
        known = dict(zip(eom.u, B * independent))
        bias = self._rate(B * independent).xreplace(known)
        return replace(
            eom,
            u=tuple(independent),
            mass_matrix=B.T * eom.mass_matrix * B,
            forcing=B.T * (eom.forcing.xreplace(known) - eom.mass_matrix * bias),
            kinematic_matrix=eom.kinematic_matrix * B,
        )

    def _independent(self, speeds: Sequence[sm.Expr]) -> list[int]:
        u, degrees = self.equations.u, len(self.equations.u) - len(self.constraints)
        if len(set(speeds) & set(u)) != len(speeds) or len(speeds) != degrees:
            raise ValueError(
                f"{len(u)} speeds with {len(self.constraints)} constraints leave {degrees} "
                f"independent: choose from {', '.join(map(str, u))}; got "
                f"{', '.join(map(str, speeds)) or 'none'}"
            )
        if any(self._slopes(sm.Matrix(self.constraints))[1]):
            raise ValueError("a constraint moves with time: use with_multipliers")
        return [u.index(speed) for speed in speeds]

    def consistent_state(
        self, values: Values, guess: ArrayLike, keep: Sequence[sm.Expr] = (), t: float = 0.0
    ) -> Array:
        """Return the state [q, u] near a guess that closes the loop and keeps it closed.

        Parameters
        ----------
        values : mapping from parameter (or its name) to number
        guess : array, shape (number of coordinates,) or (coordinates and speeds,)
            Speeds are zero unless given.
        keep : sequence of coordinates, optional
            Those that stay as guessed, with their speeds; all may move unless given.
        t : float
            Time [s].

        Returns
        -------
        array, shape (coordinates and speeds,)

        Raises
        ------
        ValueError
            If the loop cannot be closed, the constraints are redundant, the configuration is
            singular, or Newton's method leaves the guess for another way of assembling.

        References
        ----------
        :cite:p:`AscherPetzold1998`, section 9.1.
        """
        eom, q, m = self.equations, self.equations.q, len(self.constraints)
        x, n = self._guess(guess), len(eom.u)
        match_names(dict.fromkeys(keep), q, "no such coordinate:", "the coordinates are")
        free = [i for i, symbol in enumerate(q) if symbol not in keep]
        slope, moving = self._slopes(sm.Matrix(self.constraints))
        positions = self.compile_outputs([*self.constraints, *slope], values)

        def evaluate(coordinates: Array) -> tuple[Array, Array]:
            found = positions(t, np.concatenate([coordinates, x[len(q) :]]))
            return found[:m], found[m:].reshape(m, len(q))

        x[: len(q)] = close(evaluate, x[: len(q)], free, [plain_name(symbol) for symbol in q])
        found = self.compile_outputs([*self.jacobian, *moving], values)(t, x)
        G, moved = found[: m * n].reshape(m, n), found[m * n :]
        x[len(q) :] = dependent_speeds(G, moved, x[len(q) :], free if n == len(q) else range(n))
        return x

    def _guess(self, guess: ArrayLike) -> Array:
        q, u = self.equations.q, self.equations.u
        given = np.asarray(guess, dtype=float)
        if given.shape not in ((len(q),), (len(q) + len(u),)):
            raise ValueError(
                f"a guess needs {len(q)} coordinates, and {len(u)} speeds if any; got shape "
                f"{given.shape}"
            )
        return np.concatenate([given, np.zeros(len(q) + len(u) - len(given))])

    def refuse_inconsistent(self, values: Values, x: ArrayLike, t: float = 0.0) -> None:
        """Refuse a state [q, u, ...] that leaves the loop open or its speeds would open it.

        Raises
        ------
        ValueError
            Naming the constraint, and by how much it is not met.
        """
        state = np.asarray(x, dtype=float)[: len(self.equations.states)]
        found = self.compile_outputs([*self.constraints, *self.rates], values)(t, state)
        refuse_inconsistent(found[: len(self.constraints)], found[len(self.constraints) :], t)

    def projection(self, values: Values, speeds: bool = True) -> Projection:
        """Return what brings a state back after a step, by one Newton correction.

        The coordinates move by the shortest way, q − Φᵀ (Φ Φᵀ)⁻¹ φ with Φ = ∂φ/∂q, and then the
        speeds: u − Gᵀ (G Gᵀ)⁻¹ φ̇.

        Parameters
        ----------
        values : mapping from parameter (or its name) to number
        speeds : bool
            Whether x = [q, u, ...] holds all the speeds; with independent speeds alone, only the
            coordinates need a correction.

        Returns
        -------
        Projection

        References
        ----------
        :cite:p:`HairerLubichWanner2006`, section IV.4.
        """
        eom, m, phi = self.equations, len(self.constraints), sm.Matrix(self.constraints)
        parameters = self.parameters
        given = match_names(
            values, {*parameters, *eom.parameters}, "no such parameter:", "the parameters are"
        )
        numbers = parameter_values(parameters, {s: given[s] for s in parameters if s in given})
        passes = [(phi, self._slopes(phi)[0], 0)]
        if speeds:
            passes.append((self.rates, self.jacobian, len(eom.q)))
        body = [line for part in passes for line in _correction(*part, eom.states, parameters)]
        head = ["def correction(t, x, p, M, F):", '    """Correct x in place."""']
        source = "\n".join([*head, *(f"    {line}" for line in body), ""])
        return Projection(source, m, tuple(map(str, parameters)), np.array(numbers))

    def implicit(self, values: Values, speeds: Sequence[sm.Expr]) -> ImplicitEquations:
        """Return the equations as a residual, for x = [q, independent speeds].

        The constraints φ = 0 stand in it as they are, and so nothing can drift. Its rows: q̇ − N u
        for the coordinates that belong to independent speeds, φ, and M u̇ − F.

        Parameters
        ----------
        values : mapping from parameter (or its name) to number
        speeds : sequence of Expr
            As for `with_independent_speeds`.

        Returns
        -------
        ImplicitEquations

        Raises
        ------
        ValueError
            As for `with_independent_speeds`, or if the speeds are not the rates of coordinates.
        """
        whole, reduced = self.equations, self.with_independent_speeds(speeds)
        n, k, free = len(whole.q), len(speeds), self._independent(speeds)
        if whole.kinematic_matrix != sm.eye(n):
            raise ValueError("the residual form needs speeds that are the rates of coordinates")
        parts = [reduced.rates, self.constraints, reduced.mass_matrix, reduced.forcing]
        outputs = self.compile_outputs([e for part in parts for e in part], values, reduced)
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
        return ImplicitEquations(residual, rates, bound, tuple(map(state_name, reduced.states)))

    @property
    def parameters(self) -> tuple[sm.Symbol, ...]:
        """The constant symbols of the constraints, sorted by name."""
        symbols = set().union(*(phi.free_symbols for phi in self.constraints))
        return tuple(sorted(symbols - {me.dynamicsymbols._t}, key=str))

    def compile_outputs(
        self,
        expressions: Sequence[sm.Expr],
        values: Values,
        equations: EquationsOfMotion | None = None,
    ) -> Callable[[Any, Any], Any]:
        """Compile outputs; values may name what only the constraints have in them.

        Parameters
        ----------
        expressions : sequence of Expr
        values : mapping from parameter (or its name) to number
        equations : EquationsOfMotion, optional
            Those whose states x holds; the mechanism's cut open unless given.

        Returns
        -------
        function
            ``y(t, x)`` for a state or a whole trajectory.
        """
        eom = equations or self.equations
        inner = {*eom.parameters}.union(*(sm.sympify(e).free_symbols for e in expressions))
        known = {*inner, *self.parameters, *self.equations.parameters} - {me.dynamicsymbols._t}
        given = match_names(values, known, "no such parameter:", "the parameters are")
        needed = {symbol: value for symbol, value in given.items() if symbol in inner}
        return eom.compile_outputs(expressions, needed)

    def _slopes(self, vector: sm.Matrix) -> tuple[sm.Matrix, sm.Matrix]:
        """Return ∂/∂q and ∂/∂t of functions of q, u and t."""
        _, along_q, explicit = partial_derivatives(vector, self.equations.u, self.equations.q)
        return along_q, explicit

    def _rate(self, vector: sm.Matrix) -> sm.Matrix:
        """Return d/dt of functions of q, u and t with the speeds held: ∂/∂q N u + ∂/∂t."""
        along_q, explicit = self._slopes(vector)
        return along_q * sm.Matrix(self.equations.rates) + explicit


def _correction(
    residual: sm.Matrix,
    slope: sm.Matrix,
    first: int,
    states: Sequence[sm.Expr],
    parameters: Sequence[sm.Expr],
) -> list[str]:
    """Print x - Gᵀ (G Gᵀ)⁻¹ residual for the states from the first one on."""
    m, n = slope.shape
    entries = [f"_G{i}_{j}" for i in range(m) for j in range(n)]
    targets = [*(f"M[{i}]" for i in range(m * m)), *(f"F[{i}]" for i in range(m)), *entries]
    values = [*(slope * slope.T), *residual, *slope]
    changes = ["".join(f" - _G{i}_{j} * F[{i}]" for i in range(m)) for j in range(n)]
    return [
        *assignments(targets, values, states, "Python", parameters),
        "solve_symmetric(M, F)",
        *(f"x[{first + j}] = x[{first + j}]{change}" for j, change in enumerate(changes)),
    ]
