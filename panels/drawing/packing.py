"""Bytes and positions as a page holds them: compressed, as text.

The films keep their frames so, and the live simulations their programs; packing.js reads them.
"""

from __future__ import annotations

import base64
import zlib

import numpy as np

from straightline.aliases import Array

#: So many steps of the grid on which positions are kept lie across the picture: one is far smaller
#: than a pixel.
ACROSS = 2**16


def deflated(data: bytes) -> str:
    """Return bytes as text: by raw deflation, and base64.

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

    A smooth motion has small second differences: those are kept, and take about a byte each.

    Parameters
    ----------
    positions : array, shape (frames, points, axes)
        In meters.
    size : float
        Of what the picture shows [m].

    Returns
    -------
    dict
        ``step`` is the grid's step [m]. ``bytes`` holds, for each coordinate of each point one
        after another, the second differences d along the frames, those of the first two frames
        as if zeros went before; written as 2 d, or -2 d - 1 where d < 0, in 32 bits: first all
        lowest bytes, then all next ones, and so on.
    """
    step = max(size / ACROSS, float(np.abs(positions).max(initial=0.0)) / 2**27)
    series = np.moveaxis(positions, 0, -1).reshape(-1, len(positions))
    places = np.rint(series / step).astype(np.int64)
    bends = np.diff(places, n=2, axis=-1, prepend=np.zeros((len(places), 2), dtype=np.int64))
    folded = np.where(bends < 0, -2 * bends - 1, 2 * bends).astype("<u4").ravel()
    by_place = folded.view(np.uint8).reshape(-1, 4).T
    return {"step": step, "bytes": deflated(by_place.tobytes())}
