"""The budget of the tests fails where a test outgrows its share, and only there."""

import pytest

from tests.budget import ONE, TEN, WHOLE, Budget, complaints

pytestmark = pytest.mark.tools

EVEN = {f"test {k}": 0.1 for k in range(WHOLE)}
TOTAL = sum(EVEN.values())


def test_one_slow_test_is_named_with_its_share():
    share = 2 * ONE / (1 + 2 * ONE)
    (complaint,) = complaints({**EVEN, "slow": 2 * ONE * TOTAL})
    assert complaint.startswith(f"slow takes {share:.0%} of the whole; a test may take {ONE:.0%}")


def test_ten_slow_tests_are_too_much_together():
    slow = {f"slow {k}": 0.9 * ONE * TOTAL for k in range(10)}
    assert complaints({**EVEN, **slow}) == [
        f"the ten slowest tests take {9 * ONE / (1 + 9 * ONE):.0%} of the whole, over {TEN:.0%}"
    ]


def test_what_is_shared_counts_in_the_whole_and_is_no_test_s():
    slow = {**EVEN, "slow": 2 * ONE * TOTAL}
    assert complaints(slow)
    assert complaints(slow, shared=TOTAL) == []


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
