"""Readers of function arguments: numbers, arrays, functions, names, values, files.

Each reader accepts reasonable shorthands and rejects everything else with one clear message.
"""

from tutlib.reading.names import UnreadableError

__all__ = ["UnreadableError"]
