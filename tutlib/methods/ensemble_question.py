"""What is asked of an ensemble: looked through, followed, and compiled for any number of starts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tutlib.methods.checks import check_function, check_start, check_step_size
from tutlib.methods.ensemble_checks import (
    Beginnings,
    beginnings,
    check_limits,
    check_observe,
    check_until,
    number_of_steps,
)
from tutlib.methods.ensemble_loop import EnsembleLoop, ensemble_program
from tutlib.methods.ensemble_work import Work, carry_out
from tutlib.methods.integration import TableauStep
from tutlib.methods.loops import agree, field_of
from tutlib.methods.steps import Tableau, find_tableau, space_of
from tutlib.programs.arguments import function, instance
from tutlib.programs.follow import follow
from tutlib.programs.lowering import lower
from tutlib.programs.projection import Projection
from tutlib.programs.python_text import python_text
from tutlib.programs.right_hand_side import Array, Function, RightHandSide
from tutlib.spaces.vector_field import VectorField

Watched = Callable[[float, Array], ArrayLike]


@dataclass(frozen=True)
class Question:
    """What is asked of each motion, compiled.

    Parameters
    ----------
    work : Work
    beginnings : Beginnings
    loop : EnsembleLoop
    about : dict
        What people would say that it is.
    """

    work: Work
    beginnings: Beginnings
    loop: EnsembleLoop
    about: dict[str, Any]

    @property
    def text(self) -> str:
        """All that decides about the results besides the beginnings: the same everywhere."""
        work, program = self.work, replace(self.loop, lanes=1).text()
        numbers = [work.h, work.steps, *work.values, *work.limits, *self.beginnings.names]
        return "\n".join([python_text(lower(program, in_pairs=False)), *map(repr, numbers)])


def ask(
    f: Function,
    starts: ArrayLike,
    t_end: float,
    h: float,
    limits: ArrayLike | None,
    method: str | Tableau,
    parameters: Mapping[Any, ArrayLike] | None,
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
    if not isinstance(f, RightHandSide):
        check_function(f, 0.0, x, step.space)
    if after_step is not None and not begin.names:
        check_start(after_step, 0.0, x, getattr(f, "state_names", ()))
    about: dict[str, Any] = {"states": list(getattr(f, "state_names", ())) or begin.states}
    about |= {"h": h, "t_end": steps * h, "method": step.method.name, "limits": bounds.tolist()}
    about |= {"parameters": known, "varied": list(begin.names)}
    loop, observed = _watching(_loop(f, step, begin, after_step, list(known)), until, observe, x)
    lasting = until is None and observe is None and isinstance(f, RightHandSide | VectorField)
    program = _followed(f, lambda: ensemble_program(loop, lasting, begin.count * steps))
    work = Work(program, np.array([*known.values()]), h, steps, bounds, observed)
    if not isinstance(f, RightHandSide | VectorField):
        _refuse_other_step(f, step, begin, work)
    return Question(work, begin, loop, about)


def _parameters(f: Function, after_step: Projection | None) -> dict[str, float]:
    """Return all parameters by name, those of f first."""
    own: dict[str, float] = {}
    if isinstance(f, VectorField):
        own = dict(f.parameters)
    for holder in (f, after_step):
        if isinstance(holder, RightHandSide | Projection):
            values = zip(holder.parameter_names, holder.parameter_values.tolist())
            own |= {name: value for name, value in values if name not in own}
    return own


def _loop(
    f: Function,
    advance: TableauStep,
    begin: Beginnings,
    after_step: Projection | None,
    known: list[str],
) -> EnsembleLoop:
    """Return the loop that takes the steps."""
    field = _followed(f, lambda: field_of(f, begin.states))
    counts = begin.states, len(known), len(field.values)
    varied = tuple(map(known.index, begin.names))
    loop = EnsembleLoop(field.formula, field.coordinates, advance, *counts, varied)
    if after_step is None:
        return loop
    places = tuple(map(known.index, after_step.parameter_names))
    return replace(loop, correction=after_step.formula, of_correction=places)


def _watching(
    loop: EnsembleLoop, until: Watched | None, observe: Watched | None, x: Array
) -> tuple[EnsembleLoop, tuple[int, ...] | None]:
    """Return a loop that looks at its states as well, and the shape of what is observed."""
    if until is not None:
        check_until(until, x)
        event = _numbers(_followed(until, lambda: follow(until, None, len(x))))
        loop = replace(loop, until=lambda t, x: event(t, x)[0])
    if observe is None:
        return loop, None
    shape = check_observe(observe, x)
    watched = _numbers(_followed(observe, lambda: follow(observe, None, len(x))))
    return replace(loop, observe=watched, observed=math.prod(shape or (1,))), shape


def _numbers(watched: Callable[..., Any]) -> Callable[[Any, Any], list[Any]]:
    """Return a function that gives its value as a list of numbers."""
    return lambda t, x: list(np.ravel(np.asarray(watched(t, x), dtype=object)))


def _followed(f: Callable[..., Any], make: Callable[[], Any]) -> Any:
    """Return what is made of a function by following it; say which one cannot be."""
    try:
        return make()
    except Exception as error:
        if isinstance(f, RightHandSide):
            raise
        raise _cannot_follow(f, getattr(error, "reason", str(error))) from error


def _refuse_other_step(f: Function, step: TableauStep, begin: Beginnings, work: Work) -> None:
    """Refuse a function of the reader's own that takes another first step when it is followed."""
    starts, given = begin.part(slice(0, 1))
    expected = step(f, 0.0, starts[0].copy(), work.h)
    far = np.full_like(work.limits, np.finfo(float).max)
    found = carry_out(replace(work, steps=1, limits=far), starts, given)
    whole = found.t[0] == work.h and np.isfinite(expected).all()  # and not ended on its way
    if whole and not agree(found.x[0], expected):
        raise _cannot_follow(f, "it gives other numbers when it is followed")


def _cannot_follow(f: Callable[..., Any], reason: str) -> ValueError:
    name = getattr(f, "__name__", type(f).__name__)
    return ValueError(f"an ensemble is compiled, and {name} cannot be: {reason}")
