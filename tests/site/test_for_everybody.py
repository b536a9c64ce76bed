"""Panels and answers for those who do not see, who use keys alone, a phone, or large text."""

import re

import pytest

from .panel import PATIENCE, SAID
from .visits import watch

FIRST = "notebooks/01-pendulum/1-one-equation.html"
#: What the region says of that page's panel after twenty steps, before and after its goal is moved.
WORKED_BY_KEYS = [
    "Paused at t = 0.2 s. Commanded: Arm 72° left of up, rising at 489°/s. Energy error of the "
    "method 500 in a million. Left alone: Arm 84° right of down, swinging back at 56°/s. Energy "
    "error of the method 240 in a trillion.",
    "Paused at t = 0.2 s. Commanded: Arm 17° right of up, falling at 707°/s. Energy error of the "
    "method 1 in a thousand. Left alone: Arm 84° right of down, swinging back at 56°/s. Energy "
    "error of the method 240 in a trillion.",
]


@pytest.fixture(scope="module")
def reader(browser):
    """Return the page of one who has no mouse."""
    view = {"width": 1280, "height": 800}
    context = browser.new_context(viewport=view, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield watch(context.new_page())
    context.close()


FOCUS = """() => {
  const { activeElement: e } = document;
  return e.dataset.name ?? e.closest("[data-exercise]")?.dataset.exercise ?? e.className;
}"""


class Keyboard:
    """A reader's keyboard, and where its focus is."""

    def __init__(self, page):
        self.page = page

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def go_to(self, arrived, most=400):
        """Press Tab until it is there."""
        for _ in range(most):
            self.page.keyboard.press("Tab")
            if arrived():
                return
        raise AssertionError("no number of tabs leads there")


def test_a_page_of_a_chapter_is_worked_by_keys_alone(reader, site):
    """From its top: the panel, its first two exercises, and on to the next page."""
    page, complaints = reader
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(site + FIRST)
    keys = Keyboard(page)
    keys.press("Tab", "Enter")  # skip to the main content
    keys.go_to(lambda: page.evaluate(FOCUS) == "opening")
    panel = page.locator("iframe[data-name=opening]").element_handle().content_frame()

    def inside(selector):
        return panel.evaluate("(one) => document.activeElement.matches(one)", selector)

    if not inside("canvas.mechanism"):
        keys.go_to(lambda: inside("canvas.mechanism"))
    clock = "parseFloat(document.querySelector('.clock').textContent.match(/t = (.*?) s/)[1])"
    panel.wait_for_function(f"{clock} === 0")
    keys.press("Space")
    panel.wait_for_function(f"{clock} > 0.2")
    keys.press("i")
    said = [panel.evaluate(SAID)]
    keys.press("Space")
    panel.wait_for_function("document.querySelector('.clock').textContent.includes('paused')")
    keys.press("r", *["s"] * 20, "i")
    said.append(panel.evaluate(SAID))
    keys.go_to(lambda: inside(".main input"))
    keys.press("Home", "PageUp", "i")
    goal = panel.evaluate("document.activeElement.getAttribute('aria-valuetext')")
    keys.press("r", *["s"] * 20, "i")
    said.append(panel.evaluate(SAID))
    assert re.match(r"t = 0\.\d+ s\. Commanded: Arm \d+° (left|right) of (up|down), \w", said[0])
    assert said[1:] == WORKED_BY_KEYS
    assert goal == "−144°"

    def answered(name, text, *verdicts):
        field = page.locator(f"#answer-{name}")
        keys.go_to(lambda: page.evaluate("document.activeElement.id") == f"answer-{name}")
        page.keyboard.type(text)
        keys.press("Enter")
        told = page.locator(f'[data-exercise="{name}"]').get_by_role("status")
        told.filter(has_text=re.compile(r"\w")).wait_for()
        return field.get_attribute("aria-label"), told.inner_text()

    label, told = answered("pendulum-9", "4 2 3")
    assert label == "Your answer to exercise 1, Count before you calculate"
    assert told.startswith("✓")
    label, told = answered("pendulum-1", "m*g*cos(theta)")
    assert label == "Your answer to exercise 2, The tension in the rod"
    assert told.startswith("✗")
    page.keyboard.type(" + m*l*theta'^2")
    keys.press("Enter")
    page.locator('[data-exercise="pendulum-1"]').get_by_text(re.compile("^✓")).wait_for()
    keys.go_to(lambda: "right-next" in page.evaluate(FOCUS))
    with page.expect_navigation():
        keys.press("Enter")
    assert page.url.endswith("2-a-yardstick.html")
    assert complaints == []
