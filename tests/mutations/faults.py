"""Faults as data: a place, what stands there, what a slip would make of it, and the test for it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import nbformat

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Fault:
    """One replacement in one file.

    Parameters
    ----------
    name : str
        What is wrong then, in a few words.
    file : str
        From the project's root.
    before, after : str
        The text, which stands in the file exactly once, and what replaces it.
    test : str
        The test, or the file of tests, that must fail.
    cell : str
        In a notebook: the id of the cell whose source is changed.
    alt : bool
        Change the description of the cell's picture instead of its source.
    """

    name: str
    file: str
    before: str
    after: str
    test: str
    cell: str = ""
    alt: bool = False

    def changed(self, text: str) -> str:
        """Return the file's text with the fault in it.

        Raises
        ------
        ValueError
            If the text that is to be replaced does not stand there exactly once.
        """
        if not self.cell:
            return self.replaced(text)
        notebook = nbformat.reads(text, as_version=4)
        cells = [cell for cell in notebook.cells if cell.id == self.cell]
        if len(cells) != 1:
            raise ValueError(f"{self.name}: {self.file} has no cell {self.cell}")
        if self.alt:
            image = cells[0].metadata["mystnb"]["image"]
            image["alt"] = self.replaced(image["alt"])
        else:
            cells[0].source = self.replaced(cells[0].source)
        return str(nbformat.writes(notebook, indent=1, sort_keys=True)) + "\n"

    def replaced(self, text: str) -> str:
        if text.count(self.before) != 1 or self.before == self.after:
            raise ValueError(f"{self.name}: {self.before!r} must stand once in {self.file}")
        return text.replace(self.before, self.after)


def all_faults() -> list[Fault]:
    """Return every fault, by the files that list them: above all, a file may name their test."""
    found = []
    for path in sorted(HERE.glob("*.toml")):
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        faults = tables.pop("fault")
        found += [Fault(**(tables | fault)) for fault in faults]
    return found
