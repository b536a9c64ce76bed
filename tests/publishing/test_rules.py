"""Of a style sheet the rules stay that something in the site may need, and all others go."""

import pytest

from publishing.sphinx.css_rules import keep_used_rules, used, words_in_use
from publishing.sphinx.theme_fixes import with_one_viewport

WORDS = {"here", "main", "-odd"}


@pytest.mark.parametrize(
    ("sheet", "kept"),
    [
        ("a{color:red}.here{x:1}.gone{x:2}", "a{color:red}.here{x:1}"),
        (".gone,.here>b,#gone .here{x:1}", ".here>b{x:1}"),
        ("#main .-odd{x:1}", "#main .-odd{x:1}"),
        ("a:not(.gone):is(.gone,b){x:1}", "a:not(.gone):is(.gone,b){x:1}"),
        ('a[href=".gone"]{x:1}', 'a[href=".gone"]{x:1}'),
        ("@media print{.gone{x:1}.here{x:2}}", "@media print{.here{x:2}}"),
        ("@media print{.gone{x:1}}b{x:1}", "b{x:1}"),
        ("@keyframes go{0%{x:1}50.5%,to{x:2}}", "@keyframes go{0%{x:1}50.5%,to{x:2}}"),
        ("@font-face{src:url(a.gone.woff)}", "@font-face{src:url(a.gone.woff)}"),
        ('@charset "x";:root{--a:"};.gone{"}', '@charset "x";:root{--a:"};.gone{"}'),
        ("/* .gone{ */b{x:1;y:2}", "b{x:1;y:2}"),
    ],
)
def test_a_rule_stays_if_what_it_asks_for_may_be_there(sheet, kept):
    assert used(sheet, WORDS) == kept


def test_words_are_those_of_pages_and_scripts(tmp_path):
    styles = tmp_path / "_static/styles"
    styles.mkdir(parents=True)
    (tmp_path / "one.html").write_text(
        '<p class="a b" id=\'c\'></p><script>add("d")</script><iframe srcdoc="<p class=no>">'
    )
    (tmp_path / "_static/x.js").write_text("classList.add('e-f')")
    assert {"a", "b", "c", "d", "e-f"} <= words_in_use(tmp_path)
    sheet = styles / "pydata-sphinx-theme.css"
    sheet.write_text(".a{x:1}.zz-gone{x:1}/*# sourceMappingURL=pydata-sphinx-theme.css.map */")
    sheet.with_name("pydata-sphinx-theme.css.map").write_text("{}")
    keep_used_rules(tmp_path)
    assert sheet.read_text() == ".a{x:1}"
    assert not sheet.with_name("pydata-sphinx-theme.css.map").exists()


def test_a_page_says_once_how_wide_it_is():
    said = '<meta name="viewport" content="{}" />'
    page = (
        f"<head>{said.format(1)}<b>{said.format(2)}</b>{said.format(3)}</head><p>{said.format(4)}"
    )
    assert with_one_viewport(page) == f"<head>{said.format(1)}<b></b></head><p>{said.format(4)}"
    assert with_one_viewport("<p>no head") == "<p>no head"
