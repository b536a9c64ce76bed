"""The exercises of each chapter: answers, misconceptions and their hints.

A module is named after its chapter, and lists its exercises in `EXERCISES`. `tutlib.check` finds
them by name.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tutlib.exercises import Exercise

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


def every_exercise() -> list[Exercise]:
    """Return the exercises of all chapters, chapter by chapter in alphabetical order."""
    modules = pkgutil.iter_modules(__path__, f"{__name__}.")
    chapters = [importlib.import_module(module.name) for module in modules]
    return [exercise for chapter in chapters for exercise in chapter.EXERCISES]
