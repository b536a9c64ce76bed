"""Panels and answers for those who do not see, who use keys alone, a phone, or large text."""

import re

import pytest

from .conftest import NUMBERS, once
from .every_page import PANELS
from .panel import PATIENCE, Panel
from .visits import watch

#: What is worked by hand, and needs a name to be worked without eyes.
WORKED = {"button", "checkbox", "combobox", "radio", "slider", "spinbutton", "textbox"}
SAID = "document.querySelector('.said').textContent"
PHONE, HEIGHT = {"width": 390, "has_touch": True, "reduced_motion": "reduce"}, 844
#: What the region says after a hundred steps: of each panel of a chapter, of one of each kind.
TELLS = {
    "opening": (
        "Paused at t = 1 s. Commanded: Arm 71° left of down, swinging out at 3°/s. Energy "
        "drift 500 in a million. Left alone: Arm 29° left of down, swinging out at 168°/s. "
        "Energy drift 170 in a trillion."
    ),
    "brake": (
        "Paused at t = 1 s. Arm 18° left of up, rising at 45°/s. Torque 100 N·m. Error 89.8°. "
        "Energy drift 23 in a million."
    ),
    "weak_arm": (
        "Paused at t = 1 s. Arm 81° left of down, swinging out at 97°/s. Torque 16.6 N·m. "
        "Energy drift 3.5 in a million."
    ),
    "servo_arm": (
        "Paused at t = 1 s. Arm 70° left of down, swinging out at 4°/s. Torque −64 N·m. Error "
        "−1.8°. Energy drift 500 in a million."
    ),
    "sampled": (
        "Paused at t = 1 s. Arm 31° left of down, swinging out at 1299°/s. Torque that it "
        "would order −737 N·m. Energy drift 93 times the swing, invented."
    ),
    "flips": (
        "Paused at t = 1 s. First rod 5° left of down, swinging out at 266°/s. Second rod 75° "
        "left of down, swinging out at 252°/s. Energy drift 850 in a billion."
    ),
    "many": (
        "Paused at t = 1 s. First rod 5° left of down, swinging out at 266°/s. Second rod 75° "
        "left of down, swinging out at 252°/s. Energy drift 850 in a billion."
    ),
    "chains": (
        "Paused at t = 1 s. Absolute: First link 22° left of down, swinging out at 171°/s. "
        "Second link 33° left of down, swinging out at 105°/s. Third link 41° left of down, "
        "swinging out at 25°/s. Energy drift 2.2 in a billion. Relative: First link 22° left "
        "of down, swinging out at 171°/s. Energy drift 2.2 in a billion."
    ),
    "swing": (
        "Paused at t = 5 s. Euler: Arm 61° left of down, swinging out at 211°/s. Energy drift "
        "90 %, invented. Semi-implicit Euler: Arm 90° left of up, rising at 6°/s. Energy "
        "drift 2.8 in a thousand. RK4: Arm 90° left of down, swinging out at 6°/s. Energy "
        "drift 1.5 in a million. Predicted Verlet: Arm 90° left of down, swinging out at "
        "6°/s. Energy drift 350 in a trillion. Implicit midpoint: Arm 90° left of down, "
        "swinging out at 7°/s. Energy drift 1.2 in a billion."
    ),
    "with_forces": (
        "Paused at t = 0.5 s. Yours: Angle of the input link −20°, decreasing at 73°/s. Angle "
        "of the coupler against the input link 58°, increasing at 127°/s. Angle of the output "
        "link against the coupler −147°, increasing at 38°/s. λ₁ 5.0 N. λ₂ 14.0 N. Energy "
        "drift 330 in a trillion. True: Angle of the input link −20°, decreasing at 73°/s. "
        "Energy drift 330 in a trillion. Loop closed to 10⁻¹⁵ m: harmless."
    ),
    "balanced": (
        "Paused at t = 0.5 s. Double pendulum: First rod 23° left of up, rising at 17°/s. "
        "Second rod 5° right of up, rising at 9°/s. Torque −12.6 N·m. Linear model: First rod "
        "23° left of up, rising at 9°/s."
    ),
    "rider": "Paused at t = 1 s. Lean −1°, decreasing at 3°/s. Steer −2°, decreasing at 6°/s.",
    "mine": (
        "Paused at t = 1 s. Place of the trolley 2.4 m, increasing at 1.4 m/s. Length of the "
        "rope 6 m, increasing at 0.54 m/s. Rope 13° left of down, swinging out at 19°/s. "
        "Energy drift 810 in a trillion."
    ),
    "disc": (
        "Paused at t = 0.5 s. Traced point 0.88 m along e₁, −0.14 m along e₂, 0 m up, moving "
        "at 2.7 m/s. Lean 37.1°. Friction needed 0.43. Energy drift 200 in a trillion."
    ),
    "box": (
        "Paused at t = 1 s. Traced point 2.1 m along e₁, 0.8 m along e₂, 0.018 m up, moving "
        "at 0.059 m/s. Ω₁ −0.13 rad/s. Ω₂ 5.00 rad/s. Ω₃ 0.08 rad/s. Energy drift 9.3 in a "
        "trillion."
    ),
    "carry": (
        "Paused at t = 1 s. Traced point 0 m along e₁, −0.0045 m along e₂, 1 m up, moving at "
        "0.033 m/s. Height of the load 1.03 m. Distance to the goal 0.034 m."
    ),
    "limits": (
        "Paused at t = 1 s. Traced point −1.5 m along e₁, −0.0021 m along e₂, 4.8 m up, "
        "moving at 3.2 m/s."
    ),
}
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


def names_of(page, panel):
    """Return role and name of all that is worked by hand, from the browser's own tree."""
    client = page.context.new_cdp_session(page)
    (child,) = client.send("Page.getFrameTree")["frameTree"]["childFrames"]
    asked = {"frameId": child["frame"]["id"]}
    nodes = client.send("Accessibility.getFullAXTree", asked)["nodes"]
    client.detach()
    told = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes]
    return [(role, name) for role, name in told if role in WORKED]


@pytest.fixture(scope="module")
def unseen(browser, site):
    """Return what is told of a panel that nobody sees; each is opened once."""
    context = browser.new_context(viewport={"width": 1000, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page, complaints = watch(context.new_page())

    def tell(name):
        page.goto(f"{site}alone/{name}/{PANELS[name]}?{next(NUMBERS)}")
        panel = Panel(page, name, plays=False)
        panel.unfold()
        inputs = panel.frame.locator("input, select").count()
        found = {"names": names_of(page, panel), "inputs": inputs}
        panel.still()
        panel.step(100)
        found["unasked"] = panel.inside.evaluate(SAID)
        panel.press("i")
        found["said"] = panel.inside.evaluate(SAID)
        panel.press("i")
        found["again"] = panel.inside.evaluate(SAID)
        return found | {"complaints": complaints.copy()}

    yield once(tell)
    context.close()


@pytest.mark.parametrize("name", PANELS)
def test_all_that_is_worked_by_hand_has_a_name_in_the_browser_s_own_tree(unseen, name):
    told = unseen(name)
    assert [role for role, label in told["names"] if not re.search(r"\w", label)] == []
    fields = [role for role, _ in told["names"] if role != "button"]
    assert len(fields) >= told["inputs"] > 0
    sliders = [label for role, label in told["names"] if role == "slider"]
    assert len(sliders) == len(set(sliders)), "each has a name of its own"
    assert not [label for label in sliders if re.search(r"\d.*[°/]|\bkbd\b", label)], "no value"


@pytest.mark.parametrize("name", PANELS)
def test_a_key_says_where_it_is_and_nothing_is_said_unasked(unseen, name):
    told = unseen(name)
    assert told["unasked"] == ""
    assert re.match(r"Paused at t = [\d.]+ s\. \w.*\.$", told["said"])
    assert not re.search(r"NaN|undefined|null|Infinity", told["said"])
    assert told["again"] != told["said"] == told["again"].strip(), (
        "said again, though nothing moved"
    )
    assert told["complaints"] == []


@pytest.mark.parametrize("name", TELLS)
def test_the_region_tells_what_a_hundred_steps_have_done(unseen, name):
    assert unseen(name)["said"] == TELLS[name]


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
            "text": ".bd-article", "contents": ".bd-sidebar-secondary",
            "search": ".bd-sidebar-primary .search-button-field", "chapters": ".bd-sidebar-primary",
        }.items()
    }  # fmt: skip
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
