"""Table of results, with HTML headers for screen readers and aligned columns in plain text.

The chapters show their measured numbers with it.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from straightline.arguments import several, shown


@dataclass(frozen=True)
class Table:
    """Rows of texts or numbers under a header; the first cell of each row names it.

    Parameters
    ----------
    header : sequence of str
        Titles of the columns, with the unit.
    rows : sequence of sequences
        The cells, as many in each row as in the header; numbers are already formatted.

    Raises
    ------
    TypeError
        If the header or a row is not a list.
    ValueError
        If a row does not have the length of the header.
    """

    header: Sequence[Any]
    rows: Sequence[Sequence[Any]]

    def __post_init__(self) -> None:
        """Reject rows that do not fit the header."""
        several(self.header, "header", str)
        for row in several(self.rows, "rows", lambda row: several(row, "a row", str)):
            if len(row) != len(self.header):
                raise ValueError(
                    f"the header has {len(self.header)} columns; got a row {shown(row)}"
                )

    def __repr__(self) -> str:
        """Return the table as lines of text with aligned columns."""
        lines = [[str(cell) for cell in line] for line in (self.header, *self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines)]
        return "\n".join(
            "  ".join(
                cell.ljust(width) if i == 0 else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(line, widths))
            ).rstrip()
            for line in lines
        )

    def _repr_html_(self) -> str:
        further = [_kind(column) for column in zip(*self.rows)][1:]
        columns = ["", *(further or [""] * (len(self.header) - 1))]
        head = "".join(
            f'<th scope="col"{kind}>{_text(cell)}</th>' for kind, cell in zip(columns, self.header)
        )
        body = "\n".join(
            f'<tr><th scope="row">{_text(first)}</th>'
            + "".join(f"<td{kind}>{_text(cell)}</td>" for kind, cell in zip(columns[1:], cells))
            + "</tr>"
            for first, *cells in self.rows
        )
        return (
            f'<table class="table tutlib-table">\n<thead><tr>{head}</tr></thead>\n'
            f"<tbody>\n{body}\n</tbody>\n</table>"
        )


def _kind(column: Sequence[object]) -> str:
    """Return the HTML class of a column; a column with a sentence is set as text."""
    left = ' class="words" style="text-align: left"'  # JupyterLab sets tables as numbers
    return left if any(len(str(cell).split()) > 3 for cell in column) else ""


def _text(cell: object) -> str:
    return html.escape(str(cell))
