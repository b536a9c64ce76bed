"""Exercises, and feedback on their answers: right, or the hint that fits the mistake.

The exercises of all chapters are in `course.exercises`; readers call ``check("pendulum-3",
answer)``.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from types import FunctionType
from typing import Any, Literal, Protocol, runtime_checkable

import sympy as sm

from course.judge.answers import Number, NumberArray
from course.judge.equivalence import refuse_many
from course.judge.log import write_down
from course.judge.rehearsal import UnfinishedError, ends_soon, in_time
from course.judge.sentences import said
from course.judge.stages import (
    STAGES,
    Finding,
    is_among,
    remember,
    response,
    wrong_answers,
)
from straightline.arguments import function, instance, several, shown, truth
from tutlib.reading.names import UnreadableError

_MARKS = {
    "right": ("✓", "#009E73"),
    "wrong": ("✗", "#D55E00"),
    "open": ("…", "#0072B2"),
    "unread": ("?", "#CC79A7"),
    "unfinished": ("?", "#E69F00"),
}


@runtime_checkable
class Answer(Protocol):
    """Protocol of a kind of answer; see `answers` and `symbolic_answers`."""

    @property
    def value(self) -> Any:
        """The right answer."""

    def read(self, answer: Any) -> Any:
        """Return the reading of an answer; raise UnreadableError with a sentence otherwise."""

    def same(self, one: Any, other: Any) -> bool:
        """Return whether two readings are the same."""

    def findings(self, reading: Any) -> Iterator[Finding]:
        """Yield where a wrong answer differs, the most specific first, without the right answer."""
        ...


@dataclass(frozen=True)
class Misconception:
    """A frequent wrong answer, and the hint for it.

    Parameters
    ----------
    answer : Any
        The answer as a reader would give it.
    hint : str
        A sentence or two, without the right answer.
    also : sequence, optional
        Other wrong answers from the same mistake: tests check that each gets this hint.
    """

    answer: Any
    hint: str
    also: Sequence[Any] = ()

    def __post_init__(self) -> None:
        instance(self.hint, "hint", str)
        object.__setattr__(self, "also", tuple(several(self.also, "also", lambda item: item)))


@dataclass(frozen=True)
class Exercise:
    """A question with its answer, hints for wrong answers, and facts for tests.

    Only tests read the last four fields.

    Parameters
    ----------
    name : str
        The chapter's name and a number, such as ``"pendulum-3"``.
    answer : Answer
    misconceptions : sequence of Misconception
    section : str
        Title of the section to read again; empty if there is none.
    lesson : str
        Sentence after a right answer.
    show : function (answer, true answer) -> str, optional
        Function that returns a picture or simulation of the reader's answer beside the true one,
        as HTML, for ``check(..., show=True)``.
    reveal : function (the option chosen) -> str, optional
        Function that returns a picture of a prediction and of the outcome, as HTML.
    forms : sequence, optional
        Other right answers that cannot be derived from the first, such as another derivation.
    asked : (str, function), optional
        Regular expression for the numbers of the prompt, and the function that computes the answer.
    facts : function () -> sequence of str, optional
        Phrases with numbers of the prompt, the lesson, and the hints, computed.
    curves : dict from label to (str, function), optional
        For the picture of `reveal`: words of its description, and a condition that is true for
        that curve, with its ``x`` and ``y``, and for no other.
    """

    name: str
    answer: Answer
    misconceptions: tuple[Misconception, ...]
    section: str
    lesson: str = ""
    show: Callable[[Any, Any], str] | None = None
    reveal: Callable[[Any], str] | None = None
    forms: Sequence[Any] = ()
    asked: tuple[str, Callable[..., Any]] | None = None
    facts: Callable[[], Sequence[str]] | None = None
    curves: dict[str, tuple[str, Callable[[Any], bool]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        instance(self.name, "name", str)
        try:
            self._check()
        except TypeError as error:
            raise TypeError(f"{self.name}: {error}") from None

    def _check(self) -> None:
        for name in ("section", "lesson"):
            instance(getattr(self, name), name, str)
        if not isinstance(self.answer, Answer):
            raise TypeError(
                f"answer must be a kind of answer, such as Number(2.0); got {shown(self.answer)}"
            )
        misconceptions = several(
            self.misconceptions,
            "misconceptions",
            lambda item: instance(item, "a misconception", Misconception),
        )
        object.__setattr__(self, "misconceptions", tuple(misconceptions))
        object.__setattr__(self, "forms", tuple(several(self.forms, "forms", lambda item: item)))
        takes = {"show": "answer, true answer", "reveal": "option", "facts": "..."}
        for name, arguments in takes.items():
            if getattr(self, name) is not None:
                function(getattr(self, name), name, arguments)
        pairs = {"asked": self.asked} if self.asked else {}
        for name, pair in {**pairs, **instance(self.curves, "curves", dict)}.items():
            if not (isinstance(pair, tuple) and [*map(callable, pair)] == [False, True]):
                raise TypeError(f"{name} must be (text, function); got {shown(pair)}")

    @cached_property
    def right(self) -> Any:
        """Reading of the right answer."""
        return self.answer.read(self.answer.value)

    @cached_property
    def known(self) -> list[tuple[Any, str]]:
        """Readings of the frequent wrong answers, each with its hint."""
        return [(self.answer.read(m.answer), m.hint) for m in self.misconceptions]


@dataclass(frozen=True)
class Feedback:
    """Result of a check, which is true if the answer is right.

    Parameters
    ----------
    exercise : str
    verdict : {"right", "wrong", "open", "unread", "unfinished"}
        An unreadable answer is not wrong, and an unfinished one may be right.
    message : str
    picture : str
        HTML after the text.
    stage : str
        Stage of the first finding about a wrong answer: one of `stages.STAGES`.
    """

    exercise: str
    verdict: Literal["right", "wrong", "open", "unread", "unfinished"]
    message: str
    picture: str = ""
    stage: str = ""

    def __post_init__(self) -> None:
        for name in ("exercise", "verdict", "message", "picture", "stage"):
            instance(getattr(self, name), name, str)
        if self.stage not in ("", *STAGES):
            raise ValueError(f"stage must be one of {', '.join(STAGES)}; got {self.stage!r}")
        if self.verdict not in _MARKS:
            raise ValueError(f"verdict must be one of {', '.join(_MARKS)}; got {self.verdict!r}")

    def __bool__(self) -> bool:
        return self.verdict == "right"

    def __str__(self) -> str:
        return f"{_MARKS[self.verdict][0]} {self.exercise}: {self.message}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        mark, color = _MARKS[self.verdict]
        return (
            f'<div role="status" class="tutlib-feedback {self.verdict}" style="border-left: 5px '
            f'solid {color}; padding: 0.4em 1em; margin: 0.4em 0"><span aria-hidden="true">{mark} '
            f"</span><strong>{html.escape(self.exercise)}</strong>: {html.escape(self.message)}"
            f"</div>{self.picture}"
        )


def judged(exercise: Exercise, answer: Any, show: bool = False) -> Feedback:
    """Return the feedback on an answer to an exercise; see `course.check`.

    Raises
    ------
    TypeError
        If ``exercise`` is not an Exercise, or ``show`` is not a bool.
    """
    instance(exercise, "exercise", Exercise)
    with sm.evaluate(True):  # even if the reader has switched SymPy's evaluation off
        feedback = _checked(exercise, answer, truth(show, "show"))
    if feedback.verdict == "open":
        return feedback
    kept = {name: getattr(feedback, name) for name in ("exercise", "verdict", "stage", "message")}
    trouble = write_down(answer, kept)
    return replace(feedback, message=f"{feedback.message} {trouble}") if trouble else feedback


def _checked(chosen: Exercise, answer: Any, moving: bool) -> Feedback:
    if answer is ... or answer is None or _is_stub(answer):
        return Feedback(chosen.name, "open", said("open"))
    # right and frequent wrong answers are read before the reader's time starts
    right, before = chosen.right, wrong_answers(chosen.name, chosen.answer)
    judged = _in_time(chosen, answer, lambda: _judge(chosen, answer, right, before))
    if not isinstance(judged, Feedback) and judged[0] is None:
        reading, known = judged[1], chosen.known
        judged = _in_time(chosen, answer, lambda: _wrong(chosen, reading, known, before))
        if isinstance(judged, Feedback) and judged.verdict == "unfinished":
            return _reply(
                chosen, [Finding("no clue", "Finding the reason would take too long.")], before
            )
    if isinstance(judged, Feedback):
        return judged
    feedback: Feedback
    feedback, reading, tried = judged
    remember(chosen.name, chosen.answer, tried)
    if chosen.reveal and reading is not None:
        return replace(feedback, picture=_drawn(chosen.reveal, reading))
    return _with_motion(chosen, feedback, reading, right) if moving else feedback


def _drawn(reveal: Callable[[Any], str], reading: Any) -> str:
    """Return a picture in the course's look, without changing the look of later ones."""
    from matplotlib import rc_context

    with rc_context():
        return reveal(reading)


def _is_stub(answer: Any) -> bool:
    """Return whether a function's body is only three dots."""

    def stub() -> None: ...

    return isinstance(answer, FunctionType) and answer.__code__.co_code == stub.__code__.co_code


def _in_time(exercise: Exercise, answer: Any, action: Callable[[], Any]) -> Any:
    """Return the result of an action with an answer, or feedback on why there is none."""
    kind = exercise.answer
    try:
        if ends_soon(answer):
            return action()
        return in_time(action, lambda: kind.same(kind.read(kind.value), exercise.right))
    except UnfinishedError as error:
        message = f"Not finished, so neither right nor wrong: {error}"
        return Feedback(exercise.name, "unfinished", message, stage="reading")
    except UnreadableError as error:
        return _reply(exercise, [Finding("reading", str(error))], [])
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # any error in a reader's answer becomes a sentence
        message = f"Your answer could not be read ({type(error).__name__}: {error})."
        return Feedback(exercise.name, "unread", message, stage="reading")


def _judge(
    exercise: Exercise, answer: Any, right: Any, before: list[Any]
) -> tuple[Feedback | None, Any, list[Any]]:
    """Return feedback, or None if the answer is wrong; the reading; and the tries."""
    kind, reading = exercise.answer, None
    try:
        refuse_many(answer)
        reading = kind.read(answer)
        if not kind.same(reading, right):
            return None, reading, []
    except UnreadableError as error:
        return _reply(exercise, [Finding("reading", str(error))], before), reading, before
    message = said("right", lesson=exercise.lesson).strip()
    return Feedback(exercise.name, "right", message), reading, []


def _wrong(
    exercise: Exercise, reading: Any, known: list[tuple[Any, str]], before: list[Any]
) -> tuple[Feedback | None, Any, list[Any]]:
    """Return feedback on a wrong answer, its reading, and the different wrong answers so far."""
    kind = exercise.answer
    hints = (
        Finding("misconception", hint) for mistake, hint in known if kind.same(reading, mistake)
    )
    try:
        tried = before if is_among(kind, reading, before) else [*before, reading]
        hint = list(islice(hints, 1))
        # after a known wrong number, a factor that fits is an accident
        enough = hint and isinstance(kind, Number | NumberArray)
        findings = chain(hint, () if enough else kind.findings(reading))
        chosen = list(islice(findings, 2 if len(tried) > 1 else 1))
    except UnreadableError as error:
        chosen, tried = [Finding("reading", str(error))], before
    return _reply(exercise, chosen, tried), reading, tried


def _reply(exercise: Exercise, findings: list[Finding], tried: list[Any]) -> Feedback:
    message = response(findings, len(tried), exercise.section)
    stage = findings[0].stage
    verdict: Any = "unread" if stage == "reading" else "wrong"
    return Feedback(exercise.name, verdict, message, stage=stage)


def _with_motion(exercise: Exercise, feedback: Feedback, reading: Any, right: Any) -> Feedback:
    try:
        show = exercise.show or getattr(exercise.answer, "show", None)
        if show is None:
            raise ValueError("this exercise has no animation")
        if reading is None:
            raise ValueError("an answer that cannot be read cannot be animated")
        picture = show(reading, right)
    except ValueError as error:
        remark = said("nothing moves", reason=error)
        return replace(feedback, message=f"{feedback.message} {remark}")
    return replace(feedback, picture=picture)
