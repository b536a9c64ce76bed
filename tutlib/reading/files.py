"""Atomic writing of files."""

from __future__ import annotations

import os
import uuid
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under a temporary name and rename it: on a full disk, nothing changes.

    Parameters
    ----------
    path : Path
    data : bytes
        New content.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    temporary = path.with_name(f".{uuid.uuid4().hex}.aside")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # a full disk may be reported only now
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
