"""Derivation of M u̇ = F from energies (Lagrange) or from bodies (Kane).

Chapters derive both by hand, from chapter 1 on. Nothing is simplified or solved here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy as sm
import sympy.physics.mechanics as me
from sympy.core.function import AppliedUndef

from tutlib.mechanics.derivatives import Derivatives
from tutlib.reading.names import label_of


def atoms(expressions: Iterable[sm.Basic], *kinds: type) -> set[sm.Expr]:
    """Return the subexpressions of some types, visiting each subexpression once.

    Expressions of mechanisms share most of their subexpressions: in those of a chain, a part may
    occur thousands of times.
    """
    seen, waiting = set[sm.Basic](), list(expressions)
    while waiting:
        part = waiting.pop()
        if part not in seen:
            seen.add(part)
            waiting.extend(part.args)
    return {part for part in seen if isinstance(part, kinds)}


def symbols_in(expressions: Sequence[sm.Basic]) -> set[sm.Symbol]:
    """Return the free symbols of expressions, visiting each subexpression once."""
    bound = [part for part in atoms(expressions, sm.Basic) if getattr(part, "bound_symbols", ())]
    if bound:  # the variable of an integral may be free elsewhere, which only SymPy can tell
        return set().union(*(expression.free_symbols for expression in expressions))
    return atoms(expressions, sm.Symbol)


def replaced(
    expressions: Iterable[sm.Expr], replacements: Mapping[sm.Basic, sm.Expr]
) -> list[sm.Expr]:
    """Return expressions or matrices with replaced parts, visiting each subexpression once.

    Parameters
    ----------
    expressions : iterable of Expr or Matrix
    replacements : mapping from part to Expr

    Returns
    -------
    list of Expr or Matrix
    """
    if not replacements:
        return list(expressions)
    memory: dict[sm.Basic, Any] = dict(replacements)

    def walk(part: sm.Basic) -> sm.Expr:
        result = memory.get(part)
        if result is None:
            args = [walk(a) if isinstance(a, sm.Basic) else a for a in part.args]
            same = all(new is old for new, old in zip(args, part.args))
            result = memory[part] = part if same else part.func(*args)
        return result

    return [e.applyfunc(walk) if isinstance(e, sm.MatrixBase) else walk(e) for e in expressions]


def product(left: sm.MatrixBase, right: sm.MatrixBase) -> sm.MatrixBase:
    """Return the product of two matrices, skipping zeros, which SymPy's product does not."""
    rows = [[(k, e) for k, e in enumerate(left.row(i)) if e] for i in range(left.rows)]
    columns = [right.col(j) for j in range(right.cols)]
    entries = [sm.Add(*(e * c[k] for k, e in row if c[k])) for row in rows for c in columns]
    return sm.Matrix(left.rows, right.cols, entries)


def check_states(states: Sequence[sm.Expr]) -> None:
    """Reject a coordinate or speed that is not a function of time, or is given twice.

    Raises
    ------
    TypeError
        If one of them is not a function of time.
    ValueError
        If one of them is given twice.
    """
    for state in states:
        function = state.expr if isinstance(state, sm.Derivative) else state
        applied, t = isinstance(function, AppliedUndef), me.dynamicsymbols._t
        if applied and [str(time) for time in function.args] == [str(t)] and function.args != (t,):
            raise TypeError(
                f"{state} is a function of another t, one with assumptions: create it with "
                f"dynamicsymbols('{function.func.__name__}'), whose time is dynamicsymbols._t"
            )
        if not applied or function.args != (t,):
            raise TypeError(
                f"{state} is not a function of time: create it with dynamicsymbols('{state}')"
            )
        if list(states).count(state) > 1:
            raise ValueError(f"{state} is given twice")


def lagrange(
    L: sm.Expr, q: Sequence[sm.Expr], u: Sequence[sm.Expr]
) -> tuple[sm.MatrixBase, sm.MatrixBase]:
    """Expand d/dt ∂L/∂q̇ − ∂L/∂q = 0 to M u̇ = F by the chain rule, where u names q̇.

    Parameters
    ----------
    L : Expr
        Lagrangian [J].
    q, u : sequence of n dynamicsymbols
        Coordinates, and names for their derivatives (or the derivatives themselves).

    Returns
    -------
    M : Matrix, shape (n, n)
    F : Matrix, shape (n, 1)

    References
    ----------
    :cite:p:`GoldsteinPooleSafko2002`, section 1.4.
    """
    t = me.dynamicsymbols._t
    c, v = sm.symbols(f"c:{len(q)}", cls=sm.Dummy), sm.symbols(f"v:{len(q)}", cls=sm.Dummy)
    qdot = [coordinate.diff(t) for coordinate in q]
    L = L.xreplace(dict(zip(u, qdot))).xreplace(dict(zip(qdot, v))).xreplace(dict(zip(q, c)))
    d = Derivatives()
    momenta = [d(L, speed) for speed in v]
    M = sm.Matrix(len(q), len(q), lambda i, j: d(momenta[min(i, j)], v[max(i, j)]))
    F = sm.Matrix(
        [
            d(L, c[i]) - d(p, t) - sm.Add(*(d(p, a) * b for a, b in zip(c, v)))
            for i, p in enumerate(momenta)
        ]
    )
    back = {**dict(zip(c, q)), **dict(zip(v, u))}
    M, F = replaced([M, F], back)
    return M, F


def partial_derivatives(
    vector: sm.MatrixBase, *variables: Sequence[sm.Expr]
) -> tuple[sm.MatrixBase, ...]:
    """Return the derivatives with respect to functions of time, and ∂/∂t at last.

    Parameters
    ----------
    vector : Matrix, shape (m, 1)
        Functions of coordinates, speeds, and time; speeds may be derivatives of coordinates.
    *variables : sequence of dynamicsymbols
        Groups of variables; speeds come before the coordinates that they may be derivatives of.

    Returns
    -------
    tuple of Matrix
        A matrix of shape (m, k) for each group of k variables, and ∂/∂t of shape (m, 1).
    """
    frozen = {symbol: sm.Dummy() for symbols in variables for symbol in symbols}
    back = {dummy: symbol for symbol, dummy in frozen.items()}
    (still,) = replaced([vector], frozen)
    d, m = Derivatives(), len(vector)
    every = [*([frozen[symbol] for symbol in symbols] for symbols in variables)]
    entries = [[d(e, symbol) for e in still for symbol in symbols] for symbols in every]
    slopes = [sm.Matrix(m, len(symbols), part) for symbols, part in zip(every, entries)]
    explicit = sm.Matrix(m, 1, [d(e, me.dynamicsymbols._t) for e in still])
    return tuple(replaced([*slopes, explicit], back))


def kane(
    bodies: Sequence[me.Particle | me.RigidBody],
    loads: Sequence[tuple[me.Point | me.ReferenceFrame, me.Vector]],
    frame: me.ReferenceFrame,
    q: Sequence[sm.Expr],
    u: Sequence[sm.Expr],
    rates: sm.MatrixBase,
) -> tuple[sm.MatrixBase, sm.MatrixBase]:
    """Derive M u̇ = F from F_r + F_r* = 0: Jᵀ R for each load and −Jᵀ (m a) for each body.

    The columns of J are the partial velocities v_r: F_r = Σ v_r · R, or Σ ω_r · T for a torque.

    Parameters
    ----------
    bodies, loads, frame
        As for `EquationsOfMotion.from_bodies`.
    q, u : sequence of dynamicsymbols
        Coordinates and speeds.
    rates : Matrix, shape (len(q), 1)
        q̇ = N u + b.

    Returns
    -------
    M : Matrix, shape (len(u), len(u))
    F : Matrix, shape (len(u), 1)

    References
    ----------
    :cite:p:`KaneLevinson1985`, chapters 2 to 4.
    """
    t = me.dynamicsymbols._t
    substitutions = dict(zip([c.diff(t) for c in q], rates))

    def jacobian_and_bias(vector: Any, axes: me.ReferenceFrame, of: object) -> tuple[Any, ...]:
        """Return J, J̇ u, and the components w = J u + ... of a velocity."""
        w = vector.to_matrix(axes).xreplace(substitutions)
        _refuse_foreign(w, of, (*q, *u))
        J, along_q, explicit = partial_derivatives(w, u, q)
        return J, product(along_q, rates) + explicit, w

    M, F = sm.zeros(len(u)), sm.zeros(len(u), 1)
    for body in bodies:
        rigid = isinstance(body, me.RigidBody)
        center = body.masscenter if rigid else body.point
        J, bias, _ = jacobian_and_bias(center.vel(frame), frame, center)
        # F_r* = −Σ v_r · m a with a = J u̇ + J̇ u, and for a rigid body −Σ ω_r · (I α + ω × I ω)
        M, F = M + product(body.mass * J.T, J), F - product(body.mass * J.T, bias)
        if rigid:
            axes = inertia_axes(body)
            J, bias, w = jacobian_and_bias(body.frame.ang_vel_in(frame), axes, body.frame)
            inertia = body.central_inertia.to_matrix(axes)
            if axes != body.frame:  # the axes rotate relative to the body
                bias += axes.ang_vel_in(frame).to_matrix(axes).xreplace(substitutions).cross(w)
            M += product(product(J.T, inertia), J)
            F -= product(J.T, product(inertia, bias) + w.cross(product(inertia, w)))
    for target, load in loads:
        point = isinstance(target, me.Point)
        velocity = target.vel(frame) if point else target.ang_vel_in(frame)
        F += product(jacobian_and_bias(velocity, frame, target)[0].T, load.to_matrix(frame))
    return sm.Matrix(len(u), len(u), lambda i, j: M[min(i, j), max(i, j)]), F


def inertia_axes(body: me.RigidBody) -> me.ReferenceFrame:
    """Return the frame in which a body's inertia is constant: its own frame, if it is oriented.

    Otherwise it is the frame in which the inertia is given, as for a wheel whose spin angle is not
    a coordinate.

    Raises
    ------
    ValueError
        If the body rotates in that frame and its inertia is not symmetric about that axis.
    """
    dyadic = body.central_inertia
    try:
        dyadic.to_matrix(body.frame)
    except ValueError:
        axes = dyadic.args[0][1].args[0][1]
        spin, inertia = body.frame.ang_vel_in(axes).to_matrix(axes), dyadic.to_matrix(axes)
        turned = spin.hat() * inertia - inertia * spin.hat()
        if not turned.applyfunc(sm.simplify).is_zero_matrix:
            raise ValueError(
                f"the inertia of {body.name} is given in {axes}, in which the body rotates, and is "
                "not the same about every axis perpendicular to the rotation: orient the body's "
                "frame, and give the inertia in it"
            ) from None
        return axes
    return body.frame


def _refuse_foreign(velocity: sm.MatrixBase, of: object, states: Sequence[sm.Expr]) -> None:
    """Reject a velocity that depends on a function of time other than coordinates and speeds."""
    allowed = set(states)
    foreign = atoms(velocity, sm.Derivative, AppliedUndef) - allowed
    inside = {
        part for d in foreign if isinstance(d, sm.Derivative) for part in d.atoms(AppliedUndef)
    }
    named = sorted(map(label_of, foreign - inside))
    if named:
        raise ValueError(
            f"the velocity of {of} depends on {', '.join(named)}, which is neither a coordinate "
            "nor a speed: add it to q or u, or write a prescribed motion as a formula of time"
        )
