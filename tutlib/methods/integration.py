"""x' = f(t, x), x(t₀) = x₀: step by step, from a tableau, a partitioned method or your own.

What you write is called at every step, as you wrote it; equations, models and what `compiled` asks
for run as one compiled loop. Chapter 1 uses it, chapter 4 explains it, chapter 8 takes it to
manifolds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import shown
from straightline.compiled_function import Compiled
from straightline.machine import StepByStep
from tutlib.after_step import Projection
from tutlib.aliases import Function
from tutlib.fields import RightHandSide
from tutlib.methods.checks import (
    AfterStep,
    check_next_state,
    check_start,
    first_call,
    refuse_passing,
    suited,
)
from tutlib.methods.commutator_free import CommutatorFreeTableau
from tutlib.methods.comparison import refuse_other_rates, refuse_other_steps
from tutlib.methods.loops import Field, compiled_loop, field_of
from tutlib.methods.partitioned import (
    coordinates,
    in_run,
    next_positions,
    semi_implicit_euler,
    velocity_verlet,
    verlet,
)
from tutlib.methods.rates import rate_of
from tutlib.methods.steps import PAIRS, TABLEAUS, Tableau, TableauStep, by_numbers, space_of
from tutlib.methods.tableaus import ButcherTableau
from tutlib.methods.trajectory import (
    Interrupted,
    SimulationError,
    Trajectory,
    not_finite,
    stopped,
    warn_if_unstable,
)
from tutlib.methods.unrolled import goes_by_numbers
from tutlib.reading.motions import initial_value_problem
from tutlib.spaces.space import R, Space, refuse_start

StepFunction = Callable[[Function, float, Array, float], ArrayLike]
Method = str | Tableau | StepFunction

#: Every method with a fixed step that has a name.
METHODS: dict[str, Tableau | Callable[..., Any]] = {
    "euler": TABLEAUS["euler"],
    "semi_implicit_euler": semi_implicit_euler,
    "verlet": verlet,
    "velocity_verlet": velocity_verlet,
    **TABLEAUS,
}

#: As many steps in Python are taken before it is seen whether the state is finite.
_BLOCK = 32
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
        Right-hand side: compiled equations, a `VectorField`, or a function of your own, which is
        called at every step, with a float and an array. ``compiled(f)`` runs compiled.
    t : array, shape (m,)
        Increasing times [s]; t[0] is the start.
    x0 : array, shape (k,)
        Initial state.
    method : str, tableau, or function step(f, t, x, h) -> x
        A name in `METHODS`, an explicit tableau, or your own step, compiled if f and it are.
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
        If f does not return real numbers, or cannot be compiled and is asked to be.
    ValueError
        If the times do not increase, a shape is wrong, x0 is not finite, the method is unknown
        or does not fit the order of the states, at the start or later, or ``after_step`` would
        move the start.
    SimulationError
        If a state stops being finite, f raises after the first call, or what is compiled differs
        along the motion from what is written; its ``trajectory`` holds everything up to there.

    Warns
    -----
    UnstableWarning
        If the state grows beyond a million times its start: the step is probably too large.
    OpenLoopWarning
        If the start is off the constraints of equations that keep, but do not restore them.
    """
    times, start = initial_value_problem(f, t, x0)
    if (space := space_of(f, space)) is not None:
        refuse_start(start, space)
    chosen, name = find_method(method)
    f, slope = first_call(f, float(times[0]), start, space)
    after_step = suited(after_step, float(times[0]), start)
    names = f.state_names if isinstance(f, RightHandSide) else ()
    _refuse_unfit(chosen, name, f, slope, start, space, after_step)
    if after_step is not None:
        check_start(after_step, times[0], start, names)

    def advance_all(advance: Callable[..., Array], first: Array) -> Array:
        rows = np.tile(first, (len(times), 1))
        run = _Run(f, advance, after_step, times, rows, names, name, space)
        return run.fill(slope if advance is not next_positions else None)

    if chosen is verlet:
        X = verlet(f, times, start, advance_all)
        if field_of(f, len(start)) and not isinstance(f, RightHandSide):
            refuse_other_rates(f, Trajectory(times, X, names), R(len(start)))
    elif isinstance(chosen, ButcherTableau | CommutatorFreeTableau):
        X = advance_all(TableauStep(chosen, space), start)
    else:
        X = advance_all(in_run(chosen), start)
    if chosen in PARTITIONED:
        _refuse_layout(name, f, times, X)
    try:
        return refuse_passing(f, warn_if_unstable(Trajectory(times, X, names), name))
    except KeyboardInterrupt as stop:
        raise Interrupted(Trajectory(times, X, names)) from stop


@dataclass
class _Run:
    """The steps of one motion: compiled, or each called in Python."""

    f: Function
    advance: Callable[..., Any]
    after_step: AfterStep | None
    t: Array
    x: Array
    names: tuple[str, ...]
    method: str
    space: Space | None = None
    done: int = 0

    def fill(self, slope: Array | None) -> Array:
        """Fill the rows, each from the one before; raise what keeps the motion so far."""
        loop = self._loop()
        try:
            if loop:
                loop.fill(self.t, self.x)
                self._compare(loop.done)
            else:
                self._in_python(slope)
        except KeyboardInterrupt as stop:
            good = loop.done if loop else self.done
            raise Interrupted(self._until(good)) from stop
        return self.x

    def _until(self, row: int) -> Trajectory:
        return Trajectory(self.t[: row + 1], self.x[: row + 1], self.names)

    @property
    def _here(self) -> Space:
        return self.space or R(self.x.shape[1])

    def _loop(self) -> StepByStep | None:
        """Return the compiled loop, if all that it would call is compiled, or ours."""
        states = self.x.shape[1]
        asked, field = isinstance(self.advance, Compiled), field_of(self.f, states)
        if isinstance(self.advance, Compiled):
            _refuse_plain(self.advance, field, self.method)
        if field is None or not (asked or self._is_ours()):
            return None
        if self.after_step is not None and not isinstance(self.after_step, Projection):
            return None
        return compiled_loop(field, self.advance, states, self.after_step)

    def _is_ours(self) -> bool:
        known = (in_run(semi_implicit_euler), in_run(velocity_verlet), next_positions)
        return self.advance in known or isinstance(self.advance, TableauStep)

    def _in_python(self, slope: Array | None) -> None:
        """Take the steps; ``done`` is the last row that is."""
        rows, take = len(self.t), cast("Callable[[int, int], None]", self._steps)
        if self._is_ours():
            take = self._our_steps(slope)
        try:
            for first in range(1, rows, _BLOCK):
                take(first, min(first + _BLOCK, rows))
                if not np.isfinite(self.x[self.done]).all():
                    break
        except Exception as error:
            self._refuse_lost()
            i = self.done + 1
            raise stopped(error, self.t, self.x, i, self.names, self.method) from error
        self._refuse_lost()

    def _our_steps(self, slope: Array | None) -> Callable[[int, int], None]:
        """Return what fills rows by a step whose values need not be read again."""
        t, X, advance, after = self.t.tolist(), self.x, self.advance, self.after_step
        space, few = self._here, goes_by_numbers(self.space, X.shape[1])
        if few:
            advance = by_numbers(advance, X.shape[1], getattr(self.f, "coordinates", None))
        elif isinstance(advance, TableauStep):
            advance = advance.unrolled(X.shape[1])
        f = rate_of(self.f, space, slope, few)

        def take(first: int, end: int) -> None:
            x: Any = X[first - 1].tolist() if few else X[first - 1].copy()
            for i in range(first, end):
                x = advance(f, t[i - 1], x, t[i] - t[i - 1])
                if after is not None and np.isfinite(x).all():
                    x = check_next_state(after(t[i], np.array(x)), len(x))
                    x = x.tolist() if few else x
                X[i] = x
                self.done = i

        return take

    def _steps(self, first: int, end: int) -> None:
        """Fill rows by a step of the reader's own."""
        X, after, k = self.x, self.after_step, self.x.shape[1]
        t = self.t[first - 1 : end].tolist()
        for i in range(first, end):
            begin, following = t[i - first], t[i - first + 1]
            x = self.advance(self.f, begin, X[i - 1].copy(), following - begin)
            x = check_next_state(x, k)
            if after is not None and np.isfinite(x).all():
                x = check_next_state(after(following, x), k)
            X[i] = x
            self.done = i

    def _refuse_lost(self) -> None:
        """Refuse a state that is not finite, the first of those that are done."""
        lost = np.flatnonzero(~np.isfinite(self.x[: self.done + 1]).all(axis=1))
        if len(lost):
            raise not_finite(self.t, self.x, int(lost[0]), self.names, self.method)

    def _compare(self, good: int) -> None:
        """Refuse what is compiled and gives other numbers, along the motion, than as written.

        Where it ends before the last row, the same step in Python says what is wrong.
        """
        if good + 1 < len(self.t):
            self.done = good
            take = self._our_steps(None) if self._is_ours() else self._steps
            try:
                take(good + 1, good + 2)
            except Exception as error:
                i = good + 1
                raise stopped(error, self.t, self.x, i, self.names, self.method) from error
            self._refuse_lost()
        if not isinstance(self.f, RightHandSide) and self.advance is not next_positions:
            refuse_other_rates(self.f, self._until(good), self._here)
        if isinstance(self.advance, Compiled):
            step = self.advance.function
            refuse_other_steps(step, self.f, self.after_step, self._until(good))
        if good + 1 < len(self.t):
            raise SimulationError(
                f"compiled, {self.method} finds no finite state at t = {self.t[good + 1]:g}, and "
                f"as it is written {self.x[good + 1].tolist()}; the motion before is in "
                ".trajectory",
                self._until(good),
            )


def _refuse_plain(step: Compiled, field: Field | None, method: str) -> None:
    """Refuse a compiled step on an f that is none, and one that is no more what was compiled."""
    if field is None:
        raise TypeError(
            f"{method} is to run compiled, and the f that it calls is not: integrate compiled(f)"
        )
    _ = step.formula  # refuses what has changed since


def _refuse_unfit(
    chosen: object,
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


def _refuse_rates(name: str, f: Function, slope: Array, x: Array, when: str) -> None:
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
