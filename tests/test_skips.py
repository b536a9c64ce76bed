"""A reader of a run sees what was left out, and why, without counting lines."""

import pytest

from tests import skips

pytestmark = pytest.mark.tools


def test_each_reason_to_skip_is_said_in_one_line(pytester):
    pytester.makepyfile(
        """
        import pytest

        @pytest.fixture
        def browser():
            pytest.skip("no browser: install chromium")

        @pytest.mark.parametrize("page", range(3))
        def test_page(browser, page):
            pass

        @pytest.mark.skipif(True, reason="no Node.js: install nodejs")
        def test_script():
            pass
        """
    )
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", plugins=[skips])
    lines = [line for line in result.outlines if " skipped: " in line]
    assert lines == [
        "3 skipped: no browser: install chromium",
        "1 skipped: no Node.js: install nodejs",
    ]


@pytest.mark.parametrize(
    ("complete", "most", "status"), [(True, 1, 0), (True, 0, 1), (False, 0, 0)]
)
def test_a_whole_run_of_ci_may_leave_out_only_so_many(
    pytester, monkeypatch, complete, most, status
):
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(skips, "WHOLE", 2)
    monkeypatch.setattr(skips, "COMPLETE", complete)
    monkeypatch.setattr(skips, "MOST", most)
    pytester.makepyfile(
        """
        import pytest

        def test_runs():
            pass

        def test_does_not():
            pytest.skip("no browser")
        """
    )
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", plugins=[skips])
    assert result.ret == status
