"""Readers of what is given to a function: expressions, names, parameters, motions, files."""

from typing import TYPE_CHECKING

from straightline.doors import lazy

if TYPE_CHECKING:
    from tutlib.reading.names import UnreadableError

__all__ = ["UnreadableError"]

__getattr__ = lazy(__name__, {"UnreadableError": "tutlib.reading.names"})
