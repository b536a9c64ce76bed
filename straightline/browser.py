"""Programs run by the browser's own WebAssembly, when Python itself runs in a browser.

Python is then a WebAssembly program with its own memory: floats are copied before a call, and back
after it. This needs only Pyodide.
"""

from __future__ import annotations

import array
import sys
from typing import Any

#: Whether Python runs in a browser, where it has a single thread.
IN_A_BROWSER = sys.platform == "emscripten"


class BrowserProgram:
    """A program with its own memory, run by the browser.

    Parameters
    ----------
    code : bytes
        WebAssembly that exports its memory.
    size : int
        Number of floats of its memory, from the first, that are copied.

    Attributes
    ----------
    floats : array.array of float, length size
        Its memory, as of the last call.
    """

    def __init__(self, code: bytes, size: int) -> None:
        from js import Float64Array, WebAssembly
        from pyodide.ffi import to_js

        module = WebAssembly.Module.new(to_js(code))
        self._exports: Any = WebAssembly.Instance.new(module).exports
        self._memory: Any = Float64Array.new(self._exports.memory.buffer, 0, size)
        self.floats = array.array("d", bytes(8 * size))
        self._memory.assign_to(self.floats)

    def call(self, name: str, *arguments: int) -> int:
        """Call a routine with whole numbers; return its result, or 0.

        Raises
        ------
        RuntimeError
            If the browser stops it.
        """
        from pyodide.ffi import JsException

        self._memory.assign(self.floats)
        try:
            result = getattr(self._exports, name)(*arguments)
        except JsException as error:
            raise RuntimeError(f"the compiled routine {name} failed") from error
        self._memory.assign_to(self.floats)
        return int(result or 0)
