"""Bytes and positions packed as text for a page; packing.js unpacks them.

Animations pack their frames this way, and live simulations their programs.
"""

from __future__ import annotations

import base64
import zlib

import numpy as np

from straightline.aliases import Array

#: Steps of the grid of positions across the picture; a step is far smaller than a pixel.
ACROSS = 2**16


def deflated(data: bytes) -> str:
    """Return bytes as text: raw deflate, then base64.

    Parameters
    ----------
    data : bytes

    Returns
    -------
    str
    """
    deflate = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    return base64.b64encode(deflate.compress(data) + deflate.flush()).decode()


def packed_positions(positions: Array, size: float) -> dict[str, object]:
    """Return positions rounded to a fine grid, for JSON.

    Second differences are stored: those of a smooth motion are small, about a byte each.

    Parameters
    ----------
    positions : array, shape (frames, points, axes)
        In meters.
    size : float
        Of the visible area [m].

    Returns
    -------
    dict
        ``step`` is the grid's step [m]. ``bytes`` holds, for each coordinate of each point in
        turn, the second differences d along the frames, with zeros before the first frame;
        written as 2 d, or -2 d - 1 where d < 0, in 32 bits: first all lowest bytes, then all next
        ones, and so on.
    """
    step = max(size / ACROSS, float(np.abs(positions).max(initial=0.0)) / 2**27)
    series = np.moveaxis(positions, 0, -1).reshape(-1, len(positions))
    grid = np.rint(series / step).astype(np.int64)
    differences = np.diff(grid, n=2, axis=-1, prepend=np.zeros((len(grid), 2), dtype=np.int64))
    folded = np.where(differences < 0, -2 * differences - 1, 2 * differences).astype("<u4").ravel()
    byte_planes = folded.view(np.uint8).reshape(-1, 4).T
    return {"step": step, "bytes": deflated(byte_planes.tobytes())}
