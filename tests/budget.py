"""The budget of the tests: what each costs in CPU, and a limit to the share of the slowest.

Seconds on a clock depend on the computer and on what else it does; shares of CPU hardly do. A run
of the whole suite fails when one test, or the ten slowest together, take more than their share.
What is prepared for several tests (books built, a browser started) is nobody's own: it counts in
the whole alone, since the first test that asks for it pays by chance.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

WHOLE = 3000  # tests: what is less is a part of the suite, whose shares say nothing
ONE, TEN = 0.1, 0.4  # largest shares of the whole: of one test, of the ten slowest
NAME = "cpu_seconds"


def cpu():
    """Return the CPU time of this process and of its children that have ended, in s."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def slowest(costs, number=10):
    """Return the names and seconds of the slowest tests."""
    return Counter(costs).most_common(number)


def complaints(costs, shared=0.0):
    """Return a sentence for each limit that a run of the whole suite exceeds."""
    whole = sum(costs.values()) + shared
    if len(costs) < WHOLE or not whole:
        return []
    found = [
        f"{name} takes {seconds / whole:.0%} of the whole; a test may take {ONE:.0%}"
        for name, seconds in slowest(costs)
        if seconds > ONE * whole
    ]
    ten = sum(seconds for _, seconds in slowest(costs))
    if ten > TEN * whole:
        found.append(f"the ten slowest tests take {ten / whole:.0%} of the whole, over {TEN:.0%}")
    return found


class Budget:
    """Gathers what each test costs, in whichever process it ran."""

    def __init__(self):
        self.costs = {}
        self.shared = 0.0

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        """Write the cost since the last report into this one."""
        report = yield
        now = cpu()
        report.user_properties = [(NAME, now - item.config.cpu_before)]
        item.config.cpu_before = now
        return report

    def pytest_collection_finish(self, session):
        """Begin to count with the first test: what collecting costs is no test's."""
        session.config.cpu_before = cpu()

    def pytest_runtest_logreport(self, report):
        """Add what a test costs; apart, what is prepared and ended around it."""
        cost = dict(report.user_properties).get(NAME, 0.0)
        if report.when == "call":
            self.costs[report.nodeid] = self.costs.get(report.nodeid, 0.0) + cost
        else:
            self.shared += cost

    def pytest_sessionfinish(self, session):
        if complaints(self.costs, self.shared) and not hasattr(session.config, "workerinput"):
            session.exitstatus = max(session.exitstatus, pytest.ExitCode.TESTS_FAILED)

    def pytest_terminal_summary(self, terminalreporter):
        whole = sum(self.costs.values())
        terminalreporter.section(
            f"the ten slowest of {len(self.costs)} tests, {whole:.0f} s of CPU "
            f"and {self.shared:.0f} s for what they share"
        )
        for name, seconds in slowest(self.costs):
            terminalreporter.line(f"{seconds:6.2f} s  {name}")
        for complaint in complaints(self.costs, self.shared):
            terminalreporter.line(f"OVER BUDGET: {complaint}", red=True)


def pytest_configure(config):
    config.pluginmanager.register(Budget(), "budget")
