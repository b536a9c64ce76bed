"""Panels and answers for those who do not see, who use keys alone, a phone, or large text."""

import re

import pytest

from .every_page import PANELS
from .panel import PATIENCE, SAID
from .visits import watch

PHONE, HEIGHT = {"width": 390, "has_touch": True, "reduced_motion": "reduce"}, 844
FIRST = "notebooks/01-pendulum/1-one-equation.html"
#: What the region says of that page's panel after twenty steps, before and after its goal is moved.
WORKED_BY_KEYS = [
    "Paused at t = 0.2 s. Commanded: Arm 72° left of up, rising at 489°/s. Energy drift 500 in a "
    "million. Left alone: Arm 84° right of down, swinging back at 56°/s. Energy drift 240 in a "
    "trillion.",
    "Paused at t = 0.2 s. Commanded: Arm 17° right of up, falling at 707°/s. Energy drift 1 in a "
    "thousand. Left alone: Arm 84° right of down, swinging back at 56°/s. Energy drift 240 in a "
    "trillion.",
]
# An AudioContext that writes down what it is asked to sound, on a clock that the test sets.
RECORDER = """() => {
  window.heard = [];
  window.AudioContext = class {
    constructor() { heard.push("begins"); }
    get currentTime() { return performance.now() / 1000; }
    close() { heard.push("ends"); }
    createOscillator() {
      const tone = { frequency: {}, connect() {}, stop() {} };
      tone.start = () => heard.push([tone.type, Math.round(tone.frequency.value)]);
      return tone;
    }
    createGain() {
      return { connect() {}, gain: { setValueAtTime() {}, linearRampToValueAtTime() {} } };
    }
  };
}"""


def test_while_it_plays_the_region_speaks_at_the_key_and_the_button_alone(open_panel):
    panel = open_panel("servo_arm", PANELS["servo_arm"])
    spoken = """() => {
      window.spoken = [];
      const said = document.querySelector(".said");
      new MutationObserver(() => spoken.push(said.textContent))
        .observe(said, { childList: true });
      return [said.getAttribute("role"), said.getAttribute("aria-live")];
    }"""
    assert panel.inside.evaluate(spoken) == ["status", "polite"]
    panel.run(1)
    assert panel.inside.evaluate("spoken") == []
    panel.press("i")
    panel.run(0.5)
    panel.button("Say where it is").click()
    panel.run(0.5)
    first, second = panel.inside.evaluate("spoken")
    times = [float(re.match(r"t = ([\d.]+) s\. Arm ", text)[1]) for text in (first, second)]
    assert times == pytest.approx([1.0, 1.5], abs=0.1)


class TestSound:
    @pytest.fixture
    def listening(self, open_panel):
        """Open a panel, its sound asked for, where a recorder hears it."""

        def open_one(name):
            panel = open_panel(name, PANELS[name])
            panel.inside.evaluate(RECORDER)
            sound = panel.button("Sound")
            assert sound.get_attribute("aria-pressed") == "false"
            panel.run(0.5)
            assert panel.inside.evaluate("heard") == [], "off, unless a reader wants it"
            sound.click()
            assert sound.get_attribute("aria-pressed") == "true"
            return panel

        return open_one

    def heard(self, panel):
        return panel.inside.evaluate("heard.splice(0)")

    def test_a_swing_is_a_row_of_tones_with_a_click_at_each_turn(self, listening):
        panel = listening("double_pendulum")
        panel.run(3)
        begins, *tones = self.heard(panel)
        assert begins == "begins"
        voice = [pitch for kind, pitch in tones if kind == "triangle"]
        assert 15 < len(voice) < 30
        assert 196 <= min(voice) < 392 < max(voice) <= 784, "left and right of down"
        assert 2 <= sum(tone == ["square", 1600] for tone in tones) <= 8
        assert not [kind for kind, _ in tones if kind == "sine"], "one motion has one voice"
        panel.button("Pause").click()
        self.heard(panel)
        panel.run(0.5)
        assert self.heard(panel) == [], "what rests is silent"
        panel.button("Sound").click()
        assert self.heard(panel) == ["ends"]

    def test_a_second_motion_has_a_second_voice(self, listening):
        panel = listening("linear")
        panel.run(1)
        kinds = {tone[0] for tone in self.heard(panel)[1:]}
        assert {"triangle", "sine"} <= kinds

    def test_a_method_that_makes_energy_sounds_rough_and_a_good_one_does_not(self, listening):
        panel = listening("servo_arm")
        panel.run(1)
        assert ["square", 35] not in self.heard(panel)
        panel.button("Euler's lie").click()
        panel.run(3)
        assert ["square", 35] in self.heard(panel)

    def test_in_space_the_place_in_the_picture_is_heard(self, listening):
        panel = listening("spherical")
        panel.run(2)
        voice = {tone[1] for tone in self.heard(panel)[1:] if tone[0] == "triangle"}
        assert len(voice) > 5


class TestOnAPhone:
    TOP = "(e) => e.getBoundingClientRect().top"

    def test_the_strip_is_under_the_picture_and_the_buttons_below(self, open_panel):
        for name in ("servo_arm", "with_forces", "flips"):
            panel = open_panel(name, PANELS[name], **PHONE)
            order = [".mechanism", ".strip", ".transport", ".clock"]
            tops = [panel.frame.locator(one).first.evaluate(self.TOP) for one in order]
            assert tops == sorted(tops)

    @pytest.mark.parametrize("name", ["flips", "balanced", "many", "exponents", "limits"])
    def test_mechanism_and_map_are_on_one_screen(self, open_panel, name):
        panel = open_panel(name, PANELS[name], **PHONE)
        bottom = panel.frame.locator(".chart-with-bar").evaluate(
            "(e) => e.getBoundingClientRect().bottom"
        )
        assert bottom - panel.canvas.evaluate(self.TOP) < HEIGHT

    @pytest.mark.parametrize("name", ["carry", "limits"])
    def test_vehicles_are_no_smaller_than_on_a_wide_screen(self, open_panel, name):
        sizes = []
        for options in (PHONE, {"width": 1280, "reduced_motion": "reduce"}):
            scale = open_panel(name, PANELS[name], **options).frame.locator(".scale")
            meter = scale.evaluate("(e) => parseFloat(e.style.getPropertyValue('--length'))")
            sizes.append(meter / float(scale.inner_text().removesuffix(" m")))
        narrow, wide = sizes
        assert narrow >= 0.95 * wide > 30

    @pytest.mark.parametrize(("has_touch", "told"), [(True, True), (False, False)])
    def test_where_fingers_are_a_picture_in_space_says_how_it_is_turned(
        self, open_panel, has_touch, told
    ):
        panel = open_panel("box", PANELS["box"], **PHONE | {"has_touch": has_touch})
        line = panel.frame.get_by_text("Slide sideways to turn it; up and down scrolls.")
        assert line.is_visible() == told


@pytest.fixture(scope="module")
def reader(browser):
    """Return the page of one who has no mouse."""
    view = {"width": 1280, "height": 800}
    context = browser.new_context(viewport=view, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield watch(context.new_page())
    context.close()


def test_text_twice_as_large_keeps_its_column(reader, site):
    page, complaints = reader
    page.goto(site + FIRST)
    page.add_style_tag(content="html { font-size: 200% !important }")
    seen = {
        name: page.locator(selector).first.evaluate("(e) => e.getBoundingClientRect().toJSON()")
        for name, selector in {
            "text": ".bd-article",
            "contents": ".bd-sidebar-secondary",
            "search": ".bd-sidebar-primary .search-button-field",
            "chapters": ".bd-sidebar-primary",
        }.items()
    }
    assert seen["text"]["width"] > 25 * 32, "lines of fifty letters"
    assert seen["contents"]["top"] > seen["text"]["top"] + 800
    assert seen["search"]["right"] <= seen["chapters"]["right"]
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
    assert complaints == []


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
    assert label == "Your answer to exercise 2, The pull of the rod"
    assert told.startswith("✗")
    page.keyboard.type(" + m*l*theta'^2")
    keys.press("Enter")
    page.locator('[data-exercise="pendulum-1"]').get_by_text(re.compile("^✓")).wait_for()
    keys.go_to(lambda: "right-next" in page.evaluate(FOCUS))
    with page.expect_navigation():
        keys.press("Enter")
    assert page.url.endswith("2-a-yardstick.html")
    assert complaints == []


def test_exercises_are_headings_named_by_their_titles_and_boxes_after_them(reader, site):
    """As the browser's own tree has them; no name of a record is shown."""
    page, _ = reader
    page.goto(site + FIRST)
    page.locator("[data-exercise]").first.scroll_into_view_if_needed()
    page.get_by_role("form").first.wait_for()
    client = page.context.new_cdp_session(page)
    nodes = client.send("Accessibility.getFullAXTree")["nodes"]
    told = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes]
    headings = [name.partition(" · ")[0] for role, name in told if role == "heading"]
    numbered = [name for name in headings if name.startswith("Exercise")]
    assert numbered == [f"Exercise {k}" for k in (1, 2, 3)]
    forms = [name for role, name in told if role == "form"]
    assert "Answer Exercise 1, Count before you calculate" in forms
    assert not re.search(r"\bpendulum-\d", page.locator("article").inner_text())


def test_choices_stand_in_their_box_alone_which_is_named_after_its_exercise(reader, site):
    page, _ = reader
    page.goto(site + FIRST.replace("1-one-equation", "2-a-yardstick"))
    place = page.locator("[data-exercise=pendulum-4]")
    place.scroll_into_view_if_needed()
    group = place.get_by_role("group", name=re.compile(r"^Your answer to exercise \d+, \w"))
    group.wait_for()
    assert place.get_by_role("radio").count() > 2
    prompt = page.locator("blockquote:has(+ [data-exercise=pendulum-4])")
    assert prompt.locator("li").count() > 2, "as the notebook has them"
    assert not [one for one in prompt.locator("li").all() if one.is_visible()]
