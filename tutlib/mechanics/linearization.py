"""Linearization about a trim point: δẋ = A δx + B δr, with constrained coordinates eliminated.

The Jacobian of the equations is restricted to the tangent space of the constraints. Chapter 7 shows
why that is right, and what is wrong with the unrestricted Jacobian.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from numpy.typing import NDArray
from sympy.core.function import AppliedUndef

from straightline.aliases import Array
from tutlib.mechanics.assembly import CLOSED
from tutlib.mechanics.constraints import ConstrainedEquations
from tutlib.mechanics.derivations import atoms, replaced, symbols_in
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.mechanics.linear_solution import readable, solve_symbolically
from tutlib.mechanics.linearization_point import (
    Equations,
    cut_open,
    derivatives,
    difference_slopes,
    evaluate_at,
    frozen_states,
    inputs_at,
    is_not_zero,
    moment_at,
    no_derivative,
    refuse_edges,
    refuse_unknown,
    rounded,
    scales_at,
    violations,
)
from tutlib.mechanics.scales import ROUNDED, ROUNDING, NaturalScales
from tutlib.reading.expressions import read_expression, read_expressions, read_symbols
from tutlib.reading.names import label_of
from tutlib.reading.parameters import Named, Values, match_names

#: Least singular value of [A - λ I, B], relative to A, at which an input moves a mode.
_UNREACHED = 1e-12
#: Accelerations below this count as zero, in natural units.
_AT_REST = 1e-7


class NoTrimWarning(RuntimeWarning):
    """Warning that equations were linearized about a point with nonzero accelerations."""


@dataclass(frozen=True)
class Linearization:
    """Linear equations δẋ = A δx + B δr in independent states x, with outputs δy = C δx + D δr.

    Parameters
    ----------
    A, B : array or Matrix, shape (k, k) and (k, number of inputs)
    states : tuple of Expr
        The k independent states.
    inputs : tuple of Expr
    tangent : array or Matrix, shape (number of all states, k)
        Changes of all states per change of each independent state.
    C, D : array or Matrix, shape (number of outputs, k) and (number of outputs, number of inputs)
        None if no outputs were given.
    """

    A: Any
    B: Any
    states: tuple[sm.Expr, ...]
    inputs: tuple[sm.Expr, ...]
    tangent: Any
    C: Any = None
    D: Any = None

    def modes(self) -> list[tuple[complex, Array]]:
        """Return eigenvalues [1/s] and mode shapes in all states, the slowest oscillation first.

        A conjugate pair appears once, with positive imaginary part. Shapes are scaled so that the
        first state that takes part is real and positive.
        """
        values, vectors = np.linalg.eig(np.asarray(self.A, dtype=float))
        # Magnitudes that differ only by rounding count as equal.
        sizes = [float(f"{abs(value):.9e}") for value in values]
        order = sorted(range(len(values)), key=lambda i: (sizes[i], values[i].real))
        shapes = (np.asarray(self.tangent, dtype=float) @ vectors).T
        first = [np.argmax(np.abs(shape) > 1e-6 * np.abs(shape).max()) for shape in shapes]
        shapes = np.array([v * (v[i].conj() / abs(v[i])) for v, i in zip(shapes, first)])
        return [(complex(values[i]), shapes[i]) for i in order if values[i].imag >= 0]

    def uncontrollable_directions(self) -> Array:
        """Return an orthonormal basis of the states that no input moves, shape (k, any).

        The basis is empty if the linear system is controllable. By Hautus' test, w is such a
        direction if wᵀ A = λ wᵀ and wᵀ B = 0 for an eigenvalue λ. The states are scaled to balance
        the matrices.

        References
        ----------
        :cite:p:`AstromMurray2021`, section 7.1.
        """
        from scipy.linalg import matrix_balance, orth  # slow to import, so only when needed

        A, B = np.asarray(self.A, dtype=float), np.asarray(self.B, dtype=float)
        A, (units, _) = matrix_balance(A, permute=False, separate=True)
        size = np.abs(A).max(initial=0.0) or 1.0
        B = B / units[:, None]
        B = size * B / np.maximum(np.abs(B).max(axis=0), np.finfo(float).tiny)
        found, rest = [], np.eye(len(A))
        while rest.shape[1]:
            A_rest, B_rest = rest.T @ A @ rest, rest.T @ B
            spaces = [
                np.linalg.svd(np.hstack([A_rest - value * np.eye(len(A_rest)), B_rest]))
                for value in np.linalg.eigvals(A_rest)
            ]
            left, least, _ = min(spaces, key=lambda space: space[1][-1])
            if least[-1] > _UNREACHED * size:
                break
            w = left[:, least <= _UNREACHED * size]
            w = orth(np.hstack([w.real, w.imag]), rcond=1e-6)
            found.append(rest @ w)
            rest = rest @ np.linalg.svd(w)[0][:, w.shape[1] :]
        all_found = np.hstack([*found, np.zeros((len(A), 0))])
        return np.asarray(np.linalg.qr(all_found / units[:, None])[0])


def linearize(
    equations: Equations,
    x: Sequence[sm.Expr | float] | Mapping[Named, sm.Expr | float],
    values: Values | None = None,
    independent: object = None,
    inputs: Mapping[sm.Expr, sm.Expr] | None = None,
    time: object = None,
    outputs: object = None,
) -> Linearization:
    """Linearize equations about a point, with constraints if there are any.

    If the equations depend on time explicitly, the result holds at one time only: its eigenvalues
    do not decide whether the motion is stable.

    Parameters
    ----------
    equations : EquationsOfMotion or ConstrainedEquations
    x : sequence, or mapping from state
        The point: coordinates, speeds and auxiliary states, without impulses of constraint
        forces. Usually a trim point. States that a mapping leaves out are zero.
    values : mapping from parameter (or its name) to number, optional
        If given, the result is numeric; otherwise it is in terms of the parameters.
    independent : sequence of coordinates or their names, or a single one, optional
        Coordinates that describe a constrained mechanism; well-conditioned ones unless given.
    inputs : mapping from input (or its name) to number, optional
        Values at the point; zero unless given.
    time : float or Expr, optional
        Time [s], needed if the equations depend on time explicitly.
    outputs : Expr, or sequence of Expr, optional
        Measured quantities y, such as the position of a point, the power of a motor, or the reading
        of an accelerometer, ``x.diff(t, 2) + g * sm.sin(theta)``. They may depend on states,
        inputs, derivatives of speeds, and constraint forces, which are the derivatives of the
        impulses of `ConstrainedEquations.with_multipliers`. The result then has C and D.

    Returns
    -------
    Linearization

    Raises
    ------
    ValueError
        If the point has too few entries or violates the constraints, a value belongs to no
        parameter, independent coordinates are given without constraints, the choice of independent
        coordinates or the mass matrix is singular at the point, the equations or outputs are not
        differentiable there, they depend on time and no time is given, or an output depends on a
        function that is not a state, an input, an acceleration, or a constraint force.

    Warns
    -----
    NoTrimWarning
        If accelerations at the point are not zero: δẋ = A δx + B δr then misses a constant term.

    References
    ----------
    :cite:p:`PetersonGedeHubbard2015`.
    """
    cut = cut_open(equations)
    point = _point(cut, x) | inputs_at(cut, inputs) | moment_at(equations, time)
    y = cut.outputs_in_states(read_expressions(outputs, "output"))
    if values is not None:
        refuse_unknown(values, equations, {**point, **dict(enumerate(y))})
    if not isinstance(equations, ConstrainedEquations):
        if independent is not None:
            raise ValueError(
                "independent applies only to equations with constraints; these have none"
            )
        A, B, C, D = _jacobians(cut, point, values, y, scales_at(cut, point, values))
        unit = np.eye(len(A)) if values is not None else sm.eye(A.shape[0])
        return Linearization(A, B, cut.states, cut.inputs, unit, C, D)
    whole, held = equations.complete, equations.constraints
    scales = scales_at(whole, point, values, [*held, *equations.velocity_constraints])
    A, B, C, D = _jacobians(whole, point, values, y, scales)
    n = len(cut.q) + len(cut.u)
    kept = [*range(n), *range(n + len(equations.rates), A.shape[0])]
    # Linearized constraints: G δx = 0, so δx = T δx_i with G T = 0; δẋ_i is the rows of δẋ.
    G = _constraint_jacobian(equations, point, values, scales)
    chosen = _independent(equations, G, independent, scales(cut.states))
    T = _tangent(G, chosen)
    states = tuple(cut.states[i] for i in chosen)
    A, B = _rows(_rows(A, kept, kept) @ T, chosen), _rows(_rows(B, kept), chosen)
    if y:
        if any(_rows(C, range(len(y)), range(n, n + len(equations.rates)))):
            raise ValueError(
                "an output depends on the impulse of a constraint force, which is not a state "
                "here: use the force, which is its derivative"
            )
        C = _rows(C, range(len(y)), kept) @ T
    return Linearization(A, B, states, cut.inputs, T, C, D)


def _point(eom: EquationsOfMotion, x: object) -> dict[sm.Expr, sm.Expr]:
    if isinstance(x, Mapping):
        by_symbol = match_names(x, eom.states, "no such state:", "the states are")
        return {s: read_expression(by_symbol.get(s, 0), f"the state {s}") for s in eom.states}
    entries = read_expressions(x, "entry of the point")
    if len(entries) != len(eom.states):
        names = ", ".join(map(label_of, eom.states))
        raise ValueError(f"the point needs {len(eom.states)} entries, {names}; got {len(entries)}")
    return dict(zip(eom.states, entries))


def _jacobians(
    eom: EquationsOfMotion,
    point: dict[sm.Expr, sm.Expr],
    values: Values | None,
    outputs: Sequence[sm.Expr],
    scales: NaturalScales,
) -> tuple[sm.MatrixBase, sm.MatrixBase, sm.MatrixBase | None, sm.MatrixBase | None]:
    """Return ∂ẋ/∂x, ∂ẋ/∂r, ∂y/∂x and ∂y/∂r from M δu̇ = δ(F − M a), with a held constant."""
    frozen = frozen_states((*eom.u, *eom.q, *eom.states, *eom.inputs))
    a = [sm.Dummy("a") for _ in eom.u]
    here = {dummy: point.get(symbol, sm.S.Zero) for symbol, dummy in frozen.items()}
    here |= {t: point[t] for t in (me.dynamicsymbols._t,) if t in point}
    rest = sm.Matrix(len(eom.auxiliary), 1, [rate for _, rate in eom.auxiliary])
    M, F, N_u, Z = map(
        sm.Matrix, replaced([eom.mass_matrix, eom.forcing, sm.Matrix(eom.rates), rest], frozen)
    )
    moving = [frozen[s] for s in (*eom.states, *eom.inputs)]
    mass, force, *_ = evaluate_at([M, F, N_u, Z], here, values)
    rates = scales(eom.u) / scales([me.dynamicsymbols._t])
    near = []
    if isinstance(mass, np.ndarray):
        near = rounded([M, F], here, values, dict(zip(moving, scales(eom.states))))
        _refuse_singular(mass, [each for each, _ in near], rates)
    acceleration = _solve(mass, force)
    changes = [np.abs(np.linalg.solve(*each) - acceleration) for each in near]
    rounding = ROUNDED / ROUNDING * np.max(changes, axis=0, initial=0.0).ravel() if near else 0.0
    open_point = any(value.free_symbols for value in point.values())
    _warn_if_no_trim(eom, acceleration, open_point, np.maximum(_AT_REST * rates, rounding))
    here |= {symbol: sm.sympify(value) for symbol, value in zip(a, np.ravel(acceleration))}
    differences = not open_point
    parts = (N_u, F - M * sm.Matrix(a), Z)
    units = scales([*eom.rates, *eom.forcing, *(rate for _, rate in eom.auxiliary)])
    wide = scales([*eom.states, *eom.inputs])
    kinematic, change, rest = _slopes(parts, moving, here, values, differences, (units, wide))
    every = _stack([kinematic, _solve(mass, change), rest])
    k, n, end = len(eom.states), len(eom.q), len(eom.q) + len(eom.u)
    if not outputs:
        return every[:, :k], every[:, k:], None, None
    time = me.dynamicsymbols._t
    accelerations = {u.diff(time): symbol for u, symbol in zip(eom.u, a)}
    still, rows = replaced(outputs, accelerations | frozen), []
    _refuse_foreign(still, {d: s for s, d in frozen.items()}, eom, here)
    units = scales(replaced(outputs, {u.diff(time): u / time for u in eom.u}))
    wide = np.concatenate([wide, rates])
    for i, y in enumerate(still, 1):
        try:
            (slope,) = _slopes(
                (sm.Matrix([y]),), [*moving, *a], here, values, differences, (units[[i - 1]], wide)
            )
        except ValueError as error:
            raise ValueError(f"output {i}: {error}") from error
        rows.append(slope[:, : len(moving)] + slope[:, len(moving) :] @ every[n:end, :])
    both = _stack(rows)
    both = both if isinstance(both, np.ndarray) else both.applyfunc(readable)
    return every[:, :k], every[:, k:], both[:, :k], both[:, k:]


def _slopes(
    parts: Sequence[sm.MatrixBase],
    variables: Sequence[sm.Symbol],
    here: dict[sm.Expr, sm.Expr],
    values: Values | None,
    differences: bool,
    scales: tuple[Array, Array],
) -> list[sm.MatrixBase]:
    """Return ∂part/∂variables at a point, by differences if formulas fail and these may help."""
    formulas = [derivatives(part, variables) for part in parts]
    try:
        slopes = evaluate_at(formulas, here, values)
    except ValueError as error:
        if values is None or not differences:
            raise no_derivative(here) from error
        slopes = difference_slopes(parts, variables, here, values, scales)
    refuse_edges(parts, slopes, variables, here, values, scales)
    return slopes


def _refuse_foreign(
    outputs: Sequence[sm.Expr],
    names: Mapping[sm.Expr, sm.Expr],
    eom: EquationsOfMotion,
    here: Mapping[sm.Expr, sm.Expr],
) -> None:
    """Reject outputs of functions that the state does not determine, or of an unknown time."""
    t = me.dynamicsymbols._t
    for i, output in enumerate(outputs, 1):
        if foreign := atoms([output], sm.Derivative) or atoms([output], AppliedUndef):
            (first, *_) = sorted(map(str, replaced(foreign, names)))
            inputs = ", ".join(map(label_of, eom.inputs)) or "none"
            raise ValueError(
                f"output {i} depends on {first}, which is not a state, an input, an acceleration, "
                f"or a constraint force of these equations (the inputs are: {inputs})"
            )
        if t in symbols_in([output]) and t not in here:
            raise ValueError(f"output {i} depends on the time t: pass a time, such as time=0")


def _warn_if_no_trim(
    eom: EquationsOfMotion, acceleration: sm.MatrixBase, open_point: bool, small: Array
) -> None:
    """Warn of nonzero accelerations, which cannot be decided for a point with free symbols."""
    numeric = isinstance(acceleration, np.ndarray)
    if open_point and not numeric:
        return
    real = eom.u[: len(eom.u) - eom.multipliers]
    for speed, rate, zero in zip(real, np.ravel(acceleration), small):
        if (numeric and not abs(rate) <= zero) or (not numeric and is_not_zero(rate, zero)):
            amount = f"{rate:.3g}" if numeric else str(rate)
            warnings.warn(
                f"the point is not a trim point: the derivative of {label_of(speed)} is {amount}, "
                "not 0",
                NoTrimWarning,
                stacklevel=4,
            )
            return


def _refuse_singular(M: Array, near: Sequence[Array], scale: Array) -> None:
    """Reject a mass matrix that rounding of the point and the parameters makes singular."""
    rows = np.abs(M * scale).max(axis=1, keepdims=True)
    units = scale / np.where(rows > 0, rows, 1.0)
    moved = max((np.linalg.norm((each - M) * units, 2) for each in near), default=0.0)
    if np.linalg.svd(M * units, compute_uv=False)[-1] <= max(8 * moved, len(M) * 2.0**-52):
        raise ValueError("the mass matrix is singular at this point")


def _solve(M: sm.MatrixBase, right: sm.MatrixBase) -> sm.MatrixBase:
    if not isinstance(M, np.ndarray):
        return solve_symbolically(M, right)
    try:
        return np.linalg.solve(M, right)
    except np.linalg.LinAlgError as error:
        raise ValueError("the mass matrix is singular at this point") from error


def _stack(blocks: Sequence[sm.MatrixBase]) -> sm.MatrixBase:
    return np.vstack(blocks) if isinstance(blocks[0], np.ndarray) else sm.Matrix.vstack(*blocks)


def _rows(
    matrix: sm.MatrixBase | NDArray[np.float64],
    rows: Sequence[int],
    columns: Sequence[int] | None = None,
) -> sm.MatrixBase:
    if isinstance(matrix, np.ndarray):
        return matrix[list(rows)] if columns is None else matrix[np.ix_(rows, columns)]
    return matrix.extract(list(rows), list(range(matrix.shape[1]) if columns is None else columns))


def _constraint_jacobian(
    equations: ConstrainedEquations,
    point: dict[sm.Expr, sm.Expr],
    values: Values | None,
    scales: NaturalScales,
) -> sm.MatrixBase:
    """Return ∂[φ; φ̇; ψ]/∂x; reject a point that violates one of these."""
    cut = equations.equations
    frozen = frozen_states((*cut.u, *cut.q, *cut.states, *cut.inputs))
    both = sm.Matrix(replaced([*equations.constraints, *equations.rates], frozen))
    here = {frozen.get(symbol, symbol): value for symbol, value in point.items()}
    slopes = derivatives(both, [frozen[s] for s in cut.states])
    residual, C = evaluate_at([both, slopes], here, values)
    y = {frozen[s]: scale for s, scale in zip(cut.states, scales(cut.states))}
    off, terms = violations([*both], y, here, values)
    wrong = np.flatnonzero(np.abs(off) > CLOSED * terms).tolist()
    if wrong:
        i, m = wrong[0], len(equations.constraints)
        what = f"constraint {i + 1}" if i < m else f"the rate of constraint {i - m + 1}"
        what = what if i < 2 * m else f"velocity constraint {i - 2 * m + 1}"
        raise ValueError(f"the point is not on the constraints: {what} is {residual[i, 0]} there")
    return C


def _independent(
    equations: ConstrainedEquations, C: sm.MatrixBase, coordinates: object, scale: Array
) -> list[int]:
    """Return the indices of independent states; reject a singular choice."""
    cut, m = equations.equations, len(equations.constraints)
    n_q, n_u = len(cut.q), len(cut.u)
    if isinstance(C, np.ndarray):  # columns in natural units, and rows of length 1
        C = C * scale
        C = C / np.maximum(np.linalg.norm(C, axis=1, keepdims=True), np.finfo(float).tiny)
    if coordinates is None:
        bound = _pivots(_rows(C, range(m), range(n_q)))
        bound_u = _pivots(_rows(C, range(m, C.shape[0]), range(n_q, n_q + n_u)))
        bound_u = bound if n_q == n_u and not equations.velocity_constraints else bound_u
    else:
        chosen = read_symbols(coordinates, cut.q, "no such coordinate:", "there are")
        bound = bound_u = [i for i, q in enumerate(cut.q) if q not in chosen]
        if equations.velocity_constraints:
            raise ValueError(
                "with velocity constraints, independent states cannot be chosen: leave out "
                "independent"
            )
        if len(bound) != m or n_q != n_u:
            raise ValueError(f"choose {n_q - m} independent coordinates; got {len(chosen)}")
        if _rank(_rows(C, range(m), bound)) < m:
            good = _pivots(_rows(C, range(m), range(n_q)))
            names, others = (", ".join(label_of(cut.q[i]) for i in w) for w in (bound, good))
            raise ValueError(
                f"this choice is singular here: to first order, the constraints do not determine "
                f"{names}; they do determine {others}, so let the others be independent"
            )
    taken = {*bound, *(n_q + i for i in bound_u)}
    return [i for i in range(len(cut.states)) if i not in taken]


def _pivots(slope: sm.MatrixBase) -> list[int]:
    """Return the columns to solve a full-rank matrix for: best conditioned, or last, ones."""
    if isinstance(slope, np.ndarray):
        from scipy.linalg import qr  # slow to import, so only when needed

        return sorted(qr(slope, pivoting=True)[2][: len(slope)].tolist())
    n = slope.shape[1]
    return sorted(n - 1 - i for i in slope[:, ::-1].rref()[1])


def _rank(matrix: sm.MatrixBase) -> int:
    numeric = isinstance(matrix, np.ndarray)
    return int(np.linalg.matrix_rank(matrix, tol=1e-9) if numeric else matrix.rank())


def _tangent(C: sm.MatrixBase, chosen: Sequence[int]) -> sm.MatrixBase:
    """Return D with C D = 0 and the identity in the rows of the independent states."""
    bound = [i for i in range(C.shape[1]) if i not in chosen]
    rows = range(C.shape[0])
    solved = -_solve(_rows(C, rows, bound), _rows(C, rows, chosen))
    D = (
        np.zeros((C.shape[1], len(chosen)))
        if isinstance(C, np.ndarray)
        else sm.zeros(C.shape[1], len(chosen))
    )
    for row, i in enumerate(bound):
        D[i, :] = solved[row, :]
    for column, i in enumerate(chosen):
        D[i, column] = 1
    return D
