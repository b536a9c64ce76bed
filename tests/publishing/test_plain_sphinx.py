"""The build by Sphinx alone: which pages are compared, and how it is called."""

from pathlib import Path

from publishing.plain_sphinx import differences, pages_in, sphinx_command


def test_static_files_and_downloads_are_not_pages(tmp_path):
    for name in ("index.html", "book/intro.html", "_static/frame.html", "_sources/a.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "objects.inv").touch()
    assert pages_in(tmp_path) == {"index.html", "book/intro.html"}


def test_every_page_of_one_site_alone_is_named():
    assert differences(["a.html", "b.html"], ["b.html", "a.html"]) == []
    assert differences(["b.html", "new.html"], ["a.html", "b.html"]) == [
        "a.html: missing in the build by Sphinx",
        "new.html: only in the build by Sphinx",
    ]


def test_warnings_are_errors():
    command = sphinx_command(Path("source"), Path("site"))
    assert {"-W", "-n", "--keep-going"} < set(command)
    assert command[-2:] == ["source", "site"]
