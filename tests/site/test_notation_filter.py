"""The letters of one chapter on the page of notation; without JavaScript, those of all chapters."""

import html

import pytest

from tests.helpers import ROOT
from tests.test_notation import NAMES, tables

from .panel import PATIENCE

SCRIPT = (ROOT / "book/_static/notation.js").read_text(encoding="utf-8")
AROUND = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Notation</title>
<link rel="icon" href="data:,"></head><body>
<section><table><tbody><tr><td>t</td></tr></tbody></table></section>
<section><div class="tutlib-filter" hidden></div><table><tbody>%s</tbody></table>
<script>%s</script></section></body></html>"""


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def page(browser, request):
    """Show the table of letters of single chapters, as the page of notation has it."""
    cells = ((f"<td>{html.escape(cell)}</td>" for cell in row) for row in tables()[1])
    rows = [f"<tr>{''.join(row)}</tr>" for row in cells]
    with browser.new_context(java_script_enabled=request.param) as context:
        context.set_default_timeout(PATIENCE)
        shown = context.new_page()
        shown.set_content(AROUND % ("".join(rows), SCRIPT))
        shown.scripts = request.param
        yield shown


def test_a_chapter_is_chosen_in_the_order_of_the_course(page):
    choice = page.get_by_label("Show the letters of")
    rows = page.locator("section:last-of-type tr:visible")
    assert rows.count() == len(tables()[1])
    if not page.scripts:
        assert choice.count() == 0
        return
    names = choice.locator("option").all_inner_texts()
    assert names == ["all chapters", *NAMES.values()]
    for name in names[1:]:
        choice.select_option(name)
        wanted = [row for row in tables()[1] if row[1] == "all" or name in row[1].split(", ")]
        assert rows.locator("td:nth-child(3)").all_inner_texts() == [row[2] for row in wanted]
        said = page.get_by_role("status").inner_text()
        assert said == f"{len(wanted)} of {len(tables()[1])} rows"
    assert page.locator("section:first-of-type tr").is_visible()
