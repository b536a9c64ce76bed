"""A page judges answers as a cell does: the same verdict, in the same words."""

import json
from functools import cache

import pytest

from course import check
from course.boxes.published import published
from course.judge import Expression, forget_tries
from course.judge.sentences import SENTENCES
from publishing.build_book import judged_in_page
from tests.course.test_chapter_exercises import EXERCISES, WITHOUT_PICTURES
from tests.javascript.corpus import corpus
from tests.javascript.typed import typed

from .test_javascript import node, pytestmark  # noqa: F401  (for want of Node.js, none runs)


@cache
def all_published():
    return {name: published(exercise) for name, exercise in EXERCISES.items()}


def in_a_row(answers):
    """Return verdict, message, and stage of each text of (exercise, texts), given in a row."""
    job = {"exercises": all_published(), "sentences": SENTENCES, "answers": list(answers)}
    return [[tuple(one) for one in found] for found in node("judge.mjs", job)]


def in_a_page(answers):
    """Return the same of each (exercise, text), as first tries."""
    return [found for (found,) in in_a_row((name, [text]) for name, text in answers)]


def in_a_cell(name, *values):
    """Return the same of values that a cell is given in a row; pictures are drawn elsewhere."""
    forget_tries()
    found = [check(WITHOUT_PICTURES[name], value) for value in values]
    return [(one.verdict, one.message, one.stage) for one in found]


@cache
def answers():
    """Return right and wrong answers: (exercise, value, text)."""
    return corpus(EXERCISES.values())


def told_apart(given):
    """Return answers about which a page and a cell do not say the same, and all that is said."""
    known = {}
    for name, value, _ in given:
        if (name, id(value)) not in known:
            (known[name, id(value)],) = in_a_cell(name, value)
    here = [known[name, id(value)] for name, value, _ in given]
    there = in_a_page((name, text) for name, _, text in given)
    return [found for found in zip(given, here, there) if found[1] != found[2]], here


def test_right_answers_are_right_in_a_page_and_in_a_cell():
    right, _ = answers()
    differing, found = told_apart(right)
    assert differing == []
    assert [(*answer, *one) for answer, one in zip(right, found) if one[0] != "right"] == []
    assert {name for name, *_ in right} == {name for name in EXERCISES if judged_in_page(name)}


def test_wrong_answers_get_the_same_words_in_a_page_and_in_a_cell():
    _, wrong = answers()
    differing, found = told_apart(wrong)
    assert differing == []
    assert {verdict for verdict, *_ in found} == {"wrong", "unread", "right"}
    assert {name for name, *_ in wrong} == {name for name in EXERCISES if judged_in_page(name)}


def test_right_answers_are_right_however_they_are_typed():
    given = typed(EXERCISES.values())
    assert len(given) > 400
    found = zip(given, in_a_page(given))
    assert [(*answer, *one) for answer, one in found if one[0] != "right"] == []


#: Right answers that people typed, and a box could not read.
BY_HAND = {
    "kane-5": ["m*[l*u^2 + g*cos(theta)]", "S = [m l u² + m g cos θ]"],
    "kane-8": ["x v̇x + y v̇y + vx² + vy² = 0"],
    "pendulum-2": ["[m/3 + m_L] l² θ'' = τ - [m/2 + m_L] g l sin θ"],
    "pendulum-5": ["[4.95] rad/s", r"\omega \approx 4.95", "ω = √(2·9.81/0.8) ≈ 4.95 rad/s"],
    "linearization-4": ["½ l δ² + O(δ⁴)", r"\tfrac12 l\delta^2 + \mathcal{O}\left(\delta^4\right)"],
    "many-pendulums-6": ["t = [pi - arctan(omega/d)]/omega"],
}
#: What is no answer, and made a box fail instead of saying so.
NONSENSE = {
    "kane-5": ["2*[m, l]", "sin([m, l])", "m*(l, g)", "u't", "thetat'", "2.diff()", "Matrix()*m"],
    "pendulum-5": ["2*[1, 2]", "sqrt([1, 2])", "simplify()"],
}


@pytest.mark.parametrize(("texts", "wanted"), [(BY_HAND, "right"), (NONSENSE, "unread")])
def test_what_was_typed_by_hand_is_read_or_refused(texts, wanted):
    given = [(name, text) for name, some in texts.items() for text in some]
    found = [(*answer, *told) for answer, told in zip(given, in_a_page(given))]
    assert [one for one in found if one[2] != wanted] == []


def rows():
    """Return (exercise, [(value, text), ...]): four wrong answers, one of them twice."""
    wrong, found = {}, []
    for name, value, text in answers()[1]:
        wrong.setdefault(name, []).append((value, text))
    for name, given in wrong.items():
        one, two, three, four = (given[step % len(given)] for step in (0, 3, 5, 8))
        found.append((name, [one, two, one, three, four]))
    return found


def test_tries_are_told_the_same_in_a_page_and_in_a_cell():
    asked = rows()
    assert len(asked) > 100
    here = [in_a_cell(name, *(value for value, _ in given)) for name, given in asked]
    there = in_a_row((name, [text for _, text in given]) for name, given in asked)
    assert [both for both in zip(asked, here, there) if both[1] != both[2]] == []


def test_no_solution_stands_in_a_page():
    for name, exercise in EXERCISES.items():
        text, answer = json.dumps(all_published()[name], ensure_ascii=False), exercise.answer
        assert len(text) < 15_000, name
        if isinstance(answer, Expression):
            assert "cos(" not in text.replace(json.dumps(exercise.lesson), ""), name
            assert str(answer.value) not in text or len(str(answer.value)) < 6, name
