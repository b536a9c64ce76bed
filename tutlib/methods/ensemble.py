"""One system, many starts: how each motion ends, and when.

Chapter 2 asks of each start of a double pendulum when it first flips; chapter 7 which pushes a
controller can take.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tutlib.methods.checks import check_function, check_step_size
from tutlib.methods.ensemble_loop import ROOM, EnsembleLoop, EnsembleMachine, ensemble_program
from tutlib.methods.integration import TableauStep
from tutlib.methods.loops import agree, field_of
from tutlib.methods.steps import Tableau, find_tableau, space_of
from tutlib.programs.arguments import function, instance, real_array, real_number, whole_number
from tutlib.programs.machine import CompiledProgram
from tutlib.programs.right_hand_side import Array, Function, RightHandSide
from tutlib.programs.vectors import VectorProgram
from tutlib.spaces.space import Space

#: As long as Ctrl-C may wait for the threads to be asked [s].
_GLANCE = 0.05


@dataclass(frozen=True)
class Ensemble:
    """How many motions ended.

    Parameters
    ----------
    t : array, shape (N,)
        When each ended [s]: at ``t_end``, or as soon as a state had passed its limit.
    x : array, shape (N, k)
        The last state of each. Where a motion went non-finite, it is not finite here.
    """

    t: Array
    x: Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "t", real_array(self.t, "t", ("N",), finite=False))
        shape = (len(self.t), "k")
        object.__setattr__(self, "x", real_array(self.x, "x", shape, finite=False))


class InterruptedEnsemble(KeyboardInterrupt):
    """An ensemble that was stopped by Ctrl-C.

    Parameters
    ----------
    ensemble : Ensemble
        What had ended by then; t and x are nan for the others.
    """

    def __init__(self, ensemble: Ensemble) -> None:
        ensemble = instance(ensemble, "ensemble", Ensemble)
        ended = int(np.isfinite(ensemble.t).sum())
        super().__init__(
            f"stopped after {ended} of {len(ensemble.t)} motions; they are in .ensemble, the "
            "others are nan there"
        )
        self.ensemble = ensemble

    def __reduce__(self) -> tuple[type[InterruptedEnsemble], tuple[Ensemble]]:
        return InterruptedEnsemble, (self.ensemble,)


def ensemble(
    f: Function,
    starts: ArrayLike,
    t_end: float,
    h: float,
    limits: ArrayLike | None = None,
    method: str | Tableau = "rk4",
    workers: int | None = None,
) -> Ensemble:
    """Integrate one system from many starts, on all cores, each until it is over.

    Each motion is that of ``integrate(f, h * np.arange(steps + 1), start, method)``, to the last
    bit, whatever runs beside it.

    Parameters
    ----------
    f : function (t, x) -> array
        Right-hand side: compiled equations, a `VectorField` on its space, or a function of your
        own that can be compiled.
    starts : array, shape (N, k)
        Initial states at t = 0.
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

    Returns
    -------
    Ensemble
        After more than a second a bar shows how far it is.

    Raises
    ------
    ValueError
        If a shape does not fit, a start is not finite or not on the space of f, the times make no
        sense, the method is not an explicit Runge-Kutta method, or f cannot be compiled.
    TypeError
        If f does not return real numbers.
    InterruptedEnsemble
        At Ctrl-C; its ``ensemble`` holds what had ended by then.
    """
    space, tableau = space_of(f, None), find_tableau(method, "an ensemble")
    function(f, "f", "t, x")
    h = check_step_size(h)
    x, steps = _check_starts(f, space, starts), _number_of_steps(t_end, h)
    bounds = _check_limits(limits, x.shape[1])
    cores = os.cpu_count() or 1
    workers = whole_number(cores if workers is None else workers, "workers", 1, max(cores, 64))
    run = _Run(x, h, workers)
    if len(x) == 0:
        return run.found
    program, values = _compiled(f, TableauStep(tableau, space), x[0], h, len(x) * steps)
    return run.on(workers, lambda: EnsembleMachine(program, values, h, steps, bounds))


def _compiled(
    f: Function, advance: TableauStep, x: Array, h: float, steps: int
) -> tuple[CompiledProgram | VectorProgram, Array]:
    """Return the loop as a program, and the values of its parameters."""
    if not isinstance(f, RightHandSide):
        check_function(f, 0.0, x, advance.space)
    try:
        field = field_of(f, len(x))
        loop = EnsembleLoop(field.formula, field.coordinates, advance, len(x), len(field.values))
        program = ensemble_program(loop, field.lasting, steps)
    except Exception as error:
        if isinstance(f, RightHandSide):
            raise
        raise _cannot_follow(f, getattr(error, "reason", str(error))) from error
    if not field.lasting:
        machine = EnsembleMachine(program, field.values, h, 1, np.full(len(x), np.inf))
        machine.begin(x[np.newaxis])
        machine.go_on()
        expected = advance(f, 0.0, x.copy(), h)
        if np.isfinite(expected).all() and not agree(machine.ends[1][0], expected):
            raise _cannot_follow(f, "it gives other numbers when it is followed")
    return program, field.values


def _cannot_follow(f: Function, reason: str) -> ValueError:
    name = getattr(f, "__name__", type(f).__name__)
    return ValueError(f"an ensemble is compiled, and {name} cannot be: {reason}")


class _Run:
    """The motions of one call, dealt out to threads."""

    def __init__(self, starts: Array, h: float, workers: int) -> None:
        N = len(starts)
        self.starts, self.h = starts, h
        self.begun, self.stop = threading.Event(), threading.Event()
        self.found = Ensemble(np.full(N, np.nan), np.full_like(starts, np.nan))
        size = min(ROOM, max(2, -(-N // (4 * workers))))
        self.parts = iter([slice(i, i + size) for i in range(0, N, size)])
        self.done, self.turn = 0, threading.Lock()

    def carry_out(self, make: Callable[[], EnsembleMachine]) -> None:
        """Run part after part, in one thread, until none is left or all shall stop."""
        self.begun.wait()
        try:
            machine = make()
            while not self.stop.is_set() and (part := self._next()):
                machine.begin(self.starts[part])
                while machine.go_on() and not self.stop.is_set():
                    pass
                steps, x = machine.ends
                over = np.isfinite(steps)
                self.found.t[part] = self.h * steps
                self.found.x[part][over] = x[over]
                with self.turn:
                    self.done += len(steps)
        except BaseException:
            self.stop.set()
            raise

    def _next(self) -> slice | None:
        with self.turn:
            return next(self.parts, None)

    def on(self, workers: int, make: Callable[[], EnsembleMachine]) -> Ensemble:
        """Run on so many threads, and show how far it is."""
        from tqdm.auto import tqdm

        try:
            with (
                ThreadPoolExecutor(workers) as pool,
                tqdm(total=len(self.starts), delay=1, leave=False, unit=" motions") as bar,
            ):
                try:
                    threads = [pool.submit(self.carry_out, make) for _ in range(workers)]
                    self.begun.set()  # all are known to the pool, which waits for its threads
                    while wait(threads, _GLANCE).not_done:
                        bar.update(self.done - bar.n)
                    for thread in threads:
                        thread.result()
                finally:
                    self.stop.set()
                    self.begun.set()
        except KeyboardInterrupt as stopped:
            raise InterruptedEnsemble(self.found) from stopped
        return self.found


def _check_starts(f: Function, space: Space | None, starts: ArrayLike) -> Array:
    x = np.array(real_array(starts, "starts", finite=False))
    k: int | str = space.dimension if space else "k"
    if isinstance(f, RightHandSide):
        k = len(f.state_names)
    if x.ndim != 2 or k not in ("k", x.shape[1]):
        raise ValueError(f"starts must have shape (N, {k}), a state in each row; got {x.shape}")
    if not np.isfinite(x).all():
        row = int(np.argmin(np.isfinite(x).all(axis=1)))
        raise ValueError(f"every start must be finite; row {row} is {x[row]}")
    for row, start in enumerate(x if space else ()):
        if space and (wrong := space.refuse(start)):
            raise ValueError(f"row {row} of starts is not on {space.name}: {wrong}")
    return x


def _check_limits(limits: ArrayLike | None, k: int) -> Array:
    given = np.full(k, np.inf) if limits is None else limits
    bounds = np.array(real_array(given, "limits", finite=False))
    if bounds.shape != (k,):
        raise ValueError(f"there must be a limit for each of {k} states; got {bounds.shape}")
    if not (bounds >= 0).all():
        raise ValueError(f"limits must be zero or positive, inf for none; got {bounds.tolist()}")
    bounds[np.isinf(bounds)] = np.finfo(float).max  # beyond it a motion is over in any case
    return bounds


def _number_of_steps(t_end: float, h: float) -> int:
    t_end = real_number(t_end, "t_end", finite=False)
    steps = round(t_end / h) if np.isfinite(t_end) else 0
    if steps < 1 or abs(steps * h - t_end) > 1e-9 * t_end:
        raise ValueError(f"t_end must be a positive multiple of h = {h}; got {t_end}")
    return steps
