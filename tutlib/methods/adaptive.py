"""Adaptive integration with an embedded pair of Runge-Kutta methods.

Two rows of weights give two results from the same stages, and their difference estimates the error
of the step. Chapter 4 explains this and compares it with SciPy.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
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
from tutlib.methods.integration import find_method
from tutlib.methods.steps import TableauStep
from tutlib.methods.tableaus import DORMAND_PRINCE, ButcherTableau
from tutlib.methods.trajectory import Interrupted, SimulationError, Trajectory
from tutlib.reading.motions import initial_value_problem, tolerances
from tutlib.spaces.space import R, Space, read_space, refuse_start

#: More attempts than this are a sign of a stiff problem or of a tolerance that cannot be met.
LARGEST_NUMBER_OF_STEPS = 1_000_000


def integrate_adaptive(
    f: Function,
    t: ArrayLike,
    x0: ArrayLike,
    rtol: float = 1e-6,
    atol: float = 1e-9,
    method: str | ButcherTableau = DORMAND_PRINCE,
    space: Space | None = None,
    until: Until | None = None,
    direction: str | None = None,
    max_step: float = np.inf,
    after_step: AfterStep | None = None,
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
    rtol, atol : float
        Relative and absolute tolerance, in the units of the states.
    method : str or ButcherTableau
        ``"dormand_prince"``, ``"dop853"``, or a tableau of your own with embedded weights.
    space : Space, optional
        Where the state lives; a field's own space or ℝᵏ unless given.
    until : function (t, x) -> float, optional
        The motion ends where this passes through zero, twice in a step included. A zero at the
        start, but for rounding, does not count: a ball that has bounced goes on.
    direction : str, optional
        ``"rising"`` or ``"falling"``: only such zeros count.
    max_step : float
        No step is larger [s]. What lasts for less than a step, as a short push, may be stepped
        over without a trace: let this be shorter than it.
    after_step : function (t, x) -> array of shape (k,), optional
        What corrects each state, as a projection does: the error that the tolerances bound is
        that of the corrected state. It is called for steps that are tried in vain, too, and for
        the states between steps.

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
    rtol, atol = tolerances(rtol, atol)
    field = as_field(f, None if space is None else read_space(space))
    refuse_start(start, field.space)
    if until is not None:
        function(until, "until", "t, x")
    if direction not in DIRECTIONS:
        raise ValueError(f"direction must be rising, falling or None; got {shown(direction)}")
    longest = real_number(max_step, "max_step", "positive", finite=False)
    pair, name = _pair(method, len(times) > 2 or until is not None)
    field, slope = field.begin(float(times[0]), start)
    after_step = as_after_step(after_step, float(times[0]), start)
    step = AdaptiveStep(pair, field.space or R(len(start)), after_step is not None)
    if after_step is not None:
        check_start(after_step, times[0], start, field.names)
    goal = Goal(float(times[-1]), rtol, atol, longest)
    h = first_step(step, float(times[0]), start, slope, goal)
    compiled = compiled_rows(field, pair, len(start), len(slope), after_step)
    lend: AbstractContextManager[Rows | PythonLoop]
    lend = compiled or nullcontext(PythonLoop(field, step, after_step))
    with lend as rows:
        rows.begin(float(times[0]), start, slope, h, goal)
        motion = _Motion(rows, times, start, until, direction).complete(field, name, after_step)
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
    with nullcontext() if goal.atol else np.errstate(all="ignore"):
        size, speed = np.linalg.norm(x / scale), np.linalg.norm(rate / scale)
    h = 0.01 * size / speed if size > 1e-5 and speed > 1e-5 else 1e-6
    # late on a clock a millionth second is lost in rounding
    return float(min(max(h, 1000 * np.spacing(abs(t))), goal.end - t))


def _chunks(rows: Rows | PythonLoop, f: Field, after: AfterStep | None) -> Iterator[int]:
    """Fill rows until the end, by calls no longer than Ctrl-C should wait; yield the last one."""
    pace, attempts, end = Pace(32, 8), 0, rows.goal[0]
    while (t := float(rows.T[0])) < end:
        if too_small(t, h := rows.control[1]):
            for call in (f, after) if after else (f,):  # says so if something is singular there
                call(t, rows.X[0].copy())
            raise ArithmeticError(f"no step h >= {h:.1e} meets the tolerance")
        if attempts >= LARGEST_NUMBER_OF_STEPS:
            raise ArithmeticError(f"{attempts} steps were not enough; is it stiff?")
        most = min(pace.most, rows.together, LARGEST_NUMBER_OF_STEPS - attempts)
        last = pace.timed(rows.run, most)
        yield last
        rows.go_on(last)
        attempts += most


class _Motion:
    """The rows to keep of the accepted steps, until the last one or an event."""

    def __init__(
        self,
        rows: Rows | PythonLoop,
        times: Array,
        x: Array,
        until: Until | None,
        direction: str | None,
    ) -> None:
        self.rows, self.until, self.direction = rows, until, direction
        self.pieces = [(times[:1], x[None])]  # in pairs: Ctrl-C may come between two statements
        self.wanted = times[1:] if len(times) > 2 else None

    def complete(self, f: Field, method: str, after: AfterStep | None) -> Trajectory:
        """Return the whole motion; raise what keeps the motion so far."""
        try:
            self._collect(f, after)
            return self._trajectory(f.names)
        except KeyboardInterrupt as stop:
            raise Interrupted(self._trajectory(f.names)) from stop
        except Exception as error:
            if isinstance(error.__cause__, StopIteration):  # of f: a generator renames it
                error = error.__cause__
            motion = self._trajectory(f.names)
            raise SimulationError(
                f"{method} stopped after t = {motion.t[-1]:g}: {error}; the motion up to there is "
                "in .trajectory",
                motion,
            ) from error

    def _trajectory(self, names: tuple[str, ...]) -> Trajectory:
        T, X = zip(*self.pieces)
        return Trajectory(np.concatenate(T), np.concatenate(X), names)

    def _collect(self, f: Field, after: AfterStep | None) -> None:
        """Run the loop, and keep what is wanted."""
        rows, until, event = self.rows, self.until, None
        if until:
            t, x, (_, rtol, atol, _) = float(rows.T[0]), rows.X[0].copy(), rows.goal
            near = 1e-3 * (atol + rtol * np.abs(x).max())
            event = Event(until, self.direction, t, x, near)
        for last in _chunks(rows, f, after):
            if event is None:
                self._keep(0, last)
                continue
            for row in range(last):
                begin, end = rows.T[row : row + 2].tolist()
                when = event.within(
                    begin, end, rows.X[row + 1].copy(), partial(rows.inside, row=row)
                )
                self._keep(row, row + 1, when)
                if when is not None:
                    return

    def _keep(self, first: int, last: int, event: float | None = None) -> None:
        """Append what is wanted of the steps from one row to another, or to the event."""
        rows, end = self.rows, self.rows.T[last] if event is None else event
        if self.wanted is None and event is None:
            steps = slice(first + 1, last + 1)
            self.pieces.append((rows.T[steps].copy(), rows.X[steps].copy()))
            return
        wanted = np.empty(0) if self.wanted is None else self.wanted
        count = int(np.searchsorted(wanted, end, side="right"))
        times = wanted[:count] if event is None else np.union1d(wanted[:count], [event])
        self.pieces.append((times, rows.inside(times, first)))
        self.wanted = None if self.wanted is None else wanted[count:]
