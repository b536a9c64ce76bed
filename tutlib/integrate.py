"""x' = f(t, x), x(t₀) = x₀: step by step, from a tableau, a partitioned method or your own.

One ``step`` serves every tableau and every space. Chapter 1 uses it, chapter 4 explains it,
chapter 8 takes it to manifolds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tutlib.checks import (
    check_function,
    check_next_state,
    check_start,
    check_state,
    check_step_size,
    check_times,
)
from tutlib.commutator_free import CommutatorFreeTableau
from tutlib.partitioned import coordinates, semi_implicit_euler, velocity_verlet, verlet
from tutlib.projection import Projection
from tutlib.right_hand_side import Array, Function, RightHandSide
from tutlib.spaces import R, Space
from tutlib.tableaus import EULER, HEUN, KUTTA3, MIDPOINT, RK4, ButcherTableau
from tutlib.trajectory import Trajectory, not_finite, stopped, warn_if_unstable

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
        ℝᵏ unless given.

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
    space = R(len(x)) if space is None else space
    if isinstance(method, CommutatorFreeTableau):
        return _commutator_free_step(f, t, x, h, method, space)
    c, A, b = method.pair.c, method.pair.A, method.pair.b
    K: list[Array] = []
    nothing = np.zeros(space.algebra)
    for i in range(method.stages):
        add_stage(f, t + c[i] * h, x, h * combine(A[i, :i], K, nothing), K, space)
    return space.flow(h * combine(b, K, x), x)


def _commutator_free_step(
    f: Function, t: float, x: Array, h: float, method: CommutatorFreeTableau, space: Space
) -> Array:
    """Flow along each row of a stage, one after another; no slope is carried back."""
    K: list[Array] = []

    def follow(rows: list[Array]) -> Array:
        state = x
        for row in rows:
            state = space.flow(h * combine(row, K, x), state)
        return state

    for c, rows in zip(method.c, method.flows):
        K.append(np.array(f(t + c * h, follow(rows).copy()), dtype=float))
    return follow(method.flows[-1])


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
METHODS: dict[str, ButcherTableau | Callable[..., Any]] = {
    "euler": EULER,
    "semi_implicit_euler": semi_implicit_euler,
    "verlet": verlet,
    "velocity_verlet": velocity_verlet,
    "midpoint": MIDPOINT,
    "heun": HEUN,
    "kutta3": KUTTA3,
    "rk4": RK4,
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
        where the run is long enough to gain by it.
    t : array, shape (m,)
        Increasing times [s]; t[0] is the start.
    x0 : array, shape (k,)
        Initial state.
    method : str, ButcherTableau, or function step(f, t, x, h) -> x
        A name in `METHODS`, an explicit tableau, or your own step.
    space : Space, optional
        Where the state lives, for tableaus; ℝᵏ unless given.
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
    times, start = check_times(t), check_state(x0, space)
    chosen, name = _find_method(method)
    slope = check_function(f, times[0], start, space)
    names = f.state_names if isinstance(f, RightHandSide) else ()
    if chosen in (semi_implicit_euler, velocity_verlet, verlet):
        _refuse_unfit(name, coordinates(f, len(start)), slope, start, after_step)
    if after_step is not None:
        check_start(after_step, times[0], start, names)
    X = np.tile(start, (len(times), 1))
    motion = Trajectory(times, X, names)
    advance = partial(step, method=chosen, space=space) if _is_tableau(chosen) else chosen
    loop = None
    if isinstance(f, RightHandSide) and space is None and _worth_compiling(f, len(times)):
        loop = _compiled_loop(chosen, after_step)
    if loop is not None and isinstance(f, RightHandSide):
        last = loop(f.kernel, f.parameter_values, times, X, f.coordinates, f.speeds)
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


def _compiled_loop(method: Any, after_step: Any) -> Callable[..., int] | None:
    """Return this method's compiled loop, called as loop(kernel, p, t, X, n, speeds)."""
    from tutlib import compiled  # Numba takes half a second to import: only when it pays

    if isinstance(method, ButcherTableau) and (
        after_step is None or isinstance(after_step, Projection)
    ):
        pair = method.pair
        correct = (compiled.no_correction, np.zeros(0), 0)
        if after_step is not None:
            correct = after_step.kernel, after_step.parameter_values, after_step.constraints
        return lambda f, p, t, X, n, speeds: compiled.run_tableau(
            f, p, t, X, speeds, pair.A, pair.b, pair.c, *correct
        )
    loops: dict[Any, Callable[..., int]] = {
        semi_implicit_euler: compiled.run_semi_implicit_euler,
        velocity_verlet: compiled.run_velocity_verlet,
        verlet: compiled.run_verlet,
    }
    return None if _is_tableau(method) or after_step else loops.get(method)


def _worth_compiling(f: RightHandSide, points: int) -> bool:
    if f.backend != "auto":
        return f.backend == "numba"
    if points <= STEPS_WORTH_COMPILING:
        return False
    try:
        import numba  # noqa: F401
    except ImportError:
        return False
    return True


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
