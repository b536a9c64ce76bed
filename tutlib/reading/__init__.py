"""Readers of function arguments: numbers, arrays, functions, names, values, files.

Each reader accepts reasonable shorthands and rejects everything else with one clear message.
"""

from typing import TYPE_CHECKING

from straightline.doors import lazy

if TYPE_CHECKING:
    from tutlib.reading.names import UnreadableError

__all__ = ["UnreadableError"]

__getattr__ = lazy(__name__, {"UnreadableError": "tutlib.reading.names"})
