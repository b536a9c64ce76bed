"""What a run leaves out: each reason in one line, with how to get what is missing."""

import os
import platform
import sys
from collections import Counter

import pytest

#: Where everything that a test needs has a wheel; it comes with `make setup`.
COMPLETE = sys.platform == "linux" and platform.machine() == "x86_64"
#: Tests: what is less is a part of the suite.
WHOLE = 2000
#: How pytest begins where a package is missing that `make setup` installs.
MISSING = "Skipped: could not import"


def skipped_in(config):
    """Return the reports of the tests that were skipped, and how many tests there were."""
    stats = config.pluginmanager.get_plugin("terminalreporter").stats
    skipped = stats.get("skipped", [])
    return skipped, len(skipped) + len(stats.get("passed", []))


def pytest_terminal_summary(terminalreporter, config):
    """Say each reason once, however many tests it concerns."""
    skipped, _ = skipped_in(config)
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for reason, count in reasons.most_common():
        terminalreporter.line(f"{count} skipped: {reason}", yellow=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    """Fail a whole run that leaves out what could run: for want of a package; of CI, at all."""
    if not COMPLETE or hasattr(session.config, "workerinput"):
        return
    skipped, total = skipped_in(session.config)
    if "CI" not in os.environ:
        skipped = [one for one in skipped if one.longrepr[2].startswith(MISSING)]
    if total >= WHOLE and skipped:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
