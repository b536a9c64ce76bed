"""Results of a verification: a rung for each check, with a sentence, and curves if it failed."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from panels.drawing.inline import figure_as_html
from straightline.aliases import Array
from tutlib.plots.plotting import legend_above, new_axes
from tutlib.plots.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: The words for the outcome of a rung.
MARKS = {True: "passed", False: "FAILED", None: "not asked"}
_STYLES = ("-", "--", ":", "-.")
_WIDTH = 80


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves that should coincide, or behave as a sentence says.

    Parameters
    ----------
    x, y : str
        Labels of the axes, with units.
    lines : mapping from label to (array, array)
    logarithmic : bool
        Whether both axes are.
    """

    x: str
    y: str
    lines: Mapping[str, tuple[Array, Array]]
    logarithmic: bool = False

    def draw(self) -> Axes:
        """Return axes with the curves."""
        ax: Axes = new_axes(self.x, self.y)
        for style, (label, (x, values)) in zip(_STYLES * len(self.lines), self.lines.items()):
            ax.plot(x, values, style, marker="", label=label)
        if self.logarithmic:
            ax.set(xscale="log", yscale="log")
        legend_above(ax)
        return ax


@dataclass(frozen=True, eq=False)
class Rung:
    """One check of the ladder, and its result.

    Parameters
    ----------
    name : str
    passed : bool or None
        None if the check did not apply; the sentence says why.
    sentence : str
        With the numbers, and the symbol or coordinate at fault.
    curves : Curves, optional
        Of a failed check: what differs.
    """

    name: str
    passed: bool | None
    sentence: str
    curves: Curves | None = field(default=None, repr=False)

    def show(self) -> Axes:
        """Draw the curves of a failed check.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ValueError
            If there are no curves.
        """
        if self.curves is None:
            raise ValueError(f"{self.name}: {MARKS[self.passed]}, and there are no curves to draw")
        return self.curves.draw()


@dataclass(frozen=True, eq=False)
class Verification:
    """The results of all checks of one machine; print it.

    Parameters
    ----------
    name : str
        Of the machine.
    rungs : tuple of Rung
        In the order of the ladder.
    """

    name: str
    rungs: tuple[Rung, ...]

    @property
    def passed(self) -> bool:
        """Whether no rung failed."""
        return self.failed is None

    @property
    def failed(self) -> Rung | None:
        """The first rung that failed, which is the one to fix first; None if all passed."""
        return next((rung for rung in self.rungs if rung.passed is False), None)

    def __bool__(self) -> bool:
        """Whether no rung failed."""
        return self.passed

    def __getitem__(self, name: str) -> Rung:
        """Return a rung by its name."""
        for rung in self.rungs:
            if rung.name == name:
                return rung
        names = ", ".join(rung.name for rung in self.rungs)
        raise KeyError(f"there is no rung {name!r}; there are {names}")

    @property
    def summary(self) -> str:
        """One sentence that counts the checks and names the first that failed."""
        counts = {mark: sum(r.passed is mark for r in self.rungs) for mark in MARKS}
        sentence = f"{self.name}: {counts[True]} of {len(self.rungs)} checks passed"
        sentence += f", {counts[None]} did not apply" if counts[None] else ""
        if self.failed:
            return f"{sentence}, {counts[False]} failed, the first of them {self.failed.name}."
        return f"{sentence}."

    def __repr__(self) -> str:
        """Return the table as text."""
        outcome_column = max(len(rung.name) for rung in self.rungs) + 2
        sentence_column = outcome_column + max(map(len, MARKS.values())) + 2
        lines = []
        for rung in self.rungs:
            head = rung.name.ljust(outcome_column) + MARKS[rung.passed].ljust(
                sentence_column - outcome_column
            )
            wrapped = textwrap.wrap(rung.sentence, _WIDTH - sentence_column)
            lines += [
                (head if k == 0 else " " * sentence_column) + line for k, line in enumerate(wrapped)
            ]
        return "\n".join([*lines, "", *textwrap.wrap(self.summary, _WIDTH)])

    def _repr_html_(self) -> str:
        rows = [(r.name, MARKS[r.passed], r.sentence) for r in self.rungs]
        table = Table(("check", "outcome", "what was found"), rows)._repr_html_()
        pictures = []
        for rung in self.rungs:
            if rung.passed is False and rung.curves is not None:
                alt = f"{rung.name}: {', '.join(rung.curves.lines)}. {rung.sentence}"
                pictures.append(figure_as_html(rung.show().figure, alt))
        return "\n".join([table, f"<p>{self.summary}</p>", *pictures])
