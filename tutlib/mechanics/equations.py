"""Equations of motion as a value: M(q, t) u̇ = F(q, u, r, t) with q̇ = N(q, t) u + b(q, t).

They are derived from energies, from bodies, or by SymPy, and compiled to f(t, x). The course
derives each system by hand first, from chapter 1 on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import sympy as sm
import sympy.physics.mechanics as me
from sympy.core.function import AppliedUndef

from straightline.arguments import instance, whole_number
from straightline.evaluator import Evaluator
from straightline.expressions import from_sympy
from tutlib.fields import Field
from tutlib.mechanics.dependence import Dependence
from tutlib.mechanics.derivations import atoms, kane, lagrange, product, replaced, symbols_in
from tutlib.mechanics.diagnosis import Diagnosis
from tutlib.mechanics.from_sympy import (
    arguments_of_kane,
    arguments_of_lagrange,
    bodies_of,
    constraints_of,
)
from tutlib.mechanics.mass_matrix_checks import refuse_singular_masses, warn_of_negative_masses
from tutlib.mechanics.reading import (
    is_command,
    read_bodies,
    read_coordinates,
    read_gradients,
    read_kinematics,
    read_loads,
    read_rates,
    read_states,
    refuse_idle,
    refuse_namesakes,
    refuse_open,
    refuse_shapes,
    refuse_still,
)
from tutlib.mechanics.scales import NaturalScales
from tutlib.mechanics.solved_equations import (
    EquationsWithForces,
    OutputsOfMotion,
    SolvedEquations,
)
from tutlib.mechanics.time_derivatives import TimeDerivatives, rate_of_change
from tutlib.reading.expressions import (
    read_entry,
    read_expression,
    read_expressions,
    read_list,
    read_matrix,
)
from tutlib.reading.names import label_of, plain_name, state_name
from tutlib.reading.parameters import Values, match_names, parameter_values

Forces = Mapping[sm.Expr, Any]


@dataclass(frozen=True)
class EquationsOfMotion:
    """Equations of motion M(q, t) u̇ = F(q, u, r, t) with q̇ = N(q, t) u + b(q, t).

    Parameters
    ----------
    q : sequence of dynamicsymbols
        The n generalized coordinates.
    u : sequence of dynamicsymbols or of the derivatives q̇
        The generalized speeds.
    mass_matrix : Matrix, shape (len(u), len(u))
    forcing : Matrix, shape (len(u), 1)
    kinematic_matrix : Matrix, shape (len(q), len(u)), optional
        N; the identity unless given.
    auxiliary : sequence of (dynamicsymbol, Expr), optional
        Further first-order states and their time derivatives, such as the integral of a controller.
        The equations and these derivatives may contain the derivative of an auxiliary state.
    multipliers : int
        Number of speeds, at the end of u, that are impulses of constraint forces (chapter 6).
    kinematic_drift : Matrix, shape (len(q), 1), optional
        b, the time derivatives of the coordinates when all speeds are zero; zero unless given.
    further_parameters : sequence of Symbol, optional
        Parameters of the mechanism that may be absent from this form of its equations: `compile`
        accepts values for them, too.
    invariants : sequence of Expr, optional
        Expressions that are zero in every intended motion, such as constraints and their time
        derivatives: the equations preserve them but do not restore them. Integrating from a state
        where they are not zero gives a warning.
    laws : mapping from function of time to Expr, optional
        The expressions that have replaced inputs and dependent speeds. `compile_outputs` inserts
        them, so outputs may contain such an input.
    gradients : (Matrix, sequence of speeds, sequence of int, Expr or None), optional
        For equations in independent speeds: the Jacobian of the constraints with respect to all
        speeds, the indices of the independent speeds, and the determinant that is divided by.

    Raises
    ------
    TypeError
        If a coordinate or speed is not a function of time, or ``multipliers`` is not an integer.
    ValueError
        If the mass matrix is not square, shapes or ``multipliers`` do not fit, a symbol occurs
        twice, the equations contain a derivative that is neither a state nor follows from states,
        or N or b depends on a speed.

    References
    ----------
    :cite:p:`Moore2026`, chapter "Unconstrained Equations of Motion".
    """

    q: tuple[sm.Expr, ...]
    u: tuple[sm.Expr, ...]
    mass_matrix: sm.ImmutableDenseMatrix
    forcing: sm.ImmutableDenseMatrix
    kinematic_matrix: sm.ImmutableDenseMatrix = None
    auxiliary: tuple[tuple[sm.Expr, sm.Expr], ...] = field(default=())
    multipliers: int = 0
    kinematic_drift: sm.ImmutableDenseMatrix = None
    further_parameters: tuple[sm.Symbol, ...] = field(default=(), compare=False)
    invariants: tuple[sm.Expr, ...] = field(default=(), compare=False)
    gradients: Any = field(default=None, compare=False)
    laws: tuple[tuple[sm.Expr, sm.Expr], ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        q, u = read_states(self.q, "q"), read_states(self.u, "u")
        auxiliary = read_rates(self.auxiliary)
        read_states([*q, *u, *(z for z, _ in auxiliary)], "the states")
        M, F = read_matrix(self.mass_matrix, "the mass matrix"), read_matrix(self.forcing, "F")
        refuse_shapes(M, F, len(u))
        N, b = read_kinematics(q, u, self.kinematic_matrix, self.kinematic_drift)
        m = whole_number(self.multipliers, "multipliers", 0, len(u))
        read = {"q": q, "u": u, "multipliers": m}
        read["invariants"] = tuple(read_expressions(self.invariants, "invariant"))
        read["gradients"] = read_gradients(self.gradients)
        read["laws"] = read_rates(self.laws)
        known = _time_derivatives(q, u, N, b, auxiliary)
        M, F, N, b, *rates = known.insert([M, F, N, b, *(rate for _, rate in auxiliary)])
        if auxiliary:
            N, b = read_kinematics(q, u, N, b)
        read |= {"mass_matrix": M, "forcing": F, "kinematic_matrix": N, "kinematic_drift": b}
        read["auxiliary"] = tuple(zip((z for z, _ in auxiliary), rates))
        for name, value in read.items():
            object.__setattr__(self, name, value)
        refuse_namesakes(self._expressions(), self.states, "the equations")
        self._refuse_stray_derivatives()

    @classmethod
    def from_lagrangian(
        cls,
        T: sm.Expr,
        V: sm.Expr,
        q: sm.Expr | Sequence[sm.Expr],
        forces: Forces | None = None,
        u: sm.Expr | Sequence[sm.Expr] | None = None,
    ) -> EquationsOfMotion:
        """Derive Lagrange's equations d/dt ∂L/∂q̇ − ∂L/∂q = Q with L = T − V.

        For a mass that varies in time, the derivative of the total momentum is taken.

        Parameters
        ----------
        T, V : Expr
            Kinetic and potential energy [J].
        q : dynamicsymbol, or sequence of dynamicsymbols
            Generalized coordinates.
        forces : mapping from coordinate to Expr, optional
            Generalized force Q for a coordinate: N for a length, N·m for an angle.
        u : sequence of dynamicsymbols, optional
            Names for the speeds q̇, in the same order; the derivatives themselves unless given.

        Returns
        -------
        EquationsOfMotion

        Raises
        ------
        TypeError
            If a coordinate is not a function of time, or an energy is not an expression.
        ValueError
            If a force is given for something that is not a coordinate, if T contains no velocity,
            or if an energy contains a symbol that would have no effect: a plain symbol with the
            name of a coordinate or of its derivative, a function of time that is not a coordinate,
            or an acceleration.

        References
        ----------
        :cite:p:`GoldsteinPooleSafko2002`, chapter 1.
        """
        q, speeds = read_coordinates(q, u)
        if len(speeds) != len(q):
            raise ValueError(
                f"u names the derivatives of q: {len(q)} speeds are needed; got {speeds}"
            )
        T, V = read_expression(T, "T"), read_expression(V, "V")
        Q = match_names(
            {} if forces is None else forces, q, "a force is given for", "the coordinates are"
        )
        applied = [read_expression(Q.get(c, 0), f"the force of {c}") for c in q]
        refuse_namesakes([T, V, *applied], (*q, *speeds), "T, V or forces")
        refuse_still(T, q, speeds)
        M, F = lagrange(T - V, q, speeds)
        refuse_idle({"T": T, "V": V}, [*M, *F], q, speeds)
        return cls(q, speeds, M, F + sm.Matrix(applied))

    @classmethod
    def from_bodies(
        cls,
        bodies: Sequence[me.Particle | me.RigidBody],
        q: sm.Expr | Sequence[sm.Expr],
        frame: me.ReferenceFrame,
        loads: Sequence[tuple[me.Point | me.ReferenceFrame, me.Vector]] = (),
        u: Sequence[sm.Expr] | None = None,
        kinematic_matrix: sm.MatrixBase | None = None,
        kinematic_drift: sm.MatrixBase | None = None,
    ) -> EquationsOfMotion:
        """Derive M = Σ Jᵀ diag(m, I) J and F from the Jacobian of each body, without energies.

        Parameters
        ----------
        bodies : sequence of sympy.physics.mechanics Particle or RigidBody
            The velocities of their points and the orientations of their frames must be defined.
        q : sequence of dynamicsymbols
            Generalized coordinates.
        frame : ReferenceFrame
            The inertial frame.
        loads : sequence of (Point, force) or (ReferenceFrame, torque)
            Every force [N] and torque [N·m] that does work, gravity included.
        u : sequence of dynamicsymbols, optional
            Generalized speeds; the derivatives of q unless given.
        kinematic_matrix : Matrix, shape (len(q), len(u)), optional
            N of q̇ = N u + b; the identity unless given.
        kinematic_drift : Matrix, shape (len(q), 1), optional
            b; zero unless given.

        Returns
        -------
        EquationsOfMotion

        Raises
        ------
        TypeError
            If a coordinate is not a function of time, or an argument is not a body, load, or frame.
        ValueError
            If a mass or a moment of inertia is negative, a velocity depends on a function of time
            that is neither a coordinate nor a speed, or an inertia is not constant in its frame.

        References
        ----------
        :cite:p:`KaneLevinson1985`, chapters 2 to 4.
        """
        q, speeds = read_coordinates(q, u)
        bodies, loads = read_bodies(bodies), read_loads(loads)
        instance(frame, "frame", me.ReferenceFrame)
        N, b = read_kinematics(q, speeds, kinematic_matrix, kinematic_drift)
        rates = N * sm.Matrix(speeds) + b
        M, F = kane(bodies, loads, frame, q, speeds, rates)
        return cls(q, speeds, M, F, N, kinematic_drift=b)

    @classmethod
    def from_sympy(
        cls, method: me.KanesMethod | me.LagrangesMethod, forces: Sequence[sm.Expr] = ()
    ) -> EquationsOfMotion:
        """Convert a SymPy KanesMethod or LagrangesMethod with formed equations, or a System.

        A KanesMethod may be constrained: its dependent speeds become ordinary speeds, and the
        constraints, differentiated once more, become the last rows of M u̇ = F. Its auxiliary speeds
        are zero in every motion and are removed; the noncontributing forces that they stand for
        become unknowns in addition to the accelerations if ``forces`` names them.

        Parameters
        ----------
        method : KanesMethod, LagrangesMethod or System
            After ``kanes_equations`` or ``form_lagranges_equations`` was called; a System is
            derived again from its bodies.
        forces : sequence of Symbol or dynamicsymbol, optional
            Noncontributing forces [N or N·m], one for each auxiliary speed of a KanesMethod. Their
            impulses become the last speeds, so their derivatives are the forces.

        Returns
        -------
        EquationsOfMotion

        Raises
        ------
        TypeError
            If the object is of another type.
        ValueError
            If the equations are not formed yet, a LagrangesMethod or a System is constrained (use
            `ConstrainedEquations.from_sympy` for it), or the forces are not determined.

        References
        ----------
        :cite:p:`KaneLevinson1985`, section 4.9.
        """
        if isinstance(method, me.KanesMethod):
            return cls(**arguments_of_kane(method, read_list(forces)))
        lagrange = isinstance(method, me.LagrangesMethod)
        bodies = {} if lagrange else bodies_of(method)
        if method.coneqs if lagrange else any(constraints_of(method)):
            raise ValueError(
                f"the {type(method).__name__} has constraints: convert it with "
                "ConstrainedEquations.from_sympy"
            )
        if read_list(forces):
            raise ValueError(
                "only a KanesMethod has auxiliary speeds, and therefore accepts forces"
            )
        return cls(**arguments_of_lagrange(method)) if lagrange else cls.from_bodies(**bodies)

    @property
    def states(self) -> tuple[sm.Expr, ...]:
        """The entries of x, in order: coordinates, speeds, auxiliary states."""
        return (*self.q, *self.u, *(z for z, _ in self.auxiliary))

    @cached_property
    def rates(self) -> tuple[sm.Expr, ...]:
        """The time derivatives of the coordinates, N u + b, in order."""
        return tuple(self.kinematic_matrix * sm.Matrix(self.u) + self.kinematic_drift)

    def in_states(self, expressions: Sequence[sm.Expr]) -> list[sm.Expr]:
        """Return expressions or matrices with each q̇ written as N u + b.

        The derivatives of auxiliary states and second derivatives are inserted, too: of all
        derivatives, only speeds, accelerations u̇, and those of inputs remain.
        """
        return self._time_derivatives.insert(map(read_entry, read_list(expressions)))

    @cached_property
    def _time_derivatives(self) -> TimeDerivatives:
        N, b = self.kinematic_matrix, self.kinematic_drift
        return _time_derivatives(self.q, self.u, N, b, self.auxiliary)

    @cached_property
    def parameters(self) -> tuple[sm.Symbol, ...]:
        """The constant symbols, sorted by name."""
        symbols = symbols_in(self._expressions())
        return tuple(sorted(symbols - {me.dynamicsymbols._t}, key=_natural_order))

    @property
    def inputs(self) -> tuple[sm.Expr, ...]:
        """The functions of time that are neither coordinates nor speeds, sorted by name."""
        functions = atoms(self._expressions(), AppliedUndef)
        return tuple(sorted(functions - set(self.q) - set(self.states), key=_natural_order))

    @property
    def constraint_forces(self) -> tuple[sm.Expr, ...]:
        """The multipliers, as derivatives of the impulses, if the forcing depends on any."""
        t, impulses = me.dynamicsymbols._t, self.u[len(self.u) - self.multipliers :]
        forces = tuple(impulse.diff(t) for impulse in impulses)
        return forces if atoms(self.forcing, sm.Derivative) & {*forces} else ()

    def with_inputs(
        self,
        inputs: Mapping[sm.Expr, sm.Expr],
        states: Mapping[sm.Expr, sm.Expr] | None = None,
    ) -> EquationsOfMotion:
        """Return new equations in which inputs are expressions of time, state, and parameters.

        An input may also depend on a constraint force, as the friction of a rough guide does: the
        force is the derivative of an impulse of `ConstrainedEquations.with_multipliers`.

        Parameters
        ----------
        inputs : mapping from input to Expr
            For example ``{tau: kp * (theta_d - theta) - kd * theta.diff()}``, or
            ``{N: u[-1].diff()}`` with a constraint force.
        states : mapping from dynamicsymbol to Expr, optional
            Auxiliary states that the inputs use, with their time derivatives; the integral of a PID
            servo is ``{z: theta_d - theta}``. They follow the speeds in x. Their derivatives may
            contain an input that is replaced, which gives anti-windup
            ``{z: theta_d - theta + (tau - law) / T}`` or the work of a motor. Only the command of
            an actuator or a filter remains an input, as in
            ``with_inputs({tau: z}, {z: (tau - z) / T})``: there the expression depends on a new
            state whose derivative depends on the input, and is this state itself or depends on
            nothing else. Inputs may also contain derivatives of these states, such as
            ``-k * y.diff()`` with a filtered angle y.

        Returns
        -------
        EquationsOfMotion

        Raises
        ------
        ValueError
            If a key is not an input of these equations, an expression contains an acceleration, or
            derivatives of states depend on each other cyclically.
        """
        by_symbol = match_names(inputs, self.inputs, "no such input:", "the inputs are")
        known = {s: read_expression(value, f"the input {s}") for s, value in by_symbol.items()}
        added = read_rates(states)
        put_in = {s: law for s, law in known.items() if not is_command(s, law, dict(added))}
        added = tuple((z, rate.xreplace(put_in)) for z, rate in added)
        laws = {s: law.xreplace(known) for s, law in self.laws} | put_in
        return replace(
            self,
            mass_matrix=self.mass_matrix.xreplace(known),
            forcing=self.forcing.xreplace(known),
            kinematic_matrix=self.kinematic_matrix.xreplace(known),
            kinematic_drift=self.kinematic_drift.xreplace(known),
            auxiliary=tuple((z, rate.xreplace(known)) for z, rate in self.auxiliary) + added,
            laws=tuple((s, law) for s, law in laws.items() if s not in dict(added)),
        )

    def accelerations(self) -> sm.ImmutableDenseMatrix:
        """Solve M u̇ = F symbolically, for small systems: shape (len(u), 1).

        Raises
        ------
        ValueError
            If the mass matrix is singular.
        """
        if self.mass_matrix.det() == 0:
            raise ValueError(f"the mass matrix is singular: {self.mass_matrix}")
        return sm.ImmutableDenseMatrix(self.mass_matrix.LUsolve(self.forcing))

    def compile(self, values: Values) -> Field:
        """Compile the equations to a function f(t, x) with x = [q..., u..., auxiliary...].

        Parameters
        ----------
        values : mapping from parameter (or its name) to number
            A value for every parameter, in SI units; those of ``further_parameters`` are optional.

        Returns
        -------
        Field

        Raises
        ------
        TypeError
            If a value is not a real number.
        ValueError
            If a parameter has no value, a symbol is unknown, a value contradicts its symbol's
            assumptions, an input has no expression, or the mass matrix is singular.
        """
        if self.inputs:
            raise ValueError(
                f"no expression for the input{'s' * (len(self.inputs) > 1)} "
                f"{', '.join(map(str, self.inputs))}: add it with with_inputs"
            )
        parameters = self.parameters
        numbers = self._numbers(parameters, values)
        auxiliary = tuple(rate for _, rate in self.auxiliary)
        matrices = (self.mass_matrix, self.forcing, self.rates, auxiliary)
        formula = SolvedEquations(*matrices, self.states, parameters, self.multipliers)
        held = self.constraint_forces
        function = Field(
            None,
            parameters=dict(zip(map(str, parameters), numbers)),
            names=tuple(map(state_name, self.states)),
            coordinates=len(self.q),
            formula=EquationsWithForces.of(formula, held) if held else formula,
            mechanism=Diagnosis(
                speeds=len(self.u),
                multipliers=self.multipliers,
                invariants=self._compiled_invariants(values),
                dependence=self._compiled_gradients(values),
                labels=tuple(map(label_of, self.states)),
                units=self._natural_units(values, self.invariants),
            ),
        )
        refuse_singular_masses(function, lambda: self._natural_scales(values)(self.states))
        warn_of_negative_masses(function, self.multipliers)
        return function

    def _compiled_invariants(self, values: Values) -> Evaluator | None:
        """Return the invariants as a function, or None if a parameter of theirs has no value."""
        if not (self.invariants and self._knows(self.invariants, values)):
            return None
        return self.compile_outputs(self.invariants, values)

    def _natural_scales(self, values: Values) -> NaturalScales:
        return NaturalScales(self, values, (), self.invariants)

    def _natural_units(self, values: Values, expressions: Sequence[sm.Expr]) -> tuple[float, ...]:
        """Return the natural scales of expressions, if the equations have invariants."""
        scales = self._natural_scales(values) if self.invariants else None
        return () if scales is None else tuple(scales(expressions).tolist())

    def _compiled_gradients(self, values: Values) -> Dependence | None:
        matrix, speeds, independent, divisor = self.gradients or ((), (), (), None)
        if not (speeds and self._knows(matrix, values)):
            return None
        outputs = self.compile_outputs([*matrix], values)
        determinant = None if divisor is None else self.compile_outputs(divisor, values)
        units = self._natural_units(values, speeds)
        return Dependence(outputs, tuple(map(label_of, speeds)), independent, determinant, units)

    def _knows(self, expressions: Iterable[sm.Expr], values: Values) -> bool:
        needed = {str(symbol) for e in expressions for symbol in e.free_symbols}
        return needed - {str(me.dynamicsymbols._t)} <= set(map(str, values))

    def compile_outputs(
        self,
        expressions: sm.Expr | Sequence[sm.Expr],
        values: Values,
        complete: EquationsOfMotion | None = None,
    ) -> Evaluator:
        """Compile expressions of the state to a function y(t, x) of a state or a trajectory.

        Parameters
        ----------
        expressions : Expr, or sequence of Expr
            Energies, positions, torques: anything that depends on time, states, parameters,
            accelerations such as ``x.diff(t, 2)``, constraint forces (the derivatives of their
            impulses), and inputs that have an expression.
        values : mapping from parameter (or its name) to number
        complete : EquationsOfMotion, optional
            The equations that give the accelerations; these equations unless given. States that
            are missing here count as zero.

        Returns
        -------
        function
            ``y(traj.t, traj.x)`` has shape (m, number of expressions).

        Raises
        ------
        TypeError, ValueError
            As for `compile`, and if an output contains a function of time that is neither a state
            nor an input with an expression.
        """
        outputs = tuple(self.outputs_in_states(read_expressions(expressions, "output")))
        accelerated = atoms(outputs, sm.Derivative) - {*self.states}
        whole = self if complete is None else complete
        self._refuse_unknown(outputs, {s.diff(me.dynamicsymbols._t) for s in whole.u})
        symbols = symbols_in(outputs) - {me.dynamicsymbols._t}
        if not accelerated:
            needed = tuple(sorted(symbols, key=_natural_order))
            numbers = self._numbers(needed, values)
            formula = from_sympy(outputs, (me.dynamicsymbols._t, self.states, needed))
            return formula.evaluator(numbers)
        first = whole.parameters
        needed = (*first, *sorted(symbols - {*first}, key=_natural_order))
        numbers = self._numbers(needed, values)
        equations: Any = whole.compile(dict(zip(first, numbers))).formula
        if hasattr(equations, "with_redundant"):
            equations = equations.with_redundant()
        index = {state: i for i, state in enumerate(self.states)}
        indices = tuple(map(index.get, whole.states))
        outputs_of = OutputsOfMotion(equations, whole.states, indices, outputs, needed, len(first))
        return Evaluator(outputs_of, len(self.states), numbers)

    def outputs_in_states(self, outputs: Sequence[sm.Expr]) -> list[sm.Expr]:
        """Return outputs with the expressions of inputs, in terms of states and accelerations.

        Parameters
        ----------
        outputs : sequence of Expr

        Returns
        -------
        list of Expr

        Raises
        ------
        ValueError
            If a symbol or another function has the name of a state.
        """
        refuse_namesakes(outputs, self.states, "an output")
        laws = dict(self.laws)
        changing = {d.expr for d in atoms(outputs, sm.Derivative)} & {*laws}
        of_laws = TimeDerivatives({s: rate_of_change(laws[s]) for s in changing})
        return self.in_states(replaced(of_laws.insert(outputs), laws))

    def _refuse_unknown(self, outputs: Sequence[sm.Expr], accelerations: set[sm.Expr]) -> None:
        """Reject outputs of functions of time that neither the state nor u̇ gives."""
        known = {*self.states, *accelerations}
        derivatives = atoms(outputs, sm.Derivative)
        strange = derivatives - known
        functions = atoms(outputs, AppliedUndef) - known - {d.expr for d in derivatives}
        for part in sorted(strange or functions, key=str):
            function = part.expr if part in strange else part
            if function in self.inputs:
                raise ValueError(
                    f"an output contains the input {function}, which has no expression: first "
                    "define "
                    f"it, or set a number, with with_inputs({{{plain_name(function)}: ...}})"
                )
            raise ValueError(
                f"{part} in an output does not follow from the state: outputs may contain "
                "coordinates, speeds, accelerations, auxiliary states, and inputs with an "
                "expression"
            )

    def _numbers(self, needed: Sequence[sm.Symbol], values: Values) -> list[float]:
        """Return the values of the needed symbols; values of the other parameters are ignored."""
        known = (*self.further_parameters, *self.parameters, *needed)
        by_symbol = match_names(values, known, "no such parameter:", "the parameters are")
        return parameter_values(needed, {k: v for k, v in by_symbol.items() if k in needed})

    def _expressions(self) -> list[sm.Expr]:
        rates = [*self.kinematic_drift, *(rate for _, rate in self.auxiliary)]
        return [*self.mass_matrix, *self.forcing, *self.kinematic_matrix, *rates]

    def _refuse_stray_derivatives(self) -> None:
        known = {*self.states, *self.constraint_forces}
        for derivative in atoms(self._expressions(), sm.Derivative) - known:
            refuse_open(derivative)
            function = derivative.expr
            if function in {*self.q, *self.u}:
                raise ValueError(
                    f"{derivative} is an acceleration: accelerations belong on the left side, in "
                    "M u̇"
                )
            raise ValueError(
                f"{derivative} is neither a coordinate nor a speed: an input's derivative must be "
                f"an input itself, or {function} an auxiliary state with a given derivative, "
                "as in auxiliary=[(z, rate)] or with_inputs(inputs, {z: rate})"
            )


def _time_derivatives(
    q: Sequence[sm.Expr],
    u: Sequence[sm.Expr],
    N: sm.MatrixBase,
    b: sm.MatrixBase,
    auxiliary: Sequence[tuple[sm.Expr, sm.Expr]],
) -> TimeDerivatives:
    """Return the derivatives that are not states: of coordinates and of auxiliary states."""
    rates = dict(zip(q, product(N, sm.Matrix(u)) + b))
    t = me.dynamicsymbols._t
    return TimeDerivatives(
        {c: rate for c, rate in rates.items() if rate != c.diff(t)} | dict(auxiliary)
    )


def _natural_order(symbol: sm.Expr) -> list[tuple[bool, int, str]]:
    pieces = re.split(r"(\d+)", str(symbol))
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in pieces]
