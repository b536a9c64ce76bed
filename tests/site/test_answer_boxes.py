"""Answer boxes in a browser: by keyboard, by touch, in both themes; and what they weigh."""

import functools
import gzip
import http.server
import threading

import pytest

from tests.texts import ROOT
from tests.unit.test_chapter_exercises import EXERCISES
from tools.build_book import answer_place
from tutlib.exercises import Function
from tutlib.page import answer_files

from .visits import prepare, violations, watch

NAMES = [name for name, e in EXERCISES.items() if not isinstance(e.answer, Function)]
PAGE = """<!doctype html><html lang="en" data-theme="light"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Exercises</title>
<link rel="icon" href="data:,"><style>
html {{ --pst-color-text-base: #222832; --pst-color-text-muted: #48566b; --pst-color-link: #0a7d91;
  --pst-color-background: #ffffff; --pst-color-surface: #f3f4f5 }}
html[data-theme="dark"] {{ --pst-color-text-base: #ced6dd; --pst-color-text-muted: #9ca4af;
  --pst-color-link: #3fb1c5; --pst-color-background: #14181e; --pst-color-surface: #29313d }}
a {{ color: var(--pst-color-link) }}
body {{ color: var(--pst-color-text-base); background: var(--pst-color-background); margin: 1rem }}
</style><script src="_static/boxes.js" defer></script></head><body><main><h1>Exercises</h1>
<p style="height: {space}px">Far above.</p>{places}</main></body></html>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the files of the boxes, and pages that hold some of them."""
    root = tmp_path_factory.mktemp("boxes")
    (root / "_static/answers").mkdir(parents=True)
    for name, text in answer_files(EXERCISES.values()).items():
        (root / "_static/answers" / name).write_text(text, encoding="utf-8")
    script = (ROOT / "book/_static/boxes.js").read_text(encoding="utf-8")
    (root / "_static/boxes.js").write_text(script, encoding="utf-8")

    def write(name, exercises, space=0):
        places = "\n".join(answer_place(one, "01-pendulum.ipynb") for one in exercises)
        (root / name).write_text(PAGE.format(places=places, space=space), encoding="utf-8")

    write("all.html", NAMES)
    write("pendulum.html", [name for name in EXERCISES if name.startswith("pendulum")])
    write("far.html", ["kane-1"], space=5000)
    return root


@pytest.fixture(scope="module")
def address(folder):
    handler = functools.partial(Handler, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture
def opened(browser, address):
    """Return a way to open a page, with nothing remembered; nothing may go wrong on it."""
    contexts = []

    def open_page(name, **options):
        contexts.append(browser.new_context(**options))
        contexts[-1].set_default_timeout(15_000)
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


def test_all_sixty_one_boxes_judge_what_is_typed(opened):
    """The right letter or number, and elsewhere what is surely wrong."""
    page, complaints = opened("all.html")
    assert len(NAMES) == 61
    for name in NAMES:
        place, answer = box(page, name), EXERCISES[name].answer
        place.scroll_into_view_if_needed()
        if hasattr(answer, "options"):
            place.get_by_role("radio").nth(list(answer.options).index(answer.value)).check()
        else:
            right = isinstance(answer.value, float | int)
            place.get_by_role("textbox").fill(repr(float(answer.value)) if right else "17/zeta")
        place.get_by_role("button", name="Check").click()
        verdict = told(page, name).get_attribute("data-verdict")
        knows = hasattr(answer, "options") or isinstance(answer.value, float | int)
        assert verdict == ("right" if knows else "wrong"), name
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


def test_by_touch_alone_on_a_phone(opened):
    page, complaints = opened(
        "pendulum.html", has_touch=True, is_mobile=True, viewport={"width": 390, "height": 800}
    )
    place = box(page, "pendulum-6")
    place.scroll_into_view_if_needed()
    symbols = place.get_by_role("group", name="Symbols")
    place.get_by_role("textbox").tap()
    for key in ["[", "[", "g", "/", "l", "]", "]"]:
        symbols.get_by_role("button", name=key, exact=True).tap()
    assert place.get_by_role("textbox").input_value() == "[[g/l]]"
    sizes = symbols.get_by_role("button").evaluate_all(
        "keys => keys.map(k => [k.offsetWidth, k.offsetHeight])"
    )
    assert all(width >= 40 and height >= 40 for width, height in sizes)
    place.get_by_role("button", name="Check").tap()
    assert "shape (1, 1)" in told(page, "pendulum-6").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert complaints == []


def test_keys_are_of_what_the_prompt_names(opened):
    """And not of what stands in wrong answers alone."""
    page, _ = opened("all.html")
    box(page, "kane-1").scroll_into_view_if_needed()
    keys = box(page, "kane-1").get_by_role("group", name="Symbols").get_by_role("button")
    keys.first.wait_for()
    assert keys.all_inner_texts()[:5] == ["g", "l", "m", "θ", "+"]


def test_a_choice_is_made_by_arrows(opened):
    page, _ = opened("pendulum.html")
    box(page, "pendulum-4").get_by_role("radio").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert told(page, "pendulum-4").get_attribute("data-verdict") == "right"


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(opened, theme, width):
    page, _ = opened("pendulum.html", viewport={"width": width, "height": 800})
    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
    for name, text in (("pendulum-1", "m*g"), ("pendulum-5", "3.13")):
        box(page, name).get_by_role("textbox").fill(text)
        box(page, name).get_by_role("textbox").press("Enter")
    prepare(page)
    assert violations(page) == []


def test_nothing_is_loaded_before_a_box_is_near(opened):
    page, _ = opened("far.html")
    asked = "performance.getEntriesByType('resource').map(e => e.name.split('/').pop())"
    assert page.evaluate(asked) == ["boxes.js"]
    box(page, "kane-1").scroll_into_view_if_needed()
    box(page, "kane-1").get_by_role("textbox").wait_for()
    assert sorted(page.evaluate(asked)) == ["answers.css", "answers.js", "boxes.js", "kane.json"]


def test_a_page_with_eight_boxes_is_light(folder):
    files = {path.name: path for path in (folder / "_static").rglob("*.*")}
    weight = {name: len(gzip.compress(path.read_bytes())) for name, path in files.items()}
    shared = sum(weight[name] for name in ("boxes.js", "answers.js", "answers.css"))
    heaviest = max(size for name, size in weight.items() if name.endswith(".json"))
    assert shared + heaviest < 40_000


def test_without_its_files_a_box_says_where_answers_are_checked(opened):
    page, _ = opened("far.html")
    page.route("**/kane.json", lambda route: route.abort())
    box(page, "kane-1").scroll_into_view_if_needed()
    page.get_by_text("could not be loaded").wait_for()
