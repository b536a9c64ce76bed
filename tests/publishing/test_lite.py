"""The door's parts: which wheels there are, whether they are the right ones, and what is said."""

import hashlib
import json
import zipfile

import pytest

from publishing.lite import DoorError, compiled_wheels, write_lock
from tests.servers import served

pytestmark = pytest.mark.tools
CONTENT = b"compiled numbers"
COMPILED = "numbers-2.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"


def package(name, file, depends=(), sha256=""):
    return {
        "name": name,
        "version": "2.0",
        "file_name": file,
        "depends": [*depends],
        "sha256": sha256,
        "install_dir": "site",
        "imports": [name],
        "package_type": "package",
        "unvendored_tests": False,
    }


@pytest.fixture
def packages():
    digest = hashlib.sha256(CONTENT).hexdigest()
    return {
        "numbers": package("numbers", COMPILED, sha256=digest),
        "letters": package("letters", "letters-2.0-py3-none-any.whl", ["numbers", "signs"]),
        "signs": package("signs", "signs-2.0-py2.py3-none-any.whl", ["letters"]),
        "others": package("others", "others-2.0-py3-none-any.whl"),
    }


@pytest.fixture(params=["folder", "address"])
def source(request, tmp_path):
    """Return a place of compiled wheels, as a publisher would name it."""
    place = tmp_path / "published"
    place.mkdir()
    (place / COMPILED).write_bytes(CONTENT)
    if request.param == "folder":
        yield str(place)
        return
    with served(place) as address:
        yield address


def test_a_compiled_wheel_is_taken_from_where_it_is(packages, source, tmp_path):
    compiled_wheels(packages, sorted(packages), tmp_path, source)
    assert [path.name for path in tmp_path.glob("*.whl")] == [COMPILED]
    assert (tmp_path / COMPILED).read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"sha256": "0" * 64}, f"{COMPILED} from .* is not the file"),
        (
            {"file_name": "numbers-3.0-cp314-wasm32.whl"},
            r"numbers-3\.0-cp314-.* cannot be downloaded",
        ),
    ],
)
def test_another_file_of_that_name_or_none_is_refused(
    packages, source, tmp_path, change, complaint
):
    packages["numbers"] |= change
    with pytest.raises(DoorError, match=complaint):
        compiled_wheels(packages, ["numbers"], tmp_path, source)
    assert not [*tmp_path.glob("*.whl")]


def make_wheel(folder, name, needs=()):
    """Write a wheel of one module."""
    about = "".join(f"Requires-Dist: {need}\n" for need in needs)
    with zipfile.ZipFile(folder / f"{name}-2.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}.py", "")
        head = f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.0\n"
        wheel.writestr(f"{name}-2.0.dist-info/METADATA", head + about)


@pytest.mark.parametrize("compiled", [False, True])
def test_the_lock_names_what_is_there_and_nothing_else(packages, tmp_path, compiled):
    pytest.importorskip("pyodide_lock", reason="`make lite` installs it")
    info = {"abi_version": "2026_0", "arch": "wasm32", "python": "3.14.2"}
    lock = {"info": info | {"platform": "emscripten_5_0_3"}, "packages": packages}
    (tmp_path / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    make_wheel(tmp_path, "letters", ["numbers>=1", "nowhere", "signs; sys_platform == 'win32'"])
    if compiled:
        (tmp_path / COMPILED).write_bytes(CONTENT)
    there = write_lock(tmp_path)
    written = json.loads((tmp_path / "pyodide-lock.json").read_text(encoding="utf-8"))
    assert there == ["letters", "numbers"][: 1 + compiled]
    assert sorted(written["packages"]) == there
    assert written["info"] == lock["info"]
    letters = written["packages"]["letters"]
    assert letters["depends"] == ["numbers"] * compiled
    assert letters["imports"] == ["letters"]
    wheel = tmp_path / letters["file_name"]
    assert letters["sha256"] == hashlib.sha256(wheel.read_bytes()).hexdigest()
