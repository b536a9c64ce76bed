"""What "Copy as Python" hands out runs in an empty notebook, and makes the same motion."""

import json
import linecache
import re
import subprocess

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from publishing.panel_data import programs
from tests.helpers import NODE, ROOT, executed, needs_node
from tests.notebooks import chapters

pytestmark = [pytest.mark.slow, needs_node]
#: Chapters whose panels compare a motion with a measured one: these offer no code to copy.
COMPARE_ONLY = {"12-measured-motion"}
STEMS = [stem for stem in chapters.STEMS if stem in chapters.PAGES and stem not in COMPARE_ONLY]
CELL = re.compile(r"(?sm)^(`{3,})\{code-cell\}[^\n]*\n(?::[^\n]*\n)*(.*?)^\1$")
#: Lines that are copied at most: a reader looks them through.
LONGEST = 115
#: What takes long, and has run in its notebook with as many as stand there: here a few will do.
FEWER = {"side = 32": "side = 4", "16_000": "1_600", "seconds, small = 100": "seconds, small = 2"}


def shown_by(stem):
    """Return the HTML that the cells of an executed chapter show."""
    cells = [cell for name in chapters.PAGES[stem] for cell in executed(name).cells]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    return [
        output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})
    ]


def shown_on(name):
    """Return the HTML that the cells of a page of the book show."""
    shell, found = InteractiveShell.instance(), []
    try:
        for _, code in CELL.findall((ROOT / "book" / name).read_text(encoding="utf-8")):
            with capture_output():
                result = shell.run_cell(code, store_history=True)
            result.raise_error()
            if hasattr(result.result, "_repr_html_"):
                found.append(result.result._repr_html_())
    finally:
        InteractiveShell.clear_instance()
    return found


def changed(data):
    """Return a setting that differs from a panel's own in every slider, the method and the step."""
    news = {"p": {}, "x0": {}, "h": 0.004, "method": data["methods"][-1]["name"]}
    for slider in data["sliders"]:
        value = (0.3 * slider["low"] + 0.7 * slider["high"]) / slider["scale"]
        news[slider["target"]][slider["index"]] = value
    return news


def in_the_page(job):
    done = subprocess.run(
        [NODE, str(ROOT / "tests/javascript/copied.mjs")],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def pasted(code):
    """Run code in an empty namespace, its text at hand as in a notebook; return what it makes."""
    space, place = {"__name__": "pasted"}, f"<pasted {hash(code)}>"  # __main__ is pytest's here
    linecache.cache[place] = (len(code), None, code.splitlines(True), place)
    for many, few in FEWER.items():
        code = code.replace(many, few)
    with capture_output():
        exec(compile(code, place, "exec"), space)
    return space


def jobs(page):
    """Return what is asked of the page for each panel; of several in one, as if it were chosen."""
    every, found = [*programs(page)], []
    for k in sorted({0, len(every) - 1} & {*range(len(every))}):  # the first, and the last
        data, program = every[k]
        choice = {"choice": {"name": "number", "label": str(k), "index": k, "first": 0}}
        data = data | choice if len(every) > 1 else data
        found.append({"specification": data, "program": program, "news": changed(data)})
    return found


def faults(pages):
    job = [each for page in pages for each in jobs(page)]
    assert job
    assert all("python" in each["specification"] for each in job), "nothing to copy"
    names = [each["specification"]["python"]["names"] for each in job]
    copied = in_the_page(job)
    spaces = [pasted(each["code"]) for each in copied]
    lengths = [len(each["code"].splitlines()) for each in copied]
    found = [f"{length} lines" for length in lengths if length > LONGEST]
    for each, of, space in zip(job, names, spaces, strict=True):
        each["start"] = space[of["trajectory"]].x[0].tolist()
    moved = in_the_page(job)
    for each, of, space, there in zip(job, names, spaces, moved, strict=True):
        data, setting, expected = each["specification"], there["setting"], there["state"]
        x = space[of["trajectory"]].x
        if not np.allclose(x[20], expected, rtol=1e-9, atol=1e-9):
            found.append((data["name"], "moves in another way", x[20], expected))
        if space[of["start"]] != setting["x0"]:
            found.append((data["name"], "starts elsewhere"))
        found += other_settings(data, setting, space[of["panel"]])
    return found


def other_settings(data, setting, panel):
    """Name what a panel in the plane shows in another way than it was set."""
    if data["size"]["axes"] == 3:
        return []
    values = [panel.parameters[parameter["name"]] for parameter in data["parameters"]]
    as_set = {"p": values, "x0": panel.state, "method": panel.method, "h": panel.step_size}
    return [(data["name"], name) for name, value in as_set.items() if value != setting[name]]


@pytest.mark.parametrize("stem", STEMS)
def test_the_code_of_every_panel_of_a_chapter_runs_as_pasted(stem):
    assert not faults(shown_by(stem))


@pytest.mark.parametrize("name", ["intro.md", "pictures.md"])
def test_the_code_of_every_panel_of_a_page_runs_as_pasted(name):
    assert not faults(shown_on(name))
