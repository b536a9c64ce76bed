"""check: what it says and shows, its time limit, and that it never answers with a traceback."""

import html
import os
import re
import signal
import sys
import time
import tracemalloc

import numpy as np
import pytest
import sympy as sm

from course import check
from course.exercises import find
from course.judge import Exercise, Feedback, Function, Misconception, Number, rehearsal

NUMBER = Exercise(
    name="trial-1",
    answer=Number(2.0, "m"),
    misconceptions=(Misconception(4.0, "That is the square."),),
    section="Lengths",
    lesson="Lengths are in meters.",
)
FUNCTION = Exercise("trial-2", Function(lambda x: 2 * x, ((1.0,),)), (), "Functions")

needs_copies = pytest.mark.skipif(not hasattr(os, "fork"), reason="no copy of a process here")


@pytest.fixture
def impatient(monkeypatch):
    """Stop an answer after little work, so that a test of one without end takes little time."""
    monkeypatch.setattr(rehearsal, "FIRST_LOOK", 0.1)
    monkeypatch.setattr(rehearsal, "TIMES", 0)
    monkeypatch.setattr(rehearsal, "LEAST", 0.2)


class TestFeedback:
    def test_what_it_says_has_a_mark_a_word_and_never_the_right_answer(self):
        right, hinted, unanswered = (check(NUMBER, answer) for answer in (2, 4, ...))
        assert right
        assert not hinted
        assert not unanswered
        assert str(right) == "✓ trial-1: Right. Lengths are in meters."
        assert str(hinted) == "✗ trial-1: Not yet. That is the square."
        assert len({str(feedback)[0] for feedback in (right, hinted, unanswered)}) == 3
        for answer in (1, 3, -2, "2", [2], np.nan, 114.59):
            assert "2" not in check(NUMBER, answer).message.replace("°", "")

    def test_no_answer_is_no_mistake(self):
        def stub(f, t, x, h): ...

        for exercise, answer in ((NUMBER, ...), (NUMBER, None), (FUNCTION, stub)):
            feedback = check(exercise, answer)
            assert feedback.verdict == "open"
            assert "three dots" in feedback.message

    def test_a_function_that_forgets_to_return_is_not_judged(self):
        def forgets(x):
            2 * x

        assert check(FUNCTION, forgets).verdict == "unread"

    def test_it_shows_as_html_that_says_the_same(self):
        shown = Feedback("trial-1", "wrong", "Is 1 < 2 & 3 > 2?")._repr_html_()
        heard = re.sub(r'<span aria-hidden="true">.*?</span>|<[^>]*>', "", shown)
        assert html.unescape(heard) == "trial-1: Is 1 < 2 & 3 > 2?"
        assert 'role="status"' in shown


@pytest.mark.slow
class TestWhatNeverEnds:
    """A reader's endless loop is ended, with a sentence; and the next check works."""

    def stubborn(x):
        while True:
            try:
                while True:
                    pass
            except Exception:
                pass

    @needs_copies
    @pytest.mark.usefixtures("impatient")
    def test_it_is_ended_and_nobody_says_that_it_is_wrong(self, capsys):
        feedback = check(FUNCTION, TestWhatNeverEnds.stubborn)
        assert feedback.verdict == "unfinished"
        assert not feedback
        assert str(feedback).startswith("? trial-2: Not finished, so neither right nor wrong")
        assert "did not finish within 0.2 s of computing" in feedback.message
        assert "is slow" in capsys.readouterr().out
        assert check(FUNCTION, lambda x: x + x)

    @pytest.mark.usefixtures("impatient")
    def test_where_no_process_can_be_copied_it_is_ended_between_two_lines(self, monkeypatch):
        monkeypatch.setattr(rehearsal, "LEAST", 0.02)
        monkeypatch.delattr(os, "fork", raising=False)
        before = sys.gettrace()
        feedback = check(FUNCTION, TestWhatNeverEnds.stubborn)
        assert feedback.verdict == "unfinished"
        assert "did not finish within 0.2 s of computing" in feedback.message
        assert sys.gettrace() is before
        assert check(FUNCTION, lambda x: x + x)

    def slow(x):
        sum(k * k for k in range(1_000_000))
        return 2 * x

    @pytest.mark.parametrize("copies", [pytest.param(True, marks=needs_copies), False])
    def test_what_is_so_much_work_ends_on_the_slowest_machine(self, copies, monkeypatch):
        """Its clock has run out before anything is done; what the right answer takes decides."""
        monkeypatch.setattr(rehearsal, "FIRST_LOOK", 0.001)
        monkeypatch.setattr(rehearsal, "LEAST", 0.001)
        if not copies:
            monkeypatch.delattr(os, "fork", raising=False)
        assert check(FUNCTION, TestWhatNeverEnds.slow)

    @needs_copies
    @pytest.mark.usefixtures("impatient")
    def test_waiting_does_not_count_and_is_ended_too(self, monkeypatch):
        def asleep(x, seconds=0.3):
            time.sleep(seconds)
            return 2 * x

        assert check(FUNCTION, asleep)
        monkeypatch.setattr(rehearsal, "WAITING_LIMIT", 2.0)
        feedback = check(FUNCTION, lambda x: asleep(x, 1000))
        assert feedback.verdict == "unfinished"
        assert "waits for input or an event that never comes" in feedback.message


@pytest.mark.slow
@needs_copies
class TestWhatEndsPython:
    """It never runs where the reader's variables are, in whichever way it ends the process."""

    def dying(self, death):
        here = os.getpid()

        def answer(x):
            if os.getpid() == here:
                raise AssertionError("it runs where it must not")
            death()

        return answer

    def by_signal(number):
        signal.signal(number, signal.SIG_DFL)  # a shell's nohup ignores HUP
        os.kill(os.getpid(), number)

    @pytest.mark.parametrize(
        ("death", "told"),
        [
            (lambda: TestWhatEndsPython.by_signal(signal.SIGSEGV), "SIGSEGV"),
            (lambda: os._exit(255), "its exit"),
        ],
    )
    def test_any_end_is_an_answer(self, death, told):
        feedback = check(FUNCTION, self.dying(death))
        assert (feedback.verdict, feedback.stage) == ("unread", "reading")
        assert f"Your answer makes Python exit ({told})" in feedback.message

    @pytest.mark.skipif(sys.platform != "linux", reason="memory is counted by Linux alone")
    @pytest.mark.parametrize("as_law", [False, True])
    def test_so_is_what_takes_all_memory(self, as_law, monkeypatch):
        here = os.getpid()
        monkeypatch.setattr(rehearsal, "MOST_MEMORY", 2**28)

        def hoards(x):
            held = [] if not as_law or x == 2.0 else None
            while held is not None:
                assert os.getpid() != here
                held.append(np.zeros(10**6))
            return 2 * x

        law = (lambda answer: answer(2.0) == 4.0), "It doubles all."
        kind = Function(lambda x: 2 * x, ((1.0,),), [law])
        feedback = check(Exercise("trial-3", kind, (), "Functions"), hoards)
        assert feedback.verdict == "unfinished"
        assert "more memory than this computer has" in feedback.message


def test_whatever_is_raised_is_told():
    class Breaks:
        def __array__(self, *_, **__):
            raise GeneratorExit

    for kind in (GeneratorExit, BaseException, SystemExit, KeyboardInterrupt):

        def raises(x, kind=kind):
            raise kind

        assert f"raised {kind.__name__}" in check(FUNCTION, raises).message
    assert "could not be read (GeneratorExit" in check(NUMBER, Breaks()).message


@pytest.mark.slow
def test_whatever_is_given_there_is_no_traceback():
    theta = sm.Symbol("theta")
    answers = [(), set(), "", "m" * 10**5, -0.0, 10**5000, range(3), iter([]), np.zeros((9, 9, 9))]
    answers += [np.array(["a"]), np.array(None), sm.S.true, sm.Matrix(), b"m", object(), {}, print]
    answers += [np.nan, sm.nan, sm.zoo, [], 1 + 1j, sm.EmptySet, sm.Integral(theta), [[...]]]
    answers += [sm.Add(*[theta**k for k in range(1, 1000)]), sm.Wild("w"), sm.Poly(theta), type]
    kinds = [f"pendulum-{number}" for number in (1, 4, 9)]
    for exercise in (NUMBER, FUNCTION, *kinds):
        for answer in answers:
            feedback = check(exercise, answer, show=True)
            assert not feedback
            assert len(feedback.message) < 1000


def test_an_unknown_name_is_named():
    with pytest.raises(ValueError, match=r"this chapter has .*\bpendulum-1, "):
        find("pendulum-99")
    with pytest.raises(ValueError, match=r"the chapters are .*pendulum"):
        find("pendulums-1")
    with pytest.raises(ValueError, match="no exercise ''"):
        check("", 1)
    for name in (None, 1, ["pendulum-1"]):
        with pytest.raises(TypeError, match=r"name must be a str; got .*pendulum-1"):
            find(name)


def test_both_equations_run_or_it_is_said_why_nothing_moves():
    theta = sm.Function("theta")(sm.Symbol("t"))
    m, l, g = sm.symbols("m l g")
    picture = check("pendulum-1", m * l * theta.diff() ** 2 + m * g, show=True).picture
    assert picture.count("<iframe") == 1
    assert "yours" in picture
    still = check(NUMBER, 3, show=True)
    assert still.picture == ""
    assert still.message.endswith("Nothing moves: this exercise has no animation.")
    told = check("pendulum-2", m * g, show=True).message
    assert "Nothing moves: it does not say what the angular acceleration is" in told


@pytest.mark.parametrize("exercise", ["pendulum-1", "pendulum-5", "pendulum-6", "pendulum-9"])
def test_how_much_an_answer_holds_is_looked_at_first(exercise):
    """What follows would take more time and memory than anyone has."""
    for answer in (
        range(10**12),
        [range(10**12)] * 2,
        np.broadcast_to(0.0, (10**6, 10**6)),
        np.broadcast_to(None, 10**9),
        sm.SparseMatrix(10**6, 10**6, {}),
    ):
        tracemalloc.start()
        feedback = check(exercise, answer)
        needed = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert needed < 5e7  # bytes
        assert (feedback.verdict, feedback.stage) == ("unread", "reading")
        assert re.search(r"has \d+ entries, far more than the right answer", feedback.message)
