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
    ("complete", "ci", "skip", "status"),
    [
        (True, True, 'pytest.skip("no browser")', 1),
        (True, False, 'pytest.skip("no browser")', 0),
        (True, False, 'pytest.importorskip("no_such_package")', 1),
        (False, True, 'pytest.importorskip("no_such_package")', 0),
        (True, True, "pass", 0),
    ],
)
def test_a_whole_run_may_leave_out_what_cannot_run(
    pytester, monkeypatch, complete, ci, skip, status
):
    monkeypatch.delenv("CI", raising=False)
    if ci:
        monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(skips, "WHOLE", 2)
    monkeypatch.setattr(skips, "COMPLETE", complete)
    pytester.makepyfile(
        f"""
        import pytest

        def test_runs():
            pass

        def test_does_not():
            {skip}
        """
    )
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", plugins=[skips])
    assert result.ret == status
