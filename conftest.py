"""What every test run begins with."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

SITE = Path(__file__).parent / "tests" / "site"
pytest_plugins = ["tests.skips"]

# No test depends on how fast this computer is, or on chance; once a week, chance looks further.
settings.register_profile("course", deadline=None, derandomize=True)
settings.register_profile("random", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "course"))


def pytest_configure():
    """Let Ctrl-C interrupt even where a shell started this in the background, and ignores it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def first_tries():
    """Let no test depend on the wrong answers of another."""
    from course.judge import forget_tries

    forget_tries()


@pytest.fixture(autouse=True)
def slow_machine(monkeypatch):
    """Judge as a machine does that is ten times slower, with its clock: the same is right there."""
    from course.judge import rehearsal

    for limit in ("FIRST_LOOK", "LEAST"):
        monkeypatch.setattr(rehearsal, limit, getattr(rehearsal, limit) / 10)


def pytest_collection_modifyitems(items):
    """Begin with files that take long, so that no process waits for another in the end."""
    slow = {i.path for i in items if i.get_closest_marker("slow") or i.path.parent == SITE}
    items.sort(key=lambda item: item.path not in slow)
