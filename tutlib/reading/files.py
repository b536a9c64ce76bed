"""Whole files: written beside, then renamed."""

from __future__ import annotations

import os
import uuid
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file aside and give it its name: all of it, or, on a full disk, nothing.

    Parameters
    ----------
    path : Path
    data : bytes
        What it is to hold.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    aside = path.with_name(f".{uuid.uuid4().hex}.aside")
    try:
        with aside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # a full disk may tell only now
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)
