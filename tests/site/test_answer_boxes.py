"""Answer boxes in a browser: by keyboard, by touch, in both themes; what they weigh and keep."""

import gzip
import json

import numpy as np
import pytest
import sympy as sm

from course import check
from course.boxes import answer_files, answer_pictures
from course.judge import Choice, Expression
from publishing.build_book import answer_place, judged_in_page
from tests.course.test_chapter_exercises import EXERCISES
from tests.javascript.corpus import HANDS, written_out
from tests.servers import served
from tests.texts import ROOT

from .panel import PATIENCE
from .visits import prepare, violations, watch

NAMES = [name for name in EXERCISES if judged_in_page(name)]
PAGE = """<!doctype html><html lang="en" data-theme="light"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Exercises</title>
<link rel="icon" href="data:,"><style>
html {{ --pst-color-text-base: #222832; --pst-color-text-muted: #48566b; --pst-color-link: #0a7d91;
  --pst-color-background: #ffffff; --pst-color-surface: #f3f4f5 }}
html[data-theme="dark"] {{ --pst-color-text-base: #ced6dd; --pst-color-text-muted: #9ca4af;
  --pst-color-link: #3fb1c5; --pst-color-background: #14181e; --pst-color-surface: #29313d }}
a {{ color: var(--pst-color-link) }}
body {{ color: var(--pst-color-text-base); background: var(--pst-color-background); margin: 1rem }}
</style><link rel="stylesheet" href="{home}_static/course.css">
<script src="{home}_static/boxes.js" defer></script></head><body>{sidebar}<main><h1>Exercises</h1>
<p style="height: {space}px">Far above.</p>{places}</main></body></html>"""
# What the theme writes beside a page of the second chapter, and a page of neither.
SIDEBAR = """<nav class="bd-links" aria-label="Main"><ul>
<li><a href="{home}how-to-work.html">How to work</a></li>
<li><a href="{home}notebooks/01-pendulum.html">1. The pendulum</a></li>
<li><a href="{here}">5. Kane's method</a></li></ul></nav>"""
KEPT = '<div class="tutlib-kept"></div>'
WEIGHED = ("boxes.js", "answers.js", "answers.css", "progress.js")
DRAWN = ("pendulum-4", "kane-4")


# To a pixel, since a page scrolls by whole ones of its screen.
SEEN = """(e) => {
  const { top, bottom } = e.getBoundingClientRect();
  return top > -1 && bottom < innerHeight + 1;
}"""


def chapter_of(name):
    return name.rpartition("-")[0]


CHAPTERS = list(dict.fromkeys(map(chapter_of, NAMES)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the files of the boxes, and pages that hold some of them."""
    root = tmp_path_factory.mktemp("boxes")
    (root / "_static/answers").mkdir(parents=True)
    drawn = answer_pictures(EXERCISES[name] for name in DRAWN)
    undrawn = {
        f"{name}-{letter}.js": f'tutlibBrings("{name}-{letter}", "<svg aria-label=Undrawn />");'
        for name in NAMES
        if EXERCISES[name].reveal
        for letter in EXERCISES[name].answer.options
    }
    pictures = undrawn | drawn
    for name, text in (answer_files(EXERCISES.values()) | pictures).items():
        (root / "_static/answers" / name).write_text(text, encoding="utf-8")
    for name in ("boxes.js", "course.css"):
        text = (ROOT / "book/_static" / name).read_text(encoding="utf-8")
        (root / "_static" / name).write_text(text, encoding="utf-8")

    def write(name, exercises, space=0, more="", home="", sidebar=""):
        places = more + "\n".join(answer_place(one, "01-pendulum.ipynb") for one in exercises)
        text = PAGE.format(places=places, space=space, home=home, sidebar=sidebar)
        (root / name).write_text(text, encoding="utf-8")

    (root / "notebooks").mkdir()
    beside = {"home": "../", "sidebar": SIDEBAR.format(home="../", here="#")}
    write("notebooks/05-kane.html", ["kane-4"], **beside)
    beside = SIDEBAR.format(home="", here="notebooks/05-kane.html")
    write("landing.html", [], more=KEPT, sidebar=beside)
    write("all.html", NAMES)
    for chapter in CHAPTERS:
        write(f"{chapter}.html", [name for name in EXERCISES if chapter_of(name) == chapter])
    write("phone.html", ["pendulum-1", "pendulum-2"], space=700)
    write("far.html", ["kane-1"], space=5000)
    return root


@pytest.fixture(scope="module")
def address(folder):
    with served(folder) as address:
        yield address


@pytest.fixture
def opened(browser, address):
    """Return a way to open a page, with nothing remembered; nothing may go wrong on it."""
    contexts = []

    def open_page(name, **options):
        contexts.append(browser.new_context(**options))
        contexts[-1].set_default_timeout(PATIENCE)
        page, complaints = watch(contexts[-1].new_page())
        page.on("close", lambda _: complaints)
        page.goto(address + name)
        return page, complaints

    yield open_page
    for context in contexts:
        context.close()


def box(page, name):
    return page.locator(f'[data-exercise="{name}"]')


def told(page, name):
    return box(page, name).get_by_role("status")


def typed(name):
    """Return a right answer as a reader may type it; of a choice, its letter."""
    answer = EXERCISES[name].answer
    if isinstance(answer, Expression):
        return written_out(answer.value, HANDS[2])
    return str(np.asarray(answer.value).tolist())


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_box_of_a_chapter_takes_its_right_answer_by_keys_alone(opened, chapter):
    names = [name for name in NAMES if chapter_of(name) == chapter]
    page, complaints = opened(f"{chapter}.html")
    for name in names:
        place, answer = box(page, name), EXERCISES[name].answer
        place.locator("input").first.focus()
        if isinstance(answer, Choice):
            page.keyboard.press("Space")
            for _ in range(list(answer.options).index(answer.value)):
                page.keyboard.press("ArrowDown")
        else:
            page.keyboard.insert_text(typed(name))
        page.keyboard.press("Enter")
        assert told(page, name).get_attribute("data-verdict") == "right", name
    assert complaints == []


def test_by_keys_alone_a_right_answer_is_read_back_judged_and_remembered(opened):
    page, complaints = opened("pendulum.html")
    field = box(page, "pendulum-1").get_by_role("textbox")
    field.focus()
    page.keyboard.type("m l θ̇² + mg cos(theta)")
    read = box(page, "pendulum-1").locator(".tutlib-answer-read")
    assert read.inner_text().startswith("Read as")
    assert read.locator("math mover").count() == 1
    page.keyboard.press("Enter")
    assert "three times the weight" in told(page, "pendulum-1").inner_text()
    page.reload()
    assert "three times the weight" in told(page, "pendulum-1").inner_text()
    assert field.input_value() == "m l θ̇² + mg cos(theta)"
    assert complaints == []


def test_a_mistake_gets_its_hint_which_goes_when_the_answer_changes(opened):
    page, _ = opened("pendulum.html")
    field = box(page, "pendulum-1").get_by_role("textbox")
    field.fill("m*g*cos(theta)")
    field.press("Enter")
    assert "as if the mass were at rest" in told(page, "pendulum-1").inner_text()
    field.press("+")
    assert told(page, "pendulum-1").inner_text() == ""
    read = box(page, "pendulum-1").locator(".tutlib-answer-read")
    assert read.inner_text() == "Something is missing at the end."
    field.press("Enter")
    assert "Something is missing at the end." in told(page, "pendulum-1").inner_text()
    assert read.inner_text() == ""


PHONE = {"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 800}}


def symbols(page, name):
    return box(page, name).get_by_role("group", name="Symbols")


def tap(page, name, *keys):
    for key in keys:
        symbols(page, name).get_by_role("button", name=key, exact=True).tap()


def test_by_touch_alone_on_a_phone(opened):
    page, complaints = opened("pendulum.html", **PHONE)
    place = box(page, "pendulum-6")
    place.scroll_into_view_if_needed()
    field = place.get_by_role("textbox")
    field.tap()
    tap(page, "pendulum-6", "[", "[", "g", "/", "l", "]", "]")
    assert field.input_value() == "[[g/l]]"
    place.get_by_role("button", name="Check").tap()
    asked = "two rows of two expressions are asked for, you gave one expression"
    assert told(page, "pendulum-6").inner_text() == f"? I cannot read this yet: {asked}."
    assert told(page, "pendulum-6").get_attribute("data-verdict") == "unread"
    tap(page, "pendulum-6", "Delete")
    assert field.input_value() == "[[g/l]"
    assert told(page, "pendulum-6").inner_text() == ""
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert complaints == []


def test_symbols_are_written_and_taken_away_at_the_caret(opened):
    page, _ = opened("pendulum.html", **PHONE)
    field = box(page, "pendulum-1").get_by_role("textbox")
    field.tap()
    tap(page, "pendulum-1", "m", "θ̇", "²", "sin", "θ", ")")
    assert field.input_value() == "mθ̇²sin(θ)"
    tap(page, "pendulum-1", *["Move left"] * 7, "Delete")  # a letter with its dot is one
    assert field.input_value() == "m²sin(θ)"
    tap(page, "pendulum-1", "l", "Move right", "·")
    assert field.input_value() == "ml²·sin(θ)"
    field.select_text()
    tap(page, "pendulum-1", "g", "Move left", "Delete", "Move right", "Delete", "Delete")
    assert field.input_value() == ""


@pytest.mark.parametrize("kind", ["pendulum-1", "pendulum-4", "pendulum-5"])
def test_what_is_touched_is_large_enough(opened, kind):
    page, _ = opened("pendulum.html", **PHONE)
    place = box(page, kind)
    place.get_by_role("button", name="Check").wait_for()
    sizes = place.locator("button, input[type=text], fieldset label").evaluate_all(
        "all => all.map(e => [e.offsetWidth, e.offsetHeight])"
    )
    assert len(sizes) > 4
    assert min(size for pair in sizes for size in pair) >= 44


def test_a_phones_own_keyboard_covers_neither_the_field_nor_the_symbols(opened):
    page, _ = opened("phone.html", **PHONE)
    box(page, "pendulum-1").scroll_into_view_if_needed()
    field = box(page, "pendulum-1").get_by_role("textbox")
    field.evaluate("e => scrollBy(0, e.getBoundingClientRect().top - innerHeight + 60)")
    field.tap()
    page.set_viewport_size({"width": 390, "height": 420})
    page.wait_for_function(
        """() => {
          const keys = document.querySelector(".tutlib-answer-keys").getBoundingClientRect();
          const field = document.activeElement.getBoundingClientRect();
          return field.top >= 0 && keys.bottom <= visualViewport.height;
        }"""
    )


def keys_of(page, name):
    box(page, name).scroll_into_view_if_needed()
    keys = symbols(page, name).get_by_role("button")
    keys.first.wait_for()
    return keys.all_inner_texts()


def test_what_a_box_says_is_seen_at_once(opened):
    """Also on a small screen, and the phone's own keyboard makes room for it."""
    page, _ = opened("phone.html", **(PHONE | {"viewport": {"width": 390, "height": 420}}))
    box(page, "pendulum-1").scroll_into_view_if_needed()
    field = box(page, "pendulum-1").get_by_role("textbox")
    field.fill("m*g")
    field.press("Enter")
    told(page, "pendulum-1").locator("span").wait_for()
    page.wait_for_function(SEEN, arg=told(page, "pendulum-1").element_handle())
    assert page.evaluate("document.activeElement.tagName") == "BODY"


def test_keys_are_of_what_the_prompt_names(opened):
    """And not of what stands in wrong answers alone. Coordinates come first, signs behind."""
    page, _ = opened("all.html")
    assert keys_of(page, "kane-1")[:5] == ["θ", "g", "l", "m", "+"]
    own = ["θ₁", "θ₂", "θ̇₁", "θ̇₂", "l₁", "l₂", "m₂"]
    signs = ["+", "−", "·", "/", "(", ")", "^", "²", "√"]
    functions = ["sin", "cos", "tan", "atan", "exp", "max"]
    assert keys_of(page, "double-pendulum-1") == [*own, *signs, *functions, "π"]
    assert keys_of(page, "relative-vs-absolute-10")[:2] == ["l", "m"]
    index = box(page, "pendulum-7").get_by_role("button", name="k_d", include_hidden=True)
    assert index.locator("msub").count() == 1
    phone, _ = opened("double-pendulum.html", **PHONE)
    assert keys_of(phone, "double-pendulum-1")[-4:] == ["π", "←", "→", "⌫"]


def test_a_choice_is_made_by_arrows(opened):
    page, _ = opened("pendulum.html")
    box(page, "pendulum-4").get_by_role("radio").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert told(page, "pendulum-4").get_attribute("data-verdict") == "right"


def test_a_choice_brings_its_picture_and_what_happens(opened):
    """Also to one who comes back; another choice takes it away."""
    page, complaints = opened("pendulum.html")
    asked = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    place = box(page, "pendulum-4")
    place.get_by_role("radio").first.check()
    assert place.locator("figure").is_hidden()
    assert not [name for name in asked if name.startswith("pendulum-4")]
    for visit in ("first", "second"):
        if visit == "first":
            place.get_by_role("button", name="Check").click()
        words = place.locator("figcaption")
        words.wait_for()
        assert "amplitude 5° is back after 2.8" in words.inner_text()
        assert "look again" in place.locator("svg").inner_html()
        page.reload()
    place.locator("figcaption").wait_for()
    place.get_by_role("radio").nth(1).check()
    assert place.locator("figure").is_hidden()
    assert "pendulum-4-a.js" in asked
    assert complaints == []


def test_each_new_wrong_answer_is_told_more_and_the_section_is_a_link(opened):
    page, _ = opened("pendulum.html")
    section = EXERCISES["pendulum-1"].section
    heading = (
        f'<section id="there"><h2>{section}<a class="headerlink" href="#there">#</a></h2></section>'
    )
    page.evaluate(
        "text => document.querySelector('main').insertAdjacentHTML('beforeend', text)", heading
    )
    answers = ["2*(m*l*theta.diff()^2 + m*g*cos(theta))", "m*g*l", "m*g*l", "m*l*theta.diff()"]
    t = sm.Symbol("t")
    theta, (m, g, l) = sm.Function("theta")(t), sm.symbols("m g l")
    values = [
        2 * (m * l * theta.diff() ** 2 + m * g * sm.cos(theta)),
        m * g * l,
        m * g * l,
        m * l * theta.diff(),
    ]
    for k, (answer, value) in enumerate(zip(answers, values)):
        box(page, "pendulum-1").get_by_role("textbox").fill(answer)
        box(page, "pendulum-1").get_by_role("textbox").press("Enter")
        expect = check("pendulum-1", value).message
        assert told(page, "pendulum-1").inner_text().removeprefix("✗ ") == expect
        if k == 1:  # the tries are remembered
            page.reload()
            page.evaluate(
                "text => document.querySelector('main').insertAdjacentHTML('beforeend', text)",
                heading,
            )
            told(page, "pendulum-1").locator("span").wait_for()
            assert told(page, "pendulum-1").inner_text().removeprefix("✗ ") == expect
    link = told(page, "pendulum-1").get_by_role("link")
    assert (link.inner_text(), link.get_attribute("href")) == (section, "#there")
    assert "open it now" in told(page, "pendulum-1").inner_text()
    assert told(page, "pendulum-1").get_attribute("aria-live") in (None, "polite")
    assert box(page, "pendulum-1").get_by_role("status").count() == 1


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing(opened, theme, width):
    page, _ = opened("pendulum.html", viewport={"width": width, "height": 800})
    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
    box(page, "pendulum-4").get_by_role("radio").first.check()
    box(page, "pendulum-4").get_by_role("button", name="Check").click()
    box(page, "pendulum-4").locator("figcaption").wait_for()
    for name, text in (("pendulum-1", "m l θ̇² + " * 9 + "m g"), ("pendulum-5", "4.95")):
        box(page, name).get_by_role("textbox").fill(text)
        box(page, name).get_by_role("textbox").press("Enter")
    prepare(page)
    assert violations(page) == []


ANSWER_ALL = """async () => {
  const places = [...document.querySelectorAll("[data-exercise]")];
  for (const place of places) {
    place.scrollIntoView();
    while (!place.querySelector("form")) await new Promise((resolve) => setTimeout(resolve, 20));
    const [field] = place.querySelectorAll("input");
    if (field.type === "radio") field.checked = true;
    else {
      field.value = "17/zeta";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    place.querySelector("form").requestSubmit();
  }
  return places.length;
}"""


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing_in_any_box_that_has_answered(opened, theme, width):
    page, complaints = opened("all.html", viewport={"width": width, "height": 800})
    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
    assert page.evaluate(ANSWER_ALL) == len(NAMES)
    assert page.locator(".tutlib-answer-told[data-verdict]").count() == len(NAMES)
    prepare(page)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert complaints == []


def test_nothing_is_loaded_before_a_box_is_near(opened):
    page, _ = opened("far.html")
    asked = "performance.getEntriesByType('resource').map(e => e.name.split('/').pop())"
    assert sorted(page.evaluate(asked)) == ["boxes.js", "course.css"]
    box(page, "kane-1").scroll_into_view_if_needed()
    box(page, "kane-1").get_by_role("textbox").wait_for()
    own = ["answers.css", "answers.js", "boxes.js", "course.css", "kane.js"]
    assert sorted(page.evaluate(asked)) == own


def test_a_page_with_eight_boxes_is_light(folder):
    files = {path.name: path for path in (folder / "_static").rglob("*.*")}
    weight = {name: len(gzip.compress(path.read_bytes())) for name, path in files.items()}
    shared = sum(weight[name] for name in WEIGHED)
    heaviest = max(weight[f"{chapter}.js"] for chapter in CHAPTERS)
    assert shared + heaviest < 60_000


def test_without_its_files_a_box_says_where_answers_are_checked(opened):
    page, _ = opened("far.html")
    page.route("**/kane.js", lambda route: route.abort())
    box(page, "kane-1").scroll_into_view_if_needed()
    page.get_by_text("could not be loaded").wait_for()


def keep(page, **verdicts):
    """Let a reader have answered; `__` stands for a dash."""
    answers = {
        name.replace("__", "-"): {"text": "m*g", "verdict": verdict}
        for name, verdict in verdicts.items()
    }
    page.evaluate(
        "a => localStorage.setItem('equations-in-motion-answers', JSON.stringify(a))", answers
    )
    page.reload()


def count(chapter):
    return sum(chapter_of(name) == chapter for name in NAMES)


def counts(page):
    return page.locator(".bd-links a").all_inner_texts()


def test_one_who_has_answered_nothing_sees_no_counts(opened):
    page, complaints = opened("landing.html")
    page.get_by_role("heading", name="Your answers").wait_for()
    assert counts(page) == ["How to work", "1. The pendulum", "5. Kane's method"]
    main = page.get_by_role("main")
    assert main.get_by_role("listitem").count() == 0
    assert main.get_by_role("button").all_inner_texts() == ["Load from a file"]
    assert complaints == []


def test_a_right_answer_is_counted_at_once_beside_its_chapter(opened):
    page, complaints = opened("notebooks/05-kane.html")
    letter = list(EXERCISES["kane-4"].answer.options).index(EXERCISES["kane-4"].answer.value)
    for k, right in ((letter - 1, 0), (letter, 1), (letter - 1, 1)):  # what was right stays so
        box(page, "kane-4").get_by_role("radio").nth(k).check()
        box(page, "kane-4").get_by_role("button", name="Check").click()
        told(page, "kane-4").locator("span").wait_for()
        name = f"5. Kane's method ({right} of {count('kane')} exercises right)"
        page.get_by_role("link", name=name, exact=True).wait_for()
    page.goto(page.url.replace("notebooks/05-kane", "landing"))
    items = page.get_by_role("main").get_by_role("listitem")
    items.wait_for()
    assert items.all_inner_texts() == [f"5. Kane's method: 1 of {count('kane')} exercises right"]
    items.get_by_role("link").click()
    page.wait_for_url("**/notebooks/05-kane.html")
    assert complaints == []


def test_answers_go_to_another_browser_as_a_file_and_no_right_one_is_lost(opened, tmp_path):
    page, complaints = opened("landing.html")
    keep(page, kane__1="right", kane__2="wrong", pendulum__1="wrong")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    download.value.save_as(tmp_path / download.value.suggested_filename)
    (file,) = tmp_path.iterdir()
    assert file.name == "equations-in-motion-answers.json"
    assert json.loads(file.read_text(encoding="utf-8"))["version"] == 1
    keep(page, kane__2="right", pendulum__1="right")
    chooser = page.locator("input[type=file]")
    chooser.set_input_files(file)
    status = page.get_by_role("status")
    status.get_by_text("Loaded 3 answers.").wait_for()
    lines = page.get_by_role("main").get_by_role("listitem").all_inner_texts()
    assert lines == [  # as the chapters stand in the side bar
        f"1. The pendulum: 1 of {count('pendulum')} exercises right",
        f"5. Kane's method: 2 of {count('kane')} exercises right",
    ]
    file.write_text("nothing of ours", encoding="utf-8")
    chooser.set_input_files(file)
    status.get_by_text("This file holds no answers of this course").wait_for()
    assert page.get_by_role("main").get_by_role("listitem").all_inner_texts() == lines
    assert complaints == []


def test_all_is_forgotten_only_after_a_question(opened):
    page, complaints = opened("landing.html")
    keep(page, kane__1="right")
    questions = []

    def answer(dialog):
        questions.append(dialog.message)
        (dialog.dismiss if len(questions) == 1 else dialog.accept)()

    page.on("dialog", answer)
    lines = page.get_by_role("main").get_by_role("listitem")
    page.get_by_role("button", name="Forget all").click()
    assert lines.count() == 1
    page.get_by_role("button", name="Forget all").press("Enter")
    page.get_by_role("status").get_by_text("All answers are forgotten.").wait_for()
    assert lines.count() == 0
    assert page.evaluate("document.activeElement.textContent") == "Load from a file"
    assert page.evaluate("localStorage.length") == 0
    assert counts(page)[2] == "5. Kane's method"
    assert len(questions) == 2
    assert questions[0].startswith("Forget all your answers?")
    assert complaints == []


BLOCKED = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("blocked", "SecurityError"); } });"""


def test_a_browser_that_keeps_nothing_says_so_and_still_judges(opened):
    page, complaints = opened("landing.html")
    page.context.add_init_script(BLOCKED)
    page.reload()
    page.get_by_text("This browser keeps nothing for this site").wait_for()
    assert page.get_by_role("main").get_by_role("button").count() == 0
    page.goto(page.url.replace("landing", "notebooks/05-kane"))
    box(page, "kane-4").get_by_role("radio").first.check()
    box(page, "kane-4").get_by_role("button", name="Check").click()
    told(page, "kane-4").locator("span").wait_for()
    assert complaints == []


def test_a_page_from_a_disk_counts_too_and_without_scripts_nothing_is_shown(opened, folder):
    page, _ = opened("landing.html", java_script_enabled=False)
    assert page.get_by_role("main").inner_text().split() == ["Exercises", "Far", "above."]
    page, complaints = opened("landing.html")
    page.goto((folder / "landing.html").as_uri())
    keep(page, kane__1="right")
    seen = f"5. Kane's method (1 of {count('kane')} exercises right)"
    page.get_by_role("link", name=seen).wait_for()
    assert not [text for text in complaints if not text.startswith("asked file:")]


def test_boxes_of_a_page_from_a_disk_judge_and_show_their_pictures(opened, folder):
    page, complaints = opened("landing.html")
    page.goto((folder / "pendulum.html").as_uri())
    box(page, "pendulum-1").get_by_role("textbox").fill("m*g")
    box(page, "pendulum-1").get_by_role("textbox").press("Enter")
    assert told(page, "pendulum-1").get_attribute("data-verdict") == "wrong"
    box(page, "pendulum-4").get_by_role("radio").first.check()
    box(page, "pendulum-4").get_by_role("button", name="Check").click()
    box(page, "pendulum-4").locator("figcaption").wait_for()
    assert not [text for text in complaints if not text.startswith("asked file:")]


def test_the_first_page_leads_to_the_first_exercise_that_is_not_right_yet(opened):
    page, complaints = opened("landing.html")
    main = page.get_by_role("main")
    assert main.get_by_text("Begin with exercise 1 of “1. The pendulum”.").is_visible()
    first = [name for name in NAMES if chapter_of(name) == "pendulum"]
    keep(page, **{name.replace("-", "__"): "right" for name in first})
    main.get_by_text("Go on with exercise 1 of “5. Kane's method”.").wait_for()
    keep(page, **{name.replace("-", "__"): "right" for name in first[:-1]}, kane__1="right")
    number = [name for name in EXERCISES if chapter_of(name) == "pendulum"].index(first[-1]) + 1
    link = main.get_by_role("link", name=f"exercise {number} of “1. The pendulum”")
    assert link.get_attribute("href").endswith(f"/notebooks/01-pendulum.html#exercise-{first[-1]}")
    assert complaints == []


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing_where_answers_are_counted(opened, theme, width):
    page, _ = opened("landing.html", viewport={"width": width, "height": 800})
    keep(page, kane__1="right", pendulum__1="wrong")
    page.get_by_role("button", name="Forget all").wait_for()
    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
    prepare(page)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
