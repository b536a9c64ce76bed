"""check: what it says and shows, its time limit, and that it never answers with a traceback."""

import html
import math
import os
import re
import signal
import subprocess
import sys
import time
import tracemalloc

import matplotlib
import numpy as np
import pytest
import sympy as sm

from course import check
from course.exercises import find
from course.judge import Exercise, Feedback, Function, Misconception, Number, rehearsal
from course.judge.rehearsal import ends_soon, limit
from tests.helpers import ROOT

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

    def slow_and_deaf(x):
        for _ in range(4):
            try:
                while True:
                    pass
            except:  # noqa: E722
                pass

    @needs_copies
    @pytest.mark.parametrize("answer", [stubborn, slow_and_deaf])
    @pytest.mark.usefixtures("impatient")
    def test_it_is_ended_and_nobody_says_that_it_is_wrong(self, answer, capsys):
        feedback = check(FUNCTION, answer)
        assert feedback.verdict == "unfinished"
        assert not feedback
        assert str(feedback).startswith("? trial-2: Not finished, and so neither right nor wrong")
        assert "no end after 0.2 s of computing" in feedback.message
        assert "takes long" in capsys.readouterr().out
        assert check(FUNCTION, lambda x: x + x)

    @pytest.mark.usefixtures("impatient")
    def test_where_no_process_can_be_copied_it_is_ended_between_two_lines(self, monkeypatch):
        monkeypatch.setattr(rehearsal, "LEAST", 0.02)
        monkeypatch.delattr(os, "fork", raising=False)
        before = sys.gettrace()
        feedback = check(FUNCTION, TestWhatNeverEnds.stubborn)
        assert feedback.verdict == "unfinished"
        assert "no end after 0.2 s of computing" in feedback.message
        assert sys.gettrace() is before
        assert check(FUNCTION, lambda x: x + x)

    def test_where_copying_fails_it_is_watched(self, monkeypatch):
        def refused():
            raise OSError("no more processes")

        monkeypatch.setattr(os, "fork", refused, raising=False)
        assert check(FUNCTION, lambda x: 2 * x)

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

    def test_the_limit_is_measured_by_what_the_right_answer_takes(self, monkeypatch):
        done, least = [], rehearsal.LEAST
        for spent, allowed in ((3.0, 150.0), (least / 100, least)):
            clock = iter([10.0, 10.0 + spent])
            monkeypatch.setattr(time, "process_time", lambda clock=clock: next(clock))
            assert limit(lambda: done.append(1)) == pytest.approx(allowed)
        assert done == [1, 1]

    @needs_copies
    @pytest.mark.usefixtures("impatient")
    def test_what_is_known_to_be_wrong_is_wrong_though_its_hint_never_comes(self):
        def wrong(x):
            while x == 2.0:
                pass
            return 3 * x

        law = (lambda answer: answer(2.0) == 4.0), "It doubles all."
        mine = Exercise("trial-3", Function(lambda x: 2 * x, ((1.0,),), [law]), (), "Functions")
        assert check(mine, lambda x: 4 * x).verdict == "wrong"
        feedback = check(mine, wrong)  # the second try is told one thing more
        assert feedback.verdict == "wrong"
        assert feedback.message == (
            "Not yet. Why would take too long to find. Read again: “Functions”."
        )

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
        assert "waits for something that does not come" in feedback.message

    @needs_copies
    @pytest.mark.usefixtures("impatient")
    def test_a_busy_machine_is_not_taken_for_an_answer_that_waits(self, monkeypatch):
        """The clock on the wall has run out, and it computed: it has more time then."""
        monkeypatch.setattr(rehearsal, "FIRST_LOOK", 100.0)
        monkeypatch.setattr(rehearsal, "LEAST", 100.0)
        monkeypatch.setattr(rehearsal, "WAITING_LIMIT", 0.01)
        monkeypatch.setattr(rehearsal, "_IDLE", 0.0)
        assert check(FUNCTION, TestWhatNeverEnds.slow)

    @needs_copies
    @pytest.mark.usefixtures("impatient")
    def test_an_import_does_not_count(self, monkeypatch, tmp_path):
        (tmp_path / "slow_to_import.py").write_text(
            "import time\nend = time.process_time() + 0.4\n"
            "while time.process_time() < end:\n    pass\nfactor = 2\n"
        )
        monkeypatch.syspath_prepend(tmp_path)

        def imports(x):
            from slow_to_import import factor

            return factor * x

        assert check(FUNCTION, imports)

    def is_gone(self, process):
        """Tell whether a process has ended, or does so soon."""
        for _ in range(1000):
            try:
                os.kill(process, 0)
            except ProcessLookupError:
                return True
            time.sleep(0.01)
        return False

    @needs_copies
    @pytest.mark.usefixtures("impatient")
    def test_what_only_a_run_tells_is_ended_too(self, monkeypatch):
        copies, fork = [], os.fork
        with monkeypatch.context() as patched:
            patched.setattr(os, "fork", lambda: copies.append(fork()) or copies[-1])
            feedback = check(FUNCTION, lambda x: math.factorial(10**8))
        assert feedback.verdict == "unfinished"
        assert "no end after 0.2 s of computing" in feedback.message
        assert len(copies) == 2  # the second had more time
        assert all(map(self.is_gone, copies))  # nothing runs on

    def test_an_answer_prints_once(self, capsys):
        def doubled(x):
            print("once")
            return 2 * x

        assert check(FUNCTION, doubled)
        assert capsys.readouterr().out == "once\n"

    def test_numbers_and_elementary_expressions_need_no_rehearsal(self):
        theta = sm.Function("theta")(sm.Symbol("t"))
        plain = [
            1,
            2.0,
            1j,
            "a",
            np.float64(1),
            np.eye(2),
            sm.Rational(1, 3),
            sm.pi,
            sm.I,
            sm.Matrix([sm.sin(theta), theta.diff()]),
            [sm.Max(0, theta) ** 2, 3],
            sm.Eq(theta, 1),
            sm.Piecewise((theta, theta > 0), (0, True)),
            sm.series(sm.cos(sm.Symbol("x"))),
            np.array([sm.exp(theta), 2]),
            sm.Abs(sm.log(theta)),
        ]
        assert all(map(ends_soon, plain))
        slow = [abs, object(), sm.Integral(theta), [sm.zeta(3 + theta)], np.array([abs]), {1}]
        assert not any(map(ends_soon, slow))


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

    NAMELESS = getattr(signal, "SIGRTMIN", signal.SIGUSR2) + 3

    @pytest.mark.parametrize(
        ("death", "told"),
        [
            (lambda: TestWhatEndsPython.by_signal(signal.SIGSEGV), "by SIGSEGV;"),
            (lambda: TestWhatEndsPython.by_signal(signal.SIGHUP), "by SIGHUP;"),
            (lambda: os.kill(os.getpid(), TestWhatEndsPython.NAMELESS), "by signal"),
            (lambda: os._exit(255), "by its exit;"),
        ],
    )
    def test_any_end_is_an_answer(self, death, told):
        feedback = check(FUNCTION, self.dying(death))
        assert (feedback.verdict, feedback.stage) == ("unread", "reading")
        assert f"Your answer ends Python itself, {told}" in feedback.message

    def test_what_the_system_ends_is_not_finished(self):
        feedback = check(FUNCTION, self.dying(lambda: os.kill(os.getpid(), signal.SIGKILL)))
        assert feedback.verdict == "unfinished"
        assert "more memory than there is" in feedback.message

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
        assert "more memory than there is" in feedback.message

    def test_whoever_else_waits_for_the_copy(self, monkeypatch):
        """Its end is known all the same."""

        def nobody(*_):
            os.waitpid(*_)
            raise ChildProcessError

        monkeypatch.setattr(os, "wait4", nobody)
        assert check(FUNCTION, lambda x: 2 * x)
        assert not check(FUNCTION, self.dying(os.abort))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no process is tied to a core")
def test_what_is_right_is_right_on_a_busy_core():
    """Two exercises here; ``python -m tests.busy`` tries them all."""
    command = [sys.executable, "-m", "tests.busy", "lie-group-integrators-13", "kane-1"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr
    assert told.stdout.endswith("\n0 right answers were refused\n")


def test_whatever_is_raised_is_told():
    class Breaks:
        def __array__(self, *_, **__):
            raise GeneratorExit

    for kind in (GeneratorExit, BaseException, SystemExit, KeyboardInterrupt):

        def raises(x, kind=kind):
            raise kind

        assert f"raised {kind.__name__}" in check(FUNCTION, raises).message
    assert "could not be read (GeneratorExit" in check(NUMBER, Breaks()).message


def test_a_picture_leaves_the_look_of_others_alone():
    before = dict(matplotlib.rcParams)
    assert check("pendulum-4", "a").picture
    assert dict(matplotlib.rcParams) == before


class Hostile:
    """An answer that raises whatever is asked of it."""

    def __getattribute__(self, name):
        if name == "__class__":
            return object
        raise RuntimeError(name)

    def __repr__(self):
        raise RuntimeError("repr")


@pytest.mark.slow
def test_whatever_is_given_there_is_no_traceback():
    answers = [
        Hostile(),
        Hostile,
        (),
        set(),
        "",
        "m" * 10**5,
        -0.0,
        1e308,
        10**5000,
        range(3),
        iter([]),
        np.zeros(0),
        np.zeros((9, 9, 9)),
        np.array(["a"]),
        np.array(None),
        sm.S.true,
        sm.Matrix(),
        b"m",
        None,
        ...,
        object(),
        {},
        lambda: 0,
        print,
        np.nan,
        sm.nan,
        sm.zoo,
        sm.oo,
        [],
        1 + 1j,
        sm.Add(*[sm.Symbol("theta") ** k for k in range(1, 1000)]),
        sm.EmptySet,
        sm.Symbol("x"),
        sm.Function("f"),
        sm.Integral(sm.Symbol("x")),
        sm.Wild("w"),
        NotImplemented,
        [...],
        [[...]],
        sm.Poly(sm.Symbol("x")),
        type,
        Exception("x"),
    ]
    kinds = [f"pendulum-{number}" for number in (1, 2, 4, 9, 12)]
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
    assert still.message.endswith("Nothing moves: this exercise has nothing to set in motion.")
    told = check("pendulum-2", m * g, show=True).message
    assert "Nothing moves: it does not say what the angular acceleration is" in told


class Counted(list):
    """A list that is looked into, entry by entry, as seldom as it can be."""

    looks = 0

    def __iter__(self):
        self.looks += 1
        return super().__iter__()


@pytest.mark.parametrize("exercise", ["pendulum-1", "pendulum-5", "pendulum-6", "pendulum-9"])
def test_how_much_an_answer_holds_is_looked_at_first(exercise):
    """What follows would take more time and memory than anyone has."""
    for answer in (
        range(10**12),
        [range(10**12)] * 2,
        np.broadcast_to(0.0, (10**6, 10**6)),
        np.broadcast_to(None, 10**9),
        sm.SparseMatrix(10**6, 10**6, {}),
        Counted([0] * 5000),
    ):
        tracemalloc.start()
        feedback = check(exercise, answer)
        needed = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert needed < 5e7  # bytes
        assert (feedback.verdict, feedback.stage) == ("unread", "reading")
        assert re.search(r"has \d+ entries; far fewer are asked for", feedback.message)
        assert getattr(answer, "looks", 0) == 0


def test_so_is_how_much_a_function_returns():
    feedback = check(FUNCTION, lambda x: range(10**12))
    assert "has 1000000000000 entries" in feedback.message
    many = Function(lambda x: x * np.ones(5000), ((1.0,),), one_size=True)
    assert check(Exercise("trial-4", many, (), "Sizes"), lambda x: [x] * 5000)
