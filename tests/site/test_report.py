"""An exported report, opened from the disk as somebody who was sent it does: it moves."""

import re

import nbformat

from course.desk.html_report import report_file

from .panel import PATIENCE

CELLS = (
    nbformat.v4.new_markdown_cell("# A report\n\nIts period is $2\\pi\\sqrt{l/g}$."),
    nbformat.v4.new_code_cell(
        "import numpy as np\n"
        "from panels import animate, live; from tutlib import integrate\n"
        "from tutlib.models import pendulum\n"
        "arm = pendulum().free()\n"
        "run = integrate(arm.compile(), np.linspace(0, 2, 41), [1.0, 0.0])\n"
        'animate(run, arm, "A pendulum swings.")'
    ),
    nbformat.v4.new_code_cell('live(arm, [1.0, 0.0], "A pendulum swings.")'),
)


def test_film_and_panel_move_and_nobody_is_asked(browser, tmp_path):
    file = tmp_path / "report.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=list(CELLS)), file)
    report_file(file)
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    page, heard = context.new_page(), []
    page.on("request", lambda request: heard.append(request.url))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.goto(file.with_suffix(".html").as_uri())
    film = page.frame_locator("iframe.tutlib-animation")
    film.locator("output").filter(has_text="t = 0").wait_for()
    film.locator(".controls button").first.click()
    film.locator("output").filter(has_text="t = 1").wait_for()
    page.locator("iframe.tutlib-live").scroll_into_view_if_needed()
    panel = page.frame_locator("iframe.tutlib-live")
    panel.locator(".clock").filter(has_text=re.compile("t = [1-9]")).wait_for()
    context.close()
    own = ("file:", "data:", "blob:", "about:")
    assert [one for one in heard if not one.startswith(own)] == []
