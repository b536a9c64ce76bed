"""What is given to a function, read once: numbers, arrays, functions, names, values, files.

Each reader takes what is plausibly meant, and answers all else by one sentence.
"""

from tutlib.reading.names import UnreadableError

__all__ = ["UnreadableError"]
