"""Description of figures as data: titles, labels, units, and the data of every artist.

A notebook's kernel calls `begin()` before the first cell and `taken()` after each one. Tests
compare the descriptions with the reviewed pictures and with the alt texts.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from matplotlib.contour import ContourSet
from matplotlib.figure import Figure

_taken: list[dict[str, Any]] = []


def begin() -> None:
    """Describe every figure that is shown by `plt.show()`, or saved, from now on."""
    show, save = plt.show, Figure.savefig

    def described_show(*arguments: Any, **options: Any) -> Any:
        _taken.extend(describe(plt.figure(number)) for number in plt.get_fignums())
        return show(*arguments, **options)

    def described_save(figure: Figure, *arguments: Any, **options: Any) -> Any:
        _taken.append({**describe(figure), "saved": True})
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
    figure.draw_without_rendering()  # determines the position of a legend
    return {"title": figure.get_suptitle(), "axes": [describe_axes(ax) for ax in figure.axes]}


def describe_axes(ax: Any) -> dict[str, Any]:
    """Return the labels and artists of one pair of axes."""
    legend = ax.get_legend()
    bars = {bar: _label(group) for group in ax.containers for bar in group.get_children()}
    return {
        "title": ax.get_title(),
        "shown": ax.axison,
        "bar": ax.get_label() == "<colorbar>",  # which has one scale only
        **{
            side: {
                "label": getattr(ax, f"get_{side}label")(),
                "scale": getattr(ax, f"get_{side}scale")(),
                "limits": [rounded(v) for v in getattr(ax, f"get_{side}lim")()],
                "ticks": _named_ticks(getattr(ax, f"{side}axis")),
            }
            for side in "xy"
        },
        "legend": None if legend is None else _legend(legend),
        "covered": [] if legend is None else _covered(legend, ax),
        "artists": [
            *(_line(line) for line in ax.lines),
            *(_collection(drawn) for drawn in ax.collections),
            *(_patch(patch, bars.get(patch, "")) for patch in ax.patches),
            *(_image(image) for image in ax.images),
            *(_text(text) for text in ax.texts),
        ],
    }


def _named_ticks(axis: Any) -> list[str]:
    """Return the tick labels, if they are words instead of numbers."""
    words = axis.get_major_formatter().format_ticks(axis.get_majorticklocs())
    plain = [re.sub(r"\\\w+", "", word) for word in words]
    return words if re.search("[A-Za-z]{2}", " ".join(plain)) else []


def fingerprint(x: Any, y: Any, scale: str = "linear") -> dict[str, Any]:
    """Return a few numbers that characterize a curve: ends, range, and extrema."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    finite = np.isfinite(x) & np.isfinite(y) & ((y > 0) | (scale != "log"))
    numbers: dict[str, Any] = {"points": len(x)}
    x, y = x[finite], y[finite]
    if not len(x):
        return numbers
    height = np.log10(y) if scale == "log" else y
    low, high = height.min(), height.max()
    near = 1e-3 * (high - low)  # the first of nearly equal peaks
    values = {
        "x first": x[0],
        "x last": x[-1],
        "x min": x.min(),
        "x max": x.max(),
        "first": y[0],
        "last": y[-1],
        "min": y.min(),
        "max": y.max(),
        "lowest at": x[np.argmax(height <= low + near)],
        "highest at": x[np.argmax(height >= high - near)],
    }
    quarters = y[np.linspace(0, len(y) - 1, 5).astype(int)]
    spreads = [np.ptp(part) for part in np.array_split(height, 4) if len(part)]
    return {
        **numbers,
        **{name: rounded(value) for name, value in values.items()},
        "quarters": [rounded(value) for value in quarters],
        "spreads": [rounded(value) for value in spreads],
        "turns": _turns(height, max(0.05 * (high - low), 1e-9 * abs(high))),
    }


def _turns(y: Any, size: float) -> int:
    """Return the number of turning points, ignoring changes smaller than a size."""
    count, direction, extreme = 0, 0, y[0]
    for value in y:
        if direction * (value - extreme) >= 0:
            extreme, direction = (
                value,
                direction or int(np.sign(value - y[0]) * (abs(value - y[0]) > size)),
            )
        elif abs(value - extreme) > size:
            count, direction, extreme = count + 1, -direction, value
    return count


def rounded(value: float) -> float | None:
    """Return a number with three significant digits; None if it is not finite."""
    return float(f"{value:.3g}") if np.isfinite(value) else None


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


def _line(line: Any) -> dict[str, Any]:
    data = fingerprint(*line.get_data(orig=False), line.axes.get_yscale())
    return {"kind": "line", "label": _label(line), "data": data, **_look(line)}


def _collection(drawn: Any) -> dict[str, Any]:
    kind = type(drawn).__name__
    offsets = np.ma.getdata(drawn.get_offsets())
    paths = [path.vertices for path in drawn.get_paths() if len(path.vertices)]
    description: dict[str, Any] = {"kind": kind, "label": _label(drawn)}
    if isinstance(drawn, ContourSet):
        description["levels"] = [rounded(v) for v in drawn.levels]
    description["color"] = [to_hex(c) for c in [*drawn.get_edgecolor(), *drawn.get_facecolor()][:6]]
    scattered = not isinstance(drawn, ContourSet) and len(offsets) > 1
    points = offsets if scattered else np.concatenate([*paths, np.zeros((0, 2))])
    return {**description, "data": fingerprint(*points.T)}


def _patch(patch: Any, group: str) -> dict[str, Any]:
    points = patch.get_patch_transform().transform(patch.get_path().vertices)
    kind, label = type(patch).__name__, _label(patch) or group
    color = to_hex(patch.get_facecolor())
    return {"kind": kind, "label": label, "color": color, "data": fingerprint(*points.T)}


def _image(image: Any) -> dict[str, Any]:
    values = np.ma.filled(np.ma.asarray(image.get_array(), dtype=float), np.nan)
    data = fingerprint(np.arange(values.size), values.ravel())
    extent = [rounded(v) for v in image.get_extent()]
    return {"kind": "image", "label": _label(image), "extent": extent, "data": data}


def _text(text: Any) -> dict[str, Any]:
    description = {"kind": "text", "label": text.get_text()}
    points = [getattr(text, "xy", text.get_position()), text.get_position()]
    description["at"] = [[rounded(float(v)) for v in point] for point in points]
    return {**description, "arrow": getattr(text, "arrow_patch", None) is not None}


def _legend(legend: Any) -> dict[str, Any]:
    entries = zip(legend.get_texts(), legend.legend_handles)
    return {
        "title": legend.get_title().get_text(),
        "entries": [{"label": text.get_text(), **_handle(handle)} for text, handle in entries],
    }


def _covered(legend: Any, ax: Any) -> list[str]:
    """Return the names of lines and markers below a legend."""
    box, frame = legend.get_window_extent(), ax.get_window_extent()
    if box.ymin >= frame.ymax - 1 or box.ymax <= frame.ymin + 1:
        return []
    names = []
    for drawn in [*ax.lines, *ax.collections]:
        paths = drawn.get_paths() if hasattr(drawn, "get_paths") else [drawn.get_path()]
        moved = drawn.get_transform()
        if hasattr(drawn, "get_paths") and len(drawn.get_offsets()) > 1:
            points = ax.transData.transform(drawn.get_offsets())
            if any(box.contains(*point) for point in points):
                names.append(_label(drawn) or "unnamed")
        elif any(path.transformed(moved).intersects_bbox(box, filled=False) for path in paths):
            names.append(_label(drawn) or "unnamed")
    return names


def _handle(handle: Any) -> dict[str, Any]:
    if hasattr(handle, "get_marker"):
        return _look(handle)
    return {"color": to_hex(handle.get_facecolor())}
