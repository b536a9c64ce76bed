"""The exercises of each chapter: answers, misconceptions and their hints.

A module is named after its chapter, and lists its exercises in `EXERCISES`. `course.check` finds
them by name.
"""

from __future__ import annotations

import importlib
import pkgutil

from course.judge import Exercise
from course.judge.prompts import COUNTS
from straightline.arguments import instance

__all__ = ["UNITS", "every_exercise", "find"]

_LETTERS = {
    "kg": "m m_1 m_2 m_3 m_L M",
    "m": "l l_1 l_2 l_3 l_a l_b l_c l_n r w x y x_0 phi_0",
    "m/s": "v v_0 v_x v_y",
    "m/s²": "g a_0",
    "s": "h t_s",
    "rad": "theta theta_0 theta_1 theta_2 theta_3 theta_d q_1 q_2 q_3 beta delta",
    "rad/s": "omega alpha u u_1 u_2 u_3",
    "N": "F_x F_y",
    "N·m": "tau tau_1 tau_2",
    "N·m/rad": "k k_p",
    "N·m·s/rad": "b k_d",
    "kg·m²": "J_1 J_2 J_3",
}
#: The units of the letters that the exercises share: an answer that does not fit them is told so.
UNITS = {letter: unit for unit, letters in _LETTERS.items() for letter in letters.split()}


def in_words(count: float) -> str:
    """Return a count as a word, for a fact of an exercise; refuse what is none, to a third."""
    if abs(count - round(count)) > 1 / 3:
        raise ValueError(f"{count} is no count")
    return COUNTS[round(count)]


def every_exercise() -> list[Exercise]:
    """Return the exercises of all chapters, chapter by chapter in alphabetical order."""
    modules = pkgutil.iter_modules(__path__, f"{__name__}.")
    chapters = [importlib.import_module(module.name) for module in modules]
    return [exercise for chapter in chapters for exercise in chapter.EXERCISES]


def find(name: str) -> Exercise:
    """Return the exercise of a name.

    Raises
    ------
    TypeError
        If the name is no text.
    ValueError
        If there is none; it names those of the chapter, or the chapters.
    """
    chapter = instance(name, "name", str, 'such as "pendulum-1"').rpartition("-")[0]
    chapters = [module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__)]
    if chapter not in chapters:
        raise ValueError(f"no exercise {name!r}; the chapters are {', '.join(chapters)}")
    module = importlib.import_module(f"{__name__}.{chapter.replace('-', '_')}")
    exercises: dict[str, Exercise] = {exercise.name: exercise for exercise in module.EXERCISES}
    if name not in exercises:
        raise ValueError(f"no exercise {name!r}; this chapter has {', '.join(exercises)}")
    return exercises[name]
