"""The doctor: healthy here, and each kind of trouble is found and comes with a remedy."""

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from course.__main__ import main
from course.desk import doctor
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
    assert f"sympy 1.5 is installed; the course needs {needed}" in told
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
        told = f"{here} was copied or renamed after it had been set up as {tmp_path}/last-term: "
        assert found(doctor._folder) == f'{told}run "make setup" in {here}'
        assert main(["notebooks", str(tmp_path / "work")]) == 1
        assert capsys.readouterr().err.startswith(told)
        assert not (tmp_path / "work").exists()


@pytest.mark.parametrize(("name", "way"), [("numpy", "notebook"), ("json", "script")])
def test_a_file_that_hides_a_package_from_the_course_is_named(tmp_path, name, way):
    hiding, script = tmp_path / f"{name}.py", tmp_path / "mine.py"
    hiding.write_text("x = 1", encoding="utf-8")
    script.write_text("from panels import live", encoding="utf-8")
    code = ["-c", "import tutlib"] if way == "notebook" else [str(script)]
    folder = tmp_path if way == "notebook" else tmp_path.parent
    told = run(*code, folder=folder)
    assert f"ImportError: {hiding} hides the package {name}: rename that file" in told.stderr


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (None, "no Python kernel: install one"),
        (str(Path("/elsewhere/bin/python3")), "notebooks run with /elsewhere/bin/python3"),
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
