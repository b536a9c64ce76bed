"""x' = f(t, x), x(t₀) = x₀: step by step, from a tableau, a partitioned method or your own.

A function goes one way: its start is checked, it becomes a compiled loop, or is called where it
cannot be followed, and out comes a trajectory. Chapter 1 uses it, chapter 4 explains it, chapter 8
takes it to manifolds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tutlib.methods.checks import (
    check_function,
    check_next_state,
    check_start,
    check_state,
    check_times,
)
from tutlib.methods.commutator_free import CommutatorFreeTableau
from tutlib.methods.loops import compiled_loop
from tutlib.methods.partitioned import (
    coordinates,
    in_run,
    next_positions,
    semi_implicit_euler,
    velocity_verlet,
    verlet,
)
from tutlib.methods.steps import PAIRS, TABLEAUS, Tableau, space_of, step_in_run
from tutlib.methods.tableaus import ButcherTableau
from tutlib.methods.trajectory import (
    Interrupted,
    Trajectory,
    not_finite,
    stopped,
    warn_if_unstable,
)
from tutlib.programs.arguments import function, shown
from tutlib.programs.follow import CannotFollowError, tell_once
from tutlib.programs.right_hand_side import Array, Function, RightHandSide
from tutlib.spaces.space import Space

StepFunction = Callable[[Function, float, Array, float], ArrayLike]
Method = str | Tableau | StepFunction
AfterStep = Callable[[float, Array], ArrayLike]

#: Every method with a fixed step that has a name.
METHODS: dict[str, Tableau | Callable[..., Any]] = {
    "euler": TABLEAUS["euler"],
    "semi_implicit_euler": semi_implicit_euler,
    "verlet": verlet,
    "velocity_verlet": velocity_verlet,
    **TABLEAUS,
}

#: What needs x = [q, q̇].
PARTITIONED = (semi_implicit_euler, velocity_verlet, verlet)


def integrate(
    f: Function,
    t: ArrayLike,
    x0: ArrayLike,
    method: Method = "rk4",
    space: Space | None = None,
    after_step: AfterStep | None = None,
) -> Trajectory:
    """Integrate x' = f(t, x) from x0, one step from each time to the next.

    Parameters
    ----------
    f : function (t, x) -> array of shape (k,)
        Right-hand side: compiled equations, a `VectorField`, or a function of your own. The
        whole loop is compiled; a function that cannot be followed is called in Python.
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
        or does not fit the order of the states, at the start or later, or ``after_step`` would
        move the start.
    SimulationError
        If a state stops being finite or f raises after the first call; its ``trajectory`` holds
        everything up to there.

    Warns
    -----
    UnstableWarning
        If the state grows beyond a million times its start: the step is probably too large.
    OpenLoopWarning
        If the start is off the constraints of equations that keep, but do not restore them.
    """
    space = space_of(f, space)
    times, start = check_times(t), check_state(x0, space)
    chosen, name = find_method(method)
    slope = check_function(f, times[0], start, space)
    names = f.state_names if isinstance(f, RightHandSide) else ()
    _refuse_unfit(chosen, name, f, slope, start, space, after_step)
    if after_step is not None:
        function(after_step, "after_step", "t, x")
        check_start(after_step, times[0], start, names)

    def advance_all(advance: Callable[..., Any], begin: Array) -> Array:
        run = _Run(f, advance, after_step, times, np.tile(begin, (len(times), 1)), names, name)
        return run.fill()

    if chosen is verlet:
        X = verlet(f, times, start, advance_all)
    elif isinstance(chosen, ButcherTableau | CommutatorFreeTableau):
        X = advance_all(TableauStep(chosen, space), start)
    else:
        X = advance_all(in_run(chosen), start)
    if chosen in PARTITIONED:
        _refuse_layout(name, f, times, X)
    try:
        return warn_if_unstable(Trajectory(times, X, names), name)
    except KeyboardInterrupt as stop:
        raise Interrupted(Trajectory(times, X, names)) from stop


@dataclass(frozen=True)
class TableauStep:
    """`step` with a tableau and a space.

    Parameters
    ----------
    method : ButcherTableau or CommutatorFreeTableau
    space : Space, optional
    """

    method: Tableau
    space: Space | None

    def __call__(self, f: Function, t: float, x: Array, h: float) -> Array:
        """Take one step."""
        return step_in_run(f, t, x, h, self.method, self.space)


@dataclass
class _Run:
    """The steps of one motion: compiled, or in Python where they cannot be."""

    f: Function
    advance: Callable[..., Any]
    after_step: AfterStep | None
    t: Array
    x: Array
    names: tuple[str, ...]
    method: str

    def fill(self) -> Array:
        """Fill the rows, each from the one before; raise what keeps the motion so far."""
        good, last = 0, len(self.t) - 1
        try:
            for row in self._rows():
                good = row
            if good < last:  # the same step in Python says what is wrong
                next(self._in_python(good))
                raise not_finite(self.t, self.x, good + 1, self.names, self.method)
        except KeyboardInterrupt as stop:
            motion = Trajectory(self.t[: good + 1], self.x[: good + 1], self.names)
            raise Interrupted(motion) from stop
        return self.x

    def _rows(self) -> Iterator[int]:
        """Fill the rows, and yield the last one that is done, now and then."""
        known = (in_run(semi_implicit_euler), in_run(velocity_verlet), next_positions)
        lasting = self.advance in known or isinstance(self.advance, TableauStep)
        states = self.x.shape[1]
        try:
            loop = compiled_loop(self.f, self.advance, states, self.after_step, lasting)
            yield from loop(self.t, self.x)
        except CannotFollowError as reason:
            tell_once(reason)
            yield from self._in_python()

    def _in_python(self, good: int = 0) -> Iterator[int]:
        """Take the steps from row ``good`` on; yield each row that is done."""
        t, X = self.t, self.x
        for i in range(good + 1, len(t)):
            h = float(t[i] - t[i - 1])
            try:
                following = self.advance(self.f, float(t[i - 1]), X[i - 1].copy(), h)
                following = check_next_state(following, X.shape[1])
                if self.after_step is not None and np.isfinite(following).all():
                    following = self.after_step(float(t[i]), following)
                X[i] = check_next_state(following, X.shape[1])
            except Exception as error:
                raise stopped(error, t, X, i, self.names, self.method) from error
            if not np.isfinite(X[i]).all():
                raise not_finite(t, X, i, self.names, self.method)
            yield i


def _refuse_unfit(
    chosen: Any,
    name: str,
    f: Function,
    slope: Array,
    x: Array,
    space: Space | None,
    after_step: AfterStep | None,
) -> None:
    """Refuse what a partitioned method cannot do."""
    if chosen not in PARTITIONED:
        return
    if space is not None:
        raise ValueError(f"{name} takes no space: on {space.name} choose a tableau")
    _refuse_rates(name, f, slope, x, "")
    if chosen is verlet and after_step is not None:
        raise ValueError("verlet joins three points in time: no state can be changed between them")


def _refuse_rates(name: str, f: Function, slope: Any, x: Array, when: str) -> None:
    """Refuse a state whose first rates are not its speeds."""
    n = coordinates(f, len(x))
    if not np.array_equal(slope[:n], x[n : 2 * n]):
        raise ValueError(f"{name} needs x = [q, q̇]: the first rates must be the speeds{when}")


def _refuse_layout(name: str, f: Function, t: Array, X: Array) -> None:
    """Refuse a motion of states in another order, which at the start alone may not be seen."""
    for i in (len(t) // 2, -1):
        try:
            slope = np.asarray(f(float(t[i]), X[i].copy()))
        except Exception:  # beyond where f is defined nothing is known
            continue
        _refuse_rates(name, f, slope, X[i], f", and are not at t = {t[i]:g}")


def find_method(method: Method) -> tuple[Any, str]:
    """Return a method and the name to call it by.

    Raises
    ------
    ValueError
        If no method has this name, or a tableau is implicit.
    """
    if isinstance(method, ButcherTableau):
        _ = method.pair  # refuses an implicit one
    if isinstance(method, ButcherTableau | CommutatorFreeTableau):
        return method, method.name
    if callable(method) and not isinstance(method, type):
        return method, getattr(method, "__name__", "your step")
    every = METHODS | PAIRS
    if not isinstance(method, str) or method not in every:
        raise ValueError(f"unknown method {shown(method)}; the methods are {', '.join(every)}")
    return every[method], method
