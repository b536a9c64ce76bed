"""JupyterLab in the browser: it opens, derives, compiles, and asks no other server."""

import base64
import json
import re

import pytest
from playwright.sync_api import TimeoutError

from publishing.lite import build_door
from tests.servers import served
from tests.tutlib.test_bits import FIRST, compiled, last_row, loop_of

from .panel import PATIENCE

pytestmark = [pytest.mark.slow, pytest.mark.tools]

# The module is found without importing the package, which would ask for NumPy.
IN_PYODIDE = """
import array, base64, importlib.util, json
place = importlib.util.find_spec("straightline").submodule_search_locations[0]
spec = importlib.util.spec_from_file_location("browser", f"{place}/browser.py")
browser = importlib.util.module_from_spec(spec)
spec.loader.exec_module(browser)
assert browser.IN_A_BROWSER

def last_row(job):
    program = browser.BrowserProgram(base64.b64decode(job["code"]), job["size"])
    def write(name, values):
        first = job["layout"][name]
        program.floats[first : first + len(values)] = array.array("d", values)
    write("p", job["parameters"])
    program.call("prepare")
    write("T", job["times"])
    write("X", job["start"])
    done = program.call("run", len(job["times"]) - 1)
    row, k = job["layout"]["X"] + done * len(job["start"]), len(job["start"])
    return done, program.floats[row : row + k].tobytes().hex()

json.dumps([last_row(job) for job in json.loads(jobs)])
"""
RUN = """async ([text, jobs]) => {
    const { loadPyodide } = await import("./lite/static/pyodide/pyodide.mjs");
    const python = await loadPyodide();
    await python.loadPackage("tutlib");
    python.globals.set("jobs", jobs);
    return python.runPython(text);
}"""
CASES = [
    ("pendulum", "euler"),
    ("double pendulum", "rk4"),
    ("rolling disc", "rk4"),
    ("four-bar", "heun"),
    ("quadrotors", "rk4"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return a folder with nothing but the door."""
    pytest.importorskip("jupyterlite_pyodide_kernel", reason="`make lite` installs it")
    folder = tmp_path_factory.mktemp("site")
    build_door(folder, solutions=False)
    (folder / "index.html").write_text('<link rel="icon" href="data:,">', encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def address(site):
    with served(site) as address:
        yield address


@pytest.fixture
def page(browser, address):
    """Return a page, and fail on what it asks of other servers or does not find."""
    context, wrong = browser.new_context(), []
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    own = (address, "data:", "blob:")
    page.on("request", lambda asked: asked.url.startswith(own) or wrong.append(asked.url))
    page.on("response", lambda got: got.status < 400 or wrong.append(f"{got.status} {got.url}"))
    yield page
    context.close()
    assert wrong == []


def test_the_welcome_derives_a_pendulum(page, address):
    page.goto(f"{address}lite/lab/index.html?path=welcome.ipynb")
    page.wait_for_selector(".jp-Notebook .jp-CodeCell")
    page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').wait_for()
    asked = page.locator(".jp-InputPrompt").filter(has_text=re.compile(r"[*\d]"))
    # While its kernel begins, JupyterLab may drop what it is asked to run.
    for _ in range(PATIENCE // 10_000):
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_text("Run All Cells", exact=True).click()
        try:
            asked.first.wait_for(timeout=10_000)
            break
        except TimeoutError:
            continue
    outputs = page.locator(".jp-OutputArea-output")
    page.wait_for_function("document.querySelectorAll('.jp-OutputArea-output').length >= 2")
    derived = "".join(outputs.nth(0).inner_text().split()).replace("\u2061", "")
    assert all(part in derived for part in "−𝑔sin𝜃𝑡𝑙".replace("sin", ""))
    assert "this JupyterLite has no numpy" in outputs.nth(1).inner_text()
    assert "make lite COMPILED=published" in outputs.nth(1).inner_text()


def test_the_browser_runs_the_same_programs_to_the_same_bits(page, address):
    jobs, expected = [], []
    for case in CASES:
        loop, _, times, start = loop_of(*case)
        steps = min(FIRST, loop.rows)
        program, values = compiled(*case)
        jobs.append(
            {
                "code": base64.b64encode(program.code).decode(),
                "layout": program.layout,
                "size": program.layout[""],
                "parameters": list(values),
                "times": list(times[: steps + 1]),
                "start": list(start),
            }
        )
        expected.append([*last_row(*case, steps)])
    page.goto(address)
    assert json.loads(page.evaluate(RUN, [IN_PYODIDE, json.dumps(jobs)])) == expected
