"""Integration of x' = f(t, x), x(t₀) = x₀ with a fixed step: tableaus, Verlet, or your own step.

A Python function is called at every step; equations, models, and functions marked with `compiled`
run as one compiled loop. Chapter 1 uses it, chapter 4 explains it, and chapter 8 extends it to
manifolds.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import function, shown
from straightline.compiled_function import Compiled
from straightline.machine import StepLoop
from tutlib.aliases import Function, Rate
from tutlib.fields import Field, as_field
from tutlib.methods.checks import (
    AfterStep,
    NanFinder,
    as_after_step,
    check_next_state,
    check_passing,
    check_start,
    is_finite,
)
from tutlib.methods.commutator_free import CommutatorFreeTableau
from tutlib.methods.comparison import compare_spans, compare_steps
from tutlib.methods.hybrid import Sampler, begin_sampled, sample_rows, with_values
from tutlib.methods.loops import compiled_loop
from tutlib.methods.partitioned import semi_implicit_euler, velocity_verlet, verlet
from tutlib.methods.steps import PAIRS, TABLEAUS, Method, Tableau, TableauStep
from tutlib.methods.tableaus import ButcherTableau
from tutlib.methods.trajectory import (
    Interrupted,
    SimulationError,
    Trajectory,
    not_finite,
    stopped,
    warn_if_unstable,
)
from tutlib.reading.motions import initial_value_problem
from tutlib.spaces.space import Space, read_space, refuse_start

StepFunction = Callable[[Function, float, Array, float], ArrayLike]
#: The methods that `integrate` accepts.
AnyMethod = str | Tableau | Method | StepFunction

#: All named methods with a fixed step.
METHODS: dict[str, Tableau | Method] = {
    "euler": TABLEAUS["euler"],
    "semi_implicit_euler": semi_implicit_euler,
    "verlet": verlet,
    "velocity_verlet": velocity_verlet,
    **TABLEAUS,
}

#: Advice for stiff equations, at the end of messages.
STIFF = (
    "For stiff equations use IDA: integrate_dae(ImplicitEquations(lambda t, x, xdot: "
    "xdot - f(t, x), f, ()), t, x0)"
)
#: Names of methods for stiff equations in other libraries, in lower case.
_STIFF_METHODS = {"lsoda", "bdf", "radau", "radau5", "ode15s", "ode23s", "ode23t", "ode23tb"} | {
    "vode",
    "zvode",
    "cvode",
    "ida",
    "rosenbrock",
    "rodas5",
    "trbdf2",
    "odeint",
    "implicit_euler",
    "backward_euler",
}


def integrate(
    f: Function,
    t: ArrayLike,
    x0: ArrayLike,
    method: AnyMethod = "rk4",
    space: Space | None = None,
    after_step: AfterStep | None = None,
    sampled: Sequence[Any] = (),
) -> Trajectory:
    """Integrate x' = f(t, x) from x0, with one step from each time to the next.

    Parameters
    ----------
    f : function (t, x) -> array of shape (k,)
        Right-hand side: compiled equations, a `Field`, or a Python function of your own, which is
        called at every step with a float and an array. Wrap your function as ``compiled(f)`` to run
        it compiled.
    t : array, shape (m,)
        Increasing times [s]; t[0] is the initial time.
    x0 : array, shape (k,)
        Initial state.
    method : str, tableau, or function step(f, t, x, h) -> x
        A name in `METHODS`, an explicit tableau, or your own step, which may be compiled if f is.
    space : Space, optional
        State space, for tableaus. The default is the space of a field, and ℝᵏ for other functions.
    after_step : function (t, x) -> array of shape (k,), optional
        Correction of the state after each step, such as a projection, noise, or an impulse. It is
        called once for each step, at the end of that step.
    sampled : (period, law), or several of them
        Sampled control law (t, x): it is called at the initial time and once in each period [s],
        and returns parameters of f by name, such as ``{"torque": -3.0}``, which are held until the
        next call. The period must be a multiple of the steps.

    Returns
    -------
    Trajectory

    Raises
    ------
    TypeError
        If f does not return real numbers, or is marked with ``compiled`` and cannot be compiled.
    ValueError
        If the times do not increase, a shape is wrong, x0 is not finite, the method is unknown or
        does not fit the order of the states, the projection of equations, as ``after_step``, would
        change the initial state, or a law is sampled between two times.
    SimulationError
        If a state is no longer finite, f or a law raises an error after the first call, or a
        compiled function differs from its Python function along the trajectory. The attribute
        ``trajectory`` holds the states computed so far.

    Warns
    -----
    UnstableWarning
        If the state grows beyond a million times its initial value, so that the step is probably
        too large.
    UserWarning
        If t is a tuple (initial time, final time), and the single step between them is inaccurate.
        A list or an array of two times does not cause this warning.
    OpenLoopWarning
        If the initial state violates the constraints of equations that preserve the constraints,
        but do not restore them.
    """
    f, samplers = begin_sampled(sampled, f, t, x0)
    times, start = initial_value_problem(f, t, x0)
    field = as_field(f, None if space is None else read_space(space))
    if field.space is not None:
        refuse_start(start, field.space)
    chosen = find_method(method, field.space)
    field, slope = field.begin(float(times[0]), start)
    after_step = as_after_step(after_step, float(times[0]), start)
    chosen.check(field, start, slope, after_step)
    if isinstance(
        after_step, Field
    ):  # a projection; noise and controllers may change the initial state
        check_start(after_step, times[0], start, field.names)
    elif after_step is not None:
        function(after_step, "after_step", "t, x")
    called = field if isinstance(f, Field) else f
    run = _Run(field, called, chosen, after_step, times, start, sample_rows(samplers, times))
    motion = run.motion(slope)
    chosen.check_motion(field, motion)
    as_in_scipy = isinstance(t, tuple) and len(t) == 2 and after_step is None
    if as_in_scipy and not isinstance(chosen, OwnStep) and not samplers:
        halves = _Run(field, called, chosen, None, np.linspace(times[0], times[1], 3), start, {})
        _warn_of_one_step(motion, halves, slope)
    try:
        return check_passing(field, warn_if_unstable(motion, chosen.name))
    except KeyboardInterrupt as stop:
        raise Interrupted(motion) from stop


@dataclass(frozen=True)
class OwnStep(Method):
    """A user-defined step, whose return values are checked.

    Parameters
    ----------
    step : function (f, t, x, h) -> x
    """

    step: Callable[..., Any]

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the function."""
        return getattr(self.step, "__name__", "your step")

    @property
    def compiles(self) -> bool:  # type: ignore[override]
        """Whether the function is marked with ``compiled``."""
        return isinstance(self.step, Compiled)

    def check(self, f: Field, x: Array, slope: Array, after_step: AfterStep | None) -> None:
        """Reject a compiled step on an f that is not compiled.

        Raises
        ------
        TypeError
        """
        if isinstance(self.step, Compiled) and f.program(len(x)) is None:
            raise TypeError(
                f"{self.name} is to run compiled, but the f that it calls is not compiled: "
                "integrate compiled(f)"
            )

    def advance(self, f: Rate, t: Any, x: Array, h: Any) -> Array:
        """Take one step."""
        new: Array = self.step(f, t, x.copy(), h)
        return new


@dataclass
class _Run:
    """The steps of one trajectory, in a compiled loop or in Python."""

    field: Field
    f: Function
    method: Method
    after_step: AfterStep | None
    t: Array
    start: Array
    samples: dict[int, list[Sampler]]
    done: int = 0
    rows: Array = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        self.spans = [(0, self.field)]

    def motion(self, slope: Array) -> Trajectory:
        """Return the whole trajectory; raise errors that hold the trajectory so far."""
        first = self.method.begin(self.field, self.t, self.start)
        self.rows = np.tile(first, (len(self.t), 1))
        if self.samples and first is not self.start:
            raise ValueError(
                f"{self.method.name} does not step from state to state, so it cannot be combined "
                "with sampled: use another method, such as velocity_verlet"
            )
        loop, known = self._loop(), slope if first is self.start else None
        try:
            for row in (*sorted(self.samples), len(self.t) - 1):
                if loop:
                    loop.fill(self.t, self.rows, row)
                    if loop.done < row:
                        break
                else:
                    self._in_python(known, row)
                known = None
                self._sample(row)
                if loop and self.samples:
                    loop.set_parameters(self.field.values)
            if loop:
                self._compare(loop.done)
        except KeyboardInterrupt as stop:
            raise Interrupted(self._until(loop.done if loop else self.done)) from stop
        return self._until(len(self.t) - 1)

    def _sample(self, row: int) -> None:
        """Apply the control laws that are sampled at a row to f, from there on."""
        if row not in self.samples:
            return
        t, x = float(self.t[row]), self.rows[row]
        try:
            for sampler in self.samples[row]:
                self.field = with_values(self.field, sampler.held(t, x, np.inf))
        except Exception as error:
            raise SimulationError(
                f"the sampled law failed at t = {t:g}: {error}; the result so far is in "
                ".trajectory",
                self._until(row),
            ) from error
        self.f = self.field
        self.spans.append((row, self.field))

    def _loop(self) -> StepLoop | None:
        if not self.method.compiles:
            return None
        if isinstance(self.method, OwnStep) and len(self.t) > 1:
            step: Any = self.method.step
            step.check_pure(self.f, self.t[0], self.start, self.t[1] - self.t[0])
        return compiled_loop(self.field, self.method, len(self.start), self.after_step)

    def _until(self, row: int) -> Trajectory:
        states = self.method.states(self.t, self.rows[: row + 1], self.start)
        return Trajectory(self.t[: row + 1], states, self.field.names)

    def _held(self, last: int) -> Iterator[tuple[Function, Trajectory]]:
        """Yield parts of the trajectory between samples, the first and some others, with f."""
        whole = self._until(last)
        if not self.samples:
            yield self.f, whole
            return
        spans = [*self.spans, (last, self.field)]
        for i in np.unique(np.linspace(0, len(spans) - 2, 8).astype(int)).tolist():
            rows = slice(spans[i][0], spans[i + 1][0] + 1)
            if len(whole.t[rows]):
                yield spans[i][1], Trajectory(whole.t[rows], whole.x[rows], whole.names)

    def _in_python(self, slope: Array | None = None, last: int | None = None) -> None:
        """Take the steps, each from the preceding row; ``done`` is the last finished row."""
        f: Function = self.field
        first: Function = f if slope is None else self.field.knowing(slope)
        if isinstance(self.method, OwnStep):
            first = f = self.f
        t, X, after, k = self.t.tolist(), self.rows, self.after_step, len(self.start)
        try:
            for i in range(self.done + 1, len(t) if last is None else last + 1):
                x = self.method.advance(first, t[i - 1], X[i - 1], t[i] - t[i - 1])
                x, first = check_next_state(x, k), f
                if after is not None and is_finite(x):
                    x = check_next_state(after(t[i], x), k, "after_step")
                X[i], self.done = x, i
                if not is_finite(x):
                    break
        except Exception as error:
            self._check_finite()
            raise self._stopped(error) from error
        self._check_finite()

    def _check_finite(self) -> None:
        """Reject the first finished state that is not finite."""
        lost = np.flatnonzero(~np.isfinite(self.rows[: self.done + 1]).all(axis=1))
        if len(lost):
            row = int(lost[0])
            states = self.method.states(self.t, self.rows[: row + 1], self.start)
            if reason := self._nan_of_f(row):
                motion = Trajectory(self.t[:row], states[:row], self.field.names)
                raise SimulationError(f"{reason}; the result so far is in .trajectory", motion)
            raise not_finite(self.t, states, row, self.field.names, self.method.name)

    def _nan_of_f(self, row: int) -> str:
        """Return where f, or what follows the step to a row, is not a number; empty if it is."""
        own, field = isinstance(self.method, OwnStep), self.field
        finder = NanFinder(self.f if own else field, 1e6 * (1 + np.abs(self.start).max()))
        f: Any = finder if own else Field(finder, field.space, coordinates=field.coordinates)
        t, before = self.t[row - 1 : row + 1].tolist(), self.rows[row - 1]
        with np.errstate(all="ignore"), suppress(Exception):
            x = np.asarray(self.method.advance(f, t[0], before, t[1] - t[0]), dtype=float)
            if self.after_step is not None and not finder.found and np.isfinite(x).all():
                finder.found = f"after_step(t, x) is not finite at t = {t[1]:.10g}, though x is"
        return finder.found

    def _stopped(self, error: Exception) -> SimulationError:
        i = self.done + 1
        states = self.method.states(self.t, self.rows[: i + 1], self.start)
        return stopped(error, self.t, states, i, self.field.names, self.method.name)

    def _compare(self, good: int) -> None:
        """Reject compiled functions that differ from their Python functions along the trajectory.

        If the compiled loop ends before the last row, the same step in Python reports the problem.
        """
        if good + 1 < len(self.t):
            self.done = good
            self._in_python(last=good + 1)
        if self.field.function is not None:
            compare_spans(self.spans, self._until(good))
        if isinstance(self.method, OwnStep):
            step: Any = self.method.step
            for f, motion in self._held(good):
                compare_steps(step.function, f, self.after_step, motion)
        if good + 1 < len(self.t):
            raise SimulationError(
                f"{self.method.name} gives no finite state at t = {self.t[good + 1]:g} when "
                f"compiled, but {self.rows[good + 1].tolist()} in Python; the result so far is in "
                ".trajectory",
                self._until(good),
            )


def _warn_of_one_step(motion: Trajectory, halves: _Run, slope: Array) -> None:
    """Warn if a single step differs much from two half steps; SciPy's solvers would take many."""
    with np.errstate(all="ignore"), suppress(SimulationError):
        end, better = motion.x[-1], halves.motion(slope).x[-1]
        if np.abs(end - better).max() <= 0.01 * np.abs([*motion.x, better]).max():
            return
    (begin, end_time), name = motion.t.tolist(), halves.method.name
    warnings.warn(
        f"t = ({begin:g}, {end_time:g}) is a single step of h = {end_time - begin:g}, which is too "
        f"large for {name}: integrate takes one step from each time to the next. Give all times, "
        f"such as np.linspace({begin:g}, {end_time:g}, 1001), or use integrate_adaptive, which "
        "chooses its own steps",
        UserWarning,
        stacklevel=3,
    )


def find_method(method: object, space: Space | None = None) -> Method:
    """Return a method on a space, from its name or the method itself.

    Raises
    ------
    ValueError
        If no method has this name, or a tableau is implicit.
    """
    every: dict[str, Any] = METHODS | PAIRS
    called = ""
    if isinstance(method, str) and method in every:
        called = method
        method = every[method]
    if isinstance(method, ButcherTableau):
        _ = method.pair  # rejects an implicit one
    if isinstance(method, ButcherTableau | CommutatorFreeTableau):
        return TableauStep(method, space, called)
    if isinstance(method, Method):
        return method
    if callable(method) and not isinstance(method, type):
        return OwnStep(method)
    stiff = isinstance(method, str) and method.lower() in _STIFF_METHODS
    raise ValueError(
        f"unknown method {shown(method)}; choose from {', '.join(every)}"
        + (f". {STIFF}" if stiff else "")
    )
