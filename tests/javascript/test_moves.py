"""What a reader types in a page moves as in `check`: right answers, and every known mistake."""

import html
import json
import re

import numpy as np
import pytest
import sympy as sm

from course import check
from course.boxes.answer_motions import answer_motion
from course.boxes.published import published
from course.judge.sentences import SENTENCES
from tests.course.test_chapter_exercises import EXERCISES
from tests.javascript.corpus import HANDS, written

from .test_javascript import node, pytestmark  # noqa: F401  (for want of Node.js, none runs)

MOVING = [
    "pendulum-1", "pendulum-2", "double-pendulum-2", "relative-vs-absolute-4",
]  # fmt: skip


def of(name):
    """Return what the symbols of an exercise are called."""
    return EXERCISES[name].answer.samples.leaf_by_name


def known(name):
    return (EXERCISES[name].right, *(wrong for wrong, _ in EXERCISES[name].known))


def is_driven_by_acceleration(name, reading):
    return name == "pendulum-1" and reading.expressions[0].has(of(name)["theta''"])


ANSWERS = [
    (name, reading.expressions)
    for name in MOVING
    for reading in known(name)
    if not is_driven_by_acceleration(name, reading)
]
arm, rod, two = of("pendulum-1"), of("pendulum-2"), of("double-pendulum-2")
STILL = [
    ("pendulum-1", arm["m"] * arm["l"] * arm["theta''"] + arm["m"] * arm["g"]),
    ("pendulum-2", rod["m"] * rod["g"] * rod["l"]),
    ("pendulum-2", rod["l"] * rod["theta''"] ** 2 + rod["g"] * rod["theta"]),
    ("double-pendulum-2", two["g"] * sm.sin(two["theta_2"])),
    ("double-pendulum-2", two["theta_2''"] * two["theta_1''"] + two["g"] / two["l_2"]),
]


def panel_in(page):
    """Return the specification and the program that a page brings along."""
    found = re.findall(r"^const (specification|program) = (.*);$", page, re.MULTILINE)
    return {name: json.loads(value) for name, value in found}


def waiting(name):
    told, page = answer_motion(EXERCISES[name])
    return {
        "exercise": {**published(EXERCISES[name]), "moves": told},
        "waiting": panel_in(page),
    }


@pytest.fixture(scope="module")
def moved():
    """Return the states after two seconds, of what the page drives and of what Python made."""
    boxes = {name: waiting(name) for name in MOVING}
    jobs = []
    for number, (name, entries) in enumerate([*ANSWERS, *((n, (e,)) for n, e in STILL)]):
        texts = [written(entry, HANDS[number % len(HANDS)]) for entry in entries]
        text = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
        jobs.append({**boxes[name], "text": text})
    for job, (name, entries) in zip(jobs, ANSWERS):
        value = entries[0] if len(entries) == 1 else sm.Matrix(entries)
        job["own"] = panel_in(html.unescape(check(name, value, show=True).picture))
    return node("moves.mjs", {"sentences": SENTENCES, "jobs": jobs})


def test_every_answer_is_here():
    assert len(ANSWERS) == sum(len(known(name)) for name in MOVING) - 1


@pytest.mark.parametrize("number", range(len(ANSWERS)))
def test_both_bodies_move_as_in_python(moved, number):
    driven, own = moved[number]["driven"], moved[number]["own"]
    size = max(1, np.abs(own).max())
    np.testing.assert_allclose(driven, own, rtol=0, atol=1e-12 * size)


@pytest.mark.parametrize("number", range(len(STILL)))
def test_what_cannot_move_says_so_in_the_words_of_python(moved, number):
    told = moved[len(ANSWERS) + number]["reason"]
    message = check(*STILL[number], show=True).message
    assert message == f"{check(*STILL[number]).message} {told}"
