"""How long a reader waits for an answer: every exercise, and a triple pendulum's long equation."""

import importlib
import pkgutil
import time

import sympy as sm

import course.exercises
from course import check
from course.judge import Exercise, Expression, Number
from tutlib.models import chain


def seconds(function) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def slowest_check(chapters: str = "") -> tuple[str, float]:
    """Return the slowest check of any answer that the exercises list, with its time.

    All chapters are tried, or those whose name has this text in it.
    """
    check(Exercise("warm", Number(1.0, "m"), (), "none"), 1.0)
    times = {}
    for module in pkgutil.iter_modules(course.exercises.__path__):
        if chapters not in module.name:
            continue
        for exercise in importlib.import_module(f"course.exercises.{module.name}").EXERCISES:
            answers = [exercise.answer.value, *(m.answer for m in exercise.misconceptions)]
            times[exercise.name] = max(
                seconds(lambda e=exercise, a=answer: check(e, a)) for answer in answers
            )
    name = max(times, key=times.__getitem__)
    return name, times[name]


def long_equation() -> float:
    """Return the time to see that a triple pendulum's forcing equals its expanded form."""
    long = sum(chain(3, orientation="relative").free().equations.forcing)
    exercise = Exercise("long", Expression(long), (), "none")
    expanded = sm.expand(long, trig=True)
    feedback = []
    elapsed = seconds(lambda: feedback.append(check(exercise, expanded)))
    assert feedback == [check(exercise, long)]
    return elapsed
