"""Problem of an ensemble: checked, traced, and compiled for any number of initial states."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import function, instance, real_array, real_number, shown
from straightline.assignments import Number
from tutlib.aliases import Function
from tutlib.fields import Field, as_field
from tutlib.methods.checks import check_start, check_step_size
from tutlib.methods.comparison import STATES, compare_rates, compare_values
from tutlib.methods.ensemble_loop import EnsembleLoop, ensemble_program
from tutlib.methods.ensemble_results import Ensemble
from tutlib.methods.ensemble_work import PlainWork, Work
from tutlib.methods.steps import Tableau, TableauStep, find_tableau
from tutlib.methods.trajectory import Trajectory
from tutlib.spaces.space import Space

if TYPE_CHECKING:
    from tutlib.reading.parameters import Named


Watched = Callable[[float, Array], ArrayLike]


@dataclass(frozen=True)
class InitialConditions:
    """Initial states and parameters of the motions of an ensemble, read block by block.

    Parameters
    ----------
    starts : array, shape (N, k), or what has a shape and gives rows like one
        Or one state for all, shape (k,).
    values : tuple of array, shape (N,)
        The parameters that each motion has for itself.
    names : tuple of str
        Theirs.
    count : int
        N.
    """

    starts: Any
    values: tuple[Any, ...]
    names: tuple[str, ...]
    count: int

    @property
    def states(self) -> int:
        """The number of entries of a state."""
        return int(self.starts.shape[-1])

    def part(self, rows: slice) -> tuple[Array, Array]:
        """Return the starts and the own parameters of some motions: shapes (n, k), (n, m)."""
        count = rows.stop - rows.start
        shape = (count, self.states)
        whole = self.starts[rows] if len(self.starts.shape) == 2 else self.starts
        starts = np.broadcast_to(real_array(whole, "starts", finite=False), shape)
        columns = [real_array(values[rows], name) for name, values in zip(self.names, self.values)]
        return starts, np.stack(columns, axis=-1) if columns else np.empty((count, 0))

    def blocks(self, size: int) -> Iterator[slice]:
        """Generate the rows of the parts, each of so many motions at most."""
        for first in range(0, self.count, size):
            yield slice(first, min(first + size, self.count))


def initial_conditions(
    f: Field,
    starts: ArrayLike,
    parameters: Mapping[Named, ArrayLike] | None,
    known: Sequence[str],
) -> InitialConditions:
    """Return what an ensemble begins with.

    Parameters
    ----------
    f : Field
    starts : array
    parameters : mapping from symbol or str to array, optional
    known : sequence of str
        The names of all parameters that there are.

    Raises
    ------
    TypeError, ValueError
        If a shape, a name or a number does not fit.
    """
    varied = dict(instance({} if parameters is None else parameters, "parameters", Mapping))  # type: ignore[type-abstract]
    names = tuple(map(str, varied))
    for name in names:
        if name not in known:
            there = f"there are {', '.join(known)}" if known else "f has none by name"
            raise ValueError(f"no parameter {shown(name)} can vary: {there}")
    values = tuple(_rows_of(value, f"the values of {name}") for name, value in varied.items())
    begin = _rows_of(starts, "starts")
    k: int | str = f.space.dimension if f.space else len(f.names) or "k"
    one_for_all = len(begin.shape) == 1 and bool(values)
    if len(begin.shape) != 2 - one_for_all or k not in ("k", begin.shape[-1]):
        raise ValueError(f"starts must have shape (N, {k}), a state in each row; got {begin.shape}")
    count = len(values[0]) if one_for_all else begin.shape[0]
    for name, value in zip(names, values):
        if value.shape != (count,):
            raise ValueError(
                f"{name} needs a value for each of {count} motions; got shape {value.shape}"
            )
    if not count:
        raise ValueError("there are no starts: give at least one")
    motions = InitialConditions(begin, values, names, count)
    _refuse_starts(motions, f.space)
    return motions


def _rows_of(value: object, name: str) -> Any:
    """Return what gives rows: what has a file or a rule of its own as it is, all else copied."""
    lazy = hasattr(value, "shape") and hasattr(value, "__getitem__")
    if lazy and (isinstance(value, np.memmap) or not isinstance(value, np.ndarray)):
        return value
    return np.array(real_array(value, name, finite=False))


def _refuse_starts(motions: InitialConditions, space: Space | None) -> None:
    """Refuse a start or a parameter that is not finite, and a start that is on no space."""
    for rows in motions.blocks(1024):
        starts, _ = motions.part(rows)
        if not np.isfinite(starts).all():
            row = int(np.argmin(np.isfinite(starts).all(axis=1)))
            raise ValueError(f"every start must be finite; row {rows.start + row} is {starts[row]}")
        for row, start in enumerate(starts if space else ()):
            if space and (wrong := space.refuse(start)):
                raise ValueError(
                    f"row {rows.start + row} of starts is not on {space.name}: {wrong}"
                )


def check_limits(limits: ArrayLike | None, k: int) -> Array:
    """Return a limit for each state, the largest number for none; refuse others."""
    limits = np.full(k, np.inf) if limits is None else limits
    bounds = np.array(real_array(limits, "limits", finite=False))
    if bounds.shape != (k,):
        raise ValueError(f"there must be a limit for each of {k} states; got {bounds.shape}")
    if not (bounds >= 0).all():
        raise ValueError(f"limits must be zero or positive, inf for none; got {bounds.tolist()}")
    bounds[np.isinf(bounds)] = np.finfo(float).max  # beyond it a motion is over in any case
    return bounds


def number_of_steps(t_end: float, h: float) -> int:
    """Return how many steps it is to the end; refuse what is no whole number of them."""
    t_end = real_number(t_end, "t_end", finite=False)
    steps = round(t_end / h) if np.isfinite(t_end) else 0
    if steps < 1 or abs(steps * h - t_end) > 1e-9 * t_end:
        raise ValueError(f"t_end must be a positive multiple of h = {h}; got {t_end}")
    return steps


@dataclass(frozen=True)
class Problem:
    """The integration of an ensemble, ready to run.

    Parameters
    ----------
    work : Work or PlainWork
    initial : InitialConditions
    loop : EnsembleLoop or None
        None if it is run as it is written.
    about : dict
        Description for people.
    compare : function (starts, values, part), optional
        Refuses what is compiled and gives other numbers than as it is written, at some starts and
        ends of a part.
    """

    work: Work | PlainWork
    initial: InitialConditions
    loop: EnsembleLoop | None
    about: dict[str, Any]
    compare: Callable[[Array, Array, Ensemble], None] | None = None

    @property
    def text(self) -> str:
        """All that decides about the results besides the initial_conditions: the same everywhere.

        Raises
        ------
        ValueError
            If a function is called as it is written: nobody can tell whether it is the same.
        """
        work = self.work
        if self.loop is None or isinstance(work, PlainWork):
            raise ValueError("a store keeps what is compiled: give compiled(...) functions")
        numbers = [work.h, work.steps, *work.values, *work.limits, *self.initial.names]
        return "\n".join([work.program.code.hex(), *map(repr, numbers)])


def make_problem(
    f: Function,
    starts: ArrayLike,
    t_end: float,
    h: float,
    limits: ArrayLike | None,
    method: str | Tableau,
    parameters: Mapping[Named, ArrayLike] | None,
    until: Watched | None,
    observe: Watched | None,
    after_step: Field | None,
) -> Problem:
    """Return the problem that the arguments of `ensemble` state, checked and compiled."""
    function(f, "f", "t, x")
    if after_step is not None:
        instance(after_step, "after_step", Field, "constrained equations make one")
    field = as_field(f)
    step = TableauStep(find_tableau(method, "an ensemble"), field.space)
    h = check_step_size(h)
    known = dict(field.parameters)
    if after_step is not None:
        known = {**after_step.parameters, **known}
        known = {n: known[n] for n in (*field.parameters, *after_step.parameters)}
    begin = initial_conditions(field, starts, parameters, tuple(known))
    steps, bounds = number_of_steps(t_end, h), check_limits(limits, begin.states)
    x = begin.part(slice(0, 1))[0][0]
    field, slope = _suited(field, x)
    after_step = after_step.suited(0.0, x) if after_step else None
    if after_step is not None and not begin.names:
        check_start(after_step, 0.0, x, field.names)
    about: dict[str, Any] = {"states": list(field.names) or begin.states}
    about |= {"h": h, "t_end": steps * h, "method": step.method.name, "limits": bounds.tolist()}
    about |= {"parameters": known, "varied": list(begin.names)}
    value = None if until is None else _first_value(until, x)
    seen = None if observe is None else _first_observed(observe, x)
    observed = None if seen is None else seen.shape
    watched = [as_field(each) for each in (until, observe) if each is not None]
    for each in watched:
        each.check_compiled(0.0, x)
    if any(each.program(begin.states) is None for each in (field, *watched)):
        plain = PlainWork(
            field,
            step,
            h,
            steps,
            bounds,
            begin.names,
            observed,
            until,
            observe,
            after_step,
            (x, slope, value, seen),
        )
        return Problem(plain, begin, None, about)
    loop = _watching(_loop(field, step, begin, after_step, list(known)), until, observe, observed)
    program = ensemble_program(loop)
    work = Work(program, np.array([*known.values()]), h, steps, bounds, observed)
    compare = partial(_compare_ends, field, begin.names, watched)
    return Problem(work, begin, loop, about, compare)


def _first_value(until: Watched, x: Array) -> float:
    value = function(until, "until", "t, x")(0.0, x.copy())
    return real_number(value, "until(t, x)", finite=False)


def _first_observed(observe: Watched, x: Array) -> Array:
    value = function(observe, "observe", "t, x")(0.0, x.copy())
    seen = np.array(real_array(value, "observe(t, x)", finite=False))
    if seen.ndim > 1 or seen.shape == (0,):
        raise ValueError(f"observe(t, x) must be a number or a row of them; got shape {seen.shape}")
    return seen


def _suited(f: Field, x: Array) -> tuple[Field, Array | None]:
    """Return the field as a start needs it, and for a function of the reader's its value there."""
    return (f.suited(0.0, x), None) if f.formula is not None else f.begin(0.0, x)


def _compare_ends(
    f: Field,
    names: tuple[str, ...],
    watched: Sequence[Field],
    starts: Array,
    values: Array,
    part: Ensemble,
) -> None:
    """Reject what is compiled and gives other numbers than as it is written."""
    over = np.flatnonzero(np.isfinite(part.x).all(axis=1) & (part.t > 0.0))
    for i in over[:: max(1, -(-len(over) // (STATES // 2)))]:
        motion = Trajectory(np.array([0.0, part.t[i]]), np.array([starts[i], part.x[i]]))
        if f.function is not None:
            compare_rates(f.with_parameters(dict(zip(names, values[i].tolist()))), motion)
        for each in watched:
            compare_values(each, motion)


def _loop(
    f: Field,
    method: TableauStep,
    begin: InitialConditions,
    after_step: Field | None,
    known: list[str],
) -> EnsembleLoop:
    """Return the loop that takes the steps."""
    program: Any = f.program(begin.states)
    counts = begin.states, len(known), len(f.values)
    varied = tuple(map(known.index, begin.names))
    loop = EnsembleLoop(program, f.coordinates, method, *counts, varied)
    if after_step is None:
        return loop
    indices = tuple(map(known.index, after_step.parameters))
    return replace(loop, correction=after_step.formula, of_correction=indices)


def _watching(
    loop: EnsembleLoop,
    until: Watched | None,
    observe: Watched | None,
    observed: tuple[int, ...] | None,
) -> EnsembleLoop:
    """Return a loop that looks at its states as well."""
    if until is not None:
        event = _numbers(until)
        loop = replace(loop, until=lambda t, x: event(t, x)[0])
    if observe is None:
        return loop
    return replace(loop, observe=_numbers(observe), observed=math.prod(observed or (1,)))


def _numbers(watched: Watched) -> Callable[[float, Array], list[Number]]:
    """Return a function that gives its value as a list of numbers."""
    return lambda t, x: list(np.ravel(np.asarray(watched(t, x), dtype=object)))
