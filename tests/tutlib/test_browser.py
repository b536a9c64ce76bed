"""Programs where Python itself runs in a browser: the same bits, by the browser's WebAssembly.

Here the browser is a stand-in: its door to JavaScript leads to wasmtime. A real browser runs the
same module in tests/site.
"""

import functools
import sys
import threading
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
import wasmtime

from straightline import machine
from tests.conftest import forget_programs
from tests.helpers import free
from tutlib.methods import ensemble, ensembles, integrate
from tutlib.models import double_pendulum

START = [2.0, 1.0, 0.0, 0.0]


class JsError(Exception):
    pass


class Door:
    """What Pyodide's module js has of the page: WebAssembly and arrays of its memory."""

    def __init__(self):
        self.store = wasmtime.Store()
        self.WebAssembly = SimpleNamespace(
            Module=SimpleNamespace(new=lambda code: wasmtime.Module(self.store.engine, code)),
            Instance=SimpleNamespace(new=self.instance),
        )
        self.Float64Array = SimpleNamespace(new=self.floats)

    def instance(self, module):
        exports = wasmtime.Instance(self.store, module, []).exports(self.store)
        named = {"memory": SimpleNamespace(buffer=exports["memory"])}
        for export in module.exports:
            if isinstance(export.type, wasmtime.FuncType):
                named[export.name] = functools.partial(exports[export.name], self.store)
        return SimpleNamespace(exports=SimpleNamespace(**named))

    def floats(self, memory, first, count):
        there = memory.get_buffer_ptr(self.store, 8 * (first + count))
        inside = np.frombuffer(there, dtype=float)[first:]

        def assign(given):
            inside[:] = np.frombuffer(given, dtype=float)

        def assign_to(taken):
            np.frombuffer(taken, dtype=float)[:] = inside

        return SimpleNamespace(assign=assign, assign_to=assign_to)


@pytest.fixture
def in_a_browser(monkeypatch):
    """Let everything be as in Pyodide: no wasmtime, no threads, but a door to the browser."""
    door, ffi = Door(), ModuleType("pyodide.ffi")
    ffi.to_js, ffi.JsException = bytes, JsError
    js = ModuleType("js")
    js.WebAssembly, js.Float64Array = door.WebAssembly, door.Float64Array
    for name, module in (("js", js), ("pyodide", ModuleType("pyodide")), ("pyodide.ffi", ffi)):
        monkeypatch.setitem(sys.modules, name, module)

    def no_thread(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(machine, "IN_A_BROWSER", True)
    monkeypatch.setattr(ensembles, "IN_A_BROWSER", True)
    monkeypatch.setattr(threading.Thread, "start", no_thread)
    forget_programs()
    yield
    forget_programs()


def computed():
    f = free(double_pendulum()).compile()
    starts = np.array(START) * np.linspace(0.5, 1, 100)[:, None]
    many = ensemble(f, starts, 2.0, 0.01, np.array([np.pi, np.pi, np.inf, np.inf]))
    return integrate(f, 0.01 * np.arange(501), START).x, many.t, many.x


def test_the_same_bits(request):
    here = computed()
    request.getfixturevalue("in_a_browser")
    for there, expected in zip(computed(), here, strict=True):
        np.testing.assert_array_equal(there, expected)
