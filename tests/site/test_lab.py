"""A live simulation in JupyterLab: Python reads and sets what the page shows, and back."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from .panel import PATIENCE

pytestmark = [pytest.mark.slow, pytest.mark.tools]

CELLS = [
    """
from panels import live
from tutlib.models import pendulum
arm = pendulum().with_inputs({"tau": 0})
simulation = live(arm, [1.0, 0.0], "An arm swings.", sliders={"g": (0, 20, "m/s²")}, name="arm")
simulation
""",
    'simulation.running = False\nsimulation.parameters = {"g": 3.0}\nsimulation.state = [0.5, 0.0]',
    'simulation.method = "heun"',
    'print("read", simulation.parameters["g"], simulation.method, simulation.state[0])',
]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Start JupyterLab with settings of its own; return the address of its notebooks."""
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
    folder = tmp_path_factory.mktemp("lab")
    cells = [new_code_cell(source.strip()) for source in CELLS]
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    notebook = new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, folder / "arm.ipynb")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {name: str(folder / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR")}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += ["--ip=127.0.0.1", f"--port={port}", "--IdentityProvider.token="]
    command += [f"--ServerApp.root_dir={folder}", "--LabApp.news_url=None"]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(command, env={**os.environ, **own}, stdout=log, stderr=log)
    try:
        for _ in range(PATIENCE // 100):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api")
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/lab/tree/"
    finally:
        server.terminate()
        server.wait(PATIENCE / 1000)


@pytest.fixture(scope="module")
def desk(browser, lab):
    """Return a browser page that keeps JupyterLab's own scripts from one notebook to the next.

    It closes before the server: a server whose page still talks to it waits for that without end.
    """
    context = browser.new_context(viewport={"width": 1200, "height": 1400})
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def open_notebook(page, address):
    page.goto(address + "?reset")  # the server remembers what was open
    page.locator(".jp-Notebook .jp-CodeCell").nth(3).wait_for()
    page.get_by_text(re.compile(r"Python 3 \(ipykernel\) \| Idle")).wait_for()


def run_cell(page, number):
    cell = page.locator(".jp-Notebook .jp-CodeCell").nth(number)
    cell.locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    cell.locator(".jp-InputPrompt", has_text=re.compile(r"\[\d+\]")).wait_for()
    return cell


def test_python_and_the_page_answer_each_other(desk, lab):
    page = desk
    open_notebook(page, lab + "arm.ipynb")

    def run(number):
        return run_cell(page, number)

    run(0)
    panel = page.locator(".tutlib-panel")
    panel.locator("canvas.mechanism").wait_for()
    slider = panel.locator("label.slider", has_text="g").first
    run(1)
    slider.locator("output", has_text="3 m/s²").wait_for()
    panel.locator(".clock", has_text="θ = 28.6°").wait_for()
    panel.locator(".clock", has_text="paused").wait_for()
    run(2)
    assert panel.locator("select option:checked", has_text="Heun").count() == 1
    slider.locator("input").evaluate(
        "e => { e.value = 4; e.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    panel.locator("label.slider", has_text="integrator").locator("select").select_option("euler")
    # Keys of the panel are its own: in JupyterLab "a" would insert a cell, "d" twice delete one.
    panel.locator("canvas.mechanism").focus()
    for name in "addxs":
        page.keyboard.press(name)
    assert page.locator(".jp-Notebook .jp-CodeCell").count() == len(CELLS)
    panel.get_by_role("button", name="Reset").click()
    panel.locator(".clock", has_text="t = 0.00 s").wait_for()
    for _ in range(PATIENCE // 100):  # what the page has set is on its way to Python
        said = run(3).locator(".jp-OutputArea-output")
        said.filter(has_text="read ").wait_for()
        if "read 4.0 euler 1.0" in said.inner_text():
            return
        page.wait_for_timeout(100)
    pytest.fail(said.inner_text())
