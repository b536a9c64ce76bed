"""Data of live simulations and animations, parsed from the outputs of a notebook's cells."""

from __future__ import annotations

import base64
import html
import json
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

_DECODER = json.JSONDecoder()


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


def unpacked(packed: dict[str, Any], frames: int, axes: int) -> Any:
    """Return positions [m], shape (frames, points, axes), from `panels.drawing.packing`."""
    content = zlib.decompress(base64.b64decode(packed["bytes"]), -zlib.MAX_WBITS)
    folded = np.frombuffer(content, np.uint8).reshape(4, -1).T.copy().view("<u4").astype(np.int64)
    bends = np.where(folded % 2, -(folded + 1) // 2, folded // 2).reshape(-1, frames)
    positions = np.cumsum(np.cumsum(bends, axis=1), axis=1)
    return np.moveaxis(positions * packed["step"], -1, 0).reshape(frames, -1, axes)
