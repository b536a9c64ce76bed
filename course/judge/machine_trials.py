"""Comparison of two machines by a sequence of tests, up to the first difference.

The tests go from the positions that a machine can reach to its motion. Used by exercises that ask
for a whole machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from course.judge.mechanisms import Mechanism
from course.judge.probes import Probe, Response, StuckError, amount
from straightline.aliases import Array
from tutlib.mechanics.modes import modes_in_words
from tutlib.methods.trajectory import SimulationError
from tutlib.reading.names import agree, listed

#: Relative tolerance of accelerations and energies, and of motions.
_NEAR = 1e-7
_NEAR_ALONG = 1e-6
_FRAMES = 121
_TYPED_IN = "Does it contain a number instead of a symbol?"


@dataclass(frozen=True, eq=False)
class MachineReading:
    """A machine, and its responses at the probes.

    Parameters
    ----------
    mechanism : Mechanism
    responses : list of Response or None
        The response at each probe, up to the first where the machine is stuck; None where it rests
        in a singularity of its coordinates.
    stuck : StuckError or None
        The reason why it is stuck.
    drawn : list of Probe
        Random further probes, in pairs with the same parameter values.
    """

    mechanism: Mechanism
    responses: list[Response | None]
    stuck: StuckError | None
    drawn: list[Probe] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Trial:
    """A reader's machine and the right one, for a comparison.

    Parameters
    ----------
    probes : list of Probe
    mine, right : MachineReading
    start : Probe
        Initial state of the motion.
    duration : float
        Duration of the motion [s].
    units : mapping from name to str
    energies : tuple of str
        Outputs that are right up to a constant.
    """

    probes: list[Probe]
    mine: MachineReading
    right: MachineReading
    start: Probe
    duration: float
    units: Mapping[str, str]
    energies: tuple[str, ...]

    @property
    def pairs(self) -> list[tuple[Probe, Response, Response]]:
        """Each probe with both responses, where both exist."""
        every = zip(self.probes, self.mine.responses, self.right.responses)
        return [(probe, mine, right) for probe, mine, right in every if mine and right]

    @cached_property
    def anew(self) -> list[list[tuple[Probe, Response, Response]]]:
        """Random probes with both responses, in pairs with the same parameter values.

        Raises
        ------
        StuckError
            If one of the machines cannot reach the state.
        """
        mine, right = self.mine.mechanism, self.right.mechanism
        triples = [(probe, mine.respond(probe), right.respond(probe)) for probe in self.mine.drawn]
        return [list(pair) for pair in zip(triples[::2], triples[1::2])]

    @cached_property
    def motions(self) -> tuple[dict[str, Array], dict[str, Array]]:
        """The outputs along both motions, by name, and ``time`` [s].

        Raises
        ------
        StuckError, SimulationError
            If there is no motion.
        """
        mine, right = (self._motion(reading.mechanism) for reading in (self.mine, self.right))
        return mine, right

    def _motion(self, mechanism: Mechanism) -> dict[str, Array]:
        times = np.linspace(0, self.duration, _FRAMES)
        run = mechanism.motion(self.start, times)
        return {"time": times, **mechanism.outputs(self.start, run)}

    def offsets(self, pairs: list[tuple[Probe, Response, Response]]) -> Array:
        """Return the constants to add to the other outputs, for energies."""
        free = np.array([name in self.energies for name in self.mine.mechanism.others], float)
        return free * (pairs[0][2].others - pairs[0][1].others) if pairs else free

    def alike(self, moving_only: bool = False) -> bool:
        """Return whether no test finds a difference.

        Parameters
        ----------
        moving_only : bool
            Whether energies and other outputs may differ.
        """
        if not self.move_alike() or not (moving_only or self._others_alike(self.pairs)):
            return False
        if self.mine.stuck:
            return True
        try:
            anew = all(_alike(p) and (moving_only or self._others_alike(p)) for p in self.anew)
            return anew and (moving_only or not _motion(self))
        except (StuckError, SimulationError):
            return False

    def move_alike(self) -> bool:
        """Return whether accelerations agree at the probes that both can reach."""
        mine, right = self.mine, self.right
        same = mine.mechanism.degrees == right.mechanism.degrees and _equally_stuck(mine, right)
        return same and _alike(self.pairs)

    def _others_alike(self, pairs: list[tuple[Probe, Response, Response]]) -> bool:
        offsets = self.offsets(pairs)
        return all(near(mine.others + offsets, right.others) for _, mine, right in pairs)

    # ---- sentences

    def quantity(self, name: str, value: float, per: str = "", digits: int = 3) -> str:
        """Return a number with its unit, such as 0.3 m/s²."""
        return amount(value, self.units.get(name, ""), per, digits)

    def both(self, name: str, mine: float, right: float, per: str = "") -> tuple[str, str]:
        """Return two numbers with units, with enough digits to differ."""
        for digits in (3, 6, 12):
            texts = [self.quantity(name, v, per, digits) for v in (mine, right)]
            if texts[0] != texts[1]:
                break
        return texts[0], texts[1]

    def accelerations(self, mine: Response, right: Response) -> str:
        """Return a phrase on the acceleration that differs most."""
        off = np.abs(mine.accelerations - right.accelerations)
        i = int(np.argmax(off))
        name = [*self.mine.mechanism.positions][i]
        pair = self.both(name, mine.accelerations[i], right.accelerations[i], "/s²")
        return f"the initial acceleration of {name} should be {pair[1]}, but yours is {pair[0]}"


def _alike(pairs: list[tuple[Probe, Response, Response]]) -> bool:
    return all(near(mine.accelerations, right.accelerations) for _, mine, right in pairs)


def near(values: Array, right: Array) -> bool:
    """Return whether two arrays agree, relative to their largest entry."""
    size = max(1.0, float(np.abs(right).max(initial=0.0)))
    return bool(np.all(np.abs(values - right) <= _NEAR * size))


def _equally_stuck(mine: MachineReading, right: MachineReading) -> bool:
    if not (mine.stuck and right.stuck):
        return not mine.stuck and not right.stuck
    counts = len(mine.responses) == len(right.responses)
    return (
        counts
        and mine.stuck.singular == right.stuck.singular
        and bool(np.allclose(mine.stuck.nearest, right.stuck.nearest, atol=1e-6))
    )


# ---- the tests, in order


def first_difference(trial: Trial) -> str:
    """Return the sentence of the first test that finds a difference; empty if none does."""
    sentence = next(filter(None, (test(trial) for test in TESTS)), "")
    return f"{sentence} {_missing(trial)}".strip() if sentence else ""


def _degrees(trial: Trial) -> str:
    mine, right = (r.mechanism for r in (trial.mine, trial.right))
    if mine.degrees == right.degrees:
        return ""
    speeds, held = mine.speeds, mine.speeds - mine.degrees
    counted = f"{speeds} {agree(range(speeds), 'speed', 'speeds')}, "
    counted += f"{held or 'no'} {agree(range(held), 'constraint', 'constraints')}"
    more = mine.degrees > right.degrees
    return (
        f"Your machine has {_counted(mine.degrees)} ({counted}), but it should have "
        f"{_counted(right.degrees)}. "
        + (
            "What relates your coordinates? Add it as a constraint, with ConstrainedEquations."
            if more
            else "What else can move?"
        )
    )


def _counted(degrees: int) -> str:
    return f"{degrees} {agree(range(degrees), 'degree', 'degrees')} of freedom"


def _reach(trial: Trial) -> str:
    return str(trial.mine.stuck or "")


def _rest(trial: Trial) -> str:
    for probe, mine, right in trial.pairs:
        if probe.rest and not near(mine.accelerations, right.accelerations):
            return (
                f"{probe.begun} the machine should be at rest, but yours is not: "
                f"{_largest(trial, mine.accelerations)}."
            )
    return ""


def _largest(trial: Trial, accelerations: Array) -> str:
    i = int(np.argmax(np.abs(accelerations)))
    name = [*trial.mine.mechanism.positions][i]
    acceleration = trial.quantity(name, accelerations[i], "/s²")
    return f"the initial acceleration of {name} is {acceleration}"


def _small_motions(trial: Trial) -> str:
    for probe, mine, right in trial.pairs:
        if not probe.rest:
            continue
        try:
            eigenvalues = trial.mine.mechanism.small_motions(probe, mine.x)
            right_eigenvalues = trial.right.mechanism.small_motions(probe, right.x)
        except ValueError:
            continue  # singular coordinates: the other tests use other states
        size = max(float(np.abs(right_eigenvalues).max()), 1e-9)
        if not np.allclose(
            np.poly(eigenvalues / size), np.poly(right_eigenvalues / size), atol=1e-6
        ):
            return (
                f"It rests where it should ({probe.where}). After a small displacement, the right "
                f"machine {_modes_in_words(right_eigenvalues, eigenvalues)}"
            )
    return ""


def _modes_in_words(right: Array, mine: Array) -> str:
    """Return both modes in words, with enough digits to differ, and a question about damping."""
    for digits in (4, 7):
        pair = [modes_in_words(values, digits) for values in (right, mine)]
        if pair[0] != pair[1]:
            break
    dies = ["dying out" in modes for modes in pair]
    whose = {(False, True): "yours", (True, False): "the right one"}.get((dies[0], dies[1]))
    return f"{pair[0]}, and yours {pair[1]}.{f' What damps {whose}?' if whose else ''}"


def _others(trial: Trial) -> str:
    """Compare energies and other outputs with speeds: first at rest, then in motion."""
    offsets, names = trial.offsets(trial.pairs), [*trial.mine.mechanism.others]
    for still in (True, False):
        for probe, mine, right in trial.pairs:
            off = np.abs(mine.others + offsets - right.others)
            if probe.still != still or near(mine.others + offsets, right.others):
                continue
            i = int(np.argmax(off))
            return _of_other(
                trial, names[i], probe, float((mine.others + offsets)[i]), float(right.others[i])
            )
    return ""


def _of_other(trial: Trial, name: str, probe: Probe, mine: float, right: float) -> str:
    if name not in trial.energies:
        pair = trial.both(name, mine, right)
        return f"{probe.begun} {name} should be {pair[1]}, but yours is {pair[0]}."
    first, base = (
        trial.pairs[0][0],
        float(trial.pairs[0][2].others[[*trial.mine.mechanism.others].index(name)]),
    )
    pair = trial.both(name, mine - base, right - base)
    part = (
        "Nothing moves in either state, so the potential energy is wrong"
        if probe.still
        else "It is right at rest, so the kinetic energy is wrong"
    )
    return (
        f"{name} should rise by {pair[1]} from the first of two states ({first.where}) to the "
        f"second ({probe.where}), but yours rises by {pair[0]}. {part}."
    )


def _accelerations(trial: Trial) -> str:
    """Compare accelerations: at rest, with one input, and in motion."""
    inputs = trial.right.mechanism.inputs
    for probe, mine, right in trial.pairs:
        if near(mine.accelerations, right.accelerations):
            continue
        sentence = trial.accelerations(mine, right)
        pushed = [name for name in inputs if probe.values[name]]
        if pushed:
            value = trial.quantity(pushed[0], probe.values[pushed[0]])
            return (
                f"At rest and without inputs it is right. With only {pushed[0]} = {value}, "
                f"{probe.where}, {sentence}. What does {pushed[0]} act on?"
            )
        if probe.still:
            return f"Released {probe.where}, {sentence}. Is the inertia wrong, or a force?"
        return (
            f"At rest it is right. {probe.begun} {sentence}. Look at the terms that contain speeds."
        )
    return ""


def _anew(trial: Trial) -> str:
    """Compare with other parameter values, and with all inputs."""
    try:
        pairs = trial.anew
    except StuckError as error:
        return f"With other values of the parameters: {error} {_TYPED_IN}"
    for pair in pairs:
        offsets = trial.offsets(pair)
        for probe, mine, right in pair:
            values = listed([f"{n} = {trial.quantity(n, v)}" for n, v in probe.values.items()])
            if not near(mine.accelerations, right.accelerations):
                sentence = trial.accelerations(mine, right)
                wrong = f"With other values, {values}, it is wrong: {probe.where}, {sentence}."
                return f"{wrong} {_TYPED_IN}"
            if not near(mine.others + offsets, right.others):
                i = int(np.argmax(np.abs(mine.others + offsets - right.others)))
                name = [*trial.mine.mechanism.others][i]
                return f"With other values, {values}, {name} is wrong {probe.where}."
    return ""


def _motion(trial: Trial) -> str:
    """Compare the outputs along the motion."""
    try:
        mine, right = trial.motions
    except (StuckError, SimulationError) as error:
        return f"Its motion cannot be computed: {error}"
    for name, along in right.items():
        off = mine[name] - along
        if name in trial.energies:
            off = off - off[0]
        if trial.units.get(name) == "rad":
            off = (off + np.pi) % (2 * np.pi) - np.pi
        wrong = np.flatnonzero(~(np.abs(off) <= _NEAR_ALONG * max(1.0, np.abs(along).max())))
        if wrong.size:
            k, worst = int(wrong[0]), int(np.argmax(np.abs(off)))
            pair = trial.both(name, along[worst] + off[worst], along[worst])
            return (
                f"It starts correctly and departs from the right motion at {mine['time'][k]:.2g} "
                f"s: at {mine['time'][worst]:.2g} s, {name} should be {pair[1]}, but yours is "
                f"{pair[0]}."
            )
    return ""


def _missing(trial: Trial) -> str:
    """Return a sentence on symbols that the wrong machine lacks although they affect motion."""
    right, lacking = trial.right.mechanism, []
    for name in sorted(right.names - trial.mine.mechanism.names):
        probe = replace(trial.probes[-1], values=trial.start.values)  # in motion, with inputs
        changed = replace(probe, values={**probe.values, name: 1.3 * probe.values[name]})
        here, there = (right.moved(p, probe.x) for p in (probe, changed))
        if not near(here.accelerations, there.accelerations):
            lacking.append(name)
    return f"Nothing in it depends on {listed(lacking)}." if lacking else ""


#: Tests that return a sentence if they find a difference.
TESTS: tuple[Callable[[Trial], str], ...] = (
    _degrees,
    _reach,
    _rest,
    _small_motions,
    _others,
    _accelerations,
    _anew,
    _motion,
)
