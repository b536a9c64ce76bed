"""Description of figures as data: labels, ticks, and the look of every line.

A notebook's kernel calls `begin()` before the first cell and `taken()` after each one. Tests
apply rules to the descriptions.
"""

from __future__ import annotations

import re
from typing import Any

from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

_taken: list[dict[str, Any]] = []


def begin() -> None:
    """Describe every figure that is shown by `plt.show()`, or saved, from now on."""
    show, save = plt.show, Figure.savefig

    def described_show(*arguments: Any, **options: Any) -> Any:
        _taken.extend(describe(plt.figure(number)) for number in plt.get_fignums())
        return show(*arguments, **options)

    def described_save(figure: Figure, *arguments: Any, **options: Any) -> Any:
        _taken.append(describe(figure))
        return save(figure, *arguments, **options)

    plt.show = described_show
    Figure.savefig = described_save  # type: ignore[method-assign]


def taken() -> list[dict[str, Any]]:
    """Return and forget the descriptions of the figures shown since the last call."""
    descriptions = list(_taken)
    _taken.clear()
    return descriptions


def describe(figure: Any) -> dict[str, Any]:
    """Return a figure's axes as plain data."""
    figure.draw_without_rendering()  # a layout with equal scales needs a second pass
    return {"axes": [describe_axes(ax) for ax in figure.axes]}


def describe_axes(ax: Any) -> dict[str, Any]:
    """Return the labels and lines of one pair of axes."""
    return {
        "shown": ax.axison,
        "bar": ax.get_label() == "<colorbar>",  # which has one scale only
        **{
            side: {
                "label": getattr(ax, f"get_{side}label")(),
                "limits": [float(f"{v:.3g}") for v in getattr(ax, f"get_{side}lim")()],
                "ticks": _named_ticks(getattr(ax, f"{side}axis")),
            }
            for side in "xy"
        },
        "lines": [{"label": _label(line), **_look(line)} for line in ax.lines],
    }


def _named_ticks(axis: Any) -> list[str]:
    """Return the tick labels, if they are words instead of numbers."""
    words = axis.get_major_formatter().format_ticks(axis.get_majorticklocs())
    plain = [re.sub(r"\\\w+", "", word) for word in words]
    return words if re.search("[A-Za-z]{2}", " ".join(plain)) else []


def _label(artist: Any) -> str:
    label = str(artist.get_label())
    return "" if label.startswith("_") else label


def _look(line: Any) -> dict[str, Any]:
    return {
        "color": to_hex(line.get_color()),
        "line": line.get_linestyle(),
        "dashes": str(getattr(line, "_dash_pattern", "")),
        "marker": str(line.get_marker() or ""),
    }
