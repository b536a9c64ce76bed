"""x' = f(t, x), x(t₀) = x₀: step by step, from a tableau, a partitioned method or your own.

One ``step`` serves every tableau and every space. Chapter 1 uses it, chapter 4 explains it,
chapter 8 takes it to manifolds.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tutlib.methods.checks import (
    check_function,
    check_next_state,
    check_start,
    check_state,
    check_step_size,
    check_times,
)
from tutlib.methods.commutator_free import CF4, CommutatorFreeTableau
from tutlib.methods.partitioned import coordinates, semi_implicit_euler, velocity_verlet, verlet
from tutlib.methods.tableaus import EULER, HEUN, KUTTA3, MIDPOINT, RK4, ButcherTableau
from tutlib.methods.trajectory import Trajectory, not_finite, stopped, warn_if_unstable
from tutlib.programs.projection import Projection
from tutlib.programs.right_hand_side import Array, Function, RightHandSide
from tutlib.spaces.space import R, Space
from tutlib.spaces.vector_field import VectorField

StepFunction = Callable[[Function, float, Array, float], ArrayLike]
Tableau = ButcherTableau | CommutatorFreeTableau
Method = str | Tableau | StepFunction

#: Runs of at least this many steps are compiled where they can be: below, compiling takes longer.
STEPS_WORTH_COMPILING = 20_000


def step(
    f: Function,
    t: float,
    x: ArrayLike,
    h: float,
    method: Tableau = RK4,
    space: Space | None = None,
) -> Array:
    """Take one explicit Runge-Kutta step, on ℝⁿ or any other space.

    Parameters
    ----------
    f : function (t, x) -> array
        Right-hand side; on a space other than ℝⁿ it gives an element of the algebra.
    t : float
        Time [s].
    x : array, shape (k,)
        State.
    h : float
        Step size [s], positive.
    method : ButcherTableau or CommutatorFreeTableau
        An explicit one.
    space : Space, optional
        A field's own space or ℝᵏ unless given.

    Returns
    -------
    array, shape (k,)
        The state at t + h.

    Raises
    ------
    ValueError
        If h is not positive and finite, or the tableau is implicit.

    References
    ----------
    :cite:p:`HairerNorsettWanner1993`, section II.1; on manifolds :cite:p:`MuntheKaas1999`.
    """
    check_step_size(h)
    x = np.array(x, dtype=float)
    space = space_of(f, space) or R(len(x))
    c, flows = tableau_flows(method)
    K: list[Array] = []
    for i, rows in enumerate(flows):
        state, sigma = x, np.zeros(space.algebra)
        for row in rows:
            sigma = h * combine(row, K, sigma)
            state = space.flow(sigma, state)
        if i == len(c):
            break
        slope = np.array(f(t + c[i] * h, state.copy()), dtype=float)
        K.append(space.dexp_inverse(sigma, slope) if method.carries_back else slope)
    return state


def space_of(f: Function, space: Space | None) -> Space | None:
    """Return a space that is given, else the field's own; None is ℝᵏ."""
    return f.space if space is None and isinstance(f, VectorField) else space


def tableau_flows(method: Tableau) -> tuple[Array, list[list[Array]]]:
    """Return the nodes, and for each stage and the result the rows of its flows."""
    if isinstance(method, CommutatorFreeTableau):
        return method.c, method.flows
    pair = method.pair
    return pair.c, [[row[:i]] for i, row in enumerate((*pair.A, pair.b))]


def add_stage(
    f: Function, t: float, x: Array, sigma: Array, K: list[Array], space: Space
) -> tuple[Array, Array]:
    """Append to K the slope at exp(sigma)·x, seen from x; return that state and its slope."""
    state = space.flow(sigma, x)
    slope = np.array(f(t, state.copy()), dtype=float)
    K.append(space.dexp_inverse(sigma, slope))
    return state, slope


def combine(weights: Array, K: list[Array], x: Array) -> Array:
    """Return the weighted sum of slopes; without any, zeros like x."""
    total = np.zeros_like(K[0]) if K else np.zeros_like(x)
    for weight, slope in zip(weights, K):
        if weight:
            total = total + weight * slope
    return total


#: Every method that has a name.
METHODS: dict[str, Tableau | Callable[..., Any]] = {
    "euler": EULER,
    "semi_implicit_euler": semi_implicit_euler,
    "verlet": verlet,
    "velocity_verlet": velocity_verlet,
    "midpoint": MIDPOINT,
    "heun": HEUN,
    "kutta3": KUTTA3,
    "rk4": RK4,
    "cf4": CF4,
}


def integrate(
    f: Function,
    t: ArrayLike,
    x0: ArrayLike,
    method: Method = "rk4",
    space: Space | None = None,
    after_step: Callable[[float, Array], ArrayLike] | None = None,
) -> Trajectory:
    """Integrate x' = f(t, x) from x0, one step from each time to the next.

    Parameters
    ----------
    f : function (t, x) -> array of shape (k,)
        Right-hand side. One from ``EquationsOfMotion.compile`` is compiled whole, loop and all,
        where the run is long enough to gain by it; a `VectorField`, with tableaus, always.
    t : array, shape (m,)
        Increasing times [s]; t[0] is the start.
    x0 : array, shape (k,)
        Initial state.
    method : str, tableau, or function step(f, t, x, h) -> x
        A name in `METHODS`, an explicit tableau, or your own step.
    space : Space, optional
        Where the state lives, for tableaus; a field's own space or ℝᵏ unless given.
    after_step : function (t, x) -> array of shape (k,), optional
        What becomes of the state after each step, such as a `Projection`.

    Returns
    -------
    Trajectory

    Raises
    ------
    TypeError
        If f does not return real numbers.
    ValueError
        If the times do not increase, a shape is wrong, x0 is not finite, the method is unknown
        or does not fit, or ``after_step`` would move the start.
    SimulationError
        If a state stops being finite or f raises after the first call; its ``trajectory`` holds
        everything up to there.

    Warns
    -----
    UnstableWarning
        If the state grows beyond a million times its start: the step is probably too large.
    """
    space = space_of(f, space)
    times, start = check_times(t), check_state(x0, space)
    chosen, name = _find_method(method)
    slope = check_function(f, times[0], start, space)
    names = f.state_names if isinstance(f, RightHandSide) else ()
    if chosen in (semi_implicit_euler, velocity_verlet, verlet):
        if space is not None:
            raise ValueError(f"{name} takes no space: on {space.name} choose a tableau")
        _refuse_unfit(name, coordinates(f, len(start)), slope, start, after_step)
    if after_step is not None:
        check_start(after_step, times[0], start, names)
    X = np.tile(start, (len(times), 1))
    motion = Trajectory(times, X, names)
    advance = partial(step, method=chosen, space=space) if _is_tableau(chosen) else chosen
    if loop := _compiled_loop(f, chosen, space, after_step, len(times)):
        last = loop(times, X)
        if last < len(times) - 1:  # the same step in Python says what is wrong
            _step_through(advance, f, after_step, motion, name, range(last + 1, last + 2))
            raise not_finite(times, X, last + 1, names, name)
    elif chosen is verlet:
        X[:] = verlet(f, times, start, names)
    else:
        _step_through(advance, f, after_step, motion, name, range(1, len(times)))
    return warn_if_unstable(motion, name)


def _refuse_unfit(name: str, n: int, slope: Array, x: Array, after_step: Any) -> None:
    """Refuse what a partitioned method cannot do."""
    if not np.array_equal(slope[:n], x[n : 2 * n]):
        raise ValueError(f"{name} needs x = [q, q̇]: the first rates must be the speeds")
    if name == "verlet" and after_step is not None:
        raise ValueError("verlet joins three points in time: no state can be changed between them")


def _step_through(
    advance: Any,
    f: Function,
    after_step: Callable[[float, Array], ArrayLike] | None,
    motion: Trajectory,
    name: str,
    rows: range,
) -> None:
    """Fill rows of a motion, each from the one before; raise what keeps the motion so far."""
    t, X = motion.t, motion.x
    for i in rows:
        try:
            if advance is verlet:  # makes no single steps
                f(float(t[i - 1]), X[i - 1].copy())
                continue
            following = advance(f, float(t[i - 1]), X[i - 1].copy(), float(t[i] - t[i - 1]))
            following = check_next_state(following, X.shape[1])
            if after_step is not None and np.isfinite(following).all():
                following = check_next_state(after_step(float(t[i]), following), X.shape[1])
        except Exception as error:
            raise stopped(error, t, X, i, motion.names, name) from error
        X[i] = following
        if not np.isfinite(X[i]).all():
            raise not_finite(t, X, i, motion.names, name)


def _compiled_loop(
    f: Function, method: Any, space: Space | None, after_step: Any, points: int
) -> Callable[[Array, Array], int] | None:
    """Return a compiled loop, called as loop(t, X), if this run can have one and is worth it."""
    # Numba takes half a second to import: only when it pays.
    if isinstance(f, VectorField):
        fits = space is f.space and _is_tableau(method) and after_step is None
        return _loop_on_space(f, method) if fits and _has_numba() else None
    if not (isinstance(f, RightHandSide) and space is None and _worth_compiling(f, points)):
        return None
    from tutlib.programs import compiled

    if isinstance(method, ButcherTableau) and (
        after_step is None or isinstance(after_step, Projection)
    ):
        pair = method.pair
        correct = (compiled.no_correction, np.zeros(0), 0)
        if after_step is not None:
            correct = after_step.kernel, after_step.parameter_values, after_step.constraints
        rest = (f.speeds, pair.A, pair.b, pair.c, *correct)
        return lambda t, X: compiled.run_tableau(f.kernel, f.parameter_values, t, X, *rest)
    loops: dict[Any, Callable[..., int]] = {
        semi_implicit_euler: compiled.run_semi_implicit_euler,
        velocity_verlet: compiled.run_velocity_verlet,
        verlet: compiled.run_verlet,
    }
    if after_step or _is_tableau(method) or method not in loops:
        return None
    sizes = f.coordinates, f.speeds
    return lambda t, X: loops[method](f.kernel, f.parameter_values, t, X, *sizes)


def _loop_on_space(f: VectorField, method: Tableau) -> Callable[[Array, Array], int]:
    """Return the compiled loop of a field: the rows of `tableau_flows` as one array."""
    from tutlib.programs.compiled_spaces import run_on_space

    c, flows = tableau_flows(method)
    weights = np.zeros((len(flows), max(map(len, flows)), len(c)))
    for i, rows in enumerate(flows):
        for j, row in enumerate(rows):
            weights[i, j, : len(row)] = row
    counts = np.array([len(rows) for rows in flows])
    rest = (f.space.algebra, np.array(c), weights, counts, method.carries_back)
    return lambda t, X: run_on_space(*f.compiled, f.values, t, X, *rest)


def _worth_compiling(f: RightHandSide, points: int) -> bool:
    if f.backend != "auto":
        return f.backend == "numba"
    if points <= STEPS_WORTH_COMPILING:
        return False
    return _has_numba()


def _has_numba() -> bool:
    return importlib.util.find_spec("numba") is not None


def _is_tableau(method: Any) -> bool:
    return isinstance(method, ButcherTableau | CommutatorFreeTableau)


def _find_method(method: Method) -> tuple[Any, str]:
    """Return the method and the name to call it by."""
    if isinstance(method, ButcherTableau):
        _ = method.pair  # refuses an implicit one
    if isinstance(method, ButcherTableau | CommutatorFreeTableau):
        return method, method.name
    if callable(method):
        return method, getattr(method, "__name__", "your step")
    if method not in METHODS:
        raise ValueError(f"unknown method {method!r}; the methods are {', '.join(METHODS)}")
    return METHODS[method], str(method)
