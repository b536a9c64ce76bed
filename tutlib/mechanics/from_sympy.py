"""Conversion of SymPy's KanesMethod, LagrangesMethod, and System to M u̇ = F and q̇ = N u + b.

Used by `equations` and `constraints`. Chapter 5 uses it to compare a rolling disk with SymPy's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sm
import sympy.physics.mechanics as me
from sympy.physics.mechanics.system import System

from tutlib.mechanics.derivations import partial_derivatives, symbols_in


def arguments_of_kane(method: me.KanesMethod, forces: Sequence[sm.Expr] = ()) -> dict[str, Any]:
    """Return the fields of `EquationsOfMotion` from a KanesMethod; its auxiliary speeds are zero.

    Parameters
    ----------
    method : KanesMethod
        After ``kanes_equations`` was called.
    forces : sequence of Symbol or dynamicsymbol, optional
        Noncontributing forces, one for each auxiliary speed, to be solved for.

    Returns
    -------
    dict
        Values of the fields by name.

    Raises
    ------
    ValueError
        If the equations are not formed yet, or the forces are not determined by the auxiliary
        equations.

    References
    ----------
    :cite:p:`KaneLevinson1985`, sections 2.12 and 4.9.
    """
    t, u, q = me.dynamicsymbols._t, sm.Matrix(method.u), tuple(method.q)
    # SymPy has no public attribute for these
    auxiliary = method._uaux
    zero = dict.fromkeys([*auxiliary, *(speed.diff(t) for speed in auxiliary)], sm.S.Zero)
    rates = sm.Matrix([method.kindiffdict()[coordinate.diff(t)] for coordinate in q]).xreplace(zero)
    at_rest = dict.fromkeys(u, sm.S.Zero)
    held = [entry for part in constraints_of(method) for entry in part]
    fields = {
        "q": q,
        "u": tuple(u),
        "mass_matrix": method.mass_matrix.xreplace(zero),
        "forcing": method.forcing.xreplace(zero),
        "kinematic_matrix": rates.jacobian(u),
        "kinematic_drift": rates.xreplace(at_rest),
        "invariants": tuple(entry.xreplace(zero) for entry in held),
        "further_parameters": tuple(symbols_in(held) - {t}),
    }
    if len(forces) not in (0, len(auxiliary)):
        raise ValueError(
            f"{len(auxiliary)} auxiliary speeds give as many noncontributing forces; got "
            f"{len(forces)}: {', '.join(map(str, forces))}"
        )
    return with_forces(fields, method.auxiliary_eqs.xreplace(zero), forces) if forces else fields


def with_forces(
    fields: dict[str, sm.Expr], equations: sm.MatrixBase, forces: Sequence[sm.Expr]
) -> dict[str, Any]:
    """Return fields with forces among the unknowns of M u̇ = F, and their equations as rows.

    Parameters
    ----------
    fields : dict
        Fields of `EquationsOfMotion`.
    equations : Matrix, shape (k, 1)
        Auxiliary equations (expressions equal to zero), linear in accelerations and forces.
    forces : sequence of k Expr
        Their impulses become the last speeds, so the last derivatives are the forces.

    Returns
    -------
    dict

    Raises
    ------
    ValueError
        If the equations are not linear in a force, or do not contain it.
    """
    t, u, k = me.dynamicsymbols._t, fields["u"], len(forces)
    unknown = [*(speed.diff(t) for speed in u), *forces]
    along, _ = partial_derivatives(equations, unknown)
    into, _ = partial_derivatives(fields["forcing"], forces)
    for force in forces:
        if along.has(force) or into.has(force) or not any(along[:, unknown.index(force)]):
            raise ValueError(f"the auxiliary equations do not give {force} linearly")
    gone = dict.fromkeys(unknown, sm.S.Zero)
    impulses = tuple(me.dynamicsymbols(f"Lambda_{str(force).split('(')[0]}") for force in forces)
    upper = sm.Matrix(fields["mass_matrix"]).row_join(-into)
    N = sm.Matrix(fields["kinematic_matrix"])
    return fields | {
        "u": (*u, *impulses),
        "mass_matrix": upper.col_join(along),
        "forcing": sm.Matrix([*fields["forcing"].xreplace(gone), *(-equations.xreplace(gone))]),
        "kinematic_matrix": N.row_join(sm.zeros(N.shape[0], k)),
        "multipliers": k,
    }


def arguments_of_lagrange(method: me.LagrangesMethod) -> dict[str, Any]:
    """Return the fields of `EquationsOfMotion` from a LagrangesMethod, without its constraints.

    Raises
    ------
    ValueError
        If the equations are not formed yet.
    """
    q = tuple(method.q)
    return {
        "q": q,
        "u": tuple(coordinate.diff(me.dynamicsymbols._t) for coordinate in q),
        "mass_matrix": method.mass_matrix[:, : len(q)],
        "forcing": method.forcing,
    }


def lagrange_constraints(
    method: me.LagrangesMethod,
) -> tuple[tuple[sm.Expr, ...], tuple[sm.Expr, ...]]:
    """Return the holonomic constraints of a LagrangesMethod, and its velocity constraints."""
    # The public attribute has only their time derivatives
    holonomic = tuple(method._hol_coneqs)
    return holonomic, tuple(method.coneqs)[len(holonomic) :]


def bodies_of(method: me.KanesMethod | me.LagrangesMethod) -> dict[str, Any]:
    """Return the arguments of `EquationsOfMotion.from_bodies`, without the constraints.

    Parameters
    ----------
    method : KanesMethod or System
        The loads of a System include those of its actuators.

    Returns
    -------
    dict
        Arguments by name.

    Raises
    ------
    TypeError
        If the object is of another type.
    ValueError
        If the equations of a KanesMethod are not formed yet, or the kinematic equations of a System
        do not determine the derivatives of all its coordinates.
    """
    t = me.dynamicsymbols._t
    if isinstance(method, me.KanesMethod):
        rate_of = method.kindiffdict()
        rates = sm.Matrix([rate_of[c.diff(t)] for c in method.q])
        if not method.bodies:
            raise ValueError("the KanesMethod has no bodies yet: call its kanes_equations first")
        return _bodies(method.bodies, method.forcelist, method._inertial, method, rates)
    if not isinstance(method, System):
        raise TypeError(
            f"expected LagrangesMethod, KanesMethod, or System; got {type(method).__name__}"
        )
    rates = [coordinate.diff(t) for coordinate in method.q]
    along, right = sm.linear_eq_to_matrix([*method.kdes], rates)
    if along.rows != along.cols or along.det() == 0:
        raise ValueError(
            "the kdes of the System do not determine the derivatives of all its coordinates"
        )
    loads = [*method.loads, *(load for a in method.actuators for load in a.to_loads())]
    return _bodies(method.bodies, loads, method.frame, method, along.LUsolve(right))


def _bodies(
    bodies: Sequence[me.Particle | me.RigidBody],
    loads: Sequence[tuple[me.Point | me.ReferenceFrame, me.Vector]],
    frame: object,
    method: me.KanesMethod | me.LagrangesMethod,
    rates: object,
) -> dict[str, Any]:
    q, u = method.q, method.u
    at_rest = dict.fromkeys(u, sm.S.Zero)
    return {
        "bodies": list(bodies or ()),
        "q": tuple(q),
        "frame": frame,
        "loads": [tuple(load) for load in loads or ()],
        "u": tuple(u),
        "kinematic_matrix": sm.Matrix(rates).jacobian(sm.Matrix(u)),
        "kinematic_drift": sm.Matrix(rates).xreplace(at_rest),
    }


def constraints_of(
    method: me.KanesMethod | me.LagrangesMethod,
) -> tuple[tuple[sm.Expr, ...], tuple[sm.Expr, ...]]:
    """Return the configuration and velocity constraints of a KanesMethod or a System.

    The latter may include time derivatives of the former.
    """
    if isinstance(method, System):
        return tuple(method.holonomic_constraints), tuple(method.nonholonomic_constraints)
    # SymPy has no public attribute for these
    speeds = method._k_nh * sm.Matrix(method.u) + method._f_nh if method._f_nh else ()
    return tuple(method._f_h), tuple(speeds)
