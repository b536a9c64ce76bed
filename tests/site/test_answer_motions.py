"""What a reader types moves: a frame under the box, loaded once there is an answer that moves."""

import pytest

from course.boxes import answer_files
from publishing.build_book import answer_place
from tests.course.test_chapter_exercises import EXERCISES
from tests.texts import ROOT

from .test_answer_boxes import address, box, opened  # noqa: F401

PAGE = """<!doctype html><html lang="en" data-theme="light"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Exercises</title>
<link rel="icon" href="data:,"><script src="_static/boxes.js" defer></script>
<script src="_static/frames.js" defer></script></head><body><main><h1>Exercises</h1>
{places}</main></body></html>"""
MOVING = ["pendulum-1", "pendulum-2"]
RIGHT, WRONG = "m*l*theta_dot**2 + m*g*cos(theta)", "m*g*cos(theta)"
AFTER = (
    "(t) => Number(document.querySelector('.clock')?.textContent.match(/t = ([\\d.]+)/)?.[1]) > t"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a page of two exercises, and all that it asks for."""
    root = tmp_path_factory.mktemp("motions")
    (root / "_static/answers").mkdir(parents=True)
    for name, text in answer_files([EXERCISES[name] for name in MOVING]).items():
        (root / "_static/answers" / name).write_text(text, encoding="utf-8")
    for name in ("boxes.js", "frames.js"):
        script = (ROOT / "book/_static" / name).read_text(encoding="utf-8")
        (root / "_static" / name).write_text(script, encoding="utf-8")
    places = "\n".join(answer_place(name, "01-pendulum.ipynb") for name in MOVING)
    (root / "two.html").write_text(PAGE.format(places=places), encoding="utf-8")
    return root


def answer(page, name, text):
    field = box(page, name).get_by_role("textbox")
    field.fill(text)
    field.press("Enter")


def inside(page, name):
    element = box(page, name).locator("iframe")
    element.scroll_into_view_if_needed()
    return element.element_handle().content_frame()


def run_until(frame, seconds):
    frame.wait_for_function(AFTER, arg=seconds)


def books(frame):
    return [text.split("\n") for text in frame.locator(".legend li").all_inner_texts()]


def test_a_mistake_moves_away_and_the_right_answer_moves_along(opened):  # noqa: F811
    page, complaints = opened("two.html")
    assert page.locator("iframe").count() == 0
    answer(page, "pendulum-1", WRONG)
    frame = inside(page, "pendulum-1")
    run_until(frame, 1)
    (right, true), (yours, wrong) = books(frame)
    assert (right, yours) == ("right", "yours")
    assert true.startswith("kept to")
    assert wrong.startswith("invented")
    answer(page, "pendulum-1", RIGHT)
    frame.wait_for_function(f"!({AFTER})(1)")
    run_until(frame, 1)
    (_, true), (_, yours) = books(frame)
    assert true == yours
    assert true.startswith("kept to")
    assert page.locator("iframe").count() == 1
    assert complaints == []
