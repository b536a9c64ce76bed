"""Adaptive integration with an embedded pair of Runge-Kutta methods.

Two rows of weights give two results from the same stages, and their difference estimates the error
of the step. Chapter 4 explains this and compares it with SciPy.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import function, real_number, shown
from straightline.machine import Pace
from tutlib.aliases import Function
from tutlib.fields import Field, as_field
from tutlib.methods.adaptive_loop import PythonLoop, Rows, compiled_rows, too_small
from tutlib.methods.adaptive_step import AdaptiveStep, Goal
from tutlib.methods.checks import AfterStep, as_after_step, check_passing, check_start
from tutlib.methods.comparison import compare_rates
from tutlib.methods.events import DIRECTIONS, Event, Until
from tutlib.methods.integration import STIFF, find_method
from tutlib.methods.steps import TableauStep
from tutlib.methods.tableaus import DORMAND_PRINCE, ButcherTableau
from tutlib.methods.trajectory import Interrupted, SimulationError, Trajectory
from tutlib.reading.motions import initial_value_problem, parts_between, tolerances
from tutlib.spaces.space import R, Space, read_space, refuse_start

#: Where a part of a motion begins and ends, and the time that the end stands for.
Part = tuple[float, float, float]
#: More attempts than this are a sign of a stiff problem or of a tolerance that cannot be met.
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
) -> Trajectory:
    """Integrate x' = f(t, x) from x0 with steps that the tolerances choose.

    A step is accepted if its estimated error, component by component, is at most
    atol + rtol abs(x) in the root mean square; the next step follows from the last two errors (a
    PI controller). What is bounded is the error of each step and not that of the motion.

    Parameters
    ----------
    f : function (t, x) -> array of shape (k,)
        Right-hand side: compiled equations, a `Field`, or a function of your own, which is
        called as it is written. ``compiled(f)`` runs compiled.
    t : array, shape (2,) or (m,)
        Start and end [s], and the result is every step; or increasing times, and the result is
        the state at each of them, by the pair's dense output.
    x0 : array, shape (k,)
        Initial state.
    rtol : float
        Relative tolerance.
    atol : float or array, shape (k,)
        Absolute tolerance, or one for each state, in the units of the states.
    method : str or ButcherTableau
        ``"dormand_prince"``, ``"dop853"``, or a tableau of your own with embedded weights.
    space : Space, optional
        Where the state lives; a field's own space or ℝᵏ unless given.
    until : function (t, x) -> float, optional
        The motion ends where this passes through zero, several times in a step included. A jump
        across zero, as of a wrapped angle, or a pole is no zero, unless the values on both sides
        are constant, as those of a switch. A zero at the start, but for rounding, does not count: a
        ball that has bounced goes on.
    direction : str, optional
        ``"rising"`` or ``"falling"``: only such zeros count.
    max_step : float
        No step is larger [s]. A push that is shorter than a step may be stepped over without a
        trace: give its edges as ``breaks``, or let ``max_step`` be shorter than the push.
    after_step : function (t, x) -> array of shape (k,), optional
        What corrects each state, as a projection does: the error that the tolerances bound is
        that of the corrected state. It is called for steps that are tried in vain, too, and for
        the states between steps.
    breaks : array, shape (n,)
        Times at which f jumps or has a kink, such as the edges of a push or the knots of a recorded
        input [s]. A step ends at each of them and reads f only before it; the next step reads f
        only after it.

    Returns
    -------
    Trajectory

    Raises
    ------
    TypeError, ValueError
        As for `integrate`; if a tolerance, ``direction`` or ``max_step`` makes no sense; if the
        tableau has no embedded weights, or no dense output where it is needed.
    SimulationError
        If the step becomes too small to go on, f or ``until`` raises, ``until`` gives nan, a
        condition or no number, there are too many steps, or a compiled f differs along the motion
        from what is written; its ``trajectory`` holds everything up to there.
    Interrupted
        If it is stopped by Ctrl-C; its ``trajectory``, too, holds everything up to there.

    References
    ----------
    :cite:p:`HairerNorsettWanner1993`, sections II.4 to II.6; the controller
    :cite:p:`Gustafsson1991`.
    """
    times, start = initial_value_problem(f, t, x0)
    rtol, atol = tolerances(rtol, atol, len(start))
    parts = parts_between(times, breaks)
    field = as_field(f, None if space is None else read_space(space))
    refuse_start(start, field.space)
    if until is not None:
        function(until, "until", "t, x")
    if direction not in DIRECTIONS:
        raise ValueError(f"direction must be rising, falling or None; got {shown(direction)}")
    longest = real_number(max_step, "max_step", "positive", finite=False)
    pair, name = _pair(method, len(times) > 2 or until is not None)
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
        run = _Run(rows, field, step, after_step, goal, until, direction, times, start)
        motion = run.complete(parts, slope, name)
    if compiled and field.function is not None:
        compare_rates(field, motion)
    return check_passing(field, motion)


def _pair(method: str | ButcherTableau, needs_dense: bool) -> tuple[ButcherTableau, str]:
    """Return a tableau with embedded weights, and its name; refuse what is none."""
    chosen = find_method(method)
    tableau = chosen.method if isinstance(chosen, TableauStep) else None
    if not (isinstance(tableau, ButcherTableau) and tableau.embedded):
        raise ValueError(
            f"an adaptive step needs a tableau with embedded weights; got {shown(method)}"
        )
    if needs_dense and not tableau.pair.P.size:
        raise ValueError(f"{tableau.name} has no dense output: give only the start and the end")
    return tableau, tableau.name


def first_step(step: AdaptiveStep, t: float, x: Array, slope: Array, goal: Goal) -> float:
    """Return a step in which the state moves by a hundredth of itself, or a millionth second.

    Parameters
    ----------
    step : AdaptiveStep
    t : float
    x, slope : array
        The start, and f there.
    goal : Goal

    Returns
    -------
    float
        The size of the first step [s].
    """
    # in states: a slope may have fewer entries
    rate = (step.space.maps[0](1e-8 * slope, x) - x) / 1e-8
    scale = goal.atol + goal.rtol * np.abs(x)
    # a state of zero has no size without atol
    with nullcontext() if np.all(goal.atol) else np.errstate(all="ignore"):
        size, speed = np.linalg.norm(x / scale), np.linalg.norm(rate / scale)
    h = 0.01 * size / speed if size > 1e-5 and speed > 1e-5 else 1e-6
    # late on a clock a millionth second is lost in rounding
    return float(min(max(h, 1000 * np.spacing(abs(t))), goal.end - t))


class _Run:
    """The steps of one motion, from break to break, and the rows to keep of them."""

    def __init__(
        self,
        rows: Rows | PythonLoop,
        field: Field,
        step: AdaptiveStep,
        after: AfterStep | None,
        goal: Goal,
        until: Until | None,
        direction: str | None,
        times: Array,
        x: Array,
    ) -> None:
        self.rows, self.field, self.step, self.after, self.goal = rows, field, step, after, goal
        self.until, self.direction, self.attempts = until, direction, 0
        self.pieces = [(times[:1], x[None])]  # in pairs: Ctrl-C may come between two statements
        self.wanted = times[1:] if len(times) > 2 else None

    def complete(self, parts: list[Part], slope: Array, method: str) -> Trajectory:
        """Return the whole motion; raise what keeps the motion so far."""
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
                f"{method} stopped after t = {motion.t[-1]:g}: {error}; the motion up to there is "
                "in .trajectory",
                motion,
            ) from error

    def _trajectory(self) -> Trajectory:
        T, X = map(np.concatenate, zip(*self.pieces))
        if self.until and len(T) > 2 and T[-1] - T[-2] <= 16 * np.spacing(abs(T[-1])):
            T, X = np.delete(T, -2), np.delete(X, -2, axis=0)  # it was the event, up to rounding
        return Trajectory(T, X, self.field.names)

    def _go(self, parts: list[Part], slope: Array | None) -> None:
        """Integrate each part, from the state at which the one before ended."""
        x = self.pieces[0][1][0]
        for begin, end, stop in parts:
            goal = replace(self.goal, end=end)
            slope = self.field(begin, x) if slope is None else slope
            h = first_step(self.step, begin, x, slope, goal)
            self.rows.begin(begin, x, slope, h, goal)
            if self._meets_event(begin, x, goal, stop):
                return
            x, slope = self.rows.X[0].copy(), None

    def _meets_event(self, begin: float, x: Array, goal: Goal, stop: float) -> bool:
        """Step to the end of a part, or to the event, and keep what is wanted."""
        rows, event = self.rows, None
        if self.until:
            near = 1e-3 * (np.min(goal.atol) + goal.rtol * np.abs(x).max())
            event = Event(self.until, self.direction, begin, x.copy(), near)
        for last in self._chunks(goal.end):
            if event is None:
                self._keep(0, last, self._time(last, goal.end, stop))
                continue
            for row in range(last):
                left, right = rows.T[row : row + 2].tolist()
                state, inside = rows.X[row + 1].copy(), partial(rows.inside, row=row)
                if (when := event.within(left, right, state, inside)) is not None:
                    self._keep(row, row + 1, when, True)
                    return True
                self._keep(row, row + 1, self._time(row + 1, goal.end, stop))
        return False

    def _time(self, row: int, end: float, stop: float) -> float:
        """Return the time of a row: that of the break, at the end before it."""
        t = float(self.rows.T[row])
        return stop if t == end else t

    def _chunks(self, end: float) -> Iterator[int]:
        """Fill rows until the end, by calls no longer than Ctrl-C should wait; yield the last."""
        rows, pace = self.rows, Pace(32, 8)
        while (t := float(rows.T[0])) < end:
            if too_small(t, h := rows.control[1]):
                self.field(t, rows.X[0].copy())  # says so if something is singular there
                if self.after is not None:
                    self.after(t, rows.X[0].copy())
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

    def _keep(self, first: int, last: int, end: float, event: bool = False) -> None:
        """Append what is wanted of the steps from one row to another, or to the event."""
        rows = self.rows
        if self.wanted is None and not event:
            T, X = rows.T[first + 1 : last + 1].copy(), rows.X[first + 1 : last + 1].copy()
            T[-1:] = end
            self.pieces.append((T, X))
            return
        wanted = np.empty(0) if self.wanted is None else self.wanted
        count = int(np.searchsorted(wanted, end, side="right"))
        times = np.union1d(wanted[:count], [end]) if event else wanted[:count]
        self.pieces.append((times, rows.inside(np.minimum(times, rows.T[last]), first)))
        self.wanted = None if self.wanted is None else wanted[count:]
