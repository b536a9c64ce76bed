"""A machine of one's own to model, verify and report: its task, its numbers, its staged checks.

They end the course, and are in `course.capstones`. A variant, given by a number, draws other
lengths and masses, and the checks follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from course.judge import Exercise, Misconception
from course.judge.exercise import Answer
from panels import sketch
from panels.sketches.diagram import Sketch
from straightline.arguments import instance, path_of, shown, whole_number
from tutlib.models import Model
from tutlib.plots import Table
from tutlib.reading.files import write_whole
from tutlib.reading.names import listed

#: Parts of a report, the points of each, and what earns them.
RUBRIC = (
    (
        "model",
        20,
        "all moving parts are described; coordinates, signs, and forces are drawn; every "
        "simplification is justified",
    ),
    (
        "verification",
        30,
        "the equations are derived in two ways; limits and invariants are predicted; each "
        "check states which mistake it would detect",
    ),
    ("numerics", 20, "the method is suitable; its order is measured; each number has an error"),
    ("results", 20, "the questions are answered, and a limit or a hand calculation agrees"),
    (
        "communication",
        10,
        "a page that a colleague can follow; figures with units; a panel that makes the "
        "point; remaining doubts",
    ),
)

#: How far from its own value a variant draws a constant, as a share.
_SPREAD = 0.12
_MOST = 99_999


@dataclass(frozen=True)
class Constant:
    """A number that a task gives.

    Parameters
    ----------
    name : str
        Of its symbol.
    meaning : str
    unit : str
        Empty if it has none.
    value : float
        That of variant 0.
    drawn : bool
        Whether other variants have others.
    """

    name: str
    meaning: str
    unit: str
    value: float
    drawn: bool = True


@dataclass(frozen=True)
class Stage:
    """A question of a capstone.

    Parameters
    ----------
    title : str
        What it asks for.
    task : str
        The prompt, as Markdown.
    answer : function (values) -> Answer
        The right answer for the values of a variant, by their names.
    misconceptions : function (values) -> sequence of Misconception
        The wrong ones.
    lesson : str
        What follows a right answer.
    """

    title: str
    task: str
    answer: Callable[[Mapping[str, float]], Answer]
    misconceptions: Callable[[Mapping[str, float]], Sequence[Misconception]]
    lesson: str


@dataclass(frozen=True)
class Capstone:
    """A machine to choose.

    Parameters
    ----------
    name : str
        As in ``python -m course start NAME``.
    title : str
    task : str
        What the machine is and does, as Markdown.
    constants : sequence of Constant
    model : function () -> Model
        A right one.
    pose : mapping from coordinate's name to float
        Where it is drawn; all others are zero.
    stages : sequence of Stage
        The questions, in their order.
    chapters : sequence of str
        Notebooks that it builds on, such as ``"05-kane"``.
    axes : pair of str
        What the axes of its sketch are called.
    secrets : sequence of Constant
        Constants of the machine that the task does not give, because measurements determine them.
    files : function (values) -> mapping from name to text
        Files of measurements, as CSV text, for the values of all constants.
    """

    name: str
    title: str
    task: str
    constants: Sequence[Constant]
    model: Callable[[], Model]
    pose: Mapping[str, float]
    stages: Sequence[Stage]
    chapters: Sequence[str] = ()
    axes: Sequence[str] = ("x", "y")
    secrets: Sequence[Constant] = ()
    files: Callable[[Mapping[str, float]], Mapping[str, str]] | None = None


@dataclass(frozen=True)
class Assignment:
    """A capstone with the numbers of one variant.

    Parameters
    ----------
    capstone : Capstone
    variant : int
        From 0; each has numbers of its own, the same on every computer.

    Raises
    ------
    TypeError
        If one is none.
    ValueError
        If the variant is negative or too large.
    """

    capstone: Capstone
    variant: int = 0
    _exercises: dict[int, Exercise] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        instance(self.capstone, "capstone", Capstone)
        object.__setattr__(self, "variant", whole_number(self.variant, "variant", 0, _MOST))

    def __repr__(self) -> str:
        return f"capstone({self.capstone.name!r}, variant={self.variant})"

    @cached_property
    def truth(self) -> dict[str, float]:
        """The values of all constants by their names, in SI units, with those that are secret."""
        random = Random(f"{self.capstone.name} {self.variant}")  # the same on every computer
        values = {}
        for constant in (*self.capstone.constants, *self.capstone.secrets):
            share, value = random.uniform(1 - _SPREAD, 1 + _SPREAD), constant.value
            drawn = self.variant and constant.drawn
            values[constant.name] = float(f"{value * share:.3g}") if drawn else value
        return values

    @property
    def values(self) -> dict[str, float]:
        """The values of the constants that the task gives, by their names, in SI units."""
        return {constant.name: self.truth[constant.name] for constant in self.capstone.constants}

    @property
    def names(self) -> dict[str, str]:
        """What the constants mean, by their names, as a `Model` takes it."""
        return {c.name: c.meaning for c in (*self.capstone.constants, *self.capstone.secrets)}

    @property
    def units(self) -> dict[str, str]:
        """The constants' units by their names, as a `Model` takes them."""
        return {c.name: c.unit for c in (*self.capstone.constants, *self.capstone.secrets)}

    @property
    def constants(self) -> Table:
        """The constants as a table."""
        rows = [
            (c.name, c.meaning, f"{self.values[c.name]:.9g}", c.unit or "–")
            for c in self.capstone.constants
        ]
        return Table(("symbol", "what it is", "value", "unit"), rows)

    def sketch(self) -> Sketch:
        """Draw the machine with its labels, to the scale of its lengths."""
        model = self.capstone.model()
        known = {str(symbol) for symbol in model.parameters}
        model = model.with_parameters({n: v for n, v in self.truth.items() if n in known})
        names = [str(q.func) for q in model.equations.q]
        pose = [self.capstone.pose.get(name, 0.0) for name in names]
        return sketch(model, pose, axes=self.capstone.axes)

    def file(self, name: str, folder: str | Path = ".") -> Path:
        """Write a file of measurements, unless it exists, and return its path.

        Parameters
        ----------
        name : str
            Such as ``"fit"``.
        folder : path
            An existing folder.

        Raises
        ------
        OSError
            If the folder is not writable.
        ValueError
            If there is no such file; it lists those that there are.
        """
        if name not in self.files:
            raise ValueError(f"no file {shown(name)}; there are {listed([*self.files]) or 'none'}")
        stem = f"{self.capstone.name}-{self.variant}" if self.variant else self.capstone.name
        path = path_of(folder, "folder", "work") / f"{stem}-{name}.csv"
        if not path.exists():
            write_whole(path, self.files[name].encode())
        return path

    @cached_property
    def files(self) -> Mapping[str, str]:
        """The texts of the files of measurements, by their names."""
        make = self.capstone.files
        return make(self.truth) if make else {}

    def stage(self, number: int) -> Exercise:
        """Return a question with the numbers of the variant, for `check`.

        Parameters
        ----------
        number : int
            From 1.

        Raises
        ------
        TypeError, ValueError
            If there is no such stage; it names those that there are.
        """
        stages = self.capstone.stages
        if not 1 <= whole_number(number, "number") <= len(stages):
            titles = listed([f"{k} ({one.title.lower()})" for k, one in enumerate(stages, 1)])
            raise ValueError(f"there is no stage {shown(number)}; there are {titles}")
        if number not in self._exercises:
            self._exercises[number] = self._exercise(number, stages[number - 1])
        return self._exercises[number]

    def _exercise(self, number: int, stage: Stage) -> Exercise:
        return Exercise(
            name=f"{self.capstone.name}-{number}",
            answer=stage.answer(self.truth),
            misconceptions=tuple(stage.misconceptions(self.truth)),
            section="",
            lesson=stage.lesson,
        )


def chosen(capstones: Mapping[str, Any], name: str, variant: int = 0) -> Assignment:
    """Return a capstone with the numbers of a variant.

    Parameters
    ----------
    capstones : mapping from name to Capstone
    name : str
    variant : int

    Raises
    ------
    TypeError
        If one is of another type.
    ValueError
        If there is no such capstone or variant; it names those that there are.
    """
    if instance(name, "name", str, 'such as "slider-crank"') not in capstones:
        raise ValueError(f"no capstone {name!r}; there are {', '.join(capstones)}")
    return Assignment(capstones[name], variant)
