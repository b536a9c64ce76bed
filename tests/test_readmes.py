"""README files of the packages: their examples print what they say, their tables are complete."""

import importlib
import re

import pytest

from tests.test_architecture import PACKAGES
from tests.texts import ROOT

WITH_README = PACKAGES[:-1]


def readme(package):
    return (ROOT / package / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("package", WITH_README)
def test_the_example_prints_what_stands_below_it(package, capsys):
    example, printed = re.search(
        r"^```python\n(.*?)^```\n\n```text\n(.*?)^```", readme(package), re.DOTALL | re.MULTILINE
    ).groups()
    exec(compile(example, f"{package}/README.md", "exec"), {})
    assert capsys.readouterr().out.strip() == printed.strip()


@pytest.mark.parametrize("package", ["straightline", "panels", "verification"])
def test_the_table_lists_every_public_name(package):
    names = importlib.import_module(package).__all__
    set_in_code = " ".join(re.findall(r"`([^`]+)`", readme(package).partition("```")[0]))
    assert [name for name in names if not re.search(rf"\b{name}\b", set_in_code)] == []


def test_they_list_the_folders():
    for package in ("tutlib", "course"):
        listed = set(re.findall(r"^\| `([\w.]+)` \|", readme(package), re.MULTILINE))
        folders = {path.parent.name for path in (ROOT / package).glob("*/__init__.py")}
        assert {name.removeprefix("tutlib.") for name in listed} == {package, *folders}
