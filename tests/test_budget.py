"""The budget of the tests fails where a test outgrows its share, and only there."""

import pytest

from tests.budget import ONE, TEN, WHOLE, Budget, complaints

pytestmark = pytest.mark.tools

EVEN = {f"test {k}": 0.1 for k in range(WHOLE)}
TOTAL = sum(EVEN.values())


def test_slow_tests_are_named_with_their_share_and_ten_together_are_too_much():
    share = 2 * ONE / (1 + 2 * ONE)
    one_slow = {**EVEN, "slow": 2 * ONE * TOTAL}
    (complaint,) = complaints(one_slow)
    assert complaint.startswith(f"slow takes {share:.0%} of the whole; a test may take {ONE:.0%}")
    assert complaints(one_slow, shared=TOTAL) == []  # no test's, but a part of the whole
    ten_slow = {f"slow {k}": 0.9 * ONE * TOTAL for k in range(10)}
    share = 9 * ONE / (1 + 9 * ONE)
    assert complaints({**EVEN, **ten_slow}) == [
        f"the ten slowest tests take {share:.0%} of the whole, over {TEN:.0%}"
    ]


def test_a_run_prints_them_and_fails_over_budget(pytester, monkeypatch):
    monkeypatch.setattr("tests.budget.WHOLE", 2)
    pytester.makepyfile(
        """
        import time

        def test_slow():
            end = time.process_time() + 0.5
            while time.process_time() < end:
                pass

        def test_fast():
            pass
        """
    )
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", plugins=[Budget()])
    result.assert_outcomes(passed=2)
    result.stdout.re_match_lines([".*the ten slowest of 2 tests.*", r".*::test_slow", "OVER.*"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_work_of_another_process_counts(pytester):
    pytester.makepyfile(
        """
        import subprocess, sys

        def test_elsewhere():
            works = "import time\\nwhile time.process_time() < 0.5: pass"
            subprocess.run([sys.executable, "-c", works], check=True)
        """
    )
    budget = Budget()
    pytester.runpytest_inprocess("-p", "no:cacheprovider", plugins=[budget])
    assert sum(budget.costs.values()) > 0.4
