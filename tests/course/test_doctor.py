"""The doctor: healthy here, and each kind of trouble is found and comes with a remedy."""

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from course.__main__ import main
from course.desk import doctor
from tutlib import installed
from tutlib.installed import astray

pytestmark = pytest.mark.slow


def run(*arguments, folder):
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


def found(examination):
    problems = list(examination())
    for wrong, remedy in problems:
        assert wrong
        assert remedy
    return " | ".join(f"{wrong}: {remedy}" for wrong, remedy in problems)


def test_this_environment_is_healthy(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    # the tests may run without JupyterLab
    monkeypatch.setattr(
        doctor, "EXAMINATIONS", [e for e in doctor.EXAMINATIONS if "widgets" not in e[0]]
    )
    assert main(["doctor"]) == 0, capsys.readouterr().out
    assert "PROBLEM" not in capsys.readouterr().out


def test_trouble_is_told_with_its_remedy(capsys, monkeypatch):
    ill = (("legs", lambda: iter([("one is short", "sit down")])), ("arms", lambda: iter(())))
    monkeypatch.setattr(doctor, "EXAMINATIONS", ill)
    assert main(["doctor"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "PROBLEM legs",
        "        one is short: sit down.",
        "fine    arms",
    ]


def test_an_old_python(monkeypatch):
    assert found(doctor._python) == ""
    monkeypatch.setattr(doctor.platform, "python_version", lambda: "3.9.1")
    assert "the course needs Python >=3.11" in found(doctor._python)


def test_a_package_that_is_missing_or_old(monkeypatch):
    real = metadata.version

    def version(name):
        if name == "sympy":
            return "1.5"
        if name == "wasmtime":
            raise metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(doctor.metadata, "version", version)
    told = found(doctor._packages)
    (needed,) = (text for text in metadata.requires("tutlib") if text.startswith("sympy>"))
    assert f"sympy is 1.5; needed is {needed.removeprefix('sympy')}" in told
    assert "wasmtime is not installed" in told


@pytest.mark.parametrize("folder", [".", "work"])
def test_files_and_folders_that_hide_packages(monkeypatch, tmp_path, folder):
    files, folders = ["sympy", "random", "numpy", "tutlib"], ["scipy", "json"]
    for name in folders:
        (tmp_path / folder / name).mkdir(parents=True)
    for name in ("pendulum.py", "sys.py", "os.py"):  # the last two are within Python
        (tmp_path / folder / name).touch()
    monkeypatch.chdir(tmp_path)
    assert found(doctor._names) == ""  # without __init__.py, Python looks on
    for name in files:
        (tmp_path / folder / f"{name}.py").touch()
    for name in folders:
        (tmp_path / folder / name / "__init__.py").touch()
    told = found(doctor._names)
    assert all(f"{n}.py hides the package {n}: rename that file" in told for n in files)
    assert all(f"hides the package {n}: rename that folder" in told for n in folders)


def test_packages_that_another_python_brings(monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{tmp_path / 'none'}{os.pathsep}")
    assert found(doctor._other_packages) == ""
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy" / "__init__.py").write_text("raise ImportError('C')", encoding="utf-8")
    told = found(doctor._other_packages)
    assert told.startswith(f"PYTHONPATH brings numpy from {tmp_path}, in place of")
    assert 'run "unset PYTHONPATH"' in told
    done = run("-m", "course", "doctor", folder=tmp_path.parent)
    assert done.returncode == 1
    assert done.stderr == (
        f"PYTHONPATH brings packages of another Python, from {tmp_path}: "
        'run "unset PYTHONPATH", and start again\n'
    )


class TestInstalled:
    """A folder that was copied or renamed, and a copy of the package, are not what was set up."""

    @pytest.fixture
    def stamp(self, monkeypatch, tmp_path):
        """Let Python be that of a folder; return what writes down for which one it was made."""
        prefix = tmp_path / "course" / ".venv"
        prefix.mkdir(parents=True)
        monkeypatch.setattr(sys, "prefix", str(prefix))
        own = "{} {} {}".format(sys.base_prefix, *sys.version_info)

        def write(folder, python=own):
            (prefix / "installed").write_text(f"{folder}\n{python}\n", encoding="utf-8")

        return write

    def test_where_it_was_set_up_or_nothing_is_written_down_all_is_well(self, stamp, tmp_path):
        assert astray() is None
        stamp(tmp_path / "course")
        assert found(doctor._folder) == ""
        stamp(tmp_path / "course", "/gone 3 10")
        assert "was made for another Python, /gone 3 10" in found(doctor._folder)

    def test_elsewhere_it_is_told_by_every_command(self, stamp, tmp_path, capsys):
        stamp(tmp_path / "last-term")
        here = tmp_path / "course"
        told = f"{here} was copied, or renamed, after it had been set up as {tmp_path}/last-term: "
        assert found(doctor._folder) == f'{told}run "make setup" in {here}'
        assert main(["notebooks", str(tmp_path / "work")]) == 1
        assert capsys.readouterr().err.startswith(told)
        assert not (tmp_path / "work").exists()

    def test_a_copy_of_the_package_is_told(self, stamp, tmp_path, monkeypatch):
        stamp(tmp_path / "course")
        mine = tmp_path / "mine"
        mine.mkdir()
        monkeypatch.setattr(installed, "__file__", str(mine / "tutlib" / "x.py"))
        assert astray() is None  # not where Python was started: it was asked for
        monkeypatch.chdir(mine)
        assert f"{mine / 'tutlib'} hides the package tutlib: rename" in found(doctor._folder)
        (mine / "pyproject.toml").touch()
        assert astray() is None  # another clone


def test_it_survives_files_that_hide_what_it_needs_itself(tmp_path):
    names = ["numpy", "sympy", "scipy", "random"]
    for name in names:
        (tmp_path / f"{name}.py").write_text('raise SystemExit("not this one")', encoding="utf-8")
    told = run("-m", "course", "doctor", folder=tmp_path)
    assert told.returncode == 1, told.stderr
    for name in names:
        assert f"{name}.py hides the package {name}: rename that file." in told.stdout
    assert "Traceback" not in told.stderr


@pytest.mark.parametrize(("name", "way"), [("numpy", "notebook"), ("json", "script")])
def test_a_file_that_hides_a_package_from_the_course_is_named(tmp_path, name, way):
    hiding, script = tmp_path / f"{name}.py", tmp_path / "mine.py"
    hiding.write_text("x = 1", encoding="utf-8")
    script.write_text("from panels import live", encoding="utf-8")
    code = ["-c", "import tutlib"] if way == "notebook" else [str(script)]
    folder = tmp_path if way == "notebook" else tmp_path.parent
    told = run(*code, folder=folder)
    assert f"ImportError: {hiding} hides the package {name}: rename that file" in told.stderr


def test_a_package_that_is_not_there_is_named_with_what_to_do(tmp_path):
    code = "import sys; sys.modules['sympy'] = None; import tutlib"
    told = run("-c", code, folder=tmp_path)
    assert f"ModuleNotFoundError: sympy is not installed for {sys.executable}: " in told.stderr


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (None, "no Python kernel: install it"),
        (str(Path("/elsewhere/bin/python3")), "notebooks run in /elsewhere/bin/python3"),
        (str(Path(sys.executable).with_name("python3")), ""),
        ("python", ""),
    ],
)
def test_the_kernel_should_be_of_this_python(monkeypatch, program, told):
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager, NoSuchKernel

    def kernel(self, name):
        if program is None:
            raise NoSuchKernel(name)
        return KernelSpec(argv=[program, "-m", "ipykernel_launcher"])

    monkeypatch.setattr(KernelSpecManager, "get_kernel_spec", kernel)
    assert told in found(doctor._kernel)
    assert bool(found(doctor._kernel)) == bool(told)


def test_a_jupyterlab_without_widgets(monkeypatch):
    import jupyter_core.paths

    monkeypatch.setattr(jupyter_core.paths, "jupyter_path", lambda *parts: [])
    assert "JupyterLab has no anywidget" in found(doctor._widgets)


class TestRuntime:
    """What runs compiled equations is examined by a program that goes their way."""

    def test_it_cannot_be_imported(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "wasmtime", None)
        monkeypatch.setattr(doctor, "EXAMINATIONS", (("wasmtime", doctor._runtime),))
        lines, healthy = doctor.examine()
        assert not healthy
        assert "wasmtime cannot be imported" in lines[1]

    def test_its_calls_have_changed(self, monkeypatch):
        from wasmtime import _ffi

        monkeypatch.delattr(_ffi, "wasmtime_func_call")
        told = found(doctor._runtime)
        assert "wasmtime does not run compiled equations" in told
        assert "pip install --force-reinstall wasmtime" in told


def test_a_folder_that_cannot_be_written_to(monkeypatch):
    def refuses(**where):
        raise PermissionError("read-only")

    monkeypatch.setattr(doctor.tempfile, "TemporaryFile", refuses)
    assert "nothing can be saved" in found(doctor._writing)
