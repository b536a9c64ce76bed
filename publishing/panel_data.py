"""Data of live simulations and animations, parsed from the outputs of a notebook's cells."""

from __future__ import annotations

import base64
import html
import json
import re
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

_DECODER = json.JSONDecoder()


def panels(page: str) -> Iterator[dict[str, Any]]:
    """Yield the specification of each live simulation in an output."""
    yield from (specification for specification, _ in programs(page))


def programs(page: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield specification and program of each live simulation in an output."""
    if 'class="tutlib-live"' not in page:
        return
    page = html.unescape(page)
    begins = "const specification = " if "const program = " in page else "specification: "
    for part in page.split(begins)[1:]:
        specification, end = _DECODER.raw_decode(part)
        program, _ = _DECODER.raw_decode(part, part.index("{", end))
        yield specification, program


def films(page: str) -> Iterator[dict[str, Any]]:
    """Yield the data of each animation in an output, with positions as arrays."""
    call = 'startPlayer(document.querySelector("main"), '
    if 'class="tutlib-animation"' not in page:
        return
    title = re.search(r'title="Animation: ([^"]*)"', page)
    page = html.unescape(page)
    data = _DECODER.raw_decode(page[page.rindex(call) + len(call) :])[0]
    axes = 3 if "ball" in data else 2
    for motion in data["motions"]:
        motion["positions"] = unpacked(motion, data["frames"], axes)
    yield data | {"description": html.unescape(title[1]) if title else ""}


def unpacked(packed: dict[str, Any], frames: int, axes: int) -> Any:
    """Return positions [m], shape (frames, points, axes), from `panels.drawing.packing`."""
    content = zlib.decompress(base64.b64decode(packed["bytes"]), -zlib.MAX_WBITS)
    folded = np.frombuffer(content, np.uint8).reshape(4, -1).T.copy().view("<u4").astype(np.int64)
    bends = np.where(folded % 2, -(folded + 1) // 2, folded // 2).reshape(-1, frames)
    positions = np.cumsum(np.cumsum(bends, axis=1), axis=1)
    return np.moveaxis(positions * packed["step"], -1, 0).reshape(frames, -1, axes)


def described(page: str) -> Iterator[list[str]]:
    """Yield each panel and animation in an output as lines of text: a title, and its contents."""
    for data in panels(page):
        yield list(_panel(data))
    for data in films(page):
        yield list(_film(data))


def _titled(item: dict[str, Any]) -> str:
    """Return the name of a quantity, with its symbol in parentheses."""
    return f"{item['meaning']} ({item['label']})" if item["meaning"] else str(item["label"])


def _panel(data: dict[str, Any]) -> Iterator[str]:
    yield data["description"]
    yield f'  simulation "{data["name"]}" by "{data["method"]}", step "{data["h"]:.3g}"'
    for slider in data["sliders"]:
        keys = f', keys "{" ".join(slider["keys"])}"' if slider["keys"] else ""
        span = f'"{slider["low"]:.4g} to {slider["high"]:.4g}"'
        yield f'  slider "{_titled(slider)}" "{slider["unit"]}" from {span}{keys}'
    for switch in data["switches"]:
        yield f'  switch "{switch["label"]}", key "{switch["key"]}"'
    for shown in data["readouts"]:
        yield f'  readout "{shown["label"]}" "{shown["unit"]}"'
    for state in data["states"]:
        if "label" in state:
            yield f'  state "{_titled(state)}" "{state["unit"]}"'
    for run in data["runs"]:
        changes = {**run["parameters"], **run["state"]}
        values = "".join(f', {index} is "{value:.7g}"' for index, value in changes.items())
        yield f'  run "{run["label"]}" by "{run.get("method", data["method"])}"{values}'
    if chart := data.get("chart"):
        for side in "xy":
            axis = chart[side]
            span = f'"{axis["low"]:.4g} to {axis["high"]:.4g}"'
            yield f'  map, {side}-axis "{axis["label"]}" "{axis["unit"]}", {span}'
        yield f'  map "{chart["description"]}"'
    yield from _values("begins at", np.array(data["x0"]))
    yield from _values("parameters", np.array([p["value"] for p in data["parameters"]]))


def _film(data: dict[str, Any]) -> Iterator[str]:
    yield data["description"]
    yield f"  film of {data['duration']:.3g} s"
    for motion in data["motions"]:
        for part in (0, data["frames"] // 10):
            yield from _values(f'"{motion["label"]}" at frame {part}', motion["positions"][part])


def _values(name: str, values: Any) -> Iterator[str]:
    shown = np.where(np.abs(values) < 1e-9, 0.0, values).ravel()[:24]
    yield f"  {name}: " + " ".join(f"{value:.3g}" for value in shown)
