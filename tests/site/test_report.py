"""An exported report, opened from the disk as somebody who was sent it does: it moves."""

import re

import nbformat

from course.desk.reporting import _formulas, report_file

CELLS = (
    nbformat.v4.new_markdown_cell("# A report\n\nIts period is $2\\pi\\sqrt{l/g}$."),
    nbformat.v4.new_code_cell(
        "import numpy as np\n"
        "from tutlib import animate, integrate, live\n"
        "from tutlib.models import pendulum\n"
        "arm = pendulum().free()\n"
        "run = integrate(arm.compile(), np.linspace(0, 2, 41), [1.0, 0.0])\n"
        'animate(run, arm, "A pendulum swings.")'
    ),
    nbformat.v4.new_code_cell('live(arm, [1.0, 0.0], "A pendulum swings.")'),
)


def test_a_report_on_a_disk_moves_has_its_formulas_and_asks_nobody(reader, tmp_path):
    file = tmp_path / "report.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=list(CELLS)), file)
    report_file(file)
    reader.emulate_media(reduced_motion="no-preference")
    reader.goto(file.with_suffix(".html").as_uri())
    film = reader.frame_locator("iframe.tutlib-animation")
    film.locator("output").filter(has_text="t = 0").wait_for()
    film.locator(".controls button").first.click()
    film.locator("output").filter(has_text="t = 1").wait_for()
    reader.locator("iframe.tutlib-live").scroll_into_view_if_needed()
    panel = reader.frame_locator("iframe.tutlib-live")
    panel.locator(".clock").filter(has_text=re.compile("t = [1-9]")).wait_for()
    if _formulas():  # else they need the network here: pip install sphinx-mathjax-offline
        reader.locator("mjx-container svg").first.wait_for()
