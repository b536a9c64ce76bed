"""Hybrid systems: events with actions, sampled control laws, and the changes that they make.

`integrate_adaptive` stops at each event and each sample, applies its changes to the state or to the
parameters of f, and continues with a fresh step.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import (
    function,
    mapping,
    numbers_by_name,
    real_array,
    real_number,
    shown,
)
from straightline.arguments import row as read_row
from tutlib.aliases import Function
from tutlib.fields import Field, as_field
from tutlib.methods.events import DIRECTIONS, Event, Until
from tutlib.reading.motions import increasing_times, initial_state

#: A new state, parameters of f by name, or both.
Change = ArrayLike | Mapping[str, float] | tuple[ArrayLike, Mapping[str, float]]
Action = Callable[[float, Array], Change]


class Happening(NamedTuple):
    """Record of an event: its time [s], its name, and the states before and after its action."""

    t: float
    name: str
    before: Array
    after: Array


@dataclass(frozen=True)
class NamedEvent:
    """A named event: a function of time and state, and the action at its zeros.

    Parameters
    ----------
    name : str
    value : function (t, x) -> float
    direction : "rising", "falling" or None
    action : function (t, x) -> change, optional
    ends : bool
        Whether the integration ends there.
    """

    name: str
    value: Until
    direction: str | None = None
    action: Action | None = None
    ends: bool = False


def check_direction(direction: object) -> str | None:
    """Return a direction; reject anything else."""
    if direction not in DIRECTIONS:
        raise ValueError(f'direction must be "rising", "falling", or None; got {shown(direction)}')
    return direction


def read_events(events: object) -> list[NamedEvent]:
    """Return named events; reject anything else.

    Raises
    ------
    TypeError, ValueError
    """
    found = []
    for name, entry in mapping(events, "events", '{"floor": (height, "falling", bounce)}').items():
        form = "function (t, x) -> float, direction, action"
        parts = [entry] if callable(entry) else read_row(entry, f"event {name!r}", 1, form)
        value, direction, action = [*parts, None, None][:3]
        function(value, f"event {name!r}", "t, x")
        if action is not None:
            function(action, f"the action of event {name!r}", "t, x")
        value = _checked(value, f"event {name!r}")
        found.append(NamedEvent(str(name), value, check_direction(direction), action))
    return found


def _checked(value: Until, name: str) -> Until:
    """Return the function of an event; its errors name the event if a value is not a number."""

    def checked(t: float, x: Array) -> float:
        return real_number(value(t, x), f"the value of {name} at t = {t:g}", finite=False)

    return checked


@dataclass
class Sampler:
    """A control law that is called once in each period; its values are held until the next call.

    Parameters
    ----------
    period : float
        Time [s].
    law : function (t, x) -> mapping from str to float
        Parameters of f.
    begin : float
        The initial time [s].
    calls : int
        Number of calls so far.
    """

    period: float
    law: Callable[[float, Array], Any]
    begin: float
    calls: int = 0

    def held(self, t: float, x: Array, near: float) -> dict[str, float]:
        """Return new values if a sample is due, and an empty mapping otherwise."""
        if (due := self.begin + self.calls * self.period) > t + near:
            return {}
        self.calls += 1
        values = self.law(due, x.copy())
        if not isinstance(values, Mapping):
            raise TypeError(
                'the sampled law must return parameters of f, such as {"u": 2.0}; got '
                f"{shown(values)}"
            )
        return numbers_by_name(values, "the values of the sampled law")

    def times(self, end: float) -> Array:
        """Return the times of all its calls but the first."""
        count = (end - self.begin) / self.period
        if count > 1e7:
            raise ValueError(
                f"a period of {self.period:g} s means {count:.0e} samples: choose a longer period"
            )
        times: Array = self.begin + np.arange(1.0, int(count) + 2) * self.period
        return times


def begin_sampled(
    sampled: object, f: Function, t: ArrayLike, x0: ArrayLike
) -> tuple[Function, list[Sampler]]:
    """Return f with the initial values of the sampled control laws, and these laws.

    Raises
    ------
    TypeError, ValueError
    """
    if not isinstance(sampled, Sequence) or isinstance(sampled, str):
        raise TypeError(
            f"sampled must be (period, law), or several such pairs; got {shown(sampled)}"
        )
    if not sampled:
        return f, []
    times, x, found = increasing_times(t), initial_state(x0), []
    values: dict[str, float] = {}
    for pair in [sampled] if len(sampled) == 2 and callable(sampled[1]) else sampled:
        period, law = read_row(pair, "sampled", 2, "period, law")
        function(law, "the sampled law", "t, x")
        period = real_number(period, "the period of a sampled law", "positive")
        found.append(Sampler(period, law, float(times[0])))
        values |= found[-1].held(float(times[0]), x, 0.0)
    return with_values(as_field(f), values), found


def sample_rows(samplers: Sequence[Sampler], t: Array) -> dict[int, list[Sampler]]:
    """Return the rows at which control laws are sampled, and these laws.

    Raises
    ------
    ValueError
        If no row is at the time of a sample.
    """
    found: dict[int, list[Sampler]] = {}
    near = 1e-6 * np.diff(t).min(initial=np.inf)
    for sampler in samplers:
        times = sampler.times(float(t[-1]))
        times = times[times < t[-1] - near]
        rows = np.searchsorted(t, times - near)
        if len(off := times[np.abs(t[rows] - times) > near]):
            raise ValueError(
                f"a law is sampled at t = {off[0]:g}, which is not one of the times: choose a "
                "period that is a multiple of the step"
            )
        for row in rows.tolist():
            found.setdefault(row, []).append(sampler)
    return found


def rounding(t: Array) -> float:
    """Return the largest difference between two times that rounding alone can cause."""
    return float(16 * np.spacing(max(abs(t[0]), abs(t[-1]))))


def with_values(f: Field, values: Mapping[str, float]) -> Field:
    """Return a field with new values of parameters; reject parameters that it does not have.

    Raises
    ------
    ValueError
    """
    unknown = [name for name in values if name not in f.parameters]
    if unknown and (f.formula is not None or not _takes(f.written, unknown)):
        has = ", ".join(f.parameters) or "none"
        raise ValueError(
            f"f has no parameter {unknown[0]!r}; it has {has}. Define f(t, x, {unknown[0]}), and "
            f"use compiled(f, {unknown[0]}=0.0) to run it compiled"
        )
    if unknown:
        return replace(f, parameters={**f.parameters, **values})
    return f.with_parameters(values)


def _takes(f: Callable[..., Any], names: list[str]) -> bool:
    """Return whether a function (t, x) also takes these names as arguments."""
    try:
        inspect.signature(f).bind(0.0, 0.0, **dict.fromkeys(names, 0.0))
    except TypeError:
        return False
    except ValueError:  # it has no signature
        return True
    return True


def read_change(change: object, x: Array, name: str) -> tuple[Array, dict[str, float]]:
    """Return the state after an action, and the parameters that it changes.

    Raises
    ------
    TypeError, ValueError
    """
    state, values = change, {}
    if isinstance(change, Mapping):
        state, values = x, numbers_by_name(change, f"the value that the action of {name!r} returns")
    elif isinstance(change, tuple) and len(change) == 2 and isinstance(change[1], Mapping):
        state, values = change[0], numbers_by_name(change[1], f"the parameters from {name!r}")
    if state is None:
        raise TypeError(
            f"the action of {name!r} must return the new state, parameters of f by name, or both; "
            "got None: is a return missing?"
        )
    return real_array(state, f"the state after {name!r}", x.shape).copy(), values


class Passage(NamedTuple):
    """The state at which events happened, and the continuation of the motion without them.

    Parameters
    ----------
    fired : list of NamedEvent
    beyond : list of float
        The values of all events at the end of the step.
    t : float
    x, slope : array
    """

    fired: list[NamedEvent]
    beyond: list[float]
    t: float
    x: Array
    slope: Array


def take_sides(
    events: Sequence[Event],
    named: Sequence[NamedEvent],
    passage: Passage,
    now: tuple[float, Array, Array],
    euler: Callable[[float, float, Array, Array], tuple[Array, Array]],
    h: float,
) -> None:
    """Set the side of zero on which the motion continues, for events whose zero is at its start.

    A motion that bounces continues on the side from which it came; one whose state is unchanged
    passes through zero. An event that also has its zero here but has not happened is due next; so
    is the same event again if the motion would pass after all, like a ball without any velocity
    left to bounce.

    Parameters
    ----------
    events : sequence of Event
        Detectors, initialized at the state after the action.
    named : sequence of NamedEvent
    passage : Passage
    now : (t, x, slope)
        The state after the action, and f there.
    euler : function (t, h, x, slope) -> x, slope
        An Euler step.
    h : float
        A small step.
    """

    def sense(of: NamedEvent, t: float, x: Array, slope: Array) -> float:
        """Return the sign of the change of a value shortly afterward; 0 if it is constant."""
        value = of.value(t, x.copy())
        for step in (h, 1e3 * h, 1e6 * h):
            if change := of.value(t + step, euler(t, step, x, slope)[0]) - value:
                return float(np.sign(change))
        return 0.0

    was, (t, x, slope) = (passage.t, passage.x, passage.slope), now
    at_zero = 4 * max(abs(of.value(passage.t, passage.x.copy())) for of in passage.fired)
    at_zero += 1e-14 * float(np.abs(passage.x).max())
    for event, of, beyond in zip(events, named, passage.beyond):
        event.start = None
        if not abs(event.value) <= at_zero:
            continue
        passes = sense(of, *was) or float(np.sign(beyond))
        waits = of.direction in (None, "rising" if passes > 0 else "falling")
        if waits and of not in passage.fired:
            side = -passes
        elif np.array_equal(passage.x, x):
            side = passes
        elif not (side := sense(of, t, x, slope)):
            later = sense(of, t + h, *euler(t, h, x, slope))
            side = -passes if later == passes else later
        event.value = side * 2.0**-1000 or event.value
