"""Exercises that answer back: right, or the hint that fits the mistake.

``check("pendulum-3", answer)`` is all a reader needs. Every chapter has exercises; they are in
`course.exercises`.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from types import FunctionType
from typing import Any, Literal, Protocol, runtime_checkable

import sympy as sm

from course.judge.equivalence import refuse_many
from course.judge.log import write_down
from course.judge.rehearsal import UnfinishedError, ends_soon, in_time
from course.judge.sentences import said
from course.judge.stages import (
    STAGES,
    Finding,
    findings_of,
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
    """A kind of answer; see `answers` and `symbolic_answers`."""

    @property
    def value(self) -> Any:
        """The right answer."""

    def read(self, answer: Any) -> Any:
        """Understand an answer, or raise UnreadableError with a sentence for the reader."""

    def same(self, one: Any, other: Any) -> bool:
        """Whether two readings are the same."""

    def explain(self, reading: Any) -> str:
        """Say where a wrong answer differs, and never what is right.

        A kind that finds several things has ``findings(reading)``, which yields each as a
        `stages.Finding`; this is the first of them.
        """


@dataclass(frozen=True)
class Misconception:
    """A wrong answer that many give, and the hint for it.

    Parameters
    ----------
    answer : Any
        As a reader would give it.
    hint : str
        A sentence or two, without the right answer.
    also : sequence, optional
        Further wrong answers that make the same mistake: tests ask that each meets this hint.
    """

    answer: Any
    hint: str
    also: Sequence[Any] = ()

    def __post_init__(self) -> None:
        instance(self.hint, "hint", str)
        object.__setattr__(self, "also", tuple(several(self.also, "also", lambda one: one)))


@dataclass(frozen=True)
class Exercise:
    """A question with its answer, what to say of wrong ones, and what must be true of it.

    The last four are for tests: nothing that a reader does reads them.

    Parameters
    ----------
    name : str
        The chapter's name and a number, such as ``"pendulum-3"``.
    answer : Answer
    misconceptions : sequence of Misconception
    section : str
        Title of the section to read again; empty if there is none.
    lesson : str
        What follows a right answer, in a sentence.
    show : function (answer, true answer) -> str, optional
        A picture or a simulation of the reader's answer beside the true one, as HTML: for
        ``check(..., show=True)``.
    reveal : function (the option chosen) -> str, optional
        A picture, as HTML, that comes with every choice: what was predicted, and what happens.
    forms : sequence, optional
        Further right answers that cannot be written from the first, such as another derivation.
    asked : (str, function), optional
        A regular expression for the numbers of the prompt, and the answer that follows from them.
    facts : function () -> sequence of str, optional
        Phrases of the prompt, the lesson and the hints with their numbers, computed.
    curves : dict from label to (str, function), optional
        Of the picture that `reveal` draws: words of its description, and what must be true of that
        curve, with its ``x`` and ``y``, and of no other.
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
        known = several(
            self.misconceptions,
            "misconceptions",
            lambda one: instance(one, "a misconception", Misconception),
        )
        object.__setattr__(self, "misconceptions", tuple(known))
        object.__setattr__(self, "forms", tuple(several(self.forms, "forms", lambda one: one)))
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
        """The right answer as it is understood."""
        return self.answer.read(self.answer.value)

    @cached_property
    def known(self) -> list[tuple[Any, str]]:
        """Frequent wrong answers as they are understood, each with its hint."""
        return [(self.answer.read(m.answer), m.hint) for m in self.misconceptions]


@dataclass(frozen=True)
class Feedback:
    """What a check says. It is true if the answer is right.

    Parameters
    ----------
    exercise : str
    verdict : {"right", "wrong", "open", "unread", "unfinished"}
        An answer that cannot be read is not wrong, and one that was stopped may be right.
    message : str
    picture : str
        HTML to follow the text.
    stage : str
        Of a wrong answer, what the first sentence is about: one of `stages.STAGES`.
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
    """Return what is said of an answer to an exercise; see `course.check`.

    Raises
    ------
    TypeError
        If ``exercise`` is none, or ``show`` not True or False.
    """
    instance(exercise, "exercise", Exercise)
    with sm.evaluate(True):  # even where the reader has told SymPy not to
        feedback = _checked(exercise, answer, truth(show, "show"))
    if feedback.verdict == "open":
        return feedback
    kept = {name: getattr(feedback, name) for name in ("exercise", "verdict", "stage", "message")}
    trouble = write_down(answer, kept)
    return replace(feedback, message=f"{feedback.message} {trouble}") if trouble else feedback


def _checked(chosen: Exercise, answer: Any, moving: bool) -> Feedback:
    if answer is ... or answer is None or _is_stub(answer):
        return Feedback(chosen.name, "open", said("open"))
    # right and wrong answers of the course's own are read outside of the reader's time
    right, before = chosen.right, wrong_answers(chosen.name, chosen.answer)
    judged = _in_time(chosen, answer, lambda: _judge(chosen, answer, right, before))
    if not isinstance(judged, Feedback) and judged[0] is None:
        reading, known = judged[1], chosen.known
        judged = _in_time(chosen, answer, lambda: _wrong(chosen, reading, known, before))
        if isinstance(judged, Feedback) and judged.verdict == "unfinished":
            return _reply(chosen, [Finding("no clue", "Why would take too long to find.")], before)
    if isinstance(judged, Feedback):
        return judged
    feedback: Feedback
    feedback, reading, tried = judged
    remember(chosen.name, chosen.answer, tried)
    if chosen.reveal and reading is not None:
        return replace(feedback, picture=_drawn(chosen.reveal, reading))
    return _with_motion(chosen, feedback, reading, right) if moving else feedback


def _drawn(reveal: Callable[[Any], str], reading: Any) -> str:
    """Return a picture that is drawn in the course's look, which is left to no other."""
    from matplotlib import rc_context

    with rc_context():
        return reveal(reading)


def _is_stub(answer: Any) -> bool:
    """Whether a function's body is nothing but three dots."""

    def stub() -> None: ...

    return isinstance(answer, FunctionType) and answer.__code__.co_code == stub.__code__.co_code


def _in_time(exercise: Exercise, answer: Any, action: Callable[[], Any]) -> Any:
    """Return what an action with an answer returns, or a feedback that says why nothing came."""
    kind = exercise.answer
    try:
        if ends_soon(answer):
            return action()
        return in_time(action, lambda: kind.same(kind.read(kind.value), exercise.right))
    except UnfinishedError as error:
        message = f"Not finished, and so neither right nor wrong: {error}"
        return Feedback(exercise.name, "unfinished", message, stage="reading")
    except UnreadableError as error:
        return _reply(exercise, [Finding("reading", str(error))], [])
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever a reader gives, the course answers with a sentence
        message = f"Your answer could not be read ({type(error).__name__}: {error})."
        return Feedback(exercise.name, "unread", message, stage="reading")


def _judge(
    exercise: Exercise, answer: Any, right: Any, before: list[Any]
) -> tuple[Feedback | None, Any, list[Any]]:
    """Return what is said of an answer, nothing if it is wrong; and the answer as it was read."""
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
    """Return what is said of a wrong answer, itself, and the different wrong ones so far."""
    kind = exercise.answer
    hints = (Finding("misconception", hint) for one, hint in known if kind.same(reading, one))
    try:
        tried = before if is_among(kind, reading, before) else [*before, reading]
        findings = chain(islice(hints, 1), findings_of(kind, reading))
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
            raise ValueError("this exercise has nothing to set in motion")
        if reading is None:
            raise ValueError("an answer that cannot be read cannot be set in motion")
        picture = show(reading, right)
    except ValueError as error:
        remark = said("nothing moves", reason=error)
        return replace(feedback, message=f"{feedback.message} {remark}")
    return replace(feedback, picture=picture)
