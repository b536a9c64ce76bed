"""What every test run begins with."""

from pathlib import Path

SITE = Path(__file__).parent / "tests" / "site"
pytest_plugins = ["pytester", "tests.budget", "tests.skips", "tests.notebooks.replay"]


def pytest_collection_modifyitems(items):
    """Begin with files that take long, so that no process waits for another in the end."""
    slow = {i.path for i in items if i.get_closest_marker("slow") or i.path.parent == SITE}
    items.sort(key=lambda item: item.path not in slow)
