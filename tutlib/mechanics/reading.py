"""Readers of the definition of a mechanism: states, kinematics, bodies, loads.

Reasonable shorthands are accepted, such as a single coordinate that is not in a list.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sm
import sympy.physics.mechanics as me
from sympy.core.function import AppliedUndef
from sympy.physics.units import Quantity

from straightline.arguments import shown, whole_number
from tutlib.mechanics.derivations import atoms, check_states, inertia_axes
from tutlib.reading.expressions import read_expression, read_list, read_matrix
from tutlib.reading.names import plain_name


def read_states(values: object, name: str) -> tuple[sm.Expr, ...]:
    """Return functions of time, given as a list or a single function.

    Parameters
    ----------
    values : dynamicsymbol, or sequence of dynamicsymbols
    name : str
        Their name in messages.

    Raises
    ------
    TypeError
        If one of them is not a function of time, or they have no order.
    ValueError
        If one of them is given twice.
    """
    if isinstance(values, set | frozenset | Mapping):
        raise TypeError(f"{name} must be a list, in order; got {shown(values)}")
    states = tuple(read_list(values))
    check_states(states)
    return states


def read_coordinates(q: object, u: object) -> tuple[tuple[sm.Expr, ...], tuple[sm.Expr, ...]]:
    """Return coordinates and speeds; the speeds are the derivatives unless given.

    Raises
    ------
    TypeError
        If one of them is not a function of time.
    ValueError
        If there is no coordinate, or one of them is given twice.
    """
    coordinates = read_states(q, "q")
    if not coordinates:
        raise ValueError("q needs at least one coordinate; got none")
    derivatives = tuple(c.diff(me.dynamicsymbols._t) for c in coordinates)
    return coordinates, derivatives if u is None else read_states(u, "u")


def read_rates(rates: object) -> tuple[tuple[sm.Expr, sm.Expr], ...]:
    """Return auxiliary states with their time derivatives, given as a mapping or as pairs.

    Raises
    ------
    TypeError
        If they are neither, or a derivative is not an expression.
    """
    pairs: list[Any] = list(rates.items()) if isinstance(rates, Mapping) else read_list(rates)
    if not all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in pairs):
        raise TypeError(
            f"auxiliary must map states to their derivatives, {{z: rate}}; got {shown(rates)}"
        )
    return tuple((z, read_expression(rate, f"the rate of {z}")) for z, rate in pairs)


def is_command(symbol: sm.Expr, law: sm.Expr, rates: Mapping[sm.Expr, sm.Expr]) -> bool:
    """Return whether an input is the command of an actuator or filter, whose output replaces it.

    Parameters
    ----------
    symbol, law : Expr
        The input, and the expression that replaces it.
    rates : mapping from new state to Expr
    """
    expressions, states = [law], set[sm.Expr]()
    for expression in expressions:  # grows: the derivatives of the states that law depends on
        found = (atoms([expression], AppliedUndef) & {*rates}) - states
        states |= found
        expressions += [rates[z] for z in found]
    closed = atoms(expressions, AppliedUndef) <= {symbol, *rates}
    return symbol in atoms(expressions[1:], AppliedUndef) and (law in rates or closed)


def refuse_namesakes(expressions: Sequence[sm.Basic], states: Sequence[sm.Expr], name: str) -> None:
    """Reject units, and symbols with the name of a state, or of time, that differ from it.

    Raises
    ------
    ValueError
        With the symbol, which would be a constant or another function.
    """
    found = sorted(atoms(expressions, sm.Symbol, AppliedUndef, Quantity), key=str)
    for unit in (part for part in found if isinstance(part, Quantity)):
        raise ValueError(
            f"{unit} in {name} is a unit, but numbers are in SI units here: leave units out, as in "
            "2 for 2*kilogram, and convert other units first"
        )
    time = me.dynamicsymbols._t
    functions = {s.expr if isinstance(s, sm.Derivative) else s for s in states}
    by_name = {plain_name(s): s for s in functions} | {str(time): time}
    for atom in found:
        state = by_name.get(plain_name(atom), atom)
        if state == atom:
            continue
        if state == time:
            raise ValueError(f"the symbol {atom} in {name} is not time: use dynamicsymbols._t")
        kind = "a plain symbol, and therefore a constant" if atom.is_Symbol else "another function"
        raise ValueError(
            f"{atom} in {name} is {kind}, not the state {state}: create it once, with "
            f"dynamicsymbols('{plain_name(state)}')"
        )


def refuse_idle(
    energies: Mapping[str, sm.Expr],
    equations: Sequence[sm.Expr],
    q: Sequence[sm.Expr],
    u: Sequence[sm.Expr],
) -> None:
    """Reject functions of time in energies that are missing in q, and accelerations.

    Parameters
    ----------
    energies : mapping from name to Expr
    equations : sequence of Expr
        Lagrange's equations from these energies.
    q, u : sequence of dynamicsymbols
        Coordinates and speeds.

    Raises
    ------
    ValueError
        With the function.
    """
    used = atoms(equations, AppliedUndef)
    states = {*q, *u, *(c.diff(me.dynamicsymbols._t) for c in q)}
    listing = ", ".join(map(str, q))
    for name, energy in energies.items():
        for derivative in sorted(atoms([energy], sm.Derivative) - states, key=str):
            refuse_open(derivative)
            if derivative.expr in states:
                raise ValueError(
                    f"{derivative} in {name} is an acceleration: "
                    "an energy depends on coordinates and speeds alone"
                )
            raise ValueError(
                f"{derivative} is in {name}, but {derivative.expr} is none of the coordinates "
                f"{listing}: {_free_or_given(derivative.expr)}"
            )
        for function in sorted(atoms([energy], AppliedUndef) - states - used, key=str):
            raise ValueError(
                f"{function} is in {name}, but is none of the coordinates {listing}, and has no "
                f"effect: leave it out, or {_free_or_given(function)}"
            )


def refuse_still(T: sm.Expr, q: Sequence[sm.Expr], u: Sequence[sm.Expr]) -> None:
    """Reject a kinetic energy with a symbol in place of the derivative of a coordinate.

    Raises
    ------
    ValueError
        If T contains no derivative of any coordinate, or one of them is a plain symbol.
    """
    found = atoms([T], sm.Derivative, AppliedUndef)
    for derivative in sorted(found - atoms([T], AppliedUndef), key=str):
        refuse_open(derivative)
    still = [c for c, speed in zip(q, u) if not found & {c.diff(me.dynamicsymbols._t), speed}]
    names = atoms([T], sm.Symbol, AppliedUndef) - {me.dynamicsymbols._t, *q, *u}
    symbols = sorted(names, key=str)
    for coordinate in still:
        name = _letters(coordinate)
        index = name.lstrip("".join(filter(str.isalpha, name)))
        usual = {f"{name}dot", f"dot{name}", f"d{name}", f"{name}d", f"{name}'", f"{name}p"}
        usual |= {f"{letter}{end}" for letter in _SPEEDS for end in {name, index} - {""}}
        if speeds := [s for s in symbols if _letters(s) in usual]:
            raise ValueError(_still(coordinate, f" of {plain_name(coordinate)}", speeds))
    if T != 0 and len(still) == len(q):
        speeds = [s for s in symbols if re.match(rf"({'|'.join(_SPEEDS)})\d*$|dot", _letters(s))]
        raise ValueError(_still(q[0], "", speeds))


#: Letters that usually are speeds.
_SPEEDS = ("v", "u", "w", "omega", "Omega")


def _letters(symbol: sm.Expr) -> str:
    """Return a name without underscores, braces, and backslashes: dottheta1 for a LaTeX name."""
    return re.sub(r"[\\{}_ ]", "", plain_name(symbol))


def _still(coordinate: sm.Expr, of: str, speeds: Sequence[sm.Expr]) -> str:
    hint = ""
    if speeds:
        kind = (
            "a plain symbol, and therefore a constant"
            if speeds[0].is_Symbol
            else "another function"
        )
        hint = f": {speeds[0]} is {kind}"
    return f"T contains no velocity{of}{hint}; write {plain_name(coordinate)}.diff() instead"


def _free_or_given(function: sm.Expr) -> str:
    """Return advice for a function of time in an energy that is not a coordinate."""
    return (
        "add it to q if it moves freely; if its motion is given, replace it with a formula of t, "
        f".subs({function}, formula).doit()"
    )


def refuse_open(derivative: sm.Derivative) -> None:
    """Reject a derivative of a part of Abs or sign that SymPy does not evaluate.

    Raises
    ------
    ValueError
        With what to write instead.
    """
    t = me.dynamicsymbols._t
    if not isinstance(derivative.expr, AppliedUndef) or {*derivative.variables} != {t}:
        raise ValueError(
            f"SymPy did not evaluate {derivative}; in Abs and sign, it takes undeclared symbols "
            "for complex: declare coordinates and parameters real, as in dynamicsymbols('x', "
            "real=True), or write the value, such as sign(x) for the derivative of Abs(x), and 0 "
            "for that of sign(x)"
        )


def refuse_shapes(M: sm.MatrixBase, F: sm.MatrixBase, speeds: int) -> None:
    """Reject M and F of M u̇ = F whose shapes do not fit the number of speeds.

    Raises
    ------
    ValueError
        If a shape does not fit.
    """
    if M.shape[0] != M.shape[1]:
        raise ValueError(f"the mass matrix must be square; got shape {M.shape}")
    if M.shape[0] != speeds or F.shape != (speeds, 1):
        raise ValueError(
            f"{speeds} speeds need a mass matrix of shape {(speeds, speeds)} and a forcing of "
            f"shape {(speeds, 1)}; got {M.shape} and {F.shape}"
        )


def read_gradients(
    gradients: object,
) -> tuple[sm.MatrixBase, tuple[sm.Expr, ...], tuple[int, ...], sm.Expr | None] | None:
    """Return the Jacobian of constraints, the speeds, indices of independent ones, and a divisor.

    Raises
    ------
    TypeError, ValueError
        If the argument is neither None nor these four.
    """
    if gradients is None:
        return None
    entries = read_list(gradients)
    if len(entries) != 4:
        raise ValueError(
            "gradients must be a matrix, speeds, indices of the independent ones, and a divisor"
        )
    matrix, speeds = read_matrix(entries[0], "the gradients"), read_states(entries[1], "the speeds")
    if matrix.shape[1] != len(speeds):
        raise ValueError(f"gradients need {len(speeds)} columns; got shape {matrix.shape}")
    last = len(speeds) - 1
    indices = tuple(whole_number(i, "a place", 0, last) for i in read_list(entries[2]))
    divisor = None if entries[3] is None else read_expression(entries[3], "the divisor")
    return matrix, speeds, indices, divisor


def read_kinematics(
    q: Sequence[sm.Expr], u: Sequence[sm.Expr], N: sm.MatrixBase | None, b: sm.MatrixBase | None
) -> tuple[sm.ImmutableDenseMatrix, sm.ImmutableDenseMatrix]:
    """Return N and b of q̇ = N u + b: the identity and zero unless given.

    Raises
    ------
    ValueError
        If a shape does not fit, N is missing although the speeds are not the derivatives of the
        coordinates, or N or b depends on a speed.
    """
    if N is None and len(q) != len(u):
        raise ValueError(f"{len(q)} coordinates with {len(u)} speeds need a kinematic matrix N")
    N = read_matrix(sm.eye(len(q)) if N is None else N, "N")
    b = read_matrix(sm.zeros(len(q), 1) if b is None else b, "b")
    for name, part, shape in (("N", N, (len(q), len(u))), ("b", b, (len(q), 1))):
        if part.shape != shape:
            raise ValueError(f"{name} must have shape {shape}; got {part.shape}")
        for speed in u:
            if part.has(speed):
                raise ValueError(f"q̇ = N u + b must be linear in speeds: {speed} is in {name}")
    return N, b


def read_bodies(bodies: object) -> list[me.Particle | me.RigidBody]:
    """Return bodies, given as a list or a single body.

    Raises
    ------
    TypeError
        If one of them is not a Particle or RigidBody.
    ValueError
        If a mass or a moment of inertia is negative.

    Warns
    -----
    UserWarning
        If a mass or an inertia varies in time, because mass may carry momentum along.
    """
    items = read_list(bodies)
    for body in items:
        if not isinstance(body, me.Particle | me.RigidBody):
            raise TypeError(f"a body must be a Particle or a RigidBody; got {shown(body)}")
        moments = []
        if isinstance(body, me.RigidBody):
            moments = list(body.central_inertia.to_matrix(inertia_axes(body)).diagonal())
        for what, value in [("mass", body.mass), *(("moment of inertia", I) for I in moments)]:
            if sm.sympify(value).is_negative:
                raise ValueError(f"the {what} of the body {body.name} is negative: {value}")
            if me.dynamicsymbols._t in sm.sympify(value).free_symbols:
                warnings.warn(
                    f"the {what} of the body {body.name} changes in time: here the force is m a, "
                    "which is right if added or lost mass has the velocity of the body; "
                    "from_lagrangian uses the derivative of m v, which is right if that mass is at "
                    "rest. For other velocities, add a load",
                    stacklevel=3,
                )
    return items


def read_loads(loads: object) -> list[tuple[me.Point | me.ReferenceFrame, me.Vector]]:
    """Return loads as pairs of a point or frame and a vector.

    Raises
    ------
    TypeError
        If one of them is not a pair of (Point, force) or (ReferenceFrame, torque).
    """
    targets, items = me.Point | me.ReferenceFrame, read_list(loads)
    if items and isinstance(items[0], targets):  # a single pair
        items = [tuple(items)]
    for load in items:
        pair = read_list(load)
        if len(pair) != 2 or not isinstance(pair[0], targets) or not isinstance(pair[1], me.Vector):
            raise TypeError(
                "a load must be a pair (Point, force) or (ReferenceFrame, torque), "
                f"of a vector; got {shown(load)}"
            )
    return [(target, vector) for target, vector in map(read_list, items)]
