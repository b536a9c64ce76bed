"""Ensembles: one system, many initial states, and how and when each motion ends.

Chapter 2 asks when a double pendulum first flips, chapter 7 which pushes a controller withstands,
and chapter 11 asks a million times, on one computer and on many.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from straightline.arguments import function, instance, path_of, whole_number
from tutlib.aliases import Function
from tutlib.fields import Field
from tutlib.methods.ensembles.executors import PartError, PartQueue
from tutlib.methods.ensembles.part_store import Store
from tutlib.methods.ensembles.parts import Ensemble, arrays_of, nothing_yet, shapes_of
from tutlib.methods.ensembles.problem import Problem, Watched, make_problem
from tutlib.methods.steps import Tableau
from tutlib.methods.trajectory import SimulationError

if TYPE_CHECKING:
    from tutlib.reading.parameters import Named


class InterruptedEnsemble(KeyboardInterrupt):
    """An ensemble that was stopped by Ctrl-C.

    Parameters
    ----------
    ensemble : Ensemble
        What had ended by then; t and x are nan for the others.
    """

    def __init__(self, ensemble: Ensemble) -> None:
        ensemble = instance(ensemble, "ensemble", Ensemble)
        super().__init__(f"stopped after {_progress(ensemble)}")
        self.ensemble = ensemble

    def __reduce__(self) -> tuple[type[InterruptedEnsemble], tuple[Ensemble]]:
        return InterruptedEnsemble, (self.ensemble,)


class EnsembleError(RuntimeError):
    """An ensemble whose executor failed.

    Parameters
    ----------
    reason : str
    ensemble : Ensemble
        What had ended by then; t and x are nan for the others.
    """

    def __init__(self, reason: str, ensemble: Ensemble) -> None:
        ensemble = instance(ensemble, "ensemble", Ensemble)
        super().__init__(f"{reason}; the executor failed after {_progress(ensemble)}")
        self.reason, self.ensemble = reason, ensemble

    def __reduce__(self) -> tuple[type[EnsembleError], tuple[str, Ensemble]]:
        return EnsembleError, (self.reason, self.ensemble)


def _progress(ensemble: Ensemble) -> str:
    ended = int(np.isfinite(ensemble.t).sum())
    if not len(ensemble.t):
        return "what had ended was handed out"
    return f"{ended} of {len(ensemble.t)} motions; they are in .ensemble, the others are nan there"


def ensemble(
    f: Function,
    starts: ArrayLike,
    t_end: float,
    h: float,
    limits: ArrayLike | None = None,
    method: str | Tableau = "rk4",
    workers: int | None = None,
    *,
    parameters: Mapping[Named, ArrayLike] | None = None,
    until: Watched | None = None,
    observe: Watched | None = None,
    after_step: Field | None = None,
    executor: Executor | None = None,
    store: str | PathLike[str] | None = None,
    each: Callable[[slice, Ensemble], object] | None = None,
) -> Ensemble:
    """Integrate one system from many starts, on all cores, each until it is over.

    Each motion is that of ``integrate(f, h * np.arange(steps + 1), start, method)``, to the last
    bit, whatever runs beside it and wherever it runs. No motion is kept: for each there remain
    8 (1 + k + 2m) bytes, where k is the number of states and m of what is observed.

    Parameters
    ----------
    f : function (t, x) -> array
        Right-hand side: compiled equations, a `Field` on its space, or a function of your
        own that can be compiled.
    starts : array, shape (N, k)
        Initial states at t = 0; or one state for all, shape (k,), if parameters vary. A
        `numpy.memmap`, or anything else that has a shape and gives rows, is read piece by piece.
    t_end : float
        How long [s], a multiple of h.
    h : float
        Step size [s].
    limits : array, shape (k,), optional
        A motion is over when the size of a state exceeds its limit; ``inf`` for none.
    method : str or tableau
        An explicit Runge-Kutta method.
    workers : int, optional
        Threads; one for each core unless given, and never more than that or 64. The results do not
        depend on it.
    parameters : mapping from symbol or str to array of shape (N,), optional
        Parameters of f, or of ``after_step``, that each motion has a value of its own for.
    until : function (t, x) -> float, optional
        A motion is over where this passes through zero, and ends there: the last step is a part of
        a step, found as accurately as the method is. Where it is nan, nothing is passed.
    observe : function (t, x) -> float or array, shape (m,), optional
        Of this the least and the greatest are kept, over the states after each step.
    after_step : Field, optional
        What becomes of the state after each step, such as a projection.
    executor : concurrent.futures.Executor, optional
        Who computes instead of our own threads: a pool of processes, or a cluster's executor. It
        is waited for, and after twenty seconds without news a warning says so.
    store : path, optional
        A folder that keeps every finished part of 1,024 motions: the same call goes on where it
        was stopped, and more starts of the same run compute only what is new.
    each : function (rows, part), optional
        Called with every finished part in order; then nothing else is kept, and N may be as large
        as your patience.

    Returns
    -------
    Ensemble
        Without rows if ``each`` has taken them. After more than a second a bar shows how far it is.

    Raises
    ------
    ValueError
        If a shape does not fit, there is no start, one is not finite or not on the space of f, the
        times make no sense, the method is not an explicit Runge-Kutta method, a function cannot be
        compiled, or the store is that of another run.
    OSError
        If the store can be no folder.
    TypeError
        If f does not return real numbers, or an argument is of another kind.
    EnsembleError
        If the executor fails, or a function is something else compiled than as it is written, at
        starts and ends of the first motions; its ``ensemble`` holds what had ended by then.
    InterruptedEnsemble
        At Ctrl-C; its ``ensemble`` holds what had ended by then.

    Warns
    -----
    StoreWarning
        If a part cannot be written, as on a full disk, or has been damaged.
    """
    cores = os.cpu_count() or 1
    workers = whole_number(cores if workers is None else workers, "workers", 1, max(cores, 64))
    if executor is not None:
        instance(executor, "executor", Executor, "concurrent.futures has some")
    if each is not None:
        function(each, "each", "rows, part")
    problem = make_problem(
        f, starts, t_end, h, limits, method, parameters, until, observe, after_step
    )
    kept = None
    if store is not None:
        kept = Store(path_of(store, "store", "work/flips"), problem.text, problem.about)
    return _collected(PartQueue(problem, workers, executor, kept), problem, each)


def _compare(problem: Problem, rows: slice, part: Ensemble) -> None:
    """Refuse, in the first part, what is something else compiled than as it is written."""
    try:
        problem.compare(*problem.initial.part(rows), part)  # type: ignore[misc]
    except SimulationError as error:
        raise PartError(rows, error) from error


def _collected(
    queue: PartQueue, problem: Problem, each: Callable[[slice, Ensemble], object] | None
) -> Ensemble:
    """Return what comes out of all parts; what had ended by then if they are stopped."""
    begin = problem.initial
    count = 0 if each else begin.count
    motions = nothing_yet(shapes_of(count, begin.states, problem.work.observed))
    handed = 0

    def put(rows: slice, part: Ensemble) -> None:
        for name, value in arrays_of(part).items():
            getattr(motions, name)[rows] = value

    take = each or put
    try:
        for rows, part in queue:
            handed = rows.stop if each else 0  # to put the same twice does no harm
            take(rows, part)
            if rows.start == 0 and problem.compare:
                _compare(problem, rows, part)
    except (KeyboardInterrupt, PartError) as stopped:
        for rows, part in queue.stop():
            if rows.start >= handed:
                take(rows, part)
        if isinstance(stopped, KeyboardInterrupt):
            raise InterruptedEnsemble(motions) from stopped
        place = f"motions {stopped.rows.start} to {stopped.rows.stop - 1}"
        reason = f"{place}: {type(stopped.error).__name__}: {stopped.error}"
        raise EnsembleError(reason, motions) from stopped.error
    finally:
        queue.stop()
    return motions
