"""A reader of a run sees what was left out, and why, without counting lines."""

import pytest

from tests import skips

pytestmark = pytest.mark.tools


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
