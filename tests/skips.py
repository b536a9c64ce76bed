"""What a run leaves out: each reason in one line, with how to get what is missing."""

from collections import Counter


def pytest_terminal_summary(terminalreporter):
    """Say each reason once, however many tests it concerns."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for reason, count in reasons.most_common():
        terminalreporter.line(f"{count} skipped: {reason}", yellow=True)
