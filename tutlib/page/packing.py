"""A program as a page holds it: its bytes as text, and where its arrays are."""

from __future__ import annotations

import base64
import zlib
from typing import Any

from tutlib.programs.instructions import webassembly
from tutlib.programs.lowering import lower
from tutlib.programs.routines import Program


def packed(program: Program) -> dict[str, Any]:
    """Return the bytes of a program, compressed, and the place of each of its arrays, for JSON.

    Parameters
    ----------
    program : Program

    Returns
    -------
    dict
        ``bytes`` by raw deflation and base64; ``layout`` from names to the number of the first
        float and the length.
    """
    lowered = lower(program, in_pairs=True)
    deflate = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    code = deflate.compress(webassembly(lowered)) + deflate.flush()
    places = {name: [lowered.layout[name], length] for name, length in program.arrays.items()}
    return {"bytes": base64.b64encode(code).decode(), "layout": places}
