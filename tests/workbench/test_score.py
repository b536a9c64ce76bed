"""The workbench on its cases: machines, mistakes, code, derivations, and odd input."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.helpers import NODE, needs_node

HERE = Path(__file__).parent
pytestmark = [pytest.mark.slow, needs_node]

#: Cases that must be right, of how many, for each file.
LEAST = {
    "machines": (68, 68),
    "rewritings": (30, 30),
    "slips": (54, 60),
    "codes": (30, 30),
    "derivations": (20, 20),
    "hostile": (50, 50),
}


@pytest.fixture(scope="module")
def totals():
    # on a busy machine, a limit of time would decide what is found
    environment = os.environ | {"LIMIT": "600000"}
    command = [NODE, HERE / "score.mjs", HERE / "cases", "-v"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    found = re.findall(r"^(\w+).*?: (\d+) of (\d+)", done.stdout, re.MULTILINE)
    return {name: (int(right), int(of)) for name, right, of in found}, done.stdout


@pytest.mark.parametrize("name", LEAST)
def test_cases(totals, name):
    numbers, output = totals
    right, of = numbers[name]
    least, all_of_them = LEAST[name]
    assert of == all_of_them
    assert right >= least, output


def test_no_mistake_is_called_right(totals):
    _, output = totals
    line = re.search(r"^slips: .*$", output, re.MULTILINE)[0]
    assert "equal" not in line
    assert "convention" not in line
