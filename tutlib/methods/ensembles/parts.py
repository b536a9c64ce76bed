"""Parts of an ensemble: the work that is sent to a worker, and the results that come back.

Both can be sent to another process or computer, where the same bytes compute the same bits. Chapter
11 sends them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from straightline.aliases import Array
from straightline.arguments import instance, real_array
from straightline.machine import Machine, Pace
from tutlib.methods.ensembles.loop import ROOM


@dataclass(frozen=True)
class Ensemble:
    """Results of an ensemble: how and when each motion ended.

    Parameters
    ----------
    t : array, shape (N,)
        When each ended [s]: at ``t_end``, at its event, or as soon as a state had passed its limit.
    x : array, shape (N, k)
        The last state of each. Where a motion went non-finite, it is not finite here.
    least, greatest : array, shape (N, ...), optional
        The extremes of what was observed, over all states from the first to the last.
    """

    t: Array
    x: Array
    least: Array | None = None
    greatest: Array | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "t", real_array(self.t, "t", ("N",), finite=False))
        object.__setattr__(self, "x", real_array(self.x, "x", (len(self.t), "k"), finite=False))
        for name in ("least", "greatest"):
            if (value := getattr(self, name)) is not None:
                array = real_array(value, name, finite=False)
                if len(np.atleast_1d(array)) != len(self.t):
                    raise ValueError(f"{name} must have {len(self.t)} rows; got {array.shape}")
                object.__setattr__(self, name, array)


Shapes = dict[str, tuple[int, ...]]


def shapes_of(count: int, states: int, observed: tuple[int, ...] | None) -> Shapes:
    """Return the shapes of the arrays of so many motions, by name."""
    extremes = ("least", "greatest") if observed is not None else ()
    several = dict.fromkeys(extremes, (count, *(observed or ())))
    return {"t": (count,), "x": (count, states), **several}


def nothing_yet(shapes: Shapes) -> Ensemble:
    """Return motions of which nothing is known: all is nan."""
    return Ensemble(**{name: np.full(shape, np.nan) for name, shape in shapes.items()})


def refuse_unfit(part: Ensemble, shapes: Shapes) -> None:
    """Refuse what is no ensemble of these shapes."""
    part_shapes = {
        name: value.shape for name, value in arrays_of(instance(part, "a part", Ensemble)).items()
    }
    if part_shapes != shapes:
        raise ValueError(f"a part must have the shapes {shapes}; got {part_shapes}")


def arrays_of(ensemble: Ensemble) -> dict[str, Array]:
    """Return the arrays that there are, by name."""
    return {name: value for name, value in vars(ensemble).items() if value is not None}


@dataclass(frozen=True)
class Work:
    """Everything that is the same for all motions of a compiled ensemble.

    Parameters
    ----------
    program : Machine
        Of an `EnsembleLoop`.
    values : array
        Of its parameters.
    h : float
        Step size [s].
    steps : int
        How many there are at most.
    limits : array, shape (k,)
    observed : tuple of int or None
        The shape of what is observed.
    """

    program: Machine
    values: Array
    h: float
    steps: int
    limits: Array
    observed: tuple[int, ...] | None


def carry_out(
    work: Any, starts: Array, values: Array, stop: Callable[[], bool] = lambda: False
) -> Ensemble:
    """Return how these motions end: in one thread, wherever that is.

    Parameters
    ----------
    work : Work, or what ends motions by itself
    starts : array, shape (n, k)
        At most `ROOM` of them.
    values : array, shape (n, number of varied parameters)
        The parameters that each motion has for itself.
    stop : function () -> bool, optional
        Asked now and then; what has not ended when it says so stays nan.
    """
    if not isinstance(work, Work):
        return work.ends(starts, values, stop)  # type: ignore[no-any-return]
    machine = EnsembleMachine(work)
    machine.begin(starts, values)
    while machine.go_on() and not stop():
        pass
    return machine.results


class EnsembleMachine:
    """The loop of an ensemble with memory of its own, for one thread.

    Parameters
    ----------
    work : Work
    """

    def __init__(self, work: Work) -> None:
        self.work, self._count, self._pace = work, 0, Pace()
        machine = work.program.instance(work.values)
        self._view, self._run = machine.view, partial(machine.call, "run")
        self._view("h")[:], self._view("most")[:] = work.h, work.steps
        self._view("limits")[:] = work.limits

    def begin(self, starts: Array, values: Array) -> None:
        """Let motions wait, at most `ROOM` of them: every lane is over, and takes one of them."""
        self._count = len(starts)
        self._view("starts")[: starts.size] = starts.ravel()
        self._view("values")[: values.size] = values.ravel()
        self._view("taken")[:] = np.nan
        self._view("count")[:], self._view("next")[:], self._view("busy")[:] = len(starts), 0, 0
        self._view("start")[:], self._view("steps")[:] = -1, self._view("most")[0]

    def go_on(self) -> bool:
        """Run no longer than Ctrl-C should wait; return whether motions are left."""
        self._pace.timed(self._run, self._pace.most)
        return bool(self._view("busy")[0] > 0)

    @property
    def results(self) -> Ensemble:
        """The results so far; nan for the motions that are not over."""
        count, observed = self._count, self.work.observed
        ensemble = nothing_yet(shapes_of(count, len(self.work.limits), observed))
        taken = self._view("taken")[:count]
        over = np.isfinite(taken)
        ensemble.t[:] = self.work.h * taken
        ensemble.x[over] = self._view("ends").reshape(ROOM, -1)[:count][over]
        if ensemble.least is not None and ensemble.greatest is not None:
            both = self._view("extremes").reshape(ROOM, 2, *(observed or ()))[:count]
            ensemble.least[over], ensemble.greatest[over] = both[over, 0], both[over, 1]
        return ensemble
