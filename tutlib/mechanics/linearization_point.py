"""Evaluation of equations at one point, with a check that they are differentiable there.

Used by `linearization`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from numpy.typing import NDArray

from straightline.aliases import Array
from straightline.arguments import instance
from straightline.evaluator import Evaluator
from straightline.expressions import evaluate, from_sympy
from tutlib.mechanics.constraints import ConstrainedEquations
from tutlib.mechanics.derivations import atoms, replaced, symbols_in
from tutlib.mechanics.derivatives import Derivatives
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.mechanics.linear_solution import readable
from tutlib.mechanics.scales import ROUNDING, NaturalScales, magnitudes
from tutlib.reading.expressions import read_expression
from tutlib.reading.names import plain_name
from tutlib.reading.parameters import Values, match_names, parameter_values

Equations = EquationsOfMotion | ConstrainedEquations
#: Displacement from a point in natural units, and number of random directions, in which slopes are
#: checked.
_BESIDE, _DIRECTIONS = 1e-7, 8


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
    finite = not any(part.has(sm.zoo, sm.nan, sm.oo) for part in at_point)
    if finite and values is None:
        return [part.applyfunc(readable) for part in at_point]
    numbers = _numbers(at_point, {}, values) if finite else None
    if numbers is None:
        raise ValueError(f"the equations are not finite at {_point_as_text(point)}")
    return numbers


def rounded(
    matrices: Sequence[sm.MatrixBase],
    point: Mapping[sm.Expr, sm.Expr],
    values: Values | None,
    scale: Mapping[sm.Expr, float],
) -> list[list[NDArray[np.float64]]]:
    """Return numeric matrices at four points that differ from one by rounding, if finite there."""
    random = np.random.default_rng(5)
    near = (_numbers(matrices, point, values, (scale, random)) for _ in range(4))
    return [numbers for numbers in near if numbers is not None]


def _numbers(
    matrices: Sequence[sm.MatrixBase],
    point: Mapping[sm.Expr, sm.Expr],
    values: Values | None,
    rounding: tuple[Mapping[sm.Expr, float], np.random.Generator] | None = None,
) -> list[Any] | None:
    """Return numeric matrices at a point; None if symbols are left or entries are not finite."""
    if values is None or not all(sm.sympify(value).is_number for value in point.values()):
        return None
    numbers_of = {symbol: float(value) for symbol, value in point.items()}
    entries = [entry for part in matrices for entry in part]
    needed = sorted(symbols_in(entries) - {me.dynamicsymbols._t, *numbers_of}, key=str)
    numbers_of |= dict(zip(needed, parameter_values(needed, values_of(needed, values))))
    if rounding:
        scale, random = rounding
        for symbol, value in numbers_of.items():
            size = max(abs(value), scale.get(symbol, 0.0))
            numbers_of[symbol] = value + ROUNDING * size * random.choice([-1.0, 1.0])
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


def scales_at(
    eom: EquationsOfMotion,
    point: Mapping[sm.Expr, sm.Expr],
    values: Values | None,
    vanishing: Sequence[sm.Expr] = (),
) -> NaturalScales:
    """Return the natural scales of equations at a point, with any number for a symbol without."""
    matrices = [*eom.mass_matrix, *eom.forcing, *eom.rates, *(rate for _, rate in eom.auxiliary)]
    symbols = symbols_in([*matrices, *vanishing, *map(sm.sympify, point.values())])
    symbols -= {me.dynamicsymbols._t} - {*point}
    numbers = _generic(sorted(symbols, key=str), point, values)
    state = evaluate([point.get(symbol, 0) for symbol in eom.states], numbers)
    return NaturalScales(eom, numbers, map(float, state), vanishing)


def violations(
    vanishing: Sequence[sm.Expr],
    y: Mapping[sm.Expr, float],
    point: Mapping[sm.Expr, sm.Expr],
    values: Values | None,
) -> tuple[Array, Array]:
    """Return the values of expressions at a point, and the magnitudes of their terms.

    Parameters
    ----------
    vanishing : sequence of m Expr
    y : mapping from symbol to number
        The symbols that may be zero by cancellation, such as states, and their natural scales.
    point : mapping from symbol to number or Expr
    values : mapping from parameter (or its name) to number, optional
        Symbols without a number get one.

    Returns
    -------
    array, array, shape (m,)
    """
    symbols = symbols_in([*vanishing, *(sm.sympify(point[symbol]) for symbol in y)])
    rest = sorted(symbols - {*y}, key=str)
    numbers = _generic(rest, point, values)
    every, at_point = [*y, *rest], evaluate([point[symbol] for symbol in y], numbers)
    x = np.array([*at_point, *(numbers[symbol] for symbol in rest)], dtype=float)
    scale = [*y.values(), *(0.0 for _ in rest)]

    def function(x: Array) -> Array:
        return np.array(evaluate(vanishing, dict(zip(every, x.tolist()))), dtype=float)

    return function(x), magnitudes(function, x, scale, _BESIDE)


def is_not_zero(rate: sm.Expr, small: float) -> bool:
    """Return whether an expression is nonzero for generic parameters, or a number is not small."""
    if rate.is_number:
        return bool(abs(float(rate)) > small)
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
    y: Sequence[sm.Symbol],
    point: Mapping[sm.Expr, sm.Expr],
    values: Values | None,
    scales: tuple[Array, Array],
) -> None:
    """Reject a point at which one-sided difference quotients do not tend to the derivatives.

    Such points are the edges of abs, sign, and sqrt, and of the conditions of a Piecewise. Symbols
    without a number get one.

    Parameters
    ----------
    matrices : sequence of Matrix
        The equations, as columns.
    slopes : sequence of Matrix
        Their derivatives with respect to y at the point.
    y : sequence of symbol
        States and inputs.
    point : mapping from symbol to number or Expr
    values : mapping from parameter (or its name) to number, optional
    scales : (array, array)
        Natural scales of the equations and of y.

    Raises
    ------
    ValueError
        With the point.
    """
    try:
        function, x, numbers = _numeric(matrices, y, point, values)
        here = function(0.0, x)
    except ValueError:  # an undefined function
        return
    if not np.isfinite(here).all():
        return
    flat = [entry for part in slopes for entry in np.ravel(part)]
    try:
        J = np.array(evaluate(flat, numbers), dtype=float).reshape(-1, len(y))
    except ValueError as error:  # such as the derivative of sign at zero
        raise no_derivative(point) from error
    random = np.random.default_rng(3).normal(size=(_DIRECTIONS, len(y)))
    scale = np.maximum(scales[1], np.abs(x))
    d = np.vstack([np.eye(len(y)), random]) * scale
    d = np.vstack([d, -d])
    far, near = (
        np.abs((function(0.0, x + h * d) - here) / h - d @ J.T) for h in (1e2 * _BESIDE, _BESIDE)
    )
    rounding = 1e-6 * (scales[0] + np.abs(here) + np.abs(J) @ scale)
    if not ((near <= rounding) | (near <= 0.3 * far)).all():
        raise no_derivative(point)


def difference_slopes(
    matrices: Sequence[sm.MatrixBase],
    y: Sequence[sm.Symbol],
    point: Mapping[sm.Expr, sm.Expr],
    values: Values,
    scales: tuple[Array, Array],
) -> list[NDArray[np.float64]]:
    """Return ∂part/∂y of each part by difference quotients, extrapolated to no difference.

    For formulas whose derivative is 0/0 at the point although it has a limit there, such as
    quadratic drag at rest. `refuse_edges` decides whether the limit is a derivative.

    Returns
    -------
    list of array, shape (len(part), len(y))
    """
    function, x, _ = _numeric(matrices, y, point, values)
    scale = np.maximum(scales[1], np.abs(x))
    steps = np.diag(1e-4 * scale)

    def quotients(h: float) -> Array:
        change = function(0.0, x + h * steps) - function(0.0, x - h * steps)
        return change.T / (2 * h * steps.diagonal())

    # The remainder is a power of h, and Aitken's formula removes one of any exponent.
    far, middle, near = map(quotients, (1.0, 0.1, 0.01))
    changes = np.abs(middle - far) > 1e-6 * (scales[0][:, None] / scale + np.abs(far))
    bend = np.where(changes, near - 2 * middle + far, 1.0)
    slopes = np.where(changes, near - (near - middle) ** 2 / bend, middle)
    return np.split(slopes, np.cumsum([len(part) for part in matrices])[:-1])


def _numeric(
    matrices: Sequence[sm.MatrixBase],
    y: Sequence[sm.Symbol],
    point: Mapping[sm.Expr, sm.Expr],
    values: Values | None,
) -> tuple[Evaluator, Array, dict[sm.Expr, Any]]:
    """Return the entries of matrices as a function of y, the point, and the numbers of symbols."""
    entries = [entry for part in matrices for entry in part]
    at_point = [sm.sympify(point[symbol]) for symbol in y]
    rest = sorted(symbols_in([*entries, *at_point]) - {*y}, key=str)
    numbers = _generic(rest, point, values)
    x = np.array(evaluate(at_point, numbers), dtype=float)
    formula = from_sympy(entries, [me.dynamicsymbols._t, y, rest])
    return Evaluator(formula, len(y), [numbers[symbol] for symbol in rest]), x, numbers


def no_derivative(point: Mapping[sm.Expr, sm.Expr]) -> ValueError:
    """Return the error for equations that are not differentiable at a point."""
    return ValueError(
        f"the equations have no derivative at {_point_as_text(point)}, and so no small motions: "
        "an edge of abs, sign, a root, a quotient, or a condition lies there; linearize about a "
        "point next to it, or replace it with a smooth function"
    )


def _generic(
    symbols: Sequence[sm.Symbol], point: Mapping[sm.Expr, sm.Expr], values: Values | None
) -> dict[sm.Expr, Any]:
    """Return a number for each symbol: that of the point, the one given, or any."""
    numbers: dict[sm.Expr, Any] = {s: 1.1 + 0.37 * i for i, s in enumerate(symbols)}
    needed = [symbol for symbol in symbols if symbol not in point]
    if values is not None:
        numbers |= dict(zip(needed, parameter_values(needed, values_of(needed, values))))
    for symbol in symbols:
        if symbol in point:
            (numbers[symbol],) = evaluate([point[symbol]], numbers)
    return numbers


def derivatives(part: sm.MatrixBase, y: Sequence[sm.Symbol]) -> sm.Matrix:
    """Return ∂part/∂y, shape (len(part), len(y)); reject functions without a derivative.

    Raises
    ------
    ValueError
    """
    d = Derivatives()
    slopes = [d(entry, symbol) for entry in part for symbol in y]
    if unknown := atoms(slopes, sm.Derivative, sm.Subs):
        function = min(str(u.args[0]) for u in unknown)
        raise ValueError(f"{function} has no derivative here: replace it with a smooth function")
    return sm.Matrix(len(part), len(y), slopes)


def cut_open(equations: object) -> EquationsOfMotion:
    """Return the equations of a mechanism without its constraints; reject other objects."""
    if isinstance(equations, ConstrainedEquations):
        return equations.equations
    hint = "or ConstrainedEquations; a model's are model.equations and model.constrained"
    cut = instance(equations, "equations", EquationsOfMotion, hint)
    if cut.constraint_forces:
        raise ValueError(
            "other forces depend on constraint forces: these equations are solved by iteration and "
            "cannot be linearized; replace these constraint forces with parameters"
        )
    return cut


def inputs_at(eom: EquationsOfMotion, inputs: object) -> dict[sm.Expr, sm.Expr]:
    """Return the value of each input at a point: zero unless given."""
    by_symbol = match_names(
        {} if inputs is None else inputs, eom.inputs, "no such input:", "the inputs are"
    )
    return {r: read_expression(by_symbol.get(r, 0), f"the input {r}") for r in eom.inputs}


def holds_time(expressions: Iterable[sm.Expr], eom: EquationsOfMotion) -> bool:
    """Return whether expressions depend on time explicitly, apart from states and inputs."""
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
            "the equations contain the time t: pass a time, such as time=0; the result then holds "
            "at this time only, and does not decide stability"
        )
    return {}


def refuse_unknown(values: object, equations: Equations, point: Mapping[sm.Expr, sm.Expr]) -> None:
    """Reject values of symbols that are not parameters of the equations or the point."""
    symbols = (entry.free_symbols for entry in point.values())
    cut = cut_open(equations)
    allowed = {*cut.further_parameters, *cut.parameters, *equations.parameters}.union(*symbols)
    match_names(values, allowed, "no such parameter:", "the parameters are")
