"""A page judges answers as a cell does: the same verdict, in the same words."""

import json
import re
from functools import cache

import pytest

from course import check
from course.boxes.published import published
from course.judge import Expression, forget_tries
from course.judge.sentences import SENTENCES, said
from publishing.build_book import judged_in_page
from tests.course.test_chapter_exercises import EXERCISES, WITHOUT_PICTURES
from tests.javascript.corpus import corpus
from tests.javascript.typed import of_another_kind, typed
from tests.texts import ROOT

from .test_javascript import node, pytestmark  # noqa: F401  (for want of Node.js, none runs)


@cache
def all_published():
    return {name: published(exercise) for name, exercise in EXERCISES.items()}


def in_a_page(answers):
    """Return verdict, message and stage of each (exercise, text), all judged by one process."""
    return [found for (found,) in in_a_row((name, [text]) for name, text in answers)]


def in_a_row(answers):
    """Return the same of each (exercise, texts), where one answer follows another."""
    job = {"exercises": all_published(), "sentences": SENTENCES, "answers": list(answers)}
    return [[tuple(one) for one in found] for found in node("judge.mjs", job)]


@cache
def both():
    return corpus(EXERCISES.values())


def all_answers():
    right, wrong = both()
    return right, wrong[::3]


@cache
def all_judged():
    return in_a_page([(name, text) for answers in all_answers() for name, _, text in answers])


def in_a_cell(answers):
    """Return verdict, message and stage of each (exercise, value); one value is judged once."""
    known = {}
    for name, value, _ in answers:
        if (name, id(value)) not in known:
            forget_tries()
            # the picture of a choice is drawn elsewhere
            feedback = check(WITHOUT_PICTURES[name], value)
            known[name, id(value)] = (feedback.verdict, feedback.message, feedback.stage)
    return [known[name, id(value)] for name, value, _ in answers]


def test_there_are_many_answers_to_every_exercise_that_a_page_can_judge():
    right, wrong = all_answers()
    assert len(right) >= 1000
    assert len(wrong) >= 500
    judged = {name for name in EXERCISES if judged_in_page(name)}
    assert {name for name, *_ in right} == {name for name, *_ in wrong} == judged


def test_right_answers_are_right_in_a_page_and_in_a_cell():
    right, _ = all_answers()
    here, there = in_a_cell(right), all_judged()[: len(right)]
    refused = [(*answer, *one) for answer, one in zip(right, here) if one[0] != "right"]
    assert not refused
    assert [pair for pair in zip(right, here, there) if pair[1] != pair[2]] == []


def test_wrong_answers_get_the_same_words_in_a_page_and_in_a_cell():
    right, wrong = all_answers()
    here, there = in_a_cell(wrong), all_judged()[len(right) :]
    assert [pair for pair in zip(wrong, here, there) if pair[1] != pair[2]] == []
    verdicts = [verdict for verdict, *_ in here]
    assert verdicts.count("wrong") >= 500
    assert "unread" in verdicts


@cache
def as_typed():
    """Return answers as people type them, right and wrong, and what a page says of them."""
    answers = typed(EXERCISES.values())
    return [(given, in_a_page((name, text) for name, _, text in given)) for given in answers]


def test_right_answers_are_right_however_they_are_typed():
    right, found = as_typed()[0]
    assert len(right) > 600
    refused = [answer for answer, (verdict, *_) in zip(right, found) if verdict != "right"]
    assert refused == []


def test_wrong_answers_are_told_the_same_however_they_are_typed():
    wrong, found = as_typed()[1]
    assert len(wrong) > 3000
    here = in_a_cell(wrong)
    assert [pair for pair in zip(wrong, here, found) if pair[1] != pair[2]] == []
    assert {verdict for verdict, *_ in found} == {"wrong"}


#: Right answers that people typed, and a box could not read.
BY_HAND = {
    "kane-5": ["m*[l*u^2 + g*cos(theta)]", "S = [m l u² + m g cos θ]"],
    "kane-6": [r"m_2\,\ell_1\,\ell_2\cos(\theta_1-\theta_2)", "m₂ ℓ₁ ℓ₂ cos(θ₁−θ₂)"],
    "kane-8": ["x v̇x + y v̇y + vx² + vy² = 0"],
    "pendulum-2": ["[m/3 + m_L] l² θ'' = τ - [m/2 + m_L] g l sin θ"],
    "pendulum-5": ["[4.95] rad/s", r"\omega \approx 4.95", "ω = √(2·9.81/0.8) ≈ 4.95 rad/s"],
    "linearization-2": [r"\sqrt{\dfrac{g}{l}}"],
    "linearization-4": ["½ l δ² + O(δ⁴)", r"\tfrac12 l\delta^2 + \mathcal{O}\left(\delta^4\right)"],
    "integrators-5": [r"\left[\tfrac14, \tfrac34\right]"],
    "many-pendulums-6": ["t = [pi - arctan(omega/d)]/omega"],
}
#: What is no answer, and made a box fail instead of saying so.
NONSENSE = {
    "kane-5": ["2*[m, l]", "sin([m, l])", "m*(l, g)", "u't", "thetat'", "2.diff()", "Matrix()*m"],
    "pendulum-2": ["[m, l] = [1, 2]", "m*(θ'' = 1) = 3"],
    "pendulum-5": ["2*[1, 2]", "sqrt([1, 2])", "simplify()"],
    "pendulum-9": ["[4, 2, (3, 4)*2]"],
}


@pytest.mark.parametrize(("texts", "wanted"), [(BY_HAND, "right"), (NONSENSE, "unread")])
def test_what_was_typed_by_hand_is_read_or_refused(texts, wanted):
    answers = [(name, text) for name, some in texts.items() for text in some]
    found = [(*answer, *told) for answer, told in zip(answers, in_a_page(answers))]
    assert [one for one in found if one[2] != wanted] == []


def test_a_unit_of_another_kind_is_no_wrong_answer():
    answers = of_another_kind(EXERCISES.values())
    assert len(answers) > 15
    for (name, _), (verdict, message, _) in zip(answers, in_a_page(answers)):
        assert (name, verdict) == (name, "unread")
        assert "is another kind of quantity. Give it in " in message


def test_hardly_a_hint_says_only_where_to_look():
    found = all_judged()[len(all_answers()[0]) :] + as_typed()[1][1]
    told = [message for verdict, message, _ in found if verdict == "wrong"]
    bare = [message for message in told if re.fullmatch(r"Not yet. Look at [^.]*\.", message)]
    assert len(bare) < 0.05 * len(told)


def rows():
    """Return (exercise, [(value, text), ...]): four wrong answers, one of them twice."""
    wrong, found = {}, []
    for name, value, text in both()[1]:
        wrong.setdefault(name, []).append((value, text))
    for name, answers in wrong.items():
        one, two, three, four = (answers[step % len(answers)] for step in (0, 3, 5, 8))
        found.append((name, [one, two, one, three, four]))
    return found


def test_tries_are_told_the_same_in_a_page_and_in_a_cell():
    def tried(name, values):
        forget_tries()
        found = (check(WITHOUT_PICTURES[name], value) for value in values)
        return [(one.verdict, one.message, one.stage) for one in found]

    asked = rows()
    assert len(asked) > 100
    here = [tried(name, [value for value, _ in answers]) for name, answers in asked]
    there = in_a_row((name, [text for _, text in answers]) for name, answers in asked)
    assert [both for both in zip(asked, here, there) if both[1] != both[2]] == []
    told = [message for found in here for _, message, _ in found]
    for sentence in (said("solution"), "Read again: “"):
        assert sum(sentence in message for message in told) > 100


def test_a_misconception_gets_its_hint_in_a_page():
    hints = {
        (name, id(m.answer)): m.hint for name, e in EXERCISES.items() for m in e.misconceptions
    }
    texts = [(name, text, hints.get((name, id(value)))) for name, value, text in both()[1]]
    mistakes = [one for one in texts if one[2]]
    assert len(mistakes) > 200
    for (_, _, hint), (_, told, _) in zip(mistakes, in_a_page([one[:2] for one in mistakes])):
        assert hint in told


def test_every_sentence_is_said_by_the_page():
    """Those of generic mistakes are in the data of exercises."""
    page = ROOT / "course/boxes"
    sources = [*page.glob("judg*.js"), page / "motion_functions.js", page / "motion_frame.js"]
    sources += [page.parent / f"judge/{name}" for name in ("rules.json", "generic_mistakes.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    only_in_a_cell = {"open", "no value", "huge", "some values"}
    assert {name for name in SENTENCES if f'"{name}"' not in text} == only_in_a_cell


def test_no_solution_stands_in_a_page():
    for name, exercise in EXERCISES.items():
        text, answer = json.dumps(all_published()[name], ensure_ascii=False), exercise.answer
        assert len(text) < 15_000, name
        if isinstance(answer, Expression):
            assert "cos(" not in text.replace(json.dumps(exercise.lesson), ""), name
            assert str(answer.value) not in text or len(str(answer.value)) < 6, name
