"""What is asked of an ensemble: looked through, followed, and compiled for any number of starts."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import function, instance
from straightline.assignments import Number
from straightline.compiled_function import Compiled
from straightline.lowering import lower
from straightline.machine import SlowWarning
from straightline.python_text import python_text
from tutlib.after_step import Projection
from tutlib.aliases import Function
from tutlib.fields import RightHandSide
from tutlib.methods.checks import check_start, check_step_size, first_call
from tutlib.methods.comparison import STATES, refuse_other_rates, refuse_other_values
from tutlib.methods.ensembles.checks import (
    Beginnings,
    beginnings,
    check_limits,
    check_observe,
    check_until,
    number_of_steps,
)
from tutlib.methods.ensembles.interpreted import AsWritten, with_values
from tutlib.methods.ensembles.loop import EnsembleLoop, ensemble_program
from tutlib.methods.ensembles.parts import Ensemble, Work
from tutlib.methods.loops import field_of
from tutlib.methods.steps import Tableau, TableauStep, find_tableau, space_of
from tutlib.methods.trajectory import Trajectory
from tutlib.spaces.space import R, Space
from tutlib.spaces.vector_field import VectorField

if TYPE_CHECKING:
    from tutlib.reading.parameters import Named


Watched = Callable[[float, Array], ArrayLike]


@dataclass(frozen=True)
class Question:
    """What is asked of each motion, compiled.

    Parameters
    ----------
    work : Work or AsWritten
    beginnings : Beginnings
    loop : EnsembleLoop or None
        None if it is run as it is written.
    about : dict
        What people would say that it is.
    compare : function (starts, values, part), optional
        Refuses what is compiled and gives other numbers than as it is written, at some starts and
        ends of a part.
    """

    work: Work | AsWritten
    beginnings: Beginnings
    loop: EnsembleLoop | None
    about: dict[str, Any]
    compare: Callable[[Array, Array, Ensemble], None] | None = None

    @property
    def text(self) -> str:
        """All that decides about the results besides the beginnings: the same everywhere.

        Raises
        ------
        ValueError
            If a function is called as it is written: nobody can tell whether it is the same.
        """
        work = self.work
        if self.loop is None or isinstance(work, AsWritten):
            raise ValueError("a store keeps what is compiled: give compiled(...) functions")
        program = replace(self.loop, lanes=1).text()
        numbers = [work.h, work.steps, *work.values, *work.limits, *self.beginnings.names]
        return "\n".join([python_text(lower(program, in_pairs=False)), *map(repr, numbers)])


def ask(
    f: Function,
    starts: ArrayLike,
    t_end: float,
    h: float,
    limits: ArrayLike | None,
    method: str | Tableau,
    parameters: Mapping[Named, ArrayLike] | None,
    until: Watched | None,
    observe: Watched | None,
    after_step: Projection | None,
) -> Question:
    """Return a question that makes sense; the arguments are those of `ensemble`."""
    function(f, "f", "t, x")
    if after_step is not None:
        instance(after_step, "after_step", Projection, "constrained equations make one")
    step = TableauStep(find_tableau(method, "an ensemble"), space_of(f, None))
    h = check_step_size(h)
    known = _parameters(f, after_step)
    begin = beginnings(f, step.space, starts, parameters, tuple(known))
    steps, bounds = number_of_steps(t_end, h), check_limits(limits, begin.states)
    x = begin.part(slice(0, 1))[0][0]
    f, slope = _suited(f, x, step.space)
    after_step = after_step.suited(0.0, x) if after_step else None
    if after_step is not None and not begin.names:
        check_start(after_step, 0.0, x, getattr(f, "state_names", ()))
    about: dict[str, Any] = {"states": list(getattr(f, "state_names", ())) or begin.states}
    about |= {"h": h, "t_end": steps * h, "method": step.method.name, "limits": bounds.tolist()}
    about |= {"parameters": known, "varied": list(begin.names)}
    if until is not None:
        check_until(until, x)
    observed = check_observe(observe, x)
    if not _asked_for(f, begin.states, until, observe):
        plain = AsWritten(
            f, step, h, steps, bounds, begin.names, observed, until, observe, after_step, (x, slope)
        )
        _tell_slow(f, until, observe)
        return Question(plain, begin, None, about)
    loop = _watching(_loop(f, step, begin, after_step, list(known)), until, observe, observed)
    program = ensemble_program(loop)
    work = Work(program, np.array([*known.values()]), h, steps, bounds, observed)
    compare = partial(_refuse_other_ends, f, step.space, begin.names, (until, observe))
    return Question(work, begin, loop, about, compare)


def _suited(f: Function, x: Array, space: Space | None) -> tuple[Function, Array | None]:
    """Return f in view of what is redundant at a start; of what is written, its value there too."""
    if isinstance(f, RightHandSide):
        return f.suited(0.0, x), None
    return first_call(f, 0.0, x, space)


def _refuse_other_ends(
    f: Function,
    space: Space | None,
    names: tuple[str, ...],
    watched: tuple[Any, ...],
    starts: Array,
    values: Array,
    part: Ensemble,
) -> None:
    """Refuse what is compiled and gives other numbers than as it is written."""
    over = np.flatnonzero(np.isfinite(part.x).all(axis=1) & (part.t > 0.0))
    for i in over[:: max(1, -(-len(over) // (STATES // 2)))]:
        motion = Trajectory(np.array([0.0, part.t[i]]), np.array([starts[i], part.x[i]]))
        if not isinstance(f, RightHandSide):
            field = with_values(f, dict(zip(names, values[i].tolist())))
            refuse_other_rates(field, motion, space or R(starts.shape[1]))
        for one in filter(None, watched):
            refuse_other_values(one, motion)


def _asked_for(f: Function, states: int, *watched: Watched | None) -> bool:
    """Tell whether all that is called at every step is compiled."""
    asked = all(isinstance(function, Compiled | None) for function in watched)
    return asked and field_of(f, states) is not None


def _tell_slow(*functions: object) -> None:
    plain = [
        getattr(one, "__name__", "your function")
        for one in functions
        if one is not None and not isinstance(one, Compiled | RightHandSide)
    ]
    warnings.warn(
        f"{' and '.join(plain)} called in Python at every step of every motion: with compiled(...) "
        "an ensemble is a hundred times as fast",
        SlowWarning,
        stacklevel=4,
    )


def _parameters(f: Function, after_step: Projection | None) -> dict[str, float]:
    """Return all parameters by name, those of f first."""
    parameters: dict[str, float] = {}
    if isinstance(f, VectorField | Compiled):
        parameters = dict(f.parameters)
    for holder in (f, after_step):
        if isinstance(holder, RightHandSide | Projection):
            values = zip(holder.parameter_names, holder.parameter_values.tolist())
            parameters |= {name: value for name, value in values if name not in parameters}
    return parameters


def _loop(
    f: Function,
    advance: TableauStep,
    begin: Beginnings,
    after_step: Projection | None,
    known: list[str],
) -> EnsembleLoop:
    """Return the loop that takes the steps."""
    field: Any = field_of(f, begin.states)
    counts = begin.states, len(known), len(field.values)
    varied = tuple(map(known.index, begin.names))
    loop = EnsembleLoop(field.formula, field.coordinates, advance, *counts, varied)
    if after_step is None:
        return loop
    places = tuple(map(known.index, after_step.parameter_names))
    return replace(loop, correction=after_step.formula, of_correction=places)


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
