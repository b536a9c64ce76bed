"""Problem of an ensemble: checked, traced, and compiled for any number of initial states."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import function, instance
from straightline.assignments import Number
from straightline.compiled_function import Compiled
from straightline.machine import SlowWarning
from tutlib.aliases import Function
from tutlib.fields import Field, as_field
from tutlib.methods.checks import check_start, check_step_size
from tutlib.methods.comparison import STATES, compare_rates, compare_values
from tutlib.methods.ensembles.checks import (
    InitialConditions,
    check_limits,
    check_observe,
    check_until,
    initial_conditions,
    number_of_steps,
)
from tutlib.methods.ensembles.interpreted import AsWritten
from tutlib.methods.ensembles.loop import EnsembleLoop, ensemble_program
from tutlib.methods.ensembles.parts import Ensemble, Work
from tutlib.methods.steps import Tableau, TableauStep, find_tableau
from tutlib.methods.trajectory import Trajectory

if TYPE_CHECKING:
    from tutlib.reading.parameters import Named


Watched = Callable[[float, Array], ArrayLike]


@dataclass(frozen=True)
class Problem:
    """The integration of an ensemble, ready to run.

    Parameters
    ----------
    work : Work or AsWritten
    initial : InitialConditions
    loop : EnsembleLoop or None
        None if it is run as it is written.
    about : dict
        Description for people.
    compare : function (starts, values, part), optional
        Refuses what is compiled and gives other numbers than as it is written, at some starts and
        ends of a part.
    """

    work: Work | AsWritten
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
        if self.loop is None or isinstance(work, AsWritten):
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
    if until is not None:
        check_until(until, x)
    observed = check_observe(observe, x)
    watched = [as_field(each) for each in (until, observe) if each is not None]
    for each in watched:
        each.check_compiled(0.0, x)
    if any(each.program(begin.states) is None for each in (field, *watched)):
        plain = AsWritten(
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
            (x, slope),
        )
        _tell_slow(field, *watched)
        return Problem(plain, begin, None, about)
    loop = _watching(_loop(field, step, begin, after_step, list(known)), until, observe, observed)
    program = ensemble_program(loop)
    work = Work(program, np.array([*known.values()]), h, steps, bounds, observed)
    compare = partial(_compare_ends, field, begin.names, watched)
    return Problem(work, begin, loop, about, compare)


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


def _tell_slow(*fields: Field) -> None:
    plain = [
        getattr(each.function, "__name__", "your function")
        for each in fields
        if each.formula is None and not isinstance(each.function, Compiled)
    ]
    warnings.warn(
        f"{' and '.join(plain)} called in Python at every step of every motion: with compiled(...) "
        "an ensemble is a hundred times as fast",
        SlowWarning,
        stacklevel=4,
    )


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
