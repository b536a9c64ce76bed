"""Calling f(t, x), and keeping what was compiled."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tutlib
from tutlib.models.pendulum import exact_motion

pytestmark = pytest.mark.slow

SCRIPT = """
import numpy as np
from tutlib.models import pendulum
model = pendulum()
rhs = model.with_inputs({model.equations.inputs[0]: 0}).compile("numba")
print(rhs.kernel.__module__, rhs(0.0, [1.0, 0.0])[1])
"""


LONG_RUN = """
import numpy as np
import tutlib
from tutlib.models import pendulum
rhs = pendulum().with_inputs({"tau": 0}).compile("numba")
swing = tutlib.integrate(rhs, np.linspace(0, 2, 2001), [1.0, 0.0])
print(tutlib.__file__, swing.x[-1, 0])
"""


def run_script(environment, script=SCRIPT, folder=None):
    return subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("backend", ["auto", "python", "numpy", "numba"])
class TestCall:
    def test_any_sequence_gives_a_fresh_array(self, free_pendulum, backend):
        rhs = free_pendulum.compile(backend)
        results = [rhs(0, x) for x in ([1, 0], (1.0, 0.0), np.array([1, 0]))]
        assert all(type(r) is np.ndarray and r.dtype == float for r in results)
        np.testing.assert_array_equal(results[0], results[2])
        assert not np.shares_memory(rhs(0, [1, 0]), rhs(0, [1, 0]))

    def test_the_state_that_is_handed_in_stays_as_it_was(self, free_pendulum, backend):
        x = np.array([1.0, 2.0])
        x.flags.writeable = False
        free_pendulum.compile(backend)(0, x)
        assert x.tolist() == [1.0, 2.0]

    @pytest.mark.parametrize("x", [[1.0], [1.0, 2.0, 3.0], 1.0, [[1.0], [2.0]]])
    def test_a_wrong_shape_is_refused(self, free_pendulum, backend, x):
        if backend == "numpy" and np.shape(x) == (2, 1):
            pytest.skip("two states in a column are one state, side by side")
        with pytest.raises(ValueError, match=r"x must have shape \(2,\).*got shape"):
            free_pendulum.compile(backend)(0, x)

    def test_what_overflows_is_not_finite_and_no_error(self, free_pendulum, backend):
        with np.errstate(invalid="ignore"):
            assert not np.isfinite(free_pendulum.compile(backend)(0, [np.inf, 0.0])).all()


@pytest.fixture(scope="module")
def compiled_at_once(tmp_path_factory):
    """Compile the same equations in two processes that begin with one empty cache."""
    folder = tmp_path_factory.mktemp("cache")
    running = [run_script({"XDG_CACHE_HOME": str(folder)}) for _ in range(2)]
    outputs = [process.communicate() for process in running]
    return folder, [process.returncode for process in running], outputs


def test_two_processes_may_compile_the_same_equations_at_once(compiled_at_once):
    _, codes, outputs = compiled_at_once
    assert codes == [0, 0], outputs
    assert outputs[0][0] == outputs[1][0]


def test_what_was_compiled_is_kept_and_found_again(compiled_at_once):
    folder, _, (first, _) = compiled_at_once
    compiled = {path: path.stat().st_mtime_ns for path in (folder / "tutlib").rglob("*.nbc")}
    again, _ = run_script({"XDG_CACHE_HOME": str(folder)}).communicate()
    assert compiled
    assert {path: path.stat().st_mtime_ns for path in compiled} == compiled
    assert again == first[0]
    assert float(again.split()[1]) == pytest.approx(-9.81 * np.sin(1), rel=1e-15)


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    process = run_script({"XDG_CACHE_HOME": str(tmp_path / "file")})
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    assert "equations_" in output


def test_a_course_that_cannot_be_written_still_runs_compiled(tmp_path):
    """As on a server of read-only images: no place for __pycache__, and no home."""
    package = Path(tutlib.__file__).parent
    shutil.copytree(
        package, tmp_path / "tutlib", ignore=shutil.ignore_patterns("__pycache__", "*.nb?")
    )
    nowhere = tmp_path / "file"
    for path in (nowhere, tmp_path / "tutlib/__pycache__", tmp_path / "tutlib/models/__pycache__"):
        path.write_text("not a folder")
    places = {"HOME": str(nowhere), "XDG_CACHE_HOME": str(nowhere)}
    process = run_script(places, LONG_RUN, folder=tmp_path)
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    file, angle = output.split()
    assert Path(file).parent == tmp_path / "tutlib"
    assert float(angle) == pytest.approx(exact_motion([2.0], 1.0)[0, 0], abs=1e-11)


def test_importing_tutlib_loads_nothing_heavy():
    heavy = ["numba", "matplotlib", "scipy", "IPython", "ipywidgets", "anywidget", "tqdm"]
    code = f"import sys, tutlib; print([m for m in {heavy} if m in sys.modules])"
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert output.stdout.strip() == "[]"
