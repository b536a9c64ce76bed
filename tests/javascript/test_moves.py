"""What a reader types in a page moves as in `check`: right answers, and every known mistake."""

import html
import json
import re

import numpy as np
import sympy as sm

from course import check
from course.boxes.answer_motions import answer_motion
from course.boxes.published import published
from course.judge.sentences import SENTENCES
from tests.course.test_chapter_exercises import EXERCISES
from tests.javascript.corpus import HANDS, written_out

from .test_javascript import node, pytestmark  # noqa: F401  (for want of Node.js, none runs)

MOVING = [
    "pendulum-1",
    "pendulum-2",
    "pendulum-7",
    "double-pendulum-1",
    "double-pendulum-2",
    "double-pendulum-4",
    "relative-vs-absolute-4",
]


def of(name):
    """Return what the symbols of an exercise are called."""
    return EXERCISES[name].answer.samples.leaf_by_name


def moving():
    """Return (exercise, answer) of the right answers and of known mistakes, but those that have an
    acceleration where nothing gives one."""
    found = []
    for name in MOVING:
        exercise = EXERCISES[name]
        for reading in (exercise.right, *(wrong for wrong, _ in exercise.known)):
            entries = reading.expressions
            if name != "pendulum-1" or not entries[0].has(of(name)["theta''"]):
                found.append((name, entries[0] if len(entries) == 1 else sm.Matrix(entries)))
    return found


def panel_in(page):
    """Return the specification and the program that a page brings along."""
    found = re.findall(r"^const (specification|program) = (.*);$", page, re.MULTILINE)
    return {name: json.loads(value) for name, value in found}


def box(name):
    """Return an exercise as a page has it, with the panel that waits for its answer."""
    told, page = answer_motion(EXERCISES[name])
    return {"exercise": {**published(EXERCISES[name]), "moves": told}, "waiting": panel_in(page)}


def moved(answers, own):
    """Return what the page makes of answers, each typed in one of the hands."""
    boxes = {name: box(name) for name in MOVING}
    jobs = [
        {**boxes[name], "text": written_out(answer, HANDS[k % len(HANDS)]), "own": panel}
        for k, ((name, answer), panel) in enumerate(zip(answers, own))
    ]
    return node("moves.mjs", {"sentences": SENTENCES, "jobs": jobs})


def test_both_bodies_move_as_in_python():
    answers = moving()
    assert len(answers) == sum(1 + len(EXERCISES[name].known) for name in MOVING) - 1
    own = [panel_in(html.unescape(check(*one, show=True).picture)) for one in answers]
    for answer, found in zip(answers, moved(answers, own)):
        size = max(1, np.abs(found["own"]).max())
        np.testing.assert_allclose(
            found["driven"], found["own"], rtol=0, atol=1e-12 * size, err_msg=str(answer)
        )
