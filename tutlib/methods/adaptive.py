"""Adaptive integration with an embedded pair of Runge-Kutta methods.

Two rows of weights give two results from the same stages, and their difference estimates the error
of the step. Chapter 4 explains this and compares it with SciPy.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import function, real_number, shown
from straightline.machine import Pace
from tutlib.aliases import Function
from tutlib.fields import Field, as_field
from tutlib.methods.adaptive_loop import PythonLoop, Rows, compiled_rows, too_small
from tutlib.methods.adaptive_step import AdaptiveStep, Goal
from tutlib.methods.checks import AfterStep, as_after_step, check_nan, check_passing, check_start
from tutlib.methods.comparison import compare_spans
from tutlib.methods.dense_output import DenseOutput
from tutlib.methods.events import Event, Until
from tutlib.methods.hybrid import (
    Happening,
    NamedEvent,
    Passage,
    Sampler,
    begin_sampled,
    check_direction,
    read_change,
    read_events,
    rounding,
    take_sides,
    with_values,
)
from tutlib.methods.integration import STIFF, find_method
from tutlib.methods.steps import TableauStep
from tutlib.methods.tableaus import DORMAND_PRINCE, ButcherTableau
from tutlib.methods.trajectory import Interrupted, SimulationError, Trajectory
from tutlib.reading.motions import initial_value_problem, parts_between, tolerances
from tutlib.spaces.space import R, Space, read_space, refuse_start

#: The beginning and the end of a part of a trajectory, and the time that is reported for the end.
Part = tuple[float, float, float]
#: More attempts than this indicate a stiff problem or a tolerance that cannot be met.
LARGEST_NUMBER_OF_STEPS = 1_000_000


def integrate_adaptive(
    f: Function,
    t: ArrayLike,
    x0: ArrayLike,
    rtol: float = 1e-6,
    atol: ArrayLike = 1e-9,
    method: str | ButcherTableau = DORMAND_PRINCE,
    space: Space | None = None,
    until: Until | None = None,
    direction: str | None = None,
    max_step: float = np.inf,
    after_step: AfterStep | None = None,
    breaks: ArrayLike = (),
    events: Mapping[str, Any] | None = None,
    sampled: Sequence[Any] = (),
    dense: bool = False,
) -> Trajectory:
    """Integrate x' = f(t, x) from x0 with adaptive steps that meet the given tolerances.

    Each component of the estimated error is divided by atol + rtol abs(x), and a step is accepted
    if the root mean square of these quotients is at most 1. The size of the next step depends on
    the last two errors (a PI controller). The tolerances bound the error of each step, not the
    error of the whole trajectory.

    Parameters
    ----------
    f : function (t, x) -> array of shape (k,)
        Right-hand side: compiled equations, a `Field`, or a Python function of your own. Wrap your
        function as ``compiled(f)`` to run it compiled.
    t : array, shape (2,) or (m,)
        Initial and final time [s], to return every step; or increasing times, to return the state
        at each of them, from the dense output of the method.
    x0 : array, shape (k,)
        Initial state.
    rtol : float
        Relative tolerance.
    atol : float or array, shape (k,)
        Absolute tolerance, or one for each state, in the units of the states.
    method : str or ButcherTableau
        ``"dormand_prince"``, ``"dop853"``, or a tableau of your own with embedded weights.
    space : Space, optional
        State space. The default is the space of a field, and ℝᵏ for other functions.
    until : function (t, x) -> float, optional
        Terminal event: the integration ends where this function passes through zero, even if it
        does so several times within a step. A jump across zero, such as that of a wrapped angle,
        or a pole does not count as a zero, unless the values on both sides are constant, like
        those of a switch. A zero at the initial time (up to rounding) is ignored, so that a ball
        can continue after it has bounced.
    direction : str, optional
        ``"rising"`` or ``"falling"`` to detect only zeros in that direction.
    max_step : float
        Largest step size [s]. A force pulse that is shorter than a step can be missed: pass its
        edges as ``breaks``, or choose a ``max_step`` shorter than the pulse.
    after_step : function (t, x) -> array of shape (k,), optional
        Correction of each state, such as a projection. The tolerances bound the error of the
        corrected state. The function is also called for rejected steps and for states between
        steps.
    breaks : array, shape (n,)
        Times at which f jumps or has a kink [s], such as the edges of a force pulse or the knots of
        a recorded input. A step ends at each of them and evaluates f only before it; the next step
        evaluates f only after it.
    events : mapping, optional
        Named events, such as ``{"floor": (height, "falling", bounce)}``: a function (t, x) whose
        zeros are detected as for ``until``, and optionally a direction and an action. The
        integration continues after each event, and the result lists them in ``events``. The action
        (t, x) returns the new state, such as ``[x[0], -0.8 * x[1]]``; or parameters of f by name,
        such as ``{"motor": 0.0}``; or both, as a pair. If the result is every step, it contains the
        states before and after such a change, both at the time of the event; if you pass the output
        times, it contains the state after the change.
    sampled : (period, law), or several of them
        Sampled control law (t, x): it is called at the initial time and once in each period [s],
        and returns parameters of f by name, such as ``{"torque": -3.0}``, which are held until the
        next call.
    dense : bool
        Whether to keep the dense output: ``motion(t)`` is then the state at any time.

    Returns
    -------
    Trajectory

    Raises
    ------
    TypeError, ValueError
        As for `integrate`; if a tolerance, ``direction``, or ``max_step`` is invalid; if the
        tableau has no embedded weights, or no dense output where it is needed.
    SimulationError
        If the step size becomes too small, f, an event, or an action raises an error, an event
        function returns nan, a condition, or anything else but a number, an event repeats at the
        same time, there are too many steps, or a compiled f differs from its Python function along
        the trajectory. The attribute ``trajectory`` holds the states computed so far.
    Interrupted
        If you press Ctrl-C. The attribute ``trajectory`` holds the states computed so far.

    References
    ----------
    :cite:p:`HairerNorsettWanner1993`, sections II.4 to II.6; the controller
    :cite:p:`Gustafsson1991`.
    """
    f, samplers = begin_sampled(sampled, f, t, x0)
    times, start = initial_value_problem(f, t, x0)
    rtol, atol = tolerances(rtol, atol, len(start))
    parts = parts_between(times, breaks, *(law.times(float(times[-1])) for law in samplers))
    field = as_field(f, None if space is None else read_space(space))
    refuse_start(start, field.space)
    named = read_events(events)
    if until is not None:
        function(until, "until", "t, x")
        named.insert(0, NamedEvent("until", until, check_direction(direction), ends=True))
    check_direction(direction)
    longest = real_number(max_step, "max_step", "positive", finite=False)
    pair, name = _pair(method, len(times) > 2 or bool(named) or dense)
    begin = parts[0][0]
    field, slope = field.begin(begin, start)
    after_step = as_after_step(after_step, begin, start)
    step = AdaptiveStep(pair, field.space or R(len(start)), after_step is not None)
    if after_step is not None:
        check_start(after_step, begin, start, field.names)
    goal = Goal(parts[0][1], rtol, atol, longest)
    compiled = compiled_rows(field, pair, len(start), len(slope), after_step)
    lend: AbstractContextManager[Rows | PythonLoop]
    lend = compiled or nullcontext(PythonLoop(field, step, after_step))
    with lend as rows:
        run = _Run(rows, field, step, after_step, goal, named, samplers, times, start, dense)
        motion = run.complete(parts, slope, name)
    if compiled and field.function is not None:
        compare_spans(run.spans, motion)
    return check_passing(field, motion)


def _pair(method: str | ButcherTableau, needs_dense: bool) -> tuple[ButcherTableau, str]:
    """Return a tableau with embedded weights, and its name; reject anything else."""
    chosen = find_method(method)
    tableau = chosen.method if isinstance(chosen, TableauStep) else None
    if not (isinstance(tableau, ButcherTableau) and tableau.embedded):
        raise ValueError(
            f"an adaptive step needs a tableau with embedded weights; got {shown(method)}"
        )
    if needs_dense and not tableau.pair.P.size:
        raise ValueError(f"{tableau.name} has no dense output: give only the start and the end")
    return tableau, tableau.name


def first_step(f: Field, step: AdaptiveStep, t: float, x: Array, slope: Array, goal: Goal) -> float:
    """Return an initial step size that may meet the tolerance, from a trial step of Euler's method.

    Parameters
    ----------
    f : Field
    step : AdaptiveStep
    t : float
    x, slope : array
        The initial state, and f there.
    goal : Goal

    Returns
    -------
    float
        The initial step size [s].

    References
    ----------
    :cite:p:`HairerNorsettWanner1993`, section II.4.
    """
    flow = step.space.maps[0]

    def norm(states: Array) -> float:
        # without atol, a zero state has no scale
        with nullcontext() if np.all(goal.atol) else np.errstate(all="ignore"):
            return float(np.linalg.norm(states / scale)) / math.sqrt(len(x))

    def rate(slope: Array) -> Array:
        # in states: a slope may have fewer entries
        return (flow(1e-8 * slope, x) - x) / 1e-8

    scale = goal.atol + goal.rtol * np.abs(x)
    size, speed = norm(x), norm(rate(slope))
    # the time in which the state changes by its own magnitude, or by its tolerance
    time = (size if size > 1e-5 else 1.0) / speed if 0 < speed < np.inf else 1e-4 * (goal.end - t)
    # at a large t, a small step is lost in rounding
    h = min(max(0.01 * time, 1000 * np.spacing(abs(t))), goal.end - t)
    with suppress(Exception):  # the step itself reports the problem
        change = norm(rate(f.rate(t + h, flow(h * slope, x)) - slope)) / h
        # the time in which the slope changes by its own magnitude
        time = speed / change if 0 < change < np.inf else goal.end - t
        larger = time * (0.01 / (speed * time)) ** (1 / step.method.error_order)
        if math.isfinite(larger):
            h = max(h, min(100 * h, larger, goal.end - t))
    return float(h)


class _Run:
    """The steps of one trajectory, from break to break and event to event, and the stored rows."""

    def __init__(
        self,
        rows: Rows | PythonLoop,
        field: Field,
        step: AdaptiveStep,
        after: AfterStep | None,
        goal: Goal,
        named: list[NamedEvent],
        samplers: list[Sampler],
        times: Array,
        x: Array,
        dense: bool,
    ) -> None:
        self.rows, self.field, self.step, self.after, self.goal = rows, field, step, after, goal
        self.named, self.samplers, self.near = named, samplers, rounding(times)
        self.pieces = [(times[:1], x[None])]  # in pairs: Ctrl-C may interrupt anywhere
        self.wanted = times[1:] if len(times) > 2 else None
        self.fields = [(0, field)]
        self.happened: list[Happening] = []
        self.dense = DenseOutput(step, after, float(times[0])) if dense else None
        self.events: list[Event] | None = None
        self.passed: Passage | None = None
        self.at_once: set[str] = set()  # events at the same time
        self.attempts, self.over = 0, False

    def complete(self, parts: list[Part], slope: Array, method: str) -> Trajectory:
        """Return the whole trajectory; raise errors that hold the trajectory so far."""
        try:
            self._go(parts, slope)
            return self._trajectory()
        except KeyboardInterrupt as stop:
            raise Interrupted(self._trajectory()) from stop
        except Exception as error:
            if isinstance(error.__cause__, StopIteration):  # of f: a generator renames it
                error = error.__cause__
            motion = self._trajectory()
            raise SimulationError(
                f"{method} stopped after t = {motion.t[-1]:g}: {error}; the result so far is "
                "in .trajectory",
                motion,
            ) from error

    def _trajectory(self) -> Trajectory:
        T, X = map(np.concatenate, zip(*self.pieces))
        return Trajectory(T, X, self.field.names, tuple(self.happened), self.dense)

    @property
    def spans(self) -> list[tuple[int, Field]]:
        """The successive fields of the trajectory, each with the first row at which it applies."""
        rows = np.cumsum([0, *(len(times) for times, _ in self.pieces)]).tolist()
        return [(rows[piece], field) for piece, field in self.fields]

    def _go(self, parts: list[Part], slope: Array | None) -> None:
        """Integrate each part from the final state of the previous part."""
        x = self.pieces[0][1][0]
        for t, end, stop in parts:
            self.attempts = 0
            for sampler in self.samplers:
                if values := sampler.held(t, x, self.near):
                    self._retune(values)
            while t < end:
                slope = self.field(t, x) if slope is None else slope
                (t, x), slope = self._stretch(t, x, slope, end, stop), None
                if self.over:
                    return

    def _retune(self, values: dict[str, float]) -> None:
        """Change parameters of f from now on."""
        self.field = with_values(self.field, values)
        self.rows.retune(self.field)
        self.fields.append((len(self.pieces), self.field))

    def _stretch(
        self, t: float, x: Array, slope: Array, end: float, stop: float
    ) -> tuple[float, Array]:
        """Step to the end of a part, or to the next event; return the time and the state there."""
        rows, goal = self.rows, replace(self.goal, end=end)
        h = first_step(self.field, self.step, t, x, slope, goal)
        rows.begin(t, x, slope, h, goal)
        if self.events is None:
            self.events = self._begin_events(t, x, slope, h)
        for last in self._chunks(end):
            if not self.events:
                self._keep(0, last, end, stop)
                continue
            for row in range(last):
                left, right = rows.T[row : row + 2].tolist()
                inside = partial(rows.inside, row=row)
                times = [
                    event.within(left, right, rows.X[row + 1].copy(), inside)
                    for event in self.events
                ]
                if found := [when for when in times if when is not None]:
                    latest = min(found) + self.near
                    fired = [
                        event
                        for event, when in zip(self.named, times)
                        if when is not None and when <= latest
                    ]
                    before = self.passed.t if self.passed else -math.inf
                    if min(found) - before > 128 * self.near:  # the smallest steps resolve it
                        self.at_once = set()
                    return self._act(fired, row, min(found), end, stop)
                self._keep(row, row + 1, end, stop)
        return end, rows.X[0].copy()

    def _begin_events(self, t: float, x: Array, slope: Array, h: float) -> list[Event]:
        """Return detectors of events, beginning at a state."""
        near = 1e-3 * (np.min(self.goal.atol) + self.goal.rtol * np.abs(x).max())
        events = [Event(named.value, named.direction, t, x.copy(), near) for named in self.named]
        if self.passed:
            take_sides(events, self.named, self.passed, (t, x, slope), self._euler, h)
        return events

    def _euler(self, t: float, h: float, x: Array, slope: Array) -> tuple[Array, Array]:
        """Take an Euler step; return the state and the slope after it."""
        new = self.step.space.maps[0](h * slope, x)
        return new, self.field(t + h, new)

    def _act(
        self, fired: list[NamedEvent], row: int, when: float, end: float, stop: float
    ) -> tuple[float, Array]:
        """Apply the actions of events within a step; return the time and the state after them."""
        x = self.rows.inside(np.array([when]), row)[0]
        at_end = end - when <= self.near
        label = stop if at_end else when
        self._keep_before(row, label, x, fired[0].ends)
        if self.over:
            return when, x
        names = {event.name for event in fired}
        if again := names & self.at_once:
            raise ArithmeticError(
                f"event {again.pop()!r} happens again and again at t = {label:g}: after its action "
                "the state returns to the event at once. Let the action change f, so that the "
                "system can rest there, or end the integration at this event with until"
            )
        self.at_once |= names
        beyond = [event.value for event in self.events or ()]
        self.passed = Passage(fired, beyond, when, x, self.field(when, x))
        self.events = None
        for event in fired:
            before = x
            if event.action is not None:
                x, values = read_change(event.action(label, x.copy()), x, event.name)
                refuse_start(x, self.field.space)
                if values:
                    self._retune(values)
            self.happened.append(Happening(label, event.name, before, x))
        self._keep_after(label, x, self.happened[-len(fired)].before)
        return (end if at_end else when), x

    def _chunks(self, end: float) -> Iterator[int]:
        """Fill rows up to the end, in calls short enough for Ctrl-C; yield the last row."""
        rows, pace = self.rows, Pace(32, 8)
        while (t := float(rows.T[0])) < end:
            if too_small(t, h := rows.control[1]):
                self.field(t, rows.X[0].copy())  # raises if something is singular there
                if self.after is not None:
                    self.after(t, rows.X[0].copy())
                check_nan(self.field, t, rows.X[0].copy(), end)
                raise ArithmeticError(f"no step h >= {h:.1e} meets the tolerance. {STIFF}")
            if self.attempts >= LARGEST_NUMBER_OF_STEPS:
                raise ArithmeticError(
                    f"{self.attempts} steps were not enough; is it stiff? {STIFF}"
                )
            most = min(pace.most, rows.together, LARGEST_NUMBER_OF_STEPS - self.attempts)
            last = pace.timed(rows.run, most)
            yield last
            rows.go_on(last)
            self.attempts += most

    def _keep(self, first: int, last: int, end: float, stop: float) -> None:
        """Append the requested states of the steps between two rows."""
        rows, at = self.rows, float(self.rows.T[last])
        at = stop if at == end else at
        if self.dense and last > first:
            self.dense.add(*rows.steps(first, last), at)
        if self.wanted is None:
            T, X = rows.T[first + 1 : last + 1].copy(), rows.X[first + 1 : last + 1].copy()
            T[-1:] = at
            self.pieces.append((T, X))
            return
        times, later = np.split(self.wanted, [np.searchsorted(self.wanted, at, side="right")])
        self.pieces.append((times, rows.inside(np.minimum(times, rows.T[last]), first)))
        self.wanted = later

    def _keep_before(self, row: int, t: float, x: Array, ends: bool) -> None:
        """Append the requested states of a step before an event, and the state at the event."""
        if self.dense:
            self.dense.add(*self.rows.steps(row, row + 1), t)
        if self.wanted is not None:
            times, later = np.split(self.wanted, [np.searchsorted(self.wanted, t - self.near)])
            self.pieces.append((times, self.rows.inside(times, row)))
            self.wanted = later
        if self.wanted is None or ends:
            self.pieces.append((np.array([t]), x[None]))
        self.over = ends

    def _keep_after(self, t: float, x: Array, before: Array) -> None:
        """Append the state after an event, if it has changed or was requested."""
        if self.wanted is not None:
            times, later = np.split(self.wanted, [np.searchsorted(self.wanted, t + self.near)])
            self.pieces.append((times, np.tile(x, (len(times), 1))))
            self.wanted = later
        elif not np.array_equal(x, before):
            self.pieces.append((np.array([t]), x[None]))
