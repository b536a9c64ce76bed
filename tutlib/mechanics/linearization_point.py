"""Evaluation of equations at one point, with a check that they are differentiable there.

Used by `linearization`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from straightline.arguments import instance
from straightline.expressions import evaluate
from tutlib.mechanics.constraints import ConstrainedEquations
from tutlib.mechanics.derivations import atoms, replaced, symbols_in
from tutlib.mechanics.derivatives import Derivatives
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.reading.expressions import read_expression
from tutlib.reading.names import plain_name
from tutlib.reading.parameters import Values, match_names, parameter_values

Equations = EquationsOfMotion | ConstrainedEquations
_JUMPS = (sm.sign, sm.DiracDelta, sm.Heaviside)
_STEPS = (sm.floor, sm.ceiling)
#: Distance from an integer below which an argument of floor counts as an integer.
_AT_A_STEP = 1e-12
#: Distance from a point at which limits are computed, number of directions, and digits.
_BESIDE, _SIDES, _DIGITS = 1e-30, 6, 120
_INEQUALITIES = (sm.Gt, sm.Ge, sm.Lt, sm.Le)
_EQUALITIES = (sm.Eq, sm.Ne)


def values_of(needed: Sequence[sm.Symbol], values: Values) -> dict[sm.Expr, sm.Expr]:
    """Return the values of the needed parameters; reject values that are not a mapping."""
    if not isinstance(values, Mapping):
        match_names(values, needed, "no such parameter:", "the parameters are")
    names = set(map(str, needed))
    keys = [key for key in values if str(key) in names]
    return {key: values[key] for key in keys}


def evaluate_at(
    matrices: Sequence[sm.MatrixBase], point: Mapping[sm.Expr, sm.Expr], values: Values | None
) -> list[sm.Expr]:
    """Return matrices at a point: as numbers if values are given, otherwise symbolically.

    Raises
    ------
    ValueError
        If they are not finite at the point.
    """
    if (numbers := _numbers(matrices, point, values)) is not None:
        return numbers
    at_point = [sm.Matrix(part) for part in replaced(matrices, point)]
    if values is None:
        return [part.applyfunc(sm.simplify) for part in at_point]
    numbers = None
    if not any(part.has(sm.zoo, sm.nan, sm.oo) for part in at_point):
        numbers = _numbers(at_point, {}, values)
    if numbers is None:
        raise ValueError(f"the equations are not finite at {_point_as_text(point)}")
    return numbers


def _numbers(
    matrices: Sequence[sm.MatrixBase], point: Mapping[sm.Expr, sm.Expr], values: Values | None
) -> list[sm.Expr] | None:
    """Return numeric matrices at a point; None if symbols are left or entries are not finite."""
    if values is None or not all(sm.sympify(value).is_number for value in point.values()):
        return None
    numbers_of = {symbol: float(value) for symbol, value in point.items()}
    entries = [entry for part in matrices for entry in part]
    needed = sorted(symbols_in(entries) - {me.dynamicsymbols._t, *numbers_of}, key=str)
    numbers_of |= dict(zip(needed, parameter_values(needed, values_of(needed, values))))
    try:
        numbers = np.array(evaluate(entries, numbers_of), dtype=float) + 0.0  # turns -0.0 into 0.0
    except ValueError:  # a function without numeric code, which the point may eliminate
        if not point:
            raise
        return None
    if not np.isfinite(numbers).all():
        return None
    ends = np.cumsum([len(part) for part in matrices])
    return [flat.reshape(part.shape) for flat, part in zip(np.split(numbers, ends), matrices)]


def _values_in(matrices: Sequence[sm.MatrixBase], values: Values) -> dict[sm.Symbol, float]:
    """Return the values of the parameters in some matrices."""
    symbols = symbols_in([entry for part in matrices for entry in part]) - {me.dynamicsymbols._t}
    needed = sorted(symbols, key=str)
    return dict(zip(needed, parameter_values(needed, values_of(needed, values))))


def is_not_zero(rate: sm.Expr) -> bool:
    """Tell whether an expression is nonzero for generic parameters."""
    free = sorted(rate.free_symbols, key=str)
    value = rate.subs({symbol: sm.Float(1.1 + 0.37 * i) for i, symbol in enumerate(free)}).evalf()
    return bool(value.is_comparable and value.is_finite and abs(value) > 1e-6)


def frozen_states(states: Sequence[sm.Expr]) -> dict[sm.Expr, sm.Dummy]:
    """Return a real symbol for each state, to differentiate with respect to."""
    return {state: sm.Dummy(plain_name(state), real=True) for state in states}


def _point_as_text(point: Mapping[sm.Expr, sm.Expr]) -> str:
    states = {symbol: value for symbol, value in point.items() if symbol.name != "a"}
    return ", ".join(f"{symbol.name} = {value}" for symbol, value in states.items())


def refuse_edges(
    matrices: Sequence[sm.MatrixBase],
    slopes: Sequence[sm.MatrixBase],
    point: Mapping[sm.Expr, sm.Expr],
    values: Values | None,
) -> list[sm.Matrix]:
    """Return derivatives, with limits where they are 0/0; reject a point that has none.

    Such points are the edges of abs, sign, sqrt, floor, and of the conditions of a Piecewise.
    Limits are found numerically, if all numbers are given and the limit is the same from all sides.

    Parameters
    ----------
    matrices, slopes : sequence of Matrix
        The equations, and their derivatives.
    point : mapping from symbol to number or Expr
    values : mapping from parameter (or its name) to number, optional

    Returns
    -------
    list of Matrix
        The derivatives.

    Raises
    ------
    ValueError
        With the point.
    """
    substitutions, with_limits = dict(point), list(map(sm.Matrix, slopes))
    _refuse_steps(matrices, substitutions, values)
    for number, part in enumerate(slopes):
        if unknown := atoms(part, sm.Derivative, sm.Subs):
            what = min(_named(u.args[0]) for u in unknown)
            raise ValueError(f"{what} has no derivative here: linearize with a smooth function")
        edges = [e for e in atoms(part, *_JUMPS) if e.args[0].xreplace(substitutions).is_zero]
        marks = {edge: sm.Dummy() for edge in edges}
        if not edges and _numbers([part], point, values) is not None:
            continue
        for i, entry in enumerate(*replaced(replaced([part], marks), substitutions)):
            if entry.free_symbols & {*marks.values()} or entry.has(sm.nan, sm.zoo, sm.oo):
                jumps = values is None or entry.free_symbols & {*marks.values()}
                limit = None if jumps else _limit(part[i], substitutions, values or {})
                if limit is None:
                    raise _no_derivative(point, "abs, sign, a root or a quotient")
                with_limits[number][i] = limit
    test = _lonely_test((*matrices, *slopes), substitutions)
    if test is not None:
        raise _no_derivative(point, f"a Piecewise, at the one point {_named(test)},")
    for part in (*matrices, *with_limits):
        here, *beside = _around(part, substitutions, values) or [part]
        if any(is_not_zero(entry) for side in beside for entry in side - here):
            raise _no_derivative(point, "a Piecewise")
    return with_limits


def _in_steps(part: sm.MatrixBase) -> sm.MatrixBase:
    """Return a matrix with remainders in terms of floor."""
    if not atoms(part, sm.Mod, sm.frac):
        return part
    whole = part.replace(sm.Mod, lambda a, b: a - b * sm.floor(a / b))
    return whole.replace(sm.frac, lambda a: a - sm.floor(a))


def _refuse_steps(
    matrices: Sequence[sm.MatrixBase], point: dict[sm.Expr, sm.Expr], values: Values | None
) -> None:
    """Reject a point at a jump of floor, ceiling, or a remainder."""
    for step in set().union(*(atoms(_in_steps(part), *_STEPS) for part in matrices)):
        whole = sm.Matrix([step.args[0]]).xreplace(point)
        parameters = _values_in([whole], values) if values is not None else {}
        argument = whole[0].xreplace(parameters)
        near_integer = (
            argument.is_number and abs(float(argument) - round(float(argument))) < _AT_A_STEP
        )
        if near_integer or argument.is_integer:
            raise _no_derivative(point, "floor or a remainder")


def derivatives(part: sm.MatrixBase, y: Sequence[sm.Symbol]) -> sm.Matrix:
    """Return ∂part/∂y, shape (len(part), len(y)); floor and ceiling count as constant."""
    smooth = _in_steps(part)
    marks = {step: sm.Dummy() for step in atoms(smooth, *_STEPS)}
    back = {dummy: step for step, dummy in marks.items()}
    d, (still,) = Derivatives(), replaced([smooth], marks)
    slopes = [d(entry, symbol) for entry in still for symbol in y]
    return sm.Matrix(len(part), len(y), replaced(slopes, back) if back else slopes)


def _limit(slope: sm.Expr, point: dict[sm.Expr, sm.Expr], values: Values) -> sm.Float | None:
    """Return the limit of a derivative at a point, if it is the same from all sides, or None."""
    numbers = {**point, **_values_in([sm.Matrix([slope]).xreplace(point)], values)}
    random, sides = np.random.default_rng(3), []
    moving = [s for s in point if s.name != "a" and s != me.dynamicsymbols._t]
    here = {symbol: sm.Float(value, _DIGITS) for symbol, value in numbers.items()}
    for distance in np.repeat([_BESIDE, 1e3 * _BESIDE], _SIDES):
        beside = here | {s: here[s] + sm.Float(distance * random.normal()) for s in moving}
        sides.append(slope.xreplace(beside).evalf(_DIGITS // 2))
    if not all(value.is_Float or value == 0 for value in sides):
        return None
    limit = float(sides[0])
    near = [abs(float(value) - limit) <= 1e-9 * max(1.0, abs(limit)) for value in sides]
    return sm.Float(limit) if all(near) else None


def _lonely_test(
    matrices: Sequence[sm.MatrixBase], point: dict[sm.Expr, sm.Expr]
) -> sm.Basic | None:
    """Return an equality in a Piecewise that holds at the point and changes a value there."""
    tests = {e for p in _pieces(matrices) for e in p.atoms(*_EQUALITIES)}
    for test in sorted(tests, key=sm.default_sort_key):
        if not (test.lhs - test.rhs).xreplace(point).is_zero:
            continue
        for symbol in test.free_symbols & {*point} - {me.dynamicsymbols._t}:
            value = point[symbol]
            value = sm.Rational(float(value)) if sm.sympify(value).is_Float else value
            for h in (sm.Rational(1, 10**8), -sm.Rational(1, 10**8)):
                beside = point | {symbol: value + h}
                changes = [part.xreplace(beside) - part.xreplace(point) for part in matrices]
                entries = [entry for change in changes for entry in change]
                if any(is_not_zero(e) or e.has(sm.DiracDelta) for e in entries):
                    return test
    return None


def _named(expression: sm.Basic) -> str:
    """Return an expression as text with plain names of states."""
    names = {symbol: sm.Symbol(symbol.name) for symbol in expression.free_symbols}
    return str(expression.xreplace(names))


def _no_derivative(point: Mapping[sm.Expr, sm.Expr], what: str) -> ValueError:
    return ValueError(
        f"the equations have no derivative at {_point_as_text(point)}, and so no small motions: "
        f"{what} has an edge there; linearize beside it, or with a smooth function in its place"
    )


def _pieces(matrices: Iterable[sm.MatrixBase]) -> set[sm.Piecewise]:
    return atoms((entry for part in matrices for entry in part), sm.Piecewise)


def _around(
    part: sm.MatrixBase, point: dict[sm.Expr, sm.Expr], values: Values | None
) -> list[sm.Matrix]:
    """Return a matrix at a point, then on each side of the edges of its conditions, if any."""
    inequalities = {r for p in _pieces([part]) for r in p.atoms(*_INEQUALITIES)}
    if not inequalities:
        return []
    if values is not None:
        parameters = _values_in(
            [sm.Matrix([r.gts - r.lts for r in inequalities]).xreplace(point)], values
        )
        point = point | {symbol: sm.Float(value) for symbol, value in parameters.items()}
    matrices = [sm.Matrix(part).xreplace(point)]
    edges = {r: r.gts - r.lts for r in inequalities if (r.gts - r.lts).xreplace(point).is_zero}
    # each edge once, in whichever order a condition compares
    kinds = list(dict.fromkeys(max(e, -e, key=sm.default_sort_key) for e in edges.values()))
    for signs in itertools.product((True, False), repeat=len(kinds)):
        above = dict(zip(kinds, signs))
        side = {r: sm.sympify(above[e] if e in above else not above[-e]) for r, e in edges.items()}
        matrices.append(sm.Matrix(part).xreplace(side).xreplace(point))
    return matrices


def cut_open(equations: object) -> EquationsOfMotion:
    """Return the equations of a mechanism without its constraints; reject other objects."""
    if isinstance(equations, ConstrainedEquations):
        return equations.equations
    hint = "or ConstrainedEquations; a model's are model.equations and model.constrained"
    cut = instance(equations, "equations", EquationsOfMotion, hint)
    if cut.constraint_forces:
        raise ValueError(
            "forces of constraints stand in other forces: these equations are solved step by step, "
            "and have no small motions here; give such a force as a number of its own"
        )
    return cut


def inputs_at(eom: EquationsOfMotion, inputs: object) -> dict[sm.Expr, sm.Expr]:
    """Return the value of each input at a point: zero unless given."""
    by_symbol = match_names(
        {} if inputs is None else inputs, eom.inputs, "no such input:", "the inputs are"
    )
    return {r: read_expression(by_symbol.get(r, 0), f"the input {r}") for r in eom.inputs}


def holds_time(expressions: Iterable[sm.Expr], eom: EquationsOfMotion) -> bool:
    """Return whether expressions depend on time explicitly, beside states and inputs."""
    frozen = frozen_states((*eom.u, *eom.q, *eom.states, *eom.inputs))
    still = replaced(map(sm.sympify, expressions), frozen)
    return me.dynamicsymbols._t in symbols_in(still)


def moment_at(equations: Equations, time: object) -> dict[sm.Expr, sm.Expr]:
    """Return the time of a point; reject time-dependent equations if none is given."""
    t, eom = me.dynamicsymbols._t, cut_open(equations)
    if time is not None:
        return {t: read_expression(time, "time")}
    expressions = [*eom.mass_matrix, *eom.forcing, *eom.rates, *(rate for _, rate in eom.auxiliary)]
    if isinstance(equations, ConstrainedEquations):
        expressions += [*equations.constraints, *equations.velocity_constraints]
    if holds_time(expressions, eom):
        raise ValueError(
            "the equations hold the time t: give a moment, time=0 for example; what comes out "
            "belongs to that moment alone, and tells nothing of stability"
        )
    return {}


def refuse_unknown(values: object, equations: Equations, point: Mapping[sm.Expr, sm.Expr]) -> None:
    """Reject values of symbols that are not parameters of the equations or the point."""
    symbols = (entry.free_symbols for entry in point.values())
    cut = cut_open(equations)
    allowed = {*cut.further_parameters, *cut.parameters, *equations.parameters}.union(*symbols)
    match_names(values, allowed, "no such parameter:", "the parameters are")
