"""A panel that compares a measured with a computed motion: its window, its sliders, and its fit."""

import re

import numpy as np
import pytest

from tests.panels.comparisons import SINGLE, Window, panel, single

from .panel import Panel
from .visits import prepare, violations, watch

MARGIN = 16  # on both sides of the recording, in time_window.js
TIMES = (6.0, 45.0)


class Comparison:
    """The panel, and what a reader does with it."""

    def __init__(self, page):
        self.page, self.panel = page, Panel(page, "comparison", plays=False)
        self.frame, self.inside = self.panel.frame, self.panel.inside
        self.overview = self.frame.locator("canvas.overview")
        self.overview.scroll_into_view_if_needed()

    def pixel(self, time):
        box = self.overview.bounding_box()
        part = (time - TIMES[0]) / (TIMES[1] - TIMES[0])
        return box["x"] + MARGIN + part * (box["width"] - 2 * MARGIN), box["y"] + 30

    def drag(self, begin, end):
        """Drag the mouse from one time to another."""
        self.page.mouse.move(*self.pixel(begin))
        self.page.mouse.down()
        self.page.mouse.move(*self.pixel((begin + end) / 2))
        self.page.mouse.move(*self.pixel(end))
        self.page.mouse.up()
        self.panel.run(0.5)

    def numbers(self):
        """Return beginning and end of the window [s], and the RMS residual [mrad]."""
        rms, begin, end = re.findall(r"[\d.]+", self.frame.locator(".rms").inner_text())
        return [float(begin), float(end), float(rms)]

    def values(self):
        """Return what the sliders show."""
        shown = self.frame.locator(".slider output").all_inner_texts()
        return [float(re.match(r"[−\d.]+", text)[0].replace("−", "-")) for text in shown]

    def verdict(self):
        return self.frame.locator(".verdict").inner_text()

    def fit(self):
        self.panel.button("Fit this window").click()
        self.panel.run(2)


def made(ends=(7.0, 12.0)):
    return panel(single(), SINGLE, ends, title="Which friction is it?", hint="Drag the window.")


@pytest.fixture
def comparison(show):
    """Show a panel of the free pendulum, its clock still."""

    def one(ends=(7.0, 12.0), **options):
        return Comparison(show(made(ends), reduced_motion="reduce", **options))

    return one


def test_a_window_is_dragged_whole_and_by_its_edges(comparison):
    seen = comparison()
    seen.drag(9.5, 19.5)
    assert seen.numbers()[:2] == pytest.approx([17, 22], abs=0.1)
    seen.drag(22.1, 25)
    assert seen.numbers()[:2] == pytest.approx([17, 25], abs=0.2)
    seen.drag(16.9, 20)
    assert seen.numbers()[:2] == pytest.approx([20, 25], abs=0.3)


def test_keys_move_the_window(comparison):
    seen = comparison()
    for key in ("Shift+ArrowRight", "ArrowRight", "Shift+ArrowUp", "ArrowDown"):
        seen.overview.press(key)
    assert seen.numbers()[:2] == [8.1, 14.0]
    assert "from 8.10 s to 14.00 s" in seen.overview.get_attribute("aria-label")


def test_a_slider_changes_the_motion_at_once(comparison):
    seen = comparison()
    before = seen.numbers()[2]
    seen.panel.move_slider("k", 62)
    assert seen.numbers()[2] > 3 * before
    seen.panel.button("Reset parameters").click()
    assert seen.numbers()[2] == before


def test_a_fit_shows_the_numbers_of_scipy(comparison):
    seen = comparison()
    seen.fit()
    parameters, rms = Window(single(), SINGLE, (7.0, 12.0)).fit()
    expected = [*list(parameters.values())[:3], np.rad2deg(parameters["z"])]
    assert seen.values() == pytest.approx(expected, rel=1e-3)
    assert seen.numbers()[2] == pytest.approx(1e3 * rms, rel=5e-3)
    assert re.match(r"Fitted: RMS 82\.\d mrad before, 1\.0\d mrad after\.$", seen.verdict())


def test_the_fit_follows_the_window_while_it_is_dragged(comparison):
    seen = comparison()
    seen.frame.get_by_role("checkbox", name="Fit while dragging").check()
    seen.panel.run(1)
    seen.drag(9.5, 32.5)
    begin, end, rms = seen.numbers()
    parameters, expected = Window(single(), SINGLE, (begin, end)).fit()
    assert rms == pytest.approx(1e3 * expected, rel=5e-3)
    assert seen.values()[1] == pytest.approx(parameters["f"], rel=1e-2)


def test_the_clock_runs_through_the_window_and_starts_again(comparison):
    seen = comparison((7.0, 8.0))
    seen.panel.button("Play").click()
    seen.panel.run(0.5)
    assert seen.panel.values()["t"] == pytest.approx(7.5, abs=0.1)
    seen.panel.run(0.75)
    assert seen.panel.values()["t"] == pytest.approx(7.25, abs=0.1)
    seen.panel.button("Pause").click()
    seen.panel.button("Reset to start").click()
    assert seen.panel.values()["t"] == 7.0


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_it_fits_and_axe_finds_nothing(browser, scheme, width):
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")
    page, complaints = watch(context.new_page())
    page.set_viewport_size({"width": width, "height": 900})
    page.set_content(f"<!doctype html><html lang='en'><body>{made()._repr_html_()}</body></html>")
    inside = Panel(page, "comparison", plays=False).inside
    prepare(inside)
    assert inside.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert inside.evaluate("document.querySelector('main').dataset.theme") == scheme
    found = violations(inside)
    context.close()
    assert [text for text in found if not text.startswith("page-has-heading-one")] == []
    assert complaints == []


def test_a_finger_drags_the_window(browser):
    """A finger next to a narrow window moves its edge, and one on it moves it whole."""
    context = browser.new_context(has_touch=True, reduced_motion="reduce")
    page, complaints = watch(context.new_page())
    page.set_viewport_size({"width": 390, "height": 900})
    page.set_content(f"<!doctype html><html lang='en'><body>{made()._repr_html_()}</body></html>")
    seen = Comparison(page)
    touches = context.new_cdp_session(page)

    def swipe(begin, end):
        for kind, time in (("Start", begin), ("Move", (begin + end) / 2), ("Move", end)):
            x, y = seen.pixel(time)
            points = [{"x": x, "y": y}]
            touches.send(
                "Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points}
            )
        touches.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_timeout(100)

    swipe(9.5, 19.5)
    assert seen.numbers()[:2] == pytest.approx([17, 22], abs=0.2)
    swipe(24, 30)
    assert seen.numbers()[:2] == pytest.approx([17, 28], abs=0.3)
    context.close()
    assert complaints == []


# A page around the panel that keeps what it is sent, and its answer.
LISTEN = """() => addEventListener("message", ({ data, source }) => {
  if (data.setting) window.kept = data.setting;
})"""


def test_the_address_keeps_parameters_and_window(comparison):
    seen = comparison()
    seen.page.evaluate(LISTEN)
    seen.panel.move_slider("k", 62)
    seen.overview.press("Shift+ArrowRight")
    seen.page.wait_for_function("window.kept?.includes('end')")
    assert seen.page.evaluate("kept") == "k=62&begin=8&end=13"
    message = {"simulation": "comparison", "page": "a.html", "setting": "f=0.2&begin=20&end=22"}
    seen.inside.evaluate("(data) => postMessage(data, '*')", message)
    seen.panel.waits_for("document.querySelector('.rms').textContent.includes('20.00')")
    assert seen.numbers()[:2] == [20, 22]
    assert seen.values()[1] == 0.2


# The widget in a notebook: a model that keeps what is set, and calls who listens.
RENDER = """async ([esm, values]) => {
  const address = URL.createObjectURL(new Blob([esm], { type: "text/javascript" }));
  const { default: widget } = await import(address);
  const listeners = {};
  window.model = {
    values, get: (name) => values[name], save_changes() {},
    set(name, value) { values[name] = value; },
    on: (name, act) => (listeners[name] = act), off() {},
    assign(name, value) { values[name] = value; listeners[`change:${name}`](); },
  };
  window.stop = await widget.render({ model, el: document.querySelector("main") });
}"""


def test_with_a_kernel_python_reads_the_fit_and_sets_the_window(browser):
    context = browser.new_context(reduced_motion="reduce")
    page, complaints = watch(context.new_page())
    page.set_content("<!doctype html><html lang='en'><body><main></main></body></html>")
    widget = made()
    values = {name: getattr(widget, name) for name in ("method", "step_size", "running")}
    values |= {"parameters": dict(widget.parameters), "_assigned": {"count": 0}}
    page.evaluate(RENDER, [widget._esm, values])
    page.get_by_role("button", name="Fit this window").click()
    page.wait_for_function("document.querySelector('.verdict').textContent")
    read = page.evaluate("model.values.parameters")
    assert read["k"] == pytest.approx(64.0806, abs=1e-3)
    page.evaluate("model.assign('_assigned', { count: 1, state: [20, 25] })")
    page.evaluate("model.assign('parameters', { ...model.values.parameters, f: 0.3 })")
    page.wait_for_function("document.querySelector('.rms').textContent.includes('20.00–25.00')")
    assert "0.3 rad/s²" in page.locator(".sliders").inner_text()
    page.evaluate("stop()")
    context.close()
    assert complaints == []
