"""What a run leaves out: each reason in one line, with how to get what is missing."""

import os
import platform
import sys
from collections import Counter

import pytest

from tests.budget import WHOLE

#: Where everything that a test needs has a wheel; it comes with `make setup`.
COMPLETE = sys.platform == "linux" and platform.machine() == "x86_64"
#: So many tests may be skipped there.
MOST = 0


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
    """Fail a whole run of CI that leaves out what could have run."""
    if not COMPLETE or "CI" not in os.environ or hasattr(session.config, "workerinput"):
        return
    skipped, total = skipped_in(session.config)
    if total >= WHOLE and len(skipped) > MOST:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
