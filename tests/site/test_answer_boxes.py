"""Answer boxes in a browser: by keyboard, by touch, in both themes; what they weigh and keep."""

import json

import pytest

from course.boxes import answer_files, answer_pictures
from publishing.build_book import answer_place, judged_in_page
from tests.course.test_chapter_exercises import EXERCISES
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
{places}</main></body></html>"""
# What the theme writes beside a page of the second chapter, and a page of neither.
SIDEBAR = """<nav class="bd-links" aria-label="Main"><ul>
<li><a href="{home}how-to-work.html">How to work</a></li>
<li><a href="{home}notebooks/01-pendulum.html">1. The pendulum</a></li>
<li><a href="{here}">5. Kane's method</a></li></ul></nav>"""
KEPT = '<div class="tutlib-kept"></div>'
DRAWN = ("pendulum-4", "kane-4")


def chapter_of(name):
    return name.rpartition("-")[0]


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

    def write(name, exercises, more="", home="", sidebar=""):
        places = more + "\n".join(answer_place(one, "01-pendulum.ipynb") for one in exercises)
        text = PAGE.format(places=places, home=home, sidebar=sidebar)
        (root / name).write_text(text, encoding="utf-8")

    (root / "notebooks").mkdir()
    beside = {"home": "../", "sidebar": SIDEBAR.format(home="../", here="#")}
    write("notebooks/05-kane.html", ["kane-4"], **beside)
    beside = SIDEBAR.format(home="", here="notebooks/05-kane.html")
    write("landing.html", [], more=KEPT, sidebar=beside)
    write("all.html", NAMES)
    write("pendulum.html", [name for name in NAMES if chapter_of(name) == "pendulum"])
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
    status.get_by_text("This file contains no answers of this course").wait_for()
    assert page.get_by_role("main").get_by_role("listitem").all_inner_texts() == lines
    assert complaints == []
