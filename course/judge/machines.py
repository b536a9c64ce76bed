"""Answers that are machines: equations in any coordinates, judged by their behavior.

A wrong one is compared by positions, states of rest, small oscillations, energies, accelerations,
and motion, up to the first difference. Used by exercises that say "model it from scratch".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from course.judge.machine_pictures import both_motions
from course.judge.machine_reading import Asked, pair_of, read_machine
from course.judge.machine_trials import MachineReading, Trial, first_difference
from course.judge.mechanisms import Mechanism
from course.judge.probes import Probe, Response, StuckError, amount
from course.judge.stages import Finding
from straightline.aliases import Array
from straightline.arguments import instance, real_number, several, shown
from tutlib.reading.names import UnreadableError, listed, plain_name

#: Number of random sets of parameter values for each answer, with two states each.
DRAWN = 2
#: Generator of random probes; a copy of the process draws the same.
_generator = np.random.default_rng()


@dataclass(frozen=True)
class Machine:
    """A machine of the reader, with the outputs that the prompt names.

    Parameters
    ----------
    value : (machine, outputs), or function () that returns them
        A right one: an `EquationsOfMotion`, `ConstrainedEquations`, or `Model`, and a mapping from
        name to expression. The outputs without speeds are positions, which must determine the
        configuration completely.
    values : mapping from name to float
        Values of the parameters, as different as possible, and of the inputs during the motion.
    start : mapping from name to float
        Initial state of the motion in the right machine's states; the others are zero.
    rests : mapping from str to mapping, optional
        States of rest without inputs, in coordinates of the right machine, by a phrase such as
        ``"hanging still"``.
    units : mapping from name to str, optional
        Units of outputs and inputs. An output in ``"rad"`` is an angle, modulo a revolution.
    energies : sequence of str, optional
        Outputs that are right up to a constant.
    duration : float
        Duration of the motion [s].
    spread : float
        Largest random deviation of coordinates from the initial state.

    Raises
    ------
    TypeError, ValueError
        If an argument is not valid.
    """

    value: Any
    values: Mapping[str, float]
    start: Mapping[str, float]
    rests: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    energies: Sequence[str] = ()
    duration: float = 3.0
    spread: float = 0.7

    def __post_init__(self) -> None:
        for name in ("values", "start", "rests", "units"):
            _by_name(getattr(self, name), name)
        for named in (self.values, self.start, *self.rests.values()):
            for name, value in _by_name(named, "a place of rest").items():
                real_number(value, str(name))
        for name in ("duration", "spread"):
            if not real_number(getattr(self, name), name) > 0:
                raise ValueError(f"{name} must be positive; got {shown(getattr(self, name))}")
        names = several(self.energies, "energies", lambda item: instance(item, "an energy", str))
        object.__setattr__(self, "energies", tuple(names))

    @cached_property
    def _pair(self) -> tuple[Any, Any]:
        """The right machine and its outputs, derived once."""
        return pair_of(self.value)

    @cached_property
    def _right(self) -> Mechanism:
        """Mechanism of the right machine, with the outputs of the prompt."""
        answer = self._pair
        names = tuple(map(str, answer[1]))
        symbols = tuple(map(str, self.values))
        return read_machine(answer, Asked(names, symbols, None, self.units, tuple(self.energies)))

    @cached_property
    def asked(self) -> Asked:
        """Names in the prompt."""
        right = self._right
        names, others = (*right.positions, *right.others), tuple(right.others)
        symbols = tuple(map(str, self.values))
        return Asked(names, symbols, right.inputs, self.units, tuple(self.energies), others)

    # ---- probes

    def _state(self, values: Mapping[str, float]) -> Array:
        """Return a state of the right machine, given some of its entries."""
        whole, given = self._right.whole, {str(name): value for name, value in values.items()}
        names = [plain_name(s) for s in whole.states[: len(whole.q) + self._right.speeds]]
        strangers = [name for name in given if name not in names]
        if strangers:
            raise ValueError(
                f"{strangers[0]} is not a state of the right machine: {', '.join(names)}"
            )
        return np.array([float(given.get(name, 0.0)) for name in names])

    def _probe(
        self, values: Mapping[str, float], x: Array, where: str = "", t: float = 0.0
    ) -> Probe:
        """Return a probe, named by its outputs unless a name is given."""
        probe = self._right.probe(where, values, x, t)
        return probe if where else replace(probe, where=self._where(probe))

    def _where(self, probe: Probe) -> str:
        units = {name: self.units.get(name, "") for name in self._right.positions}
        pairs = zip(units.items(), probe.positions)
        where = listed([f"{name} = {amount(position, unit)}" for (name, unit), position in pairs])
        if probe.still:
            return f"at {where}"
        rates = [amount(rate, unit, "/s") for rate, unit in zip(probe.rates, units.values())]
        return f"at {where}, with velocity {listed(rates)}"

    def _off(self) -> dict[str, float]:
        """Return the parameter values with zero inputs."""
        return {**self.values, **dict.fromkeys(self._right.inputs, 0.0)}

    @cached_property
    def probes(self) -> list[Probe]:
        """Probes for each machine: at rest, unmoving, with one input each, and moving."""
        off, start, random = self._off(), self._state(self.start), np.random.default_rng(1)
        n = len(self._right.whole.q)
        still = np.where(np.arange(len(start)) < n, start, 0.0)
        rests = ((name, self._state(coordinates)) for name, coordinates in self.rests.items())
        tried = [replace(self._probe(off, x, name), rest=True) for name, x in rests]
        tried += [self._probe(off, still), self._probe(off, self._drawn(random, moving=False))]
        for name in self._right.inputs:
            tried.append(self._probe({**off, name: self.values[name]}, still))
        return tried + [self._probe(off, self._drawn(random)) for _ in range(2)]

    def _drawn(self, random: np.random.Generator, moving: bool = True) -> Array:
        n, start = len(self._right.whole.q), self._state(self.start)
        offsets = random.uniform(-self.spread, self.spread, len(start))
        rates = random.uniform(-1.5, 1.5, len(start)) * moving
        return np.where(np.arange(len(start)) < n, start + offsets, rates)

    def _anew(self) -> Iterator[Probe]:
        """Yield random probes: two states for each set of parameter values."""
        for _ in range(DRAWN):
            values = {n: v * _generator.uniform(0.8, 1.25) for n, v in self.values.items()}
            count, t = 0, _generator.uniform(0, self.duration)
            while count < 2:  # another set if parts do not reach
                try:
                    yield self._probe(values, self._drawn(_generator), t=t)
                    count += 1
                except ValueError:
                    values = {n: (v + self.values[n]) / 2 for n, v in values.items()}

    @cached_property
    def start_of_motion(self) -> Probe:
        """Initial state of the motion, with all inputs."""
        return self._probe(self.values, self._state(self.start), "at the start")

    # ---- methods of every kind of answer

    def read(self, answer: Any) -> MachineReading:
        """Return the responses at the probes; raise UnreadableError if there are none."""
        return self._right_reading if answer is self.value else self._tried(answer)

    def _tried(self, answer: Any) -> MachineReading:
        mechanism = read_machine(answer, self.asked)
        responses: list[Response | None] = []
        stuck = None
        try:
            for probe in self.probes:
                responses.append(_response(mechanism, probe))
        except StuckError as error:
            stuck = error
        except ValueError as error:
            raise UnreadableError(f"Your machine cannot be tested: {error}.") from error
        return MachineReading(mechanism, responses, stuck, [*self._anew()])

    def _trial(self, mine: Any, right: Any) -> Trial:
        return Trial(
            self.probes,
            mine,
            right,
            self.start_of_motion,
            self.duration,
            self.units,
            tuple(self.energies),
        )

    def same(self, one: Any, other: Any) -> bool:
        """Return whether two machines agree at all probes, at random ones, and in motion.

        Energies are ignored if the other machine's motion is wrong.
        """
        trial = self._trial(one, other)
        return trial.alike(moving_only=not self._trial(other, self._right_reading).move_alike())

    @cached_property
    def _right_reading(self) -> MachineReading:
        return self._tried(self._pair)

    def findings(self, reading: Any) -> Iterator[Finding]:
        """Yield the sentence of the first test that a machine fails."""
        yield Finding("part", first_difference(self._trial(reading, self._right_reading)))

    def show(self, reading: Any, right: Any) -> str:
        """Return a picture of the outputs of two machines along their motions, as HTML."""
        return both_motions(self._trial(reading, right))


def _response(mechanism: Mechanism, probe: Probe) -> Response | None:
    """Return a response; None at rest in a singularity of the coordinates."""
    try:
        return mechanism.respond(probe)
    except StuckError as error:
        if not (error.singular and probe.rest):
            raise
        return None


def _by_name(value: Any, name: str) -> Mapping[Any, Any]:
    """Return a mapping; reject other objects."""
    if not isinstance(value, Mapping):
        raise TypeError(f'{name} must be a mapping by names, as {{"l": 1.3}}; got {shown(value)}')
    return value
