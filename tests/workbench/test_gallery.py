"""The gallery of the workbench, and its answers to public questions."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.helpers import NODE, needs_node

HERE = Path(__file__).parent
pytestmark = [pytest.mark.slow, needs_node]


def run(*arguments):
    return subprocess.run(
        [NODE, *arguments], capture_output=True, text=True, encoding="utf-8", check=False
    )


def test_every_entry_of_the_gallery():
    done = run("--test", "--test-reporter=tap", HERE / "gallery.test.mjs")
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"# pass (\d+)", done.stdout)[1]) > 50


def test_public_questions():
    done = run(HERE / "questions.mjs", "-v")
    assert done.returncode == 0, done.stderr
    right, of = re.search(r"verdicts: (\d+) of (\d+)", done.stdout).groups()
    assert int(of) == 30
    assert int(right) >= 29, done.stdout
