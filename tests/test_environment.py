"""The doors to the course agree: pip's, conda's, make's and CI's."""

import ast
import os
import re
import subprocess
import tomllib
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

import tutlib

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
# What has another name on conda-forge than on PyPI, and what conda-forge lacks for some computers.
CONDA_NAMES = {"matplotlib": "matplotlib-base"}
BY_PIP = {"wasmtime"}
PINS = dict(
    line.split("==")
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if line.strip() and not line.startswith("#")
)


def read(*parts):
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


@cache
def text_files():
    """Return the files of the course, without what was built or installed."""
    skipped = {".git", ".venv", "_build", "work", "node_modules", "__pycache__", ".hypothesis"}
    found = []
    for folder, folders, names in os.walk(ROOT):
        made = (name.endswith((".egg-info", "_cache")) for name in folders)
        folders[:] = [name for name, is_made in zip(folders, made) if not is_made]
        folders[:] = [name for name in folders if name not in skipped]
        found += [Path(folder, name) for name in names if not name.endswith((".png", ".ico"))]
    return found


class TestConda:
    def test_it_installs_what_pyproject_asks_for(self):
        """The package and JupyterLab; the book and the tests are made with pip."""
        conda = [item for item in CONDA["dependencies"] if isinstance(item, str)]
        found = {item for item in conda if not item.startswith(("python=", "pip"))}
        texts = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["lab"]]
        wanted = list(map(Requirement, texts))
        assert found == {
            CONDA_NAMES.get(r.name, r.name) + str(r.specifier)
            for r in wanted
            if r.name not in BY_PIP
        }
        *by_pip, _ = CONDA["dependencies"][-1]["pip"]
        assert set(map(Requirement, by_pip)) == {r for r in wanted if r.name in BY_PIP}

    def test_its_names_and_syntax_are_conda_s(self):
        conda = [item for item in CONDA["dependencies"] if isinstance(item, str)]
        assert all(re.fullmatch(r"[a-z0-9][a-z0-9._-]*(=|>=[\d.]+|=[\d.]+)?", c) for c in conda)
        assert set(CONDA) == {"name", "channels", "dependencies"}
        assert CONDA["channels"] == ["conda-forge"]

    def test_python_is_one_version_that_the_package_accepts(self):
        (python,) = [c for c in CONDA["dependencies"] if str(c).startswith("python")]
        assert re.fullmatch(r"python=3\.\d+", python)
        assert (
            Version(python.partition("=")[2])
            in Requirement(f"x{PROJECT['requires-python']}").specifier
        )

    def test_the_package_itself_is_installed_last_by_pip(self):
        assert "pip" in CONDA["dependencies"]
        assert CONDA["dependencies"][-1]["pip"][-1] == "-e ."

    @pytest.mark.parametrize(
        "name", ["binder", ".binder", "Dockerfile", "requirements.txt", "runtime.txt", "setup.py"]
    )
    def test_nothing_overrides_it(self, name):
        assert not (ROOT / name).exists()


class TestPip:
    def test_every_pin_is_one_exact_version(self):
        assert all(re.fullmatch(r"[A-Za-z0-9._-]+", name) for name in PINS)
        assert all(str(Version(version)) == version for version in PINS.values())

    def test_every_requirement_is_pinned_within_its_range(self):
        extras = PROJECT["optional-dependencies"].values()
        pins = {name.lower().replace("_", "-"): Version(version) for name, version in PINS.items()}
        for requirement in map(Requirement, [*PROJECT["dependencies"], *chain(*extras)]):
            assert pins[requirement.name.lower()] in requirement.specifier, requirement

    def test_the_runtime_is_one_that_was_tried(self):
        """Its major version grows every month, and calls go through what it keeps to itself."""
        (runtime,) = (r for r in PROJECT["dependencies"] if r.startswith("wasmtime"))
        newest = Version(PINS["wasmtime"])
        assert Requirement(runtime).specifier.contains(newest)
        assert f"<{newest.major + 1}" in runtime.split(",")

    def test_the_book_is_not_built_by_jupyter_book_2(self):
        """It would print an error, build nothing and exit with 0."""
        book = [r for r in PROJECT["optional-dependencies"]["book"] if r.startswith("jupyter-book")]
        assert Version("2.0") not in Requirement(book[0]).specifier
        assert Version(PINS["jupyter-book"]) < Version("2")


def test_the_version_is_one():
    citation = yaml.safe_load(read("CITATION.cff"))
    assert tutlib.__version__ == PROJECT["version"] == str(citation["version"])
    assert f"[{tutlib.__version__}]" in read("CHANGELOG.md") or f"## {tutlib.__version__}" in read(
        "CHANGELOG.md"
    )


def test_ci_builds_and_tests():
    commands = [line for line in read(".ci", "run").splitlines() if line.startswith("make")]
    assert commands == ["make test-all"]
    steps = subprocess.run(
        ["make", "--dry-run", "--always-make", "test-all"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    parts = ["ruff", "mypy", "tools.build_book", "pytest"]
    assert sorted(parts, key=steps.index) == parts
    assert "bash .ci/run" in read(".github", "workflows", "test.yml")


def test_every_workflow_runs_what_exists():
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        for job in workflow["jobs"].values():
            for step in job["steps"]:
                assert set(step) <= {"uses", "run", "with", "id", "name"}
                assert ("uses" in step) != ("run" in step)
                called = re.findall(r"\bmake ([a-z-]+)", step.get("run", ""))
                assert set(called) <= targets


def test_the_readme_tells_the_truth():
    readme = read("README.md")
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z-]+)\b", readme)) <= targets
    for link in re.findall(r"\]\(([^)#]+)\)", readme):
        assert (ROOT / link).exists(), link
    (example,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    names = {}
    exec(compile(ast.parse(example), "README.md", "exec"), names)
    assert len(names["swing"]) == 3


def test_the_book_shows_every_notebook_and_every_page():
    toc = yaml.safe_load(read("_toc.yml"))
    pages = {toc["root"], *(c["file"] for part in toc["parts"] for c in part["chapters"])}
    sources = {
        path.relative_to(ROOT).with_suffix("").as_posix()
        for pattern in ("book/*.md", "notebooks/*.ipynb")
        for path in ROOT.glob(pattern)
    }
    assert pages == sources
    assert not any("_" in page for page in pages)


def test_no_file_names_a_registry_or_a_folder_of_this_computer():
    hosts = ["pypi" + ".org", "pythonhosted" + ".org", "registry.npm" + "js", "conda.ana" + "conda"]
    places = [str(ROOT), "/ro" + "ot/", "/ho" + "me/", "/wo" + "rk/", "C:" + "\\Users"]
    for path in text_files():
        text = path.read_text(encoding="utf-8")
        found = [word for word in [*hosts, *places] if word in text]
        assert not found, f"{path.relative_to(ROOT)} names {found}"


def test_no_note_of_unfinished_work_is_published():
    unfinished = re.compile(r"\b(TODO|FIXME|XXX|TBD)\b")
    for folder in ("book", "notebooks", "tutlib"):
        for path in text_files():
            if path.is_relative_to(ROOT / folder):
                found = unfinished.search(path.read_text(encoding="utf-8"))
                assert not found, f"{path.relative_to(ROOT)} says {found[0]}"


def test_nothing_is_committed_that_git_is_told_to_ignore():
    command = ["git", "ls-files", "--cached", "--ignored", "--exclude-standard"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if result.returncode:
        pytest.skip("not a git clone")
    assert result.stdout == ""


def test_every_text_file_ends_in_one_newline_and_has_unix_line_ends():
    for path in text_files():
        data = path.read_bytes()
        assert b"\r" not in data, path
        assert not data or (data.endswith(b"\n") and not data.endswith(b"\n\n")), path
