"""What is pinned can be had: for each Python and computer, as wheels, as the README says."""

import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from itertools import chain
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.tags import compatible_tags, cpython_tags, mac_platforms
from packaging.utils import parse_wheel_filename

from tests.test_environment import PROJECT, PYTHONS, ROOT, read

pytestmark = pytest.mark.tools

EXTRAS = ("lab", "book", "test")
#: Where packages draw a line: the first that there was, and that of Debian 12.
VERSIONS = ("3.11.0", "3.11.2", *(f"{python}.0" for python in PYTHONS[1:]))


def linux_platforms(machine):
    """Return the names of the systems whose wheels a Linux of 2018 or later takes."""
    kinds = [*(f"manylinux_2_{minor}" for minor in range(5, 29)), "manylinux2014", "manylinux1"]
    return [f"{kind}_{machine}" for kind in (*kinds, "manylinux2010", "linux")]


#: The README's name of a computer: its markers, and the platforms whose wheels it takes.
COMPUTERS = {
    "Linux, x86-64": ("linux", "x86_64", linux_platforms("x86_64")),
    "Linux, ARM": ("linux", "aarch64", linux_platforms("aarch64")),
    "macOS, ARM": ("darwin", "arm64", list(mac_platforms((14, 0), "arm64"))),
    "macOS, Intel": ("darwin", "x86_64", list(mac_platforms((14, 0), "x86_64"))),
    "Windows, x86-64": ("win32", "AMD64", ["win_amd64"]),
}
NO_NETWORK = 2  # an answer that says no is 1


@pytest.fixture(scope="module")
def resolved(tmp_path_factory):
    """Return the packages of every computer, with all of their wheels."""
    lock = tmp_path_factory.mktemp("pins") / "pylock.toml"
    command = [
        Path(sys.executable).with_name("uv"),
        "pip",
        "compile",
        "--quiet",
        "pyproject.toml",
        *chain(*(("--extra", name) for name in EXTRAS)),
        "--constraints",
        "constraints.txt",
        "--universal",
        "--python-version",
        PYTHONS[0],
        "--output-file",
        lock,
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if done.returncode == NO_NETWORK and "CI" not in os.environ:
        pytest.skip("no network: whether each version that is pinned has a wheel is not known")
    assert done.returncode == 0, done.stderr
    return tomllib.loads(lock.read_text(encoding="utf-8"))["packages"]


@cache
def taken(python, computer):
    """Return the tags of all wheels that a computer takes."""
    *_, platforms = COMPUTERS[computer]
    version = tuple(map(int, python.split(".")[:2]))
    tags = {*cpython_tags(version, platforms=platforms)}
    return tags | {*compatible_tags(version, f"cp{version[0]}{version[1]}", platforms)}


def fits(wheel, python, computer):
    """Return whether a computer takes a wheel, by its name."""
    return not parse_wheel_filename(wheel)[3].isdisjoint(taken(python, computer))


def said_to_be_missing():
    """Return what the README says is missing on each computer."""
    rows = re.findall(r"^\| (\w+, [^|]+) \| ([^|]+) \|", read("README.md"), re.MULTILINE)
    return {name: set(re.findall(r"`([\w-]+)`", what)) for name, what in rows}


@pytest.mark.parametrize("computer", COMPUTERS)
@pytest.mark.parametrize("python", VERSIONS)
def test_every_version_has_a_wheel(resolved, python, computer):
    system, machine, _ = COMPUTERS[computer]
    there = {
        "sys_platform": system,
        "platform_machine": machine,
        "python_full_version": python,
        "python_version": ".".join(python.split(".")[:2]),
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "os_name": "nt" if system == "win32" else "posix",
    }
    packages = [p for p in resolved if Marker(p.get("marker", "os_name != ''")).evaluate(there)]
    wheels = {
        p["name"]: [urlsplit(wheel["url"]).path.rpartition("/")[2] for wheel in p["wheels"]]
        for p in packages
    }
    without = [n for n in wheels if not any(fits(w, python, computer) for w in wheels[n])]
    assert not without
    extras = (PROJECT["optional-dependencies"][name] for name in EXTRAS)
    wanted = {Requirement(text).name for text in [*PROJECT["dependencies"], *chain(*extras)]}
    assert wanted - {p["name"] for p in packages} == said_to_be_missing()[computer]


def test_the_readme_names_these_computers():
    assert set(said_to_be_missing()) == set(COMPUTERS)
