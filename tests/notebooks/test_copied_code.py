"""What "Copy as Python" hands out runs in an empty notebook, and makes the simulation again."""

import ast
import json
import re
import subprocess

import pytest

from course.desk import course_notebooks
from publishing.panels import panels
from tests.helpers import NODE, ROOT, needs_node, record

pytestmark = [pytest.mark.slow, needs_node]
STEMS = sorted(path.stem for path in course_notebooks(ROOT))
#: What a panel shows, whatever is set.
SAME = (
    "name", "title", "hint", "description", "states", "sliders", "switches", "readouts", "guides",
    "runs", "methods", "presets", "arrows", "main", "push", "goals", "conserved", "ball", "size",
)  # fmt: skip
CELL = re.compile(r"(?sm)^(`{3,})\{code-cell\}[^\n]*\n(?::[^\n]*\n)*(.*?)^\1$")


def panels_of_page(name):
    """Return the specifications of the simulations that a page of the book shows."""
    found, space = [], {}
    for _, code in CELL.findall((ROOT / "book" / name).read_text(encoding="utf-8")):
        *before, last = ast.parse(code).body
        if not isinstance(last, ast.Expr):
            before.append(last)
        exec(compile(ast.Module(before, []), name, "exec"), space)
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), name, "eval"), space)
            found += panels(shown._repr_html_()) if hasattr(shown, "_repr_html_") else []
    return found


def changed(data):
    """Return a setting that differs from a panel's own in every slider, the method and the step."""
    news = {"p": {}, "x0": {}, "h": 0.004, "method": data["methods"][-1]["name"], "trace": True}
    for slider in data["sliders"]:
        value = (0.3 * slider["low"] + 0.7 * slider["high"]) / slider["scale"]
        news[slider["target"]][slider["index"]] = value
    return news


def codes(specifications):
    """Return the code for each panel as it is, and with another setting; and the settings."""
    job = [
        {"specification": data, "news": news}
        for data in specifications
        for news in ({}, changed(data))
    ]
    done = subprocess.run(
        [NODE, str(ROOT / "tests/javascript/copied.mjs")],
        input=json.dumps(job), capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def pasted(code):
    """Run code in an empty namespace; return its simulation's specification, and its motion."""
    space = {"__name__": "__main__"}
    exec(compile(code, "<pasted>", "exec"), space)
    shown = eval(code.splitlines()[-1], space)
    (one,) = getattr(shown, "simulations", (shown,))
    return one.specification, space["trajectory"]


def differences(data, copied):
    """Name what of a panel is another when it comes from its copied code."""
    again, trajectory = pasted(copied["code"])
    setting = copied["setting"]
    found = {
        "p": [parameter["value"] for parameter in again["parameters"]],
        "x0": again["x0"], "method": again["method"], "h": again["h"],
    }  # fmt: skip
    names = [name for name, value in found.items() if value != setting[name]]
    own = [parameter["value"] for parameter in data["parameters"]]
    same = [name for name in SAME if name != "ball" or setting["p"] == own]  # how far it reaches
    names += [name for name in same if as_json(again.get(name)) != as_json(data.get(name))]
    if "trace" in copied["code"] and again["trace"] != setting["trace"]:
        names.append("trace")
    return names + ([] if len(trajectory) == 1001 else ["the trajectory"])


def as_json(value):
    return json.loads(json.dumps(value, default=float))


def faults(specifications):
    copied = codes(specifications)
    twice = [data for data in specifications for _ in range(2)]
    found = []
    for data, each in zip(twice, copied, strict=True):
        needed = [line for line in each["code"].splitlines() if "must stand above" in line]
        found += [(data["name"], name) for name in [*needed, *differences(data, each)]]
    return found


@pytest.mark.parametrize("stem", STEMS)
def test_the_code_of_every_panel_of_a_chapter_runs_as_pasted(stem):
    specifications = [data for data, _ in record(stem)["simulations"]]
    assert all("python" in data for data in specifications)
    assert not faults(specifications)


@pytest.mark.parametrize("name", ["intro.md", "instructors.md", "pictures.md"])
def test_the_code_of_every_panel_of_a_page_runs_as_pasted(name):
    specifications = panels_of_page(name)
    assert specifications
    assert not faults(specifications)
