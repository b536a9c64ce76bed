"""Runs the bytes of a program by the browser's own WebAssembly, where Python runs in a browser too.

There Python is itself a program of the browser, with a memory of its own beside that of ours: the
floats are copied over before a call, and back after it. Nothing but Pyodide is needed for it.
"""

from __future__ import annotations

import array
import sys
from typing import Any

#: Whether this Python runs in a browser. It has one thread there.
IN_A_BROWSER = sys.platform == "emscripten"


class BrowserProgram:
    """A program with memory of its own, run by the browser.

    Parameters
    ----------
    code : bytes
        WebAssembly that exports its memory.
    size : int
        How many floats of it are looked at, from the first.

    Attributes
    ----------
    floats : array.array of float, length size
        Read and written from one call to the next.
    """

    def __init__(self, code: bytes, size: int) -> None:
        from js import Float64Array, WebAssembly
        from pyodide.ffi import to_js

        module = WebAssembly.Module.new(to_js(code))
        self._exports: Any = WebAssembly.Instance.new(module).exports
        self._inside: Any = Float64Array.new(self._exports.memory.buffer, 0, size)
        self.floats = array.array("d", bytes(8 * size))
        self._inside.assign_to(self.floats)

    def call(self, name: str, *arguments: int) -> int:
        """Call a routine with whole numbers; return its result, 0 where it has none.

        Raises
        ------
        RuntimeError
            If the browser stops it.
        """
        from pyodide.ffi import JsException

        self._inside.assign(self.floats)
        try:
            result = getattr(self._exports, name)(*arguments)
        except JsException as error:
            raise RuntimeError(f"the compiled routine {name} failed") from error
        self._inside.assign_to(self.floats)
        return int(result or 0)
