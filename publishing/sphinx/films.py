"""First animation or simulation of a page, as positions, for the map's thumbnails and for pictures.

Animations contain positions; the first seconds of a live simulation are computed here, with the
same bytes as in the page.
"""

from __future__ import annotations

import base64
import html
import json
import re
import zlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from panels.drawing.packing import packed_positions
from panels.drawing.space import ball_around, camera_coordinates

FRAME = re.compile(r'(?s)<iframe class="tutlib-(animation|live)".*?</iframe>')
FILM = re.compile(r'^await startPlayer\(document\.querySelector\("main"\), (.*)\);$', re.MULTILINE)
#: Simulated time, and about the time between stored positions [s].
SECONDS, STEP = 8.0, 1 / 60
#: Frame rate of a thumbnail, and number of grid steps across it.
RATE, GRID = 30, 2**10


@dataclass(frozen=True)
class Film:
    """Motion as its page draws it.

    Parameters
    ----------
    description : str
    duration : float
        Duration [s].
    motions : tuple of array, each of shape (frames, points, 2) or (frames, points, 3)
    ghosts : tuple of bool
        Which motions are faint.
    look : dict
        Further data for the drawing scripts: ``box``, ``skeleton``, and in space ``ball``,
        ``down``, and ``follow``.
    """

    description: str
    duration: float
    motions: tuple[Any, ...]
    ghosts: tuple[bool, ...]
    look: dict[str, Any]

    @property
    def flat(self) -> tuple[Any, ...]:
        """Motions in the plane of the initial view."""
        turned = (camera_coordinates(p)[..., :2] if p.shape[-1] == 3 else p for p in self.motions)
        return tuple(turned)

    def data(self) -> dict[str, Any]:
        """Return the data of a thumbnail, for JSON."""
        every = max(1, round(len(self.motions[0]) / self.duration / RATE))
        left, _, right, _ = self.look["box"]
        size = (self.look.get("follow") or right - left) * 2**16 / GRID
        motions = [
            {"label": "", "ghost": ghost, **packed_positions(points[::every], size)}
            for points, ghost in zip(self.motions, self.ghosts)
        ]
        frames = len(self.motions[0][::every])
        duration = self.duration * (frames - 1) * every / (len(self.motions[0]) - 1)
        look = {**self.look, "skeleton": {**self.look["skeleton"], "names": ()}}
        return {"duration": duration, "frames": frames, "motions": motions, **look}


def first_film(page: str) -> Film | None:
    """Return the first animation or simulation in some HTML, or None if there is none."""
    match = FRAME.search(page)
    if not match:
        return None
    source = html.unescape(re.search(r'srcdoc="([^"]*)"', match[0])[1])
    title = html.unescape(re.search(r"<title>(.*?)</title>", source)[1])
    return _computed(source, title) if match[1] == "animation" else _simulated(source, title)


def _computed(source: str, title: str) -> Film:
    data = json.loads(FILM.search(source)[1])
    axes = 3 if "ball" in data else 2
    motions = tuple(unpacked(motion, data["frames"], axes) for motion in data["motions"])
    ghosts = tuple(motion["ghost"] for motion in data["motions"])
    keys = ("box", "skeleton", "ball", "down", "follow")
    look = {key: data[key] for key in keys if key in data}
    return Film(title, data["duration"], motions, ghosts, look)


def unpacked(packed: dict[str, Any], frames: int, axes: int) -> Any:
    """Return the positions in `packed_positions`, shape (frames, points, axes)."""
    content = zlib.decompress(base64.b64decode(packed["bytes"]), -zlib.MAX_WBITS)
    by_byte = np.frombuffer(content, np.uint8).reshape(4, -1)
    folded = by_byte.T.copy().view("<u4").astype(np.int64).reshape(-1, frames)
    bends = np.where(folded % 2, -(folded + 1) // 2, folded // 2)
    positions = bends.cumsum(axis=1).cumsum(axis=1) * packed["step"]
    return np.moveaxis(positions.reshape(-1, axes, frames), -1, 0)


def _simulated(source: str, title: str) -> Film | None:
    constants = re.findall(r"^const (specification|program) = (.*);$", source, re.MULTILINE)
    values = {name: json.loads(text) for name, text in constants}
    spec, program = values["specification"], values["program"]
    if "outside" in program:
        return None
    runs = [run for run in spec["runs"] if "program" not in run]
    motions = tuple(_run(spec, program, run) for run in runs)
    if not motions or any(motion is None for motion in motions):
        return None
    look = {"box": spec["box"], "skeleton": spec["skeleton"]}
    if spec["size"]["axes"] == 3:
        look |= {"ball": ball_around(np.concatenate(motions)), "down": spec.get("down", False)}
    ghosts = tuple(bool(run.get("ghost")) for run in runs)
    duration = (len(motions[0]) - 1) * _steps(spec["h"]) * spec["h"]
    return Film(title, duration, motions, ghosts, look)


def _steps(h: float) -> int:
    """Return the number of steps between two frames."""
    return max(1, round(STEP / h))


def _run(spec: dict[str, Any], program: dict[str, Any], run: dict[str, Any]) -> Any:
    """Run one motion of a simulation; return its points, or None if it diverges."""
    routine, view = _machine(program)
    values = np.array([parameter["value"] for parameter in spec["parameters"]])
    x = np.array(spec["x0"], dtype=float)
    for target, changed in ((values, run["parameters"]), (x, run["state"])):
        for index, value in changed.items():
            target[int(index)] = value
    view("p")[: len(values)] = values
    routine("prepare")
    view("t")[:], view("h")[:], view("states")[:] = 0.0, spec["h"], x
    method = [method["name"] for method in spec["methods"]].index(spec["method"])
    size, count, frames = spec["size"], _steps(spec["h"]), []
    first, length = size["outputs"]["points"]
    for _ in range(round(SECONDS / count / spec["h"])):
        view("at")[:] = view("states")
        routine("outputs")
        frames.append(view("out")[first : first + length].reshape(-1, size["axes"]).copy())
        if routine("run", method, count) < count:
            return None
    return np.array(frames)


def _machine(program: dict[str, Any]) -> tuple[Any, Any]:
    """Return functions that call a routine of a page's program, and that view one of its arrays."""
    import wasmtime

    code = zlib.decompress(base64.b64decode(program["bytes"]), -zlib.MAX_WBITS)
    store = wasmtime.Store()
    made = wasmtime.Instance(store, wasmtime.Module(store.engine, code), [])
    exports = made.exports(store)
    memory = exports["memory"]

    def view(name: str) -> Any:
        first, length = program["layout"][name]
        return np.frombuffer(memory.get_buffer_ptr(store), np.float64)[first : first + length]

    return lambda name, *arguments: exports[name](store, *arguments), view


def shortened(film: Film, seconds: float) -> Film:
    """Return the first seconds of a film."""
    frames = len(film.motions[0])
    kept = max(2, min(frames, round(seconds / film.duration * (frames - 1)) + 1))
    motions = tuple(points[:kept] for points in film.motions)
    return replace(film, motions=motions, duration=film.duration * (kept - 1) / (frames - 1))
