"""What every test run begins with."""

import os
import re
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


#: A chapter in a test's id: its folder, its module, or an exercise, as in ``kane-3``.
CHAPTER = re.compile(r"(?<![\w-])(?:\d\d-)?([a-z]\w+(?:-[a-z]\w+)*)(?:-\d+)?(?![\w-])")


def pytest_addoption(parser):
    """Add an option for authors: ``python -m course exercises`` uses it."""
    parser.addoption("--chapter", metavar="NAME", help="leave out tests of all other chapters")


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


def pytest_collection_modifyitems(config, items):
    """Leave out other chapters, if asked; begin with files that take long."""
    if chosen := config.getoption("--chapter"):
        leave_out(config, items, chosen)
    slow = {i.path for i in items if i.get_closest_marker("slow") or i.path.parent == SITE}
    items.sort(key=lambda item: item.path not in slow)


def leave_out(config, items, chosen):
    """Deselect the tests whose parameters name other chapters than the chosen one."""
    from tests.texts import RECORD

    chapters, others = {chapter.name for chapter in RECORD.values()}, []
    for item in items:
        found = CHAPTER.findall(item.callspec.id) if hasattr(item, "callspec") else []
        named = chapters & {name.replace("_", "-") for name in found}
        if named and chosen not in named:
            others.append(item)
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in {*others}]
